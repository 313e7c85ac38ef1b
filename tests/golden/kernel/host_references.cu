// References, elements of arrays, and pointers into objects.
#include <cstdlib>
struct size {
	int w, h;
};
__global__ void k(float *a, int n) { a[threadIdx.x] = n; }
static void widen(size &s, int *h, int &factor) {
	s.w *= factor;
	*h += 1;
	factor = 5;
}
int main(int argc, char **argv) {
	float *d[2], *&first = d[0];
	size sizes[3] = {{1, 2}, {3, 4}, {5, 6}}, &middle = sizes[1], *last = &sizes[2];
	int factor = 10, &f = factor, grid[3];
	cudaMalloc(&first, 64);
	cudaMalloc(&d[1], 128);
	widen(middle, &middle.h, f);
	last->w = 50;
	grid[0] = 7;
	grid[1] = grid[0] * 2;
	k<<<sizes[1].w, sizes[1].h>>>(d[0], factor);
	k<<<sizes[2].w, (last - 0)->h>>>(d[1], grid[1]);
	for (int i = 0; i < 3; i++)
		sizes[i].h = 100 + i;
	k<<<last->h, middle.h>>>(first, sizes[0].h);
	auto *&words = argv;
	while (--argc > 0) {
		++words;
		k<<<1, atoi(*words)>>>(first, argc);
	}
}
