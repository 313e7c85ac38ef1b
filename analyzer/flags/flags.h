/*
 * analyzer/flags: the flags of nvcc, and which of them the source, the compiler and the choice of a GPU depend on.
 * Names begin with flags_.
 */
#ifndef COALESCE_ANALYZER_FLAGS_FLAGS_H
#define COALESCE_ANALYZER_FLAGS_FLAGS_H

#include "base/base.h"

/* What a flag of nvcc's matters to: the source; the compiler alone; the choice of a GPU; nothing here; the build of a
 * whole program. */
enum nvcc_flag_use { NVCC_FLAG_READ, NVCC_FLAG_COMPILED, NVCC_FLAG_TARGET, NVCC_FLAG_LEFT_OUT, NVCC_FLAG_BUILT };
struct nvcc_flag {
	const char *name, *value; /* as given; value NULL: none */
	enum nvcc_flag_use use;
	bool is_path, wants_value; /* wants_value: it has none, and needs one */
	const char *holds;         /* what its value may contain, where that is not what is given; else NULL */
	const char *words[2];      /* as both compilers take it; the second is NULL where it is one word */
};
/* Reads the flag at arguments[*at], and sets *at to its last word. False where it is none of nvcc's. */
bool flags_read(struct arena *arena, unsigned count, const char *const *arguments, unsigned *at,
                struct nvcc_flag *flag);
/* What is wrong with the value of a flag whose `holds` is set: "-U takes a macro's name, not 'A$(x)'". */
const char *flags_complaint(struct arena *arena, const struct nvcc_flag *flag);
/* Whether reading a source depends on a word of a flag, as flags_read() has it. */
bool flags_matter_to_source(const char *flag);
/* As analysis_build_flags() has them: those of a list that stands in a file. folder: what relative paths in them are
 * of. */
const char *const *flags_of_list(struct arena *arena, const char *folder, const char *file, const char *const *words,
                                 unsigned word_count, unsigned *count, struct diagnostics *diagnostics);

struct flags_words {
	const char **list;
	unsigned count;
};
/* The words of a text, with quotes and backslashes as shells have them. */
struct flags_words flags_split(struct arena *arena, const char *text);
/*
 * The flags of analysis_build_flags() among a compiler's arguments. folder: where it is started; file: where the
 * arguments stand. NULL with errors reported where a flag's value contains what such a flag may not.
 */
const char *const *flags_of_call(struct arena *arena, const char *folder, const char *file,
                                 const struct flags_words *arguments, unsigned *count, struct diagnostics *diagnostics);

#endif
