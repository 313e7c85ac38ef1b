/*
 * coalesce predict FILE.cu: rank the layouts of FILE's kernels.
 */
#include "base/clock/clock.h"
#include "base/toolkit/toolkit.h"
#include "cli/cli.h"
#include "cli/report/html/html.h"
#include "cli/rewrite.h"
#include "cli/tables/tables.h"

#include <jansson.h>
#include <string.h>

/* ---- what is wanted ---------------------------------------------------------------------- */

struct wanted_views {
	struct predict_options options;
	struct report_style style;
	const char **dumps;
	unsigned dump_count;
	enum predict_stage last;
	double gate;                      /* percent; below 0: no gate */
	struct report_baseline *baseline; /* or NULL */
	struct sweep_axis axes[SWEEP_AXES];
	unsigned axis_count;
	bool block_auto;
	unsigned jobs; /* points of a sweep at a time */
};

static bool dump_parse(struct arena *arena, const struct option_values *values, struct wanted_views *wanted)
{
	wanted->last = values->count ? STAGE_KERNEL : STAGE_ESTIMATE;
	for (unsigned i = 0; i < values->count; i++) {
		for (const char *next = values->list[i]; *next; next += *next == ',') {
			size_t length = strcspn(next, ",");
			const char *name = arena_strndup(arena, next, length);
			enum predict_stage stage;
			if (!report_stage_find(name, &stage)) {
				cli_usage_error("--dump: unknown stage '%s'", name);
				return false;
			}
			wanted->last = stage > wanted->last ? stage : wanted->last;
			ARENA_PUSH(arena, wanted->dumps, wanted->dump_count, name);
			next += length;
		}
	}
	return true;
}

/* The values of a tile that is swept are layouts of the first prediction already. */
static void tiles_take(struct arena *arena, const struct sweep_axis *axis, struct predict_options *options)
{
	unsigned *tiles = arena_array(arena, axis->count, sizeof *tiles);
	for (unsigned i = 0; i < axis->count; i++)
		tiles[i] = (unsigned)axis->values[i];
	options->tiles = tiles;
	options->tile_count = axis->count;
}

/* Returns what is wrong with an axis beside the one before, or NULL; takes it otherwise. */
static const char *axis_add(struct arena *arena, const struct sweep_axis *axis, struct wanted_views *wanted)
{
	if (wanted->axis_count == SWEEP_AXES)
		return "two at most, several machines count as one";
	if (wanted->axis_count && strcmp(axis->name, wanted->axes[0].name) == 0)
		return "it is swept already";
	if (axis->kind == SWEEP_TILE)
		tiles_take(arena, axis, &wanted->options);
	wanted->axes[wanted->axis_count++] = *axis;
	return NULL;
}

/* Several machines are an axis; the first of them is that of the first prediction. */
static bool machines_parse(struct arena *arena, const struct command_line *line, struct wanted_views *wanted)
{
	const char *names = option_text(&line->machine, NULL);
	if (!names || !strchr(names, ','))
		return true;
	const struct sweep_axis axis = sweep_axis_machines(arena, names);
	const char *problem = line->gate.count ? "--gate judges one machine" : axis_add(arena, &axis, wanted);
	for (unsigned i = 0; i < axis.count && !problem; i++)
		problem = *axis.words[i] ? NULL : "a name is missing";
	wanted->options.machine = axis.words[0];
	if (problem)
		cli_usage_error("--machine %s: %s", names, problem);
	return !problem;
}

static bool block_size_parse(const struct command_line *line, struct wanted_views *wanted)
{
	const char *text = option_text(&line->block_size, NULL);
	wanted->block_auto = text != NULL;
	if (text && strcmp(text, "auto") != 0)
		cli_usage_error("--block-size takes auto, not '%s': --block sets a block", text);
	else if (text && wanted->axis_count)
		cli_usage_error("--block-size auto stands alone, without --sweep and with one machine");
	else
		return true;
	return false;
}

static bool axes_parse(struct arena *arena, const struct command_line *line, struct wanted_views *wanted)
{
	for (unsigned i = 0; i < line->sweep.count; i++) {
		struct sweep_axis axis;
		const char *problem = sweep_axis_parse(arena, line->sweep.list[i], &axis);
		problem = problem ? problem : axis_add(arena, &axis, wanted);
		if (problem)
			return cli_usage_error("--sweep %s: %s", line->sweep.list[i], problem) == EXIT_VERDICT;
	}
	if (!machines_parse(arena, line, wanted) || !block_size_parse(line, wanted) ||
	    !options_jobs(line, &wanted->jobs))
		return false;
	if (line->csv.count && !wanted->axis_count && !wanted->block_auto)
		return cli_usage_error("--csv writes what --sweep finds, and there is none") == EXIT_VERDICT;
	return true;
}

static bool baseline_fits(const struct command_line *line)
{
	if (!line->write_baseline.count || (line->gate.count && line->baseline.count))
		return true;
	return cli_usage_error("--write-baseline needs --gate PERCENT and --baseline FILE.json") == EXIT_VERDICT;
}

static bool check_fits(const struct command_line *line)
{
	if (!line->check.count || line->observe.count || line->program_arguments)
		return true;
	return cli_usage_error("--check runs the program: give the words of its command line after --, or --observe") ==
	       EXIT_VERDICT;
}

static bool wanted_parse(struct arena *arena, const struct command_line *line, struct wanted_views *wanted)
{
	wanted->gate = -1;
	wanted->options.one_program = line->dump.count > 0;
	return cli_format_check(line, "gcc") && options_fill(arena, line, &wanted->options) &&
	       dump_parse(arena, &line->dump, wanted) && option_percent("--gate", &line->gate, &wanted->gate) &&
	       baseline_fits(line) && check_fits(line) && axes_parse(arena, line, wanted) &&
	       cli_style(&line->color, &wanted->style);
}

/* ---- what is shown ------------------------------------------------------------------------ */

const struct report_commands *cli_commands(struct arena *arena, const struct command_line *line)
{
	struct report_commands *commands = arena_alloc(arena, sizeof *commands);
	const char *program = line->program_arguments ? " --" : "";
	for (unsigned i = 0; i < line->program_argument_count; i++)
		program = arena_printf(arena, "%s %s", program, report_shell_word(arena, line->program_arguments[i]));
	*commands = (struct report_commands){command_line_shell(arena, line, 'r'), command_line_shell(arena, line, 'b'),
	                                     program};
	return commands;
}

struct report_context cli_report_context(struct arena *arena, const struct command_line *line,
                                         const struct report_gate *gate, const struct diagnostics *diagnostics)
{
	struct report_context context = {.version = COALESCE_VERSION, .gate = gate, .messages = diagnostics};
	context.lines = line->explain.count > 0 || line->html.count > 0;
	context.commands = cli_commands(arena, line);
	context.compiler = toolkit_find(arena).version;
	context.options = command_line_words(arena, line, &context.option_count);
	return context;
}

static json_t *prediction_json(struct arena *arena, const struct prediction *prediction,
                               const struct report_context *context)
{
	json_t *root = report_json(arena, prediction, context);
	if (prediction->comparison_count)
		json_object_set_new(root, "comparisons", tables_kernels_json(arena, prediction));
	if (prediction->sweep)
		json_object_set_new(root, "sweep", tables_sweep_json(prediction->sweep));
	return root;
}

static void main_view(struct text *out, struct arena *arena, const struct command_line *line,
                      const struct wanted_views *wanted, const struct prediction *prediction,
                      const struct report_context *context)
{
	for (unsigned i = 0; i < wanted->dump_count; i++)
		report_dump(out, prediction, wanted->dumps[i]);
	if (wanted->dump_count)
		return;
	if (line->json.count) {
		cli_json(out, prediction_json(arena, prediction, context));
		return;
	}
	if (strcmp(option_text(&line->format, "text"), "gcc") == 0) {
		report_gcc(out, arena, prediction, context);
		return;
	}
	if (prediction->sweep && strcmp(option_text(&line->csv, ""), "-") == 0)
		return;
	if (prediction->sweep) {
		(wanted->block_auto ? tables_blocks : tables_sweep)(out, arena, prediction, &wanted->style);
		return;
	}
	if (line->ncu.count) {
		report_ncu(out, arena, prediction);
		return;
	}
	struct report_style style = wanted->style;
	style.verbose = line->verbose.count > 0;
	style.commands = context->commands;
	report_table(out, arena, prediction, &style);
	tables_kernels(out, arena, prediction, &wanted->style);
	if (line->explain.count)
		report_explain(out, arena, prediction, &wanted->style);
}

static void sarif_view(struct text *out, struct arena *arena, const struct prediction *prediction,
                       const struct report_context *context)
{
	cli_json(out, report_sarif(arena, prediction, context));
}

static void dot_view(struct text *out, struct arena *arena, const struct prediction *prediction,
                     const struct report_context *context)
{
	(void)context;
	report_dot(out, arena, prediction);
}

static void csv_view(struct text *out, struct arena *arena, const struct prediction *prediction,
                     const struct report_context *context)
{
	(void)context;
	tables_sweep_csv(out, arena, prediction->sweep);
}

/* The views that go to files of their own: add a row to add one. */
static const struct {
	size_t option; /* in struct command_line */
	void (*make)(struct text *out, struct arena *arena, const struct prediction *prediction,
	             const struct report_context *context);
} file_views[] = {{offsetof(struct command_line, sarif), sarif_view},
                  {offsetof(struct command_line, dot), dot_view},
                  {offsetof(struct command_line, csv), csv_view},
                  {offsetof(struct command_line, html), html_report}};

static bool files_write(struct arena *arena, const struct command_line *line, const struct prediction *prediction,
                        const struct report_context *context)
{
	bool good = true;
	for (size_t i = 0; i < ARRAY_COUNT(file_views); i++) {
		const char *path =
			option_text((const struct option_values *)((const char *)line + file_views[i].option), NULL);
		struct text text = {0};
		if (!path)
			continue;
		file_views[i].make(&text, arena, prediction, context);
		good = cli_file_save(path, text.data, text.length) && good;
		text_release(&text);
	}
	return good;
}

/* ---- the command --------------------------------------------------------------------------- */

/* Puts what the gate finds into the baseline. */
static enum exit_code baseline_write(struct arena *arena, const struct command_line *line,
                                     const struct wanted_views *wanted, const struct prediction *prediction)
{
	struct text out = {0};
	cli_json(&out, report_baseline_with(arena, wanted->baseline, prediction, wanted->gate));
	bool written = cli_file_save(option_text(&line->baseline, NULL), out.data, out.length);
	text_release(&out);
	return written ? EXIT_VERDICT : EXIT_INPUT;
}

static enum exit_code views_print(struct arena *arena, const struct command_line *line,
                                  const struct wanted_views *wanted, const struct prediction *prediction,
                                  const struct diagnostics *diagnostics)
{
	struct text out = {0};
	const struct duration begin = clock_thread();
	bool gated = wanted->gate >= 0 && wanted->last == STAGE_ESTIMATE;
	struct report_gate gate = {0};
	if (gated)
		gate = report_gate(arena, prediction, wanted->gate, wanted->baseline);
	struct report_context context = cli_report_context(arena, line, gated ? &gate : NULL, diagnostics);
	context.baseline = wanted->baseline;
	main_view(&out, arena, line, wanted, prediction, &context);
	bool written = wanted->last < STAGE_ESTIMATE || files_write(arena, line, prediction, &context);
	enum exit_code code = cli_print(&out, written ? EXIT_VERDICT : EXIT_INPUT);
	if (line->verbose.count)
		cli_time(prediction, clock_thread_since(begin));
	if (code == EXIT_VERDICT && line->write_baseline.count)
		return baseline_write(arena, line, wanted, prediction);
	if (code != EXIT_VERDICT || !gate.failed)
		return code;
	cli_error("the gate failed: %s", report_gate_text(arena, prediction, &gate));
	cli_hint(report_gate_hint(arena, &gate,
	                          line->baseline.of_project ? NULL
	                                                    : option_text(&line->baseline, "coalesce-baseline.json")));
	return EXIT_GATE;
}

/* Whether there is a file of each machine of an axis (reported). */
static bool machines_known(struct arena *arena, const struct wanted_views *wanted, struct diagnostics *diagnostics)
{
	for (unsigned a = 0; a < wanted->axis_count; a++)
		for (unsigned i = 0; wanted->axes[a].kind == SWEEP_MACHINE && i < wanted->axes[a].count; i++)
			if (!machine_load(arena, wanted->axes[a].words[i], diagnostics))
				return false;
	return true;
}

/* Adds the sweep that is wanted to a prediction, or how far it holds. Returns how the command ends where there can be
 * none (reported). */
static enum exit_code sweep_add(struct arena *arena, struct wanted_views *wanted, struct prediction *prediction,
                                struct diagnostics *diagnostics)
{
	struct sweep_request request = {.first = prediction,
	                                .options = &wanted->options,
	                                .jobs = wanted->jobs,
	                                .no_bisect = wanted->block_auto};
	if (wanted->last < STAGE_ESTIMATE)
		return EXIT_VERDICT;
	if (wanted->options.advise)
		sweep_unrolling(arena, &wanted->options, prediction);
	if (wanted->axis_count == 0 && !wanted->block_auto) {
		sweep_holds(arena, &request, prediction);
		sweep_influences(arena, &request, prediction);
		return EXIT_VERDICT;
	}
	if (!machines_known(arena, wanted, diagnostics))
		return machine_failure(diagnostics);
	if (wanted->block_auto)
		wanted->axes[wanted->axis_count++] = sweep_axis_blocks(arena, prediction);
	prediction->sweep = sweep_make(arena, &request, wanted->axes, wanted->axis_count, diagnostics);
	return prediction->sweep ? EXIT_VERDICT : EXIT_INPUT;
}

/* Whether it is worth predicting what nobody asked for: notes are shown, and nothing but the file's own code is
 * predicted. */
static bool gains_are_wanted(const struct command_line *line, const struct wanted_views *wanted)
{
	return wanted->last == STAGE_ESTIMATE && wanted->axis_count == 0 && !wanted->block_auto &&
	       line->quiet.count == 0 && line->ptx.count == 0 && line->compare_kernels.count == 0 &&
	       !strchr(wanted->options.machine, ',');
}

/* Whether a file could not be predicted because there is nothing in it to judge: then all errors become notes. */
static bool nothing_to_judge(struct arena *arena, struct diagnostics *diagnostics)
{
	for (size_t i = 0; i < diagnostics->count; i++) {
		const struct diagnostic *one = &diagnostics->list[i];
		if (one->severity == SEVERITY_ERROR &&
		    strncmp(one->message, ANALYZER_NO_KERNEL, strlen(ANALYZER_NO_KERNEL)) != 0 &&
		    !strstr(one->message, ANALYZER_KERNEL_ELSEWHERE))
			return false;
	}
	for (size_t i = 0; i < diagnostics->count; i++) {
		struct diagnostic *one = &diagnostics->list[i];
		if (one->severity != SEVERITY_ERROR)
			continue;
		one->severity = SEVERITY_NOTE;
		one->message =
			arena_printf(arena, "%s; give the files with the kernels to have them judged", one->message);
	}
	bool any = diagnostics->errors > 0;
	diagnostics->errors = 0;
	return any;
}

/* Runs the program in each layout that rewriting writes, beside the original. */
static void layouts_check(struct arena *arena, const struct command_line *line, const struct wanted_views *wanted,
                          struct prediction *prediction, struct diagnostics *diagnostics)
{
	struct rewrite_checking checking = {.prediction = prediction, .options = &wanted->options};
	checking.flags = cli_program_flags(arena, line, &checking.flag_count, diagnostics);
	cli_predict_check(arena, &checking, prediction);
}

static enum exit_code wanted_predict(struct arena *arena, const struct command_line *line, struct wanted_views *wanted)
{
	struct diagnostics diagnostics;
	enum exit_code code = EXIT_USAGE;
	diagnostics_init(&diagnostics, arena);
	cli_progress_begin(arena_printf(arena, "predicting %s", line->file), line->quiet.count > 0);
	wanted->options.suggests_nothing = true;
	struct prediction *prediction = predict(arena, &wanted->options, wanted->last, &diagnostics, &code);
	struct duration begin = clock_process();
	if (prediction && wanted->last >= STAGE_GROUPS)
		tables_suggest(arena, &wanted->options, prediction, gains_are_wanted(line, wanted), &diagnostics);
	if (prediction)
		code = sweep_add(arena, wanted, prediction, &diagnostics);
	if (prediction)
		prediction->time.further = clock_difference(clock_process(), begin);
	if (prediction && code == EXIT_VERDICT && line->check.count && wanted->last == STAGE_ESTIMATE)
		layouts_check(arena, line, wanted, prediction, &diagnostics);
	cli_progress_end();
	if (!prediction && wanted->gate >= 0 && line->json.count == 0 && code == EXIT_INPUT &&
	    nothing_to_judge(arena, &diagnostics))
		code = EXIT_VERDICT;
	cli_diagnostics(&diagnostics, line, code);
	return prediction && code == EXIT_VERDICT ? views_print(arena, line, wanted, prediction, &diagnostics) : code;
}

/* Opens the baseline that the command line names. Returns false where it cannot be read (reported). */
static bool baseline_open(struct arena *arena, const struct command_line *line, struct wanted_views *wanted)
{
	const char *path = option_text(&line->baseline, NULL);
	struct diagnostics diagnostics;
	if (!path)
		return true;
	diagnostics_init(&diagnostics, arena);
	wanted->baseline = report_baseline_open(arena, path, line->write_baseline.count > 0, &diagnostics);
	cli_diagnostics(&diagnostics, line, wanted->baseline ? EXIT_VERDICT : EXIT_INPUT);
	return wanted->baseline;
}

static enum exit_code file_predict(struct arena *arena, const struct command_line *line)
{
	struct wanted_views wanted = {0};
	if (!wanted_parse(arena, line, &wanted))
		return EXIT_USAGE;
	if (wanted.gate >= 0 && options_file_is_excluded(arena, line, line->file)) {
		cli_hint(arena_printf(arena, "%s is not judged: \"exclude\" of coalesce.json names it", line->file));
		return EXIT_VERDICT;
	}
	if (!baseline_open(arena, line, &wanted))
		return EXIT_INPUT;
	enum exit_code code = wanted_predict(arena, line, &wanted);
	report_baseline_release(wanted.baseline);
	return code;
}

/* Judges several files one by one; the first failure says how the command ends. */
static enum exit_code files_judge(struct arena *arena, const struct command_line *line)
{
	enum exit_code code = EXIT_VERDICT;
	for (unsigned i = 0; i < line->file_count; i++) {
		struct command_line own = *line;
		own.files = &line->files[i];
		own.file = line->files[i];
		own.file_count = 1;
		own.other_count = 0;
		enum exit_code of_file = file_predict(arena, &own);
		code = code == EXIT_VERDICT ? of_file : code;
	}
	return code;
}

enum exit_code command_predict(struct arena *arena, const struct command_line *line)
{
	const bool to_one_place =
		line->json.count || line->html.count || line->sarif.count || line->dot.count || line->csv.count;
	if (!line->file)
		return cli_usage_error("predict needs a file");
	if (line->gate.count && line->file_count > 1 && !to_one_place)
		return files_judge(arena, line);
	return file_predict(arena, line);
}
