// Members that are records, assigned from another and from a record passed by value.
struct point { float x, y; };
struct body { point at, speed; };
__device__ point shifted(const point &a, float by)
{
	point sum;
	sum.x = a.x + by;
	sum.y = a.y;
	return sum;
}
__global__ void k(body *p)
{
	p[threadIdx.x].at = p[threadIdx.x].speed;
	point moved = shifted(p[threadIdx.x].at, 1);
	p[threadIdx.x].speed = moved;
}
