/*
 * Pointers and references to records in device code, found by their tokens: local ones become `auto`, and functions
 * that take them become templates, so that the same text works on real pointers and on the proxies that stand for
 * them.
 */
#include "layouts/device/internal.h"

/* ---- declarations ------------------------------------------------------------------------- */

static void name_add(struct device_alias_types *types, const char *name, bool references)
{
	if (types->count == ARRAY_COUNT(types->names))
		return;
	types->references[types->count] = references;
	types->names[types->count++] = name;
}

/* Adds a field's type, by its own name too where the file has another for it. */
static void field_names(struct device_alias_types *types, const struct layout_field *field)
{
	name_add(types, field->type, false);
	if (field->leaf && strcmp(field->leaf->type.spelling, field->type) != 0)
		name_add(types, field->leaf->type.spelling, false);
}

/* Adds a record's name, and those of the records in it. */
static void record_names(struct device_alias_types *types, const struct record *record)
{
	name_add(types, strrchr(record->name, ':') ? strrchr(record->name, ':') + 1 : record->name, true);
	for (unsigned m = 0; m < record->member_count; m++)
		if (record_inside(&record->members[m]))
			record_names(types, record->members[m].type.record);
}

/* The type as the first parameter that is bound to the group spells it: typedefs and macros too. */
static const char *spelled_type(const struct rewriter *rewriter, const struct group_plan *plan)
{
	const struct edit_source *source = rewriter->source;

	for (unsigned b = 0; b < rewriter->groups->binding_count; b++) {
		const struct parameter *parameter = rewriter->groups->bindings[b].parameter;
		unsigned i = edit_token_at(source, parameter->range.begin);

		if (rewriter->groups->bindings[b].group != plan->group)
			continue;
		while (edit_is(source, i, "const") || edit_is(source, i, "struct"))
			i++;
		if (i < source->token_count && edit_is(source, i + 1, "*"))
			return edit_copy(rewriter->arena, source,
			                 (struct range){source->tokens[i].begin, source->tokens[i].end});
	}
	return NULL;
}

/* Whether member arrays of a group of tiles, in which they are no arrays, are arguments of functions by the text:
 * `f(p->w)`. */
static bool is_passed(const struct edit_source *source, const struct layout_field *field)
{
	const char *name = strrchr(field->path, '.') ? strrchr(field->path, '.') + 1 : field->path;

	for (unsigned i = 1; field->dimension_count == 1 && i < source->token_count; i++)
		if (edit_is(source, i, name) && (edit_is(source, i - 1, ".") || edit_is(source, i - 1, "->")) &&
		    (edit_is(source, i + 1, ",") || edit_is(source, i + 1, ")")))
			return true;
	return false;
}

void device_alias_types_add(struct device_alias_types *types, const struct rewriter *rewriter,
                            const struct group_plan *plan)
{
	const char *spelled = spelled_type(rewriter, plan);
	bool references = plan->group->form == FORM_STRUCT;

	if (spelled)
		name_add(types, spelled, references);
	if (plan->group->record)
		record_names(types, plan->group->record);
	for (unsigned f = 0; f < plan->group->field_count; f++)
		if (plan->group->form == FORM_ARRAYS ||
		    (plan->placement->tile > 1 && is_passed(rewriter->source, &plan->group->fields[f])))
			field_names(types, &plan->group->fields[f]);
}

struct device_alias_types device_alias_types_of(const struct rewriter *rewriter, const struct group_plan *plan)
{
	struct device_alias_types types = {0};

	device_alias_types_add(&types, rewriter, plan);
	return types;
}

/* Whether token i names one of the types, and whether references to it count; of `auto`, to any. */
static bool is_type_name(const struct edit_source *source, unsigned i, const struct device_alias_types *types,
                         bool *references)
{
	bool is_auto = edit_is(source, i, "auto"), found = is_auto;

	*references = false;
	for (unsigned n = 0; n < types->count; n++)
		if (is_auto || edit_is(source, i, types->names[n])) {
			*references |= types->references[n];
			found = true;
		}
	return found;
}

/* Whether token i ends what may stand before a declaration. */
static bool is_boundary(const struct edit_source *source, unsigned i)
{
	static const char *const boundaries[] = {";", "{", "}", "(", ",", ":", "static"};

	for (unsigned b = 0; b < ARRAY_COUNT(boundaries); b++)
		if (edit_is(source, i, boundaries[b]))
			return true;
	return source->tokens[i].kind == TOKEN_DIRECTIVE;
}

bool device_alias_read(const struct edit_source *source, unsigned i, const struct device_alias_types *types,
                       struct device_alias *alias)
{
	bool references;

	*alias = (struct device_alias){.first = i};
	if (i == 0 || !is_boundary(source, i - 1))
		return false;
	for (; edit_is(source, i, "const") || edit_is(source, i, "struct"); i++)
		alias->is_const |= edit_is(source, i, "const");
	while (edit_is(source, i + 1, "::"))
		i += 2;
	if (!is_type_name(source, i++, types, &references))
		return false;
	for (; edit_is(source, i, "const"); i++)
		alias->is_const = true;
	alias->is_reference = edit_is(source, i, "&") || edit_is(source, i, "&&");
	if (alias->is_reference ? !references : !edit_is(source, i, "*"))
		return false;
	for (i++; edit_is(source, i, "const") || edit_is(source, i, "__restrict__") ||
	          edit_is(source, i, "__restrict") || edit_is(source, i, "restrict");)
		i++;
	alias->name = i;
	alias->is_named = i < source->token_count && source->tokens[i].kind == TOKEN_IDENTIFIER;
	return alias->is_named || edit_is(source, i, ",") || edit_is(source, i, ")");
}

/* ---- local variables -------------------------------------------------------------------------- */

/*
 * Index of the first token behind an initialiser that begins at i: a comma, semicolon or closing parenthesis at depth
 * 0.
 */
static unsigned initialiser_end(const struct edit_source *source, unsigned i)
{
	while (i < source->token_count && !edit_is(source, i, ",") && !edit_is(source, i, ";") &&
	       !edit_is(source, i, ")"))
		i = source->tokens[i].match > i ? source->tokens[i].match + 1 : i + 1;
	return i;
}

/*
 * The name of the pointer that a local pointer declared without a value, its name at a token, is first set to by `first
 * = from;`: its type is the other's. EDIT_NO_TOKEN where it is set otherwise, or to what is not known where it is
 * declared.
 */
static unsigned set_later_to(const struct edit_source *source, unsigned name)
{
	struct range declared = {source->tokens[name].begin, source->tokens[name].end};
	const char *text = source->text;
	unsigned end, first = edit_token_at(source, edit_outermost(source, declared.begin)), i = name + 1, to;

	if (source->tokens[name].brace == EDIT_NO_TOKEN)
		return EDIT_NO_TOKEN;
	for (end = source->tokens[source->tokens[name].brace].match; i < end; i++)
		if (source->tokens[i].end - source->tokens[i].begin == declared.end - declared.begin &&
		    memcmp(text + source->tokens[i].begin, text + declared.begin, declared.end - declared.begin) == 0)
			break;
	to = i + 2;
	if (i >= end || !edit_is(source, i + 1, "=") || source->tokens[to].kind != TOKEN_IDENTIFIER ||
	    !edit_is(source, to + 1, ";"))
		return EDIT_NO_TOKEN;
	for (; first < name; first++)
		if (source->tokens[first].kind == TOKEN_IDENTIFIER &&
		    source->tokens[first].end - source->tokens[first].begin ==
		            source->tokens[to].end - source->tokens[to].begin &&
		    memcmp(text + source->tokens[first].begin, text + source->tokens[to].begin,
		           source->tokens[to].end - source->tokens[to].begin) == 0)
			return to;
	return EDIT_NO_TOKEN;
}

/* Whether a declarator is the last one, without a value, of a pointer whose type follows from what it is set to. */
static bool is_set_later(const struct edit_source *source, const struct device_alias *alias, unsigned name)
{
	return !alias->is_reference && edit_is(source, name + 1, ";") && set_later_to(source, name) != EDIT_NO_TOKEN;
}

/* Whether all declarators of a local declaration have values and the same form. */
static bool declarators_check(const struct edit_source *source, const struct device_alias *alias, const char **reason)
{
	for (unsigned i = alias->name;;) {
		if (edit_is(source, i + 1, ":") || is_set_later(source, alias, i))
			return true;
		if (source->tokens[i].kind != TOKEN_IDENTIFIER || !edit_is(source, i + 1, "=")) {
			*reason = "a local pointer or reference is declared without a value";
			return false;
		}
		i = initialiser_end(source, i + 2);
		if (!edit_is(source, i, ","))
			return true;
		if (!edit_is(source, ++i, alias->is_reference ? "&" : "*")) {
			*reason = "a pointer or reference is declared together with something else";
			return false;
		}
		i++;
	}
}

/* Whether the declaration is inside the parentheses of a function pointer, a cast or a declaration of parameters. */
static bool is_local(const struct edit_source *source, const struct device_alias *alias)
{
	unsigned before = alias->first - 1;

	if (edit_is(source, before, ","))
		return false;
	if (edit_is(source, before, "(") || edit_is(source, before, "<"))
		return edit_is(source, before - 1, "for");
	return alias->is_named;
}

bool device_locals_can_be_auto(const struct edit_source *source, unsigned begin, unsigned end,
                               const struct device_alias_types *types, const char **reason)
{
	for (unsigned i = begin; i < end; i++) {
		struct device_alias alias;

		if (!device_alias_read(source, i, types, &alias) || !is_local(source, &alias))
			continue;
		if (!declarators_check(source, &alias, reason))
			return false;
		*reason = "the size or type of what a local pointer or reference names is asked for";
		if (device_alias_is_unevaluated(source, &alias, begin, end))
			return false;
	}
	return true;
}

/* The text that declares a pointer of the type of what it is set to: "decltype(from) ". */
static const char *later_type(const struct edits *edits, unsigned name)
{
	const struct edit_token *to = &edits->source->tokens[set_later_to(edits->source, name)];

	return arena_printf(edits->arena, "decltype(%.*s) ", (int)(to->end - to->begin),
	                    edits->source->text + to->begin);
}

/* Replaces the specifiers of a local declaration, and the stars or ampersands of its further declarators. */
static void local_edit(struct edits *edits, const struct device_alias *alias)
{
	const struct edit_source *source = edits->source;
	struct range specifiers = {source->tokens[alias->first].begin, source->tokens[alias->name].begin};
	const char *ampersand = alias->is_const ? "&" : "&&";

	if (alias->is_reference)
		edit_add(edits, specifiers, alias->is_const ? "const auto &" : "auto &&");
	else
		edit_add(edits, specifiers,
		         is_set_later(source, alias, alias->name) ? later_type(edits, alias->name) : "auto ");
	for (unsigned i = alias->name; !edit_is(source, i + 1, ":") && !is_set_later(source, alias, i);) {
		struct range mark;

		i = initialiser_end(source, i + 2);
		if (!edit_is(source, i, ","))
			return;
		i += 2;
		mark = (struct range){source->tokens[i - 1].begin, source->tokens[i].begin};
		if (is_set_later(source, alias, i)) {
			mark.begin = source->tokens[i - 2].begin;
			edit_add(edits, mark, arena_printf(edits->arena, "; %s", later_type(edits, i)));
		} else {
			edit_add(edits, mark, alias->is_reference ? ampersand : "");
		}
	}
}

void device_locals_edit(struct edits *edits, unsigned begin, unsigned end, const struct device_alias_types *types)
{
	for (unsigned i = begin; i < end; i++) {
		struct device_alias alias;

		if (device_alias_read(edits->source, i, types, &alias) && is_local(edits->source, &alias))
			local_edit(edits, &alias);
	}
}

/* ---- functions ------------------------------------------------------------------------------------ */

/* Whether another function or kernel of the file has the name. */
static bool is_overloaded(const struct rewriter *rewriter, const struct function *function)
{
	for (unsigned f = 0; f < rewriter->analysis->function_count; f++) {
		const struct function *other = &rewriter->analysis->functions[f];

		if (other->definition.begin != function->definition.begin && strcmp(other->name, function->name) == 0)
			return true;
	}
	return false;
}

bool device_function_can_be_generic(const struct rewriter *rewriter, const struct function *function,
                                    const struct device_alias_types *types, const char **reason)
{
	const struct edit_source *source = rewriter->source;
	struct edit_function tokens;
	unsigned end = edit_token_at(source, edit_function_braces(source, function).end);

	*reason = arena_printf(rewriter->arena, "passed to '%s', which cannot become a template", function->name);
	if (!edit_function_read(source, function, &tokens) || is_overloaded(rewriter, function) ||
	    function->is_member || strncmp(function->name, "operator", 8) == 0)
		return false;
	for (unsigned i = tokens.open + 1; i < tokens.close; i++) {
		struct device_alias alias;

		if (!device_alias_read(source, i, types, &alias))
			continue;
		if (!alias.is_named || edit_is(source, alias.name + 1, "=") || edit_is(source, alias.name + 1, "[") ||
		    device_alias_is_unevaluated(source, &alias, tokens.close + 1, end))
			return false;
	}
	return device_locals_can_be_auto(source, tokens.close + 1, end, types, reason);
}

/* The template parameter that stands for a parameter's type. */
static const char *parameter_type(const struct rewriter *rewriter, const char *name)
{
	return rewriter_name(rewriter, arena_printf(rewriter->arena, "%s_type", name));
}

/*
 * Writes the template parameters for the pointers and references among a definition's parameters: "typename p_type,
 * typename q_type".
 */
static const char *template_parameters(const struct rewriter *rewriter, const struct edit_function *tokens,
                                       const struct device_alias_types *types)
{
	const struct edit_source *source = rewriter->source;
	const char *list = NULL;

	for (unsigned i = tokens->open + 1; i < tokens->close; i++) {
		struct device_alias alias;
		const char *type;

		if (!device_alias_read(source, i, types, &alias))
			continue;
		type = parameter_type(rewriter, edit_copy(rewriter->arena, source,
		                                          (struct range){source->tokens[alias.name].begin,
		                                                         source->tokens[alias.name].end}));
		list = list ? arena_printf(rewriter->arena, "%s, typename %s", list, type)
		            : arena_printf(rewriter->arena, "typename %s", type);
		i = alias.name;
	}
	return list;
}

/* Adds template parameters to the declaration that begins at token `first`: to its own list, or as a new one. */
static void template_edit(struct rewriter *rewriter, unsigned first, const char *list)
{
	const struct edit_source *source = rewriter->source;
	unsigned depth = 0, i = first + 1;
	struct range place = {source->tokens[first].begin, source->tokens[first].begin};

	if (!edit_is(source, first, "template")) {
		edit_add(&rewriter->edits, place,
		         arena_printf(rewriter->arena, "template <%s>%s", list,
		                      rewriter->purpose != REWRITE_COMPILE ? "\n" : " "));
		return;
	}
	do {
		depth += edit_is(source, i, "<");
		depth -= edit_is(source, i, ">");
		i++;
	} while (depth > 0 && i < source->token_count);
	place.begin = place.end = source->tokens[i - 1].begin;
	edit_add(&rewriter->edits, place, arena_printf(rewriter->arena, ", %s", list));
}

/* Replaces the types of pointers and references in a parameter list, given the definition's, whose names count. */
static void parameters_edit(struct rewriter *rewriter, const struct edit_function *tokens, unsigned open,
                            const struct device_alias_types *types)
{
	const struct edit_source *source = rewriter->source;
	unsigned close = source->tokens[open].match, defined = tokens->open + 1;

	for (unsigned i = open + 1; i < close; i++) {
		struct device_alias alias, named;
		const char *type;

		if (!device_alias_read(source, i, types, &alias))
			continue;
		while (defined < tokens->close && !device_alias_read(source, defined, types, &named))
			defined++;
		if (defined >= tokens->close)
			return;
		defined++;
		type = parameter_type(rewriter, edit_copy(rewriter->arena, source,
		                                          (struct range){source->tokens[named.name].begin,
		                                                         source->tokens[named.name].end}));
		if (alias.is_reference)
			type = arena_printf(rewriter->arena, alias.is_const ? "const %s &" : "%s &&", type);
		else
			type = arena_printf(rewriter->arena, alias.is_named ? "%s " : "%s", type);
		edit_add(&rewriter->edits,
		         (struct range){source->tokens[alias.first].begin,
		                        alias.is_named ? source->tokens[alias.name].begin
		                                       : source->tokens[alias.name - 1].end},
		         type);
		i = alias.name;
	}
}

/* A returned pointer or reference gets the type of what is returned. */
static void result_edit(struct rewriter *rewriter, unsigned first, unsigned name,
                        const struct device_alias_types *types)
{
	const struct edit_source *source = rewriter->source;

	for (unsigned i = first; i < name; i++) {
		unsigned type = i;
		bool references;

		while (edit_is(source, type, "const") || edit_is(source, type, "struct"))
			type++;
		if (!is_type_name(source, type, types, &references) || type + 2 != name)
			continue;
		if (edit_is(source, type + 1, "*") || edit_is(source, type + 1, "&"))
			edit_add(&rewriter->edits,
			         (struct range){source->tokens[i].begin, source->tokens[type + 1].end},
			         edit_is(source, type + 1, "*") ? "auto " : "decltype(auto) ");
		return;
	}
}

void device_function_edit(struct rewriter *rewriter, const struct function *function,
                          const struct device_alias_types *types)
{
	const struct edit_source *source = rewriter->source;
	struct edit_function tokens;
	const char *list;

	if (!edit_function_read(source, function, &tokens))
		bug("a generic function that cannot be read");
	list = template_parameters(rewriter, &tokens, types);
	for (unsigned i = 0; list && i + 1 < source->token_count; i++) {
		if (i != tokens.name && !edit_function_is_prototype(rewriter->source, rewriter->analysis, function, i))
			continue;
		template_edit(rewriter, edit_declaration_first(source, i), list);
		parameters_edit(rewriter, &tokens, i + 1, types);
		result_edit(rewriter, edit_declaration_first(source, i), i, types);
	}
	device_locals_edit(&rewriter->edits, tokens.close + 1,
	                   edit_token_at(source, edit_function_braces(source, function).end), types);
	device_members_edit(rewriter, edit_function_braces(source, function));
}
