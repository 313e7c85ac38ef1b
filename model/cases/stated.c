/*
 * What the host's code puts into members of records, where it says so plainly and no option does: the content of those
 * that a kernel reads. It is said to be assumed where the kernel decides on it, or indexes by it.
 */
#include "model/cases/cases.h"

#include <string.h>

/* ---- which matter ----------------------------------------------------------------------- */

static bool loads_member(const struct expr *expr, const struct parameter *parameter, const struct leaf *leaf)
{
	if (!expr)
		return false;
	if (expr->op == EXPR_LOAD && expr->load->leaf && expr->load->array &&
	    expr->load->array->parameter == parameter && strcmp(expr->load->leaf->path, leaf->path) == 0)
		return true;
	for (unsigned i = 0; i < ARRAY_COUNT(expr->operands); i++)
		if (loads_member(expr->operands[i], parameter, leaf))
			return true;
	return false;
}

static bool guard_asks(const struct guard *guard, const struct parameter *parameter, const struct leaf *leaf)
{
	for (; guard; guard = guard->parent)
		if (loads_member(guard->condition, parameter, leaf))
			return true;
	return false;
}

/* Whether a branch, a loop or an address of the kernel is seen to depend on the member. */
static bool is_asked_for(const struct kernel *kernel, const struct parameter *parameter, const struct leaf *leaf)
{
	for (unsigned i = 0; i < kernel->access_count; i++)
		if (loads_member(kernel->accesses[i]->element, parameter, leaf) ||
		    loads_member(kernel->accesses[i]->inner, parameter, leaf) ||
		    guard_asks(kernel->accesses[i]->guard, parameter, leaf))
			return true;
	for (unsigned i = 0; i < kernel->loop_count; i++) {
		const struct loop *loop = kernel->loops[i];
		if (loads_member(loop->start, parameter, leaf) || loads_member(loop->trips, parameter, leaf) ||
		    loads_member(loop->condition, parameter, leaf))
			return true;
	}
	return false;
}

static bool is_read(const struct kernel *kernel, const struct parameter *parameter, const struct leaf *leaf)
{
	for (unsigned i = 0; i < kernel->access_count; i++) {
		const struct access *access = kernel->accesses[i];
		bool is_member = !access->leaf || strcmp(access->leaf->path, leaf->path) == 0;
		if (access->kind == ACCESS_LOAD && access->array && access->array->parameter == parameter && is_member)
			return true;
	}
	return false;
}

/* ---- contents --------------------------------------------------------------------------- */

const struct content *case_member_content(const struct launch_case *launch, const struct parameter *parameter,
                                          const struct leaf *leaf)
{
	for (unsigned m = 0; m < launch->member_count; m++)
		if (launch->members[m].parameter == parameter && strcmp(launch->members[m].leaf->path, leaf->path) == 0)
			return &launch->members[m].content;
	return NULL;
}

static const char *stated_text(struct arena *arena, const struct host_content *stated)
{
	const long long low = stated->low, last = stated->high - 1, step = stated->step;
	if (stated->is_sum)
		return arena_printf(arena, "a running sum, %lld more from element to element on average", step);
	if (stated->is_stepped)
		return step == 1 ? "the number of the element"
		                 : arena_printf(arena, "%lld times the number of the element", step);
	return low == last ? arena_printf(arena, "%lld in every element", low)
	                   : arena_printf(arena, "anything in %lld..%lld", low, last);
}

static void stated_note(struct arena *arena, struct launch_case *launch, const char *name,
                        const struct host_content *stated)
{
	const char *text = stated_text(arena, stated);
	const char *value = arena_printf(arena, "%s, as line %u of the host's code sets it", text, stated->place.line);
	const char *note = arena_printf(
		arena,
		"content of member %s is taken to be what line %u of the host's code sets: %s; --index %s= "
		"says otherwise",
		name, stated->place.line, text, name);
	case_assume(arena, launch,
	            (struct case_assumption){.kind = ASSUMED_STATED, .name = name, .value = value, .note = note});
}

static void member_state(struct arena *arena, struct launch_case *launch, const struct parameter *parameter,
                         const struct host_content *stated)
{
	uint64_t extent = launch->extents[parameter->index];
	struct member_content member = {.parameter = parameter, .leaf = stated->leaf};
	if ((stated->elements && extent > stated->elements) || !is_read(launch->kernel, parameter, stated->leaf) ||
	    case_member_content(launch, parameter, stated->leaf))
		return;
	member.content = stated->is_stepped
	                         ? (struct content){.kind = CONTENT_SEQUENCE, .step = stated->step}
	                         : (struct content){.kind = CONTENT_UNIFORM, .low = stated->low, .high = stated->high};
	member.content.element_bytes = (unsigned)stated->leaf->type.size_bytes;
	ARENA_PUSH(arena, launch->members, launch->member_count, member);
	if (!stated->is_copied && is_asked_for(launch->kernel, parameter, stated->leaf))
		stated_note(arena, launch, arena_printf(arena, "%s.%s", parameter->name, stated->leaf->path), stated);
}

void case_contents_state(struct arena *arena, struct launch_case *launch)
{
	for (unsigned p = 0; p < launch->kernel->parameter_count; p++) {
		const struct parameter *parameter = &launch->kernel->parameters[p];
		for (unsigned c = 0; parameter->is_pointer && c < parameter->stated_count; c++)
			member_state(arena, launch, parameter, &parameter->stated[c]);
	}
}
