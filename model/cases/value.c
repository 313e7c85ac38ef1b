/*
 * Values as users write them: 3, 1<<20, 64*1024, 1M, 4K, 0.5, true. Typed by what they are for.
 *
 * K, M and G behind a number are powers of 1024. Operators bind as in C.
 */
#include "model/cases/cases.h"

#include <errno.h>
#include <float.h>
#include <stdlib.h>
#include <string.h>

/* ---- integer expressions ------------------------------------------------------ */

struct value_reader {
	const char *next;
	bool good;
};
static const struct operator_row {
	const char *spelling;
	unsigned precedence;
} operator_rows[] = {{"|", 1}, {"^", 2}, {"&", 3}, {"<<", 4}, {">>", 4},
                     {"+", 5}, {"-", 5}, {"*", 6}, {"/", 6},  {"%", 6}};

static int64_t expression_read(struct value_reader *reader, unsigned least);

static void blanks_skip(struct value_reader *reader)
{
	reader->next += strspn(reader->next, " \t");
}

static bool scaled(int64_t *value, char suffix)
{
	const char *scales = "KMG",
		   *scale = suffix ? strchr(scales, suffix >= 'a' ? suffix - 'a' + 'A' : suffix) : NULL;
	if (!scale)
		return false;
	for (const char *step = scales; step <= scale; step++)
		if (__builtin_mul_overflow(*value, (int64_t)1024, value))
			return false;
	return true;
}

/* A number; 1e6 is one as well, where it is whole. */
static int64_t number_read(struct value_reader *reader)
{
	char *end, *real_end;
	errno = 0;
	long long number = strtoll(reader->next, &end, 0);
	double real = strtod(reader->next, &real_end);
	bool is_real = real_end > end && strncmp(reader->next, "0x", 2) != 0;
	if (is_real && real == (double)(int64_t)real) {
		number = (long long)real;
		end = real_end;
	}
	int64_t value = number;
	reader->good = reader->good && end != reader->next && errno == 0;
	reader->next = end;
	if (scaled(&value, *reader->next))
		reader->next++;
	return value;
}

static int64_t primary_read(struct value_reader *reader)
{
	blanks_skip(reader);
	char first = *reader->next;
	if (first != '(' && first != '-' && first != '~' && first != '+')
		return number_read(reader);
	reader->next++;
	if (first != '(') {
		int64_t operand = primary_read(reader);
		return first == '-' ? -operand : first == '~' ? ~operand : operand;
	}
	int64_t value = expression_read(reader, 1);
	blanks_skip(reader);
	reader->good = reader->good && *reader->next == ')';
	reader->next += *reader->next == ')';
	return value;
}

static const struct operator_row *operator_at(struct value_reader *reader)
{
	blanks_skip(reader);
	for (size_t i = 0; i < ARRAY_COUNT(operator_rows); i++)
		if (strncmp(reader->next, operator_rows[i].spelling, strlen(operator_rows[i].spelling)) == 0)
			return &operator_rows[i];
	return NULL;
}

static bool shift(char first, int64_t left, int64_t right, int64_t *result)
{
	if (right < 0 || right > 62)
		return false;
	*result = left >> right;
	return first == '>' || !__builtin_mul_overflow(left, (int64_t)1 << right, result);
}

static bool apply(char first, int64_t left, int64_t right, int64_t *result)
{
	switch (first) {
	case '+':
		return !__builtin_add_overflow(left, right, result);
	case '-':
		return !__builtin_sub_overflow(left, right, result);
	case '*':
		return !__builtin_mul_overflow(left, right, result);
	case '/':
	case '%':
		if (right == 0 || (right == -1 && left == INT64_MIN))
			return false;
		*result = first == '/' ? left / right : left % right;
		return true;
	case '&':
		*result = left & right;
		return true;
	case '|':
		*result = left | right;
		return true;
	case '^':
		*result = left ^ right;
		return true;
	default:
		return shift(first, left, right, result);
	}
}

static int64_t expression_read(struct value_reader *reader, unsigned least)
{
	int64_t value = primary_read(reader);
	const struct operator_row *row;
	while (reader->good && (row = operator_at(reader)) && row->precedence >= least) {
		reader->next += strlen(row->spelling);
		int64_t right = expression_read(reader, row->precedence + 1);
		reader->good = reader->good && apply(row->spelling[0], value, right, &value);
	}
	return value;
}

bool case_integer_parse(const char *text, int64_t *value)
{
	struct value_reader reader = {text, true};
	*value = expression_read(&reader, 1);
	blanks_skip(&reader);
	return reader.good && *reader.next == '\0';
}

/* ---- typed values -------------------------------------------------------------- */

static bool is_bool(const struct type *type)
{
	return strcmp(type->spelling, "bool") == 0;
}

int64_t case_real_bits(double value, uint64_t size_bytes)
{
	int64_t bits = 0;
	float narrow = (float)value;
	if (size_bytes == sizeof narrow)
		memcpy(&bits, &narrow, sizeof narrow);
	else
		memcpy(&bits, &value, sizeof value);
	return bits;
}

static const char *real_parse(const char *text, const struct type *type, int64_t *bits)
{
	char *end;
	int64_t whole;
	double value = strtod(text, &end);
	if (end != text && (strcmp(end, "f") == 0 || strcmp(end, "F") == 0))
		end++;
	if (end == text || *end) {
		if (!case_integer_parse(text, &whole))
			return "not a number";
		value = (double)whole;
	}
	*bits = case_real_bits(value, type->size_bytes);
	return type->size_bytes == sizeof(float) && (value > FLT_MAX || value < -FLT_MAX) ? "beyond a float" : NULL;
}

static bool fits(int64_t value, const struct type *type)
{
	unsigned bits = (unsigned)(type->size_bytes * 8);
	if (bits >= 64)
		return type->scalar != SCALAR_UNSIGNED || value >= 0;
	if (type->scalar == SCALAR_UNSIGNED)
		return value >= 0 && value < (int64_t)1 << bits;
	return value >= -((int64_t)1 << (bits - 1)) && value < (int64_t)1 << (bits - 1);
}

const char *case_value_parse(struct arena *arena, const char *text, const struct type *type, int64_t *value)
{
	bool is_true = strcmp(text, "true") == 0, is_false = strcmp(text, "false") == 0;
	if (type->record || type->scalar == SCALAR_OTHER || type->scalar == SCALAR_POINTER)
		return arena_printf(arena, "%s is no number", type->spelling);
	if (type->scalar == SCALAR_FLOAT)
		return real_parse(text, type, value);
	*value = is_true;
	if (!is_true && !is_false && !case_integer_parse(text, value))
		return is_bool(type) ? "neither true nor false" : "not an integer";
	if (is_bool(type))
		return *value == 0 || *value == 1 ? NULL : "neither true nor false";
	return fits(*value, type) ? NULL : arena_printf(arena, "beyond what %s holds", type->spelling);
}
