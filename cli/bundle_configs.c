/*
 * coalesce bundle FILE.cu --configs WHICH -o DIR: a measuring program for each of some configurations, DIR/1, DIR/2,
 * ..., and a Makefile that runs them all.
 */
#include "cli/cli.h"
#include "cli/tables/tables.h"

#include <jansson.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define MOST_TOP 1000

struct configs {
	struct tune_config *list;
	unsigned count;
	const struct prediction *first; /* of which analysis and groups are read */
};

/* "top5": 5; 0: it is no such word. */
static unsigned top_count(const char *text)
{
	char *end;
	if (strncmp(text, "top", 3) != 0 || text[3] < '1' || text[3] > '9')
		return 0;
	unsigned long count = strtoul(text + 3, &end, 10);
	return *end || count > MOST_TOP ? 0 : (unsigned)count;
}

static bool configs_search(struct arena *arena, const struct command_line *line, unsigned most, struct configs *configs,
                           enum exit_code *code)
{
	const struct tune_result *result = cli_tune_search(arena, line, code);
	for (unsigned i = 0; result && i < result->candidate_count && i < most; i++)
		ARENA_PUSH(arena, configs->list, configs->count, tune_config_of(result, i));
	if (result && result->written != UINT_MAX && result->written >= configs->count)
		ARENA_PUSH(arena, configs->list, configs->count, tune_config_of(result, result->written));
	configs->first = result ? result->first : NULL;
	return result != NULL;
}

/* The file's analysis, with the values of the first configuration, which it may need. */
static const struct prediction *analysis_read(struct arena *arena, const struct predict_options *options,
                                              const struct tune_config *config, struct diagnostics *diagnostics,
                                              enum exit_code *code)
{
	struct predict_options *own = arena_alloc(arena, sizeof *own);
	struct analysis *none = arena_alloc(arena, sizeof *none);
	struct prediction *nothing = arena_alloc(arena, sizeof *nothing);
	*own = *options;
	nothing->analysis = none;
	tune_config_options(arena, nothing, config, own);
	own->rank = options->rank;
	own->rank_count = options->rank_count;
	own->cases.change_count = 0;
	return predict(arena, own, STAGE_GROUPS, diagnostics, code);
}

static bool configs_read(struct arena *arena, const struct command_line *line, const char *path,
                         struct configs *configs, enum exit_code *code)
{
	struct predict_options options = {0};
	struct diagnostics diagnostics;
	*code = EXIT_USAGE;
	if (!options_fill(arena, line, &options))
		return false;
	diagnostics_init(&diagnostics, arena);
	options.suggests_nothing = true;
	configs->list = tune_configs_read(arena, path, &configs->count, &diagnostics);
	*code = EXIT_INPUT;
	if (configs->list)
		configs->first = analysis_read(arena, &options, &configs->list[0], &diagnostics, code);
	cli_diagnostics(&diagnostics, line, *code);
	return configs->first != NULL;
}

/* The options as given, the flags of a configuration and its launch, as they are kept with its results. */
static const char **words_of(struct arena *arena, const struct command_line *line,
                             const struct predict_options *options, unsigned *count)
{
	struct command_line own = *line;
	own.flags = (const char **)options->analyzer.flags;
	own.flag_count = options->analyzer.flag_count;
	return command_line_words(arena, &own, count);
}

static struct bundle *config_bundle(struct arena *arena, const struct command_line *line, const struct configs *configs,
                                    unsigned index, const char *id, enum exit_code *code)
{
	const struct tune_config *config = &configs->list[index];
	struct predict_options *options = arena_alloc(arena, sizeof *options);
	struct diagnostics diagnostics;
	unsigned word_count;
	*code = EXIT_USAGE;
	if (!options_fill(arena, line, options))
		return NULL;
	tune_config_options(arena, configs->first, config, options);
	if (config->block.given)
		options->cases.block = config->block;
	if (config->grid.given)
		options->cases.grid = config->grid;
	const char **words = words_of(arena, line, options, &word_count);
	diagnostics_init(&diagnostics, arena);
	struct bundle *bundle = bundle_make(arena, options, id, words, word_count, &diagnostics, code);
	cli_diagnostics(&diagnostics, line, *code);
	return bundle;
}

static const char *config_text(struct arena *arena, const struct tune_config *config)
{
	const char *text =
		config->option.layout ? report_layout_label(arena, config->option.layout, config->option.tile) : "";
	for (unsigned a = 0; a < config->sweep.axis_count; a++)
		if (!config->sweep.axes[a].has_own || config->sweep.axes[a].own != config->point.at[a])
			text = arena_printf(arena, "%s%s%s=%s", text, *text ? ", " : "", config->sweep.axes[a].name,
			                    sweep_value(arena, &config->sweep.axes[a], config->point.at[a]));
	return *text ? text : "as written";
}

static bool index_save(struct arena *arena, const char *folder, const struct configs *configs, const bool *made)
{
	struct text text = {0};
	json_t *list = json_array();
	for (unsigned i = 0; i < configs->count; i++)
		if (made[i])
			json_array_append_new(list,
			                      json_pack("{s:s, s:s, s:f}", "folder", arena_printf(arena, "%u", i + 1),
			                                "configuration", config_text(arena, &configs->list[i]),
			                                "predicted_us", 1e6 * configs->list[i].time_seconds));
	cli_json(&text, json_pack("{s:s, s:o}", "schema", "coalesce/configurations/1", "configurations", list));
	bool good = cli_file_save(arena_printf(arena, "%s/configurations.json", folder), text.data, text.length);
	text_release(&text);
	text_puts(
		&text,
		"# make results: measures each configuration, whose results are in its folder's measure.json. One that "
		"fails costs only "
		"itself.\nCONFIGURATIONS =");
	for (unsigned i = 0; i < configs->count; i++)
		if (made[i])
			text_printf(&text, " %u", i + 1);
	text_puts(&text, "\n\nresults clean:\n\tfor c in $(CONFIGURATIONS); do $(MAKE) -C $$c $@ || true; "
	                 "done\n\n.PHONY: results clean\n");
	good = good && cli_file_save(arena_printf(arena, "%s/Makefile", folder), text.data, text.length);
	text_release(&text);
	return good;
}

enum exit_code cli_bundle_configs(struct arena *arena, const struct command_line *line, const char *id,
                                  const char *folder)
{
	const char *which = option_text(&line->configs, NULL);
	struct configs configs = {0};
	enum exit_code code = EXIT_INPUT;
	unsigned top = top_count(which), saved = 0;
	if (!(top ? configs_search(arena, line, top, &configs, &code)
	          : configs_read(arena, line, which, &configs, &code)))
		return code;
	bool *made = arena_array(arena, configs.count, sizeof *made);
	for (unsigned i = 0; i < configs.count; i++) {
		const struct bundle *bundle =
			config_bundle(arena, line, &configs, i, arena_printf(arena, "%s-%u", id, i + 1), &code);
		if (bundle && !cli_bundle_save(arena, bundle, arena_printf(arena, "%s/%u", folder, i + 1)))
			return EXIT_INPUT;
		made[i] = bundle != NULL;
		saved += made[i];
	}
	if (saved == 0)
		return code;
	return index_save(arena, folder, &configs, made) ? EXIT_VERDICT : EXIT_INPUT;
}
