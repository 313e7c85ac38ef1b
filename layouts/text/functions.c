/*
 * Functions and references that the analysis found, as tokens; preprocessor lines.
 */
#include <ctype.h>

#include "layouts/text/text.h"

unsigned edit_reference_tail(const struct edit_source *source, const struct reference *reference)
{
	unsigned from = range_is_empty(reference->index) ? reference->whole.begin : reference->index.end;
	unsigned i = edit_token_at(source, from);

	while (i < source->token_count && source->tokens[i].begin < reference->whole.end && !edit_is(source, i, ".") &&
	       !edit_is(source, i, "->"))
		i++;
	return i;
}

struct range edit_function_braces(const struct edit_source *source, const struct function *function)
{
	unsigned last = edit_token_at(source, function->definition.end);
	struct range none = {0, 0};

	if (!range_is_empty(function->body) || range_is_empty(function->definition) || last == 0)
		return function->body;
	last--;
	if (!edit_is(source, last, "}") || source->tokens[last].match == last)
		return none;
	return (struct range){source->tokens[source->tokens[last].match].begin, source->tokens[last].end};
}

bool edit_function_read(const struct edit_source *source, const struct function *function, struct edit_function *tokens)
{
	struct range range = edit_function_braces(source, function);
	unsigned body = edit_token_at(source, range.begin);

	if (range_is_empty(range) || range_is_empty(function->definition) || !edit_is(source, body, "{") || body == 0 ||
	    !edit_is(source, body - 1, ")"))
		return false;
	tokens->close = body - 1;
	tokens->open = source->tokens[tokens->close].match;
	tokens->first = edit_token_at(source, function->definition.begin);
	tokens->name = tokens->open - 1;
	return tokens->open > tokens->first && tokens->open < tokens->close &&
	       edit_is(source, tokens->name, function->name);
}

/* First token of the declaration that token i belongs to. */
unsigned edit_declaration_first(const struct edit_source *source, unsigned i)
{
	while (i > 0 && !edit_is(source, i - 1, ";") && !edit_is(source, i - 1, "}") && !edit_is(source, i - 1, "{") &&
	       source->tokens[i - 1].kind != TOKEN_DIRECTIVE)
		i--;
	return i;
}

/* Whether token i stands in the body of one of the analysis' functions. */
static bool is_inside_function(const struct edit_source *source, const struct analysis *analysis, unsigned i)
{
	for (unsigned f = 0; f < analysis->function_count; f++) {
		struct range body = edit_function_braces(source, &analysis->functions[f]);

		if (body.begin <= source->tokens[i].begin && source->tokens[i].begin < body.end)
			return true;
	}
	return false;
}

bool edit_function_is_prototype(const struct edit_source *source, const struct analysis *analysis,
                                const struct function *function, unsigned i)
{
	return edit_is(source, i, function->name) && edit_is(source, i + 1, "(") &&
	       edit_is(source, source->tokens[i + 1].match + 1, ";") && edit_declaration_first(source, i) < i &&
	       !is_inside_function(source, analysis, i);
}

bool edit_is_directive(const struct edit_source *source, unsigned i, const char *kind)
{
	const char *p = source->text + source->tokens[i].begin + 1;
	size_t length = strlen(kind);

	if (source->tokens[i].kind != TOKEN_DIRECTIVE)
		return false;
	while (*p == ' ' || *p == '\t')
		p++;
	return strncmp(p, kind, length) == 0 && !isalnum((unsigned char)p[length]) && p[length] != '_';
}

/* Whether token i stands at file scope or only inside extern "C" blocks. */
static bool is_at_file_scope(const struct edit_source *source, unsigned i)
{
	unsigned brace = source->tokens[i].brace;

	while (brace != EDIT_NO_TOKEN && brace >= 2 && edit_is(source, brace - 2, "extern"))
		brace = source->tokens[brace].brace;
	return brace == EDIT_NO_TOKEN;
}

bool edit_is_outer_include(const struct edit_source *source, unsigned i)
{
	return edit_is_directive(source, i, "include") && is_at_file_scope(source, i);
}

char *edit_spelling(struct arena *arena, const char *name)
{
	static const char mark[] = "(anonymous namespace)::";
	char *copy = arena_strdup(arena, name);

	for (char *found = strstr(copy, mark); found; found = strstr(found, mark))
		memmove(found, found + sizeof(mark) - 1, strlen(found + sizeof(mark) - 1) + 1);
	return copy;
}

bool edit_name_changes(const struct edit_source *source, unsigned name, unsigned from, unsigned to)
{
	static const char *const operators[] = {"=", "+=", "-=", "*=", "/=", "%=", "++", "--"};
	struct range range = {source->tokens[name].begin, source->tokens[name].end};

	for (unsigned i = from; i < to; i++) {
		bool same = source->tokens[i].end - source->tokens[i].begin == range.end - range.begin &&
		            memcmp(source->text + source->tokens[i].begin, source->text + range.begin,
		                   range.end - range.begin) == 0;

		if (same &&
		    (edit_is(source, i - 1, "++") || edit_is(source, i - 1, "--") || edit_is(source, i - 1, "&")))
			return true;
		for (unsigned o = 0; same && o < ARRAY_COUNT(operators); o++)
			if (edit_is(source, i + 1, operators[o]))
				return true;
		if (same && i > 0 && source->tokens[i - 1].kind == TOKEN_IDENTIFIER &&
		    !edit_is(source, i - 1, "return") && !edit_is(source, i - 1, "sizeof"))
			return true;
	}
	return false;
}

unsigned edit_record_keyword(const struct edit_source *source, unsigned offset)
{
	unsigned i = edit_token_at(source, offset), depth = 0;

	for (; i < source->token_count; i++) {
		if (depth == 0 && (edit_is(source, i, "struct") || edit_is(source, i, "class")))
			return i;
		depth += edit_is(source, i, "<");
		depth -= depth > 0 && edit_is(source, i, ">");
	}
	return i;
}
