/*
 * Which lines the L1 replaces: one warp walks a script of lines, a dependent access each, and the clock says which loads hit.
 * Prints CSV: what, three parameters, loads, hits; of the first ones which hit, four of a hexadecimal digit.
 *   set     kind (0 lines loaded; 1 and stored; 2 single sectors, either; 3 lines loaded, a word of each sector stored), lines of one set, seed: 512 accesses in random order
 *   cycle   lines, rounds; shuffle   lines, rounds: the same, each round in another order
 *   scan    lines, times that they are loaded, others then: and the lines once more
 *   rounds  lines, others loaded in each round, new ones: 24 rounds
 *   room    carveout asked for in percent: the most neighbouring lines of which all stay
 *   choice  threads of a block, dynamic shared memory: the most of which nineteen in twenty stay, by the driver's choice
 *   code    bit of a line's number: the line of the first 512 that the one with that bit alone shares a set with
 */
#include <algorithm>
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>
#define MOST 120000
#define STORED 0x80000000u
#define SECTOR(s) (0x40000000u | (s) << 28)
#define WORD 0x08000000u
typedef std::vector<unsigned> script;
static __global__ void walk(const unsigned *script, int count, const char *lines, unsigned *cycles)
{
	if (threadIdx.x >= 32)
		return;
	for (int i = 0; i < count; i++) {
		unsigned what, value, begin = 0, end = 0;
		asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(what) : "l"(script + i));
		const char *p = lines + (size_t)(what & 0xffffff) * 128 + threadIdx.x * 4;
		bool one = what & SECTOR(0), taking = !one || threadIdx.x / 8 == (what >> 28 & 3);
		__syncwarp();
		if (taking && what & STORED) {
			if (!(what & WORD) || threadIdx.x % 8 == 0)
				asm volatile("st.global.u32 [%0], %1;" ::"l"(p), "r"(0) : "memory");
		} else if (taking) {
			asm volatile("mov.u32 %0, %%clock;" : "=r"(begin)::"memory");
			asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(value) : "l"(p) : "memory");
			asm volatile("{.reg .pred q; setp.eq.u32 q, %1, 1; @q trap; mov.u32 %0, %%clock;}"
			             : "=r"(end)
			             : "r"(value)
			             : "memory");
			if (threadIdx.x % 8 == 0 && (one || threadIdx.x == 0))
				atomicAdd(&cycles[i], end - begin);
		}
		__syncwarp();
	}
}
static unsigned *place, *taken;
static char *lines;
static std::vector<bool> hit;
static unsigned state;
static unsigned draw(unsigned most)
{
	state = state * 1664525u + 1013904223u;
	return (state >> 16) % most;
}
/* Returns how many loads hit. */
static int go(const script &s, int carveout = 0, int threads = 32, int shared = 0)
{
	static std::vector<unsigned> cycles(MOST);
	int count = (int)s.size(), hits = 0;
	cudaFuncSetAttribute(walk, cudaFuncAttributePreferredSharedMemoryCarveout, carveout);
	cudaFuncSetAttribute(walk, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 * 1024);
	cudaMemcpy(place, s.data(), count * 4, cudaMemcpyHostToDevice);
	cudaMemset(taken, 0, count * 4);
	walk<<<1, threads, shared>>>(place, count, lines, taken);
	cudaMemcpy(cycles.data(), taken, count * 4, cudaMemcpyDeviceToHost);
	hit.assign(count, false);
	for (int i = 0; i < count; i++) {
		hit[i] = !(s[i] & STORED) && cycles[i] < 130;
		hits += hit[i];
	}
	return hits;
}
static void say(const char *what, int a, int b, int c, const script &s, bool which = false)
{
	int hits = go(s), loads = (int)std::count_if(s.begin(), s.end(), [](unsigned one) { return !(one & STORED); });
	printf("%s,%d,%d,%d,%d,%d,", what, a, b, c, loads, hits);
	for (size_t i = 0; which && i < s.size(); i += 4)
		printf("%x", hit[i] << 3 | hit[i + 1] << 2 | hit[i + 2] << 1 | hit[i + 3]);
	printf("\n");
}
static void add(script &s, unsigned from, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		s.push_back(from + i);
}
static script cycle(unsigned count, int rounds, bool shuffled)
{
	script s;
	for (int r = 0; r < rounds; r++) {
		add(s, 0, count);
		for (unsigned i = count; shuffled && i > 1; i--)
			std::swap(s[s.size() - count + i - 1], s[s.size() - count + draw(i)]);
	}
	return s;
}
/* Lines of a set: 0, and those that drive it out together with three others. */
static const unsigned same[] = {57, 584, 1058, 1619, 2383, 2878, 3412, 3877};
static void sets()
{
	for (int kind = 0; kind < 4; kind++)
		for (unsigned count : {5u, 6u, 8u}) {
			script s;
			state = count;
			for (int i = 0; i < 512; i++) {
				unsigned what = same[draw(count)];
				if (kind && draw(10) < 3)
					what |= STORED;
				if (kind == 2)
					what |= SECTOR(draw(4));
				if (kind == 3 && what & STORED)
					what |= WORD;
				s.push_back(what);
			}
			say("set", kind, (int)count, (int)count, s, true);
		}
}
static void walks()
{
	for (unsigned n : {1024u, 1536u, 1728u, 1736u, 1737u, 1760u, 1792u, 1824u, 1856u, 1920u, 1984u, 2048u, 2176u, 2304u, 2560u})
		say("cycle", (int)n, 8, 0, cycle(n, 8, false));
	for (unsigned n : {1024u, 1536u, 1792u, 1920u, 2048u, 2304u, 2560u, 3072u, 4096u}) {
		state = n;
		say("shuffle", (int)n, 16, 0, cycle(n, 16, true));
	}
	for (unsigned n : {512u, 1024u, 1536u})
		for (int times : {1, 2, 4})
			for (unsigned others : {256u, 512u, 768u, 1024u, 1536u, 2048u, 4096u, 8192u}) {
				script s = cycle(n, times, false);
				add(s, 100000, others);
				add(s, 0, n);
				say("scan", (int)n, times, (int)others, s);
			}
	for (unsigned n : {512u, 1024u, 1536u})
		for (unsigned others : {256u, 512u, 768u, 1024u, 1280u, 1536u}) {
			script s;
			for (int round = 0; round < 24; round++) {
				add(s, 0, n);
				add(s, 100000 + round * 4096, others);
			}
			say("rounds", (int)n, (int)others, 24, s);
		}
}
static unsigned most(int spared, int carveout, int threads, int shared)
{
	unsigned low = 16, high = 2049;
	while (high - low > 1) {
		unsigned n = (low + high) / 2;
		(2 * n - go(cycle(n, 2, false), carveout, threads, shared) > n + n * spared / 20 ? high : low) = n;
	}
	return low;
}
static void rooms()
{
	for (int carveout : {0, 12, 25, 40, 55, 70, 85, 100})
		printf("room,%d,0,0,%u,,\n", carveout, most(0, carveout, 32, 0));
	for (int threads : {32, 64, 96, 128, 160, 192, 256, 320, 384, 512, 640, 768, 1024})
		for (int shared = 0; shared <= 26; shared++)
			printf("choice,%d,%d,0,%u,,\n", threads, shared * 1024, most(1, -1, threads, shared * 1024));
}
static void codes()
{
	for (unsigned bit = 9; bit < 24; bit++)
		for (unsigned low = 0; low < 512; low++) {
			script s;
			unsigned other = (1u << bit) + low;
			for (int round = 0; round < 3; round++) {
				for (int i = 0; i < 4; i++)
					s.push_back(same[i] == other ? same[4] : same[i]);
				s.push_back(other);
			}
			if (!go(s))
				printf("code,%u,0,0,%u,,\n", bit, low ^ same[0]);
		}
}
int main()
{
	cudaMalloc(&place, MOST * 4);
	cudaMalloc(&taken, MOST * 4);
	cudaMalloc(&lines, (size_t)1 << 31);
	cudaMemset(lines, 0, (size_t)1 << 31);
	printf("what,a,b,c,loads,hits,which\n");
	go(cycle(4096, 1, false));
	sets();
	walks();
	rooms();
	codes();
	cudaError_t error = cudaDeviceSynchronize();
	if (error != cudaSuccess)
		fprintf(stderr, "%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
