/*
 * Launches whose brackets are set apart: `kernel << <grid, block >> > (arguments)`, as some editors format them. nvcc
 * takes them; libclang does not, and reads them with the brackets together. The text keeps its lines and columns.
 */
#include "analyzer/source/lines.h"

#include <string.h>

/* The offset behind blanks and newlines. */
static size_t space_skip(const struct line_reader *file, size_t i)
{
	return i + strspn(file->text + i, " \t\r\n");
}

/* The third character of `<<<` or `>>>`, set apart or not, that begins at an offset; 0 where none does. */
static size_t third_of(const struct line_reader *file, size_t i, char bracket)
{
	size_t third;

	if (file->text[i] != bracket || file->text[i + 1] != bracket)
		return 0;
	third = space_skip(file, i + 2);
	return file->text[third] == bracket ? third : 0;
}

/* Whether what stands before an offset may name a kernel: a name, but `operator`, or template arguments. */
static bool follows_name(const struct line_reader *file, size_t i)
{
	static const char word[] = "operator";
	const size_t length = sizeof(word) - 1;

	while (i > 0 && strchr(" \t\r\n", file->text[i - 1]))
		i--;
	if (i == 0 || !strchr(SOURCE_WORD_CHARACTERS ">", file->text[i - 1]))
		return false;
	return i < length || strncmp(file->text + i - length, word, length) != 0;
}

/* The brackets that close what begins behind an offset, with the arguments behind them; 0 where there are none. */
static size_t closing_find(const struct line_reader *file, size_t begin)
{
	unsigned depth = 0;

	for (size_t i = begin, end; i<file->length; i = end> i ? end : i + 1) {
		size_t third = depth == 0 ? third_of(file, i, '>') : 0;

		end = source_passage_end(file, i);
		if (third > 0)
			return file->text[space_skip(file, third + 1)] == '(' ? i : 0;
		if (strchr("([{", file->text[i]))
			depth++;
		else if (file->text[i] == ';' || (strchr(")]}", file->text[i]) && depth-- == 0))
			return 0;
	}
	return 0;
}

static void mark_add(struct arena *arena, struct source_marks *marks, size_t begin, size_t third)
{
	if (third > begin + 2)
		ARENA_PUSH(arena, marks->list, marks->count, (struct source_mark){begin, third + 1});
}

struct source_marks source_launches_apart(struct arena *arena, const struct line_reader *file)
{
	struct source_marks marks = {NULL, 0};

	for (size_t i = 0, end; i<file->length; i = end> i ? end : i + 1) {
		size_t third = third_of(file, i, '<'), closing;

		end = source_passage_end(file, i);
		if (third == 0)
			continue;
		closing = follows_name(file, i) ? closing_find(file, third + 1) : 0;
		if (closing > 0) {
			mark_add(arena, &marks, i, third);
			mark_add(arena, &marks, closing, third_of(file, closing, '>'));
		}
		end = third + 1;
	}
	return marks;
}

const char *source_mark_text(struct arena *arena, const struct line_reader *file, struct source_mark mark)
{
	const char *space = file->text + mark.begin + 2;
	int length = (int)(mark.end - mark.begin) - 3;

	return arena_printf(arena, "%.*s%c%.*s%s", 2, file->text + mark.begin, file->text[mark.begin], length, space,
	                    memchr(space, '\n', (size_t)length) ? " " : "");
}
