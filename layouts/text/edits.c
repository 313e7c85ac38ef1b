/*
 * Edits over the byte ranges of a file. What is replaced may contain further edits (the index of a reference is an
 * expression with references of its own): whoever writes a replacement renders the ranges that it keeps.
 */
#include <stdlib.h>

#include "layouts/text/text.h"

static void edit_push(struct edits *edits, struct edit edit)
{
	edit.order = edits->count;
	ARENA_PUSH(edits->arena, edits->list, edits->count, edit);
}

void edit_add(struct edits *edits, struct range range, const char *text)
{
	edit_push(edits, (struct edit){.range = range, .text = text});
}

void edit_add_writer(struct edits *edits, struct range range, edit_writer *function, const void *context)
{
	edit_push(edits, (struct edit){.range = range, .function = function, .context = context});
}

/* Sorts by begin; insertions before replacements, the longer of two replacements first, then as added. */
static int edit_compare(const void *left, const void *right)
{
	const struct edit *a = left, *b = right;
	bool a_inserts = a->range.begin == a->range.end, b_inserts = b->range.begin == b->range.end;

	if (a->range.begin != b->range.begin)
		return a->range.begin < b->range.begin ? -1 : 1;
	if (a_inserts != b_inserts)
		return a_inserts ? -1 : 1;
	if (a->range.end != b->range.end)
		return a->range.end > b->range.end ? -1 : 1;
	return a->order < b->order ? -1 : a->order > b->order;
}

void edit_sort(struct edits *edits)
{
	if (edits->count > 0)
		qsort(edits->list, edits->count, sizeof(*edits->list), edit_compare);
}

/* Index of the first edit that begins at offset or after it. */
static unsigned edit_at(const struct edits *edits, unsigned offset)
{
	unsigned low = 0, high = edits->count;

	while (low < high) {
		unsigned middle = low + (high - low) / 2;

		if (edits->list[middle].range.begin < offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static unsigned newline_count(const char *text, size_t length)
{
	unsigned count = 0;

	for (size_t i = 0; i < length; i++)
		count += text[i] == '\n';
	return count;
}

/* Writes one edit's replacement, and the newlines that it swallowed where lines are to keep their numbers. */
static void edit_write(struct text *out, const struct edits *edits, const struct edit *edit)
{
	size_t before = out->length;

	if (edit->text)
		text_puts(out, edit->text);
	else
		edit->function(out, edits, edit);
	if (!edits->keep_lines || edit->range.begin == edit->range.end)
		return;
	unsigned had = newline_count(edits->source->text + edit->range.begin, edit->range.end - edit->range.begin);
	unsigned has = out->length > before ? newline_count(out->data + before, out->length - before) : 0;
	for (; has < had; has++)
		text_puts(out, "\n");
}

void edit_render(struct text *out, const struct edits *edits, struct range range, const struct edit *skip)
{
	unsigned done = range.begin;

	for (unsigned i = edit_at(edits, range.begin); i < edits->count && edits->list[i].range.begin <= range.end;
	     i++) {
		const struct edit *edit = &edits->list[i];
		bool inserts_at_end = edit->range.begin == range.end && edit->range.begin != edits->source->length;
		bool inserts_before = skip && edit->range.end == skip->range.begin;

		if (edit == skip || inserts_before || edit->range.begin < done || edit->range.end > range.end ||
		    inserts_at_end)
			continue;
		text_append(out, edits->source->text + done, edit->range.begin - done);
		edit_write(out, edits, edit);
		done = edit->range.end;
	}
	text_append(out, edits->source->text + done, range.end - done);
}

char *edit_render_copy(const struct edits *edits, struct range range, const struct edit *skip)
{
	struct text text = {0};
	char *copy;

	edit_render(&text, edits, range, skip);
	copy = arena_strdup(edits->arena, text.data ? text.data : "");
	text_release(&text);
	return copy;
}
