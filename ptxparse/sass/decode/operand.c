/*
 * Operands: the bits of a slot become what sass_insn holds.
 */
#include "ptxparse/sass/decode/form.h"

#include <math.h>
#include <string.h>

/* ---- whether it is there ---- */

static uint64_t slot_number(const struct decode_slot *slot, const struct decode_bits *bits)
{
	return decode_number(bits, slot->at, slot->width ? slot->width : 1) ^ (slot->flipped ? 7 : 0);
}

static bool holds_default(const struct decode_slot *slot, const struct decode_bits *bits)
{
	uint64_t number = slot_number(slot, bits), ones = (UINT64_C(1) << (slot->width & 63)) - 1;
	bool not = slot->not != NO_BIT && decode_bit(bits, slot->not );

	switch ((enum decode_default)slot->absent) {
	case DEFAULT_TRUE:
		return number == ones && !not ;
	case DEFAULT_NOT_TRUE:
		return number == ones && not ;
	case DEFAULT_NUMBER:
		return number == slot->absent_number;
	default:
		return false;
	}
}

static bool is_present(const struct decode_slot *slot, const struct decode_bits *bits)
{
	bool when = true;

	for (unsigned i = 0; i < ARRAY_COUNT(slot->when); i++)
		when = when && (slot->when[i] == NO_BIT || decode_bit(bits, slot->when[i]) != slot->when_clear[i]);
	if (slot->absent == DEFAULT_NONE)
		return when;
	return slot->join == JOIN_OR ? when || !holds_default(slot, bits) : when && !holds_default(slot, bits);
}

/* ---- registers ---- */

static bool flag_holds(uint8_t flag, const struct decode_bits *bits)
{
	return flag != NO_BIT && decode_bit(bits, flag);
}

static uint16_t uniform_key(const struct decode *decode, unsigned number)
{
	return (uint16_t)(number == (1u << decode->uniform_width) - 1 ? KEY_ZERO : KEY_UNIFORMS + number);
}

static uint16_t register_key(unsigned number)
{
	return (uint16_t)(number == 255 ? KEY_ZERO : KEY_REGISTERS + number);
}

static void register_decode(const struct decode *decode, const struct decode_slot *slot, unsigned number,
                            struct sass_operand *operand)
{
	operand->kind = SASS_REGISTER;
	operand->uniform = slot->kind == 'U' || slot->kind == 'Q';
	if (slot->kind == 'R')
		operand->key = register_key(number);
	else if (slot->kind == 'U')
		operand->key = uniform_key(decode, number);
	else if (number == 7)
		operand->key = KEY_TRUE;
	else
		operand->key = (uint16_t)((operand->uniform ? KEY_UNIFORM_PREDICATES : KEY_PREDICATES) + number);
}

/* ---- floating-point immediates ---- */

static double quiet(bool negative)
{
	return negative ? -(double)NAN : (double)NAN;
}

static double single_read(uint32_t bits)
{
	float single;

	memcpy(&single, &bits, sizeof(single));
	return isnan(single) ? quiet(bits >> 31) : (double)single;
}

static double double_read(uint32_t high)
{
	uint64_t bits = (uint64_t)high << 32;
	double real;

	memcpy(&real, &bits, sizeof(real));
	return isnan(real) ? quiet(high >> 31) : real;
}

static double half_read(unsigned bits)
{
	int exponent = (int)(bits >> 10 & 31);
	double fraction = bits & 0x3ff, size;

	if (exponent == 31)
		size = fraction != 0 ? (double)NAN : (double)INFINITY;
	else
		size = exponent ? ldexp(1024 + fraction, exponent - 25) : ldexp(fraction, -24);
	return bits >> 15 ? -size : size;
}

static double real_decode(const struct decode *decode, const struct decode_slot *slot, const struct decode_bits *bits)
{
	switch (slot->kind) {
	case 'F':
		return decode->doubled ? double_read((uint32_t)decode_number(bits, slot->at, 32))
		                       : single_read((uint32_t)decode_number(bits, slot->at, 32));
	case 'D':
		return double_read((uint32_t)decode_number(bits, slot->at, 32));
	default:
		return decode->brain ? single_read((uint32_t)decode_number(bits, slot->at, 16) << 16)
		                     : half_read((unsigned)decode_number(bits, slot->at, 16));
	}
}

/* ---- constant banks and addresses ---- */

/* C: words, at bit 40; E: bytes, at bit 38. With bit 91 set cx[uniform register][offset] instead of c[bank][offset]. */
static void bank_decode(struct decode *decode, const struct decode_slot *slot, const struct decode_bits *bits,
                        struct sass_operand *operand)
{
	int64_t offset =
		decode_signed(decode_number(bits, 38, 16), 16) & (slot->kind == 'C' ? ~INT64_C(3) : ~INT64_C(0));

	if (decode_bit(bits, 91)) {
		uint16_t key = uniform_key(decode, (unsigned)decode_number(bits, slot->at, decode->uniform_width));
		const char *name = key == KEY_ZERO ? "Z" : arena_printf(decode->arena, "%u", key - KEY_UNIFORMS);

		operand->text = arena_printf(decode->arena, "cx[UR%s][0x%x]", name, (unsigned)(offset & 0xffff));
		return;
	}
	operand->kind = SASS_BANK;
	operand->bank = (uint8_t)decode_number(bits, 54, 5);
	operand->value = offset;
	operand->key = KEY_NONE;
}

/* c[bank][register + offset]: L a register, l a uniform one. */
static void indexed_bank_decode(const struct decode *decode, const struct decode_slot *slot,
                                const struct decode_bits *bits, struct sass_operand *operand)
{
	unsigned number = (unsigned)decode_number(bits, slot->at, slot->kind == 'L' ? 8 : decode->uniform_width);
	uint16_t key = slot->kind == 'L' ? register_key(number) : uniform_key(decode, number);
	unsigned at = slot->width ? slot->width : 38;

	operand->kind = SASS_BANK;
	operand->bank = (uint8_t)decode_number(bits, 54, 5);
	operand->value = decode_signed(decode_number(bits, at, 54 - at), 54 - at);
	operand->uniform = slot->kind == 'l';
	operand->key = key == KEY_ZERO && operand->value ? KEY_NONE : key;
}

static void term_add(struct sass_operand *operand, struct sass_term term)
{
	if (term.key != KEY_ZERO)
		operand->terms[operand->term_count++] = term;
}

/* Of a matrix in shared memory. */
static void descriptor_decode(const struct decode *decode, const struct decode_slot *slot,
                              const struct decode_bits *bits, struct sass_operand *operand)
{
	operand->kind = SASS_ADDRESS;
	operand->text = "gdesc";
	term_add(operand, (struct sass_term){.key = uniform_key(decode, (unsigned)slot_number(slot, bits))});
	operand->uniform = operand->term_count == 0;
}

static void address_decode(const struct decode *decode, const struct decode_slot *slot, const struct decode_bits *bits,
                           struct sass_operand *operand)
{
	bool described = flag_holds(slot->address.descriptor, bits);
	bool uniform = slot->address.uniform != NO_BIT &&
	               (slot->address.uniform_when == NO_BIT || decode_bit(bits, slot->address.uniform_when));
	bool wide = flag_holds(slot->address.wide, bits),
	     sized = slot->address.wide != NO_BIT && (uniform || slot->address.uniform == NO_BIT);
	uint16_t key = 0;

	operand->kind = SASS_ADDRESS;
	operand->key = KEY_NONE;
	if (slot->address.uniform != NO_BIT)
		key = uniform_key(decode, (unsigned)decode_number(bits, slot->address.uniform, decode->uniform_width));
	if (slot->address.base != NO_BIT) {
		struct sass_term term = {register_key((unsigned)decode_number(bits, slot->address.base, 8)), 0,
		                         sized && wide, sized && !wide};

		if (slot->address.scale != NO_BIT && decode_number(bits, slot->address.scale, 2))
			term.shift = (uint8_t)(1 + decode_number(bits, slot->address.scale, 2));
		term_add(operand, term);
		operand->narrow_zero = term.key == KEY_ZERO && term.narrow;
	}
	if (uniform && described)
		operand->descriptor = decode->architecture >= 90 ? key : KEY_NONE;
	else if (uniform)
		term_add(operand, (struct sass_term){.key = key});
	operand->uniform = uniform && !described && key == KEY_ZERO;
	if (slot->address.offset != NO_BIT)
		operand->value = decode_signed(decode_number(bits, slot->address.offset, slot->address.offset_width),
		                               slot->address.offset_width);
}

/* ---- branch targets ---- */

/* Offsets count words of four bytes; since sm_90 the low eight bits of long ones stand in bits 16 to 23. */
static int64_t branch_offset(const struct decode_slot *slot, const struct decode_bits *bits)
{
	uint64_t offset = decode_number(bits, 34, slot->width);
	unsigned width = slot->width;

	if (slot->low_part && width > 32) {
		offset = offset << 8 | decode_number(bits, 16, 8);
		width += 8;
	}
	return 4 * decode_signed(offset, width);
}

static void target_decode(const struct decode_slot *slot, const struct decode_bits *bits, uint32_t address,
                          struct sass_operand *operand)
{
	operand->kind = SASS_INTEGER;
	if (slot->kind == 'W') {
		operand->value = decode_signed(decode_number(bits, 24, 58), 58) + address + SASS_INSN_BYTES;
		return;
	}
	operand->value = branch_offset(slot, bits) + (slot->kind == 'Y' ? (int64_t)address + SASS_INSN_BYTES : 0);
}

/* ---- one operand ---- */

static enum decode_outcome choice_decode(const struct decode_slot *slot, const struct decode_bits *bits,
                                         const char **text)
{
	unsigned value = decode_field_read(bits, &slot->field);

	if (value >= slot->table->count || slot->table->texts[value][0] == '?')
		return OUTCOME_UNKNOWN;
	*text = slot->table->texts[value][0] ? slot->table->texts[value] : NULL;
	return *text ? OUTCOME_PRESENT : OUTCOME_ABSENT;
}

static enum decode_outcome named_decode(struct decode *decode, const struct decode_slot *slot,
                                        const struct decode_bits *bits, struct sass_operand *operand)
{
	unsigned number = (unsigned)slot_number(slot, bits);

	if (slot->kind == 'T')
		return choice_decode(slot, bits, &operand->text);
	if (slot->kind == 'N') {
		operand->text = intern_text(decode->texts, slot->text, slot->text_length);
		return OUTCOME_PRESENT;
	}
	operand->text = arena_printf(decode->arena, "%s%u", slot->kind == 'B' ? "B" : "SB", number);
	return OUTCOME_PRESENT;
}

static void integer_decode(const struct decode_slot *slot, const struct decode_bits *bits, struct sass_operand *operand)
{
	uint64_t number = slot->kind == 'K' ? decode_field_read(bits, &slot->field) : slot_number(slot, bits);

	operand->kind = SASS_INTEGER;
	operand->value = slot->kind == 'J' ? decode_signed(number, slot->width) : (int64_t)number;
	operand->wide = slot->width == 64;
}

static enum decode_outcome body_decode(struct decode *decode, const struct decode_slot *slot,
                                       const struct decode_bits *bits, uint32_t address, struct sass_operand *operand)
{
	switch (slot->kind) {
	case 'R':
	case 'U':
	case 'P':
	case 'Q':
		register_decode(decode, slot, (unsigned)slot_number(slot, bits), operand);
		break;
	case 'I':
	case 'J':
	case 'K':
		integer_decode(slot, bits, operand);
		break;
	case 'F':
	case 'D':
	case 'H':
		operand->kind = SASS_REAL;
		operand->real = real_decode(decode, slot, bits);
		break;
	case 'C':
	case 'E':
		bank_decode(decode, slot, bits, operand);
		break;
	case 'L':
	case 'l':
		indexed_bank_decode(decode, slot, bits, operand);
		break;
	case '[':
		address_decode(decode, slot, bits, operand);
		break;
	case 'G':
		descriptor_decode(decode, slot, bits, operand);
		break;
	case 'Y':
	case 'Z':
	case 'W':
		target_decode(slot, bits, address, operand);
		break;
	default:
		return named_decode(decode, slot, bits, operand);
	}
	return OUTCOME_PRESENT;
}

static enum decode_outcome suffix_decode(const struct decode_slot *slot, const struct decode_bits *bits,
                                         struct sass_operand *operand)
{
	enum decode_outcome outcome = slot->table ? choice_decode(slot, bits, &operand->suffix) : OUTCOME_ABSENT;

	if (outcome != OUTCOME_PRESENT)
		return outcome == OUTCOME_ABSENT ? OUTCOME_PRESENT : OUTCOME_UNKNOWN;
	operand->wide = strcmp(operand->suffix, "64") == 0;
	operand->part = operand->suffix[0] == 'H' || operand->suffix[0] == 'B';
	return OUTCOME_PRESENT;
}

enum decode_outcome decode_operand(struct decode *decode, const struct decode_slot *slot,
                                   const struct decode_bits *bits, uint32_t address, struct sass_operand *operand)
{
	enum decode_outcome outcome;
	bool negated;

	if (!is_present(slot, bits))
		return OUTCOME_ABSENT;
	*operand = (struct sass_operand){.kind = SASS_OTHER, .key = KEY_NONE, .descriptor = KEY_NONE, .text = ""};
	outcome = body_decode(decode, slot, bits, address, operand);
	if (outcome != OUTCOME_PRESENT)
		return outcome;
	negated = flag_holds(slot->negated, bits);
	operand->negated = negated && !flag_holds(slot->tilde, bits);
	operand->inverted =
		(negated && !operand->negated) || flag_holds(slot->complement, bits) || flag_holds(slot->not, bits);
	operand->absolute = flag_holds(slot->absolute, bits);
	operand->reuse = flag_holds(slot->reuse, bits);
	return slot->kind == 'T' ? OUTCOME_PRESENT : suffix_decode(slot, bits, operand);
}
