// A reference bound to an element.
struct particle { float x, y; };
__global__ void k(particle *p) {
	particle &q = p[threadIdx.x + 1];
	const particle &r = p[threadIdx.x];
	q.x = r.y;
}
