// args:
// A loop steps two variables in its head, and has no body: the size is known behind it.
__global__ void number(long long *out, long long n) { out[threadIdx.x] = n; }
int main() {
	long long *out, n = 1, m = 0;
	cudaMalloc(&out, 4096);
	for (double left = 16777216; left >= 2.0; left /= 2, n *= 2)
		;
	for (int i = 0, j = 40; i < j; ++i, j--, m += 2)
		;
	number<<<(n + 255) / 256, 256>>>(out, n);
	number<<<m, 256>>>(out, m);
}
