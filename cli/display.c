/*
 * How results and messages are shown: which diagnostics, in which colours, and what a prediction took.
 */
#include "base/clock/clock.h"
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void cli_diagnostics(const struct diagnostics *diagnostics, const struct command_line *line, enum exit_code code)
{
	cli_diagnostics_say(diagnostics, options_least_severity(line, code));
}

/* ---- colours ------------------------------------------------------------------------- */

static bool is_set(const char *name)
{
	const char *value = getenv(name);
	return value && *value;
}

static bool colours_wanted(void)
{
	const char *terminal = getenv("TERM");
	return isatty(STDOUT_FILENO) && !is_set("NO_COLOR") && terminal && *terminal && strcmp(terminal, "dumb") != 0;
}

bool cli_style(const struct option_values *when, struct report_style *style)
{
	const char *text = option_text(when, "auto");
	bool always = strcmp(text, "always") == 0;
	*style = (struct report_style){.colour = always || (strcmp(text, "auto") == 0 && colours_wanted()),
	                               .width = cli_terminal_width(STDOUT_FILENO)};
	if (always || strcmp(text, "auto") == 0 || strcmp(text, "never") == 0)
		return true;
	cli_usage_error("--color takes auto, always or never, not '%s'", text);
	return false;
}

/* ---- times --------------------------------------------------------------------------- */

static struct duration stages_sum(const struct prediction_time *time)
{
	struct duration sum = {0};
	for (unsigned s = 0; s < STAGE_COUNT; s++)
		sum = clock_sum(sum, time->own[s]);
	return sum;
}

static double seconds_of(struct duration duration, bool processor)
{
	return processor ? duration.processor : duration.wall;
}

/* shown: by start and reports. */
static void time_line(const struct prediction *prediction, const char *compiler, struct duration shown, bool processor)
{
	static const char *const stages[STAGE_COUNT] = {"analysis", "layouts", "reading code", "evaluation", "model"};
	const struct prediction_time *time = &prediction->time;
	double further = seconds_of(time->further, processor), beside = seconds_of(shown, processor);
	fprintf(stderr, "%s: libclang %.3f s, %s %.3f s, ourselves %.3f s (", processor ? "processor" : "time",
	        seconds_of(time->clang, processor), compiler, seconds_of(time->compiler, processor),
	        seconds_of(stages_sum(time), processor) + further + beside);
	for (unsigned s = 0; s < STAGE_COUNT; s++)
		fprintf(stderr, "%s %.4f, ", stages[s], seconds_of(time->own[s], processor));
	fprintf(stderr, "further predictions %.4f, start and reports %.4f)\n", further, beside);
}

void cli_time(const struct prediction *prediction, struct duration reports)
{
	const struct compilation *first = prediction->compilation_count ? prediction->compilations[0] : NULL;
	const struct duration shown = {reports.wall, reports.processor + cli_begin_seconds()};
	for (unsigned processor = 0; processor < 2; processor++)
		time_line(prediction, first ? first->compiler : "nvcc", shown, processor);
	if (first && first->refusal)
		fprintf(stderr, "compiled by nvcc, not NVRTC: %s\n", first->refusal);
}
