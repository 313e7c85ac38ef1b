/*
 * Record types that kernels index through pointers (FORM_STRUCT).
 */
#include "layouts/groups/groups.h"

/*
 * Whether a type's name is the one the user gave: "particle", "struct particle", or "particle" for "particle<float>".
 */
static bool record_is_named(const struct record *record, const char *name)
{
	size_t length;

	if (strncmp(name, "struct ", 7) == 0)
		name += 7;
	length = strlen(name);
	return strncmp(record->name, name, length) == 0 &&
	       (record->name[length] == '\0' || record->name[length] == '<');
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
		record = record_inside(member);
		path += length + (path[length] == '.');
	}
	return product == field->count;
}

/* The member at a path, and its offset in the record. */
static const struct member *member_at(const struct record *record, const char *path, uint64_t *offset)
{
	const struct member *member = NULL;

	*offset = 0;
	for (; record && *path; path += *path == '.') {
		member = member_find(record, path, strcspn(path, "."));
		if (!member)
			bug("no member %s", path);
		*offset += member->offset_bytes;
		record = record_inside(member);
		path += strcspn(path, ".");
	}
	return member;
}

/* The field that a leaf is, or the record that keeps its layout and has it; arrays of those are arrays of records
 * around it, too. */
static struct layout_field field_of(struct arena *arena, const struct record *record, const struct leaf *leaf)
{
	const char *path = leaf->whole ? leaf->whole : leaf->path;
	struct layout_field field = {.name = leaf->identifier,
	                             .path = path,
	                             .type = edit_spelling(arena, leaf->type.spelling),
	                             .size_bytes = leaf->type.size_bytes,
	                             .align_bytes = leaf->type.align_bytes,
	                             .count = leaf->count,
	                             .offset_bytes = leaf->offset_bytes,
	                             .inner_bytes = leaf->count > 1 ? leaf->stride_bytes : 0,
	                             .leaf = leaf};
	const struct member *member;
	char *name;

	if (!leaf->whole)
		return field;
	member = member_at(record, path, &field.offset_bytes);
	name = arena_strdup(arena, path);
	for (char *dot = strchr(name, '.'); dot; dot = strchr(dot, '.'))
		*dot = '_';
	field.name = name;
	field.leaf = NULL;
	field.whole = member->type.record;
	field.type = edit_spelling(arena, member->type.spelling);
	field.size_bytes = member->type.size_bytes;
	field.align_bytes = member->type.align_bytes;
	field.count = member->count;
	field.inner_bytes = member->count > 1 ? member->type.size_bytes : 0;
	return field;
}

/* Fills the fields from the record's leaves; false with the reason where one cannot be laid out by itself. */
static bool record_fields(struct arena *arena, struct layout_group *group, const char **reason)
{
	const struct record *record = group->record;

	group->fields = arena_array(arena, record->leaf_count, sizeof(*group->fields));
	for (unsigned l = 0; l < record->leaf_count; l++) {
		const struct leaf *leaf = &record->leaves[l];
		struct layout_field *field = &group->fields[group->field_count];

		if (group->field_count > 0 && leaf->whole && row_field_holds(field - 1, leaf))
			continue;
		group->field_count++;
		*field = field_of(arena, record, leaf);
		if (leaf->type.size_bytes == 0 || leaf->type.align_bytes == 0 || leaf->count == 0)
			*reason = arena_printf(arena, "member %s has no size", leaf->path);
		else if (!field_dimensions(field, record))
			*reason = arena_printf(arena, "member %s is an array of arrays that has no single stride",
			                       field->path);
		if (*reason)
			return false;
	}
	if (group->field_count == 0)
		*reason = "it has no members";
	return group->field_count > 0;
}

/* Gives the fields' types the spelling of the record's own text. */
static void fields_spell(struct group_finder *finder, struct layout_group *group)
{
	for (unsigned f = 0; f < group->field_count; f++) {
		const char *type = group->fields[f].whole ? NULL
		                                          : group_field_spelling(finder->arena, finder->source,
		                                                                 group->record, &group->fields[f]);

		group->fields[f].type = type ? type : group->fields[f].type;
	}
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
	group->size_bytes = row_round_up(end, align);
	group->align_bytes = align;
	for (unsigned i = 0; i < layout_count; i++) {
		struct placement placement = {.group = group, .layout = layout_table[i], .tile = 1};

		if (!layout_table[i]->keeps_record)
			continue;
		placement.fields = arena_array(arena, group->field_count, sizeof(*placement.fields));
		layout_table[i]->place(arena, &placement);
		if (placement.bytes_per_tile[0] != record->type.size_bytes ||
		    placement.align_bytes != record->type.align_bytes)
			continue;
		group->written = layout_table[i];
		return;
	}
	group->size_bytes = record->type.size_bytes;
	group->align_bytes = record->type.align_bytes;
	group->written = layout_table[0];
}

/* Whether a record passed by value is bound to another group already. */
static bool is_taken(const struct group_finder *finder, const struct record *holder, const struct layout_group *group)
{
	for (unsigned b = 0; b < finder->groups->binding_count; b++)
		if (finder->groups->bindings[b].leaf && finder->groups->bindings[b].parameter->type.record == holder &&
		    finder->groups->bindings[b].group != group)
			return true;
	return false;
}

/* Binds the members of a kernel's parameters that point to arrays of the group's record. */
static void held_bind(struct group_finder *finder, const struct layout_group *group, const struct kernel *kernel,
                      unsigned array)
{
	for (unsigned a = 0; !kernel->is_template_pattern && a < kernel->array_count; a++) {
		const struct array *held = kernel->arrays[a];

		if (held->leaf && held->parameter && !held->parameter->is_pointer &&
		    held->element.record == group->record && held->leaf->count == 1 && *held->leaf->path &&
		    held->is_indexed && !is_taken(finder, held->parameter->type.record, group))
			group_bind(finder,
			           (struct layout_binding){kernel, held->parameter, group, array++, 0, held->leaf});
	}
}

/* Binds every kernel parameter that points to the group's record. */
static void record_bind(struct group_finder *finder, const struct layout_group *group)
{
	for (unsigned k = 0; k < finder->analysis->kernel_count; k++) {
		const struct kernel *kernel = finder->analysis->kernels[k];
		unsigned array = 0;

		for (unsigned p = 0; p < kernel->parameter_count && !kernel->is_template_pattern; p++) {
			const struct parameter *parameter = &kernel->parameters[p];

			if (parameter->is_pointer && parameter->type.record == group->record)
				group_bind(finder, (struct layout_binding){kernel, parameter, group, array++, 0, NULL});
		}
		held_bind(finder, group, kernel, array);
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
		field->offset_bytes = row_round_up(group->size_bytes, field->align_bytes);
		group->size_bytes = field->offset_bytes + field->count * field->size_bytes;
		if (field->align_bytes > group->align_bytes)
			group->align_bytes = field->align_bytes;
	}
	group->size_bytes = row_round_up(group->size_bytes, group->align_bytes);
	for (unsigned i = layout_count; i-- > 0;)
		if (layout_table[i]->tiled)
			group->written = layout_table[i];
}

/* Makes the group of a record, or notes why there is none. */
static void record_group(struct group_finder *finder, const struct record *record, bool keeps_arrays)
{
	struct layout_group *group = arena_alloc(finder->arena, sizeof(*group));
	const char *reason = record->opaque_reason;
	unsigned tile;

	group->name = edit_spelling(finder->arena, record->name);
	group->form = FORM_STRUCT;
	group->keeps_arrays = keeps_arrays;
	group->record = record;
	if (reason || !record_fields(finder->arena, group, &reason)) {
		diagnostics_report(finder->diagnostics, SEVERITY_NOTE, record->place,
		                   "struct %s keeps its layout: %s; change that to have its layouts ranked",
		                   record->name, reason);
		return;
	}
	record_extent(finder->arena, group);
	if (finder->source)
		fields_spell(finder, group);
	tile = finder->source ? group_tiles_recognise(finder->analysis, finder->source, record) : 0;
	if (tile > 0)
		record_untile(group, tile);
	ARENA_PUSH(finder->arena, finder->groups->list, finder->groups->count, group);
	record_bind(finder, group);
}

static bool is_accessed(const struct kernel *kernel, const struct array *array)
{
	for (unsigned a = 0; a < kernel->access_count; a++)
		if (kernel->accesses[a]->array == array)
			return true;
	return false;
}

/* Whether a kernel does more with a pointer than to read and write where it points to. */
static bool is_passed_on(const struct kernel *kernel, const struct parameter *parameter)
{
	for (unsigned r = 0; r < kernel->reference_count; r++)
		if (kernel->references[r].parameter == parameter && kernel->references[r].kind == REFERENCE_OTHER)
			return true;
	return false;
}

/* Whether all that kernels do with pointers to the record is to read and write the one that each points to: a struct of
 * settings, or of arrays. */
static bool record_is_single(const struct analysis *analysis, const struct record *record)
{
	bool accessed = false;

	for (unsigned k = 0; k < analysis->kernel_count; k++) {
		const struct kernel *kernel = analysis->kernels[k];

		for (unsigned p = 0; p < kernel->parameter_count; p++) {
			const struct parameter *parameter = &kernel->parameters[p];

			if (!parameter->is_pointer || parameter->type.record != record)
				continue;
			if (!parameter->array || parameter->array->is_indexed || is_passed_on(kernel, parameter))
				return false;
			accessed |= is_accessed(kernel, parameter->array);
		}
	}
	return accessed;
}

bool group_record_is_asked(const struct layout_options *options, const struct record *record)
{
	for (unsigned i = 0; i < options->struct_count; i++)
		if (record_is_named(record, options->structs[i]))
			return true;
	return false;
}

/* Whether a record of that name is passed to a kernel by value. */
static bool is_passed(const struct analysis *analysis, const char *name)
{
	for (unsigned k = 0; k < analysis->kernel_count; k++)
		for (unsigned p = 0; p < analysis->kernels[k]->parameter_count; p++) {
			const struct parameter *parameter = &analysis->kernels[k]->parameters[p];

			if (!parameter->is_pointer && parameter->type.record &&
			    record_is_named(parameter->type.record, name))
				return true;
		}
	return false;
}

/* Whether --struct asks for a record, or asks for none in particular; then those of which there is one alone are left
 * out (noted). */
static bool record_wanted(struct group_finder *finder, const struct layout_options *options,
                          const struct record *record)
{
	if (options->struct_count)
		return group_record_is_asked(options, record);
	if (!record_is_single(finder->analysis, record))
		return true;
	diagnostics_report(
		finder->diagnostics, SEVERITY_REMARK, record->place,
		"struct %s keeps its layout: no kernel indexes it, each uses the one that a pointer points to",
		record->name);
	return false;
}

bool group_records_find(struct group_finder *finder, const struct layout_options *options)
{
	const struct analysis *analysis = finder->analysis;
	bool good = true;

	for (unsigned i = 0; i < options->struct_count; i++) {
		bool found = is_passed(analysis, options->structs[i]);

		for (unsigned r = 0; r < analysis->record_count; r++)
			found |= record_is_named(analysis->records[r], options->structs[i]);
		if (!found)
			diagnostics_report(finder->diagnostics, SEVERITY_ERROR, (struct place){analysis->path, 0, 0},
			                   "no kernel indexes a struct named '%s' through a pointer parameter",
			                   options->structs[i]);
		good &= found;
	}
	for (unsigned r = 0; good && r < analysis->record_count; r++)
		if (record_wanted(finder, options, analysis->records[r]))
			record_group(finder, analysis->records[r], options->keep_arrays);
	return good;
}
