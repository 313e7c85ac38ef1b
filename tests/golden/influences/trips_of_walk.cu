/* A walk to a mark: through all of one array, through a row of 64 in the other, and down a counter with data beside it. */
__global__ void marks(const int *list, const char *words, const float *start, int *out, int most)
{
	int t = blockIdx.x * blockDim.x + threadIdx.x, i = 0, k = 0, n;
	float x = start[t];

	while (list[i] != t)
		i++;
	while (words[t * 64 + k] != 0)
		k++;
	for (n = most; n > 0 && x < 4; n -= 2)
		x = x * x + start[t];
	out[t] = i + k + n;
}

int main()
{
	int *list, *out;
	char *words;
	float *start;

	cudaMalloc(&list, 4096 * sizeof(int));
	cudaMalloc(&words, 16384 * 64);
	cudaMalloc(&start, 16384 * sizeof(float));
	cudaMalloc(&out, 16384 * sizeof(int));
	marks<<<64, 256>>>(list, words, start, out, 100);
}
