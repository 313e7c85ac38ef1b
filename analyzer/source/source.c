/*
 * The text is built piece by piece. An #include line gives way to a #line directive and the header's pieces; another
 * #line directive leads back. So compilers give the files' own names and lines, and of every piece it is known what the
 * file has in its stead.
 */
#include "analyzer/source/headers.h"
#include "analyzer/source/ranges.h"

#include <errno.h>
#include <string.h>

struct builder {
	struct arena *arena;
	struct source_headers headers;
	struct text out;
	struct source_text *source;
	const struct analyzer_options *options;
	const struct source_request *request;
	struct diagnostics *diagnostics;
};
/* ---- pieces ------------------------------------------------------------------------------------ */

/* Adds what a file has from one offset to another, as it stands there. */
static void piece_add(struct builder *builder, const struct line_reader *file, size_t begin, size_t end)
{
	const char *line = file->text + begin;
	struct source_piece piece = {
		.begin = (unsigned)builder->out.length, .path = file->path, .offset = (unsigned)begin, .line = 1};

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
static void piece_replace(struct builder *builder, const struct line_reader *file, struct inclusion inclusion,
                          const char *text, const char *header)
{
	struct source_piece piece = {.begin = (unsigned)builder->out.length,
	                             .path = file->path,
	                             .offset = (unsigned)inclusion.begin,
	                             .line = inclusion.line,
	                             .column = 1,
	                             .header = header,
	                             .original = arena_strndup(builder->arena, file->text + inclusion.begin,
	                                                       inclusion.end - inclusion.begin)};

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
static void passage_replace(struct builder *builder, const struct line_reader *file, struct inclusion passage,
                            const char *text)
{
	piece_replace(builder, file, passage, text, NULL);
	piece_last(builder)->is_stand_in = true;
}

/* Whether a word stands in an #include line. */
static bool is_included(const struct line_reader *file, size_t at)
{
	while (at > 0 && file->text[at - 1] != '\n')
		at--;
	at = source_blanks_skip(file, at);
	return file->text[at] == '#' &&
	       strncmp(file->text + source_blanks_skip(file, at + 1), "include", strlen("include")) == 0;
}

/* Whether a word is a member's name, or one of another scope: what it is called elsewhere does not matter to it. */
static bool is_elsewhere(const struct line_reader *file, size_t at, const struct source_rename *rename)
{
	const char *text = file->text;

	while (at > 0 && strchr(" \t\r\n", text[at - 1]))
		at--;
	if (at < 2 || rename->has_member)
		return false;
	if (text[at - 1] == '.')
		return text[at - 2] != '.';
	if (strncmp(text + at - 2, "->", 2) == 0)
		return true;
	return rename->is_global && strncmp(text + at - 2, "::", 2) == 0 && at > 2 &&
	       strchr(SOURCE_WORD_CHARACTERS ">", text[at - 3]);
}

/* What stands for the word at an offset of a file; NULL where it is the word itself. */
static const char *replacement_of(const struct builder *builder, const struct line_reader *file, size_t at,
                                  size_t length)
{
	const struct source_clashes *clashes = &builder->request->clashes;

	for (unsigned r = 0; r < clashes->rename_count; r++) {
		const struct source_rename *rename = &clashes->renames[r];

		if (strcmp(rename->path, file->path) == 0 && strlen(rename->name) == length &&
		    strncmp(rename->name, file->text + at, length) == 0 && !is_included(file, at) &&
		    !is_elsewhere(file, at, rename))
			return rename->replacement;
	}
	return NULL;
}

/* Adds what a file has from one offset to another, with its names replaced. */
static void names_replace(struct builder *builder, const struct line_reader *file, size_t begin, size_t end)
{
	struct inclusion name = {.line = 1};
	size_t done = begin, length;

	for (size_t at = 0; builder->request->clashes.rename_count > 0 && at < end; at += length) {
		const char *replacement;

		length = source_word_next(file, &at);
		replacement = at >= begin && at < end ? replacement_of(builder, file, at, length) : NULL;
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

/* The same, without what another file has with the same text, but with its lines. */
static void repeats_copy(struct builder *builder, const struct line_reader *file, size_t begin, size_t end)
{
	const struct source_clashes *clashes = &builder->request->clashes;

	for (unsigned r = 0; r < clashes->repeat_count; r++) {
		const struct source_repeat *repeat = &clashes->repeats[r];
		struct inclusion passage = {repeat->begin, repeat->end, 0, 0, 0};
		struct text lines = {0};

		if (strcmp(repeat->path, file->path) != 0 || repeat->begin < begin || repeat->end > end)
			continue;
		names_copy(builder, file, begin, repeat->begin);
		passage.line = source_line_of(file, repeat->begin);
		for (size_t i = repeat->begin; i < repeat->end; i++)
			text_puts(&lines, file->text[i] == '\n' ? "\n" : "");
		passage_replace(builder, file, passage, lines.data ? lines.data : "");
		text_release(&lines);
		begin = repeat->end;
	}
	names_copy(builder, file, begin, end);
}

/* Goes to a place of the file on a line of its own: `#line`, and blanks up to the column. */
static void place_mark(struct builder *builder, const struct line_reader *file, unsigned line, unsigned column)
{
	piece_replace(builder, file, (struct inclusion){.line = line},
	              arena_printf(builder->arena, "\n%s\n%*s", marker(builder->arena, line, file->path),
	                           (int)column - 1, ""),
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
		repeats_copy(builder, file, begin, change->begin);
		if (change->is_inline)
			call_replace(builder, file, change);
		else
			change_write(builder, file, change);
		begin = change->end;
	}
	repeats_copy(builder, file, begin, end);
}

static void file_write_pieces(struct builder *builder, const char *path, const char *text, size_t length);

/* Leads back behind an #include line. */
static void inclusion_end(struct builder *builder, const struct line_reader *file, struct inclusion inclusion)
{
	struct inclusion behind = {inclusion.end, inclusion.end, inclusion.end, inclusion.end, inclusion.line};

	piece_replace(builder, file, behind,
	              arena_printf(builder->arena, "\n%s", marker(builder->arena, inclusion.line + 1, file->path)),
	              NULL);
}

/* Writes the macros of a header that stands in the text of a file before. */
static void header_write_again(struct builder *builder, const struct line_reader *file, struct inclusion inclusion,
                               struct source_header *header)
{
	struct text out = {0};

	text_puts(&out, "\n");
	source_header_again(&out, &builder->headers, header, builder->source->path);
	piece_replace(builder, file, inclusion, out.data, header->path);
	text_release(&out);
	inclusion_end(builder, file, inclusion);
}

/* Writes a header in the place of the line that includes it. */
static void header_write(struct builder *builder, const struct line_reader *file, struct inclusion inclusion,
                         struct source_header *header)
{
	if (header->written == builder->headers.file) {
		piece_replace(builder, file, inclusion, "", header->path);
		return;
	}
	if (header->written > 0) {
		header_write_again(builder, file, inclusion, header);
		return;
	}
	header->written = builder->headers.file;
	builder->source->has_headers = true;
	piece_replace(builder, file, inclusion,
	              arena_printf(builder->arena, "%s\n", marker(builder->arena, 1, header->path)), header->path);
	file_write_pieces(builder, header->path, header->text, header->length);
	inclusion_end(builder, file, inclusion);
}

/* Writes an #include line that stays: found from the main file's folder where its own is another. */
static void inclusion_keep(struct builder *builder, const struct line_reader *file, struct inclusion inclusion,
                           const char *found, size_t *done)
{
	struct inclusion name = {inclusion.name_begin, inclusion.name_end, 0, 0, inclusion.line};

	if (!found || source_shares_folder(file->path, builder->source->path))
		return;
	piece_copy(builder, file, *done, name.begin);
	piece_replace(builder, file, name, source_header_name(builder->arena, builder->source->path, found), NULL);
	*done = name.end;
}

/* The changes of a file. Those of a text that is read once more for another reason were said before. */
static struct source_changes changes_find(struct builder *builder, const struct line_reader *file)
{
	const struct source_request *request = builder->request;
	const bool again = request->alone || request->clashes.rename_count + request->clashes.repeat_count > 0;
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
		const char *name = arena_strndup(builder->arena, text + inclusion.name_begin,
		                                 inclusion.name_end - inclusion.name_begin);
		const char *found = source_header_path(&builder->headers, path, name);
		struct source_header *header = source_header_coming(&builder->headers, found);

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
		diagnostics_report(builder->diagnostics, SEVERITY_ERROR, (struct place){path, 0, 0}, "%s",
		                   strerror(errno));
	else if (memchr(text, 0, *length))
		diagnostics_report(builder->diagnostics, SEVERITY_ERROR, (struct place){path, 0, 0},
		                   "this is not text: byte %zu is zero", strlen(text));
	return text && !memchr(text, 0, *length) ? text : NULL;
}

/* A file of the program. */
struct program_file {
	const char *path, *text;
	size_t length;
};

/* Looks at the headers of a file. */
static void file_search(struct builder *builder, const struct program_file *file)
{
	if (!builder->request->alone && strlen(file->text) == file->length)
		source_headers_search(&builder->headers, file->path, file->text, file->length);
}

/* The macros that end with a file: its own, and those of the headers that come into the text for it, which are noted as
 * its. */
static struct source_macros file_macros(struct builder *builder, const struct program_file *file)
{
	struct source_macros macros = {NULL, 0};

	source_macros_collect(builder->arena, &macros, file->text, file->length);
	for (unsigned h = 0; h < builder->headers.count; h++) {
		const struct source_header *header = &builder->headers.list[h];

		if (header->file != builder->headers.file || !source_header_coming(&builder->headers, header->path))
			continue;
		source_macros_collect(builder->arena, &macros, header->text, header->length);
		ARENA_PUSH(builder->arena, builder->source->inclusions, builder->source->inclusion_count,
		           (struct source_inclusion){file->path, header->path});
	}
	return macros;
}

/*
 * Writes a file of several: between what keeps its macros apart. Returns those. A file that another one includes, too,
 * stands in the text once.
 */
static struct source_macros part_write(struct builder *builder, const struct program_file *file,
                                       const struct source_macros *before)
{
	struct line_reader reading = source_reading_begin(file->path, file->text, file->length);
	struct source_header *included = source_header_coming(&builder->headers, file->path);
	struct source_macros macros;
	struct text between = {0};

	if (included && included->written > 0)
		return *before;
	file_search(builder, file);
	included = source_header_coming(&builder->headers, file->path);
	if (included)
		included->written = builder->headers.file;
	macros = file_macros(builder, file);
	text_puts(&between, builder->out.length > 0 ? "\n" : "");
	source_macros_end(&between, before);
	source_macros_begin(&between, &macros);
	text_printf(&between, "%s\n", marker(builder->arena, 1, file->path));
	piece_replace(builder, &reading, (struct inclusion){.line = 1}, between.data, NULL);
	text_release(&between);
	file_write_pieces(builder, file->path, file->text, file->length);
	return macros;
}

/* Looks at the headers of all files, and writes the files one behind another; false where one cannot be read
 * (reported). */
static bool files_write(struct builder *builder, struct program_file main)
{
	unsigned count = builder->options->other_count;
	struct program_file *files = arena_array(builder->arena, count + 1, sizeof(*files));
	struct source_macros macros = {NULL, 0};

	builder->source->others = arena_array(builder->arena, count + 1, sizeof(*builder->source->others));
	builder->source->other_count = count;
	files[0] = main;
	for (unsigned f = 0; f <= count; f++) {
		if (f > 0) {
			files[f].path = builder->source->others[f - 1] =
				arena_strdup(builder->arena, builder->options->others[f - 1]);
			files[f].text = file_text(builder, files[f].path, &files[f].length);
		}
		if (!files[f].text)
			return false;
		file_search(builder, &files[f]);
	}
	if (count == 0)
		file_write_pieces(builder, main.path, main.text, main.length);
	for (unsigned f = 0; count > 0 && f <= count; f++)
		macros = part_write(builder, &files[f], &macros);
	return true;
}

/* ---- the face --------------------------------------------------------------------------------------- */

const struct source_text *source_text_read(struct arena *arena, const struct source_request *request,
                                           struct diagnostics *diagnostics)
{
	const struct analyzer_options *options = request->options;
	const char *path = request->path;
	struct builder builder = {.arena = arena,
	                          .headers = {.arena = arena, .options = options, .keeps_calls = request->keeps_calls},
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
	source->repeats = request->clashes.repeats;
	source->repeat_count = request->clashes.repeat_count;
	builder.source = source;
	if (!files_write(&builder, (struct program_file){path, text, length})) {
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
