/*
 * What DRAM adds to atomics on sectors at random addresses.
 *
 *   cycles = N (1 / rate(set) - 1 / rate(0)) + cold / read rate
 *            + max(0, cold - dirty) * (1 / rate far away - 1 / read rate)
 *   cold   = U (1 - exp(-N / U)) * min(1, L2 / set)       N additions to U granules
 *
 * Numbers: curve.random_adds_per_second, curve.random_sectors_per_second, l2.dirty_bytes.
 */
#include "model/cost/full/traffic/traffic.h"

#include <math.h>

/* The sectors of one array, first .. last - 1 of the sample. */
struct scattered_region {
	size_t first, last;
	double bytes; /* that can be come to */
};

static size_t regions_find(const uint64_t *sectors, size_t count, uint64_t apart, struct scattered_region *regions)
{
	size_t used = 0;
	for (size_t i = 0; i < count; i++) {
		if (i == 0 || sectors[i] / apart != sectors[i - 1] / apart)
			regions[used++].first = i;
		regions[used - 1].last = i + 1;
	}
	return used;
}

static double region_bytes(struct arena *arena, double granule, const uint64_t *sectors,
                           const struct scattered_region *region)
{
	size_t count = region->last - region->first;
	uint64_t *granules = arena_array(arena, count, sizeof *granules), per = (uint64_t)(granule / SECTOR_BYTES);
	for (size_t i = 0; i < count; i++)
		granules[i] = sectors[region->first + i] / per;
	return (double)(granules[count - 1] - granules[0] + 1) * granule * full_share_drawn(granules, count, NULL);
}

double full_scattered_cycles(struct arena *arena, const struct full_machine *machine, const uint64_t *sectors,
                             size_t count, uint64_t apart, double additions)
{
	struct scattered_region *regions = arena_array(arena, count + 1, sizeof *regions);
	double all = 0, cold = 0;
	if (!machine->random || !machine->random_adds)
		return 0;
	size_t used = regions_find(sectors, count, apart, regions);
	for (size_t r = 0; r < used; r++)
		all += regions[r].bytes = region_bytes(arena, machine->granule, sectors, &regions[r]);
	for (size_t r = 0; r < used; r++) {
		double own = additions * (double)(regions[r].last - regions[r].first) / (double)count;
		double granules = regions[r].bytes / machine->granule;
		cold += granules * -expm1(-own / granules) * fmin(1, machine->l2_bytes / all);
	}
	double read = machine->clock_hz / machine_table_at(machine->random, INFINITY),
	       both = machine->clock_hz / machine_table_at(machine->random_adds, INFINITY),
	       here = machine->clock_hz / machine_table_at(machine->random_adds, all),
	       near = machine->clock_hz / machine_table_at(machine->random_adds, 0);
	return additions * fmax(0, here - near) + cold * read +
	       fmax(0, cold - machine->dirty_bytes / machine->granule) * fmax(0, both - read);
}
