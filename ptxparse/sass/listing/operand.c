/*
 * Operands as nvdisasm prints them: R2, -R3.reuse, |R4|, ~R5, UR6, !P0, 0x10, -1.5, +INF , c[0x0][0x210],
 * desc[UR4][R2.64+UR6+0x8], SR_TID.X, B0, a symbol. What is none of the known forms is SASS_OTHER, with its text.
 */
#include "ptxparse/sass/listing/listing.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Numbers of registers that stand for zero and for true. */
#define MOST_REGISTER 254

/* Reads digits; returns what follows them, or NULL where there are none or the number is above `most`. */
static const char *number_read(const char *text, unsigned most, unsigned *number)
{
	char *end;
	unsigned long value;

	if (!isdigit((unsigned char)*text))
		return NULL;
	value = strtoul(text, &end, 10);
	*number = (unsigned)value;
	return value <= most ? end : NULL;
}

/* Reads "R12", "UR4", "RZ", "P0", "UPT", ... Returns what follows, or NULL. */
static const char *register_read(const char *text, uint16_t *key)
{
	bool uniform = text[0] == 'U';
	const char *at = text + uniform, *end = NULL;
	unsigned number = 0;

	if (at[0] == 'R' && at[1] == 'Z') {
		*key = KEY_ZERO;
		end = at + 2;
	} else if (at[0] == 'P' && at[1] == 'T') {
		*key = KEY_TRUE;
		end = at + 2;
	} else if (at[0] == 'R') {
		end = number_read(at + 1, MOST_REGISTER, &number);
		*key = (uint16_t)((uniform ? KEY_UNIFORMS : KEY_REGISTERS) + number);
	} else if (at[0] == 'P') {
		end = number_read(at + 1, 6, &number);
		*key = (uint16_t)((uniform ? KEY_UNIFORM_PREDICATES : KEY_PREDICATES) + number);
	}
	return end && (*end == 0 || strchr(".|+]-, ", *end)) ? end : NULL;
}

static bool has_suffix(const char *text, const char *suffix)
{
	const char *found = strstr(text, suffix);
	size_t length = strlen(suffix);

	return found && (found[length] == 0 || found[length] == '.' || found[length] == '|');
}

static bool names_part(const char *suffixes)
{
	static const char *const parts[] = {".H0", ".H1", ".H0_H0", ".H1_H1", ".H0_NH1", ".B0", ".B1", ".B2", ".B3"};

	for (size_t i = 0; i < ARRAY_COUNT(parts); i++)
		if (has_suffix(suffixes, parts[i]))
			return true;
	return false;
}

/* "0x1f", "-0x4": 32 or 64 bits. Returns what follows, or NULL. */
static const char *hexadecimal_read(const char *text, int64_t *value)
{
	bool negative = *text == '-';
	const char *digits = text + (negative || *text == '+');
	char *end;
	uint64_t number;

	if (digits[0] != '0' || digits[1] != 'x')
		return NULL;
	number = strtoull(digits, &end, 16);
	*value = (int64_t)(negative ? -number : number);
	return end;
}

static bool real_read(const char *text, double *real)
{
	bool negative = *text == '-';
	const char *digits = text + (negative || *text == '+');
	char *end;

	if (strncmp(digits, "INF", 3) == 0)
		*real = INFINITY;
	else if (strncmp(digits, "QNAN", 4) == 0 || strncmp(digits, "SNAN", 4) == 0)
		*real = NAN;
	else if (!isdigit((unsigned char)*digits))
		return false;
	else
		*real = strtod(digits, &end);
	if (negative)
		*real = -*real;
	return true;
}

/* ---- addresses ------------------------------------------------------------------------ */

static unsigned scale_of(const char *text, size_t length)
{
	static const struct {
		const char *text;
		unsigned shift;
	} scales[] = {{".X4", 2}, {".X8", 3}, {".X16", 4}};

	for (size_t i = 0; i < ARRAY_COUNT(scales); i++) {
		size_t size = strlen(scales[i].text);

		for (size_t at = 0; at + size <= length; at++)
			if (memcmp(text + at, scales[i].text, size) == 0)
				return scales[i].shift;
	}
	return 0;
}

/* One summand of an address: a register or a number. Returns what follows, or NULL. */
static const char *term_read(const char *text, struct sass_operand *operand)
{
	struct sass_term term = {0};
	const char *end = register_read(text, &term.key);
	size_t length;
	int64_t number;

	if (!end) {
		end = hexadecimal_read(text, &number);
		if (end)
			operand->value += number;
		return end;
	}
	length = strcspn(end, "+]");
	term.shift = (uint8_t)scale_of(end, length);
	term.wide = length >= 3 && memmem(end, length, ".64", 3);
	term.narrow = length >= 4 && memmem(end, length, ".U32", 4);
	if (term.key != KEY_ZERO) {
		if (operand->term_count == ARRAY_COUNT(operand->terms))
			return NULL;
		operand->terms[operand->term_count++] = term;
	}
	return end + length;
}

/* What stands between the last brackets; text is after the opening one. */
static void address_read(const char *text, struct sass_operand *operand)
{
	operand->kind = SASS_ADDRESS;
	while (text && *text && *text != ']') {
		if (*text == '+')
			text++;
		text = term_read(text, operand);
	}
	if (!text)
		operand->kind = SASS_OTHER;
}

/* c[0x0][0x210], c[0x2][R0+0xc], c[0x0][RZ]; text is after "c[". */
static void bank_read(const char *text, struct sass_operand *operand)
{
	int64_t bank;
	const char *end = hexadecimal_read(text, &bank);
	struct sass_operand inside = {0};

	if (!end || end[0] != ']' || end[1] != '[' || bank < 0 || bank > 31)
		return;
	address_read(end + 2, &inside);
	if (inside.kind != SASS_ADDRESS || inside.term_count > 1)
		return;
	operand->kind = SASS_BANK;
	operand->bank = (uint8_t)bank;
	operand->value = inside.value;
	operand->key = inside.term_count ? inside.terms[0].key : KEY_NONE;
}

static void bracket_read(const char *text, struct sass_operand *operand)
{
	const char *last = strrchr(text, '[');

	if (strncmp(text, "c[", 2) == 0)
		bank_read(text + 2, operand);
	else if (*text == '[' || strncmp(text, "desc[", 5) == 0 || strncmp(text, "gdesc[", 6) == 0)
		address_read(last + 1, operand);
}

/* ---- operands ---------------------------------------------------------------------------- */

/* Reads the signs before a register. */
static const char *signs_read(const char *text, struct sass_operand *operand)
{
	for (;; text++) {
		switch (*text) {
		case '-':
			operand->negated = true;
			break;
		case '+':
			break;
		case '~':
		case '!':
			operand->inverted = true;
			break;
		case '|':
			operand->absolute = true;
			break;
		default:
			return text;
		}
	}
}

static void operand_read(const char *text, struct sass_operand *operand)
{
	const char *body, *end;

	*operand = (struct sass_operand){.kind = SASS_OTHER, .key = KEY_NONE, .text = text};
	end = hexadecimal_read(text, &operand->value);
	if (end && *end == 0) {
		operand->kind = SASS_INTEGER;
		return;
	}
	if (real_read(text, &operand->real)) {
		operand->kind = SASS_REAL;
		return;
	}
	body = signs_read(text, operand);
	end = register_read(body, &operand->key);
	if (end) {
		operand->kind = SASS_REGISTER;
		operand->part = names_part(end);
		operand->wide = has_suffix(end, ".64");
	} else if (strchr(body, '[')) {
		bracket_read(body, operand);
	}
}

/* Whether the text up to `length` is a register, so that a bracket after it begins another operand, as after an
 * address. */
static bool is_register(struct arena *arena, const char *text, size_t length)
{
	struct sass_operand operand;

	if (length == 0 || length > 16)
		return false;
	operand_read(arena_strndup(arena, text, length), &operand);
	return operand.kind == SASS_REGISTER;
}

static size_t operand_length(struct arena *arena, const char *text)
{
	size_t length = 0;
	unsigned depth = 0;

	while (text[length] && (text[length] != ',' || depth)) {
		if (text[length] == '[' && depth == 0 &&
		    (is_register(arena, text, length) || (length && text[0] == '[')))
			break;
		depth += text[length] == '[';
		depth -= text[length] == ']' && depth;
		length++;
	}
	return length;
}

void listing_operands_read(struct arena *arena, const char *text, struct sass_insn *insn)
{
	struct sass_operand operands[SASS_OPERANDS];

	while (*text) {
		size_t length;

		text += strspn(text, " ");
		length = operand_length(arena, text);
		if (insn->operand_count < SASS_OPERANDS)
			operand_read(arena_strndup(arena, text, length), &operands[insn->operand_count++]);
		text += length + (text[length] == ',');
	}
	insn->operands = arena_array(arena, SASS_OPERANDS, sizeof(*operands));
	memcpy(insn->operands, operands, insn->operand_count * sizeof(*operands));
}

bool listing_guard_read(const char *text, struct sass_insn *insn)
{
	struct sass_operand operand;

	operand_read(text + (*text == '@'), &operand);
	if (operand.kind != SASS_REGISTER || operand.key < KEY_PREDICATES)
		return false;
	insn->guard = operand.key;
	insn->guard_negated = operand.inverted;
	insn->guarded = operand.key != KEY_TRUE || operand.inverted;
	return true;
}
