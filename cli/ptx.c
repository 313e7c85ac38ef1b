/*
 * coalesce ptx FILE.ptx: what the PTX parser sees: kernels, control flow, loops, unroll factors, memory instructions.
 */
#include "cli/cli.h"

#include <errno.h>
#include <string.h>

static enum exit_code ptx_print(struct arena *arena, const char *path)
{
	struct diagnostics diagnostics;
	struct text out = {0};
	size_t length = 0;
	diagnostics_init(&diagnostics, arena);
	char *source = file_read(arena, path, &length);
	if (!source)
		diagnostics_report(&diagnostics, SEVERITY_ERROR, (struct place){path, 0, 0}, "cannot read: %s", strerror(errno));
	struct ptx_module *module = source ? ptx_parse(arena, path, source, length, &diagnostics) : NULL;
	diagnostics_print(&diagnostics, 0, SEVERITY_NOTE, stderr);
	if (!module)
		return EXIT_INPUT;
	for (size_t i = 0; i < module->function_count; i++)
		if (module->functions[i].has_body)
			ptx_function_analyse(arena, &module->functions[i]);
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
		code = line.file ? ptx_print(arena, line.file) : usage_error("ptx needs a file");
	arena_release(arena);
	return code;
}
