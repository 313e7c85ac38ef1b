/*
 * How the files of the room read a file's lines.
 */
#ifndef COALESCE_ANALYZER_SOURCE_LINES_H
#define COALESCE_ANALYZER_SOURCE_LINES_H

#include "analyzer/source/source.h"

#define SOURCE_WORD_CHARACTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

/* A file being read line by line. */
struct line_reader {
	const char *path, *text;
	size_t length, next;
	unsigned line;
	bool in_comment;
};
/* An #include line with quotes: what is to be replaced, and the name. */
struct inclusion {
	size_t begin, end, name_begin, name_end;
	unsigned line;
};

struct line_reader source_reading_begin(const char *path, const char *text, size_t length);
/* Goes to the next line, in or out of a comment. */
void source_line_pass(struct line_reader *reading);
/* The offset behind the blanks at one. */
size_t source_blanks_skip(const struct line_reader *reading, size_t i);
/* The next identifier or number outside of literals and comments, from an offset outside of both on: *at becomes its own; returns its length, 0 at the end. */
size_t source_word_next(const struct line_reader *file, size_t *at);
/* The next #include line with quotes; false at the end of the file. */
bool source_inclusion_next(struct line_reader *reading, struct inclusion *inclusion);

#endif
