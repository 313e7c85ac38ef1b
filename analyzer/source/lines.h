/*
 * How the files of the room read a file's lines.
 */
#ifndef COALESCE_ANALYZER_SOURCE_LINES_H
#define COALESCE_ANALYZER_SOURCE_LINES_H

#include "analyzer/source/source.h"

struct source_changes;
struct source_marks;

/* A file being read line by line. */
struct line_reader {
	const char *path, *text;
	size_t length, next;
	unsigned line;
	bool in_comment;
	const struct source_changes *changes; /* what the text has in the stead of its passages, or NULL */
	const struct source_marks *marks;     /* the same of brackets that are set apart */
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
/* The end of the comment or literal at an offset; the offset itself where there is none. */
size_t source_passage_end(const struct line_reader *file, size_t i);
/* The next identifier or number outside of literals and comments, from an offset outside of both on: *at becomes its
 * own; returns its length, 0 at the end. */
size_t source_word_next(const struct line_reader *file, size_t *at);
/*
 * Goes behind the next line, or behind all lines of the directive or the comment in one that begins there. Returns
 * whether it is a directive; the inclusion is empty where it is no #include line with quotes.
 */
bool source_directive_pass(struct line_reader *reading, struct inclusion *inclusion);
/* The next #include line with quotes; false at the end of the file. */
bool source_inclusion_next(struct line_reader *reading, struct inclusion *inclusion);

/* Whether two files lie in one folder, as their paths say. */
bool source_shares_folder(const char *a, const char *b);

/* ---- launches.c -------------------------------------------------------------------------------- */

/* The three brackets that open or close the configuration of a launch, where blanks stand between them. */
struct source_mark {
	size_t begin, end;
};
struct source_marks {
	struct source_mark *list; /* in order */
	unsigned count;
};
struct source_marks source_launches_apart(struct arena *arena, const struct line_reader *file);
/* The brackets together, with the blanks behind them: what follows stays in its line and column. */
const char *source_mark_text(struct arena *arena, const struct line_reader *file, struct source_mark mark);

/* ---- macros.c -------------------------------------------------------------------------------- */

/* Whether the first directive is that of a guard, or one asks for it. */
bool source_is_read_once(const char *text);
/* Whether a text has declarations and inclusions alone: to read it twice is to read it once. */
bool source_declares_alone(const char *text);
/* Macros that end with a file. */
struct source_macros {
	const char **names;
	unsigned count;
};
/* Adds the macros that a text defines, each once. */
void source_macros_collect(struct arena *arena, struct source_macros *macros, const char *text, size_t length);
/* Writes what a file begins with: what its macros mean before. */
void source_macros_begin(struct text *out, const struct source_macros *macros);
/* Writes what it ends with: they mean that again, or nothing. */
void source_macros_end(struct text *out, const struct source_macros *macros);

#endif
