/*
 * evaluate: what a launch executes. A partial evaluator runs each kernel's integer and predicate slice for a sample of warps, the 32 lanes of a
 * warp together: parameters, block and grid sizes are known numbers; floating-point data and loaded values are unknown with a provenance. It yields
 * branch outcomes, trip counts, divergence and all lane addresses, affine or not, in time that does not grow with the problem size.
 *
 * Input is struct ptx_function as data (operation, operands, effects); nothing here depends on how PTX is spelled.
 */
#ifndef COALESCE_MODEL_EXECUTE_EXECUTE_H
#define COALESCE_MODEL_EXECUTE_EXECUTE_H

#include "model/execute/content/content.h"
#include "ptxparse/ptxparse.h"

#define WARP_LANES 32
#define SECTOR_BYTES 32
#define LINE_BYTES 128

enum argument_kind { ARGUMENT_UNKNOWN, ARGUMENT_VALUE, ARGUMENT_POINTER, ARGUMENT_BYTES };
struct argument {
	enum argument_kind kind;
	int64_t value;        /* VALUE; POINTER: byte offset into its buffer */
	unsigned buffer;      /* POINTER */
	const uint8_t *bytes; /* BYTES: a struct passed by value, as long as the PTX parameter */
};

struct evaluate_input {
	const struct ptx_module *module;
	const struct ptx_function *function; /* analysed (has a cfg) */
	uint32_t grid[3], block[3];
	uint64_t dynamic_shared_bytes;
	const struct argument *arguments; /* one for each PTX parameter */
	const struct memory_buffer *buffers;
	unsigned buffer_count;
	double branch_probability; /* of a branch whose condition is unknown being taken, per warp; 0.5 unless told */
	double unknown_trips;      /* trips assumed for a loop whose count is unknown; 0: the documented default */
	uint64_t step_limit;       /* warp instructions interpreted at most; 0: the default */
};

/*
 * Totals of one instruction over the whole launch. For memory instructions also what its requests touch, in the meaning of Nsight Compute's
 * l1tex counters: sectors = distinct 32-byte sectors per request, lines = distinct 128-byte lines. Lanes that read the same 16 bytes count once, although the
 * hardware serves such a warp in quarters (benchmarks/measured/counters-h200.json: idw in aosa).
 */
struct insn_totals {
	double issued;                /* warp executions of its block: guarded instructions count when no lane passes */
	double executions;            /* warp executions with at least one active lane */
	double lanes;                 /* thread executions */
	double sectors, lines;        /* global and local memory */
	double wavefronts, conflicts; /* shared memory: passes needed, and those beyond the first (bank conflicts) */
	double addresses;             /* atomics: distinct addresses, summed over executions */
	double known;                 /* share of executions whose addresses were known, 0..1 */
	unsigned buffer;              /* global memory: the buffer touched, UINT32_MAX: none or several */
	uint32_t sample_mask;         /* active lanes of a full sample execution (the first with the most lanes) */
	uint64_t sample_address[WARP_LANES];
};

/* Of a basic block, or an edge between two: how often warps, and lanes, go there. Lanes that part and meet again are one execution where they meet. */
struct flow_totals {
	double executions, lanes;
};
struct block_totals {
	struct flow_totals flow;
	struct flow_totals *edges; /* in the order of ptx_block.successors, then targets; zero where there is none */
};

struct loop_totals {
	double entries, trips; /* per launch, counted in warps: times entered, header executions leading into the body */
};

struct assumption {
	const char *text; /* "branch on data loaded from x: taken by half of the warps" */
	uint32_t insn;    /* where */
};

struct evaluation {
	struct insn_totals *insns;   /* function->insn_count */
	struct block_totals *blocks; /* function->cfg->block_count */
	struct loop_totals *loops;   /* function->cfg->loop_count */
	double warps;                /* of the launch */
	double warp_instructions;    /* PTX instructions executed, summed over warps */
	double divergent_branches;   /* executions of branches whose lanes part */
	struct assumption *assumptions;
	unsigned assumption_count;
	bool exact;     /* no sampling error: every count follows from the input; false where something was assumed or cut short */
	double sampled; /* share of the warps that were represented by some of them, 0..1 */
	uint64_t sampled_warps; /* by how many; 0 where none was */
	double standard_error; /* relative, of what was sampled: the larger one of instructions and of sectors with wavefronts; NAN: unknown */
	uint64_t steps; /* warp instructions interpreted, to watch the cost */
};

/*
 * Evaluates a launch. Never fails: what is unknown is assumed and listed. Called device functions are followed with their own frames; their
 * instructions are counted in the evaluation of the caller's call instruction. Results live in arena.
 */
struct evaluation *exec_evaluate(struct arena *arena, const struct evaluate_input *input);

/* Distinct sectors and lines of one request of `bytes` per lane, by enumeration. */
void touch_global(const uint64_t address[WARP_LANES], uint32_t mask, unsigned bytes, double *sectors, double *lines);
/* Passes that shared memory with 32 banks of 4 bytes needs for one request. */
unsigned touch_wavefronts(const uint64_t address[WARP_LANES], uint32_t mask, unsigned bytes);
/* Dumps totals per instruction ("requests"). */
void exec_dump(struct text *out, const struct ptx_module *module, const struct ptx_function *function,
               const struct evaluation *evaluation);

#endif
