/*
 * Manual pages in roff, with the macros of man(7).
 */
#include "cli/help/help.h"
#include "cli/say/say.h"

#include <string.h>

/* Text with what roff would take for its own made harmless: backslashes and hyphens, and dots and quotes that begin a
 * line. */
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

static void option_print(struct text *out, const char *spelling, const char *argument, const char *help,
                         const char *values)
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

/* Commands by the letter of the command that they show. */
static const struct {
	char letter;
	const char *words, *what;
} examples[] = {
	{'p', "coalesce predict my.cu", "rank the layouts of all records; launches and sizes are those of the file"},
	{'p', "coalesce predict my.cu -- 65536 100", "the same where main takes its sizes from the command line"},
	{'p', "coalesce predict my.cu --machine h100,a100", "on several GPUs"},
	{'p', "coalesce predict my.cu --gate 20 -q", "fail where records are more than 20 % slower than they could be"},
	{'p', "coalesce predict my.cu --html page.html", "write a page with all that is known of the prediction"},
	{'r', "coalesce rewrite my.cu --struct particle --layout soa -o new.cu", "write one record in another layout"},
	{'r', "coalesce rewrite my.cu --layout soa --diff", "show what would change"},
	{'b', "coalesce bundle my.cu -o measure", "write a measuring program for a machine that has a GPU"},
	{'e', "coalesce measure my.cu -o my.json", "measure all layouts on the GPU that is here"},
	{'c', "coalesce compare my.cu --measured my.json", "lay measured times beside predicted ones"},
	{'c', "coalesce compare my.cu --ncu profile.csv", "lay a profile of Nsight Compute beside the prediction"},
	{'d', "coalesce diff old.cu new.cu --gate 5", "fail where a kernel became more than 5 % slower"},
	{'t', "coalesce batch suite.json --html page.html", "predict a set, and judge the predictions"},
	{'k', "coalesce calibrate -o mine.json", "write a machine file of the GPU that is here"},
	{'x', "coalesce ptx kernel.ptx", "dump what the parser sees"},
	{'m', "coalesce machines h200", "show every number of a GPU, and how it is known"},
	{'u', "coalesce tune my.cu", "search layout, block, unrolling and more for the fastest configuration"},
	{'o', "coalesce doctor", "say what is missing, and how to get it"},
};

/* Those of a command; of the program, with the letter 0, the first of each. */
static void examples_print(struct text *out, char letter)
{
	text_puts(out, ".SH EXAMPLES\n");
	for (size_t i = 0; i < ARRAY_COUNT(examples); i++)
		if (letter ? examples[i].letter == letter : i == 0 || examples[i].letter != examples[i - 1].letter)
			option_print(out, examples[i].words, NULL, examples[i].what, NULL);
}

static void surroundings_print(struct text *out)
{
	static const char *const variables[][2] = {
		{"COALESCE_CUDA", "the folder of the CUDA toolkit to use; else CUDA_HOME, CUDA_PATH, and nvcc on PATH"},
		{"NO_COLOR", "without colours, where --color says nothing"},
		{"TMPDIR", "where temporary files lie; without it, /tmp"},
		{"XDG_CACHE_HOME", "where the cache lies; without it, .cache in HOME"}};
	static const char *const files[][2] = {
		{"coalesce.json",
	         "options of a project, found upward from the source file; schemas/project.schema.json has its keys"},
		{"compile_commands.json", "the flags of a build, where -p names it"},
		{"machines/*.json", "the GPUs, in the folder of data that coalesce doctor names"},
		{"~/.cache/coalesce", "headers that were read before, and their results"}};
	text_puts(out, ".SH ENVIRONMENT\n");
	for (size_t i = 0; i < ARRAY_COUNT(variables); i++)
		option_print(out, variables[i][0], NULL, variables[i][1], NULL);
	text_puts(out, ".SH FILES\n");
	for (size_t i = 0; i < ARRAY_COUNT(files); i++)
		option_print(out, files[i][0], NULL, files[i][1], NULL);
}

static void command_manual(struct text *out, struct arena *arena, const struct command *command)
{
	head_print(out, arena_printf(arena, "coalesce-%s", command->name), command->summary);
	text_printf(out, "\\fBcoalesce %s\\fR %s [\\fIoptions\\fR]\n.SH DESCRIPTION\n", command->name,
	            command->operand);
	roff_print(out, command->description);
	text_puts(out, "\n.SH OPTIONS\n");
	for (unsigned i = 0; i < option_row_count; i++)
		if (strchr(option_rows[i].commands, command->letter))
			option_print(out, option_rows[i].spelling, option_rows[i].argument, option_rows[i].help,
			             help_values(arena, &option_rows[i], false));
	if (option_takes_flags(command->letter))
		option_print(out, "-D -I -std= ...", NULL, OPTION_FLAGS_HELP, OPTION_FLAGS_VALUES);
	exit_codes_print(out);
	surroundings_print(out);
	examples_print(out, command->letter);
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
		option_print(out, commands[i].name, *commands[i].operand ? commands[i].operand : NULL,
		             commands[i].summary, NULL);
	exit_codes_print(out);
	surroundings_print(out);
	examples_print(out, 0);
	text_puts(out, ".SH SEE ALSO\n");
	for (unsigned i = 0; i < count; i++)
		text_printf(out, ".BR coalesce\\-%s (1)%s\n", commands[i].name, i + 1 < count ? "," : "");
}
