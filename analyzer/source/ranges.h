/*
 * Calls of thrust that run a functor or lambda over a range: thrust::for_each, for_each_n and transform. The file has
 * no kernel then, but its text is read as if it had one, in which each thread does one element, and a launch of it in
 * the stead of the call.
 *
 *   ranges.c   finds the calls, and what their ranges are
 *   kernels.c  the text of such a kernel and its launch
 *   capture.c  lambdas, and what they capture
 *   lambdas.c  device lambdas elsewhere, as objects of classes
 *
 * All of it reads text alone. What cannot be followed stays as it is, with a note.
 */
#ifndef COALESCE_ANALYZER_SOURCE_RANGES_H
#define COALESCE_ANALYZER_SOURCE_RANGES_H

#include "analyzer/source/lines.h"

/* A part of what stands for a passage: a text, or where that is NULL what the file has from begin to end, whose first
 * line is that. */
struct source_segment {
	const char *text;
	size_t begin, end;
	unsigned line, column;
};
/* A passage of a file, perhaps empty, and what the text has in its stead: each segment on lines of its own. */
struct source_change {
	size_t begin, end;
	unsigned line; /* that what is new is said to be on */
	bool is_inline;
	struct source_segment *segments;
	unsigned segment_count;
};
struct source_changes {
	struct source_change *list;
	unsigned count;
};

/* The changes of a file, in order; notes where diagnostics is not NULL. suffix: of the names of its kernels; NULL:
 * calls stay, and are noted. */
struct source_changes source_ranges_find(struct arena *arena, const struct line_reader *file, const char *suffix,
                                         struct diagnostics *diagnostics);

/* ---- lambdas.c ------------------------------------------------------------------------------- */

/* Adds the changes by which device lambdas are objects of classes that have names. */
void source_lambdas_find(struct arena *arena, const struct line_reader *file, const char *suffix,
                         struct source_changes *changes);

/* ---- between the files --------------------------------------------------------------------- */

/* A passage of the file. */
struct passage {
	size_t begin, end;
};
#define PASSAGES_MAX 16
struct passages {
	struct passage list[PASSAGES_MAX];
	unsigned count;
};
/* What a kernel goes over: elements behind a pointer, or the numbers from one on. */
struct source_range {
	const char *pointer; /* NULL: numbers */
	const char *name;    /* of the kernel's parameter */
	const char *first;   /* of numbers */
};
#define RANGES_MAX 3
/* A call that is followed. */
struct source_call {
	const char *algorithm; /* "for_each" */
	size_t begin, end;     /* with its closing parenthesis */
	unsigned line;
	struct source_range ranges[RANGES_MAX]; /* what is read, then, of transform, what is written */
	unsigned range_count;
	const char *count; /* elements */
	struct passage functor;
};
/* A lambda's parts. */
struct source_lambda {
	struct passage captures, parameters, body; /* within their brackets; the body with them */
	bool is_device;
};

/* Splits what stands between two brackets at its commas. */
struct passages source_list_split(const struct line_reader *file, struct passage inside);
/* The offset behind the bracket that closes the one at an offset; the file's length where there is none. */
size_t source_bracket_end(const struct line_reader *file, size_t open);
/* Without blanks and comments around it. */
struct passage source_passage_trim(const struct line_reader *file, struct passage passage);
const char *source_passage_text(struct arena *arena, const struct line_reader *file, struct passage passage);
bool source_passage_has_word(const struct line_reader *file, struct passage passage, const char *word);
/* The line of an offset, from 1. */
unsigned source_line_of(const struct line_reader *file, size_t offset);
/* The column of an offset, from 1. */
unsigned source_column_of(const struct line_reader *file, size_t offset);
/* The beginning of the declaration, outside of all functions and classes, that an offset lies in. */
size_t source_outermost(const struct line_reader *file, size_t offset);

/* Reads a lambda; false where the passage is none. */
bool source_lambda_read(const struct line_reader *file, struct passage passage, struct source_lambda *lambda);
/* A captured variable: a parameter of the kernel, and what is passed for it. */
struct source_capture {
	const char *name, *value;
	bool is_pointer;
};
struct source_captures {
	struct source_capture *list;
	unsigned count;
	const char *problem; /* why they cannot be passed to a kernel, or NULL */
};
struct source_captures source_lambda_captures(struct arena *arena, const struct line_reader *file,
                                              const struct source_lambda *lambda);

/*
 * Reads an object with a call operator as a lambda that captures the members which that names; false where its class,
 * or what it does, is not seen.
 */
bool source_functor_read(struct arena *arena, const struct line_reader *file, struct passage functor,
                         struct source_lambda *lambda, struct source_captures *captures);

/* Adds the changes that make a launch of a call. Returns why it cannot be, or NULL. */
const char *source_call_write(struct arena *arena, const struct line_reader *file, const struct source_call *call,
                              const char *suffix, struct source_changes *changes);

#endif
