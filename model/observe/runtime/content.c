/*
 * What allocations hold. A content is logged once, however often it is copied to the device: it is known again by its
 * hash and length.
 */
#include "model/observe/runtime/runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* in all: managed memory has no version, and is hashed at each new launch */
#define HASHED_BYTES_MOST ((size_t)8 << 30)
#define CONTENTS_MOST 4096

static struct {
	uint64_t hash;
	size_t bytes;
} contents[CONTENTS_MOST];
static unsigned content_count;
static size_t hashed_bytes;

static uint64_t hash_of(const char *data, size_t bytes)
{
	uint64_t hash = bytes ^ UINT64_C(0x9e3779b97f4a7c15), word;
	for (size_t i = 0; i < bytes; i += sizeof word) {
		size_t part = bytes - i < sizeof word ? bytes - i : sizeof word;
		word = 0;
		memcpy(&word, data + i, part);
		hash = (hash ^ word) * UINT64_C(0xff51afd7ed558ccd);
		hash ^= hash >> 32;
	}
	return hash;
}

/* Whether all bytes are the same. */
static bool is_uniform(const char *data, size_t bytes)
{
	return bytes > 0 && memcmp(data, data + 1, bytes - 1) == 0;
}

/* Logs a content under the next number. False where the log has no room. */
static bool content_log(const struct runtime_allocation *allocation)
{
	char head[80];
	if (is_uniform(allocation->base, allocation->size)) {
		runtime_log("{\"content\":%u,\"bytes\":%zu,\"fill\":%u}", content_count + 1, allocation->size,
		            (unsigned)(unsigned char)*allocation->base);
		return true;
	}
	snprintf(head, sizeof head, "{\"content\":%u,\"bytes\":%zu", content_count + 1, allocation->size);
	return runtime_log_data(head, allocation->base, allocation->size);
}

static unsigned content_number(const struct runtime_allocation *allocation)
{
	uint64_t hash = hash_of(allocation->base, allocation->size);
	hashed_bytes += allocation->size;
	for (unsigned i = 0; i < content_count; i++)
		if (contents[i].hash == hash && contents[i].bytes == allocation->size)
			return i + 1;
	if (content_count == CONTENTS_MOST || !content_log(allocation))
		return 0;
	contents[content_count].hash = hash;
	contents[content_count].bytes = allocation->size;
	return ++content_count;
}

unsigned runtime_content(struct runtime_allocation *allocation, size_t most)
{
	bool versioned = allocation->kind == RUNTIME_DEVICE || allocation->kind == RUNTIME_VARIABLE;
	if (allocation->size == 0 || allocation->size > most || hashed_bytes > HASHED_BYTES_MOST)
		return 0;
	if (!versioned || allocation->content_version != allocation->version + runtime_executed_count()) {
		allocation->content = content_number(allocation);
		allocation->content_version = allocation->version + runtime_executed_count();
	}
	return allocation->content;
}
