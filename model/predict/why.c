/*
 * The sentence that says why: which part of the machine makes the recommended layout faster than the other one, the
 * number that shows it, and where.
 *
 * The part is what bounds the slower one, where it takes that one longer; else the part that accounts for half of the
 * difference in time; else latency. Of the numbers that load the part the one is said that differs most, and by more
 * than DIFFERENCE_SHARE; where none does, how long the part is busy. For latency it is a number that accounts for a
 * third of the difference (of the logarithms); where none does, the line at which warps wait longer, as far as the
 * model simulates that and it is a third of the difference; else how long a warp waits for an instruction.
 *
 * Models without limits say which array costs a warp how many cycles more.
 */
#include "model/predict/predict.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* Numbers within that are the same. */
#define DIFFERENCE_SHARE 0.02
/* An array whose accesses cost less than this more in one layout than in another does not explain the difference. */
#define CYCLES_SHARE 1e-3
/* A part makes the difference when it accounts for that share of it. */
#define CAUSE_SHARE 0.5
#define LATENCY_CAUSE_SHARE 0.33
/* A part that is busy for less of the time does not make warps wait. */
#define BUSY_SHARE 0.1

struct pair {
	const struct estimate *fast, *slow;
	const struct launch_view *fast_view, *slow_view;
	const char *slow_name;
};

/* ---- numbers in words -------------------------------------------------------------------- */

static const char *scaled_text(struct arena *arena, double value, const char *const *units, unsigned count,
                               const char *each)
{
	const double scales[] = {1e12, 1e9, 1e6, 1e3};
	for (unsigned i = 0; i < count; i++)
		if (value >= scales[i])
			return arena_printf(arena, "%.3g %s", value / scales[i], units[i]);
	return arena_printf(arena, "%.3g%s", value, each);
}

static const char *count_text(struct arena *arena, double value)
{
	static const char *const units[] = {"trillion", "billion", "million"};
	const double digits = value >= 100 ? pow(10, floor(log10(value)) - 2) : 1;
	if (value < 1e6)
		return arena_printf(arena, value < 1000 ? "%.3g" : "%.0f",
		                    value < 1000 ? value : digits * round(value / digits));
	return scaled_text(arena, value, units, ARRAY_COUNT(units), "");
}

static const char *bytes_text(struct arena *arena, double value)
{
	static const char *const units[] = {"TB", "GB", "MB", "kB"};
	return scaled_text(arena, value, units, ARRAY_COUNT(units), " bytes");
}

static const char *share_text(struct arena *arena, double value)
{
	return arena_printf(arena, "%.3g %%", 100 * value);
}

/* ---- what loads a part ------------------------------------------------------------------- */

static double instructions_of(const struct estimate *estimate)
{
	return estimate->counts.warp_instructions;
}

static double requests_of(const struct estimate *estimate)
{
	return estimate->counts.ld_requests + estimate->counts.st_requests;
}

static double sectors_of(const struct estimate *estimate)
{
	return estimate->counts.ld_sectors + estimate->counts.st_sectors;
}

static double conflicts_of(const struct estimate *estimate)
{
	return estimate->counts.shared_bank_conflicts;
}

static double l2_bytes_of(const struct estimate *estimate)
{
	return SECTOR_BYTES * (estimate->counts.l2_read_sectors + estimate->counts.l2_write_sectors);
}

static double dram_bytes_of(const struct estimate *estimate)
{
	return estimate->counts.dram_read_bytes + estimate->counts.dram_write_bytes;
}

/* Of a warp, by all atomics. */
static double atomic_sectors_of(const struct estimate *estimate)
{
	double sectors = 0;
	for (unsigned a = 0; a < estimate->access_count; a++)
		if (estimate->accesses[a].kind == ACCESS_ATOMIC)
			sectors += estimate->accesses[a].executions * estimate->accesses[a].sectors_per_request;
	return sectors;
}

static double idle_slots_of(const struct estimate *estimate)
{
	return 1 / estimate->occupancy;
}

static const char *occupancy_text(struct arena *arena, double slots)
{
	return share_text(arena, 1 / slots);
}

/* A number that loads a part, the more the slower. */
static const struct load {
	const char *limit;
	double (*of)(const struct estimate *estimate);
	const char *(*text)(struct arena *arena, double value);
	const char *what; /* "<number> <what> instead of <number>" */
	bool placed;      /* memory accesses make it */
} loads[] = {
	{"issue", instructions_of, count_text, "warp instructions are executed", false},
	{"l1", sectors_of, count_text, "sectors are loaded and stored", true},
	{"l1", requests_of, count_text, "memory instructions are executed", true},
	{"shared", conflicts_of, count_text, "passes go to bank conflicts", false},
	{"l2", l2_bytes_of, bytes_text, "cross it", true},
	{"dram", dram_bytes_of, bytes_text, "cross it", true},
	{"atomics", atomic_sectors_of, count_text, "sectors a warp are touched", true},
	{"latency", idle_slots_of, occupancy_text, "of the warps that an SM can hold are resident", false},
};

static const char *part_name(const char *limit)
{
	static const char *const names[][2] = {{"issue", "instruction issue"},
	                                       {"l1", "L1"},
	                                       {"l2", "L2"},
	                                       {"shared", "shared memory"},
	                                       {"dram", "DRAM"}};
	for (size_t i = 0; i < ARRAY_COUNT(names); i++)
		if (strcmp(names[i][0], limit) == 0)
			return names[i][1];
	return limit;
}

static double limit_cycles(const struct estimate *estimate, const char *name)
{
	for (unsigned i = 0; i < estimate->limit_count; i++)
		if (strcmp(estimate->limits[i].name, name) == 0)
			return estimate->limits[i].cycles;
	return 0;
}

/* How many times the fast one's number the slow one's is; 0 where the model does not say it. */
static double load_ratio(const struct load *load, const struct pair *pair)
{
	double fast = load->of(pair->fast), slow = load->of(pair->slow);
	return isfinite(fast) && isfinite(slow) && slow > 0 ? slow / fmax(fast, 1e-300) : 0;
}

/* ---- which part -------------------------------------------------------------------------- */

static bool is_part(const char *limit)
{
	return strcmp(limit, "latency") != 0 && strcmp(limit, "launch") != 0;
}

static double cycles_lost(const struct pair *pair, const char *limit)
{
	return limit_cycles(pair->slow, limit) - limit_cycles(pair->fast, limit);
}

/* The whole of an estimate in the unit of its limits. */
static double whole_cycles(const struct estimate *estimate)
{
	double most = limit_cycles(estimate, "latency");
	for (unsigned i = 0; i < estimate->limit_count; i++)
		most = fmax(most, is_part(estimate->limits[i].name) ? estimate->limits[i].cycles : 0);
	return most > 0 ? most : limit_cycles(estimate, "launch");
}

static const char *part_of_difference(const struct pair *pair)
{
	const char *found = "latency", *bound = pair->slow->bound;
	double most = CAUSE_SHARE * (whole_cycles(pair->slow) - whole_cycles(pair->fast));
	if (is_part(bound) && cycles_lost(pair, bound) > DIFFERENCE_SHARE * limit_cycles(pair->fast, bound))
		return bound;
	for (unsigned i = 0; i < pair->slow->limit_count; i++) {
		const char *name = pair->slow->limits[i].name;
		if (is_part(name) && cycles_lost(pair, name) > most) {
			most = cycles_lost(pair, name);
			found = name;
		}
	}
	return found;
}

/* The number that loads a part and differs most; NULL where none differs. */
static const struct load *load_of_part(const struct pair *pair, const char *limit)
{
	const struct load *found = NULL;
	double most = 1 + DIFFERENCE_SHARE;
	for (unsigned i = 0; i < ARRAY_COUNT(loads); i++) {
		double ratio = strcmp(loads[i].limit, limit) == 0 ? load_ratio(&loads[i], pair) : 0;
		if (ratio > most) {
			most = ratio;
			found = &loads[i];
		}
	}
	return found;
}

/* The number that accounts best for warps that wait longer; NULL where none does. */
static const struct load *load_of_latency(const struct pair *pair)
{
	double wanted = pow(pair->slow->time_seconds / pair->fast->time_seconds, LATENCY_CAUSE_SHARE);
	double most = fmax(1 + DIFFERENCE_SHARE, wanted);
	const struct load *found = NULL;
	for (unsigned i = 0; i < ARRAY_COUNT(loads); i++) {
		bool busy = !is_part(loads[i].limit) ||
		            limit_cycles(pair->slow, loads[i].limit) > BUSY_SHARE * whole_cycles(pair->slow);
		double ratio = load_ratio(&loads[i], pair);
		if (busy && ratio > most) {
			most = ratio;
			found = &loads[i];
		}
	}
	return found;
}

/* ---- where ------------------------------------------------------------------------------- */

/* What the reads, writes or atomics of one array cost a warp in one layout. */
struct array_cost {
	double cycles, instructions, sectors;
	double hits;          /* sectors found in the cache that the model has; NAN where it does not say */
	unsigned width_bytes; /* the widest access */
};

static bool same_array(const struct access_estimate *a, const struct access_estimate *b)
{
	return a->kind == b->kind && a->array && b->array && strcmp(a->array, b->array) == 0;
}

static struct array_cost array_cost_of(const struct estimate *estimate, const struct access_estimate *like)
{
	struct array_cost cost = {0};
	for (unsigned a = 0; a < estimate->access_count; a++) {
		const struct access_estimate *access = &estimate->accesses[a];
		if (!same_array(access, like))
			continue;
		cost.cycles += access->cycles;
		cost.instructions += access->executions;
		cost.sectors += access->executions * access->sectors_per_request;
		cost.hits += access->executions * access->sectors_per_request * access->hit_rate;
		if (access->width_bytes > cost.width_bytes)
			cost.width_bytes = access->width_bytes;
	}
	return cost;
}

static double instructions_cost(const struct array_cost *cost)
{
	return cost->instructions;
}

static double sectors_cost(const struct array_cost *cost)
{
	return cost->sectors;
}

static double cycles_cost(const struct array_cost *cost)
{
	return cost->cycles;
}

/* The costliest access in the slow one, of the array and kind where it loses most against the fast one; NULL where it
 * loses none. */
static const struct access_estimate *place_of_difference(const struct pair *pair,
                                                         double (*cost)(const struct array_cost *))
{
	const struct access_estimate *found = NULL;
	double most = 0;
	for (unsigned a = 0; a < pair->slow->access_count; a++) {
		const struct access_estimate *access = &pair->slow->accesses[a];
		struct array_cost fast = array_cost_of(pair->fast, access), slow = array_cost_of(pair->slow, access);
		double lost = cost(&slow) - cost(&fast);
		if (lost > most ||
		    (found && lost == most && same_array(access, found) && access->cycles > found->cycles)) {
			most = lost;
			found = access;
		}
	}
	return found;
}

static const char *const kind_verbs[] = {"reading", "writing", "updating"};

/* "; reading p (line 42) touches 4 sectors at a time instead of 16", as far as accesses say so. */
static const char *place_phrase(struct arena *arena, const struct pair *pair, const struct load *load)
{
	bool by_requests = load->of == requests_of;
	const struct access_estimate *access =
		place_of_difference(pair, by_requests ? instructions_cost : sectors_cost);
	if (!load->placed || !access)
		return "";
	struct array_cost fast = array_cost_of(pair->fast, access), slow = array_cost_of(pair->slow, access);
	const char *head =
		arena_printf(arena, "; %s %s (line %u)", kind_verbs[access->kind], access->array, access->place.line);
	double our_sectors = fast.sectors / fmax(fast.instructions, 1e-300),
	       their_sectors = slow.sectors / slow.instructions;
	if (!by_requests && fast.instructions > 0 && their_sectors > our_sectors * (1 + DIFFERENCE_SHARE))
		return arena_printf(arena, "%s touches %.3g sectors at a time instead of %.3g", head, our_sectors,
		                    their_sectors);
	if (slow.instructions > fast.instructions * (1 + DIFFERENCE_SHARE))
		return arena_printf(arena, "%s takes a warp %.5g memory instruction%s instead of %.5g", head,
		                    fast.instructions, fast.instructions == 1 ? "" : "s", slow.instructions);
	return "";
}

/* ---- models that have limits ------------------------------------------------------------- */

static const char *load_phrase(struct arena *arena, const struct pair *pair, const struct load *load)
{
	const char *fast = load->text(arena, load->of(pair->fast)), *slow = load->text(arena, load->of(pair->slow));
	return arena_printf(arena, "%s %s instead of %s%s", fast, load->what, slow, place_phrase(arena, pair, load));
}

static const char *wait_phrase(struct arena *arena, const struct pair *pair)
{
	double each = pair->slow->time_seconds / instructions_of(pair->slow) * instructions_of(pair->fast) /
	              pair->fast->time_seconds;
	if (!(each > 1 + DIFFERENCE_SHARE))
		return "neither instructions nor traffic nor resident warps differ enough to explain it";
	return arena_printf(
		arena,
		"an instruction of %s waits %.2f times as long for what it needs; neither traffic nor resident warps "
		"explain it",
		pair->slow_name, each);
}

/* The reason for which warps wait longest at a line. */
static enum cost_stall longest_stall(const struct line_cost *line)
{
	unsigned found = 0;
	for (unsigned s = 1; s < COST_STALL_COUNT; s++)
		if (line->stalls[s] > line->stalls[found])
			found = s;
	return (enum cost_stall)found;
}

/* The line at which a warp of the slow one waits longer, where that is a good part of the difference; "" where none is,
 * or the model does not say. */
static const char *line_phrase(struct arena *arena, const struct pair *pair)
{
	const struct line_cost *found = NULL;
	double most = 0, before = 0;
	if (!pair->fast->insns || !pair->slow->insns)
		return "";
	const struct line_costs fast = explain_lines(arena, pair->fast_view, pair->fast);
	const struct line_costs slow = explain_lines(arena, pair->slow_view, pair->slow);
	for (unsigned l = 0; l < slow.count; l++) {
		const struct line_cost *other = explain_line_find(&fast, slow.list[l].place.line);
		double own = slow.list[l].cycles / slow.warps, theirs = other ? other->cycles / fast.warps : 0;
		if (!slow.list[l].place.line || own - theirs <= most)
			continue;
		found = &slow.list[l];
		most = own - theirs;
		before = theirs;
	}
	if (!found || most < LATENCY_CAUSE_SHARE * (slow.cycles / slow.warps - fast.cycles / fast.warps) ||
	    most < DIFFERENCE_SHARE * slow.cycles / slow.warps)
		return "";
	enum cost_stall stall = longest_stall(found);
	return arena_printf(arena,
	                    "at line %u a warp spends %s cycles instead of %s, %.0f %% of them waiting for %s (%s)",
	                    found->place.line, count_text(arena, before), count_text(arena, before + most),
	                    100 * found->stalls[stall] / found->cycles, cost_stall_text(stall), cost_stall_name(stall));
}

static const char *limits_phrase(struct arena *arena, const struct pair *pair)
{
	const char *limit = part_of_difference(pair);
	bool waits = !is_part(limit);
	const struct load *load = waits ? load_of_latency(pair) : load_of_part(pair, limit);
	if (load && waits && is_part(load->limit))
		return arena_printf(arena, "%s, by %s: %s", part_name(limit), part_name(load->limit),
		                    load_phrase(arena, pair, load));
	if (load)
		return arena_printf(arena, "%s: %s", part_name(limit), load_phrase(arena, pair, load));
	if (waits) {
		const char *line = line_phrase(arena, pair);
		return arena_printf(arena, "%s: %s", part_name(limit), *line ? line : wait_phrase(arena, pair));
	}
	return arena_printf(arena, "%s: it is busy for %s cycles instead of %s", part_name(limit),
	                    count_text(arena, limit_cycles(pair->fast, limit)),
	                    count_text(arena, limit_cycles(pair->slow, limit)));
}

/* ---- models that have none ----------------------------------------------------------------- */

static const char *width_phrase(struct arena *arena, const struct array_cost *fast, const struct array_cost *slow)
{
	if (fast->width_bytes == slow->width_bytes)
		return "";
	return arena_printf(arena, " (%u bytes per lane at a time instead of %u)", fast->width_bytes,
	                    slow->width_bytes);
}

/* What the two differ in, as far as the numbers shown do. */
static const char *numbers_phrase(struct arena *arena, const struct array_cost *fast, const struct array_cost *slow)
{
	const char *ours = arena_printf(arena, "%.6g and %.6g", fast->instructions, fast->sectors);
	const char *theirs = arena_printf(arena, "%.6g and %.6g", slow->instructions, slow->sectors);
	const char *our_hits = arena_printf(arena, "%.3g", 100 * fast->hits / fast->sectors);
	const char *their_hits = arena_printf(arena, "%.3g", 100 * slow->hits / slow->sectors);
	if (strcmp(ours, theirs) != 0)
		return arena_printf(arena, "takes a warp %.6g memory instructions and %.6g sectors instead of %s%s",
		                    fast->instructions, fast->sectors, theirs, width_phrase(arena, fast, slow));
	if (!isnan(fast->hits + slow->hits) && strcmp(our_hits, their_hits) != 0)
		return arena_printf(arena, "finds %s %% of the sectors in the cache instead of %s %%%s", our_hits,
		                    their_hits, width_phrase(arena, fast, slow));
	return arena_printf(arena, "takes a warp %.6g cycles instead of %.6g%s", fast->cycles, slow->cycles,
	                    width_phrase(arena, fast, slow));
}

static const char *cycles_phrase(struct arena *arena, const struct pair *pair)
{
	const struct access_estimate *access = place_of_difference(pair, cycles_cost);
	struct array_cost fast, slow;
	if (!access)
		return "no single array makes the difference";
	fast = array_cost_of(pair->fast, access);
	slow = array_cost_of(pair->slow, access);
	if (slow.cycles - fast.cycles < CYCLES_SHARE * slow.cycles)
		return "no single array makes the difference";
	return arena_printf(arena, "%s %s (line %u) %s", kind_verbs[access->kind], access->array, access->place.line,
	                    numbers_phrase(arena, &fast, &slow));
}

/* ---- the sentence ------------------------------------------------------------------------ */

static const char *row_name(struct arena *arena, const struct ranked_layout *row)
{
	return row->tile && row->tile != LAYOUT_TILE_DEFAULT
	               ? arena_printf(arena, "%s (tile %u)", row->layout->name, row->tile)
	               : row->layout->name;
}

static const char *interval_phrase(struct arena *arena, const struct verdict *verdict)
{
	if (!(verdict->ratio_low > 0))
		return "";
	return arena_printf(arena, " (%.2f to %.2f)", verdict->ratio_low, verdict->ratio_high);
}

const char *verdict_difference(struct arena *arena, const struct ranked_layout *fast, const struct ranked_layout *slow,
                               const char *slow_name)
{
	struct pair pair = {fast->estimate, slow->estimate, fast->view, slow->view, slow_name};
	return pair.slow->limit_count ? limits_phrase(arena, &pair) : cycles_phrase(arena, &pair);
}

const char *verdict_why(struct arena *arena, const struct case_result *result, const struct verdict *verdict)
{
	const struct ranked_layout *chosen = &result->rows[verdict->recommended];
	const struct ranked_layout *other = &result->rows[verdict->contrast];
	double ratio = other->estimate->time_seconds / chosen->estimate->time_seconds;
	if (other == chosen && result->row_count == 1)
		return "no other layout was ranked";
	if (other == chosen || ratio <= 1 + TIE_SHARE)
		return arena_printf(arena, "No other layout of %s is predicted to differ by more than %.0f %%",
		                    verdict->group->name, 100 * TIE_SHARE);
	return arena_printf(arena, "%s is %.2f times as fast as %s%s: %s", row_name(arena, chosen), ratio,
	                    row_name(arena, other), interval_phrase(arena, verdict),
	                    verdict_difference(arena, chosen, other, row_name(arena, other)));
}
