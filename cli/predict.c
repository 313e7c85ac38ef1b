/*
 * coalesce predict FILE.cu: rank the layouts of FILE's kernels.
 */
#include "cli/cli.h"
#include "cli/report/report.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The names of --dump and how far the pipeline has to run for each: add a row to add a dump. */
static const struct {
	const char *name;
	enum predict_stage stage;
} dumps[] = {
	{"kernel", STAGE_KERNEL},     {"affine", STAGE_KERNEL},    {"ptx", STAGE_COMPILE},       {"cfg", STAGE_COMPILE},
	{"requests", STAGE_EVALUATE}, {"traffic", STAGE_ESTIMATE}, {"estimate", STAGE_ESTIMATE},
};

struct dump_request {
	const char **names;
	unsigned count;
	enum predict_stage last;
};

static bool dump_parse(struct arena *arena, const struct option_values *values, struct dump_request *request)
{
	request->last = STAGE_ESTIMATE;
	if (values->count)
		request->last = STAGE_KERNEL;
	for (unsigned i = 0; i < values->count; i++) {
		for (const char *next = values->list[i]; *next; next += *next == ',') {
			size_t length = strcspn(next, ","), d = 0;
			const char *name = arena_strndup(arena, next, length);
			while (d < ARRAY_COUNT(dumps) && strcmp(dumps[d].name, name) != 0)
				d++;
			if (d == ARRAY_COUNT(dumps)) {
				cli_usage_error("--dump: unknown stage '%s'", name);
				return false;
			}
			if (dumps[d].stage > request->last)
				request->last = dumps[d].stage;
			ARENA_PUSH(arena, request->names, request->count, name);
			next += length;
		}
	}
	return true;
}

static bool gate_parse(const struct command_line *line, double *percent)
{
	const char *text = option_text(&line->gate, NULL);
	char *end;
	*percent = INFINITY;
	if (!text)
		return true;
	*percent = strtod(text, &end);
	if (end != text && *end == '\0' && *percent >= 0)
		return true;
	cli_usage_error("--gate takes a percentage, not '%s'", text);
	return false;
}

static bool gate_fails(const struct prediction *prediction, double percent)
{
	for (unsigned v = 0; v < prediction->program_verdict_count; v++) {
		const struct verdict *verdict = &prediction->program_verdicts[v];
		if (verdict->written != UINT_MAX && prediction->program[verdict->written].time_seconds >
		                                            prediction->program[verdict->best].time_seconds * (1 + percent / 100))
			return true;
	}
	return false;
}

static void times_print(const struct prediction *prediction)
{
	double tools = prediction->clang_seconds + prediction->nvcc_seconds;
	fprintf(stderr, "time: libclang %.3f s, nvcc %.3f s, ourselves %.3f s", prediction->clang_seconds, prediction->nvcc_seconds,
	        prediction->own_seconds);
	if (tools > 0)
		fprintf(stderr, " (%.2f times the tools)", (tools + prediction->own_seconds) / tools);
	fputc('\n', stderr);
}

static void views_print(struct arena *arena, const struct command_line *line, const struct dump_request *dump,
                        const struct prediction *prediction)
{
	struct text out = {0};
	for (unsigned i = 0; i < dump->count; i++)
		report_dump(&out, prediction, dump->names[i]);
	if (dump->count == 0 && line->json.count)
		report_json(&out, arena, prediction);
	else if (dump->count == 0)
		report_table(&out, arena, prediction);
	if (dump->count == 0 && line->explain.count && !line->json.count)
		report_explain(&out, arena, prediction);
	if (out.length)
		fwrite(out.data, 1, out.length, stdout);
	text_release(&out);
}

enum exit_code command_predict(struct arena *arena, const struct command_line *line)
{
	struct predict_options options = {0};
	struct dump_request dump = {0};
	struct diagnostics diagnostics;
	enum exit_code code = EXIT_USAGE;
	double gate;
	if (!line->file)
		return cli_usage_error("predict needs a file");
	if (!options_fill(arena, line, &options) || !dump_parse(arena, &line->dump, &dump) || !gate_parse(line, &gate))
		return EXIT_USAGE;
	diagnostics_init(&diagnostics, arena);
	struct prediction *prediction = predict(arena, &options, dump.last, &diagnostics, &code);
	if (prediction && dump.last == STAGE_ESTIMATE)
		cli_assumptions_report(arena, prediction, &diagnostics);
	diagnostics_print(&diagnostics, 0, line->quiet.count ? SEVERITY_ERROR : SEVERITY_NOTE, stderr);
	if (!prediction)
		return code;
	views_print(arena, line, &dump, prediction);
	if (line->verbose.count)
		times_print(prediction);
	return gate_fails(prediction, gate) ? EXIT_GATE : EXIT_VERDICT;
}
