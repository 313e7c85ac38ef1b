/*
 * A rewritten text as files: each piece of it goes back to where it came from.
 */
#include "analyzer/source/source.h"
#include "layouts/rewriter/rewriter.h"

#include <string.h>

/* A file being put together. */
struct composition {
	struct rewriter *rewriter;
	const struct source_text *source;
	const char *path;
	struct rewritten_file *files; /* the first is the main file; those that do not change have no text */
	unsigned file_count;
	bool changes; /* the file whose text was composed last differs by more than where it finds other headers */
};

static bool elsewhere(const struct composition *composition)
{
	return composition->rewriter->purpose == REWRITE_ELSEWHERE;
}

static const struct rewritten_file *file_find(const struct composition *composition, const char *path)
{
	for (unsigned f = 0; f < composition->file_count; f++)
		if (composition->files[f].path == path)
			return &composition->files[f];
	return NULL;
}

/* The name of a header that changes, beside the main file: "kernels_soa.cuh". */
static const char *name_elsewhere(const struct rewriter *rewriter, const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
	const char *layout = "";
	size_t stem = dot ? (size_t)(dot - name) : strlen(name);

	for (unsigned g = rewriter->groups->count; g-- > 0;)
		if (rewriter->group_plans[g].change != CHANGE_NONE)
			layout = rewriter->group_plans[g].placement->layout->name;
	return arena_printf(rewriter->arena, "%.*s_%s%s", (int)stem, name, layout, dot ? dot : "");
}

/* Writes an #include line with another name. */
static void inclusion_write(struct text *out, const char *original, const char *name)
{
	size_t before = strcspn(original, "\"");

	text_append(out, original, before);
	text_printf(out, "\"%s\"", name);
}

/* Writes what the file gets for a piece that stands in the stead of its own text. */
static void stead_write(struct text *out, struct composition *composition, const struct source_piece *piece)
{
	const struct rewritten_file *header = piece->header ? file_find(composition, piece->header) : NULL;
	bool is_main = composition->path == composition->source->path;
	const char *text = composition->source->text + piece->begin;

	if (piece->is_stand_in) {
		text_puts(out, piece->original);
		return;
	}
	composition->changes |= header && elsewhere(composition);
	if (header && elsewhere(composition))
		inclusion_write(out, piece->original, header->name);
	else if (!piece->header && !is_main && elsewhere(composition) && *piece->original &&
	         piece->end > piece->begin && *text != '/')
		text_append(out, text, piece->end - piece->begin);
	else
		text_puts(out, piece->original);
}

/* Whether a piece is what a file has, or gets when edits are done: pieces of one file that follow each other are one
 * passage of it. */
static bool is_own(const struct source_piece *piece)
{
	return !piece->original || piece->is_flattened;
}

/* The number of the piece behind the passage of one file that begins with a piece. */
static unsigned passage_end(const struct source_text *source, unsigned p)
{
	const char *path = source->pieces[p].path;

	while (p < source->piece_count && source->pieces[p].path == path && is_own(&source->pieces[p]))
		p++;
	return p;
}

/* Writes what the file has of the pieces from one to before another. */
static void written_write(struct text *out, const struct source_text *source, unsigned from, unsigned to)
{
	for (unsigned p = from; p < to; p++) {
		const struct source_piece *piece = &source->pieces[p];

		text_append(out, piece->original ? piece->original : source->text + piece->begin,
		            piece->original ? strlen(piece->original) : piece->end - piece->begin);
	}
}

/* Writes a passage of the file's own with its edits done. */
static void passage_write(struct text *out, struct composition *composition, unsigned from, unsigned to)
{
	const struct source_piece *pieces = composition->source->pieces;
	size_t before = out->length;
	struct text was = {0};

	edit_render(out, &composition->rewriter->edits, (struct range){pieces[from].begin, pieces[to - 1].end}, NULL);
	written_write(&was, composition->source, from, to);
	composition->changes |= out->length - before != was.length ||
	                        (was.length > 0 && memcmp(out->data + before, was.data, was.length) != 0);
	text_release(&was);
}

/* The file's text, rewritten or as it was. */
static char *text_compose(struct composition *composition, bool rewritten)
{
	const struct source_text *source = composition->source;
	struct text out = {0};
	char *copy;

	for (unsigned p = 0, next; p < source->piece_count; p = next) {
		next = is_own(&source->pieces[p]) ? passage_end(source, p) : p + 1;
		if (source->pieces[p].path != composition->path)
			continue;
		if (!rewritten)
			written_write(&out, source, p, next);
		else if (is_own(&source->pieces[p]))
			passage_write(&out, composition, p, next);
		else
			stead_write(&out, composition, &source->pieces[p]);
	}
	copy = arena_strdup(composition->rewriter->arena, out.data ? out.data : "");
	text_release(&out);
	return copy;
}

/* Whether every line ends with a carriage return. */
static bool has_carriage_returns(const char *text)
{
	bool any = false;

	for (const char *newline = strchr(text, '\n'); newline; newline = strchr(newline + 1, '\n')) {
		if (newline == text || newline[-1] != '\r')
			return false;
		any = true;
	}
	return any;
}

/* The text with a carriage return before every newline. */
static char *with_carriage_returns(struct arena *arena, const char *text)
{
	struct text out = {0};
	char *copy;

	for (const char *p = text; *p; p++)
		text_printf(&out, *p == '\n' && (p == text || p[-1] != '\r') ? "\r%c" : "%c", *p);
	copy = arena_strdup(arena, out.data ? out.data : "");
	text_release(&out);
	return copy;
}

/* Puts a file together; returns whether it changes. */
static bool file_compose(struct composition *composition, struct rewritten_file *file)
{
	composition->path = file->path;
	composition->changes = false;
	file->before = text_compose(composition, false);
	file->text = edit_fit_lines(composition->rewriter->arena, file->before, text_compose(composition, true),
	                            composition->rewriter->indentation);
	if (has_carriage_returns(file->before))
		file->text = with_carriage_returns(composition->rewriter->arena, file->text);
	return composition->changes;
}

/* Whether an edit lies in what one file has, so that it can be done there. */
static bool edit_is_inside(const struct source_text *source, const struct edit *edit)
{
	bool inserts = edit->range.begin == edit->range.end;

	for (unsigned p = 0, next; p < source->piece_count; p = next) {
		unsigned begin = source->pieces[p].begin, end;

		next = is_own(&source->pieces[p]) ? passage_end(source, p) : p + 1;
		end = source->pieces[next - 1].end;
		if (is_own(&source->pieces[p]) && begin <= edit->range.begin && edit->range.end <= end &&
		    !(inserts && edit->range.begin == end && end != source->length))
			return true;
	}
	return false;
}

/* The definition that an edit changes, or follows, of which another file has a copy; NULL for other edits. */
static const struct source_repeat *edit_repeat(const struct source_text *source, const struct edit *edit)
{
	unsigned at = edit->range.begin, offset;
	const char *path;

	while (at > 0 && edit->range.end == edit->range.begin && strchr(" \t\r\n", source->text[at - 1]))
		at--;
	offset = source_offset(source, at);
	path = source_place(source, at).file;
	for (unsigned r = 0; r < source->repeat_count; r++) {
		const struct source_repeat *repeat = &source->repeats[r];

		if (strcmp(repeat->kept_path, path) == 0 && repeat->kept_begin <= offset && offset <= repeat->kept_end)
			return repeat;
	}
	return NULL;
}

/* Whether no edit changes what another file has a copy of (reported). */
static bool repeats_stay(const struct rewriter *rewriter, const struct source_text *source)
{
	for (unsigned e = 0; e < rewriter->edits.count; e++) {
		const struct source_repeat *repeat = edit_repeat(source, &rewriter->edits.list[e]);

		if (!repeat)
			continue;
		diagnostics_report(rewriter->diagnostics, SEVERITY_NOTE,
		                   analysis_place(rewriter->analysis, rewriter->edits.list[e].range.begin),
		                   "this definition would change, but %s has a copy of it: move it to a header that "
		                   "both files include",
		                   repeat->path);
		return false;
	}
	return true;
}

static bool edits_are_inside(const struct rewriter *rewriter, const struct source_text *source)
{
	for (unsigned e = 0; e < rewriter->edits.count; e++)
		if (!edit_is_inside(source, &rewriter->edits.list[e])) {
			diagnostics_report(rewriter->diagnostics, SEVERITY_NOTE,
			                   analysis_place(rewriter->analysis, rewriter->edits.list[e].range.begin),
			                   "what has to change here goes over the end of a file: move it into one");
			return false;
		}
	return true;
}

/* The headers in the text, each once, those included by others first. */
static void headers_collect(struct composition *composition)
{
	for (unsigned p = composition->source->piece_count; p-- > 0;) {
		const char *path = composition->source->pieces[p].path;
		struct rewritten_file file = {.path = path};

		if (path == composition->source->path || file_find(composition, path))
			continue;
		file.name = name_elsewhere(composition->rewriter, path);
		ARENA_PUSH(composition->rewriter->arena, composition->files, composition->file_count, file);
	}
}

/* Leaves out the headers that stay as they are, until all that are left change: one whose header gets another name does
 * too. */
static void unchanged_leave_out(struct composition *composition)
{
	for (bool again = true; again;) {
		again = false;
		for (unsigned f = 1; f < composition->file_count && !again; f++) {
			struct rewritten_file *file = &composition->files[f];

			if (file_compose(composition, file))
				continue;
			for (unsigned next = f + 1; next < composition->file_count; next++)
				composition->files[next - 1] = composition->files[next];
			composition->file_count--;
			again = true;
		}
	}
}

bool rewriter_files_make(struct rewriter *rewriter, struct rewritten *rewritten)
{
	const struct analysis *analysis = rewriter->analysis;
	struct source_piece all = {.end = (unsigned)analysis->text_length, .path = analysis->path};
	struct source_text alone = {.path = analysis->path,
	                            .text = analysis->text,
	                            .length = analysis->text_length,
	                            .pieces = &all,
	                            .piece_count = 1};
	struct composition composition = {.rewriter = rewriter, .source = analysis->source ? analysis->source : &alone};
	struct rewritten_file main = {.path = composition.source->path};

	if (composition.source->follows_calls || !edits_are_inside(rewriter, composition.source) ||
	    !repeats_stay(rewriter, composition.source))
		return false;
	ARENA_PUSH(rewriter->arena, composition.files, composition.file_count, main);
	headers_collect(&composition);
	unchanged_leave_out(&composition);
	file_compose(&composition, &composition.files[0]);
	rewritten->files = composition.files;
	rewritten->file_count = composition.file_count;
	rewritten->text = composition.files[0].text;
	return true;
}
