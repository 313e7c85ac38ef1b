/*
 * coalesce: which data layout is fastest for a CUDA kernel, and why.
 */
#include "cli/cli.h"
#include "cli/help/help.h"
#include "cli/outputs.h"
#include "cli/report/report.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/resource.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#define STACK_BYTES_LEAST ((size_t)8 << 20)
#define STACK_BYTES ((size_t)60 << 20) /* where there are fewer than the least */

#define KEPT_BYTES (32 << 20) /* the most that the allocator allows */
#define AHEAD_BYTES (1 << 20) /* that are asked for at a time */

/* The commands: add a row to add one. */
static const struct command commands[] = {
	{"predict", "FILE.cu...", "rank the layouts of FILE's kernels",
         "Says for each kernel of a CUDA source file, and for the program as a whole, which layout of its records is "
         "predicted to "
         "be fastest, by how much and "
         "why. No GPU is needed. Several source files of one program may be given, as to nvcc: they are read as one "
         "program.",
         'p', command_predict},
	{"rewrite", "FILE.cu...", "write FILE with its records in another layout",
         "Writes the file with its records in the layout of --layout, kernels and host side, if nvcc compiles that; "
         "else nothing. "
         "Headers of its own that change are written beside it, with the layout in their names; in place with "
         "--in-place.",
         'r', command_rewrite},
	{"bundle", "FILE.cu...", "write a measuring program for all layouts",
         "Writes a program into the folder of -o that measures all layouts; it needs nvcc and a GPU where it runs, "
         "nothing else.",
         'b', command_bundle},
	{"measure", "FILE.cu...", "measure all layouts on the GPU that is here",
         "Builds and runs the program that `coalesce bundle` writes, and writes its results to the file of -o.", 'e',
         command_measure},
	{"compare", "FILE.cu...", "predicted beside measured",
         "Predicts, and shows each time beside the one in the file of --measured.", 'c', command_compare},
	{"diff", "OLD NEW", "predictions of two revisions",
         "Predicts two revisions of a source file, or takes two results of `coalesce predict --json`, and says which "
         "kernels "
         "became slower or faster.",
         'd', command_diff},
	{"batch", "SUITE.json", "predict a benchmark set, and judge the predictions",
         "Predicts all cases of a suite and holds them against its measurements. Parts may run apart (--shard) and be "
         "put together "
         "(--merge).",
         't', command_batch},
	{"tune", "FILE.cu...", "search for the fastest configuration without a GPU",
         "Predicts a program's kernels in many configurations (layouts, blocks, unrolling, registers, and macros and "
         "template "
         "parameters that are named) and ranks them.",
         'u', command_tune},
	{"calibrate", "", "measure the GPU that is here, for a machine file",
         "Runs the microbenchmarks on the GPU that is here and writes a machine file.", 'k', command_calibrate},
	{"ptx", "FILE.ptx", "dump what the PTX parser sees",
         "Prints kernels, instructions, control flow and loops of a PTX file.", 'x', command_ptx},
	{"machines", "[NAME]", "list the machine files, or show every number of one",
         "Without an operand, lists the GPUs there are files of; with a name or a path that ends in .json, shows every "
         "number of "
         "that GPU and how it is known.",
         'm', command_machines},
	{"doctor", "", "what was found on this machine, and what is missing",
         "Looks for all that the commands need, and says how to get what is missing.", 'o', command_doctor},
};

static const struct command *command_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_COUNT(commands); i++)
		if (strcmp(commands[i].name, name) == 0)
			return &commands[i];
	return NULL;
}

static enum exit_code command_unknown(struct arena *arena, const char *name)
{
	const char *names[ARRAY_COUNT(commands)];
	for (size_t i = 0; i < ARRAY_COUNT(commands); i++)
		names[i] = commands[i].name;
	return cli_usage_error("unknown command '%s'%s", name,
	                       text_suggestion(arena, name, names, ARRAY_COUNT(commands)));
}

/* `coalesce help glossary [WORD]`. */
static enum exit_code glossary_run(struct arena *arena, const char *word)
{
	struct text out = {0};
	unsigned count;
	if (help_glossary(&out, arena, word))
		return cli_print(&out, EXIT_VERDICT);
	const struct report_term *terms = report_terms(arena, &count);
	const char **names = arena_array(arena, count, sizeof *names);
	for (unsigned i = 0; i < count; i++)
		names[i] = terms[i].names;
	return cli_usage_error("the glossary has no word '%s'%s", word, text_suggestion(arena, word, names, count));
}

/* `coalesce help [--man] [COMMAND]`. */
static enum exit_code help_run(struct arena *arena, int count, char **arguments)
{
	bool manual = count > 0 && strcmp(arguments[0], "--man") == 0;
	const char *name = count > manual ? arguments[manual] : NULL;
	const struct command *command = name ? command_find(name) : NULL;
	struct text out = {0};
	if (name && !manual && strcmp(name, "glossary") == 0)
		return glossary_run(arena, count > 1 ? arguments[1] : NULL);
	if (name && !command)
		return command_unknown(arena, name);
	if (manual)
		help_manual(&out, arena, commands, ARRAY_COUNT(commands), command);
	else if (command)
		help_command(&out, arena, command);
	else
		help_overview(&out, commands, ARRAY_COUNT(commands));
	return cli_print(&out, EXIT_VERDICT);
}

static enum exit_code completion_run(struct arena *arena, int count, char **arguments)
{
	struct text out = {0};
	if (count != 1 || !help_completion(&out, arena, commands, ARRAY_COUNT(commands), arguments[0]))
		return cli_usage_error("completion takes bash, zsh or fish");
	return cli_print(&out, EXIT_VERDICT);
}

static bool asks_for(int count, char **arguments, const char *option)
{
	for (int i = 0; i < count && strcmp(arguments[i], "--") != 0; i++)
		if (strcmp(arguments[i], option) == 0)
			return true;
	return false;
}

/* Pipes are read here, whole: later readers are other processes. */
static void streams_read(struct arena *arena, const struct command_line *line)
{
	struct stat status;
	for (unsigned i = 0; i < line->file_count; i++)
		if (stat(line->files[i], &status) == 0 && !S_ISREG(status.st_mode))
			file_read(arena, line->files[i], NULL);
}

static enum exit_code command_start(struct arena *arena, const struct command *command, struct command_line *line)
{
	enum exit_code code = options_project(arena, line);
	if (code == EXIT_VERDICT)
		code = cli_outputs_check(arena, line, command->run == command_bundle);
	if (code != EXIT_VERDICT)
		return code;
	streams_read(arena, line);
	return command->run(arena, line);
}

static enum exit_code command_run(struct arena *arena, const struct command *command, int count, char **arguments)
{
	struct command_line line = {0};
	struct text out = {0};
	cli_begin(command->name);
	if (!asks_for(count, arguments, "--help") && !asks_for(count, arguments, "-h"))
		return command_line_parse(arena, command->letter, count, arguments, &line)
		               ? command_start(arena, command, &line)
		               : EXIT_USAGE;
	help_command(&out, arena, command);
	return cli_print(&out, EXIT_VERDICT);
}

/* count: of the arguments from the command's name on. */
static enum exit_code run(struct arena *arena, int count, char **arguments)
{
	const char *name = count > 0 ? arguments[0] : NULL;
	struct text out = {0};
	if (!name)
		return cli_usage_error("a command is needed");
	if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0)
		return help_run(arena, count - 1, arguments + 1);
	if (strcmp(name, "completion") == 0)
		return completion_run(arena, count - 1, arguments + 1);
	if (strcmp(name, "--version") == 0) {
		text_printf(&out, "coalesce %s\n", COALESCE_VERSION);
		return cli_print(&out, EXIT_VERDICT);
	}
	const struct command *command = command_find(name);
	return command ? command_run(arena, command, count - 1, arguments + 1) : command_unknown(arena, name);
}

/*
 * Memory that is given back to the kernel has to be cleared by it, page by page, when it is asked for again, and each
 * launch in each layout asks for about as much as the one before. So it is kept, until the end.
 */
static void memory_keep(void)
{
#ifdef __GLIBC__
	mallopt(M_MMAP_THRESHOLD, KEPT_BYTES);
	mallopt(M_TRIM_THRESHOLD, KEPT_BYTES);
	mallopt(M_TOP_PAD, AHEAD_BYTES);
#endif
}

struct call {
	int count;
	char **arguments;
	enum exit_code code;
};

static void *call_do(void *context)
{
	struct call *call = context;
	struct arena *arena = arena_create();
	cli_messages_fit(cli_stderr_width());
	enum exit_code code = run(arena, call->count - 1, call->arguments + 1);
	arena_release(arena);
	call->code = cli_finish(asks_for(call->count, call->arguments, "--json"), code);
	return NULL;
}

/* Runs the command in a thread with a stack of our own, where `ulimit -s` leaves less than it may need. Other threads
 * get enough, too. */
static void call_with_stack(struct call *call)
{
	struct rlimit limit;
	pthread_attr_t attributes;
	pthread_t thread;
	bool small = getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur < STACK_BYTES_LEAST;
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, STACK_BYTES_LEAST);
	if (small)
		pthread_setattr_default_np(&attributes);
	pthread_attr_setstacksize(&attributes, STACK_BYTES);
	if (small && pthread_create(&thread, &attributes, call_do, call) == 0)
		pthread_join(thread, NULL);
	else
		call_do(call);
	pthread_attr_destroy(&attributes);
}

int main(int count, char **arguments)
{
	struct call call = {count, arguments, EXIT_BUG};
	memory_keep();
	signal(SIGPIPE, SIG_IGN); /* writing fails instead, and says so */
	signal(SIGXFSZ, SIG_IGN);
	ending_watch();
	call_with_stack(&call);
	return (int)call.code;
}
