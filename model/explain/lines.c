/*
 * Instructions of the code that runs, summed up by the source line that the compiler says they stem from. Where the
 * model simulates the machine code, so are the cycles that warps wait at them; else a line's cycles are those that the
 * model gives its accesses.
 */
#include "base/lookup/lookup.h"
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

/* Lines while they are summed up. */
struct line_sums {
	struct arena *arena;
	struct line_costs lines;
	struct lookup by_place;
	unsigned *of_insn; /* by instruction: its line */
};

/* The index of the place's line among the lines. */
static unsigned line_index(struct line_sums *sums, const struct place *place)
{
	struct line_costs *lines = &sums->lines;
	uint64_t hash = lookup_mix_text(place->line, file_name(place->file));
	const struct lookup_entry *entry = lookup_first(&sums->by_place, hash);
	while (entry && explain_place_compare(&lines->list[entry->position].place, place) != 0)
		entry = lookup_next(&sums->by_place, entry);
	if (entry)
		return entry->position;
	struct line_cost line = {.place = {place->file, place->line, 0}};
	lookup_add(sums->arena, &sums->by_place, hash, lines->count);
	ARENA_PUSH(sums->arena, lines->list, lines->count, line);
	return lines->count - 1;
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
	line->ideal_sectors +=
		fmin(totals->sectors, totals->executions * ideal_sectors(totals, ptx_insn_access_bytes(insn)));
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

/* Sets the line whose loads the instructions of each line wait for most: of the instruction that waits longest. */
static void sources_find(struct line_sums *sums, const struct estimate *estimate, size_t insn_count)
{
	struct line_costs *lines = &sums->lines;
	double *most = arena_array(sums->arena, lines->count + 1, sizeof *most);
	for (size_t i = 0; i < insn_count; i++) {
		const struct insn_cost *cost = &estimate->insns[i];
		unsigned line = sums->of_insn[i];
		if (cost->source == UINT32_MAX || result_stalls(cost) <= most[line])
			continue;
		most[line] = result_stalls(cost);
		lines->list[line].source = lines->list[sums->of_insn[cost->source]].place.line;
	}
}

/* A model that does not simulate gives accesses their cycles. */
static void accesses_add(const struct estimate *estimate, struct line_sums *sums)
{
	for (unsigned a = 0; a < estimate->access_count; a++) {
		const struct access_estimate *access = &estimate->accesses[a];
		unsigned line = line_index(sums, &access->place);
		sums->lines.list[line].cycles += access->cycles * sums->lines.warps;
	}
}

static void insns_add(const struct launch_view *view, const struct code_view *code, const struct estimate *estimate,
                      struct line_sums *sums)
{
	sums->of_insn = arena_array(sums->arena, code->function->insn_count + 1, sizeof *sums->of_insn);
	for (uint32_t i = 0; i < code->function->insn_count; i++) {
		struct place place = code_place(view, code, i);
		sums->of_insn[i] = line_index(sums, &place);
		struct line_cost *line = &sums->lines.list[sums->of_insn[i]];
		line->instructions += code->function->insns[i].synthetic ? 0 : code->evaluation->insns[i].issued;
		memory_add(&code->function->insns[i], &code->evaluation->insns[i], line);
		if (sums->lines.simulated)
			cost_add(&estimate->insns[i], line);
	}
}

static int line_compare(const void *a, const void *b)
{
	return explain_place_compare(&((const struct line_cost *)a)->place, &((const struct line_cost *)b)->place);
}

struct line_costs explain_lines(struct arena *arena, const struct launch_view *view, const struct estimate *estimate)
{
	struct line_sums sums = {.arena = arena, .lines.simulated = estimate->insns != NULL};
	struct line_costs *lines = &sums.lines;
	const struct code_view *code = lines->simulated                ? &view->machine_code
	                               : view->machine_code.evaluation ? &view->machine_code
	                                                               : &view->ptx;
	if (!code->evaluation)
		return *lines;
	lines->warps = code->evaluation->warps;
	insns_add(view, code, estimate, &sums);
	if (lines->simulated)
		sources_find(&sums, estimate, code->function->insn_count);
	else
		accesses_add(estimate, &sums);
	for (unsigned l = 0; l < lines->count; l++)
		lines->cycles += lines->list[l].cycles;
	if (lines->count)
		qsort(lines->list, lines->count, sizeof *lines->list, line_compare);
	return *lines;
}
