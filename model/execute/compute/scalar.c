/*
 * One operation of the ISA on plain numbers, as PTX ISA 9.0 defines it. Sources and results are what registers hold:
 * bit patterns, zero-extended. Used where values are not linear. Floating point is in real.c.
 */
#include "model/execute/compute/compute.h"

#include <string.h>

static unsigned type_bits(enum ptx_type type)
{
	unsigned bytes = ptx_type_bytes(type);

	return bytes && bytes <= 8 ? 8 * bytes : 64;
}

/* Clamps to the range of the destination. */
static uint64_t integer_saturate(const struct ptx_insn *insn, uint64_t raw)
{
	unsigned from = type_bits((enum ptx_type)insn->source_type), to = type_bits((enum ptx_type)insn->type);
	bool to_signed = ptx_type_is_signed((enum ptx_type)insn->type);
	int128 number = ptx_type_is_signed((enum ptx_type)insn->source_type) ? (int128)value_signed(raw, from)
	                                                                     : (int128)(raw & value_mask(from));
	int128 top = to_signed ? ((int128)1 << (to - 1)) - 1 : ((int128)1 << to) - 1;
	int128 bottom = to_signed ? -top - 1 : 0;

	number = number > top ? top : number < bottom ? bottom : number;
	return (uint64_t)number & value_mask(to);
}

static bool convert_apply(const struct ptx_insn *insn, uint64_t raw, uint64_t *result)
{
	enum ptx_type from = (enum ptx_type)insn->source_type, to = (enum ptx_type)insn->type;

	if ((ptx_type_is_float(from) || ptx_type_is_float(to)) && !scalar_convert_real(insn, raw, result))
		return false;
	if (!ptx_type_is_float(from) && !ptx_type_is_float(to) && insn->saturate)
		*result = integer_saturate(insn, raw);
	else if (!ptx_type_is_float(from) && !ptx_type_is_float(to))
		*result = (ptx_type_is_signed(from) ? (uint64_t)value_signed(raw, type_bits(from))
		                                    : raw & value_mask(type_bits(from)));
	if (!ptx_type_is_float(to))
		*result &= value_mask(type_bits(to));
	return true;
}

static uint64_t divide(uint64_t a, uint64_t b, unsigned bits, bool is_signed, bool remainder)
{
	int64_t x = value_signed(a, bits), y = value_signed(b, bits);

	if (b == 0)
		return remainder ? a : value_mask(bits);
	if (!is_signed)
		return remainder ? a % b : a / b;
	if (y == -1)
		return remainder ? 0 : -(uint64_t)x & value_mask(bits);
	return (uint64_t)(remainder ? x % y : x / y) & value_mask(bits);
}

static uint64_t multiply(const struct ptx_insn *insn, uint64_t a, uint64_t b, unsigned bits, bool is_signed)
{
	int128 product;

	if (insn->mode != MODE_HI && insn->mode != MODE_WIDE)
		return a * b;
	product = is_signed ? (int128)value_signed(a, bits) * value_signed(b, bits)
	                    : (int128)((uint128)(a & value_mask(bits)) * (b & value_mask(bits)));
	return (uint64_t)(insn->mode == MODE_HI ? product >> bits : product);
}

static uint64_t permute(uint64_t a, uint64_t b, uint64_t selector)
{
	uint64_t bytes = (a & UINT32_MAX) | b << 32, result = 0;

	for (unsigned i = 0; i < 4; i++) {
		unsigned pick = selector >> (4 * i) & 0xf;
		uint64_t byte = bytes >> (8 * (pick & 7)) & 0xff;

		if (pick & 8)
			byte = byte & 0x80 ? 0xff : 0;
		result |= byte << (8 * i);
	}
	return result;
}

static uint64_t logic3(uint64_t a, uint64_t b, uint64_t c, uint64_t table)
{
	uint64_t result = 0;

	if (table == 0xc0)
		return a & b;
	if (table == 0xfc)
		return a | b;
	if (table == 0x3c)
		return a ^ b;
	for (unsigned row = 0; row < 8; row++)
		if (table >> row & 1)
			result |= (row & 4 ? a : ~a) & (row & 2 ? b : ~b) & (row & 1 ? c : ~c);
	return result;
}

static uint64_t shift(const struct ptx_insn *insn, uint64_t a, uint64_t amount, unsigned bits, bool is_signed)
{
	amount &= UINT32_MAX;
	if (insn->operation == OP_shl)
		return amount >= bits ? 0 : a << amount;
	if (is_signed)
		return (uint64_t)(value_signed(a, bits) >> (amount < bits ? amount : bits ? bits - 1 : 0));
	return amount >= bits ? 0 : a >> amount;
}

static uint64_t funnel(const struct ptx_insn *insn, uint64_t a, uint64_t b, uint64_t amount)
{
	uint64_t both = (b & UINT32_MAX) << 32 | (a & UINT32_MAX);

	amount &= UINT32_MAX;
	amount = insn->mode == MODE_CLAMP ? (amount > 32 ? 32 : amount) : amount & 31;
	if (insn->operation == OP_shf_r)
		return amount == 32 ? b : both >> amount;
	return amount == 0 ? b : both >> (32 - amount);
}

static uint64_t extract(uint64_t a, uint64_t position, uint64_t length, unsigned bits, bool is_signed)
{
	uint64_t top;

	position &= 0xff;
	length &= 0xff;
	top = position + length - 1 < bits - 1 ? position + length - 1 : bits - 1;
	if (length == 0)
		return 0;
	if (position >= bits)
		return is_signed && a >> (bits - 1) & 1 ? UINT64_MAX : 0;
	a = a >> position & value_mask((unsigned)(top - position + 1));
	return is_signed ? (uint64_t)value_signed(a, (unsigned)(top - position + 1)) : a;
}

static uint64_t insert(uint64_t a, uint64_t b, uint64_t position, uint64_t length, unsigned bits)
{
	uint64_t field;

	position &= 0xff;
	length &= 0xff;
	if (length == 0 || position >= bits)
		return b;
	field = value_mask(length > 64 ? 64 : (unsigned)length) << position & value_mask(bits);
	return (b & ~field) | (a << position & field);
}

static uint64_t reverse(uint64_t a, unsigned bits)
{
	uint64_t result = 0;

	for (unsigned i = 0; i < bits; i++)
		result |= (a >> i & 1) << (bits - 1 - i);
	return result;
}

static uint64_t leading(uint64_t a, unsigned bits)
{
	return a ? (uint64_t)__builtin_clzll(a) - (64 - bits) : bits;
}

static uint64_t find_leading(const struct ptx_insn *insn, uint64_t a, unsigned bits, bool is_signed)
{
	uint64_t position;

	if (is_signed && a >> (bits - 1) & 1)
		a = ~a & value_mask(bits);
	if (!a)
		return UINT32_MAX;
	position = bits - 1 - leading(a, bits);
	return insn->mode == MODE_SHIFT_AMOUNT ? bits - 1 - position : position;
}

/* Operations whose sources have a width of their own: bit counts, fields, shifts. */
static bool bits_apply(const struct ptx_insn *insn, const uint64_t v[], unsigned bits, bool is_signed, uint64_t *result)
{
	switch (insn->operation) {
	case OP_popc:
		*result = (uint64_t)__builtin_popcountll(v[0]);
		return true;
	case OP_clz:
		*result = leading(v[0], bits);
		return true;
	case OP_bfind:
		*result = find_leading(insn, v[0], bits, is_signed);
		return true;
	case OP_brev:
		*result = reverse(v[0], bits);
		return true;
	case OP_bfe:
		*result = extract(v[0], v[1], v[2], bits, is_signed);
		return true;
	case OP_bfi:
		*result = insert(v[0], v[1], v[2], v[3], bits);
		return true;
	case OP_shl:
	case OP_shr:
		*result = shift(insn, v[0], v[1], bits, is_signed);
		return true;
	case OP_shf_l:
	case OP_shf_r:
		*result = funnel(insn, v[0], v[1], v[2]);
		return true;
	case OP_prmt:
		*result = permute(v[0], v[1], v[2]);
		return insn->mode == MODE_NONE;
	case OP_and:
		*result = v[0] & v[1];
		return true;
	case OP_or:
		*result = v[0] | v[1];
		return true;
	case OP_xor:
		*result = v[0] ^ v[1];
		return true;
	case OP_not:
		*result = ~v[0];
		return true;
	case OP_cnot:
		*result = v[0] == 0;
		return true;
	case OP_lop3:
		*result = logic3(v[0], v[1], v[2], v[3]);
		return true;
	default:
		return false;
	}
}

static bool arithmetic_apply(const struct ptx_insn *insn, const uint64_t v[], unsigned bits, bool is_signed,
                             uint64_t *result)
{
	int64_t a = value_signed(v[0], bits), b = value_signed(v[1], bits);
	bool less = is_signed ? a < b : v[0] < v[1];

	switch (insn->operation) {
	case OP_mov:
		*result = v[0];
		return true;
	case OP_add:
		*result = v[0] + v[1];
		return !insn->saturate;
	case OP_sub:
		*result = v[0] - v[1];
		return !insn->saturate;
	case OP_mul:
		*result = multiply(insn, v[0], v[1], bits, is_signed);
		return true;
	case OP_mad:
		*result = multiply(insn, v[0], v[1], bits, is_signed) + v[2];
		return !insn->saturate;
	case OP_sad:
		*result = (less ? v[1] - v[0] : v[0] - v[1]) + v[2];
		return true;
	case OP_div:
		*result = divide(v[0], v[1], bits, is_signed, false);
		return true;
	case OP_rem:
		*result = divide(v[0], v[1], bits, is_signed, true);
		return true;
	case OP_abs:
		*result = a < 0 ? -(uint64_t)a : (uint64_t)a;
		return true;
	case OP_neg:
		*result = -v[0];
		return true;
	case OP_min:
		*result = less ? v[0] : v[1];
		return true;
	case OP_max:
		*result = less ? v[1] : v[0];
		return true;
	default:
		return false;
	}
}

/* mul24 and mad24 multiply the low 24 bits. */
static bool short_multiply_apply(const struct ptx_insn *insn, const uint64_t v[], bool is_signed, uint64_t *result)
{
	int64_t a = is_signed ? value_signed(v[0], 24) : (int64_t)(v[0] & 0xffffff);
	int64_t b = is_signed ? value_signed(v[1], 24) : (int64_t)(v[1] & 0xffffff);
	int64_t product = a * b;

	if (insn->operation != OP_mul24 && insn->operation != OP_mad24)
		return false;
	*result =
		(uint64_t)(insn->mode == MODE_HI ? product >> 16 : product) + (insn->operation == OP_mad24 ? v[2] : 0);
	return true;
}

bool scalar_apply(const struct ptx_insn *insn, const uint64_t sources[], unsigned count, uint64_t *result)
{
	enum ptx_type type = (enum ptx_type)insn->type;
	unsigned bits = type_bits(type), wide = insn->mode == MODE_WIDE ? 2 * bits : bits;
	bool is_signed = ptx_type_is_signed(type);
	uint64_t v[4] = {0};

	if (insn->operation == OP_cvt)
		return convert_apply(insn, sources[0], result);
	if (scalar_is_real(type) && insn->operation != OP_mov)
		return scalar_real(insn, sources, count, result);
	if (ptx_type_is_float(type) && insn->operation != OP_mov)
		return false;
	for (unsigned i = 0; i < count && i < 4; i++)
		v[i] = insn->operation == OP_mad && i == 2 ? sources[i] : sources[i] & value_mask(bits);
	if (insn->operation == OP_bfi || insn->operation == OP_lop3 || insn->operation == OP_bfe)
		memcpy(v, sources, (count < 4 ? count : 4) * sizeof(v[0]));
	if (!bits_apply(insn, v, bits, is_signed, result) && !arithmetic_apply(insn, v, bits, is_signed, result) &&
	    !short_multiply_apply(insn, v, is_signed, result))
		return false;
	*result &= value_mask(wide > 64 ? 64 : wide);
	return true;
}

/* The order of integers of that many bits, as the order of unsigned ones. */
static uint64_t order_of(uint64_t number, unsigned bits, bool is_signed)
{
	return is_signed ? (uint64_t)value_signed(number, bits) ^ UINT64_C(1) << 63 : number & value_mask(bits);
}

/* Lanes where a comparison holds, by those where a is less and those where it is the same. */
static uint32_t compare_holds(enum ptx_compare compare, uint32_t less, uint32_t equal)
{
	switch (compare) {
	case COMPARE_EQ:
		return equal;
	case COMPARE_NE:
		return ~equal;
	case COMPARE_LT:
		return less;
	case COMPARE_LE:
		return less | equal;
	case COMPARE_GT:
		return ~(less | equal);
	case COMPARE_GE:
		return ~less;
	default:
		return 0;
	}
}

uint32_t scalar_compare_lanes(const struct ptx_insn *insn, enum ptx_type type, const uint64_t *a, const uint64_t *b,
                              unsigned count)
{
	unsigned bits = type_bits(type);
	bool is_signed = ptx_type_is_signed(type), real = scalar_is_real(type);
	uint32_t less = 0, equal = 0, all = (uint32_t)value_mask(count);

	for (unsigned lane = 0; lane < count && real; lane++)
		equal |= (uint32_t)scalar_compare_real(insn, type, a[lane], b[lane]) << lane;
	if (real)
		return equal;
	for (unsigned lane = 0; lane < count; lane++) {
		uint64_t left = order_of(a[lane], bits, is_signed), right = order_of(b[lane], bits, is_signed);

		less |= (uint32_t)(left < right) << lane;
		equal |= (uint32_t)(left == right) << lane;
	}
	return compare_holds((enum ptx_compare)insn->compare, less, equal) & all;
}

bool scalar_compare(const struct ptx_insn *insn, enum ptx_type type, uint64_t a, uint64_t b)
{
	return scalar_compare_lanes(insn, type, &a, &b, 1);
}
