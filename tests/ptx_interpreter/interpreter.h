/*
 * A brute-force interpreter of PTX: every thread, every instruction, real memory, real floating point. The oracle for
 * the evaluator in model/: slow, plain, and sharing no code with it.
 *
 * Warps run with explicit masks. Lanes that part at a branch meet at its immediate post-dominator, found here by taking
 * blocks away; warps of a block run one after another from barrier to barrier.
 */
#ifndef COALESCE_TESTS_PTX_INTERPRETER_H
#define COALESCE_TESTS_PTX_INTERPRETER_H

#include "base/base.h"
#include "ptxparse/ptxparse.h"

#define INTERPRETER_LANES 32
#define INTERPRETER_SHARED (UINT64_C(1) << 60) /* generic addresses of shared, local and parameter memory */
#define INTERPRETER_LOCAL (UINT64_C(2) << 60)
#define INTERPRETER_PARAMETER (UINT64_C(3) << 60)

/* Bytes at a global address. Loads elsewhere bring 0, stores elsewhere are lost. */
struct interpreter_memory {
	uint64_t address;
	uint8_t *data;
	size_t bytes;
};

struct interpreter_launch {
	const struct ptx_module *module;
	const struct ptx_function *function;
	uint32_t grid[3], block[3];
	uint64_t dynamic_shared_bytes;
	const uint8_t *parameters; /* the parameter space */
	size_t parameter_bytes;
	struct interpreter_memory *memory;
	unsigned memory_count;
	uint64_t step_limit; /* warp instructions */
};

struct interpreter_insn {
	double issued, executions, lanes, sectors, lines, wavefronts, conflicts, addresses;
};

struct interpreter_loop {
	double entries, trips;
};

/*
 * What a warp of the launch does, in order: blocks entered, memory requests, barriers, the end. insn is of the kernel;
 * within a called function, whose blocks and barriers are not told, that of the call.
 */
enum interpreter_kind { INTERPRETER_BLOCK, INTERPRETER_REQUEST, INTERPRETER_BARRIER, INTERPRETER_EXIT };
struct interpreter_event {
	enum interpreter_kind kind;
	uint32_t block[3], warp; /* of the launch */
	uint32_t basic_block, insn, mask;
	bool called;             /* in a called function */
	enum ptx_space space;    /* REQUEST: as it was resolved */
	const uint64_t *address; /* REQUEST: of the lanes */
};
typedef void interpreter_watch(void *context, const struct interpreter_event *event);

struct interpreter_result {
	struct interpreter_insn *insns;
	struct interpreter_loop *loops;
	double warps, warp_instructions, divergent_branches;
	uint64_t steps;
	const char *error; /* what could not be interpreted, or NULL */
};

struct interpreter_result *interpret(struct arena *arena, const struct interpreter_launch *launch,
                                     interpreter_watch *watch, void *context);

/* ---- inside ------------------------------------------------------------------------------------------ */

/* One operation for one thread: sources as register contents. Returns false for operations not known. */
bool interpreter_operation(const struct ptx_insn *insn, const uint64_t *sources, uint64_t *result);
bool interpreter_compare(const struct ptx_insn *insn, enum ptx_type type, uint64_t a, uint64_t b);
/* What an atomic operation leaves in memory. */
bool interpreter_atomic(const struct ptx_insn *insn, uint64_t old, uint64_t operand, uint64_t other, uint64_t *stored);
/* Adds what a request touches. */
void interpreter_count(struct interpreter_insn *totals, enum ptx_space space, const uint64_t *address, uint32_t mask,
                       unsigned bytes, bool atomic);
/* For each block its immediate post-dominator, block_count where there is none. */
uint32_t *interpreter_meeting_points(struct arena *arena, const struct ptx_function *function);

#endif
