/*
 * Memory instructions. Global and generic addresses are pairs of registers ([R2], [R2.64]), optionally with a pair of
 * uniform registers added, or 32 bits of offset to one ([R2.U32+UR4]); shared and local ones are 32 bits wide.
 * desc[UR4] holds what the driver says about the memory, not an address.
 */
#include "ptxparse/sass/handlers/handlers.h"

#include <string.h>

#define MOST_WORDS 8

static enum ptx_space space_of(const struct sass_insn *insn)
{
	static const struct {
		const char *opcode;
		uint8_t space;
	} spaces[] = {
		{"LDG", SPACE_GLOBAL},    {"STG", SPACE_GLOBAL},  {"ATOMG", SPACE_GLOBAL}, {"REDG", SPACE_GLOBAL},
		{"RED", SPACE_GLOBAL},    {"LDS", SPACE_SHARED},  {"STS", SPACE_SHARED},   {"ATOMS", SPACE_SHARED},
		{"REDS", SPACE_SHARED},   {"LDSM", SPACE_SHARED}, {"LDL", SPACE_LOCAL},    {"STL", SPACE_LOCAL},
		{"LDGSTS", SPACE_GLOBAL},
	};

	for (size_t i = 0; i < ARRAY_COUNT(spaces); i++)
		if (sass_opcode_is(insn, spaces[i].opcode))
			return (enum ptx_space)spaces[i].space;
	return SPACE_GENERIC;
}

/* ---- addresses ---------------------------------------------------------------------------- */

/* A summand of a 64-bit address. */
static struct sass_value *term_wide(struct sass_translation *t, const struct sass_term *term)
{
	struct sass_value *low = sass_key_read(t, term->key), *wide;

	if (term->narrow)
		wide = sass_value_pair(t, low, sass_value_constant(t, 32, 0));
	else
		wide = sass_value_pair(t, low, sass_key_read(t, (uint16_t)(term->key + 1)));
	return sass_emit(t, OP_shl, PTX_b64, 64, wide, sass_value_constant(t, 32, term->shift), NULL);
}

static struct sass_value *address_sum(struct sass_translation *t, const struct sass_operand *operand, bool wide)
{
	struct sass_value *sum = NULL;

	for (unsigned i = 0; i < operand->term_count; i++) {
		const struct sass_term *term = &operand->terms[i];
		struct sass_value *value = wide ? term_wide(t, term)
		                                : sass_emit(t, OP_shl, PTX_b32, 32, sass_key_read(t, term->key),
		                                            sass_value_constant(t, 32, term->shift), NULL);

		sum = sum ? sass_emit(t, OP_add, wide ? PTX_s64 : PTX_s32, wide ? 64 : 32, sum, value, NULL) : value;
	}
	return sum;
}

/* [register + offset]; operands that are no address: an unknown one. */
static struct ptx_operand address_operand(struct sass_translation *t, unsigned i, enum ptx_space space)
{
	const struct sass_operand *operand = &t->insn->operands[i];
	bool wide = space == SPACE_GLOBAL || space == SPACE_GENERIC;
	struct ptx_operand address = {.kind = OPERAND_ADDRESS, .reg = PTX_NO_REGISTER, .value = operand->value};
	struct sass_value *sum;

	t->helping++;
	sum = operand->kind == SASS_ADDRESS && i < t->insn->operand_count ? address_sum(t, operand, wide)
	                                                                  : sass_value_unknown(t, 64);
	if (sum && sum->kind == VALUE_CONSTANT)
		address.value += wide ? sum->number : (int64_t)((uint64_t)sum->number & UINT32_MAX);
	else if (sum)
		address.reg = sass_value_register(t, sum);
	t->helping--;
	return address;
}

static unsigned find_address(const struct sass_insn *insn, unsigned from)
{
	unsigned i = from;

	while (i < insn->operand_count && insn->operands[i].kind != SASS_ADDRESS)
		i++;
	return i < SASS_OPERANDS ? i : SASS_OPERANDS - 1;
}

/* ---- widths and caches ------------------------------------------------------------------------ */

/* Type of one element and how many there are. */
static enum ptx_type access_type(const struct sass_insn *insn, unsigned *words)
{
	static const struct {
		const char *modifier;
		uint8_t type, words;
	} widths[] = {
		{"U8", PTX_u8, 1},  {"S8", PTX_s8, 1},   {"U16", PTX_u16, 1}, {"S16", PTX_s16, 1},
		{"64", PTX_b32, 2}, {"128", PTX_b32, 4}, {"256", PTX_b32, 8},
	};

	*words = 1;
	for (size_t i = 0; i < ARRAY_COUNT(widths); i++)
		if (sass_has(insn, widths[i].modifier)) {
			*words = widths[i].words;
			return (enum ptx_type)widths[i].type;
		}
	return PTX_b32;
}

static enum ptx_cache cache_of(const struct sass_insn *insn)
{
	return sass_has(insn, "EF")   ? CACHE_STREAMING
	       : sass_has(insn, "EL") ? CACHE_ALL
	       : sass_has(insn, "LU") ? CACHE_LAST_USE
	       : sass_has(insn, "NA") ? CACHE_NO_ALLOCATE
	                              : CACHE_DEFAULT;
}

/* The memory instruction, its operands still to be set. */
static struct ptx_insn *access_emit(struct sass_translation *t, enum ptx_operation operation, enum ptx_type type,
                                    enum ptx_space space, unsigned words, unsigned destinations, unsigned operands)
{
	uint32_t guard = t->guard ? sass_value_register(t, t->guard) : PTX_NO_REGISTER;
	struct ptx_insn *insn = sass_emit_raw(t, operation, type, destinations, operands);

	insn->space = (uint8_t)space;
	insn->vector = (uint8_t)words;
	insn->cache = (uint8_t)cache_of(t->insn);
	insn->noncoherent = sass_has(t->insn, "CONSTANT");
	insn->volatile_access = sass_has(t->insn, "STRONG") && (operation == OP_ld || operation == OP_st);
	insn->guarded = t->guard != NULL;
	insn->guard = guard;
	insn->guard_negated = t->guard_negated;
	sass_main_is_last(t);
	return insn;
}

/* ---- destinations -------------------------------------------------------------------------------- */

/* Operand `i` and the registers after it become loaded values; the first operand of a memory instruction. */
static struct ptx_operand loaded_operand(struct sass_translation *t, unsigned i, unsigned words)
{
	struct ptx_operand *elements = arena_array(t->dry ? t->scratch : t->arena, words, sizeof(*elements));
	uint16_t key = t->insn->operands[i].key;

	for (unsigned k = 0; k < words; k++) {
		uint16_t own = (uint16_t)(key + k);
		struct sass_value *value;

		elements[k] = (struct ptx_operand){.kind = OPERAND_SINK};
		if (t->insn->operands[i].kind != SASS_REGISTER || key == KEY_ZERO || own >= KEY_FIXED ||
		    t->result_count == ARRAY_COUNT(t->results))
			continue;
		value = sass_value_new(t, 32);
		elements[k] = (struct ptx_operand){.kind = OPERAND_REGISTER, .reg = value->reg};
		t->results[t->result_count].key = own;
		t->results[t->result_count++].value = value;
	}
	if (words == 1)
		return elements[0];
	return (struct ptx_operand){.kind = OPERAND_VECTOR, .count = (uint16_t)words, .elements = elements};
}

/* Predicates before the destination. */
static unsigned predicates_unknown(struct sass_translation *t)
{
	unsigned i = 0;

	for (; sass_source_is_predicate(t, i); i++)
		if (t->insn->operands[i].key != KEY_TRUE)
			sass_result(t, i, sass_value_unknown(t, 1));
	return i;
}

/* What is stored. */
static struct ptx_operand stored_operand(struct sass_translation *t, unsigned i, unsigned words)
{
	struct ptx_operand *elements = arena_array(t->dry ? t->scratch : t->arena, words, sizeof(*elements));
	const struct sass_operand *operand = &t->insn->operands[i];

	t->helping++;
	for (unsigned k = 0; k < words; k++) {
		bool zero = operand->kind != SASS_REGISTER || operand->key == KEY_ZERO || i >= t->insn->operand_count;

		elements[k] = sass_value_operand(t, zero ? sass_value_constant(t, 32, 0)
		                                         : sass_key_read(t, (uint16_t)(operand->key + k)));
	}
	t->helping--;
	if (words == 1)
		return elements[0];
	return (struct ptx_operand){.kind = OPERAND_VECTOR, .count = (uint16_t)words, .elements = elements};
}

/* ---- handlers ------------------------------------------------------------------------------------- */

void sass_handle_load(struct sass_translation *t, const struct sass_insn *insn)
{
	enum ptx_space space = space_of(insn);
	unsigned destination = predicates_unknown(t), words;
	enum ptx_type type = access_type(insn, &words);
	struct ptx_operand address = address_operand(t, find_address(insn, 0), space);
	struct ptx_operand loaded = loaded_operand(t, destination, words);
	struct ptx_insn *made = access_emit(t, OP_ld, type, space, words, 1, 2);

	made->operands[0] = loaded;
	made->operands[1] = address;
}

/*
 * c[bank][register + offset]: parameters or variables by a number, [register + symbol + offset] of the variable that
 * lies at the offset in bank 3, or of the first parameter. It may be another one's, where the register holds more than
 * a number: what lies behind the variable is what lies there in the bank.
 */
void sass_constant_load(struct sass_translation *t)
{
	const struct sass_operand *from = &t->insn->operands[1];
	enum ptx_space space = from->bank == 3 ? SPACE_CONST : SPACE_PARAM;
	const struct ptx_variable *variable = from->bank == 3 ? sass_variable_at(t, (uint64_t)from->value, 1) : NULL;
	struct ptx_operand address = {.kind = OPERAND_ADDRESS, .reg = PTX_NO_REGISTER, .value = from->value}, loaded;
	unsigned words;
	enum ptx_type type = access_type(t->insn, &words);
	struct ptx_insn *made;

	t->helping++;
	address.reg =
		sass_value_register(t, sass_emit_convert(t, PTX_s64, PTX_s32, MODE_NONE, sass_key_read(t, from->key)));
	t->helping--;
	if (variable) {
		address.symbol = variable->name;
		address.value -= (int64_t)variable->offset;
	} else if (from->bank == 0 && t->info->parameter_count) {
		address.symbol = t->info->parameters[0].name;
		address.value -= (int64_t)(t->info->parameter_base + t->info->parameters[0].offset);
	}
	loaded = loaded_operand(t, 0, words);
	made = access_emit(t, OP_ld, type, space, words, 1, 2);
	made->operands[0] = loaded;
	made->operands[1] = address;
}

void sass_handle_store(struct sass_translation *t, const struct sass_insn *insn)
{
	enum ptx_space space = space_of(insn);
	unsigned at = find_address(insn, 0), words;
	enum ptx_type type = access_type(insn, &words);
	struct ptx_operand address = address_operand(t, at, space), stored = stored_operand(t, at + 1, words);
	struct ptx_insn *made = access_emit(t, OP_st, type, space, words, 0, 2);

	made->operands[0] = address;
	made->operands[1] = stored;
}

static const struct {
	const char *name;
	uint8_t atomic;
} atomics[] = {
	{"ADD", ATOMIC_ADD},   {"MIN", ATOMIC_MIN}, {"MAX", ATOMIC_MAX},  {"INC", ATOMIC_INC},
	{"DEC", ATOMIC_DEC},   {"AND", ATOMIC_AND}, {"OR", ATOMIC_OR},    {"XOR", ATOMIC_XOR},
	{"EXCH", ATOMIC_EXCH}, {"CAS", ATOMIC_CAS}, {"CAST", ATOMIC_CAS},
};

static void atomic_set(const struct sass_insn *insn, struct ptx_insn *made)
{
	for (size_t i = 0; i < ARRAY_COUNT(atomics); i++)
		if (sass_has(insn, atomics[i].name))
			made->atomic = atomics[i].atomic;
	if (sass_has(insn, "POPC"))
		made->atomic = ATOMIC_ADD;
}

/* Type of what is combined. */
static enum ptx_type atomic_type(const struct sass_insn *insn)
{
	static const struct {
		const char *modifier;
		uint8_t type;
	} types[] = {
		{"F32", PTX_f32}, {"F64", PTX_f64}, {"S32", PTX_s32},     {"U64", PTX_u64},
		{"S64", PTX_s64}, {"64", PTX_b64},  {"F16x2", PTX_f16x2}, {"BF16x2", PTX_bf16x2},
	};

	for (size_t i = 0; i < ARRAY_COUNT(types); i++)
		if (sass_has(insn, types[i].modifier))
			return (enum ptx_type)types[i].type;
	return PTX_u32;
}

/* A number of the type, from one register or a pair. */
static struct ptx_operand combined_operand(struct sass_translation *t, unsigned i, enum ptx_type type)
{
	struct ptx_operand operand;

	t->helping++;
	operand = sass_value_operand(t, ptx_type_bytes(type) == 8 ? sass_source_wide(t, i, true) : sass_source(t, i));
	t->helping--;
	return operand;
}

static void atomic_result(struct sass_translation *t, unsigned i, struct sass_value *old)
{
	if (old->bits == 64)
		sass_result_wide(t, i, old);
	else
		sass_result(t, i, old);
}

/* Whether what was there is what was compared with: in the predicate in front, or as a number as wide as what was
 * there. */
static void exchanged_result(struct sass_translation *t, unsigned destination, struct sass_value *old,
                             unsigned compared)
{
	bool wide = old->bits == 64;
	struct sass_value *same;

	t->helping++;
	same = sass_emit_compare(t, COMPARE_EQ, wide ? PTX_u64 : PTX_u32, old,
	                         wide ? sass_source_wide(t, compared, true) : sass_source(t, compared));
	t->helping--;
	if (sass_source_is_predicate(t, 0)) {
		t->result_count = 0;
		sass_result(t, 0, same);
	}
	same = sass_value_select(t, same, false, sass_value_constant(t, old->bits, 1),
	                         sass_value_constant(t, old->bits, 0));
	atomic_result(t, destination, same);
}

/* ATOMG.E.ADD p, d, [address], a; .CAS: a, b; .CAST.SPIN: d says whether it was exchanged; .POPC.INC adds one a lane.
 */
void sass_handle_atomic(struct sass_translation *t, const struct sass_insn *insn)
{
	enum ptx_space space = space_of(insn);
	unsigned destination = predicates_unknown(t), at = find_address(insn, 0);
	bool counts = sass_has(insn, "POPC"), exchanges = sass_has(insn, "CAS") || sass_has(insn, "CAST");
	enum ptx_type type = counts ? PTX_u32 : atomic_type(insn);
	struct ptx_operand address = address_operand(t, at, space),
			   operands[2] = {{.kind = OPERAND_IMMEDIATE, .value = 1}};
	struct sass_value *old;
	struct ptx_insn *made;

	for (unsigned i = 0; i < 2 && !counts; i++)
		operands[i] = combined_operand(t, at + 1 + i, type);
	old = sass_value_new(t, ptx_type_bytes(type) == 8 ? 64 : 32);
	made = access_emit(t, OP_atom, type, space, 1, 1, exchanges ? 4 : 3);
	atomic_set(insn, made);
	made->operands[0] = (struct ptx_operand){.kind = OPERAND_REGISTER, .reg = old->reg};
	made->operands[1] = address;
	memcpy(&made->operands[2], operands, (exchanges ? 2 : 1) * sizeof(*operands));
	if (sass_has(insn, "CAST"))
		exchanged_result(t, destination, old, at + 1);
	else
		atomic_result(t, destination, old);
}

void sass_handle_reduction(struct sass_translation *t, const struct sass_insn *insn)
{
	enum ptx_space space = space_of(insn);
	unsigned at = find_address(insn, 0);
	enum ptx_type type = atomic_type(insn);
	struct ptx_operand address = address_operand(t, at, space), operand = combined_operand(t, at + 1, type);
	struct ptx_insn *made = access_emit(t, OP_red, type, space, 1, 0, 2);

	atomic_set(insn, made);
	made->operands[0] = address;
	made->operands[1] = operand;
}

/* LDGSTS.E.128 [shared], desc[..][global] */
void sass_handle_copy(struct sass_translation *t, const struct sass_insn *insn)
{
	unsigned to = find_address(insn, 0), from = find_address(insn, to + 1), words;
	unsigned bytes = ptx_type_bytes(access_type(insn, &words));
	struct ptx_operand shared = address_operand(t, to, SPACE_SHARED),
			   global = address_operand(t, from, SPACE_GLOBAL);
	struct ptx_insn *made = access_emit(t, OP_cp_async, PTX_b32, SPACE_GLOBAL, 1, 0, 3);

	made->cache = (uint8_t)(sass_has(insn, "BYPASS") ? CACHE_GLOBAL : CACHE_ALL);
	made->operands[0] = shared;
	made->operands[1] = global;
	made->operands[2] = (struct ptx_operand){.kind = OPERAND_IMMEDIATE, .value = (int64_t)bytes * words};
}

/* LDSM.16.M88.4 d, [shared]: each lane addresses a row of 16 bytes, and gets 4 bytes of each matrix. */
void sass_handle_matrix_load(struct sass_translation *t, const struct sass_insn *insn)
{
	unsigned words = sass_has(insn, "4") ? 4 : sass_has(insn, "2") ? 2 : 1;
	struct ptx_operand address = address_operand(t, find_address(insn, 0), SPACE_SHARED);
	struct ptx_operand loaded = loaded_operand(t, 0, words);
	struct ptx_insn *made = access_emit(t, OP_ldmatrix, PTX_b16, SPACE_SHARED, 2 * words, 1, 2);

	made->operands[0] = loaded;
	made->operands[1] = address;
}

/* STSM.16.M88.4 [shared], s: the same the other way. */
void sass_handle_matrix_store(struct sass_translation *t, const struct sass_insn *insn)
{
	unsigned words = sass_has(insn, "4") ? 4 : sass_has(insn, "2") ? 2 : 1;
	struct ptx_operand address = address_operand(t, find_address(insn, 0), SPACE_SHARED);
	struct ptx_operand stored = stored_operand(t, 1, words);
	struct ptx_insn *made = access_emit(t, OP_stmatrix, PTX_b16, SPACE_SHARED, 2 * words, 0, 2);

	made->operands[0] = address;
	made->operands[1] = stored;
}
