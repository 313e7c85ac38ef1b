/*
 * Statements of host code, found by their tokens: calls and their arguments, declarations of pointers.
 */
#include "layouts/text/text.h"

/* ---- calls ------------------------------------------------------------------------------- */

/*
 * Index behind the template arguments that open at token i, which is `<`; i + 1 where it compares. Between the angles
 * stand names, numbers and what declares pointers, and behind them what can follow a type.
 */
static unsigned arguments_end(const struct edit_source *source, unsigned i, unsigned close)
{
	static const char *const inside[] = {"::", ",", "*", "&", "<", ">", ">>"}, *const behind[] = {"*", "&",  "(",
	                                                                                              "{", "::", ")",
	                                                                                              ","};
	unsigned depth = 0, first = i;
	bool is_plain = i > 0 && source->tokens[i - 1].kind == TOKEN_IDENTIFIER, follows = false;

	for (; is_plain && i < close; i++) {
		depth += edit_is(source, i, "<");
		depth -= edit_is(source, i, ">") ? 1 : edit_is(source, i, ">>") && depth > 1 ? 2 : 0;
		if (depth == 0)
			break;
		is_plain = source->tokens[i].kind == TOKEN_IDENTIFIER || source->tokens[i].kind == TOKEN_NUMBER;
		for (size_t k = 0; k < ARRAY_COUNT(inside); k++)
			is_plain |= edit_is(source, i, inside[k]);
	}
	for (size_t k = 0; k < ARRAY_COUNT(behind); k++)
		follows |= edit_is(source, i + 1, behind[k]);
	follows |= i + 1 < source->token_count && source->tokens[i + 1].kind == TOKEN_IDENTIFIER;
	return is_plain && i < close && follows ? i + 1 : first + 1;
}

unsigned edit_list_split(const struct edit_source *source, unsigned open, struct range *ranges, unsigned max)
{
	unsigned begin = open + 1, close = source->tokens[open].match, count = 0;

	for (unsigned i = begin; i <= close && begin < close; i++) {
		if (i < close && source->tokens[i].match > i) {
			i = source->tokens[i].match;
		} else if (i < close && edit_is(source, i, "<")) {
			i = arguments_end(source, i, close) - 1;
		} else if (i == close || edit_is(source, i, ",")) {
			if (count < max && begin < i)
				ranges[count] = (struct range){source->tokens[begin].begin, source->tokens[i - 1].end};
			count++;
			begin = i + 1;
		}
	}
	return count < max ? count : max;
}

/* Reads the call of the function named at one token whose arguments' parenthesis is at another. */
static bool call_read_at(const struct edit_source *source, unsigned name, unsigned open, struct edit_call *call)
{
	*call = (struct edit_call){0};
	call->name = (struct range){source->tokens[name].begin, source->tokens[name].end};
	call->whole = (struct range){call->name.begin, source->tokens[source->tokens[open].match].end};
	call->argument_count = edit_list_split(source, open, call->arguments, EDIT_CALL_ARGUMENTS);
	return source->tokens[open].match > open;
}

bool edit_call_is(const struct edit_source *source, const struct edit_call *call, const char *name,
                  unsigned argument_count)
{
	return edit_range_is(source, call->name, name) && call->argument_count == argument_count;
}

bool edit_is_variable(const struct edit_source *source, struct range expression, const char *name, bool address)
{
	unsigned i = edit_token_at(source, expression.begin), end = edit_token_at(source, expression.end);

	if (edit_is(source, i, "(") && source->tokens[i].match + 1 < end)
		i = source->tokens[i].match + 1;
	if (address && !edit_is(source, i++, "&"))
		return false;
	while (source->tokens[i].kind == TOKEN_IDENTIFIER &&
	       (edit_is(source, i + 1, "->") || edit_is(source, i + 1, ".")) && i + 3 <= end)
		i += 2;
	return i + 1 == end && edit_is(source, i, name);
}

/* Whether a statement can begin at token i. */
static bool statement_begins(const struct edit_source *source, unsigned i)
{
	return i > 0 && (edit_is(source, i - 1, ";") || edit_is(source, i - 1, "{") || edit_is(source, i - 1, "}") ||
	                 source->tokens[i - 1].kind == TOKEN_DIRECTIVE ||
	                 (i > 1 && edit_is(source, i - 1, ":") &&
	                  (edit_is(source, i - 2, "public") || edit_is(source, i - 2, "protected") ||
	                   edit_is(source, i - 2, "private"))));
}

struct range edit_whole_lines(const struct edit_source *source, struct range range)
{
	unsigned begin = range.begin, end = range.end;

	while (begin > 0 && (source->text[begin - 1] == ' ' || source->text[begin - 1] == '\t'))
		begin--;
	while (end < source->length && (source->text[end] == ' ' || source->text[end] == '\t'))
		end++;
	if ((begin == 0 || source->text[begin - 1] == '\n') && end < source->length && source->text[end] == '\n')
		return (struct range){begin, end + 1};
	return range;
}

struct range edit_with_space(const struct edit_source *source, struct range range)
{
	struct range lines = edit_whole_lines(source, range);
	unsigned begin = range.begin;

	if (lines.begin != range.begin || lines.end != range.end)
		return lines;
	while (begin > 0 && (source->text[begin - 1] == ' ' || source->text[begin - 1] == '\t'))
		begin--;
	if (begin > 0 && source->text[begin - 1] != '\n')
		range.begin = begin;
	return range;
}

struct range edit_call_statement(const struct edit_source *source, const struct edit_call *call)
{
	unsigned first = edit_token_at(source, call->whole.begin), last = edit_token_at(source, call->whole.end) - 1;

	while (first >= 2 && edit_is(source, first - 1, "::"))
		first -= 2;
	if (!edit_is(source, last + 1, ";") && first >= 2 && edit_is(source, first - 1, "(") &&
	    source->tokens[first - 1].match == last + 1 && source->tokens[first - 2].kind == TOKEN_IDENTIFIER) {
		first -= 2;
		last++;
	}
	if (!edit_is(source, last + 1, ";") || !statement_begins(source, first))
		return (struct range){0, 0};
	return (struct range){source->tokens[first].begin, source->tokens[last + 1].end};
}

void edit_separator(struct text *out, const struct edit_source *source, unsigned begin)
{
	unsigned start = begin;

	while (start > 0 && (source->text[start - 1] == ' ' || source->text[start - 1] == '\t'))
		start--;
	if (start > 0 && source->text[start - 1] != '\n') {
		text_puts(out, " ");
		return;
	}
	text_puts(out, "\n");
	text_append(out, source->text + start, begin - start);
}

/* Index of the name that is called by the parenthesis at token `open`: `f(`, `f<4>(`; EDIT_NO_TOKEN where it is no
 * call. */
static unsigned called_name(const struct edit_source *source, unsigned open)
{
	unsigned i = open - 1, depth = 0;

	if (source->tokens[i].kind == TOKEN_IDENTIFIER)
		return i;
	if (!edit_is(source, i, ">"))
		return EDIT_NO_TOKEN;
	for (; i > 0 && !edit_is(source, i, ";") && !edit_is(source, i, "{") && !edit_is(source, i, "}"); i--) {
		depth += edit_is(source, i, ">");
		depth -= edit_is(source, i, "<");
		if (depth == 0)
			return source->tokens[i - 1].kind == TOKEN_IDENTIFIER ? i - 1 : EDIT_NO_TOKEN;
	}
	return EDIT_NO_TOKEN;
}

bool edit_call_around(const struct edit_source *source, struct range inside, struct edit_call *call)
{
	for (unsigned i = edit_token_at(source, inside.begin); i-- > 1;) {
		unsigned name;

		if (edit_is(source, i, ";") || edit_is(source, i, "{") || edit_is(source, i, "}"))
			return false;
		if (edit_is(source, i, ")"))
			i = source->tokens[i].match;
		if (!edit_is(source, i, "(") || source->tokens[i].match < edit_token_at(source, inside.begin))
			continue;
		name = called_name(source, i);
		if (name != EDIT_NO_TOKEN && !edit_is(source, name, "sizeof"))
			return call_read_at(source, name, i, call);
	}
	return false;
}

/* ---- declarations --------------------------------------------------------------------------- */

/* Adds the declarator of tokens [begin, end), split at its `=`. */
static void declarator_add(const struct edit_source *source, struct edit_declaration *declaration, unsigned begin,
                           unsigned end)
{
	unsigned n = declaration->declarator_count++, equals = begin;

	while (equals < end && !edit_is(source, equals, "="))
		equals++;
	declaration->declarators[n] = (struct range){source->tokens[begin].begin, source->tokens[equals - 1].end};
	declaration->initialisers[n] = (struct range){0, 0};
	if (equals + 1 < end)
		declaration->initialisers[n] =
			(struct range){source->tokens[equals + 1].begin, source->tokens[end - 1].end};
}

/* Whether token i closes the braces of an initialiser: `= { ... }`. */
static bool braces_initialise(const struct edit_source *source, unsigned i)
{
	return edit_is(source, i, "}") && source->tokens[i].match > 0 &&
	       edit_is(source, source->tokens[i].match - 1, "=");
}

/* The token behind the template arguments that open at token i; i itself where none do, or they do not end in the
 * statement. */
static unsigned template_arguments_end(const struct edit_source *source, unsigned i)
{
	unsigned depth = 0;

	for (unsigned k = i; edit_is(source, i, "<") && k < source->token_count && !edit_is(source, k, ";"); k++) {
		depth += edit_is(source, k, "<");
		depth -= edit_is(source, k, ">") && depth > 0;
		if (depth == 0)
			return k + 1 < source->token_count ? k + 1 : i;
	}
	return i;
}

bool edit_declaration_read(const struct edit_source *source, struct range name, struct edit_declaration *declaration)
{
	unsigned first = edit_token_at(source, name.begin), begin;

	*declaration = (struct edit_declaration){0};
	while (first > 0 && (!statement_begins(source, first) || braces_initialise(source, first - 1)))
		first = braces_initialise(source, first - 1) ? source->tokens[first - 1].match : first - 1;
	for (begin = first; begin < source->token_count; begin++) {
		begin = template_arguments_end(source, begin);
		if (source->tokens[begin].kind != TOKEN_IDENTIFIER && !edit_is(source, begin, "::"))
			break;
	}
	if (!edit_is(source, begin, "*") && begin > first)
		begin--;
	if (begin == first || begin >= source->token_count || source->tokens[begin].begin > name.begin)
		return false;
	declaration->specifiers = (struct range){source->tokens[first].begin, source->tokens[begin - 1].end};
	for (unsigned i = begin; i < source->token_count; i++) {
		bool ends = edit_is(source, i, ";");

		if (!ends && source->tokens[i].match > i) {
			i = source->tokens[i].match;
		} else if (ends || edit_is(source, i, ",")) {
			if (begin == i || declaration->declarator_count == EDIT_DECLARATORS)
				return false;
			declarator_add(source, declaration, begin, i);
			begin = i + 1;
		}
		if (ends) {
			declaration->whole = (struct range){source->tokens[first].begin, source->tokens[i].end};
			return name.end <= declaration->whole.end;
		}
	}
	return false;
}
