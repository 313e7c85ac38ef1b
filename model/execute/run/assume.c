/*
 * What is assumed where something is not known, in words and once for each instruction.
 */
#include "model/execute/run/steps.h"

#include <string.h>

const struct ptx_insn *warp_insn(const struct run *run, uint32_t index)
{
	const struct ptx_function *function = run->evaluator->plan->function;

	return index < function->insn_count ? &function->insns[index] : NULL;
}

/* Operations of machine code, whose names no source has. */
static const char *operation_words(const struct ptx_insn *insn)
{
	static const struct {
		const char *spelling, *words;
	} names[] = {
		{"MUFU.RCP", "a division"},     {"MUFU.RSQ", "a reciprocal square root"},
		{"MUFU.SQRT", "a square root"}, {"MUFU.SIN", "a sine"},
		{"MUFU.COS", "a cosine"},       {"MUFU.EX2", "an exponential function"},
		{"MUFU.LG2", "a logarithm"},    {"MUFU.TANH", "a hyperbolic tangent"},
	};

	for (size_t i = 0; i < ARRAY_COUNT(names); i++)
		if (strncmp(insn->spelling, names[i].spelling, strlen(names[i].spelling)) == 0)
			return names[i].words;
	return insn->spelling;
}

const char *warp_origin(const struct run *run, uint32_t origin)
{
	const struct evaluate_input *input = run->evaluator->input;
	const struct ptx_insn *insn = warp_insn(run, origin);
	uint32_t buffer;

	if (!insn)
		return "a value that is not known";
	buffer = run->evaluator->result->insns[origin].buffer;
	if (ptx_insn_flags(insn) & FLAG_ATOMIC)
		return "the result of an atomic operation";
	if (insn->space == SPACE_PARAM)
		return "an argument that is not known";
	if (insn->space == SPACE_CONST)
		return "constant memory";
	if (insn->operation == OP_OPAQUE)
		return "an instruction that is not followed";
	if (!(ptx_insn_flags(insn) & FLAG_LOAD))
		return arena_printf(run->evaluator->arena, "the result of %s", operation_words(insn));
	if (insn->space == SPACE_SHARED)
		return "data in shared memory";
	if (buffer < input->buffer_count && input->buffers[buffer].name &&
	    run->evaluator->result->insns[origin].sample_mask)
		return arena_printf(run->evaluator->arena, "data loaded from %s", input->buffers[buffer].name);
	return "loaded data";
}

/* Adds an assumption to the list unless its instruction has one; returns it, still without a text, or NULL. */
static struct assumption *assumption_add(struct run *run, uint32_t insn, enum guess guess)
{
	struct evaluator *evaluator = run->evaluator;
	struct evaluation *result = evaluator->result;
	struct assumption assumption = {.guess = guess, .insn = run->calls.depth ? run->calls.insn : insn};

	run->counting.inexact = true;
	if (evaluator->assumed[assumption.insn])
		return NULL;
	evaluator->assumed[assumption.insn] = true;
	ARENA_PUSH(evaluator->arena, result->assumptions, result->assumption_count, assumption);
	return &result->assumptions[result->assumption_count - 1];
}

void warp_assume(struct run *run, uint32_t insn, const char *format, const char *detail)
{
	struct assumption *assumption = assumption_add(run, insn, GUESS_OTHER);

	if (assumption)
		assumption->text = arena_printf(run->evaluator->arena, format, detail);
}

void warp_guess_trips(struct run *run, uint32_t insn, const struct outcome *outcome, struct loop_range range)
{
	struct assumption *assumption = assumption_add(run, insn, GUESS_TRIPS);
	struct arena *arena = run->evaluator->arena;

	if (!assumption)
		return;
	assumption->trips = range.trips;
	assumption->most = range.most;
	assumption->text = arena_printf(arena, "trips of the loop depend on %s: taken to be %.10g%s; --trips says it",
	                                warp_origin(run, outcome->origin), range.trips,
	                                range.most > 0 ? arena_printf(arena, " of at most %.10g", range.most) : "");
}

void warp_guess_condition(struct run *run, uint32_t insn, const struct outcome *outcome,
                          const struct guard_share *share)
{
	struct assumption *assumption = assumption_add(run, insn, GUESS_BRANCH);
	const char *whose = outcome->common ? "of the time, for all lanes alike" : "of the lanes";

	if (!assumption)
		return;
	assumption->common = outcome->common;
	if (share->told)
		assumption->text = arena_printf(run->evaluator->arena,
		                                "its condition holds for %g %% %s, as --branch-probability says",
		                                100 * share->condition, whose);
	else
		assumption->text = arena_printf(
			run->evaluator->arena,
			"branch on %s: its condition is assumed to hold for %g %% %s; --branch-probability says it",
			warp_origin(run, outcome->origin), 100 * share->condition, whose);
}

void warp_suppose(struct run *run, uint32_t insn, const char *name, const struct content *content)
{
	struct evaluator *evaluator = run->evaluator;
	struct assumption assumption = {.insn = run->calls.depth ? run->calls.insn : insn};

	run->counting.inexact = true;
	if (!evaluator->result || evaluator->assumed[assumption.insn])
		return;
	evaluator->assumed[assumption.insn] = true;
	assumption.text =
		content->kind == CONTENT_REAL
			? arena_printf(evaluator->arena,
	                               "numbers loaded from %s decide: taken to be anywhere between 0.5 and 1.5; check "
	                               "it with "
	                               "compare --ncu",
	                               name ? name : "memory")
			: arena_printf(
				  evaluator->arena,
				  "numbers loaded from %s decide: taken to be any from %lld to %lld; --index says it",
				  name ? name : "memory", (long long)content->low, (long long)content->high - 1);
	ARENA_PUSH(evaluator->arena, evaluator->result->assumptions, evaluator->result->assumption_count, assumption);
}

void warp_assume_usual(struct run *run, uint32_t insn)
{
	struct evaluator *evaluator = run->evaluator;
	struct assumption assumption = {
		.insn = run->calls.depth ? run->calls.insn : insn, .text = EXEC_USUAL, .usual = true};

	run->usual = false;
	run->counting.inexact = true;
	if (evaluator->said_usual)
		return;
	evaluator->said_usual = true;
	ARENA_PUSH(evaluator->arena, evaluator->result->assumptions, evaluator->result->assumption_count, assumption);
}

void warp_cut(struct run *run, const struct activation *activation, const char *why)
{
	const struct entry *entry = &activation->stack[activation->depth - 1];

	run_cut(run);
	run->ending.insn = activation->plan->function->cfg->blocks[entry->block].first;
	run->ending.why = why;
}
