/*
 * coalesce tune FILE.cu: the fastest configuration of a program, without a GPU.
 */
#include "cli/cli.h"
#include "cli/tables/tables.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define USUAL_BUDGET 64
#define USUAL_ROWS 10

/* Reports what is wrong with an expression, which is shown with a caret below it. */
static bool expression_error(const char *option, const char *text, const struct tune_fault *fault)
{
	cli_error("%s: %s\n    %s\n    %*s^", option, fault->text, text, (int)fault->at, "");
	return false;
}

static bool dimensions_read(struct arena *arena, const char *option, const struct option_values *values,
                            const struct tune_expression *dimensions[3])
{
	const char *text = option_text(values, NULL);
	struct tune_fault fault;
	if (!text)
		return true;
	for (unsigned axis = 0; axis < 3; axis++)
		dimensions[axis] = NULL;
	return !tune_dimensions_parse(arena, text, TUNE_C, dimensions, &fault) ||
	       expression_error(option, text, &fault);
}

static bool space_read(struct arena *arena, const struct command_line *line, struct tune_space *space)
{
	struct diagnostics diagnostics;
	diagnostics_init(&diagnostics, arena);
	for (unsigned i = 0; i < line->space.count; i++)
		if (!tune_space_read(arena, line->space.list[i], space, &diagnostics)) {
			cli_diagnostics(&diagnostics, line, EXIT_USAGE);
			return false;
		}
	for (unsigned i = 0; i < line->tune.count; i++) {
		const char *problem = tune_parameter_add(arena, space, line->tune.list[i]);
		if (problem)
			return cli_usage_error("--tune %s: %s", line->tune.list[i], problem) == EXIT_VERDICT;
	}
	for (unsigned i = 0; i < line->constraint.count; i++) {
		struct tune_fault fault;
		if (tune_condition_add(arena, space, line->constraint.list[i], TUNE_C, &fault))
			return expression_error("--constraint", line->constraint.list[i], &fault);
	}
	return dimensions_read(arena, "--block", &line->tune_block, space->block) &&
	       dimensions_read(arena, "--grid", &line->tune_grid, space->grid);
}

/* "64", configurations; "10s", seconds. */
static bool budget_read(const struct command_line *line, struct tune_request *request)
{
	const char *text = option_text(&line->budget, NULL);
	char *end = NULL;
	request->budget = USUAL_BUDGET;
	if (!text)
		return true;
	double number = strtod(text, &end);
	bool seconds = end != text && strcmp(end, "s") == 0;
	request->seconds = seconds ? number : 0;
	request->budget = seconds ? MOST_SWEEP_POINTS : (unsigned)fmin(fmax(number, 0), MOST_SWEEP_POINTS);
	if (end != text && (seconds || !*end) && number > 0 &&
	    (seconds ? number <= 1e6 : floor(number) == number && number <= MOST_SWEEP_POINTS))
		return true;
	cli_usage_error("--budget takes a number of configurations from 1 to %d, or seconds as 10s, not '%s'",
	                MOST_SWEEP_POINTS, text);
	return false;
}

static bool top_read(const struct command_line *line, unsigned *top)
{
	const char *text = option_text(&line->top, NULL);
	char *end;
	*top = USUAL_ROWS;
	if (!text)
		return true;
	unsigned long number = strtoul(text, &end, 10);
	*top = (unsigned)number;
	if (*end == '\0' && *text >= '0' && *text <= '9' && number >= 1 && number <= 100000)
		return true;
	cli_usage_error("--top takes a number from 1 to 100000, not '%s'", text);
	return false;
}

static void progress_show(unsigned done, unsigned most, double best_seconds)
{
	char text[64];
	if (isfinite(best_seconds))
		snprintf(text, sizeof text, "%u of %u configurations, best %.4g us", done, most, 1e6 * best_seconds);
	else
		snprintf(text, sizeof text, "%u of %u configurations", done, most);
	cli_progress_say(text);
}

/* Writes the page, where it is asked for. */
static bool page_save(struct arena *arena, const struct command_line *line, const struct tune_result *result)
{
	const char *path = option_text(&line->html, NULL);
	struct text page = {0};
	if (!path)
		return true;
	tables_tune_page(&page, arena, result);
	bool saved = cli_file_save(path, page.data, page.length);
	text_release(&page);
	return saved;
}

static enum exit_code result_print(struct arena *arena, const struct command_line *line,
                                   const struct tune_result *result, unsigned top)
{
	struct report_style style;
	struct text out = {0};
	if (!cli_style(&line->color, &style))
		return EXIT_USAGE;
	if (!page_save(arena, line, result))
		return EXIT_INPUT;
	if (line->json.count)
		cli_json(&out, tables_tune_json(arena, result));
	else
		tables_tune(&out, arena, result, top, &style);
	return cli_print(&out, EXIT_VERDICT);
}

/* Reads what is searched for, and how. */
static bool request_read(struct arena *arena, const struct command_line *line, struct tune_request *request)
{
	struct predict_options *options = arena_alloc(arena, sizeof *options);
	struct tune_space *space = arena_alloc(arena, sizeof *space);
	*request = (struct tune_request){.options = options, .space = space, .progress = progress_show};
	if (!options_fill(arena, line, options) || !space_read(arena, line, space) || !budget_read(line, request) ||
	    !options_jobs(line, &request->jobs))
		return false;
	if (space->kernel && !options->cases.kernel_count) {
		options->cases.kernels = &space->kernel;
		options->cases.kernel_count = 1;
	}
	options->suggests_nothing = true;
	return true;
}

struct tune_result *cli_tune_search(struct arena *arena, const struct command_line *line, enum exit_code *code)
{
	struct tune_request request;
	struct diagnostics diagnostics;
	*code = EXIT_USAGE;
	if (!request_read(arena, line, &request))
		return NULL;
	diagnostics_init(&diagnostics, arena);
	cli_progress_begin(arena_printf(arena, "tuning %s", line->file), line->quiet.count > 0);
	struct tune_result *result = tune_search(arena, &request, &diagnostics, code);
	cli_progress_end();
	cli_diagnostics(&diagnostics, line, *code);
	return result;
}

/* --machine A,B,C: one configuration for all of them. */
static enum exit_code machines_tune(struct arena *arena, const struct command_line *line, const char *names,
                                    unsigned top)
{
	const struct sweep_axis axis = sweep_axis_machines(arena, names);
	enum exit_code code = EXIT_USAGE;
	struct tune_request request;
	struct diagnostics diagnostics;
	struct report_style style;
	struct text out = {0};
	if (line->html.count)
		return cli_usage_error("--html shows one machine");
	if (!request_read(arena, line, &request) || !cli_style(&line->color, &style))
		return EXIT_USAGE;
	diagnostics_init(&diagnostics, arena);
	cli_progress_begin(arena_printf(arena, "tuning %s", line->file), line->quiet.count > 0);
	const struct tune_machines *machines =
		tune_machines_search(arena, &request, axis.words, axis.count, &diagnostics, &code);
	cli_progress_end();
	cli_diagnostics(&diagnostics, line, code);
	if (machines && line->json.count)
		cli_json(&out, tables_tune_machines_json(arena, machines));
	else if (machines)
		tables_tune_machines(&out, arena, machines, top, &style);
	return machines ? cli_print(&out, EXIT_VERDICT) : code;
}

enum exit_code command_tune(struct arena *arena, const struct command_line *line)
{
	const char *machine = option_text(&line->machine, "");
	enum exit_code code = EXIT_USAGE;
	unsigned top;
	if (!line->file)
		return cli_usage_error("tune needs a file");
	if (!top_read(line, &top))
		return EXIT_USAGE;
	if (strchr(machine, ','))
		return machines_tune(arena, line, machine, top);
	const struct tune_result *result = cli_tune_search(arena, line, &code);
	return result ? result_print(arena, line, result, top) : code;
}
