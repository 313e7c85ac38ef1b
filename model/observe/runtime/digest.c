/*
 * What launches leave in device memory, for runs that are compared: for each array, or member of records, a sum that
 * does not depend on where elements lie. Zeros add nothing to it, so that the last tile need not be full. Words that
 * point into an allocation count as zero. shapes.h has both files.
 */
#include "model/observe/runtime/runtime.h"
#include "model/observe/shapes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SUMMED_BYTES_MOST ((uint64_t)4 << 30) /* after launches; as many again at the end */
#define SHOWN_BYTES_MOST ((uint64_t)64 << 20)
#define POINTER_LEAST 0x10000u
#define POINTER_BITS 47

/* Scalars of one kind behind a pointer, and when they were last summed. */
struct digest_piece {
	unsigned argument, at, parameter, field, inner;
	unsigned tile_shift;
	uint64_t tile_bytes, offset, stride, size;
	const char *base;       /* at the last launch; NULL: there was none, or it is freed */
	uint64_t launch, stamp; /* stamp: of the memory when it was summed */
	uint64_t version;       /* of what the host put there */
};
struct digest_argument {
	unsigned argument, parameter;
};
struct digest_kernel {
	char name[SHAPES_NAME_MOST + 1];
	unsigned number;
	struct digest_piece *pieces;
	unsigned piece_count;
	struct digest_argument *wholes; /* each pointer in them leads to plain memory */
	unsigned whole_count;
};
static struct {
	bool opened;
	struct digest_kernel *kernels;
	unsigned kernel_count;
	FILE *out;
	const char *shown; /* the one key that is asked for */
	uint64_t launches, summed, summed_last;
} digest;

/* ---- shapes ----------------------------------------------------------------------------------- */

/* Room for one more element at the list's end, zeroed; NULL: there is none. */
static void *list_grow(void **list, unsigned *count, size_t bytes)
{
	void *grown = realloc(*list, (*count + 1) * bytes);
	if (!grown)
		return NULL;
	*list = grown;
	return memset((char *)grown + (*count)++ * bytes, 0, bytes);
}

static void piece_add(struct digest_kernel *kernel, struct digest_piece piece)
{
	struct digest_piece *added = list_grow((void **)&kernel->pieces, &kernel->piece_count, sizeof piece);
	if (added)
		*added = piece;
}

static void whole_add(struct digest_kernel *kernel, struct digest_argument whole)
{
	struct digest_argument *added = list_grow((void **)&kernel->wholes, &kernel->whole_count, sizeof whole);
	if (added)
		*added = whole;
}

static void shape_read(const char *line)
{
	struct digest_kernel read = {.number = 0},
			     *last = digest.kernel_count ? &digest.kernels[digest.kernel_count - 1] : NULL;
	struct digest_argument whole;
	struct digest_piece piece = {.argument = 0};
	if (sscanf(line, SHAPES_KERNEL_READ, &read.number, read.name) == 2) {
		struct digest_kernel *added = list_grow((void **)&digest.kernels, &digest.kernel_count, sizeof read);
		if (added)
			*added = read;
	} else if (last && sscanf(line, SHAPES_WHOLE, &whole.argument, &whole.parameter) == 2) {
		whole_add(last, whole);
	} else if (last &&
	           sscanf(line, SHAPES_FIELD, &piece.argument, &piece.at, &piece.parameter, &piece.field, &piece.inner,
	                  &piece.tile_shift, &piece.tile_bytes, &piece.offset, &piece.stride, &piece.size) == 10) {
		piece_add(last, piece);
	}
}

static void digest_open(void)
{
	const char *shapes = getenv("COALESCE_SHAPES"), *out = getenv("COALESCE_MEMORY");
	static char line[SHAPES_NAME_MOST + 64];
	FILE *in = shapes && out ? fopen(shapes, "re") : NULL;
	digest.opened = true;
	digest.shown = getenv("COALESCE_MEMORY_SHOWN");
	while (in && fgets(line, sizeof line, in))
		shape_read(line);
	if (in)
		fclose(in);
	digest.out = in && digest.kernel_count ? fopen(out, "re+") : NULL;
}

/* ---- sums -------------------------------------------------------------------------------------- */

/* Up to eight bytes as a number. */
static uint64_t word_at(const char *at, size_t bytes)
{
	uint64_t word = 0;
	if (bytes == 4)
		memcpy(&word, at, 4);
	else if (bytes == 8)
		memcpy(&word, at, 8);
	else
		memcpy(&word, at, bytes);
	const bool may_point = bytes == 8 && word >= POINTER_LEAST && word >> POINTER_BITS == 0;
	return may_point && runtime_find((const void *)(uintptr_t)word) ? 0 : word;
}

/* What a word adds to the sum; 0 for zero. */
static uint64_t word_mixed(uint64_t word, uint64_t position)
{
	uint64_t mixed = word * UINT64_C(0x9e3779b97f4a7c15) + (position + 1) * UINT64_C(0xd1b54a32d192ed03);
	mixed = (mixed ^ mixed >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
	return word ? mixed ^ mixed >> 32 : 0;
}

static const char *scalar_at(const struct digest_piece *piece, uint64_t element)
{
	const uint64_t lane = element & ((UINT64_C(1) << piece->tile_shift) - 1);
	return piece->base + (element >> piece->tile_shift) * piece->tile_bytes + piece->offset + lane * piece->stride;
}

/* How many elements there are up to the end of the allocation. */
static uint64_t element_count(const struct digest_piece *piece, const struct runtime_allocation *allocation)
{
	const uint64_t left = (uint64_t)(allocation->base + allocation->size - piece->base);
	return piece->tile_bytes ? left / piece->tile_bytes << piece->tile_shift : 0;
}

static uint64_t scalars_sum(const struct digest_piece *piece, uint64_t elements)
{
	const uint64_t words = (piece->size + 7) / 8;
	uint64_t sum = 0;
	for (uint64_t e = 0; e < elements; e++)
		for (uint64_t w = 0; w < words; w++) {
			const uint64_t left = piece->size - 8 * w;
			sum += word_mixed(word_at(scalar_at(piece, e) + 8 * w, left < 8 ? left : 8), e * words + w);
		}
	return sum;
}

/* Plain memory: words of eight bytes, and what is behind them. */
static uint64_t bytes_sum(const char *bytes, uint64_t count)
{
	uint64_t sum = 0;
	for (uint64_t at = 0; at < count; at += 8)
		sum += word_mixed(word_at(bytes + at, count - at < 8 ? count - at : 8), at / 8);
	return sum;
}

static void bytes_show(const char *from, uint64_t count)
{
	for (uint64_t at = 0; at < count && at < SHOWN_BYTES_MOST; at += 8) {
		const uint64_t bytes = count - at < 8 ? count - at : 8, word = word_at(from + at, bytes);
		fwrite(&word, 1, bytes, digest.out);
	}
}

/* ---- what is written --------------------------------------------------------------------------- */

/* Plain memory is a piece of bytes. */
static bool is_plain(const struct digest_piece *piece)
{
	return piece->field == SHAPES_NO_FIELD;
}

/* Writes the scalars themselves, one after another. */
static void piece_show(const struct digest_piece *piece, uint64_t elements)
{
	if (is_plain(piece))
		bytes_show(piece->base, elements);
	for (uint64_t e = 0; !is_plain(piece) && e < elements && e * piece->size < SHOWN_BYTES_MOST; e++)
		bytes_show(scalar_at(piece, e), piece->size);
}

static void piece_write(const struct digest_kernel *kernel, const struct digest_piece *piece, bool last,
                        const struct runtime_allocation *allocation)
{
	const uint64_t elements = element_count(piece, allocation);
	char key[128];
	snprintf(key, sizeof key, SHAPES_KEY, piece->launch, kernel->number, piece->parameter,
	         is_plain(piece) ? piece->at : 0, piece->field, piece->inner, (unsigned)last);
	if (digest.shown && strcmp(key, digest.shown) == 0)
		piece_show(piece, elements);
	else if (!digest.shown)
		fprintf(digest.out, "%s %016" PRIx64 " %" PRIu64 "\n", key,
		        is_plain(piece) ? bytes_sum(piece->base, elements) : scalars_sum(piece, elements), elements);
	*(last ? &digest.summed_last : &digest.summed) += elements * piece->size;
}

/* Changes with each launch and each time that the host writes. */
static uint64_t memory_stamp(const struct runtime_allocation *allocation)
{
	return runtime_executed_count() + allocation->version;
}

static void piece_launched(const struct digest_kernel *kernel, struct digest_piece *piece,
                           const struct runtime_pointer *pointer, bool is_const)
{
	const char *base = pointer->to->base + pointer->offset;
	const bool is_known = is_const && piece->base == base && piece->version == pointer->to->version;
	piece->base = base;
	piece->launch = digest.launches;
	piece->version = pointer->to->version;
	if (is_known || digest.summed > SUMMED_BYTES_MOST)
		return;
	piece_write(kernel, piece, false, pointer->to);
	piece->stamp = memory_stamp(pointer->to);
}

/* The last state of a piece, where something happened since it was summed. */
static void piece_end(const struct digest_kernel *kernel, struct digest_piece *piece,
                      const struct runtime_allocation *allocation)
{
	if (piece->stamp != memory_stamp(allocation) && digest.summed_last <= SUMMED_BYTES_MOST)
		piece_write(kernel, piece, true, allocation);
	piece->base = NULL;
}

/* ---- launches ----------------------------------------------------------------------------------- */

static struct digest_kernel *kernel_shape(const char *name)
{
	for (unsigned k = 0; k < digest.kernel_count; k++)
		if (strcmp(digest.kernels[k].name, name) == 0)
			return &digest.kernels[k];
	return NULL;
}

/* Adds a piece for a pointer to plain memory that comes for the first time. */
static void plain_add(struct digest_kernel *kernel, const struct runtime_pointer *pointer)
{
	for (unsigned p = 0; p < kernel->piece_count; p++)
		if (kernel->pieces[p].argument == pointer->argument && kernel->pieces[p].at == pointer->at)
			return;
	for (unsigned w = 0; w < kernel->whole_count; w++)
		if (kernel->wholes[w].argument == pointer->argument)
			piece_add(kernel, (struct digest_piece){.argument = pointer->argument,
			                                        .at = pointer->at,
			                                        .parameter = kernel->wholes[w].parameter,
			                                        .field = SHAPES_NO_FIELD,
			                                        .tile_bytes = 1,
			                                        .size = 1});
}

void runtime_digest_launch(const struct runtime_kernel *kernel, const struct runtime_pointer *pointers,
                           unsigned pointer_count)
{
	if (!digest.opened)
		digest_open();
	struct digest_kernel *shape = digest.out ? kernel_shape(kernel->name) : NULL;
	if (!shape)
		return;
	digest.launches++;
	for (unsigned i = 0; i < pointer_count; i++) {
		plain_add(shape, &pointers[i]);
		for (unsigned p = 0; p < shape->piece_count; p++)
			if (shape->pieces[p].argument == pointers[i].argument && shape->pieces[p].at == pointers[i].at)
				piece_launched(shape, &shape->pieces[p], &pointers[i],
				               kernel->parameters[pointers[i].argument].is_const);
	}
}

void runtime_digest_release(const struct runtime_allocation *allocation)
{
	for (unsigned k = 0; digest.out && k < digest.kernel_count; k++)
		for (unsigned p = 0; p < digest.kernels[k].piece_count; p++) {
			struct digest_piece *piece = &digest.kernels[k].pieces[p];
			if (piece->base && runtime_find(piece->base) == allocation)
				piece_end(&digest.kernels[k], piece, allocation);
		}
}

void runtime_digest_variable(const char *name, const struct runtime_allocation *memory)
{
	if (digest.out && !digest.shown)
		fprintf(digest.out, SHAPES_VARIABLE " %016" PRIx64 " %zu\n", name,
		        bytes_sum(memory->base, memory->size), memory->size);
}

/* The program ends: what is not freed is summed now. */
static __attribute__((destructor)) void digest_close(void)
{
	for (unsigned k = 0; digest.out && k < digest.kernel_count; k++)
		for (unsigned p = 0; p < digest.kernels[k].piece_count; p++) {
			struct digest_piece *piece = &digest.kernels[k].pieces[p];
			const struct runtime_allocation *allocation = piece->base ? runtime_find(piece->base) : NULL;
			if (allocation)
				piece_end(&digest.kernels[k], piece, allocation);
		}
	if (!digest.out)
		return;
	runtime_variables_digest();
	fclose(digest.out);
	digest.out = NULL;
}
