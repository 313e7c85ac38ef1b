/*
 * The user's own headers in a bundle. nvcc says which files the source includes; those in the source's folder and in
 * the folders given by -I go along, at the same places relative to each other, below include/ and include_1/,
 * include_2/, ...
 */
#include "base/toolkit/toolkit.h"
#include "model/compile/compile.h"
#include "model/measure/bundle_plan.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MACRO_HEADER "coalesce_macros.h"

/* A folder that headers are found in, and what it is called in the bundle. */
struct header_folder {
	const char *path, *name;
};

static const char *path_absolute(struct arena *arena, const char *path)
{
	char *absolute = realpath(path, NULL);
	const char *copy = arena_strdup(arena, absolute ? absolute : path);
	free(absolute);
	return copy;
}

static const char *path_folder(struct arena *arena, const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? arena_strndup(arena, path, (size_t)(slash - path)) : ".";
}

/* Whether an absolute path lies in a folder. */
static bool is_below(struct arena *arena, const char *path, const char *folder)
{
	const char *absolute = path_absolute(arena, folder);
	size_t length = strlen(absolute);
	return strncmp(path, absolute, length) == 0 && path[length] == '/';
}

/* The folder that the flag at that position names, by itself or in the next word; NULL where it names none. */
static const char *folder_given(const struct analyzer_options *source, unsigned at)
{
	const char *flag = source->flags[at];
	if (flag && strncmp(flag, "-I", 2) == 0)
		return flag + 2;
	return flag && strcmp(flag, "-isystem") == 0 && at + 1 < source->flag_count ? source->flags[at + 1] : NULL;
}

/* The folders in which the source looks for headers: its own, then those of -I and -isystem. */
static struct header_folder *folders_find(struct arena *arena, const struct analyzer_options *source, unsigned *count)
{
	struct header_folder *folders = NULL;
	struct header_folder own = {path_folder(arena, path_absolute(arena, source->path)), "include"};
	*count = 0;
	ARENA_PUSH(arena, folders, *count, own);
	for (unsigned i = 0; i < source->flag_count; i++) {
		const char *folder = folder_given(source, i);
		if (!folder)
			continue;
		struct header_folder given = {path_absolute(arena, folder), arena_printf(arena, "include_%u", *count)};
		ARENA_PUSH(arena, folders, *count, given);
	}
	return folders;
}

/* The next file name of a rule for make, its "\ " and line ends undone, or NULL. */
static const char *rule_next(struct arena *arena, const char **rule)
{
	struct text name = {0};
	while (isspace((unsigned char)**rule) || (**rule == '\\' && (*rule)[1] == '\n'))
		++*rule;
	for (; **rule && !isspace((unsigned char)**rule); ++*rule) {
		if (**rule == '\\' && (*rule)[1] == ' ')
			++*rule;
		text_append(&name, *rule, 1);
	}
	const char *copy = name.length ? arena_strdup(arena, name.data) : NULL;
	text_release(&name);
	return copy;
}

static bool file_has(const struct bundle *bundle, const char *path)
{
	for (unsigned f = 0; f < bundle->file_count; f++)
		if (strcmp(bundle->files[f].path, path) == 0)
			return true;
	return false;
}

/* Adds a header below each of the folders that it lies in, so that it is found however it is named. */
static bool header_add(struct arena *arena, const char *path, const struct header_folder *folders,
                       unsigned folder_count, struct bundle *bundle, struct diagnostics *diagnostics)
{
	const char *absolute = path_absolute(arena, path), *text = file_read(arena, absolute, NULL);
	unsigned before = bundle->file_count;
	for (unsigned f = 0; text && f < folder_count; f++) {
		size_t length = strlen(folders[f].path);
		if (!is_below(arena, absolute, folders[f].path))
			continue;
		struct bundle_file file = {arena_printf(arena, "%s%s", folders[f].name, absolute + length), text};
		if (file_has(bundle, file.path))
			return true;
		ARENA_PUSH(arena, bundle->files, bundle->file_count, file);
	}
	if (bundle->file_count == before)
		diagnostics_report(diagnostics, SEVERITY_ERROR, (struct place){path, 0, 0},
		                   "this header cannot go into the bundle: it lies neither in the source's folder nor "
		                   "in one given by -I");
	return bundle->file_count > before;
}

/* What `nvcc -MM` says, or NULL (reported). */
static const char *rule_ask(struct nvcc_call *call, const struct analyzer_options *source, const char *path,
                            struct diagnostics *diagnostics)
{
	struct process_result run = {.status = -1};

	nvcc_call_word(call, "-MM");
	run.error = errno;
	if (call->directory && nvcc_call_flags(call, source->flags, source->flag_count)) {
		nvcc_call_path(call, "", path);
		run = nvcc_call_run(call);
	}
	const char *colon = run.status == 0 ? strstr(run.out, ": ") : NULL;
	if (!colon)
		diagnostics_report(diagnostics, SEVERITY_ERROR, (struct place){path, 0, 0},
		                   "nvcc -MM cannot tell what it includes: %s",
		                   run.timed_out    ? "it reached its limit of time (--limit-seconds)"
		                   : run.status < 0 ? strerror(run.error)
		                                    : nvcc_call_restored(call, run.err));
	return colon ? colon + 2 : NULL;
}

/* Whether nvcc brings a header along. Its folders may be reached by links. */
static bool is_toolkit_header(struct arena *arena, const struct toolkit *toolkit, const char *path)
{
	const char *absolute = path_absolute(arena, path);
	return is_below(arena, absolute, toolkit->root) || is_below(arena, absolute, toolkit->include);
}

/* Whether a path is that of one of the program's source files. */
static bool is_source(struct arena *arena, const struct analyzer_options *source, const char *path)
{
	const char *absolute = path_absolute(arena, path);
	if (strcmp(absolute, path_absolute(arena, source->path)) == 0)
		return true;
	for (unsigned o = 0; o < source->other_count; o++)
		if (strcmp(absolute, path_absolute(arena, source->others[o])) == 0)
			return true;
	return false;
}

/* Adds the headers that one of the program's source files includes; false where one cannot be had (reported). */
static bool headers_add(struct arena *arena, const struct toolkit *toolkit, const struct analyzer_options *source,
                        const char *path, struct bundle *bundle, struct diagnostics *diagnostics)
{
	unsigned folder_count;
	struct header_folder *folders = folders_find(arena, source, &folder_count);
	struct nvcc_call call;
	(void)nvcc_call_begin(&call, arena, toolkit->nvcc, source->limits);
	const char *macros = call.directory ? arena_printf(arena, "%s/", call.directory) : "";
	const char *rule = rule_ask(&call, source, path, diagnostics), *header;
	bool good = rule != NULL;
	while (good && (header = rule_next(arena, &rule))) {
		header = nvcc_call_restored(&call, header);
		if (!is_source(arena, source, header) && !is_toolkit_header(arena, toolkit, header) &&
		    strncmp(header, macros, strlen(macros)) != 0)
			good = header_add(arena, header, folders, folder_count, bundle, diagnostics);
	}
	nvcc_call_end(&call);
	return good;
}

/* Macros that a shell could read go into a header: nvcc hands its words to one. */
static void macros_move(struct arena *arena, struct bundle *bundle)
{
	const char **left;
	unsigned count;
	const char *text = nvcc_macro_header(arena, bundle->flags, bundle->flag_count, &left, &count);
	if (!text)
		return;
	ARENA_PUSH(arena, left, count, "-include");
	ARENA_PUSH(arena, left, count, MACRO_HEADER);
	ARENA_PUSH(arena, bundle->files, bundle->file_count, ((struct bundle_file){MACRO_HEADER, text}));
	bundle->flags = left;
	bundle->flag_count = count;
}

/* Whether a shell can read no path among the flags; what one could is reported. */
static bool paths_plain(const struct analyzer_options *source, const struct bundle *bundle,
                        struct diagnostics *diagnostics)
{
	for (unsigned i = 0; i < bundle->flag_count; i++)
		if (bundle->flags[i][0] != '-' && !text_is_plain(bundle->flags[i])) {
			diagnostics_report(diagnostics, SEVERITY_ERROR, (struct place){source->path, 0, 0},
			                   "'%s' cannot go into the bundle: nvcc hands its path to a shell, which "
			                   "could read it as a command",
			                   bundle->flags[i]);
			return false;
		}
	return true;
}

bool bundle_includes(struct arena *arena, const struct toolkit *toolkit, const struct analyzer_options *source,
                     struct bundle *bundle, struct diagnostics *diagnostics)
{
	unsigned folder_count;
	struct header_folder *folders = folders_find(arena, source, &folder_count);
	const char **flags = NULL;
	bool good = headers_add(arena, toolkit, source, source->path, bundle, diagnostics);
	for (unsigned o = 0; good && o < source->other_count; o++)
		good = headers_add(arena, toolkit, source, source->others[o], bundle, diagnostics);
	for (unsigned i = 0; i < source->flag_count; i++)
		if (!folder_given(source, i))
			ARENA_PUSH(arena, flags, bundle->flag_count, source->flags[i]);
		else if (source->flags[i][1] == 'i')
			i++;
	for (unsigned f = 0; f < folder_count; f++)
		ARENA_PUSH(arena, flags, bundle->flag_count, arena_printf(arena, "-I%s", folders[f].name));
	bundle->flags = flags;
	macros_move(arena, bundle);
	return good && paths_plain(source, bundle, diagnostics);
}
