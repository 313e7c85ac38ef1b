/*
 * A file line by line: where comments and literals do not reach, and which lines are `#include "name"`.
 */
#include "analyzer/source/lines.h"

#include <string.h>

/* The end of a literal in quotes that begins at an offset: on the same line. */
static size_t literal_end(const struct line_reader *reading, size_t i)
{
	char quote = reading->text[i++];

	while (i < reading->length && reading->text[i] != quote && reading->text[i] != '\n')
		i += reading->text[i] == '\\' && i + 1 < reading->length ? 2 : 1;
	return i < reading->length && reading->text[i] == quote ? i + 1 : i;
}

void source_line_pass(struct line_reader *reading)
{
	const char *text = reading->text;
	size_t i = reading->next;

	while (i < reading->length && text[i] != '\n') {
		if (reading->in_comment) {
			reading->in_comment = !(text[i] == '*' && text[i + 1] == '/');
			i += reading->in_comment ? 1 : 2;
		} else if (text[i] == '/' && text[i + 1] == '*') {
			reading->in_comment = true;
			i += 2;
		} else if (text[i] == '/' && text[i + 1] == '/') {
			i += strcspn(text + i, "\n");
		} else if (text[i] == '"' ||
		           (text[i] == '\'' && (i == 0 || !strchr("0123456789abcdefABCDEF", text[i - 1])))) {
			i = literal_end(reading, i);
		} else {
			i++;
		}
	}
	reading->next = i < reading->length ? i + 1 : reading->length;
	reading->line++;
}

size_t source_passage_end(const struct line_reader *file, size_t i)
{
	const char *text = file->text, *end = NULL;

	if (strncmp(text + i, "//", 2) == 0)
		return i + strcspn(text + i, "\n");
	if (strncmp(text + i, "/*", 2) == 0) {
		end = strstr(text + i + 2, "*/");
		return end && (size_t)(end - text) < file->length ? (size_t)(end - text) + 2 : file->length;
	}
	return text[i] == '"' || text[i] == '\'' ? literal_end(file, i) : i;
}

size_t source_word_next(const struct line_reader *file, size_t *at)
{
	while (*at < file->length) {
		size_t length = strspn(file->text + *at, SOURCE_WORD_CHARACTERS), end = source_passage_end(file, *at);

		if (length > 0)
			return length;
		*at = end > *at ? end : *at + 1;
	}
	return 0;
}

size_t source_blanks_skip(const struct line_reader *reading, size_t i)
{
	return i + strspn(reading->text + i, " \t");
}

/* Reads the line as `#include "name"`; false where it is something else. */
static bool inclusion_read(const struct line_reader *reading, struct inclusion *inclusion)
{
	const char *text = reading->text;
	size_t i = source_blanks_skip(reading, reading->next);

	*inclusion = (struct inclusion){.begin = i, .line = reading->line};
	if (reading->in_comment || text[i] != '#')
		return false;
	i = source_blanks_skip(reading, i + 1);
	if (strncmp(text + i, "include", strlen("include")) != 0)
		return false;
	i = source_blanks_skip(reading, i + strlen("include"));
	inclusion->name_begin = i + 1;
	inclusion->name_end = i + 1 + (text[i] == '"' ? strcspn(text + i + 1, "\"\r\n") : 0);
	inclusion->end = inclusion->name_end + 1;
	return text[i] == '"' && text[inclusion->name_end] == '"' && inclusion->name_end > inclusion->name_begin;
}

/* Whether the line before the next ends with a backslash. */
static bool is_continued(const struct line_reader *reading)
{
	size_t end = reading->next;

	while (end > 0 && strchr("\r\n", reading->text[end - 1]))
		end--;
	return end > 0 && reading->text[end - 1] == '\\';
}

bool source_directive_pass(struct line_reader *reading, struct inclusion *inclusion)
{
	bool directive = !reading->in_comment && reading->text[source_blanks_skip(reading, reading->next)] == '#';

	if (!inclusion_read(reading, inclusion))
		*inclusion = (struct inclusion){0};
	do
		source_line_pass(reading);
	while (directive && (reading->in_comment || is_continued(reading)) && reading->next < reading->length);
	return directive;
}

bool source_inclusion_next(struct line_reader *reading, struct inclusion *inclusion)
{
	while (reading->next < reading->length) {
		bool found = inclusion_read(reading, inclusion);

		source_line_pass(reading);
		if (found)
			return true;
	}
	return false;
}

struct line_reader source_reading_begin(const char *path, const char *text, size_t length)
{
	return (struct line_reader){.path = path, .text = text, .length = length, .line = 1};
}

bool source_shares_folder(const char *a, const char *b)
{
	const char *end_a = strrchr(a, '/'), *end_b = strrchr(b, '/');
	size_t length_a = end_a ? (size_t)(end_a - a) : 0, length_b = end_b ? (size_t)(end_b - b) : 0;

	return length_a == length_b && strncmp(a, b, length_a) == 0;
}
