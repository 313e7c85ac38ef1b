/*
 * analyzer: CUDA source -> struct analysis. The face of the folder: what it takes, what it gives, how it gets there.
 *
 * A file is read in seven steps, which analyze.c does one after the other:
 *
 *   1. source/, front/  the file and its own headers that hold kernels are one text; libclang parses it; its trees
 * become ours (tree/). Nothing else sees libclang.
 *   2. kernel.c    the body of each kernel is walked once with symbols for numbers (walk/), device functions inlined:
 * that yields its loops with their numbers of iterations, the guards, and every access to memory with its index.
 *   3. expr/       such an index is an expression of thread and block indices, parameters and iterators; its normal
 * form is affine.
 *   4. references.c  every place in a kernel's text that names an array, with byte ranges: what rewriting needs.
 *   5. host/       the host's functions are run as far as their values are known: launches with grids and arguments,
 * device arrays with sizes.
 *   6. analyze.c   records, functions and kernels are put in order.
 *   7. check.c     verifies the invariants which the headers state.
 *
 * suggest.c finds separate arrays that could be one record, dump.c prints all of it. isolate.c does the whole in a
 * child process, so that whatever libclang does ends in a diagnostic.
 *
 * types/, expr/, flags/ and source/ are for everybody too; other rooms and headers are the folder's own.
 * "Outside the model" is a value with a reason, never an error: see EXPR_UNKNOWN, struct affine.reason and struct
 * host_value.reason.
 */
#ifndef COALESCE_ANALYZER_ANALYZER_H
#define COALESCE_ANALYZER_ANALYZER_H

#include "analyzer/expr/expr.h"
#include "analyzer/flags/flags.h"
#include "analyzer/source/source.h"
#include "analyzer/types/types.h"

/*
 * Analyses a file, in a child process with limits of time and memory, so that whatever libclang does ends in a
 * diagnostic. Returns NULL when it cannot be read or libclang finds errors that concern its kernels (reported); a file
 * without kernels is an error too. Errors in host code are not shown, except as warnings where a launch or a header is
 * lost by them. What could not be analysed inside a kernel is reported as a note and is an EXPR_UNKNOWN in the result.
 * Without a command line main is followed as called without arguments where it launches the same kernels then, with a
 * note.
 */
struct analysis *analyze_file(struct arena *arena, const struct analyzer_options *options,
                              struct diagnostics *diagnostics);
/*
 * The flags with which the build described by compile_commands.json (or the folder that it lies in) compiles a file:
 * -D, -U, -I, -isystem, -iquote, -include, -std, for analyzer_options.flags, and what else matters to the device's
 * code; relative folders are made absolute, files of arguments (--options-file, @file) are read. NULL with an error
 * reported where the file cannot be read or a flag's value contains what such a flag may not, none with a warning where
 * it has no command for the file. (The command of the most similar file is taken where there is none for this one.)
 */
const char *const *analysis_build_flags(struct arena *arena, const char *build, const char *path, unsigned *count,
                                        struct diagnostics *diagnostics);

/*
 * Separate arrays of one kernel that have equal sets of indices and, as far as that is known, equally many elements and
 * the same life, and so could be the members of one record: what --group could be given. Of each kernel the largest.
 * What a kernel goes from and what it goes to, buffers that launches swap, and an array that is passed twice are not
 * members of one record; two records that are swapped as wholes are suggested together.
 */
struct group_member {
	const struct parameter *parameter;
	bool is_read, is_written;
};
struct group_suggestion {
	const struct kernel *kernel;
	struct group_member *members;
	unsigned member_count; /* at least 2 */
	const char *groups[2]; /* "x,y", as --group takes them; the second: of the record that is swapped with this one,
	                          or NULL */
	const char *option;    /* "--group x,y" */
	const char *roles;     /* "x read, y read and written", "; swapped with z written, w written" */
};
struct group_suggestions {
	struct group_suggestion *list;
	unsigned count;
};
#define SUGGESTIONS_MOST 3 /* of a kernel that are shown */
struct group_suggestions analysis_suggest_groups(struct arena *arena, const struct analysis *analysis, unsigned most);

/* Of libclang: "clang version 22.1.8". */
const char *analysis_clang_version(struct arena *arena);
/* Verifies the invariants stated above; bug() on violation. analyze_file() calls it. */
void analysis_check(const struct analysis *analysis);
/* Dumps: records, kernels with parameters, loops, accesses and references, launches, host arrays, suggestions
 * ("kernel"); normal forms ("affine"). */
void analysis_dump_kernels(struct text *out, const struct analysis *analysis);
void analysis_dump_affine(struct text *out, const struct analysis *analysis);

#endif
