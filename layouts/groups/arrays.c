/*
 * Separate arrays that the user calls one record (FORM_ARRAYS).
 *
 * The arrays of a --group are matched through the launches: whoever is given the same device array holds the same
 * member, whatever the parameter's name. Where a kernel's launches are unknown, the parameter's own name decides.
 */
#include "layouts/groups/groups.h"

#define NO_FIELD ((unsigned)-1)

/* The search for the members of one --group. */
struct array_finder {
	struct group_finder *finder;
	struct layout_group *group;
	const char *spelling;              /* as the user wrote it */
	unsigned *host_fields;             /* for each host array the field it is, or NO_FIELD */
	const struct parameter **examples; /* for each field the first parameter that is it */
};

static bool group_error(struct array_finder *find, const char *format, const char *name)
{
	struct place place = {find->finder->analysis->path, 0, 0};
	char *message = arena_printf(find->finder->arena, format, name);

	diagnostics_report(find->finder->diagnostics, SEVERITY_ERROR, place, "--group %s: %s", find->spelling, message);
	return false;
}

/* Splits "A,B,C" into fields with nothing but names; false with an error for empty and repeated names. */
static bool group_split(struct array_finder *find)
{
	struct layout_group *group = find->group;
	struct arena *arena = find->finder->arena;

	for (const char *rest = find->spelling;;) {
		size_t length = strcspn(rest, ",");
		const char *name = arena_strndup(arena, rest, length);

		if (length == 0)
			return group_error(find, "a name is empty%s", "");
		for (unsigned f = 0; f < group->field_count; f++)
			if (strcmp(group->fields[f].name, name) == 0)
				return group_error(find, "'%s' is named twice", name);
		ARENA_PUSH(arena, group->fields, group->field_count,
		           (struct layout_field){.name = name, .path = name, .count = 1});
		group->name = group->name ? arena_printf(arena, "%s_%s", group->name, name) : name;
		if (rest[length] == '\0')
			return group->field_count > 1 ? true
			                              : group_error(find, "a record needs two arrays at least%s", "");
		rest += length + 1;
	}
}

static unsigned group_field(const struct layout_group *group, const char *name)
{
	for (unsigned f = 0; f < group->field_count; f++)
		if (strcmp(group->fields[f].name, name) == 0)
			return f;
	return NO_FIELD;
}

static unsigned host_array_index(const struct analysis *analysis, const struct host_array *array)
{
	for (unsigned h = 0; array && h < analysis->host_array_count; h++)
		if (analysis->host_arrays[h] == array)
			return h;
	return NO_FIELD;
}

/* Gives every host array of the field's name that field; returns whether there is one. */
static bool hosts_by_name(struct array_finder *find, unsigned field)
{
	const struct analysis *analysis = find->finder->analysis;
	bool found = false;

	for (unsigned h = 0; h < analysis->host_array_count; h++)
		if (strcmp(analysis->host_arrays[h]->name, find->group->fields[field].name) == 0) {
			find->host_fields[h] = field;
			found = true;
		}
	return found;
}

/*
 * Gives the host arrays that are passed for the first kernel parameter of the field's name that field; returns
 * whether there is such a parameter.
 */
static bool hosts_by_parameter(struct array_finder *find, unsigned field)
{
	const struct analysis *analysis = find->finder->analysis;

	for (unsigned k = 0; k < analysis->kernel_count; k++)
		for (unsigned p = 0; p < analysis->kernels[k]->parameter_count; p++) {
			const struct kernel *kernel = analysis->kernels[k];
			const struct parameter *parameter = &kernel->parameters[p];

			if (!parameter->is_pointer || strcmp(parameter->name, find->group->fields[field].name) != 0)
				continue;
			for (unsigned l = 0; l < kernel->launch_count; l++) {
				unsigned h = host_array_index(analysis, kernel->launches[l]->arguments[p].array);

				if (h != NO_FIELD && find->host_fields[h] == NO_FIELD)
					find->host_fields[h] = field;
			}
			return true;
		}
	return false;
}

/* Decides which host arrays are which fields; false with an error for a name that nothing has. */
static bool hosts_match(struct array_finder *find)
{
	const struct analysis *analysis = find->finder->analysis;
	bool all_hosts = true;

	find->host_fields =
		arena_array(find->finder->arena, analysis->host_array_count + 1, sizeof(*find->host_fields));
	for (unsigned h = 0; h < analysis->host_array_count; h++)
		find->host_fields[h] = NO_FIELD;
	for (unsigned f = 0; f < find->group->field_count; f++)
		all_hosts &= hosts_by_name(find, f);
	if (all_hosts)
		return true;
	for (unsigned h = 0; h < analysis->host_array_count; h++)
		find->host_fields[h] = NO_FIELD;
	for (unsigned f = 0; f < find->group->field_count; f++)
		if (!hosts_by_parameter(find, f) && !hosts_by_name(find, f))
			return group_error(find, "no kernel parameter or device array is named '%s'",
			                   find->group->fields[f].name);
	return true;
}

/*
 * The field that a kernel parameter is: by the array that its launches pass, else by its name where they pass none
 * that is known.
 */
static unsigned parameter_field(const struct array_finder *find, const struct kernel *kernel,
                                const struct parameter *parameter)
{
	bool known = false;

	for (unsigned l = 0; l < kernel->launch_count; l++) {
		const struct host_value *argument = &kernel->launches[l]->arguments[parameter->index];
		unsigned h = host_array_index(find->finder->analysis, argument->array);

		known |= argument->array != NULL;
		if (h != NO_FIELD && find->host_fields[h] != NO_FIELD)
			return find->host_fields[h];
	}
	return known ? NO_FIELD : group_field(find->group, parameter->name);
}

/* Notes a launch that passes another member of the record for a parameter than the launches before it. */
static void launches_compare(const struct array_finder *find, const struct kernel *kernel,
                             const struct parameter *parameter, unsigned field)
{
	for (unsigned l = 0; l < kernel->launch_count; l++) {
		const struct host_value *argument = &kernel->launches[l]->arguments[parameter->index];
		unsigned h = host_array_index(find->finder->analysis, argument->array);

		if (argument->array && (h == NO_FIELD || find->host_fields[h] != field))
			diagnostics_report(
				find->finder->diagnostics, SEVERITY_NOTE, kernel->launches[l]->place,
				"%s: '%s' is assumed to be member %s here too, as in the first launch: check that",
				kernel->name, parameter->name, find->group->fields[field].name);
	}
}

/* Whether the kernel's parameters that are members have one element type per member; the first kernel decides which. */
static bool kernel_types_agree(struct array_finder *find, const struct kernel *kernel)
{
	for (unsigned p = 0; p < kernel->parameter_count; p++) {
		const struct parameter *parameter = &kernel->parameters[p];
		unsigned field = parameter->is_pointer ? parameter_field(find, kernel, parameter) : NO_FIELD;

		if (field == NO_FIELD)
			continue;
		if (parameter->type.size_bytes == 0 || parameter->type.align_bytes == 0) {
			diagnostics_report(
				find->finder->diagnostics, SEVERITY_NOTE, parameter->place,
				"%s keeps its layout: '%s' points to a type without a size: give it another type",
				kernel->name, parameter->name);
			return false;
		}
		if (!find->examples[field])
			find->examples[field] = parameter;
		if (strcmp(find->examples[field]->type.spelling, parameter->type.spelling) != 0) {
			diagnostics_report(
				find->finder->diagnostics, SEVERITY_NOTE, parameter->place,
				"%s keeps its layout: member %s is '%s' here and '%s' elsewhere: give it one type",
				kernel->name, find->group->fields[field].name, parameter->type.spelling,
				find->examples[field]->type.spelling);
			return false;
		}
	}
	return true;
}

static void arrays_bind(struct array_finder *find)
{
	const struct analysis *analysis = find->finder->analysis;

	for (unsigned k = 0; k < analysis->kernel_count; k++) {
		const struct kernel *kernel = analysis->kernels[k];

		if (kernel->is_template_pattern || !kernel_types_agree(find, kernel))
			continue;
		for (unsigned p = 0; p < kernel->parameter_count; p++) {
			const struct parameter *parameter = &kernel->parameters[p];
			unsigned field = parameter->is_pointer ? parameter_field(find, kernel, parameter) : NO_FIELD;

			if (field == NO_FIELD)
				continue;
			launches_compare(find, kernel, parameter, field);
			group_bind(find->finder,
			           (struct layout_binding){kernel, parameter, find->group, 0, field, NULL});
		}
	}
}

/* Gives the fields the types of their parameters and the offsets that C gives them in a struct of that order. */
static bool arrays_fields(struct array_finder *find)
{
	struct layout_group *group = find->group;

	group->align_bytes = 1;
	for (unsigned f = 0; f < group->field_count; f++) {
		struct layout_field *field = &group->fields[f];

		if (!find->examples[f])
			return group_error(find, "no kernel that can be rewritten has '%s'", field->name);
		field->type = find->examples[f]->type.spelling;
		field->size_bytes = find->examples[f]->type.size_bytes;
		field->align_bytes = find->examples[f]->type.align_bytes;
		field->offset_bytes = row_round_up(group->size_bytes, field->align_bytes);
		group->size_bytes = field->offset_bytes + field->size_bytes;
		if (field->align_bytes > group->align_bytes)
			group->align_bytes = field->align_bytes;
	}
	group->size_bytes = row_round_up(group->size_bytes, group->align_bytes);
	return true;
}

/* The first layout of the table that gives every field a buffer of its own: that of separate arrays. */
const struct layout *group_separate_layout(struct arena *arena, const struct layout_group *group)
{
	for (unsigned i = 0; i < layout_count; i++) {
		struct placement placement = {.group = group, .layout = layout_table[i], .tile = 1};

		placement.fields = arena_array(arena, group->field_count, sizeof(*placement.fields));
		layout_table[i]->place(arena, &placement);
		if (placement.buffer_count == group->field_count)
			return layout_table[i];
	}
	bug("no layout has separate arrays");
}

bool group_arrays_find(struct group_finder *finder, const char *spelling)
{
	struct layout_group *group = arena_alloc(finder->arena, sizeof(*group));
	struct array_finder find = {.finder = finder, .group = group, .spelling = spelling};

	group->form = FORM_ARRAYS;
	if (!group_split(&find) || !hosts_match(&find))
		return false;
	find.examples = arena_array(finder->arena, group->field_count, sizeof(struct parameter *));
	arrays_bind(&find);
	if (!arrays_fields(&find))
		return false;
	group->written = group_separate_layout(finder->arena, group);
	ARENA_PUSH(finder->arena, finder->groups->list, finder->groups->count, group);
	return true;
}
