/*
 * Machine code (SASS) of sm_70 and later: what a cubin's kernels do, in the structures of PTX, and what each
 * instruction's encoding says to the scheduler. The face of the room; its other headers are its own.
 *
 * A cubin's sections are read (cubin/), its instructions decoded (decode/; listing/ reads nvdisasm's output instead),
 * split into blocks with called functions copied to each place of call (flow.c), and translated block by block
 * (translate/ and handlers/).
 */
#ifndef COALESCE_PTXPARSE_SASS_H
#define COALESCE_PTXPARSE_SASS_H

#include "ptxparse/code/code.h"

#define SASS_NO_REGISTER 255
#define SASS_INSN_BYTES 16

/* What the encoding of one machine instruction says to the scheduler, and where it runs. Barriers: 7 where there is
 * none. */
struct sass_control {
	uint32_t address;                    /* in its function's code */
	uint8_t unit;                        /* enum ptx_unit; of the uniform datapath where uniform is set */
	uint8_t stall;                       /* cycles until the warp's next instruction may issue */
	uint8_t write_barrier, read_barrier; /* scoreboard set when the result is there; when the sources were read */
	uint8_t wait_mask;                   /* scoreboards waited for before it issues */
	uint8_t reuse;                       /* source operands kept in the operand cache: a bit for each of source */
	uint8_t source[3]; /* registers that arithmetic reads, by operand, and accesses to shared memory: address, data;
	                      SASS_NO_REGISTER where there is none */
	uint8_t target;    /* the (first) register that arithmetic writes, or SASS_NO_REGISTER */
	uint8_t source_pairs; /* which of them are 64 bits wide: a bit for each */
	bool yield;           /* lets other warps go before its next instruction (the bit is 0 then) */
	bool uniform;
	bool numbered; /* reads constant memory by a register's number */
	uint8_t depth; /* DEPBAR.LE: 1 + how many groups of asynchronous copies may be on their way still; 0: any other
	                  instruction */
};

/* A call whose function is not part of the code: one of the system, or one that is not followed. */
struct sass_call {
	uint32_t insn;
	const char *name; /* as a program calls it: "printf"; NULL: its address is in a register */
	bool is_unfollowed;
};

struct sass_code {
	const struct sass_control *control; /* for each ptx_insn; a synthetic one has its instruction's */
	uint32_t register_count;            /* of a thread, as allocated */
	uint32_t stack_bytes, code_bytes;   /* local memory of a thread; length of the function with its padding */
	uint32_t opaque;                    /* machine instructions of unknown effect */
	uint32_t cold_calls; /* calls of slow paths of arithmetic, which are taken never to be executed */
	uint32_t cold_insn;  /* the branch around the first of them in the kernel itself; UINT32_MAX: none there */
	const struct sass_call *calls; /* of functions of the system that return, and those that are not followed: each
	                                  is one instruction */
	size_t call_count;
};

/*
 * Reads a cubin of sm_75 or later. Gives the kernels as if they were PTX, analysed (ptx_function_analyse). An
 * instruction without `synthetic` is one executed machine instruction, spelled as nvdisasm spells it; line is its
 * number in its function, from 1, and place where the cubin's line table has it. Before and after it stand synthetic
 * ones: together they compute what it computes, on 32-bit registers, 64-bit pairs and predicates. A guarded machine
 * instruction is executed also where its guard holds for no lane. Called functions are copied to each place of call.
 * Diverged lanes meet where the code says so (BSSY), and ptx_basic_block.post_dominator is that place; where it says
 * nothing they do not meet before the exit. Parameters are those of the cubin, named as in PTX (NAME_param_0). Returns
 * NULL with an error reported when the bytes are not what they should be; what an unknown opcode writes is unknown,
 * with one warning for each opcode.
 */
struct ptx_module *sass_parse(struct arena *arena, const char *path, const void *cubin, size_t cubin_length,
                              struct diagnostics *diagnostics);
/* The same where it is known what the host puts in variables of constant memory. */
struct ptx_module *sass_parse_filled(struct arena *arena, const char *path, const void *cubin, size_t cubin_length,
                                     const struct ptx_content *contents, size_t content_count,
                                     struct diagnostics *diagnostics);
/* The same by another disassembler: json is what `nvdisasm -json -g CUBIN` prints (13.0 and later). What tests hold
 * sass_parse() against. */
struct ptx_module *sass_parse_listing(struct arena *arena, const char *path, const void *cubin, size_t cubin_length,
                                      const char *json, size_t json_length, struct diagnostics *diagnostics);
/*
 * A cubin's instructions with their scheduling fields and source lines, one a line:
 *     0x0120  B0----- R- W2 - S04  LDG.E R8, desc[UR8][R2.64]     idw.cu:41 < idw.cu:70
 * B: scoreboards waited for; R, W: set when the sources are read, when the result is there; Y: yields; S: stall in
 * cycles. Returns false with an error reported when the bytes are no cubin.
 */
bool sass_list(struct text *out, struct arena *arena, const char *path, const void *cubin, size_t cubin_length,
               struct diagnostics *diagnostics);

#endif
