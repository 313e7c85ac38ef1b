/*
 * analyzer/source: the text that is analysed. It is the file's own, with those of its headers that hold kernels or
 * allocate device memory in the place of their #include lines, so that they are analysed and rewritten like the rest.
 * Only headers included with quotes come in: what stands in angle brackets is a library's. Every offset of the text is
 * one of a file: source_place().
 */
#ifndef COALESCE_ANALYZER_SOURCE_SOURCE_H
#define COALESCE_ANALYZER_SOURCE_SOURCE_H

#include "analyzer/types/types.h"

#define SOURCE_WORD_CHARACTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

/* A name that one of the program's files does not share with the rest, and what the text has in its stead. */
struct source_rename {
	const char *path; /* of the file */
	const char *name, *replacement;
	bool is_global;  /* it stands in no namespace: `x::name` is another */
	bool has_member; /* a class of the file has a member of that name: `x.name` changes with it */
};
/* A definition that two files have with the same text: offsets in the one whose text is without it, and in the other.
 */
struct source_repeat {
	const char *path;
	unsigned begin, end;
	const char *kept_path;
	unsigned kept_begin, kept_end;
};
/* What files have each for itself, and one text can have once. */
struct source_clashes {
	struct source_rename *renames;
	unsigned rename_count;
	struct source_repeat *repeats; /* of a path in order */
	unsigned repeat_count;
};
struct source_request {
	const char *path; /* that of the options, in an arena */
	const struct analyzer_options *options;
	struct source_clashes clashes;
	bool keeps_calls; /* calls of thrust too; ranges.h */
	bool alone;       /* all headers stay where they are */
};
/*
 * Reads a file, the headers that come into it, and behind its end the program's other files. Returns NULL with an error
 * reported where one cannot be read. A header that a file includes in several places comes in at the first, and is
 * empty at the others, where it says itself that it is to be read once, or has declarations alone; else it stays where
 * it is. Of a program of several files all headers come in, at the first file that includes them; a later file finds
 * the declarations above, and gets the header's directives. The macros that a file and its headers define end with it.
 */
const struct source_text *source_text_read(struct arena *arena, const struct source_request *request,
                                           struct diagnostics *diagnostics);
/* Whether the path is one of the files of the text; the pointer counts, not what it points to. */
bool source_text_has(const struct source_text *source, const char *path);
/* Whether a path is a file of several that nvcc gives to the C compiler: it has no device code. */
bool source_is_c(const struct source_text *source, const char *path);
/* Whether one file of the program has both: files that include both headers, or a file and a header of its own. */
bool source_text_share(const struct source_text *source, const char *a, const char *b);
/* The offset in its file of an offset in the text. */
unsigned source_offset(const struct source_text *source, unsigned offset);
/* The offset behind the braces that open after an offset, before a semicolon; the offset itself where none do. */
unsigned source_braces_end(const struct source_text *source, unsigned begin);
/* Whether two passages of the text say the same, but for blanks and comments. */
bool source_passages_agree(const struct source_text *source, struct range a, struct range b);
/* File, line and column of an offset. */
struct place source_place(const struct source_text *source, unsigned offset);
/* The file, line and column of an offset in the analysed text. */
struct place analysis_place(const struct analysis *analysis, unsigned offset);

#endif
