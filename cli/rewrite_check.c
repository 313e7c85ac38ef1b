/*
 * rewrite --check and predict --check: the program as it is and as it would be written, run on this CPU.
 */
#include "base/toolkit/toolkit.h"
#include "cli/report/report.h"
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
static struct check_records records_find(struct arena *arena, const struct layout_groups *groups,
                                         const struct rewritten *rewritten)
{
	struct check_records records = {0};
	for (unsigned g = 0; g < groups->count; g++) {
		const struct layout_group *group = groups->list[g];
		const struct placement *placement = rewritten ? rewritten->placements[g] : NULL;
		if (group->form != FORM_STRUCT || group->written_tile)
			continue;
		const uint64_t bytes = group->record->type.size_bytes;
		const struct check_record record = {bytes, bytes, bytes_used(arena, group, bytes)};
		ARENA_PUSH(arena, records.list, records.count, record);
		if (!placement || !placement->layout->keeps_record || placement->bytes_per_tile[0] == bytes)
			continue;
		const struct check_record other = {bytes, placement->bytes_per_tile[0], record.is_used};
		ARENA_PUSH(arena, records.list, records.count, other);
	}
	return records;
}

/* ---- flags ----------------------------------------------------------------------------------- */

const char **cli_program_flags(struct arena *arena, const struct command_line *line, unsigned *count,
                               struct diagnostics *diagnostics)
{
	const char *directory = option_text(&line->build, NULL), **flags = NULL;
	unsigned build_count = 0;
	const char *const *build =
		directory ? analysis_build_flags(arena, directory, line->file, &build_count, diagnostics) : NULL;
	*count = 0;
	for (unsigned i = 0; build && i < build_count; i++)
		ARENA_PUSH(arena, flags, *count, build[i]);
	for (unsigned i = 0; i < line->flag_count; i++)
		ARENA_PUSH(arena, flags, *count, line->flags[i]);
	return flags;
}

const char **cli_folders_add(struct arena *arena, const struct rewritten *rewritten, const char **flags,
                             unsigned *count)
{
	for (unsigned f = 1; f < rewritten->file_count; f++)
		ARENA_PUSH(arena, flags, *count,
		           arena_printf(arena, "-I%s", compile_folder(arena, rewritten->files[f].path)));
	return flags;
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
static struct observe_request request_of_rewritten(struct arena *arena, const struct rewritten *rewritten,
                                                   const struct observe_request *original, const char *folder)
{
	struct observe_request request = *original;
	const char **others = NULL;
	unsigned other_count = 0;
	request.path = path_in(arena, folder, &rewritten->files[0]);
	request.folder = compile_folder(arena, original->path);
	for (unsigned o = 0; o < original->other_count; o++) {
		const struct rewritten_file *file = rewritten_of(rewritten, original->others[o]);
		ARENA_PUSH(arena, others, other_count, file ? path_in(arena, folder, file) : original->others[o]);
	}
	request.others = others;
	const char **flags = NULL;
	request.flag_count = 0;
	for (unsigned i = 0; i < original->flag_count; i++)
		ARENA_PUSH(arena, flags, request.flag_count, original->flags[i]);
	request.flags = cli_folders_add(arena, rewritten, flags, &request.flag_count);
	return request;
}

static struct observe_request request_of_original(const struct rewrite_checking *checking,
                                                  const struct toolkit *toolkit, const char *target)
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

struct check_session {
	struct arena *arena;
	struct toolkit toolkit;
	struct observe_request original;
	struct check_subject subject;
	struct checking *checking; /* NULL: there is no toolkit */
};

struct check_session *cli_check_begin(struct arena *arena, const struct rewrite_checking *wanted)
{
	const struct prediction *prediction = wanted->prediction;
	struct check_session *session = arena_alloc(arena, sizeof *session);
	bool exact;
	*session = (struct check_session){.arena = arena, .toolkit = toolkit_find(arena)};
	if (session->toolkit.reason)
		return session;
	session->original =
		request_of_original(wanted, &session->toolkit, machine_target(arena, prediction->machine, &exact));
	session->subject = (struct check_subject){.program = &session->original,
	                                          .records = records_find(arena, &prediction->groups, NULL),
	                                          .analysis = prediction->analysis,
	                                          .groups = &prediction->groups};
	session->checking = check_begin(arena, &session->subject);
	return session;
}

struct check_result cli_check(struct check_session *session, const struct rewritten *rewritten)
{
	struct arena *arena = session->arena;
	struct check_result result = {.word = CHECK_NOT_RUN, .text = session->toolkit.reason};
	if (!session->checking)
		return result;
	const char *folder = directory_temporary(arena);
	if (!folder || !files_save(arena, rewritten, folder)) {
		result.text = arena_printf(arena, "cannot write temporary files: %s", strerror(errno));
	} else {
		const struct observe_request other = request_of_rewritten(arena, rewritten, &session->original, folder);
		const struct check_request request = {&other, records_find(arena, session->subject.groups, rewritten),
		                                      rewritten};
		result = check_rewritten(session->checking, &request);
	}
	if (folder)
		directory_remove(folder);
	return result;
}

void cli_check_end(struct check_session *session)
{
	if (session->checking)
		check_end(session->checking);
}

/* ---- predict --check ---------------------------------------------------------------------------- */

/* What is known of a row; NULL where rewriting does not write its layout. */
static const struct check_result *row_check(struct check_session *session, const struct prediction *prediction,
                                            const struct program_row *row)
{
	const char *refusal;
	const struct rewritten *rewritten = report_rewritten(session->arena, prediction, row, &refusal);
	struct check_result *result = arena_alloc(session->arena, sizeof *result);
	if (refusal)
		return NULL;
	*result = cli_check(session, rewritten);
	return result;
}

void cli_predict_check(struct arena *arena, const struct rewrite_checking *wanted, struct prediction *prediction)
{
	struct check_session *session = cli_check_begin(arena, wanted);
	for (unsigned r = 0; r < prediction->program_count; r++) {
		struct program_row *row = &prediction->program[r];
		if (row->layout != row->group->written)
			row->check = row_check(session, prediction, row);
	}
	cli_check_end(session);
}
