/*
 * Manual pages in roff, with the macros of man(7).
 */
#include "cli/help/help.h"

#include <string.h>

/* Text with what roff would take for its own made harmless: backslashes and hyphens, and dots and quotes that begin a line. */
static void roff_print(struct text *out, const char *string)
{
	if (*string == '.' || *string == '\'')
		text_puts(out, "\\&");
	for (; *string; string++) {
		if (*string == '\\')
			text_puts(out, "\\e");
		else if (*string == '-')
			text_puts(out, "\\-");
		else
			text_append(out, string, 1);
	}
}

static void head_print(struct text *out, const char *name, const char *summary)
{
	text_printf(out, ".TH %s 1 \"\" \"coalesce %s\" \"User Commands\"\n.SH NAME\n", name, COALESCE_VERSION);
	roff_print(out, name);
	text_puts(out, " \\- ");
	roff_print(out, summary);
	text_puts(out, "\n.SH SYNOPSIS\n");
}

static void option_print(struct text *out, const char *spelling, const char *argument, const char *help, const char *values)
{
	text_puts(out, ".TP\n\\fB");
	roff_print(out, spelling);
	text_puts(out, "\\fR");
	if (argument) {
		text_puts(out, " \\fI");
		roff_print(out, argument);
		text_puts(out, "\\fR");
	}
	text_puts(out, "\n");
	roff_print(out, help);
	if (values) {
		text_puts(out, "\n.br\n");
		roff_print(out, values);
	}
	text_puts(out, "\n");
}

static void exit_codes_print(struct text *out)
{
	static const char *const codes[][2] = {
		{"0", "a verdict was given"},      {"1", "the input could not be analysed"}, {"2", "wrong usage"},
		{"3", "a needed tool is missing"}, {"4", "the gate (--gate) failed"},        {"70", "a bug of ours"}};
	text_puts(out, ".SH EXIT STATUS\n");
	for (size_t i = 0; i < ARRAY_COUNT(codes); i++)
		option_print(out, codes[i][0], NULL, codes[i][1], NULL);
}

static void command_manual(struct text *out, struct arena *arena, const struct command *command)
{
	head_print(out, arena_printf(arena, "coalesce-%s", command->name), command->summary);
	text_printf(out, "\\fBcoalesce %s\\fR %s [\\fIoptions\\fR]\n.SH DESCRIPTION\n", command->name, command->operand);
	roff_print(out, command->description);
	text_puts(out, "\n.SH OPTIONS\n");
	for (unsigned i = 0; i < option_row_count; i++)
		if (strchr(option_rows[i].commands, command->letter))
			option_print(out, option_rows[i].spelling, option_rows[i].argument, option_rows[i].help,
			             help_values(arena, &option_rows[i], false));
	if (option_takes_flags(command->letter))
		option_print(out, "-D -I -std= ...", NULL, OPTION_FLAGS_HELP, OPTION_FLAGS_VALUES);
	exit_codes_print(out);
	text_puts(out, ".SH SEE ALSO\n.BR coalesce (1)\n");
}

void help_manual(struct text *out, struct arena *arena, const struct command *commands, unsigned count,
                 const struct command *command)
{
	if (command) {
		command_manual(out, arena, command);
		return;
	}
	head_print(out, "coalesce", "which data layout is fastest for a CUDA kernel, and why");
	text_puts(out, "\\fBcoalesce\\fR \\fIcommand\\fR [\\fIoptions\\fR]\n.SH COMMANDS\n");
	for (unsigned i = 0; i < count; i++)
		option_print(out, commands[i].name, *commands[i].operand ? commands[i].operand : NULL, commands[i].summary, NULL);
	exit_codes_print(out);
	text_puts(out, ".SH SEE ALSO\n");
	for (unsigned i = 0; i < count; i++)
		text_printf(out, ".BR coalesce\\-%s (1)%s\n", commands[i].name, i + 1 < count ? "," : "");
}
