/*
 * coalesce ptx FILE: what the parsers see. Of PTX: kernels, control flow, loops, unroll factors, memory instructions.
 * Of a cubin: each machine instruction with the fields that schedule it and its source line.
 */
#include "cli/cli.h"

#include <string.h>

static const char elf_magic[] = "\177ELF";

/* Whether the file is a cubin; its bytes then. */
static const char *cubin_read(struct arena *arena, const char *path, size_t *length)
{
	const char *bytes = file_read(arena, path, length);
	return bytes && *length > strlen(elf_magic) && memcmp(bytes, elf_magic, strlen(elf_magic)) == 0 ? bytes : NULL;
}

static enum exit_code cubin_print(struct arena *arena, const struct command_line *line, const char *bytes,
                                  size_t length)
{
	struct diagnostics diagnostics;
	struct text out = {0};
	diagnostics_init(&diagnostics, arena);
	bool listed = sass_list(&out, arena, line->file, bytes, length, &diagnostics);
	cli_diagnostics(&diagnostics, line, listed ? EXIT_VERDICT : EXIT_INPUT);
	if (listed)
		return cli_print(&out, EXIT_VERDICT);
	text_release(&out);
	return EXIT_INPUT;
}

static enum exit_code ptx_print(struct arena *arena, const struct command_line *line)
{
	struct diagnostics diagnostics;
	struct text out = {0};
	diagnostics_init(&diagnostics, arena);
	const struct ptx_module *module = compile_read_ptx(arena, line->file, false, &diagnostics);
	cli_diagnostics(&diagnostics, line, module ? EXIT_VERDICT : EXIT_INPUT);
	if (!module)
		return EXIT_INPUT;
	ptx_dump(&out, module);
	ptx_dump_cfg(&out, module);
	return cli_print(&out, EXIT_VERDICT);
}

enum exit_code command_ptx(struct arena *arena, const struct command_line *line)
{
	size_t length = 0;
	const char *cubin;
	if (!line->file)
		return cli_usage_error("ptx needs a file");
	cubin = cubin_read(arena, line->file, &length);
	return cubin ? cubin_print(arena, line, cubin, length) : ptx_print(arena, line);
}
