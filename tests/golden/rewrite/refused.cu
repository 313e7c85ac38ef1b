// What is refused: an address that escapes, an index with side effects where it would be repeated, a pointer passed on by the host.
// incomplete: functions of other files are missing
#include <stdio.h>

struct first {
	float x, y;
};
struct second {
	float x, y;
};
struct third {
	float x, y;
};

__device__ void keep(void *p);

__global__ void escapes(first *p)
{
	keep(p);
	p[0].x = 1;
}

__global__ void counts(second *p, int i)
{
	p[i++].x = 1;
	p[i].y = 2;
}

__global__ void launched(third *p)
{
	p[0].x = p[1].y;
}

void elsewhere(third *p);

int main(void)
{
	third *p;

	cudaMalloc(&p, 2 * sizeof(third));
	elsewhere(p);
	launched<<<1, 1>>>(p);
	return 0;
}
