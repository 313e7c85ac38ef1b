/* C text as a shared object, by the host's compiler, which no text of the input reaches but as a file. */
#include "model/cpu/cpu.h"

#include <errno.h>
#include <string.h>

#define SHOWN_BYTES 200

/* The files that translated code includes. */
static const struct {
	const char *name;
	const char *const *lines; /* up to NULL */
} parts[] = {
#include "model/cpu/support.inc"
};

static bool part_write(struct arena *arena, const char *folder, unsigned part)
{
	struct text text = {0};
	bool written;

	for (const char *const *line = parts[part].lines; *line; line++)
		text_puts(&text, *line);
	written = file_write(arena_printf(arena, "%s/%s", folder, parts[part].name), text.data, text.length) == 0;
	text_release(&text);
	return written;
}

/* The compiler's first error. */
static const char *complaint(struct arena *arena, const struct process_result *result)
{
	const char *found = strstr(result->err, "error");

	if (result->status < 0)
		return strerror(result->error);
	if (result->swelled)
		return "the compiler takes too much memory";
	if (result->timed_out)
		return "the compiler takes too long";
	if (!found)
		return "the compiler fails";
	while (found > result->err && found[-1] != '\n')
		found--;
	return arena_strndup(arena, found, strcspn(found, "\n") < SHOWN_BYTES ? strcspn(found, "\n") : SHOWN_BYTES);
}

const char *cpu_build(struct arena *arena, const char *folder, const struct text *text, double seconds,
                      const char **problem)
{
	static const char *const arguments[] = {"gcc",
	                                        "-std=gnu11",
	                                        "-O1",
	                                        "-march=native",
	                                        "-ffp-contract=off",
	                                        "-fno-math-errno",
	                                        "-fno-trapping-math",
	                                        "-fno-strict-aliasing",
	                                        "-fwrapv",
	                                        "-fno-delete-null-pointer-checks",
	                                        "-fPIC",
	                                        "-shared",
	                                        "-w",
	                                        "-I.",
	                                        "-o",
	                                        "kernels.so",
	                                        "kernels.c",
	                                        "-lm",
	                                        NULL};
	const struct process_limits limits = process_limits_complete((struct process_limits){.seconds = seconds});
	const struct process_request request = {.argv = arguments, .directory = folder, .limits = limits};
	bool written = file_write(arena_printf(arena, "%s/kernels.c", folder), text->data, text->length) == 0;

	if (written)
		written = directory_create(arena_printf(arena, "%s/model/cpu/support", folder)) == 0;
	for (unsigned part = 0; part < ARRAY_COUNT(parts) && written; part++)
		written = part_write(arena, folder, part);
	if (!written) {
		*problem = strerror(errno);
		return NULL;
	}
	const struct process_result result = process_run_limited(arena, &request);
	*problem = result.status == 0 && !result.timed_out ? NULL : complaint(arena, &result);
	return *problem ? NULL : arena_printf(arena, "%s/kernels.so", folder);
}
