/*
 * Memory instructions. Global and generic addresses are pairs of registers ([R2], [R2.64]), optionally with a pair of uniform
 * registers added, or 32 bits of offset to one ([R2.U32+UR4]); shared and local ones are 32 bits wide. desc[UR4] holds what the
 * driver says about the memory, not an address.
 */
#include "ptxparse/sass.h"

#include <string.h>

#define MOST_WORDS 8

static enum ptx_space space_of(const struct sass_insn *insn)
{
	static const struct { const char *opcode; uint8_t space; } spaces[] = {
		{"LDG", SPACE_GLOBAL},  {"STG", SPACE_GLOBAL},  {"ATOMG", SPACE_GLOBAL}, {"REDG", SPACE_GLOBAL}, {"RED", SPACE_GLOBAL},
		{"LDS", SPACE_SHARED},  {"STS", SPACE_SHARED},  {"ATOMS", SPACE_SHARED}, {"REDS", SPACE_SHARED}, {"LDSM", SPACE_SHARED},
		{"LDL", SPACE_LOCAL},   {"STL", SPACE_LOCAL},   {"LDGSTS", SPACE_GLOBAL},
	};

	for (size_t i = 0; i < ARRAY_COUNT(spaces); i++)
		if (opcode_is(insn, spaces[i].opcode))
			return (enum ptx_space)spaces[i].space;
	return SPACE_GENERIC;
}

/* ---- addresses ---------------------------------------------------------------------------- */

/* A summand of a 64-bit address. */
static struct sass_value *term_wide(struct translation *t, const struct sass_term *term)
{
	struct sass_value *low = key_get(t, term->key), *wide;

	if (term->narrow)
		wide = value_pair(t, low, value_constant(t, 32, 0));
	else
		wide = value_pair(t, low, key_get(t, (uint16_t)(term->key + 1)));
	return emit(t, OP_shl, PTX_b64, 64, wide, value_constant(t, 32, term->shift), NULL);
}

static struct sass_value *address_sum(struct translation *t, const struct sass_operand *operand, bool wide)
{
	struct sass_value *sum = NULL;

	for (unsigned i = 0; i < operand->term_count; i++) {
		const struct sass_term *term = &operand->terms[i];
		struct sass_value *value = wide ? term_wide(t, term)
		                                : emit(t, OP_shl, PTX_b32, 32, key_get(t, term->key), value_constant(t, 32, term->shift), NULL);

		sum = sum ? emit(t, OP_add, wide ? PTX_s64 : PTX_s32, wide ? 64 : 32, sum, value, NULL) : value;
	}
	return sum;
}

/* [register + offset]; operands that are no address: an unknown one. */
static struct ptx_operand address_operand(struct translation *t, unsigned i, enum ptx_space space)
{
	const struct sass_operand *operand = &t->insn->operands[i];
	bool wide = space == SPACE_GLOBAL || space == SPACE_GENERIC;
	struct ptx_operand address = {.kind = OPERAND_ADDRESS, .reg = PTX_NO_REGISTER, .value = operand->value};
	struct sass_value *sum;

	t->helping++;
	sum = operand->kind == SASS_ADDRESS && i < t->insn->operand_count ? address_sum(t, operand, wide) : emit_unknown(t, 64);
	if (sum && sum->kind == VALUE_CONSTANT)
		address.value += wide ? sum->number : (int64_t)((uint64_t)sum->number & UINT32_MAX);
	else if (sum)
		address.reg = value_register(t, sum);
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
	static const struct { const char *modifier; uint8_t type, words; } widths[] = {
		{"U8", PTX_u8, 1},   {"S8", PTX_s8, 1},   {"U16", PTX_u16, 1}, {"S16", PTX_s16, 1},
		{"64", PTX_b32, 2},  {"128", PTX_b32, 4}, {"256", PTX_b32, 8},
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
	return sass_has(insn, "EF") ? CACHE_STREAMING : sass_has(insn, "EL") ? CACHE_ALL : sass_has(insn, "LU") ? CACHE_LAST_USE
	       : sass_has(insn, "NA") ? CACHE_NO_ALLOCATE : CACHE_DEFAULT;
}

/* The memory instruction, its operands still to be set. */
static struct ptx_insn *access_emit(struct translation *t, enum ptx_operation operation, enum ptx_type type, enum ptx_space space,
                                    unsigned words, unsigned destinations, unsigned operands)
{
	uint32_t guard = t->guard ? value_register(t, t->guard) : PTX_NO_REGISTER;
	struct ptx_insn *insn = emit_raw(t, operation, type, destinations, operands);

	insn->space = (uint8_t)space;
	insn->vector = (uint8_t)words;
	insn->cache = (uint8_t)cache_of(t->insn);
	insn->noncoherent = sass_has(t->insn, "CONSTANT");
	insn->volatile_access = sass_has(t->insn, "STRONG") && (operation == OP_ld || operation == OP_st);
	insn->guarded = t->guard != NULL;
	insn->guard = guard;
	insn->guard_negated = t->guard_negated;
	main_is_last(t);
	return insn;
}

/* ---- destinations -------------------------------------------------------------------------------- */

/* New registers for what is loaded. Under a guard they begin as what the destination holds. */
static struct sass_value *loaded_value(struct translation *t, uint16_t key)
{
	struct sass_value *value, *old = t->guard ? key_get(t, key) : NULL;

	if (old)
		value_operand(t, old);
	value = value_new(t, key >= KEY_PREDICATES ? 1 : 32);
	t->helping++;
	if (old)
		emit_copy(t, value->reg, bits_type(value->bits), old);
	t->helping--;
	return value;
}

/* Operand `i` and the registers after it become loaded values; the first operand of a memory instruction. */
static struct ptx_operand loaded_operand(struct translation *t, unsigned i, unsigned words)
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
		value = loaded_value(t, own);
		elements[k] = (struct ptx_operand){.kind = OPERAND_REGISTER, .reg = value->reg};
		t->results[t->result_count].key = own;
		t->results[t->result_count++].value = value;
	}
	t->guards_itself = true;
	if (words == 1)
		return elements[0];
	return (struct ptx_operand){.kind = OPERAND_VECTOR, .count = (uint16_t)words, .elements = elements};
}

/* Predicates before the destination. */
static unsigned predicates_unknown(struct translation *t)
{
	unsigned i = 0;

	for (; source_is_predicate(t, i); i++)
		if (t->insn->operands[i].key != KEY_TRUE)
			result(t, i, emit_unknown(t, 1));
	return i;
}

/* What is stored. */
static struct ptx_operand stored_operand(struct translation *t, unsigned i, unsigned words)
{
	struct ptx_operand *elements = arena_array(t->dry ? t->scratch : t->arena, words, sizeof(*elements));
	const struct sass_operand *operand = &t->insn->operands[i];

	t->helping++;
	for (unsigned k = 0; k < words; k++) {
		bool zero = operand->kind != SASS_REGISTER || operand->key == KEY_ZERO || i >= t->insn->operand_count;

		elements[k] = value_operand(t, zero ? value_constant(t, 32, 0) : key_get(t, (uint16_t)(operand->key + k)));
	}
	t->helping--;
	if (words == 1)
		return elements[0];
	return (struct ptx_operand){.kind = OPERAND_VECTOR, .count = (uint16_t)words, .elements = elements};
}

/* ---- handlers ------------------------------------------------------------------------------------- */

void handle_load(struct translation *t, const struct sass_insn *insn)
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

void handle_store(struct translation *t, const struct sass_insn *insn)
{
	enum ptx_space space = space_of(insn);
	unsigned at = find_address(insn, 0), words;
	enum ptx_type type = access_type(insn, &words);
	struct ptx_operand address = address_operand(t, at, space), stored = stored_operand(t, at + 1, words);
	struct ptx_insn *made = access_emit(t, OP_st, type, space, words, 0, 2);

	made->operands[0] = address;
	made->operands[1] = stored;
}

static const struct { const char *name; uint8_t atomic; } atomics[] = {
	{"ADD", ATOMIC_ADD}, {"MIN", ATOMIC_MIN}, {"MAX", ATOMIC_MAX}, {"INC", ATOMIC_INC}, {"DEC", ATOMIC_DEC},
	{"AND", ATOMIC_AND}, {"OR", ATOMIC_OR},   {"XOR", ATOMIC_XOR}, {"EXCH", ATOMIC_EXCH}, {"CAS", ATOMIC_CAS},
	{"CAST", ATOMIC_CAS},
};

static void atomic_set(const struct sass_insn *insn, struct ptx_insn *made)
{
	for (size_t i = 0; i < ARRAY_COUNT(atomics); i++)
		if (sass_has(insn, atomics[i].name))
			made->atomic = atomics[i].atomic;
}

/* Type of what is combined: its width. */
static enum ptx_type atomic_type(const struct sass_insn *insn)
{
	static const char *const wide[] = {"64", "U64", "S64", "F64"};

	for (size_t i = 0; i < ARRAY_COUNT(wide); i++)
		if (sass_has(insn, wide[i]))
			return PTX_b64;
	return PTX_b32;
}

/* ATOMG.E.ADD p, d, [address], a */
void handle_atomic(struct translation *t, const struct sass_insn *insn)
{
	enum ptx_space space = space_of(insn);
	unsigned destination = predicates_unknown(t), at = find_address(insn, 0);
	enum ptx_type type = atomic_type(insn);
	struct ptx_operand address = address_operand(t, at, space), operand = stored_operand(t, at + 1, 1);
	struct ptx_operand loaded = loaded_operand(t, destination, type == PTX_b64 ? 2 : 1);
	struct ptx_insn *made = access_emit(t, OP_atom, type, space, 1, 1, 3);

	atomic_set(insn, made);
	made->operands[0] = loaded;
	made->operands[1] = address;
	made->operands[2] = operand;
}

void handle_reduction(struct translation *t, const struct sass_insn *insn)
{
	enum ptx_space space = space_of(insn);
	unsigned at = find_address(insn, 0);
	struct ptx_operand address = address_operand(t, at, space), operand = stored_operand(t, at + 1, 1);
	struct ptx_insn *made = access_emit(t, OP_red, atomic_type(insn), space, 1, 0, 2);

	atomic_set(insn, made);
	made->operands[0] = address;
	made->operands[1] = operand;
}

/* LDGSTS.E.128 [shared], desc[..][global] */
void handle_copy(struct translation *t, const struct sass_insn *insn)
{
	unsigned to = find_address(insn, 0), from = find_address(insn, to + 1), words;
	unsigned bytes = ptx_type_bytes(access_type(insn, &words));
	struct ptx_operand shared = address_operand(t, to, SPACE_SHARED), global = address_operand(t, from, SPACE_GLOBAL);
	struct ptx_insn *made = access_emit(t, OP_cp_async, PTX_b32, SPACE_GLOBAL, 1, 0, 3);

	made->cache = (uint8_t)(sass_has(insn, "BYPASS") ? CACHE_GLOBAL : CACHE_ALL);
	made->operands[0] = shared;
	made->operands[1] = global;
	made->operands[2] = (struct ptx_operand){.kind = OPERAND_IMMEDIATE, .value = bytes * words};
}

/* LDSM.16.M88.4 d, [shared]: each lane addresses a row of 16 bytes, and gets 4 bytes of each matrix. */
void handle_matrix_load(struct translation *t, const struct sass_insn *insn)
{
	unsigned words = sass_has(insn, "4") ? 4 : sass_has(insn, "2") ? 2 : 1;
	struct ptx_operand address = address_operand(t, find_address(insn, 0), SPACE_SHARED);
	struct ptx_operand loaded = loaded_operand(t, 0, words);
	struct ptx_insn *made = access_emit(t, OP_ldmatrix, PTX_b16, SPACE_SHARED, 2 * words, 1, 2);

	made->operands[0] = loaded;
	made->operands[1] = address;
}
