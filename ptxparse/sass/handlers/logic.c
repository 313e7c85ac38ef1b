/*
 * Logic by tables, comparisons, predicates, and what lanes tell each other.
 */
#include "ptxparse/sass/handlers/handlers.h"

#include <string.h>

/* ---- LOP3, PLOP3 -------------------------------------------------------------------------- */

/* LOP3.LUT [p,] d, a, b, c, table, q: p = d != 0 or q. */
void sass_handle_logic(struct sass_translation *t, const struct sass_insn *insn)
{
	unsigned d = sass_source_is_predicate(t, 0) ? 1 : 0;
	unsigned table = (unsigned)sass_source_number(t, d + 4, 0) & 0xff;
	struct sass_value *value = sass_emit_logic(t, PTX_b32, table, sass_source(t, d + 1), sass_source(t, d + 2),
	                                           sass_source(t, d + 3)),
			  *any;

	(void)insn;
	sass_result(t, d, value);
	if (!d)
		return;
	any = sass_emit_compare(t, COMPARE_NE, PTX_u32, value, sass_value_constant(t, 32, 0));
	sass_result(t, 0,
	            sass_predicate_or(t, any,
	                              sass_source_is_predicate(t, d + 5) ? sass_source_predicate(t, d + 5)
	                                                                 : sass_value_constant(t, 1, 0)));
}

/* PLOP3.LUT p, q, a, b, c, table of p, table of q. */
void sass_handle_predicate_logic(struct sass_translation *t, const struct sass_insn *insn)
{
	struct sass_value *a = sass_source_predicate(t, 2), *b = sass_source_predicate(t, 3),
			  *c = sass_source_predicate(t, 4);

	for (unsigned i = 0; i < 2; i++)
		if (insn->operands[i].key != KEY_TRUE)
			sass_result(t, i,
			            sass_emit_logic(t, PTX_pred, (unsigned)sass_source_number(t, 5 + i, 0) & 0xff, a, b,
			                            c));
}

/* ---- comparisons ----------------------------------------------------------------------------- */

static const struct {
	const char *name;
	uint8_t compare;
	bool unordered;
} compares[] = {
	{"LT", COMPARE_LT, false},         {"EQ", COMPARE_EQ, false},        {"LE", COMPARE_LE, false},
	{"GT", COMPARE_GT, false},         {"NE", COMPARE_NE, false},        {"GE", COMPARE_GE, false},
	{"LTU", COMPARE_LT, true},         {"EQU", COMPARE_EQ, true},        {"LEU", COMPARE_LE, true},
	{"GTU", COMPARE_GT, true},         {"NEU", COMPARE_NE, true},        {"GEU", COMPARE_GE, true},
	{"NUM", COMPARE_UNORDERED, false}, {"NAN", COMPARE_UNORDERED, true},
};

static enum ptx_compare compare_read(const struct sass_insn *insn, bool *unordered)
{
	for (size_t i = 0; i < ARRAY_COUNT(compares); i++)
		if (sass_has(insn, compares[i].name)) {
			*unordered = compares[i].unordered;
			return (enum ptx_compare)compares[i].compare;
		}
	return COMPARE_NONE;
}

/* Sets p = compared op q, and its complement; q is the operand after the sources. */
static void compare_finish(struct sass_translation *t, struct sass_value *compared, unsigned combined)
{
	for (unsigned i = 0; i < 2; i++) {
		struct sass_value *value, *with;

		if (t->insn->operands[i].key == KEY_TRUE)
			continue;
		value = i ? sass_predicate_not(t, compared) : compared;
		with = sass_source_predicate(t, combined);
		if (sass_has(t->insn, "OR"))
			value = sass_predicate_or(t, value, with);
		else if (sass_has(t->insn, "XOR"))
			value = sass_emit_logic(t, PTX_pred, 0x66, sass_value_constant(t, 1, 0), value, with);
		else
			value = sass_predicate_and(t, value, with);
		sass_result(t, i, value);
	}
}

/* Whether high halves decide: for == and != both do. */
static struct sass_value *compare_extended(struct sass_translation *t, enum ptx_compare compare, bool is_signed,
                                           struct sass_value *a, struct sass_value *b, struct sass_value *low)
{
	enum ptx_type type = is_signed ? PTX_s32 : PTX_u32;
	enum ptx_compare strict = compare == COMPARE_LE ? COMPARE_LT : compare == COMPARE_GE ? COMPARE_GT : compare;
	struct sass_value *high, *equal;

	if (low->fact == FACT_COMPARE && low->compare == compare)
		return sass_emit_compare(t, compare, is_signed ? PTX_s64 : PTX_u64, sass_value_pair(t, low->a, a),
		                         sass_value_pair(t, low->b, b));
	high = sass_emit_compare(t, strict, type, a, b);
	if (compare == COMPARE_NE)
		return sass_predicate_or(t, high, low);
	if (compare == COMPARE_EQ)
		return sass_predicate_and(t, high, low);
	equal = sass_emit_compare(t, COMPARE_EQ, type, a, b);
	return sass_predicate_or(t, high, sass_predicate_and(t, equal, low));
}

static struct sass_value *compare_plain(struct sass_translation *t, enum ptx_compare compare, bool is_signed,
                                        struct sass_value *a, struct sass_value *b)
{
	struct sass_value *value = sass_emit_compare(t, compare, is_signed ? PTX_s32 : PTX_u32, a, b);

	if (!is_signed || compare == COMPARE_EQ || compare == COMPARE_NE) {
		value->fact = FACT_COMPARE;
		value->compare = (uint8_t)compare;
		value->a = a;
		value->b = b;
	}
	return value;
}

/* ISETP.GE.U32.AND.EX p, q, a, b, r, low halves' comparison */
void sass_handle_compare(struct sass_translation *t, const struct sass_insn *insn)
{
	bool unordered = false, is_signed = !sass_has(insn, "U32") && !sass_has(insn, "U64");
	enum ptx_compare compare = compare_read(insn, &unordered);
	struct sass_value *value;

	if (compare == COMPARE_NONE)
		value = sass_has(insn, "T") ? sass_value_constant(t, 1, 1) : sass_value_constant(t, 1, 0);
	else if (sass_has(insn, "64") || sass_has(insn, "U64") || sass_has(insn, "S64"))
		value = sass_emit_compare(t, compare, is_signed ? PTX_s64 : PTX_u64, sass_source_wide(t, 2, true),
		                          sass_source_wide(t, 3, true));
	else if (sass_has(insn, "EX"))
		value = compare_extended(t, compare, is_signed, sass_source(t, 2), sass_source(t, 3),
		                         sass_source_predicate(t, 5));
	else
		value = compare_plain(t, compare, is_signed, sass_source(t, 2), sass_source(t, 3));
	compare_finish(t, value, 4);
}

/* FSETP, DSETP. */
void sass_handle_real_compare(struct sass_translation *t, const struct sass_insn *insn)
{
	enum ptx_type type = (enum ptx_type)insn->entry->type;
	bool unordered = false, wide = type == PTX_f64;
	enum ptx_compare compare = compare_read(insn, &unordered);
	struct sass_value *a = wide ? sass_source_wide(t, 2, false) : sass_source(t, 2),
			  *b = wide ? sass_source_wide(t, 3, false) : sass_source(t, 3);
	struct sass_value *value = sass_emit_compare(t, compare, type, a, b);

	t->insns[t->insn_count - 1].unordered = unordered;
	compare_finish(t, value, 4);
}

/* FCHK: whether a division needs its slow path. It is taken not to. */
void sass_handle_range_check(struct sass_translation *t, const struct sass_insn *insn)
{
	(void)insn;
	sass_result(t, 0, sass_value_constant(t, 1, 0));
}

/* ---- predicates and registers -------------------------------------------------------------------- */

/* Operands without PR, which stands for all predicates, and which nvdisasm takes for a guard. */
static unsigned after_all_predicates(const struct sass_insn *insn, unsigned i)
{
	return i < insn->operand_count && insn->operands[i].kind == SASS_OTHER ? i + 1 : i;
}

/* P2R d, PR, a, mask: the predicates of the mask as bits, other bits from a. */
void sass_handle_predicates_to_register(struct sass_translation *t, const struct sass_insn *insn)
{
	unsigned from = after_all_predicates(insn, 1);
	uint64_t mask = (uint64_t)sass_source_number(t, from + 1, 0) & 0x7f;
	struct sass_value *value =
		sass_emit(t, OP_and, PTX_b32, 32, sass_source(t, from), sass_value_constant(t, 32, ~mask), NULL);

	if (strchr(insn->opcode, '.')) {
		sass_result(t, 0, sass_value_unknown(t, 32));
		return;
	}
	for (unsigned i = 0; i < 7; i++)
		if (mask >> i & 1) {
			struct sass_value *bit = sass_value_select(t, sass_key_read(t, (uint16_t)(KEY_PREDICATES + i)),
			                                           false, sass_value_constant(t, 32, UINT64_C(1) << i),
			                                           sass_value_constant(t, 32, 0));

			value = sass_emit(t, OP_or, PTX_b32, 32, value, bit, NULL);
		}
	sass_result(t, 0, value);
}

/* R2P PR, a, mask: predicates from bits. */
void sass_handle_register_to_predicates(struct sass_translation *t, const struct sass_insn *insn)
{
	unsigned from = after_all_predicates(insn, 0);
	uint64_t mask = (uint64_t)sass_source_number(t, from + 1, 0x7f) & 0x7f;
	struct sass_value *value = sass_source(t, from), *bit, *zero = sass_value_constant(t, 32, 0);

	for (unsigned i = 0; i < 7 && t->result_count < ARRAY_COUNT(t->results); i++) {
		if (!(mask >> i & 1))
			continue;
		bit = sass_emit(t, OP_and, PTX_b32, 32, value, sass_value_constant(t, 32, UINT64_C(1) << i), NULL);
		t->results[t->result_count].key = (uint16_t)(KEY_PREDICATES + i);
		t->results[t->result_count++].value = strchr(insn->opcode, '.')
		                                              ? sass_value_unknown(t, 1)
		                                              : sass_emit_compare(t, COMPARE_NE, PTX_u32, bit, zero);
	}
}

/* ---- the lanes of a warp ------------------------------------------------------------------------------ */

/* SHFL.DOWN p, d, a, b, c */
void sass_handle_shuffle(struct sass_translation *t, const struct sass_insn *insn)
{
	static const struct {
		const char *name;
		uint16_t operation;
	} kinds[] = {{"UP", OP_shfl_up}, {"DOWN", OP_shfl_down}, {"BFLY", OP_shfl_bfly}, {"IDX", OP_shfl_idx}};
	enum ptx_operation operation = OP_shfl_idx;
	struct sass_value *data, *inside;
	struct ptx_operand sources[3];
	struct ptx_insn *made;

	for (size_t i = 0; i < ARRAY_COUNT(kinds); i++)
		if (sass_has(insn, kinds[i].name))
			operation = (enum ptx_operation)kinds[i].operation;
	for (unsigned i = 0; i < 3; i++)
		sources[i] = sass_value_operand(t, sass_source(t, 2 + i));
	data = sass_value_new(t, 32);
	inside = sass_value_new(t, 1);
	made = sass_emit_raw(t, operation, PTX_b32, 2, 5);
	made->operands[0] = (struct ptx_operand){.kind = OPERAND_REGISTER, .reg = data->reg};
	made->operands[1] = (struct ptx_operand){.kind = OPERAND_REGISTER, .reg = inside->reg};
	memcpy(&made->operands[2], sources, sizeof(sources));
	sass_result(t, 0, inside);
	sass_result(t, 1, data);
}

/* VOTE.ANY [d,] p, q: d the lanes where q holds, p whether any (all, or as many) do. */
void sass_handle_vote(struct sass_translation *t, const struct sass_insn *insn)
{
	bool has_register = !sass_source_is_predicate(t, 0);
	struct sass_value *asked = sass_source_predicate(t, insn->operand_count - 1u);
	enum ptx_operation operation = sass_has(insn, "ALL")  ? OP_vote_all
	                               : sass_has(insn, "EQ") ? OP_vote_uni
	                                                      : OP_vote_any;

	if (insn->operands[has_register].key != KEY_TRUE && sass_source_is_predicate(t, has_register))
		sass_result(t, has_register, sass_emit(t, operation, PTX_pred, 1, asked, NULL, NULL));
	if (has_register)
		sass_result(t, 0, sass_emit(t, OP_vote_ballot, PTX_b32, 32, asked, NULL, NULL));
}
