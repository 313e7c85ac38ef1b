// What cannot be declared for all is warned of: kernels may use it.
unknown_type limit;
__device__ unknown_type table[10];
__global__ void k(float *a, int n) {
	a[n] = 1;
	a[limit] = 2;
	a[1] = table[n];
	for (int i = 0; i < limit; i++)
		a[i] = 0;
}
struct solver { unknown_type *data; void run() { k<<<1, 32>>>(data, 0); } };
int main() { k<<<1, 32>>>(0, missing); }
