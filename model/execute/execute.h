/*
 * execute: what a launch executes: how often each instruction, block, edge and loop runs, and what every memory
 * instruction touches.
 *
 * The method: (1) Only what addresses, guards and branches depend on is run, a backward slice of the function. (2) One
 * warp is run, its 32 lanes together, on known numbers: parameters, block and thread ids; data are unknown, with a
 * provenance. (3) Beside its lanes every register carries a slope along each axis of the launch: how it grows from
 * block to block and from warp to warp. (4) Every decision is the sign of a linear form, so a run ends with the box of
 * warps that provably do the same. (5) The launch is covered by such boxes, and counts are the box's volume times one
 * warp's. (6) A loop's trip is followed along an axis of its own, with the growth of the registers since the trip
 * before as slopes; if that comes true, all trips are alike by induction and are counted at once. (7) Where trips
 * change with an outer axis, counts are polynomials, continued from a few samples. (8) What a request touches repeats
 * with its alignment, so sectors are summed exactly over the box. (9) What is not known is assumed, and said. (10)
 * Where declared content scatters what warps do, a sample of warps stands for the rest, with its standard error.
 *
 * Words. axis: a direction along which the run speaks for more than itself. bound: a form that must stay non-negative
 * along them. box: the warps spoken for. pinned: an axis along which it speaks for itself alone. curved: not linear
 * along an axis. period: positions after which something repeats, so that an axis is taken in such steps. soft: a loop
 * of which only addresses are not linear, on account of declared content. event: an access whose sectors change along
 * axes. window, stretch: trips of a sampled warp that stand for others, because they are alike but for scattered
 * addresses, or because their end is foreseen. slot: the counters of one instruction. frame: a loop under way. step: an
 * instruction of the slice, and one execution of it as the unit of effort. shifted: unknown by one number common to all
 * lanes.
 *
 * Rooms, each with a header that explains it: content (what memory holds), plan (the slice), value (registers, axes),
 * compute (operations), count (counts, requests), run (one warp), cover (the launch), trace (warps event by event);
 * effort.h has what may be spent. Each uses those before it. Prefix: exec_; the rooms have their own.
 */
#ifndef COALESCE_MODEL_EXECUTE_EXECUTE_H
#define COALESCE_MODEL_EXECUTE_EXECUTE_H

#include "model/execute/content/content.h"
#include "model/execute/effort.h"
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
	const bool *known;    /* BYTES: which of them are known; NULL: all */
};

/* evaluate_input.branch_probability, unless told otherwise. */
#define EXEC_BRANCH_PROBABILITY 0.5
/* How often the guard of an instruction holds, a branch is taken, where that is not known. */
struct guard_share {
	double condition; /* how often the condition of the source holds */
	bool inverted;    /* the guard holds where that condition does not */
	bool told;        /* the user says it, of this condition or of all */
};
/* Trips of a loop that data end, where the source bounds them: those assumed, and the most; most 0: it does not. */
struct loop_range {
	double trips, most;
	unsigned
		unroll; /* trips of the source in one of the code, where ptx_loop.unroll_factor does not say it; 0: 1 */
};
/* A guard of which the user says how often it holds: FREE: it is followed where it is known; else it is not known, for
 * each lane or for all alike. */
enum guard_doubt { GUARD_FREE, GUARD_OF_LANES, GUARD_COMMON };
/* Twenty times the default limit of steps, where that cuts short what is executed: 0.4 s at worst; and a hundred times,
 * where only some layouts still are: 2 s. */
#define EXEC_STEPS_FURTHER UINT64_C(4000000)
#define EXEC_STEPS_FURTHEST UINT64_C(20000000)
struct evaluate_input {
	const struct ptx_module *module;
	const struct ptx_function *function; /* analysed (has a cfg) */
	uint32_t grid[3], block[3];
	uint32_t first_block[3],
		block_count[3]; /* evaluate these blocks of the grid alone; a count of 0: all along that axis */
	uint64_t dynamic_shared_bytes;
	const struct argument *arguments; /* one for each PTX parameter */
	const struct memory_buffer *buffers;
	unsigned buffer_count;
	const struct ptx_content
		*constants; /* of variables in constant memory, where they differ from what the module says */
	unsigned constant_count;
	double branch_probability; /* of a predicate that is not known, where shares is NULL or says nothing of it; 0.5
	                              unless told */
	const struct guard_share *shares;     /* one for each instruction of the function, or NULL */
	const enum guard_doubt *guard_doubts; /* likewise */
	double unknown_trips; /* trips assumed for a loop whose count is unknown; 0: the documented default */
	const struct loop_range *loop_ranges; /* one for each loop of the function, or NULL: go before unknown_trips */
	uint64_t step_limit;                  /* warp instructions interpreted at most; 0: the default */
	bool supposes;                        /* contents that are only supposed are followed */
};

/*
 * Totals of one instruction over the whole launch. For memory instructions also what its requests touch, in the meaning
 * of Nsight Compute's l1tex counters: sectors = distinct 32-byte sectors per request, lines = distinct 128-byte lines.
 * Lanes that read the same 16 bytes count once, although the hardware serves such a warp in quarters
 * (benchmarks/measured/counters-h200.json: idw in aosa).
 */
struct insn_totals {
	double issued;                /* warp executions of its block: guarded instructions count when no lane passes */
	double executions;            /* warp executions with at least one active lane */
	double lanes;                 /* thread executions */
	double sectors, lines;        /* global and local memory */
	double wavefronts, conflicts; /* shared memory: passes needed, and those beyond the first (bank conflicts) */
	double addresses;             /* atomics: distinct addresses, summed over executions */
	double known;                 /* share of executions whose addresses were known, 0..1 */
	unsigned buffer;              /* global memory: the buffer touched, UINT32_MAX: none, several, or not known */
	bool several;                 /* executions came to different ones, or to none that is known */
	bool is_table;                /* addresses were not known, but that they lie in one variable of the module */
	uint32_t sample_mask;         /* active lanes of a full sample execution (the first with the most lanes) */
	uint64_t sample_address[WARP_LANES];
};

/* A direction in which an instruction's accesses are repeated: over lanes, warps, blocks or trips of a loop. */
struct footprint_axis {
	int64_t slope; /* bytes from one access to the next; of a footprint that is listed at least 1 */
	int64_t count;
};
/*
 * Bytes of global memory that an instruction touches in a box of warps: `bytes` at base + sum of slope * position along
 * the axes, each position from 0 to count - 1.
 */
struct footprint {
	uint32_t insn, bytes;
	float weight; /* how often such an access is executed: below 1 behind a branch that was weighed */
	uint32_t axis_count;
	uint64_t base;
	struct footprint_axis axes[FOOTPRINT_AXES]; /* the largest slope first */
};

/* Of a basic block, or an edge between two: how often warps, and lanes, go there. Lanes that part and meet again are
 * one execution where they meet. */
struct flow_totals {
	double executions, lanes;
};
struct block_totals {
	struct flow_totals flow;
	struct flow_totals *edges; /* in the order of ptx_block.successors, then targets; zero where there is none, or
	                              an earlier one leads there */
};

struct loop_totals {
	double entries,
		trips; /* per launch, counted in warps: times entered, header executions leading into the body */
};

/* What an option says otherwise: evaluate_input.unknown_trips, branch_probability. */
enum guess { GUESS_OTHER, GUESS_TRIPS, GUESS_BRANCH };
struct assumption {
	enum guess guess;
	const char *text;   /* "branch on data loaded from x: both sides are weighed, the one taken by 50 %" */
	uint32_t insn;      /* where */
	double trips, most; /* TRIPS: of the source; most 0: nothing bounds them */
	bool common;        /* BRANCH: the condition is the same for all lanes */
	bool usual;         /* only that special cases of arithmetic do not occur */
};
/* Its text, once for all of them: the first place stands for the others. */
#define EXEC_USUAL                                                                                                     \
	"special cases of arithmetic and of library functions (infinite, subnormal or huge arguments) are taken not "  \
	"to occur"

struct evaluation {
	struct insn_totals *insns;   /* function->insn_count */
	struct block_totals *blocks; /* function->cfg->block_count */
	struct loop_totals *loops;   /* function->cfg->loop_count */
	struct footprint *footprints;
	size_t footprint_count;
	bool *untracked;           /* by instruction: some of its accesses to global memory lie in no footprint */
	double warps;              /* of the launch */
	double warp_instructions;  /* PTX instructions executed, summed over warps */
	double divergent_branches; /* executions of branches whose lanes part */
	struct assumption *assumptions;
	unsigned assumption_count;
	bool exact; /* no sampling error: every count follows from the input; false where something was assumed or cut
	               short */
	bool cut;   /* some warps were not followed to their end: what they execute is more than is counted */
	bool misses_calls; /* cut, since calls are executed that are not followed: what these execute is left out */
	double sampled;    /* share of the warps that were represented by some of them, 0..1 */
	uint64_t sampled_warps; /* by how many; 0 where none was */
	double standard_error;  /* relative, of what was sampled: the larger one of instructions and of sectors with
	                           wavefronts; NAN: unknown */
	uint64_t steps;         /* warp instructions interpreted, to watch the cost */
};

/* Instructions whose addresses, branches or trips depend on something that is not known. */
unsigned exec_doubts(const struct evaluate_input *input, const struct evaluation *evaluation);
/*
 * Evaluates a launch. Never fails: what is unknown is assumed and listed. Called device functions are followed with
 * their own frames; their instructions are counted in the evaluation of the caller's call instruction. Results live in
 * arena.
 */
struct evaluation *exec_evaluate(struct arena *arena, const struct evaluate_input *input);

/* Distinct sectors and lines of one request of `bytes` per lane, by enumeration. */
void touch_global(const uint64_t address[WARP_LANES], uint32_t mask, unsigned bytes, double *sectors, double *lines);
/* Passes that shared memory with 32 banks of 4 bytes needs for one request. */
unsigned touch_wavefronts(const uint64_t address[WARP_LANES], uint32_t mask, unsigned bytes);
/* Verifies what holds of every evaluation; bug() on violation. exec_evaluate() has done so. */
void exec_check(const struct ptx_function *function, const struct evaluation *evaluation);
/* Dumps totals per instruction ("requests"). */
void exec_dump(struct text *out, const struct ptx_module *module, const struct ptx_function *function,
               const struct evaluation *evaluation);

/* Dumps which bytes instructions touch ("footprints"). */
void exec_dump_footprints(struct text *out, const struct ptx_module *module, const struct ptx_function *function,
                          const struct evaluation *evaluation);

#endif
