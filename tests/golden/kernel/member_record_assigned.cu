struct point { float x, y; };
struct body { point at, speed; };
__device__ point origin() { return {0, 0}; }
__global__ void k(body *p)
{
	p[threadIdx.x].at = p[threadIdx.x].speed;
	p[threadIdx.x].speed = origin();
}
