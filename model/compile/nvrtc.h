/*
 * nvrtc: NVIDIA's run-time compiler, loaded when it is there. It compiles device code without reading the 36,000 lines
 * of cuda_runtime.h that nvcc reads each time, and gives PTX, machine code and what ptxas says in one call.
 *
 * Each compilation runs in a child process (base/isolation), which takes the loaded library over: what a source does to
 * NVRTC, it does to the child alone.
 *
 * The library is no dependency of the build: it is opened with dlopen from the toolkit (or NVIDIA's wheel, which has
 * the same shape), and taken only when its version is the toolkit's, so that its code is nvcc's
 * (tests/e2e/compile_roads.py holds both against each other).
 */
#ifndef COALESCE_MODEL_COMPILE_NVRTC_H
#define COALESCE_MODEL_COMPILE_NVRTC_H

#include "base/base.h"
#include "base/clock/clock.h"
#include "base/toolkit/toolkit.h"

struct compile_store;
/* An opened library. Calls of different threads do not disturb each other; each thread uses an arena of its own. */
struct nvrtc;

/* A header that `#include <name>` finds. */
struct nvrtc_header {
	const char *name, *text;
};

/* What is to be compiled. */
struct nvrtc_request {
	const char *name, *text; /* of the translation unit */
	const char *const *options;
	unsigned option_count;
	const struct nvrtc_header *headers;
	unsigned header_count;
	const char *const *instances; /* kernels that must be in the code, as C++ names them: "reduce<512>" */
	unsigned instance_count;
	struct process_limits limits;
	struct compile_store *store; /* where what was compiled is kept, or NULL */
};

struct nvrtc_result {
	bool compiled;
	bool exceeded;   /* NVRTC reached a limit, or hung: the log says which, and nvcc would too */
	const char *log; /* messages of the compiler and of ptxas, never NULL */
	const char *ptx; /* with a terminating zero; NULL where it was not compiled, as the following */
	size_t ptx_length;
	const void *cubin;
	size_t cubin_length;
	const char **mangled; /* names of the instances in the code */
	struct duration spent;
};

/*
 * Opens the library of a toolkit. Returns NULL where there is none or its version is another (*reason says which); the
 * library stays loaded until the program ends.
 */
const struct nvrtc *nvrtc_open(struct arena *arena, const struct toolkit *toolkit, const char **reason);
/* Compiles in a child process; never fails otherwise than by result.compiled. The result lives as long as arena. */
struct nvrtc_result nvrtc_compile(struct arena *arena, const struct nvrtc *nvrtc, const struct nvrtc_request *request);

/* ---- store.c: what was compiled, for other processes ---- */

/* Sets the result of the same request, where the store has it. */
bool compile_store_find(struct arena *arena, struct compile_store *store, const struct nvrtc_request *request,
                        struct nvrtc_result *result);
/* Adds a result that is code, unless the store is full. */
void compile_store_add(struct compile_store *store, const struct nvrtc_request *request,
                       const struct nvrtc_result *result);

/* ---- opening ---- */

/*
 * Opening the library ahead of time. ahead: in a thread that also compiles one line, so that the library's tables are
 * made while something else is done; that costs a third more work than it spares, so it is for a core that is idle.
 * Otherwise the library is opened when it is asked for. Texts of the toolkit and the target live as long as arena,
 * whose release waits for the thread.
 */
struct nvrtc_warming;
struct nvrtc_warming *nvrtc_warm_begin(struct arena *arena, const struct toolkit *toolkit, const char *target,
                                       bool ahead);
/* Waits for the thread; afterwards the process may fork. NULL is allowed. */
void nvrtc_warm_wait(struct nvrtc_warming *warming);
/* Waits, and gives what nvrtc_open() gives. *time: what opening took is added. */
const struct nvrtc *nvrtc_warm_end(struct nvrtc_warming *warming, const char **reason, struct tool_time *time);

#endif
