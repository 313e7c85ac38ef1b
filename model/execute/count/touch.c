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

/* Distinct numbers in the order in which they came, found by a table that is never more than two thirds full. */
#define PIECES_MOST (WARP_LANES * 5) /* 128 bytes that begin inside of a sector touch five */
#define SET_BITS 8
struct number_set {
	uint8_t place[1u << SET_BITS]; /* one more than the number's; 0: none */
	uint64_t numbers[PIECES_MOST];
	unsigned count;
};

static void set_clear(struct number_set *set)
{
	memset(set->place, 0, sizeof(set->place));
	set->count = 0;
}

/* Returns whether the number is new. Neighbours, which most are, fall into different slots: 2^64 over the golden ratio
 * scatters them. */
static bool set_add(struct number_set *set, uint64_t number)
{
	uint8_t slot = (uint8_t)(number * UINT64_C(0x9e3779b97f4a7c15) >> (64 - SET_BITS));

	for (; set->place[slot]; slot++)
		if (set->numbers[set->place[slot] - 1] == number)
			return false;
	if (set->count == PIECES_MOST)
		return false;
	set->numbers[set->count++] = number;
	set->place[slot] = (uint8_t)set->count;
	return true;
}

/* Pieces of 2^shift bytes that the lanes of mask touch, whatever their addresses. */
static void pieces_add(struct number_set *set, const uint64_t address[WARP_LANES], uint32_t mask, unsigned bytes,
                       unsigned shift)
{
	for (; mask; mask &= mask - 1) {
		uint64_t first = address[__builtin_ctz(mask)], last = (first + bytes - 1) >> shift;

		for (uint64_t number = first >> shift; number <= last && set->count < PIECES_MOST; number++)
			set_add(set, number);
	}
}

/* The addresses of the lanes of mask, one after the other, in `packed` where they are not all. */
static const uint64_t *lanes_pack(const uint64_t address[WARP_LANES], uint32_t mask, uint64_t packed[WARP_LANES],
                                  unsigned *count)
{
	*count = 0;
	if (mask == ALL_LANES) {
		*count = WARP_LANES;
		return address;
	}
	for (; mask; mask &= mask - 1)
		packed[(*count)++] = address[__builtin_ctz(mask)];
	return packed;
}

/* Sectors and lines of addresses that rise, as most do: that needs no set. Returns false for others. */
static bool rising_sectors(const uint64_t *address, unsigned count, unsigned bytes, double *sectors, double *lines)
{
	uint64_t end[2] = {0, 0}, pieces[2] = {0, 0}, before = 0;
	const unsigned shift[2] = {SECTOR_SHIFT, LINE_SHIFT};

	for (unsigned i = 0; i < count; i++) {
		if (address[i] < before)
			return false;
		before = address[i];
		for (unsigned kind = 0; kind < 2; kind++) {
			uint64_t first = address[i] >> shift[kind],
				 next = ((address[i] + bytes - 1) >> shift[kind]) + 1;

			first = first < end[kind] ? end[kind] : first;
			pieces[kind] += next > first ? next - first : 0;
			end[kind] = next;
		}
	}
	*sectors = (double)pieces[0];
	*lines = (double)pieces[1];
	return true;
}

/* The same of how many numbers there are. */
static bool rising_numbers(const uint64_t *number, unsigned count, double *different)
{
	unsigned found = count != 0;

	for (unsigned i = 1; i < count; i++) {
		if (number[i] < number[i - 1])
			return false;
		found += number[i] != number[i - 1];
	}
	*different = found;
	return true;
}

/* Pieces from the first to the last that are touched; 0 where the address space ends between. */
static uint64_t pieces_span(const uint64_t *address, unsigned count, unsigned bytes, unsigned shift, uint64_t *first)
{
	uint64_t low = UINT64_MAX, high = 0;

	for (unsigned i = 0; i < count; i++) {
		low = address[i] < low ? address[i] : low;
		high = address[i] > high ? address[i] : high;
	}
	*first = low >> shift;
	return low > high || high + bytes - 1 < high ? 0 : ((high + bytes - 1) >> shift) - *first + 1;
}

/* How many numbers there are, of such that lie near each other, by a map of what is between. Returns false for others.
 */
static bool near_numbers(const uint64_t *number, unsigned count, double *different)
{
	uint8_t map[TOUCH_MAP];
	uint64_t first, span, apart = 0;
	unsigned found = 0, shift;

	for (unsigned i = 1; i < count; i++)
		apart |= number[i] ^ number[0];
	shift = apart ? (unsigned)__builtin_ctzll(apart) : 0;
	span = pieces_span(number, count, 1, shift, &first);
	if (span == 0 || span > TOUCH_MAP)
		return false;
	memset(map, 0, span);
	for (unsigned i = 0; i < count; i++) {
		uint8_t *place = &map[(number[i] >> shift) - first];

		found += !*place;
		*place = 1;
	}
	*different = found;
	return true;
}

/* Sectors and lines of lanes that lie near each other, by maps of what is between. Returns false for others. */
static bool near_sectors(const uint64_t *address, unsigned count, unsigned bytes, double *sectors, double *lines)
{
	const unsigned per_line = LINE_BYTES / SECTOR_BYTES;
	uint8_t sector_map[TOUCH_MAP], line_map[TOUCH_MAP / (LINE_BYTES / SECTOR_BYTES)];
	uint64_t first, span = pieces_span(address, count, bytes, LINE_SHIFT, &first);
	unsigned sector_count = 0, line_count = 0;

	if (span == 0 || span > sizeof(line_map))
		return false;
	memset(sector_map, 0, span * per_line);
	memset(line_map, 0, span);
	for (unsigned i = 0; i < count; i++) {
		uint64_t sector = (address[i] >> SECTOR_SHIFT) - first * per_line;
		uint64_t last = ((address[i] + bytes - 1) >> SECTOR_SHIFT) - first * per_line;

		for (; sector <= last; sector++) {
			sector_count += !sector_map[sector];
			line_count += !line_map[sector / per_line];
			sector_map[sector] = line_map[sector / per_line] = 1;
		}
	}
	*sectors = sector_count;
	*lines = line_count;
	return true;
}

double touch_addresses(const struct warp_value *address, uint32_t mask)
{
	struct number_set set;
	uint64_t lanes[WARP_LANES], packed[WARP_LANES];
	const uint64_t *active;
	unsigned count;
	double different;

	value_lanes(address, lanes);
	active = lanes_pack(lanes, mask, packed, &count);
	if (rising_numbers(active, count, &different) || near_numbers(active, count, &different))
		return different;
	set_clear(&set);
	pieces_add(&set, lanes, mask, 1, 0);
	return set.count;
}

void touch_global(const uint64_t address[WARP_LANES], uint32_t mask, unsigned bytes, double *sectors, double *lines)
{
	unsigned width = bytes > LINE_BYTES ? LINE_BYTES : bytes ? bytes : 1, count;
	struct number_set sector_set, line_set;
	uint64_t packed[WARP_LANES];
	const uint64_t *active = lanes_pack(address, mask, packed, &count);

	if (rising_sectors(active, count, width, sectors, lines) || near_sectors(active, count, width, sectors, lines))
		return;
	set_clear(&sector_set);
	set_clear(&line_set);
	pieces_add(&sector_set, address, mask, width, SECTOR_SHIFT);
	for (unsigned i = 0; i < sector_set.count; i++)
		set_add(&line_set, sector_set.numbers[i] >> (LINE_SHIFT - SECTOR_SHIFT));
	*sectors = sector_set.count;
	*lines = line_set.count;
}

/* Passes for lanes served together: the most distinct words that one bank holds. */
static unsigned bank_passes(const uint64_t address[WARP_LANES], uint32_t mask, unsigned bytes)
{
	struct number_set words;
	unsigned most = 0, banks[SHARED_BANKS] = {0};

	set_clear(&words);
	for (; mask; mask &= mask - 1) {
		uint64_t first = address[__builtin_ctz(mask)];
		uint64_t last = (first + (bytes ? bytes : 1) - 1) / BANK_BYTES;

		for (uint64_t word = first / BANK_BYTES; word <= last && words.count < PIECES_MOST; word++)
			if (set_add(&words, word) && ++banks[word % SHARED_BANKS] > most)
				most = banks[word % SHARED_BANKS];
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

/* Passes expected of so many words in random banks. Found once in each thread: it takes as long as thousands of steps.
 */
static double random_passes(unsigned words)
{
	static _Thread_local double found[WARP_LANES + 1];

	if (found[words] > 0)
		return found[words];
	for (unsigned most = 0; most < words; most++)
		found[words] += 1 - chance_within(words, most);
	return found[words];
}

double touch_random_passes(unsigned lanes, unsigned bytes)
{
	unsigned parts = WARP_LANES / lanes_together(bytes), words = bytes <= 4                    ? 1
	                                                             : lanes_together(bytes) == 16 ? 2
	                                                                                           : 4;
	unsigned each = lanes * words / parts < WARP_LANES ? lanes * words / parts : WARP_LANES;

	return random_passes(each) * parts;
}

/* Sectors and lines of an access to local memory, whose words are interleaved by lane. */
static void local_count(const uint64_t address[WARP_LANES], uint32_t mask, unsigned bytes, double *sectors,
                        double *lines)
{
	struct number_set sector_set, line_set;

	set_clear(&sector_set);
	set_clear(&line_set);
	for (; mask; mask &= mask - 1) {
		unsigned lane = (unsigned)__builtin_ctz(mask);
		uint64_t last = (address[lane] + (bytes ? bytes : 1) - 1) / 4;

		for (uint64_t word = address[lane] / 4; word <= last && sector_set.count < PIECES_MOST; word++) {
			set_add(&sector_set, (word * LINE_BYTES + (uint64_t)lane * 4) / SECTOR_BYTES);
			set_add(&line_set, word);
		}
	}
	*sectors = sector_set.count;
	*lines = line_set.count;
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
 * A line of lanes without gaps, or in steps that keep lanes apart, is counted in closed form: pieces from the first
 * byte to the last, or one for each lane. Returns false for others, and for one that runs over the end of the address
 * space.
 */
bool touch_line(uint64_t base, int64_t step, uint32_t mask, unsigned bytes, unsigned shift, double *count)
{
	unsigned first = (unsigned)__builtin_ctz(mask), last = 31u - (unsigned)__builtin_clz(mask);
	uint64_t low = base + (uint64_t)step * (step < 0 ? last : first),
		 high = base + (uint64_t)step * (step < 0 ? first : last);
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
		*count = value_count(mask);
		return true;
	}
	return false;
}
