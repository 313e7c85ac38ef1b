/*
 * What the text says about records: their definitions, in the file or in the header that has them, about making one and
 * about its methods; functions that take one, about what they do with it.
 */
#include "layouts/device/internal.h"

/* The tokens of a record's definition: from its keyword to its closing brace. */
struct definition {
	const struct edit_source *source;
	unsigned keyword, open, close;
};

/* Offset of a line and column, both from 1. */
static unsigned offset_of(const struct edit_source *source, unsigned line, unsigned column)
{
	unsigned offset = 0;

	for (; offset < source->length && line > 1; offset++)
		line -= source->text[offset] == '\n';
	return offset + (column > 0 ? column - 1 : 0);
}

/* Index of the `struct` or `class` that defines what stands at token i: there, or before it in its declaration. */
static unsigned keyword_at(const struct edit_source *source, unsigned i)
{
	for (; i < source->token_count && !edit_is(source, i, ";") && !edit_is(source, i, "}"); i--) {
		if (edit_is(source, i, "struct") || edit_is(source, i, "class"))
			return i;
		if (i == 0)
			break;
	}
	return EDIT_NO_TOKEN;
}

static bool definition_find(const struct rewriter *rewriter, const struct record *record, struct definition *definition)
{
	unsigned i;

	definition->source = rewriter->source;
	if (!range_is_empty(record->range)) {
		definition->keyword = edit_record_keyword(rewriter->source, record->range.begin);
	} else {
		size_t length = 0;
		const char *text = record->place.file ? file_read(rewriter->arena, record->place.file, &length) : NULL;

		if (!text)
			return false;
		definition->source = edit_source_read(rewriter->arena, text, length);
		i = edit_token_at(definition->source,
		                  offset_of(definition->source, record->place.line, record->place.column));
		definition->keyword = keyword_at(definition->source, i);
		if (definition->keyword == EDIT_NO_TOKEN)
			return false;
	}
	for (i = definition->keyword; i < definition->source->token_count && !edit_is(definition->source, i, "{"); i++)
		if (edit_is(definition->source, i, ";"))
			return false;
	definition->open = i;
	definition->close = i < definition->source->token_count ? definition->source->tokens[i].match : i;
	return definition->close > definition->open;
}

/* Whether all members can be named from outside. */
static bool is_open(const struct definition *definition)
{
	static const char *const words[] = {"class", "private", "protected", "virtual"};

	if (edit_is(definition->source, definition->keyword, "class") &&
	    !edit_is(definition->source, definition->open + 1, "public"))
		return false;
	for (unsigned i = definition->open; i < definition->close; i++)
		for (unsigned w = 0; w < ARRAY_COUNT(words); w++)
			if (edit_is(definition->source, i, words[w]) && !edit_is(definition->source, i - 1, "<") &&
			    !edit_is(definition->source, i - 1, ","))
				return false;
	return true;
}

/* Whether the function that token i names is compiled for the device, by a word before it: a macro's name may mean so.
 */
static bool is_for_device(const struct edit_source *source, unsigned i)
{
	static const char *const others[] = {"inline", "constexpr", "explicit", "__host__", "__forceinline__"};

	while (i > 0 && source->tokens[i - 1].kind == TOKEN_IDENTIFIER) {
		bool other = false;

		i--;
		for (unsigned o = 0; o < ARRAY_COUNT(others); o++)
			other |= edit_is(source, i, others[o]);
		if (!other)
			return true;
	}
	return false;
}

/* Whether the constructor at token i can be called without arguments in device code. */
static bool constructs_empty(const struct edit_source *source, unsigned i)
{
	struct range ranges[16];
	unsigned count = edit_list_split(source, i + 1, ranges, ARRAY_COUNT(ranges)),
		 behind = source->tokens[i + 1].match + 1;

	for (unsigned r = 0; r < count; r++)
		if (!memchr(source->text + ranges[r].begin, '=', ranges[r].end - ranges[r].begin))
			return false;
	return is_for_device(source, i) || (edit_is(source, behind, "=") && edit_is(source, behind + 1, "default"));
}

/* Whether the constructor at token i takes a reference to the record, and nothing else. */
static bool copies(const struct edit_source *source, unsigned i, const char *name)
{
	struct range ranges[2];
	unsigned open = i + 1;

	if (edit_list_split(source, open, ranges, ARRAY_COUNT(ranges)) != 1)
		return false;
	for (i = open + 1; i < source->tokens[open].match; i++)
		if (edit_is(source, i, name) && (edit_is(source, i + 1, "&") || edit_is(source, i + 1, "&&") ||
		                                 edit_is(source, i + 1, "const") || edit_is(source, i + 1, "<")))
			return true;
	return false;
}

/* Whether copies of it are made by no function of its own. */
static bool is_copied_plainly(const struct definition *definition, const char *name)
{
	const struct edit_source *source = definition->source;

	for (unsigned i = definition->open + 1; i < definition->close; i++) {
		if (edit_is(source, i, "operator") && edit_is(source, i + 1, "="))
			return false;
		if (edit_is(source, i, name) && edit_is(source, i + 1, "(") &&
		    source->tokens[i].brace == definition->open && copies(source, i, name))
			return false;
	}
	return true;
}

/* What its constructors allow: without any, a list of members; with one for no arguments, a record that is then filled;
 * with others alone, one in raw memory. */
static enum device_record_kind constructors_allow(const struct definition *definition, const char *name)
{
	const struct edit_source *source = definition->source;
	bool any = false, empty = false;

	for (unsigned i = definition->open + 1; i < definition->close; i++) {
		if (!edit_is(source, i, name) || !edit_is(source, i + 1, "(") ||
		    source->tokens[i].brace != definition->open)
			continue;
		if (edit_is(source, i - 1, "~"))
			return DEVICE_RECORD_OPEN;
		any = true;
		empty |= constructs_empty(source, i);
	}
	if (!any)
		return DEVICE_RECORD_LISTED;
	if (empty)
		return DEVICE_RECORD_FILLED;
	return is_copied_plainly(definition, name) ? DEVICE_RECORD_RAW : DEVICE_RECORD_OPEN;
}

/* A record's name without namespaces and template arguments. */
static const char *plain_name(struct arena *arena, const char *name)
{
	const char *plain = arena_strndup(arena, name, strcspn(name, "<")), *colon = strrchr(plain, ':');

	return colon ? colon + 1 : plain;
}

static enum device_record_kind least(enum device_record_kind a, enum device_record_kind b)
{
	return a < b ? a : b;
}

/* How a record that moves as a whole can be made: what it holds is not asked for. */
static enum device_record_kind whole_kind(const struct rewriter *rewriter, const struct record *record)
{
	struct definition definition;

	return definition_find(rewriter, record, &definition)
	               ? constructors_allow(&definition, plain_name(rewriter->arena, record->name))
	               : DEVICE_RECORD_LISTED;
}

/* What the members of a record and its base classes allow; a record with base classes is no list of its members. */
static enum device_record_kind parts_allow(const struct rewriter *rewriter, const struct record *record)
{
	enum device_record_kind kind = record->base_count ? DEVICE_RECORD_FILLED : DEVICE_RECORD_LISTED;

	for (unsigned b = 0; b < record->base_count; b++)
		if (record->bases[b].record)
			kind = least(kind, device_record_kind(rewriter, record->bases[b].record));
	for (unsigned m = 0; m < record->member_count; m++) {
		const struct member *member = &record->members[m];

		if (record_inside(member))
			kind = least(kind, device_record_kind(rewriter, record_inside(member)));
		else if (member->is_whole)
			kind = least(kind, whole_kind(rewriter, member->type.record));
	}
	return kind;
}

enum device_record_kind device_record_kind(const struct rewriter *rewriter, const struct record *record)
{
	const char *name = plain_name(rewriter->arena, record->name);
	struct definition definition;

	if (record->is_vector_type)
		return DEVICE_RECORD_LISTED;
	if (!definition_find(rewriter, record, &definition))
		return DEVICE_RECORD_OPEN;
	if (!is_open(&definition))
		return DEVICE_RECORD_CLOSED;
	return least(constructors_allow(&definition, name), parts_allow(rewriter, record));
}

const char *device_record_variable(const struct rewriter *rewriter, const struct record *record, const char *name)
{
	const char *type = rewriter_record_name(rewriter, record);

	if (device_record_kind(rewriter, record) != DEVICE_RECORD_RAW)
		return arena_printf(rewriter->arena, "%s %s;", type, name);
	return arena_printf(rewriter->arena,
	                    "alignas(%s) unsigned char %s_bytes[sizeof(%s)]; %s &%s = *(%s *)%s_bytes;", type, name,
	                    type, type, name, type, name);
}

/* ---- methods ------------------------------------------------------------------------------- */

/* Whether a name is one of several, which have spaces between them. */
static bool is_one_of(const char *name, const char *names)
{
	size_t length = strlen(name);

	for (const char *p = names; *p; p += strspn(p, " ")) {
		if (strcspn(p, " ") == length && memcmp(p, name, length) == 0)
			return true;
		p += strcspn(p, " ");
	}
	return false;
}

/* Whether an operator's name is that of an assignment: "+=", "++". */
static bool assigns(const char *name)
{
	return (name[strlen(name) - 1] == '=' && !is_one_of(name, "== != <= >=")) || is_one_of(name, "++ --");
}

/* The parenthesis of the parameters of what token i, a name or `operator`, declares. */
static unsigned parameters_open(const struct edit_source *source, unsigned i)
{
	unsigned open = i + 1;

	if (!edit_is(source, i, "operator"))
		return open;
	if (edit_is(source, open, "("))
		return open + 2;
	while (open < i + 4 && !edit_is(source, open, "("))
		open++;
	return open;
}

/* Whether token i is the name of a method with a result, of a record of that name, or `operator` and its sign. */
static bool is_method_name(const struct edit_source *source, unsigned i, const char *record)
{
	unsigned open = parameters_open(source, i);

	if (!edit_is(source, open, "(") || source->tokens[i].kind != TOKEN_IDENTIFIER || edit_is(source, i, record))
		return false;
	if (edit_is(source, i, "operator"))
		return source->tokens[i + 1].kind == TOKEN_PUNCTUATION;
	return strncmp(source->text + source->tokens[i].begin, "__", 2) != 0 &&
	       (source->tokens[i - 1].kind == TOKEN_IDENTIFIER || edit_is(source, i - 1, "*") ||
	        edit_is(source, i - 1, "&") || edit_is(source, i - 1, ">"));
}

static bool stands_between(const struct edit_source *source, unsigned begin, unsigned end, const char *word)
{
	for (; begin < end; begin++)
		if (edit_is(source, begin, word))
			return true;
	return false;
}

/* Reads the name of a method at token i, and how it is called. */
static void method_name_read(struct arena *arena, const struct edit_source *source, unsigned i,
                             struct device_method *method)
{
	unsigned open = parameters_open(source, i), name = edit_is(source, i, "operator") ? i + 1 : i;

	method->name =
		edit_copy(arena, source, (struct range){source->tokens[name].begin, source->tokens[open - 1].end});
	method->is_operator = name != i && strcmp(method->name, "()") != 0;
	if (name != i && !method->is_operator)
		method->name = "operator()";
}

/* Reads the method at token i of a definition; false where it cannot be passed on. */
static bool method_read(struct arena *arena, const struct edit_source *source, unsigned i, const char *record,
                        struct device_method *method)
{
	unsigned open = parameters_open(source, i), first = edit_declaration_first(source, i),
		 close = source->tokens[open].match, end;
	struct range ranges[4];
	unsigned count = edit_list_split(source, open, ranges, ARRAY_COUNT(ranges));
	bool is_friend = stands_between(source, first, i, "friend"), is_assignment;

	*method = (struct device_method){.result = edit_is(source, i - 1, "void") ? RESULT_NOTHING : RESULT_VALUE};
	method_name_read(arena, source, i, method);
	for (end = close + 1; end < source->token_count && !edit_is(source, end, "{") && !edit_is(source, end, ";");)
		end++;
	is_assignment = method->is_operator && assigns(method->name);
	method->is_unary = method->is_operator && count == 0;
	method->changes = is_assignment || (!method->is_operator && !stands_between(source, close, end, "const"));
	if (is_assignment || (method->changes && edit_is(source, i - 1, "&")))
		method->result = RESULT_ITSELF;
	if (stands_between(source, first, i, "static") || stands_between(source, close, end, "delete") ||
	    (is_friend && (!method->is_operator || count != 2)) || is_one_of(method->name, "= -> & ,") ||
	    (is_one_of(method->name, "++ --") && count > 0))
		return false;
	return method->result != RESULT_ITSELF || is_assignment || edit_is(source, i - 2, record);
}

/* The methods being collected. */
struct methods {
	struct arena *arena;
	struct device_method *list;
	unsigned count;
};

static void methods_add(struct methods *methods, struct device_method method)
{
	for (unsigned m = 0; m < methods->count; m++) {
		struct device_method *other = &methods->list[m];

		if (strcmp(other->name, method.name) != 0 || other->is_operator != method.is_operator ||
		    other->is_unary != method.is_unary)
			continue;
		if (other->changes && !method.changes)
			*other = method;
		return;
	}
	ARENA_PUSH(methods->arena, methods->list, methods->count, method);
}

/* Adds the operators outside of definitions that assign to values of a record of that name: `vec &operator+=(vec &a,
 * vec b)`. */
static void assignments_add(struct methods *methods, const struct edit_source *source, const char *record)
{
	for (unsigned i = 1; i + 3 < source->token_count; i++) {
		unsigned open = parameters_open(source, i), type = open + 1;
		const char *name;

		if (!edit_is(source, i, "operator") || !is_method_name(source, i, record))
			continue;
		name = edit_copy(methods->arena, source,
		                 (struct range){source->tokens[i + 1].begin, source->tokens[open - 1].end});
		while (edit_is(source, type + 1, "::"))
			type += 2;
		if (assigns(name) && strcmp(name, "=") != 0 && edit_is(source, type, record) &&
		    edit_is(source, type + 1, "&") && edit_is(source, type + 3, ","))
			methods_add(methods, (struct device_method){.name = name,
			                                            .is_operator = true,
			                                            .changes = true,
			                                            .result = RESULT_ITSELF});
	}
}

struct device_method *device_record_methods(const struct rewriter *rewriter, const struct record *record,
                                            unsigned *count)
{
	const char *name = plain_name(rewriter->arena, record->name);
	struct methods methods = {.arena = rewriter->arena};
	struct definition definition;

	if (!record->is_vector_type && definition_find(rewriter, record, &definition))
		for (unsigned i = definition.open + 1; i < definition.close; i++) {
			struct device_method method;

			if (is_method_name(definition.source, i, name) &&
			    method_read(rewriter->arena, definition.source, i, name, &method))
				methods_add(&methods, method);
			if (definition.source->tokens[i].match > i)
				i = definition.source->tokens[i].match;
		}
	assignments_add(&methods, rewriter->source, name);
	*count = methods.count;
	return methods.list;
}

/* ---- what becomes of a lent record ------------------------------------------------------------ */

/* Token behind the scalar of the element that tokens `name.path` name; EDIT_NO_TOKEN where they name none. */
static unsigned scalar_end(const struct edit_source *source, const struct layout_group *group, unsigned name)
{
	struct edit_match match;

	for (unsigned f = 0; f < group->field_count; f++)
		if (edit_is(source, name + 1, ".") && edit_match_at(source, name + 2, group->fields[f].path, &match) &&
		    (group->fields[f].whole || !edit_is(source, match.end, ".")) && !edit_is(source, match.end, "("))
			return match.end;
	return EDIT_NO_TOKEN;
}

/* Whether an identifier names a record that is a member, or a method of the record itself. */
static bool names_part(const struct edit_source *source, const struct layout_group *group, unsigned i, unsigned braces)
{
	const char *text = source->text + source->tokens[i].begin;
	size_t length = source->tokens[i].end - source->tokens[i].begin;

	for (unsigned f = 0; f < group->field_count; f++)
		if (strncmp(group->fields[f].path, text, length) == 0 && group->fields[f].path[length] == '.')
			return true;
	for (unsigned k = 0; edit_is(source, i + 1, "(") && k < source->token_count; k++)
		if (source->tokens[k].brace == braces && source->tokens[k].end - source->tokens[k].begin == length &&
		    memcmp(source->text + source->tokens[k].begin, text, length) == 0 && edit_is(source, k + 1, "("))
			return true;
	return false;
}

/* Whether a function's body, which opens at a token, names nothing but scalars of its parameter, or as a method of its
 * object, and takes no address. */
static bool body_is_plain(const struct edit_source *source, const struct layout_group *group, unsigned open,
                          const char *parameter)
{
	for (unsigned i = open + 1; i < source->tokens[open].match; i++) {
		bool operand = source->tokens[i - 1].kind == TOKEN_IDENTIFIER ||
		               source->tokens[i - 1].kind == TOKEN_NUMBER || edit_is(source, i - 1, ")") ||
		               edit_is(source, i - 1, "]");

		if (edit_is(source, i, "asm") || edit_is(source, i, "this") || (edit_is(source, i, "&") && !operand))
			return false;
		if (source->tokens[i].kind != TOKEN_IDENTIFIER || edit_is(source, i - 1, ".") ||
		    edit_is(source, i - 1, "->"))
			continue;
		if (parameter ? edit_is(source, i, parameter) && scalar_end(source, group, i) == EDIT_NO_TOKEN
		              : names_part(source, group, i, source->tokens[open].brace))
			return false;
	}
	return true;
}

/* The name of a parameter that is a reference: the last word of its declaration; NULL where it is none. */
static const char *reference_parameter(struct arena *arena, const struct edit_source *source, unsigned open,
                                       unsigned position)
{
	struct range ranges[16];
	unsigned count = edit_list_split(source, open, ranges, ARRAY_COUNT(ranges)), last;

	if (position >= count)
		return NULL;
	last = edit_token_at(source, ranges[position].end) - 1;
	if (source->tokens[last].kind != TOKEN_IDENTIFIER || !edit_is(source, last - 1, "&"))
		return NULL;
	return edit_copy(arena, source, (struct range){source->tokens[last].begin, source->tokens[last].end});
}

/* The parenthesis of the parameters where token i begins the definition of a function of that name, or of `operator()`
 * for none. */
static unsigned definition_open(const struct edit_source *source, unsigned i, const char *name)
{
	unsigned open = name ? i + 1 : i + 3, behind;

	if (!edit_is(source, i, name ? name : "operator") ||
	    (!name && (!edit_is(source, i + 1, "(") || !edit_is(source, i + 2, ")"))) || !edit_is(source, open, "(") ||
	    edit_is(source, i - 1, ".") || edit_is(source, i - 1, "->"))
		return EDIT_NO_TOKEN;
	for (behind = source->tokens[open].match + 1;
	     edit_is(source, behind, "const") || edit_is(source, behind, "noexcept"); behind++)
		;
	return edit_is(source, behind, "{") ? open : EDIT_NO_TOKEN;
}

/* Whether all functions of that name (NULL: `operator()`) are plain in what they do with their argument of that
 * position; position -1: with their object. */
static bool functions_are_plain(const struct rewriter *rewriter, const struct layout_group *group, const char *name,
                                int position)
{
	const struct edit_source *source = rewriter->source;
	unsigned found = 0;

	for (unsigned i = 1; i < source->token_count; i++) {
		unsigned open = definition_open(source, i, name), brace;
		const char *parameter = NULL;

		if (open == EDIT_NO_TOKEN)
			continue;
		for (brace = source->tokens[open].match; !edit_is(source, brace, "{"); brace++)
			;
		if (position >= 0)
			parameter = reference_parameter(rewriter->arena, source, open, (unsigned)position);
		if ((position >= 0 && !parameter) || !body_is_plain(source, group, brace, parameter))
			return false;
		found++;
	}
	return found > 0 || (name && position >= 0 && functions_are_plain(rewriter, group, NULL, position));
}

bool device_lending_is_plain(const struct rewriter *rewriter, const struct layout_group *group, struct range mention)
{
	const struct edit_source *source = rewriter->source;
	unsigned first = edit_token_at(source, mention.begin), behind = edit_token_at(source, mention.end),
		 name = behind + 1;
	struct range ranges[16];
	int position = -1;

	if (!edit_is(source, behind, ".")) {
		for (name = first; name > 0 && !(edit_is(source, name, "(") && source->tokens[name].match > first);
		     name--)
			;
		for (unsigned k = edit_list_split(source, name, ranges, ARRAY_COUNT(ranges)); k-- > 0;)
			if (ranges[k].begin == mention.begin)
				position = (int)k;
		if (position < 0 || name-- == 0)
			return false;
	}
	return functions_are_plain(rewriter, group,
	                           edit_copy(rewriter->arena, source,
	                                     (struct range){source->tokens[name].begin, source->tokens[name].end}),
	                           position);
}
