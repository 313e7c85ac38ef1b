/*
 * value: what a register of a warp holds, for the representative and along the axes.
 *
 * A value is its 32 lanes, most often on a line (base + lane * step), and a slope along each axis: by how much all
 * lanes grow from one block, warp or loop trip to the next, modulo 2^bits. Sums and multiples keep slopes whatever the
 * numbers are. Reading a value as a number (to compare, divide or widen it) is linear only as long as it does not wrap:
 * that is required of the axes. Along an axis where it is not linear a value is curved. What is not known
 * (floating-point data, loaded values) has a doubt, and the instruction that it comes from. Prefix: value_ (axes_ for
 * the axes).
 */
#ifndef COALESCE_MODEL_EXECUTE_VALUE_H
#define COALESCE_MODEL_EXECUTE_VALUE_H

#include "model/execute/execute.h"
#include "model/execute/value/axes.h"

#define ALL_LANES UINT32_MAX

enum value_form { FORM_LINE, FORM_LANES };
/* SHIFTED: differences between lanes are known, their common base is not; values with the same shift (not 0) have the
 * same base. */
enum value_doubt { KNOWN, SHIFTED, UNKNOWN };

/*
 * A register of a warp. FORM_LINE: lane l holds base + l * step; FORM_LANES: lane[l]; both modulo 2^bits. Predicates
 * (bits 1): base holds the lanes that are true, step those that are not known. unset: never written.
 */
struct warp_value {
	uint8_t form, doubt, bits;
	bool unset;
	uint32_t origin; /* instruction that made it unknown; of a known predicate the number of its comparison */
	uint32_t curved; /* axes along which it is not linear */
	uint32_t shift;  /* SHIFTED: which unknown number it is shifted by; 0: one of its own */
	uint64_t base;
	int64_t step;
	int64_t slope[MAX_AXES];
	uint64_t lane[WARP_LANES];
};

static inline uint64_t value_mask(unsigned bits)
{
	return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}
/* Lanes of a mask, most often all. */
static inline unsigned value_count(uint32_t lanes)
{
	return lanes == ALL_LANES ? 32 : (unsigned)__builtin_popcount(lanes);
}
static inline int64_t value_signed(uint64_t number, unsigned bits)
{
	return bits >= 64 ? (int64_t)number : (int64_t)(number << (64 - bits)) >> (64 - bits);
}
static inline uint64_t value_lane(const struct warp_value *value, unsigned lane)
{
	uint64_t raw = value->form == FORM_LINE ? value->base + (uint64_t)value->step * lane : value->lane[lane];

	return raw & value_mask(value->bits);
}
static inline bool value_is_predicate(const struct warp_value *value)
{
	return value->bits == 1;
}

/* What a sum of multiples is shifted by. b may be NULL. */
static inline uint32_t value_shift(enum value_doubt doubt_a, uint32_t a, uint64_t factor_a, enum value_doubt doubt_b,
                                   uint32_t b, uint64_t factor_b)
{
	uint64_t sum = 0;

	if ((doubt_a && !a) || (doubt_b && !b))
		return 0;
	if (doubt_a)
		sum += content_scramble(a) * factor_a;
	if (doubt_b)
		sum += content_scramble(b) * factor_b;
	if (doubt_a && !doubt_b && factor_a == 1)
		return a;
	if (doubt_b && !doubt_a && factor_b == 1)
		return b;
	return (uint32_t)(sum >> 32) | 1;
}

/* ---- value.c: linear arithmetic -------------------------------------------------------------- */

/* Axes along which the value changes or is not linear. */
uint32_t value_varies(const struct axes *axes, const struct warp_value *value);
/* What each lane holds, as value_lane(). */
void value_lanes(const struct warp_value *value, uint64_t lanes[WARP_LANES]);
/* The same in all lanes. */
bool value_is_uniform(const struct warp_value *value, uint32_t mask);
/* A constant of the given width; slopes zero. */
void value_set(struct warp_value *value, unsigned bits, uint64_t number);
void value_set_unknown(struct warp_value *value, unsigned bits, enum value_doubt doubt, uint32_t origin);
void value_set_predicate(struct warp_value *value, uint32_t lanes, uint32_t unknown, enum value_doubt doubt,
                         uint32_t origin);
void value_copy(const struct axes *axes, struct warp_value *to, const struct warp_value *from);
/* a * factor_a + b * factor_b + constant, modulo 2^bits. b may be NULL; out may be a or b. */
void value_combine(const struct axes *axes, struct warp_value *out, const struct warp_value *a, uint64_t factor_a,
                   const struct warp_value *b, uint64_t factor_b, uint64_t constant, unsigned bits);
/* Gives lanes of mask from `from` to `to`, others keep theirs. */
void value_blend(const struct axes *axes, struct warp_value *to, const struct warp_value *from, uint32_t mask);
/* Turns lanes into a line where the lanes of mask lie on one. */
void value_compact(struct warp_value *value, uint32_t mask);
/* Least and greatest lane as numbers of that signedness. */
void value_range(const struct warp_value *value, uint32_t mask, bool is_signed, int128 *least, int128 *greatest);
/* The value is read as a number, not modulo 2^bits: it must not wrap along the axes. */
void value_require_number(struct axes *axes, const struct warp_value *value, uint32_t mask, bool is_signed);
/* It must stay within [least, greatest] along the axes, as it does here. */
void value_require_within(struct axes *axes, const struct warp_value *value, uint32_t mask, bool is_signed,
                          int128 least, int128 greatest);
/* The same number in more or fewer bits. One that is not linear stays so, along all axes where it changes, and ends
 * none. */
void value_convert(struct axes *axes, struct warp_value *out, const struct warp_value *value, uint32_t mask,
                   bool is_signed, unsigned bits);
/* Lanes where a predicate, or its negation, is known to hold. */
uint32_t value_holds(const struct warp_value *value, bool negated);

/* ---- bits.c: quotients, fields, logic ----------------------------------------------------------- */

/* floor(value / divisor) and what remains, of numbers of that signedness; either result may be NULL. */
void value_divide(struct axes *axes, const struct warp_value *value, uint64_t divisor, uint32_t mask, bool is_signed,
                  struct warp_value *quotient, struct warp_value *remainder);
/* Bit logic: '&', '|', '^'. */
void value_logic(struct axes *axes, struct warp_value *out, int operator, const struct warp_value * a,
                 const struct warp_value *b, uint32_t mask, unsigned bits);
/* length bits from bit position on. */
void value_field(struct axes *axes, struct warp_value *out, const struct warp_value *value, unsigned position,
                 unsigned length, uint32_t mask);

#endif
