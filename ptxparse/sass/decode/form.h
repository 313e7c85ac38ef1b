/*
 * Private to the decoder: a FORM row, its two texts read, and the bits of an instruction.
 */
#ifndef COALESCE_PTXPARSE_SASS_DECODE_FORM_H
#define COALESCE_PTXPARSE_SASS_DECODE_FORM_H

#include "ptxparse/sass/decode/decode.h"

#define NO_BIT UINT8_MAX

/* ---- bits ---- */

struct decode_bits {
	uint64_t low, high;
};

static inline unsigned decode_bit(const struct decode_bits *bits, unsigned at)
{
	return (at < 64 ? bits->low >> at : bits->high >> (at - 64)) & 1;
}

/* width: 1 to 64. */
static inline uint64_t decode_number(const struct decode_bits *bits, unsigned at, unsigned width)
{
	uint64_t number = at >= 64 ? bits->high >> (at - 64) : bits->low >> at;

	if (at > 0 && at < 64 && at + width > 64)
		number |= bits->high << (64 - at);
	return width < 64 ? number & ((UINT64_C(1) << width) - 1) : number;
}

static inline int64_t decode_signed(uint64_t number, unsigned width)
{
	return width ? (int64_t)(number << (64 - width)) >> (64 - width) : 0;
}

/* Bits of a choice, lowest first; they need not stand together. */
struct decode_field {
	uint8_t count;
	struct {
		uint8_t at, width;
	} pieces[4];
};

unsigned decode_field_read(const struct decode_bits *bits, const struct decode_field *field);
unsigned decode_field_width(const struct decode_field *field);

/* ---- the parts of a form ---- */

struct decode_table {
	const char *name;
	const char *const *texts; /* "?" for values that mean nothing */
	unsigned count;
};

enum decode_word_kind { WORD_ALWAYS, WORD_SET, WORD_CLEAR, WORD_CHOICE, WORD_PRODUCT };
struct decode_word {
	enum decode_word_kind kind;
	const char *text; /* without dot */
	size_t length;
	struct decode_field field;
	const struct decode_table *table;
};

/* What a field holds when its operand is left out. */
enum decode_default { DEFAULT_NONE, DEFAULT_TRUE, DEFAULT_NOT_TRUE, DEFAULT_NUMBER };
enum decode_join { JOIN_AND, JOIN_OR };

struct decode_slot {
	char kind;                                         /* the letter */
	uint8_t at, width;                                 /* number or register */
	uint8_t negated, complement, absolute, not, reuse; /* bits; NO_BIT */
	uint8_t tilde;                                     /* bit; negated shows as a complement where it is set */
	uint8_t when[2];                                   /* bits; NO_BIT */
	bool when_clear[2];
	uint8_t join, absent; /* enum decode_join, enum decode_default */
	unsigned absent_number;
	bool flipped;     /* the bits of the number are inverted */
	bool low_part;    /* Y, Z: the low eight bits of the offset stand in bits 16 to 23 */
	const char *text; /* N */
	size_t text_length;
	struct decode_field field; /* T; suffix of others */
	const struct decode_table *table;
	struct {
		uint8_t base, uniform, uniform_when, wide, scale, descriptor, offset, offset_width;
	} address;
};

#define MOST_WORDS 14
struct decode_form {
	const char *name;
	struct decode_word words[MOST_WORDS];
	struct decode_slot slots[SASS_OPERANDS];
	uint8_t word_count, slot_count;
	bool uniform_guard;
};

/* The form of an opcode on an architecture, or NULL where there is none. */
const struct decode_form *decode_form_find(struct decode *decode, unsigned code);

struct decode {
	struct arena *arena;
	struct intern *texts;
	unsigned architecture, uniform_width; /* bits of the number of a uniform register */
	bool brain, doubled; /* half immediates of the instruction at hand are bfloats; others are halves of doubles */
	uint16_t rows[4096]; /* 1 + index among the rows; 0 where there is none */
	struct decode_form *forms[4096]; /* read so far */
	struct decode_opcode *opcodes;   /* hash table of opcodes with their modifiers */
	size_t opcode_capacity, opcode_count;
};

/* ---- operand.c ---- */

enum decode_outcome { OUTCOME_ABSENT, OUTCOME_PRESENT, OUTCOME_UNKNOWN };
enum decode_outcome decode_operand(struct decode *decode, const struct decode_slot *slot,
                                   const struct decode_bits *bits, uint32_t address, struct sass_operand *operand);

#endif
