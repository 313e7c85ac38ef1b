#include <stdint.h>
#ifdef DOUBLE
#define REAL double
#else
#define REAL float
#endif
#define SHORT_LIVED short
typedef float length, triple[3];
typedef REAL *numbers;

/* Types keep the names that the record gives them, but those that mean another thing elsewhere. */
struct body {
	REAL x, w[2];
	uint32_t id;
	length far;
	typedef char flag;
	flag is_far;
	SHORT_LIVED hours;
	triple edges;
	numbers more;
	unsigned plain;
#ifdef DOUBLE
	REAL time;
#else
	length time;
#endif
};
#undef SHORT_LIVED

__global__ void move(body *bodies, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i >= n)
		return;
	bodies[i].x += bodies[i].w[0] * bodies[i].w[1] + bodies[i].edges[2] + bodies[i].time;
	bodies[i].id += bodies[i].plain;
	bodies[i].is_far = bodies[i].far > 1 && bodies[i].hours > 2;
	bodies[i].more = 0;
}

int main()
{
	uint32_t n = 1 << 16, length = n / 256;
	body *bodies;

	cudaMalloc(&bodies, n * sizeof(body));
	cudaMemset(bodies, 0, n * sizeof(body));
	move<<<length, 256>>>(bodies, n);
	cudaFree(bodies);
	return 0;
}
