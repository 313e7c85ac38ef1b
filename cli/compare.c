/*
 * coalesce compare FILE.cu --measured M.json: predicted beside measured, per layout.
 */
#include "cli/batch/batch.h"
#include "cli/cli.h"
#include "cli/profile/profile.h"
#include "cli/report/html/html.h"

#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <string.h>

/* ---- which measured case ------------------------------------------------------------- */

static const char *base_name(const char *path)
{
	return strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
}

static bool has_word(const struct measured_case *measured, const char *word)
{
	for (unsigned i = 0; i < measured->option_count; i++)
		if (strcmp(measured->options[i], word) == 0)
			return true;
	return false;
}

/* Whether a case was measured from that file with the same macros. */
static bool case_fits(const struct measured_case *measured, const struct command_line *line)
{
	unsigned macros = 0, given = 0;
	if (strcmp(measured->file, base_name(line->file)) != 0)
		return false;
	for (unsigned i = 0; i < measured->option_count; i++)
		macros += strncmp(measured->options[i], "-D", 2) == 0;
	for (unsigned i = 0; i < line->flag_count; i++) {
		if (strncmp(line->flags[i], "-D", 2) != 0)
			continue;
		given++;
		if (!has_word(measured, line->flags[i]))
			return false;
	}
	return macros == given;
}

static void cases_report(struct arena *arena, const struct measurement *measurement, const char *what,
                         struct diagnostics *diagnostics)
{
	struct text known = {0};
	for (unsigned i = 0; i < measurement->case_count; i++)
		text_printf(&known, "%s%s", i ? ", " : "", measurement->cases[i].id);
	diagnostics_report(diagnostics, SEVERITY_ERROR, (struct place){arena_strdup(arena, measurement->path), 0, 0},
	                   "%s; it has %s", what, known.data);
	text_release(&known);
}

static const struct measured_case *case_choose(struct arena *arena, const struct command_line *line,
                                               const struct measurement *measurement, struct diagnostics *diagnostics)
{
	const char *id = option_text(&line->of_case, NULL);
	const struct measured_case *found = id ? measure_case_find(measurement, id) : NULL;
	unsigned fitting = 0;
	if (id && !found)
		cases_report(arena, measurement, arena_printf(arena, "no measured case has the id '%s'", id),
		             diagnostics);
	if (id || measurement->case_count == 1)
		return id ? found : &measurement->cases[0];
	for (unsigned i = 0; i < measurement->case_count; i++) {
		if (case_fits(&measurement->cases[i], line)) {
			found = &measurement->cases[i];
			fitting++;
		}
	}
	if (fitting == 1)
		return found;
	cases_report(arena, measurement,
	             fitting ? "several cases were measured from this file with these macros: say which with --case"
	                     : "no case was measured from this file with these macros: say which with --case",
	             diagnostics);
	return NULL;
}

/* ---- views ------------------------------------------------------------------------------- */

/* Times that close to each other differ by rounding alone. */
#define SAME_SHARE 1e-9

/* Position of a time among others, from 1; equal ones share it. */
static unsigned rank_of(const double *times, unsigned count, unsigned index)
{
	unsigned rank = 1;
	for (unsigned i = 0; i < count; i++)
		rank += times[i] < times[index] * (1 - SAME_SHARE);
	return rank;
}

static double least(const double *times, unsigned count)
{
	double result = INFINITY;
	for (unsigned i = 0; i < count; i++)
		if (times[i] < result)
			result = times[i];
	return result;
}

static void layout_print(struct text *out, const struct comparison *comparison, unsigned l)
{
	const double *predicted = comparison->predicted[0], *measured = comparison->measured;
	unsigned count = comparison->layout_count;
	text_printf(out, "  %-10s %14.3f %8.2f %5u", comparison->layouts[l], predicted[l],
	            predicted[l] / least(predicted, count), rank_of(predicted, count, l));
	if (measured[l] > 0)
		text_printf(out, " %14.3f %8.2f %5u %+8.1f%%\n", measured[l], measured[l] / least(measured, count),
		            rank_of(measured, count, l), 100 * (predicted[l] / measured[l] - 1));
	else
		text_printf(out, " %14s %8s %5s %9s\n", "-", "-", "-", "-");
}

static void comparison_print(struct text *out, struct arena *arena, const struct comparison *comparison)
{
	struct judged_case judged;
	unsigned fastest = batch_fastest(comparison);
	text_printf(out, "\nkernel %s%s%s\n  %-10s %14s %8s %5s %14s %8s %5s %9s\n", comparison->kernel,
	            comparison->record ? ", record " : "", comparison->record ? comparison->record : "", "layout",
	            "predicted us", "vs best", "rank", "measured us", "vs best", "rank", "error");
	for (unsigned l = 0; l < comparison->layout_count; l++)
		layout_print(out, comparison, l);
	if (!batch_judge(arena, comparison, 0, &judged))
		return;
	text_printf(out, "  pick: %s, %s", comparison->layouts[comparison->picks[0]],
	            measure_pick_is_right(&judged) ? "right" : "wrong");
	if (comparison->picks[0] != fastest)
		text_printf(out, "; fastest is %s, regret %.1f %%", comparison->layouts[fastest],
		            100 * measure_regret(&judged));
	text_puts(out, "\n");
}

static void accuracy_print(struct text *out, const struct accuracy *accuracy)
{
	if (accuracy->cases == 0)
		return;
	text_printf(out, "\npicks right %.3f, regret %.4f, rank %.3f, ratio error %.4f, time error %.4f\n",
	            accuracy->pick, accuracy->regret, accuracy->rank, accuracy->ratio_error, accuracy->time_error);
}

static json_t *layout_json(const struct comparison *comparison, unsigned l)
{
	const double *predicted = comparison->predicted[0], *measured = comparison->measured;
	unsigned count = comparison->layout_count;
	bool known = measured[l] > 0;
	return json_pack("{s:s, s:f, s:f, s:i, s:o, s:o, s:o}", "layout", comparison->layouts[l], "predicted_us",
	                 predicted[l], "predicted_ratio", predicted[l] / least(predicted, count), "predicted_rank",
	                 (int)rank_of(predicted, count, l), "measured_us", known ? json_real(measured[l]) : json_null(),
	                 "measured_ratio", known ? json_real(measured[l] / least(measured, count)) : json_null(),
	                 "measured_rank", known ? json_integer(rank_of(measured, count, l)) : json_null());
}

static json_t *pair_json(struct arena *arena, const struct comparison *comparison)
{
	struct judged_case judged;
	unsigned fastest = batch_fastest(comparison);
	json_t *layouts = json_array();
	for (unsigned l = 0; l < comparison->layout_count; l++)
		json_array_append_new(layouts, layout_json(comparison, l));
	bool is_judged = batch_judge(arena, comparison, 0, &judged);
	return json_pack("{s:s, s:s?, s:o, s:s, s:s?, s:o, s:o, s:o}", "kernel", comparison->kernel, "record",
	                 comparison->record, "layouts", layouts, "pick", comparison->layouts[comparison->picks[0]],
	                 "best_measured", fastest == UINT_MAX ? NULL : comparison->layouts[fastest], "pick_is_right",
	                 is_judged ? json_boolean(measure_pick_is_right(&judged)) : json_null(), "regret",
	                 is_judged ? json_real(measure_regret(&judged)) : json_null(), "rank",
	                 is_judged ? json_real(measure_rank(&judged)) : json_null());
}

static void comparisons_json(struct text *out, struct arena *arena, const struct prediction *prediction,
                             const struct measured_case *measured, const struct comparisons *comparisons)
{
	json_t *list = json_array();
	struct accuracy accuracy = batch_accuracy(arena, comparisons, 0, NULL);
	for (unsigned i = 0; i < comparisons->count; i++)
		json_array_append_new(list, pair_json(arena, &comparisons->list[i]));
	json_t *root =
		json_pack("{s:s, s:s, s:s, s:s, s:{s:s, s:s, s:s, s:s, s:s}, s:o, s:o}", "schema", "coalesce/compare/1",
	                  "file", prediction->analysis->path, "machine", prediction->machine->name, "model",
	                  prediction->model->name, "measured", "id", measured->id, "gpu", measured->gpu, "driver",
	                  measured->driver, "compiler", measured->compiler, "date", measured->date, "comparisons", list,
	                  "accuracy", batch_accuracy_json(&accuracy));
	cli_json(out, root);
}

static void comparisons_print(struct text *out, struct arena *arena, const struct prediction *prediction,
                              const struct measured_case *measured, const struct comparisons *comparisons)
{
	struct accuracy accuracy = batch_accuracy(arena, comparisons, 0, NULL);
	text_printf(out, "%s: predicted for %s, model %s; measured as %s on %s, driver %s, %s, %s%s\n",
	            prediction->analysis->path, prediction->machine->name, prediction->model->name, measured->id,
	            measured->gpu, measured->driver, measured->compiler, measured->date,
	            measured->quick ? ", quickly" : "");
	for (unsigned i = 0; i < comparisons->count; i++)
		comparison_print(out, arena, &comparisons->list[i]);
	accuracy_print(out, &accuracy);
	const char *assumed = report_assumed(arena, prediction->machine, prediction->model);
	if (assumed)
		text_printf(out, "\n%s\n", assumed);
}

/* ---- the command ----------------------------------------------------------------------------- */

/* Words side by side, for a message. */
static const char *words_text(struct arena *arena, const char *const *words, unsigned count)
{
	const char *text = count ? "" : " none";
	for (unsigned i = 0; i < count; i++)
		text = arena_printf(arena, "%s %s", text, words[i]);
	return text;
}

static void mismatches_note(struct arena *arena, const struct command_line *line, const struct prediction *prediction,
                            const struct measured_case *measured, const struct comparisons *comparisons,
                            struct diagnostics *diagnostics)
{
	struct place nowhere = {NULL, 0, 0};
	unsigned count;
	const char **words = command_line_words(arena, line, &count);
	if (!measure_case_with(measured, words, count))
		diagnostics_report(diagnostics, SEVERITY_NOTE, nowhere,
		                   "predicted with other options than measured; give the same:%s; predicted:%s",
		                   words_text(arena, measured->options, measured->option_count),
		                   words_text(arena, words, count));
	if (strcmp(prediction->machine->name, measured->gpu) != 0)
		diagnostics_report(diagnostics, SEVERITY_NOTE, nowhere,
		                   "predicted for %s, but measured on %s: give its --machine",
		                   prediction->machine->name, measured->gpu);
	for (unsigned i = 0; i < comparisons->count; i++)
		if (batch_fastest(&comparisons->list[i]) == UINT_MAX)
			diagnostics_report(diagnostics, SEVERITY_NOTE, nowhere,
			                   "kernel %s was not measured with this grid, block and arguments: give "
			                   "--grid, --block and --arg as "
			                   "measured",
			                   comparisons->list[i].kernel);
}

/* The page of the prediction, with the measured times beside; false where it cannot be written (reported). */
static bool page_write(struct arena *arena, const struct command_line *line, const struct prediction *prediction,
                       const struct measured_case *measured, const struct diagnostics *diagnostics)
{
	const char *path = option_text(&line->html, NULL);
	struct report_context context = cli_report_context(arena, line, NULL, diagnostics);
	struct text page = {0};
	if (!path)
		return true;
	context.measured = measured;
	html_report(&page, arena, prediction, &context);
	bool written = cli_file_save(path, page.data, page.length);
	text_release(&page);
	return written;
}

static enum exit_code compare_with(struct arena *arena, const struct command_line *line,
                                   const struct predict_options *options, const struct measured_case *measured,
                                   struct diagnostics *diagnostics)
{
	enum exit_code code;
	struct text out = {0};
	const struct suite_case entry = {.id = measured->id, .size = "", .group = ""};
	struct prediction *prediction = predict(arena, options, STAGE_ESTIMATE, diagnostics, &code);
	if (!prediction)
		return code;
	const struct duration begin = clock_thread();
	const char *model = prediction->model->name;
	struct comparisons comparisons = {.models = &model, .model_count = 1};
	batch_comparisons_add(arena, &comparisons, prediction, measured, &entry, 0);
	mismatches_note(arena, line, prediction, measured, &comparisons, diagnostics);
	if (line->json.count)
		comparisons_json(&out, arena, prediction, measured, &comparisons);
	else
		comparisons_print(&out, arena, prediction, measured, &comparisons);
	code = page_write(arena, line, prediction, measured, diagnostics) ? EXIT_VERDICT : EXIT_INPUT;
	code = cli_print(&out, code);
	if (line->verbose.count)
		cli_time(prediction, clock_thread_since(begin));
	return code;
}

/* ---- beside a profile ------------------------------------------------------------------------------ */

/* Whether --kernel takes a launch of the profile. */
static bool launch_is_taken(struct arena *arena, const struct profile_launch *launch,
                            const struct case_options *options)
{
	for (unsigned k = 0; k < options->kernel_count; k++)
		if (profile_may_be_same(profile_kernel_instance(arena, options->kernels[k]), launch->name))
			return true;
	return options->kernel_count == 0;
}

static unsigned registers_of(const struct profile_launch *launch)
{
	for (unsigned m = 0; m < report_metric_count; m++)
		if (strcmp(report_metrics[m].name, "launch__registers_per_thread") == 0 && launch->values[m] > 0)
			return (unsigned)launch->values[m];
	return 0;
}

/*
 * Sets grid, block and registers to those of the profile's launches, of the kernels that --kernel takes; registers
 * where all have as many. False where they have several sizes (reported).
 */
static bool sizes_take(struct arena *arena, const struct profile *profile, struct predict_options *options)
{
	const struct profile_launch *first = NULL;
	for (unsigned i = 0; i < profile->count; i++) {
		const struct profile_launch *launch = &profile->launches[i];
		if (!launch_is_taken(arena, launch, &options->cases))
			continue;
		if (first && (memcmp(first->grid, launch->grid, sizeof first->grid) != 0 ||
		              memcmp(first->block, launch->block, sizeof first->block) != 0))
			return cli_usage_error("--profile-sizes: the profile has launches of several sizes; choose a "
			                       "kernel with "
			                       "--kernel, or give --grid and --block") == EXIT_VERDICT;
		options->registers = !first || options->registers == registers_of(launch) ? registers_of(launch) : 0;
		first = first ? first : launch;
	}
	if (!first)
		return cli_usage_error("--profile-sizes: the profile has no launch of that kernel") == EXIT_VERDICT;
	options->cases.grid.given = options->cases.block.given = true;
	memcpy(options->cases.grid.value, first->grid, sizeof first->grid);
	memcpy(options->cases.block.value, first->block, sizeof first->block);
	return true;
}

static enum exit_code compare_profile(struct arena *arena, const struct command_line *line,
                                      struct predict_options *options, struct diagnostics *diagnostics)
{
	enum exit_code code = EXIT_INPUT;
	struct text out = {0};
	const struct profile *profile = profile_read(arena, option_text(&line->profile, NULL), diagnostics);
	if (!profile)
		return code;
	if (line->profile_sizes.count && !sizes_take(arena, profile, options))
		return EXIT_USAGE;
	const struct prediction *prediction = predict(arena, options, STAGE_ESTIMATE, diagnostics, &code);
	if (!prediction)
		return code;
	profile_beside(&out, arena, prediction, profile);
	return cli_print(&out, EXIT_VERDICT);
}

/* Whether one thing to compare with is asked for (else reported). */
static bool usage_check(const struct command_line *line)
{
	if (!line->file || line->measured.count + line->profile.count == 0)
		cli_usage_error("compare needs a file and --measured FILE.json or --ncu FILE.csv");
	else if (line->measured.count && line->profile.count)
		cli_usage_error("--measured and --ncu exclude each other");
	else if (line->profile.count && (line->json.count || line->html.count))
		cli_usage_error("--ncu prints a table alone: without --json and --html");
	else if (line->profile_sizes.count && !line->profile.count)
		cli_usage_error("--profile-sizes needs --ncu FILE.csv");
	else
		return true;
	return false;
}

enum exit_code command_compare(struct arena *arena, const struct command_line *line)
{
	struct predict_options options = {0};
	struct diagnostics diagnostics;
	enum exit_code code = EXIT_INPUT;
	if (!usage_check(line) || !options_fill(arena, line, &options))
		return EXIT_USAGE;
	diagnostics_init(&diagnostics, arena);
	const char *path = option_text(&line->measured, NULL);
	const struct measurement *measurement = path ? measure_load(arena, path, &diagnostics) : NULL;
	const struct measured_case *measured = measurement ? case_choose(arena, line, measurement, &diagnostics) : NULL;
	if (!path)
		code = compare_profile(arena, line, &options, &diagnostics);
	else if (measured)
		code = compare_with(arena, line, &options, measured, &diagnostics);
	cli_diagnostics(&diagnostics, line, code);
	return code;
}
