/*
 * coalesce ptx FILE.ptx: what the PTX parser sees: kernels, control flow, loops, unroll factors, memory instructions.
 */
#include "cli/cli.h"

static enum exit_code ptx_print(struct arena *arena, const char *path)
{
	struct diagnostics diagnostics;
	struct text out = {0};
	diagnostics_init(&diagnostics, arena);
	const struct ptx_module *module = code_read_ptx(arena, path, &diagnostics);
	diagnostics_print(&diagnostics, 0, SEVERITY_NOTE, stderr);
	if (!module)
		return EXIT_INPUT;
	ptx_dump(&out, module);
	ptx_dump_cfg(&out, module);
	fwrite(out.data, 1, out.length, stdout);
	text_release(&out);
	return EXIT_VERDICT;
}

enum exit_code command_ptx(int count, char **arguments)
{
	struct arena *arena = arena_create();
	struct command_line line = {0};
	enum exit_code code = EXIT_USAGE;
	if (command_line_parse(arena, 'x', count, arguments, &line))
		code = line.file ? ptx_print(arena, line.file) : options_refuse("ptx needs a file");
	arena_release(arena);
	return code;
}
