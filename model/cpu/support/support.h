/*
 * What kernels that were translated to C look like from outside, and how one is launched. Generated code, the stand-in
 * for the CUDA runtime and tests read this header.
 *
 * A launch runs in one thread: blocks one after another, the warps of a block in turns. A warp runs until its lanes
 * wait or it has used up its turn; a block whose warps use up their turns lets further blocks begin, so that blocks may
 * wait for each other.
 */
#ifndef COALESCE_MODEL_CPU_SUPPORT_SUPPORT_H
#define COALESCE_MODEL_CPU_SUPPORT_SUPPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* By which a module's text is found again: FNV-1a (Fowler, Noll, Vo 1991). */
static inline uint64_t cpu_text_hash(const char *text, size_t length)
{
	uint64_t hash = UINT64_C(14695981039346656037);
	for (size_t i = 0; i < length; i++)
		hash = (hash ^ (uint8_t)text[i]) * UINT64_C(1099511628211);
	return hash;
}

struct cpu_warp;
struct cpu_kernel {
	const char *name;               /* mangled */
	const char *refused;            /* why it was not translated, or NULL: then there is nothing else */
	void (*run)(struct cpu_warp *); /* runs a warp until no lane can go on, or its turn is over */
	size_t register_bytes;          /* of a warp */
	unsigned case_count;            /* places that lanes can wait at */
	size_t shared_bytes;            /* without the dynamic ones */
	size_t frame_bytes;             /* of a lane: local variables and arguments of calls */
	int calls;                      /* whether it calls functions, which need frames of their own */
};
/* A variable in global or constant memory. */
struct cpu_variable {
	const char *name;
	size_t bytes, align;
	const char *initial; /* initial_bytes of it; the rest is zero */
	size_t initial_bytes;
};
struct cpu_module {
	const char *text; /* the hash of its PTX, 16 hexadecimal digits */
	const struct cpu_kernel *kernels;
	unsigned kernel_count;
	const struct cpu_variable *variables;
	unsigned variable_count;
	void **addresses; /* of the variables: filled in before the first launch */
};
struct cpu_launch {
	const struct cpu_kernel *kernel;
	const unsigned char *parameters;
	unsigned grid[3], block[3], dynamic_shared_bytes;
	double seconds; /* of processor time, at most */
	bool reversed;  /* blocks, and the warps of each, in reverse order */
	double used;    /* out: what it took */
	bool limited;   /* out: time or memory did not suffice; else what ended it early is the kernel's own fault */
};

/* What a shared object exports. */
extern const struct cpu_module cpu_modules[];
extern const unsigned cpu_module_count;
/* Runs a launch. Returns NULL where it ran to its end, else the reason why it did not; then what it may write is
 * undefined. */
const char *cpu_run(struct cpu_launch *launch);

#endif
