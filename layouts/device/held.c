/*
 * Arrays of records that members of a record passed by value point to: `v.data[i]`. Code is compiled with a proxy as
 * that member, so that methods, accessors and local names of elements follow by themselves; a program keeps its layout.
 *
 *   struct view { T *data; T &operator[](int i) { return data[i]; } };
 *   struct view { typename held_by_view<T>::pointer data; decltype(auto) operator[](int i) { return data[i]; } };
 */
#include "layouts/device/internal.h"

#include <string.h>

static const struct member *held_member(const struct layout_binding *binding)
{
	const struct record *holder;

	return device_held_member(binding, &holder);
}

/* The record that declares the member: that of the parameter, or one inside it. */
static const struct record *holder_of(const struct layout_binding *binding)
{
	const struct record *holder;

	device_held_member(binding, &holder);
	return holder;
}

static bool is_bound(const struct group_plan *plan, const struct layout_binding *binding)
{
	return binding->leaf && binding->group == plan->group && plan->group->form == FORM_STRUCT;
}

/* The words that a member's declaration begins with, before its star: "const rec "; empty where it is no single
 * pointer. */
static struct range pointee_words(const struct rewriter *rewriter, const struct member *member, unsigned *star)
{
	const struct edit_source *source = rewriter->source;
	unsigned first = edit_token_at(source, member->range.begin), end = edit_token_at(source, member->range.end);

	for (*star = first; *star < end && !edit_is(source, *star, "*"); ++*star)
		if (source->tokens[*star].kind != TOKEN_IDENTIFIER && !edit_is(source, *star, "::"))
			return (struct range){0, 0};
	if (*star == first || *star >= end || edit_is(source, *star + 1, "*"))
		return (struct range){0, 0};
	return (struct range){source->tokens[first].begin, source->tokens[*star].begin};
}

static bool is_const_member(const struct member *member)
{
	return strncmp(member->type.spelling, "const ", strlen("const ")) == 0;
}

/* ---- the plan ------------------------------------------------------------------------------- */

/* Whether the holder is a template's instance whose member has a type of the template's. */
static bool is_dependent(const struct rewriter *rewriter, const struct layout_binding *binding)
{
	const struct edit_source *source = rewriter->source;
	const char *record = binding->group->record->name,
		   *plain = strrchr(record, ':') ? strrchr(record, ':') + 1 : record;
	unsigned star;
	struct range words = pointee_words(rewriter, held_member(binding), &star);

	for (unsigned i = edit_token_at(source, words.begin); i < star; i++)
		if (edit_is(source, i, plain))
			return false;
	return strchr(holder_of(binding)->name, '<') != NULL;
}

/* Whether a token is the name of a binding's member, which a record declares. */
static bool declares(const struct layout_binding *binding, const struct record *record,
                     const struct edit_source *source, unsigned i)
{
	const struct record *holder;
	const struct member *member = device_held_member(binding, &holder);

	return member && holder == record && edit_is(source, i, member->name);
}

static bool is_null(const struct edit_source *source, unsigned i)
{
	return edit_is(source, i, "nullptr") || edit_is(source, i, "NULL") || edit_is(source, i, "0");
}

/* Whether a declaration, whose first star is that token, declares plain pointers to the group's records that are bound,
 * and nothing else. */
static bool declares_bound(const struct rewriter *rewriter, const struct group_plan *plan, const struct record *holder,
                           unsigned star)
{
	const struct edit_source *source = rewriter->source;
	bool bound = true;
	unsigned end;

	for (unsigned i = star; bound; i += 3) {
		bound = false;
		for (unsigned b = 0; edit_is(source, i, "*") && b < rewriter->groups->binding_count; b++) {
			const struct layout_binding *binding = &rewriter->groups->bindings[b];

			bound |= is_bound(plan, binding) && declares(binding, holder, source, i + 1);
		}
		end = i + 2;
		while (rewriter->purpose != REWRITE_COMPILE && edit_is(source, end, "=") && is_null(source, end + 1))
			end += 2;
		i = end - 2;
		if (edit_is(source, end, ";") || !edit_is(source, end, ","))
			return bound && edit_is(source, end, ";");
	}
	return false;
}

/* Why the member of a program that is written cannot get another type; NULL where it can. */
static const char *written_refusal(const struct rewriter *rewriter, const struct group_plan *plan,
                                   const struct layout_binding *binding)
{
	const struct record *holder;
	const struct member *member = device_held_member(binding, &holder);
	unsigned star;

	if (!member || member->is_inherited || range_is_empty(holder->range))
		return "its declaration is not part of the text; pass the pointer as a parameter of its own";
	if (strchr(holder->name, '<'))
		return "it is a member of a class template; pass the pointer as a parameter of its own to have the "
		       "program "
		       "rewritten";
	if (range_is_empty(pointee_words(rewriter, member, &star)) || !declares_bound(rewriter, plan, holder, star))
		return "it is not declared as a plain pointer, alone or with others to the same records; pass the "
		       "pointer as a "
		       "parameter of its own";
	return NULL;
}

/* Why code cannot be compiled with a proxy in the holder; NULL where it can. */
static const char *held_refusal(const struct rewriter *rewriter, const struct group_plan *plan,
                                const struct layout_binding *binding)
{
	const struct record *holder = holder_of(binding), *record = binding->group->record;
	const struct member *member = held_member(binding);
	unsigned star;

	if (plan->change == CHANGE_ALIGNMENT)
		return NULL;
	if (rewriter->purpose != REWRITE_COMPILE)
		return written_refusal(rewriter, plan, binding);
	if (plan->placement->layout->keeps_record || !member || member->is_inherited || range_is_empty(holder->range))
		return "its declaration is not part of the text; pass the pointer as a parameter of its own";
	if (range_is_empty(pointee_words(rewriter, member, &star)) || !declares_bound(rewriter, plan, holder, star))
		return "it is declared together with others; declare it alone";
	if (record->range.begin > holder->range.begin && !is_dependent(rewriter, binding))
		return "its record is defined behind it; define that before";
	return device_proxy_refusal(rewriter, plan);
}

static struct device_proxy *held_proxy(struct rewriter *rewriter, struct group_plan *plan,
                                       const struct layout_binding *binding)
{
	const struct record *holder = holder_of(binding), *record = plan->group->record;
	struct parameter as_pointer = {.is_const = is_const_member(held_member(binding))};
	struct kernel as_kernel = {.name = binding->kernel->name};
	struct layout_binding stands = *binding;
	struct device_proxy *proxy;
	unsigned position = holder->range.begin;

	stands.parameter = &as_pointer;
	stands.kernel = &as_kernel;
	if (record->range.begin > position)
		position = rewriter->source->tokens[edit_token_at(rewriter->source, record->range.end)].begin;
	as_kernel.definition.begin = position;
	proxy = (struct device_proxy *)device_proxy_find(rewriter, plan, &stands);
	proxy->is_held = true;
	plan->held_position = plan->is_held && plan->held_position < position ? plan->held_position : position;
	plan->is_held = true;
	return proxy;
}

/* The group's type has to be declared before the record that holds the pointer. */
static void held_declare_before(struct group_plan *plan, const struct layout_binding *binding)
{
	const struct record *holder;

	device_held_member(binding, &holder);
	plan->held_position =
		plan->is_held && plan->held_position < holder->range.begin ? plan->held_position : holder->range.begin;
	plan->is_held = true;
}

static bool has_held(const struct rewriter *rewriter)
{
	for (unsigned g = 0; g < rewriter->groups->count; g++)
		if (rewriter->group_plans[g].is_held)
			return true;
	return false;
}

void device_held_plan(struct rewriter *rewriter)
{
	for (unsigned b = 0; b < rewriter->groups->binding_count; b++) {
		const struct layout_binding *binding = &rewriter->groups->bindings[b];
		struct group_plan *plan = rewriter_group(rewriter, binding->group);
		const char *reason;

		if (!is_bound(plan, binding) || plan->change == CHANGE_NONE || plan->refused)
			continue;
		reason = held_refusal(rewriter, plan, binding);
		if (reason)
			diagnostics_report(rewriter->diagnostics, SEVERITY_NOTE, binding->parameter->place,
			                   "struct %s keeps its layout: kernel %s reaches it through the member %s of "
			                   "its parameter "
			                   "%s: %s",
			                   plan->group->name, binding->kernel->name, binding->leaf->path,
			                   binding->parameter->name, reason);
		plan->refused |= reason != NULL;
		if (!reason && plan->change == CHANGE_BUFFERS && rewriter->purpose == REWRITE_COMPILE)
			held_proxy(rewriter, plan, binding);
		else if (!reason && plan->change == CHANGE_BUFFERS)
			held_declare_before(plan, binding);
	}
	if (rewriter->purpose != REWRITE_COMPILE && has_held(rewriter))
		device_held_functions_plan(rewriter);
}

/* ---- the edits ------------------------------------------------------------------------------ */

/* Whether an earlier binding is of the same declaration. */
static bool was_declared(const struct rewriter *rewriter, unsigned binding)
{
	const struct layout_binding *own = &rewriter->groups->bindings[binding];

	for (unsigned b = 0; b < binding; b++) {
		const struct layout_binding *other = &rewriter->groups->bindings[b];

		if (is_bound(rewriter_group(rewriter, own->group), other) &&
		    held_member(other)->range.begin == held_member(own)->range.begin)
			return true;
	}
	return false;
}

static const struct device_proxy *proxy_of(const struct rewriter *rewriter, const struct group_plan *plan,
                                           bool is_const)
{
	for (unsigned i = 0; i < rewriter->proxy_count; i++)
		if (rewriter->proxies[i]->plan == plan && rewriter->proxies[i]->is_const == is_const &&
		    rewriter->proxies[i]->is_held)
			return rewriter->proxies[i];
	return NULL;
}

/* The name of what says what a member of a template is for each argument. */
static const char *trait_name(const struct rewriter *rewriter, const struct group_plan *plan)
{
	return rewriter_name(rewriter, arena_printf(rewriter->arena, "%s_held", plan->base));
}

/* Declares that before the first template that needs it. */
static void trait_insert(struct rewriter *rewriter, const struct group_plan *plan)
{
	const char *record = rewriter_record_name(rewriter, plan->group->record), *trait = trait_name(rewriter, plan);
	unsigned first = rewriter->source->length, place;
	struct text out = {0};

	for (unsigned b = 0; b < rewriter->groups->binding_count; b++) {
		const struct layout_binding *binding = &rewriter->groups->bindings[b];

		if (is_bound(plan, binding) && is_dependent(rewriter, binding) &&
		    holder_of(binding)->range.begin < first)
			first = holder_of(binding)->range.begin;
	}
	if (first == rewriter->source->length)
		return;
	if (plan->group->record->range.begin > first)
		text_printf(&out, "struct %s; ", rewriter_type_name(record));
	text_printf(&out, "template <typename T> struct %s { typedef T *pointer; };", trait);
	for (unsigned c = 0; c < 2; c++) {
		const struct device_proxy *proxy = proxy_of(rewriter, plan, c > 0);

		if (proxy)
			text_printf(&out, " struct %s; template <> struct %s<%s%s> { typedef %s pointer; };",
			            proxy->pointer_name, trait, c ? "const " : "", record, proxy->pointer_name);
	}
	text_puts(&out, "\n");
	place = device_place_before(rewriter->source, first);
	edit_add(&rewriter->edits, (struct range){place, place}, rewriter_block(rewriter, &out, place));
}

static void member_edit(struct rewriter *rewriter, const struct group_plan *plan, const struct layout_binding *binding)
{
	const struct edit_source *source = rewriter->source;
	const struct member *member = held_member(binding);
	const struct device_proxy *proxy = proxy_of(rewriter, plan, is_const_member(member));
	const char *type = proxy->pointer_name;
	unsigned star, name;
	struct range words = pointee_words(rewriter, member, &star);

	for (name = star + 1; edit_is(source, name + 1, ","); name += 3)
		edit_add(&rewriter->edits,
		         (struct range){source->tokens[name + 2].begin, source->tokens[name + 3].begin}, "");
	name = star + 1;
	if (is_dependent(rewriter, binding))
		type = arena_printf(rewriter->arena, "typename %s<%s>::pointer", trait_name(rewriter, plan),
		                    edit_copy(rewriter->arena, source, words));
	edit_add(&rewriter->edits, (struct range){words.begin, source->tokens[name].begin},
	         arena_printf(rewriter->arena, "%s ", type));
}

/* The types that a holder's methods and the file's functions spell for elements. */
static struct device_alias_types held_types(const struct rewriter *rewriter, const struct group_plan *plan,
                                            const struct layout_binding *binding)
{
	struct device_alias_types types = device_alias_types_of(rewriter, plan);
	const struct edit_source *source = rewriter->source;
	unsigned star;

	pointee_words(rewriter, held_member(binding), &star);
	if (is_dependent(rewriter, binding) && types.count < ARRAY_COUNT(types.names)) {
		types.references[types.count] = true;
		types.names[types.count++] =
			edit_copy(rewriter->arena, source,
		                  (struct range){source->tokens[star - 1].begin, source->tokens[star - 1].end});
	}
	return types;
}

/* Gives a method that returns a pointer or reference to an element the type of what it returns. */
static void method_result_edit(struct rewriter *rewriter, const struct function *function,
                               const struct device_alias_types *types)
{
	const struct edit_source *source = rewriter->source;
	unsigned first = edit_token_at(source, function->definition.begin), i = first, mark;

	for (; i < source->token_count && !edit_is(source, i, "(") && !edit_is(source, i, "operator"); i++)
		for (unsigned n = 0; n < types->count; n++) {
			if (!edit_is(source, i, types->names[n]))
				continue;
			mark = edit_is(source, i + 1, "const") ? i + 2 : i + 1;
			if (!edit_is(source, mark, "*") && !edit_is(source, mark, "&"))
				continue;
			first = i > first && edit_is(source, i - 1, "const") ? i - 1 : i;
			edit_add(&rewriter->edits,
			         (struct range){source->tokens[first].begin, source->tokens[mark].end},
			         edit_is(source, mark, "*") ? "auto " : "decltype(auto) ");
			return;
		}
}

/* Lets the methods of a holder hand on what stands for pointers and references to elements. */
static void methods_edit(struct rewriter *rewriter, const struct group_plan *plan, const struct layout_binding *binding)
{
	const struct edit_source *source = rewriter->source;
	struct device_alias_types types = held_types(rewriter, plan, binding);

	for (unsigned f = 0; f < rewriter->analysis->function_count; f++) {
		const struct function *function = &rewriter->analysis->functions[f];
		struct range body = edit_function_braces(source, function);

		if (!function->is_device || range_is_empty(body) ||
		    !range_contains(holder_of(binding)->range, function->definition))
			continue;
		method_result_edit(rewriter, function, &types);
		device_locals_edit(&rewriter->edits, edit_token_at(source, body.begin), edit_token_at(source, body.end),
		                   &types);
	}
}

/* Whether a function is a method of a record that holds pointers to the group. */
static bool is_of_holder(const struct rewriter *rewriter, const struct group_plan *plan,
                         const struct function *function)
{
	for (unsigned b = 0; b < rewriter->groups->binding_count; b++)
		if (is_bound(plan, &rewriter->groups->bindings[b]) &&
		    range_contains(holder_of(&rewriter->groups->bindings[b])->range, function->definition))
			return true;
	return false;
}

/* Lets the other functions of the device take them. */
static void functions_edit(struct rewriter *rewriter, const struct group_plan *plan)
{
	const struct edit_source *source = rewriter->source;
	struct device_alias_types types = device_alias_types_of(rewriter, plan);
	const char *reason;

	for (unsigned f = 0; f < rewriter->analysis->function_count; f++) {
		const struct function *function = &rewriter->analysis->functions[f];
		struct range body = edit_function_braces(source, function);

		if (!function->is_device || range_is_empty(body) || is_of_holder(rewriter, plan, function))
			continue;
		if (function->is_kernel || function->is_member)
			device_locals_edit(&rewriter->edits, edit_token_at(source, body.begin),
			                   edit_token_at(source, body.end), &types);
		else if (device_function_can_be_generic(rewriter, function, &types, &reason))
			device_function_edit(rewriter, function, &types);
	}
}

/* Whether no earlier binding is of the same record that holds pointers to the group. */
static bool is_first_of_holder(const struct rewriter *rewriter, const struct group_plan *plan, unsigned binding)
{
	const struct layout_binding *list = rewriter->groups->bindings;

	for (unsigned b = 0; b < binding; b++)
		if (is_bound(plan, &list[b]) &&
		    holder_of(&list[b])->range.begin == holder_of(&list[binding])->range.begin)
			return false;
	return true;
}

void device_held_edit(struct rewriter *rewriter)
{
	device_held_functions_edit(rewriter);
	if (rewriter->purpose != REWRITE_COMPILE)
		return;
	for (unsigned g = 0; g < rewriter->groups->count; g++) {
		const struct group_plan *plan = &rewriter->group_plans[g];

		if (!plan->is_held || !plan->used)
			continue;
		trait_insert(rewriter, plan);
		functions_edit(rewriter, plan);
		for (unsigned b = 0; b < rewriter->groups->binding_count; b++) {
			if (!is_bound(plan, &rewriter->groups->bindings[b]))
				continue;
			if (!was_declared(rewriter, b))
				member_edit(rewriter, plan, &rewriter->groups->bindings[b]);
			if (is_first_of_holder(rewriter, plan, b))
				methods_edit(rewriter, plan, &rewriter->groups->bindings[b]);
		}
	}
}
