/*
 * Names that are more than one thing.
 */
#include "layouts/text/text.h"

/* Whether token i, a name, follows what cannot be the type of something that it names. */
static bool follows_no_type(const struct edit_source *source, unsigned i)
{
	static const char *const words[] = {
		"struct",  "class",  "union", "enum",      "typename", "using",    "friend", "const",    "new",
		"return",  "sizeof", "throw", "else",      "do",       "operator", "public", "private",  "volatile",
		"virtual", "case",   "goto",  "protected", "extern",   "static",   "inline", "explicit", "constexpr"};

	for (unsigned w = 0; w < ARRAY_COUNT(words); w++)
		if (edit_is(source, i - 1, words[w]))
			return true;
	return i > 1 && (edit_is(source, i - 2, "struct") || edit_is(source, i - 2, "class"));
}

/* Whether token i is a name where a variable, member, enumerator or function of that name is declared (or a value
 * stands). */
static bool declares_value(const struct edit_source *source, unsigned i)
{
	static const char *const before[] = {"*", "&", ">", ",", "{", "["}, *const after[] = {";", "=", ",", ")",
	                                                                                      "[", ":", "]", "}"};
	bool begins, ends = false;

	if (i == 0 || follows_no_type(source, i) || edit_is(source, edit_declaration_first(source, i), "typedef"))
		return false;
	begins = source->tokens[i - 1].kind == TOKEN_IDENTIFIER;
	if (edit_is(source, i + 1, "(") || edit_is(source, i + 1, "{"))
		return begins && (edit_is(source, i + 1, "{") || source->tokens[i].brace == EDIT_NO_TOKEN);
	for (unsigned b = 0; b < ARRAY_COUNT(before); b++)
		begins |= edit_is(source, i - 1, before[b]);
	for (unsigned a = 0; a < ARRAY_COUNT(after); a++)
		ends |= edit_is(source, i + 1, after[a]);
	return begins && ends;
}

bool edit_name_may_be_hidden(const struct edit_source *source, const char *name)
{
	for (unsigned i = 0; i < source->token_count; i++)
		if (edit_is(source, i, name) && declares_value(source, i))
			return true;
	return false;
}

const char *edit_namespace_name(struct arena *arena, const struct edit_source *source, unsigned brace)
{
	unsigned first = brace;

	while (first > 0 && (edit_is(source, first - 1, "::") || (source->tokens[first - 1].kind == TOKEN_IDENTIFIER &&
	                                                          !edit_is(source, first - 1, "namespace"))))
		first--;
	if (first == 0 || first == brace || !edit_is(source, first - 1, "namespace"))
		return NULL;
	return edit_copy(arena, source, (struct range){source->tokens[first].begin, source->tokens[brace - 1].end});
}

const char *edit_namespaces(struct arena *arena, const struct edit_source *source, unsigned i)
{
	const char *scope = "";

	for (unsigned brace = source->tokens[i].brace; brace != EDIT_NO_TOKEN; brace = source->tokens[brace].brace) {
		const char *name = edit_namespace_name(arena, source, brace);

		if (name)
			scope = arena_printf(arena, "%s::%s", name, scope);
	}
	return scope;
}
