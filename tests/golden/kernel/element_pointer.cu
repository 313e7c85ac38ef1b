// A pointer to an element, and to a member.
struct particle { float x, y; };
__global__ void k(particle *p) {
	particle *q = &p[threadIdx.x];
	float *f = &q->y;
	q->x = 1;
	*f = 2;
}
