// args: -- 1
// Which kernel is launched is not known: none is left out.
#include <cstdlib>
#include <cstdio>
__global__ void one(float *a) { a[threadIdx.x] = 1; }
__global__ void two(float *a) { a[threadIdx.x] = 2; }
__global__ void three(float *a) { a[threadIdx.x] = 3; }
typedef void (*step)(float *);
int main(int argc, char **argv)
{
	float *a;
	step steps[] = {two, three};
	cudaMalloc(&a, 1 << 20);
	one<<<1, 32>>>(a);
	steps[getchar() % 2]<<<1, 32>>>(a);
}
