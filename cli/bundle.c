/*
 * coalesce bundle FILE.cu -o DIR: a program that measures all layouts, for a machine that has a GPU and nvcc.
 */
#include "cli/cli.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* "idw" for "benchmarks/idw.cu" */
static const char *file_id(struct arena *arena, const char *path)
{
	const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	const char *dot = strrchr(name, '.');
	return arena_strndup(arena, name, dot && dot != name ? (size_t)(dot - name) : strlen(name));
}

struct bundle *cli_bundle_make(struct arena *arena, const struct command_line *line, const char *id,
                               enum exit_code *code)
{
	struct predict_options options = {0};
	struct diagnostics diagnostics;
	unsigned word_count = 0;
	*code = EXIT_USAGE;
	if (!options_fill(arena, line, &options))
		return NULL;
	const char **words = command_line_words(arena, line, &word_count);
	diagnostics_init(&diagnostics, arena);
	struct bundle *bundle = bundle_make(arena, &options, id ? id : file_id(arena, line->file), words, word_count,
	                                    &diagnostics, code);
	cli_diagnostics(&diagnostics, line, *code);
	if (bundle && line->verbose.count)
		fprintf(stderr, "%u launches to measure on %s, %u files\n", bundle->kernel_count, bundle->target,
		        bundle->file_count);
	return bundle;
}

static bool file_save(struct arena *arena, const struct bundle_file *file, const char *folder)
{
	const char *path = arena_printf(arena, "%s/%s", folder, file->path);
	char *parent = arena_strdup(arena, path);
	*strrchr(parent, '/') = '\0';
	if (directory_create(parent) == 0 && file_write(path, file->text, strlen(file->text)) == 0)
		return true;
	cli_error("cannot write %s: %s", path, strerror(errno));
	return false;
}

bool cli_bundle_save(struct arena *arena, const struct bundle *bundle, const char *folder)
{
	for (unsigned i = 0; i < bundle->file_count; i++) {
		if (file_save(arena, &bundle->files[i], folder))
			continue;
		while (i-- > 0)
			unlink(arena_printf(arena, "%s/%s", folder, bundle->files[i].path));
		rmdir(folder);
		return false;
	}
	return true;
}

enum exit_code command_bundle(struct arena *arena, const struct command_line *line)
{
	const char *folder = option_text(&line->output, NULL);
	enum exit_code code;
	if (!line->file || !folder)
		return cli_usage_error("bundle needs a file and -o DIR");
	if (line->configs.count)
		return cli_bundle_configs(arena, line, option_text(&line->id, file_id(arena, line->file)), folder);
	const struct bundle *bundle = cli_bundle_make(arena, line, option_text(&line->id, NULL), &code);
	if (bundle && !cli_bundle_save(arena, bundle, folder))
		code = EXIT_INPUT;
	return code;
}
