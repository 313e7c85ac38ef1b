/*
 * Help on the terminal.
 */
#include "cli/help/help.h"
#include "cli/report/report.h"

#include <string.h>

#define WIDTH 100
#define LEFT 26

static void exit_codes_print(struct text *out)
{
	text_puts(out,
	          "\nExit codes: 0 a verdict; 1 the input cannot be analysed; 2 wrong usage; 3 a tool is missing;\n"
	          "4 the gate failed; 70 a bug of ours\n");
}

void help_overview(struct text *out, const struct command *commands, unsigned count)
{
	text_puts(out, "coalesce: which data layout (aos, soa, aosa, asta) is fastest for a CUDA kernel, and why\n\n");
	for (unsigned i = 0; i < count; i++) {
		size_t from = out->length;
		text_printf(out, "coalesce %s %s", commands[i].name, commands[i].operand);
		text_printf(out, "%*s%s\n", (int)(from + 40 > out->length ? from + 40 - out->length : 1), "",
		            commands[i].summary);
	}
	text_puts(out,
	          "\n`coalesce help COMMAND` lists its options; `coalesce --version` says the version;\n"
	          "`coalesce completion bash` (zsh, fish) prints what completes commands and options in that shell;\n"
	          "`coalesce help glossary` explains the words that the commands print, `... glossary WORD` one of "
	          "them.\n");
	exit_codes_print(out);
}

static void option_print(struct text *out, const char *left, const char *help, const char *values)
{
	size_t column = LEFT;
	text_printf(out, "  %-*s", LEFT - 2, left);
	if (strlen(left) > LEFT - 3)
		text_printf(out, "\n%*s", LEFT, "");
	text_wrap(out, help, column, LEFT, WIDTH);
	if (values) {
		text_printf(out, "\n%*s= ", LEFT, "");
		text_wrap(out, values, LEFT + 2, LEFT + 2, WIDTH);
	}
	text_puts(out, "\n");
}

void help_command(struct text *out, struct arena *arena, const struct command *command)
{
	text_printf(out, "coalesce %s %s%s[options]    %s\n\n", command->name, command->operand,
	            *command->operand ? " " : "", command->summary);
	text_wrap(out, command->description, 0, 0, WIDTH);
	text_puts(out, "\n\n");
	for (unsigned i = 0; i < option_row_count; i++) {
		const struct option_row *row = &option_rows[i];
		const char *left =
			row->argument ? arena_printf(arena, "%s %s", row->spelling, row->argument) : row->spelling;
		if (strchr(row->commands, command->letter))
			option_print(out, left, row->help, help_values(arena, row, true));
	}
	if (option_takes_flags(command->letter))
		option_print(out, "-D -I -std= ...", OPTION_FLAGS_HELP, OPTION_FLAGS_VALUES);
	exit_codes_print(out);
}

static void term_print(struct text *out, const struct report_term *term)
{
	text_printf(out, "  %-*s", LEFT - 2, term->names);
	if (strlen(term->names) > LEFT - 3)
		text_printf(out, "\n%*s", LEFT, "");
	text_wrap(out, term->text, LEFT, LEFT, WIDTH);
	text_puts(out, "\n");
}

bool help_glossary(struct text *out, struct arena *arena, const char *word)
{
	unsigned count;
	const struct report_term *terms = report_terms(arena, &count), *one = word ? report_term(arena, word) : NULL;
	if (word && !one)
		return false;
	for (unsigned i = 0; i < count; i++)
		if (!one || strcmp(terms[i].names, one->names) == 0)
			term_print(out, &terms[i]);
	return true;
}
