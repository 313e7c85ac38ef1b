/*
 * call: a call of nvcc, which builds commands from its words and hands them to a shell. Nothing that a shell could read
 * reaches it. A path with such characters is given as a link in nvcc's own folder. A macro with such text stands in a
 * header there. Prefix: nvcc_.
 */
#ifndef COALESCE_MODEL_COMPILE_CALL_H
#define COALESCE_MODEL_COMPILE_CALL_H

#include "base/base.h"

/* The folder, in which nvcc runs and keeps its temporary files, and the words so far. */
struct nvcc_call {
	struct arena *arena;
	const char *directory;
	const char **words;
	unsigned word_count;
	const char **linked; /* paths by the number of their link */
	unsigned linked_count;
	struct process_limits limits;
};

/* Makes the folder. False with errno set where that fails. */
bool nvcc_call_begin(struct nvcc_call *call, struct arena *arena, const char *nvcc, struct process_limits limits);
/* Removes the folder. What nvcc_call_begin() refused may end too. */
void nvcc_call_end(struct nvcc_call *call);
/* Adds a word of our own, which is plain. */
void nvcc_call_word(struct nvcc_call *call, const char *word);
/* Adds flag and path as one word: "-I" and a folder, "" and a file. Relative paths start where the user stands. */
void nvcc_call_path(struct nvcc_call *call, const char *flag, const char *path);
/* Adds flags as flags_read() gives them. False with errno set where a header for them cannot be written. */
bool nvcc_call_flags(struct nvcc_call *call, const char *const *flags, unsigned count);
/* Runs nvcc in the folder, with limits of time and memory. */
struct process_result nvcc_call_run(const struct nvcc_call *call);
/* A text of nvcc's in which paths have their own names again. */
const char *nvcc_call_restored(const struct nvcc_call *call, const char *text);

/*
 * Takes macros that are not plain out of flags. Returns a header's text that defines them, NULL where there are none;
 * *left are the other flags. A macro's name that is in the header stays there: its later -D and -U follow.
 */
const char *nvcc_macro_header(struct arena *arena, const char *const *flags, unsigned count, const char ***left,
                              unsigned *left_count);

#endif
