/*
 * What one request touches: distinct sectors and lines, passes and conflicts in shared memory.
 */
#include "model/execute/count/count.h"

#include <string.h>

#define SHARED_BANKS 32

/* Lanes of a request that are served together: all, half, a quarter of the warp, by bytes per lane. */
static unsigned lanes_together(unsigned bytes)
{
	return bytes <= 4 ? 32 : bytes <= 8 ? 16 : 8;
}

/* Adds a number to a set that is kept in order; most come in order already. */
static unsigned set_insert(uint64_t *set, unsigned count, uint64_t number)
{
	unsigned place = count;

	while (place && set[place - 1] > number)
		place--;
	if (place && set[place - 1] == number)
		return count;
	memmove(set + place + 1, set + place, (count - place) * sizeof(*set));
	set[place] = number;
	return count + 1;
}

#define PLACES 256 /* of a hash table that holds the pieces of a warp, five a lane at most */

/* Numbers met so far. */
struct met {
	uint64_t number[PLACES], used[PLACES / 64];
	unsigned count;
};

static void met_add(struct met *met, uint64_t number)
{
	unsigned place = (unsigned)((number * UINT64_C(0x9e3779b97f4a7c15)) >> 56);

	for (; met->used[place / 64] >> place % 64 & 1; place = (place + 1) % PLACES)
		if (met->number[place] == number)
			return;
	met->used[place / 64] |= UINT64_C(1) << place % 64;
	met->number[place] = number;
	met->count++;
}

/* Distinct pieces of 2^shift bytes that the lanes of mask touch, whatever their addresses. */
static unsigned scattered_pieces(const uint64_t address[WARP_LANES], uint32_t mask, unsigned bytes, unsigned shift)
{
	struct met met;

	memset(met.used, 0, sizeof(met.used));
	met.count = 0;
	for (; mask; mask &= mask - 1) {
		uint64_t first = address[__builtin_ctz(mask)];
		uint64_t last = (first + bytes - 1) >> shift;

		for (uint64_t number = first >> shift; number <= last && met.count < WARP_LANES * 5; number++)
			met_add(&met, number);
	}
	return met.count;
}

/* The same; addresses that rise with the lane, as most do, need no set. */
static unsigned distinct_pieces(const uint64_t address[WARP_LANES], uint32_t mask, unsigned bytes, unsigned shift)
{
	uint64_t end = 0, before = 0;
	unsigned count = 0;

	if (!bytes)
		bytes = 1;
	for (uint32_t rest = mask; rest; rest &= rest - 1) {
		uint64_t at = address[__builtin_ctz(rest)], first = at >> shift, last = (at + bytes - 1) >> shift;

		if (at < before)
			return scattered_pieces(address, mask, bytes, shift);
		before = at;
		if (first < end)
			first = end;
		count += last >= first ? (unsigned)(last - first + 1) : 0;
		end = last + 1;
	}
	return count;
}

double touch_addresses(const struct warp_value *address, uint32_t mask)
{
	uint64_t lanes[WARP_LANES];

	for (unsigned lane = 0; lane < WARP_LANES; lane++)
		lanes[lane] = value_lane(address, lane);
	return distinct_pieces(lanes, mask, 1, 0);
}

void touch_global(const uint64_t address[WARP_LANES], uint32_t mask, unsigned bytes, double *sectors, double *lines)
{
	unsigned width = bytes > LINE_BYTES ? LINE_BYTES : bytes;

	*sectors = distinct_pieces(address, mask, width, SECTOR_SHIFT);
	*lines = distinct_pieces(address, mask, width, LINE_SHIFT);
}

/* Passes for lanes served together: the most distinct words that one bank holds. */
static unsigned bank_passes(const uint64_t address[WARP_LANES], uint32_t mask, unsigned bytes)
{
	uint64_t words[WARP_LANES * 5];
	unsigned count = 0, most = 0, banks[SHARED_BANKS] = {0};

	for (; mask; mask &= mask - 1) {
		uint64_t first = address[__builtin_ctz(mask)];
		uint64_t last = (first + (bytes ? bytes : 1) - 1) / BANK_BYTES;

		for (uint64_t word = first / BANK_BYTES; word <= last && count < ARRAY_COUNT(words); word++)
			count = set_insert(words, count, word);
	}
	for (unsigned i = 0; i < count; i++) {
		unsigned passes = ++banks[words[i] % SHARED_BANKS];

		most = passes > most ? passes : most;
	}
	return most;
}

/* Passes, and how many parts of the warp were served. */
static unsigned shared_passes(const uint64_t address[WARP_LANES], uint32_t mask, unsigned bytes, unsigned *parts)
{
	unsigned together = lanes_together(bytes), passes = 0;

	*parts = 0;
	for (unsigned first = 0; first < WARP_LANES; first += together) {
		uint32_t part = mask & (uint32_t)(value_mask(together) << first);

		passes += bank_passes(address, part, bytes > 16 ? 16 : bytes);
		*parts += part != 0;
	}
	return passes;
}

unsigned touch_wavefronts(const uint64_t address[WARP_LANES], uint32_t mask, unsigned bytes)
{
	unsigned parts;

	return shared_passes(address, mask, bytes, &parts);
}

/*
 * Chance that of `lanes` words in random banks no bank has more than `most`: the coefficient of x^lanes in
 * (sum over j <= most of x^j / j!)^32, times lanes! / 32^lanes. Adds bank after bank.
 */
static double chance_within(unsigned lanes, unsigned most)
{
	double ways[WARP_LANES + 1] = {1}, chance;

	for (unsigned bank = 0; bank < SHARED_BANKS; bank++)
		for (unsigned n = lanes; n > 0; n--) {
			double term = 1, sum = ways[n];

			for (unsigned j = 1; j <= most && j <= n; j++) {
				term /= j;
				sum += ways[n - j] * term;
			}
			ways[n] = sum;
		}
	chance = ways[lanes];
	for (unsigned n = 1; n <= lanes; n++)
		chance *= (double)n / SHARED_BANKS;
	return chance;
}

double touch_random_passes(unsigned lanes, unsigned bytes)
{
	unsigned parts = WARP_LANES / lanes_together(bytes), words = bytes <= 4 ? 1 : lanes_together(bytes) == 16 ? 2 : 4;
	unsigned each = lanes * words / parts < WARP_LANES ? lanes * words / parts : WARP_LANES;
	double passes = 0;

	for (unsigned most = 0; most < each; most++)
		passes += 1 - chance_within(each, most);
	return passes * parts;
}

/* Sectors and lines of an access to local memory, whose words are interleaved by lane. */
static void local_count(const uint64_t address[WARP_LANES], uint32_t mask, unsigned bytes, double *sectors, double *lines)
{
	uint64_t sector_set[WARP_LANES * 5], line_set[WARP_LANES * 5];
	unsigned sector_count = 0, line_count = 0;

	for (; mask; mask &= mask - 1) {
		unsigned lane = (unsigned)__builtin_ctz(mask);
		uint64_t last = (address[lane] + (bytes ? bytes : 1) - 1) / 4;

		for (uint64_t word = address[lane] / 4; word <= last && sector_count < ARRAY_COUNT(sector_set); word++) {
			sector_count =
				set_insert(sector_set, sector_count, (word * LINE_BYTES + (uint64_t)lane * 4) / SECTOR_BYTES);
			line_count = set_insert(line_set, line_count, word);
		}
	}
	*sectors = sector_count;
	*lines = line_count;
}

struct touched touch_request(const uint64_t address[WARP_LANES], uint32_t mask, unsigned bytes, enum ptx_space space)
{
	struct touched touched = {0, 0};
	unsigned parts = 0;

	if (space == SPACE_SHARED) {
		touched.first = shared_passes(address, mask, bytes, &parts);
		touched.second = touched.first - parts;
	} else if (space == SPACE_LOCAL) {
		local_count(address, mask, bytes, &touched.first, &touched.second);
	} else {
		touch_global(address, mask, bytes, &touched.first, &touched.second);
	}
	return touched;
}

/*
 * A line of lanes without gaps, or in steps that keep lanes apart, is counted in closed form: pieces from the first byte to
 * the last, or one for each lane. Returns false for others, and for one that runs over the end of the address space.
 */
bool touch_line(uint64_t base, int64_t step, uint32_t mask, unsigned bytes, unsigned shift, double *count)
{
	unsigned first = (unsigned)__builtin_ctz(mask), last = 31u - (unsigned)__builtin_clz(mask);
	uint64_t low = base + (uint64_t)step * (step < 0 ? last : first), high = base + (uint64_t)step * (step < 0 ? first : last);
	uint64_t distance = step < 0 ? -(uint64_t)step : (uint64_t)step, piece = UINT64_C(1) << shift;

	if (!bytes)
		bytes = 1;
	if (high + bytes - 1 < low)
		return false;
	if (distance <= piece && mask >> first == value_mask(last - first + 1)) {
		*count = (double)(((high + bytes - 1) >> shift) - (low >> shift) + 1);
		return true;
	}
	if (distance >= piece && bytes <= piece && !(bytes & (bytes - 1)) && !((low | distance) & (bytes - 1))) {
		*count = __builtin_popcount(mask);
		return true;
	}
	return false;
}
