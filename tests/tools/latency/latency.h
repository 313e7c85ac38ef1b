/*
 * Fixed latencies: how many cycles after an instruction its result may be read, by what makes it and what reads it.
 * Results of variable latency (loads, special functions, conversions, shuffles) have a scoreboard instead, and are not
 * here.
 *
 * Between dependent instructions stand the stall counts that ptxas wrote; hardware checks nothing. So no dependence in
 * any cubin may be shorter than the table (latency.def) says: tests/tools/sass_latency.c counts that, and
 * tests/e2e/sass_latency.py asks it of everything that the tests compile.
 */
#ifndef COALESCE_TESTS_TOOLS_LATENCY_LATENCY_H
#define COALESCE_TESTS_TOOLS_LATENCY_LATENCY_H

#include "ptxparse/sass/insn.h"

/* What makes a result of fixed latency: X(name, what). */
#define SASS_PRODUCERS(X)                                                                                              \
	X(FMA, "FFMA, FADD, FMUL, IMAD, VIADD")                                                                        \
	X(WIDE, "IMAD.WIDE, IMAD.HI")                                                                                  \
	X(ALU, "IADD3, LOP3, SHF, LEA, SEL, PRMT, MOV, FMNMX")                                                         \
	X(HALF, "HADD2, HMUL2, HFMA2")                                                                                 \
	X(HALF_MMA, "HFMA2.MMA")                                                                                       \
	X(DOUBLE, "DADD, DMUL, DFMA")                                                                                  \
	X(PREDICATE, "ISETP, FSETP, PLOP3")                                                                            \
	X(DOUBLE_PREDICATE, "DSETP")                                                                                   \
	X(UNIFORM, "UIADD3, ULOP3, USHF, UIMAD")                                                                       \
	X(UNIFORM_MOVE, "UMOV")                                                                                        \
	X(UNIFORM_CONSTANT, "ULDC")                                                                                    \
	X(UNIFORM_PREDICATE, "UISETP")
/* What reads it. */
#define SASS_READERS(X)                                                                                                \
	X(FMA, "FFMA, FADD, FMUL, IMAD, VIADD")                                                                        \
	X(ADDEND, "what IMAD.WIDE adds to")                                                                            \
	X(ALU, "IADD3, LOP3, SHF, LEA, ISETP, FSETP, MOV")                                                             \
	X(HALF, "HADD2, HMUL2, HFMA2")                                                                                 \
	X(DOUBLE, "DADD, DMUL, DFMA, DSETP")                                                                           \
	X(MEMORY, "an address or data of a load, store or atomic")                                                     \
	X(VARIABLE, "MUFU, conversions, SHFL, LDC: units with a scoreboard")                                           \
	X(PREDICATE, "a predicate that is an operand: SEL, IADD3.X, PLOP3")                                            \
	X(GUARD, "a guard, or a branch's predicate")                                                                   \
	X(UNIFORM, "UIADD3, ULOP3, UISETP")

enum sass_producer {
	SASS_PRODUCER_NONE, /* nothing, or something of variable latency or of no known kind */
#define X(name, what) SASS_PRODUCER_##name,
	SASS_PRODUCERS(X)
#undef X
		SASS_PRODUCER_COUNT
};
enum sass_reader {
	SASS_READER_NONE,
#define X(name, what) SASS_READER_##name,
	SASS_READERS(X)
#undef X
		SASS_READER_COUNT
};

/* Cycles from the issue of the one to the issue of the other; 0 where the table has no row. */
unsigned sass_latency(enum sass_producer producer, enum sass_reader reader);
const char *sass_producer_name(enum sass_producer producer);
const char *sass_reader_name(enum sass_reader reader);

/* A register or predicate that an instruction makes, without a scoreboard, and a later one reads in the same stretch of
 * straight code. */
struct sass_dependence {
	enum sass_producer producer;
	enum sass_reader reader;
	uint32_t from, to; /* instructions */
	unsigned cycles;   /* stall counts from the one to the other: the least that can lie between them */
};
/* Calls visit for each dependence of a listing that has its encodings. */
void sass_dependences_each(const struct sass_listing *listing,
                           void (*visit)(void *context, const struct sass_dependence *), void *context);

#endif
