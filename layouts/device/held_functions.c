/*
 * Device functions that name held pointers, in a program that is written: `a.p[i].x` becomes `a.p.x[i]`, or `a.p[i >>
 * 5].x[i & 31]`.
 *
 * The member gets another type, a struct of pointers or a pointer to tiles, and so do the local variables and
 * parameters that it flows into: what copies such a pointer stays as it is. Each function is planned as a kernel whose
 * parameters are those pointers.
 */
#include "layouts/device/internal.h"

#include <string.h>

/* ---- which pointers ------------------------------------------------------------------------ */

const struct member *device_held_member(const struct layout_binding *binding, const struct record **holder)
{
	const char *path = binding->leaf->path;
	const struct member *member = NULL;

	*holder = binding->parameter->type.record;
	for (;;) {
		size_t length = strcspn(path, ".");

		member = device_member(*holder, path, length);
		if (!member || !path[length])
			return member;
		*holder = member->type.record;
		if (!*holder)
			return NULL;
		path += length + 1;
	}
}

/* The group whose records a member points to, or NULL. */
static const struct layout_binding *member_binding(const struct rewriter *rewriter, const struct held_pointer *held)
{
	for (unsigned b = 0; held->holder && b < rewriter->groups->binding_count; b++) {
		const struct layout_binding *binding = &rewriter->groups->bindings[b];
		const struct record *holder;
		const struct member *member;

		if (!binding->leaf || binding->group->form != FORM_STRUCT)
			continue;
		member = device_held_member(binding, &holder);
		if (member && holder->range.begin == held->holder->range.begin &&
		    strcmp(member->name, held->member) == 0)
			return binding;
	}
	return NULL;
}

static void pointer_bind(struct rewriter *rewriter, struct kernel_plan *plan, unsigned p,
                         const struct layout_group *group)
{
	struct layout_binding *binding = arena_alloc(rewriter->arena, sizeof(*binding));

	*binding = (struct layout_binding){
		.kernel = plan->kernel, .parameter = &plan->kernel->parameters[p], .group = group};
	plan->bindings[p] = binding;
	plan->bound = true;
}

/* The parameter of a held function whose name is declared at that range; NULL: none. */
static struct kernel_plan *parameter_at(const struct rewriter *rewriter, struct range name, unsigned *p)
{
	for (unsigned h = 0; !range_is_empty(name) && h < rewriter->analysis->held_function_count; h++) {
		struct kernel_plan *plan = &rewriter->held_plans[h];

		for (*p = 0; *p < plan->kernel->parameter_count; ++*p)
			if (plan->kernel->parameters[*p].held->is_parameter &&
			    plan->kernel->parameters[*p].name_range.begin == name.begin)
				return plan;
	}
	return NULL;
}

bool device_held_is_declared(const struct rewriter *rewriter, struct range name)
{
	unsigned p;
	const struct kernel_plan *plan = rewriter->held_plans ? parameter_at(rewriter, name, &p) : NULL;

	return plan && plan->bindings[p];
}

bool device_held_is_passed(const struct rewriter *rewriter, const struct reference *reference,
                           const struct layout_group *group)
{
	unsigned p;
	const struct kernel_plan *plan =
		rewriter->held_plans ? parameter_at(rewriter, reference->passed_for, &p) : NULL;

	return plan && plan->bindings[p] && plan->bindings[p]->group == group;
}

/* Whether what stands between two mentions makes the first a copy of the second: `a = b`, or `a(b)` where a constructor
 * says how it begins. */
static bool is_copied_to(const struct edit_source *source, const struct reference *to, const struct reference *from)
{
	unsigned behind = edit_token_at(source, to->whole.end);

	return to->kind == REFERENCE_OTHER && from->kind == REFERENCE_OTHER && !range_is_empty(to->whole) &&
	       !range_is_empty(from->whole) &&
	       (edit_is(source, behind, "=") || edit_is(source, behind, "(") || edit_is(source, behind, "{")) &&
	       source->tokens[behind + 1].begin == from->whole.begin;
}

/* Binds what pointers of the function flow into; returns whether that is anything new. */
static bool flow_follow(struct rewriter *rewriter, struct kernel_plan *plan)
{
	const struct kernel *kernel = plan->kernel;
	bool found = false;

	for (unsigned p = 0; p < kernel->parameter_count; p++) {
		unsigned value = kernel->parameters[p].held->value;

		if (value > 0 && !plan->bindings[p] && plan->bindings[value - 1]) {
			pointer_bind(rewriter, plan, p, plan->bindings[value - 1]->group);
			found = true;
		}
	}
	for (unsigned r = 0; r < kernel->reference_count; r++) {
		const struct reference *reference = &kernel->references[r];
		const struct layout_binding *binding = plan->bindings[reference->parameter->index];
		unsigned p;
		struct kernel_plan *target = binding ? parameter_at(rewriter, reference->passed_for, &p) : NULL;

		if (target && !target->bindings[p]) {
			pointer_bind(rewriter, target, p, binding->group);
			found = true;
		}
		for (unsigned from = 0; binding && from < kernel->reference_count; from++) {
			unsigned source = kernel->references[from].parameter->index;

			if (!plan->bindings[source] &&
			    is_copied_to(rewriter->source, reference, &kernel->references[from])) {
				pointer_bind(rewriter, plan, source, binding->group);
				found = true;
			}
		}
	}
	return found;
}

static void functions_bind(struct rewriter *rewriter)
{
	unsigned count = rewriter->analysis->held_function_count;
	bool found = true;

	rewriter->held_plans = arena_array(rewriter->arena, count + 1, sizeof(*rewriter->held_plans));
	for (unsigned h = 0; h < count; h++) {
		struct kernel_plan *plan = &rewriter->held_plans[h];

		device_kernel_plan(rewriter, plan, rewriter->analysis->held_functions[h]);
		for (unsigned p = 0; p < plan->kernel->parameter_count; p++) {
			const struct layout_binding *binding =
				member_binding(rewriter, plan->kernel->parameters[p].held);

			if (binding)
				pointer_bind(rewriter, plan, p, binding->group);
		}
	}
	while (found) {
		found = false;
		for (unsigned h = 0; h < count; h++)
			found |= flow_follow(rewriter, &rewriter->held_plans[h]);
	}
}

/* ---- may they be rewritten? --------------------------------------------------------------------- */

/* The words and the star of a pointer's declaration in front of a token; empty where it is more than a plain pointer's.
 */
static struct range type_before(const struct edit_source *source, unsigned name)
{
	unsigned first = name, stars = 0;

	for (; first > 0 && (source->tokens[first - 1].kind == TOKEN_IDENTIFIER || edit_is(source, first - 1, "*") ||
	                     edit_is(source, first - 1, "::"));
	     first--)
		stars += edit_is(source, first - 1, "*");
	if (stars != 1 || name == first || edit_is(source, first, "static"))
		return (struct range){0, 0};
	return (struct range){source->tokens[first].begin, source->tokens[name].begin};
}

/* That of a local variable or parameter. */
static struct range declared_type(const struct edit_source *source, const struct parameter *pointer)
{
	const struct range none = {0, 0};
	unsigned name = edit_token_at(source, pointer->name_range.begin);

	if (range_is_empty(pointer->name_range))
		return none;
	for (unsigned i = name; !pointer->held->is_parameter && i < source->token_count && !edit_is(source, i, ";");
	     i++) {
		if (edit_is(source, i, ","))
			return none;
		i = source->tokens[i].match > i ? source->tokens[i].match : i;
	}
	return type_before(source, name);
}

/* Whether a mention is the value with which a local variable is declared that changes with it. */
static bool is_declared_value(const struct rewriter *rewriter, const struct kernel_plan *plan,
                              const struct reference *reference)
{
	for (unsigned p = 0; p < plan->kernel->parameter_count; p++) {
		const struct parameter *local = &plan->kernel->parameters[p];
		unsigned name = edit_token_at(rewriter->source, local->name_range.begin);

		if (local->held->value == reference->parameter->index + 1 && edit_is(rewriter->source, name + 1, "=") &&
		    rewriter->source->tokens[name + 2].begin == reference->whole.begin)
			return !range_is_empty(declared_type(rewriter->source, local));
	}
	return false;
}

/* Whether a pointer is copied to another one that changes with it, or from one. */
static bool is_copied(const struct rewriter *rewriter, const struct kernel_plan *plan,
                      const struct reference *reference)
{
	for (unsigned r = 0; r < plan->kernel->reference_count; r++) {
		const struct reference *other = &plan->kernel->references[r];
		bool bound = plan->bindings[other->parameter->index] &&
		             plan->bindings[other->parameter->index]->group ==
		                     plan->bindings[reference->parameter->index]->group;

		if (bound && (is_copied_to(rewriter->source, reference, other) ||
		              is_copied_to(rewriter->source, other, reference)))
			return true;
	}
	return false;
}

static bool is_null(const struct edit_source *source, unsigned i)
{
	return edit_is(source, i, "nullptr") || edit_is(source, i, "NULL") || edit_is(source, i, "0");
}

/* Whether a bare pointer is compared with null: `a.p == nullptr`, `!a.p`. */
static bool is_null_test(const struct edit_source *source, const struct reference *reference)
{
	unsigned first = edit_token_at(source, reference->whole.begin),
		 behind = edit_token_at(source, reference->whole.end);

	if (reference->kind != REFERENCE_OTHER || range_is_empty(reference->whole) || first < 2)
		return false;
	if (edit_is(source, behind, "==") || edit_is(source, behind, "!="))
		return is_null(source, behind + 1);
	if (edit_is(source, first - 1, "==") || edit_is(source, first - 1, "!="))
		return is_null(source, first - 2);
	return edit_is(source, first - 1, "!");
}

/* Whether a mention of a bare pointer goes where one of the new type may. */
static bool pointer_is_followed(const struct rewriter *rewriter, const struct kernel_plan *plan,
                                const struct reference *reference)
{
	const struct layout_group *group = plan->bindings[reference->parameter->index]->group;

	return reference->kind == REFERENCE_OTHER && !range_is_empty(reference->whole) &&
	       (is_null_test(rewriter->source, reference) || device_held_is_passed(rewriter, reference, group) ||
	        is_declared_value(rewriter, plan, reference) || is_copied(rewriter, plan, reference));
}

/* Whether a function is compiled for the host alone: the host side sees to what it does with the pointers. */
static bool is_of_host(const struct rewriter *rewriter, const struct kernel *kernel)
{
	for (unsigned f = 0; f < rewriter->analysis->function_count; f++)
		if (rewriter->analysis->functions[f].definition.begin == kernel->definition.begin)
			return !rewriter->analysis->functions[f].is_device;
	return false;
}

/* Why a function cannot be rewritten, and where; NULL where it can. */
static const char *function_refusal(struct rewriter *rewriter, struct kernel_plan *plan, struct place *place)
{
	for (unsigned p = 0; p < plan->kernel->parameter_count; p++) {
		const struct parameter *pointer = &plan->kernel->parameters[p];

		*place = pointer->place;
		if (plan->bindings[p] && !pointer->held->holder &&
		    range_is_empty(declared_type(rewriter->source, pointer)))
			return "it is declared together with others, or not as a plain pointer";
	}
	for (unsigned r = 0; !is_of_host(rewriter, plan->kernel) && r < plan->kernel->reference_count; r++) {
		const struct reference *reference = &plan->kernel->references[r];
		const struct layout_binding *binding = plan->bindings[reference->parameter->index];
		const char *reason = NULL;

		*place = reference->place;
		if (binding)
			reason = device_reference_refusal(rewriter, rewriter_group(rewriter, binding->group),
			                                  plan->kernel, reference);
		if (!reason || device_reference_is_part(plan, reference) ||
		    pointer_is_followed(rewriter, plan, reference) ||
		    device_element_is_plain(rewriter, plan, rewriter_group(rewriter, binding->group), reference))
			continue;
		return reason;
	}
	return NULL;
}

/* Whether the group is bound to a pointer of the function. */
static bool function_has(const struct kernel_plan *plan, const struct layout_group *group)
{
	for (unsigned p = 0; p < plan->kernel->parameter_count; p++)
		if (plan->bindings[p] && plan->bindings[p]->group == group)
			return true;
	return false;
}

/* Refuses the groups of functions that cannot be rewritten. */
static void functions_check(struct rewriter *rewriter)
{
	for (unsigned h = 0; h < rewriter->analysis->held_function_count; h++) {
		struct kernel_plan *plan = &rewriter->held_plans[h];
		struct place place;
		const char *reason = function_refusal(rewriter, plan, &place);

		plan->changed = plan->bound && !reason;
		for (unsigned g = 0; reason && g < rewriter->groups->count; g++) {
			struct group_plan *group = &rewriter->group_plans[g];

			if (!function_has(plan, group->group) || group->change != CHANGE_BUFFERS)
				continue;
			if (!group->refused)
				diagnostics_report(rewriter->diagnostics, SEVERITY_NOTE, place,
				                   "struct %s keeps its layout: function %s reaches it through a "
				                   "member of a record "
				                   "passed by value: %s; pass the pointer as a parameter of its own",
				                   group->group->name, plan->kernel->name, reason);
			group->refused = true;
		}
	}
}

void device_held_functions_plan(struct rewriter *rewriter)
{
	functions_bind(rewriter);
	functions_check(rewriter);
	for (unsigned h = 0; h < rewriter->analysis->held_function_count; h++)
		device_kernel_name_pointers(rewriter, &rewriter->held_plans[h]);
}

/* ---- the edits ------------------------------------------------------------------------------------ */

/* The type that a pointer to records becomes, with a space or star behind it. */
static const char *new_type(const struct rewriter *rewriter, const struct group_plan *plan, bool is_const)
{
	if (rewriter_joins_pointers(plan))
		return arena_printf(rewriter->arena, "%s ", is_const ? plan->const_type_name : plan->type_name);
	return arena_printf(rewriter->arena, "%s%s *", is_const ? "const " : "", plan->type_name);
}

/* Gives the pointers of one declaration of members their new type: `rec *from, *to = nullptr;`. */
static void member_edit(struct rewriter *rewriter, const struct group_plan *plan, const struct member *member)
{
	const struct edit_source *source = rewriter->source;
	bool joins = rewriter_joins_pointers(plan);
	unsigned first = edit_token_at(source, member->range.begin), star = first, i;
	bool is_const = strncmp(member->type.spelling, "const ", strlen("const ")) == 0;

	while (!edit_is(source, star, "*"))
		star++;
	edit_add(&rewriter->edits, (struct range){source->tokens[first].begin, source->tokens[star + 1].begin},
	         new_type(rewriter, plan, is_const));
	for (i = star + 1; joins && i < source->token_count && !edit_is(source, i, ";"); i++) {
		if (edit_is(source, i, ",") && edit_is(source, i + 1, "*"))
			edit_add(&rewriter->edits,
			         (struct range){source->tokens[i + 1].begin, source->tokens[i + 2].begin}, "");
		if (edit_is(source, i, "=") && source->tokens[i + 1].kind != TOKEN_PUNCTUATION)
			edit_add(&rewriter->edits,
			         (struct range){source->tokens[i + 1].begin, source->tokens[i + 1].end}, "{}");
	}
}

/* Whether an earlier binding is of the same declaration. */
static bool was_declared(const struct rewriter *rewriter, unsigned binding)
{
	const struct record *holder;
	const struct member *member = device_held_member(&rewriter->groups->bindings[binding], &holder), *other;

	for (unsigned b = 0; b < binding; b++) {
		if (!rewriter->groups->bindings[b].leaf || rewriter->groups->bindings[b].group->form != FORM_STRUCT)
			continue;
		other = device_held_member(&rewriter->groups->bindings[b], &holder);
		if (other && other->range.begin == member->range.begin)
			return true;
	}
	return false;
}

static void members_edit(struct rewriter *rewriter)
{
	for (unsigned b = 0; b < rewriter->groups->binding_count; b++) {
		const struct layout_binding *binding = &rewriter->groups->bindings[b];
		const struct group_plan *plan = rewriter_group(rewriter, binding->group);
		const struct record *holder;

		if (binding->leaf && plan->is_held && plan->used && !was_declared(rewriter, b))
			member_edit(rewriter, plan, device_held_member(binding, &holder));
	}
}

/* Gives a parameter its new type in the function's declarations without a body; index: among all parameters. */
static void prototypes_edit(struct rewriter *rewriter, const struct function *function, unsigned index,
                            const char *type)
{
	const struct edit_source *source = rewriter->source;
	struct range ranges[32];

	for (unsigned i = 0; i + 1 < source->token_count; i++) {
		unsigned name;

		if (!edit_function_is_prototype(source, rewriter->analysis, function, i) ||
		    edit_list_split(source, i + 1, ranges, ARRAY_COUNT(ranges)) <= index)
			continue;
		name = edit_token_at(source, ranges[index].end);
		name -= !edit_is(source, name - 1, "*");
		edit_add(&rewriter->edits, type_before(source, name), type);
	}
}

/* Gives a parameter of a function its new type wherever that is declared without a body. */
static void parameter_declarations_edit(struct rewriter *rewriter, const struct kernel *kernel,
                                        const struct parameter *pointer, const char *type)
{
	struct range ranges[32];

	for (unsigned f = 0; f < rewriter->analysis->function_count; f++) {
		const struct function *function = &rewriter->analysis->functions[f];
		struct edit_function tokens;
		unsigned count;

		if (function->definition.begin != kernel->definition.begin ||
		    !edit_function_read(rewriter->source, function, &tokens))
			continue;
		count = edit_list_split(rewriter->source, tokens.open, ranges, ARRAY_COUNT(ranges));
		for (unsigned k = 0; k < count; k++)
			if (range_contains(ranges[k], pointer->name_range))
				prototypes_edit(rewriter, function, k, type);
	}
}

/* Gives local variables and parameters their new types. */
static void declarations_edit(struct rewriter *rewriter, const struct kernel_plan *plan)
{
	for (unsigned p = 0; p < plan->kernel->parameter_count; p++) {
		const struct parameter *pointer = &plan->kernel->parameters[p];
		const char *type;

		if (!plan->bindings[p] || pointer->held->holder)
			continue;
		type = new_type(rewriter, rewriter_group(rewriter, plan->bindings[p]->group), pointer->is_const);
		edit_add(&rewriter->edits, declared_type(rewriter->source, pointer), type);
		if (pointer->held->is_parameter)
			parameter_declarations_edit(rewriter, plan->kernel, pointer, type);
	}
}

/* A struct of pointers is null where the first of them is. */
static void null_tests_edit(struct rewriter *rewriter, const struct kernel_plan *plan)
{
	for (unsigned r = 0; r < plan->kernel->reference_count; r++) {
		const struct reference *reference = &plan->kernel->references[r];
		const struct layout_binding *binding = plan->bindings[reference->parameter->index];

		if (binding && is_null_test(rewriter->source, reference) &&
		    rewriter_joins_pointers(rewriter_group(rewriter, binding->group)))
			edit_add(&rewriter->edits, reference->whole, plan->pointers[reference->parameter->index][0]);
	}
}

/* Whether an earlier held function has the same text. */
static bool was_edited(const struct rewriter *rewriter, unsigned function)
{
	for (unsigned h = 0; h < function; h++)
		if (rewriter->held_plans[h].changed &&
		    layout_kernels_share_text(rewriter->held_plans[h].kernel, rewriter->held_plans[function].kernel))
			return true;
	return false;
}

void device_held_functions_edit(struct rewriter *rewriter)
{
	if (rewriter->held_plans)
		members_edit(rewriter);
	for (unsigned h = 0; rewriter->held_plans && h < rewriter->analysis->held_function_count; h++) {
		struct kernel_plan *plan = &rewriter->held_plans[h];

		for (unsigned p = 0; p < plan->kernel->parameter_count; p++)
			plan->changed &= !plan->bindings[p] || rewriter_group(rewriter, plan->bindings[p]->group)->used;
		if (!plan->changed || was_edited(rewriter, h))
			continue;
		declarations_edit(rewriter, plan);
		if (is_of_host(rewriter, plan->kernel))
			continue;
		null_tests_edit(rewriter, plan);
		device_names_edit(rewriter, plan);
		device_references_edit(rewriter, plan);
	}
}
