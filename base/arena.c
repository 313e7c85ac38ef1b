/*
 * Arenas: memory that lives until its arena is released.
 *
 * Objects are cut from large zeroed chunks, one after the other. Under
 * AddressSanitizer each object is a chunk of its own, so that an overrun or a
 * use after release is seen (the practice of lcc's alloc.c under Purify).
 */
#include "base/base.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__)
#define ONE_CHUNK_PER_OBJECT 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ONE_CHUNK_PER_OBJECT 1
#endif
#endif
#ifndef ONE_CHUNK_PER_OBJECT
#define ONE_CHUNK_PER_OBJECT 0
#endif

/* Chunks double from the first size to the last: many arenas hold little, one for each launch in each layout. */
#define CHUNK_BYTES_FIRST ((size_t)2 * 1024)
#define CHUNK_BYTES ((size_t)64 * 1024)

/* The head of a chunk; its memory follows, aligned for any type. */
struct chunk {
	alignas(max_align_t) struct chunk *next;
};

/* What is to be done when the arena is released. */
struct finish {
	struct finish *next;
	void (*finish)(void *context);
	void *context;
};

/* Invariant: [free, end) is the unused, zeroed rest of the newest chunk, or of the memory that the arena was made
 * inside. */
struct arena {
	struct chunk *chunks;
	struct finish *finishes;
	char *free, *end;
	size_t bytes, chunk_bytes; /* chunk_bytes: of the newest chunk that is shared by objects, or 0 */
	bool inside;               /* no chunks: all is cut from the caller's memory */
};

struct arena *arena_create(void)
{
	struct arena *arena = calloc(1, sizeof(*arena));

	if (!arena)
		out_of_memory();
	return arena;
}

struct arena *arena_create_inside(void *memory, size_t size)
{
	struct arena *arena = memory;

	if (size < sizeof(*arena))
		out_of_memory();
	arena->inside = true;
	arena->free = (char *)memory +
	              (sizeof(*arena) + alignof(max_align_t) - 1) / alignof(max_align_t) * alignof(max_align_t);
	arena->end = (char *)memory + size;
	return arena;
}

void arena_at_release(struct arena *arena, void (*finish)(void *context), void *context)
{
	struct finish *last = arena_alloc(arena, sizeof(*last));

	*last = (struct finish){arena->finishes, finish, context};
	arena->finishes = last;
}

static void child_release(void *context)
{
	arena_release(context);
}

struct arena *arena_create_within(struct arena *parent)
{
	struct arena *arena = arena_create();

	arena_at_release(parent, child_release, arena);
	return arena;
}

void arena_release(struct arena *arena)
{
	if (!arena || arena->inside)
		return;
	for (const struct finish *finish = arena->finishes; finish; finish = finish->next)
		finish->finish(finish->context);
	for (struct chunk *chunk = arena->chunks, *next; chunk; chunk = next) {
		next = chunk->next;
		free(chunk);
	}
	free(arena);
}

/* Adds a zeroed chunk with room for size bytes and returns its memory. */
static char *arena_add_chunk(struct arena *arena, size_t size)
{
	struct chunk *chunk = size <= SIZE_MAX - sizeof(*chunk) ? calloc(1, sizeof(*chunk) + size) : NULL;

	if (!chunk)
		out_of_memory();
	chunk->next = arena->chunks;
	arena->chunks = chunk;
	return (char *)(chunk + 1);
}

/* Returns size rounded up to the alignment of every type; ends the program on overflow. */
static size_t round_up(size_t size)
{
	const size_t align = alignof(max_align_t);

	if (size > SIZE_MAX - align)
		out_of_memory();
	return (size + align - 1) / align * align;
}

/* Makes a chunk that has room for an object of at most CHUNK_BYTES / 4 bytes the newest. */
static void arena_extend(struct arena *arena, size_t size)
{
	do
		arena->chunk_bytes = arena->chunk_bytes ? 2 * arena->chunk_bytes : CHUNK_BYTES_FIRST;
	while (arena->chunk_bytes < size);
	if (arena->chunk_bytes > CHUNK_BYTES)
		arena->chunk_bytes = CHUNK_BYTES;
	arena->free = arena_add_chunk(arena, arena->chunk_bytes);
	arena->end = arena->free + arena->chunk_bytes;
}

void *arena_alloc(struct arena *arena, size_t size)
{
	size_t rounded = round_up(size ? size : 1);

	arena->bytes += size;
	if (arena->inside) {
		if ((size_t)(arena->end - arena->free) < rounded)
			out_of_memory();
	} else if (ONE_CHUNK_PER_OBJECT) {
		return arena_add_chunk(arena, size);
	} else if (rounded > CHUNK_BYTES / 4) {
		return arena_add_chunk(arena, rounded);
	} else if ((size_t)(arena->end - arena->free) < rounded) {
		arena_extend(arena, rounded);
	}
	arena->free += rounded;
	return arena->free - rounded;
}

void *arena_array(struct arena *arena, size_t count, size_t size)
{
	if (size && count > SIZE_MAX / size)
		out_of_memory();
	return arena_alloc(arena, count * size);
}

char *arena_strndup(struct arena *arena, const char *text, size_t length)
{
	char *copy = arena_array(arena, length + 1, 1);

	if (length)
		memcpy(copy, text, length);
	return copy;
}

char *arena_strdup(struct arena *arena, const char *text)
{
	return arena_strndup(arena, text, strlen(text));
}

char *arena_printf(struct arena *arena, const char *format, ...)
{
	struct text text = {0};
	va_list arguments;
	char *copy;

	va_start(arguments, format);
	text_vprintf(&text, format, arguments);
	va_end(arguments);
	copy = arena_strndup(arena, text.data, text.length);
	text_release(&text);
	return copy;
}

size_t arena_bytes(const struct arena *arena)
{
	return arena->bytes;
}

void *arena_grow(struct arena *arena, void *list, size_t count, size_t size)
{
	const size_t least = 4;
	bool full = count == 0 || (count >= least && (count & (count - 1)) == 0);
	void *grown;

	if (!full)
		return list;
	if (count > SIZE_MAX / 2)
		out_of_memory();
	grown = arena_array(arena, count ? 2 * count : least, size);
	if (count)
		memcpy(grown, list, count * size);
	return grown;
}
