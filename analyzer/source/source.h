/*
 * analyzer/source: the text that is analysed. It is the file's own, with those of its headers that hold kernels or allocate device memory in the place of their
 * #include lines, so that they are analysed and rewritten like the rest. Only headers included with quotes come in: what stands in angle brackets is a
 * library's. Every offset of the text is one of a file: source_place().
 */
#ifndef COALESCE_ANALYZER_SOURCE_SOURCE_H
#define COALESCE_ANALYZER_SOURCE_SOURCE_H

#include "analyzer/analyzer.h"

/* A name that one of the program's other files does not share with the rest, and what the text has in its stead. */
struct source_rename {
	const char *path; /* of the file */
	const char *name, *replacement;
};
struct source_request {
	const char *path; /* that of the options, in an arena */
	const struct analyzer_options *options;
	const struct source_rename *renames;
	unsigned rename_count;
	bool keeps_calls; /* calls of thrust too; ranges.h */
	bool alone;       /* all headers stay where they are */
};
/*
 * Reads a file, the headers that come into it, and behind its end the program's other files. Returns NULL with an error reported
 * where one cannot be read. A header that a file includes in several places comes in at the first, and is empty at the others,
 * where it says itself that it is to be read once, or has declarations alone; else it stays where it is. Of a program of several
 * files all headers come in, at the first file that includes them; a later file finds the declarations above, and gets the header's
 * directives. The macros that a file and its headers define end with it.
 */
const struct source_text *source_text_read(struct arena *arena, const struct source_request *request,
                                           struct diagnostics *diagnostics);
/* Whether the path is one of the files of the text; the pointer counts, not what it points to. */
bool source_text_has(const struct source_text *source, const char *path);
/* File, line and column of an offset. */
struct place source_place(const struct source_text *source, unsigned offset);

#endif
