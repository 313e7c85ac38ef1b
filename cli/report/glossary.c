/*
 * The words of the screen: docs/glossary.md, whose list items are terms, a colon, and what they mean.
 */
#include "cli/report/report.h"

#include <string.h>

static const char *const page[] = {
#include "cli/report/glossary.inc"
};

/* A line of the page without its end. */
static const char *line_at(struct arena *arena, size_t i)
{
	return arena_strndup(arena, page[i], strcspn(page[i], "\n"));
}

/* Reads the item that begins at line *at, with the lines that it goes on in. */
static struct report_term term_read(struct arena *arena, size_t *at)
{
	const char *text = line_at(arena, (*at)++) + strlen("- ");
	while (*at < ARRAY_COUNT(page) && strncmp(page[*at], "  ", 2) == 0)
		text = arena_printf(arena, "%s %s", text, line_at(arena, (*at)++) + 2);
	const char *colon = strstr(text, ": ");
	if (!colon)
		bug("docs/glossary.md: no colon in '%s'", text);
	return (struct report_term){arena_strndup(arena, text, (size_t)(colon - text)), colon + 2};
}

const struct report_term *report_terms(struct arena *arena, unsigned *count)
{
	struct report_term *terms = NULL;
	*count = 0;
	for (size_t i = 0; i < ARRAY_COUNT(page);) {
		if (strncmp(page[i], "- ", 2) != 0) {
			i++;
			continue;
		}
		struct report_term term = term_read(arena, &i);
		ARENA_PUSH(arena, terms, *count, term);
	}
	return terms;
}

/* Whether a word is one of the names of a term, which commas part. */
static bool is_named(const struct report_term *term, const char *word)
{
	size_t length = strlen(word);
	for (const char *name = term->names; *name;) {
		size_t own = strcspn(name, ",");
		if (own == length && strncmp(name, word, length) == 0)
			return true;
		name += own;
		name += strspn(name, ", ");
	}
	return false;
}

const struct report_term *report_term(struct arena *arena, const char *word)
{
	unsigned count;
	const struct report_term *terms = report_terms(arena, &count);
	for (unsigned i = 0; i < count; i++)
		if (is_named(&terms[i], word))
			return &terms[i];
	return NULL;
}
