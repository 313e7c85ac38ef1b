/*
 * The headers that the files of a program include with quotes: which of them come into the text, and what they leave
 * where a second file includes them.
 */
#ifndef COALESCE_ANALYZER_SOURCE_HEADERS_H
#define COALESCE_ANALYZER_SOURCE_HEADERS_H

#include "analyzer/source/lines.h"

/* A header that was looked at. */
struct source_header {
	const char *path; /* as the includes lead to it */
	const char *real; /* without links and dots */
	const char *text;
	size_t length;
	bool holds;       /* it, or what it includes, has kernels or allocates device memory */
	bool is_once;     /* it says that it is read once, or what it says again changes nothing */
	bool repeats;     /* one file has two #include lines that lead to it */
	unsigned file;    /* the last file of the program that was found to include it, as in struct source_headers */
	unsigned written; /* the last file in whose text it stands; 0: none */
};
struct source_headers {
	struct arena *arena;
	const struct analyzer_options *options;
	bool keeps_calls; /* of thrust: a header that has such calls alone does not come in for them */
	struct source_header *list;
	unsigned count;
	unsigned file; /* files that were searched */
};

/* Looks at all headers of the program's next file. */
void source_headers_search(struct source_headers *headers, const char *path, const char *text, size_t length);
/* Where an #include line of a file leads: beside that, or in the folders given for headers. NULL where it is not found.
 */
const char *source_header_path(const struct source_headers *headers, const char *path, const char *name);
/* The header that comes in the place of an #include line, by its path, which may be NULL; NULL where the line stays. */
struct source_header *source_header_coming(const struct source_headers *headers, const char *path);
/* What an #include line that stays has to name so that a file at `main` finds the header. */
const char *source_header_name(struct arena *arena, const char *main, const char *found);
/*
 * Writes the directives of a header that stands in the text of a file before, and of the headers that it includes: a
 * later file finds its declarations above, and its macros here. main: the first file.
 */
void source_header_again(struct text *out, const struct source_headers *headers, struct source_header *header,
                         const char *main);

#endif
