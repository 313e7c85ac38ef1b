/* Parts of an exponential distribution, drawn in an order without pattern, so that no run is luckier than another. */
#include "model/cost/full/slower.h"

#include <math.h>
#include <stdlib.h>

#define PARTS 256
#define LEVELS 3 /* of lines of which DRAM is slow together: always 256 bytes, a kilobyte and four where it has little to do (busy.cu, chains.cu) */
#define ROOM 1024
#define ROOM_SHIFT 54

struct drawn {
	uint64_t group;
	double time, slower;
};

struct full_slower {
	struct drawn drawn[LEVELS][ROOM]; /* of late */
	double apart[LEVELS];             /* how much of a group is due to be drawn by itself */
	unsigned sequence;
	uint64_t seed;
	double cycles, parts[PARTS]; /* of a distribution of mean 1, beyond that */
};

struct full_slower *full_slower_make(struct arena *arena, double cycles, unsigned seed)
{
	struct full_slower *slower = arena_alloc(arena, sizeof *slower);
	double sum = 0;
	slower->cycles = cycles;
	slower->seed = (uint64_t)(getenv("SEED") ? atoi(getenv("SEED")) * 100 : 0) + seed;
	for (unsigned i = 0; i < PARTS; i++)
		sum += slower->parts[i] = -log((i + 0.5) / PARTS);
	for (unsigned i = 0; i < PARTS; i++)
		slower->parts[i] = slower->parts[i] * PARTS / sum - 1;
	return slower;
}

/* The parts in an order without pattern, each once, and again in another one. */
static double part_next(struct full_slower *slower)
{
	unsigned at = slower->sequence++ % PARTS, chosen;
	slower->seed = slower->seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	chosen = at + (unsigned)((slower->seed >> 33) % (PARTS - at));
	double part = slower->parts[chosen];
	slower->parts[chosen] = slower->parts[at];
	slower->parts[at] = part;
	return part;
}

/* Where what was drawn of a group of lines is kept. anew: that holds no longer. */
static struct drawn *drawn_find(struct full_slower *slower, unsigned level, uint64_t group, double time, bool *anew)
{
	struct drawn *drawn = &slower->drawn[level][group * UINT64_C(0x9e3779b97f4a7c15) >> ROOM_SHIFT];
	*anew = drawn->group != group || time > drawn->time + slower->cycles;
	if (*anew) {
		drawn->group = group;
		drawn->time = time;
	}
	return drawn;
}

/* What was drawn of a group of lines, or is now: such a share of groups by themselves, the others with that which they belong to. */
static double drawn_of(struct full_slower *slower, unsigned level, uint64_t line, double time, double apart)
{
	static const unsigned lines[LEVELS] = {2, 8, 32};
	bool anew;
	struct drawn *own = drawn_find(slower, level, line / lines[level] + 1, time, &anew);
	if (!anew)
		return own->slower;
	slower->apart[level] += apart;
	if (level + 1 < LEVELS && slower->apart[level] < 1)
		return own->slower = drawn_of(slower, level + 1, line, time, apart);
	slower->apart[level]--;
	return own->slower = part_next(slower);
}

double full_slower_line(struct full_slower *slower, uint64_t line, double time, double apart)
{
	return drawn_of(slower, 0, line, time, apart);
}

/* Of u, of which slower is -ln(u) - 1: 1 - sqrt(u). */
double full_slower_bounded(double slower)
{
	return 1 - exp(-0.5 * (slower + 1));
}

unsigned full_slower_drawn(const struct full_slower *slower)
{
	return slower->sequence;
}

double full_further(const struct full_machine *machine, uint64_t line)
{
	return machine->l2_further[content_scramble(line) % FULL_PLACES];
}
