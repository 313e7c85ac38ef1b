/*
 * One instruction: its form, its opcode with modifiers, its operands, its guard, its scheduling fields.
 *
 * Opcodes with their modifiers are few: each combination is spelt once and kept in a hash table.
 */
#include "ptxparse/sass/decode/form.h"
#include "ptxparse/sass/handlers/handlers.h"

#include <string.h>

struct decode_opcode {
	const struct decode_form *form; /* NULL: free */
	uint64_t fields;
	const char *text;
	const struct sass_opcode *entry;
	bool brain, known; /* of bfloats; all fields mean something */
	bool doubled;      /* an immediate is the upper half of a double */
};

static uint64_t load(const uint8_t *at)
{
	uint64_t number = 0;

	for (unsigned i = 0; i < 8; i++)
		number |= (uint64_t)at[i] << (8 * i);
	return number;
}

/* ---- opcodes ---- */

/* IMAD is written IMAD.MOV where a factor is zero, IMAD.IADD where one is 1, IMAD.SHL where it shifts. */
enum decode_product { PRODUCT_PLAIN, PRODUCT_MOVE, PRODUCT_ADD, PRODUCT_SHIFT };

static enum decode_product product_read(const struct decode_bits *bits)
{
	unsigned shape = (unsigned)decode_number(bits, 9, 3), at = shape == 2 || shape == 3 ? 64 : 32;
	uint64_t factor = decode_number(bits, 32, 32);
	bool immediate = shape == 4, summand = !immediate || decode_number(bits, 64, 8) != 255;

	if (decode_bit(bits, 74))
		return PRODUCT_PLAIN;
	if (shape > 4)
		return PRODUCT_PLAIN;
	if (decode_number(bits, 24, 8) == 255 || (immediate ? factor == 0 : decode_number(bits, at, 8) == 255))
		return PRODUCT_MOVE;
	if (!immediate)
		return PRODUCT_PLAIN;

	if (factor == 1 && summand)
		return PRODUCT_ADD;
	return !summand && (factor & (factor - 1)) == 0 && factor != 0x10000 && factor >> 31 == 0 ? PRODUCT_SHIFT
	                                                                                          : PRODUCT_PLAIN;
}

static const char *const product_names[] = {"", "MOV", "IADD", "SHL"};

/* The values of all modifiers' fields, packed. */
static uint64_t fields_pack(const struct decode_form *form, const struct decode_bits *bits)
{
	uint64_t fields = 0;

	for (unsigned i = 0; i < form->word_count; i++)
		if (form->words[i].kind == WORD_PRODUCT)
			fields = fields << 2 | product_read(bits);
		else if (form->words[i].kind != WORD_ALWAYS)
			fields = fields << decode_field_width(&form->words[i].field) |
			         decode_field_read(bits, &form->words[i].field);
	return fields;
}

static void word_append(struct text *text, const char *word, size_t length)
{
	text_append(text, ".", 1);
	text_append(text, word, length);
}

/* Returns false where a field's value means nothing. */
static bool opcode_spell(const struct decode_form *form, const struct decode_bits *bits, struct text *text)
{
	bool known = true;

	text_puts(text, form->name);
	for (unsigned i = 0; i < form->word_count; i++) {
		const struct decode_word *word = &form->words[i];
		unsigned value =
			word->kind == WORD_PRODUCT ? product_read(bits) : decode_field_read(bits, &word->field);

		if (word->kind == WORD_PRODUCT) {
			if (value)
				word_append(text, product_names[value], strlen(product_names[value]));
			continue;
		}
		if (word->kind == WORD_CHOICE && (value >= word->table->count || word->table->texts[value][0] == '?')) {
			word_append(text, "?", 1);
			known = false;
		} else if (word->kind == WORD_CHOICE && word->table->texts[value][0]) {
			word_append(text, word->table->texts[value], strlen(word->table->texts[value]));
		} else if (word->kind == WORD_ALWAYS ||
		           (word->kind != WORD_CHOICE && value == (word->kind == WORD_SET))) {
			word_append(text, word->text, word->length);
		}
	}
	return known;
}

static struct decode_opcode *opcode_slot(struct decode *decode, const struct decode_form *form, uint64_t fields)
{
	uint64_t hash = ((uintptr_t)form ^ fields) * UINT64_C(0x9e3779b97f4a7c15);
	size_t mask = decode->opcode_capacity - 1, at = (size_t)(hash >> 32) & mask;

	while (decode->opcodes[at].form && (decode->opcodes[at].form != form || decode->opcodes[at].fields != fields))
		at = (at + 1) & mask;
	return &decode->opcodes[at];
}

static void opcodes_grow(struct decode *decode)
{
	struct decode_opcode *old = decode->opcodes;
	size_t capacity = decode->opcode_capacity;

	decode->opcode_capacity = capacity ? 2 * capacity : 256;
	decode->opcodes = arena_array(decode->arena, decode->opcode_capacity, sizeof(*decode->opcodes));
	for (size_t i = 0; i < capacity; i++)
		if (old[i].form)
			*opcode_slot(decode, old[i].form, old[i].fields) = old[i];
}

static const struct decode_opcode *opcode_decode(struct decode *decode, const struct decode_form *form,
                                                 const struct decode_bits *bits)
{
	uint64_t fields = fields_pack(form, bits);
	struct decode_opcode *opcode;

	if (2 * decode->opcode_count >= decode->opcode_capacity)
		opcodes_grow(decode);
	opcode = opcode_slot(decode, form, fields);
	if (!opcode->form) {
		struct text text = {0};
		bool known = opcode_spell(form, bits, &text);

		*opcode = (struct decode_opcode){
			form, fields, intern_text(decode->texts, text.data, text.length), NULL, false, known, false};
		opcode->brain = strstr(opcode->text, ".BF16") != NULL;
		opcode->doubled = strstr(opcode->text, "64H") != NULL;
		opcode->entry = known ? sass_opcode_find(opcode->text) : NULL;
		decode->opcode_count++;
		text_release(&text);
	}
	return opcode;
}

/* ---- one instruction ---- */

static void guard_decode(const struct decode_form *form, const struct decode_bits *bits, struct sass_insn *insn)
{
	unsigned number = (unsigned)decode_number(bits, 12, 3);

	insn->guard_negated = decode_bit(bits, 15);
	insn->guarded = number != 7 || insn->guard_negated;
	insn->guard_uniform = form && form->uniform_guard;
	insn->guard =
		(uint16_t)(number == 7 ? KEY_TRUE
	                               : (insn->guard_uniform ? KEY_UNIFORM_PREDICATES : KEY_PREDICATES) + number);
}

/* What an instruction of no known form writes is not known; bits 16 to 23 name a destination in nearly all. */
static bool unknown_decode(struct decode *decode, const struct decode_bits *bits, struct sass_insn *insn)
{
	struct decode_slot slot = {.kind = 'R', .at = 16, .width = 8};
	const struct decode_form *form = decode_form_find(decode, (unsigned)bits->low & 0xfff);

	memset(&slot.negated, NO_BIT, 5);
	memset(&slot.when, NO_BIT, sizeof(slot.when));
	slot.tilde = NO_BIT;
	insn->entry = NULL;
	insn->opcode = form ? arena_printf(decode->arena, "%s.?", form->name)
	                    : arena_printf(decode->arena, "?0x%03x", (unsigned)bits->low & 0xfff);
	insn->opcode = intern_text(decode->texts, insn->opcode, strlen(insn->opcode));
	insn->operands = arena_array(decode->arena, SASS_OPERANDS, sizeof(*insn->operands));
	insn->operand_count = decode_operand(decode, &slot, bits, 0, insn->operands) == OUTCOME_PRESENT;
	return false;
}

static bool operands_decode(struct decode *decode, const struct decode_form *form, const struct decode_bits *bits,
                            uint32_t address, struct sass_insn *insn)
{
	struct sass_operand operands[SASS_OPERANDS];

	for (unsigned i = 0; i < form->slot_count; i++) {
		enum decode_outcome outcome =
			decode_operand(decode, &form->slots[i], bits, address, &operands[insn->operand_count]);

		if (outcome == OUTCOME_UNKNOWN)
			return false;
		insn->operand_count += outcome == OUTCOME_PRESENT;
	}
	insn->operands = arena_array(decode->arena, SASS_OPERANDS, sizeof(*insn->operands));
	memcpy(insn->operands, operands, insn->operand_count * sizeof(*operands));
	return true;
}

bool decode_insn(struct decode *decode, const uint8_t *code, uint32_t address, struct sass_insn *insn)
{
	struct decode_bits bits = {load(code), load(code + 8)};
	const struct decode_form *form = decode_form_find(decode, (unsigned)bits.low & 0xfff);
	const struct decode_opcode *opcode;

	*insn = (struct sass_insn){0};
	guard_decode(form, &bits, insn);
	opcode = form ? opcode_decode(decode, form, &bits) : NULL;
	decode->brain = opcode && opcode->brain;
	decode->doubled = opcode && opcode->doubled;
	if (!form || !operands_decode(decode, form, &bits, address, insn))
		return unknown_decode(decode, &bits, insn);
	insn->opcode = opcode->text;
	insn->entry = opcode->entry;
	return opcode->known;
}

struct sass_control decode_control(const uint8_t *code)
{
	uint64_t high = load(code + 8);

	return (struct sass_control){.stall = high >> 41 & 0xf,
	                             .yield = !(high >> 45 & 1),
	                             .write_barrier = high >> 46 & 7,
	                             .read_barrier = high >> 49 & 7,
	                             .wait_mask = high >> 52 & 0x3f,
	                             .reuse = high >> 58 & 0xf};
}
