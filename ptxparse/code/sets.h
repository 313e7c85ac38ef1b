/*
 * The closed sets of PTX: types, state spaces, operations and what is said beside them. Rows of X-macro tables where
 * there are many: types.def, operations.def (what instructions do). How they are spelt is the text room's business
 * (text/opcodes.def).
 */
#ifndef COALESCE_PTXPARSE_CODE_SETS_H
#define COALESCE_PTXPARSE_CODE_SETS_H

#include "base/base.h"

/* Scalar types: X(name, bits, class) with class I (signed), U (unsigned), B (untyped), F (floating), P (predicate). */
enum ptx_type {
	PTX_TYPE_NONE,
#define X(name, bits, class) PTX_##name,
#include "ptxparse/code/types.def"
#undef X
	PTX_TYPE_COUNT
};
/* Width in bytes of one element of the type; 0 for NONE and predicates. */
unsigned ptx_type_bytes(enum ptx_type type);
bool ptx_type_is_signed(enum ptx_type type);
bool ptx_type_is_float(enum ptx_type type);
const char *ptx_type_name(enum ptx_type type); /* "u32" */

enum ptx_space {
	SPACE_NONE,
	SPACE_GENERIC,
	SPACE_GLOBAL,
	SPACE_SHARED,
	SPACE_LOCAL,
	SPACE_CONST,
	SPACE_PARAM,
	SPACE_TEXTURE
};
const char *ptx_space_name(enum ptx_space space);

/*
 * What an instruction does: X(operation, unit, latency, flags). One row for each operation of the ISA; several
 * spellings (add, add.cc; ld, ldu) may share one row. OP_OPAQUE is an instruction the table does not know.
 */
enum ptx_operation {
	OP_OPAQUE,
#define X(operation, unit, latency, flags) OP_##operation,
#include "ptxparse/code/operations.def"
#undef X
	OP_COUNT
};
/* Which part of the processor executes it. */
enum ptx_unit {
	UNIT_NONE,
	UNIT_FP32,
	UNIT_FP64,
	UNIT_FP16,
	UNIT_INT,
	UNIT_INT_MULTIPLY,
	UNIT_SHIFT_COMPARE,
	UNIT_SFU,
	UNIT_CONVERT,
	UNIT_MOVE,
	UNIT_CONTROL,
	UNIT_LOAD_STORE,
	UNIT_TEXTURE,
	UNIT_SHUFFLE,
	UNIT_BARRIER,
	UNIT_TENSOR,
	UNIT_COUNT
};
/* How long the result takes, as a class; cycles are the machine file's business. */
enum ptx_latency {
	LATENCY_NONE,     /* no result to wait for */
	LATENCY_SHORT,    /* fixed-latency arithmetic */
	LATENCY_LONG,     /* special functions, conversions, shuffles, matrices: tens of cycles */
	LATENCY_MEMORY,   /* depends on where the data are */
	LATENCY_SEQUENCE, /* a software sequence of arithmetic */
	LATENCY_BARRIER   /* depends on other warps */
};
/* Properties of operations; an operation has any number of them. */
enum ptx_flags {
	FLAG_LOAD = 1,
	FLAG_STORE = 2,
	FLAG_ATOMIC = 4,
	FLAG_BRANCH = 8,
	FLAG_EXIT = 16,
	FLAG_CALL = 32,
	FLAG_BARRIER = 64,
	FLAG_SEQUENCE = 128 /* many machine instructions: division, square root, ... */
};
const char *ptx_operation_name(enum ptx_operation operation);

/*
 * Comparison of setp/set, boolean combination, mul mode, rounding: further closed sets, decoded from the modifiers.
 * COMPARE_UNORDERED is .num and .nan; .equ, .neu, .ltu, ... are COMPARE_EQ, _NE, _LT, ... with ptx_insn.unordered set,
 * and the unsigned .lo, .ls, .hi, .hs are COMPARE_LT, _LE, _GT, _GE.
 */
enum ptx_compare {
	COMPARE_NONE,
	COMPARE_EQ,
	COMPARE_NE,
	COMPARE_LT,
	COMPARE_LE,
	COMPARE_GT,
	COMPARE_GE,
	COMPARE_UNORDERED
};
enum ptx_mode {
	MODE_NONE,
	MODE_LO,
	MODE_HI,
	MODE_WIDE,
	MODE_CLAMP,
	MODE_WRAP, /* shf, bmsk, szext */
	MODE_RN,
	MODE_RZ,
	MODE_RM,
	MODE_RP,
	MODE_RNI,
	MODE_RZI,
	MODE_RMI,
	MODE_RPI,          /* rounding */
	MODE_SHIFT_AMOUNT, /* bfind.shiftamt */
	MODE_OTHER         /* prmt.f4e, ...: not the plain form */
};
/* Cache operator of a memory instruction: .ca .cg .cs .lu .cv .wb .wt .L1::no_allocate; 0 where none is given. */
enum ptx_cache {
	CACHE_DEFAULT,
	CACHE_ALL,
	CACHE_GLOBAL,
	CACHE_STREAMING,
	CACHE_LAST_USE,
	CACHE_VOLATILE,
	CACHE_WRITE_BACK,
	CACHE_WRITE_THROUGH,
	CACHE_NO_ALLOCATE
};

/* Special registers whose values a launch determines, and the rest. */
enum ptx_special {
	SPECIAL_TID_X,
	SPECIAL_TID_Y,
	SPECIAL_TID_Z,
	SPECIAL_NTID_X,
	SPECIAL_NTID_Y,
	SPECIAL_NTID_Z,
	SPECIAL_CTAID_X,
	SPECIAL_CTAID_Y,
	SPECIAL_CTAID_Z,
	SPECIAL_NCTAID_X,
	SPECIAL_NCTAID_Y,
	SPECIAL_NCTAID_Z,
	SPECIAL_LANEID,
	SPECIAL_WARPID,
	SPECIAL_NWARPID,
	SPECIAL_LANEMASK_EQ,
	SPECIAL_LANEMASK_LE,
	SPECIAL_LANEMASK_LT,
	SPECIAL_LANEMASK_GE,
	SPECIAL_LANEMASK_GT,
	SPECIAL_DYNAMIC_SHARED_SIZE,
	SPECIAL_TOTAL_SHARED_SIZE,
	SPECIAL_OTHER /* clock, smid, ...: value unknown */
};
const char *ptx_special_name(enum ptx_special special); /* "%tid.x"; "%other" for SPECIAL_OTHER */

#endif
