/*
 * What an instruction's spelling says: "ld.global.nc.v4.f32" is a mnemonic (opcodes.def) followed
 * by types (types.def) and modifiers (modifiers.def). Each distinct spelling of a file is decoded once.
 */
#include <string.h>

#include "ptxparse/text/reader.h"

enum reading {
	READ_PLAIN = 1,
	READ_COMPARE = 2,
	READ_MEMORY = 4,
	READ_ATOMIC = 8,
	READ_MATRIX = 16,
	READ_ANY = 31,
	ROW_PLAIN = READ_PLAIN,
	ROW_COMPARE = READ_COMPARE,
	ROW_MEMORY = READ_MEMORY,
	ROW_ATOMIC = READ_MEMORY | READ_ATOMIC,
	ROW_MATRIX = READ_MEMORY | READ_MATRIX
};

static const struct opcode_row {
	const char *mnemonic;
	uint8_t length, destinations, reading;
	uint16_t operation;
} opcodes[] = {
#define X(mnemonic, operation, destinations, reading)                                                                  \
	{mnemonic, sizeof(mnemonic) - 1, destinations, ROW_##reading, OP_##operation},
#include "ptxparse/text/opcodes.def"
#undef X
};

enum field {
	FIELD_compare,
	FIELD_unordered,
	FIELD_boolean,
	FIELD_mode,
	FIELD_saturate,
	FIELD_carry,
	FIELD_uniform,
	FIELD_space,
	FIELD_vector,
	FIELD_cache,
	FIELD_noncoherent,
	FIELD_volatile_access,
	FIELD_matrices,
	FIELD_atomic
};

static const struct modifier_row {
	const char *word;
	uint8_t length, reading, field, value;
} modifiers[] = {
#define X(word, reading, field, value) {word, sizeof(word) - 1, READ_##reading, FIELD_##field, value},
#include "ptxparse/text/modifiers.def"
#undef X
};

/* The row with the longest mnemonic that is a dotted prefix of the spelling ("tcgen05.wait::ld": a colon will do), or
 * NULL. */
static const struct opcode_row *opcode_find(const struct ptx_name *name)
{
	const struct opcode_row *best = NULL;
	for (const struct opcode_row *row = opcodes; row < opcodes + ARRAY_COUNT(opcodes); row++) {
		if (row->mnemonic[0] != name->text[0] || row->length > name->length ||
		    (best && best->length > row->length))
			continue;
		if (memcmp(row->mnemonic, name->text, row->length) == 0 && strchr(".:", name->text[row->length]))
			best = row;
	}
	return best;
}

/* A row of 8 elements of 16 bits is what a lane gets of one 8x8 matrix, by two elements; other shapes alike in bytes.
 */
static unsigned matrix_elements(unsigned matrices, const struct ptx_insn *insn)
{
	unsigned bytes = ptx_type_bytes(insn->type);
	return bytes ? 4 * matrices / bytes : matrices;
}

static void modifier_apply(struct ptx_insn *insn, const struct modifier_row *row, unsigned *matrices)
{
	switch ((enum field)row->field) {
	case FIELD_unordered:
		insn->unordered = true;
		insn->compare = row->value;
		break;
	case FIELD_compare:
		insn->compare = row->value;
		break;
	case FIELD_boolean:
		insn->boolean = row->value;
		break;
	case FIELD_mode:
		insn->mode = row->value;
		break;
	case FIELD_saturate:
		insn->saturate = true;
		break;
	case FIELD_carry:
		insn->carry = true;
		break;
	case FIELD_uniform:
		insn->uniform = true;
		break;
	case FIELD_space:
		insn->space = insn->space == SPACE_GLOBAL ? SPACE_GLOBAL : row->value;
		break;
	case FIELD_vector:
		insn->vector = row->value;
		break;
	case FIELD_cache:
		insn->cache = row->value;
		break;
	case FIELD_noncoherent:
		insn->noncoherent = true;
		break;
	case FIELD_volatile_access:
		insn->volatile_access = true;
		break;
	case FIELD_matrices:
		*matrices = row->value;
		break;
	case FIELD_atomic:
		insn->atomic = row->value;
		break;
	}
}

static void modifier_read(struct ptx_insn *insn, const char *word, size_t length, unsigned reading, unsigned *matrices)
{
	for (const struct modifier_row *row = modifiers; row < modifiers + ARRAY_COUNT(modifiers); row++)
		if (row->length == length && (row->reading & reading) && memcmp(row->word, word, length) == 0) {
			modifier_apply(insn, row, matrices);
			return;
		}
}

/* The first type is the instruction's, the second its sources'. */
static bool type_read(struct ptx_parser *parser, struct ptx_insn *insn, const char *dot, size_t length)
{
	const struct ptx_name *name = length < 16 ? ptx_name_find(parser, dot, length) : NULL;
	if (!name || name->type == PTX_TYPE_NONE)
		return false;
	if (insn->type == PTX_TYPE_NONE)
		insn->type = name->type;
	else if (insn->source_type == PTX_TYPE_NONE)
		insn->source_type = name->type;
	return true;
}

/* rest: what follows the mnemonic: the modifiers, each with its dot. */
static void modifiers_read(struct ptx_parser *parser, struct ptx_insn *insn, const char *rest, unsigned reading)
{
	unsigned matrices = 0;
	rest += strcspn(rest, ".");
	while (*rest == '.') {
		size_t length = 1 + strcspn(rest + 1, ".");
		if (!type_read(parser, insn, rest, length))
			modifier_read(insn, rest + 1, length - 1, reading, &matrices);
		rest += length;
	}
	if (matrices)
		insn->vector = (uint8_t)matrix_elements(matrices, insn);
}

static bool is_texture(enum ptx_operation operation)
{
	return operation == OP_tex || operation == OP_suld || operation == OP_sust || operation == OP_sured;
}

const struct ptx_insn *ptx_spelling_decode(struct ptx_parser *parser, struct ptx_name *name)
{
	const struct opcode_row *row;
	struct ptx_insn *insn = name->decoded;
	if (insn)
		return insn;
	insn = name->decoded = arena_alloc(parser->scratch, sizeof *insn);
	insn->spelling = name->text;
	insn->vector = 1;
	insn->destinations = 1;
	row = opcode_find(name);
	if (!row)
		return insn;
	insn->operation = row->operation;
	insn->destinations = row->destinations;
	modifiers_read(parser, insn, name->text + row->length, row->reading);
	if (is_texture(insn->operation))
		insn->space = SPACE_TEXTURE;
	else if (insn->space == SPACE_NONE && (row->reading & READ_MEMORY))
		insn->space = SPACE_GENERIC;
	return insn;
}
