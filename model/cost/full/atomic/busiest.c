/*
 * What the busiest slice of the L2 gets of a launch's atomics.
 *
 *   busiest = max(over slices and halves: sum of share * cost; over slices: pair * sum of share;
 *                 1 / most)
 *
 * Two lines of each eight lie together (a group). slices.places says in which slice a group of an
 * allocation lies; other arrays lie at drawn places, and the median of several deals counts. Many
 * groups side by side ask all slices alike, but for patterns that are no power of two long. pair is
 * what both halves of a slice take together, from slices.u32_lines_per_second. Without places,
 * eight groups lie in eight slices, the next eight in their other halves. Chance in the sample is
 * taken out by pairs of passes of different warps. Assumed: very many groups are asked alike.
 */
#include "model/cost/full/atomic/atomic.h"
#include "model/cost/full/traffic/traffic.h"

#include <math.h>
#include <string.h>

#define GROUP_LINES 8     /* neighbouring lines of two groups */
#define PAGE_GROUPS 4096  /* groups of a page of 2 MiB */
#define TURN 16           /* groups of eight slices */
#define MANY 65536.0      /* groups, more than a sample tells apart */
#define MOST_GROUPS 16384 /* that are told apart; more keep all slices busy */
#define MOST_SLOTS 4096   /* halves of slices, more than any GPU has */
#define DEALS 31          /* of places to arrays */
#define FILLED 0.5        /* of the groups from the first to the last, from which on all are taken to be asked */
#define SEEN 0.5          /* of the groups that meetings tell of, from which on those of the sample stand for all */
#define EVENS_OUT 2       /* times the places of a table, from which on groups side by side ask all slices alike */
#define SURE 2            /* standard deviations of chance that count as chance */

/* ---- places ---------------------------------------------------------------------------- */

/* Slices, each in both halves of the L2: slots. */
struct atomic_slots {
	const double *of; /* the slot of each place; NULL: not measured, slot_assumed() */
	size_t places, count;
	double pair; /* what a slice takes for a pass while both its halves work, over a half alone */
};

static double busiest_pair(const double *of, size_t places, double *held)
{
	double most = 0;
	for (size_t i = 0; i < places; i++)
		most = fmax(most, ++held[(size_t)of[i] / 2]);
	return most / (double)places;
}

static struct atomic_slots slots_make(struct arena *arena, const struct full_machine *machine)
{
	const struct machine_table *table = machine->slice_places;
	struct atomic_slots slots = {.places = 1, .count = (size_t)fmax(1, machine->l2_slices)};
	double *held;
	if (machine->atomic_rate)
		slots.pair = machine->atomic_same / machine->atomic_most * (double)slots.count / 2;
	if (!table || !machine->atomic_rate)
		return slots;
	for (unsigned i = 0; i < table->count; i++)
		if (!(table->value[i] >= 0 && table->value[i] < MOST_SLOTS))
			return slots;
	slots = (struct atomic_slots){.of = table->value, .places = 1};
	while (slots.places * 2 <= table->count)
		slots.places *= 2;
	for (size_t i = 0; i < slots.places; i++)
		slots.count = fmax((double)slots.count, table->value[i] + 1);
	held = arena_array(arena, slots.count, sizeof *held);
	slots.pair = machine->atomic_same * machine->clock_hz /
	             machine_table_at(machine->atomic_rate, (double)slots.places * GROUP_LINES / 2) /
	             busiest_pair(slots.of, slots.places, held);
	return slots;
}

/* Where nobody has measured it: eight groups in a slice each, the next eight in their other halves, and so on; each
 * page begins anywhere. Without the rates of lines, or with fewer slots than that takes, any. */
static size_t slot_assumed(const struct atomic_slots *slots, uint64_t deal, uint64_t group)
{
	if (slots->count < TURN || !(slots->pair > 0))
		return content_scramble(group * DEALS + deal) % slots->count;
	const uint64_t first = content_scramble(group / PAGE_GROUPS * DEALS + deal) / TURN;
	const size_t at = (group % PAGE_GROUPS + first % PAGE_GROUPS * TURN) % (slots->count / TURN * TURN);
	return at / TURN * TURN + at % (TURN / 2) * 2 + at / (TURN / 2) % 2;
}

static size_t slot_of(const struct atomic_slots *slots, uint64_t deal, uint64_t group)
{
	if (!slots->of)
		return slot_assumed(slots, deal, group);
	const uint64_t drawn = content_scramble(group / slots->places * DEALS + deal);
	const size_t slot = (size_t)slots->of[(group ^ drawn) % slots->places], slices = slots->count / 2;
	return slices ? (slot / 2 + (drawn >> 32)) % slices * 2 + slot % 2 : slot;
}

static uint64_t group_of(uint64_t sector)
{
	uint64_t line = sector / (LINE_BYTES / SECTOR_BYTES);
	return line / GROUP_LINES * 2 + line / 2 % 2;
}

/* ---- shares ---------------------------------------------------------------------------- */

struct atomic_group {
	uint64_t number;
	double share;
};

struct atomic_shares {
	struct atomic_group *groups;
	size_t count;
	uint64_t *lines; /* room for those of the sample */
	size_t places;   /* after which slices come again, in another order */
	double even;     /* of groups that are too many to be told apart, or lie side by side over places enough */
};

/* Pairs of passes that different warps bring, within visits first .. last - 1. */
static double pairs_of(const struct full_visit *visits, size_t first, size_t last)
{
	double passes[FULL_SAMPLE_WARPS], all = 0, own = 0;
	for (size_t i = first; i < last; i++)
		passes[visits[i].warp] = 0;
	for (size_t i = first; i < last; i++) {
		double *before = &passes[visits[i].warp], weight = visits[i].weight;
		own += weight * (2 * *before + weight);
		*before += weight;
		all += weight;
	}
	return all * all - own;
}

static size_t run_end(const struct full_visit *visits, size_t first, size_t end)
{
	size_t last = first + 1;
	while (last < end && visits[last].key == visits[first].key)
		last++;
	return last;
}

/* How many groups as busy as one another would meet as often, and by how much 1 / groups is off by chance: a standard
 * deviation. */
struct atomic_meeting {
	double groups, chance;
};

static struct atomic_meeting meeting_of(double pairs, double meeting, double squares, double visits)
{
	struct atomic_meeting found = {1, 0};
	if (pairs <= 0)
		return found;
	found.groups = meeting > 0 ? fmax(1, fmin(MANY, pairs / meeting)) : MANY;
	if (meeting > 0)
		found.chance = sqrt(2 / meeting * squares / visits) / found.groups;
	return found;
}

/* The groups that visits first .. end - 1 of one array lie in, with what they have in the sample. Returns how many. */
static size_t groups_found(const struct full_visit *visits, size_t first, size_t end, struct atomic_group *found,
                           struct atomic_meeting *meeting)
{
	double pairs = pairs_of(visits, first, end), together = 0, squares = 0, number = (double)(end - first);
	size_t count = 0;
	for (size_t last; first < end; first = last) {
		last = run_end(visits, first, end);
		together += pairs_of(visits, first, last);
		found[count] = (struct atomic_group){.number = visits[first].key};
		for (size_t i = first; i < last; i++) {
			found[count].share += visits[i].weight;
			squares += (double)visits[i].weight * visits[i].weight;
		}
		count++;
	}
	*meeting = meeting_of(pairs, together, squares, number);
	return count;
}

/* By how much shares differ from their mean over how much the sample's do, which chance made differ, too. */
static double drawn(const struct atomic_group *found, size_t count, double passes, double groups,
                    const struct atomic_meeting *meeting)
{
	double squares = 0, real = 1 / meeting->groups - SURE * meeting->chance - 1 / groups;
	for (size_t i = 0; i < count; i++)
		squares += found[i].share * found[i].share / passes / passes;
	squares -= 1 / groups;
	return squares > 0 ? sqrt(fmin(1, fmax(0, real / squares))) : 1;
}

/*
 * Lines of each group that are asked for, of groups that come again and again: all of them, or members of records in
 * tiles, between whose lines others lie. Those that every group has ask all slices alike, and so do patterns of a power
 * of two lines, as the code that places groups is linear: only what groups have beyond is kept.
 */
struct atomic_pattern {
	unsigned beyond[2 * FULL_LONGEST_PERIOD], groups;
	double asked;  /* groups that have any */
	double uneven; /* lines beyond, of all that are asked for */
};

static void pattern_find(struct atomic_pattern *pattern, uint64_t *lines, const struct full_visit *visits, size_t count)
{
	bool held[FULL_LONGEST_PERIOD] = {false};
	unsigned period, least = GROUP_LINES;
	double all = 0;
	for (size_t i = 0; i < count; i++)
		lines[i] = visits[i].place / (LINE_BYTES / SECTOR_BYTES);
	full_share_drawn(lines, count, &period);
	for (size_t i = 0; i < count; i++)
		held[lines[i] % period] = true;
	unsigned length = period * GROUP_LINES / (unsigned)full_common_divisor(period, GROUP_LINES);
	*pattern = (struct atomic_pattern){.groups = length * 2 / GROUP_LINES};
	for (unsigned l = 0; l < length; l++)
		pattern->beyond[l / GROUP_LINES * 2 + l / 2 % 2] += held[l % period];
	for (unsigned g = 0; g < pattern->groups; g++) {
		least = pattern->beyond[g] < least ? pattern->beyond[g] : least;
		pattern->asked += pattern->beyond[g] > 0;
		all += pattern->beyond[g];
	}
	for (unsigned g = 0; g < pattern->groups; g++)
		pattern->beyond[g] -= least;
	if (period & (period - 1))
		pattern->uneven = 1 - least * pattern->groups / all;
}

/*
 * Adds groups side by side that are asked for as a pattern says, over so many places that what is uneven in some evens
 * out in others but for the pattern's own unevenness. Of more than there is room for a part is dealt out, with as much
 * of the passes as makes the busiest slice differ as it does by all: by the root of their number.
 */
static void pattern_add(struct atomic_shares *shares, const struct atomic_pattern *pattern, uint64_t first,
                        uint64_t span, double passes)
{
	size_t room = MOST_GROUPS - shares->count, dealt = span < room ? (size_t)span : room;
	double uneven = pattern->uneven * sqrt((double)dealt / (double)span), lines = 0;
	for (size_t i = 0; i < dealt; i++)
		lines += pattern->beyond[(first + i) % pattern->groups];
	uneven = lines > 0 ? uneven : 0;
	shares->even += passes * (1 - uneven);
	for (size_t i = 0; i < dealt && uneven > 0; i++) {
		double share = passes * uneven * pattern->beyond[(first + i) % pattern->groups] / lines;
		shares->groups[shares->count++] = (struct atomic_group){.number = first + i, .share = share};
	}
}

/* Adds what one array gets: visits first .. end - 1. found: room for its groups. */
static void array_add(struct atomic_shares *shares, const struct full_visit *visits, size_t first, size_t end,
                      struct atomic_group *found)
{
	struct atomic_pattern pattern;
	struct atomic_meeting meeting;
	double passes = 0, groups, differ;
	size_t count = groups_found(visits, first, end, found, &meeting);
	uint64_t span = found[count - 1].number - found[0].number + 1;
	for (size_t i = 0; i < count; i++)
		passes += found[i].share;
	pattern_find(&pattern, shares->lines, visits + first, end - first);
	uint64_t whole = (span + pattern.groups - 1) / pattern.groups * pattern.groups;
	double asked = (double)whole * pattern.asked / pattern.groups;
	if (fmax(meeting.groups, (double)count) >= FILLED * asked &&
	    (double)whole >= EVENS_OUT * (double)shares->places) {
		pattern_add(shares, &pattern, found[0].number, whole, passes);
		return;
	}
	bool filled = fmax(meeting.groups, (double)count) >= FILLED * (double)span;
	groups = filled ? (double)span : (double)count;
	if (groups < SEEN * meeting.groups || groups > (double)(MOST_GROUPS - shares->count)) {
		shares->even += passes;
		return;
	}
	differ = drawn(found, count, passes, groups, &meeting);
	for (size_t i = 0, next = 0; i < (size_t)groups; i++) {
		struct atomic_group *group = &shares->groups[shares->count++];
		group->number = filled ? found[0].number + i : found[i].number;
		group->share = passes / groups * (1 - differ);
		if (next < count && found[next].number == group->number)
			group->share += differ * found[next++].share;
	}
}

/* Numbers arrays as they come, beside the small ones, which lie side by side in the first: what else a layout allocates
 * does not change what is drawn. */
static void arrays_number(const struct full_visits *sample)
{
	uint64_t before = 0, number = 0;
	full_visits_sort(sample, NULL);
	for (size_t i = 0; i < sample->count; i++) {
		uint64_t array = sample->visits[i].place / FULL_ARRAY_SECTORS;
		number += array != before;
		before = array;
		sample->visits[i].place = number * FULL_ARRAY_SECTORS + sample->visits[i].place % FULL_ARRAY_SECTORS;
	}
}

/* Sorts visits by group. */
static struct atomic_shares shares_make(struct arena *arena, const struct full_visits *sample, size_t places)
{
	struct atomic_shares shares = {.groups = arena_array(arena, MOST_GROUPS, sizeof *shares.groups),
	                               .places = places,
	                               .lines = arena_array(arena, sample->count + 1, sizeof *shares.lines)};
	struct atomic_group *found = arena_array(arena, sample->count + 1, sizeof *found);
	const struct full_visit *visits = sample->visits;
	full_visits_sort(sample, group_of);
	for (size_t first = 0, end; first < sample->count; first = end) {
		for (end = first + 1; end < sample->count && visits[end].place / FULL_ARRAY_SECTORS ==
		                                                     visits[first].place / FULL_ARRAY_SECTORS;
		     end++)
			;
		memset(found, 0, (end - first) * sizeof *found);
		array_add(&shares, visits, first, end, found);
	}
	return shares;
}

/* ---- the busiest ------------------------------------------------------------------------- */

/* What the busiest slot has to do, with a cost of each place's passes, in one deal. */
static double busiest_dealt(const struct atomic_slots *slots, const struct atomic_shares *shares, const double *costs,
                            uint64_t deal, double *held)
{
	double *both = held + slots->count, most = 0, even = shares->even / (double)slots->count;
	memset(held, 0, 2 * slots->count * sizeof *held);
	for (size_t i = 0; i < shares->count; i++) {
		const struct atomic_group *group = &shares->groups[i];
		size_t slot = slot_of(slots, deal, group->number);
		held[slot] += group->share * costs[slot_of(slots, 0, group->number)];
		both[slot / 2] += group->share;
		most = fmax(most, fmax(held[slot] + even, slots->pair * (both[slot / 2] + 2 * even)));
	}
	return most;
}

static double median_of(double *values, size_t count)
{
	for (size_t i = 1; i < count; i++)
		for (size_t k = i; k > 0 && values[k - 1] > values[k]; k--) {
			double more = values[k - 1];
			values[k - 1] = values[k];
			values[k] = more;
		}
	return values[count / 2];
}

/* The slot of a sector in the first deal. */
static void sample_place(const struct atomic_slots *slots, const struct full_visits *sample)
{
	for (size_t i = 0; i < sample->count; i++)
		sample->visits[i].key = slot_of(slots, 0, group_of(sample->visits[i].place));
}

double full_busiest_share(struct arena *arena, const struct full_machine *machine, const struct full_visits *sample)
{
	struct atomic_slots slots = slots_make(arena, machine);
	double *costs = arena_array(arena, slots.count, sizeof *costs),
	       *held = arena_array(arena, 2 * slots.count, sizeof *held);
	double dealt[DEALS], passes = 0, mean,
			     most = machine->atomic_rate ? machine->atomic_most : machine->atomic_line;
	struct atomic_shares shares;
	arrays_number(sample);
	sample_place(&slots, sample);
	mean = full_pass_costs(arena, machine, sample, slots.count, costs);
	shares = shares_make(arena, sample, slots.of ? slots.places : MOST_GROUPS);
	for (size_t i = 0; i < sample->count; i++)
		passes += sample->visits[i].weight;
	for (uint64_t deal = 0; deal < DEALS; deal++)
		dealt[deal] = busiest_dealt(&slots, &shares, costs, deal, held);
	return fmax(median_of(dealt, DEALS) / passes, mean * machine->atomic_same / most);
}
