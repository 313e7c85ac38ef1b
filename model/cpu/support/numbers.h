/*
 * What instructions compute for one lane. Registers hold bits; real numbers come out of them and go back by as_ and of_
 * functions.
 */
#ifndef COALESCE_MODEL_CPU_SUPPORT_NUMBERS_H
#define COALESCE_MODEL_CPU_SUPPORT_NUMBERS_H

#include "model/cpu/support/warp.h"

#include <fenv.h>

/* ---- bits and real numbers ----------------------------------------------------------------------- */

static inline f32 as_f32(u32 bits)
{
	f32 number;
	__builtin_memcpy(&number, &bits, sizeof number);
	return number;
}
static inline f64 as_f64(u64 bits)
{
	f64 number;
	__builtin_memcpy(&number, &bits, sizeof number);
	return number;
}
/* The bits as they are. */
static inline u32 bits_f32(f32 number)
{
	u32 bits;
	__builtin_memcpy(&bits, &number, sizeof bits);
	return bits;
}
static inline u64 of_f64(f64 number)
{
	u64 bits;
	__builtin_memcpy(&bits, &number, sizeof bits);
	return bits;
}
/* A result of arithmetic: there is one NaN. */
static inline u32 of_f32(f32 number)
{
	return number != number ? 0x7fffffff : bits_f32(number);
}
static inline f32 as_bf16(u16 bits)
{
	return as_f32((u32)bits << 16);
}
static inline f32 as_f16(u16 bits)
{
	u32 sign = (u32)(bits & 0x8000) << 16, exponent = bits >> 10 & 31, fraction = bits & 0x3ff;
	if (exponent == 31)
		return as_f32(sign | 0x7f800000 | fraction << 13);
	if (exponent == 0)
		return as_f32(sign | bits_f32((f32)fraction * 0x1p-24f));
	return as_f32(sign | (exponent + 112) << 23 | fraction << 13);
}

/* The mantissa of a number of so many units, as an integer. */
static inline u32 cpu_units(f64 number, bool to_zero)
{
	return (u32)(to_zero ? number : __builtin_nearbyint(number));
}
static u16 of_f16_mode(f64 number, bool to_zero)
{
	u16 sign = signbit(number) ? 0x8000 : 0;
	f64 size = __builtin_fabs(number);
	int exponent;
	if (number != number)
		return 0x7fff;
	if (size < 0x1p-14)
		return (u16)(sign | cpu_units(size * 0x1p24, to_zero));
	if (size >= 0x1p16)
		return (u16)(sign | (to_zero && size < (f64)INFINITY ? 0x7bff : 0x7c00));
	size = frexp(size, &exponent);
	return (u16)(sign | (((u32)(exponent + 14) << 10) + cpu_units(size * 0x1p11, to_zero) - 1024));
}
static inline u16 of_f16(f64 number)
{
	return of_f16_mode(number, false);
}
static inline u16 of_f16_rz(f64 number)
{
	return of_f16_mode(number, true);
}
/* A double that is no float is rounded to odd first: then rounding once more is right. */
static inline u32 cpu_odd(f64 number)
{
	f32 single = (f32)number;
	u32 bits = bits_f32(single);
	if ((f64)single != number && number == number && !(bits & 1))
		bits += __builtin_fabs((f64)single) > __builtin_fabs(number) ? -1 : 1;
	return bits;
}
static inline u16 of_bf16(f64 number)
{
	u32 bits = cpu_odd(number);
	return number != number ? 0x7fff : (u16)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
static inline u16 of_bf16_rz(f64 number)
{
	u32 bits = cpu_odd(number);
	return number != number ? 0x7fff : (u16)(bits >> 16);
}
/* Numbers too small to be normal become zero. */
static inline u32 cpu_flush(u32 bits)
{
	return bits & 0x7f800000 ? bits : bits & 0x80000000;
}
static inline f32 sat_f32(f32 number)
{
	return number > 0 ? number < 1 ? number : 1 : 0;
}
static inline f64 sat_f64(f64 number)
{
	return number > 0 ? number < 1 ? number : 1 : 0;
}
static inline u32 cpu_pair(u16 low, u16 high)
{
	return (u32)high << 16 | low;
}

/* ---- helpers of functions.def --------------------------------------------------------------------- */

static inline s64 cpu_clamp(s64 number, s64 low, s64 high)
{
	return number < low ? low : number > high ? high : number;
}
static inline u32 cpu_reversed(u32 a)
{
	a = (a >> 1 & 0x55555555) | (a & 0x55555555) << 1;
	a = (a >> 2 & 0x33333333) | (a & 0x33333333) << 2;
	a = (a >> 4 & 0x0f0f0f0f) | (a & 0x0f0f0f0f) << 4;
	return __builtin_bswap32(a);
}
static inline u64 cpu_ones(u32 count)
{
	return count > 63 ? ~(u64)0 : ((u64)1 << count) - 1;
}
static inline u64 cpu_field(u64 a, u32 position, u32 length, u32 width, bool is_signed)
{
	u32 top = position + length - 1 < width - 1 ? position + length - 1 : width - 1;
	u64 whole = position > 63 ? 0 : (a & cpu_ones(width)) >> position;
	bool fill = is_signed && length && a >> top & 1;
	u32 held = position >= width ? 0 : width - position;
	held = held < length ? held : length;
	return (whole & cpu_ones(held)) | (fill ? ~cpu_ones(held) : 0);
}
static inline u64 cpu_inserted(u64 a, u64 b, u32 position, u32 length, u32 width)
{
	u64 mask = position >= width ? 0 : cpu_ones(length) << position;
	return (b & ~mask) | (position > 63 ? 0 : a << position & mask);
}
static inline u32 cpu_table(u32 a, u32 b, u32 c, u32 table)
{
	u32 result = 0;
	result |= table & 1 ? ~a & ~b & ~c : 0;
	result |= table & 2 ? ~a & ~b & c : 0;
	result |= table & 4 ? ~a & b & ~c : 0;
	result |= table & 8 ? ~a & b & c : 0;
	result |= table & 16 ? a & ~b & ~c : 0;
	result |= table & 32 ? a & ~b & c : 0;
	result |= table & 64 ? a & b & ~c : 0;
	result |= table & 128 ? a & b & c : 0;
	return result;
}
static inline u32 cpu_permuted(u64 bytes, u32 selectors)
{
	u32 result = 0;
	for (u32 i = 0; i < 4; i++) {
		u32 selector = selectors >> (4 * i) & 15, byte = (u32)(bytes >> (8 * (selector & 7))) & 255;
		byte = selector & 8 ? (byte & 128 ? 255 : 0) : byte;
		result |= byte << (8 * i);
	}
	return result;
}
/* Sum of products: of `bits` of a, those of a byte of b from `first` on. */
static inline u32 cpu_products(u32 a, u32 b, u32 c, u32 bits, u32 first, bool a_signed, bool b_signed)
{
	for (u32 i = 0; i < 32 / bits; i++) {
		s32 x = a_signed ? (s32)(a << (32 - bits * (i + 1))) >> (32 - bits)
		                 : (s32)(a >> (bits * i) & ((1u << bits) - 1));
		s32 y = b_signed ? (s8)(b >> (first + 8 * i)) : (u8)(b >> (first + 8 * i));
		c += (u32)x * (u32)y;
	}
	return c;
}
#define CPU_DIRECTED(mode, type, e)                                                                                    \
	({                                                                                                             \
		volatile type x = a, y = b, z_;                                                                        \
		fesetround(mode);                                                                                      \
		z_ = (e);                                                                                              \
		fesetround(FE_TONEAREST);                                                                              \
		z_;                                                                                                    \
	})

#define X(name, result, parameters, e)                                                                                 \
	static inline result name parameters                                                                           \
	{                                                                                                              \
		return (result)(e);                                                                                    \
	}
#include "model/cpu/functions.def"
#undef X

/* ---- with a carry -------------------------------------------------------------------------------- */

#define CARRIED(width, wide)                                                                                           \
	static inline u##width add_carry_##width(u##width a, u##width b, u8 in, u8 *out)                               \
	{                                                                                                              \
		wide sum = (wide)a + b + in;                                                                           \
		*out = (u8)(sum >> width);                                                                             \
		return (u##width)sum;                                                                                  \
	}                                                                                                              \
	static inline u##width sub_carry_##width(u##width a, u##width b, u8 in, u8 *out)                               \
	{                                                                                                              \
		wide difference = (wide)a - b - in;                                                                    \
		*out = (u8)(difference >> width & 1);                                                                  \
		return (u##width)difference;                                                                           \
	}
CARRIED(32, u64)
CARRIED(64, u128)

/* ---- conversions ----------------------------------------------------------------------------------- */

#define TO_INTEGER(type, low, above, nan)                                                                              \
	static inline type int_##type(f64 a)                                                                           \
	{                                                                                                              \
		return a != a         ? (type)(nan)                                                                    \
		       : a < (low)    ? (type)(low)                                                                    \
		       : a >= (above) ? (type)((type)(above - 1))                                                      \
		                      : (type)a;                                                                       \
	}
TO_INTEGER(s8, -0x1p7, 0x1p7, 0)
TO_INTEGER(u8, 0, 0x1p8, 0)
TO_INTEGER(s16, -0x1p15, 0x1p15, 0)
TO_INTEGER(u16, 0, 0x1p16, 0)
TO_INTEGER(s32, -0x1p31, 0x1p31, 0)
TO_INTEGER(u32, 0, 0x1p32, 0)
static inline s64 int_s64(f64 a)
{
	return a != a || a < -0x1p63 ? INT64_MIN : a >= 0x1p63 ? INT64_MAX : (s64)a;
}
static inline u64 int_u64(f64 a)
{
	return a != a ? (u64)1 << 63 : a < 0 ? 0 : a >= 0x1p64 ? UINT64_MAX : (u64)a;
}
#define round_rni(a) __builtin_rint(a)
#define round_rzi(a) __builtin_trunc(a)
#define round_rmi(a) __builtin_floor(a)
#define round_rpi(a) __builtin_ceil(a)
/* To float and to double in a direction; of integers, too. */
#define TO_REAL(name, type, from, mode)                                                                                \
	static inline type name(from a)                                                                                \
	{                                                                                                              \
		volatile from x = a;                                                                                   \
		volatile type z;                                                                                       \
		fesetround(mode);                                                                                      \
		z = (type)x;                                                                                           \
		fesetround(FE_TONEAREST);                                                                              \
		return z;                                                                                              \
	}
#define TO_REALS(way, mode)                                                                                            \
	TO_REAL(f32_##way##_s64, f32, s64, mode)                                                                       \
	TO_REAL(f32_##way##_u64, f32, u64, mode)                                                                       \
	TO_REAL(f64_##way##_s64, f64, s64, mode)                                                                       \
	TO_REAL(f64_##way##_u64, f64, u64, mode)                                                                       \
	TO_REAL(f32_##way##_f64, f32, f64, mode)
TO_REALS(rz, FE_TOWARDZERO)
TO_REALS(rm, FE_DOWNWARD)
TO_REALS(rp, FE_UPWARD)
static inline s128 cpu_clamp_wide(s128 number, s128 low, s128 high)
{
	return number < low ? low : number > high ? high : number;
}

/* ---- properties --------------------------------------------------------------------------------- */

#define testp_finite(a) (__builtin_isfinite(a) != 0)
#define testp_infinite(a) (__builtin_isinf(a) != 0)
#define testp_number(a) ((a) == (a))
#define testp_notanumber(a) ((a) != (a))
#define testp_normal(a) (__builtin_isnormal(a) != 0)
#define testp_subnormal(a) (__builtin_isfinite(a) && !__builtin_isnormal(a) && (a) != 0)

#endif
