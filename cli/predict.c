/*
 * coalesce predict FILE.cu: rank the layouts of FILE's kernels.
 */
#include "base/toolkit/toolkit.h"
#include "cli/cli.h"
#include "cli/report/html/html.h"

#include <string.h>

/* ---- what is wanted ---------------------------------------------------------------------- */

struct wanted_views {
	struct predict_options options;
	struct report_style style;
	const char **dumps;
	unsigned dump_count;
	enum predict_stage last;
	double gate; /* percent; below 0: no gate */
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

static bool wanted_parse(struct arena *arena, const struct command_line *line, struct wanted_views *wanted)
{
	wanted->gate = -1;
	wanted->options.one_program = line->dump.count > 0;
	return options_fill(arena, line, &wanted->options) && dump_parse(arena, &line->dump, wanted) &&
	       option_percent("--gate", &line->gate, &wanted->gate) && cli_style(&line->color, &wanted->style);
}

/* ---- what is shown ------------------------------------------------------------------------ */

struct report_context cli_report_context(struct arena *arena, const struct command_line *line, const struct report_gate *gate,
                                         const struct diagnostics *diagnostics)
{
	struct report_context context = {.version = COALESCE_VERSION, .gate = gate, .messages = diagnostics};
	context.lines = line->explain.count > 0 || line->html.count > 0;
	context.compiler = toolkit_find(arena).version;
	context.options = command_line_words(arena, line, &context.option_count);
	return context;
}

static void main_view(struct text *out, struct arena *arena, const struct command_line *line, const struct wanted_views *wanted,
                      const struct prediction *prediction, const struct report_context *context)
{
	for (unsigned i = 0; i < wanted->dump_count; i++)
		report_dump(out, prediction, wanted->dumps[i]);
	if (wanted->dump_count)
		return;
	if (line->json.count) {
		cli_json(out, report_json(arena, prediction, context));
		return;
	}
	if (line->ncu.count) {
		report_ncu(out, arena, prediction);
		return;
	}
	report_table(out, arena, prediction, &wanted->style);
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

/* The views that go to files of their own: add a row to add one. */
static const struct {
	size_t option; /* in struct command_line */
	void (*make)(struct text *out, struct arena *arena, const struct prediction *prediction,
	             const struct report_context *context);
} file_views[] = {{offsetof(struct command_line, sarif), sarif_view},
                  {offsetof(struct command_line, dot), dot_view},
                  {offsetof(struct command_line, html), html_report}};

static bool files_write(struct arena *arena, const struct command_line *line, const struct prediction *prediction,
                        const struct report_context *context)
{
	bool good = true;
	for (size_t i = 0; i < ARRAY_COUNT(file_views); i++) {
		const char *path = option_text((const struct option_values *)((const char *)line + file_views[i].option), NULL);
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

static enum exit_code views_print(struct arena *arena, const struct command_line *line, const struct wanted_views *wanted,
                                  const struct prediction *prediction, const struct diagnostics *diagnostics)
{
	struct text out = {0};
	bool gated = wanted->gate >= 0 && wanted->last == STAGE_ESTIMATE;
	struct report_gate gate = {0};
	if (gated)
		gate = report_gate(prediction, wanted->gate);
	const struct report_context context = cli_report_context(arena, line, gated ? &gate : NULL, diagnostics);
	main_view(&out, arena, line, wanted, prediction, &context);
	bool written = wanted->last < STAGE_ESTIMATE || files_write(arena, line, prediction, &context);
	enum exit_code code = cli_print(&out, written ? EXIT_VERDICT : EXIT_INPUT);
	if (line->verbose.count)
		cli_time(prediction);
	if (code != EXIT_VERDICT || !gate.failed)
		return code;
	cli_error("the gate failed: %s", report_gate_text(arena, prediction, &gate));
	return EXIT_GATE;
}

enum exit_code command_predict(struct arena *arena, const struct command_line *line)
{
	struct wanted_views wanted = {0};
	struct diagnostics diagnostics;
	enum exit_code code = EXIT_USAGE;
	if (!line->file)
		return cli_usage_error("predict needs a file");
	if (!wanted_parse(arena, line, &wanted))
		return EXIT_USAGE;
	diagnostics_init(&diagnostics, arena);
	cli_progress_begin(arena_printf(arena, "predicting %s", line->file), line->quiet.count > 0);
	struct prediction *prediction = predict(arena, &wanted.options, wanted.last, &diagnostics, &code);
	cli_progress_end();
	cli_diagnostics(&diagnostics, line->quiet.count > 0, prediction ? EXIT_VERDICT : code);
	return prediction ? views_print(arena, line, &wanted, prediction, &diagnostics) : code;
}
