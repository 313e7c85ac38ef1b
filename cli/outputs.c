/*
 * Where results are to go, checked before any work: no result may take the place of an input or of another result, and
 * each must be writable.
 *
 * Two paths are of one file where both lead to the same inode, or, as long as one of them does not exist, where folder
 * and name are the same. Devices and pipes may take several results.
 */
#include "cli/outputs.h"
#include "cli/cli.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* An option whose values are paths. behind_name: the path stands behind "NAME=". --observation is read, or written with
 * --observe. */
struct path_option {
	const char *spelling;
	size_t offset; /* in struct command_line */
	bool behind_name;
};
#define HEADER_DEPTH_MAX 16
#define HEADERS_MAX 1000
#define PATHS(spelling, identifier, behind_name)                                                                       \
	{                                                                                                              \
		spelling, offsetof(struct command_line, identifier), behind_name                                       \
	}
static const struct path_option input_options[] = {
	PATHS("--ptx", ptx, true),
	PATHS("--index", index, true),
	PATHS("--measured", measured, false),
	PATHS("--ncu", profile, false),
	PATHS("--machine", machine, false),
	PATHS("--counters", counters, false),
	PATHS("--from", from, false),
	PATHS("--space", space, false),
	PATHS("--configs", configs, false),
	PATHS("--observation", observation, false),
	PATHS("--baseline", baseline, false),
};
static const struct path_option output_options[] = {
	PATHS("-o", output, false), PATHS("--html", html, false), PATHS("--sarif", sarif, false),
	PATHS("--dot", dot, false), PATHS("--csv", csv, false),   PATHS("--observation", observation, false),
};

/* The last value of an option, which is the one that counts; NULL: not given. */
static const char *output_path(const struct command_line *line, const struct path_option *option)
{
	const char *path = option_text((const struct option_values *)((const char *)line + option->offset), NULL);
	bool is_read = option->offset == offsetof(struct command_line, observation) && line->observe.count == 0;
	return path && !is_read && strcmp(path, "-") != 0 ? path : NULL;
}

/* Folder and name, the folder without links and dots; NULL where there is no such folder. */
static const char *place_of(struct arena *arena, const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	const char *folder = !slash ? "." : slash == path ? "/" : arena_strndup(arena, path, (size_t)(slash - path));
	char whole[PATH_MAX];
	return realpath(folder, whole) ? arena_printf(arena, "%s/%s", strcmp(whole, "/") == 0 ? "" : whole, name)
	                               : NULL;
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

/* ---- headers --------------------------------------------------------------------------------- */

struct header_search {
	struct arena *arena;
	const struct command_line *line;
	const char *output; /* it exists */
	const char **read;  /* files that were searched */
	unsigned read_count, depth;
};
static const char *header_find(struct header_search *search, const char *file);

/* Whether a file is new to the search, and a plain one. */
static bool is_to_be_searched(struct header_search *search, const char *file)
{
	struct stat status;
	if (search->depth >= HEADER_DEPTH_MAX || search->read_count >= HEADERS_MAX || stat(file, &status) != 0 ||
	    !S_ISREG(status.st_mode))
		return false;
	for (unsigned i = 0; i < search->read_count; i++)
		if (strcmp(search->read[i], file) == 0)
			return false;
	ARENA_PUSH(search->arena, search->read, search->read_count, file);
	return true;
}

/* A header in a folder: its path where it, or one that it includes, is the output. */
static const char *header_in(struct header_search *search, const char *folder, size_t length, const char *name)
{
	const char *path = *name == '/' ? name : arena_printf(search->arena, "%.*s%s", (int)length, folder, name);
	return is_same_file(search->arena, search->output, path) ? path : header_find(search, path);
}

/* The same of a name in an #include line of a file: beside the file, or in a folder of -I. */
static const char *header_named(struct header_search *search, const char *file, const char *name)
{
	const char *slash = strrchr(file, '/');
	const char *found = header_in(search, file, slash ? (size_t)(slash + 1 - file) : 0, name);
	for (unsigned i = 0; i < search->line->flag_count && !found; i++) {
		const char *flag = search->line->flags[i];
		const char *folder = strncmp(flag, "-I", 2) == 0 ? arena_printf(search->arena, "%s/", flag + 2) : NULL;
		found = folder ? header_in(search, folder, strlen(folder), name) : NULL;
	}
	return found;
}

/* The name in a line that includes a file; NULL for other lines. */
static const char *included_name(struct arena *arena, const char *line)
{
	const char *at = line + strspn(line, " \t");
	if (*at++ != '#')
		return NULL;
	at += strspn(at, " \t");
	if (strncmp(at, "include", strlen("include")) != 0)
		return NULL;
	at += strlen("include");
	at += strspn(at, " \t");
	return *at == '"' || *at == '<' ? arena_strndup(arena, at + 1, strcspn(at + 1, "\">\n")) : NULL;
}

/* The path of the header that is the output, among those that a file includes; NULL: none. */
static const char *header_find(struct header_search *search, const char *file)
{
	size_t length = 0;
	const char *text = is_to_be_searched(search, file) ? file_read(search->arena, file, &length) : NULL,
		   *found = NULL;
	search->depth++;
	while (text && *text && !found) {
		const char *name = included_name(search->arena, text);
		found = name ? header_named(search, file, name) : NULL;
		text += strcspn(text, "\n");
		text += *text == '\n';
	}
	search->depth--;
	return found;
}

/* The header of a source file that a result would overwrite; NULL: none. */
static const char *header_overwritten(struct arena *arena, const struct command_line *line, const char *path)
{
	struct header_search search = {.arena = arena, .line = line, .output = path};
	struct stat status;
	const char *found = NULL;
	if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
		return NULL;
	for (unsigned i = 0; i < line->file_count && !found; i++)
		found = header_find(&search, line->files[i]);
	return found;
}

/* What a result would overwrite of the inputs; NULL: none. */
static const char *input_overwritten(struct arena *arena, const struct command_line *line, const char *path)
{
	for (unsigned i = 0; i < line->file_count; i++)
		if (is_same_file(arena, path, line->files[i]))
			return line->files[i];
	for (unsigned o = 0; o < ARRAY_COUNT(input_options); o++) {
		const struct path_option *option = &input_options[o];
		const struct option_values *values =
			(const struct option_values *)((const char *)line + option->offset);
		bool is_written =
			option->offset == offsetof(struct command_line, observation) && line->observe.count > 0;
		for (unsigned i = 0; i < values->count && !is_written; i++) {
			const char *equals = option->behind_name ? strchr(values->list[i], '=') : NULL;
			const char *input = equals ? equals + 1 : values->list[i];
			if (is_same_file(arena, path, input))
				return input;
		}
	}
	return header_overwritten(arena, line, path);
}

/* The option before it that writes the same file; NULL: none. */
static const char *output_shared(struct arena *arena, const struct command_line *line, unsigned option,
                                 const char *path)
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
		const char *path = output_path(line, &output_options[o]), *spelling = output_options[o].spelling,
			   *other;
		if (!path)
			continue;
		if ((other = input_overwritten(arena, line, path)))
			return cli_usage_error("%s %s would overwrite the input %s: give another path", spelling, path,
			                       other);
		if ((other = output_shared(arena, line, o, path)))
			return cli_usage_error("%s and %s both name %s: give each a path of its own", other, spelling,
			                       path);
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
