// Arrays of records in variables of the device keep their layout, and a note says so once; vectors, single records and tables in constant memory are not meant.
struct rec { float x, y; };
struct seen { float a, b; };
struct one { float c, d; };
struct entry { float e, f; };
__device__ rec pool[1024];
__device__ one state;
__device__ float4 points[1024];
__constant__ entry table[16];

__global__ void push(float dt)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	pool[i].x += pool[i].y * dt;
	points[i].x += points[i].y * dt * state.c * table[i % 16].e;
}

__global__ void both(seen *p)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	p[i].a += p[i].b;
	pool[i].y += p[i].a;
}
