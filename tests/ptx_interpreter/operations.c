/* What instructions compute, one thread at a time, written from the pseudo-code of PTX ISA 9.0, chapter 9. */
#include "tests/ptx_interpreter/interpreter.h"

#include <math.h>
#include <string.h>

static unsigned width_of(enum ptx_type type)
{
	return 8 * ptx_type_bytes(type);
}

static uint64_t cut(uint64_t bits, unsigned width)
{
	return width >= 64 ? bits : bits & ((UINT64_C(1) << width) - 1);
}

static int64_t sign(uint64_t bits, unsigned width)
{
	uint64_t top = UINT64_C(1) << (width - 1);

	bits = cut(bits, width);
	return (int64_t)((bits ^ top) - top);
}

static double real_of(enum ptx_type type, uint64_t bits)
{
	union {
		uint64_t u;
		double d;
	} wide = {.u = bits};
	union {
		uint32_t u;
		float f;
	} narrow = {.u = (uint32_t)bits};

	return type == PTX_f64 ? wide.d : (double)narrow.f;
}

static uint64_t bits_of(enum ptx_type type, double number)
{
	union {
		uint64_t u;
		double d;
	} wide = {.d = number};
	union {
		uint32_t u;
		float f;
	} narrow = {.f = (float)number};

	return type == PTX_f64 ? wide.u : narrow.u;
}

static float single_of(uint64_t bits)
{
	return (float)real_of(PTX_f32, bits);
}

static bool real_operation(const struct ptx_insn *insn, const uint64_t *v, uint64_t *result)
{
	enum ptx_type type = (enum ptx_type)insn->type;
	double a = real_of(type, v[0]), b = real_of(type, v[1]), c = real_of(type, v[2]), r;

	switch (insn->operation) {
	case OP_add:
		r = a + b;
		break;
	case OP_sub:
		r = a - b;
		break;
	case OP_mul:
		r = a * b;
		break;
	case OP_mad:
	case OP_fma:
		r = type == PTX_f64 ? fma(a, b, c) : (double)fmaf(single_of(v[0]), single_of(v[1]), single_of(v[2]));
		break;
	case OP_div:
	case OP_div_approx:
		r = a / b;
		break;
	case OP_rcp:
	case OP_rcp_approx:
		r = 1 / a;
		break;
	case OP_sqrt:
	case OP_sqrt_approx:
		r = type == PTX_f64 ? sqrt(a) : (double)sqrtf(single_of(v[0]));
		break;
	case OP_rsqrt_approx:
		r = 1 / sqrt(a);
		break;
	case OP_sin_approx:
		r = sin(a);
		break;
	case OP_cos_approx:
		r = cos(a);
		break;
	case OP_lg2_approx:
		r = log2(a);
		break;
	case OP_ex2_approx:
		r = exp2(a);
		break;
	case OP_tanh_approx:
		r = tanh(a);
		break;
	case OP_min:
		r = a == b ? (signbit(a) ? a : b) : fmin(a, b);
		break;
	case OP_max:
		r = a == b ? (signbit(a) ? b : a) : fmax(a, b);
		break;
	case OP_abs:
		r = fabs(a);
		break;
	case OP_neg:
		r = -a;
		break;
	case OP_copysign:
		r = copysign(b, a);
		break;
	default:
		return false;
	}
	*result = bits_of(type, r);
	return true;
}

static double rounded(enum ptx_mode mode, double number)
{
	if (mode == MODE_RMI || mode == MODE_RM)
		return floor(number);
	if (mode == MODE_RPI || mode == MODE_RP)
		return ceil(number);
	if (mode == MODE_RNI || mode == MODE_RN)
		return rint(number);
	return trunc(number);
}

static uint64_t to_integer(enum ptx_type type, double number)
{
	unsigned width = width_of(type);
	bool is_signed = ptx_type_is_signed(type);
	double highest = is_signed ? ldexp(1, (int)width - 1) : ldexp(1, (int)width), lowest = is_signed ? -highest : 0;

	if (number != number)
		return 0;
	if (number < lowest)
		number = lowest;
	if (number >= highest)
		return is_signed ? cut(UINT64_MAX, width - 1) : cut(UINT64_MAX, width);
	return cut(is_signed ? (uint64_t)(int64_t)number : (uint64_t)number, width);
}

static bool conversion(const struct ptx_insn *insn, uint64_t bits, uint64_t *result)
{
	enum ptx_type from = (enum ptx_type)insn->source_type, to = (enum ptx_type)insn->type;
	bool from_real = ptx_type_is_float(from), to_real = ptx_type_is_float(to);
	enum ptx_mode mode = (enum ptx_mode)insn->mode;

	if ((from_real && from != PTX_f32 && from != PTX_f64) || (to_real && to != PTX_f32 && to != PTX_f64) ||
	    insn->saturate)
		return false;
	if (!from_real && !to_real) {
		*result =
			cut(ptx_type_is_signed(from) ? (uint64_t)sign(bits, width_of(from)) : cut(bits, width_of(from)),
		            width_of(to));
	} else if (from_real && !to_real) {
		bool is_odd = real_of(from, bits) != real_of(from, bits) && (from == PTX_f64 || width_of(to) == 64);

		*result =
			is_odd ? UINT64_C(1) << (width_of(to) - 1) : to_integer(to, rounded(mode, real_of(from, bits)));
	} else if (!from_real) {
		int64_t whole = sign(bits, width_of(from));
		uint64_t natural = cut(bits, width_of(from));

		if (to == PTX_f32)
			*result = bits_of(to, ptx_type_is_signed(from) ? (double)(float)whole : (double)(float)natural);
		else
			*result = bits_of(to, ptx_type_is_signed(from) ? (double)whole : (double)natural);
	} else {
		double number = real_of(from, bits);

		if (mode == MODE_RZI || mode == MODE_RMI || mode == MODE_RPI || mode == MODE_RNI)
			number = rounded(mode, number);
		*result = bits_of(to, number);
	}
	return true;
}

/* High half of a 64-bit product, the schoolbook way. */
static uint64_t high_half(uint64_t a, uint64_t b, bool is_signed)
{
	uint64_t a0 = a & UINT32_MAX, a1 = a >> 32, b0 = b & UINT32_MAX, b1 = b >> 32;
	uint64_t middle = a1 * b0 + (a0 * b0 >> 32), other = a0 * b1 + (middle & UINT32_MAX);
	uint64_t high = a1 * b1 + (middle >> 32) + (other >> 32);

	return is_signed ? high - (a >> 63 ? b : 0) - (b >> 63 ? a : 0) : high;
}

static uint64_t product(const struct ptx_insn *insn, uint64_t a, uint64_t b)
{
	unsigned width = width_of((enum ptx_type)insn->type);
	bool is_signed = ptx_type_is_signed((enum ptx_type)insn->type);
	uint64_t low;

	if (width == 64)
		return insn->mode == MODE_HI ? high_half(a, b, is_signed) : a * b;
	low = is_signed ? (uint64_t)(sign(a, width) * sign(b, width)) : cut(a, width) * cut(b, width);
	return insn->mode == MODE_HI ? low >> width : low;
}

static uint64_t quotient(uint64_t a, uint64_t b, unsigned width, bool is_signed, bool rest)
{
	int64_t x = sign(a, width), y = sign(b, width);

	if (!cut(b, width))
		return rest ? a : UINT64_MAX;
	if (!is_signed)
		return rest ? cut(a, width) % cut(b, width) : cut(a, width) / cut(b, width);
	if (y == -1)
		return rest ? 0 : (uint64_t)0 - (uint64_t)x;
	return (uint64_t)(rest ? x % y : x / y);
}

static uint64_t shifted(const struct ptx_insn *insn, uint64_t a, uint64_t amount, unsigned width, bool is_signed)
{
	uint64_t n = cut(amount, 32);

	if (n > width)
		n = width;
	if (insn->operation == OP_shl)
		return n == 64 ? 0 : a << n;
	if (is_signed)
		return (uint64_t)(sign(a, width) >> (n > 63 ? 63 : n));
	return n == 64 ? 0 : cut(a, width) >> n;
}

static uint64_t field(uint64_t a, uint64_t b, uint64_t c, unsigned width, bool is_signed)
{
	unsigned position = b & 255, length = c & 255, top = width - 1;
	unsigned at = position + length - 1 < top ? position + length - 1 : top;
	uint64_t fill = !is_signed || length == 0 ? 0 : a >> at & 1, result = 0;

	for (unsigned i = 0; i <= top; i++) {
		uint64_t bit = i < length && position + i <= top ? a >> (position + i) & 1 : fill;

		result |= bit << i;
	}
	return result;
}

static uint64_t inserted(uint64_t a, uint64_t b, uint64_t c, uint64_t d, unsigned width)
{
	unsigned position = c & 255, length = d & 255;

	for (unsigned i = 0; i < length && position + i < width; i++) {
		b &= ~(UINT64_C(1) << (position + i));
		b |= (a >> i & 1) << (position + i);
	}
	return b;
}

static uint64_t permuted(uint64_t a, uint64_t b, uint64_t c)
{
	uint8_t bytes[8];
	uint64_t result = 0;

	for (unsigned i = 0; i < 4; i++) {
		bytes[i] = (uint8_t)(a >> (8 * i));
		bytes[4 + i] = (uint8_t)(b >> (8 * i));
	}
	for (unsigned i = 0; i < 4; i++) {
		unsigned selector = c >> (4 * i) & 15;
		uint8_t byte = bytes[selector & 7];

		if (selector & 8)
			byte = byte >> 7 ? 0xff : 0;
		result |= (uint64_t)byte << (8 * i);
	}
	return result;
}

static uint64_t table3(uint64_t a, uint64_t b, uint64_t c, uint64_t table)
{
	uint64_t result = 0;

	for (unsigned i = 0; i < 32; i++) {
		unsigned row = (unsigned)((a >> i & 1) << 2 | (b >> i & 1) << 1 | (c >> i & 1));

		result |= (table >> row & 1) << i;
	}
	return result;
}

static uint64_t bit_count(const struct ptx_insn *insn, uint64_t a, unsigned width)
{
	uint64_t ones = 0, leading = width, reversed = 0;

	for (unsigned i = 0; i < width; i++) {
		uint64_t bit = a >> i & 1;

		ones += bit;
		if (bit)
			leading = width - 1 - i;
		reversed |= bit << (width - 1 - i);
	}
	return insn->operation == OP_popc ? ones : insn->operation == OP_clz ? leading : reversed;
}

/* Position of the highest bit that differs from the sign, or how far it is from the top. */
static uint64_t found(const struct ptx_insn *insn, uint64_t a, unsigned width, bool is_signed)
{
	unsigned position = width;

	if (is_signed && a >> (width - 1) & 1)
		a = ~a;
	while (position > 0 && !(a >> (position - 1) & 1))
		position--;
	if (position == 0)
		return UINT32_MAX;
	return insn->mode == MODE_SHIFT_AMOUNT ? width - position : position - 1;
}

static uint64_t funnel(const struct ptx_insn *insn, uint64_t a, uint64_t b, uint64_t c)
{
	unsigned n = insn->mode == MODE_CLAMP ? (cut(c, 32) < 32 ? (unsigned)c : 32) : c & 31;
	uint64_t left = n == 32 ? a : (b << n | (n ? cut(a, 32) >> (32 - n) : 0));
	uint64_t right = n == 32 ? b : (cut(a, 32) >> n | (n ? b << (32 - n) : 0));

	return insn->operation == OP_shf_l ? left : right;
}

static bool bits_operation(const struct ptx_insn *insn, const uint64_t *v, unsigned width, bool is_signed,
                           uint64_t *result)
{
	switch (insn->operation) {
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
		*result = cut(v[0], width) ? 0 : 1;
		return true;
	case OP_lop3:
		*result = table3(v[0], v[1], v[2], v[3]);
		return true;
	case OP_shl:
	case OP_shr:
		*result = shifted(insn, v[0], v[1], width, is_signed);
		return true;
	case OP_shf_l:
	case OP_shf_r:
		*result = funnel(insn, v[0], v[1], v[2]);
		return true;
	case OP_bfe:
		*result = field(v[0], v[1], v[2], width, is_signed);
		return true;
	case OP_bfi:
		*result = inserted(v[0], v[1], v[2], v[3], width);
		return true;
	case OP_prmt:
		*result = permuted(v[0], v[1], v[2]);
		return insn->mode == MODE_NONE;
	case OP_popc:
	case OP_clz:
	case OP_brev:
		*result = bit_count(insn, v[0], width);
		return true;
	case OP_bfind:
		*result = found(insn, v[0], width, is_signed);
		return true;
	default:
		return false;
	}
}

/* Four products of bytes, added up. */
static uint64_t byte_products(const struct ptx_insn *insn, const uint64_t *v)
{
	uint64_t sum = v[2];

	for (unsigned i = 0; i < 4; i++) {
		uint64_t a = v[0] >> (8 * i) & 255, b = v[1] >> (8 * i) & 255;
		bool a_signed = ptx_type_is_signed((enum ptx_type)insn->type),
		     b_signed = ptx_type_is_signed((enum ptx_type)insn->source_type);

		sum += (uint64_t)((a_signed ? sign(a, 8) : (int64_t)a) * (b_signed ? sign(b, 8) : (int64_t)b));
	}
	return sum;
}

static bool integer_operation(const struct ptx_insn *insn, const uint64_t *v, uint64_t *result)
{
	enum ptx_type type = (enum ptx_type)insn->type;
	unsigned width = width_of(type);
	bool is_signed = ptx_type_is_signed(type);
	bool less = is_signed ? sign(v[0], width) < sign(v[1], width) : cut(v[0], width) < cut(v[1], width);

	switch (insn->operation) {
	case OP_mov:
	case OP_cvta:
	case OP_cvta_to:
		*result = v[0];
		return true;
	case OP_add:
		*result = v[0] + v[1];
		return true;
	case OP_sub:
		*result = v[0] - v[1];
		return true;
	case OP_mul:
		*result = product(insn, v[0], v[1]);
		return true;
	case OP_mad:
		*result = product(insn, v[0], v[1]) + v[2];
		return true;
	case OP_mul24:
		*result = cut(v[0], 24) * cut(v[1], 24);
		return !is_signed && insn->mode != MODE_HI;
	case OP_div:
		*result = quotient(v[0], v[1], width, is_signed, false);
		return true;
	case OP_rem:
		*result = quotient(v[0], v[1], width, is_signed, true);
		return true;
	case OP_sad:
		*result = (less ? v[1] - v[0] : v[0] - v[1]) + v[2];
		return true;
	case OP_dp4a:
		*result = byte_products(insn, v);
		return true;
	case OP_abs:
		*result = sign(v[0], width) < 0 ? 0 - v[0] : v[0];
		return true;
	case OP_neg:
		*result = 0 - v[0];
		return true;
	case OP_min:
		*result = less ? v[0] : v[1];
		return true;
	case OP_max:
		*result = less ? v[1] : v[0];
		return true;
	default:
		return bits_operation(insn, v, width, is_signed, result);
	}
}

bool interpreter_operation(const struct ptx_insn *insn, const uint64_t *sources, uint64_t *result)
{
	enum ptx_type type = (enum ptx_type)insn->type;
	unsigned width = width_of(type);
	bool done;

	if (insn->operation == OP_cvt)
		return conversion(insn, sources[0], result);
	if (ptx_type_is_float(type) && insn->operation != OP_mov)
		return (type == PTX_f32 || type == PTX_f64) && !insn->saturate && real_operation(insn, sources, result);
	done = !insn->saturate && !insn->carry && integer_operation(insn, sources, result);
	if (insn->mode == MODE_WIDE)
		width *= 2;
	*result = cut(*result, width);
	return done;
}

bool interpreter_compare(const struct ptx_insn *insn, enum ptx_type type, uint64_t a, uint64_t b)
{
	bool equal, less;

	if (ptx_type_is_float(type)) {
		double x = real_of(type, a), y = real_of(type, b);

		if (x != x || y != y)
			return insn->unordered;
		if (insn->compare == COMPARE_UNORDERED)
			return !insn->unordered;
		equal = x == y;
		less = x < y;
	} else {
		unsigned width = width_of(type);

		equal = cut(a, width) == cut(b, width);
		less = ptx_type_is_signed(type) ? sign(a, width) < sign(b, width) : cut(a, width) < cut(b, width);
	}
	switch (insn->compare) {
	case COMPARE_EQ:
		return equal;
	case COMPARE_NE:
		return !equal;
	case COMPARE_LT:
		return less;
	case COMPARE_LE:
		return less || equal;
	case COMPARE_GT:
		return !(less || equal);
	default:
		return !less;
	}
}

bool interpreter_atomic(const struct ptx_insn *insn, uint64_t old, uint64_t operand, uint64_t other, uint64_t *stored)
{
	enum ptx_type type = (enum ptx_type)insn->type;
	struct ptx_insn plain = *insn;
	uint64_t sources[4] = {old, operand, 0, 0};

	plain.mode = MODE_NONE;
	plain.operation = insn->atomic == ATOMIC_ADD   ? OP_add
	                  : insn->atomic == ATOMIC_MIN ? OP_min
	                  : insn->atomic == ATOMIC_MAX ? OP_max
	                  : insn->atomic == ATOMIC_AND ? OP_and
	                  : insn->atomic == ATOMIC_OR  ? OP_or
	                  : insn->atomic == ATOMIC_XOR ? OP_xor
	                                               : OP_mov;
	switch (insn->atomic) {
	case ATOMIC_EXCH:
		*stored = operand;
		return true;
	case ATOMIC_CAS:
		*stored = cut(old, width_of(type)) == cut(operand, width_of(type)) ? other : old;
		return true;
	case ATOMIC_INC:
		*stored = cut(old, 32) >= cut(operand, 32) ? 0 : old + 1;
		return true;
	case ATOMIC_DEC:
		*stored = cut(old, 32) == 0 || cut(old, 32) > cut(operand, 32) ? operand : old - 1;
		return true;
	default:
		return plain.operation != OP_mov && interpreter_operation(&plain, sources, stored);
	}
}
