/*
 * analyzer: CUDA source -> struct analysis. The face of the folder: what it takes, what it gives, how it gets there.
 *
 * A file is read in seven steps, which analyze.c does one after the other:
 *
 *   1. source/, front/  the file and its own headers that hold kernels are one text; libclang parses it; its trees become ours (tree.h). Nothing else sees
 *                  libclang.
 *   2. kernel.c    the body of each kernel is walked once with symbols for numbers (walk/), device functions inlined: that yields its loops with their
 *                  numbers of iterations, the guards, and every access to memory with its index.
 *   3. expr/       such an index is an expression of thread and block indices, parameters and iterators; its normal form is affine.
 *   4. references.c  every place in a kernel's text that names an array, with byte ranges: what rewriting needs.
 *   5. host/       the host's functions are run as far as their values are known: launches with grids and arguments, device arrays with sizes.
 *   6. analyze.c   records, functions and kernels are put in order.
 *   7. check.c     verifies the invariants which the headers state.
 *
 * suggest.c finds separate arrays that could be one record, dump.c prints all of it. isolate.c does the whole in a child process, so that whatever
 * libclang does ends in a diagnostic.
 *
 * record.h, kernel.h, launch.h and expr/expr.h hold the types that come out, for everybody; other headers are the folder's own.
 * "Outside the model" is a value with a reason, never an error: see EXPR_UNKNOWN, struct affine.reason and struct host_value.reason.
 */
#ifndef COALESCE_ANALYZER_ANALYZER_H
#define COALESCE_ANALYZER_ANALYZER_H

#include "analyzer/expr/expr.h"
#include "analyzer/kernel.h"
#include "analyzer/launch.h"
#include "analyzer/record.h"
#include "base/clock/clock.h"

/* ---- functions, for rewriting ------------------------------------------------------ */

/* A function or method defined in the file itself, kernels included; a template's pattern once. In program order. */
struct function {
	const char *name;
	struct range definition,
		body; /* definition: from `template` or the first specifier to the closing brace; body: with its braces */
	bool is_host, is_device; /* what it is compiled for: kernels device, constexpr both */
	bool is_kernel, is_member;
	struct place place;
};

/* ---- the whole ---------------------------------------------------------------------- */

/* What host code may ask of the device that the file is analysed for. */
struct analyzer_device {
	int64_t multiprocessors, threads_per_multiprocessor, shared_bytes_per_block, shared_bytes_per_multiprocessor, l2_bytes,
		memory_bytes;
	int architecture; /* 90 */
};

struct analyzer_options {
	const char *path;
	const char *text; /* what stands in for the content of the file at path, which then need not exist; NULL: the file's own */
	const char *const
		*others; /* the program's other source files, which are read as if they stood behind the end of the first */
	unsigned other_count;
	bool keeps_calls; /* calls of thrust stay what they are: for rewriting */
	const char *const
		*flags; /* of the compiler: -D, -I, -std=..., in order; those that do not matter to the source are passed over */
	unsigned flag_count;
	const char
		*cuda_root; /* --cuda-path, or NULL: only the words of the language itself are known, not the runtime's functions */
	const char *cuda_cccl;        /* folder of cub and thrust, or NULL */
	const char *architecture;     /* "sm_90" */
	const char *const *arguments; /* what main gets, without the program's name; NULL: not known; see analyze_file() */
	unsigned argument_count;
	const struct analyzer_device *device; /* or NULL: what is asked of it is not known */
	bool use_cache;                       /* keep a precompiled header in the user's cache folder */
	const char *appended;                 /* text that is read as if it stood at the file's end, or NULL */
	struct process_limits limits;         /* of libclang */
	/*
	 * Called, where it is set, when a child process has been forked for the analysis (forked), so that something else is done meanwhile; and before
	 * another one is forked: then no other thread may run.
	 */
	void (*accompany)(void *context, bool forked);
	void *accompany_context;
	bool in_process; /* no child process around libclang: for debuggers and sanitizers */
};

/*
 * A stretch of the analysed text. Where original is NULL it is what the file at path has from line and column on; else it stands, perhaps empty, in the stead of
 * original, which the file has there: an #include line, whose header's pieces follow, or a name in one.
 */
struct source_piece {
	unsigned begin, end;
	const char *path;
	unsigned offset; /* in the file */
	unsigned line, column;
	const char *original;
	const char *header; /* of an #include line: the path of the header; else NULL */
	bool is_stand_in;   /* what stands here is for the analysis alone: the file keeps original */
	bool is_generated;  /* a line of its own, in which columns count */
	bool is_flattened;  /* of rows: files have what stands here where their records move, else original */
};
struct source_repeat;
/* A file of a program of several, and a header that it, or another header of its, includes. */
struct source_inclusion {
	const char *file, *header;
};
struct source_text {
	const char *path, *main_text; /* of the main file, and what stands in that alone */
	const char **others;          /* paths of the program's other source files */
	unsigned other_count;
	struct source_inclusion *inclusions;
	unsigned inclusion_count;
	const struct source_repeat *repeats; /* definitions that several files have, and this text once */
	unsigned repeat_count;
	const char *text;
	size_t length;
	struct source_piece *pieces; /* one after another, with nothing between them */
	unsigned piece_count;
	unsigned *line_starts;
	unsigned line_count;
	bool has_headers;   /* headers stand in it */
	bool is_recast;     /* buffers of other types are declared as the records that they hold; the host's may be too */
	bool follows_calls; /* calls of thrust stand in it as kernels and launches */
};

struct analysis {
	struct arena *arena;
	const char *path;
	const char *text; /* the file, and its headers that hold kernels in the place of their #include lines; for ranges */
	size_t text_length;
	const struct source_text *source; /* where each byte of the text comes from; NULL: all from the file */
	struct kernel **kernels;          /* program order; instantiations after one another */
	unsigned kernel_count;
	struct record **records; /* that kernels index through pointers, by name */
	unsigned record_count;
	struct launch **launches;
	unsigned launch_count;
	struct host_array **host_arrays;
	unsigned host_array_count;
	struct host_symbol *host_symbols;
	unsigned host_symbol_count;
	struct host_copy *host_copies;
	unsigned host_copy_count;
	struct host_content *host_contents; /* by record and member, each once */
	unsigned host_content_count;
	struct member_mention *mentions;
	unsigned mention_count;
	struct function *functions;
	unsigned function_count;
	struct duration clang,
		elsewhere; /* spent in starting libclang and inside its parse; of all, what another process did (processor time) */
};

/*
 * Analyses a file, in a child process with limits of time and memory, so that whatever libclang does ends in a diagnostic. Returns NULL when it cannot be
 * read or libclang finds errors that concern its kernels (reported); a file without kernels is an error too. Errors in host code are not shown, except
 * as warnings where a launch or a header is lost by them. What could not be analysed inside a kernel is reported as a note and is an EXPR_UNKNOWN in
 * the result. Without a command line main is followed as called without arguments where it launches the same kernels then, with a note.
 */
struct analysis *analyze_file(struct arena *arena, const struct analyzer_options *options, struct diagnostics *diagnostics);
/* How errors begin that say that a file has no kernel's code, so that nothing in it can be judged. */
#define ANALYZER_NO_KERNEL "no kernel "
#define ANALYZER_KERNEL_ELSEWHERE "is only declared here"
/* What a flag of nvcc's matters to: the source; the compiler alone; the choice of a GPU; nothing here; the build of a whole program. */
enum front_flag_use { FRONT_FLAG_READ, FRONT_FLAG_COMPILED, FRONT_FLAG_TARGET, FRONT_FLAG_LEFT_OUT, FRONT_FLAG_BUILT };
struct front_flag {
	const char *name, *value; /* as given; value NULL: none */
	enum front_flag_use use;
	bool is_path, wants_value; /* wants_value: it has none, and needs one */
	const char *holds;         /* what its value may contain, where that is not what is given; else NULL */
	const char *words[2];      /* as both compilers take it; the second is NULL where it is one word */
};
/* Reads the flag at arguments[*at], and sets *at to its last word. False where it is none of nvcc's. */
bool front_flag_read(struct arena *arena, unsigned count, const char *const *arguments, unsigned *at, struct front_flag *flag);
/* What is wrong with the value of a flag whose `holds` is set: "-U takes a macro's name, not 'A$(x)'". */
const char *front_flag_complaint(struct arena *arena, const struct front_flag *flag);
/* Whether reading a source depends on a word of a flag, as front_flag_read() has it. */
bool front_flag_matters_to_source(const char *flag);
/*
 * The flags with which the build described by compile_commands.json (or the folder that it lies in) compiles a file: -D, -U, -I, -isystem, -iquote, -include, -std, for
 * analyzer_options.flags, and what else matters to the device's code; relative folders are made absolute, files of arguments (--options-file, @file) are read. NULL with an error reported where the
 * file cannot be read or a flag's value contains what such a flag may not, none with a warning where it has no command for the file. (The command of the most similar file is taken where there is none for this one.)
 */
const char *const *front_build_flags(struct arena *arena, const char *build, const char *path, unsigned *count,
                                     struct diagnostics *diagnostics);
/* The same of a list of flags that stands in a file. folder: what relative paths in them are of. */
const char *const *front_flags_of(struct arena *arena, const char *folder, const char *file, const char *const *words,
                                  unsigned word_count, unsigned *count, struct diagnostics *diagnostics);

/*
 * Separate arrays of one kernel that have equal sets of indices and, as far as that is known, equally many elements and the same life, and so could be the members of one
 * record: what --group could be given. Of each kernel the largest. What a kernel goes from and what it goes to, buffers that launches swap, and an array that is
 * passed twice are not members of one record; two records that are swapped as wholes are suggested together.
 */
struct group_member {
	const struct parameter *parameter;
	bool is_read, is_written;
};
struct group_suggestion {
	const struct kernel *kernel;
	struct group_member *members;
	unsigned member_count; /* at least 2 */
	const char *groups[2]; /* "x,y", as --group takes them; the second: of the record that is swapped with this one, or NULL */
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
const char *front_version(struct arena *arena);
/* The file, line and column of an offset in the analysed text. */
struct place analysis_place(const struct analysis *analysis, unsigned offset);
/* Verifies the invariants stated above; bug() on violation. analyze_file() calls it. */
void analysis_check(const struct analysis *analysis);
/* Dumps: records, kernels with parameters, loops, accesses and references, launches, host arrays, suggestions ("kernel"); normal forms ("affine"). */
void analysis_dump_kernels(struct text *out, const struct analysis *analysis);
void analysis_dump_affine(struct text *out, const struct analysis *analysis);

#endif
