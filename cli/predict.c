/*
 * coalesce predict FILE.cu: rank the layouts of FILE's kernels.
 */
#include "base/toolkit/toolkit.h"
#include "cli/cli.h"

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

static bool dump_parse(struct arena *arena, const struct option_values *values, struct wanted_views *request)
{
	request->last = values->count ? STAGE_KERNEL : STAGE_ESTIMATE;
	for (unsigned i = 0; i < values->count; i++) {
		for (const char *next = values->list[i]; *next; next += *next == ',') {
			size_t length = strcspn(next, ",");
			const char *name = arena_strndup(arena, next, length);
			enum predict_stage stage;
			if (!report_stage_find(name, &stage)) {
				cli_usage_error("--dump: unknown stage '%s'", name);
				return false;
			}
			request->last = stage > request->last ? stage : request->last;
			ARENA_PUSH(arena, request->dumps, request->dump_count, name);
			next += length;
		}
	}
	return true;
}

static bool request_parse(struct arena *arena, const struct command_line *line, struct wanted_views *request)
{
	request->gate = -1;
	return options_fill(arena, line, &request->options) && dump_parse(arena, &line->dump, request) &&
	       option_percent("--gate", &line->gate, &request->gate) && cli_style(&line->color, &request->style);
}

/* ---- what is shown ------------------------------------------------------------------------ */

static void times_print(const struct prediction *prediction)
{
	const struct compilation *compilation = prediction->compilation;
	double tools = prediction->clang_seconds + prediction->compiler_seconds;
	fprintf(stderr, "time: libclang %.3f s, %s %.3f s, ourselves %.3f s", prediction->clang_seconds,
	        compilation ? compilation->compiler : "nvcc", prediction->compiler_seconds, prediction->own_seconds);
	if (tools > 0)
		fprintf(stderr, " (%.2f times the tools)", (tools + prediction->own_seconds) / tools);
	fputc('\n', stderr);
	if (compilation && compilation->refusal)
		fprintf(stderr, "compiled by nvcc, not NVRTC: %s\n", compilation->refusal);
}

static void json_view(struct text *out, struct arena *arena, const struct command_line *line, const struct prediction *prediction,
                      const struct report_gate *gate, const struct diagnostics *diagnostics)
{
	struct report_context context = {.version = COALESCE_VERSION, .gate = gate, .messages = diagnostics};
	context.compiler = toolkit_find(arena).version;
	context.options = command_line_words(arena, line, &context.option_count);
	cli_json(out, report_json(arena, prediction, &context));
}

static void views_make(struct text *out, struct arena *arena, const struct command_line *line, const struct wanted_views *request,
                       const struct prediction *prediction, const struct report_gate *gate, const struct diagnostics *diagnostics)
{
	for (unsigned i = 0; i < request->dump_count; i++)
		report_dump(out, prediction, request->dumps[i]);
	if (request->dump_count)
		return;
	if (line->json.count) {
		json_view(out, arena, line, prediction, gate, diagnostics);
		return;
	}
	report_table(out, arena, prediction, &request->style);
	if (line->explain.count)
		report_explain(out, arena, prediction);
}

/* ---- the command --------------------------------------------------------------------------- */

static enum exit_code views_print(struct arena *arena, const struct command_line *line, const struct wanted_views *request,
                                  const struct prediction *prediction, const struct diagnostics *diagnostics)
{
	struct text out = {0};
	bool gated = request->gate >= 0 && request->last == STAGE_ESTIMATE;
	struct report_gate gate = {0};
	if (gated)
		gate = report_gate(prediction, request->gate);
	views_make(&out, arena, line, request, prediction, gated ? &gate : NULL, diagnostics);
	enum exit_code code = cli_print(&out, EXIT_VERDICT);
	if (line->verbose.count)
		times_print(prediction);
	if (code != EXIT_VERDICT || !gate.failed)
		return code;
	cli_error("the gate failed: %s", report_gate_text(arena, prediction, &gate));
	return EXIT_GATE;
}

enum exit_code command_predict(struct arena *arena, const struct command_line *line)
{
	struct wanted_views request = {0};
	struct diagnostics diagnostics;
	enum exit_code code = EXIT_USAGE;
	if (!line->file)
		return cli_usage_error("predict needs a file");
	if (!request_parse(arena, line, &request))
		return EXIT_USAGE;
	diagnostics_init(&diagnostics, arena);
	cli_progress_begin(arena_printf(arena, "predicting %s", line->file), line->quiet.count > 0);
	struct prediction *prediction = predict(arena, &request.options, request.last, &diagnostics, &code);
	cli_progress_end();
	cli_diagnostics(&diagnostics, line->quiet.count > 0, prediction ? EXIT_VERDICT : code);
	return prediction ? views_print(arena, line, &request, prediction, &diagnostics) : code;
}
