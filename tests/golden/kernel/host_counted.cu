// Counters that conditions on data raise: the middle of what the text allows is assumed; one that also falls stays unknown.
#include <cstdio>
#include <cstdlib>
struct rec { float x, y, z, w; };
__global__ void k(rec *p, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[i].x += p[i].y; }
int raise(const int *flags, int n) { int count = 0; for (int i = 0; i < n; i++) count += flags[i] > 0; return count; }
int main()
{
	const int n = 1 << 20;
	int *flags = (int *)malloc(n * sizeof(int)), count = 0, both = 0, lost = 0, grid = 0;
	for (int i = 0; i < n; i++) { flags[i] = rand(); if (flags[i] & 1) count++; }
	for (int y = 0; y < 1024; y++) for (int x = 0; x < 512; x++) if (flags[y * 512 + x]) both += 2;
	for (int i = 0; i < n; i++) { if (flags[i] > 5) lost++; if (flags[i] > 7) lost--; }
	for (int i = 0; i < 100; i++) if (flags[i]) grid++; else grid += 3;
	int chosen = 0, sided = 0;
	for (int i = 0; i < 100; i++)
		switch (flags[i]) {
		case 0: chosen++; break;
		case 1: chosen += 2; break;
		}
	for (int i = 0; i < 100; i++)
		flags[i] && sided++;
	rec *p;
	cudaMalloc(&p, n * sizeof(rec));
	k<<<(count + 255) / 256, 256>>>(p, count);
	k<<<(both + 255) / 256, 256>>>(p, both);
	k<<<(lost + 255) / 256, 256>>>(p, lost);
	k<<<grid, 256>>>(p, grid * 256);
	k<<<1, chosen>>>(p, chosen);
	k<<<1, sided>>>(p, sided);
	int c = raise(flags, n);
	k<<<(c + 63) / 64, 64>>>(p, c);
	for (int t = 0; t < 5; t++) {
		int c2 = 0;
		for (int i = 0; i < 5000; i++) if (flags[i] == t) c2++;
		k<<<(c2 + 31) / 32, 32>>>(p, c2);
	}
}
