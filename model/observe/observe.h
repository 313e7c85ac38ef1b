/*
 * observe: what a program really launches. Its host half is built with nvcc against a stand-in for the CUDA runtime
 * (runtime/), run in a box with the words of its command line, and every launch is recorded; no GPU is needed. Kernels
 * run on this CPU, translated to C (model/cpu), while time for them is left. This alone runs the user's code, and only
 * on request.
 *
 *   run.c       build, run, read what was recorded
 *   program.c   a program is built, and run
 *   standin.c   the stand-in is built
 *   kernels.c   the program's kernels, to run on this CPU
 *   box.c       what the program may do
 *   folder.c    the copy of its folder that it runs in
 *   read.c      a recording becomes a struct observation
 *   launches.c  recorded launches become those of the source's kernels
 *   symbols.c   what was written to constant memory
 *   values.c    recorded bytes become arguments as the host analysis gives them
 *
 * A recording (coalesce-observation/1) is lines of JSON, in the order of the run; a line is known by its first key:
 *
 *   {"schema":"coalesce-observation/1","program":[words],"machine":"NVIDIA H200","ended":"status 0"}   the first line
 *   {"kernel":K,"name":"_Z3addPf","registers":8,"shared":0}            before its first launch
 *   {"allocate":E,"kind":"device","bytes":N,"times":T}                 E: the number of the event; equal ones are one
 *   {"copy":E,"kind":"to device","pinned":false,"bytes":N,"times":T}   pinned: the host's side
 *   {"set":E,"bytes":N,"times":T}                                      a memset
 *   {"content":C,"bytes":N,"data":"BASE64"}                            or "fill":B, all bytes the same
 *   {"symbol":"width","bytes":N,"offset":O,"data":"BASE64"}            the host wrote a variable
 *   {"launch":E,"of":K,"grid":[x,y,z],"block":[x,y,z],"shared":N,"cooperative":false,"follows":false,
 *    "arguments":["HEX"],"pointers":[{"argument":0,"at":0,"allocation":A,"offset":O,"bytes":N,"writer":"copy",
 *    "content":C,"passed":[[K,argument]],"more":false}],"times":T}     follows: the host had read kernels' results
 *   {"executed":E,"times":T}                                           so many of that launch ran, and wrote
 *   {"skipped":E,"why":"the time is over","fault":false,"times":T}     so many did not; fault: no kernel may do that
 *   {"order":E,"times":T}                                              the events in order, equal neighbours as one
 *   {"refused":"_Z3addPf","error":9,"grid":[],"block":[],"shared":N}   or {"unknown":"cudaName"}, {"cut":"order"},
 *                                                                      {"stopped":"results"}
 *
 * Prefix: observe_.
 */
#ifndef COALESCE_MODEL_OBSERVE_OBSERVE_H
#define COALESCE_MODEL_OBSERVE_OBSERVE_H

#include "analyzer/analyzer.h"
#include "model/cases/cases.h"
#include "model/compile/compile.h"
#include "model/machine/machine.h"

/* Bytes that the host put into memory; data NULL: all of them are `fill`. */
struct observed_content {
	uint64_t bytes;
	const uint8_t *data;
	uint8_t fill;
};
struct observed_kernel {
	const char *name; /* mangled */
};
/* KERNEL: one that did not run; EXECUTED: one that did. */
enum observed_writer {
	OBSERVED_NOBODY,
	OBSERVED_HOST,
	OBSERVED_COPY,
	OBSERVED_SET,
	OBSERVED_KERNEL,
	OBSERVED_EXECUTED
};
/* A parameter that a kernel got a pointer by. */
struct observed_passed {
	const struct observed_kernel *kernel;
	unsigned argument;
};
/* A pointer among the arguments of a launch. */
struct observed_pointer {
	unsigned argument, at;  /* at: byte in the argument */
	uint64_t offset, bytes; /* in its allocation, which has so many bytes; offset < bytes */
	enum observed_writer writer;
	const struct observed_content *content; /* of the whole allocation, as the host left it; NULL: not recorded */
	struct observed_passed *passed;         /* who may have written it since */
	unsigned passed_count;
	bool more; /* others may have, too */
};
struct observed_argument {
	const uint8_t *bytes; /* pointers in it are 0 */
	unsigned size;
};
struct observed_launch {
	const struct observed_kernel *kernel;
	uint64_t event, grid[3], block[3], shared, times;
	uint64_t executed;   /* how many of them ran */
	const char *skipped; /* why others did not: the first reason; NULL: all ran, or none was tried */
	bool fault;          /* what the kernel did is the reason, not a limit */
	bool follows;
	struct observed_argument *arguments;
	unsigned argument_count;
	struct observed_pointer *pointers;
	unsigned pointer_count;
};
/* Copies or memsets that are equal. */
enum observed_move { OBSERVED_TO_DEVICE, OBSERVED_TO_HOST, OBSERVED_ON_DEVICE, OBSERVED_ON_HOST, OBSERVED_FILL };
struct observed_copy {
	enum observed_move move;
	bool pinned; /* the host's side */
	uint64_t bytes, times;
};
/* What the host wrote to a variable of the device, in order. */
struct observed_write {
	const char *name;             /* mangled */
	uint64_t bytes, offset, size; /* of the variable; of what is written */
	const uint8_t *data;
};
struct observation {
	const char *machine, *ended;      /* ended: "status 0" */
	struct observed_launch *launches; /* by their first appearance */
	unsigned launch_count;
	struct observed_write *writes;
	unsigned write_count;
	struct observed_copy *copies;
	unsigned copy_count;
	uint64_t managed_bytes; /* that were allocated */
	uint64_t managed_times;
	const char **unknown; /* functions of the runtime that were called and do not exist */
	unsigned unknown_count;
	const char **refused; /* kernels of launches that no GPU takes, mangled */
	unsigned refused_count;
	bool cut, stopped; /* not all launches stand in it; it was ended because it waited for results */
};

/* ---- read.c ---------------------------------------------------------------------------- */

/* Reads a recording, which nobody vouches for. Returns NULL, with what is wrong in *problem, where it is none. The text
 * lives as long as the result. */
const struct observation *observe_parse(struct arena *arena, const char *text, size_t length, const char **problem);
/* The same from a file; what is wrong is reported. */
const struct observation *observe_read(struct arena *arena, const char *path, struct diagnostics *diagnostics);

/* ---- run.c ----------------------------------------------------------------------------- */

struct observe_request {
	const char *path; /* the program's source files */
	const char *const *others;
	unsigned other_count;
	const char *const *arguments; /* words of its command line */
	unsigned argument_count;
	const char *const *flags; /* for the compiler; and what only the build of a whole program takes: -lm */
	unsigned flag_count;
	const char *const *build_flags;
	unsigned build_flag_count;
	const struct toolkit *toolkit;
	const char *target; /* architecture to compile for */
	const struct machine *machine;
	struct process_limits limits;
	double kernel_seconds; /* of processor time for kernels; 0: they do not run */
	const char *
		folder; /* the one that the program runs in a copy of, and that holds its headers; NULL: that of path */
	const char *store; /* the file that the recording is written to, or NULL */
};
/* Builds the program, runs it, reads what was recorded. Returns NULL, with the reason reported, where nothing was. */
const struct observation *observe_program(struct arena *arena, const struct observe_request *request,
                                          struct diagnostics *diagnostics);

/* ---- program.c ------------------------------------------------------------------------- */

/* A program that was built, and runs as often as it is asked to. */
struct observed_program;
/* How it runs. Runs of one program that are told the same do the same, unless it looks at what differs from process to
 * process. */
struct observe_how {
	/* Clocks begin at a fixed time, step by step, so fast; copies to the host are kept; memory that is not set is
	 * zero. 0: none of this. */
	double clock_speed;
	bool reversed; /* blocks begin in reverse order, and so do the warps of a block */
	/* A text (shapes.h): what launches leave in memory is summed up, or that of one key is shown. NULL: none of
	 * this. */
	const char *shapes, *shown;
};
struct observed_end {
	const char *ended; /* in words: "status 0" */
	bool limited;      /* a limit or a signal ended it */
	int status;
	const char *out, *err;
	size_t out_length;
	const char *log, *copies, *memory, *box, *directory; /* paths, until observe_release() */
};
/* Builds a program; observe_failure() says whether that failed. It needs observe_release() either way. */
struct observed_program *observe_build(struct arena *arena, const struct observe_request *request);
/* Runs a program that was built. False, with observe_failure(), where it could not be. */
bool observe_run(struct observed_program *program, const struct observe_how *how, struct observed_end *end);
/* What went wrong last, or NULL. */
const char *observe_failure(const struct observed_program *program);
/* Why the program's kernels do not run, or NULL. */
const char *observe_kernels_missing(const struct observed_program *program);
/* The kernels that stand in its PTX, mangled. */
const char *const *observe_kernel_names(const struct observed_program *program, unsigned *count);
/* Reads what a run recorded, whose text it appends. NULL, with observe_failure(), where that is nothing. */
const struct observation *observe_recording(struct observed_program *program, const struct observed_end *end,
                                            struct text *recording);
/* Removes its files. */
void observe_release(struct observed_program *program);

/* ---- launches.c ------------------------------------------------------------------------ */

/*
 * Takes an observation over into an analysis: what the program wrote to constant memory replaces what the source says
 * of it. Returns the recorded launches of the analysed kernels; many that differ become a few that stand for all. Notes
 * name what was launched and is not in the source, and what keeps a recording from being whole.
 */
const struct case_observed *observe_take(struct arena *arena, struct analysis *analysis,
                                         const struct observation *observation, struct diagnostics *diagnostics);
/* Whether two mangled names mean one kernel: in namespaces without a name each compiler has its own. */
bool observe_names_equal(const char *a, const char *b);
/* The last name in a mangled one: "add" of _ZN3foo3addEPf. */
const char *observe_name(struct arena *arena, const char *mangled);

#endif
