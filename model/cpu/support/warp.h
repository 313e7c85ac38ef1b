/*
 * The state of blocks and warps, and how lanes that part come together again.
 *
 * A function's code is cut into cases. Lanes wait at a case (at), for other lanes of their warp (held), or at a barrier
 * (waits of the block). A warp runs the lanes that wait at the lowest case, so that lanes that parted meet where the
 * paths join. Where lanes spin on what others hold, that order would never end: after many picks with others waiting,
 * the warp takes the cases in turn.
 */
#ifndef COALESCE_MODEL_CPU_SUPPORT_WARP_H
#define COALESCE_MODEL_CPU_SUPPORT_WARP_H

#include "model/cpu/support/support.h"

#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;
typedef float f32;
typedef double f64;
typedef unsigned __int128 u128;
typedef __int128 s128;

#define CPU_LANES 32
#define CPU_NONE UINT32_MAX
#define CPU_BARRIERS 16
#define CPU_TURN 16384                     /* backward branches of a warp in one turn */
#define CPU_SPIN 256                       /* that a look at what others may change counts as */
#define CPU_PATIENCE 16384                 /* picks with others waiting before cases are taken in turn */
#define CPU_ROTATION 64                    /* how many are then taken so */
#define CPU_CALL_BYTES ((size_t)256 << 10) /* of a lane, for functions that call functions */

/* Where the lanes of a warp are in one function. */
struct cpu_flow {
	u32 live, pending, holding, forced; /* not returned; at cases; held; held long enough */
	u32 last, patience;
	u32 *at, *held; /* lanes, by case */
	u64 *filled;    /* a bit for each case with lanes */
	u32 case_count;
};
struct cpu_wait {
	struct cpu_warp *warp;
	u32 mask, target;
	unsigned barrier;
};
struct cpu_barrier {
	u32 arrived, wanted;            /* wanted 0: all threads of the block */
	u32 count, all, any, result[3]; /* of a reduction: so far; popc, and, or of the last one that was complete */
};
struct cpu_block {
	const struct cpu_launch *launch;
	u32 id[3], threads, alive, warp_count;
	struct cpu_warp *warps;
	unsigned char *shared;
	struct cpu_barrier barriers[CPU_BARRIERS];
	struct cpu_wait *waits;
	unsigned wait_count, wait_capacity, tired;
	struct cpu_block *next;
};
struct cpu_warp {
	struct cpu_block *block;
	struct cpu_flow flow; /* of the kernel */
	u32 index, exited, tid[3][CPU_LANES];
	s32 fuel; /* what is left of its turn */
	void *registers;
	unsigned char *local; /* of lane 0; the next lane's is local_stride bytes behind it */
	size_t local_stride;
};

/* Leaves the launch for a reason. */
__attribute__((noreturn, cold)) void cpu_leave(const char *reason);
/* The turn of a warp in a function is over: gives it a new one, or leaves where the launch takes too long. */
void cpu_turn_again(struct cpu_warp *w);

#define LANES(mask) for (u32 rest_ = (mask), l; rest_ && (l = (u32)__builtin_ctz(rest_), 1); rest_ &= rest_ - 1)

static inline void cpu_park(struct cpu_flow *flow, u32 target, u32 mask)
{
	if (!mask)
		return;
	flow->at[target] |= mask;
	flow->filled[target >> 6] |= (u64)1 << (target & 63);
	flow->pending |= mask;
}

/* The first case from one on that lanes wait at. */
static inline u32 cpu_filled(const struct cpu_flow *flow, u32 from)
{
	u32 words = (flow->case_count + 63) / 64, word = from >> 6;
	u64 bits = word < words ? flow->filled[word] & (~(u64)0 << (from & 63)) : 0;
	while (!bits && ++word < words)
		bits = flow->filled[word];
	return bits ? word * 64 + (u32)__builtin_ctzll(bits) : CPU_NONE;
}

/* Lanes that wait for others which cannot come go on without them. */
static inline void cpu_release(struct cpu_flow *flow)
{
	flow->forced = flow->holding;
	for (u32 c = 0; c < flow->case_count && flow->holding; c++) {
		cpu_park(flow, c, flow->held[c]);
		flow->holding &= ~flow->held[c];
		flow->held[c] = 0;
	}
}

/* Takes the lanes of the next case into *mask. CPU_NONE: no lane can go on. */
static u32 cpu_pick(struct cpu_flow *flow, u32 *mask)
{
	if (!flow->pending && flow->holding)
		cpu_release(flow);
	if (!flow->pending)
		return CPU_NONE;
	u32 from = 0;
	if (flow->patience > CPU_PATIENCE)
		from = flow->last + 1;
	u32 c = cpu_filled(flow, from);
	if (c == CPU_NONE)
		c = cpu_filled(flow, 0);
	*mask = flow->at[c];
	flow->at[c] = 0;
	flow->filled[c >> 6] &= ~((u64)1 << (c & 63));
	flow->pending &= ~*mask;
	flow->patience = !flow->pending || flow->patience > CPU_PATIENCE + CPU_ROTATION ? 0 : flow->patience + 1;
	flow->last = c;
	return c;
}

/* Whether the lanes that an instruction names are all there; else those that came wait at its case. */
static bool cpu_join(struct cpu_warp *w, struct cpu_flow *flow, u32 c, u32 wanted, u32 *mask)
{
	*mask |= flow->held[c];
	flow->holding &= ~flow->held[c];
	flow->held[c] = 0;
	if (flow != &w->flow && (wanted & w->flow.live & ~flow->live & ~w->exited))
		cpu_leave("lanes of a warp meet in a function that they did not enter together");
	if (!(wanted & flow->live & ~*mask) || (flow->forced & *mask)) {
		flow->forced &= ~*mask;
		return true;
	}
	flow->held[c] = *mask;
	flow->holding |= *mask;
	return false;
}

/* ---- barriers of a block -------------------------------------------------------------------- */

static inline void cpu_barrier_check(struct cpu_block *block, unsigned id)
{
	struct cpu_barrier *barrier = &block->barriers[id];
	u32 wanted = barrier->wanted && barrier->wanted < block->alive ? barrier->wanted : block->alive;
	if (!barrier->arrived || barrier->arrived < wanted)
		return;
	unsigned left = 0;
	for (unsigned i = 0; i < block->wait_count; i++) {
		struct cpu_wait *wait = &block->waits[i];
		if (wait->barrier == id)
			cpu_park(&wait->warp->flow, wait->target, wait->mask);
		else
			block->waits[left++] = *wait;
	}
	block->wait_count = left;
	barrier->result[0] = barrier->count;
	barrier->result[1] = barrier->count == barrier->all;
	barrier->result[2] = barrier->count != 0;
	barrier->arrived = barrier->count = barrier->all = barrier->wanted = 0;
}

/* Lanes come to a barrier. target: the case that they go on at, CPU_NONE: they do not wait. truths: for a reduction. */
static void cpu_arrive(struct cpu_warp *w, u32 id, u32 wanted, u32 mask, u32 target, u32 truths)
{
	struct cpu_block *block = w->block;
	if (id >= CPU_BARRIERS)
		cpu_leave("a barrier has a number above 15");
	if (!mask)
		return;
	struct cpu_barrier *barrier = &block->barriers[id];
	barrier->wanted = wanted;
	barrier->arrived += (u32)__builtin_popcount(mask);
	barrier->all += (u32)__builtin_popcount(mask);
	barrier->count += (u32)__builtin_popcount(truths & mask);
	if (target != CPU_NONE)
		block->waits[block->wait_count++] = (struct cpu_wait){w, mask, target, id};
	cpu_barrier_check(block, id);
}

/* Lanes end. */
static void cpu_exit(struct cpu_warp *w, struct cpu_flow *flow, u32 mask)
{
	flow->live &= ~mask;
	w->exited |= mask;
	if (flow != &w->flow)
		return;
	w->block->alive -= (u32)__builtin_popcount(mask);
	for (unsigned id = 0; id < CPU_BARRIERS; id++)
		if (!w->block->barriers[id].wanted)
			cpu_barrier_check(w->block, id);
}

static inline bool cpu_is_shared(const struct cpu_block *block, u64 address)
{
	return address - (u64)block->shared < (u64)1 << 32;
}
static inline bool cpu_is_local(const struct cpu_warp *w, u64 address)
{
	return address - (u64)w->local < w->local_stride * CPU_LANES;
}

static inline u64 cpu_clock(void)
{
	static u64 reads;
	return reads += 1000;
}

#endif
