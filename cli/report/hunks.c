/*
 * What differs between two texts, by lines: what both begin and end with stays, and of what lies between a longest
 * common subsequence, by the quadratic dynamic program. Where that table would be too large, all between gives way.
 */
#include "cli/report/report.h"

#include <string.h>

#define TABLE_CELLS_MAX ((size_t)1 << 22)

/* Lines of a text with their ends; the last may have none. */
struct text_lines {
	const char **begins; /* count + 1 of them */
	unsigned count;
};

static struct text_lines lines_of(struct arena *arena, const char *text)
{
	struct text_lines lines = {0};
	unsigned stored = 0;
	for (const char *next = text; *next;) {
		const char *end = strchr(next, '\n');
		ARENA_PUSH(arena, lines.begins, stored, next);
		next = end ? end + 1 : next + strlen(next);
	}
	lines.count = stored;
	ARENA_PUSH(arena, lines.begins, stored, text + strlen(text));
	return lines;
}

static bool same_line(const struct text_lines *a, unsigned i, const struct text_lines *b, unsigned j)
{
	size_t length = (size_t)(a->begins[i + 1] - a->begins[i]);
	return length == (size_t)(b->begins[j + 1] - b->begins[j]) && memcmp(a->begins[i], b->begins[j], length) == 0;
}

/* The part of two texts that is compared: lines [old_first, old_end) and [new_first, new_end). */
struct region {
	struct text_lines old, new;
	unsigned old_first, old_end, new_first, new_end;
};

static void region_trim(struct region *region)
{
	while (region->old_first < region->old_end && region->new_first < region->new_end &&
	       same_line(&region->old, region->old_first, &region->new, region->new_first)) {
		region->old_first++;
		region->new_first++;
	}
	while (region->old_first < region->old_end && region->new_first < region->new_end &&
	       same_line(&region->old, region->old_end - 1, &region->new, region->new_end - 1)) {
		region->old_end--;
		region->new_end--;
	}
}

/* table[i * width + j]: length of the longest common subsequence of the lines from i and j on, counted in the region;
 * NULL where it would be too large. */
static unsigned *common_table(struct arena *arena, const struct region *region)
{
	size_t height = region->old_end - region->old_first, width = region->new_end - region->new_first + 1;
	if (height + 1 > TABLE_CELLS_MAX / width)
		return NULL;
	unsigned *table = arena_array(arena, (height + 1) * width, sizeof *table);
	for (size_t i = height; i-- > 0;) {
		for (size_t j = width - 1; j-- > 0;) {
			unsigned below = table[(i + 1) * width + j], beside = table[i * width + j + 1];
			bool same = same_line(&region->old, region->old_first + (unsigned)i, &region->new,
			                      region->new_first + (unsigned)j);
			table[i * width + j] = same             ? table[(i + 1) * width + j + 1] + 1
			                       : below > beside ? below
			                                        : beside;
		}
	}
	return table;
}

static void hunk_add(struct arena *arena, const struct region *region, unsigned old_from, unsigned old_to,
                     unsigned new_from, unsigned new_to, struct report_hunk **hunks, unsigned *count)
{
	const char *from = region->new.begins[new_from], *to = region->new.begins[new_to];
	struct report_hunk hunk = {old_from + 1, old_to - old_from, arena_strndup(arena, from, (size_t)(to - from))};
	if (old_from < old_to || new_from < new_to)
		ARENA_PUSH(arena, *hunks, *count, hunk);
}

struct report_hunk *report_hunks(struct arena *arena, const char *old, const char *new, unsigned *count)
{
	struct region region = {.old = lines_of(arena, old), .new = lines_of(arena, new)};
	struct report_hunk *hunks = NULL;
	region.old_end = region.old.count;
	region.new_end = region.new.count;
	region_trim(&region);
	const unsigned *table = common_table(arena, &region);
	unsigned width = region.new_end - region.new_first + 1, i = region.old_first, j = region.new_first;
	unsigned old_from = i, new_from = j;
	*count = 0;
	while (table && i < region.old_end && j < region.new_end) {
		const unsigned *cell = &table[(size_t)(i - region.old_first) * width + (j - region.new_first)];
		if (same_line(&region.old, i, &region.new, j)) {
			hunk_add(arena, &region, old_from, i, new_from, j, &hunks, count);
			old_from = ++i;
			new_from = ++j;
		} else if (cell[width] >= cell[1]) {
			i++;
		} else {
			j++;
		}
	}
	hunk_add(arena, &region, old_from, region.old_end, new_from, region.new_end, &hunks, count);
	return hunks;
}
