/*
 * Interning: equal strings become equal pointers, so that names are compared
 * with ==. An open-addressing hash table with linear probing, at most half
 * full; the hash is FNV-1a (Fowler, Noll, Vo; 64 bits).
 */
#include "base/base.h"

#include <string.h>

/* text is NULL where the slot is free. */
struct intern_slot {
	const char *text;
	size_t length;
	uint64_t hash;
};

/* Invariant: capacity is a power of two and at least twice count. */
struct intern {
	struct arena *arena;
	struct intern_slot *slots;
	size_t count, capacity;
};

struct intern *intern_create(struct arena *arena)
{
	struct intern *table = arena_alloc(arena, sizeof(*table));

	table->arena = arena;
	table->capacity = 256;
	table->slots = arena_array(arena, table->capacity, sizeof(*table->slots));
	return table;
}

static uint64_t hash_text(const char *text, size_t length)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < length; i++)
		hash = (hash ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
	return hash;
}

/* Returns the slot that holds the text, or the free one where it belongs. */
static struct intern_slot *intern_slot(const struct intern *table, const char *text, size_t length, uint64_t hash)
{
	size_t mask = table->capacity - 1, i = (size_t)hash & mask;

	for (;; i = (i + 1) & mask) {
		struct intern_slot *slot = &table->slots[i];

		if (!slot->text)
			return slot;
		if (slot->hash == hash && slot->length == length && memcmp(slot->text, text, length) == 0)
			return slot;
	}
}

/* Doubles the table; the old slots stay in the arena. */
static void intern_rehash(struct intern *table)
{
	struct intern_slot *old = table->slots;
	size_t old_capacity = table->capacity;

	table->capacity *= 2;
	table->slots = arena_array(table->arena, table->capacity, sizeof(*table->slots));
	for (size_t i = 0; i < old_capacity; i++)
		if (old[i].text)
			*intern_slot(table, old[i].text, old[i].length, old[i].hash) = old[i];
}

const char *intern_text(struct intern *table, const char *text, size_t length)
{
	uint64_t hash = hash_text(text, length);
	struct intern_slot *slot = intern_slot(table, text, length, hash);

	if (slot->text)
		return slot->text;
	if (2 * (table->count + 1) > table->capacity) {
		intern_rehash(table);
		slot = intern_slot(table, text, length, hash);
	}
	table->count++;
	*slot = (struct intern_slot){arena_strndup(table->arena, text, length), length, hash};
	return slot->text;
}
