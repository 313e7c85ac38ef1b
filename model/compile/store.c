/*
 * What NVRTC gave, kept for other processes that ask for the same.
 *
 * The store is a piece of memory that processes forked later share. It holds entries one behind another, which never
 * change, and a table of their offsets by the hash of what was asked. An entry is written before its offset is, so that
 * no reader sees half of one; two processes that add the same at a time only take room twice. What is asked is compared
 * byte by byte: equal hashes are not taken to mean equal texts.
 */
#include "model/compile/compile.h"

#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>

#define MAX_STORE_BYTES ((size_t)256 << 20)
#define MOST_STORE_ENTRIES 4096

struct compile_store {
	_Atomic uint64_t used;                        /* bytes of the whole */
	_Atomic uint64_t offsets[MOST_STORE_ENTRIES]; /* 0: none */
};
/* What was asked, the log, the code and the names stand behind it. */
struct store_entry {
	uint64_t asked_length, log_length, ptx_length, cubin_length;
};

static void store_unmap(void *context)
{
	munmap(context, MAX_STORE_BYTES);
}

struct compile_store *compile_store_create(struct arena *arena)
{
	struct compile_store *store =
		mmap(NULL, MAX_STORE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (store == MAP_FAILED)
		return NULL;
	store->used = sizeof *store;
	arena_at_release(arena, store_unmap, store);
	return store;
}

/* ---- what is asked ------------------------------------------------------------------------ */

static void word_append(struct text *out, const char *word)
{
	text_append(out, word, strlen(word) + 1);
}

/* All that the code depends on, each part with its zero byte, and their numbers before them. */
static void asked_write(struct text *out, const struct nvrtc_request *request)
{
	const unsigned counts[] = {request->option_count, request->header_count, request->instance_count};
	text_append(out, (const char *)counts, sizeof counts);
	word_append(out, request->name);
	word_append(out, request->text);
	for (unsigned i = 0; i < request->option_count; i++)
		word_append(out, request->options[i]);
	for (unsigned i = 0; i < request->header_count; i++) {
		word_append(out, request->headers[i].name);
		word_append(out, request->headers[i].text ? request->headers[i].text : "");
	}
	for (unsigned i = 0; i < request->instance_count; i++)
		word_append(out, request->instances[i]);
}

/* FNV-1a. */
static uint64_t bytes_hash(const char *bytes, size_t length)
{
	uint64_t hash = UINT64_C(14695981039346656037);
	for (size_t i = 0; i < length; i++)
		hash = (hash ^ (unsigned char)bytes[i]) * UINT64_C(1099511628211);
	return hash;
}

/* ---- entries -------------------------------------------------------------------------------- */

static const char *bytes_of(const struct store_entry *entry)
{
	return (const char *)(entry + 1);
}

/* The slot of what is asked, or the empty one where it belongs; NULL: the table is full. */
static _Atomic uint64_t *slot_find(struct compile_store *store, const struct text *asked)
{
	uint64_t hash = bytes_hash(asked->data, asked->length);
	for (unsigned i = 0; i < MOST_STORE_ENTRIES; i++) {
		_Atomic uint64_t *slot = &store->offsets[(hash + i) % MOST_STORE_ENTRIES];
		uint64_t offset = atomic_load_explicit(slot, memory_order_acquire);
		const struct store_entry *entry =
			(const struct store_entry *)(const void *)((const char *)store + offset);
		if (offset == 0 ||
		    (entry->asked_length == asked->length && memcmp(bytes_of(entry), asked->data, asked->length) == 0))
			return slot;
	}
	return NULL;
}

static void entry_read(struct arena *arena, const struct store_entry *entry, unsigned instance_count,
                       struct nvrtc_result *result)
{
	const char *log = bytes_of(entry) + entry->asked_length, *ptx = log + entry->log_length;
	const char *cubin = ptx + entry->ptx_length + 1, *name = cubin + entry->cubin_length;
	*result = (struct nvrtc_result){
		.compiled = true, .ptx_length = entry->ptx_length, .cubin_length = entry->cubin_length};
	result->log = arena_strdup(arena, log);
	result->ptx = arena_strndup(arena, ptx, entry->ptx_length);
	char *copy = arena_alloc(arena, entry->cubin_length + 1);
	memcpy(copy, cubin, entry->cubin_length);
	result->cubin = copy;
	result->mangled = arena_array(arena, instance_count + 1, sizeof *result->mangled);
	for (unsigned i = 0; i < instance_count; i++, name += strlen(name) + 1)
		result->mangled[i] = arena_strdup(arena, name);
}

bool compile_store_find(struct arena *arena, struct compile_store *store, const struct nvrtc_request *request,
                        struct nvrtc_result *result)
{
	struct text asked = {0};
	asked_write(&asked, request);
	_Atomic uint64_t *slot = slot_find(store, &asked);
	uint64_t offset = slot ? atomic_load_explicit(slot, memory_order_acquire) : 0;
	if (offset)
		entry_read(arena, (const struct store_entry *)(const void *)((const char *)store + offset),
		           request->instance_count, result);
	text_release(&asked);
	return offset != 0;
}

/* Takes room for so many bytes; 0: there is none left. */
static uint64_t room_take(struct compile_store *store, size_t length)
{
	size_t rounded = (length + sizeof(uint64_t) - 1) / sizeof(uint64_t) * sizeof(uint64_t);
	uint64_t offset = atomic_fetch_add(&store->used, rounded);
	return offset + rounded <= MAX_STORE_BYTES ? offset : 0;
}

void compile_store_add(struct compile_store *store, const struct nvrtc_request *request,
                       const struct nvrtc_result *result)
{
	struct text bytes = {0};
	struct store_entry entry = {.log_length = strlen(result->log) + 1,
	                            .ptx_length = result->ptx_length,
	                            .cubin_length = result->cubin_length};
	uint64_t none = 0;
	asked_write(&bytes, request);
	entry.asked_length = bytes.length;
	_Atomic uint64_t *slot = slot_find(store, &bytes);
	text_append(&bytes, result->log, entry.log_length);
	text_append(&bytes, result->ptx, entry.ptx_length + 1);
	text_append(&bytes, result->cubin, entry.cubin_length);
	for (unsigned i = 0; i < request->instance_count; i++)
		word_append(&bytes, result->mangled[i]);
	uint64_t offset =
		slot && bytes.length < MAX_STORE_BYTES / 8 ? room_take(store, sizeof entry + bytes.length) : 0;
	if (offset) {
		memcpy((char *)store + offset, &entry, sizeof entry);
		memcpy((char *)store + offset + sizeof entry, bytes.data, bytes.length);
		atomic_compare_exchange_strong_explicit(slot, &none, offset, memory_order_release,
		                                        memory_order_relaxed);
	}
	text_release(&bytes);
}
