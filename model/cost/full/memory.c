/*
 * What lies behind the L1 of one SM, while all others do the same.
 *
 *   port  += max(lines * port_line, sectors * port_sector)            one SM's way to the L2 (stride_cycles.l2_load_one_sm_*)
 *   l2    += max(lines * l2_line, sectors * l2_sector) * share        its part of the whole L2 (stride_cycles.l2_load_*)
 *   dram  += bytes fetched * SMs at work / rate                       its part of DRAM (bandwidth.dram_*)
 *   there  = max(port, l2, dram) + latency of where the data are
 *
 * share: active SMs over all. A granule (dram.access_granularity_bytes) that this SM has fetched before is in the L2 as long as no more than l2_reach has come in since. For another, window.c says with which
 * probability it comes from DRAM, is on its way for another SM (DRAM's latency, no bandwidth), or is in the L2 on account of others; the choice is made
 * by carrying the remainders along, not by chance. The first access to a page by an SM takes page_latency longer. Requests to addresses
 * that are drawn at random are served at curve.random_sectors_per_second.
 */
#include "model/cost/full/full.h"

#include <math.h>
#include <string.h>

#define FIRST_SLOTS 4096
#define PAGES 256

/* A granule that this SM has asked for, and how much had come into the L2 by then. */
struct seen {
	uint64_t key; /* granule + 1; 0: empty */
	double filled;
};

struct full_path {
	struct arena *arena;
	const struct full_machine *machine;
	const struct full_traffic *traffic;
	double share, port, l2, dram, random;
	struct seen *seen; /* open addressing */
	size_t seen_slots, seen_count;
	double filled; /* bytes that all SMs together have brought into the L2 */
	uint64_t pages[PAGES];
	double (*credit)[3]; /* by instruction */
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
	path->seen_slots = FIRST_SLOTS;
	path->seen = arena_array(arena, path->seen_slots, sizeof *path->seen);
	path->credit = arena_array(arena, insns + 1, sizeof *path->credit);
	return path;
}

static size_t slot_of(const struct seen *seen, size_t slots, uint64_t key)
{
	size_t slot = (size_t)((key * UINT64_C(0x9e3779b97f4a7c15)) >> 20) & (slots - 1);
	while (seen[slot].key && seen[slot].key != key)
		slot = (slot + 1) & (slots - 1);
	return slot;
}

static void seen_grow(struct full_path *path)
{
	size_t slots = 4 * path->seen_slots;
	struct seen *grown = arena_array(path->arena, slots, sizeof *grown);
	for (size_t i = 0; i < path->seen_slots; i++)
		if (path->seen[i].key)
			grown[slot_of(grown, slots, path->seen[i].key)] = path->seen[i];
	path->seen = grown;
	path->seen_slots = slots;
}

/* Whether the granule is not in the L2 on account of this SM: it never asked for it, or so long ago that other data has taken its place. */
static bool granule_is_new(struct full_path *path, uint64_t granule)
{
	size_t slot = slot_of(path->seen, path->seen_slots, granule + 1);
	struct seen *seen = &path->seen[slot];
	bool fresh = !seen->key || path->filled - seen->filled > path->machine->l2_reach;
	if (!seen->key)
		path->seen_count++;
	*seen = (struct seen){granule + 1, path->filled};
	if (2 * path->seen_count > path->seen_slots)
		seen_grow(path);
	return fresh;
}

static bool page_is_new(struct full_path *path, uint64_t line)
{
	uint64_t page = (uint64_t)((double)line * LINE_BYTES / path->machine->page_bytes) + 1;
	uint64_t *slot = &path->pages[(page * UINT64_C(0x9e3779b97f4a7c15)) >> 56];
	bool fresh = *slot != page;
	*slot = page;
	return fresh;
}

/* Granules of the request's missing sectors that this SM fetches first. */
static unsigned granules_new(struct full_path *path, const struct full_request *request, const uint8_t *missing, bool *page)
{
	uint64_t per_line = (uint64_t)(LINE_BYTES / path->machine->granule);
	unsigned fresh = 0;
	for (unsigned i = 0; i < request->line_count; i++)
		for (uint64_t g = 0; g < per_line; g++) {
			unsigned sectors = (unsigned)(LINE_BYTES / SECTOR_BYTES / per_line);
			unsigned mask = ((1u << sectors) - 1) << (g * sectors);
			if (!(missing[i] & mask) || !granule_is_new(path, request->line[i] * per_line + g))
				continue;
			fresh++;
			*page = page_is_new(path, request->line[i]) || *page;
		}
	return fresh;
}

enum source { FROM_DRAM, FROM_OTHERS, FROM_L2 };

static enum source source_choose(struct full_path *path, uint32_t insn, const struct full_share *share, double granules)
{
	double *credit = path->credit[insn], parts[3] = {share->first, share->wait, 1 - share->first - share->wait};
	enum source chosen = FROM_DRAM;
	for (unsigned i = 0; i < 3; i++) {
		credit[i] += parts[i] * granules;
		if (credit[i] > credit[chosen])
			chosen = (enum source)i;
	}
	credit[chosen] -= granules;
	return chosen;
}

static void misses_count(const struct full_request *request, const uint8_t *missing, double *lines, double *sectors)
{
	*lines = *sectors = 0;
	for (unsigned i = 0; i < request->line_count; i++) {
		*lines += missing[i] != 0;
		*sectors += __builtin_popcount(missing[i]);
	}
}

/* DRAM's rates are those of warps that ask for 128, 256, 512 bytes side by side. */
static unsigned spread_of(const struct full_request *request)
{
	return request->sector_count > 8 ? 2 : request->sector_count > 4 ? 1 : 0;
}

static double server_take(double *server, double time, double cycles, double *busy)
{
	*server = full_later(*server, time) + cycles;
	*busy += cycles;
	return *server - cycles;
}

double full_path_fetch(struct full_path *path, uint32_t insn, const struct full_request *request, const uint8_t *missing,
                       double time, bool warm)
{
	const struct full_machine *machine = path->machine;
	double lines, sectors, start, there;
	bool page = false;
	enum source source = FROM_L2;
	misses_count(request, missing, &lines, &sectors);
	bool random = path->traffic->irregular[insn] && path->traffic->random_cycles > 0;
	double drawn = random ? sectors * path->traffic->random_cycles : 0,
	       plain = full_later(lines * machine->l2_line, sectors * machine->l2_sector);
	start = server_take(&path->port, time, full_later(lines * machine->port_line, sectors * machine->port_sector),
	                    &path->counts.port_busy);
	start = full_later(start,
	                   server_take(&path->l2, time, full_later(plain, path->traffic->random_in_l2 ? drawn : 0) * path->share,
	                               &path->counts.l2_busy));
	if (random && !path->traffic->random_in_l2)
		start = full_later(start, server_take(&path->dram, time, drawn * path->share, &path->counts.dram_busy));
	there = full_later(path->port, start) + machine->l2_latency;
	path->counts.sectors += sectors;
	unsigned fresh = granules_new(path, request, missing, &page);
	path->counts.dram_bytes += fresh * machine->granule * path->traffic->shares[warm][insn].first;
	path->filled += fresh * machine->granule * path->traffic->shares[warm][insn].first * path->share * machine->sms;
	if (fresh)
		source = source_choose(path, insn, &path->traffic->shares[warm][insn], fresh);
	if (source == FROM_DRAM) {
		double bytes = fresh * machine->granule, cycles = bytes * path->traffic->read_cycles[spread_of(request)];
		if (random)
			cycles = path->traffic->random_in_l2 ? fresh * path->traffic->random_far_cycles : 0;
		double delay = server_take(&path->dram, time, cycles * path->share, &path->counts.dram_busy);
		there = full_later(there, full_later(start, delay) + machine->dram_latency);
	} else if (source == FROM_OTHERS) {
		there = full_later(there, full_later(start, path->dram) + machine->dram_latency);
	}
	if (source != FROM_L2 && page)
		there += machine->page_latency;
	return there;
}

void full_path_store(struct full_path *path, const struct full_request *request, double sectors, double partial, double time)
{
	double bytes = sectors * SECTOR_BYTES * path->traffic->written_share + partial * SECTOR_BYTES * path->traffic->filled_share;
	server_take(&path->dram, time, bytes * path->traffic->write_cycles[spread_of(request)] * path->share,
	            &path->counts.dram_busy);
}

const struct full_path_counts *full_path_counted(const struct full_path *path)
{
	return &path->counts;
}
