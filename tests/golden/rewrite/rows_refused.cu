// Rows of records that are more than an index: each kernel of its own program would be refused; the first reason is said.
// incomplete: no copy of a program
struct cell {
	float mass, speed;
};
typedef cell row[24];

__global__ void all(row *p, float dt)
{
	for (cell &c : p[blockIdx.x])
		c.mass += c.speed * dt;
}

int main(void)
{
	row *p;

	cudaMalloc(&p, sizeof(row) * 6);
	all<<<6, 1>>>(p, 0.5f);
	return 0;
}
