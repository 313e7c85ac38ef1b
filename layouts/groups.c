/*
 * What is to be laid out: record types that kernels index (FORM_STRUCT), and separate arrays that the user calls one
 * record (FORM_ARRAYS).
 *
 * The arrays of a --group are matched through the launches: whoever is given the same device array holds the same
 * member, whatever the parameter's name. Where a kernel's launches are unknown, the parameter's own name decides.
 */
#include "layouts/internal.h"

#define NO_FIELD ((unsigned)-1)

/* The search for the groups of one file. */
struct finder {
	struct arena *arena;
	const struct analysis *analysis;
	struct layout_groups *groups;
	struct diagnostics *diagnostics;
	const struct source *source; /* the file's tokens where tiles are to be recognised, else NULL */
};

static void binding_add(struct finder *finder, struct layout_binding binding)
{
	ARENA_PUSH(finder->arena, finder->groups->bindings, finder->groups->binding_count, binding);
}

/* ---- records --------------------------------------------------------------------- */

/*
 * Whether a type's name is the one the user gave: "particle", "struct particle", or "particle" for "particle<float>".
 */
static bool record_is_named(const struct record *record, const char *name)
{
	size_t length;

	if (strncmp(name, "struct ", 7) == 0)
		name += 7;
	length = strlen(name);
	return strncmp(record->name, name, length) == 0 && (record->name[length] == '\0' || record->name[length] == '<');
}

/* Finds the member of that name (the first `length` characters). */
static const struct member *member_find(const struct record *record, const char *name, size_t length)
{
	for (unsigned m = 0; m < record->member_count; m++)
		if (strlen(record->members[m].name) == length && memcmp(record->members[m].name, name, length) == 0)
			return &record->members[m];
	return NULL;
}

/*
 * Collects the array bounds along a leaf's path, outermost first; false where they are too many or do not give the
 * leaf's count.
 */
static bool field_dimensions(struct layout_field *field, const struct record *record)
{
	uint64_t product = 1;

	for (const char *path = field->path; record && *path;) {
		size_t length = strcspn(path, ".");
		const struct member *member = member_find(record, path, length);

		if (!member || field->dimension_count + member->dimension_count > ARRAY_COUNT(field->dimensions))
			return false;
		for (unsigned d = 0; d < member->dimension_count; d++) {
			field->dimensions[field->dimension_count++] = member->dimensions[d];
			product *= member->dimensions[d];
		}
		record = member->type.record;
		path += length + (path[length] == '.');
	}
	return product == field->count;
}

/* Fills the fields from the record's leaves; false with the reason where one cannot be laid out by itself. */
static bool record_fields(struct arena *arena, struct layout_group *group, const char **reason)
{
	const struct record *record = group->record;

	group->fields = arena_array(arena, record->leaf_count, sizeof(*group->fields));
	for (unsigned l = 0; l < record->leaf_count; l++) {
		const struct leaf *leaf = &record->leaves[l];
		struct layout_field *field = &group->fields[group->field_count++];

		*field = (struct layout_field){.name = leaf->identifier,
		                               .path = leaf->path,
		                               .type = leaf->type.spelling,
		                               .size_bytes = leaf->type.size_bytes,
		                               .align_bytes = leaf->type.align_bytes,
		                               .count = leaf->count,
		                               .offset_bytes = leaf->offset_bytes,
		                               .inner_bytes = leaf->count > 1 ? leaf->stride_bytes : 0,
		                               .leaf = leaf};
		if (leaf->type.size_bytes == 0 || leaf->type.align_bytes == 0 || leaf->count == 0)
			*reason = arena_printf(arena, "member %s has no size", leaf->path);
		else if (!field_dimensions(field, record))
			*reason = arena_printf(arena, "member %s is an array of arrays that has no single stride", leaf->path);
		if (*reason)
			return false;
	}
	if (group->field_count == 0)
		*reason = "it has no members";
	return group->field_count > 0;
}

/*
 * Size and alignment of the record without an alignment that was asked for, when that alignment is just what a layout
 * that keeps the record would give; such a record is written in that layout. Any other alignment is part of the
 * record.
 */
static void record_extent(struct arena *arena, struct layout_group *group)
{
	const struct record *record = group->record;
	uint64_t end = 0, align = 1;

	for (unsigned f = 0; f < group->field_count; f++) {
		const struct layout_field *field = &group->fields[f];
		uint64_t field_end = field->offset_bytes + (field->count - 1) * field->inner_bytes + field->size_bytes;

		end = field_end > end ? field_end : end;
	}
	for (unsigned m = 0; m < record->member_count; m++)
		align = record->members[m].type.align_bytes > align ? record->members[m].type.align_bytes : align;
	group->size_bytes = bytes_round_up(end, align);
	group->align_bytes = align;
	for (unsigned i = 0; i < layout_count; i++) {
		struct placement placement = {.group = group, .layout = layout_table[i], .tile = 1};

		if (!layout_table[i]->keeps_record)
			continue;
		placement.fields = arena_array(arena, group->field_count, sizeof(*placement.fields));
		layout_table[i]->place(arena, &placement);
		if (placement.bytes_per_tile[0] != record->type.size_bytes || placement.align_bytes != record->type.align_bytes)
			continue;
		group->written = layout_table[i];
		return;
	}
	group->size_bytes = record->type.size_bytes;
	group->align_bytes = record->type.align_bytes;
	group->written = layout_table[0];
}

/* Binds every kernel parameter that points to the group's record. */
static void record_bind(struct finder *finder, const struct layout_group *group)
{
	for (unsigned k = 0; k < finder->analysis->kernel_count; k++) {
		const struct kernel *kernel = finder->analysis->kernels[k];
		unsigned array = 0;

		for (unsigned p = 0; p < kernel->parameter_count && !kernel->is_template_pattern; p++) {
			const struct parameter *parameter = &kernel->parameters[p];

			if (parameter->is_pointer && parameter->type.record == group->record)
				binding_add(finder, (struct layout_binding){kernel, parameter, group, array++, 0});
		}
	}
}

/* Takes the lanes off the fields of a record that is a tile, and lays the element out as C would. */
static void record_untile(struct layout_group *group, unsigned tile)
{
	group->written_tile = tile;
	group->size_bytes = 0;
	group->align_bytes = 1;
	for (unsigned f = 0; f < group->field_count; f++) {
		struct layout_field *field = &group->fields[f];

		field->dimension_count--;
		field->count /= tile;
		field->inner_bytes = field->count > 1 ? field->size_bytes : 0;
		field->offset_bytes = bytes_round_up(group->size_bytes, field->align_bytes);
		group->size_bytes = field->offset_bytes + field->count * field->size_bytes;
		if (field->align_bytes > group->align_bytes)
			group->align_bytes = field->align_bytes;
	}
	group->size_bytes = bytes_round_up(group->size_bytes, group->align_bytes);
	for (unsigned i = layout_count; i-- > 0;)
		if (layout_table[i]->tiled)
			group->written = layout_table[i];
}

/* Makes the group of a record, or notes why there is none. */
static void record_group(struct finder *finder, const struct record *record)
{
	struct layout_group *group = arena_alloc(finder->arena, sizeof(*group));
	const char *reason = record->opaque_reason;
	unsigned tile;

	group->name = record->name;
	group->form = FORM_STRUCT;
	group->record = record;
	if (reason || !record_fields(finder->arena, group, &reason)) {
		diagnostics_report(finder->diagnostics, SEVERITY_NOTE, record->place, "struct %s keeps its layout: %s",
		                   record->name, reason);
		return;
	}
	record_extent(finder->arena, group);
	tile = finder->source ? tiles_recognise(finder->analysis, finder->source, record) : 0;
	if (tile > 0)
		record_untile(group, tile);
	ARENA_PUSH(finder->arena, finder->groups->list, finder->groups->count, group);
	record_bind(finder, group);
}

/* Whether --struct asks for a record, or asks for none in particular. */
static bool record_wanted(const struct layout_options *options, const struct record *record)
{
	for (unsigned i = 0; i < options->struct_count; i++)
		if (record_is_named(record, options->structs[i]))
			return true;
	return options->struct_count == 0;
}

static bool record_groups_find(struct finder *finder, const struct layout_options *options)
{
	const struct analysis *analysis = finder->analysis;
	bool good = true;

	for (unsigned i = 0; i < options->struct_count; i++) {
		bool found = false;

		for (unsigned r = 0; r < analysis->record_count; r++)
			found |= record_is_named(analysis->records[r], options->structs[i]);
		if (!found)
			diagnostics_report(finder->diagnostics, SEVERITY_ERROR, (struct place){analysis->path, 0, 0},
			                   "no kernel indexes a struct named '%s' through a pointer parameter",
			                   options->structs[i]);
		good &= found;
	}
	for (unsigned r = 0; good && r < analysis->record_count; r++)
		if (record_wanted(options, analysis->records[r]))
			record_group(finder, analysis->records[r]);
	return good;
}

/* ---- separate arrays ------------------------------------------------------------------ */

/* The search for the members of one --group. */
struct array_finder {
	struct finder *finder;
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
		ARENA_PUSH(arena, group->fields, group->field_count, (struct layout_field){.name = name, .path = name, .count = 1});
		group->name = group->name ? arena_printf(arena, "%s_%s", group->name, name) : name;
		if (rest[length] == '\0')
			return group->field_count > 1 ? true : group_error(find, "a record needs two arrays at least%s", "");
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

	find->host_fields = arena_array(find->finder->arena, analysis->host_array_count + 1, sizeof(*find->host_fields));
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
			return group_error(find, "no kernel parameter or device array is named '%s'", find->group->fields[f].name);
	return true;
}

/*
 * The field that a kernel parameter is: by the array that its launches pass, else by its name where they pass none
 * that is known.
 */
static unsigned parameter_field(const struct array_finder *find, const struct kernel *kernel, const struct parameter *parameter)
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
static void launches_compare(const struct array_finder *find, const struct kernel *kernel, const struct parameter *parameter,
                             unsigned field)
{
	for (unsigned l = 0; l < kernel->launch_count; l++) {
		const struct host_value *argument = &kernel->launches[l]->arguments[parameter->index];
		unsigned h = host_array_index(find->finder->analysis, argument->array);

		if (argument->array && (h == NO_FIELD || find->host_fields[h] != field))
			diagnostics_report(find->finder->diagnostics, SEVERITY_NOTE, kernel->launches[l]->place,
			                   "%s: '%s' is assumed to be member %s here too, as in the first launch", kernel->name,
			                   parameter->name, find->group->fields[field].name);
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
			diagnostics_report(find->finder->diagnostics, SEVERITY_NOTE, parameter->place,
			                   "%s keeps its layout: '%s' points to a type without a size", kernel->name,
			                   parameter->name);
			return false;
		}
		if (!find->examples[field])
			find->examples[field] = parameter;
		if (strcmp(find->examples[field]->type.spelling, parameter->type.spelling) != 0) {
			diagnostics_report(find->finder->diagnostics, SEVERITY_NOTE, parameter->place,
			                   "%s keeps its layout: member %s is '%s' here and '%s' elsewhere", kernel->name,
			                   find->group->fields[field].name, parameter->type.spelling,
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
			binding_add(find->finder, (struct layout_binding){kernel, parameter, find->group, 0, field});
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
		field->offset_bytes = bytes_round_up(group->size_bytes, field->align_bytes);
		group->size_bytes = field->offset_bytes + field->size_bytes;
		if (field->align_bytes > group->align_bytes)
			group->align_bytes = field->align_bytes;
	}
	group->size_bytes = bytes_round_up(group->size_bytes, group->align_bytes);
	return true;
}

/* The first layout of the table that gives every field a buffer of its own: that of separate arrays. */
static const struct layout *separate_layout(struct arena *arena, const struct layout_group *group)
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

static bool array_group_find(struct finder *finder, const char *spelling)
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
	group->written = separate_layout(finder->arena, group);
	ARENA_PUSH(finder->arena, finder->groups->list, finder->groups->count, group);
	return true;
}

/* Verifies that no parameter belongs to two groups. */
static bool bindings_check(struct finder *finder)
{
	const struct layout_groups *groups = finder->groups;

	for (unsigned a = 0; a < groups->binding_count; a++)
		for (unsigned b = a + 1; b < groups->binding_count; b++)
			if (groups->bindings[a].parameter == groups->bindings[b].parameter) {
				diagnostics_report(finder->diagnostics, SEVERITY_ERROR, groups->bindings[a].parameter->place,
				                   "'%s' is in two groups, %s and %s", groups->bindings[a].parameter->name,
				                   groups->bindings[a].group->name, groups->bindings[b].group->name);
				return false;
			}
	return true;
}

bool layout_groups_find(struct arena *arena, const struct analysis *analysis, const struct layout_options *options,
                        struct layout_groups *groups, struct diagnostics *diagnostics)
{
	struct finder finder = {arena, analysis, groups, diagnostics, NULL};
	bool good;

	*groups = (struct layout_groups){0};
	if (options->recognise_tiles)
		finder.source = source_read(arena, analysis->text, analysis->text_length);
	good = record_groups_find(&finder, options);
	for (unsigned g = 0; g < options->group_count; g++)
		good &= array_group_find(&finder, options->groups[g]);
	return good && bindings_check(&finder);
}
