/*
 * What a load finds behind the L1, while all other SMs do the same.
 *
 *   port += max(lines * port_line, sectors * port_sector)     stride_cycles.l2_load_one_sm_*
 *   l2   += max(lines * l2_line, sectors * l2_sector) * share
 *   dram += bytes * read_cycles * longer * share              traffic/dram.c
 *   there = max(port, l2, dram, time + wait) + latency of where the data are
 *   latency(DRAM) = dram + crowd + whole line + driven + further + spread * (-ln u - 1)
 *
 * share: active SMs over all. A granule that this SM asked for stays in the L2 as residency.c says. Of a
 * new one traffic's shares say whether it comes from DRAM, is under way for another SM, or is in
 * the L2; remainders are carried along, not drawn.
 */
#include "model/cost/full/path.h"

#include <math.h>
#include <string.h>

#define FIRST_SLOTS 2048
#define RECENT 4 /* of the L2: what was asked for within such a part of it was not far from being the last */
#define GOLDEN UINT64_C(0x9e3779b97f4a7c15)
#define BOUNDED_MEAN (1.0 / 3) /* of full_dram_latency_bounded(): 1 - sqrt(u) */
#define LATELY 2000            /* cycles over which DRAM's work is averaged: three times its latency */

struct full_path *full_path_make(struct arena *arena, const struct full_machine *machine,
                                 const struct full_traffic *traffic, double active, size_t insns)
{
	struct full_path *path = arena_alloc(arena, sizeof *path);
	path->arena = arena;
	path->machine = machine;
	path->traffic = traffic;
	path->share = active / machine->sms;
	path->reach = full_residency_least_reach(machine);
	path->most = full_later(machine->l2_bytes, machine->l2_reach);
	path->granules = (unsigned)full_sooner(FULL_GRANULES, LINE_BYTES / machine->granule);
	for (unsigned g = 0, sectors = LINE_BYTES / SECTOR_BYTES / (path->granules ? path->granules : 1);
	     g < path->granules; g++)
		path->masks[g] = (uint8_t)(((1u << sectors) - 1) << (g * sectors));
	path->slower = full_dram_latency_make(arena, machine->dram_latency);
	full_busy_make(machine, &path->busy);
	path->seen = full_residency_make(arena, path->granules);
	path->open_most =
		machine->incomplete_bytes / active / LINE_BYTES * (traffic->run_share > 0 ? traffic->run_share : 1);
	path->written_slots = FIRST_SLOTS;
	path->written = arena_array(arena, path->written_slots, sizeof *path->written);
	path->credit = arena_array(arena, insns + 1, sizeof *path->credit);
	path->asked = arena_array(arena, insns + 1, sizeof *path->asked);
	return path;
}

/* Whether the granule is not in the L2 on account of this SM: it never asked for it, or so long ago that other data has
 * taken its place. */
static bool granule_is_new(struct full_path *path, float *granule, uint64_t line, const struct full_share *share,
                           unsigned *again)
{
	double before = *granule, since = path->filled - before;
	bool fresh =
		before < 0 || since > path->most ||
		(since > path->reach &&
	         since > full_residency_reach(path->machine, line, full_dram_latency_drawn(path->slower), share->both));
	*again += !fresh && since > path->machine->l2_bytes / RECENT;
	*granule = (float)path->filled;
	return fresh;
}

/* Whether this SM has asked for the line's granule no longer ago than DRAM takes to give one. */
static bool on_its_way(const struct full_path *path, const float *granules, unsigned granule)
{
	double before = granule < path->granules ? (double)granules[granule] : (double)FULL_NOT_ASKED;
	return before >= 0 && path->filled - before < path->machine->dram_latency * path->machine->dram_most;
}

/* What loads wait for what DRAM has to do now. */
static struct full_busy busy_now(const struct full_path *path)
{
	return full_busy_at(&path->busy, path->load, path->load > 0 ? path->stored / path->load : 0);
}

/* Of a request's missing sectors what this SM did not ask for before. */
struct fresh {
	unsigned granules, sectors, beside, again; /* beside: of a random set, whose neighbour in the line is on its
	                                              way; again: others, that are in the L2 yet */
	unsigned lines, lines_again; /* of those fetched, of which the L2 has nothing; of which there are such others */
	bool whole;                  /* both halves of a line */
	double slower,
		apart; /* how much longer than others the slowest line takes; bytes from one to the next, in the mean */
	double pending; /* when what this SM has fetched before and is on its way is there */
};

static struct full_pending *pending_of(struct full_path *path, uint64_t granule)
{
	return &path->pending[(granule * GOLDEN >> 40) % FULL_PENDING];
}

/* When a granule that this SM has fetched is there; 0: it is. */
static double pending_until(struct full_path *path, uint64_t granule)
{
	const struct full_pending *pending = pending_of(path, granule);
	return pending->key == granule + 1 ? pending->until : 0;
}

/* What the request has fetched is there at a time. */
static void pending_note(struct full_path *path, double until)
{
	for (unsigned i = 0; i < path->fetched_count; i++)
		*pending_of(path, path->fetched[i]) = (struct full_pending){path->fetched[i] + 1, until};
}

/* Whether the L2 has held a line since before the launch: drawn by the line, so that all who ask for it find the same.
 */
static bool is_held(uint64_t line, double held)
{
	return held > 0 && content_fraction(content_scramble(line)) < held;
}

/* held: share of the lines of the request's buffer that the L2 holds when the launch starts. */
static struct fresh granules_new(struct full_path *path, const struct full_request *request,
                                 const struct full_share *share, const uint8_t *missing, bool random, double held,
                                 double time)
{
	struct fresh fresh = {.slower = -1, .apart = path->machine->granule};
	path->fetched_count = 0;
	double apart = -1, gaps = 0;
	unsigned all = 0;
	uint64_t last = 0;
	for (unsigned i = 0; i < request->line_count; i++) {
		float *seen = missing[i] ? full_residency_line(path->seen, request->line[i]) : NULL;
		const unsigned before = fresh.granules, again = fresh.again;
		const bool began = seen && full_path_holds(path, seen),
			   from_before = seen && is_held(request->line[i], held);
		for (unsigned g = 0; seen && g < path->granules; g++) {
			uint64_t granule = request->line[i] * path->granules + g,
				 gap = granule > last ? granule - last : last - granule;
			if (!(missing[i] & path->masks[g]))
				continue;
			bool untouched = seen[g] < 0;
			if (!granule_is_new(path, &seen[g], request->line[i], share, &fresh.again)) {
				fresh.pending = full_later(fresh.pending, pending_until(path, granule));
				continue;
			}
			if (untouched && from_before)
				continue;
			gaps += all++ ? full_sooner((double)gap, FULL_FAR) : 0;
			last = granule;
			path->fetched[path->fetched_count++] = granule;
			fresh.granules++;
			fresh.sectors += full_sectors(missing[i] & path->masks[g]);
			fresh.beside += random && on_its_way(path, seen, g ^ 1);
		}
		fresh.lines_again += fresh.again > again;
		fresh.lines += fresh.granules > before && !began;
		fresh.whole = fresh.whole || fresh.granules > before + 1;
		if (fresh.granules == before)
			continue;
		apart = apart < 0 ? busy_now(path).apart : apart;
		fresh.slower =
			full_later(fresh.slower, full_dram_latency_line(path->slower, request->line[i], time, apart));
	}
	if (all > 1)
		fresh.apart = gaps / (all - 1) * path->machine->granule;
	return fresh;
}

/*
 * Share of the granules new to this SM that it fetches itself. Of a random set these are what no SM has asked for:
 * exp(-asked / set), or all until each has been asked for once where addresses fall evenly; and what the L2 has given
 * up since.
 */
static double share_first(struct full_path *path, const struct full_share *share, const struct full_request *request,
                          const uint8_t *missing)
{
	unsigned granules = 0;
	if (!(share->set > 0))
		return share->first;
	double *asked = &path->asked[share->group],
	       none = share->even ? *asked < share->set : exp(-*asked / share->set),
	       first = full_later(none, share->least);
	for (unsigned i = 0; i < request->line_count; i++)
		for (unsigned g = 0; g < path->granules; g++)
			granules += (missing[i] & path->masks[g]) != 0;
	*asked += granules * path->share * path->machine->sms;
	return first;
}

enum source { FROM_DRAM, FROM_OTHERS, FROM_L2 };

static enum source source_choose(struct full_path *path, uint32_t insn, double first, double wait, double granules)
{
	double *credit = path->credit[insn], parts[3] = {first, wait, 1 - first - wait};
	enum source chosen = FROM_DRAM;
	for (unsigned i = 0; i < 3; i++) {
		credit[i] += parts[i] * granules;
		if (credit[i] > credit[chosen])
			chosen = (enum source)i;
	}
	credit[chosen] -= granules;
	return chosen;
}

/* What is missing, which will be looked for. */
static void misses_count(const struct full_path *path, const struct full_request *request, const uint8_t *missing,
                         double *lines, double *sectors)
{
	*lines = *sectors = 0;
	for (unsigned i = 0; i < request->line_count; i++) {
		if (!missing[i])
			continue;
		++*lines;
		*sectors += full_sectors(missing[i]);
		full_residency_prefetch(path->seen, request->line[i]);
	}
}

unsigned full_spread(const struct full_request *request)
{
	return request->sector_count > 8 ? 2 : request->sector_count > 4 ? 1 : 0;
}

double full_path_dram(struct full_path *path, double time, double cycles, bool store)
{
	if (time > path->loaded) {
		double kept = exp((path->loaded - time) / LATELY);
		path->load *= kept;
		path->driven *= kept;
		path->stored *= kept;
		path->loaded = time;
	}
	path->load += cycles / LATELY;
	*(store ? &path->stored : &path->driven) += (store ? 1 : path->traffic->driven_share) * cycles / LATELY;
	return full_server_take(&path->dram, time, cycles, &path->counts.dram_busy);
}

/* What a load waits longer for lines that loads drive out of the L2. slower: as struct fresh has it. */
static double driven_wait(const struct full_path *path, double slower)
{
	const struct machine_table *wait = path->machine->driven_wait;
	double share = path->driven / full_later(1, path->load);
	return wait && share > 0 ? machine_table_at(wait, share) * full_dram_latency_bounded(slower) / BOUNDED_MEAN : 0;
}

/* Whether all SMs that are at work ask for the same line at a time, as far as in both halves of the L2: 0 where no more
 * than half of them do. */
static double all_together(const struct full_path *path, const struct full_share *share)
{
	double asking = share->wait * share->first > 0 ? 1 / (share->first * path->share * path->machine->sms) : 0;
	return share->both * full_later(0, full_sooner(1, 2 * asking - 1));
}

/* What loads from DRAM take longer as all SMs are at work, each for itself. */
static double crowd_alone(const struct full_path *path)
{
	return path->machine->dram_crowd * path->share;
}

/* The same where they go together, or less. */
static double crowd_cycles(const struct full_path *path, const struct full_share *share)
{
	return (1 - share->wait) * crowd_alone(path) - all_together(path, share) * path->machine->dram_together;
}

/* What the loads of a request wait longer for DRAM than the first word of a line for itself. */
static double longer_cycles(const struct full_path *path, const struct full_share *share, const struct fresh *asked,
                            bool random)
{
	double crowd = crowd_cycles(path, share);
	return driven_wait(path, asked->slower) + (random ? 0 : crowd + asked->whole * path->machine->dram_line);
}

/* What DRAM gives for a request, of which this SM fetches that share itself. */
static void fetched_note(struct full_path *path, const struct full_share *share, const struct fresh *asked,
                         double first)
{
	const struct full_machine *machine = path->machine;
	const double bytes = asked->granules * machine->granule * first;
	path->counts.dram_bytes += bytes;
	path->counts.dram_sectors += asked->sectors * first;
	path->filled +=
		(asked->lines * first + asked->lines_again * share->first) * LINE_BYTES * path->share * machine->sms;
}

double full_path_fetch(struct full_path *path, uint32_t insn, const struct full_request *request,
                       const uint8_t *missing, double time, bool warm)
{
	const struct full_machine *machine = path->machine;
	const struct full_share *share = &path->traffic->shares[warm][insn];
	double lines, sectors, start, there, further = full_further(machine, request->line[0]);
	enum source source = FROM_L2;
	bool random = path->traffic->irregular[insn] && path->traffic->random_cycles > 0;
	misses_count(path, request, missing, &lines, &sectors);
	struct fresh asked = granules_new(path, request, share, missing, random,
	                                  path->traffic->held ? path->traffic->held[insn] : 0, time);
	unsigned fresh = asked.granules;
	double drawn = random ? full_random_work(path->traffic, sectors, fresh, asked.beside) : 0,
	       plain = full_later(lines * machine->l2_line, sectors * machine->l2_sector);
	start = full_server_take(&path->port, time,
	                         full_later(lines * machine->port_line, sectors * machine->port_sector),
	                         &path->counts.port_busy);
	double first = share_first(path, share, request, missing);
	start = full_later(start,
	                   full_server_take(&path->l2, time,
	                                    full_later(plain, path->traffic->random_in_l2 ? drawn : 0) * path->share,
	                                    &path->counts.l2_busy));
	if (random && !path->traffic->random_in_l2)
		start = full_later(start,
		                   full_server_take(&path->dram, time, drawn * path->share, &path->counts.dram_busy));
	there = full_later(path->port, start) + machine->l2_latency + further;
	path->counts.sectors += sectors;
	fetched_note(path, share, &asked, first);
	if (fresh)
		source = source_choose(path, insn, first, share->wait, fresh);
	if (source == FROM_DRAM) {
		double bytes = fresh * machine->granule, cycles = bytes *
		                                                  path->traffic->read_cycles[full_spread(request)] *
		                                                  full_sparse_factor(machine, share, asked.apart);
		if (random)
			cycles = path->traffic->random_in_l2 ? fresh * (path->traffic->random_far_cycles +
			                                                path->traffic->random_driven_cycles)
			                                     : 0;
		double work = cycles * path->share;
		double queued = random ? full_server_take(&path->dram, time, work, &path->counts.dram_busy)
		                       : full_path_dram(path, time, work, false);
		struct full_busy busy = busy_now(path);
		double delay = random ? queued : full_later(queued, time + busy.wait);
		double longer = longer_cycles(path, share, &asked, random);
		if (random)
			path->l2 = full_later(path->l2, path->dram - work);
		there = full_later(there, full_later(start, delay) + machine->dram_latency + further + longer +
		                                  busy.spread * asked.slower);
		path->counts.last = full_later(path->counts.last, there);
		pending_note(path, there);
	} else if (source == FROM_OTHERS) {
		there = full_later(there, full_later(start, path->dram) + machine->dram_latency + further +
		                                  crowd_cycles(path, share));
	}
	there = full_later(there, asked.pending);
	path->counts.trips++;
	path->counts.far_trips += source == FROM_DRAM;
	path->counts.trip_cycles += there - time;
	return there;
}

bool full_path_holds(const struct full_path *path, const float *granules)
{
	bool held = false;
	for (unsigned g = 0; g < path->granules; g++) {
		double before = granules[g];
		held |= before >= 0 && !(path->filled - before > path->reach);
	}
	return held;
}

double full_path_idle(const struct full_path *path)
{
	return path->dram;
}

double full_path_port(const struct full_path *path)
{
	return path->port;
}

const struct full_path_counts *full_path_counted(const struct full_path *path)
{
	return &path->counts;
}
