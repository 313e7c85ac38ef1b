/*
 * Which mentions of a pointer can be rewritten by themselves: an index, a member, nothing around it that needs an
 * address.
 */
#include "layouts/device/internal.h"

/* How many indices stand in the reference after the element: 2 for p[e].pos[j].v[k]. */
static unsigned reference_inner_count(const struct edit_source *source, const struct reference *reference)
{
	unsigned count = 0;

	for (unsigned i = edit_reference_tail(source, reference);
	     i < source->token_count && source->tokens[i].begin < reference->whole.end; i++)
		if (edit_is(source, i, "[")) {
			count++;
			i = source->tokens[i].match;
		}
	return count;
}

/*
 * Whether the address of the reference is taken by `&` for more than an atomic operation, and might be stepped to a
 * neighbour that lies elsewhere in the new layout: the next element of a separate array, the next scalar of a member
 * array in tiles.
 */
static bool address_is_stored(const struct edit_source *source, const struct group_plan *plan,
                              const struct reference *reference)
{
	unsigned token = edit_token_at(source, reference->whole.begin);
	struct edit_call call;

	if (!reference->address_taken || token == 0 || !edit_is(source, token - 1, "&"))
		return false;
	if (plan->group->form == FORM_STRUCT &&
	    (!reference->leaf || reference->leaf->count == 1 || plan->placement->tile == 1))
		return false;
	return !edit_call_around(source, reference->whole, &call) ||
	       strncmp(source->text + call.name.begin, "atomic", 6) != 0;
}

/* Whether the reference's text is its own, not that of a macro's call. */
static bool names_parameter(const struct edit_source *source, const struct reference *reference)
{
	const char *name = reference->parameter->name;
	size_t length = strlen(name);

	for (unsigned i = edit_token_at(source, reference->whole.begin);
	     i < source->token_count && source->tokens[i].begin + length <= reference->whole.end; i++)
		if (memcmp(source->text + source->tokens[i].begin, name, length) == 0)
			return true;
	return false;
}

/* Why a record cannot be taken as a whole. */
static const char *whole_refusal(const struct rewriter *rewriter, const struct group_plan *plan)
{
	return device_record_kind(rewriter, plan->group->record) == DEVICE_RECORD_CLOSED
	               ? "taken as a whole record, whose members are private"
	               : "copied as a whole record";
}

/* Why a reference cannot be rewritten into the group's new layout, or NULL. */
const char *device_reference_refusal(const struct rewriter *rewriter, const struct group_plan *plan,
                                     const struct kernel *kernel, const struct reference *reference)
{
	unsigned field;

	if (reference->reason)
		return reference->reason;
	if (reference->kind != REFERENCE_ELEMENT)
		return "used other than by indexing";
	if (!range_contains(kernel->definition, reference->whole) || !names_parameter(rewriter->source, reference))
		return "named inside a macro";
	if (plan->group->form == FORM_STRUCT && device_is_unevaluated(rewriter->source, reference->whole.begin))
		return NULL;
	if (plan->placement->layout->repeats_index && reference->index_has_side_effects)
		return "its index has side effects, which this layout would repeat";
	if (address_is_stored(rewriter->source, plan, reference))
		return "its address is stored or passed on";
	if (plan->group->form == FORM_ARRAYS)
		return NULL;
	if (device_reference_is_whole(rewriter, plan->group, reference, &field))
		return NULL;
	if (!reference->leaf &&
	    !device_reference_part(rewriter->arena, rewriter->source, reference, plan->group->record).record)
		return "a member array is used as a pointer";
	if (!reference->leaf)
		return device_whole_can_be_listed(rewriter, plan, reference) ? NULL : whole_refusal(rewriter, plan);
	if (reference_inner_count(rewriter->source, reference) !=
	    plan->group->fields[device_field_of_leaf(plan->group, reference->leaf)].dimension_count +
	            (plan->group->written_tile > 0))
		return "a member array is used as a pointer";
	return NULL;
}

bool device_reference_is_direct(const struct rewriter *rewriter, const struct group_plan *plan,
                                const struct kernel *kernel, const struct reference *reference)
{
	return !device_reference_refusal(rewriter, plan, kernel, reference);
}
