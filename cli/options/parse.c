/*
 * The command line: one parser for all commands.
 */
#include "cli/options/options.h"
#include "cli/report/report.h"
#include "cli/say/say.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct option_row option_rows[] = {
#define OPTION(identifier, spelling, form, argument, commands, values, help)                                           \
	{spelling, argument, commands, values, help, form, offsetof(struct command_line, identifier)},
#include "cli/options/options.def"
#undef OPTION
};
const unsigned option_row_count = ARRAY_COUNT(option_rows);

bool option_takes_flags(char letter)
{
	return strchr("prbecdu", letter) != NULL;
}

static const struct option_row *row_find(const char *argument, size_t length, char letter)
{
	for (size_t i = 0; i < option_row_count; i++)
		if (strlen(option_rows[i].spelling) == length &&
		    strncmp(option_rows[i].spelling, argument, length) == 0 && strchr(option_rows[i].commands, letter))
			return &option_rows[i];
	return NULL;
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
		cli_usage_error("%s takes %s, not '%s'", row->spelling, row->argument, value);
		return false;
	}
	ARENA_PUSH(arena, values->list, values->count, value);
	return true;
}

/* Whether an argument is an option of ours with one dash too few. */
static bool lacks_dash(struct arena *arena, const char *argument, char letter)
{
	const char *meant = arena_printf(arena, "-%s", argument);
	return row_find(meant, strcspn(meant, "="), letter) != NULL;
}

/* Takes a flag of nvcc's at arguments[*index]; *good is false where its value is missing (reported). Returns whether it
 * is one. */
static bool flag_take(struct arena *arena, int count, char **arguments, int *index, struct command_line *line,
                      bool *good)
{
	struct nvcc_flag flag;
	unsigned at = (unsigned)*index;
	if (!flags_read(arena, (unsigned)count, (const char *const *)arguments, &at, &flag))
		return false;
	*index = (int)at;
	*good = !flag.wants_value && (!flag.holds || flag.use > NVCC_FLAG_COMPILED);
	if (flag.wants_value)
		cli_usage_error("%s needs an argument", flag.name);
	else if (!*good)
		cli_usage_error("%s", flags_complaint(arena, &flag));
	else if (flag.use == NVCC_FLAG_TARGET)
		ARENA_PUSH(arena, line->targets, line->target_count, flag.value);
	else if (flag.use == NVCC_FLAG_BUILT && flag.words[0] && text_is_plain(flag.words[0]))
		ARENA_PUSH(arena, line->build_flags, line->build_flag_count, flag.words[0]);
	for (unsigned w = 0; w < ARRAY_COUNT(flag.words) && flag.use <= NVCC_FLAG_COMPILED; w++)
		if (flag.words[w])
			ARENA_PUSH(arena, line->flags, line->flag_count, flag.words[w]);
	return true;
}

static bool operand_take(struct arena *arena, char letter, const char *argument, struct command_line *line)
{
	bool takes_program = strchr("prbecu", letter) != NULL;
	unsigned most = letter == 't' || takes_program ? UINT_MAX : letter == 'd' ? 2 : strchr("ok", letter) ? 0 : 1;
	if (line->file_count >= most) {
		if (most == 0)
			cli_usage_error("no operand is taken, but '%s' is given", argument);
		else
			cli_usage_error("%s: '%s' and '%s'", most == 1 ? "one file at a time" : "two files, no more",
			                line->files[most - 1], argument);
		return false;
	}
	for (unsigned i = 0; takes_program && i < line->file_count; i++)
		if (strcmp(line->files[i], argument) == 0) {
			cli_usage_error("'%s' is given twice", argument);
			return false;
		}
	if (strcmp(argument, "-") == 0 && takes_program + (letter == 'd') + (letter == 'x') > 0)
		argument = "/dev/stdin";
	ARENA_PUSH(arena, line->files, line->file_count, argument);
	line->file = line->files[0];
	line->other_count = takes_program ? line->file_count - 1 : 0;
	return true;
}

/* ", did you mean '--grid'", of the options that the command takes; "" where none is close. */
static const char *option_meant(struct arena *arena, const char *argument, char letter)
{
	const char **names = arena_array(arena, option_row_count, sizeof *names);
	unsigned count = 0;
	for (unsigned i = 0; i < option_row_count; i++)
		if (strchr(option_rows[i].commands, letter))
			names[count++] = option_rows[i].spelling;
	const char *best = text_closest(arena_strndup(arena, argument, strcspn(argument, "=")), names, count);
	return best && strlen(best) > 2 ? arena_printf(arena, ", did you mean '%s'", best) : "";
}

static bool argument_take(struct arena *arena, char letter, int count, char **arguments, int *index,
                          struct command_line *line)
{
	const char *argument = arguments[*index];
	const char *equals = strncmp(argument, "--", 2) == 0 ? strchr(argument, '=') : NULL;
	size_t length = equals ? (size_t)(equals - argument) : strlen(argument);
	const struct option_row *row = row_find(argument, length, letter);
	bool good = true;
	if (!row && argument[0] == '-' && option_takes_flags(letter) && !lacks_dash(arena, argument, letter) &&
	    flag_take(arena, count, arguments, index, line, &good))
		return good;
	if (argument[0] != '-' || argument[1] == '\0')
		return operand_take(arena, letter, argument, line);
	if (!row)
		return cli_usage_error("unknown option '%s' here%s", argument, option_meant(arena, argument, letter)) ==
		       EXIT_VERDICT;
	if (equals && row->form == FORM_NONE)
		return cli_usage_error("option '%s' takes no value", argument) == EXIT_VERDICT;
	if (row->form == FORM_NONE)
		return option_take(arena, row, "", line);
	if (equals)
		return option_take(arena, row, equals + 1, line);
	if (*index + 1 >= count) {
		cli_usage_error("%s needs %s", row->spelling, row->argument);
		return false;
	}
	return option_take(arena, row, arguments[++*index], line);
}

/* An empty command line is known as well. */
static void program_arguments_take(struct arena *arena, int count, char **arguments, struct command_line *line)
{
	line->program_arguments = arena_array(arena, (size_t)count + 1, sizeof(const char *));
	line->program_argument_count = (unsigned)count;
	for (int i = 0; i < count; i++)
		line->program_arguments[i] = arguments[i];
}

bool command_line_parse(struct arena *arena, char letter, int count, char **arguments, struct command_line *line)
{
	line->letter = letter;
	for (int i = 0; i < count; i++) {
		if (strcmp(arguments[i], "--") == 0 && option_takes_flags(letter)) {
			program_arguments_take(arena, count - i - 1, arguments + i + 1, line);
			return true;
		}
		if (!argument_take(arena, letter, count, arguments, &i, line))
			return false;
	}
	return true;
}

enum severity options_least_severity(const struct command_line *line, enum exit_code code)
{
	if (line->quiet.count > 0 && code == EXIT_VERDICT)
		return SEVERITY_ERROR;
	return line->verbose.count > 0 || line->dump.count > 0 ? SEVERITY_REMARK : SEVERITY_NOTE;
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
	for (size_t r = 0; r < option_row_count; r++) {
		const struct option_values *values =
			(const struct option_values *)((const char *)line + option_rows[r].offset);
		bool says_what = option_rows[r].form != FORM_NONE && strchr(option_rows[r].commands, 'p') &&
		                 strchr(option_rows[r].commands, 'b') && values != &line->machine &&
		                 values != &line->limit_seconds && values != &line->limit_memory;
		for (unsigned i = 0; says_what && i < values->count; i++) {
			ARENA_PUSH(arena, words, *count, option_rows[r].spelling);
			ARENA_PUSH(arena, words, *count, values->list[i]);
		}
	}
	if (line->program_arguments)
		ARENA_PUSH(arena, words, *count, "--");
	for (unsigned i = 0; i < line->program_argument_count; i++)
		ARENA_PUSH(arena, words, *count, line->program_arguments[i]);
	return words;
}

/* Whether an option's values are passed on to another command about the same program. */
static bool is_passed_on(const struct command_line *line, const struct option_row *row, char letter)
{
	const struct option_values *values = (const struct option_values *)((const char *)line + row->offset);
	const struct option_values *const own[] = {&line->structure,
	                                           &line->group,
	                                           &line->layouts,
	                                           &line->limit_seconds,
	                                           &line->limit_memory,
	                                           letter == 'r' ? &line->tile : NULL,
	                                           letter == 'r' ? &line->machine : NULL};
	for (size_t i = 0; i < ARRAY_COUNT(own); i++)
		if (values == own[i])
			return false;
	if (values->of_project || (row->form == FORM_NONE && values != &line->keep_arrays && values != &line->observe))
		return false;
	return strchr(row->commands, line->letter) && strchr(row->commands, letter);
}

const char *command_line_shell(struct arena *arena, const struct command_line *line, char letter)
{
	const char *text = report_shell_word(arena, line->file);
	for (unsigned i = 1; i < line->file_count; i++)
		text = arena_printf(arena, "%s %s", text, report_shell_word(arena, line->files[i]));
	for (unsigned i = line->project_flag_count; i < line->flag_count; i++)
		text = arena_printf(arena, "%s %s", text, report_shell_word(arena, line->flags[i]));
	for (size_t r = 0; r < option_row_count; r++) {
		const struct option_row *row = &option_rows[r];
		const struct option_values *values = (const struct option_values *)((const char *)line + row->offset);
		for (unsigned i = 0; i < values->count && is_passed_on(line, row, letter); i++)
			text = arena_printf(arena, "%s %s%s%s", text, row->spelling, row->form == FORM_NONE ? "" : " ",
			                    row->form == FORM_NONE ? "" : report_shell_word(arena, values->list[i]));
	}
	return text;
}

bool option_percent(const char *name, const struct option_values *values, double *percent)
{
	const char *text = option_text(values, NULL);
	char *end;
	if (!text)
		return true;
	*percent = strtod(text, &end);
	if (end != text && *end == '\0' && *percent >= 0 && isfinite(*percent))
		return true;
	cli_usage_error("%s takes a percentage, not '%s'", name, text);
	return false;
}
