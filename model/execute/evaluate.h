/*
 * evaluate: what a launch executes. A partial evaluator runs each kernel's integer and predicate slice for a sample of warps, the 32 lanes of a
 * warp together: parameters, block and grid sizes are known numbers; floating-point data and loaded values are unknown with a provenance. It yields
 * branch outcomes, trip counts, divergence and all lane addresses, affine or not, in time that does not grow with the problem size.
 *
 * Input is struct ptx_function as data (operation, operands, effects); nothing here depends on how PTX is spelled.
 */
#ifndef COALESCE_MODEL_EVALUATE_H
#define COALESCE_MODEL_EVALUATE_H

#include "base/base.h"
#include "ptxparse/ptxparse.h"

#define WARP_LANES 32
#define SECTOR_BYTES 32
#define LINE_BYTES 128

/* Declared content of memory that addresses or branches depend on (--index). */
enum content_kind { CONTENT_UNKNOWN, CONTENT_SEQUENCE, CONTENT_UNIFORM, CONTENT_VALUES };
struct content {
	enum content_kind kind;
	int64_t step;          /* SEQUENCE: element i is i * step; 0 stands for 1 */
	int64_t low, high;     /* UNIFORM: each element independently uniform in [low, high), from a fixed hash of its position */
	const int64_t *values; /* VALUES */
	uint64_t count;
	unsigned element_bytes; /* of the index type */
	/* Where element i lies: stride_bytes * i + offset_bytes (stride 0: element_bytes), as a member of records does; with tile elements
	 * side by side in tiles of tile_bytes: tile_bytes * (i / tile) + offset_bytes + element_bytes * (i % tile). */
	unsigned stride_bytes, offset_bytes, tile, tile_bytes;
	const struct content *next; /* further members of the same buffer, or NULL */
};

/* One allocation in global memory. Pointers to it evaluate to buffer_address(index) + offset. */
struct memory_buffer {
	const char *name;
	uint64_t bytes; /* 0: unknown */
	struct content content;
};
uint64_t buffer_address(unsigned buffer);
/* The element of that index in a buffer with declared content; false where it is not declared. */
bool content_value(const struct content *content, unsigned buffer, int64_t index, int64_t *value);
/* The element that begins at an offset in the buffer, by the first content of the list that has one there; NULL: none. */
const struct content *content_at(const struct content *content, int64_t offset, int64_t *index);
/* The buffer and offset of an address; false when it lies in none (offset may be past the end or negative: still that buffer). */
bool buffer_locate(uint64_t address, unsigned buffer_count, unsigned *buffer, int64_t *offset);

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

struct loop_totals {
	double entries, trips; /* per launch, counted in warps: times entered, header executions leading into the body */
};

struct assumption {
	const char *text; /* "branch on data loaded from x: taken by half of the warps" */
	uint32_t insn;    /* where */
};

struct evaluation {
	struct insn_totals *insns; /* function->insn_count */
	struct loop_totals *loops; /* function->cfg->loop_count */
	double warps;              /* of the launch */
	double warp_instructions;  /* PTX instructions executed, summed over warps */
	double divergent_branches; /* executions of branches whose lanes part */
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
struct evaluation *evaluate(struct arena *arena, const struct evaluate_input *input);

/* Distinct sectors and lines of one request of `bytes` per lane, by enumeration. */
void request_count(const uint64_t address[WARP_LANES], uint32_t mask, unsigned bytes, double *sectors, double *lines);
/* Passes that shared memory with 32 banks of 4 bytes needs for one request. */
unsigned shared_wavefronts(const uint64_t address[WARP_LANES], uint32_t mask, unsigned bytes);
/* Dumps totals per instruction ("requests"). */
void evaluation_dump(struct text *out, const struct ptx_module *module, const struct ptx_function *function,
                     const struct evaluation *evaluation);

#endif
