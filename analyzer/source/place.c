/*
 * Where an offset of the text lies in its files.
 */
#include "analyzer/source/source.h"

#include <string.h>

bool source_text_has(const struct source_text *source, const char *path)
{
	for (unsigned p = 0; p < source->piece_count; p++)
		if (source->pieces[p].path == path)
			return true;
	return false;
}

bool source_is_c(const struct source_text *source, const char *path)
{
	size_t length = path ? strlen(path) : 0;
	bool is_file = path == source->path;

	for (unsigned o = 0; o < source->other_count; o++)
		is_file |= path == source->others[o];
	return source->other_count > 0 && is_file && length > 2 && strcmp(path + length - 2, ".c") == 0;
}

/* Whether a file of the program is the one at a path, or includes it. */
static bool file_has(const struct source_text *source, const char *file, const char *path)
{
	for (unsigned i = 0; i < source->inclusion_count; i++)
		if (strcmp(source->inclusions[i].file, file) == 0 && strcmp(source->inclusions[i].header, path) == 0)
			return true;
	return strcmp(file, path) == 0;
}

bool source_text_share(const struct source_text *source, const char *a, const char *b)
{
	bool share = file_has(source, source->path, a) && file_has(source, source->path, b);

	for (unsigned o = 0; o < source->other_count; o++)
		share |= file_has(source, source->others[o], a) && file_has(source, source->others[o], b);
	return share;
}

/* Index of the line that holds an offset, from 0. */
static unsigned line_of(const struct source_text *source, unsigned offset)
{
	unsigned low = 0, high = source->line_count;

	while (high - low > 1) {
		unsigned middle = low + (high - low) / 2;

		if (source->line_starts[middle] <= offset)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* The piece that holds an offset; of empty ones the last before what follows. */
static const struct source_piece *piece_of(const struct source_text *source, unsigned offset)
{
	unsigned low = 0, high = source->piece_count;

	while (high - low > 1) {
		unsigned middle = low + (high - low) / 2;

		if (source->pieces[middle].begin <= offset)
			low = middle;
		else
			high = middle;
	}
	return &source->pieces[low];
}

unsigned source_offset(const struct source_text *source, unsigned offset)
{
	const struct source_piece *piece = piece_of(source, offset);

	return piece->offset + (piece->original ? 0 : offset - piece->begin);
}

struct place source_place(const struct source_text *source, unsigned offset)
{
	const struct source_piece *piece = piece_of(source, offset);
	unsigned line = line_of(source, offset), first = line_of(source, piece->begin);

	if (piece->is_generated)
		return (struct place){piece->path, piece->line, piece->column + offset - piece->begin};
	if (piece->original)
		return (struct place){piece->path, piece->line, piece->column};
	if (line == first)
		return (struct place){piece->path, piece->line, piece->column + offset - piece->begin};
	return (struct place){piece->path, piece->line + line - first, offset - source->line_starts[line] + 1};
}

struct place analysis_place(const struct analysis *analysis, unsigned offset)
{
	struct place place = {analysis->path, 1, 1};

	if (analysis->source)
		return source_place(analysis->source, offset);
	for (unsigned i = 0; i < offset; i++) {
		place.column = analysis->text[i] == '\n' ? 1 : place.column + 1;
		place.line += analysis->text[i] == '\n';
	}
	return place;
}
