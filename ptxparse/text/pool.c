/*
 * Arrays that keep their storage when they are emptied.
 */
#include <stdlib.h>
#include <string.h>

#include "ptxparse/text/reader.h"

void *ptx_pool_push(struct ptx_pool *pool)
{
	if (pool->count == pool->capacity) {
		pool->capacity = pool->capacity ? pool->capacity * 2 : 64;
		pool->data = realloc(pool->data, pool->capacity * pool->size);
		if (!pool->data)
			bug("out of memory");
	}
	return memset((char *)pool->data + pool->count++ * pool->size, 0, pool->size);
}

void *ptx_pool_copy(const struct ptx_pool *pool, struct arena *arena)
{
	void *copy;
	if (pool->count == 0)
		return NULL;
	copy = arena_array(arena, pool->count, pool->size);
	memcpy(copy, pool->data, pool->count * pool->size);
	return copy;
}
