/*
 * The text form of an evaluation: launch, loops, memory instructions and what they touch, assumptions.
 */
#include "model/execute/execute.h"

#include "ptxparse/ptxparse.h"

#include <inttypes.h>

/* "12.cu:34" of an instruction, or its line in the PTX. */
static void dump_place(struct text *out, const struct ptx_module *module, const struct ptx_insn *insn)
{
	const struct ptx_place *place = insn->place < module->place_count ? &module->places[insn->place] : NULL;

	if (place && place->place.line)
		text_printf(out, "line %u", place->place.line);
	else
		text_printf(out, "ptx %u", insn->line);
}

static void dump_loops(struct text *out, const struct ptx_function *function, const struct evaluation *evaluation)
{
	for (uint32_t i = 0; i < function->cfg->loop_count; i++) {
		const struct ptx_loop *loop = &function->cfg->loops[i];

		text_printf(out, "  loop %u: block %u depth %u entries %.15g trips %.15g\n", i, loop->header,
		            loop->depth, evaluation->loops[i].entries, evaluation->loops[i].trips);
	}
}

static void dump_insn(struct text *out, const struct ptx_module *module, const struct ptx_function *function,
                      size_t index, const struct insn_totals *totals)
{
	const struct ptx_insn *insn = &function->insns[index];

	text_printf(out, "  %zu %s ", index, insn->spelling);
	dump_place(out, module, insn);
	text_printf(out, ": executions %.15g lanes %.15g", totals->executions, totals->lanes);
	if (totals->sectors > 0 || totals->lines > 0)
		text_printf(out, " sectors %.15g lines %.15g", totals->sectors, totals->lines);
	if (totals->wavefronts > 0)
		text_printf(out, " wavefronts %.15g conflicts %.15g", totals->wavefronts, totals->conflicts);
	if (totals->addresses > 0)
		text_printf(out, " addresses %.15g", totals->addresses);
	if (totals->known < 1 && totals->executions > 0)
		text_printf(out, " known %.4g", totals->known);
	text_puts(out, "\n");
}

void exec_dump_footprints(struct text *out, const struct ptx_module *module, const struct ptx_function *function,
                          const struct evaluation *evaluation)
{
	text_printf(out, "%s:\n", function->name);
	for (size_t i = 0; i < evaluation->footprint_count; i++) {
		const struct footprint *print = &evaluation->footprints[i];

		text_printf(out, "  %u ", print->insn);
		dump_place(out, module, &function->insns[print->insn]);
		text_printf(out, ": %u bytes at %" PRIu64 "+%" PRIu64, print->bytes, print->base >> 40,
		            print->base & ((UINT64_C(1) << 40) - 1));
		for (uint32_t axis = 0; axis < print->axis_count; axis++)
			text_printf(out, ", %" PRId64 " times %" PRId64, print->axes[axis].count,
			            print->axes[axis].slope);
		text_printf(out, print->weight < 1 ? " in %g\n" : "\n", print->weight);
	}
	for (size_t i = 0; i < function->insn_count; i++)
		if (evaluation->untracked[i] && evaluation->insns[i].executions > 0) {
			text_printf(out, "  %zu ", i);
			dump_place(out, module, &function->insns[i]);
			text_puts(out, ": untracked\n");
		}
}

void exec_dump(struct text *out, const struct ptx_module *module, const struct ptx_function *function,
               const struct evaluation *evaluation)
{
	text_printf(out, "%s: warps %.15g instructions %.15g divergent %.15g %s\n", function->name, evaluation->warps,
	            evaluation->warp_instructions, evaluation->divergent_branches,
	            evaluation->exact ? "exact" : "estimated");
	dump_loops(out, function, evaluation);
	for (size_t i = 0; i < function->insn_count; i++)
		if (ptx_insn_flags(&function->insns[i]) & (FLAG_LOAD | FLAG_STORE) &&
		    function->insns[i].space != SPACE_PARAM)
			dump_insn(out, module, function, i, &evaluation->insns[i]);
	for (unsigned i = 0; i < evaluation->assumption_count; i++)
		text_printf(out, "  assumed at %u: %s\n", evaluation->assumptions[i].insn,
		            evaluation->assumptions[i].text);
}
