/*
 * Patterns: what a piece of code looks like, as data.
 *
 * A pattern is code in which some names are holes: `$name` is one identifier, `#name` one number, `@name` an
 * expression, as short as the rest of the pattern allows and without a comma or semicolon outside of brackets. Space
 * means nothing. A hole that stands twice is spelled alike both times: "$t = $a; $a = $b; $b = $t;" is an exchange,
 * whatever the variables are called.
 */
#include <ctype.h>

#include "layouts/text/text.h"

static size_t name_length(const char *p)
{
	size_t length = 0;

	while (isalnum((unsigned char)p[length]) || p[length] == '_')
		length++;
	return length;
}

static struct edit_hole *hole_find(struct edit_match *match, const char *name, size_t length)
{
	for (unsigned h = 0; h < match->count; h++)
		if (strlen(match->holes[h].name) == length && memcmp(match->holes[h].name, name, length) == 0)
			return &match->holes[h];
	return NULL;
}

/* Fills a hole with the tokens [begin, end); false where it is filled with something else already. */
static bool hole_fill(const struct edit_source *source, struct edit_match *match, const char *name, size_t length,
                      unsigned begin, unsigned end)
{
	struct range range = {source->tokens[begin].begin, source->tokens[end - 1].end};
	const struct edit_hole *filled = hole_find(match, name, length);
	struct edit_hole *hole = &match->holes[match->count];

	if (filled)
		return range.end - range.begin == filled->range.end - filled->range.begin &&
		       memcmp(source->text + range.begin, source->text + filled->range.begin,
		              range.end - range.begin) == 0;
	if (match->count == ARRAY_COUNT(match->holes) || length >= sizeof(hole->name))
		bug("a pattern with too many holes, or too long a name");
	memcpy(hole->name, name, length);
	hole->name[length] = '\0';
	hole->range = range;
	match->count++;
	return true;
}

static bool tokens_match(const struct edit_source *source, unsigned i, unsigned limit, const char *pattern,
                         struct edit_match *match);

/* Tries the expressions that begin at token i, the shortest first, each with the rest of the pattern behind it. */
static bool expression_match(const struct edit_source *source, unsigned i, unsigned limit, const char *name,
                             size_t length, struct edit_match *match)
{
	unsigned count = match->count;

	for (unsigned end = i; end < limit && !edit_is(source, end, ",") && !edit_is(source, end, ";");) {
		if (source->tokens[end].match < end)
			return false;
		end = source->tokens[end].match + 1;
		match->count = count;
		if (end <= limit && hole_fill(source, match, name, length, i, end) &&
		    tokens_match(source, end, limit, name + length + strspn(name + length, " "), match))
			return true;
	}
	return false;
}

/* Whether the pattern goes on with the token's spelling; moves it behind that. */
static bool literal_match(const struct edit_source *source, const struct edit_token *token, const char **pattern)
{
	size_t length = token->end - token->begin;

	if (strncmp(*pattern, source->text + token->begin, length) != 0 ||
	    (token->kind == TOKEN_IDENTIFIER && name_length(*pattern) != length))
		return false;
	*pattern += length;
	return true;
}

/* Matches the tokens from i, all of them before limit, with what is left of the pattern. */
static bool tokens_match(const struct edit_source *source, unsigned i, unsigned limit, const char *pattern,
                         struct edit_match *match)
{
	for (; *pattern; i++) {
		size_t name = name_length(pattern + 1);

		if (i >= limit)
			return false;
		if (*pattern == '@')
			return expression_match(source, i, limit, pattern + 1, name, match);
		if (*pattern == '$' || *pattern == '#') {
			if (source->tokens[i].kind != (*pattern == '$' ? TOKEN_IDENTIFIER : TOKEN_NUMBER) ||
			    !hole_fill(source, match, pattern + 1, name, i, i + 1))
				return false;
			pattern += 1 + name;
		} else if (!literal_match(source, &source->tokens[i], &pattern)) {
			return false;
		}
		pattern += strspn(pattern, " ");
	}
	match->end = i;
	return !match->whole || i == limit;
}

bool edit_match_at(const struct edit_source *source, unsigned i, const char *pattern, struct edit_match *match)
{
	*match = (struct edit_match){.begin = i};
	return tokens_match(source, i, source->token_count, pattern, match);
}

bool edit_match_range(const struct edit_source *source, struct range range, const char *pattern,
                      struct edit_match *match)
{
	unsigned end = edit_token_at(source, range.end);

	*match = (struct edit_match){.begin = edit_token_at(source, range.begin), .whole = true};
	return tokens_match(source, match->begin, end, pattern, match);
}

struct range edit_hole(const struct edit_match *match, const char *name)
{
	for (unsigned h = 0; h < match->count; h++)
		if (strcmp(match->holes[h].name, name) == 0)
			return match->holes[h].range;
	return (struct range){0, 0};
}
