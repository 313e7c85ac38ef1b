/*
 * Rewriting a file: a plan for each group and kernel, then edits over the file's text, then one pass that writes it.
 *
 *   1. how each group changes: in place, or through new buffers
 *   2. which kernels can be changed
 *   3. the edits of the device side
 *   4. those of the host side (programs), or what takes its place (compiling)
 *   5. declarations before the first function that needs them
 *   6. the text
 */
#include <ctype.h>

#include "layouts/declare/declare.h"
#include "layouts/device/device.h"
#include "layouts/groups/groups.h"
#include "layouts/host/host.h"
#include "layouts/layouts.h"
#include "layouts/pointers/pointers.h"

/* ---- how groups change ---------------------------------------------------------------- */

/* Whether every size that the host passes for arrays of the record would follow its declaration. */
static bool host_sizes_follow(const struct rewriter *rewriter, const struct record *record)
{
	for (unsigned h = 0; h < rewriter->analysis->host_array_count; h++) {
		const struct host_array *array = rewriter->analysis->host_arrays[h];

		for (unsigned r = 0; array->element.record == record && r < array->reference_count; r++) {
			const struct host_reference *reference = &array->references[r];

			if (reference->size.end > 0 && !rehost_size_follows(rewriter->source, reference->size, record))
				return false;
		}
	}
	return true;
}

/* Whether a record has another in it, at any depth. */
static bool record_holds(const struct record *record, const struct record *part)
{
	for (unsigned m = 0; m < record->member_count; m++) {
		const struct record *member = record->members[m].type.record;

		if (member && (member == part || record_holds(member, part)))
			return true;
	}
	return false;
}

/* Whether elements of the record are seen as something else: through a cast, or as another record's member. */
static bool record_is_shared(const struct rewriter *rewriter, const struct record *record)
{
	const struct analysis *analysis = rewriter->analysis;

	for (unsigned r = 0; r < analysis->record_count; r++)
		if (record_holds(analysis->records[r], record))
			return true;
	for (unsigned k = 0; k < analysis->kernel_count; k++) {
		const struct kernel *kernel = analysis->kernels[k];

		for (unsigned i = 0; i < kernel->reference_count; i++)
			if (kernel->references[i].parameter->type.record == record && kernel->references[i].reason &&
			    strcmp(kernel->references[i].reason, "the pointer is cast") == 0)
				return true;
		for (unsigned a = 0; a < kernel->access_count; a++) {
			const struct access *access = kernel->accesses[a];

			if (access->array->element.record == record && access->affine.reason &&
			    strncmp(access->affine.reason, "an array of ", 12) == 0)
				return true;
		}
	}
	return false;
}

static enum group_change group_change(const struct rewriter *rewriter, const struct placement *placement)
{
	const struct layout_group *group = placement->group;

	if (placement->layout == group->written && (group->written_tile == 0 || placement->tile == group->written_tile))
		return CHANGE_NONE;
	if (!placement->layout->keeps_record || !rehost_can_align(rewriter->source, group) ||
	    record_is_shared(rewriter, group->record) ||
	    (rewriter->analysis->source && rewriter->analysis->source->is_recast))
		return CHANGE_BUFFERS;
	if (rewriter->purpose != REWRITE_COMPILE && !host_sizes_follow(rewriter, group->record))
		return CHANGE_BUFFERS;
	return CHANGE_ALIGNMENT;
}

/* The record's name as part of an identifier: without namespaces and template arguments. */
static const char *record_identifier(struct arena *arena, const char *name)
{
	size_t length = strcspn(name, "<");
	size_t start = length;

	while (start > 0 && (isalnum((unsigned char)name[start - 1]) || name[start - 1] == '_'))
		start--;
	return start < length ? arena_strndup(arena, name + start, length - start) : "record";
}

/* A name without `_suffix` at its end. */
static const char *name_without(struct arena *arena, const char *name, const char *suffix)
{
	size_t length = strlen(name), tail = strlen(suffix) + 1;

	if (length <= tail || name[length - tail] != '_' || strcmp(name + length - tail + 1, suffix) != 0)
		return name;
	return arena_strndup(arena, name, length - tail);
}

/* A name that neither the file nor the type of a group before this one has. */
static const char *type_name(const struct rewriter *rewriter, unsigned g, const char *base)
{
	const char *name = rewriter_name(rewriter, base);

	for (unsigned i = 0; i < g; i++)
		if (rewriter->group_plans[i].type_name && strcmp(rewriter->group_plans[i].type_name, name) == 0)
			return type_name(rewriter, g, arena_printf(rewriter->arena, "%s_", name));
	return name;
}

/* A family's name, without what says that its records are tiles. */
static const char *family_stem(const struct rewriter *rewriter, const struct layout_group *group)
{
	return group->written_tile > 0 ? name_without(rewriter->arena, group->family->name, group->written->type_suffix)
	                               : group->family->name;
}

/* The name of an instance of the template that a family's records become: "Vec3_tile<float>". */
static const char *family_type_name(const struct rewriter *rewriter, unsigned g, const char *suffix)
{
	const struct layout_group *group = rewriter->groups->list[g];
	const char *name = NULL;

	for (unsigned i = 0; i < g; i++)
		if (rewriter->groups->list[i]->family == group->family && rewriter->group_plans[i].type_name &&
		    rewriter->group_plans[i].placement->layout == rewriter->group_plans[g].placement->layout)
			name = rewriter->group_plans[i].type_name;
	if (!name)
		name = type_name(rewriter, g,
		                 arena_printf(rewriter->arena, "%s_%s", family_stem(rewriter, group), suffix));
	return group_family_type(rewriter->arena, name, group->name);
}

/* The names that a group's types, functions and pointers begin with; those of several --group are numbered. */
static void group_name(struct rewriter *rewriter, unsigned g)
{
	struct group_plan *plan = &rewriter->group_plans[g];
	const char *suffix = plan->placement->layout->type_suffix;
	unsigned number = 1;

	if (plan->group->family) {
		plan->base = group_family_base(rewriter->arena, plan->group);
	} else if (plan->group->form == FORM_STRUCT) {
		plan->base = record_identifier(rewriter->arena, plan->group->name);
		if (plan->group->written_tile > 0)
			plan->base = name_without(rewriter->arena, plan->base, plan->group->written->type_suffix);
	} else if (plan->group->holder) {
		plan->base = record_identifier(rewriter->arena, plan->group->name);
		plan->merged_name = rewriter_name(rewriter, "records");
		suffix = plan->placement->layout == layout_table[0] ? "record" : suffix;
	} else {
		for (unsigned i = 0; i < g; i++)
			number += rewriter->groups->list[i]->form == FORM_ARRAYS;
		plan->base = number > 1 ? arena_printf(rewriter->arena, "record%u", number) : "record";
		plan->merged_name = number > 1 ? arena_printf(rewriter->arena, "records%u", number) : "records";
		plan->merged_name = rewriter_name(rewriter, plan->merged_name);
	}
	if (rewriter_joins_pointers(plan) && plan->group->family) {
		plan->type_name = family_type_name(rewriter, g, suffix);
		plan->const_type_name = arena_printf(rewriter->arena, "const_%s", plan->type_name);
		return;
	}
	if (rewriter_joins_pointers(plan)) {
		plan->type_name = type_name(rewriter, g, arena_printf(rewriter->arena, "%s_%s", plan->base, suffix));
		plan->const_type_name =
			rewriter_name(rewriter, arena_printf(rewriter->arena, "const_%s", plan->type_name));
		return;
	}
	if (!plan->placement->layout->declare)
		return;
	if (plan->group->family) {
		plan->type_name = family_type_name(rewriter, g, suffix);
		return;
	}
	if (plan->group->form == FORM_ARRAYS && !plan->group->holder && plan->placement->layout->keeps_record)
		plan->type_name = type_name(rewriter, g, plan->base);
	else
		plan->type_name = type_name(rewriter, g, arena_printf(rewriter->arena, "%s_%s", plan->base, suffix));
}

/* Whether members of records passed by value point to the group's records. */
static bool is_held(const struct rewriter *rewriter, const struct layout_group *group)
{
	for (unsigned b = 0; b < rewriter->groups->binding_count; b++)
		if (rewriter->groups->bindings[b].group == group && rewriter->groups->bindings[b].leaf &&
		    group->form == FORM_STRUCT)
			return true;
	return false;
}

/* The placement with one struct of pointers, so that one member can take the place of one. */
static const struct placement *joined_placement(struct arena *arena, const struct placement *placement)
{
	struct placement *joined = arena_alloc(arena, sizeof(*joined));

	*joined = *placement;
	joined->joins_pointers = true;
	return joined;
}

static void groups_plan(struct rewriter *rewriter, struct placement *const *placements)
{
	rewriter->group_plans =
		arena_array(rewriter->arena, rewriter->groups->count + 1, sizeof(*rewriter->group_plans));
	for (unsigned g = 0; g < rewriter->groups->count; g++) {
		struct group_plan *plan = &rewriter->group_plans[g];

		plan->group = rewriter->groups->list[g];
		plan->placement = placements[g];
		if (rewriter->purpose != REWRITE_COMPILE && is_held(rewriter, plan->group))
			plan->placement = joined_placement(rewriter->arena, placements[g]);
		plan->change = group_change(rewriter, placements[g]);
		group_name(rewriter, g);
	}
}

/* ---- both sides ------------------------------------------------------------------------ */

/* Inserts the functions that host code calls, before the first function or declaration of a rewritten host side. */
static void helpers_edit(struct rewriter *rewriter, const struct rehost_helpers *helpers,
                         const struct rehost_plan *hosts)
{
	unsigned place = rewriter->source->length;
	struct rewriter_sites sites;

	for (unsigned g = 0; g < rewriter->groups->count; g++)
		place = hosts[g].position < place ? hosts[g].position : place;
	sites = rewriter_sites_find(rewriter, helpers->names, HELPER_COUNT, place);
	for (unsigned s = 0; s < sites.count; s++) {
		unsigned position = sites.list[s].position;
		struct text out = {0};

		rehost_helpers_write(&out, helpers, &sites.list[s]);
		for (unsigned g = 0; g < rewriter->groups->count && position == place; g++)
			rehost_packer_write(&out, &hosts[g]);
		if (out.length > 0)
			edit_add(&rewriter->edits, (struct range){position, position},
			         rewriter_block(rewriter, &out, position));
	}
}

/* The functions that move a group's records: those of the family's first group, or its own. */
static struct packing *packing_of(const struct rewriter *rewriter, const struct rehost_plan *hosts, unsigned g)
{
	unsigned position = hosts[g].position;

	for (unsigned i = 0; i < rewriter->groups->count; i++) {
		if (!declare_is_shared(hosts[g].plan, hosts[i].plan))
			continue;
		if (i < g && hosts[i].packing)
			return hosts[i].packing;
		position = hosts[i].position < position ? hosts[i].position : position;
	}
	return packing_create(rewriter, hosts[g].plan, position);
}

/* Whether no group before it has the same. */
static bool packing_is_first(const struct rehost_plan *hosts, unsigned g)
{
	for (unsigned i = 0; i < g; i++)
		if (hosts[i].packing == hosts[g].packing)
			return false;
	return true;
}

/* Declares what the records of each group become, once all other edits are known. */
static void types_declare(struct rewriter *rewriter, const struct rehost_plan *hosts)
{
	for (unsigned g = 0; g < rewriter->groups->count; g++)
		if (hosts[g].plan->used && hosts[g].plan->change == CHANGE_BUFFERS && !hosts[g].plan->group->holder &&
		    hosts[g].plan->type_name)
			declare_edit(rewriter, hosts, g);
}

/* Rewrites the host side of every group that changes its buffers, and inserts the declarations of both sides; returns
 * whether all could be rewritten. */
static bool groups_edit(struct rewriter *rewriter)
{
	unsigned count = rewriter->groups->count;
	struct rehost_plan *hosts = arena_array(rewriter->arena, count + 1, sizeof(*hosts));
	struct rehost_helpers *helpers = rehost_helpers_create(rewriter);
	bool complete = true;

	for (unsigned g = 0; g < count; g++) {
		hosts[g] = (struct rehost_plan){
			.plan = &rewriter->group_plans[g], .position = rewriter->source->length, .good = true};
		if (rewriter->purpose != REWRITE_COMPILE)
			hosts[g] = rehost_plan_create(rewriter, &rewriter->group_plans[g]);
	}
	for (unsigned g = 0; g < count; g++) {
		if (!hosts[g].plan->used || hosts[g].plan->change != CHANGE_BUFFERS)
			continue;
		if (hosts[g].plan->group->holder)
			hosts[g].good = pointers_edit(rewriter, &hosts[g], helpers);
		complete &= hosts[g].good;
	}
	for (unsigned g = 0; g < count; g++)
		if (hosts[g].plan->host_changed) {
			hosts[g].packing = packing_of(rewriter, hosts, g);
			rehost_calls_edit(rewriter, &hosts[g], helpers);
		}
	rehost_declarations_edit(rewriter, hosts, count);
	types_declare(rewriter, hosts);
	helpers_edit(rewriter, helpers, hosts);
	for (unsigned g = 0; g < count; g++)
		if (hosts[g].packing && packing_is_first(hosts, g))
			packing_edit(rewriter, hosts[g].packing);
	return complete;
}

/* Changes the declarations of the records that keep their members. */
static void alignments_edit(struct rewriter *rewriter)
{
	for (unsigned g = 0; g < rewriter->groups->count; g++)
		if (rewriter->group_plans[g].change == CHANGE_ALIGNMENT && !rewriter->group_plans[g].refused)
			rehost_align(&rewriter->edits, rewriter->group_plans[g].placement);
}

/* Whether the records of a kernel move. */
static bool records_move(const struct rewriter *rewriter)
{
	for (unsigned g = 0; g < rewriter->groups->count; g++)
		if (rewriter->group_plans[g].change == CHANGE_BUFFERS && rewriter->group_plans[g].used)
			return true;
	return false;
}

/* Leaves rows of records what they are in the file. */
static void rows_restore(struct rewriter *rewriter)
{
	const struct source_text *source = rewriter->analysis->source;

	for (unsigned p = 0; source && p < source->piece_count; p++)
		if (source->pieces[p].is_flattened)
			edit_add(&rewriter->edits, (struct range){source->pieces[p].begin, source->pieces[p].end},
			         source->pieces[p].original);
}

/* ---- the text ------------------------------------------------------------------------------ */

/* Whether no group changes. */
static bool is_as_written(const struct rewriter *rewriter)
{
	for (unsigned g = 0; g < rewriter->groups->count; g++)
		if (rewriter->group_plans[g].change != CHANGE_NONE)
			return false;
	return true;
}

/* Whether a kernel has its layouts, or nothing was to be changed in the first place. */
static bool worth_writing(const struct rewriter *rewriter)
{
	bool worth = is_as_written(rewriter);

	for (unsigned k = 0; k < rewriter->analysis->kernel_count; k++)
		worth |= rewriter->kernel_plans[k].changed;
	return worth;
}

static struct rewritten *rewritten_create(struct rewriter *rewriter, struct placement *const *placements)
{
	struct rewritten *rewritten = arena_alloc(rewriter->arena, sizeof(*rewritten));
	struct range whole = {0, rewriter->source->length};

	edit_sort(&rewriter->edits);
	if (rewriter->purpose == REWRITE_COMPILE)
		rewritten->text = edit_render_copy(&rewriter->edits, whole, NULL);
	else if (!rewriter_files_make(rewriter, rewritten))
		return NULL;
	rewritten->as_written = is_as_written(rewriter);
	rewritten->kernel_count = rewriter->analysis->kernel_count;
	rewritten->kernels = arena_array(rewriter->arena, rewritten->kernel_count + 1, sizeof(*rewritten->kernels));
	for (unsigned k = 0; k < rewritten->kernel_count; k++)
		rewritten->kernels[k] = device_variant(rewriter, &rewriter->kernel_plans[k]);
	rewritten->placements =
		arena_array(rewriter->arena, rewriter->groups->count + 1, sizeof(*rewritten->placements));
	for (unsigned g = 0; g < rewriter->groups->count; g++)
		rewritten->placements[g] = placements[g];
	return rewritten;
}

struct rewritten *layout_rewrite(struct arena *arena, const struct analysis *analysis,
                                 const struct layout_groups *groups, struct placement *const *placements,
                                 enum rewrite_purpose purpose, struct diagnostics *diagnostics)
{
	struct diagnostics said;
	struct placement **unsplit;
	struct rewriter rewriter = {
		.arena = arena, .analysis = analysis, .groups = groups, .purpose = purpose, .diagnostics = &said};
	struct rewritten *rewritten;
	bool host_complete;

	rewriter.source = groups->source;
	rewriter.edits =
		(struct edits){.arena = arena, .source = rewriter.source, .keep_lines = purpose == REWRITE_COMPILE};
	rewriter.indentation = purpose != REWRITE_COMPILE ? edit_indentation(arena, rewriter.source) : "\t";
	diagnostics_init(&said, arena);
	groups_plan(&rewriter, placements);
	pointers_plan(&rewriter);
	device_plan(&rewriter);
	unsplit = device_placements_unsplit(&rewriter, placements, diagnostics);
	if (unsplit)
		return layout_rewrite(arena, analysis, groups, unsplit, purpose, diagnostics);
	diagnostics_append(diagnostics, &said);
	rewriter.diagnostics = diagnostics;
	if (!worth_writing(&rewriter))
		return NULL;
	device_kernels_edit(&rewriter);
	alignments_edit(&rewriter);
	host_complete = groups_edit(&rewriter);
	device_indirect_edit(&rewriter);
	if (!records_move(&rewriter))
		rows_restore(&rewriter);
	if (purpose == REWRITE_COMPILE)
		device_compile_edit(&rewriter);
	rewritten = rewritten_create(&rewriter, placements);
	if (rewritten)
		rewritten->host_complete = host_complete;
	return rewritten;
}
