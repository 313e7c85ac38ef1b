/*
 * Measuring program, first part: what the tables say, and the kernels of its own: they fill arrays, compare what two layouts hold, and empty the L2.
 *
 * Values are a hash of their position, so that they are the same in every layout: real numbers in [0.5, 1.5), integers as the tables say.
 */
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace coalesce_measure {

/* ---- what the tables below say ------------------------------------------------------------ */

enum content { content_real, content_uniform, content_linear, content_listed };

/* A scalar of an array's elements, and what it holds at first. */
struct scalar {
	const char *name;
	char kind;             /* 'f' floating point, 'i' signed, 'u' unsigned */
	int bytes;
	uint64_t count;        /* in one element */
	enum content content;
	long long low, high;   /* uniform: from [low, high); linear: low + high * position */
	const long long *list; /* listed: by position, zeros after its end */
	uint64_t listed;
};

/* What a kernel reads or writes, whatever its layout. */
struct array {
	const char *name;
	uint64_t elements;
	const scalar *scalars;
	int scalar_count;
	bool output;           /* may be written */
};

/*
 * Scalar k of element e lies at e / tile * tile_bytes + offset + k * inner + e % tile * stride of the buffer; where they are split, of the k-th buffer from that on.
 */
struct place {
	int buffer;
	bool split;
	uint64_t tile, tile_bytes, offset, inner, stride;
};

typedef cudaError_t address_function(void **address);
/* An array in one layout: a place for each of its scalars. */
struct storage {
	const place *places;
	const uint64_t *bytes; /* of each buffer */
	int buffer_count;
	address_function *variable; /* a variable of the program itself, or null: memory of ours */
	bool keeps;            /* a variable that zeros are meant for */
};

/* A kernel's parameter: a buffer of an array, or, where array is negative, the value. */
struct parameter {
	int array, buffer;
	const void *value;
};

typedef cudaError_t launch_function(dim3 grid, dim3 block, void **arguments, size_t shared_bytes);
/* The kernel as compiled for one assignment of layouts. */
struct variant {
	const char *name;
	launch_function *launch;
	const void *function;
	const storage *storages; /* one for each array */
	const parameter *parameters;
	int parameter_count;
	bool timed;
};

/* What is reported: a layout of a record is measured as that variant. */
struct row {
	const char *record;    /* null: a kernel without records */
	const char *layout;
	int tile;              /* 0: none */
	int variant;
};

/* A launch to measure. The first variant is the program as written. */
struct kernel {
	const char *name;
	const char *json;      /* members of its JSON object */
	unsigned grid[3], block[3];
	size_t shared_bytes;
	const array *arrays;
	int array_count;
	const variant *variants;
	int variant_count;
	const row *rows;
	int row_count;
};

/* Launches `code`, whose parameters lie at the given addresses. */
template <class type, type *code>
cudaError_t launch(dim3 grid, dim3 block, void **arguments, size_t shared_bytes)
{
	return cudaLaunchKernel(code, grid, block, arguments, shared_bytes, (cudaStream_t)0);
}

/* ---- errors ---------------------------------------------------------------------------------- */

static std::string doing = "start";
/* Where the process that started this one reads results from, or why there are none; -1: nobody does. */
static int told = -1;
/* Which variant the process is at, as the one that started it sees it; -1: none, or what all of them share. */
static volatile int *variant_at = nullptr;
/* How a kernel's process ends, beside 2 and 3: no variant is to blame; its device memory does not suffice for all variants at once. */
enum { status_no_variant = 4, status_memory = 5 };

static void tell(const std::string &text)
{
	for (size_t done = 0; told >= 0 && done < text.size();) {
		ssize_t wrote = write(told, text.data() + done, text.size() - done);
		if (wrote <= 0)
			return;
		done += (size_t)wrote;
	}
}

static void fail(int status, const char *format, ...)
{
	char text[1024];
	va_list list;
	va_start(list, format);
	vsnprintf(text, sizeof text, format, list);
	va_end(list);
	fprintf(stderr, "measure: %s: %s\n", doing.c_str(), text);
	tell(doing + ": " + text);
	exit(status);
}

static void check(cudaError_t error, const char *what)
{
	if (error == cudaErrorMemoryAllocation)
		fail(status_memory, "out of device memory; take smaller sizes or fewer layouts");
	if (error != cudaSuccess)
		fail(1, "%s: %s", what, cudaGetErrorString(error));
}

/* ---- kernels of our own ------------------------------------------------------------------------ */

__host__ __device__ inline uint64_t mix(uint64_t x)
{
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
	return x ^ (x >> 31);
}

__host__ __device__ inline uint64_t offset_of(const place &where, uint64_t element, uint64_t inner)
{
	return element / where.tile * where.tile_bytes + where.offset + inner * where.inner + element % where.tile * where.stride;
}

/* The buffers of one scalar: one, or where they are split one for each k. */
#define SPLIT_MOST 64
struct bases {
	char *at[SPLIT_MOST];
};

__host__ __device__ inline char *address_of(const bases &base, const place &where, uint64_t element, uint64_t inner)
{
	return base.at[where.split ? inner : 0] + offset_of(where, element, inner);
}

/* A real number in [0.5, 1.5), with 24 random bits. */
__host__ __device__ inline double real_of(uint64_t hash)
{
	return 0.5 + (double)(hash >> 40) / 16777216.0;
}

__host__ __device__ inline long long integer_of(const scalar &what, uint64_t hash, uint64_t position)
{
	if (what.content == content_linear)
		return what.low + what.high * (long long)position;
	if (what.content == content_listed)
		return position < what.listed ? what.list[position] : 0;
	return what.low + (long long)(hash % (uint64_t)(what.high - what.low));
}

__host__ __device__ inline uint64_t bits_of_real(double value, int bytes)
{
	uint64_t bits = 0;
	if (bytes == 8) {
		memcpy(&bits, &value, 8);
	} else if (bytes == 4) {
		float narrow = (float)value;
		memcpy(&bits, &narrow, 4);
	} else {
		bits = 0x3c00 | ((uint64_t)((value - 0.5) * 1024.0) & 0x3ff);
	}
	return bits;
}

/* What a scalar holds at first. Two-byte floating point lies in [1, 2). */
__host__ __device__ inline uint64_t first_bits(const scalar &what, uint64_t seed, uint64_t position)
{
	uint64_t hash = mix(seed + position * 0x9e3779b97f4a7c15u);
	if (what.content == content_real)
		return bits_of_real(real_of(hash), what.bytes);
	long long value = integer_of(what, hash, position);
	return what.kind == 'f' ? bits_of_real((double)value, what.bytes) : (uint64_t)value;
}

__host__ __device__ inline void bits_write(char *address, uint64_t bits, int bytes)
{
	for (int i = 0; i < bytes; i++)
		address[i] = (char)(bits >> (8 * i));
}

__host__ __device__ inline uint64_t bits_read(const char *address, int bytes)
{
	uint64_t bits = 0;
	for (int i = 0; i < bytes; i++)
		bits |= (uint64_t)(unsigned char)address[i] << (8 * i);
	return bits;
}

__host__ __device__ inline double number_of(uint64_t bits, const scalar &what)
{
	float narrow;
	double wide;
	int shift = 64 - 8 * what.bytes;
	if (what.kind == 'f' && what.bytes == 8) {
		memcpy(&wide, &bits, 8);
		return wide;
	}
	if (what.kind == 'f' && what.bytes == 4) {
		memcpy(&narrow, &bits, 4);
		return narrow;
	}
	return what.kind == 'i' ? (double)((long long)(bits << shift) >> shift) : (double)bits;
}

__device__ inline uint64_t first_index()
{
	return blockIdx.x * (uint64_t)blockDim.x + threadIdx.x;
}

__device__ inline uint64_t index_step()
{
	return gridDim.x * (uint64_t)blockDim.x;
}

/* Sets a scalar of all elements to its first value. */
__global__ void fill(bases base, place where, scalar what, uint64_t values, uint64_t seed)
{
	for (uint64_t i = first_index(); i < values; i += index_step())
		bits_write(address_of(base, where, i / what.count, i % what.count), first_bits(what, seed, i), what.bytes);
}

/* Copies a scalar of all elements, in order. */
__global__ void collect(bases base, place where, scalar what, uint64_t values, char *copy)
{
	for (uint64_t i = first_index(); i < values; i += index_step())
		bits_write(copy + i * what.bytes, bits_read(address_of(base, where, i / what.count, i % what.count), what.bytes), what.bytes);
}

/* What collected values are like. */
struct summary {
	double magnitude;              /* sum of absolute finite values */
	unsigned long long changed;    /* other than at first */
	unsigned long long not_finite;
};

__global__ void summarise(const char *copy, scalar what, uint64_t values, uint64_t seed, summary *result)
{
	summary own = {0, 0, 0};
	for (uint64_t i = first_index(); i < values; i += index_step()) {
		uint64_t bits = bits_read(copy + i * what.bytes, what.bytes), first = first_bits(what, seed, i);
		double value = fabs(number_of(bits, what));
		bool finite = value <= 1.7976931348623157e308;
		own.magnitude += finite ? value : 0;
		own.not_finite += !finite;
		own.changed += ((bits ^ first) << (64 - 8 * what.bytes)) != 0;
	}
	atomicAdd(&result->magnitude, own.magnitude);
	atomicAdd(&result->changed, own.changed);
	atomicAdd(&result->not_finite, own.not_finite);
}

/* How a layout's values differ from those collected before. */
struct difference {
	unsigned long long largest;    /* relative, the bits of a double; they order as it does */
	unsigned long long count, first;
};

__device__ inline double relative_difference(uint64_t a_bits, uint64_t b_bits, const scalar &what, double least)
{
	double a = number_of(a_bits, what), b = number_of(b_bits, what);
	double larger = fabs(a) > fabs(b) ? fabs(a) : fabs(b);
	if (a_bits == b_bits || a == b || (a != a && b != b))
		return 0;
	if (!(fabs(a - b) <= 1.7976931348623157e308))
		return 1.7976931348623157e308;
	return fabs(a - b) / (larger > least ? larger : least);
}

__global__ void compare(const char *copy, bases base, place where, scalar what, uint64_t values, double least, double tolerance,
                        difference *result)
{
	for (uint64_t i = first_index(); i < values; i += index_step()) {
		uint64_t a = bits_read(copy + i * what.bytes, what.bytes);
		uint64_t b = bits_read(address_of(base, where, i / what.count, i % what.count), what.bytes);
		double relative = relative_difference(a, b, what, least);
		unsigned long long bits;
		if (!(relative > 0))
			continue;
		memcpy(&bits, &relative, 8);
		atomicMax(&result->largest, bits);
		if (relative > tolerance) {
			atomicAdd(&result->count, 1ull);
			atomicMin(&result->first, (unsigned long long)i);
		}
	}
}

/* Overwrites the scratch buffer, and with it what the L2 holds. */
__global__ void evict(uint4 *scratch, uint64_t count, unsigned value)
{
	for (uint64_t i = first_index(); i < count; i += index_step())
		scratch[i] = make_uint4(value, value, value, value);
}

template <class type>
struct same {
	typedef type is;
};

/* Launches one of these with enough threads for that many values. */
template <class... types>
static void over(uint64_t values, void (*code)(types...), typename same<types>::is... arguments)
{
	void *addresses[] = {&arguments...};
	unsigned blocks = (unsigned)std::min<uint64_t>((values + 255) / 256, 4096);
	if (blocks > 0)
		check(cudaLaunchKernel(code, dim3(blocks), dim3(256), addresses, (size_t)0, (cudaStream_t)0), "launch of our own");
}

}
