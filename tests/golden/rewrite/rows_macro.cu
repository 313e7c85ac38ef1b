// Rows of records that a macro indexes.
// incomplete: no copy of a program
#define AT(p, y, x) ((p)[y][x])
struct cell {
	float mass, speed;
};

__global__ void step(cell (*p)[24], float dt)
{
	AT(p, blockIdx.x, threadIdx.x).mass += dt;
}

int main(void)
{
	cell(*p)[24];

	cudaMalloc(&p, sizeof(cell) * 24 * 6);
	step<<<6, 24>>>(p, 0.5f);
	return 0;
}
