/*
 * What lies behind the L1 of one SM, while all others do the same.
 *
 *   port  += max(lines * port_line, sectors * port_sector)            one SM's way to the L2 (stride_cycles.l2_load_one_sm_*)
 *   l2    += max(lines * l2_line, sectors * l2_sector) * share        its part of the whole L2 (stride_cycles.l2_load_*)
 *            + lone granules fetched * lone_fill * l2_line * share    filling it, where a line's halves are not asked for together (benchmarks/operands/regions.cu)
 *   dram  += bytes fetched * SMs at work / rate                       its part of DRAM (bandwidth.dram_*)
 *   there  = max(port, l2, dram, time + loaded) + latency of where the data are
 *
 * share: active SMs over all; loaded: what a load waits longer where DRAM works for so much of the time (loaded.dram_*), which queues at the channels cause, and where it writes for so much of it (loaded.write_wait_cycles). A granule (dram.access_granularity_bytes) that this SM has fetched before is in the L2 as long as no more than full_seen_reach() has been asked for since. For another, window.c says with which
 * probability it comes from DRAM, is on its way for another SM (DRAM's latency, no bandwidth), or is in the L2 on account of others; the choice is made
 * by carrying the remainders along, not by chance. Requests to addresses
 * that are drawn at random are served at curve.random_sectors_per_second, which is under load; those that DRAM has no time for yet hold up what the L2 has for others (benchmarks/operands/gathers.cu: of 2^19, 2^21, 2^23
 * loads of a set of 16 MiB the first 2^18 granules take 7 us, whatever follows).
 *
 *   latency(line) = dram latency + wait (driven + stored) + further + (spread + wait stored) (-ln(u) - 1)
 *   u                         of (0, 1), drawn for each kilobyte, for as long as a load takes
 *   wait                      loaded.write_wait_cycles; driven, stored: share of its time for which DRAM writes what loads drive out of the L2, and what stores do. That loads of a launch of microseconds, which
 *                             drive out others' lines, come later, but no further apart, was measured inside such launches (benchmarks/operands/cold.cu)
 *   further                   what the request's first line takes beyond the mean of all places of the L2 (l2.latency_distribution), which warps that load at once come back apart by
 *
 * A warp that needs several lines waits for the slowest (benchmarks/operands/slowest.cu: 8 lines apart take 250 cycles more than one, 32 take 480; 8 side by side 100, 32 take 430: as the slowest
 * of so many takes where what goes beyond the fastest is distributed exponentially). Of what another SM fetches the mean latency is waited for.
 */
#include "model/cost/full/seen.h"
#include "model/cost/full/slower.h"
#include "model/cost/full/traffic/traffic.h"

#include <math.h>
#include <string.h>

#define FIRST_SLOTS 2048
#define RECENT 4   /* of the L2: what was asked for within such a part of it was not far from being the last */
#define GRANULES 4 /* of a line at most */
#define GOLDEN UINT64_C(0x9e3779b97f4a7c15)
#define OPEN_LINES 4096 /* room */
#define OWED 4096       /* room of a table of hashes: lines that are taken to be others' */
#define LATELY 2000     /* cycles over which DRAM's work is averaged: three times its latency */
#define FAR_GRANULES 8  /* further apart, granules are alone */

/* A line that this SM has stored to. */
struct written {
	uint64_t key; /* line + 1; 0: empty */
	double filled;
	struct full_bytes bytes;
};

/* Sectors of a line that one store was the first to write, and that may become whole yet. */
struct open_part {
	uint64_t line;
	uint8_t sectors;
};

struct full_path {
	struct arena *arena;
	const struct full_machine *machine;
	const struct full_traffic *traffic;
	double share, port, l2, dram;
	double load, driven, stored,
		loaded; /* shares of its time that DRAM has worked lately; written what loads drove out, and stores; at what time that was */
	struct full_seen *
		seen; /* how much had come into the L2 when this SM last asked for a granule; owed_of() that where it was taken to be others' */
	uint16_t owed[OWED];     /* granules that are, by a hash of their lines */
	unsigned granules;       /* of a line */
	uint8_t masks[GRANULES]; /* their sectors */
	double filled;           /* bytes that all SMs together have brought into the L2 */
	double reach, most;      /* after how many no line is given up yet; all are */
	struct written *written;
	size_t written_slots, written_count;
	struct open_part open[OPEN_LINES]; /* a ring, in the order in which they were written */
	unsigned open_first, open_count, open_sectors;
	uint64_t closed;     /* line of the last part that was */
	double (*credit)[3]; /* by instruction */
	double *asked;       /* by group of a random set: granules that all SMs have asked the L2 for */
	struct full_slower *slower;
	struct full_path_counts counts;
};

struct full_path *full_path_make(struct arena *arena, const struct full_machine *machine, const struct full_traffic *traffic,
                                 double active, size_t insns)
{
	struct full_path *path = arena_alloc(arena, sizeof *path);
	path->arena = arena;
	path->machine = machine;
	path->traffic = traffic;
	path->share = active / machine->sms;
	path->reach = full_seen_least_reach(machine);
	path->most = full_later(machine->l2_bytes, machine->l2_reach);
	path->granules = (unsigned)full_sooner(GRANULES, LINE_BYTES / machine->granule);
	for (unsigned g = 0, sectors = LINE_BYTES / SECTOR_BYTES / (path->granules ? path->granules : 1); g < path->granules; g++)
		path->masks[g] = (uint8_t)(((1u << sectors) - 1) << (g * sectors));
	path->slower = full_slower_make(arena, machine->dram_latency);
	path->seen = full_seen_make(arena, path->granules);
	path->written_slots = FIRST_SLOTS;
	path->written = arena_array(arena, path->written_slots, sizeof *path->written);
	path->credit = arena_array(arena, insns + 1, sizeof *path->credit);
	path->asked = arena_array(arena, insns + 1, sizeof *path->asked);
	return path;
}

/* What is noted of a granule that is taken to be others', and back. */
static double owed_of(double filled)
{
	return -2 - filled;
}

static double asked_at(const float *granule)
{
	return *granule <= -2 ? owed_of((double)*granule) : (double)*granule;
}

/* How many granules of lines with the same hash are. */
static uint16_t *owed_beside(struct full_path *path, uint64_t line)
{
	return &path->owed[(line * GOLDEN >> 40) % OWED];
}

/* An instruction that fetches what nobody else does comes to a granule; returns whether it had been taken to be others'. */
static bool granule_claim(struct full_path *path, float *granule, uint64_t line)
{
	if (*granule > -2)
		return false;
	*granule = (float)path->filled;
	--*owed_beside(path, line);
	return true;
}

/*
 * Whether the granule is not in the L2 on account of this SM: it never asked for it, or so long ago that other data has taken its place. What an instruction asks for that only waits for other SMs is
 * theirs, unless one comes that fetches itself: warps of one SM may come to each other's lines in any order.
 */
static bool granule_is_new(struct full_path *path, float *granule, uint64_t line, const struct full_share *share, unsigned *again)
{
	double before = asked_at(granule), since = path->filled - before;
	bool fetches = share->first > 0 || share->set > 0;
	bool fresh =
		before < 0 || since > path->most ||
		(since > path->reach && since > full_seen_reach(path->machine, line, full_slower_drawn(path->slower), share->both));
	*again += !fresh && path->filled - before > path->machine->l2_bytes / RECENT;
	if (fetches && granule_claim(path, granule, line))
		return true;
	if (!fetches && *granule > -2 && fresh)
		++*owed_beside(path, line);
	*granule = (float)(*granule <= -2 || (!fetches && fresh) ? owed_of(path->filled) : path->filled);
	return fresh;
}

/* Whether this SM has asked for the line's granule no longer ago than DRAM takes to give one. */
static bool on_its_way(const struct full_path *path, const float *granules, unsigned granule)
{
	double before = granule < path->granules ? asked_at(&granules[granule]) : (double)FULL_NOT_ASKED;
	return before >= 0 && path->filled - before < path->machine->dram_latency * path->machine->dram_most;
}

/* Of a request's missing sectors what this SM did not ask for before. */
struct fresh {
	unsigned granules, sectors, beside,
		again; /* beside: of a random set, whose neighbour in the line is on its way; again: others, that are in the L2 yet */
	double slower, apart; /* how much longer than others the slowest line takes; bytes from one to the next, in the mean */
};

static struct fresh granules_new(struct full_path *path, const struct full_request *request, const struct full_share *share,
                                 const uint8_t *missing, bool random, double time)
{
	struct fresh fresh = {.slower = -1, .apart = path->machine->granule};
	uint64_t last = 0;
	double gaps = 0;
	for (unsigned i = 0; i < request->line_count; i++) {
		float *seen = missing[i] ? full_seen_line(path->seen, request->line[i]) : NULL;
		unsigned before = fresh.granules;
		for (unsigned g = 0; seen && g < path->granules; g++) {
			if (!(missing[i] & path->masks[g]) ||
			    !granule_is_new(path, &seen[g], request->line[i], share, &fresh.again))
				continue;
			uint64_t granule = request->line[i] * path->granules + g,
				 gap = granule > last ? granule - last : last - granule;
			fresh.sectors += full_sectors(missing[i] & path->masks[g]);
			fresh.beside += random && on_its_way(path, seen, g ^ 1);
			gaps += fresh.granules++ ? full_sooner((double)gap, FAR_GRANULES) : 0;
			last = granule;
		}
		if (fresh.granules > before)
			fresh.slower = full_later(fresh.slower, full_slower_line(path->slower, request->line[i], time));
	}
	if (fresh.granules > 1)
		fresh.apart = gaps / (fresh.granules - 1) * path->machine->granule;
	return fresh;
}

/*
 * Share of the granules new to this SM that it fetches itself. Of a random set these are what no SM has asked for: exp(-asked / set), or all until each has been asked for once where addresses fall evenly; and what the L2 has given up since.
 */
static double share_first(struct full_path *path, const struct full_share *share, const struct full_request *request,
                          const uint8_t *missing)
{
	unsigned granules = 0;
	if (!(share->set > 0))
		return share->first;
	double *asked = &path->asked[share->group], none = share->even ? *asked < share->set : exp(-*asked / share->set),
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
static void misses_count(const struct full_path *path, const struct full_request *request, const uint8_t *missing, double *lines,
                         double *sectors)
{
	*lines = *sectors = 0;
	for (unsigned i = 0; i < request->line_count; i++) {
		if (!missing[i])
			continue;
		++*lines;
		*sectors += full_sectors(missing[i]);
		full_seen_prefetch(path->seen, request->line[i]);
	}
}

unsigned full_spread(const struct full_request *request)
{
	return request->sector_count > 8 ? 2 : request->sector_count > 4 ? 1 : 0;
}

static double server_take(double *server, double time, double cycles, double *busy)
{
	*server = full_later(*server, time) + cycles;
	*busy += cycles;
	return *server - cycles;
}

/* Work for DRAM from `time` on, for a store or a load, which has others' lines written, too; returns when it begins. */
static double dram_take(struct full_path *path, double time, double cycles, bool store)
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
	return server_take(&path->dram, time, cycles, &path->counts.dram_busy);
}

double full_path_fetch(struct full_path *path, uint32_t insn, const struct full_request *request, const uint8_t *missing,
                       double time, bool warm)
{
	const struct full_machine *machine = path->machine;
	const struct full_share *share = &path->traffic->shares[warm][insn];
	double lines, sectors, start, there, further = full_further(machine, request->line[0]);
	enum source source = FROM_L2;
	bool random = path->traffic->irregular[insn] && path->traffic->random_cycles > 0;
	misses_count(path, request, missing, &lines, &sectors);
	struct fresh asked = granules_new(path, request, share, missing, random, time);
	unsigned fresh = asked.granules;
	double drawn = random ? full_random_work(path->traffic, sectors, fresh, asked.beside) : 0,
	       plain = full_later(lines * machine->l2_line, sectors * machine->l2_sector);
	start = server_take(&path->port, time, full_later(lines * machine->port_line, sectors * machine->port_sector),
	                    &path->counts.port_busy);
	double first = share_first(path, share, request, missing);
	double filled = fresh * first * (share->half + share->alone) * machine->lone_fill * machine->l2_line;
	start = full_later(start, server_take(&path->l2, time,
	                                      (full_later(plain, path->traffic->random_in_l2 ? drawn : 0) + filled) * path->share,
	                                      &path->counts.l2_busy));
	if (random && !path->traffic->random_in_l2)
		start = full_later(start, server_take(&path->dram, time, drawn * path->share, &path->counts.dram_busy));
	there = full_later(path->port, start) + machine->l2_latency + further;
	path->counts.sectors += sectors;
	path->counts.dram_bytes += fresh * machine->granule * first;
	path->counts.dram_sectors += asked.sectors * first;
	path->counts.random_bytes += share->set > 0 ? fresh * machine->granule * first : 0;
	path->filled += (fresh * first + asked.again * share->first) * machine->granule * path->share * machine->sms;
	if (fresh)
		source = source_choose(path, insn, first, share->wait, fresh);
	if (source == FROM_DRAM) {
		double bytes = fresh * machine->granule, cycles = bytes * path->traffic->read_cycles[full_spread(request)] *
		                                                  full_sparse_factor(machine, share, asked.apart);
		if (random)
			cycles = path->traffic->random_in_l2
			                 ? fresh * (path->traffic->random_far_cycles + path->traffic->random_driven_cycles)
			                 : 0;
		double work = cycles * path->share;
		double delay =
			random ? server_take(&path->dram, time, work, &path->counts.dram_busy)
			       : full_later(dram_take(path, time, work, false), time + full_loaded_cycles(machine, path->load));
		double busy = full_later(1, path->load), stored = machine->write_wait * path->stored / busy,
		       driven = machine->driven_wait * path->driven / busy * full_slower_bounded(asked.slower);
		if (random)
			path->l2 = full_later(path->l2, path->dram - work);
		there = full_later(there, full_later(start, delay) + machine->dram_latency + further + driven + stored +
		                                  (machine->dram_spread + stored) * asked.slower);
		path->counts.last = full_later(path->counts.last, there);
	} else if (source == FROM_OTHERS) {
		there = full_later(there, full_later(start, path->dram) + machine->dram_latency + further);
	}
	return there;
}

void full_path_claim(struct full_path *path, uint32_t insn, const struct full_request *request, const uint8_t *missing, double time,
                     bool warm)
{
	const struct full_machine *machine = path->machine;
	const struct full_share *share = &path->traffic->shares[warm][insn];
	unsigned claimed = 0;
	if (share->set > 0 || !(share->first > 0))
		return;
	for (unsigned i = 0; i < request->line_count; i++) {
		uint8_t held = (uint8_t)(request->sectors[i] & ~missing[i]);
		float *seen = held && *owed_beside(path, request->line[i]) ? full_seen_line(path->seen, request->line[i]) : NULL;
		for (unsigned g = 0; seen && g < path->granules; g++)
			claimed += (held & path->masks[g]) && granule_claim(path, &seen[g], request->line[i]);
	}
	if (!claimed)
		return;
	double bytes = claimed * machine->granule * share->first;
	path->counts.dram_bytes += bytes;
	path->counts.dram_sectors += bytes / SECTOR_BYTES;
	path->filled += bytes * path->share * machine->sms;
	dram_take(path, time, bytes * path->traffic->read_cycles[full_spread(request)] * path->share, false);
}

/* ---- stores ------------------------------------------------------------------------------------ */

static struct written *written_slot(struct full_path *path, uint64_t line)
{
	size_t slot = (size_t)((line * UINT64_C(0x9e3779b97f4a7c15)) >> 40) & (path->written_slots - 1);
	while (path->written[slot].key && path->written[slot].key != line + 1)
		slot = (slot + 1) & (path->written_slots - 1);
	return &path->written[slot];
}

static void written_grow(struct full_path *path)
{
	struct written *old = path->written;
	size_t slots = path->written_slots;
	path->written_slots *= 4;
	path->written = arena_array(path->arena, path->written_slots, sizeof *path->written);
	for (size_t i = 0; i < slots; i++)
		if (old[i].key)
			*written_slot(path, old[i].key - 1) = old[i];
}

static uint32_t sector_of(const struct full_bytes *bytes, unsigned sector)
{
	return (uint32_t)(bytes->half[sector / 2] >> (sector % 2 * SECTOR_BYTES));
}

/* Cycles of DRAM beyond the usual for the only half of a line that is written, `apart` bytes from the next one. */
static double alone_cycles(const struct full_path *path, double apart)
{
	const struct full_machine *machine = path->machine;
	if (!machine->sparse_write || !machine->sparse_read)
		return 0;
	double seconds = machine_table_at(machine->sparse_write, apart) - machine_table_at(machine->sparse_read, apart);
	double near = machine_table_at(machine->sparse_write, machine->granule) -
	              machine_table_at(machine->sparse_read, machine->granule);
	double last = machine->sparse_write->at[machine->sparse_write->count - 1];
	return (seconds * full_sooner(apart, last) - near * machine->granule) / machine->sparse_set * machine->clock_hz *
	       machine->sms;
}

/* Whether some of these sectors are written in part. */
static bool some_partial(const struct written *written, unsigned sectors)
{
	for (unsigned s = 0; s < LINE_BYTES / SECTOR_BYTES; s++)
		if (sectors >> s & 1 && sector_of(&written->bytes, s) != UINT32_MAX)
			return true;
	return false;
}

/*
 * Sectors that no store has come to for long: what lacks of them is read, by granules, and half a line costs more than its bytes. Sectors of a granule that different
 * stores began are given up apart, and read apart.
 */
static void part_close(struct full_path *path, const struct open_part *part)
{
	const struct written *written = written_slot(path, part->line);
	const float *seen = full_seen_find(path->seen, part->line);
	uint64_t gap = part->line > path->closed ? part->line - path->closed : path->closed - part->line;
	unsigned halves = 0, filled = 0;
	bool whole = false;
	for (unsigned g = 0; g < path->granules; g++) {
		unsigned mask = path->masks[g], own = part->sectors & mask;
		for (unsigned s = 0; s < LINE_BYTES / SECTOR_BYTES; s++)
			if (mask >> s & 1 && sector_of(&written->bytes, s)) {
				halves++;
				break;
			}
		whole |= own && !some_partial(written, own);
		filled += own && some_partial(written, own) && !(seen && asked_at(&seen[g]) >= 0);
	}
	path->closed = part->line;
	double cycles =
		filled * path->machine->granule * path->traffic->read_cycles[FULL_WIDTHS - 1] * (1 - path->traffic->driven_share);
	if (halves == 1 && path->granules > 1 && !whole)
		cycles += alone_cycles(path, full_sooner((double)(gap ? gap : 1), FAR_GRANULES) * LINE_BYTES);
	path->counts.filled_bytes += filled * path->machine->granule;
	server_take(&path->dram, 0, cycles * path->share, &path->counts.dram_busy);
}

static void first_close(struct full_path *path)
{
	const struct open_part *first = &path->open[path->open_first];
	part_close(path, first);
	path->open_sectors -= full_sectors(first->sectors);
	path->open_first = (path->open_first + 1) % OPEN_LINES;
	path->open_count--;
}

/* Sectors not written whole wait for the rest of their bytes, incomplete_bytes of them in the whole L2. */
static void part_open(struct full_path *path, uint64_t line, unsigned sectors)
{
	double most = path->machine->incomplete_bytes / path->machine->sms / SECTOR_BYTES;
	while (path->open_count && (path->open_sectors + full_sectors((uint8_t)sectors) > most || path->open_count == OPEN_LINES))
		first_close(path);
	path->open[(path->open_first + path->open_count++) % OPEN_LINES] = (struct open_part){line, (uint8_t)sectors};
	path->open_sectors += full_sectors((uint8_t)sectors);
}

double full_path_write(struct full_path *path, uint64_t line, const struct full_bytes *bytes, unsigned spread, double time,
                       struct full_write *more)
{
	double filled = path->counts.filled_bytes;
	struct written *written = written_slot(path, line);
	bool gone = written->key && path->filled - written->filled > path->machine->l2_reach;
	const float *seen = full_seen_find(path->seen, line);
	unsigned fresh = 0, begun = 0;
	double again = 0;
	*more = (struct full_write){0, 0};
	if (!written->key && 2 * ++path->written_count > path->written_slots) {
		written_grow(path);
		written = written_slot(path, line);
	}
	if (!written->key || gone)
		*written = (struct written){.key = line + 1};
	for (unsigned s = 0; s < LINE_BYTES / SECTOR_BYTES; s++) {
		bool before = sector_of(&written->bytes, s) != 0, now = sector_of(bytes, s) != 0;
		fresh += now && !before;
		begun |= (unsigned)(now && !before) << s;
		if (!now || !before || sector_of(bytes, s) == UINT32_MAX)
			continue;
		bool whole = (sector_of(bytes, s) | sector_of(&written->bytes, s)) == UINT32_MAX;
		whole |= path->granules && seen && asked_at(&seen[s * path->granules / (LINE_BYTES / SECTOR_BYTES)]) >= 0;
		again += whole ? path->machine->again_whole : path->machine->again_incomplete;
		more->again++;
	}
	written->bytes.half[0] |= bytes->half[0];
	written->bytes.half[1] |= bytes->half[1];
	written->filled = path->filled;
	if (begun)
		part_open(path, line, begun);
	path->filled += fresh * SECTOR_BYTES * path->share * path->machine->sms;
	again *= path->machine->clock_hz * path->machine->sms;
	double work = (fresh * SECTOR_BYTES * path->traffic->write_cycles[spread] + again) * path->share;
	dram_take(path, time, work, true);
	more->filled = (path->counts.filled_bytes - filled) / SECTOR_BYTES;
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

double full_path_close(struct full_path *path)
{
	while (path->open_count)
		first_close(path);
	return path->counts.filled_bytes;
}
