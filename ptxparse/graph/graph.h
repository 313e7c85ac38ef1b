/*
 * What the graph room finds out about a function: basic blocks, edges, dominators, loops with their counters and unroll
 * factors.
 *
 * A basic block (of instructions) is not a thread block. Indices of blocks and loops are those of the arrays of struct
 * ptx_cfg.
 */
#ifndef COALESCE_PTXPARSE_GRAPH_GRAPH_H
#define COALESCE_PTXPARSE_GRAPH_GRAPH_H

#include "ptxparse/code/code.h"

#define PTX_NO_BASIC_BLOCK UINT32_MAX
#define PTX_NO_LOOP UINT32_MAX

struct ptx_basic_block {
	uint32_t first, count;  /* instructions first .. first + count - 1 */
	uint32_t successors[2]; /* fall-through first, then the branch target; PTX_NO_BASIC_BLOCK where absent */
	uint32_t *targets;      /* further successors of an indirect branch (brx.idx) */
	uint32_t target_count;
	uint32_t *predecessors;
	uint32_t predecessor_count;
	uint32_t dominator;      /* immediate; PTX_NO_BASIC_BLOCK for the entry and unreachable blocks */
	uint32_t post_dominator; /* immediate: where diverged lanes meet again; PTX_NO_BASIC_BLOCK = at the exit */
	uint32_t join; /* where all paths from it come together; machine code need not say that lanes meet there */
	uint32_t loop; /* innermost loop that holds it, or PTX_NO_LOOP */
	bool reachable;
};

/*
 * A natural loop; irreducible regions are one loop with irreducible = true, and so is one nested 32 deep that holds
 * further loops. The unroll factor is read as the thesis does (section 3.3): the setp that decides the back branch
 * compares the counter register, and the constant added to it in the body is the step. Beyond it: the update may run
 * through copies, and where the branch back is unconditional the setp that leaves the loop decides.
 */
struct ptx_loop {
	uint32_t header, parent; /* block; enclosing loop or PTX_NO_LOOP */
	uint32_t depth;          /* 1 for outermost */
	uint32_t *blocks;        /* sorted, inner loops' blocks included; never empty */
	uint32_t block_count;
	uint32_t *latches; /* blocks with an edge back to the header */
	uint32_t latch_count;
	bool irreducible;
	uint32_t counter;         /* register, PTX_NO_REGISTER when not recognised */
	int64_t step;             /* constant added to the counter per trip; 0 when not a constant */
	uint32_t compare_insn;    /* index of the setp, UINT32_MAX when not recognised */
	struct ptx_operand bound; /* what the counter is compared with */
	bool innermost;
	uint32_t place; /* .loc place of the branch back, which nvcc gives the loop statement */
	/* Compilers split a loop into one unrolled and one for the trips left over: innermost loops side by side, of
	 * one place, of which one moves a multiple of the other's bytes in a trip. Without .loc they are not told. */
	uint32_t remainder_of;  /* the unrolled loop whose left-over trips this one does, or PTX_NO_LOOP */
	uint32_t unroll_factor; /* of a loop that has a remainder loop: trips of the source in one trip; else 1 */
};

struct ptx_cfg {
	struct ptx_basic_block *blocks;
	uint32_t block_count;
	uint32_t *reverse_postorder; /* block indices; reachable ones only */
	uint32_t reachable_count;
	struct ptx_loop *loops; /* outer loops before inner ones, in program order */
	uint32_t loop_count;
};

/* calls.c: replaces calls by copies of the functions that they call, as far as these are known. To be analysed
 * afterwards. */
void ptx_calls_copy(struct arena *arena, const struct ptx_module *module, struct ptx_function *kernel);
/* Builds blocks, edges, dominators, post-dominators and loops of a function with a body; ptx_cfg_check()s them. */
void ptx_function_analyse(struct arena *arena, struct ptx_function *function);
/* Verifies the invariants of a control-flow graph; bug() on violation. */
void ptx_cfg_check(const struct ptx_function *function);

#endif
