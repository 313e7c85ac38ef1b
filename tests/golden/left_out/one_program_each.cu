// A layout that does not compile leaves the other record's alone
struct body { float x, y; };
struct cell { float a, b, c; };
static_assert(sizeof(body) == 8 && alignof(cell) == 4, "as files have them");
__global__ void move(body *p, const cell *c, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	static_assert(alignof(cell) == 4, "as files have them");
	if (i < n)
		p[i].x += c[i].a;
}
int main()
{
	body *p;
	cell *c;
	cudaMalloc(&p, (1 << 18) * sizeof(body));
	cudaMalloc(&c, (1 << 18) * sizeof(cell));
	move<<<1024, 256>>>(p, c, 1 << 18);
	return 0;
}
