/*
 * analyzer/source: the text that is analysed. It is the file's own, with those of its headers that hold kernels or allocate device memory in the place of their
 * #include lines, so that they are analysed and rewritten like the rest. Only headers included with quotes come in: what stands in angle brackets is a
 * library's. Every offset of the text is one of a file: source_place().
 */
#ifndef COALESCE_ANALYZER_SOURCE_SOURCE_H
#define COALESCE_ANALYZER_SOURCE_SOURCE_H

#include "analyzer/analyzer.h"

/*
 * Reads a file, and the headers that come into it; NULL with errno where it cannot be read. text: what stands in for the file's content, or NULL. A header that the text includes in several places comes in at the
 * first, and is empty at the others, where it says itself that it is to be read once; else it stays where it is.
 */
const struct source_text *source_text_read(struct arena *arena, const char *path, const char *text, const char *const *flags,
                                           unsigned flag_count);
/* The file alone. */
const struct source_text *source_text_alone(struct arena *arena, const char *path, const char *text);
/* Whether the path is one of the files of the text; the pointer counts, not what it points to. */
bool source_text_has(const struct source_text *source, const char *path);
/* File, line and column of an offset. */
struct place source_place(const struct source_text *source, unsigned offset);

#endif
