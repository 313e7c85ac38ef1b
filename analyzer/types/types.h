/*
 * analyzer/types: what an analysis takes and gives, as types, and the parts of records (leaf.c).
 *
 * expression.h has the numbers of a kernel, record.h its records, kernel.h what its code does, launch.h what the host
 * does; this header what is asked for, the analysed text, and the whole. "Outside the model" is a value with a reason.
 */
#ifndef COALESCE_ANALYZER_TYPES_TYPES_H
#define COALESCE_ANALYZER_TYPES_TYPES_H

#include "analyzer/types/kernel.h"
#include "analyzer/types/launch.h"
#include "analyzer/types/record.h"
#include "base/clock/clock.h"

/* ---- functions, for rewriting ------------------------------------------------------ */

/* A function or method defined in the file itself, kernels included; a template's pattern once. In program order. */
struct function {
	const char *name;
	struct range definition, body; /* definition: from `template` or the first specifier to the closing brace; body:
	                                  with its braces */
	bool is_host, is_device;       /* what it is compiled for: kernels device, constexpr both */
	bool is_kernel, is_member;
	struct place place;
};

/* ---- the whole ---------------------------------------------------------------------- */

/* What host code may ask of the device that the file is analysed for. */
struct analyzer_device {
	int64_t multiprocessors, threads_per_multiprocessor, shared_bytes_per_block, shared_bytes_per_multiprocessor,
		l2_bytes, memory_bytes;
	int architecture; /* 90 */
};

struct analyzer_options {
	const char *path;
	const char *text; /* what stands in for the content of the file at path, which then need not exist; NULL: the
	                     file's own */
	const char *const *others; /* the program's other source files, which are read as if they stood behind the end
	                              of the first */
	unsigned other_count;
	bool keeps_calls;         /* calls of thrust stay what they are: for rewriting */
	const char *const *flags; /* of the compiler: -D, -I, -std=..., in order; those that do not matter to the source
	                             are passed over */
	unsigned flag_count;
	const char *cuda_root;    /* --cuda-path, or NULL: only the words of the language itself are known, not the
	                             runtime's functions */
	const char *cuda_cccl;    /* folder of cub and thrust, or NULL */
	const char *architecture; /* "sm_90" */
	const char *const
		*arguments; /* what main gets, without the program's name; NULL: not known; see analyze_file() */
	unsigned argument_count;
	const struct analyzer_device *device; /* or NULL: what is asked of it is not known */
	bool use_cache;                       /* keep a precompiled header in the user's cache folder */
	const char *appended;                 /* text that is read as if it stood at the file's end, or NULL */
	struct process_limits limits;         /* of libclang */
	/*
	 * Called, where it is set, when a child process has been forked for the analysis (forked), so that something
	 * else is done meanwhile; and before another one is forked: then no other thread may run.
	 */
	void (*accompany)(void *context, bool forked);
	void *accompany_context;
	bool in_process; /* no child process around libclang: for debuggers and sanitizers */
};

/*
 * A stretch of the analysed text. Where original is NULL it is what the file at path has from line and column on; else
 * it stands, perhaps empty, in the stead of original, which the file has there: an #include line, whose header's pieces
 * follow, or a name in one.
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
	bool has_headers; /* headers stand in it */
	bool is_recast;   /* buffers of other types are declared as the records that they hold; the host's may be too */
	bool follows_calls; /* calls of thrust stand in it as kernels and launches */
};

struct analysis {
	struct arena *arena;
	const char *path;
	const char *
		text; /* the file, and its headers that hold kernels in the place of their #include lines; for ranges */
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
	struct host_fill *host_fills; /* in the order in which they are made first */
	unsigned host_fill_count;
	struct host_content *host_contents; /* by record and member, each once */
	unsigned host_content_count;
	/*
	 * device functions, kernels among them, that name held pointers: name, place, definition, name_range, body,
	 * parameters (one for each such pointer as it is spelled) and references are filled. A template is there once
	 * for each instance
	 */
	struct kernel **held_functions;
	unsigned held_function_count;
	struct member_mention *mentions;
	unsigned mention_count;
	struct function *functions;
	unsigned function_count;
	struct duration clang, elsewhere; /* spent in starting libclang and inside its parse; of all, what another
	                                     process did (processor time) */
};
/* How errors begin that say that a file has no kernel's code, so that nothing in it can be judged. */
#define ANALYZER_NO_KERNEL "no kernel "
#define ANALYZER_KERNEL_ELSEWHERE "is only declared here"

#endif
