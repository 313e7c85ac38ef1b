/*
 * The thesis's proposed method: source analysis for control structure and access patterns, PTX for the instructions
 * that are really executed.
 *
 * The weighted control-flow graph: a statement node is a run of instructions between loops, its weight the latencies of
 * its memory instructions (latency.c); a loop multiplies its body by its trip count, source trips over unroll factor
 * (matching.c). L2 hit rates come from the source's normal forms (hits.c). The sum over all nodes is the predicted
 * cycles per warp.
 *
 * Readings, with their evidence in Table 4.2 (docs/thesis.md): arithmetic is charged nothing; branches are not
 * seen, so both sides count, but for code that the evaluation proves is never reached; L1 does not exist; an access
 * overlaps the one just before it in its node unless the value of that one is used between them, or one of both belongs
 * to data that the node writes (2MM and SYR2K: C adds two full latencies, the reads of A and B one chain); shared and
 * local memory are registers' business and cost nothing. A record that the same trip of a loop has just accessed hits
 * L2, as section 3.5.1 says under Fig. 3.15: IDW's z after x and y comes to 414.7 cycles a trip where the table has
 * 415.5, and to 441.4 by eq. 3 (--reading record=apart).
 */
#include "model/cost/parts.h"

#include <string.h>

/* No instruction. */
#define NO_INSN UINT32_MAX

struct thesis_walk {
	struct arena *arena;
	const struct launch_view *view;
	const struct code_match *match;
	const double *hit_rates; /* per source access */
	struct estimate *estimate;
	struct l2_traffic traffic;
	struct warp_access previous; /* the memory access just before, in the same node */
	uint32_t previous_insn;      /* NO_INSN: none in this node, or its value was waited for */
	uint32_t node_loop;
};

/* Executions of a block: the product of the trips of the loops around it. */
static double block_executions(const struct thesis_walk *walk, const struct ptx_basic_block *block)
{
	double executions = 1;
	for (uint32_t loop = block->loop; loop != PTX_NO_LOOP; loop = walk->view->ptx.function->cfg->loops[loop].parent)
		executions *= walk->match->loop_trips[loop];
	return executions;
}

static bool operand_reads(const struct ptx_operand *operand, uint32_t reg)
{
	if (operand->kind == OPERAND_VECTOR) {
		for (unsigned i = 0; i < operand->count; i++)
			if (operand_reads(&operand->elements[i], reg))
				return true;
		return false;
	}
	return (operand->kind == OPERAND_REGISTER || operand->kind == OPERAND_ADDRESS) && operand->reg == reg;
}

static bool insn_reads(const struct ptx_insn *insn, uint32_t reg)
{
	if (insn->guarded && insn->guard == reg)
		return true;
	for (unsigned o = insn->destinations; o < insn->operand_count; o++)
		if (operand_reads(&insn->operands[o], reg))
			return true;
	return false;
}

/* Whether an instruction waits for a value that the memory instruction `load` brings. */
static bool insn_waits_for(const struct ptx_insn *insn, const struct ptx_insn *load)
{
	for (unsigned o = 0; o < load->destinations; o++) {
		const struct ptx_operand *result = &load->operands[o];
		for (unsigned e = 0; result->kind == OPERAND_VECTOR && e < result->count; e++)
			if (insn_reads(insn, result->elements[e].reg))
				return true;
		if (result->kind == OPERAND_REGISTER && insn_reads(insn, result->reg))
			return true;
	}
	return false;
}

/* "line 20" of the source where .loc names one, else the line of the PTX. */
static const char *insn_where(const struct thesis_walk *walk, uint32_t index)
{
	const struct ptx_insn *insn = &walk->view->ptx.function->insns[index];
	unsigned line = code_place(walk->view, &walk->view->ptx, index).line;
	return line ? arena_printf(walk->arena, "line %u", line) : arena_printf(walk->arena, "PTX line %u", insn->line);
}

/* Whether two expressions are written alike. */
static bool expr_equal(const struct expr *a, const struct expr *b)
{
	if (a == b || !a || !b)
		return a == b;
	if (a->op != b->op || a->op == EXPR_UNKNOWN || a->bits != b->bits || a->is_signed != b->is_signed ||
	    a->value != b->value || a->symbol != b->symbol || a->load != b->load || a->tree_size != b->tree_size)
		return false;
	for (unsigned i = 0; i < 3; i++)
		if (!expr_equal(a->operands[i], b->operands[i]))
			return false;
	return true;
}

/*
 * Whether the lanes of two instructions' sample executions access the same records, in the same lines. Both have the
 * same owner, with a placement.
 */
static bool samples_share_records(const struct thesis_walk *walk, uint32_t a, uint32_t b)
{
	const struct insn_totals *first = &walk->view->ptx.evaluation->insns[a],
				 *second = &walk->view->ptx.evaluation->insns[b];
	const struct buffer_owner *owner = walk->match->insns[a].owner;
	uint64_t line = (uint64_t)walk->view->machine->l2_line_bytes.value;
	if (first->sample_mask != second->sample_mask || !first->sample_mask)
		return false;
	for (unsigned lane = 0; lane < WARP_LANES; lane++) {
		uint64_t left = first->sample_address[lane], right = second->sample_address[lane], elements[2];
		unsigned buffer;
		int64_t offsets[2];
		if (!(first->sample_mask >> lane & 1))
			continue;
		if (left / line != right / line ||
		    !content_locate(left, walk->view->buffer_count, &buffer, &offsets[0]) ||
		    !content_locate(right, walk->view->buffer_count, &buffer, &offsets[1]) ||
		    !placement_locate(owner->placement, owner->buffer, (uint64_t)offsets[0], NULL, &elements[0],
		                      NULL) ||
		    !placement_locate(owner->placement, owner->buffer, (uint64_t)offsets[1], NULL, &elements[1],
		                      NULL) ||
		    elements[0] != elements[1])
			return false;
	}
	return true;
}

/*
 * Whether an earlier instruction of the block accesses the records that this one does: the same index of the source,
 * and the same lines. Only in loops: outside of them nothing hits.
 */
static bool record_is_touched(const struct thesis_walk *walk, uint32_t index, const struct ptx_basic_block *block)
{
	const struct insn_match *match = &walk->match->insns[index];
	if (!match->access || !match->access->loop || !match->owner->placement || walk->view->readings->record)
		return false;
	for (uint32_t i = block->first; i < index; i++) {
		const struct insn_match *other = &walk->match->insns[i];
		if (other->owner == match->owner && other->access &&
		    expr_equal(other->access->element, match->access->element) && samples_share_records(walk, i, index))
			return true;
	}
	return false;
}

static double hit_rate_of(struct thesis_walk *walk, uint32_t index, const struct ptx_basic_block *block,
                          double executions)
{
	const struct insn_match *match = &walk->match->insns[index];
	if (match->access)
		return record_is_touched(walk, index, block) ? 1 : walk->hit_rates[match->access->index];
	if (walk->view->ptx.evaluation->insns[index].is_table)
		return executions > 1 ? (executions - 1) / executions : 0;
	cost_note(
		walk->arena, walk->estimate,
		arena_printf(
			walk->arena,
			"%s: a memory instruction belongs to no access that the source analysis found; every execution "
			"after the first is taken as a hit; --model full follows it",
			insn_where(walk, index)));
	return executions > 1 ? (executions - 1) / executions : 0;
}

static double transactions_of(struct thesis_walk *walk, uint32_t index, double executions)
{
	const struct insn_match *match = &walk->match->insns[index];
	const struct insn_totals *totals = &walk->view->ptx.evaluation->insns[index];
	const struct ptx_insn *insn = &walk->view->ptx.function->insns[index];
	if (totals->known > 0 && totals->sample_mask) {
		double lines = cost_warp_transactions(walk->view->machine, totals->sample_address, totals->sample_mask,
		                                      ptx_insn_access_bytes(insn));
		return match->access && executions > 1 ? cost_access_transactions(walk->view, match->access, lines)
		                                       : lines;
	}
	if (totals->is_table && totals->executions > 0)
		return totals->lines / totals->executions;
	cost_note(walk->arena, walk->estimate,
	          arena_printf(
			  walk->arena,
			  "%s: addresses are not computable; assumed one transaction per lane; --model full follows it",
			  insn_where(walk, index)));
	return WARP_LANES;
}

/* The L2's traffic takes the executions of the thesis's formula; the report has those of the evaluated launch. */
static void access_record(struct thesis_walk *walk, uint32_t index, double executions, const struct warp_access *access,
                          double cycles)
{
	const struct evaluation *evaluation = walk->view->ptx.evaluation;
	struct access_estimate report = cost_access_of(walk->view, &walk->view->ptx, walk->match, index);
	report.executions = executions;
	report.hit_rate = access->hit_rate;
	report.cycles = executions * cycles;
	cost_l2_add(&walk->traffic, &report);
	report.executions = evaluation->insns[index].executions / evaluation->warps;
	cost_access_add(walk->arena, walk->estimate, &report);
}

static bool same_data(const struct insn_match *a, const struct insn_match *b)
{
	bool same_member = a->member == b->member || (a->member && b->member && strcmp(a->member, b->member) == 0);
	return a->owner == b->owner && same_member;
}

/* Whether the instructions around it, in the same loop, write the data that an instruction accesses. */
static bool data_is_written(const struct thesis_walk *walk, uint32_t index, const struct ptx_basic_block *block)
{
	for (uint32_t i = block->first; i < block->first + block->count; i++)
		if ((ptx_insn_flags(&walk->view->ptx.function->insns[i]) & (FLAG_STORE | FLAG_ATOMIC)) &&
		    same_data(&walk->match->insns[i], &walk->match->insns[index]))
			return true;
	return false;
}

static void memory_insn(struct thesis_walk *walk, uint32_t index, const struct ptx_basic_block *block,
                        double executions)
{
	struct warp_access access = {transactions_of(walk, index, executions),
	                             hit_rate_of(walk, index, block, executions)};
	bool written = data_is_written(walk, index, block);
	double cycles = cost_access_latency(walk->view->machine, &access,
	                                    walk->previous_insn != NO_INSN && !written ? &walk->previous : NULL);
	walk->estimate->cycles_per_warp += executions * cycles;
	access_record(walk, index, executions, &access, cycles);
	walk->previous = access;
	walk->previous_insn = written ? NO_INSN : index;
}

static bool is_memory(const struct ptx_insn *insn, const struct insn_match *match)
{
	bool space = insn->space == SPACE_GLOBAL || match->owner;
	return space && (ptx_insn_flags(insn) & (FLAG_LOAD | FLAG_STORE | FLAG_ATOMIC));
}

/* Code that no warp of this launch reaches, such as the remainder of an unrolled loop whose count divides evenly. */
static bool never_executed(const struct thesis_walk *walk, uint32_t index)
{
	return walk->view->ptx.evaluation->insns[index].executions == 0;
}

static void walk_block(struct thesis_walk *walk, const struct ptx_basic_block *block)
{
	double executions = block_executions(walk, block);
	if (block->loop != walk->node_loop)
		walk->previous_insn = NO_INSN;
	walk->node_loop = block->loop;
	for (uint32_t i = block->first; i < block->first + block->count; i++) {
		const struct ptx_insn *insn = &walk->view->ptx.function->insns[i];
		if (walk->previous_insn != NO_INSN &&
		    insn_waits_for(insn, &walk->view->ptx.function->insns[walk->previous_insn]))
			walk->previous_insn = NO_INSN;
		if (is_memory(insn, &walk->match->insns[i]) && !never_executed(walk, i))
			memory_insn(walk, i, block, executions);
	}
}

struct estimate *cost_thesis(struct arena *arena, const struct launch_view *view)
{
	struct estimate *estimate = arena_alloc(arena, sizeof *estimate);
	struct thesis_walk walk = {
		.arena = arena, .view = view, .estimate = estimate, .node_loop = PTX_NO_LOOP, .previous_insn = NO_INSN};
	walk.match = code_match_source(arena, view);
	walk.hit_rates = cost_source_hit_rates(arena, view);
	for (uint32_t b = 0; b < view->ptx.function->cfg->block_count; b++)
		if (view->ptx.function->cfg->blocks[b].reachable)
			walk_block(&walk, &view->ptx.function->cfg->blocks[b]);
	cost_assumptions_note(arena, view, &view->ptx, estimate);
	estimate->counts = cost_counts(view);
	cost_l2_counts(&walk.traffic, &estimate->counts);
	estimate->registers = view->resources ? view->resources->registers : 0;
	estimate->occupancy = cost_occupancy(view->machine, view->launch, estimate->registers,
	                                     view->launch->kernel->shared_bytes + view->launch->dynamic_shared_bytes);
	estimate->time_seconds = cost_latency_bound_time(view, estimate->cycles_per_warp);
	estimate->bound = "latency";
	return estimate;
}
