/*
 * rewrite --check: the program as it is and as it would be written, run on this CPU.
 */
#include "base/toolkit/toolkit.h"
#include "cli/rewrite.h"

#include <errno.h>
#include <string.h>

/* ---- records as they lie on the host -------------------------------------------------------- */

static const bool *bytes_used(struct arena *arena, const struct layout_group *group, uint64_t bytes)
{
	bool *used = arena_array(arena, bytes, sizeof *used);
	for (unsigned f = 0; f < group->field_count; f++) {
		const struct layout_field *field = &group->fields[f];
		for (uint64_t k = 0; k < field->count; k++)
			for (uint64_t b = 0; b < field->size_bytes; b++)
				used[field->offset_bytes + k * field->inner_bytes + b] = true;
	}
	return used;
}

/* Each record with the size it has as written, and with the one that the layout may give it on the host, too. */
static void records_find(struct arena *arena, const struct rewrite_checking *checking, struct check_request *request)
{
	const struct layout_groups *groups = &checking->prediction->groups;
	struct check_record *records = NULL;
	for (unsigned g = 0; g < groups->count; g++) {
		const struct layout_group *group = groups->list[g];
		const struct placement *placement = checking->rewritten->placements[g];
		if (group->form != FORM_STRUCT || group->written_tile)
			continue;
		const uint64_t bytes = group->record->type.size_bytes;
		const struct check_record record = {bytes, bytes, bytes_used(arena, group, bytes)};
		ARENA_PUSH(arena, records, request->record_count, record);
		if (!placement->layout->keeps_record || placement->bytes_per_tile[0] == bytes)
			continue;
		const struct check_record other = {bytes, placement->bytes_per_tile[0], record.is_used};
		ARENA_PUSH(arena, records, request->record_count, other);
	}
	request->records = records;
}

/* ---- both programs ---------------------------------------------------------------------------- */

static const struct rewritten_file *rewritten_of(const struct rewritten *rewritten, const char *path)
{
	for (unsigned f = 0; f < rewritten->file_count; f++)
		if (strcmp(rewritten->files[f].path, path) == 0)
			return &rewritten->files[f];
	return NULL;
}

static const char *path_in(struct arena *arena, const char *folder, const struct rewritten_file *file)
{
	const char *slash = strrchr(file->path, '/');
	return arena_printf(arena, "%s/%s", folder, file->name ? file->name : slash ? slash + 1 : file->path);
}

/* Writes all rewritten files into a folder. */
static bool files_save(struct arena *arena, const struct rewritten *rewritten, const char *folder)
{
	for (unsigned f = 0; f < rewritten->file_count; f++)
		if (file_write(path_in(arena, folder, &rewritten->files[f]), rewritten->files[f].text,
		               strlen(rewritten->files[f].text)) != 0)
			return false;
	return true;
}

/* The rewritten program's request: its files lie in a folder, and include others from the folders of the original. */
static struct observe_request request_of_rewritten(struct arena *arena, const struct rewrite_checking *checking,
                                                   const struct observe_request *original, const char *folder)
{
	struct observe_request request = *original;
	const char **others = NULL;
	unsigned other_count = 0;
	request.path = path_in(arena, folder, &checking->rewritten->files[0]);
	request.folder = compile_folder(arena, original->path);
	for (unsigned o = 0; o < original->other_count; o++) {
		const struct rewritten_file *file = rewritten_of(checking->rewritten, original->others[o]);
		ARENA_PUSH(arena, others, other_count, file ? path_in(arena, folder, file) : original->others[o]);
	}
	request.others = others;
	return request;
}

static struct observe_request request_of_original(const struct rewrite_checking *checking, const struct toolkit *toolkit,
                                                  const char *target)
{
	const struct predict_options *options = checking->options;
	return (struct observe_request){.path = options->analyzer.path,
	                                .others = options->analyzer.others,
	                                .other_count = options->analyzer.other_count,
	                                .arguments = options->analyzer.arguments,
	                                .argument_count = options->analyzer.argument_count,
	                                .flags = checking->flags,
	                                .flag_count = checking->flag_count,
	                                .build_flags = options->build_flags,
	                                .build_flag_count = options->build_flag_count,
	                                .toolkit = toolkit,
	                                .target = target,
	                                .machine = checking->prediction->machine,
	                                .limits = options->analyzer.limits,
	                                .kernel_seconds = options->kernel_seconds};
}

struct check_result cli_rewrite_check(struct arena *arena, const struct rewrite_checking *checking)
{
	const struct toolkit toolkit = toolkit_find(arena);
	const char *folder = toolkit.reason ? NULL : directory_temporary(arena);
	bool exact;
	struct check_result result = {.word = CHECK_NOT_RUN, .text = toolkit.reason};
	if (toolkit.reason)
		return result;
	if (!folder || !files_save(arena, checking->rewritten, folder)) {
		result.text = arena_printf(arena, "cannot write temporary files: %s", strerror(errno));
	} else {
		const struct observe_request original =
			request_of_original(checking, &toolkit, machine_target(arena, checking->prediction->machine, &exact));
		const struct observe_request other = request_of_rewritten(arena, checking, &original, folder);
		struct check_request request = {.original = &original, .other = &other};
		records_find(arena, checking, &request);
		result = check_programs(arena, &request);
	}
	if (folder)
		directory_remove(folder);
	return result;
}
