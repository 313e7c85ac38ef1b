/*
 * coalesce diff OLD NEW: the predictions of two revisions side by side, each a source file or what `coalesce predict
 * --json` printed of one. A kernel is found again by its name, the n-th launch of that name by its place; what counts
 * is its time as its revision is written.
 */
#include "cli/cli.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PREDICT_SCHEMA "coalesce/predict/1"

/* A launch in one revision. Texts live in the revision's JSON or in the arena. */
struct revision_row {
	const char *kernel;
	unsigned place;             /* among the launches of that kernel */
	const char *layouts;        /* "body aos, velocity aos"; "-" without records */
	double written_us, best_us; /* best: with one record in another layout, or as written */
};
struct revision {
	const char *path;
	json_t *root;
	struct revision_row *rows;
	unsigned count;
};
/* old or new may be NULL: only the other revision has it. */
struct change {
	const struct revision_row *old, *new;
};

/* ---- reading ------------------------------------------------------------------------------ */

static json_t *source_predict(struct arena *arena, const struct command_line *line, const char *path,
                              enum exit_code *code)
{
	struct command_line own = *line;
	struct predict_options options = {0};
	struct diagnostics diagnostics;
	own.file = path;
	*code = EXIT_USAGE;
	if (!options_fill(arena, &own, &options))
		return NULL;
	diagnostics_init(&diagnostics, arena);
	cli_progress_begin(arena_printf(arena, "predicting %s", path), line->quiet.count > 0);
	struct prediction *prediction = predict(arena, &options, STAGE_ESTIMATE, &diagnostics, code);
	cli_progress_end();
	cli_diagnostics(&diagnostics, line, prediction ? EXIT_VERDICT : *code);
	const struct report_context context = {.version = COALESCE_VERSION, .messages = &diagnostics};
	return prediction ? report_json(arena, prediction, &context) : NULL;
}

static json_t *result_read(struct arena *arena, const struct command_line *line, const char *path, enum exit_code *code)
{
	struct diagnostics diagnostics;
	diagnostics_init(&diagnostics, arena);
	json_t *root = json_file_read(arena, path, PREDICT_SCHEMA, &diagnostics);
	*code = root ? EXIT_VERDICT : EXIT_INPUT;
	cli_diagnostics(&diagnostics, line, *code);
	return root;
}

static bool same_text(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

/* Whether a row of "layouts" is the one that a label names: "asta", "asta/64". */
static bool has_label(const json_t *row, const char *label)
{
	const char *layout = json_string_value(json_object_get(row, "layout"));
	const json_t *tile = json_object_get(row, "tile");
	size_t length = strcspn(label, "/");
	long wanted = label[length] ? strtol(label + length + 1, NULL, 10) : LAYOUT_TILE_DEFAULT;
	return layout && strlen(layout) == length && strncmp(layout, label, length) == 0 &&
	       (!json_is_integer(tile) || json_integer_value(tile) == wanted);
}

static double layout_time(const json_t *layouts, const char *record, const char *label)
{
	size_t index;
	json_t *row;
	json_array_foreach(layouts, index, row)
	{
		if (same_text(record, json_string_value(json_object_get(row, "record"))) && has_label(row, label))
			return json_number_value(json_object_get(row, "time_us"));
	}
	return NAN;
}

/* "body aos, velocity aos": the layouts as written; "-" without records. */
static const char *written_text(struct arena *arena, const json_t *kernel)
{
	const json_t *groups = json_object_get(kernel, "groups"), *verdicts = json_object_get(kernel, "verdicts");
	const char *text = "";
	size_t index;
	json_t *group;
	json_array_foreach(groups, index, group)
	{
		const json_t *verdict = verdicts ? json_array_get(verdicts, index) : kernel;
		const char *name = json_string_value(json_object_get(group, "name"));
		const char *layout = json_string_value(json_object_get(verdict, "written"));
		text = arena_printf(arena, "%s%s%s %s", text, *text ? ", " : "", name ? name : "?",
		                    layout ? layout : "?");
	}
	return *text ? text : "-";
}

static double least_time(const json_t *layouts)
{
	double least = INFINITY;
	size_t index;
	json_t *row;
	json_array_foreach(layouts, index, row) least = fmin(least, json_number_value(json_object_get(row, "time_us")));
	return least;
}

/* A record's written layout leaves the others as written, too: the first one's time is that of the launch as it is. */
static void row_add(struct arena *arena, struct revision *revision, const json_t *kernel)
{
	const json_t *group = json_array_get(json_object_get(kernel, "groups"), 0),
		     *layouts = json_object_get(kernel, "layouts");
	const char *written = json_string_value(json_object_get(kernel, "written"));
	struct revision_row row = {.kernel = json_string_value(json_object_get(kernel, "name")),
	                           .layouts = written_text(arena, kernel),
	                           .best_us = least_time(layouts)};
	if (!row.kernel || !written)
		return;
	row.written_us = layout_time(layouts, json_string_value(json_object_get(group, "name")), written);
	for (unsigned i = 0; i < revision->count; i++)
		row.place += strcmp(revision->rows[i].kernel, row.kernel) == 0;
	ARENA_PUSH(arena, revision->rows, revision->count, row);
}

/* What is missing in the layouts of a kernel: a phrase, or NULL. */
static const char *layouts_problem(struct arena *arena, const json_t *layouts)
{
	size_t index;
	json_t *row;
	if (json_array_size(layouts) == 0)
		return "no layouts";
	json_array_foreach(layouts, index, row)
	{
		const json_t *time = json_object_get(row, "time_us");
		if (!json_is_number(time) || !measure_time_is_possible(json_number_value(time)))
			return arena_printf(arena, "layouts[%zu] has no time from 1e-6 to 1e15 us", index);
	}
	return NULL;
}

static bool rows_read(struct arena *arena, struct revision *revision)
{
	size_t index;
	json_t *kernel;
	json_array_foreach(json_object_get(revision->root, "kernels"), index, kernel)
	{
		unsigned before = revision->count;
		const char *problem = layouts_problem(arena, json_object_get(kernel, "layouts"));
		if (!problem)
			row_add(arena, revision, kernel);
		if (!problem && revision->count == before)
			problem = "no name, or no layout as written";
		if (!problem && !isfinite(revision->rows[before].written_us))
			problem = "the layout as written has no time";
		if (!problem)
			continue;
		cli_error("%s: kernels[%zu]: %s", revision->path, index, problem);
		return false;
	}
	return true;
}

static bool revision_read(struct arena *arena, const struct command_line *line, const char *path,
                          struct revision *revision, enum exit_code *code)
{
	size_t length = strlen(path);
	bool is_result = length > 5 && strcmp(path + length - 5, ".json") == 0;
	*revision = (struct revision){.path = path};
	revision->root = is_result ? result_read(arena, line, path, code) : source_predict(arena, line, path, code);
	if (revision->root && !rows_read(arena, revision))
		*code = EXIT_INPUT;
	return revision->root && *code == EXIT_VERDICT;
}

/* ---- comparing ---------------------------------------------------------------------------- */

static const struct revision_row *row_find(const struct revision *revision, const struct revision_row *like)
{
	for (unsigned i = 0; i < revision->count; i++)
		if (strcmp(revision->rows[i].kernel, like->kernel) == 0 && revision->rows[i].place == like->place)
			return &revision->rows[i];
	return NULL;
}

static struct change *changes_find(struct arena *arena, const struct revision *old, const struct revision *new,
                                   unsigned *count)
{
	struct change *changes = NULL;
	*count = 0;
	for (unsigned i = 0; i < new->count; i++) {
		struct change change = {row_find(old, &new->rows[i]), &new->rows[i]};
		ARENA_PUSH(arena, changes, *count, change);
	}
	for (unsigned i = 0; i < old->count; i++) {
		struct change change = {&old->rows[i], NULL};
		if (!row_find(new, &old->rows[i]))
			ARENA_PUSH(arena, changes, *count, change);
	}
	return changes;
}

/* NAN where only one revision has it. */
static double change_percent(const struct change *change)
{
	return change->old && change->new ? 100 * (change->new->written_us / change->old->written_us - 1) : NAN;
}

/* The change that made a kernel slowest; NULL where none became slower. */
static const struct change *worst_change(const struct change *changes, unsigned count)
{
	const struct change *worst = NULL;
	for (unsigned i = 0; i < count; i++)
		if (change_percent(&changes[i]) > (worst ? change_percent(worst) : 0))
			worst = &changes[i];
	return worst;
}

/* ---- showing ------------------------------------------------------------------------------ */

static void side_print(struct text *out, const struct revision_row *row)
{
	if (row)
		text_printf(out, " %12.3f  %-19.19s", row->written_us, row->layouts);
	else
		text_printf(out, " %12s  %-19s", "-", "");
}

static void change_print(struct text *out, const struct change *change)
{
	text_printf(out, "%-20.20s", change->new ? change->new->kernel : change->old->kernel);
	side_print(out, change->old);
	side_print(out, change->new);
	if (change->old && change->new)
		text_printf(out, " %+8.1f %%\n", change_percent(change));
	else
		text_printf(out, " %10s\n", change->new ? "added" : "removed");
}

static json_t *row_json(const struct revision_row *row)
{
	if (!row)
		return json_null();
	return json_pack("{s:s, s:f, s:f}", "layouts", row->layouts, "written_us", row->written_us, "best_us",
	                 row->best_us);
}

static json_t *change_json(const struct change *change)
{
	double percent = change_percent(change);
	return json_pack("{s:s, s:o, s:o, s:o}", "kernel", change->new ? change->new->kernel : change->old->kernel,
	                 "old", row_json(change->old), "new", row_json(change->new), "change_percent",
	                 isfinite(percent) ? json_real(percent) : json_null());
}

static json_t *changes_json(const struct revision revisions[2], const struct change *changes, unsigned count,
                            double gate, bool failed)
{
	json_t *list = json_array();
	for (unsigned i = 0; i < count; i++)
		json_array_append_new(list, change_json(&changes[i]));
	json_t *root = json_pack("{s:s, s:s, s:s, s:s*, s:o}", "schema", "coalesce/diff/1", "old", revisions[0].path,
	                         "new", revisions[1].path, "machine",
	                         json_string_value(json_object_get(revisions[1].root, "machine")), "kernels", list);
	if (gate >= 0)
		json_object_set_new(root, "gate", json_pack("{s:f, s:b}", "percent", gate, "passed", !failed));
	return root;
}

static void changes_print(struct text *out, const struct revision revisions[2], const struct change *changes,
                          unsigned count)
{
	text_printf(out, "%s -> %s, predicted for %s\n\n%-20s %12s  %-19s %12s  %-19s %10s\n", revisions[0].path,
	            revisions[1].path, json_string_value(json_object_get(revisions[1].root, "machine")), "kernel",
	            "old us", "written as", "new us", "written as", "change");
	for (unsigned i = 0; i < count; i++)
		change_print(out, &changes[i]);
}

/* Whether two predictions may be laid side by side: same machine and model. */
static bool comparable(const struct revision revisions[2])
{
	static const char *const keys[] = {"machine", "model"};
	for (size_t i = 0; i < ARRAY_COUNT(keys); i++) {
		const char *old = json_string_value(json_object_get(revisions[0].root, keys[i]));
		const char *new = json_string_value(json_object_get(revisions[1].root, keys[i]));
		if (same_text(old, new))
			continue;
		cli_error("predictions of two %ss cannot be compared: %s and %s", keys[i], old ? old : "none",
		          new ? new : "none");
		return false;
	}
	return true;
}

/* ---- the command --------------------------------------------------------------------------- */

static enum exit_code revisions_compare(struct arena *arena, const struct command_line *line,
                                        const struct revision revisions[2], double gate)
{
	struct text out = {0};
	unsigned count;
	const struct change *changes = changes_find(arena, &revisions[0], &revisions[1], &count);
	const struct change *worst = worst_change(changes, count);
	bool failed = gate >= 0 && worst && change_percent(worst) > gate;
	if (line->json.count)
		cli_json(&out, changes_json(revisions, changes, count, gate, failed));
	else
		changes_print(&out, revisions, changes, count);
	enum exit_code code = cli_print(&out, EXIT_VERDICT);
	if (code != EXIT_VERDICT || !failed)
		return code;
	cli_error("the gate failed: kernel %s is predicted %.1f %% slower than before; %.4g %% are allowed",
	          worst->new->kernel, change_percent(worst), gate);
	return EXIT_GATE;
}

enum exit_code command_diff(struct arena *arena, const struct command_line *line)
{
	struct revision revisions[2] = {{0}};
	enum exit_code code;
	double gate = -1;
	if (line->file_count != 2)
		return cli_usage_error("diff needs two files, the old one and the new one");
	if (!option_percent("--gate", &line->gate, &gate))
		return EXIT_USAGE;
	if (revision_read(arena, line, line->files[0], &revisions[0], &code) &&
	    revision_read(arena, line, line->files[1], &revisions[1], &code))
		code = comparable(revisions) ? revisions_compare(arena, line, revisions, gate) : EXIT_INPUT;
	json_decref(revisions[0].root);
	json_decref(revisions[1].root);
	return code;
}
