// p + i in all its spellings.
struct particle { float x, y; };
__global__ void k(particle *p, float *a) {
	int i = threadIdx.x;
	(p + i)->x = *(a + i);
	(*(p + i)).y = *(i + a);
	*a = i[a];
	p->x = (*p).y;
	particle *q = p + 2 * i;
	q->x = q[1].y + (q - 3)->y;
}
