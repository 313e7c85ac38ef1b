/*
 * What every estimate fills in whatever its method: the list of accesses, their class, the counts that follow from the
 * evaluation, occupancy.
 */
#include "model/cost/parts.h"

#include <math.h>
#include <string.h>

const char *cost_coalescing_name(enum coalescing class)
{
	static const char *const names[] = {"coalesced", "partial", "uncoalesced", "broadcast"};
	return names[class];
}

const char *cost_stall_name(enum cost_stall stall)
{
	static const char *const names[] = {
#define X(identifier, name, what) name,
		COST_STALLS(X)
#undef X
	};
	return names[stall];
}

const char *cost_stall_text(enum cost_stall stall)
{
	static const char *const texts[] = {
#define X(identifier, name, what) what,
		COST_STALLS(X)
#undef X
	};
	return texts[stall];
}

void cost_note(struct arena *arena, struct estimate *estimate, const char *text)
{
	for (unsigned i = 0; i < estimate->note_count; i++)
		if (strcmp(estimate->notes[i], text) == 0)
			return;
	ARENA_PUSH(arena, estimate->notes, estimate->note_count, text);
}

const struct code_view *cost_executed_code(const struct launch_view *view)
{
	return view->machine_code.evaluation ? &view->machine_code : &view->ptx;
}

void cost_limit_add(struct arena *arena, struct estimate *estimate, const char *name, double cycles)
{
	struct limit limit = {name, cycles};
	ARENA_PUSH(arena, estimate->limits, estimate->limit_count, limit);
}

/* Puts a number into an ascending list, once; returns how long that is then. */
static unsigned line_insert(unsigned *lines, unsigned count, unsigned line)
{
	unsigned at = count;
	for (unsigned i = 0; i < count; i++)
		if (lines[i] == line)
			return count;
	for (; at > 0 && lines[at - 1] > line; at--)
		lines[at] = lines[at - 1];
	lines[at] = line;
	return count + 1;
}

/* Where an assumption of that text is made: "line 3", "lines 3, 7"; empty: nowhere in the source. */
static const char *assumption_lines(struct arena *arena, const struct launch_view *view, const struct code_view *code,
                                    const char *text)
{
	const struct evaluation *evaluation = code->evaluation;
	unsigned *lines = arena_array(arena, evaluation->assumption_count, sizeof *lines);
	struct text list = {0};
	const char *copy;
	unsigned count = 0;
	for (unsigned i = 0; i < evaluation->assumption_count; i++) {
		const struct assumption *assumption = &evaluation->assumptions[i];
		bool known = assumption->insn < code->function->insn_count && strcmp(assumption->text, text) == 0;
		unsigned line = known ? code_place(view, code, assumption->insn).line : 0;
		count = line ? line_insert(lines, count, line) : count;
	}
	for (unsigned i = 0; i < count; i++)
		text_printf(&list, "%s %u", i ? "," : count > 1 ? "lines" : "line", lines[i]);
	copy = count ? arena_strndup(arena, list.data, list.length) : "";
	text_release(&list);
	return copy;
}

/* Whether one of the first `count` assumptions has the text of the one behind them. */
static bool was_assumed(const struct evaluation *evaluation, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		if (strcmp(evaluation->assumptions[i].text, evaluation->assumptions[count].text) == 0)
			return true;
	return false;
}

void cost_assumptions_note(struct arena *arena, const struct launch_view *view, const struct code_view *code,
                           struct estimate *estimate)
{
	const struct evaluation *evaluation = code->evaluation;
	for (unsigned i = 0; i < evaluation->assumption_count; i++) {
		const char *text = evaluation->assumptions[i].text, *lines;
		if (was_assumed(evaluation, i))
			continue;
		lines = assumption_lines(arena, view, code, text);
		cost_note(arena, estimate, *lines ? arena_printf(arena, "%s: %s", lines, text) : text);
	}
}

static enum access_kind kind_of(const struct ptx_insn *insn)
{
	unsigned flags = ptx_insn_flags(insn);
	return flags & FLAG_ATOMIC ? ACCESS_ATOMIC : flags & FLAG_STORE ? ACCESS_STORE : ACCESS_LOAD;
}

struct access_estimate cost_access_of(const struct launch_view *view, const struct code_view *code,
                                      const struct code_match *match, uint32_t index)
{
	const struct insn_match *own = &match->insns[index];
	const struct insn_totals *totals = &code->evaluation->insns[index];
	const struct ptx_insn *insn = &code->function->insns[index];
	struct access_estimate access = {
		.member = own->member, .kind = kind_of(insn), .width_bytes = ptx_insn_access_bytes(insn)};
	access.array = own->owner ? own->owner->parameter->name : NULL;
	if (own->owner && own->owner->array_pointed && !own->owner->group)
		access.array = own->owner->array_pointed->name;
	if (own->owner && own->owner->group && own->owner->group->form == FORM_ARRAYS && !own->owner->group->holder)
		access.array = own->owner->group->name;
	access.place = own->access ? own->access->place : code_place(view, code, index);
	access.sectors_per_request = totals->executions > 0 ? totals->sectors / totals->executions : 0;
	access.class = cost_coalescing_of(totals->sample_address, totals->sample_mask, access.width_bytes,
	                                  access.sectors_per_request);
	return access;
}

static bool texts_equal(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_access(const struct access_estimate *a, const struct access_estimate *b)
{
	return a->kind == b->kind && a->width_bytes == b->width_bytes && a->class == b->class &&
	       texts_equal(a->array, b->array) && texts_equal(a->member, b->member) && a->place.line == b->place.line &&
	       a->place.column == b->place.column;
}

static double weighted(double a, double weight_a, double b, double weight_b)
{
	return weight_a + weight_b > 0 ? (a * weight_a + b * weight_b) / (weight_a + weight_b) : a;
}

void cost_access_add(struct arena *arena, struct estimate *estimate, const struct access_estimate *access)
{
	for (unsigned i = 0; i < estimate->access_count; i++) {
		struct access_estimate *old = &estimate->accesses[i];
		if (!same_access(old, access))
			continue;
		old->sectors_per_request = weighted(old->sectors_per_request, old->executions,
		                                    access->sectors_per_request, access->executions);
		old->hit_rate = weighted(old->hit_rate, old->executions, access->hit_rate, access->executions);
		old->executions += access->executions;
		old->cycles += access->cycles;
		return;
	}
	ARENA_PUSH(arena, estimate->accesses, estimate->access_count, *access);
}

static void shared_add(struct arena *arena, struct estimate *estimate, const struct shared_access *access)
{
	for (unsigned i = 0; i < estimate->shared_count; i++) {
		struct shared_access *old = &estimate->shared[i];
		if (old->kind != access->kind || old->width_bytes != access->width_bytes ||
		    old->place.line != access->place.line || old->place.column != access->place.column ||
		    !texts_equal(old->place.file, access->place.file))
			continue;
		old->wavefronts_per_request = weighted(old->wavefronts_per_request, old->executions,
		                                       access->wavefronts_per_request, access->executions);
		old->conflicts_per_request = weighted(old->conflicts_per_request, old->executions,
		                                      access->conflicts_per_request, access->executions);
		old->executions += access->executions;
		return;
	}
	ARENA_PUSH(arena, estimate->shared, estimate->shared_count, *access);
}

void cost_shared_fill(struct arena *arena, const struct launch_view *view, struct estimate *estimate)
{
	const struct code_view *code = &view->ptx;
	for (uint32_t i = 0; code->function && code->evaluation && i < code->function->insn_count; i++) {
		const struct insn_totals *totals = &code->evaluation->insns[i];
		const struct ptx_insn *insn = &code->function->insns[i];
		if (insn->space != SPACE_SHARED || !(totals->executions > 0) || !(totals->wavefronts > 0))
			continue;
		shared_add(arena, estimate,
		           &(struct shared_access){.kind = kind_of(insn),
		                                   .place = code_place(view, code, i),
		                                   .width_bytes = ptx_insn_access_bytes(insn),
		                                   .executions = totals->executions / code->evaluation->warps,
		                                   .wavefronts_per_request = totals->wavefronts / totals->executions,
		                                   .conflicts_per_request = totals->conflicts / totals->executions});
	}
}

/* The fewest sectors that hold the bytes of all active lanes. */
static double fewest_sectors(uint32_t mask, unsigned bytes)
{
	return ceil((double)__builtin_popcount(mask) * bytes / SECTOR_BYTES);
}

enum coalescing cost_coalescing_of(const uint64_t addresses[WARP_LANES], uint32_t mask, unsigned bytes, double sectors)
{
	bool same = true;
	unsigned lanes = (unsigned)__builtin_popcount(mask), first = mask ? (unsigned)__builtin_ctz(mask) : 0;
	for (unsigned lane = 0; lane < WARP_LANES; lane++)
		same = same && (!(mask >> lane & 1) || addresses[lane] == addresses[first]);
	if (same && lanes > 1)
		return BROADCAST;
	if (sectors <= fewest_sectors(mask, bytes) + 1)
		return COALESCED;
	return lanes > 0 && sectors >= lanes ? UNCOALESCED : PARTIAL;
}

static void local_count(const struct insn_totals *totals, unsigned flags, struct counts *counts)
{
	if (flags & FLAG_LOAD) {
		counts->local_ld_requests += totals->executions;
		counts->local_ld_sectors += totals->sectors;
	} else if (flags & FLAG_STORE) {
		counts->local_st_requests += totals->executions;
		counts->local_st_sectors += totals->sectors;
	}
}

static void shared_count(const struct insn_totals *totals, unsigned flags, struct counts *counts)
{
	if (flags & FLAG_ATOMIC)
		counts->shared_atomic_requests += totals->executions;
	else if (flags & FLAG_LOAD)
		counts->shared_ld_requests += totals->executions;
	else if (flags & FLAG_STORE)
		counts->shared_st_requests += totals->executions;
}

static void atomic_count(const struct insn_totals *totals, enum ptx_operation operation, struct counts *counts)
{
	if (operation == OP_red) {
		counts->reduction_requests += totals->executions;
		counts->reduction_sectors += totals->sectors;
	} else {
		counts->atomic_requests += totals->executions;
		counts->atomic_sectors += totals->sectors;
	}
}

static bool is_global(const struct ptx_insn *insn, const struct insn_totals *totals)
{
	return insn->space == SPACE_GLOBAL || totals->buffer != UINT32_MAX;
}

/* Counts of the executed code: what the compiler has spilled, and which atomic operations return nothing, is in the
 * machine code alone. */
static void executed_counts(const struct code_view *code, struct counts *counts)
{
	for (uint32_t i = 0; i < code->function->insn_count; i++) {
		const struct insn_totals *totals = &code->evaluation->insns[i];
		const struct ptx_insn *insn = &code->function->insns[i];
		unsigned flags = ptx_insn_flags(insn);
		if (insn->space == SPACE_LOCAL)
			local_count(totals, flags, counts);
		else if (insn->space == SPACE_SHARED)
			shared_count(totals, flags, counts);
		else if (flags & FLAG_ATOMIC && is_global(insn, totals))
			atomic_count(totals, (enum ptx_operation)insn->operation, counts);
	}
}

struct counts cost_counts(const struct launch_view *view)
{
	struct counts counts = {.l1_hit_rate = NAN,
	                        .l2_read_sectors = NAN,
	                        .l2_write_sectors = NAN,
	                        .l2_hit_rate = NAN,
	                        .dram_read_bytes = NAN,
	                        .dram_write_bytes = NAN};
	counts.warp_instructions =
		(view->machine_code.evaluation ? view->machine_code.evaluation : view->ptx.evaluation)
			->warp_instructions;
	for (uint32_t i = 0; i < view->ptx.function->insn_count; i++) {
		const struct insn_totals *totals = &view->ptx.evaluation->insns[i];
		unsigned flags = ptx_insn_flags(&view->ptx.function->insns[i]);
		counts.shared_bank_conflicts += totals->conflicts;
		if (!is_global(&view->ptx.function->insns[i], totals) || (flags & FLAG_ATOMIC))
			continue;
		if (flags & FLAG_LOAD) {
			counts.ld_requests += totals->executions;
			counts.ld_sectors += totals->sectors;
		} else if (flags & FLAG_STORE) {
			counts.st_requests += totals->executions;
			counts.st_sectors += totals->sectors;
		}
	}
	executed_counts(cost_executed_code(view), &counts);
	return counts;
}

void cost_l2_add(struct l2_traffic *traffic, const struct access_estimate *access)
{
	double sectors = access->executions * access->sectors_per_request;
	if (access->kind == ACCESS_LOAD) {
		traffic->read_sectors += sectors;
		traffic->read_hits += sectors * access->hit_rate;
	} else {
		traffic->write_sectors += sectors;
		traffic->write_hits += sectors * access->hit_rate;
	}
}

void cost_l2_counts(const struct l2_traffic *traffic, struct counts *counts)
{
	double sectors = traffic->read_sectors + traffic->write_sectors;
	double read_misses = traffic->read_sectors > 0 ? 1 - traffic->read_hits / traffic->read_sectors : 0;
	counts->l2_read_sectors = counts->ld_sectors;
	counts->l2_write_sectors = counts->st_sectors;
	counts->l2_hit_rate = sectors > 0 ? (traffic->read_hits + traffic->write_hits) / sectors : NAN;
	counts->dram_read_bytes = counts->ld_sectors * SECTOR_BYTES * read_misses;
	counts->dram_write_bytes = counts->st_sectors * SECTOR_BYTES;
}

double cost_launch_warps(const struct launch_case *launch)
{
	double threads = (double)launch->block[0] * launch->block[1] * launch->block[2];
	return ceil(threads / WARP_LANES) * launch->grid[0] * launch->grid[1] * launch->grid[2];
}

double cost_occupancy(const struct machine *machine, const struct launch_case *launch, unsigned registers,
                      uint64_t shared_bytes)
{
	unsigned threads = launch->block[0] * launch->block[1] * launch->block[2];
	unsigned blocks = cost_blocks_per_sm(machine, threads, registers, shared_bytes);
	return blocks * ceil(threads / (double)WARP_LANES) / machine->sm_max_warps.value;
}

/* Sets of resident warps that follow each other, where the block size alone limits how many are resident; 0 where none
 * can be. */
static double waves_of(const struct launch_view *view)
{
	double resident = cost_occupancy(view->machine, view->launch, 0, 0) * view->machine->sm_max_warps.value;
	double slots = resident * view->machine->sm_count.value;
	return slots > 0 ? ceil(cost_launch_warps(view->launch) / slots) : 0;
}

double cost_latency_bound_time(const struct launch_view *view, double cycles_per_warp)
{
	return cycles_per_warp * waves_of(view) / view->machine->sm_clock_hz.value;
}

double cost_warp_cycles(const struct launch_view *view, double seconds)
{
	double waves = waves_of(view);
	return waves > 0 ? seconds * view->machine->sm_clock_hz.value / waves : 0;
}

const char *cost_duration(struct arena *arena, double seconds)
{
	static const struct {
		double seconds;
		const char *name;
	} units[] = {{31557600, "years"}, {86400, "days"}, {3600, "h"}, {60, "min"}, {1, "s"},
	             {1e-3, "ms"},        {1e-6, "us"}};
	size_t u = 0;
	while (u + 1 < ARRAY_COUNT(units) && seconds < units[u].seconds)
		u++;
	double value = seconds / units[u].seconds;
	return arena_printf(arena, value >= 999.5 && value < 1e6 ? "%.0f %s" : "%.3g %s", value, units[u].name);
}
