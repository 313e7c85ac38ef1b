/* Loads, stores and atomic operations of one lane: all lanes run in one thread, so that atomic operations are plain
 * ones. */
#ifndef COALESCE_MODEL_CPU_SUPPORT_MEMORY_H
#define COALESCE_MODEL_CPU_SUPPORT_MEMORY_H

#include "model/cpu/support/numbers.h"

#define MEMORY(type)                                                                                                   \
	static inline type ld_##type(const unsigned char *at)                                                          \
	{                                                                                                              \
		type value;                                                                                            \
		__builtin_memcpy(&value, at, sizeof value);                                                            \
		return value;                                                                                          \
	}                                                                                                              \
	static inline void st_##type(unsigned char *at, type value)                                                    \
	{                                                                                                              \
		__builtin_memcpy(at, &value, sizeof value);                                                            \
	}
MEMORY(u8)
MEMORY(u16)
MEMORY(u32)
MEMORY(u64)
MEMORY(s8)
MEMORY(s16)
MEMORY(s32)
MEMORY(s64)

/* Atomic operations return what was there. */
#define ATOMIC(name, type, e)                                                                                          \
	static inline type atom_##name##_##type(unsigned char *at, type b, type c)                                     \
	{                                                                                                              \
		type a = ld_##type(at);                                                                                \
		(void)b, (void)c;                                                                                      \
		st_##type(at, (type)(e));                                                                              \
		return a;                                                                                              \
	}
#define ATOMICS(type)                                                                                                  \
	ATOMIC(add, type, a + b)                                                                                       \
	ATOMIC(min, type, a < b ? a : b)                                                                               \
	ATOMIC(max, type, a > b ? a : b)                                                                               \
	ATOMIC(exch, type, b)                                                                                          \
	ATOMIC(cas, type, a == b ? c : a)                                                                              \
	ATOMIC(and, type, a &b)                                                                                        \
	ATOMIC(or, type, a | b)                                                                                        \
	ATOMIC(xor, type, a ^ b)
ATOMICS(u32)
ATOMICS(u64)
ATOMIC(add, s32, (u32)a + (u32)b)
ATOMIC(min, s32, a < b ? a : b)
ATOMIC(max, s32, a > b ? a : b)
ATOMIC(add, s64, (u64)a + (u64)b)
ATOMIC(min, s64, a < b ? a : b)
ATOMIC(max, s64, a > b ? a : b)
ATOMIC(exch, u16, b)
ATOMIC(cas, u16, a == b ? c : a)
ATOMIC(inc, u32, a >= b ? 0 : a + 1)
ATOMIC(dec, u32, a == 0 || a > b ? b : a - 1)
/* Of real numbers: their bits. */
#define REAL_ATOMIC(name, bits, suffix, e)                                                                             \
	static inline bits atom_##name##_##suffix(unsigned char *at, bits b, bits c)                                   \
	{                                                                                                              \
		bits a = ld_##bits(at);                                                                                \
		(void)c;                                                                                               \
		st_##bits(at, (e));                                                                                    \
		return a;                                                                                              \
	}
REAL_ATOMIC(add, u32, f32, of_f32(as_f32(a) + as_f32(b)))
REAL_ATOMIC(add, u64, f64, of_f64(as_f64(a) + as_f64(b)))
REAL_ATOMIC(min, u32, f32, of_f32(min_f32(as_f32(a), as_f32(b))))
REAL_ATOMIC(max, u32, f32, of_f32(max_f32(as_f32(a), as_f32(b))))
REAL_ATOMIC(add, u16, f16, of_f16((f64)as_f16(a) + (f64)as_f16(b)))
REAL_ATOMIC(add, u16, bf16, of_bf16((f64)as_bf16(a) + (f64)as_bf16(b)))
REAL_ATOMIC(add, u32, f16x2,
            cpu_pair(of_f16((f64)as_f16((u16)a) + (f64)as_f16((u16)b)),
                     of_f16((f64)as_f16((u16)(a >> 16)) + (f64)as_f16((u16)(b >> 16)))))
REAL_ATOMIC(add, u32, bf16x2,
            cpu_pair(of_bf16((f64)as_bf16((u16)a) + (f64)as_bf16((u16)b)),
                     of_bf16((f64)as_bf16((u16)(a >> 16)) + (f64)as_bf16((u16)(b >> 16)))))

#endif
