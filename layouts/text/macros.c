/*
 * What the file's own macros do.
 */
#include "layouts/text/text.h"

/* The text of a macro's definition behind its name, on one line; NULL where there is not just one. */
static const char *macro_text(struct arena *arena, const struct edit_source *source, const char *name)
{
	const char *found = NULL;
	size_t length = strlen(name);

	for (unsigned i = 0; i < source->token_count; i++) {
		char *text;

		if (!edit_is_directive(source, i, "define"))
			continue;
		text = edit_copy(arena, source, (struct range){source->tokens[i].begin, source->tokens[i].end});
		for (char *p = text; *p; p++)
			*p = *p == '\\' || *p == '\n' || *p == '\r' ? ' ' : *p;
		text += strspn(text, "# \t");
		text += strlen("define");
		text += strspn(text, " \t");
		if (strncmp(text, name, length) != 0 || text[length] != '(')
			continue;
		if (found)
			return NULL;
		found = text + length;
	}
	return found;
}

/* Which of the macro's parameters has that text; count where none does. */
static unsigned parameter_of(const struct edit_source *macro, const struct range *parameters, unsigned count,
                             struct range text)
{
	for (unsigned p = 0; p < count; p++)
		if (text.end - text.begin == parameters[p].end - parameters[p].begin &&
		    memcmp(macro->text + text.begin, macro->text + parameters[p].begin, text.end - text.begin) == 0)
			return p;
	return count;
}

/* Reads a body that exchanges a and b by a t of that type. */
static bool body_read(const struct edit_source *macro, struct range body, struct edit_match *match,
                      struct edit_match *type)
{
	static const char *const bodies[] = {"{ @type $t = ($a); ($a) = ($b); ($b) = $t; }",
	                                     "{ @type $t = $a; $a = $b; $b = $t; }",
	                                     "do { @type $t = ($a); ($a) = ($b); ($b) = $t; } while (0)",
	                                     "do { @type $t = $a; $a = $b; $b = $t; } while (0)"};
	bool matches = false;

	for (unsigned b = 0; b < ARRAY_COUNT(bodies) && !matches; b++)
		matches = edit_match_range(macro, body, bodies[b], match);
	return matches && (edit_match_range(macro, edit_hole(match, "type"), "$type", type) ||
	                   edit_match_range(macro, edit_hole(match, "type"), "$type *", type));
}

bool edit_macro_exchanges(struct arena *arena, const struct edit_source *source, const struct edit_call *call)
{
	const char *text = macro_text(arena, source, edit_copy(arena, source, call->name));
	const struct edit_source *macro = text ? edit_source_read(arena, text, strlen(text)) : NULL;
	struct range parameters[EDIT_CALL_ARGUMENTS], body, word;
	unsigned count = macro ? edit_list_split(macro, 0, parameters, EDIT_CALL_ARGUMENTS) : 0, a, b;
	struct edit_match match, type;

	if (count != call->argument_count || (count != 2 && count != 3) ||
	    macro->tokens[0].match + 1 >= macro->token_count)
		return false;
	body = (struct range){macro->tokens[macro->tokens[0].match + 1].begin,
	                      macro->tokens[macro->token_count - 1].end};
	if (!body_read(macro, body, &match, &type))
		return false;
	word = edit_hole(&type, "type");
	a = parameter_of(macro, parameters, count, edit_hole(&match, "a"));
	b = parameter_of(macro, parameters, count, edit_hole(&match, "b"));
	if (a > 1 || b > 1 || a == b)
		return false;
	return count == 2 ? edit_range_is(macro, word, "auto") : parameter_of(macro, parameters, count, word) == 2;
}
