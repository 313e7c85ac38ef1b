/* Parts of an exponential distribution, drawn in an order without pattern, so that no run is luckier than another. */
#include "model/cost/full/slower.h"

#include <math.h>

#define PARTS 256
#define TOGETHER 8 /* lines of which DRAM is slow together: chains.cu */
#define ROOM 256
#define FIRST 99 /* from there on the largest of the first n is about what is expected of n, for each n */

struct full_slower {
	struct {
		uint64_t group;
		double time, slower;
	} drawn[ROOM]; /* of late */
	unsigned sequence;
	double cycles, parts[PARTS]; /* of a distribution of mean 1, beyond that */
};

struct full_slower *full_slower_make(struct arena *arena, double cycles)
{
	struct full_slower *slower = arena_alloc(arena, sizeof *slower);
	double sum = 0;
	slower->cycles = cycles;
	slower->sequence = FIRST;
	for (unsigned i = 0; i < PARTS; i++)
		sum += slower->parts[i] = -log((i + 0.5) / PARTS);
	for (unsigned i = 0; i < PARTS; i++)
		slower->parts[i] = slower->parts[i] * PARTS / sum - 1;
	return slower;
}

/* The numbers below PARTS in an order without pattern, again and again in other ones. */
static unsigned next_drawn(struct full_slower *slower)
{
	unsigned number = slower->sequence++, drawn = (number * 157 + number / PARTS * 91) % PARTS;
	drawn = (drawn ^ drawn >> 3) * 101 % PARTS;
	return (drawn ^ drawn >> 4) * 173 % PARTS;
}

double full_slower_line(struct full_slower *slower, uint64_t line, double time)
{
	uint64_t group = line / TOGETHER + 1;
	unsigned slot = (unsigned)((group * UINT64_C(0x9e3779b97f4a7c15)) >> 56);
	if (slower->drawn[slot].group != group || time > slower->drawn[slot].time + slower->cycles) {
		slower->drawn[slot].group = group;
		slower->drawn[slot].time = time;
		slower->drawn[slot].slower = slower->parts[next_drawn(slower)];
	}
	return slower->drawn[slot].slower;
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
