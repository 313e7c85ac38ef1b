/*
 * The text is built piece by piece. An #include line gives way to a #line directive and the header's pieces; another #line directive leads back. So compilers
 * give the files' own names and lines, and of every piece it is known what the file has in its stead.
 */
#include "analyzer/source/source.h"

#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX 16
#define HEADERS_MAX 64
#define HEADER_BYTES_MAX ((size_t)1 << 20)

/* A header that was looked at. */
struct header {
	const char *path; /* as the includes lead to it */
	const char *real; /* without links and dots */
	const char *text;
	size_t length;
	bool comes_in; /* it, or what it includes, has kernels or allocates device memory */
	bool is_once;  /* it says that it is read once */
	unsigned uses; /* #include lines that name it */
	bool is_in;
};
struct builder {
	struct arena *arena;
	const char *const *flags;
	unsigned flag_count;
	struct header *headers;
	unsigned header_count;
	struct text out;
	struct source_text *source;
};
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

/* ---- #include lines ---------------------------------------------------------------------- */

/* The end of a literal in quotes that begins at an offset: on the same line. */
static size_t literal_end(const struct line_reader *reading, size_t i)
{
	char quote = reading->text[i++];

	while (i < reading->length && reading->text[i] != quote && reading->text[i] != '\n')
		i += reading->text[i] == '\\' && i + 1 < reading->length ? 2 : 1;
	return i < reading->length && reading->text[i] == quote ? i + 1 : i;
}

/* Goes to the next line, in or out of a comment. */
static void line_pass(struct line_reader *reading)
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
		} else if (text[i] == '"' || (text[i] == '\'' && (i == 0 || !strchr("0123456789abcdefABCDEF", text[i - 1])))) {
			i = literal_end(reading, i);
		} else {
			i++;
		}
	}
	reading->next = i < reading->length ? i + 1 : reading->length;
	reading->line++;
}

static size_t blanks_skip(const struct line_reader *reading, size_t i)
{
	return i + strspn(reading->text + i, " \t");
}

/* Reads the line as `#include "name"`; false where it is something else. */
static bool inclusion_read(const struct line_reader *reading, struct inclusion *inclusion)
{
	const char *text = reading->text;
	size_t i = blanks_skip(reading, reading->next);

	*inclusion = (struct inclusion){.begin = i, .line = reading->line};
	if (reading->in_comment || text[i] != '#')
		return false;
	i = blanks_skip(reading, i + 1);
	if (strncmp(text + i, "include", strlen("include")) != 0)
		return false;
	i = blanks_skip(reading, i + strlen("include"));
	inclusion->name_begin = i + 1;
	inclusion->name_end = i + 1 + (text[i] == '"' ? strcspn(text + i + 1, "\"\r\n") : 0);
	inclusion->end = inclusion->name_end + 1;
	return text[i] == '"' && text[inclusion->name_end] == '"' && inclusion->name_end > inclusion->name_begin;
}

/* The next #include line with quotes; false at the end of the file. */
static bool inclusion_next(struct line_reader *reading, struct inclusion *inclusion)
{
	while (reading->next < reading->length) {
		bool found = inclusion_read(reading, inclusion);

		line_pass(reading);
		if (found)
			return true;
	}
	return false;
}

static struct line_reader reading_begin(const char *path, const char *text, size_t length)
{
	return (struct line_reader){.path = path, .text = text, .length = length, .line = 1};
}

/* ---- headers ------------------------------------------------------------------------------- */

/* A file beside another: its name in that one's folder. */
static const char *path_beside(struct arena *arena, const char *path, const char *name)
{
	const char *slash = strrchr(path, '/');

	if (name[0] == '/' || !slash)
		return name;
	return arena_printf(arena, "%.*s/%s", (int)(slash - path), path, name);
}

/* Where an #include line leads: beside its file, or in the folders given for headers. NULL where it is not found. */
static const char *inclusion_path(const struct builder *builder, const char *path, const char *name)
{
	static const char *const options[] = {"-I", "-iquote"};
	const char *beside = path_beside(builder->arena, path, name);

	if (file_exists(beside))
		return beside;
	for (unsigned i = 0; i < builder->flag_count; i++)
		for (unsigned o = 0; o < ARRAY_COUNT(options); o++) {
			size_t length = strlen(options[o]);
			const char *flag = builder->flags[i], *folder = flag + length, *found;

			if (strncmp(flag, options[o], length) != 0)
				continue;
			if (*folder == '\0' && i + 1 < builder->flag_count)
				folder = builder->flags[i + 1];
			found = arena_printf(builder->arena, "%s/%s", folder, name);
			if (file_exists(found))
				return found;
		}
	return NULL;
}

/* Whether the first directive is that of a guard, or one asks for it. */
static bool is_read_once(const char *text)
{
	const char *guard = strstr(text, "#ifndef"), *once = strstr(text, "#pragma once");
	size_t length;

	if (once || !guard)
		return once != NULL;
	guard += strlen("#ifndef");
	guard += strspn(guard, " \t");
	length = strcspn(guard, " \t\r\n");
	for (const char *define = strstr(guard, "#define"); define; define = strstr(define + 1, "#define")) {
		const char *name = define + strlen("#define");

		name += strspn(name, " \t");
		if (strncmp(name, guard, length) == 0 && strchr(" \t\r\n", name[length]))
			return true;
	}
	return false;
}

static struct header *header_find(const struct builder *builder, const char *real)
{
	for (unsigned h = 0; h < builder->header_count; h++)
		if (strcmp(builder->headers[h].real, real) == 0)
			return &builder->headers[h];
	return NULL;
}

static bool headers_search(struct builder *builder, const char *path, const char *text, size_t length, unsigned depth);

/* Looks at the header that an #include line leads to; returns whether it comes into the text. */
static bool header_look(struct builder *builder, const char *path, unsigned depth)
{
	char *real = realpath(path, NULL);
	struct header *known = real ? header_find(builder, real) : NULL;
	struct header header = {.path = path, .real = real ? arena_strdup(builder->arena, real) : NULL, .uses = 1};
	unsigned position = builder->header_count;
	bool holds;

	free(real);
	if (known) {
		known->uses++;
		return known->comes_in;
	}
	if (!header.real || depth >= DEPTH_MAX || builder->header_count >= HEADERS_MAX)
		return false;
	header.text = file_read(builder->arena, path, &header.length);
	if (!header.text || header.length > HEADER_BYTES_MAX || strlen(header.text) != header.length)
		return false;
	header.is_once = is_read_once(header.text);
	ARENA_PUSH(builder->arena, builder->headers, builder->header_count, header);
	holds = headers_search(builder, path, header.text, header.length, depth + 1);
	builder->headers[position].comes_in = holds;
	return holds;
}

/* Looks at all headers of a text; returns whether it would come into another. */
static bool headers_search(struct builder *builder, const char *path, const char *text, size_t length, unsigned depth)
{
	struct line_reader reading = reading_begin(path, text, length);
	bool found = strstr(text, "__global__") || strstr(text, "cudaMalloc");
	struct inclusion inclusion;

	while (inclusion_next(&reading, &inclusion)) {
		const char *name =
			arena_strndup(builder->arena, text + inclusion.name_begin, inclusion.name_end - inclusion.name_begin);
		const char *header = inclusion_path(builder, path, name);

		if (header && header_look(builder, header, depth))
			found = true;
	}
	return found;
}

/* The header that comes in the place of an #include line; NULL where the line stays. */
static struct header *header_coming(const struct builder *builder, const char *path)
{
	char *real = path ? realpath(path, NULL) : NULL;
	struct header *header = real ? header_find(builder, real) : NULL;

	free(real);
	return header && header->comes_in && (header->uses == 1 || header->is_once) ? header : NULL;
}

/* ---- pieces ------------------------------------------------------------------------------------ */

/* Adds what a file has from one offset to another. */
static void piece_copy(struct builder *builder, const struct line_reader *file, size_t begin, size_t end)
{
	const char *line = file->text + begin;
	struct source_piece piece = {.begin = (unsigned)builder->out.length, .path = file->path, .line = 1};

	for (size_t i = 0; i < begin; i++)
		piece.line += file->text[i] == '\n';
	while (line > file->text && line[-1] != '\n')
		line--;
	piece.column = (unsigned)(file->text + begin - line) + 1;
	text_append(&builder->out, file->text + begin, end - begin);
	piece.end = (unsigned)builder->out.length;
	ARENA_PUSH(builder->arena, builder->source->pieces, builder->source->piece_count, piece);
}

/* Adds a text that the file does not have, in the stead of what it has from one offset to another. */
static void piece_replace(struct builder *builder, const struct line_reader *file, struct inclusion inclusion, const char *text,
                          const char *header)
{
	struct source_piece piece = {
		.begin = (unsigned)builder->out.length,
		.path = file->path,
		.line = inclusion.line,
		.column = 1,
		.header = header,
		.original = arena_strndup(builder->arena, file->text + inclusion.begin, inclusion.end - inclusion.begin)};

	text_puts(&builder->out, text);
	piece.end = (unsigned)builder->out.length;
	ARENA_PUSH(builder->arena, builder->source->pieces, builder->source->piece_count, piece);
}

/* `#line N "PATH"` */
static const char *marker(struct arena *arena, unsigned line, const char *path)
{
	struct text out = {0};
	const char *copy;

	text_printf(&out, "#line %u \"", line);
	for (; *path; path++)
		text_printf(&out, *path == '"' || *path == '\\' ? "\\%c" : "%c", *path);
	text_puts(&out, "\"");
	copy = arena_strdup(arena, out.data);
	text_release(&out);
	return copy;
}

/* The name by which the main file finds what a header includes beside itself. */
static const char *name_from_main(const struct builder *builder, const char *found)
{
	const char *main = builder->source->path, *slash = strrchr(main, '/');
	size_t folder = slash ? (size_t)(slash - main) + 1 : 0;
	char *real;

	if (found[0] != '/' && strncmp(found, main, folder) == 0)
		return found + folder;
	real = realpath(found, NULL);
	found = real ? arena_strdup(builder->arena, real) : found;
	free(real);
	return found;
}

static bool shares_folder(const char *a, const char *b)
{
	const char *end_a = strrchr(a, '/'), *end_b = strrchr(b, '/');
	size_t length_a = end_a ? (size_t)(end_a - a) : 0, length_b = end_b ? (size_t)(end_b - b) : 0;

	return length_a == length_b && strncmp(a, b, length_a) == 0;
}

static void file_write_pieces(struct builder *builder, const char *path, const char *text, size_t length);

/* Writes a header in the place of the line that includes it. */
static void header_write(struct builder *builder, const struct line_reader *file, struct inclusion inclusion, struct header *header)
{
	struct inclusion behind = {inclusion.end, inclusion.end, inclusion.end, inclusion.end, inclusion.line};

	if (header->is_in) {
		piece_replace(builder, file, inclusion, "", header->path);
		return;
	}
	header->is_in = true;
	piece_replace(builder, file, inclusion, arena_printf(builder->arena, "%s\n", marker(builder->arena, 1, header->path)),
	              header->path);
	file_write_pieces(builder, header->path, header->text, header->length);
	piece_replace(builder, file, behind,
	              arena_printf(builder->arena, "\n%s", marker(builder->arena, inclusion.line + 1, file->path)), NULL);
}

/* Writes an #include line that stays: found from the main file's folder where its own is another. */
static void inclusion_keep(struct builder *builder, const struct line_reader *file, struct inclusion inclusion, const char *found,
                           size_t *done)
{
	struct inclusion name = {inclusion.name_begin, inclusion.name_end, 0, 0, inclusion.line};

	if (!found || shares_folder(file->path, builder->source->path))
		return;
	piece_copy(builder, file, *done, name.begin);
	piece_replace(builder, file, name, name_from_main(builder, found), NULL);
	*done = name.end;
}

static void file_write_pieces(struct builder *builder, const char *path, const char *text, size_t length)
{
	static const char mark[] = "\xEF\xBB\xBF";
	struct line_reader reading = reading_begin(path, text, length);
	struct inclusion inclusion = {0, sizeof(mark) - 1, 0, 0, 1};
	size_t done = 0;

	if (builder->out.length > 0 && strncmp(text, mark, sizeof(mark) - 1) == 0) {
		piece_replace(builder, &reading, inclusion, "", NULL);
		done = sizeof(mark) - 1;
	}
	while (inclusion_next(&reading, &inclusion)) {
		const char *name =
			arena_strndup(builder->arena, text + inclusion.name_begin, inclusion.name_end - inclusion.name_begin);
		const char *found = inclusion_path(builder, path, name);
		struct header *header = header_coming(builder, found);

		if (!header) {
			inclusion_keep(builder, &reading, inclusion, found, &done);
			continue;
		}
		piece_copy(builder, &reading, done, inclusion.begin);
		header_write(builder, &reading, inclusion, header);
		done = inclusion.end;
	}
	piece_copy(builder, &reading, done, length);
}

/* ---- the face --------------------------------------------------------------------------------------- */

static const struct source_text *text_read(struct arena *arena, const char *path, const char *given, const char *const *flags,
                                           unsigned flag_count, bool alone)
{
	struct builder builder = {.arena = arena, .flags = flags, .flag_count = flag_count};
	struct source_text *source = arena_alloc(arena, sizeof(*source));
	size_t length = given ? strlen(given) : 0;
	const char *text = given ? arena_strdup(arena, given) : file_read(arena, path, &length);
	struct line_reader whole = reading_begin(path, text, length);

	if (!text)
		return NULL;
	source->path = path;
	source->main_text = text;
	builder.source = source;
	if (!alone && strlen(text) == length)
		headers_search(&builder, path, text, length, 0);
	if (builder.header_count > 0)
		file_write_pieces(&builder, path, text, length);
	else
		piece_copy(&builder, &whole, 0, length);
	source->text = source->piece_count == 1 ? text : arena_strdup(arena, builder.out.data);
	source->length = source->piece_count == 1 ? length : builder.out.length;
	text_release(&builder.out);
	ARENA_PUSH(arena, source->line_starts, source->line_count, 0);
	for (size_t i = 0; i < source->length; i++)
		if (source->text[i] == '\n')
			ARENA_PUSH(arena, source->line_starts, source->line_count, (unsigned)i + 1);
	return source;
}

const struct source_text *source_text_read(struct arena *arena, const char *path, const char *text, const char *const *flags,
                                           unsigned flag_count)
{
	return text_read(arena, path, text, flags, flag_count, false);
}

const struct source_text *source_text_alone(struct arena *arena, const char *path, const char *text)
{
	return text_read(arena, path, text, NULL, 0, true);
}

bool source_text_has(const struct source_text *source, const char *path)
{
	for (unsigned p = 0; p < source->piece_count; p++)
		if (source->pieces[p].path == path)
			return true;
	return false;
}

/* Index of the line that holds an offset, from 0. */
static unsigned line_of(const struct source_text *source, unsigned offset)
{
	unsigned low = 0, high = source->line_count;

	while (high - low > 1) {
		unsigned middle = low + (high - low) / 2;

		if (source->line_starts[middle] <= offset)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* The piece that holds an offset; of empty ones the last before what follows. */
static const struct source_piece *piece_of(const struct source_text *source, unsigned offset)
{
	unsigned low = 0, high = source->piece_count;

	while (high - low > 1) {
		unsigned middle = low + (high - low) / 2;

		if (source->pieces[middle].begin <= offset)
			low = middle;
		else
			high = middle;
	}
	return &source->pieces[low];
}

struct place source_place(const struct source_text *source, unsigned offset)
{
	const struct source_piece *piece = piece_of(source, offset);
	unsigned line = line_of(source, offset), first = line_of(source, piece->begin);

	if (piece->original)
		return (struct place){piece->path, piece->line, piece->column};
	if (line == first)
		return (struct place){piece->path, piece->line, piece->column + offset - piece->begin};
	return (struct place){piece->path, piece->line + line - first, offset - source->line_starts[line] + 1};
}

struct place analysis_place(const struct analysis *analysis, unsigned offset)
{
	struct place place = {analysis->path, 1, 1};

	if (analysis->source)
		return source_place(analysis->source, offset);
	for (unsigned i = 0; i < offset; i++) {
		place.column = analysis->text[i] == '\n' ? 1 : place.column + 1;
		place.line += analysis->text[i] == '\n';
	}
	return place;
}
