/*
 * A hash table with chains. Entries lie in one array; each slot's chain goes through it in the order of adding.
 */
#include "base/lookup/lookup.h"

#define SLOTS_FIRST 64

uint64_t lookup_mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 29;
}

uint64_t lookup_mix_text(uint64_t hash, const char *text)
{
	while (*text)
		hash = (hash ^ (unsigned char)*text++) * UINT64_C(0x100000001b3);
	return lookup_mix(hash, 0);
}

static void entry_link(struct lookup *lookup, uint32_t index)
{
	uint32_t slot = (uint32_t)(lookup->entries[index].hash & (lookup->slot_count - 1));

	lookup->entries[index].next = LOOKUP_NONE;
	if (lookup->first[slot] == LOOKUP_NONE)
		lookup->first[slot] = index;
	else
		lookup->entries[lookup->last[slot]].next = index;
	lookup->last[slot] = index;
}

static void slots_double(struct arena *arena, struct lookup *lookup)
{
	lookup->slot_count = lookup->slot_count ? 2 * lookup->slot_count : SLOTS_FIRST;
	lookup->first = arena_array(arena, lookup->slot_count, sizeof *lookup->first);
	lookup->last = arena_array(arena, lookup->slot_count, sizeof *lookup->last);
	for (uint32_t s = 0; s < lookup->slot_count; s++)
		lookup->first[s] = LOOKUP_NONE;
	for (uint32_t e = 0; e < lookup->entry_count; e++)
		entry_link(lookup, e);
}

void lookup_add(struct arena *arena, struct lookup *lookup, uint64_t hash, uint32_t position)
{
	if (lookup->entry_count + 1 >= lookup->slot_count)
		slots_double(arena, lookup);
	ARENA_PUSH(arena, lookup->entries, lookup->entry_count, ((struct lookup_entry){hash, position, LOOKUP_NONE}));
	entry_link(lookup, lookup->entry_count - 1);
}

/* The first entry from the index on, along its chain, that has the hash. */
static const struct lookup_entry *entry_from(const struct lookup *lookup, uint32_t index, uint64_t hash)
{
	while (index != LOOKUP_NONE && lookup->entries[index].hash != hash)
		index = lookup->entries[index].next;
	return index == LOOKUP_NONE ? NULL : &lookup->entries[index];
}

const struct lookup_entry *lookup_first(const struct lookup *lookup, uint64_t hash)
{
	if (!lookup->slot_count)
		return NULL;
	return entry_from(lookup, lookup->first[hash & (lookup->slot_count - 1)], hash);
}

const struct lookup_entry *lookup_next(const struct lookup *lookup, const struct lookup_entry *entry)
{
	return entry_from(lookup, entry->next, entry->hash);
}
