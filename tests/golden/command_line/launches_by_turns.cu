// args:
// Branches of a long loop launch by turns: each counts what it runs, also where the loops around are too long to be run.
__global__ void first(float *v) { v[threadIdx.x] = 1; }
__global__ void other(float *v) { v[threadIdx.x] = 2; }
__global__ void tenth(float *v) { v[threadIdx.x] = 3; }
__global__ void once(float *v) { v[threadIdx.x] = 4; }
__global__ void even(float *v) { v[threadIdx.x] = 5; }
int main() {
	float *v;
	cudaMalloc(&v, 4096);
	for (int t = 0; t < 13; t++)
		for (int r = 0; r < 1000; r++)
			for (int s = 0; s < 10; s++)
				if (s == 0)
					first<<<1, 32>>>(v);
				else
					other<<<1, 32>>>(v);
	for (int i = 0; i < 100000; i++) {
		if (i == 0)
			once<<<1, 32>>>(v);
		if (i % 10 == 3)
			tenth<<<1, 32>>>(v);
		switch (i % 2) {
		case 0:
			even<<<1, 32>>>(v);
		}
	}
}
