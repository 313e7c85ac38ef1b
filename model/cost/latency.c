/*
 * Latency of a memory access of one warp, thesis sections 3.2.2, 3.5.2 and 3.5.3:
 *
 *   L_L2   = l_l2          + delay_l2   * (T - 1)                                    (4)
 *   L_DRAM = l_l2 + l_dram + delay_dram * (T - 1)                                    (5)
 *   L_hit  = L_L2   + delay_l2   - L_L2   of the access just before                  (6) where both overlap
 *   L_miss = L_DRAM + delay_dram - L_DRAM of the access just before                  (7) where both overlap
 *   L      = L_hit * hit + L_miss * (1 - hit)                                        (8)
 *
 * Readings. The printed T = line / bytes per warp (Fig. 3.10) is inverted: eq. 1 and the text under it want bytes per
 * warp / line, clamped to 1..32; enumerating the lines that the lanes touch gives that for every block shape, counted
 * from the lowest address as if it began a line: eq. 1 knows no alignment, nor does CORR's SoA column, where a row read
 * from its j2-th element on costs what one read from its first does. The differences of (6) and (7) are not clipped at
 * zero: SYR2K's column of Table 4.2 comes out only so.
 */
#include "model/cost/parts.h"

static double latency_l2(const struct machine *machine, double transactions)
{
	return machine->l2_hit_latency_cycles.value + machine->l2_transaction_delay_cycles.value * (transactions - 1);
}

static double latency_dram(const struct machine *machine, double transactions)
{
	return machine->l2_hit_latency_cycles.value + machine->dram_latency_added_cycles.value +
	       machine->dram_transaction_delay_cycles.value * (transactions - 1);
}

double cost_access_latency(const struct machine *machine, const struct warp_access *access,
                           const struct warp_access *previous)
{
	double hit = latency_l2(machine, access->transactions), miss = latency_dram(machine, access->transactions);
	if (previous) {
		hit += machine->l2_transaction_delay_cycles.value - latency_l2(machine, previous->transactions);
		miss += machine->dram_transaction_delay_cycles.value - latency_dram(machine, previous->transactions);
	}
	return hit * access->hit_rate + miss * (1 - access->hit_rate);
}

static uint64_t lowest_address(const uint64_t addresses[WARP_LANES], uint32_t mask)
{
	uint64_t lowest = UINT64_MAX;
	for (unsigned lane = 0; lane < WARP_LANES; lane++)
		if ((mask >> lane & 1) && addresses[lane] < lowest)
			lowest = addresses[lane];
	return lowest;
}

double cost_warp_transactions(const struct machine *machine, const uint64_t addresses[WARP_LANES], uint32_t mask,
                              unsigned bytes)
{
	uint64_t line = (uint64_t)machine->l2_line_bytes.value, seen[WARP_LANES * 2],
		 start = lowest_address(addresses, mask);
	unsigned count = 0;
	for (unsigned lane = 0; lane < WARP_LANES; lane++) {
		if (!(mask >> lane & 1))
			continue;
		uint64_t first = addresses[lane] - start;
		for (uint64_t l = first / line; l <= (first + bytes - 1) / line && count < WARP_LANES * 2; l++) {
			unsigned i = 0;
			while (i < count && seen[i] != l)
				i++;
			if (i == count)
				seen[count++] = l;
		}
	}
	return count < 1 ? 1 : count > WARP_LANES ? WARP_LANES : count;
}
