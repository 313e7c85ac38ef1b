/*
 * The command line as what predict() takes.
 */
#include "cli/options/options.h"
#include "cli/say/say.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char **split(struct arena *arena, const char *list, unsigned *count)
{
	const char **parts = NULL;
	*count = 0;
	for (const char *next = list;; next++) {
		size_t length = strcspn(next, ",");
		ARENA_PUSH(arena, parts, *count, arena_strndup(arena, next, length));
		next += length;
		if (!*next)
			return parts;
	}
}

static struct named_value *named_values(struct arena *arena, const struct option_values *values, unsigned *count)
{
	struct named_value *list = NULL;
	*count = 0;
	for (unsigned i = 0; i < values->count; i++) {
		const char *equals = strchr(values->list[i], '=');
		struct named_value value = {arena_strndup(arena, values->list[i], (size_t)(equals - values->list[i])),
		                            equals + 1};
		ARENA_PUSH(arena, list, *count, value);
	}
	return list;
}

/* Whether a comma begins the next NAME=VALUE. */
static bool value_follows(const char *comma)
{
	size_t length = strcspn(comma + 1, ",=");
	return length > 0 && comma[1 + length] == '=';
}

/* "a=1,b=2" as two values. */
static struct option_values values_split(struct arena *arena, const struct option_values *values)
{
	struct option_values result = {0};
	for (unsigned i = 0; i < values->count; i++) {
		const char *begin = values->list[i];
		for (const char *next = begin;; next++) {
			if (*next && (*next != ',' || !value_follows(next)))
				continue;
			ARENA_PUSH(arena, result.list, result.count,
			           arena_strndup(arena, begin, (size_t)(next - begin)));
			begin = next + 1;
			if (!*next)
				break;
		}
	}
	return result;
}

/* Names with commas between them; those between template arguments belong to the name. */
static const char **kernels_split(struct arena *arena, const struct option_values *values, unsigned *count)
{
	const char **names = NULL;
	*count = 0;
	for (unsigned i = 0; i < values->count; i++) {
		const char *begin = values->list[i];
		int depth = 0;
		for (const char *next = begin;; next++) {
			depth += (*next == '<') - (*next == '>');
			if (*next && (*next != ',' || depth > 0))
				continue;
			ARENA_PUSH(arena, names, *count, arena_strndup(arena, begin, (size_t)(next - begin)));
			begin = next + 1;
			if (!*next)
				break;
		}
	}
	return names;
}

static bool dimensions_parse(const char *name, const struct option_values *values, struct dimensions *dimensions)
{
	const char *text = option_text(values, NULL), *next = text;
	if (!text)
		return true;
	*dimensions = (struct dimensions){true, {1, 1, 1}};
	for (unsigned axis = 0; axis < 3; axis++) {
		char *end;
		unsigned long value = strtoul(next, &end, 10);
		if (end == next || *next == '-' || value < 1 || value > INT32_MAX)
			break;
		dimensions->value[axis] = (uint32_t)value;
		if (*end == '\0')
			return true;
		if (*end != ',')
			break;
		next = end + 1;
	}
	cli_usage_error("%s takes one to three positive numbers, not '%s'", name, text);
	return false;
}

const char *options_layout_meant(struct arena *arena, const char *name)
{
	const char **names = arena_array(arena, layout_count, sizeof *names);
	for (unsigned i = 0; i < layout_count; i++)
		names[i] = layout_table[i]->name;
	return text_suggestion(arena, name, names, layout_count);
}

static bool layouts_parse(struct arena *arena, const struct option_values *values, struct predict_options *options)
{
	unsigned count = 0;
	const char *text = option_text(values, NULL);
	options->rank = layout_table;
	options->rank_count = layout_count;
	if (!text)
		return true;
	const char **names = split(arena, text, &count);
	const struct layout **rank = arena_array(arena, count, sizeof(const struct layout *));
	for (unsigned i = 0; i < count; i++) {
		rank[i] = layout_find(names[i]);
		if (!rank[i]) {
			cli_usage_error("unknown layout '%s'%s", names[i], options_layout_meant(arena, names[i]));
			return false;
		}
	}
	options->rank = rank;
	options->rank_count = count;
	return true;
}

static bool tiles_parse(struct arena *arena, const char *text, struct predict_options *options)
{
	static const unsigned all[] = {LAYOUT_TILE_DEFAULT, 8, 16, 64, 128};
	static const unsigned usual[] = {LAYOUT_TILE_DEFAULT};
	options->tiles = !text ? usual : all;
	options->tile_count = !text ? 1 : ARRAY_COUNT(all);
	if (!text || strcmp(text, "all") == 0)
		return true;
	char *end;
	unsigned long tile = strtoul(text, &end, 10);
	unsigned *one = arena_array(arena, 1, sizeof *one);
	*one = (unsigned)tile;
	options->tiles = one;
	options->tile_count = 1;
	if (*end == '\0' && tile >= 2 && tile <= LAYOUT_TILE_MOST && (tile & (tile - 1)) == 0)
		return true;
	cli_usage_error("--tile takes a power of two from 2 to 4096, or 'all', not '%s'", text);
	return false;
}

static bool number_parse(const char *name, const struct option_values *values, double least, double most,
                         double *number)
{
	const char *text = option_text(values, NULL);
	char *end = NULL;
	if (!text)
		return true;
	*number = strtod(text, &end);
	if (end != text && *end == '\0' && *number >= least && *number <= most)
		return true;
	cli_usage_error("%s takes a number from %g to %g, not '%s'", name, least, most, text);
	return false;
}

#define KERNEL_SECONDS_USUAL 20
#define LIMIT_SECONDS_LEAST 0.1
#define LIMIT_SECONDS_MOST 1e6
#define LIMIT_MIB_LEAST 64
#define LIMIT_MIB_MOST (1 << 20)

bool options_limits(const struct command_line *line, struct process_limits *limits)
{
	double mebibytes = 0;
	bool good = number_parse("--limit-seconds", &line->limit_seconds, LIMIT_SECONDS_LEAST, LIMIT_SECONDS_MOST,
	                         &limits->seconds);

	good &= number_parse("--limit-memory", &line->limit_memory, LIMIT_MIB_LEAST, LIMIT_MIB_MOST, &mebibytes);
	limits->bytes = (uint64_t)(mebibytes * (1 << 20));
	return good;
}

static bool probability_read(const char *text, double *probability)
{
	char *end = NULL;
	*probability = strtod(text, &end);
	return end != text && *end == '\0' && *probability >= 0 && *probability <= 1;
}

/* "0.1" for all conditions, "40=0.1" for that on line 40. */
static bool branches_parse(struct arena *arena, const struct option_values *values, struct branch_options *branches)
{
	struct branch_line *lines = NULL;
	*branches = (struct branch_options){.probability = EXEC_BRANCH_PROBABILITY};
	for (unsigned i = 0; i < values->count; i++) {
		const char *text = values->list[i], *equals = strchr(text, '=');
		struct branch_line one = {0};
		char *end = NULL;
		unsigned long line = equals ? strtoul(text, &end, 10) : 0;
		if (!probability_read(equals ? equals + 1 : text, &one.probability) ||
		    (equals && (end != equals || *text < '0' || *text > '9' || line == 0 || line > UINT_MAX))) {
			cli_usage_error("--branch-probability takes a number from 0 to 1, or LINE=P, not '%s'", text);
			return false;
		}
		one.line = (unsigned)line;
		if (equals) {
			ARENA_PUSH(arena, lines, branches->line_count, one);
		} else {
			branches->probability = one.probability;
			branches->told = true;
		}
	}
	branches->lines = lines;
	return true;
}

bool options_readings(const struct option_values *values, struct thesis_readings *readings)
{
	for (unsigned i = 0; i < values->count; i++) {
		bool known = false;
#define X(name, usual, other, what)                                                                                    \
	if (strcmp(values->list[i], #name "=" usual) == 0 || strcmp(values->list[i], #name "=" other) == 0) {          \
		readings->name = strcmp(values->list[i], #name "=" other) == 0;                                        \
		known = true;                                                                                          \
	}
		THESIS_READINGS(X)
#undef X
		if (!known) {
			cli_usage_error("no such reading: '%s'", values->list[i]);
			return false;
		}
	}
	return true;
}

static bool compiler_fill(const struct option_values *values, enum compile_road *road)
{
	const char *text = option_text(values, "auto");
#define X(name, word)                                                                                                  \
	if (strcmp(text, #word) == 0) {                                                                                \
		*road = COMPILE_##name;                                                                                \
		return true;                                                                                           \
	}
	COMPILE_ROADS(X)
#undef X
	cli_usage_error("--compiler takes auto, nvrtc or nvcc, not '%s'", text);
	return false;
}

/* Whether the model predicts launches that find anything else than a flushed L2. */
static bool start_fits(const char *text, const struct predict_options *options)
{
	const struct cost_model *model = cost_model_find(options->model);
	if (options->start == START_COLD || !model || model->follows_start)
		return true;
	cli_usage_error("--start %s needs a model that follows what the L2 holds: %s predicts cold launches alone; use "
	                "--model full",
	                text, options->model);
	return false;
}

/* Commands that say what a program takes follow it; others predict what is measured: launches that begin with a flushed
 * L2. */
static enum launch_state start_usual(const struct command_line *line, const struct predict_options *options)
{
	const struct cost_model *model = cost_model_find(options->model);
	bool follows = strchr("pdu", line->letter) != NULL;
	return follows && model && model->follows_start ? START_PROGRAM : START_COLD;
}

static bool start_fill(const struct command_line *line, struct predict_options *options)
{
	const char *text = option_text(&line->start, predict_start_names[start_usual(line, options)]);
	for (unsigned i = 0; i < ARRAY_COUNT(predict_start_names); i++)
		if (strcmp(text, predict_start_names[i]) == 0) {
			options->start = (enum launch_state)i;
			return start_fits(text, options);
		}
	cli_usage_error("--start takes cold, program or warm, not '%s'", text);
	return false;
}

bool options_jobs(const struct command_line *line, unsigned *jobs)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	const char *text = option_text(&line->jobs, NULL);
	char *end;
	*jobs = processors > 1 ? (unsigned)processors : 1;
	if (!text)
		return true;
	unsigned long number = strtoul(text, &end, 10);
	*jobs = (unsigned)number;
	if (*end == '\0' && end != text && *text != '-' && number >= 1 && number <= 100000)
		return true;
	cli_usage_error("--jobs takes a number from 1 to 100000, not '%s'", text);
	return false;
}

bool options_fill(struct arena *arena, const struct command_line *line, struct predict_options *options)
{
	const struct option_values arguments = values_split(arena, &line->argument),
				   extents = values_split(arena, &line->extent);
	options->analyzer = (struct analyzer_options){.path = line->file,
	                                              .others = line->other_count ? line->files + 1 : NULL,
	                                              .other_count = line->other_count,
	                                              .flags = line->flags,
	                                              .flag_count = line->flag_count,
	                                              .arguments = line->program_arguments,
	                                              .argument_count = line->program_argument_count,
	                                              .use_cache = true};
	options->layouts = (struct layout_options){.structs = line->structure.list,
	                                           .struct_count = line->structure.count,
	                                           .groups = line->group.list,
	                                           .group_count = line->group.count,
	                                           .keep_arrays = line->keep_arrays.count > 0};
	options->cases.kernels = kernels_split(arena, &line->kernel, &options->cases.kernel_count);
	options->compared = kernels_split(arena, &line->compare_kernels, &options->compared_count);
	if (options->compared_count && !options->cases.kernel_count) {
		options->cases.kernels = options->compared;
		options->cases.kernel_count = options->compared_count;
	}
	options->cases.arguments = named_values(arena, &arguments, &options->cases.argument_count);
	options->cases.extents = named_values(arena, &extents, &options->cases.extent_count);
	options->cases.indexes = named_values(arena, &line->index, &options->cases.index_count);
	options->ptx_files = named_values(arena, &line->ptx, &options->ptx_file_count);
	options->machine = option_text(&line->machine, "h200");
	options->observe = line->observe.count > 0;
	options->observation = option_text(&line->observation, NULL);
	options->build_flags = line->build_flags;
	options->build_flag_count = line->build_flag_count;
	options->targets = line->targets;
	options->target_count = line->target_count;
	options->model = option_text(&line->model, "full");
	options->build_directory = option_text(&line->build, NULL);
	options->no_machine_code = line->no_machine_code.count > 0;
	options->combines = line->letter == 'p';
	options->advise = line->explain.count > 0 || line->html.count > 0;
	options->kernel_seconds = KERNEL_SECONDS_USUAL;
	bool seconds = number_parse("--kernel-seconds", &line->kernel_seconds, 0, 1e6, &options->kernel_seconds);
	bool numbers = seconds & number_parse("--trips", &line->trips, 1, 1e12, &options->unknown_trips);
	numbers &= options_limits(line, &options->analyzer.limits);
	options->cases.trips = options->unknown_trips;
	options->trips_told = line->trips.count > 0;
	return numbers && compiler_fill(&line->compiler, &options->compiler) && start_fill(line, options) &&
	       options_readings(&line->reading, &options->readings) &&
	       dimensions_parse("--grid", &line->grid, &options->cases.grid) &&
	       dimensions_parse("--block", &line->block, &options->cases.block) &&
	       branches_parse(arena, &line->branch_probability, &options->branches) &&
	       layouts_parse(arena, &line->layouts, options) &&
	       tiles_parse(arena, option_text(&line->tile, NULL), options);
}
