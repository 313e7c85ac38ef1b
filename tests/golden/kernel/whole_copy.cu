// Copies of whole records: one access for each leaf.
struct particle { float x, y; int next; };
__global__ void k(particle *p, const particle *q) {
	int i = threadIdx.x;
	particle t = q[i];
	t.x += 1;
	p[t.next] = t;
	p[i] = q[i + 1];
}
