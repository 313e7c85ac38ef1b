/*
 * Floating point on plain numbers: bit patterns of float and double, as registers hold them. Done where C does what the
 * hardware does.
 */
#include "model/execute/compute/compute.h"

#include <math.h>
#include <string.h>

static float as_single(uint64_t raw)
{
	uint32_t bits = (uint32_t)raw;
	float number;

	memcpy(&number, &bits, sizeof(number));
	return number;
}

static double as_double(uint64_t raw)
{
	double number;

	memcpy(&number, &raw, sizeof(number));
	return number;
}

static uint64_t from_single(float number)
{
	uint32_t bits;

	memcpy(&bits, &number, sizeof(bits));
	return bits;
}

static uint64_t from_double(double number)
{
	uint64_t bits;

	memcpy(&bits, &number, sizeof(bits));
	return bits;
}

static double as_real(enum ptx_type type, uint64_t raw)
{
	return type == PTX_f64 ? as_double(raw) : (double)as_single(raw);
}

bool scalar_is_real(enum ptx_type type)
{
	return type == PTX_f32 || type == PTX_f64;
}

/* Functions that the hardware approximates: C's are as near, if not the same in the last bits. */
static bool single_approximate(const struct ptx_insn *insn, float a, float *result)
{
	switch (insn->operation) {
	case OP_sin_approx:
		*result = sinf(a);
		return true;
	case OP_cos_approx:
		*result = cosf(a);
		return true;
	case OP_lg2_approx:
		*result = log2f(a);
		return true;
	case OP_ex2_approx:
		*result = exp2f(a);
		return true;
	default:
		return false;
	}
}

/* Single-precision operations that plain C computes as the hardware does. */
static bool single_apply(const struct ptx_insn *insn, float a, float b, float c, float *result)
{
	switch (insn->operation) {
	case OP_add:
		*result = a + b;
		return true;
	case OP_sub:
		*result = a - b;
		return true;
	case OP_mul:
		*result = a * b;
		return true;
	case OP_mad:
	case OP_fma:
		*result = fmaf(a, b, c);
		return true;
	case OP_div:
	case OP_div_approx:
		*result = a / b;
		return true;
	case OP_rcp:
	case OP_rcp_approx:
		*result = 1.0f / a;
		return true;
	case OP_sqrt:
	case OP_sqrt_approx:
		*result = sqrtf(a);
		return true;
	case OP_rsqrt_approx:
		*result = 1.0f / sqrtf(a);
		return true;
	case OP_min:
		*result = fminf(a, b);
		return true;
	case OP_max:
		*result = fmaxf(a, b);
		return true;
	case OP_abs:
		*result = fabsf(a);
		return true;
	case OP_neg:
		*result = -a;
		return true;
	case OP_copysign:
		*result = copysignf(b, a);
		return true;
	default:
		return single_approximate(insn, a, result);
	}
}

static bool double_apply(const struct ptx_insn *insn, double a, double b, double c, double *result)
{
	switch (insn->operation) {
	case OP_add:
		*result = a + b;
		return true;
	case OP_sub:
		*result = a - b;
		return true;
	case OP_mul:
		*result = a * b;
		return true;
	case OP_mad:
	case OP_fma:
		*result = fma(a, b, c);
		return true;
	case OP_div:
		*result = a / b;
		return true;
	case OP_rcp:
		*result = 1.0 / a;
		return true;
	case OP_sqrt:
		*result = sqrt(a);
		return true;
	case OP_min:
		*result = fmin(a, b);
		return true;
	case OP_max:
		*result = fmax(a, b);
		return true;
	case OP_abs:
		*result = fabs(a);
		return true;
	case OP_neg:
		*result = -a;
		return true;
	case OP_copysign:
		*result = copysign(b, a);
		return true;
	default:
		return false;
	}
}

/* A product towards zero: that of two floats is exact in double precision. */
static float product_cut(float a, float b)
{
	double exact = (double)a * (double)b;
	float near = (float)exact;

	return fabs((double)near) > fabs(exact) ? nextafterf(near, 0.0f) : near;
}

bool scalar_real(const struct ptx_insn *insn, const uint64_t v[], unsigned count, uint64_t *result)
{
	uint64_t a = v[0], b = count > 1 ? v[1] : 0, c = count > 2 ? v[2] : 0;
	bool exact = insn->mode == MODE_NONE || insn->mode == MODE_RN;
	float single = 0;
	double number = 0;
	bool done;

	if (insn->mode == MODE_RZ && insn->operation == OP_mul && insn->type == PTX_f32 && !insn->saturate) {
		*result = from_single(product_cut(as_single(a), as_single(b)));
		return true;
	}
	if (!exact || insn->saturate)
		return false;
	if (insn->type == PTX_f64) {
		done = double_apply(insn, as_double(a), as_double(b), as_double(c), &number);
		*result = from_double(number);
		return done;
	}
	done = single_apply(insn, as_single(a), as_single(b), as_single(c), &single);
	*result = from_single(single);
	return done;
}

static double round_as(enum ptx_mode mode, double number)
{
	switch (mode) {
	case MODE_RZI:
	case MODE_RZ:
		return trunc(number);
	case MODE_RMI:
	case MODE_RM:
		return floor(number);
	case MODE_RPI:
	case MODE_RP:
		return ceil(number);
	case MODE_RNI:
	case MODE_RN:
		return nearbyint(number);
	default:
		return number;
	}
}

/* Out of range goes to the nearest end of the range, NaN to 0. */
static uint64_t real_to_integer(enum ptx_type type, enum ptx_mode mode, double number)
{
	unsigned bits = plan_type_bits(type);
	double whole = round_as(mode == MODE_NONE ? MODE_RZI : mode, number);
	bool is_signed = ptx_type_is_signed(type);
	double top = ldexp(1.0, (int)(is_signed ? bits - 1 : bits)), bottom = is_signed ? -top : 0.0;

	if (isnan(number))
		return 0;
	if (whole >= top)
		return is_signed ? value_mask(bits - 1) : value_mask(bits);
	if (whole <= bottom)
		return is_signed ? UINT64_C(1) << (bits - 1) : 0;
	return (is_signed ? (uint64_t)(int64_t)whole : (uint64_t)whole) & value_mask(bits);
}

static bool integer_to_real(const struct ptx_insn *insn, uint64_t raw, uint64_t *result)
{
	unsigned bits = plan_type_bits((enum ptx_type)insn->source_type);
	int64_t number = value_signed(raw, bits);
	bool is_signed = ptx_type_is_signed((enum ptx_type)insn->source_type);
	uint64_t magnitude = raw & value_mask(bits);

	if (insn->mode != MODE_NONE && insn->mode != MODE_RN)
		return false;
	if (insn->type == PTX_f64)
		*result = from_double(is_signed ? (double)number : (double)magnitude);
	else
		*result = from_single(is_signed ? (float)number : (float)magnitude);
	return true;
}

static bool real_to_real(const struct ptx_insn *insn, uint64_t raw, uint64_t *result)
{
	double number = as_real((enum ptx_type)insn->source_type, raw);

	if (insn->saturate)
		return false;
	if (insn->mode >= MODE_RNI && insn->mode <= MODE_RPI)
		number = round_as((enum ptx_mode)insn->mode, number);
	else if (insn->mode != MODE_NONE && insn->mode != MODE_RN)
		return false;
	*result = insn->type == PTX_f64 ? from_double(number) : from_single((float)number);
	return true;
}

bool scalar_convert_real(const struct ptx_insn *insn, uint64_t raw, uint64_t *result)
{
	enum ptx_type from = (enum ptx_type)insn->source_type, to = (enum ptx_type)insn->type;
	bool real_from = ptx_type_is_float(from), real_to = ptx_type_is_float(to);

	if ((real_from && !scalar_is_real(from)) || (real_to && !scalar_is_real(to)))
		return false;
	if (real_from && real_to)
		return real_to_real(insn, raw, result);
	if (real_to)
		return integer_to_real(insn, raw, result);
	*result = real_to_integer(to, (enum ptx_mode)insn->mode, as_real(from, raw));
	return true;
}

static bool compare_reals(enum ptx_compare compare, bool unordered, double a, double b)
{
	if (isnan(a) || isnan(b))
		return unordered;
	switch (compare) {
	case COMPARE_EQ:
		return a == b;
	case COMPARE_NE:
		return a != b;
	case COMPARE_LT:
		return a < b;
	case COMPARE_LE:
		return a <= b;
	case COMPARE_GT:
		return a > b;
	case COMPARE_GE:
		return a >= b;
	case COMPARE_UNORDERED:
		return !unordered;
	default:
		return false;
	}
}

bool scalar_compare_real(const struct ptx_insn *insn, enum ptx_type type, uint64_t a, uint64_t b)
{
	return compare_reals((enum ptx_compare)insn->compare, insn->unordered, as_real(type, a), as_real(type, b));
}
