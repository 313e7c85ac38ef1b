/*
 * base/lookup: positions in a caller's array, found by a hash of what stands there. Prefix: lookup_.
 */
#ifndef COALESCE_BASE_LOOKUP_LOOKUP_H
#define COALESCE_BASE_LOOKUP_LOOKUP_H

#include "base/base.h"

#define LOOKUP_NONE UINT32_MAX

struct lookup_entry {
	uint64_t hash;
	uint32_t position;
	uint32_t next; /* entry of the same slot that was added later, or LOOKUP_NONE */
};
/* Empty when zeroed. Invariant: slot_count is 0, or a power of two above entry_count. */
struct lookup {
	struct lookup_entry *entries;
	uint32_t entry_count, slot_count;
	uint32_t *first, *last; /* per slot: entries, or LOOKUP_NONE */
};

/* A hash that depends on all values mixed into it, in their order. */
uint64_t lookup_mix(uint64_t hash, uint64_t value);
uint64_t lookup_mix_text(uint64_t hash, const char *text);
/* Several positions may have one hash. The table lies in the arena. */
void lookup_add(struct arena *arena, struct lookup *lookup, uint64_t hash, uint32_t position);
/* The first entry of the hash, in the order of adding, or NULL. */
const struct lookup_entry *lookup_first(const struct lookup *lookup, uint64_t hash);
/* The next entry of the same hash, or NULL. */
const struct lookup_entry *lookup_next(const struct lookup *lookup, const struct lookup_entry *entry);

#endif
