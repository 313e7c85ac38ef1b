/*
 * The instruction classes, one row each: X(name, kind, unroll, SASS, PTX). instructions.cu times them, sass.cu checks
 * the compiled loops.
 *
 * PTX takes the value %0 of a chain and two operands, %1 and %2, that alternate between two pairs: no two neighbours
 * can be folded into one. kind: i int, l 64-bit int, f float, d double. unroll: applications in the body of the loop.
 * SASS: what one application becomes, opcodes by their first part ("ISETP SEL": one of each; "IADD3|IMAD": either; "" a
 * sequence that is only counted). Where parts of an opcode after the first matter they are given ("MUFU.EX2").
 */
#ifndef CALIBRATE_INSTRUCTIONS_H
#define CALIBRATE_INSTRUCTIONS_H

#define INSTRUCTIONS(X)                                                                                                \
	X(integer_add, i, 512, "IADD3", "{.reg .s32 t; add.s32 t, %0, %1; add.s32 %0, t, %2;}")                        \
	X(integer_multiply, i, 512, "IMAD", "mad.lo.s32 %0, %0, %1, %2;")                                              \
	X(integer_multiply_wide, l, 256, "IMAD.WIDE", "{.reg .s32 a, b; mov.b64 {a, b}, %0; mul.wide.s32 %0, a, b;}")  \
	X(shift, i, 512, "SHF", "shl.b32 %0, %0, %1;")                                                                 \
	X(logic, i, 512, "LOP3", "lop3.b32 %0, %0, %1, %2, 0xe8;")                                                     \
	X(compare_select, i, 128, "ISETP SEL", "{.reg .pred p; setp.lt.s32 p, %0, %1; selp.s32 %0, %2, %0, p;}")       \
	X(integer_minimum_maximum, i, 128, "VIMNMX|IMNMX VIMNMX|IMNMX", "min.s32 %0, %0, %1; max.s32 %0, %0, %2;")     \
	X(population_count, i, 128, "POPC", "popc.b32 %0, %0;")                                                        \
	X(integer_divide, i, 8, "", "div.s32 %0, %1, %0;")                                                             \
	X(integer_remainder, i, 8, "", "rem.s32 %0, %1, %0;")                                                          \
	X(unsigned_divide, i, 8, "", "div.u32 %0, %1, %0;")                                                            \
	X(float_add, f, 512, "FADD", "add.f32 %0, %0, %1;")                                                            \
	X(float_multiply, f, 512, "FMUL", "mul.f32 %0, %0, %1;")                                                       \
	X(float_fma, f, 512, "FFMA", "fma.rn.f32 %0, %0, %1, %2;")                                                     \
	X(float_fma_two_registers, f, 512, "FFMA", "fma.rn.f32 %0, %1, %1, %0;")                                       \
	X(float_fma_immediate, f, 512, "FFMA", "fma.rn.f32 %0, %0, 0f3F7FFFFF, %1;")                                   \
	X(float_compare_select, f, 128, "FSETP FSEL",                                                                  \
	  "{.reg .pred p; setp.lt.f32 p, %0, %1; selp.f32 %0, %2, %0, p;}")                                            \
	X(float_minimum_maximum, f, 128, "FMNMX FMNMX", "min.f32 %0, %0, %1; max.f32 %0, %0, %2;")                     \
	X(float_divide, f, 8, "", "div.rn.f32 %0, %1, %0;")                                                            \
	X(float_divide_approximate, f, 16, "", "div.full.f32 %0, %1, %0;")                                             \
	X(float_reciprocal, f, 8, "", "rcp.rn.f32 %0, %0;")                                                            \
	X(float_sqrt, f, 8, "", "sqrt.rn.f32 %0, %0;")                                                                 \
	X(sfu, f, 128, "MUFU.EX2", "ex2.approx.ftz.f32 %0, %0;")                                                       \
	X(reciprocal_sqrt, f, 128, "MUFU.RSQ", "rsqrt.approx.ftz.f32 %0, %0;")                                         \
	X(sine, f, 64, "FMUL MUFU.SIN", "sin.approx.ftz.f32 %0, %0;")                                                  \
	X(double_add, d, 128, "DADD", "add.f64 %0, %0, %1;")                                                           \
	X(double_multiply, d, 128, "DMUL", "mul.f64 %0, %0, %1;")                                                      \
	X(double_fma, d, 128, "DFMA", "fma.rn.f64 %0, %0, %1, %2;")                                                    \
	X(double_divide, d, 4, "", "div.rn.f64 %0, %1, %0;")                                                           \
	X(double_sqrt, d, 4, "", "sqrt.rn.f64 %0, %0;")                                                                \
	X(convert, i, 128, "I2FP|I2F", "{.reg .f32 t; cvt.rn.f32.s32 t, %0; mov.b32 %0, t;}")                          \
	X(float_to_integer, i, 128, "F2I", "{.reg .f32 t; mov.b32 t, %0; cvt.rzi.s32.f32 %0, t;}")                     \
	X(float_to_double, l, 128, "F2F",                                                                              \
	  "{.reg .b32 a, b; .reg .f64 t; mov.b64 {a, b}, %0; cvt.f64.f32 t, b; mov.b64 %0, t;}")                       \
	X(double_to_float, d, 128, "F2F",                                                                              \
	  "{.reg .b32 a, b; .reg .f32 t; mov.b64 {a, b}, %0; cvt.rn.f32.f64 t, %0; mov.b64 %0, {a, t};}")              \
	X(integer_to_double, l, 128, "I2F",                                                                            \
	  "{.reg .b32 a, b; .reg .f64 t; mov.b64 {a, b}, %0; cvt.rn.f64.s32 t, b; mov.b64 %0, t;}")                    \
	X(double_to_integer, d, 128, "F2I",                                                                            \
	  "{.reg .b32 a, b, t; mov.b64 {a, b}, %0; cvt.rzi.s32.f64 t, %0; mov.b64 %0, {a, t};}")                       \
	X(shuffle, i, 128, "SHFL", "shfl.sync.bfly.b32 %0, %0, 1, 31, 0xffffffff;")                                    \
	X(vote, i, 128, "ISETP VOTE", "{.reg .pred p; setp.lt.s32 p, %0, %1; vote.sync.ballot.b32 %0, p, 0xffffffff;}")

#endif
