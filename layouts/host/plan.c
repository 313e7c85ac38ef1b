/*
 * The host side of a group: may it be rewritten, and if so, how each call, launch and declaration changes.
 *
 * What belongs to the group are the device pointers that launches pass for its parameters. Every mention of one has
 * to be one of a closed set of uses (enum host_use); anything else leaves the whole group's host side as written,
 * with a note at the place.
 *
 * Separate arrays that become one: the records are declared with the first of the pointers, allocated with the first
 * allocation, as many as the largest array has elements, and freed with the last.
 */
#include "layouts/host/internal.h"

/* ---- may every use be rewritten? ---------------------------------------------------------------- */

/* Whether what stands in a call is something that can be rewritten. */
static bool call_check(const struct rewriter *rewriter, struct rehost_plan *host, const struct rehost_member *member,
                       const struct host_reference *reference)
{
	struct rehost_operation operation;

	if (!rehost_operation_read(rewriter, host, member, reference, &operation))
		return rehost_refuse(rewriter, host, reference->place, member->array->name,
		                     "used other than in plain allocation, copy, launch and release");
	if (operation.action == REHOST_ALLOCATE || operation.action >= REHOST_FREE ||
	    host->plan->group->form == FORM_ARRAYS)
		return true;
	for (unsigned f = 0; f < host->plan->group->field_count; f++)
		if (group_field_is_scattered(host->plan->group, f))
			return rehost_refuse(rewriter, host, reference->place, host->plan->group->fields[f].path,
			                     "it lies in an array of records: its values are not evenly spaced");
	return true;
}

bool rehost_is_null(const struct edit_source *source, struct range range)
{
	return range.end == 0 || edit_range_is(source, range, "NULL") || edit_range_is(source, range, "nullptr") ||
	       edit_range_is(source, range, "0");
}

/*
 * Index of the declarator that declares the variable, or the declaration's count where none is a plain pointer to it.
 */
static unsigned declarator_find(const struct edit_source *source, const struct edit_declaration *declaration,
                                struct range name)
{
	for (unsigned d = 0; d < declaration->declarator_count; d++) {
		unsigned first = edit_token_at(source, declaration->declarators[d].begin);

		if (edit_is(source, first, "*") && declaration->declarators[d].end == name.end &&
		    source->tokens[first + 1].begin == name.begin)
			return d;
	}
	return declaration->declarator_count;
}

/* Whether a function's parameter is a plain pointer: `const float *p`. */
static bool parameter_check(const struct rewriter *rewriter, struct rehost_plan *host,
                            const struct rehost_member *member, const struct host_reference *reference)
{
	unsigned name = edit_token_at(rewriter->source, reference->name.begin);

	if (name > 1 && edit_is(rewriter->source, name - 1, "*") && !edit_is(rewriter->source, name - 2, "*") &&
	    !edit_is(rewriter->source, name + 1, "=") && !edit_is(rewriter->source, name + 1, "["))
		return true;
	return rehost_refuse(rewriter, host, reference->place, member->array->name, "not a plain pointer parameter");
}

static bool declaration_check(const struct rewriter *rewriter, struct rehost_plan *host,
                              const struct rehost_member *member, const struct host_reference *reference)
{
	struct edit_declaration declaration;
	struct rehost_maker maker;
	struct rehost_selection selection;
	unsigned d;

	if (member->is_held)
		return true;
	if (member->parameter.function)
		return parameter_check(rewriter, host, member, reference);
	if (!edit_declaration_read(rewriter->source, reference->name, &declaration))
		return rehost_refuse(rewriter, host, reference->place, member->array->name,
		                     "not declared as a plain pointer variable");
	d = declarator_find(rewriter->source, &declaration, reference->name);
	if (d < declaration.declarator_count &&
	    rehost_selection_read(rewriter, host, declaration.initialisers[d], &selection))
		return true;
	if (d < declaration.declarator_count && rehost_stays(rewriter, host, reference))
		return true;
	if (d < declaration.declarator_count &&
	    rehost_maker_read(rewriter, host, declaration.initialisers[d], &maker) &&
	    rehost_maker_can_follow(rewriter, host, &maker))
		return true;
	if (d == declaration.declarator_count || !rehost_is_null(rewriter->source, declaration.initialisers[d]))
		return rehost_refuse(rewriter, host, reference->place, member->array->name,
		                     "declared with a value other than NULL");
	return true;
}

static bool use_check(const struct rewriter *rewriter, struct rehost_plan *host, const struct rehost_member *member,
                      const struct host_reference *reference)
{
	struct rehost_element_use element;

	switch (reference->use) {
	case HOST_DECLARE:
		return declaration_check(rewriter, host, member, reference);
	case HOST_ARGUMENT:
		return rehost_is_launch_argument(rewriter, host->plan->group, reference->name) ||
		       rehost_refuse(rewriter, host, reference->place, member->array->name,
		                     "passed to something else than a kernel that was rewritten");
	case HOST_SIZEOF:
		return reference->statement.end > 0 ||
		       rehost_refuse(rewriter, host, reference->place, member->array->name,
		                     "its size is asked for in a macro");
	case HOST_ALLOCATE:
	case HOST_COPY_IN:
	case HOST_COPY_OUT:
	case HOST_COPY_DEVICE:
	case HOST_SET:
	case HOST_FREE:
	case HOST_OTHER:
		if (rehost_stays(rewriter, host, reference) || rehost_is_selected(rewriter, host, reference->name) ||
		    rehost_is_in_freed_list(rewriter, reference->name) ||
		    rehost_argument_target(rewriter, member->array, reference) ||
		    rehost_element_read(rewriter, host, member, reference, &element))
			return true;
		break;
	}
	return call_check(rewriter, host, member, reference);
}

static unsigned use_count(const struct host_array *array, enum host_use use)
{
	unsigned count = 0;

	for (unsigned r = 0; r < array->reference_count; r++)
		count += array->references[r].use == use;
	return count;
}

/*
 * The reference of that use that comes first (or last) in the text, over all members; declarations of parameters do
 * not count.
 */
static const struct host_reference *extreme_use(const struct rehost_plan *host, enum host_use use, bool last)
{
	const struct host_reference *found = NULL;

	for (unsigned m = 0; m < host->member_count; m++)
		for (unsigned r = 0; r < host->members[m].array->reference_count; r++) {
			const struct host_reference *reference = &host->members[m].array->references[r];

			if (reference->use != use || (use == HOST_DECLARE && host->members[m].parameter.function))
				continue;
			if (!found || (reference->name.begin > found->name.begin) == last)
				found = reference;
		}
	return found;
}

/* Whether all uses of one kind stand in one block; what is merged has to happen there. */
static bool uses_share_block(const struct rewriter *rewriter, struct rehost_plan *host, enum host_use use)
{
	const struct host_reference *first = extreme_use(host, use, false);
	unsigned token = first ? edit_token_at(rewriter->source, first->name.begin) : 0;

	for (unsigned m = 0; first && m < host->member_count; m++)
		for (unsigned r = 0; r < host->members[m].array->reference_count; r++) {
			const struct host_reference *reference = &host->members[m].array->references[r];
			unsigned other = edit_token_at(rewriter->source, reference->name.begin);

			if (reference->use != use || (use == HOST_DECLARE && host->members[m].parameter.function))
				continue;
			if (rewriter->source->tokens[token].brace != rewriter->source->tokens[other].brace)
				return rehost_refuse(rewriter, host, reference->place, host->members[m].array->name,
				                     "declared, allocated or freed in another block than the arrays it "
				                     "is joined with");
		}
	return true;
}

/*
 * Whether a size can be computed at the first allocation already: the names in it are not declared or changed in
 * between, and nothing is called.
 */
static bool size_is_early(const struct rewriter *rewriter, struct range size, unsigned first)
{
	const struct edit_source *source = rewriter->source;
	unsigned from = edit_token_at(source, first), begin = edit_token_at(source, size.begin);
	unsigned end = edit_token_at(source, size.end);

	for (unsigned i = begin; i < end; i++) {
		if (source->tokens[i].kind != TOKEN_IDENTIFIER || edit_is(source, i, "sizeof"))
			continue;
		if (edit_is(source, i + 1, "(") || edit_name_changes(source, i, from, begin))
			return false;
	}
	return true;
}

/* Whether a size can be joined with the others where the first of them is allocated. */
static bool allocation_check(const struct rewriter *rewriter, struct rehost_plan *host,
                             const struct rehost_member *member, const struct host_reference *reference, unsigned first)
{
	struct rehost_operation operation;

	if (!rehost_operation_read(rewriter, host, member, reference, &operation) ||
	    size_is_early(rewriter, operation.bytes, first))
		return true;
	return rehost_refuse(rewriter, host, reference->place, member->array->name,
	                     "its size is not known where the records have to be allocated");
}

/* Whether the allocations of separate arrays can become one. */
static bool allocations_check(const struct rewriter *rewriter, struct rehost_plan *host)
{
	const struct host_reference *first = extreme_use(host, HOST_ALLOCATE, false);

	for (unsigned m = 0; m < host->member_count; m++) {
		const struct host_array *array = host->members[m].array;

		if (use_count(array, HOST_ALLOCATE) != (host->members[m].parameter.function ? 0 : 1))
			return rehost_refuse(rewriter, host, array->place, array->name, "not allocated exactly once");
		for (unsigned r = 0; r < array->reference_count; r++)
			if (array->references[r].use == HOST_ALLOCATE &&
			    !allocation_check(rewriter, host, &host->members[m], &array->references[r],
			                      first->name.begin))
				return false;
	}
	return uses_share_block(rewriter, host, HOST_ALLOCATE);
}

/* Whether the records can be freed where the last of the arrays is freed: nothing uses them after it. */
static bool releases_check(const struct rewriter *rewriter, struct rehost_plan *host)
{
	const struct host_reference *last = extreme_use(host, HOST_FREE, true);

	for (unsigned m = 0; last && m < host->member_count; m++)
		for (unsigned r = 0; r < host->members[m].array->reference_count; r++) {
			const struct host_reference *reference = &host->members[m].array->references[r];
			struct rehost_operation operation;

			if (reference->name.begin <= last->name.begin ||
			    edit_outermost(rewriter->source, reference->name.begin) !=
			            edit_outermost(rewriter->source, last->name.begin))
				continue;
			if (reference->use == HOST_OTHER &&
			    rehost_operation_read(rewriter, host, &host->members[m], reference, &operation) &&
			    operation.action == REHOST_CLEAR)
				continue;
			return rehost_refuse(rewriter, host, reference->place, host->members[m].array->name,
			                     "used after the arrays it is joined with are freed");
		}
	return !last || uses_share_block(rewriter, host, HOST_FREE);
}

/* ---- the plan ---------------------------------------------------------------------------------------- */

/*
 * The first place that needs the group's types for the mention of a pointer: its function, or a declaration of that
 * without a body.
 */
static unsigned mention_position(const struct rewriter *rewriter, const struct rehost_member *member, unsigned offset)
{
	unsigned position = edit_file_scope(rewriter->source, offset);

	for (unsigned i = 0; member->parameter.function && i + 1 < rewriter->source->token_count; i++)
		if (edit_function_is_prototype(rewriter->source, rewriter->analysis, member->parameter.function, i)) {
			unsigned prototype = edit_file_scope(rewriter->source, rewriter->source->tokens[i].begin);

			position = prototype < position ? prototype : position;
		}
	return position;
}

/* Checks the members' uses and finds the first place that needs the group's types. */
static void members_check(const struct rewriter *rewriter, struct rehost_plan *host)
{
	for (unsigned m = 0; m < host->member_count; m++) {
		const struct host_array *array = host->members[m].array;

		if (use_count(array, HOST_DECLARE) != 1)
			rehost_refuse(rewriter, host, array->place, array->name,
			              "not declared exactly once in this file");
		rehost_objects_check(rewriter, host, &host->members[m]);
		for (unsigned r = 0; r < array->reference_count; r++) {
			unsigned position;

			if (!use_check(rewriter, host, &host->members[m], &array->references[r]) ||
			    range_is_empty(array->references[r].name))
				continue;
			position = mention_position(rewriter, &host->members[m], array->references[r].name.begin);
			host->position = position < host->position ? position : host->position;
		}
	}
}

struct rehost_plan rehost_plan_create(struct rewriter *rewriter, struct group_plan *plan)
{
	struct rehost_plan host = {.plan = plan, .position = rewriter->source->length, .good = true};

	if (!plan->used || plan->change != CHANGE_BUFFERS)
		return host;
	rehost_members_collect(rewriter, &host);
	members_check(rewriter, &host);
	rehost_holders_check(rewriter, &host);
	for (unsigned h = 0; h < host.holder_count; h++) {
		unsigned position = edit_file_scope(rewriter->source, host.holders[h].name.begin);

		host.position = position < host.position ? position : host.position;
	}
	if (host.good && host.member_count > 0 && plan->group->form == FORM_ARRAYS)
		host.good = allocations_check(rewriter, &host) && uses_share_block(rewriter, &host, HOST_DECLARE) &&
		            releases_check(rewriter, &host);
	if (!host.good)
		host.position = rewriter->source->length;
	for (unsigned m = 0; m < host.member_count; m++)
		host.has_parameters |= host.members[m].parameter.function != NULL;
	plan->host_changed = host.good && host.member_count + host.holder_count > 0;
	return host;
}
