/*
 * Where results are to go, checked before any work: no result may take the place of an input or of another result, and each must be writable.
 *
 * Two paths are of one file where both lead to the same inode, or, as long as one of them does not exist, where folder and name are the same. Devices and
 * pipes may take several results.
 */
#include "cli/outputs.h"
#include "cli/cli.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* An option whose values are paths. behind_name: the path stands behind "NAME=". */
struct path_option {
	const char *spelling;
	size_t offset; /* in struct command_line */
	bool behind_name;
};
#define PATHS(spelling, identifier, behind_name)                                                                                   \
	{                                                                                                                          \
		spelling, offsetof(struct command_line, identifier), behind_name                                                   \
	}
static const struct path_option input_options[] = {
	PATHS("--ptx", ptx, true),      PATHS("--index", index, true),      PATHS("--measured", measured, false),
	PATHS("--ncu", profile, false), PATHS("--machine", machine, false), PATHS("--counters", counters, false),
	PATHS("--from", from, false),
};
static const struct path_option output_options[] = {
	PATHS("-o", output, false), PATHS("--html", html, false), PATHS("--sarif", sarif, false),
	PATHS("--dot", dot, false), PATHS("--csv", csv, false),
};

/* The last value of an option, which is the one that counts; NULL: not given. */
static const char *output_path(const struct command_line *line, const struct path_option *option)
{
	const char *path = option_text((const struct option_values *)((const char *)line + option->offset), NULL);
	return path && strcmp(path, "-") != 0 ? path : NULL;
}

/* Folder and name, the folder without links and dots; NULL where there is no such folder. */
static const char *place_of(struct arena *arena, const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	const char *folder = !slash ? "." : slash == path ? "/" : arena_strndup(arena, path, (size_t)(slash - path));
	char whole[PATH_MAX];
	return realpath(folder, whole) ? arena_printf(arena, "%s/%s", strcmp(whole, "/") == 0 ? "" : whole, name) : NULL;
}

static bool is_same_file(struct arena *arena, const char *path, const char *other)
{
	struct stat here, there;
	bool exists = stat(path, &here) == 0, exists_too = stat(other, &there) == 0;
	const char *place, *other_place;
	if (exists && exists_too)
		return here.st_dev == there.st_dev && here.st_ino == there.st_ino &&
		       (S_ISREG(here.st_mode) || S_ISDIR(here.st_mode));
	place = place_of(arena, path);
	other_place = place_of(arena, other);
	return place && other_place && !exists && !exists_too && strcmp(place, other_place) == 0;
}

/* What a result would overwrite of the inputs; NULL: none. */
static const char *input_overwritten(struct arena *arena, const struct command_line *line, const char *path)
{
	for (unsigned i = 0; i < line->file_count; i++)
		if (is_same_file(arena, path, line->files[i]))
			return line->files[i];
	for (unsigned o = 0; o < ARRAY_COUNT(input_options); o++) {
		const struct path_option *option = &input_options[o];
		const struct option_values *values = (const struct option_values *)((const char *)line + option->offset);
		for (unsigned i = 0; i < values->count; i++) {
			const char *equals = option->behind_name ? strchr(values->list[i], '=') : NULL;
			const char *input = equals ? equals + 1 : values->list[i];
			if (is_same_file(arena, path, input))
				return input;
		}
	}
	return NULL;
}

/* The option before it that writes the same file; NULL: none. */
static const char *output_shared(struct arena *arena, const struct command_line *line, unsigned option, const char *path)
{
	for (unsigned o = 0; o < option; o++) {
		const char *other = output_path(line, &output_options[o]);
		if (other && is_same_file(arena, path, other))
			return output_options[o].spelling;
	}
	return NULL;
}

/* Whether a file can be written there, as file_write() does it; else errno says why. */
static bool is_writable(struct arena *arena, const char *path)
{
	struct stat status;
	char whole[PATH_MAX];
	const char *slash, *target = path;
	if (stat(path, &status) == 0) {
		if (S_ISDIR(status.st_mode))
			errno = EISDIR;
		if (!S_ISREG(status.st_mode))
			return !S_ISDIR(status.st_mode) && access(path, W_OK) == 0;
		target = realpath(path, whole);
	} else if (errno != ENOENT) {
		return false;
	}
	slash = target ? strrchr(target, '/') : NULL;
	return target && access(!slash            ? "."
	                        : slash == target ? "/"
	                                          : arena_strndup(arena, target, (size_t)(slash - target)),
	                        W_OK | X_OK) == 0;
}

enum exit_code cli_outputs_check(struct arena *arena, const struct command_line *line, bool folder)
{
	for (unsigned o = 0; o < ARRAY_COUNT(output_options); o++) {
		const char *path = output_path(line, &output_options[o]), *spelling = output_options[o].spelling, *other;
		if (!path)
			continue;
		if ((other = input_overwritten(arena, line, path)))
			return cli_usage_error("%s %s would overwrite the input %s: give another path", spelling, path, other);
		if ((other = output_shared(arena, line, o, path)))
			return cli_usage_error("%s and %s both name %s: give each a path of its own", other, spelling, path);
		if (!(folder && strcmp(spelling, "-o") == 0) && !is_writable(arena, path)) {
			cli_error("cannot write %s: %s", path, strerror(errno));
			return EXIT_INPUT;
		}
	}
	return EXIT_VERDICT;
}

bool cli_format_check(const struct command_line *line, const char *other)
{
	const char *format = option_text(&line->format, "text");
	bool is_other = strcmp(format, other) == 0;
	if (is_other && line->json.count)
		return cli_usage_error("--format %s and --json exclude each other", other) == EXIT_VERDICT;
	if (is_other || strcmp(format, "text") == 0)
		return true;
	return cli_usage_error("--format takes text or %s, not '%s'", other, format) == EXIT_VERDICT;
}
