/*
 * What the lanes of a warp do together. mask: the lanes that execute it; sources and results have 32 elements. A lane
 * sees those of its `members` alone.
 */
#ifndef COALESCE_MODEL_CPU_SUPPORT_LANES_H
#define COALESCE_MODEL_CPU_SUPPORT_LANES_H

#include "model/cpu/support/memory.h"

enum cpu_shuffle { CPU_UP, CPU_DOWN, CPU_BUTTERFLY, CPU_INDEX };

/* Lanes that are not there give each lane its own value back. */
static void cpu_shfl(enum cpu_shuffle kind, u32 mask, const u64 *value, const u64 *b, const u64 *c, u64 *result,
                     u64 *valid)
{
	LANES(mask)
	{
		s32 lane = (s32)l, by = (s32)b[l] & 31, segment = (s32)c[l] >> 8 & 31, clamp = (s32)c[l] & 31, from;
		s32 most = (lane & segment) | (clamp & ~segment), least = lane & segment;
		bool inside;
		if (kind == CPU_UP)
			from = lane - by;
		else if (kind == CPU_DOWN)
			from = lane + by;
		else
			from = kind == CPU_BUTTERFLY ? lane ^ by : least | (by & ~segment);
		inside = kind == CPU_UP ? from >= most : from <= most;
		result[l] = value[inside && mask >> from & 1 ? from : lane];
		valid[l] = inside;
	}
}

/* For each lane, which of the lanes that take part and are named by it have a truth. */
static void cpu_ballot(u32 mask, const u64 *truth, const u64 *members, u64 *result)
{
	u32 lanes = 0;
	LANES(mask) lanes |= (u32)(truth[l] != 0) << l;
	LANES(mask) result[l] = lanes & (u32)members[l];
}
static void cpu_vote_all(u32 mask, const u64 *truth, const u64 *members, u64 *result)
{
	cpu_ballot(mask, truth, members, result);
	LANES(mask) result[l] = result[l] == (mask & (u32)members[l]);
}
static void cpu_vote_any(u32 mask, const u64 *truth, const u64 *members, u64 *result)
{
	cpu_ballot(mask, truth, members, result);
	LANES(mask) result[l] = result[l] != 0;
}
static void cpu_vote_uni(u32 mask, const u64 *truth, const u64 *members, u64 *result)
{
	cpu_ballot(mask, truth, members, result);
	LANES(mask) result[l] = result[l] == 0 || result[l] == (mask & (u32)members[l]);
}
static void cpu_match_any(u32 mask, const u64 *value, const u64 *members, u64 *result)
{
	LANES(mask)
	{
		u32 own = l, same = 0;
		for (u32 other = 0; other < CPU_LANES; other++)
			same |= (u32)(mask >> other & 1 && value[other] == value[own]) << other;
		result[own] = same & (u32)members[own];
	}
}
static void cpu_match_all(u32 mask, const u64 *value, const u64 *members, u64 *result, u64 *same)
{
	cpu_match_any(mask, value, members, result);
	LANES(mask)
	{
		same[l] = result[l] == (mask & (u32)members[l]);
		result[l] = same[l] ? result[l] : 0;
	}
}
#define REDUX(name, type, e)                                                                                           \
	static void cpu_redux_##name(u32 mask, const u64 *value, const u64 *members, u64 *result)                      \
	{                                                                                                              \
		LANES(mask)                                                                                            \
		{                                                                                                      \
			bool first = true;                                                                             \
			type a = 0;                                                                                    \
			for (u32 other = 0; other < CPU_LANES; other++)                                                \
				if (mask & (u32)members[l] & (u32)1 << other) {                                        \
					type b = (type)value[other];                                                   \
					a = first ? b : (type)(e);                                                     \
					first = false;                                                                 \
				}                                                                                      \
			result[l] = (u32)a;                                                                            \
		}                                                                                                      \
	}
REDUX(add_u32, u32, a + b)
REDUX(add_s32, u32, a + b)
REDUX(and_u32, u32, a &b)
REDUX(or_u32, u32, a | b)
REDUX(xor_u32, u32, a ^ b)
REDUX(min_u32, u32, a < b ? a : b)
REDUX(max_u32, u32, a > b ? a : b)
REDUX(min_s32, s32, a < b ? a : b)
REDUX(max_s32, s32, a > b ? a : b)

#endif
