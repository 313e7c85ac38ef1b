// Rows of two lengths in the instances of one template.
// incomplete: no copy of a program
struct cell {
	float mass, speed;
};

template <int N> __global__ void step(cell (*p)[N], float dt)
{
	p[blockIdx.x][threadIdx.x].mass += dt;
}

int main(void)
{
	cell(*p)[24];
	cell(*q)[16];

	cudaMalloc(&p, sizeof(cell) * 24 * 6);
	cudaMalloc(&q, sizeof(cell) * 16 * 6);
	step<24><<<6, 24>>>(p, 0.5f);
	step<16><<<6, 16>>>(q, 0.5f);
	return 0;
}
