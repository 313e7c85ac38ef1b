/*
 * Objects and their members: how members are named, and what a file does with objects of a class as a whole.
 */
#include "layouts/text/text.h"

struct range edit_object_before(const struct edit_source *source, struct range name)
{
	unsigned at = edit_token_at(source, name.begin), i = at;

	while (i > 1 && (edit_is(source, i - 1, ".") || edit_is(source, i - 1, "->")) &&
	       source->tokens[i - 2].kind == TOKEN_IDENTIFIER)
		i -= 2;
	if (i == at || (edit_is(source, i, "this") && i + 2 == at))
		return (struct range){name.begin, name.begin};
	return (struct range){source->tokens[i].begin, name.begin};
}

/* Whether the brace at a token opens a class's members. */
static bool opens_class(const struct edit_source *source, unsigned open)
{
	static const char *const words[] = {"struct", "class", "union"};

	for (unsigned w = 0; open != EDIT_NO_TOKEN && w < ARRAY_COUNT(words); w++)
		if (edit_is(source, open - 1, words[w]) || edit_is(source, open - 2, words[w]))
			return true;
	return false;
}

/* Whether braces give an object no values, or null ones alone. */
static bool is_empty_list(const struct edit_source *source, unsigned open)
{
	return source->tokens[open].match == open + 1 ||
	       (source->tokens[open].match == open + 2 && edit_is(source, open + 1, "0"));
}

/* Whether what stands behind the type's name at a token gives values to members by their order, or is none of the uses
 * that are known. */
static bool is_listed_behind(const struct edit_source *source, unsigned i)
{
	unsigned next = i + 1;

	if (edit_is(source, next, ")"))
		return edit_is(source, next + 1, "{");
	while (edit_is(source, next, "*") || edit_is(source, next, "&") || edit_is(source, next, "const"))
		next++;
	if (next > i + 1 && !edit_is(source, next - 1, "const"))
		return false;
	if (source->tokens[next].kind != TOKEN_IDENTIFIER)
		return !edit_is(source, next, "[") && !edit_is(source, next, ";") && !edit_is(source, next, "(");
	if (edit_is(source, next + 1, "("))
		return true;
	for (next++; next < source->token_count && !edit_is(source, next, ";") && !edit_is(source, next, ")"); next++) {
		if (edit_is(source, next, "{") && !is_empty_list(source, next))
			return true;
		if (source->tokens[next].match > next)
			next = source->tokens[next].match;
	}
	return false;
}

/* Whether the file has what may give values to members by their order without the type's name, or ask where they lie.
 */
static bool has_unnamed_lists(const struct edit_source *source)
{
	for (unsigned i = 1; i < source->token_count; i++)
		if ((edit_is(source, i, "{") && !is_empty_list(source, i) &&
		     (edit_is(source, i - 1, "(") || edit_is(source, i - 1, "return"))) ||
		    edit_is(source, i, "offsetof") || (edit_is(source, i, "[") && edit_is(source, i - 1, "auto")))
			return true;
	return false;
}

/* Whether a name of the class at a token is part of its own declaration. */
static bool declares_class(const struct edit_source *source, unsigned i)
{
	return edit_is(source, i - 1, "}") || edit_is(source, edit_declaration_first(source, i), "typedef") ||
	       ((edit_is(source, i - 1, "struct") || edit_is(source, i - 1, "class")) &&
	        (edit_is(source, i + 1, "{") || edit_is(source, i + 1, ";")));
}

bool edit_class_may_grow(const struct edit_source *source, struct range member, unsigned *first, unsigned *last)
{
	unsigned open = source->tokens[edit_token_at(source, member.begin)].brace, names[2], count = 0;

	if (open == EDIT_NO_TOKEN || open < 2 || !opens_class(source, open) ||
	    source->tokens[open].brace != EDIT_NO_TOKEN || has_unnamed_lists(source))
		return false;
	*first = open;
	*last = source->tokens[open].match;
	if (!edit_is(source, open - 1, "struct"))
		names[count++] = open - 1;
	if (source->tokens[*last + 1].kind == TOKEN_IDENTIFIER && edit_is(source, *last + 2, ";"))
		names[count++] = *last + 1;
	if (count == 0 || (!edit_is(source, *last + 1, ";") && !edit_is(source, *last + 2, ";")) ||
	    edit_is(source, open - 2, "union"))
		return false;
	for (unsigned i = 1; i < source->token_count; i++)
		for (unsigned n = 0; n < count; n++) {
			const struct edit_token *name = &source->tokens[names[n]], *token = &source->tokens[i];

			if (token->end - token->begin != name->end - name->begin ||
			    memcmp(source->text + token->begin, source->text + name->begin, name->end - name->begin) !=
			            0 ||
			    declares_class(source, i))
				continue;
			if (opens_class(source, token->brace) || is_listed_behind(source, i))
				return false;
		}
	return true;
}
