/*
 * Mentions of a pointer that are more than an index: whole records copied, addresses and references of elements,
 * pointers passed to functions of the file, stepped, or computed with. They stay as they are written; a proxy
 * (proxies.c) stands for the pointer, and what it flows into takes any type (generic.c). What no proxy can stand for
 * is refused: casts, methods, sizes, functions whose text is elsewhere.
 */
#include "layouts/device/internal.h"

/* ---- functions ------------------------------------------------------------------------------ */

/* Index of the device function of that name in the analysis, or its function_count. */
static unsigned device_function(const struct rewriter *rewriter, const char *name, size_t length)
{
	unsigned f = 0;

	for (; f < rewriter->analysis->function_count; f++) {
		const struct function *function = &rewriter->analysis->functions[f];

		if (function->is_device && !function->is_kernel && strlen(function->name) == length &&
		    memcmp(function->name, name, length) == 0)
			break;
	}
	return f;
}

/* Index of the device function that token i calls, or function_count. */
static unsigned called_function(const struct rewriter *rewriter, unsigned i)
{
	const struct edit_token *token = &rewriter->source->tokens[i];

	if (token->kind != TOKEN_IDENTIFIER || !edit_is(rewriter->source, i + 1, "("))
		return rewriter->analysis->function_count;
	return device_function(rewriter, rewriter->source->text + token->begin, token->end - token->begin);
}

/* Whether a function has pointers or references of the types among its parameters. */
static bool takes_alias(const struct rewriter *rewriter, const struct function *function,
                        const struct device_alias_types *types)
{
	struct edit_function tokens;
	struct device_alias alias;

	if (!edit_function_read(rewriter->source, function, &tokens))
		return false;
	for (unsigned i = tokens.open + 1; i < tokens.close; i++)
		if (device_alias_read(rewriter->source, i, types, &alias))
			return true;
	return false;
}

static unsigned group_index(const struct rewriter *rewriter, const struct group_plan *plan)
{
	return (unsigned)(plan - rewriter->group_plans);
}

/* Marks a function, and those that it calls with such pointers, to become templates; false where one cannot. */
static bool function_mark(struct rewriter *rewriter, const struct group_plan *plan, unsigned f)
{
	struct device_alias_types types = device_alias_types_of(rewriter, plan);
	const struct function *function = &rewriter->analysis->functions[f];
	const struct edit_source *source = rewriter->source;
	struct range body = edit_function_braces(source, function);
	bool *generic = rewriter->generic[group_index(rewriter, plan)];
	const char *reason;
	bool good = true;

	if (generic[f])
		return true;
	if (!device_function_can_be_generic(rewriter, function, &types, &reason))
		return false;
	generic[f] = true;
	for (unsigned i = edit_token_at(source, body.begin);
	     i + 1 < source->token_count && source->tokens[i].begin < body.end; i++) {
		unsigned called = called_function(rewriter, i);

		if (called < rewriter->analysis->function_count &&
		    takes_alias(rewriter, &rewriter->analysis->functions[called], &types))
			good &= function_mark(rewriter, plan, called);
	}
	generic[f] = good;
	return good;
}

/* Whether the argument at that place is a pointer or reference parameter of a function that can become a template. */
static bool argument_can_stay(struct rewriter *rewriter, const struct group_plan *plan, struct range range)
{
	const struct edit_source *source = rewriter->source;
	struct device_alias_types types = device_alias_types_of(rewriter, plan);
	struct edit_call call;
	unsigned f;

	if (range_is_empty(range) || !edit_call_around(source, range, &call))
		return false;
	f = device_function(rewriter, source->text + call.name.begin, call.name.end - call.name.begin);
	return f < rewriter->analysis->function_count &&
	       takes_alias(rewriter, &rewriter->analysis->functions[f], &types) && function_mark(rewriter, plan, f);
}

/* ---- where local pointers go ---------------------------------------------------------------------- */

/* The pointers that a proxy stands for: a parameter, and the local pointers and references made of it. */
struct flow {
	struct rewriter *rewriter;
	const struct group_plan *plan;
	const char **names;
	unsigned count;
	bool good;
};

/* Index of the name that token i spells, or the count. */
static unsigned flow_find(const struct flow *flow, unsigned i)
{
	unsigned n = 0;

	while (n < flow->count && !edit_is(flow->rewriter->source, i, flow->names[n]))
		n++;
	return n;
}

/* Adds the local pointer or reference declared at token i where its value mentions a name that is known already. */
static void flow_declare(struct flow *flow, unsigned i, const struct device_alias_types *types)
{
	const struct edit_source *source = flow->rewriter->source;
	struct device_alias alias;

	if (!device_alias_read(source, i, types, &alias) || !alias.is_named || !edit_is(source, alias.name + 1, "="))
		return;
	for (unsigned t = alias.name + 2; t < source->token_count && !edit_is(source, t, ";"); t++)
		if (flow_find(flow, t) < flow->count) {
			ARENA_PUSH(flow->rewriter->arena, flow->names, flow->count,
			           edit_copy(flow->rewriter->arena, source,
			                     (struct range){source->tokens[alias.name].begin,
			                                    source->tokens[alias.name].end}));
			return;
		}
}

/* Whether token i is an argument, or the sum in one, as it stands, or what begins one that is a member: `f(q, p + 1,
 * p->w)`, not `f(q->x * 2)`. */
static bool is_bare_argument(const struct edit_source *source, unsigned i)
{
	bool begins = edit_is(source, i - 1, "(") || edit_is(source, i - 1, ",");

	while (edit_is(source, i + 1, ".") || edit_is(source, i + 1, "->"))
		i += 2;
	return begins && (edit_is(source, i + 1, ")") || edit_is(source, i + 1, ",") || edit_is(source, i + 1, "+") ||
	                  edit_is(source, i + 1, "-"));
}

/* Marks the function that gets the pointer at token i; notes that it cannot be. */
static void flow_pass(struct flow *flow, unsigned i, const struct device_alias_types *types)
{
	const struct edit_source *source = flow->rewriter->source;
	struct range name = {source->tokens[i].begin, source->tokens[i].end};
	struct edit_call call;
	unsigned f;

	if (flow_find(flow, i) == flow->count || !is_bare_argument(source, i) || !edit_call_around(source, name, &call))
		return;
	f = called_function(flow->rewriter, edit_token_at(source, call.name.begin));
	if (f < flow->rewriter->analysis->function_count &&
	    takes_alias(flow->rewriter, &flow->rewriter->analysis->functions[f], types))
		flow->good &= function_mark(flow->rewriter, flow->plan, f);
}

bool device_locals_mark(struct rewriter *rewriter, const struct kernel_plan *kernel, unsigned parameter)
{
	const struct edit_source *source = rewriter->source;
	struct flow flow = {.rewriter = rewriter, .plan = kernel->proxies[parameter]->plan, .good = true};
	struct device_alias_types types = device_alias_types_of(rewriter, flow.plan);

	ARENA_PUSH(rewriter->arena, flow.names, flow.count, kernel->kernel->parameters[parameter].name);
	for (unsigned i = edit_token_at(source, kernel->kernel->body.begin);
	     i + 1 < source->token_count && source->tokens[i].begin < kernel->kernel->body.end; i++) {
		flow_declare(&flow, i, &types);
		flow_pass(&flow, i, &types);
	}
	return flow.good;
}

/* ---- mentions ----------------------------------------------------------------------------------- */

/* Whether the mention is, or begins, the value of a local pointer or reference to the types: `point *q = p + 1`. */
static bool initialises_alias(const struct rewriter *rewriter, const struct group_plan *plan, struct range range)
{
	const struct edit_source *source = rewriter->source;
	struct device_alias_types types = device_alias_types_of(rewriter, plan);
	unsigned i = edit_token_at(source, range.begin);

	while (i > 0 && !edit_is(source, i, ";") && !edit_is(source, i, "{") && !edit_is(source, i, "}")) {
		struct device_alias alias;

		if (device_alias_read(source, i, &types, &alias))
			return true;
		i--;
	}
	return false;
}

static bool is_null(const struct edit_source *source, unsigned i)
{
	return edit_is(source, i, "NULL") || edit_is(source, i, "nullptr") || edit_is(source, i, "0");
}

/* Whether the pointer at that range is an operand of + or -, or compared with another pointer. */
static bool is_pointer_operand(const struct edit_source *source, struct range range)
{
	static const char *const operators[] = {"+", "-", "<", "==", "!=", "+=", "-="};
	unsigned i = edit_token_at(source, range.begin);

	if (range_is_empty(range) || i == 0)
		return false;
	for (unsigned o = 0; o < ARRAY_COUNT(operators); o++) {
		if (edit_is(source, i + 1, operators[o]))
			return !is_null(source, i + 2) || o < 2;
		if (edit_is(source, i - 1, operators[o]))
			return i < 2 || !is_null(source, i - 2) || o < 2;
	}
	return false;
}

/* Whether the mention is part of a call's arguments. */
static bool is_in_call(const struct rewriter *rewriter, struct range range)
{
	static const char *const keywords[] = {"if", "while", "for", "switch", "return"};
	struct edit_call call;
	bool keyword = false;

	if (range_is_empty(range) || !edit_call_around(rewriter->source, range, &call))
		return false;
	for (unsigned k = 0; k < ARRAY_COUNT(keywords); k++)
		keyword |= edit_range_is(rewriter->source, call.name, keywords[k]);
	return !keyword;
}

/* Whether the definition of a macro, `X(r, i) ((r)->x[i])`, takes members out of its parameter of that position, no
 * more. */
static bool definition_takes_members(const struct edit_source *definition, unsigned position)
{
	struct range parameters[EDIT_CALL_ARGUMENTS];
	unsigned close = definition->tokens[1].match;

	if (position >= edit_list_split(definition, 1, parameters, ARRAY_COUNT(parameters)))
		return false;
	for (unsigned i = close + 1; i < definition->token_count; i++) {
		struct range word = {definition->tokens[i].begin, definition->tokens[i].end};
		unsigned begin = i, end = i + 1;

		if (word.end - word.begin != parameters[position].end - parameters[position].begin ||
		    memcmp(definition->text + word.begin, definition->text + parameters[position].begin,
		           word.end - word.begin) != 0)
			continue;
		for (; edit_is(definition, end, ")") && begin > close + 1 && edit_is(definition, begin - 1, "(");
		     begin--)
			end++;
		if (!edit_is(definition, end, "->"))
			return false;
	}
	return true;
}

/* Whether the address of the element is an argument of a macro that takes members out of it, `X(&p[i])`. */
static bool macro_can_stay(const struct rewriter *rewriter, const struct reference *reference)
{
	const struct edit_source *source = rewriter->source;
	unsigned first = edit_token_at(source, reference->whole.begin) - 1, position = 0;
	struct edit_call call;
	bool found = false;

	if (!edit_is(source, first, "&") || !edit_call_around(source, reference->whole, &call))
		return false;
	while (position < call.argument_count && call.arguments[position].end != reference->whole.end)
		position++;
	if (position == call.argument_count || call.arguments[position].begin != source->tokens[first].begin)
		return false;
	for (unsigned i = 0; i < source->token_count; i++) {
		const char *text = source->text + source->tokens[i].begin, *define = strstr(text, "define");
		const struct edit_source *definition;

		if (!edit_is_directive(source, i, "define"))
			continue;
		define += strlen("define");
		definition = edit_source_read(rewriter->arena, define,
		                              (size_t)(source->text + source->tokens[i].end - define));
		if (!edit_is(definition, 0, edit_copy(rewriter->arena, source, call.name)) ||
		    !edit_is(definition, 1, "("))
			continue;
		found = definition_takes_members(definition, position);
		if (!found)
			return false;
	}
	return found;
}

/* Whether the address of the element, `&p[i]`, goes where a proxy can go. */
static bool address_can_stay(struct rewriter *rewriter, const struct group_plan *plan,
                             const struct reference *reference)
{
	return initialises_alias(rewriter, plan, reference->whole) ||
	       argument_can_stay(rewriter, plan, reference->whole) || macro_can_stay(rewriter, reference);
}

/* A whole element, or a record in it. */
static bool element_can_stay(struct rewriter *rewriter, const struct group_plan *plan,
                             const struct reference *reference)
{
	unsigned behind = edit_token_at(rewriter->source, reference->whole.end);

	if (edit_is(rewriter->source, behind, ".") || edit_is(rewriter->source, behind, "->"))
		return false;
	if (edit_is(rewriter->source, behind, "="))
		return true;
	if (!reference->leaf && plan->group->record &&
	    !device_reference_part(rewriter->arena, rewriter->source, reference, plan->group->record).record)
		return plan->placement->tile == 1 || argument_can_stay(rewriter, plan, reference->whole);
	if (reference->leaf && plan->group->form == FORM_STRUCT)
		return !reference->address_taken &&
		       (reference->index_has_side_effects || !plan->placement->layout->repeats_index);
	return !reference->address_taken || address_can_stay(rewriter, plan, reference);
}

/* The pointer itself, by what the analysis says is done with it. */
static bool pointer_can_stay(struct rewriter *rewriter, const struct group_plan *plan,
                             const struct reference *reference, bool *stepped)
{
	const char *reason = reference->reason ? reference->reason : "";

	if (strncmp(reason, "passed to '", 11) == 0)
		return argument_can_stay(rewriter, plan, reference->whole);
	if (strcmp(reason, "the pointer is copied") == 0)
		return initialises_alias(rewriter, plan, reference->whole);
	if (strcmp(reason, "the pointer is stepped") == 0 || strcmp(reason, "the pointer is changed") == 0 ||
	    strcmp(reason, "the pointer is captured") == 0) {
		*stepped = true;
		return true;
	}
	if (strcmp(reason, "the pointer is computed with or compared") == 0)
		return is_pointer_operand(rewriter->source, reference->whole) &&
		       (!is_in_call(rewriter, reference->whole) || argument_can_stay(rewriter, plan, reference->whole));
	return strcmp(reason, "it is spelled by a macro") == 0 ||
	       strcmp(reason, "its index is spelled by a macro") == 0 ||
	       strcmp(reason, "its member is spelled by a macro") == 0 || strcmp(reason, "an array of arrays") == 0;
}

bool device_mention_can_stay(struct rewriter *rewriter, const struct kernel_plan *plan,
                             const struct reference *reference, bool *stepped)
{
	const struct group_plan *group = rewriter_binding_change(rewriter, plan->bindings[reference->parameter->index]);

	if (device_proxy_refusal(rewriter, group))
		return false;
	if (reference->kind == REFERENCE_ELEMENT && !reference->reason)
		return element_can_stay(rewriter, group, reference);
	return pointer_can_stay(rewriter, group, reference, stepped);
}

/* ---- edits ---------------------------------------------------------------------------------------- */

/* Whether a kernel has a proxy for the group. */
static bool has_proxy(const struct kernel_plan *plan, const struct group_plan *group)
{
	for (unsigned p = 0; plan->changed && p < plan->kernel->parameter_count; p++)
		if (plan->proxies[p] && plan->proxies[p]->plan == group)
			return true;
	return false;
}

/* Writes the address of an element of a separate array, `&a[e]`, as the proxy's sum `a + (e)`. */
static void address_write(struct text *out, const struct edits *edits, const struct edit *edit)
{
	const struct reference *reference = edit->context;
	const char *index = "0";

	if (!range_is_empty(reference->index))
		index = edit_render_copy(edits, reference->index, edit);
	text_printf(out, edit_is_primary(index) ? "(%s + %s)" : "(%s + (%s))", reference->parameter->name, index);
}

/* Rewrites addresses of elements of separate arrays. */
static void addresses_edit(struct rewriter *rewriter, const struct kernel_plan *plan)
{
	for (unsigned r = 0; r < plan->kernel->reference_count; r++) {
		const struct reference *reference = &plan->kernel->references[r];
		const struct device_proxy *proxy = plan->proxies[reference->parameter->index];
		unsigned i = edit_token_at(rewriter->source, reference->whole.begin);

		if (!proxy || proxy->plan->group->form != FORM_ARRAYS || reference->kind != REFERENCE_ELEMENT ||
		    !reference->address_taken || i == 0 || !edit_is(rewriter->source, i - 1, "&") ||
		    (device_reference_is_direct(rewriter, proxy->plan, plan->kernel, reference) &&
		     !plan->is_indirect[reference->parameter->index]))
			continue;
		edit_add_writer(&rewriter->edits,
		                (struct range){rewriter->source->tokens[i - 1].begin, reference->whole.end},
		                address_write, reference);
	}
}

/* `auto q = p[i]` would be the proxy itself: writes the record's name, so that it stays a copy. */
static void copies_edit(struct rewriter *rewriter, const struct kernel_plan *plan)
{
	const struct edit_source *source = rewriter->source;

	for (unsigned r = 0; r < plan->kernel->reference_count; r++) {
		const struct reference *reference = &plan->kernel->references[r];
		const struct device_proxy *proxy = plan->proxies[reference->parameter->index];
		const struct record *record;
		unsigned i = edit_token_at(source, reference->whole.begin);

		if (!proxy || reference->leaf || !proxy->plan->group->record || i < 3 || !edit_is(source, i - 1, "=") ||
		    !edit_is(source, i - 3, "auto"))
			continue;
		record = device_reference_part(rewriter->arena, source, reference, proxy->plan->group->record).record;
		if (!record)
			continue;
		edit_add(&rewriter->edits, (struct range){source->tokens[i - 3].begin, source->tokens[i - 3].end},
		         rewriter_record_name(rewriter, record));
	}
}

/* The types of all groups that a kernel has proxies for. */
static struct device_alias_types kernel_types(const struct rewriter *rewriter, const struct kernel_plan *plan)
{
	struct device_alias_types types = {0};

	for (unsigned g = 0; g < rewriter->groups->count; g++)
		if (has_proxy(plan, &rewriter->group_plans[g]))
			device_alias_types_add(&types, rewriter, &rewriter->group_plans[g]);
	return types;
}

/* Edits the local pointers and references of the first kernel of each text that has proxies. */
static void kernels_locals_edit(struct rewriter *rewriter)
{
	const struct kernel *done = NULL;

	for (unsigned k = 0; k < rewriter->analysis->kernel_count; k++) {
		const struct kernel_plan *plan = &rewriter->kernel_plans[k];
		struct device_alias_types types = kernel_types(rewriter, plan);

		if (types.count == 0 || (done && layout_kernels_share_text(done, plan->kernel)))
			continue;
		done = plan->kernel;
		device_locals_edit(&rewriter->edits, edit_token_at(rewriter->source, plan->kernel->body.begin),
		                   edit_token_at(rewriter->source, plan->kernel->body.end), &types);
		copies_edit(rewriter, plan);
		device_members_edit(rewriter, plan->kernel->body);
		addresses_edit(rewriter, plan);
	}
}

/* Whether a changed kernel has a proxy for the group. */
static bool is_needed(const struct rewriter *rewriter, const struct group_plan *group)
{
	for (unsigned k = 0; k < rewriter->analysis->kernel_count; k++)
		if (has_proxy(&rewriter->kernel_plans[k], group))
			return true;
	return false;
}

/* Makes a function a template over the pointers of all groups that need it. */
static void generic_edit(struct rewriter *rewriter, unsigned f)
{
	struct device_alias_types types = {0};

	for (unsigned g = 0; g < rewriter->groups->count; g++)
		if (rewriter->generic[g][f] && is_needed(rewriter, &rewriter->group_plans[g]))
			device_alias_types_add(&types, rewriter, &rewriter->group_plans[g]);
	if (types.count > 0)
		device_function_edit(rewriter, &rewriter->analysis->functions[f], &types);
}

void device_indirect_edit(struct rewriter *rewriter)
{
	device_loaders_edit(rewriter);
	device_held_edit(rewriter);
	device_proxies_edit(rewriter);
	kernels_locals_edit(rewriter);
	for (unsigned f = 0; f < rewriter->analysis->function_count; f++)
		generic_edit(rewriter, f);
}
