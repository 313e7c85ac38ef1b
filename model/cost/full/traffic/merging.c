/*
 * Requests of several SMs for one line that become one on the way to the L2. `sent` is a count
 * alone: what the L2 is spared is in no time. Without coalescer.* no request joins another.
 *
 *   sent   = missed - sum(sectors * joined * kept * step) * (1 - lonely)
 *   joined = 1 - max(1, (SMs + 1) / coalescer.requests) / SMs, of the SMs of a GPC in the same step
 *   kept   share answered before the SM's next request for other sectors of the line
 *   step   share of this SM's own blocks that would still join each other, falling as time^-e
 *   lonely grows to 1 as one in LONELY requests is for data that this SM alone wants
 *
 * Assumed: blocks of other SMs are as far from each other as those of this one.
 */
#include "model/cost/full/traffic/traffic.h"

#include <math.h>
#include <string.h>

#define LINES 4096 /* places */
#define STEPS 4096 /* places */
#define LONELY 64  /* requests */
#define FEW 0.25   /* joined less than that is a request of its own */
#define PARTS 64   /* of the run: more than are needed, as two become one where they are used up */
enum { IN_L2, IN_DRAM, PLACES };

static bool is_among(const uint64_t *sms, unsigned sm)
{
	return sms[sm / 64] >> sm % 64 & 1;
}

/* ---- what SMs ask for together ------------------------------------------------------------------------- */

void full_merging_share(const struct full_work *work, uint64_t block, const uint64_t *same, const uint64_t *all,
                        struct full_share *share)
{
	const struct full_machine *machine = work->machine;
	int sms = machine->sms < FULL_SMS ? (int)machine->sms : FULL_SMS, own = (int)(block % (unsigned)sms),
	    groups = 1;
	int size = (int)full_later(1, machine->meeting_sms * work->active / machine->sms);
	for (int first = own - size + 1; first <= own; first++) {
		unsigned together = 1;
		for (int sm = first > 0 ? first : 0; sm < first + size && sm < sms; sm++)
			together += sm != own && is_among(same, (unsigned)sm);
		share->joined += (1 - full_later(1, (together + 1) / machine->meeting_most) / together) / size;
	}
	for (int sm = 0, last = own / size; sm < sms; sm++)
		if (sm / size != own / size && sm / size != last && is_among(all, (unsigned)sm)) {
			last = sm / size;
			groups++;
		}
	share->both = 1 - exp2(1 - (double)groups);
}

/* ---- requests of one SM ------------------------------------------------------------------------------------ */

/* The last request for a line. */
struct asked {
	uint64_t key; /* line + 1; 0: none */
	double time, before;
	uint32_t insn;
	uint8_t mask;
};

/* Blocks that have come to a request. */
struct together {
	uint64_t key; /* + 1 */
	uint64_t blocks;
	unsigned count, joined[PLACES];
	double begun[PLACES];
};

/* A part of the run. */
struct part {
	double asked, own;          /* requests to the L2; of them those that are the SM's own */
	double joins[PLACES], most; /* blocks that would join; that could */
};

struct full_merging {
	const struct full_work *work;
	const struct full_share *shares;          /* by instruction */
	const struct machine_table *late[PLACES]; /* share that joins by cycles later */
	double *sectors[PLACES];                  /* that join, by instruction */
	struct part parts[PARTS];
	unsigned last, size, filled; /* part that the run is in, of so many requests of warps; in the last one */
	struct asked asked[LINES];
	struct together steps[STEPS];
};

struct full_merging *full_merging_make(struct arena *arena, const struct full_work *work)
{
	struct full_merging *meeting = arena_alloc(arena, sizeof *meeting);
	meeting->work = work;
	meeting->shares = work->traffic->shares[work->warm];
	meeting->size = 1;
	meeting->late[IN_L2] = work->machine->meeting_l2;
	meeting->late[IN_DRAM] = work->machine->meeting_dram;
	for (unsigned place = 0; place < PLACES; place++)
		meeting->sectors[place] =
			arena_array(arena, work->function->insn_count + 1, sizeof *meeting->sectors[place]);
	return meeting;
}

/* Whether anything is known of such requests. */
static bool is_measured(const struct full_merging *meeting)
{
	return meeting->late[IN_L2] && meeting->late[IN_DRAM];
}

static void part_add(struct part *sum, const struct part *part)
{
	sum->asked += part->asked;
	sum->own += part->own;
	sum->most += part->most;
	for (unsigned place = 0; place < PLACES; place++)
		sum->joins[place] += part->joins[place];
}

/* A request of a warp. */
static void part_advance(struct full_merging *meeting)
{
	if (meeting->filled++ < meeting->size)
		return;
	meeting->filled = 1;
	if (++meeting->last < PARTS)
		return;
	for (unsigned i = 0; i < PARTS; i += 2) {
		struct part both = meeting->parts[i];
		part_add(&both, &meeting->parts[i + 1]);
		meeting->parts[i] = meeting->parts[i + 1] = (struct part){0};
		meeting->parts[i / 2] = both;
	}
	meeting->last = PARTS / 2;
	meeting->size *= 2;
}

/* A block comes to a request that others of its SM have come to: the share of them that it would join. */
static void together_add(struct full_merging *meeting, struct together *step, double time)
{
	struct part *part = &meeting->parts[meeting->last];
	double most = meeting->work->machine->meeting_most;
	part->most += step->count % (unsigned)most != 0;
	for (unsigned place = 0; place < PLACES; place++) {
		bool room = step->count && step->joined[place] < most;
		double share = room ? machine_table_at(meeting->late[place], time - step->begun[place]) : 0;
		bool joins = share >= 0.5;
		part->joins[place] += share;
		step->joined[place] = joins ? step->joined[place] + 1 : 1;
		step->begun[place] = joins ? step->begun[place] : time;
	}
	step->count++;
}

void full_merging_step(struct full_merging *meeting, uint64_t warp, uint64_t number, double time)
{
	const struct full_work *work = meeting->work;
	if (!is_measured(meeting))
		return;
	part_advance(meeting);
	if (work->resident < 2)
		return;
	uint64_t block = (warp / work->warps - work->first) / work->step, generation = block / work->resident;
	uint64_t key = (generation << 32) + number + 1, bit = UINT64_C(1) << block % work->resident % 64;
	struct together *step = &meeting->steps[number % STEPS];
	if (step->key != key)
		*step = (struct together){.key = key};
	if (!(step->blocks & bit))
		together_add(meeting, step, time);
	step->blocks |= bit;
}

/* A request that so many cycles lie after. */
static void asked_close(struct full_merging *meeting, const struct asked *asked, double after)
{
	const struct full_share *share = &meeting->shares[asked->insn];
	if (share->joined == 0)
		return;
	double least = full_sooner(asked->before, after),
	       kept = isfinite(least) ? meeting->work->machine->meeting_kept : 1;
	double sectors = full_sectors(asked->mask) * share->joined, dram = full_sooner(1, share->first + share->wait);
	double shares[PLACES] = {(1 - dram) * kept, dram};
	for (unsigned place = 0; place < PLACES; place++)
		meeting->sectors[place][asked->insn] +=
			sectors * shares[place] *
			(isfinite(least) ? 1 - machine_table_at(meeting->late[place], least) : 1);
}

void full_merging_prefetch(const struct full_merging *meeting, uint64_t line)
{
	__builtin_prefetch(&meeting->asked[line % LINES], 1);
}

void full_merging_ask(struct full_merging *meeting, uint32_t insn, uint64_t line, uint8_t sectors, double time)
{
	struct asked *asked = &meeting->asked[line % LINES];
	bool other = asked->key == line + 1 && asked->mask != sectors;
	double gap = other ? time - asked->time : INFINITY;
	if (!is_measured(meeting))
		return;
	if (asked->key)
		asked_close(meeting, asked, gap);
	meeting->parts[meeting->last].asked++;
	meeting->parts[meeting->last].own += meeting->shares[insn].joined < FEW;
	*asked = (struct asked){.key = line + 1, .time = time, .before = gap, .insn = insn, .mask = sectors};
}

/* Share of the blocks that would join, of those that could. */
static double joins_of(const struct part *part, unsigned place)
{
	return part->most > 0 ? part->joins[place] / part->most : 1;
}

/* The same over the launch, which is so many times as long as the run. */
static double joins_extend(const struct part halves[2], unsigned place, double longer)
{
	struct part run = halves[0];
	part_add(&run, &halves[1]);
	double early = joins_of(&halves[0], place), late = joins_of(&halves[1], place), all = joins_of(&run, place);
	double falls = late > 0 && halves[0].most > 0 && halves[1].most > 0 ? log(early / late) / log(3) : 0;
	return all * pow(longer, -full_later(0, full_sooner(0.5, falls)));
}

void full_merging_finish(struct full_merging *meeting, struct full_run *run)
{
	const struct full_work *work = meeting->work;
	struct part halves[2] = {0};
	for (unsigned i = 0; i <= meeting->last && i < PARTS; i++)
		part_add(&halves[2 * i >= meeting->last], &meeting->parts[i]);
	double longer = full_later(1, work->evaluation->warp_instructions / work->active / (double)run->issued);
	double own = halves[1].asked > 0 ? halves[1].own / halves[1].asked : 0;
	double shares[PLACES] = {full_later(0, 1 - LONELY * own), 1 - own};
	for (unsigned place = 0; place < PLACES; place++)
		shares[place] *= joins_extend(halves, place, longer);
	for (unsigned i = 0; i < LINES; i++)
		if (meeting->asked[i].key)
			asked_close(meeting, &meeting->asked[i], INFINITY);
	for (uint32_t i = 0; i < work->function->insn_count; i++) {
		run->insns[i].sent = run->insns[i].missed;
		for (unsigned place = 0; place < PLACES; place++)
			run->insns[i].sent -= meeting->sectors[place][i] * shares[place];
	}
}
