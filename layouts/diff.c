/*
 * Unified patches: what changed between two texts, line by line, after Myers (An O(ND) difference algorithm and its
 * variations, 1986).
 *
 * The lines are compared from the top left of a grid to its bottom right; a step down inserts a line, a step right
 * removes one, a diagonal keeps one. reach[d][k] is how far right d changes get on diagonal k; walking back over it
 * gives the shortest list of changes. Texts that differ in more than CHANGES lines are taken as replaced from their
 * first difference to their last.
 */
#include <string.h>

#include "layouts/layouts.h"

#define CHANGES 4000
#define CONTEXT 3

struct diff_lines {
	const char **begins; /* count + 1 of them */
	unsigned count;
};

/* One comparison. kept[i]: the line of the new text that line i of the old one is, or NOT_KEPT. */
struct comparison_of_lines {
	struct arena *arena;
	struct diff_lines old, new;
	unsigned *kept;
};
#define NOT_KEPT ((unsigned)-1)

static struct diff_lines lines_split(struct arena *arena, const char *text)
{
	struct diff_lines lines = {0};
	unsigned begins = 0;

	for (const char *p = text; *p; p += strcspn(p, "\n"), p += *p == '\n') {
		ARENA_PUSH(arena, lines.begins, begins, p);
		lines.count++;
	}
	ARENA_PUSH(arena, lines.begins, begins, text + strlen(text));
	return lines;
}

static size_t line_length(const struct diff_lines *lines, unsigned i)
{
	return (size_t)(lines->begins[i + 1] - lines->begins[i]);
}

static bool lines_equal(const struct comparison_of_lines *comparison, unsigned i, unsigned k)
{
	size_t length = line_length(&comparison->old, i);

	return length == line_length(&comparison->new, k) &&
	       memcmp(comparison->old.begins[i], comparison->new.begins[k], length) == 0;
}

/* How far right d changes get on diagonal k, given how far one less gets on its neighbours. */
static int reach_next(const int *before, int d, int k)
{
	return k == -d || (k != d && before[k - 1] < before[k + 1]) ? before[k + 1] : before[k - 1] + 1;
}

/* Marks the diagonals of the shortest way to (x, y), backwards through the reaches of each number of changes. */
static void way_mark(struct comparison_of_lines *comparison, int **reaches, unsigned first, int d, int x, int y)
{
	for (; d >= 0; d--) {
		int k = x - y, begin = d > 0 ? reach_next(reaches[d - 1], d, k) : 0;

		for (; x > begin && y > 0; x--, y--)
			comparison->kept[first + (unsigned)x - 1] = first + (unsigned)y - 1;
		if (d == 0)
			return;
		if (k == -d || (k != d && reaches[d - 1][k - 1] < reaches[d - 1][k + 1]))
			y--;
		else
			x--;
	}
}

/* Compares what lies between the first difference and the last: `width` old lines and `height` new ones. */
static void middle_compare(struct comparison_of_lines *comparison, unsigned first, int width, int height)
{
	int **reaches = NULL;
	unsigned count = 0;

	for (int d = 0; d <= CHANGES && d <= width + height; d++) {
		int *reach = arena_array(comparison->arena, 2 * (size_t)d + 3, sizeof(*reach));

		reach += d + 1;
		ARENA_PUSH(comparison->arena, reaches, count, reach);
		for (int k = -d; k <= d; k += 2) {
			int x = d > 0 ? reach_next(reaches[d - 1], d, k) : 0;

			while (x < width && x - k < height &&
			       lines_equal(comparison, first + (unsigned)x, first + (unsigned)(x - k)))
				x++;
			reach[k] = x;
			if (x >= width && x - k >= height) {
				way_mark(comparison, reaches, first, d, width, height);
				return;
			}
		}
	}
}

static void lines_compare(struct comparison_of_lines *comparison)
{
	unsigned old = comparison->old.count, fresh = comparison->new.count, first = 0;

	comparison->kept = arena_array(comparison->arena, old + 1, sizeof(*comparison->kept));
	memset(comparison->kept, 0xff, (old + 1) * sizeof(*comparison->kept));
	for (; first < old && first < fresh && lines_equal(comparison, first, first); first++)
		comparison->kept[first] = first;
	for (; old > first && fresh > first && lines_equal(comparison, old - 1, fresh - 1); old--, fresh--)
		comparison->kept[old - 1] = fresh - 1;
	middle_compare(comparison, first, (int)(old - first), (int)(fresh - first));
}

static void line_write(struct text *out, char mark, const struct diff_lines *lines, unsigned i)
{
	size_t length = line_length(lines, i);

	text_printf(out, "%c", mark);
	text_append(out, lines->begins[i], length);
	if (lines->begins[i][length - 1] != '\n')
		text_puts(out, "\n\\ No newline at end of file\n");
}

/* Writes old lines [i, end) and the new lines [k, new_end) that take their place. */
static void hunk_lines_write(struct text *out, const struct comparison_of_lines *comparison, unsigned i, unsigned end,
                             unsigned k, unsigned new_end)
{
	for (; i < end || k < new_end;) {
		if (i < end && comparison->kept[i] == NOT_KEPT)
			line_write(out, '-', &comparison->old, i++);
		else if (k < new_end && (i == end || comparison->kept[i] != k))
			line_write(out, '+', &comparison->new, k++);
		else {
			line_write(out, ' ', &comparison->old, i++);
			k++;
		}
	}
}

/* Number of kept lines from old line i on that follow one another in the new text from line k. */
static unsigned kept_run(const struct comparison_of_lines *comparison, unsigned i, unsigned k)
{
	unsigned run = 0;

	while (i + run < comparison->old.count && comparison->kept[i + run] == k + run)
		run++;
	return run;
}

/* The new line at which the kept line behind a change stands; the changes' ends in both texts. */
static void change_end(const struct comparison_of_lines *comparison, unsigned *i, unsigned *k)
{
	while (*i < comparison->old.count && comparison->kept[*i] == NOT_KEPT)
		++*i;
	*k = *i < comparison->old.count ? comparison->kept[*i] : comparison->new.count;
}

static void hunks_write(struct text *out, const struct comparison_of_lines *comparison)
{
	unsigned i = 0, k = 0, old = comparison->old.count, fresh = comparison->new.count;

	while (i < old || k < fresh) {
		unsigned run = kept_run(comparison, i, k), lead = run < CONTEXT ? run : CONTEXT, begin, new_begin;

		i += run;
		k += run;
		if (i == old && k == fresh)
			return;
		begin = i - lead;
		new_begin = k - lead;
		for (run = 0; (i < old || k < fresh) && run <= 2 * CONTEXT;) {
			change_end(comparison, &i, &k);
			run = kept_run(comparison, i, k);
			if (run <= 2 * CONTEXT && (i + run < old || k + run < fresh)) {
				i += run;
				k += run;
				run = 0;
			} else {
				break;
			}
		}
		run = run < CONTEXT ? run : CONTEXT;
		i += run;
		k += run;
		text_printf(out, "@@ -%u,%u +%u,%u @@\n", i > begin ? begin + 1 : begin, i - begin,
		            k > new_begin ? new_begin + 1 : new_begin, k - new_begin);
		hunk_lines_write(out, comparison, begin, i, new_begin, k);
	}
}

char *layout_diff(struct arena *arena, const char *path, const char *before, const char *after)
{
	struct comparison_of_lines comparison = {arena, lines_split(arena, before), lines_split(arena, after), NULL};
	struct text out = {0};
	char *copy;

	if (strcmp(before, after) == 0)
		return arena_strdup(arena, "");
	lines_compare(&comparison);
	text_printf(&out, "--- %s\n+++ %s\n", path, path);
	hunks_write(&out, &comparison);
	copy = arena_strdup(arena, out.data);
	text_release(&out);
	return copy;
}
