/*
 * The command line: one table of options for all commands (cli.h), one parser.
 */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

struct option_row {
	const char *spelling, *argument, *commands, *help;
	enum argument_form form;
	size_t offset; /* of its values in struct command_line */
};

static const struct option_row rows[] = {
#define X(identifier, spelling, form, argument, commands, help)                                                                    \
	{spelling, argument, commands, help, form, offsetof(struct command_line, identifier)},
	OPTIONS(X)
#undef X
};

enum exit_code options_refuse(const char *format, ...)
{
	va_list list;
	fprintf(stderr, "coalesce: ");
	va_start(list, format);
	vfprintf(stderr, format, list);
	va_end(list);
	fprintf(stderr, "; see coalesce --help\n");
	return EXIT_USAGE;
}

/* The commands that read a source file, and so take flags for the compilers. */
#define SOURCE_COMMANDS "prbec"

static const struct option_row *row_find(const char *argument, size_t length, char letter)
{
	for (size_t i = 0; i < ARRAY_COUNT(rows); i++)
		if (strlen(rows[i].spelling) == length && strncmp(rows[i].spelling, argument, length) == 0 &&
		    strchr(rows[i].commands, letter))
			return &rows[i];
	return NULL;
}

static bool is_compiler_flag(const char *argument)
{
	return strncmp(argument, "-D", 2) == 0 || strncmp(argument, "-I", 2) == 0 || strncmp(argument, "-std=", 5) == 0;
}

static bool value_well_formed(const struct option_row *row, const char *value)
{
	if (row->form == FORM_NAME_VALUE) {
		const char *equals = strchr(value, '=');
		return equals && equals != value && equals[1];
	}
	return *value != '\0';
}

static bool option_take(struct arena *arena, const struct option_row *row, const char *value, struct command_line *line)
{
	struct option_values *values = (struct option_values *)((char *)line + row->offset);
	if (row->form != FORM_NONE && !value_well_formed(row, value)) {
		options_refuse("%s takes %s, not '%s'", row->spelling, row->argument, value);
		return false;
	}
	ARENA_PUSH(arena, values->list, values->count, value);
	return true;
}

/* Takes a flag for the compilers at arguments[*index], "-D X" and "-DX" alike. */
static bool flag_take(struct arena *arena, int count, char **arguments, int *index, struct command_line *line)
{
	const char *flag = arguments[*index];
	if (strlen(flag) == 2) {
		if (*index + 1 >= count) {
			options_refuse("%s needs an argument", flag);
			return false;
		}
		flag = arena_printf(arena, "%s%s", flag, arguments[++*index]);
	}
	ARENA_PUSH(arena, line->flags, line->flag_count, flag);
	return true;
}

static bool operand_take(struct arena *arena, char letter, const char *argument, struct command_line *line)
{
	if (line->file && letter != 't') {
		options_refuse("one file at a time: '%s' and '%s'", line->file, argument);
		return false;
	}
	ARENA_PUSH(arena, line->files, line->file_count, argument);
	line->file = line->files[0];
	return true;
}

static bool argument_take(struct arena *arena, char letter, int count, char **arguments, int *index, struct command_line *line)
{
	const char *argument = arguments[*index];
	const char *equals = strncmp(argument, "--", 2) == 0 ? strchr(argument, '=') : NULL;
	size_t length = equals ? (size_t)(equals - argument) : strlen(argument);
	const struct option_row *row = row_find(argument, length, letter);
	if (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0)
		return line->help = true;
	if (is_compiler_flag(argument) && strchr(SOURCE_COMMANDS, letter))
		return flag_take(arena, count, arguments, index, line);
	if (argument[0] != '-' || argument[1] == '\0')
		return operand_take(arena, letter, argument, line);
	if (!row || (equals && row->form == FORM_NONE)) {
		options_refuse(row ? "option '%s' takes no value" : "unknown option '%s' here", argument);
		return false;
	}
	if (row->form == FORM_NONE)
		return option_take(arena, row, "", line);
	if (equals)
		return option_take(arena, row, equals + 1, line);
	if (*index + 1 >= count) {
		options_refuse("%s needs %s", row->spelling, row->argument);
		return false;
	}
	return option_take(arena, row, arguments[++*index], line);
}

bool command_line_parse(struct arena *arena, char letter, int count, char **arguments, struct command_line *line)
{
	for (int i = 0; i < count; i++)
		if (!argument_take(arena, letter, count, arguments, &i, line))
			return false;
	return true;
}

void options_print(FILE *stream, char letter)
{
	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		char left[64];
		if (!strchr(rows[i].commands, letter))
			continue;
		snprintf(left, sizeof left, "%s%s%s", rows[i].spelling, rows[i].argument ? " " : "",
		         rows[i].argument ? rows[i].argument : "");
		fprintf(stream, "  %-24s %s\n", left, rows[i].help);
	}
	if (strchr(SOURCE_COMMANDS, letter))
		fprintf(stream, "  %-24s %s\n", "-D -I -std=", "passed to both compilers");
}

const char *option_text(const struct option_values *values, const char *fallback)
{
	return values->count ? values->list[values->count - 1] : fallback;
}

const char **command_line_words(struct arena *arena, const struct command_line *line, unsigned *count)
{
	const char **words = NULL;
	*count = 0;
	for (unsigned i = 0; i < line->flag_count; i++)
		ARENA_PUSH(arena, words, *count, line->flags[i]);
	for (size_t r = 0; r < ARRAY_COUNT(rows); r++) {
		const struct option_values *values = (const struct option_values *)((const char *)line + rows[r].offset);
		bool says_what = rows[r].form != FORM_NONE && strchr(rows[r].commands, 'p') && strchr(rows[r].commands, 'b') &&
		                 values != &line->machine;
		for (unsigned i = 0; says_what && i < values->count; i++) {
			ARENA_PUSH(arena, words, *count, rows[r].spelling);
			ARENA_PUSH(arena, words, *count, values->list[i]);
		}
	}
	return words;
}

/* ---- command line -> struct predict_options ---------------------------------------------- */

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
		struct named_value value = {arena_strndup(arena, values->list[i], (size_t)(equals - values->list[i])), equals + 1};
		ARENA_PUSH(arena, list, *count, value);
	}
	return list;
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
	options_refuse("%s takes one to three positive numbers, not '%s'", name, text);
	return false;
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
			options_refuse("unknown layout '%s'", names[i]);
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
	if (*end == '\0' && tile >= 2 && tile <= 4096 && (tile & (tile - 1)) == 0)
		return true;
	options_refuse("--tile takes a power of two from 2 to 4096, or 'all', not '%s'", text);
	return false;
}

static bool number_parse(const char *name, const struct option_values *values, double least, double most, double *number)
{
	const char *text = option_text(values, NULL);
	char *end = NULL;
	if (!text)
		return true;
	*number = strtod(text, &end);
	if (end != text && *end == '\0' && *number >= least && *number <= most)
		return true;
	options_refuse("%s takes a number from %g to %g, not '%s'", name, least, most, text);
	return false;
}

bool options_readings(const struct option_values *values, struct thesis_readings *readings)
{
	for (unsigned i = 0; i < values->count; i++) {
		bool known = false;
#define X(name, usual, other, what)                                                                                                \
	if (strcmp(values->list[i], #name "=" usual) == 0 || strcmp(values->list[i], #name "=" other) == 0) {                      \
		readings->name = strcmp(values->list[i], #name "=" other) == 0;                                                    \
		known = true;                                                                                                      \
	}
		THESIS_READINGS(X)
#undef X
		if (!known) {
			options_refuse("no such reading: '%s'", values->list[i]);
			return false;
		}
	}
	return true;
}

bool options_fill(struct arena *arena, const struct command_line *line, struct predict_options *options)
{
	options->analyzer = (struct analyzer_options){
		.path = line->file, .flags = line->flags, .flag_count = line->flag_count, .use_cache = true};
	options->layouts = (struct layout_options){.structs = line->structure.list,
	                                           .struct_count = line->structure.count,
	                                           .groups = line->group.list,
	                                           .group_count = line->group.count};
	options->cases.kernel = option_text(&line->kernel, NULL);
	options->cases.arguments = named_values(arena, &line->argument, &options->cases.argument_count);
	options->cases.extents = named_values(arena, &line->extent, &options->cases.extent_count);
	options->cases.indexes = named_values(arena, &line->index, &options->cases.index_count);
	options->ptx_files = named_values(arena, &line->ptx, &options->ptx_file_count);
	options->machine = option_text(&line->machine, "h200");
	options->model = option_text(&line->model, "full");
	options->build_directory = option_text(&line->build, NULL);
	options->branch_probability = 0.5;
	options->machine_code = line->machine_code.count > 0;
	return options_readings(&line->reading, &options->readings) &&
	       dimensions_parse("--grid", &line->grid, &options->cases.grid) &&
	       dimensions_parse("--block", &line->block, &options->cases.block) &&
	       number_parse("--branch-probability", &line->branch_probability, 0, 1, &options->branch_probability) &&
	       number_parse("--trips", &line->trips, 1, 1e12, &options->unknown_trips) &&
	       layouts_parse(arena, &line->layouts, options) && tiles_parse(arena, option_text(&line->tile, NULL), options);
}
