/*
 * Which member arrays cannot have an array for each of their scalars.
 */
#include "layouts/device/internal.h"

/* Whether the host names elements of the group's records in device memory: managed memory. */
static bool host_names_elements(const struct rewriter *rewriter, const struct layout_group *group)
{
	for (unsigned h = 0; h < rewriter->analysis->host_array_count; h++) {
		const struct host_array *array = rewriter->analysis->host_arrays[h];

		for (unsigned r = 0; array->element.record == group->record && r < array->reference_count; r++) {
			unsigned behind = edit_token_at(rewriter->source, array->references[r].name.end);

			if (array->references[r].use == HOST_OTHER && !range_is_empty(array->references[r].name) &&
			    (edit_is(rewriter->source, behind, "[") || edit_is(rewriter->source, behind, "->")))
				return true;
		}
	}
	return false;
}

/* Loops of at most so many iterations are unrolled: then the compiler knows what they count. */
#define UNROLLED_MOST 32

/* Whether the compiler knows an index once it has unrolled the loops around it. */
static bool is_foreseen(const struct expr *index)
{
	bool foreseen = index->op != EXPR_LOAD && index->op != EXPR_UNKNOWN;

	if (index->op == EXPR_SYMBOL)
		return index->symbol->loop && index->symbol->loop->trips->op == EXPR_CONSTANT &&
		       index->symbol->loop->trips->value <= UNROLLED_MOST;
	for (unsigned i = 0; i < ARRAY_COUNT(index->operands); i++)
		foreseen = foreseen && (!index->operands[i] || is_foreseen(index->operands[i]));
	return foreseen;
}

/* Whether all kernels name scalars of the group's member arrays by indices that the compiler knows; says where one does
 * not. */
static bool indices_are_foreseen(const struct rewriter *rewriter, const struct layout_group *group,
                                 struct diagnostics *diagnostics)
{
	for (unsigned k = 0; k < rewriter->analysis->kernel_count; k++) {
		const struct kernel *kernel = rewriter->analysis->kernels[k];

		for (unsigned a = 0; a < kernel->access_count; a++) {
			const struct access *access = kernel->accesses[a];

			if (access->array->element.record != group->record || !access->inner ||
			    is_foreseen(access->inner))
				continue;
			diagnostics_report(diagnostics, SEVERITY_REMARK, access->place,
			                   "in soa the member array %s of %s stays in one array: which of its elements "
			                   "this is the "
			                   "compiler cannot know",
			                   access->leaf ? access->leaf->path : "", group->name);
			return false;
		}
	}
	return true;
}

/* Whether member arrays of a group have to stay together: proxies do not take them apart. */
static bool needs_arrays(const struct rewriter *rewriter, const struct group_plan *plan,
                         struct diagnostics *diagnostics)
{
	for (unsigned k = 0; k < rewriter->analysis->kernel_count; k++)
		for (unsigned p = 0; p < rewriter->analysis->kernels[k]->parameter_count; p++)
			if (rewriter->kernel_plans[k].proxies[p] && rewriter->kernel_plans[k].proxies[p]->plan == plan)
				return true;
	return plan->is_held || host_names_elements(rewriter, plan->group) ||
	       !indices_are_foreseen(rewriter, plan->group, diagnostics);
}

struct placement **device_placements_unsplit(const struct rewriter *rewriter, struct placement *const *placements,
                                             struct diagnostics *diagnostics)
{
	struct placement **list = arena_array(rewriter->arena, rewriter->groups->count + 1, sizeof(struct placement *));
	bool any = false;

	for (unsigned g = 0; g < rewriter->groups->count; g++) {
		bool unsplit = placement_splits(placements[g]) &&
		               needs_arrays(rewriter, &rewriter->group_plans[g], diagnostics);

		list[g] = unsplit ? placement_unsplit(rewriter->arena, placements[g]) : placements[g];
		any |= unsplit;
	}
	return any ? list : NULL;
}
