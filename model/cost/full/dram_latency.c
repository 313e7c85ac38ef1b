/*
 * Draws of an exponential distribution, each of 256 parts once before any comes again.
 *
 * The order has no pattern, so that no run is luckier than another. Lines of 256 bytes share a draw
 * always; lines of one and of four kilobytes share it as often as DRAM has little to do
 * (loaded.*_apart_share).
 */
#include "model/cost/full/dram_latency.h"

#include <math.h>

#define PARTS 256
/* of lines of which DRAM is slow together: always 256 bytes, a kilobyte and four where it has little to do (busy.cu,
 * chains.cu) */
#define LEVELS 3
#define ROOM 1024
#define ROOM_SHIFT 54
#define SHARES 4096 /* of groups */

struct slower_draw {
	uint64_t group;
	double time, slower;
};

struct full_dram_latency {
	struct slower_draw drawn[LEVELS][ROOM]; /* of late */
	unsigned sequence;
	uint64_t seed;
	double cycles, parts[PARTS]; /* of a distribution of mean 1, beyond that */
};

struct full_dram_latency *full_dram_latency_make(struct arena *arena, double cycles)
{
	struct full_dram_latency *slower = arena_alloc(arena, sizeof *slower);
	double sum = 0;
	slower->cycles = cycles;
	for (unsigned i = 0; i < PARTS; i++)
		sum += slower->parts[i] = -log((i + 0.5) / PARTS);
	for (unsigned i = 0; i < PARTS; i++)
		slower->parts[i] = slower->parts[i] * PARTS / sum - 1;
	return slower;
}

static uint64_t random_next(struct full_dram_latency *slower)
{
	slower->seed = slower->seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return slower->seed >> 33;
}

/* The parts in an order without pattern, each once, and again in another one. */
static double part_next(struct full_dram_latency *slower)
{
	unsigned at = slower->sequence++ % PARTS, chosen = at + (unsigned)(random_next(slower) % (PARTS - at));
	double part = slower->parts[chosen];
	slower->parts[chosen] = slower->parts[at];
	slower->parts[at] = part;
	return part;
}

/* Where what was drawn of a group of lines is kept. anew: that holds no longer. */
static struct slower_draw *drawn_find(struct full_dram_latency *slower, unsigned level, uint64_t group, double time,
                                      bool *anew)
{
	struct slower_draw *drawn = &slower->drawn[level][group * UINT64_C(0x9e3779b97f4a7c15) >> ROOM_SHIFT];
	*anew = drawn->group != group || time > drawn->time + slower->cycles;
	if (*anew) {
		drawn->group = group;
		drawn->time = time;
	}
	return drawn;
}

/* What was drawn of a group of lines, or is now: such a share of groups by themselves, the others with that which they
 * belong to. */
static double drawn_of(struct full_dram_latency *slower, unsigned level, uint64_t line, double time, double apart)
{
	static const unsigned lines[LEVELS] = {2, 8, 32};
	bool anew;
	struct slower_draw *own = drawn_find(slower, level, line / lines[level] + 1, time, &anew);
	if (!anew)
		return own->slower;
	if (level + 1 < LEVELS && (double)(random_next(slower) % SHARES) >= apart * SHARES)
		return own->slower = drawn_of(slower, level + 1, line, time, apart);
	return own->slower = part_next(slower);
}

double full_dram_latency_line(struct full_dram_latency *slower, uint64_t line, double time, double apart)
{
	return drawn_of(slower, 0, line, time, apart);
}

/* Of u, of which slower is -ln(u) - 1: 1 - sqrt(u). */
double full_dram_latency_bounded(double slower)
{
	return 1 - exp(-0.5 * (slower + 1));
}

unsigned full_dram_latency_drawn(const struct full_dram_latency *slower)
{
	return slower->sequence;
}

double full_further(const struct full_machine *machine, uint64_t line)
{
	return machine->l2_further[content_scramble(line) % FULL_PLACES];
}
