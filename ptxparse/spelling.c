/*
 * The closed sets, and what an instruction's spelling says: "ld.global.nc.v4.f32" is a mnemonic (opcodes.def) followed
 * by types (types.def) and modifiers (modifiers.def). Each distinct spelling of a file is decoded once.
 */
#include <string.h>

#include "ptxparse/internal.h"

/* ---- types -------------------------------------------------------------------- */

static const struct type_row {
	const char *name;
	uint8_t bits;
	char class;
} types[PTX_TYPE_COUNT] = {
	[PTX_TYPE_NONE] = {"none", 0, 'O'},
#define X(name, bits, class) [PTX_##name] = {#name, bits, #class[0]},
#include "ptxparse/types.def"
#undef X
};

unsigned ptx_type_bytes(enum ptx_type type)
{
	return types[type].class == 'P' ? 0 : (types[type].bits + 7u) / 8;
}

bool ptx_type_is_signed(enum ptx_type type)
{
	return types[type].class == 'I';
}

bool ptx_type_is_float(enum ptx_type type)
{
	return types[type].class == 'F';
}

const char *ptx_type_name(enum ptx_type type)
{
	return types[type].name;
}

const char *ptx_space_name(enum ptx_space space)
{
	static const char *const names[] = {"none", "generic", "global", "shared", "local", "const", "param", "texture"};
	return names[space];
}

const char *ptx_special_name(enum ptx_special special)
{
	static const char *const names[] = {
		[SPECIAL_TID_X] = "%tid.x",
		[SPECIAL_TID_Y] = "%tid.y",
		[SPECIAL_TID_Z] = "%tid.z",
		[SPECIAL_NTID_X] = "%ntid.x",
		[SPECIAL_NTID_Y] = "%ntid.y",
		[SPECIAL_NTID_Z] = "%ntid.z",
		[SPECIAL_CTAID_X] = "%ctaid.x",
		[SPECIAL_CTAID_Y] = "%ctaid.y",
		[SPECIAL_CTAID_Z] = "%ctaid.z",
		[SPECIAL_NCTAID_X] = "%nctaid.x",
		[SPECIAL_NCTAID_Y] = "%nctaid.y",
		[SPECIAL_NCTAID_Z] = "%nctaid.z",
		[SPECIAL_LANEID] = "%laneid",
		[SPECIAL_WARPID] = "%warpid",
		[SPECIAL_NWARPID] = "%nwarpid",
		[SPECIAL_LANEMASK_EQ] = "%lanemask_eq",
		[SPECIAL_LANEMASK_LE] = "%lanemask_le",
		[SPECIAL_LANEMASK_LT] = "%lanemask_lt",
		[SPECIAL_LANEMASK_GE] = "%lanemask_ge",
		[SPECIAL_LANEMASK_GT] = "%lanemask_gt",
		[SPECIAL_DYNAMIC_SHARED_SIZE] = "%dynamic_smem_size",
		[SPECIAL_TOTAL_SHARED_SIZE] = "%total_smem_size",
		[SPECIAL_OTHER] = "%other",
	};
	return names[special];
}

/* ---- operations ------------------------------------------------------------------ */

static const struct operation_row {
	const char *name;
	uint8_t unit, latency, flags;
} operations[OP_COUNT] = {
	[OP_OPAQUE] = {"opaque", UNIT_NONE, LATENCY_SHORT, 0},
#define X(operation, unit, latency, flags) [OP_##operation] = {#operation, UNIT_##unit, LATENCY_##latency, flags},
#include "ptxparse/operations.def"
#undef X
};

const char *ptx_operation_name(enum ptx_operation operation)
{
	return operations[operation].name;
}

unsigned ptx_insn_flags(const struct ptx_insn *insn)
{
	unsigned flags = operations[insn->operation].flags;
	return insn->no_return ? flags | FLAG_EXIT : flags;
}

enum ptx_latency ptx_insn_latency(const struct ptx_insn *insn)
{
	return operations[insn->operation].latency;
}

/* The unit for floating-point arithmetic of a type. */
static enum ptx_unit float_unit(enum ptx_type type)
{
	switch (type) {
	case PTX_f64:
		return UNIT_FP64;
	case PTX_f16:
	case PTX_f16x2:
	case PTX_bf16:
	case PTX_bf16x2:
		return UNIT_FP16;
	default:
		return UNIT_FP32;
	}
}

static enum ptx_unit convert_unit(const struct ptx_insn *insn)
{
	bool floating = ptx_type_is_float(insn->type) || ptx_type_is_float(insn->source_type);
	return floating ? UNIT_CONVERT : UNIT_INT;
}

/* Operations that choose or copy bits, whatever these stand for. */
static bool moves_bits(enum ptx_operation operation)
{
	return operation == OP_selp || operation == OP_slct || operation == OP_copysign;
}

enum ptx_unit ptx_insn_unit(const struct ptx_insn *insn)
{
	enum ptx_unit unit = operations[insn->operation].unit;
	enum ptx_type type = insn->operation == OP_set ? insn->source_type : insn->type;
	if (moves_bits((enum ptx_operation)insn->operation))
		return unit;
	switch (unit) {
	case UNIT_INT:
	case UNIT_INT_MULTIPLY:
	case UNIT_FP32:
		return ptx_type_is_float(type) ? float_unit(type) : unit;
	case UNIT_SHIFT_COMPARE:
		return ptx_type_is_float(type) && float_unit(type) != UNIT_FP32 ? float_unit(type) : unit;
	case UNIT_CONVERT:
		return convert_unit(insn);
	default:
		return unit;
	}
}

static unsigned operand_bytes(const struct ptx_insn *insn, unsigned operand)
{
	bool known = operand < insn->operand_count && insn->operands[operand].kind == OPERAND_IMMEDIATE;
	return known ? (unsigned)insn->operands[operand].value : 0;
}

unsigned ptx_insn_access_bytes(const struct ptx_insn *insn)
{
	if (!(operations[insn->operation].flags & (FLAG_LOAD | FLAG_STORE)))
		return 0;
	if (insn->operation == OP_cp_async || insn->operation == OP_cp_async_bulk)
		return operand_bytes(insn, 2);
	return ptx_type_bytes(insn->type) * insn->vector;
}

/* ---- spellings --------------------------------------------------------------------- */

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
#define X(mnemonic, operation, destinations, reading) {mnemonic, sizeof(mnemonic) - 1, destinations, ROW_##reading, OP_##operation},
#include "ptxparse/opcodes.def"
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
#include "ptxparse/modifiers.def"
#undef X
};

/* The row with the longest mnemonic that is a dotted prefix of the spelling ("tcgen05.wait::ld": a colon will do), or NULL. */
static const struct opcode_row *opcode_find(const struct name *name)
{
	const struct opcode_row *best = NULL;
	for (const struct opcode_row *row = opcodes; row < opcodes + ARRAY_COUNT(opcodes); row++) {
		if (row->mnemonic[0] != name->text[0] || row->length > name->length || (best && best->length > row->length))
			continue;
		if (memcmp(row->mnemonic, name->text, row->length) == 0 && strchr(".:", name->text[row->length]))
			best = row;
	}
	return best;
}

/* A row of 8 elements of 16 bits is what a lane gets of one 8x8 matrix, by two elements; other shapes alike in bytes. */
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
static bool type_read(struct parser *parser, struct ptx_insn *insn, const char *dot, size_t length)
{
	const struct name *name = length < 16 ? name_find(parser, dot, length) : NULL;
	if (!name || name->type == PTX_TYPE_NONE)
		return false;
	if (insn->type == PTX_TYPE_NONE)
		insn->type = name->type;
	else if (insn->source_type == PTX_TYPE_NONE)
		insn->source_type = name->type;
	return true;
}

/* rest: what follows the mnemonic: the modifiers, each with its dot. */
static void modifiers_read(struct parser *parser, struct ptx_insn *insn, const char *rest, unsigned reading)
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

const struct ptx_insn *spelling_decode(struct parser *parser, struct name *name)
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
