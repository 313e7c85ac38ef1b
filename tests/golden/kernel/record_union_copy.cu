// Members of a union and bit-fields of one unit are told apart by name; a copy of the record moves their bytes once.
union either { float f; int i; };
struct flags { unsigned low : 3, high : 5; either value; };
__global__ void k(flags *p, either *q) {
	int i = threadIdx.x;
	q[i].f = q[i + 1].i;
	p[i].high = p[i].low + p[i].value.i;
	p[i].high++;
	p[i + 2] = p[i + 1];
}
