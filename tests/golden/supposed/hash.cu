/* Numbers that nobody says, scrambled into places of a table, lead anywhere in it, not to a hundred places; as rows, records or bins they are supposed to be small. Divisions have a name. */
struct pair {
	unsigned key, value;
};
__global__ void insert(pair *table, const pair *p, unsigned mask)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned key = p[i].key, slot = key ^ key >> 16;
	for (;;) {
		slot &= mask;
		unsigned old = atomicCAS(&table[slot].key, ~0u, key);
		if (old == ~0u || old == key) {
			table[slot].value = p[i].value;
			return;
		}
		slot++;
	}
}
__global__ void multiplied(const pair *table, pair *p, unsigned mask)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned key = p[i].key, slot = key * 2654435761u >> 12;
	while (table[slot].key != key)
		slot = (slot + 1) & mask;
	p[i].value = table[slot].value;
}
__global__ void left(const pair *table, pair *p, unsigned size)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned key = p[i].key, slot = key % size;
	while (table[slot].key != key)
		slot = (slot + 1) % size;
	p[i].value = table[slot].value;
}
__global__ void rows(const pair *table, pair *p, int columns)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	p[i].value = table[p[i].key * columns + 1].value;
}
__global__ void bins(unsigned *bins, const pair *p)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	atomicAdd(&bins[p[i].key & 1023], p[i].value);
}
__global__ void divided(const double *a, double by, pair *p)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	p[(int)(a[i] / by)].value = i;
}
int main()
{
	pair *table, *p;
	unsigned *count;
	double *a;

	cudaMalloc(&table, (1 << 20) * sizeof(pair));
	cudaMalloc(&p, (1 << 20) * sizeof(pair));
	cudaMalloc(&count, 1024 * sizeof(unsigned));
	cudaMalloc(&a, (1 << 20) * sizeof(double));
	insert<<<4096, 256>>>(table, p, (1 << 20) - 1);
	multiplied<<<4096, 256>>>(table, p, (1 << 20) - 1);
	left<<<4096, 256>>>(table, p, 1000000);
	rows<<<4096, 256>>>(table, p, 1000);
	bins<<<4096, 256>>>(count, p);
	divided<<<4096, 256>>>(a, 0.1, p);
}
