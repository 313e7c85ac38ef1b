/*
 * What a listing says about control: where blocks begin and end, and which way branches go that are not left to chance.
 *
 * Floating-point division, reciprocal and square root call a slow path for operands that are subnormal or out of
 * range. The branches around such calls are taken never to lead there; nor do those around an assertion that fails, or
 * a trap. BRA.DIV and BRA.CONV ask whether the lanes of the warp have parted: taken not to.
 */
#include "ptxparse/sass/flow.h"

#include <string.h>

/* A block that calls a slow path has no more instructions than this; one that ends the launch. */
#define MOST_COLD 24
#define MOST_LAST 64

/* COLD_END: what the launch ends with. */
enum cold { COLD_NOT, COLD_SLOW, COLD_END };

uint32_t sass_named_insn(const struct sass_listing *listing, const struct sass_insn *insn)
{
	for (unsigned i = insn->operand_count; i-- > 0;) {
		const struct sass_operand *operand = &insn->operands[i];

		if (operand->kind == SASS_INTEGER && operand->value >= 0 && operand->value % SASS_INSN_BYTES == 0 &&
		    operand->value / SASS_INSN_BYTES < listing->insn_count)
			return (uint32_t)(operand->value / SASS_INSN_BYTES);
	}
	return SASS_NO_BLOCK;
}

static bool has_condition(const struct sass_insn *insn)
{
	if (insn->guarded)
		return true;
	for (unsigned i = 0; i < insn->operand_count; i++)
		if (insn->operands[i].kind == SASS_REGISTER && insn->operands[i].key >= KEY_PREDICATES &&
		    (insn->operands[i].key != KEY_TRUE || insn->operands[i].inverted))
			return true;
	return false;
}

static enum sass_choice branch_choice(const struct sass_insn *insn)
{
	if (sass_has(insn, "DIV") || (insn->guarded && insn->guard == KEY_TRUE))
		return CHOICE_NEVER;
	if (sass_has(insn, "CONV"))
		return CHOICE_ALWAYS;
	return has_condition(insn) ? CHOICE_CONDITION : CHOICE_ALWAYS;
}

bool sass_survey_ends_block(const struct sass_survey *survey, uint32_t index)
{
	const struct sass_insn *insn = &survey->listing->insns[index];

	switch (sass_kind_of(insn)) {
	case KIND_PLAIN:
		return false;
	case KIND_EXIT:
		return !insn->guarded;
	case KIND_BRANCH:
		return survey->choice[index] != CHOICE_NEVER;
	default:
		return true;
	}
}

static bool names_slow_path(const struct sass_insn *call)
{
	static const char *const names[] = {"slowpath", "mediumpath", "_f64_full"};

	for (unsigned i = 0; i < call->operand_count; i++)
		for (size_t k = 0; k < ARRAY_COUNT(names); k++)
			if (strstr(call->operands[i].text, names[k]))
				return true;
	return false;
}

/* The block that begins here does little but call a slow path, or end the launch. */
static enum cold cold_of(const struct sass_survey *survey, const struct cubin *cubin, uint32_t index)
{
	for (uint32_t i = index; i < survey->listing->insn_count && i < index + MOST_LAST; i++) {
		const struct sass_insn *insn = &survey->listing->insns[i];
		const struct sass_callee *callee = sass_callee_find(cubin, survey->listing, i);

		if (callee && callee->ends)
			return COLD_END;
		if (sass_opcode_is(insn, "BPT") && sass_has(insn, "TRAP") && !insn->guarded)
			return COLD_END;
		if (sass_kind_of(insn) == KIND_CALL)
			return i < index + MOST_COLD && names_slow_path(insn) ? COLD_SLOW : COLD_NOT;
		if (sass_survey_ends_block(survey, i) || (i + 1 < survey->listing->insn_count && survey->leader[i + 1]))
			return COLD_NOT;
	}
	return COLD_NOT;
}

/* Branches of which one side is cold go the other way. Returns how many of them lead around slow paths. */
static uint32_t survey_cold(struct sass_survey *survey, const struct cubin *cubin)
{
	uint32_t count = 0;

	survey->cold = SASS_NO_BLOCK;
	for (uint32_t i = 0; i + 1 < survey->listing->insn_count; i++) {
		const struct sass_insn *insn = &survey->listing->insns[i];
		uint32_t target;
		enum cold fall, taken;

		if (sass_kind_of(insn) != KIND_BRANCH || survey->choice[i] != CHOICE_CONDITION)
			continue;
		target = sass_named_insn(survey->listing, insn);
		fall = cold_of(survey, cubin, i + 1);
		taken = target != SASS_NO_BLOCK ? cold_of(survey, cubin, target) : COLD_NOT;
		if ((fall == COLD_NOT) == (taken == COLD_NOT))
			continue;
		survey->choice[i] = fall != COLD_NOT ? CHOICE_ALWAYS : CHOICE_NEVER;
		if ((fall == COLD_SLOW || taken == COLD_SLOW) && count++ == 0)
			survey->cold = i;
	}
	return count;
}

uint32_t sass_survey_make(struct arena *arena, const struct cubin *cubin, const struct sass_listing *listing,
                          struct sass_survey *survey)
{
	survey->listing = listing;
	survey->leader = arena_array(arena, listing->insn_count + 1u, sizeof(bool));
	survey->choice = arena_array(arena, listing->insn_count + 1u, 1);
	for (uint32_t i = 0; i < listing->insn_count; i++) {
		const struct sass_insn *insn = &listing->insns[i];
		bool names_place = sass_kind_of(insn) == KIND_BRANCH || sass_opcode_is(insn, "BSSY");
		uint32_t target = names_place ? sass_named_insn(listing, insn) : SASS_NO_BLOCK;

		survey->choice[i] = (uint8_t)(sass_kind_of(insn) == KIND_BRANCH ? branch_choice(insn) : CHOICE_NEVER);
		if (target != SASS_NO_BLOCK)
			survey->leader[target] = true;
		if (sass_survey_ends_block(survey, i))
			survey->leader[i + 1] = true;
	}
	return survey_cold(survey, cubin);
}
