/*
 * Measurement files (schema coalesce/measure/1): what a measuring program printed, or several of them merged. Each case
 * says on which GPU, with which driver and compiler and when it was measured; each layout its median, smallest and
 * largest time.
 *
 * A file with an impossible value is refused as a whole: figures are not to rest on part of a file.
 */
#include "base/json/json.h"
#include "model/measure/measure.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

struct measurement_reader {
	struct arena *arena;
	struct diagnostics *diagnostics;
	const char *path;
};

static bool refuse(const struct measurement_reader *reader, const char *where, const char *what)
{
	diagnostics_report(reader->diagnostics, SEVERITY_ERROR, (struct place){reader->path, 0, 0}, "%s: %s", where,
	                   what);
	return false;
}

static const char *copy(const struct measurement_reader *reader, const char *text)
{
	return text ? arena_strdup(reader->arena, text) : NULL;
}

bool measure_time_is_possible(double microseconds)
{
	return microseconds >= 1e-6 && microseconds <= 1e15;
}

/* ---- one layout ------------------------------------------------------------------- */

static bool times_read(const struct measurement_reader *reader, const char *where, json_t *value,
                       struct measured_layout *layout)
{
	double median, minimum, maximum;
	json_error_t error;
	if (json_unpack_ex(value, &error, 0, "{s:F, s:F, s:F}", "median", &median, "min", &minimum, "max", &maximum) !=
	    0)
		return refuse(reader, where, error.text);
	if (!(minimum <= median && median <= maximum) || !measure_time_is_possible(minimum) ||
	    !measure_time_is_possible(maximum))
		return refuse(reader, where, "times must be from 1e-6 to 1e15 us, and min <= median <= max");
	layout->median = median * 1e-6;
	layout->minimum = minimum * 1e-6;
	layout->maximum = maximum * 1e-6;
	return true;
}

static bool layout_read(const struct measurement_reader *reader, const char *where, json_t *value,
                        struct measured_layout *layout)
{
	json_t *record, *tile, *times;
	const char *name;
	int repeats, registers;
	json_error_t error;
	if (json_unpack_ex(value, &error, 0, "{s:o, s:s, s:o, s:o, s:i, s:i}", "record", &record, "layout", &name,
	                   "tile", &tile, "time_us", &times, "repeats", &repeats, "registers", &registers) != 0)
		return refuse(reader, where, error.text);
	if (repeats < 1 || registers < 0 || (json_is_integer(tile) && json_integer_value(tile) < 1))
		return refuse(reader, where, "repeats, registers or tile is out of range");
	layout->record = copy(reader, json_string_value(record));
	layout->layout = copy(reader, name);
	layout->tile = (unsigned)json_integer_value(tile);
	layout->repeats = (unsigned)repeats;
	layout->registers = (unsigned)registers;
	return times_read(reader, arena_printf(reader->arena, "%s.time_us", where), times, layout);
}

/* ---- one kernel, one case ------------------------------------------------------------ */

static bool dimensions_read(const struct measurement_reader *reader, const char *where, json_t *value,
                            uint32_t dimensions[3])
{
	json_int_t x, y, z;
	json_error_t error;
	if (json_unpack_ex(value, &error, 0, "[I,I,I!]", &x, &y, &z) != 0)
		return refuse(reader, where, error.text);
	if (x < 1 || y < 1 || z < 1 || x > INT32_MAX || y > INT32_MAX || z > INT32_MAX)
		return refuse(reader, where, "three positive numbers are expected");
	dimensions[0] = (uint32_t)x;
	dimensions[1] = (uint32_t)y;
	dimensions[2] = (uint32_t)z;
	return true;
}

static bool arguments_read(const struct measurement_reader *reader, const char *where, json_t *arguments,
                           struct measured_kernel *kernel)
{
	const char *name;
	json_t *value;
	if (!json_is_object(arguments))
		return refuse(reader, where, "\"arguments\" is no object");
	json_object_foreach(arguments, name, value)
	{
		struct measured_argument argument = {copy(reader, name), json_integer_value(value)};
		if (!json_is_integer(value))
			return refuse(reader, where, "\"arguments\" holds something that is no integer");
		ARENA_PUSH(reader->arena, kernel->arguments, kernel->argument_count, argument);
	}
	return true;
}

static bool kernel_read(const struct measurement_reader *reader, const char *where, json_t *value,
                        struct measured_kernel *kernel)
{
	json_t *grid, *block, *arguments, *layouts, *entry;
	const char *name;
	json_error_t error;
	size_t index;
	if (json_unpack_ex(value, &error, 0, "{s:s, s:o, s:o, s:o, s:o}", "name", &name, "grid", &grid, "block", &block,
	                   "arguments", &arguments, "layouts", &layouts) != 0)
		return refuse(reader, where, error.text);
	kernel->name = copy(reader, name);
	if (!dimensions_read(reader, arena_printf(reader->arena, "%s.grid", where), grid, kernel->grid) ||
	    !dimensions_read(reader, arena_printf(reader->arena, "%s.block", where), block, kernel->block) ||
	    !arguments_read(reader, where, arguments, kernel))
		return false;
	if (json_array_size(layouts) == 0)
		return refuse(reader, where, "\"layouts\" is no array, or empty");
	json_array_foreach(layouts, index, entry)
	{
		struct measured_layout layout = {0};
		if (!layout_read(reader, arena_printf(reader->arena, "%s.layouts[%zu]", where, index), entry, &layout))
			return false;
		ARENA_PUSH(reader->arena, kernel->layouts, kernel->layout_count, layout);
	}
	return true;
}

static bool options_read(const struct measurement_reader *reader, const char *where, json_t *options,
                         struct measured_case *measured)
{
	size_t index;
	json_t *entry;
	json_array_foreach(options, index, entry)
	{
		if (!json_is_string(entry))
			return refuse(reader, where, "\"options\" holds something that is no text");
		ARENA_PUSH(reader->arena, measured->options, measured->option_count,
		           copy(reader, json_string_value(entry)));
	}
	return true;
}

static bool case_read(const struct measurement_reader *reader, const char *where, json_t *value,
                      struct measured_case *measured)
{
	json_t *kernels, *options, *entry;
	int quick = 0;
	json_error_t error;
	size_t index;
	if (json_unpack_ex(value, &error, 0, "{s:s, s:s, s:o, s:s, s:s, s:s, s:s, s:b, s:o}", "id", &measured->id,
	                   "file", &measured->file, "options", &options, "gpu", &measured->gpu, "driver",
	                   &measured->driver, "compiler", &measured->compiler, "date", &measured->date, "quick", &quick,
	                   "kernels", &kernels) != 0)
		return refuse(reader, where, error.text);
	const char **texts[] = {&measured->id,     &measured->file,     &measured->gpu,
	                        &measured->driver, &measured->compiler, &measured->date};
	for (size_t i = 0; i < ARRAY_COUNT(texts); i++)
		*texts[i] = copy(reader, *texts[i]);
	measured->quick = quick != 0;
	if (!options_read(reader, where, options, measured))
		return false;
	if (json_array_size(kernels) == 0)
		return refuse(reader, where, "\"kernels\" is no array, or empty");
	json_array_foreach(kernels, index, entry)
	{
		struct measured_kernel kernel = {0};
		if (!kernel_read(reader, arena_printf(reader->arena, "%s.kernels[%zu]", where, index), entry, &kernel))
			return false;
		ARENA_PUSH(reader->arena, measured->kernels, measured->kernel_count, kernel);
	}
	return true;
}

/* ---- the file -------------------------------------------------------------------------- */

static bool cases_read(const struct measurement_reader *reader, const json_t *root, struct measurement *measurement)
{
	const json_t *cases = json_object_get(root, "cases");
	json_t *entry;
	size_t index;
	if (json_array_size(cases) == 0)
		return refuse(reader, "file", "\"cases\" is no array, or empty");
	json_array_foreach(cases, index, entry)
	{
		struct measured_case measured = {0};
		const char *where = arena_printf(reader->arena, "cases[%zu]", index);
		if (!case_read(reader, where, entry, &measured))
			return false;
		if (measure_case_find(measurement, measured.id))
			return refuse(reader, where,
			              arena_printf(reader->arena, "a second case with id \"%s\"", measured.id));
		ARENA_PUSH(reader->arena, measurement->cases, measurement->case_count, measured);
	}
	return true;
}

const struct measurement *measure_load(struct arena *arena, const char *path, struct diagnostics *diagnostics)
{
	struct measurement *measurement = arena_alloc(arena, sizeof *measurement);
	struct measurement_reader reader = {arena, diagnostics, arena_strdup(arena, path)};
	json_t *root = json_file_read(arena, path, MEASURE_SCHEMA, diagnostics);
	bool good = root && cases_read(&reader, root, measurement);
	measurement->path = reader.path;
	json_decref(root);
	return good ? measurement : NULL;
}

const struct measured_case *measure_case_find(const struct measurement *measurement, const char *id)
{
	for (unsigned i = 0; i < measurement->case_count; i++)
		if (strcmp(measurement->cases[i].id, id) == 0)
			return &measurement->cases[i];
	return NULL;
}

bool measure_case_with(const struct measured_case *measured, const char *const *words, unsigned word_count)
{
	for (unsigned i = 0; i < word_count && i < measured->option_count; i++)
		if (strcmp(words[i], measured->options[i]) != 0)
			return false;
	return word_count == measured->option_count;
}

static bool same_kernel(const struct launch_case *a, const struct launch_case *b)
{
	return a->kernel == b->kernel && memcmp(a->grid, b->grid, sizeof a->grid) == 0 &&
	       memcmp(a->block, b->block, sizeof a->block) == 0;
}

static bool argument_fits(const struct launch_case *launch, const struct measured_argument *argument)
{
	for (unsigned p = 0; p < launch->kernel->parameter_count; p++)
		if (launch->known[p] && strcmp(launch->kernel->parameters[p].name, argument->name) == 0)
			return launch->values[p] == argument->value;
	return true;
}

static bool launch_fits(const struct launch_case *launch, const struct measured_kernel *kernel)
{
	for (unsigned a = 0; a < kernel->argument_count; a++)
		if (!argument_fits(launch, &kernel->arguments[a]))
			return false;
	return strcmp(launch->kernel->name, kernel->name) == 0 &&
	       memcmp(launch->grid, kernel->grid, sizeof launch->grid) == 0 &&
	       memcmp(launch->block, kernel->block, sizeof launch->block) == 0;
}

/* Whether two launches with the same grid and block differ in arguments that are known. */
static bool arguments_differ(const struct launch_case *a, const struct launch_case *b)
{
	for (unsigned p = 0; p < a->kernel->parameter_count; p++)
		if (a->known[p] && b->known[p] && a->values[p] != b->values[p])
			return true;
	return false;
}

const struct measured_kernel *measure_kernel_find(const struct measured_case *measured,
                                                  const struct case_result *results, unsigned case_index)
{
	const struct launch_case *launch = results[case_index].launch;
	unsigned before = 0;
	for (unsigned c = 0; c < case_index; c++)
		before += same_kernel(results[c].launch, launch) && !arguments_differ(results[c].launch, launch);
	for (unsigned k = 0; k < measured->kernel_count; k++)
		if (launch_fits(launch, &measured->kernels[k]) && before-- == 0)
			return &measured->kernels[k];
	return NULL;
}

double measure_time(const struct measured_kernel *kernel, const struct ranked_layout *row)
{
	const char *name = row->group ? row->layout->name : "as-written";
	for (unsigned l = 0; l < kernel->layout_count; l++) {
		const struct measured_layout *layout = &kernel->layouts[l];
		bool same_record =
			row->group ? layout->record && strcmp(layout->record, row->group->name) == 0 : !layout->record;
		if (same_record && strcmp(layout->layout, name) == 0 && layout->tile == (row->group ? row->tile : 0))
			return layout->median;
	}
	return NAN;
}
