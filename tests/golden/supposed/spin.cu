// A loop that ends by a flag in memory of the thread's own, which an atomic operation decides on: it is not said never to end.
struct account { int lock, balance; };
__global__ void pay(account *a, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	volatile int done = 0;
	while (!done)
		if (atomicCAS(&a[i / 2].lock, 0, 1) == 0) {
			a[i / 2].balance += 1;
			atomicExch(&a[i / 2].lock, 0);
			done = 1;
		}
}
int main()
{
	int n = 1 << 16;
	account *a;
	cudaMalloc(&a, n / 2 * sizeof(account));
	pay<<<n / 256, 256>>>(a, n);
}
