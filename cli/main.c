/*
 * coalesce: which data layout is fastest for a CUDA kernel, and why.
 */
#include "cli/cli.h"

#include <string.h>

/* The commands: add a row to add one. */
static const struct command {
	const char *name, *operand, *summary;
	char letter;
	enum exit_code (*run)(int count, char **arguments);
} commands[] = {
	{"predict", "FILE.cu", "rank the layouts of FILE's kernels", 'p', command_predict},
	{"rewrite", "FILE.cu", "write FILE with its records in another layout", 'r', command_rewrite},
	{"bundle", "FILE.cu", "write a measuring program for all layouts", 'b', command_bundle},
	{"measure", "FILE.cu", "measure all layouts on the GPU that is here", 'e', command_measure},
	{"compare", "FILE.cu", "predicted beside measured", 'c', command_compare},
	{"batch", "SUITE.json", "predict a benchmark set, and judge the predictions", 't', command_batch},
	{"calibrate", "", "measure the GPU that is here, for a machine file", 'k', command_calibrate},
	{"ptx", "FILE.ptx", "dump what the PTX parser sees", 'x', command_ptx},
	{"machines", "[NAME or FILE.json]", "list the machine files, or every number of one with its source", 'm',
         command_machines},
};

static void help_print(void)
{
	printf("coalesce: which data layout (aos, soa, aosa, asta) is fastest for a CUDA kernel, and why\n");
	for (size_t i = 0; i < ARRAY_COUNT(commands); i++) {
		printf("\ncoalesce %s %s%s[options]    %s\n", commands[i].name, commands[i].operand,
		       *commands[i].operand ? " " : "", commands[i].summary);
		options_print(stdout, commands[i].letter);
	}
	printf("\nExit codes: 0 a verdict; 1 the input cannot be analysed; 2 wrong usage; 3 a tool is missing; 4 the gate failed; "
	       "70 a bug of ours\n");
}

static const struct command *command_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_COUNT(commands); i++)
		if (strcmp(commands[i].name, name) == 0)
			return &commands[i];
	return NULL;
}

int main(int count, char **arguments)
{
	if (count < 2)
		return (int)options_refuse("a command is needed");
	if (strcmp(arguments[1], "--help") == 0 || strcmp(arguments[1], "-h") == 0 || strcmp(arguments[1], "help") == 0) {
		help_print();
		return EXIT_VERDICT;
	}
	if (strcmp(arguments[1], "--version") == 0) {
		printf("coalesce %s\n", COALESCE_VERSION);
		return EXIT_VERDICT;
	}
	const struct command *command = command_find(arguments[1]);
	if (!command)
		return (int)options_refuse("unknown command '%s'", arguments[1]);
	for (int i = 2; i < count; i++) {
		if (strcmp(arguments[i], "--help") != 0 && strcmp(arguments[i], "-h") != 0)
			continue;
		printf("coalesce %s %s%s[options]    %s\n", command->name, command->operand, *command->operand ? " " : "",
		       command->summary);
		options_print(stdout, command->letter);
		return EXIT_VERDICT;
	}
	return (int)command->run(count - 2, arguments + 2);
}
