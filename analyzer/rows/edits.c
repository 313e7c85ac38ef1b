/*
 * The text of rows: small questions, edits, and the text with its edits done, of which it is known what the files have.
 */
#include "analyzer/rows/internal.h"
#include "analyzer/source/source.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- small questions ---------------------------------------------------------------------------- */

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

unsigned rows_word(const struct rows *rows, unsigned offset)
{
	unsigned end = offset;

	while (end < rows->unit->text_length && is_word(rows->unit->text[end]))
		end++;
	return end - offset;
}

/* The end of the comment that begins at an offset; the offset itself where none does. */
static unsigned comment_end(const struct rows *rows, unsigned offset)
{
	const char *text = rows->unit->text + offset, *end;

	if (text[0] != '/' || (text[1] != '/' && text[1] != '*'))
		return offset;
	end = text[1] == '/' ? strchr(text, '\n') : strstr(text + 2, "*/");
	return end ? (unsigned)(end - rows->unit->text) + (text[1] == '/' ? 1 : 2) : (unsigned)rows->unit->text_length;
}

unsigned rows_skip(const struct rows *rows, unsigned offset)
{
	for (unsigned next = offset;; offset = next) {
		next = offset + (unsigned)strspn(rows->unit->text + offset, " \t\r\n");
		next = comment_end(rows, next);
		if (next == offset)
			return offset;
	}
}

bool rows_text_is(const struct rows *rows, struct range range, const char *text)
{
	return range.end - range.begin == strlen(text) &&
	       strncmp(rows->unit->text + range.begin, text, strlen(text)) == 0;
}

const char *rows_copy(const struct rows *rows, struct range range)
{
	return arena_strndup(rows->arena, rows->unit->text + range.begin, range.end - range.begin);
}

unsigned rows_closing(const struct rows *rows, unsigned open)
{
	unsigned depth = 0, at = open;

	while (at < rows->unit->text_length) {
		char c = rows->unit->text[at];
		unsigned comment = comment_end(rows, at);

		if (comment == at && strchr("([{", c))
			depth++;
		else if (comment == at && strchr(")]}", c) && --depth == 0)
			return at;
		at = comment > at ? comment : at + 1;
	}
	return at;
}

/* ---- edits -------------------------------------------------------------------------------------- */

void rows_edit(struct rows *rows, struct range range, const char *text)
{
	ARENA_PUSH(rows->arena, rows->edits, rows->edit_count, (struct row_edit){range, text, rows->edit_count});
}

void rows_insert(struct rows *rows, unsigned offset, const char *text)
{
	rows_edit(rows, (struct range){offset, offset}, text);
}

/* By place; at one place insertions first, as they were added. */
static int edit_compare(const void *left, const void *right)
{
	const struct row_edit *a = left, *b = right;
	bool replaces[] = {a->range.end > a->range.begin, b->range.end > b->range.begin};

	if (a->range.begin != b->range.begin)
		return a->range.begin < b->range.begin ? -1 : 1;
	if (replaces[0] != replaces[1])
		return replaces[0] ? 1 : -1;
	return a->order < b->order ? -1 : a->order > b->order;
}

/* Leaves out what was replaced twice by the same text: by two instances of a template, or two of its declarators. */
static void edits_unite(struct rows *rows)
{
	unsigned count = 0;

	for (unsigned e = 0; e < rows->edit_count; e++) {
		const struct row_edit *last = count ? &rows->edits[count - 1] : NULL, *edit = &rows->edits[e];

		if (!last || edit->range.end == edit->range.begin || last->range.begin != edit->range.begin ||
		    last->range.end != edit->range.end || strcmp(last->text, edit->text) != 0)
			rows->edits[count++] = *edit;
	}
	rows->edit_count = count;
}

/* Sorts the edits; false where two of them overlap. */
static bool edits_sort(struct rows *rows)
{
	if (rows->edit_count)
		qsort(rows->edits, rows->edit_count, sizeof(*rows->edits), edit_compare);
	edits_unite(rows);
	for (unsigned e = 1; e < rows->edit_count; e++)
		if (rows->edits[e].range.begin < rows->edits[e - 1].range.end)
			return rows_refuse(
				rows, source_place(rows->unit->source, rows->edits[e].range.begin),
				"a macro, or instances of a template with rows of different lengths, use them here");
	return true;
}

/* ---- the text ----------------------------------------------------------------------------------- */

/* A text being put together of pieces. */
struct writing {
	struct rows *rows;
	struct text out;
	struct source_text *source;
};

/* Adds a piece of the file's own, from one offset of the old text to another. */
static void own_write(struct writing *writing, const struct source_piece *piece, unsigned begin, unsigned end)
{
	const struct source_text *old = writing->rows->unit->source;
	struct source_piece part = *piece;
	struct place place = source_place(old, begin);

	if (begin == end)
		return;
	if (!piece->original) {
		part.offset += begin - piece->begin;
		part.line = place.line;
		part.column = place.column;
	}
	part.begin = (unsigned)writing->out.length;
	text_append(&writing->out, old->text + begin, end - begin);
	part.end = (unsigned)writing->out.length;
	ARENA_PUSH(writing->rows->arena, writing->source->pieces, writing->source->piece_count, part);
}

/* Adds what an edit puts into a piece, with the newlines of what it replaces. */
static void edit_write(struct writing *writing, const struct source_piece *piece, const struct row_edit *edit)
{
	const struct source_text *old = writing->rows->unit->source;
	struct place place = source_place(old, edit->range.begin);
	struct source_piece part = {.begin = (unsigned)writing->out.length,
	                            .path = piece->path,
	                            .offset = piece->offset + edit->range.begin - piece->begin,
	                            .line = place.line,
	                            .column = place.column,
	                            .original = rows_copy(writing->rows, edit->range),
	                            .is_flattened = true};

	text_puts(&writing->out, edit->text);
	for (unsigned i = edit->range.begin; i < edit->range.end; i++)
		if (old->text[i] == '\n')
			text_puts(&writing->out, "\n");
	part.end = (unsigned)writing->out.length;
	ARENA_PUSH(writing->rows->arena, writing->source->pieces, writing->source->piece_count, part);
}

/* Adds a piece with the edits in it, from edit e on; returns the first behind it. */
static unsigned piece_write(struct writing *writing, const struct source_piece *piece, unsigned e)
{
	struct rows *rows = writing->rows;
	unsigned at = piece->begin;

	for (; e < rows->edit_count && rows->edits[e].range.begin < piece->end; e++) {
		const struct row_edit *edit = &rows->edits[e];

		if (piece->original || edit->range.end > piece->end) {
			rows_refuse(rows, source_place(rows->unit->source, edit->range.begin),
			            "what has to change here is not the file's own text");
			continue;
		}
		own_write(writing, piece, at, edit->range.begin);
		edit_write(writing, piece, edit);
		at = edit->range.end;
	}
	if (piece->original && piece->begin == piece->end)
		ARENA_PUSH(rows->arena, writing->source->pieces, writing->source->piece_count,
		           ((struct source_piece){.begin = (unsigned)writing->out.length,
		                                  .end = (unsigned)writing->out.length,
		                                  .path = piece->path,
		                                  .offset = piece->offset,
		                                  .line = piece->line,
		                                  .column = piece->column,
		                                  .original = piece->original,
		                                  .header = piece->header,
		                                  .is_stand_in = piece->is_stand_in}));
	else
		own_write(writing, piece, at, piece->end);
	return e;
}

static void lines_find(struct rows *rows, struct source_text *source)
{
	source->line_starts = NULL;
	source->line_count = 0;
	ARENA_PUSH(rows->arena, source->line_starts, source->line_count, 0);
	for (size_t i = 0; i < source->length; i++)
		if (source->text[i] == '\n')
			ARENA_PUSH(rows->arena, source->line_starts, source->line_count, (unsigned)i + 1);
}

struct source_text *rows_text(struct rows *rows)
{
	const struct source_text *old = rows->unit->source;
	struct source_text *source = arena_alloc(rows->arena, sizeof(*source));
	struct writing writing = {.rows = rows, .source = source};
	unsigned e = 0;

	*source = *old;
	source->pieces = NULL;
	source->piece_count = 0;
	if (!edits_sort(rows))
		return NULL;
	for (unsigned p = 0; p < old->piece_count; p++)
		e = piece_write(&writing, &old->pieces[p], e);
	source->length = writing.out.length;
	source->text = arena_strdup(rows->arena, writing.out.data ? writing.out.data : "");
	text_release(&writing.out);
	lines_find(rows, source);
	return rows->problem ? NULL : source;
}
