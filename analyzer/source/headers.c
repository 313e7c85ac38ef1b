/*
 * Looks at headers, each once, however many files include it.
 */
#include "analyzer/source/headers.h"

#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX 16
#define HEADERS_MAX 64
#define HEADER_BYTES_MAX ((size_t)1 << 20)

/* ---- where they lie -------------------------------------------------------------------- */

/* A file beside another: its name in that one's folder. */
static const char *path_beside(struct arena *arena, const char *path, const char *name)
{
	const char *slash = strrchr(path, '/');

	if (name[0] == '/' || !slash)
		return name;
	return arena_printf(arena, "%.*s/%s", (int)(slash - path), path, name);
}

const char *source_header_path(const struct source_headers *headers, const char *path, const char *name)
{
	static const char *const options[] = {"-I", "-iquote"};
	const struct analyzer_options *given = headers->options;
	const char *beside = path_beside(headers->arena, path, name);

	if (file_exists(beside))
		return beside;
	for (unsigned i = 0; i < given->flag_count; i++)
		for (unsigned o = 0; o < ARRAY_COUNT(options); o++) {
			size_t length = strlen(options[o]);
			const char *flag = given->flags[i], *folder = flag + length, *found;

			if (strncmp(flag, options[o], length) != 0)
				continue;
			if (*folder == '\0' && i + 1 < given->flag_count)
				folder = given->flags[i + 1];
			found = arena_printf(headers->arena, "%s/%s", folder, name);
			if (file_exists(found))
				return found;
		}
	return NULL;
}

const char *source_header_name(struct arena *arena, const char *main, const char *found)
{
	const char *slash = strrchr(main, '/');
	size_t folder = slash ? (size_t)(slash - main) + 1 : 0;
	char *real;

	if (found[0] != '/' && strncmp(found, main, folder) == 0)
		return found + folder;
	real = realpath(found, NULL);
	found = real ? arena_strdup(arena, real) : found;
	free(real);
	return found;
}

/* ---- looking at them ------------------------------------------------------------------- */

static struct source_header *header_find(const struct source_headers *headers, const char *real)
{
	for (unsigned h = 0; h < headers->count; h++)
		if (strcmp(headers->list[h].real, real) == 0)
			return &headers->list[h];
	return NULL;
}

static bool text_search(struct source_headers *headers, const char *path, const char *text, size_t length,
                        unsigned depth);

/* Reads a header, and takes it in; NULL where it is not to be looked at. */
static struct source_header *header_read(struct source_headers *headers, const char *path, const char *real)
{
	struct source_header header = {.path = path, .real = real};

	if (headers->count >= HEADERS_MAX)
		return NULL;
	header.text = file_read(headers->arena, path, &header.length);
	if (!header.text || header.length > HEADER_BYTES_MAX || strlen(header.text) != header.length)
		return NULL;
	header.is_once = source_is_read_once(header.text) || source_declares_alone(header.text);
	ARENA_PUSH(headers->arena, headers->list, headers->count, header);
	return &headers->list[headers->count - 1];
}

/* Looks at the header that an #include line leads to; returns whether it, or what it includes, holds what is analysed.
 */
static bool header_look(struct source_headers *headers, const char *path, unsigned depth)
{
	char *resolved = realpath(path, NULL);
	const char *real = resolved ? arena_strdup(headers->arena, resolved) : NULL;
	struct source_header *header = real ? header_find(headers, real) : NULL;
	unsigned position;
	bool holds;

	free(resolved);
	if (header && header->file == headers->file) {
		header->repeats = true;
		return header->holds;
	}
	if (!real || depth >= DEPTH_MAX)
		return false;
	header = header ? header : header_read(headers, path, real);
	if (!header)
		return false;
	header->file = headers->file;
	position = (unsigned)(header - headers->list);
	holds = text_search(headers, header->path, header->text, header->length, depth + 1);
	headers->list[position].holds = holds;
	return holds;
}

/* Looks at all headers of a text; returns whether it would come into another. */
static bool text_search(struct source_headers *headers, const char *path, const char *text, size_t length,
                        unsigned depth)
{
	struct line_reader reading = source_reading_begin(path, text, length);
	bool found = strstr(text, "__global__") || strstr(text, "cudaMalloc") ||
	             (strstr(text, "thrust::") && !headers->keeps_calls);
	struct inclusion inclusion;

	while (source_inclusion_next(&reading, &inclusion)) {
		const char *name = arena_strndup(headers->arena, text + inclusion.name_begin,
		                                 inclusion.name_end - inclusion.name_begin);
		const char *header = source_header_path(headers, path, name);

		if (header && header_look(headers, header, depth))
			found = true;
	}
	return found;
}

void source_headers_search(struct source_headers *headers, const char *path, const char *text, size_t length)
{
	headers->file++;
	text_search(headers, path, text, length, 0);
}

struct source_header *source_header_coming(const struct source_headers *headers, const char *path)
{
	char *real = path ? realpath(path, NULL) : NULL;
	struct source_header *header = real ? header_find(headers, real) : NULL;
	bool comes;

	free(real);
	comes = header && (header->holds || headers->options->other_count > 0) && (!header->repeats || header->is_once);
	return comes ? header : NULL;
}

/* ---- once more ---------------------------------------------------------------------------- */

/* Writes an #include line of a header: what the text has in its stead, or the line itself. */
static void inclusion_again(struct text *out, const struct source_headers *headers, const struct line_reader *file,
                            struct inclusion inclusion, const char *main)
{
	size_t length = inclusion.name_end - inclusion.name_begin;
	const char *name = arena_strndup(headers->arena, file->text + inclusion.name_begin, length);
	const char *found = source_header_path(headers, file->path, name);
	struct source_header *header = source_header_coming(headers, found);

	if (header)
		source_header_again(out, headers, header, main);
	else
		text_printf(out, "#include \"%s\"\n", found ? source_header_name(headers->arena, main, found) : name);
}

void source_header_again(struct text *out, const struct source_headers *headers, struct source_header *header,
                         const char *main)
{
	struct line_reader reading = source_reading_begin(header->path, header->text, header->length);
	struct inclusion inclusion;

	if (header->written == headers->file)
		return;
	header->written = headers->file;
	while (reading.next < reading.length) {
		size_t begin = reading.next;
		bool directive = source_directive_pass(&reading, &inclusion);

		if (directive && inclusion.name_end > inclusion.name_begin)
			inclusion_again(out, headers, &reading, inclusion, main);
		else if (directive)
			text_printf(out, "%.*s\n", (int)(reading.next - begin), header->text + begin);
	}
}
