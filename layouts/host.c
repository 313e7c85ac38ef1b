/*
 * The host side of a group: may it be rewritten, and if so, how each call, launch and declaration changes.
 *
 * What belongs to the group are the device pointers that launches pass for its parameters. Every mention of one has to be one of a closed set of uses
 * (enum host_use); anything else leaves the whole group's host side as written, with a note at the place.
 *
 * Separate arrays that become one: the records are declared with the first of the pointers, allocated with the first allocation, as many as the largest
 * array has elements, and freed with the last.
 */
#include "layouts/internal.h"

static bool host_refuse(const struct rewriter *rewriter, struct host_plan *host, struct place place, const char *name,
                        const char *reason)
{
	diagnostics_report(rewriter->diagnostics, SEVERITY_NOTE, place, "host side left as it is: '%s' %s", name, reason);
	host->good = false;
	return false;
}

static const struct host_member *member_of(const struct host_plan *host, const struct host_array *array)
{
	for (unsigned m = 0; m < host->member_count; m++)
		if (host->members[m].array == array)
			return &host->members[m];
	return NULL;
}

/* ---- whose pointers are they? ---------------------------------------------------------------- */

/* Whether the range is an argument of a launch of a changed kernel for a parameter of the group. */
static bool is_launch_argument(const struct rewriter *rewriter, const struct layout_group *group, struct range range)
{
	for (unsigned k = 0; k < rewriter->analysis->kernel_count; k++) {
		const struct kernel_plan *plan = &rewriter->kernel_plans[k];

		for (unsigned l = 0; plan->changed && l < plan->kernel->launch_count; l++)
			for (unsigned p = 0; p < plan->kernel->parameter_count; p++) {
				struct range argument = plan->kernel->launches[l]->arguments[p].range;

				if (plan->bindings[p] && plan->bindings[p]->group == group && argument.begin <= range.begin &&
				    range.end <= argument.end)
					return true;
			}
	}
	return false;
}

/* Adds the pointer that a launch passes for a parameter of the group. */
static void launch_argument_add(const struct rewriter *rewriter, struct host_plan *host, const struct launch *launch,
                                const struct layout_binding *binding)
{
	const struct host_value *argument = &launch->arguments[binding->parameter->index];
	const struct host_member *member = member_of(host, argument->array);
	struct host_member added = {argument->array, binding->field};

	if (!argument->array || argument->range.end == 0 ||
	    !expression_is_variable(rewriter->source, argument->range, argument->array->name, false))
		host_refuse(rewriter, host, launch->place, binding->parameter->name,
		            "is given something else than a device pointer variable here");
	else if (!member)
		ARENA_PUSH(rewriter->arena, host->members, host->member_count, added);
	else if (member->field != binding->field)
		host_refuse(rewriter, host, launch->place, argument->array->name, "is passed as two members of one record");
}

static void members_collect(const struct rewriter *rewriter, struct host_plan *host)
{
	for (unsigned k = 0; k < rewriter->analysis->kernel_count; k++) {
		const struct kernel_plan *plan = &rewriter->kernel_plans[k];

		for (unsigned p = 0; p < plan->kernel->parameter_count; p++) {
			if (!plan->bindings[p] || plan->bindings[p]->group != host->plan->group)
				continue;
			if (!plan->changed)
				host_refuse(rewriter, host, plan->kernel->place, plan->kernel->parameters[p].name,
				            "belongs to a kernel that keeps its layout");
			for (unsigned l = 0; l < plan->kernel->launch_count; l++)
				launch_argument_add(rewriter, host, plan->kernel->launches[l], plan->bindings[p]);
		}
	}
}

/* ---- may every use be rewritten? ---------------------------------------------------------------- */

/* The argument of each call that is the device pointer, and the function it has to be. */
static const struct {
	enum host_use use;
	const char *function;
	unsigned argument_count, device_argument;
	bool address;
} known_calls[] = {
	{HOST_ALLOCATE, "cudaMalloc", 2, 0, true},   {HOST_COPY_IN, "cudaMemcpy", 4, 0, false},
	{HOST_COPY_OUT, "cudaMemcpy", 4, 1, false},  {HOST_COPY_DEVICE, "cudaMemcpy", 4, 0, false},
	{HOST_SET, "cudaMemset", 3, 0, false},       {HOST_FREE, "cudaFree", 1, 0, false},
};

/* Whether an expression is a pointer of the group. */
static const struct host_member *expression_member(const struct rewriter *rewriter, const struct host_plan *host,
                                                   struct range expression)
{
	for (unsigned m = 0; m < host->member_count; m++)
		if (expression_is_variable(rewriter->source, expression, host->members[m].array->name, false))
			return &host->members[m];
	return NULL;
}

/* Whether a call is plain: the function itself, with the bare pointer where it belongs. */
static bool call_check(const struct rewriter *rewriter, struct host_plan *host, const struct host_member *member,
                       const struct host_reference *reference)
{
	struct host_call call;
	bool read = call_read(rewriter->source, reference->statement, &call);

	for (unsigned i = 0; read && i < ARRAY_COUNT(known_calls); i++) {
		unsigned argument = known_calls[i].device_argument;

		if (known_calls[i].use != reference->use ||
		    !call_is(rewriter->source, &call, known_calls[i].function, known_calls[i].argument_count))
			continue;
		if (reference->use == HOST_COPY_DEVICE) {
			if (expression_member(rewriter, host, call.arguments[0]) && expression_member(rewriter, host, call.arguments[1]))
				return true;
			break;
		}
		if (expression_is_variable(rewriter->source, call.arguments[argument], member->array->name,
		                           known_calls[i].address))
			return true;
	}
	return host_refuse(rewriter, host, reference->place, member->array->name, "is used here in a call that is not a plain one");
}

/* Whether an initialiser is a null pointer or nothing. */
static bool initialiser_is_null(const struct source *source, struct range range)
{
	return range.end == 0 || source_range_is(source, range, "NULL") || source_range_is(source, range, "nullptr") ||
	       source_range_is(source, range, "0");
}

/* Index of the declarator that declares the variable, or the declaration's count where none is a plain pointer to it. */
static unsigned declarator_find(const struct source *source, const struct declaration *declaration, struct range name)
{
	for (unsigned d = 0; d < declaration->declarator_count; d++) {
		unsigned first = source_token_at(source, declaration->declarators[d].begin);

		if (source_is(source, first, "*") && declaration->declarators[d].end == name.end &&
		    source->tokens[first + 1].begin == name.begin)
			return d;
	}
	return declaration->declarator_count;
}

static bool declaration_check(const struct rewriter *rewriter, struct host_plan *host, const struct host_member *member,
                              const struct host_reference *reference)
{
	struct declaration declaration;
	unsigned d;

	if (!declaration_read(rewriter->source, reference->name, &declaration))
		return host_refuse(rewriter, host, reference->place, member->array->name,
		                   "is not declared as a plain pointer variable");
	d = declarator_find(rewriter->source, &declaration, reference->name);
	if (d == declaration.declarator_count || !initialiser_is_null(rewriter->source, declaration.initialisers[d]))
		return host_refuse(rewriter, host, reference->place, member->array->name,
		                   "is declared with something else than NULL");
	return true;
}

static bool use_check(const struct rewriter *rewriter, struct host_plan *host, const struct host_member *member,
                      const struct host_reference *reference)
{
	switch (reference->use) {
	case HOST_DECLARE:
		return declaration_check(rewriter, host, member, reference);
	case HOST_ALLOCATE:
	case HOST_COPY_IN:
	case HOST_COPY_OUT:
	case HOST_COPY_DEVICE:
	case HOST_SET:
	case HOST_FREE:
		return call_check(rewriter, host, member, reference);
	case HOST_ARGUMENT:
		return is_launch_argument(rewriter, host->plan->group, reference->name) ||
		       host_refuse(rewriter, host, reference->place, member->array->name,
		                   "is passed here to something else than a kernel that was rewritten");
	case HOST_SIZEOF:
		return reference->statement.end > 0 ||
		       host_refuse(rewriter, host, reference->place, member->array->name, "stands in a macro's sizeof");
	case HOST_OTHER:
		break;
	}
	return host_refuse(rewriter, host, reference->place, member->array->name,
	                   "is used here other than in plain allocation, copy, launch and release");
}

static unsigned use_count(const struct host_array *array, enum host_use use)
{
	unsigned count = 0;

	for (unsigned r = 0; r < array->reference_count; r++)
		count += array->references[r].use == use;
	return count;
}

/* The reference of that use that comes first (or last) in the text, over all members; NULL where there is none. */
static const struct host_reference *extreme_use(const struct host_plan *host, enum host_use use, bool last)
{
	const struct host_reference *found = NULL;

	for (unsigned m = 0; m < host->member_count; m++)
		for (unsigned r = 0; r < host->members[m].array->reference_count; r++) {
			const struct host_reference *reference = &host->members[m].array->references[r];

			if (reference->use == use && (!found || (reference->name.begin > found->name.begin) == last))
				found = reference;
		}
	return found;
}

/* Whether all uses of one kind stand in one block; what is merged has to happen there. */
static bool uses_share_block(const struct rewriter *rewriter, struct host_plan *host, enum host_use use)
{
	const struct host_reference *first = extreme_use(host, use, false);

	for (unsigned m = 0; m < host->member_count; m++)
		for (unsigned r = 0; r < host->members[m].array->reference_count; r++) {
			const struct host_reference *reference = &host->members[m].array->references[r];
			unsigned token = source_token_at(rewriter->source, reference->name.begin);
			unsigned other = source_token_at(rewriter->source, first->name.begin);

			if (reference->use == use && rewriter->source->tokens[token].brace != rewriter->source->tokens[other].brace)
				return host_refuse(rewriter, host, reference->place, host->members[m].array->name,
				                   "is declared, allocated or freed in another block than the arrays it is joined with");
		}
	return true;
}

/* Whether a name is changed or declared by the tokens [from, to): then its value is not the same before and after. */
static bool name_changes(const struct source *source, unsigned name, unsigned from, unsigned to)
{
	static const char *const operators[] = {"=", "+=", "-=", "*=", "/=", "%=", "++", "--"};
	struct range range = {source->tokens[name].begin, source->tokens[name].end};

	for (unsigned i = from; i < to; i++) {
		bool same = source->tokens[i].end - source->tokens[i].begin == range.end - range.begin &&
		            memcmp(source->text + source->tokens[i].begin, source->text + range.begin, range.end - range.begin) == 0;

		if (same && (source_is(source, i - 1, "++") || source_is(source, i - 1, "--") || source_is(source, i - 1, "&")))
			return true;
		for (unsigned o = 0; same && o < ARRAY_COUNT(operators); o++)
			if (source_is(source, i + 1, operators[o]))
				return true;
		if (same && i > 0 && source->tokens[i - 1].kind == TOKEN_IDENTIFIER && !source_is(source, i - 1, "return") &&
		    !source_is(source, i - 1, "sizeof"))
			return true;
	}
	return false;
}

/* Whether a size can be computed at the first allocation already: the names in it are not declared or changed in between, and nothing is called. */
static bool size_is_early(const struct rewriter *rewriter, struct range size, unsigned first)
{
	const struct source *source = rewriter->source;
	unsigned from = source_token_at(source, first), begin = source_token_at(source, size.begin);
	unsigned end = source_token_at(source, size.end);

	for (unsigned i = begin; i < end; i++) {
		if (source->tokens[i].kind != TOKEN_IDENTIFIER || source_is(source, i, "sizeof"))
			continue;
		if (source_is(source, i + 1, "(") || name_changes(source, i, from, begin))
			return false;
	}
	return true;
}

/* Whether the allocations of separate arrays can become one. */
static bool allocations_check(const struct rewriter *rewriter, struct host_plan *host)
{
	const struct host_reference *first = extreme_use(host, HOST_ALLOCATE, false);

	for (unsigned m = 0; m < host->member_count; m++) {
		const struct host_array *array = host->members[m].array;

		if (use_count(array, HOST_ALLOCATE) != 1)
			return host_refuse(rewriter, host, array->place, array->name, "is not allocated exactly once");
		for (unsigned r = 0; r < array->reference_count; r++)
			if (array->references[r].use == HOST_ALLOCATE && array->references[r].size.end <= array->references[r].size.begin)
				return host_refuse(rewriter, host, array->references[r].place, array->name, "has a size inside a macro");
			else if (array->references[r].use == HOST_ALLOCATE &&
			         !size_is_early(rewriter, array->references[r].size, first->statement.begin))
				return host_refuse(rewriter, host, array->references[r].place, array->name,
				                   "has a size that is not known where the records have to be allocated");
	}
	return uses_share_block(rewriter, host, HOST_ALLOCATE);
}

/* Whether the records can be freed where the last of the arrays is freed: nothing uses them after it. */
static bool releases_check(const struct rewriter *rewriter, struct host_plan *host)
{
	const struct host_reference *last = extreme_use(host, HOST_FREE, true);

	for (unsigned m = 0; last && m < host->member_count; m++)
		for (unsigned r = 0; r < host->members[m].array->reference_count; r++)
			if (host->members[m].array->references[r].name.begin > last->name.begin)
				return host_refuse(rewriter, host, host->members[m].array->references[r].place,
				                   host->members[m].array->name, "is used after the arrays it is joined with are freed");
	return !last || uses_share_block(rewriter, host, HOST_FREE);
}

/* ---- the plan ---------------------------------------------------------------------------------------- */

/* Start of what holds the offset at file scope: a function, or a declaration. */
static unsigned file_scope_position(const struct rewriter *rewriter, unsigned offset)
{
	const struct source *source = rewriter->source;
	unsigned i = source_token_at(source, source_outermost(source, offset));

	while (i > 0 && !source_is(source, i - 1, ";") && !source_is(source, i - 1, "}") &&
	       source->tokens[i - 1].kind != TOKEN_DIRECTIVE)
		i--;
	return source_before_declaration(source, source->tokens[i].begin);
}

/* Checks the members' uses and finds the first place that needs the group's types. */
static void members_check(const struct rewriter *rewriter, struct host_plan *host)
{
	for (unsigned m = 0; m < host->member_count; m++) {
		const struct host_array *array = host->members[m].array;

		if (use_count(array, HOST_DECLARE) != 1)
			host_refuse(rewriter, host, array->place, array->name, "is not declared exactly once in this file");
		for (unsigned r = 0; r < array->reference_count; r++) {
			unsigned position;

			if (!use_check(rewriter, host, &host->members[m], &array->references[r]))
				continue;
			position = file_scope_position(rewriter, array->references[r].name.begin);
			host->position = position < host->position ? position : host->position;
		}
	}
}

struct host_plan host_plan_create(struct rewriter *rewriter, struct group_plan *plan)
{
	struct host_plan host = {.plan = plan, .position = rewriter->source->length, .good = true};
	const struct record *record = plan->group->record;

	if (!plan->used || plan->change != CHANGE_BUFFERS)
		return host;
	host.helpers = helpers_create(rewriter, plan);
	members_collect(rewriter, &host);
	members_check(rewriter, &host);
	if (host.good && host.member_count > 0 && plan->group->form == FORM_ARRAYS)
		host.good = allocations_check(rewriter, &host) && uses_share_block(rewriter, &host, HOST_DECLARE) &&
		            releases_check(rewriter, &host);
	if (host.good && record && host.position < record->range.end)
		host_refuse(rewriter, &host, record->place, record->name, "is declared after device pointers to it");
	if (!host.good)
		host.position = rewriter->source->length;
	plan->host_changed = host.good && host.member_count > 0;
	return host;
}
