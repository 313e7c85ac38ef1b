/* Each thread searches a list of 1000 numbers: it leaves anywhere between the first and the last. */
__global__ void find(const float *list, const float *want, int *out, int n, int m)
{
	int t = blockIdx.x * blockDim.x + threadIdx.x;
	int found = -1;

	if (t >= m)
		return;
	for (int i = 0; i < n; i++)
		if (list[i] >= want[t]) {
			found = i;
			break;
		}
	out[t] = found;
}

int main()
{
	int n = 1000, m = 65536, *o;
	float *l, *w;

	cudaMalloc(&l, n * sizeof(float));
	cudaMalloc(&w, m * sizeof(float));
	cudaMalloc(&o, m * sizeof(int));
	find<<<m / 256, 256>>>(l, w, o, n, m);
}
