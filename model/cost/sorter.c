/*
 * Sorting by numbers: the last digit first, digits that all have alike left out. What has equal keys stays in its
 * order.
 */
#include "model/cost/parts.h"

#include <string.h>

#define DIGIT_BITS 11
#define DIGITS (1u << DIGIT_BITS)

struct cost_sorter *cost_sorter_make(struct arena *arena, size_t most, size_t size)
{
	struct cost_sorter *sorter = arena_alloc(arena, sizeof *sorter);
	sorter->size = size;
	for (unsigned k = 0; k < ARRAY_COUNT(sorter->keys); k++)
		sorter->keys[k] = arena_array(arena, most + 1, sizeof *sorter->keys[k]);
	for (unsigned i = 0; i < ARRAY_COUNT(sorter->order); i++)
		sorter->order[i] = arena_array(arena, most + 1, sizeof *sorter->order[i]);
	sorter->items = arena_array(arena, most + 1, size);
	return sorter;
}

/* By the digits of the keys at a shift. */
static void digit_sort(struct cost_sorter *sorter, const uint64_t *keys, unsigned shift, size_t count)
{
	uint32_t *from = sorter->order[0], *to = sorter->order[1], first[DIGITS] = {0}, sum = 0;
	for (size_t i = 0; i < count; i++)
		first[keys[i] >> shift & (DIGITS - 1)]++;
	for (unsigned digit = 0; digit < DIGITS; digit++) {
		uint32_t own = first[digit];
		first[digit] = sum;
		sum += own;
	}
	for (size_t i = 0; i < count; i++)
		to[first[keys[from[i]] >> shift & (DIGITS - 1)]++] = from[i];
	sorter->order[0] = to;
	sorter->order[1] = from;
}

static void key_sort(struct cost_sorter *sorter, const uint64_t *keys, size_t count)
{
	uint64_t differ = 0;
	for (size_t i = 1; i < count; i++)
		differ |= keys[i] ^ keys[0];
	while (differ) {
		unsigned shift = (unsigned)__builtin_ctzll(differ);
		digit_sort(sorter, keys, shift, count);
		differ &= ~((uint64_t)(DIGITS - 1) << shift);
	}
}

void cost_sort(struct cost_sorter *sorter, void *items, size_t count, unsigned keys)
{
	for (size_t i = 0; i < count; i++)
		sorter->order[0][i] = (uint32_t)i;
	while (keys-- > 0)
		key_sort(sorter, sorter->keys[keys], count);
	for (size_t i = 0; i < count; i++)
		memcpy(sorter->items + i * sorter->size, (const char *)items + sorter->order[0][i] * sorter->size,
		       sorter->size);
	memcpy(items, sorter->items, count * sorter->size);
}
