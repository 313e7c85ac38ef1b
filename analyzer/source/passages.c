/*
 * Passages of a file's text: brackets, lists, words.
 */
#include "analyzer/source/ranges.h"

#include <string.h>

/* The offset behind a comment or literal, or behind the character at an offset. */
static size_t step(const struct line_reader *file, size_t i)
{
	size_t end = source_passage_end(file, i);

	return end > i ? end : i + 1;
}

size_t source_bracket_end(const struct line_reader *file, size_t open)
{
	unsigned depth = 0;

	for (size_t i = open; i < file->length; i = step(file, i)) {
		if (strchr("([{", file->text[i]))
			depth++;
		else if (strchr(")]}", file->text[i]) && --depth == 0)
			return i + 1;
	}
	return file->length;
}

unsigned source_braces_end(const struct source_text *source, unsigned begin)
{
	struct line_reader text = source_reading_begin("", source->text, source->length);
	size_t open = begin;

	while (open < text.length && !strchr("{;", text.text[open]))
		open = step(&text, open);
	return open < text.length && text.text[open] == '{' ? (unsigned)source_bracket_end(&text, open) : begin;
}

/* The offset of the next character that says something, up to an end. */
static size_t said_next(const struct line_reader *text, size_t at, size_t end)
{
	for (size_t next; at < end; at = next) {
		next = at + strspn(text->text + at, " \t\r\n");
		if (next == at && text->text[at] == '/')
			next = source_passage_end(text, at);
		if (next == at)
			break;
	}
	return at;
}

bool source_passages_agree(const struct source_text *source, struct range a, struct range b)
{
	struct line_reader text = source_reading_begin(source->path, source->text, source->length);
	size_t i = said_next(&text, a.begin, a.end), j = said_next(&text, b.begin, b.end);

	while (i < a.end && j < b.end && source->text[i] == source->text[j]) {
		i = said_next(&text, i + 1, a.end);
		j = said_next(&text, j + 1, b.end);
	}
	return i >= a.end && j >= b.end;
}

/* Where the arguments of a template end that begin at an offset; the offset itself where a `<` is none of these. */
static size_t angle_end(const struct line_reader *file, size_t open, size_t end)
{
	size_t i = open + 1;

	for (unsigned depth = 1; i < end && depth > 0; i++) {
		if (!strchr(SOURCE_WORD_CHARACTERS ":,<>*& ", file->text[i]))
			return open;
		depth += file->text[i] == '<';
		depth -= file->text[i] == '>';
	}
	return i < end ? i : open;
}

struct passages source_list_split(const struct line_reader *file, struct passage inside)
{
	struct passages list = {.count = 0};
	struct passage whole = source_passage_trim(file, inside);
	size_t from = inside.begin, next;

	for (size_t i = inside.begin; whole.begin < whole.end && i < inside.end; i = next) {
		next = strchr("([{", file->text[i]) ? source_bracket_end(file, i) : step(file, i);
		if (file->text[i] == '<' && angle_end(file, i, inside.end) > i)
			next = angle_end(file, i, inside.end);
		if (file->text[i] != ',' || list.count + 1 >= PASSAGES_MAX)
			continue;
		list.list[list.count++] = source_passage_trim(file, (struct passage){from, i});
		from = next;
	}
	if (whole.begin < whole.end)
		list.list[list.count++] = source_passage_trim(file, (struct passage){from, inside.end});
	return list;
}

struct passage source_passage_trim(const struct line_reader *file, struct passage passage)
{
	while (passage.begin < passage.end) {
		size_t end = source_passage_end(file, passage.begin);

		if (file->text[passage.begin] == '/' && end > passage.begin)
			passage.begin = end;
		else if (strchr(" \t\r\n", file->text[passage.begin]))
			passage.begin++;
		else
			break;
	}
	while (passage.end > passage.begin && strchr(" \t\r\n", file->text[passage.end - 1]))
		passage.end--;
	return passage;
}

const char *source_passage_text(struct arena *arena, const struct line_reader *file, struct passage passage)
{
	char *copy = arena_strndup(arena, file->text + passage.begin, passage.end - passage.begin);

	for (char *letter = copy; *letter; letter++)
		if (*letter == '\n' || *letter == '\r')
			*letter = ' ';
	return copy;
}

bool source_passage_has_word(const struct line_reader *file, struct passage passage, const char *word)
{
	size_t next;

	for (size_t at = passage.begin; at < passage.end; at = next) {
		size_t length = source_word_next(file, &at);

		next = at + (length ? length : 1);
		if (at < passage.end && strlen(word) == length && strncmp(file->text + at, word, length) == 0)
			return true;
	}
	return false;
}

unsigned source_line_of(const struct line_reader *file, size_t offset)
{
	unsigned line = 1;

	for (size_t i = 0; i < offset; i++)
		line += file->text[i] == '\n';
	return line;
}

unsigned source_column_of(const struct line_reader *file, size_t offset)
{
	size_t begin = offset;

	while (begin > 0 && file->text[begin - 1] != '\n')
		begin--;
	return (unsigned)(offset - begin) + 1;
}

/* Whether a brace opens a namespace or a block of extern "C". */
static bool opens_namespace(const struct line_reader *file, size_t declaration, size_t brace)
{
	struct passage head = source_passage_trim(file, (struct passage){declaration, brace});

	return source_passage_has_word(file, head, "namespace") ||
	       (source_passage_has_word(file, head, "extern") &&
	        !memchr(file->text + head.begin, '(', head.end - head.begin));
}

/* The end of a directive's line, with the lines that continue it. */
static size_t directive_end(const struct line_reader *file, size_t i)
{
	while (i < file->length && (file->text[i] != '\n' || file->text[i - 1] == '\\'))
		i++;
	return i;
}

size_t source_outermost(const struct line_reader *file, size_t offset)
{
	size_t begin = 0, next;

	for (size_t i = 0; i < offset; i = next) {
		bool nested = file->text[i] == '{' && !opens_namespace(file, begin, i);

		next = strchr("([", file->text[i]) || nested ? source_bracket_end(file, i) : step(file, i);
		if (file->text[i] == '#')
			next = directive_end(file, i);
		if (next > offset)
			break;
		if (strchr("{};#", file->text[i]) && (!nested || file->text[next - 1] == '}'))
			begin = next;
	}
	return source_passage_trim(file, (struct passage){begin, offset}).begin;
}
