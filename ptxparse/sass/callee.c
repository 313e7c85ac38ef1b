/*
 * Functions of the system that code calls by an address in constant bank 4: CALL.ABS.NOINC R2, where LDC.64 R2,
 * c[0x4][R2] stands before it, and a MOV of the offset before that.
 */
#include "ptxparse/sass/flow.h"

#include <string.h>

#define MOST_BEFORE 64 /* instructions between them */

static const struct sass_callee callees[] = {
	{"__assertfail", "assert", 0, true},
	{"vprintf", "printf", 1, false},
	{"malloc", "malloc", 2, false},
	{"free", "free", 0, false},
};

bool sass_call_is_indirect(const struct sass_insn *call)
{
	for (unsigned i = 0; i < call->operand_count; i++)
		if (call->operands[i].kind == SASS_REGISTER && call->operands[i].key != KEY_ZERO)
			return true;
	return false;
}

/* Whether an instruction writes the register, as far as its first operand says. */
static bool writes(const struct sass_insn *insn, uint16_t key)
{
	unsigned words = sass_has(insn, "128") ? 4 : sass_has(insn, "64") || sass_has(insn, "WIDE") ? 2 : 1;

	return insn->operand_count && insn->operands[0].kind == SASS_REGISTER && key >= insn->operands[0].key &&
	       key < insn->operands[0].key + words;
}

/* The last instruction before `index` that writes the register; NULL where control may come from elsewhere in between.
 */
static const struct sass_insn *writer_find(const struct sass_listing *listing, uint32_t index, uint16_t key,
                                           uint32_t *found)
{
	for (uint32_t i = index; i-- > 0 && index - i <= MOST_BEFORE;) {
		const struct sass_insn *insn = &listing->insns[i];

		if (sass_kind_of(insn) != KIND_PLAIN)
			return NULL;
		*found = i;
		if (writes(insn, key))
			return insn->guarded ? NULL : insn;
	}
	return NULL;
}

/* The number that is moved to a register before `index`. */
static bool number_before(const struct sass_listing *listing, uint32_t index, uint16_t key, int64_t *number)
{
	uint32_t at;
	const struct sass_insn *insn = writer_find(listing, index, key, &at);
	unsigned from = insn && sass_opcode_is(insn, "MOV") ? 1 : 3; /* IMAD.MOV.U32 R2, RZ, RZ, number */

	if (!insn || (from == 3 && !(sass_opcode_is(insn, "IMAD") && sass_has(insn, "MOV"))) ||
	    insn->operand_count <= from || insn->operands[from].kind != SASS_INTEGER)
		return false;
	*number = insn->operands[from].value;
	return true;
}

const struct sass_callee *sass_callee_find(const struct cubin *cubin, const struct sass_listing *listing,
                                           uint32_t index)
{
	const struct sass_insn *call = &listing->insns[index], *load;
	const struct sass_operand *target = call->operand_count ? &call->operands[call->operand_count - 1] : NULL,
				  *from;
	int64_t offset = 0;
	const char *name;
	uint32_t at;

	if (sass_kind_of(call) != KIND_CALL || !target || target->kind != SASS_REGISTER)
		return NULL;
	load = writer_find(listing, index, target->key, &at);
	if (!load || !strstr(load->opcode, "LDC") || load->operand_count < 2)
		return NULL;
	from = &load->operands[1];
	if (from->kind != SASS_BANK || from->bank != 4 ||
	    (from->key != KEY_NONE && from->key != KEY_ZERO && !number_before(listing, at, from->key, &offset)))
		return NULL;
	name = cubin_address_at(cubin, (uint64_t)(from->value + offset));
	for (size_t i = 0; name && i < ARRAY_COUNT(callees); i++)
		if (strcmp(callees[i].name, name) == 0)
			return &callees[i];
	return NULL;
}
