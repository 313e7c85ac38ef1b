/*
 * Names that a mistyped one may stand for, by the letters to insert, drop, change or exchange.
 */
#include "base/base.h"

#include <stdint.h>
#include <string.h>

#define NAME_MOST 64

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Letters to insert, drop or change, or neighbours to exchange; SIZE_MAX where b is too long for a name. */
static size_t distance(const char *a, const char *b)
{
	size_t rows[3][NAME_MOST], length = strlen(b);
	size_t *before = rows[0], *last = rows[1], *row = rows[2];
	if (length >= NAME_MOST)
		return SIZE_MAX;
	for (size_t j = 0; j <= length; j++)
		last[j] = before[j] = j;
	for (size_t i = 1; a[i - 1]; i++) {
		row[0] = i;
		for (size_t j = 1; j <= length; j++) {
			row[j] = least(last[j - 1] + (a[i - 1] != b[j - 1]), least(last[j], row[j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				row[j] = least(row[j], before[j - 2] + 1);
		}
		size_t *spare = before;
		before = last;
		last = row;
		row = spare;
	}
	return last[length];
}

const char *text_closest(const char *wrong, const char *const *names, unsigned count)
{
	const char *best = NULL;
	size_t most = 1 + strlen(wrong) / 3;
	for (unsigned i = 0; i < count; i++) {
		size_t apart = distance(wrong, names[i]);
		if (apart <= most && (!best || apart < most)) {
			most = apart;
			best = names[i];
		}
	}
	return best;
}

const char *text_suggestion(struct arena *arena, const char *wrong, const char *const *names, unsigned count)
{
	const char *best = text_closest(wrong, names, count), *list = "";
	for (unsigned i = 0; i < count; i++)
		list = arena_printf(arena, "%s%s%s", list, i ? ", " : "", names[i]);
	if (best)
		return arena_printf(arena, "; did you mean '%s'? There are: %s", best, list);
	return count ? arena_printf(arena, "; there are: %s", list) : "";
}
