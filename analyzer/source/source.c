/*
 * The text is built piece by piece. An #include line gives way to a #line directive and the header's pieces; another #line directive leads back. So compilers
 * give the files' own names and lines, and of every piece it is known what the file has in its stead.
 */
#include "analyzer/source/ranges.h"

#include <errno.h>
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
	bool is_once;  /* it says that it is read once, or what it says again changes nothing */
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
	const struct analyzer_options *options;
	const struct source_request *request;
	struct diagnostics *diagnostics;
};
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
	header.is_once = source_is_read_once(header.text) || source_declares_alone(header.text);
	ARENA_PUSH(builder->arena, builder->headers, builder->header_count, header);
	holds = headers_search(builder, path, header.text, header.length, depth + 1);
	holds |= header.is_once && builder->options->other_count > 0;
	builder->headers[position].comes_in = holds;
	return holds;
}

/* Looks at all headers of a text; returns whether it would come into another. */
static bool headers_search(struct builder *builder, const char *path, const char *text, size_t length, unsigned depth)
{
	struct line_reader reading = source_reading_begin(path, text, length);
	bool found = strstr(text, "__global__") || strstr(text, "cudaMalloc") ||
	             (strstr(text, "thrust::") && !builder->request->keeps_calls);
	struct inclusion inclusion;

	while (source_inclusion_next(&reading, &inclusion)) {
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

/* Adds what a file has from one offset to another, as it stands there. */
static void piece_add(struct builder *builder, const struct line_reader *file, size_t begin, size_t end)
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

static struct source_piece *piece_last(const struct builder *builder)
{
	return &builder->source->pieces[builder->source->piece_count - 1];
}

/* Adds what stands for a passage for the analysis alone. */
static void passage_replace(struct builder *builder, const struct line_reader *file, struct inclusion passage, const char *text)
{
	piece_replace(builder, file, passage, text, NULL);
	piece_last(builder)->is_stand_in = true;
}

/* What stands for a name of a file; NULL where it is the name itself. */
static const char *replacement_of(const struct builder *builder, const char *path, const char *name, size_t length)
{
	for (unsigned r = 0; r < builder->request->rename_count; r++) {
		const struct source_rename *rename = &builder->request->renames[r];

		if (strcmp(rename->path, path) == 0 && strlen(rename->name) == length && strncmp(rename->name, name, length) == 0)
			return rename->replacement;
	}
	return NULL;
}

/* Adds what a file has from one offset to another, with its names replaced. */
static void names_replace(struct builder *builder, const struct line_reader *file, size_t begin, size_t end)
{
	struct inclusion name = {.line = 1};
	size_t done = begin, length;

	for (size_t at = 0; builder->request->rename_count > 0 && at < end; at += length) {
		const char *replacement;

		length = source_word_next(file, &at);
		replacement = at >= begin && at < end ? replacement_of(builder, file->path, file->text + at, length) : NULL;
		if (!replacement)
			continue;
		piece_add(builder, file, done, at);
		for (size_t i = name.begin; i < at; i++)
			name.line += file->text[i] == '\n';
		name.begin = at;
		name.end = done = at + length;
		passage_replace(builder, file, name, replacement);
	}
	piece_add(builder, file, done, end);
}

/* The same, with the brackets of launches together. */
static void names_copy(struct builder *builder, const struct line_reader *file, size_t begin, size_t end)
{
	for (unsigned m = 0; file->marks && m < file->marks->count; m++) {
		struct source_mark mark = file->marks->list[m];
		struct inclusion passage = {mark.begin, mark.end, 0, 0, source_line_of(file, mark.begin)};

		if (mark.begin < begin || mark.end > end)
			continue;
		names_replace(builder, file, begin, mark.begin);
		passage_replace(builder, file, passage, source_mark_text(builder->arena, file, mark));
		piece_last(builder)->column = source_column_of(file, mark.begin);
		begin = mark.end;
	}
	names_replace(builder, file, begin, end);
}

/* Goes to a place of the file on a line of its own: `#line`, and blanks up to the column. */
static void place_mark(struct builder *builder, const struct line_reader *file, unsigned line, unsigned column)
{
	piece_replace(builder, file, (struct inclusion){.line = line},
	              arena_printf(builder->arena, "\n%s\n%*s", marker(builder->arena, line, file->path), (int)column - 1, ""),
	              NULL);
}

/* Adds what stands in the stead of a call, on as many lines as it has. */
static void call_replace(struct builder *builder, const struct line_reader *file, const struct source_change *change)
{
	struct inclusion passage = {.begin = change->begin, .end = change->end, .line = change->line};
	struct text out = {0};

	text_puts(&out, change->segments[0].text);
	for (size_t i = change->begin; i < change->end; i++)
		if (file->text[i] == '\n')
			text_puts(&out, "\n");
	passage_replace(builder, file, passage, out.data);
	text_release(&out);
}

/* Adds what a change inserts, and leads back to the file. */
static void change_write(struct builder *builder, const struct line_reader *file, const struct source_change *change)
{
	for (unsigned s = 0; s < change->segment_count; s++) {
		const struct source_segment *segment = &change->segments[s];

		place_mark(builder, file, segment->line, segment->column);
		if (segment->text) {
			piece_replace(builder, file, (struct inclusion){.line = segment->line}, segment->text, NULL);
			piece_last(builder)->is_generated = true;
		} else {
			names_copy(builder, file, segment->begin, segment->end);
		}
	}
	place_mark(builder, file, source_line_of(file, change->end), source_column_of(file, change->end));
}

/* Adds what a file has from one offset to another, with its changes. */
static void piece_copy(struct builder *builder, const struct line_reader *file, size_t begin, size_t end)
{
	for (unsigned c = 0; file->changes && c < file->changes->count; c++) {
		const struct source_change *change = &file->changes->list[c];

		if (change->begin < begin || change->end > end)
			continue;
		names_copy(builder, file, begin, change->begin);
		if (change->is_inline)
			call_replace(builder, file, change);
		else
			change_write(builder, file, change);
		begin = change->end;
	}
	names_copy(builder, file, begin, end);
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
	builder->source->has_headers = true;
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

	if (!found || source_shares_folder(file->path, builder->source->path))
		return;
	piece_copy(builder, file, *done, name.begin);
	piece_replace(builder, file, name, name_from_main(builder, found), NULL);
	*done = name.end;
}

/* The changes of a file. Those of a text that is read once more for another reason were said before. */
static struct source_changes changes_find(struct builder *builder, const struct line_reader *file)
{
	const struct source_request *request = builder->request;
	const bool again = request->alone || request->rename_count > 0;
	const char *name = strrchr(file->path, '/'), *suffix = "";
	struct source_changes changes = {NULL, 0};

	name = name ? name + 1 : file->path;
	if (strcmp(file->path, builder->source->path) != 0)
		suffix = arena_printf(builder->arena, "_%.*s", (int)strspn(name, SOURCE_WORD_CHARACTERS), name);
	if (strlen(file->text) == file->length && (!request->keeps_calls || builder->options->keeps_calls))
		changes = source_ranges_find(builder->arena, file, request->keeps_calls ? NULL : suffix,
		                             again ? NULL : builder->diagnostics);
	builder->source->follows_calls |= changes.count > 0;
	return changes;
}

static void file_write_pieces(struct builder *builder, const char *path, const char *text, size_t length)
{
	static const char mark[] = "\xEF\xBB\xBF";
	struct line_reader reading = source_reading_begin(path, text, length);
	struct inclusion inclusion = {0, sizeof(mark) - 1, 0, 0, 1};
	struct source_changes changes = changes_find(builder, &reading);
	struct source_marks marks = source_launches_apart(builder->arena, &reading);
	size_t done = 0;

	reading.changes = &changes;
	reading.marks = &marks;

	if (builder->out.length > 0 && strncmp(text, mark, sizeof(mark) - 1) == 0) {
		piece_replace(builder, &reading, inclusion, "", NULL);
		done = sizeof(mark) - 1;
	}
	while (source_inclusion_next(&reading, &inclusion)) {
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

/* ---- files ----------------------------------------------------------------------------------------- */

/* A file's text; NULL where it cannot be read, or is none (reported). */
static const char *file_text(struct builder *builder, const char *path, size_t *length)
{
	const char *text = file_read(builder->arena, path, length);

	if (!text)
		diagnostics_report(builder->diagnostics, SEVERITY_ERROR, (struct place){path, 0, 0}, "%s", strerror(errno));
	else if (memchr(text, 0, *length))
		diagnostics_report(builder->diagnostics, SEVERITY_ERROR, (struct place){path, 0, 0},
		                   "this is not text: byte %zu is zero", strlen(text));
	return text && !memchr(text, 0, *length) ? text : NULL;
}

/* Writes what stands between a file and the one behind it, and then that one. */
static void other_write(struct builder *builder, struct line_reader *before, const char *path, const char *text, size_t length)
{
	struct line_reader file = source_reading_begin(path, text, length);
	struct text between = {0};

	text_puts(&between, "\n");
	source_macros_end(&between, before, builder->options);
	text_printf(&between, "%s\n", marker(builder->arena, 1, path));
	piece_replace(builder, &file, (struct inclusion){.line = 1}, between.data, NULL);
	text_release(&between);
	file_write_pieces(builder, path, text, length);
	*before = file;
}

/* Looks at the headers of all files, and writes the files one behind another; false where one cannot be read (reported). */
static bool files_write(struct builder *builder, const char *path, const char *text, size_t length)
{
	unsigned count = builder->options->other_count;
	const char **others = arena_array(builder->arena, count + 1, sizeof(*others));
	size_t *lengths = arena_array(builder->arena, count + 1, sizeof(*lengths));
	struct line_reader before = source_reading_begin(path, text, length);

	builder->source->others = arena_array(builder->arena, count + 1, sizeof(*others));
	builder->source->other_count = count;
	if (!builder->request->alone && strlen(text) == length)
		headers_search(builder, path, text, length, 0);
	for (unsigned o = 0; o < count; o++) {
		builder->source->others[o] = arena_strdup(builder->arena, builder->options->others[o]);
		others[o] = file_text(builder, builder->source->others[o], &lengths[o]);
		if (!others[o])
			return false;
		if (!builder->request->alone && strlen(others[o]) == lengths[o])
			headers_search(builder, builder->source->others[o], others[o], lengths[o], 0);
	}
	file_write_pieces(builder, path, text, length);
	for (unsigned o = 0; o < count; o++)
		other_write(builder, &before, builder->source->others[o], others[o], lengths[o]);
	return true;
}

/* ---- the face --------------------------------------------------------------------------------------- */

const struct source_text *source_text_read(struct arena *arena, const struct source_request *request,
                                           struct diagnostics *diagnostics)
{
	const struct analyzer_options *options = request->options;
	const char *path = request->path;
	struct builder builder = {.arena = arena,
	                          .flags = options->flags,
	                          .flag_count = options->flag_count,
	                          .options = options,
	                          .diagnostics = diagnostics,
	                          .request = request};
	struct source_text *source = arena_alloc(arena, sizeof(*source));
	size_t length = options->text ? strlen(options->text) : 0;
	const char *text = options->text ? arena_strdup(arena, options->text) : file_text(&builder, path, &length);

	if (!text)
		return NULL;
	source->path = path;
	source->main_text = text;
	builder.source = source;
	if (!files_write(&builder, path, text, length)) {
		text_release(&builder.out);
		return NULL;
	}
	source->text = source->piece_count == 1 ? text : arena_strdup(arena, builder.out.data);
	source->length = source->piece_count == 1 ? length : builder.out.length;
	text_release(&builder.out);
	ARENA_PUSH(arena, source->line_starts, source->line_count, 0);
	for (size_t i = 0; i < source->length; i++)
		if (source->text[i] == '\n')
			ARENA_PUSH(arena, source->line_starts, source->line_count, (unsigned)i + 1);
	return source;
}
