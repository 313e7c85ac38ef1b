/*
 * Spaces in JSON: {"NAME": [values]}, and those of Kernel Tuner, whose lists of values, conditions and sizes are
 * expressions in Python's syntax.
 */
#include "base/json/json.h"
#include "model/tune/tune.h"

#include <jansson.h>
#include <string.h>

struct space_reader {
	struct arena *arena;
	const struct json_file *file;
	struct tune_space *space;
	struct diagnostics *diagnostics;
};

static bool refuse(struct space_reader *reader, const char *name, const char *what)
{
	const char *names[] = {name};
	struct place place = json_place(reader->file->path, reader->file->text, names, 1);
	diagnostics_report(reader->diagnostics, SEVERITY_ERROR, place, "%s", what);
	return false;
}

/* "EXPRESSION: what is wrong here: REST" of a fault in an expression. */
static const char *fault_text(struct arena *arena, const char *text, const struct tune_fault *fault)
{
	return arena_printf(arena, "%s\n    %s\n    %*s^", fault->text, text, (int)fault->at, "");
}

/* ---- values ---------------------------------------------------------------------------- */

static bool value_of_json(struct arena *arena, const json_t *json, struct tune_value *value)
{
	*value = (struct tune_value){0};
	if (json_is_string(json))
		value->word = arena_strdup(arena, json_string_value(json));
	else if (json_is_number(json))
		value->number = json_number_value(json);
	else if (json_is_boolean(json))
		value->number = json_is_true(json);
	else
		return false;
	return true;
}

/* Values as a list in JSON, or as a text that is one in Python. */
static bool values_read(struct space_reader *reader, const char *where, const char *name, const json_t *json)
{
	struct tune_value list = {0};
	struct tune_fault fault = {0};
	const char *text = json_string_value(json);
	const struct tune_expression *expression =
		text ? tune_expression_parse(reader->arena, text, TUNE_PYTHON, &fault) : NULL;
	if (text && (!expression || !tune_expression_value(reader->arena, expression, NULL, 0, &list, &fault)))
		return refuse(
			reader, where,
			arena_printf(reader->arena, "values of %s: %s", name, fault_text(reader->arena, text, &fault)));
	for (size_t i = 0; !text && i < json_array_size(json); i++) {
		struct tune_value value;
		if (!value_of_json(reader->arena, json_array_get(json, i), &value))
			return refuse(reader, where,
			              arena_printf(reader->arena, "a value of %s is neither number nor text", name));
		ARENA_PUSH(reader->arena, list.items, list.count, value);
	}
	if (!list.items)
		return refuse(reader, where, arena_printf(reader->arena, "%s needs a list of values", name));
	const char *problem = tune_parameter_take(reader->arena, reader->space, name, list.items, list.count);
	return problem ? refuse(reader, where, problem) : true;
}

/* ---- Kernel Tuner ------------------------------------------------------------------------ */

static bool parameters_read(struct space_reader *reader, const json_t *list)
{
	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *parameter = json_array_get(list, i);
		const char *name = json_string_value(json_object_get(parameter, "Name"));
		if (!name)
			return refuse(reader, "ConfigurationSpace", "a parameter of TuningParameters has no Name");
		if (!values_read(reader, "ConfigurationSpace", arena_strdup(reader->arena, name),
		                 json_object_get(parameter, "Values")))
			return false;
	}
	return json_array_size(list) > 0 || refuse(reader, "ConfigurationSpace", "it has no list of TuningParameters");
}

static bool conditions_read(struct space_reader *reader, const json_t *list)
{
	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *condition = json_array_get(list, i), *member = json_object_get(condition, "Expression");
		const char *text = json_string_value(json_is_string(condition) ? condition : member);
		struct tune_fault fault;
		if (!text)
			return refuse(reader, "ConfigurationSpace", "a condition has no Expression");
		text = arena_strdup(reader->arena, text);
		if (tune_condition_add(reader->arena, reader->space, text, TUNE_PYTHON, &fault))
			return refuse(
				reader, "ConfigurationSpace",
				arena_printf(reader->arena, "condition: %s", fault_text(reader->arena, text, &fault)));
	}
	return true;
}

/* {"X": "block_size_x", ...}, or a list of them. */
static bool sizes_read(struct space_reader *reader, const json_t *sizes, const struct tune_expression *dimensions[3])
{
	static const char *const axes[] = {"X", "Y", "Z"};
	for (unsigned axis = 0; sizes && axis < 3; axis++) {
		const json_t *size =
			json_is_array(sizes) ? json_array_get(sizes, axis) : json_object_get(sizes, axes[axis]);
		struct tune_fault fault;
		const char *text = json_is_integer(size)
		                           ? arena_printf(reader->arena, "%lld", (long long)json_integer_value(size))
		                           : json_string_value(size);
		if (!text)
			continue;
		text = arena_strdup(reader->arena, text);
		dimensions[axis] = tune_expression_parse(reader->arena, text, TUNE_PYTHON, &fault);
		if (!dimensions[axis])
			return refuse(reader, "KernelSpecification", fault_text(reader->arena, text, &fault));
	}
	return true;
}

static bool kernel_read(struct space_reader *reader, const json_t *kernel)
{
	const char *name = json_string_value(json_object_get(kernel, "KernelName"));
	const char *of = json_string_value(json_object_get(kernel, "GlobalSizeType"));
	reader->space->kernel = name ? arena_strdup(reader->arena, name) : NULL;
	reader->space->grid_of_threads = of && strcmp(of, "OpenCL") == 0;
	return sizes_read(reader, json_object_get(kernel, "LocalSize"), reader->space->block) &&
	       sizes_read(reader, json_object_get(kernel, "GlobalSize"), reader->space->grid);
}

static bool plain_read(struct space_reader *reader, json_t *root)
{
	const char *name;
	json_t *values;
	json_object_foreach(root, name, values) if (!values_read(reader, name, arena_strdup(reader->arena, name),
	                                                         values)) return false;
	return reader->space->parameter_count > 0 || refuse(reader, "", "it has no names to tune");
}

static bool root_read(struct space_reader *reader, json_t *root)
{
	const json_t *space = json_object_get(root, "ConfigurationSpace");
	if (!json_is_object(root))
		return refuse(reader, "", "it is no JSON object");
	if (!space)
		return plain_read(reader, root);
	return parameters_read(reader, json_object_get(space, "TuningParameters")) &&
	       conditions_read(reader, json_object_get(space, "Conditions")) &&
	       kernel_read(reader, json_object_get(root, "KernelSpecification"));
}

bool tune_space_read(struct arena *arena, const char *path, struct tune_space *space, struct diagnostics *diagnostics)
{
	struct json_file file;
	struct space_reader reader = {arena, &file, space, diagnostics};
	if (!json_file_open(arena, path, "", &file, diagnostics))
		return false;
	bool good = root_read(&reader, file.root);
	json_decref(file.root);
	return good;
}
