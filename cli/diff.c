#include "cli/cli.h"
enum exit_code command_diff(struct arena *arena, const struct command_line *line)
{
	(void)arena;
	(void)line;
	return EXIT_USAGE;
}
