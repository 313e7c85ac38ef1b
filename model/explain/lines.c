/*
 * Instructions of the code that runs, summed up by the source line that the compiler says they stem from. Where the model simulates the machine code, so are
 * the cycles that warps wait at them; else a line's cycles are those that the model gives its accesses.
 */
#include "model/explain/explain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *file_name(const char *path)
{
	const char *slash = path ? strrchr(path, '/') : NULL;
	return slash ? slash + 1 : path ? path : "";
}

int explain_place_compare(const struct place *a, const struct place *b)
{
	int files = strcmp(file_name(a->file), file_name(b->file));
	return files ? files : a->line < b->line ? -1 : a->line > b->line;
}

const struct line_cost *explain_line_find(const struct line_costs *lines, unsigned line)
{
	for (unsigned i = 0; i < lines->count; i++)
		if (lines->list[i].place.line == line)
			return &lines->list[i];
	return NULL;
}

static struct line_cost *line_find(struct arena *arena, struct line_costs *lines, const struct place *place)
{
	for (unsigned i = 0; i < lines->count; i++)
		if (explain_place_compare(&lines->list[i].place, place) == 0)
			return &lines->list[i];
	struct line_cost line = {.place = {place->file, place->line, 0}};
	ARENA_PUSH(arena, lines->list, lines->count, line);
	return &lines->list[lines->count - 1];
}

/* The fewest sectors for what the lanes of a sample access: each address once, side by side. */
static double ideal_sectors(const struct insn_totals *totals, unsigned bytes)
{
	unsigned distinct = 0;
	for (unsigned lane = 0; lane < WARP_LANES; lane++) {
		bool again = !(totals->sample_mask >> lane & 1);
		for (unsigned before = 0; before < lane && !again; before++)
			again = (totals->sample_mask >> before & 1) &&
			        totals->sample_address[before] == totals->sample_address[lane];
		distinct += !again;
	}
	return fmax(1, ceil((double)distinct * bytes / SECTOR_BYTES));
}

static void memory_add(const struct ptx_insn *insn, const struct insn_totals *totals, struct line_cost *line)
{
	bool accesses = ptx_insn_flags(insn) & (FLAG_LOAD | FLAG_STORE | FLAG_ATOMIC);
	line->wavefronts += totals->wavefronts;
	line->conflicts += totals->conflicts;
	if (!accesses || !(totals->sectors > 0))
		return;
	line->requests += totals->executions;
	line->sectors += totals->sectors;
	line->ideal_sectors += fmin(totals->sectors, totals->executions * ideal_sectors(totals, ptx_insn_access_bytes(insn)));
}

static void cost_add(const struct insn_cost *cost, struct line_cost *line)
{
	line->loaded += cost->loaded;
	line->missed += cost->missed;
	line->far += cost->far;
	line->waited += cost->waited;
	for (unsigned s = 0; s < COST_STALL_COUNT; s++) {
		line->stalls[s] += cost->stalls[s];
		line->cycles += cost->stalls[s];
	}
}

static double result_stalls(const struct insn_cost *cost)
{
	return cost->stalls[COST_STALL_LONG_SCOREBOARD] + cost->stalls[COST_STALL_SHORT_SCOREBOARD];
}

/* The line whose loads the instructions of a line wait for most: of the instruction that waits longest. */
static unsigned source_of(const struct launch_view *view, const struct code_view *code, const struct estimate *estimate,
                          const struct line_cost *line)
{
	double most = 0;
	unsigned found = 0;
	for (uint32_t i = 0; estimate->insns && i < code->function->insn_count; i++) {
		const struct insn_cost *cost = &estimate->insns[i];
		struct place place = code_place(view, code, i);
		if (place.line != line->place.line || cost->source == UINT32_MAX || result_stalls(cost) <= most)
			continue;
		most = result_stalls(cost);
		found = code_place(view, code, cost->source).line;
	}
	return found;
}

/* A model that does not simulate gives accesses their cycles. */
static void accesses_add(struct arena *arena, const struct estimate *estimate, struct line_costs *lines)
{
	for (unsigned a = 0; a < estimate->access_count; a++) {
		const struct access_estimate *access = &estimate->accesses[a];
		line_find(arena, lines, &access->place)->cycles += access->cycles * lines->warps;
	}
}

static int line_compare(const void *a, const void *b)
{
	return explain_place_compare(&((const struct line_cost *)a)->place, &((const struct line_cost *)b)->place);
}

struct line_costs explain_lines(struct arena *arena, const struct launch_view *view, const struct estimate *estimate)
{
	struct line_costs lines = {.simulated = estimate->insns != NULL};
	const struct code_view *code = lines.simulated                 ? &view->machine_code
	                               : view->machine_code.evaluation ? &view->machine_code
	                                                               : &view->ptx;
	if (!code->evaluation)
		return lines;
	lines.warps = code->evaluation->warps;
	for (uint32_t i = 0; i < code->function->insn_count; i++) {
		struct place place = code_place(view, code, i);
		struct line_cost *line = line_find(arena, &lines, &place);
		line->instructions += code->function->insns[i].synthetic ? 0 : code->evaluation->insns[i].issued;
		memory_add(&code->function->insns[i], &code->evaluation->insns[i], line);
		if (lines.simulated)
			cost_add(&estimate->insns[i], line);
	}
	if (!lines.simulated)
		accesses_add(arena, estimate, &lines);
	for (unsigned l = 0; l < lines.count; l++) {
		lines.cycles += lines.list[l].cycles;
		lines.list[l].source = lines.simulated ? source_of(view, code, estimate, &lines.list[l]) : 0;
	}
	if (lines.count)
		qsort(lines.list, lines.count, sizeof *lines.list, line_compare);
	return lines;
}
