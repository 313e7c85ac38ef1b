/*
 * coalesce rewrite FILE.cu --layout L -o OUT.cu: the file with its records in layout L, kernel and host side. What is
 * written is a complete program that nvcc takes, or nothing is.
 */
#include "base/toolkit/toolkit.h"
#include "cli/report/report.h"
#include "cli/rewrite.h"
#include "model/compile/compile.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct rewriting {
	struct arena *arena;
	const struct command_line *line;
	const struct prediction *prediction;
	const struct layout *layout;
	unsigned tile;
	bool joins_pointers;
	struct diagnostics *diagnostics;
	struct process_limits limits;
	const struct rewritten *rewritten;      /* what is written */
	const struct rewritten *checked;        /* what is compiled: the same, its headers beside the file */
	const struct rewritten_file *compiling; /* which of its files was compiled last */
	const struct predict_options *options;
	struct check_result check; /* of --check */
};

static void report(const struct rewriting *rewriting, enum severity severity, const char *text)
{
	diagnostics_report(rewriting->diagnostics, severity, (struct place){rewriting->line->file, 0, 0}, "%s", text);
}

/* ---- rewriting ---------------------------------------------------------------------------- */

/* Of a line of rewritten text in a message. */
#define LINE_SHOWN_BYTES 120
/* What layout_rewrite() says of a place where the host side cannot follow. */
#define HOST_LEFT "host side left as it is: "

/* Passes on what was said of the rewriting; where it is refused for its host side, the places of that are errors. */
static void notes_pass_on(const struct rewriting *rewriting, const struct diagnostics *said, bool refused)
{
	for (size_t i = 0; i < said->count; i++) {
		const struct diagnostic *one = &said->list[i];
		if (refused && strncmp(one->message, HOST_LEFT, strlen(HOST_LEFT)) == 0)
			diagnostics_report(rewriting->diagnostics, SEVERITY_ERROR, one->place,
			                   "host side cannot be rewritten: %s", one->message + strlen(HOST_LEFT));
		else
			diagnostics_report(rewriting->diagnostics, one->severity, one->place, "%s", one->message);
	}
}

static struct placement **placements_make(const struct rewriting *rewriting, const struct layout_groups *groups)
{
	struct placement **placements = arena_array(rewriting->arena, groups->count + 1, sizeof *placements);
	for (unsigned g = 0; g < groups->count; g++) {
		placements[g] = layout_place(rewriting->arena, rewriting->layout, groups->list[g],
		                             rewriting->layout->tiled ? rewriting->tile : LAYOUT_TILE_DEFAULT);
		placements[g]->joins_pointers = rewriting->joins_pointers;
	}
	return placements;
}

static const struct rewritten *rewritten_for(const struct rewriting *rewriting, enum rewrite_purpose purpose,
                                             struct diagnostics *said)
{
	const struct layout_groups *groups = &rewriting->prediction->groups;
	return layout_rewrite(rewriting->arena, rewriting->prediction->analysis, groups,
	                      placements_make(rewriting, groups), purpose, said);
}

/* Returns false where there is nothing that may be written (reported). */
static bool text_rewrite(struct rewriting *rewriting)
{
	const bool kernels_only = rewriting->line->kernels_only.count > 0;
	struct diagnostics said, again;
	diagnostics_init(&said, rewriting->arena);
	diagnostics_init(&again, rewriting->arena);
	rewriting->checked = rewriting->rewritten = rewritten_for(rewriting, REWRITE_ELSEWHERE, &said);
	if (rewriting->rewritten && rewriting->rewritten->file_count > 1 && rewriting->line->output.count == 0)
		rewriting->rewritten = rewritten_for(rewriting, REWRITE_PROGRAM, &again);
	bool complete = rewriting->rewritten && rewriting->rewritten->host_complete;
	notes_pass_on(rewriting, &said, rewriting->rewritten && !complete && !kernels_only);
	if (!rewriting->rewritten)
		report(rewriting, SEVERITY_ERROR, "no kernel can be given that layout, so nothing is written");
	else if (!complete && kernels_only)
		report(rewriting, SEVERITY_WARNING,
		       "the kernels are rewritten, but the host side is left as it is where the notes say: change it "
		       "by hand; the "
		       "result was not compiled");
	else if (!complete)
		report(rewriting, SEVERITY_ERROR,
		       "nothing is written, since the host side would not fit the kernels; --kernels-only writes them "
		       "all the "
		       "same");
	return complete || (rewriting->rewritten && kernels_only);
}

/* ---- compiling what was rewritten ------------------------------------------------------------ */

/* Where a patch is read: the next line of either text, and the change that is being read. */
struct patch_position {
	unsigned old_line, new_line;
	unsigned removed, added;
};

static void patch_hunk_begin(struct patch_position *position, const char *header)
{
	char *next;
	unsigned long old_begin = strtoul(header + strlen("@@ -"), &next, 10);
	unsigned long old_count = strtoul(next + 1, &next, 10);
	unsigned long new_begin = strtoul(next + 2, &next, 10);
	unsigned long new_count = strtoul(next + 1, &next, 10);
	*position = (struct patch_position){(unsigned)old_begin + (old_count == 0),
	                                    (unsigned)new_begin + (new_count == 0), 0, 0};
}

/* The line of the old text that the next line of the new text stands for: of a change, line by line as far as both
 * sides go. */
static unsigned patch_old_line(const struct patch_position *position)
{
	if (position->removed == 0)
		return position->old_line;
	return position->old_line - position->removed +
	       (position->added < position->removed ? position->added : position->removed - 1);
}

static void patch_line_pass(struct patch_position *position, char sign)
{
	if (sign == ' ' || (sign == '-' && position->added > 0))
		position->removed = position->added = 0;
	position->old_line += sign != '+';
	position->new_line += sign != '-';
	position->removed += sign == '-';
	position->added += sign == '+';
}

/* The line of the file as it is that a line of the rewritten text stands for. */
static unsigned original_line(const char *patch, unsigned line)
{
	struct patch_position position = {1, 1, 0, 0};
	bool inside = false;
	for (const char *next = patch; *next; next += strcspn(next, "\n"), next += *next == '\n') {
		struct patch_position hunk = position;
		bool begins = strncmp(next, "@@ -", strlen("@@ -")) == 0;
		if (begins)
			patch_hunk_begin(&hunk, next);
		if (begins && hunk.new_line > line)
			break;
		inside = inside || begins;
		if (begins)
			position = hunk;
		else if (inside && *next != '+' && *next != '-' && *next != ' ')
			continue;
		else if (inside && position.new_line == line && *next != '-')
			return patch_old_line(&position);
		else if (inside)
			patch_line_pass(&position, *next);
	}
	return line + position.old_line - position.new_line;
}

/* A line of a text, without what is blank around it; of a longer one than LINE_SHOWN_BYTES the beginning. */
static const char *line_text(struct arena *arena, const char *text, unsigned line)
{
	for (; line > 1 && *text; line--) {
		text += strcspn(text, "\n");
		text += *text == '\n';
	}
	text += strspn(text, " \t");
	size_t length = strcspn(text, "\r\n"), shown = length < LINE_SHOWN_BYTES ? length : LINE_SHOWN_BYTES;
	while (shown < length && shown > 0 && ((unsigned char)text[shown] & 0xc0) == 0x80)
		shown--;
	return arena_printf(arena, "%.*s%s", (int)shown, text, shown < length ? "..." : "");
}

/* The file of the program that was compiled by that name; NULL for others. */
static const struct rewritten_file *file_compiled_as(const struct rewriting *rewriting, const char *name)
{
	const struct rewritten *checked = rewriting->checked;
	const char *slash = name ? strrchr(name, '/') : NULL;
	if (name && strcmp(name, COMPILE_CHECKED_FILE) == 0)
		return rewriting->compiling;
	for (unsigned f = 1; name && f < checked->file_count; f++)
		if (strcmp(slash ? slash + 1 : name, checked->files[f].name) == 0)
			return &checked->files[f];
	return NULL;
}

/* Passes on what a compiler said of the rewritten text, each message at the line of the user's file that its line
 * stands for. */
static void complaints_pass_on(const struct rewriting *rewriting, const struct diagnostics *said)
{
	for (size_t i = 0; i < said->count; i++) {
		const struct diagnostic *one = &said->list[i];
		const struct rewritten_file *file = file_compiled_as(rewriting, one->place.file);
		if (file)
			diagnostics_report(rewriting->diagnostics, one->severity,
			                   (struct place){file->path,
			                                  original_line(layout_diff(rewriting->arena, file->path,
			                                                            file->before, file->text),
			                                                one->place.line),
			                                  0},
			                   "%s, in the rewritten '%s'", one->message,
			                   line_text(rewriting->arena, file->text, one->place.line));
		else
			diagnostics_report(rewriting->diagnostics, one->severity, one->place, "%s", one->message);
	}
}

/* The flags of the program, then the folders of the files that change: what they include stands there. */
static const char **flags_of(const struct rewriting *rewriting, unsigned *count)
{
	const char **flags = cli_program_flags(rewriting->arena, rewriting->line, count, rewriting->diagnostics);
	return cli_folders_add(rewriting->arena, rewriting->checked, flags, count);
}

static bool is_unchanged(const struct rewritten *rewritten)
{
	return rewritten->file_count == 1 && strcmp(rewritten->files[0].before, rewritten->text) == 0;
}

static const struct compile_header *headers_of(const struct rewriting *rewriting, unsigned *count)
{
	struct compile_header *headers = NULL;
	*count = 0;
	for (unsigned f = 1; f < rewriting->checked->file_count; f++) {
		const struct rewritten_file *file = &rewriting->checked->files[f];
		ARENA_PUSH(rewriting->arena, headers, *count, ((struct compile_header){file->name, file->text}));
	}
	return headers;
}

/* Whether a file is one of the program's source files, not a header. */
static bool is_source_file(const struct rewriting *rewriting, const struct rewritten_file *file)
{
	const struct source_text *source = rewriting->prediction->analysis->source;
	bool is = file->path == source->path;
	for (unsigned o = 0; o < source->other_count; o++)
		is |= file->path == source->others[o];
	return is;
}

/* Compiles each rewritten source file; whether all compile. What is wrong is reported. */
static bool files_compile(struct rewriting *rewriting, struct compile_request *request)
{
	struct diagnostics said;
	bool compiles = true;
	diagnostics_init(&said, rewriting->arena);
	for (unsigned f = 0; compiles && f < rewriting->checked->file_count; f++) {
		const struct rewritten_file *file = &rewriting->checked->files[f];
		if (!is_source_file(rewriting, file))
			continue;
		rewriting->compiling = file;
		request->source_path = file->path;
		request->text = file->text;
		compiles = compile_check_program(rewriting->arena, request, &said);
	}
	complaints_pass_on(rewriting, &said);
	return compiles;
}

/* Whether the rewritten text compiles, or need not be compiled; false: it does not (reported). */
static bool text_compiles(struct rewriting *rewriting)
{
	const struct toolkit toolkit = toolkit_find(rewriting->arena);
	bool exact;
	struct compile_request request = {
		.toolkit = &toolkit,
		.target = machine_target(rewriting->arena, rewriting->prediction->machine, &exact),
		.source_path = rewriting->line->file,
		.limits = rewriting->limits};
	if (rewriting->line->no_compile.count || !rewriting->rewritten->host_complete ||
	    is_unchanged(rewriting->rewritten))
		return true;
	if (toolkit.reason) {
		report(rewriting, SEVERITY_NOTE,
		       arena_printf(rewriting->arena, "the result was not compiled: %s; see `coalesce doctor`",
		                    toolkit.reason));
		return true;
	}
	request.flags = flags_of(rewriting, &request.flag_count);
	request.headers = headers_of(rewriting, &request.header_count);
	const bool compiles = files_compile(rewriting, &request);
	if (!compiles)
		report(rewriting, SEVERITY_ERROR,
		       "nothing is written, since the result does not compile; --no-compile writes it unasked");
	return compiles;
}

/* ---- running what was rewritten ------------------------------------------------------------- */

static struct check_result check_of(const struct rewriting *rewriting)
{
	struct rewrite_checking checking = {.prediction = rewriting->prediction, .options = rewriting->options};
	if (!rewriting->rewritten->host_complete)
		return (struct check_result){.word = CHECK_NOT_RUN, .text = "the host side is left as it is"};
	if (is_unchanged(rewriting->rewritten))
		return (struct check_result){.word = CHECK_NOT_RUN, .text = "the program has that layout already"};
	checking.flags =
		cli_program_flags(rewriting->arena, rewriting->line, &checking.flag_count, rewriting->diagnostics);
	struct check_session *session = cli_check_begin(rewriting->arena, &checking);
	const struct check_result result = cli_check(session, rewriting->checked);
	cli_check_end(session);
	return result;
}

/* Whether nothing is known against the result: it does what the original does, or nobody can tell (a note says why). */
static bool text_checked(struct rewriting *rewriting)
{
	struct check_result *check = &rewriting->check;
	if (rewriting->line->check.count == 0)
		return true;
	*check = check_of(rewriting);
	if (check->word == CHECK_DIFFERENT)
		report(rewriting, SEVERITY_ERROR,
		       arena_printf(rewriting->arena,
		                    "nothing is written, since the result does something else than the original: %s",
		                    check->text));
	else if (check->word == CHECK_SAME)
		report(rewriting, SEVERITY_NOTE,
		       arena_printf(rewriting->arena,
		                    "checked: on this CPU the result does what the original does (%s)", check->text));
	else
		report(rewriting, SEVERITY_NOTE,
		       arena_printf(rewriting->arena, "%s: %s", check_words[check->word], check->text));
	return check->word != CHECK_DIFFERENT;
}

/* ---- the command --------------------------------------------------------------------------- */

/* Where a file is written. */
static const char *destination(const struct rewriting *rewriting, const struct rewritten_file *file)
{
	const char *output = option_text(&rewriting->line->output, NULL), *slash = output ? strrchr(output, '/') : NULL;
	if (!output)
		return file->path;
	if (!file->name)
		return output;
	return arena_printf(rewriting->arena, "%.*s%s", slash ? (int)(slash - output) + 1 : 0, output, file->name);
}

static const char *file_kind(const struct rewriting *rewriting, const struct rewritten_file *file)
{
	return is_source_file(rewriting, file) ? "file" : "header";
}

/* Whether a header may be written where it would stand: nobody's file is lost, and the file that includes it is no
 * stream. */
static bool destination_check(const struct rewriting *rewriting, const struct rewritten_file *header)
{
	const char *output = option_text(&rewriting->line->output, NULL), *path = destination(rewriting, header);
	const char *there = output && file_exists(path) ? file_read(rewriting->arena, path, NULL) : NULL;
	const bool is_stream = output && strcmp(output, "-") == 0;
	if (is_stream || (there && strcmp(there, header->text) != 0))
		diagnostics_report(rewriting->diagnostics, SEVERITY_ERROR, (struct place){header->path, 0, 0},
		                   "nothing is written: this %s changes too, and %s", file_kind(rewriting, header),
		                   is_stream
		                           ? "would stand beside the file that includes it: give -o FILE"
		                           : arena_printf(rewriting->arena,
		                                          "%s, where it would stand, exists: take it away, or give -o "
		                                          "FILE in another folder",
		                                          path));
	return !is_stream && (!there || strcmp(there, header->text) == 0);
}

/* Writes all files, the main one last, or none. */
static enum exit_code files_write(const struct rewriting *rewriting)
{
	const struct rewritten *rewritten = rewriting->rewritten;
	for (unsigned f = 1; f < rewritten->file_count; f++)
		if (!destination_check(rewriting, &rewritten->files[f]))
			return EXIT_INPUT;
	for (unsigned f = rewritten->file_count; f-- > 0;) {
		const struct rewritten_file *file = &rewritten->files[f];
		const char *path = destination(rewriting, file);
		if (rewriting->line->in_place.count && strcmp(file->before, file->text) == 0)
			continue;
		if (file_write(path, file->text, strlen(file->text)) == 0)
			continue;
		diagnostics_report(rewriting->diagnostics, SEVERITY_ERROR, (struct place){path, 0, 0},
		                   "cannot write: %s", strerror(errno));
		while (++f < rewritten->file_count)
			if (rewriting->line->in_place.count)
				file_write(rewritten->files[f].path, rewritten->files[f].before,
				           strlen(rewritten->files[f].before));
			else
				unlink(destination(rewriting, &rewritten->files[f]));
		return EXIT_INPUT;
	}
	for (unsigned f = 1; f < rewritten->file_count && rewriting->line->in_place.count == 0; f++)
		diagnostics_report(
			rewriting->diagnostics, SEVERITY_NOTE, (struct place){rewritten->files[f].path, 0, 0},
			"this %s changes too: keep what is written beside the result, %s",
			file_kind(rewriting, &rewritten->files[f]), destination(rewriting, &rewritten->files[f]));
	return EXIT_VERDICT;
}

/* Writes a patch of all files. */
static enum exit_code patch_write(const struct rewriting *rewriting)
{
	struct text out = {0};
	for (unsigned f = 0; f < rewriting->rewritten->file_count; f++) {
		const struct rewritten_file *file = &rewriting->rewritten->files[f];
		text_puts(&out, layout_diff(rewriting->arena, file->path, file->before, file->text));
	}
	return cli_print(&out, EXIT_VERDICT);
}

static enum exit_code rewriting_do(struct rewriting *rewriting)
{
	if (rewriting->prediction->groups.count == 0) {
		report(rewriting, SEVERITY_ERROR,
		       "no records to lay out: kernels index no struct; give --group for separate arrays");
		return EXIT_INPUT;
	}
	if (!text_rewrite(rewriting) || !text_compiles(rewriting) || !text_checked(rewriting))
		return EXIT_INPUT;
	return rewriting->line->patch.count ? patch_write(rewriting) : files_write(rewriting);
}

/* Prints what was done, and what the check says. */
static enum exit_code json_print(const struct rewriting *rewriting, enum exit_code code)
{
	const bool checked = rewriting->check.text != NULL;
	json_t *files = json_array();
	struct text out = {0};
	if (code != EXIT_VERDICT && !checked) {
		json_decref(files);
		return code;
	}
	for (unsigned f = 0; code == EXIT_VERDICT && f < rewriting->rewritten->file_count; f++)
		json_array_append_new(files, json_string(destination(rewriting, &rewriting->rewritten->files[f])));
	cli_json(&out, json_pack("{s:s, s:s, s:s, s:o, s:o}", "schema", "coalesce/rewrite/1", "file",
	                         rewriting->line->file, "layout", rewriting->layout->name, "written", files, "check",
	                         checked ? report_check_json(&rewriting->check) : json_null()));
	return cli_print(&out, code);
}

/* Reads what is written, and where. Returns false on wrong usage (reported). */
static bool usage_check(const struct command_line *line, struct rewriting *rewriting)
{
	const char *name = option_text(&line->layout, NULL), *style = option_text(&line->style, "pointers");
	const bool prints =
		line->patch.count || (line->output.count && strcmp(option_text(&line->output, ""), "-") == 0);
	const unsigned ways = (line->output.count > 0) + (line->in_place.count > 0) + (line->patch.count > 0);
	rewriting->layout = name ? layout_find(name) : NULL;
	rewriting->joins_pointers = strcmp(style, "struct") == 0;
	if (!line->file || !name || ways == 0)
		cli_usage_error("rewrite needs a file, --layout L and one of -o FILE, --in-place and --diff");
	else if (ways > 1)
		cli_usage_error("-o, --in-place and --diff exclude each other");
	else if (prints && line->json.count)
		cli_usage_error("--json needs standard output for itself: give -o FILE or --in-place");
	else if (!rewriting->layout)
		cli_usage_error("unknown layout '%s'%s", name, options_layout_meant(rewriting->arena, name));
	else if (!rewriting->joins_pointers && strcmp(style, "pointers") != 0)
		cli_usage_error("--style takes pointers or struct, not '%s'", style);
	else
		return true;
	return false;
}

enum exit_code command_rewrite(struct arena *arena, const struct command_line *line)
{
	struct predict_options options = {0};
	struct diagnostics diagnostics;
	struct rewriting rewriting = {.arena = arena, .line = line, .diagnostics = &diagnostics};
	enum exit_code code = EXIT_USAGE;
	if (!usage_check(line, &rewriting) || !options_fill(arena, line, &options))
		return EXIT_USAGE;
	diagnostics_init(&diagnostics, arena);
	rewriting.options = &options;
	options.rank_count = 0;
	options.analyzer.keeps_calls = true;
	options.layouts.recognise_tiles = true;
	rewriting.prediction = predict(arena, &options, STAGE_GROUPS, &diagnostics, &code);
	rewriting.tile = options.tiles[0];
	rewriting.limits = options.analyzer.limits;
	if (rewriting.prediction)
		code = rewriting_do(&rewriting);
	if (rewriting.prediction && line->json.count)
		code = json_print(&rewriting, code);
	cli_diagnostics(&diagnostics, line, code);
	return code;
}
