/*
 * coalesce ptx FILE.ptx: what the PTX parser sees: kernels, control flow, loops, unroll factors, memory instructions.
 */
#include "cli/cli.h"

static enum exit_code ptx_print(struct arena *arena, const char *path)
{
	struct diagnostics diagnostics;
	struct text out = {0};
	diagnostics_init(&diagnostics, arena);
	const struct ptx_module *module = compile_read_ptx(arena, path, &diagnostics);
	cli_diagnostics(&diagnostics, false, module ? EXIT_VERDICT : EXIT_INPUT);
	if (!module)
		return EXIT_INPUT;
	ptx_dump(&out, module);
	ptx_dump_cfg(&out, module);
	return cli_print(&out, EXIT_VERDICT);
}

enum exit_code command_ptx(struct arena *arena, const struct command_line *line)
{
	return line->file ? ptx_print(arena, line->file) : cli_usage_error("ptx needs a file");
}
