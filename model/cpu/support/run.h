/*
 * Launches: memory for blocks, blocks in order, signals of a kernel that leaves its memory, limits.
 */
#ifndef COALESCE_MODEL_CPU_SUPPORT_RUN_H
#define COALESCE_MODEL_CPU_SUPPORT_RUN_H

#include "model/cpu/support/warp.h"

/* every 32-bit offset lies in it, so that those outside the block's memory are faults */
#define CPU_SHARED_SPAN ((size_t)1 << 32)
#define CPU_BLOCKS_MOST 2048  /* under way at a time */
#define CPU_CHECKED_BLOCKS 64 /* between two looks at the clock */

/* Blocks under way, in a ring: the one behind `at` is next. */
struct cpu_ring {
	struct cpu_block *at;
	u64 count, begun, blocks, window;
};

static struct {
	sigjmp_buf leave;
	const char *reason;
	bool limited;
	double deadline;
	struct cpu_block *unused; /* of the launch before, for its kernel and shape */
	const struct cpu_kernel *kernel;
	u32 threads, dynamic_shared_bytes;
	struct cpu_ring ring;
} cpu_state;

static _Thread_local bool cpu_running;

static double cpu_seconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void cpu_leave(const char *reason)
{
	cpu_state.reason = reason;
	siglongjmp(cpu_state.leave, 1);
}

__attribute__((noreturn, cold)) static void cpu_leave_limited(const char *reason)
{
	cpu_state.limited = true;
	cpu_leave(reason);
}

static void cpu_time_check(void)
{
	if (cpu_seconds() > cpu_state.deadline)
		cpu_leave_limited("it takes too long");
}

void cpu_turn_again(struct cpu_warp *w)
{
	w->fuel = CPU_TURN;
	cpu_time_check();
}

static void cpu_signal(int number)
{
	if (!cpu_running) {
		signal(number, SIG_DFL);
		raise(number);
		return;
	}
	cpu_leave(number == SIGFPE ? "it divides by zero" : "it accesses an address that is not in its memory");
}

/* ---- blocks ------------------------------------------------------------------------------------ */

static void *cpu_memory(size_t bytes)
{
	void *memory = mmap(NULL, bytes ? bytes : 1, PROT_READ | PROT_WRITE,
	                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (memory == MAP_FAILED)
		cpu_leave_limited("memory does not suffice for its blocks");
	return memory;
}

static size_t cpu_shared_bytes(const struct cpu_launch *launch)
{
	return (launch->kernel->shared_bytes + launch->dynamic_shared_bytes + 16 + 4095) / 4096 * 4096;
}

static size_t cpu_words(const struct cpu_kernel *kernel)
{
	return 2 * (size_t)kernel->case_count * sizeof(u32) + (kernel->case_count + 63) / 64 * sizeof(u64) + 64;
}

static void cpu_warp_make(struct cpu_warp *w, const struct cpu_kernel *kernel)
{
	unsigned char *memory = cpu_memory(kernel->register_bytes + 64 + cpu_words(kernel));
	w->registers = memory;
	memory += (kernel->register_bytes + 63) / 64 * 64;
	w->flow.filled = (void *)memory;
	w->flow.at = (void *)(memory + (kernel->case_count + 63) / 64 * sizeof(u64));
	w->flow.held = w->flow.at + kernel->case_count;
	w->flow.case_count = kernel->case_count;
	w->local_stride = ((kernel->frame_bytes + (kernel->calls ? CPU_CALL_BYTES : 0) + 63) / 64 | 1) * 64;
	w->local = cpu_memory(w->local_stride * CPU_LANES);
}

static struct cpu_block *cpu_block_make(const struct cpu_launch *launch)
{
	struct cpu_block *block = cpu_memory(sizeof *block);
	block->threads = launch->block[0] * launch->block[1] * launch->block[2];
	block->warp_count = (block->threads + CPU_LANES - 1) / CPU_LANES;
	block->warps = cpu_memory(block->warp_count * sizeof *block->warps);
	block->waits = cpu_memory((block->threads + 1) * sizeof *block->waits);
	block->shared = mmap(NULL, CPU_SHARED_SPAN, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (block->shared == MAP_FAILED ||
	    mprotect(block->shared, cpu_shared_bytes(launch), PROT_READ | PROT_WRITE) != 0)
		cpu_leave_limited("memory does not suffice for its blocks");
	for (u32 i = 0; i < block->warp_count; i++)
		cpu_warp_make(&block->warps[i], launch->kernel);
	return block;
}

static void cpu_block_free(struct cpu_block *block, const struct cpu_kernel *kernel)
{
	for (u32 i = 0; i < block->warp_count; i++) {
		munmap(block->warps[i].registers, kernel->register_bytes + 64 + cpu_words(kernel));
		munmap(block->warps[i].local, block->warps[i].local_stride * CPU_LANES);
	}
	munmap(block->shared, CPU_SHARED_SPAN);
	munmap(block->waits, (block->threads + 1) * sizeof *block->waits);
	munmap(block->warps, block->warp_count * sizeof *block->warps);
	munmap(block, sizeof *block);
}

static void cpu_unused_free(void)
{
	while (cpu_state.unused) {
		struct cpu_block *block = cpu_state.unused;
		cpu_state.unused = block->next;
		cpu_block_free(block, cpu_state.kernel);
	}
}

static void cpu_warp_begin(struct cpu_warp *w, struct cpu_block *block, u32 index)
{
	const struct cpu_launch *launch = block->launch;
	const struct cpu_kernel *kernel = launch->kernel;
	u32 first = index * CPU_LANES, lanes = block->threads - first < CPU_LANES ? block->threads - first : CPU_LANES;
	w->block = block;
	w->index = index;
	w->exited = 0;
	memset(w->registers, 0, (kernel->register_bytes + 63) / 64 * 64 + cpu_words(kernel) - 64);
	w->flow.live = lanes == CPU_LANES ? ~(u32)0 : ((u32)1 << lanes) - 1;
	w->flow.pending = w->flow.holding = w->flow.forced = w->flow.last = w->flow.patience = 0;
	for (u32 lane = 0; lane < lanes; lane++) {
		w->tid[0][lane] = (first + lane) % launch->block[0];
		w->tid[1][lane] = (first + lane) / launch->block[0] % launch->block[1];
		w->tid[2][lane] = (first + lane) / launch->block[0] / launch->block[1];
	}
	cpu_park(&w->flow, 0, w->flow.live);
}

static struct cpu_block *cpu_block_begin(const struct cpu_launch *launch, u64 number)
{
	if (launch->reversed)
		number = (u64)launch->grid[0] * launch->grid[1] * launch->grid[2] - 1 - number;
	struct cpu_block *block = cpu_state.unused;
	if (block)
		cpu_state.unused = block->next;
	else
		block = cpu_block_make(launch);
	block->launch = launch;
	block->id[0] = (u32)(number % launch->grid[0]);
	block->id[1] = (u32)(number / launch->grid[0] % launch->grid[1]);
	block->id[2] = (u32)(number / launch->grid[0] / launch->grid[1]);
	block->alive = block->threads;
	block->wait_count = block->tired = 0;
	memset(block->barriers, 0, sizeof block->barriers);
	memset(block->shared, 0, launch->kernel->shared_bytes + launch->dynamic_shared_bytes);
	for (u32 i = 0; i < block->warp_count; i++)
		cpu_warp_begin(&block->warps[i], block, i);
	return block;
}

/* Gives each warp a turn, again while none is tired. Returns whether the block has ended. */
static bool cpu_block_step(struct cpu_block *block)
{
	bool tired = false;
	while (block->alive && !tired) {
		bool moved = false;
		for (u32 i = 0; i < block->warp_count; i++) {
			struct cpu_warp *w = &block->warps[block->launch->reversed ? block->warp_count - 1 - i : i];
			if (!w->flow.pending && !w->flow.holding)
				continue;
			moved = true;
			w->fuel = CPU_TURN;
			block->launch->kernel->run(w);
			tired |= w->fuel < 0;
		}
		if (!moved && block->alive)
			cpu_leave("threads wait at a barrier that others of their block do not reach");
	}
	block->tired += tired;
	return !block->alive;
}

/* ---- the whole ------------------------------------------------------------------------------------- */

static void cpu_ring_add(struct cpu_ring *ring, struct cpu_block *block)
{
	if (ring->at) {
		block->next = ring->at->next;
		ring->at->next = block;
	} else {
		block->next = block;
	}
	ring->at = block;
	ring->count++;
}

/* Takes out the block behind `at`. */
static void cpu_ring_take(struct cpu_ring *ring)
{
	struct cpu_block *block = ring->at->next;
	ring->at->next = block->next;
	if (block == ring->at)
		ring->at = NULL;
	ring->count--;
	block->next = cpu_state.unused;
	cpu_state.unused = block;
}

static void cpu_blocks_run(const struct cpu_launch *launch, struct cpu_ring *ring)
{
	*ring = (struct cpu_ring){.blocks = (u64)launch->grid[0] * launch->grid[1] * launch->grid[2], .window = 1};
	while (ring->count || ring->begun < ring->blocks) {
		while (ring->count < ring->window && ring->begun < ring->blocks)
			cpu_ring_add(ring, cpu_block_begin(launch, ring->begun++));
		struct cpu_block *block = ring->at->next;
		bool ended = cpu_block_step(block);
		if (!ended || ring->begun % CPU_CHECKED_BLOCKS == 0)
			cpu_time_check();
		if (ended) {
			cpu_ring_take(ring);
			continue;
		}
		ring->at = block;
		if (block->tired >= 4 && ring->window < CPU_BLOCKS_MOST && ring->window <= ring->count)
			ring->window++;
	}
}

static const char *cpu_attempt(const struct cpu_launch *launch)
{
	if (sigsetjmp(cpu_state.leave, 1) == 0) {
		cpu_blocks_run(launch, &cpu_state.ring);
		return NULL;
	}
	while (cpu_state.ring.at)
		cpu_ring_take(&cpu_state.ring);
	return cpu_state.reason;
}

const char *cpu_run(struct cpu_launch *launch)
{
	const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE};
	struct sigaction before[3], own = {.sa_handler = cpu_signal};
	u32 threads = launch->block[0] * launch->block[1] * launch->block[2];
	double begin = cpu_seconds();
	if (cpu_state.kernel != launch->kernel || cpu_state.threads != threads ||
	    cpu_state.dynamic_shared_bytes != launch->dynamic_shared_bytes)
		cpu_unused_free();
	cpu_state.kernel = launch->kernel;
	cpu_state.threads = threads;
	cpu_state.dynamic_shared_bytes = launch->dynamic_shared_bytes;
	cpu_state.deadline = begin + launch->seconds;
	cpu_state.limited = false;
	for (int i = 0; i < 3; i++)
		sigaction(numbers[i], &own, &before[i]);
	cpu_running = true;
	const char *reason = launch->kernel->refused ? launch->kernel->refused : cpu_attempt(launch);
	cpu_running = false;
	for (int i = 0; i < 3; i++)
		sigaction(numbers[i], &before[i], NULL);
	launch->used = cpu_seconds() - begin;
	launch->limited = cpu_state.limited;
	return reason;
}

#endif
