/*
 * Numbers and constant expressions (PTX ISA 9.0, section 4.5): integers of 64 bits, signed unless one operand is
 * unsigned; floating-point constants as bit patterns or decimals, of which sums and products are doubles.
 */
#include <stdlib.h>
#include <string.h>

#include "ptxparse/text/builders.h"
#include "ptxparse/text/parser.h"

/* ---- numbers ------------------------------------------------------------------------ */

static unsigned digit_value(char c)
{
	return c <= '9' ? (unsigned)(c - '0') : (unsigned)(c | 32) - 'a' + 10;
}

/* Digits of a base into value; false when they are none of that base or too many for 64 bits. */
static bool digits_read(uint64_t *value, const char *text, size_t length, unsigned base)
{
	*value = 0;
	for (size_t i = 0; i < length; i++) {
		unsigned digit = digit_value(text[i]);
		if (digit >= base || *value > (UINT64_MAX - digit) / base)
			return false;
		*value = *value * base + digit;
	}
	return length > 0;
}

bool ptx_constant_read_integer(struct ptx_constant *constant, const char *text, size_t length)
{
	bool is_unsigned = text[length - 1] == 'U';
	unsigned base = 10;
	uint64_t value;
	length -= is_unsigned;
	if (length > 2 && text[0] == '0' && strchr("xXbB", text[1])) {
		base = (text[1] | 32) == 'x' ? 16 : 2;
		text += 2;
		length -= 2;
	} else if (length > 1 && text[0] == '0') {
		base = 8;
	}
	if (!digits_read(&value, text, length, base))
		return false;
	*constant =
		(struct ptx_constant){is_unsigned || value > INT64_MAX ? CONSTANT_UNSIGNED : CONSTANT_SIGNED, value};
	return true;
}

static bool decimal_read(struct ptx_constant *constant, const char *text, size_t length)
{
	char copy[64];
	double value;
	if (length >= sizeof copy)
		return false;
	memcpy(copy, text, length);
	copy[length] = 0;
	value = strtod(copy, NULL);
	constant->kind = CONSTANT_DOUBLE;
	memcpy(&constant->bits, &value, sizeof value);
	return true;
}

bool ptx_constant_read_real(struct ptx_constant *constant, const char *text, size_t length)
{
	if (length < 2 || !strchr("fFdD", text[1]))
		return decimal_read(constant, text, length);
	constant->kind = (text[1] | 32) == 'f' ? CONSTANT_SINGLE : CONSTANT_DOUBLE;
	return digits_read(&constant->bits, text + 2, length - 2, 16);
}

/* ---- floating-point bits ------------------------------------------------------------------- */

static uint64_t single_to_double(uint64_t bits)
{
	uint32_t word = (uint32_t)bits;
	float single;
	double value;
	memcpy(&single, &word, sizeof single);
	value = single;
	memcpy(&bits, &value, sizeof bits);
	return bits;
}

static uint64_t double_to_single(uint64_t bits)
{
	uint32_t word;
	double value;
	float single;
	memcpy(&value, &bits, sizeof value);
	single = (float)value;
	memcpy(&word, &single, sizeof word);
	return word;
}

/* ---- expressions ----------------------------------------------------------------------- */

static bool is_real(struct ptx_constant constant)
{
	return constant.kind == CONSTANT_SINGLE || constant.kind == CONSTANT_DOUBLE;
}

static uint64_t divide(struct ptx_parser *parser, int operator, struct ptx_constant left, struct ptx_constant right,
                       bool is_unsigned)
{
	int64_t a = (int64_t)left.bits, b = (int64_t)right.bits;
	if (right.bits == 0) {
		ptx_error_here(parser, "division by zero");
		return 0;
	}
	if (is_unsigned)
		return operator== '/' ? left.bits / right.bits : left.bits % right.bits;
	if (b == -1)
		return operator== '/' ? 0 - left.bits : 0;
	return (uint64_t)(operator== '/' ? a / b : a % b);
}

static uint64_t shift(int operator, struct ptx_constant left, uint64_t count)
{
	bool negative = left.kind == CONSTANT_SIGNED && (int64_t)left.bits < 0;
	if (operator== SHIFT_LEFT)
		return count > 63 ? 0 : left.bits << count;
	if (count > 63)
		return negative ? UINT64_MAX : 0;
	return left.bits >> count | (negative && count ? UINT64_MAX << (64 - count) : 0);
}

static bool less(struct ptx_constant left, struct ptx_constant right, bool is_unsigned)
{
	return is_unsigned ? left.bits < right.bits : (int64_t)left.bits < (int64_t)right.bits;
}

static uint64_t binary_bits(struct ptx_parser *parser, int operator, struct ptx_constant a, struct ptx_constant b,
                            bool is_unsigned)
{
	switch (operator) {
	case '+':
		return a.bits + b.bits;
	case '-':
		return a.bits - b.bits;
	case '*':
		return a.bits * b.bits;
	case '/':
	case '%':
		return divide(parser, operator, a, b, is_unsigned);
	case '&':
		return a.bits & b.bits;
	case '|':
		return a.bits | b.bits;
	case '^':
		return a.bits ^ b.bits;
	case SHIFT_LEFT:
	case SHIFT_RIGHT:
		return shift(operator, a, b.bits);
	case '<':
		return less(a, b, is_unsigned);
	case '>':
		return less(b, a, is_unsigned);
	case LESS_EQUAL:
		return !less(b, a, is_unsigned);
	case GREATER_EQUAL:
		return !less(a, b, is_unsigned);
	case EQUAL:
		return a.bits == b.bits;
	case NOT_EQUAL:
		return a.bits != b.bits;
	case AND:
		return a.bits && b.bits;
	case OR:
		return a.bits || b.bits;
	default:
		bug("no such operator in a constant expression: %d", operator);
	}
}

static bool gives_truth(int operator)
{
	return operator== '<' || operator== '>' || operator== LESS_EQUAL || operator== GREATER_EQUAL || operator==
		EQUAL ||
		operator== NOT_EQUAL ||
		operator== AND ||
		operator== OR;
}

static double real_value(struct ptx_constant constant)
{
	uint64_t bits = constant.kind == CONSTANT_SINGLE ? single_to_double(constant.bits) : constant.bits;
	double value;
	memcpy(&value, &bits, sizeof value);
	if (constant.kind == CONSTANT_SIGNED)
		return (double)(int64_t)constant.bits;
	return constant.kind == CONSTANT_UNSIGNED ? (double)constant.bits : value;
}

static struct ptx_constant real_binary(struct ptx_parser *parser, int operator, struct ptx_constant left,
                                       struct ptx_constant right)
{
	double a = real_value(left), b = real_value(right), value = 0;
	switch (operator) {
	case '+':
		value = a + b;
		break;
	case '-':
		value = a - b;
		break;
	case '*':
		value = a * b;
		break;
	case '/':
		value = a / b;
		break;
	default:
		ptx_error_here(parser, "an operator that floating-point constants do not have");
		break;
	}
	left.kind = CONSTANT_DOUBLE;
	memcpy(&left.bits, &value, sizeof value);
	return left;
}

struct ptx_constant ptx_constant_binary(struct ptx_parser *parser, int operator, struct ptx_constant left,
                                        struct ptx_constant right)
{
	bool shifts = operator== SHIFT_LEFT || operator== SHIFT_RIGHT;
	bool is_unsigned = left.kind == CONSTANT_UNSIGNED || (!shifts && right.kind == CONSTANT_UNSIGNED);
	if (is_real(left) || is_real(right))
		return real_binary(parser, operator, left, right);
	left.bits = binary_bits(parser, operator, left, right, is_unsigned);
	left.kind = is_unsigned && !gives_truth(operator) ? CONSTANT_UNSIGNED : CONSTANT_SIGNED;
	return left;
}

struct ptx_constant ptx_constant_unary(struct ptx_parser *parser, int operator, struct ptx_constant value)
{
	if (operator== '-' && is_real(value))
		value.bits ^= value.kind == CONSTANT_SINGLE ? (uint64_t)1 << 31 : (uint64_t)1 << 63;
	else if (is_real(value))
		ptx_error_here(parser, "an operator that floating-point constants do not have");
	else if (operator== '-')
		value = (struct ptx_constant){CONSTANT_SIGNED, 0 - value.bits};
	else if (operator== '~')
		value.bits = ~value.bits;
	else
		value = (struct ptx_constant){CONSTANT_SIGNED, !value.bits};
	return value;
}

struct ptx_constant ptx_constant_choose(struct ptx_constant condition, struct ptx_constant yes, struct ptx_constant no)
{
	return condition.bits ? yes : no;
}

struct ptx_constant ptx_constant_cast(const struct ptx_token *type, struct ptx_constant value)
{
	if (!is_real(value))
		value.kind = type->name->type == PTX_u64 ? CONSTANT_UNSIGNED : CONSTANT_SIGNED;
	return value;
}

/* ---- constants in objects ------------------------------------------------------------------ */

uint64_t ptx_constant_as(struct ptx_constant constant, enum ptx_type type)
{
	if (constant.kind == CONSTANT_SINGLE && type == PTX_f64)
		return single_to_double(constant.bits);
	if (constant.kind == CONSTANT_DOUBLE && type == PTX_f32)
		return double_to_single(constant.bits);
	return constant.bits;
}
