/*
 * Runs a program in its box, and reads what it recorded.
 */
#include "model/observe/internal.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#define LOG_BYTES_MOST ((off_t)300 << 20)
#define SHOWN_BYTES 300

/* ---- what it recorded -------------------------------------------------------------------------------- */

static void json_text(struct text *out, const char *text)
{
	text_puts(out, "\"");
	for (; *text; text++) {
		if ((unsigned char)*text < 0x20)
			text_printf(out, "\\u%04x", (unsigned)*text);
		else
			text_printf(out, "%s%c", *text == '"' || *text == '\\' ? "\\" : "", *text);
	}
	text_puts(out, "\"");
}

/* The head of a recording, which is no part of the program's log. */
static void head_write(const struct observe_request *request, const char *ended, struct text *out)
{
	text_puts(out, "{\"schema\":\"coalesce-observation/1\",\"program\":[");
	json_text(out, request->path);
	for (unsigned i = 0; i < request->argument_count; i++) {
		text_puts(out, ",");
		json_text(out, request->arguments[i]);
	}
	text_puts(out, "],\"machine\":");
	json_text(out, request->machine->name);
	text_puts(out, ",\"ended\":");
	json_text(out, ended);
	text_puts(out, "}\n");
}

/* The whole lines of the log, behind the head. False where there is none. */
static bool log_take(struct arena *arena, const char *path, struct text *recording)
{
	struct stat status;
	size_t length = 0;
	const char *log = stat(path, &status) == 0 && S_ISREG(status.st_mode) && status.st_size <= LOG_BYTES_MOST
	                          ? file_read(arena, path, &length)
	                          : NULL;
	if (!log)
		return false;
	length = strnlen(log, length);
	while (length && log[length - 1] != '\n')
		length--;
	text_append(recording, log, length);
	return true;
}

/* The last line that the program printed, to say why it made no launch. */
static const char *last_words(struct arena *arena, const struct observed_end *end)
{
	const char *said = *end->err ? end->err : end->out;
	size_t length = strlen(said);
	while (length && said[length - 1] == '\n')
		length--;
	size_t begin = length;
	while (begin && said[begin - 1] != '\n' && length - begin < SHOWN_BYTES)
		begin--;
	return length ? arena_printf(arena, "; it said: %s", arena_strndup(arena, said + begin, length - begin)) : "";
}

const struct observation *observe_recording(struct observed_program *program, const struct observed_end *end,
                                            struct text *recording)
{
	struct arena *arena = program->arena;
	const struct observation *observation = NULL;
	const char *problem = NULL;
	head_write(program->request, end->ended, recording);
	if (log_take(arena, end->log, recording))
		observation = observe_parse(arena, recording->data, recording->length, &problem);
	if (!observation)
		observe_fail(program, problem ? arena_printf(arena, "the program spoiled its recording: %s", problem)
		                              : "the program removed its recording");
	else if (observation->launch_count == 0)
		observation =
			(observe_fail(program, arena_printf(arena, "the program launched no kernel; it ended with %s%s",
		                                            end->ended, last_words(arena, end))),
		         NULL);
	return observation;
}

/* ---- the whole ------------------------------------------------------------------------------------------ */

static void box_note(const struct observed_program *program, struct diagnostics *diagnostics)
{
	const char *missing = observe_kernels_missing(program);
	const char *kernels = missing ? arena_printf(program->arena, "its kernels did not run: %s", missing)
	                              : arena_printf(program->arena,
	                                             "its kernels ran there, too, for at most %g s (--kernel-seconds)",
	                                             program->request->kernel_seconds);
	diagnostics_report(diagnostics, SEVERITY_NOTE, (struct place){program->request->path, 0, 0},
	                   "--observe ran this program on the CPU, in a box without network and new processes%s; %s",
	                   observe_box_keeps_files()
	                           ? ", in a copy of its folder"
	                           : ", in a copy of its folder, though this system lets it write elsewhere",
	                   kernels);
}

static const struct observation *observed(struct observed_program *program, struct diagnostics *diagnostics)
{
	const char *store = program->request->store;
	struct observed_end end;
	struct text recording = {0};
	if (observe_failure(program) || !observe_run(program, &(struct observe_how){0}, &end))
		return NULL;
	box_note(program, diagnostics);
	const struct observation *observation = observe_recording(program, &end, &recording);
	if (observation && store && file_write(store, recording.data, recording.length) != 0)
		observation = (observe_fail(program, arena_printf(program->arena, "cannot write %s: %s", store,
		                                                  strerror(errno))),
		               NULL);
	text_release(&recording);
	return observation;
}

const struct observation *observe_program(struct arena *arena, const struct observe_request *request,
                                          struct diagnostics *diagnostics)
{
	struct observed_program *program = observe_build(arena, request);
	const struct observation *observation = observed(program, diagnostics);
	if (!observation)
		diagnostics_report(diagnostics, SEVERITY_ERROR, (struct place){request->path, 0, 0}, "--observe: %s",
		                   observe_failure(program));
	observe_release(program);
	return observation;
}
