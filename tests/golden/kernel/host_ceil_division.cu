// Ceiling divisions in all their spellings.
#include <cmath>
#define N 1000
#define DIV_UP(a, b) (((a) + (b) - 1) / (b))
static int div_up(int a, int b) { return a % b == 0 ? a / b : a / b + 1; }
template <typename T> T round_up(T a, T b) { return (a + b - 1) / b; }
__global__ void k(float *a, int n) { a[threadIdx.x] = n; }
int main() {
	float *a = 0;
	const int block = 128;
	int n = N;
	k<<<(N + block - 1) / block, block>>>(a, n);
	k<<<DIV_UP(n, 256), 256>>>(a, n * 2);
	k<<<div_up(n, block), block>>>(a, n - 1);
	k<<<round_up(n, 64), 64>>>(a, n);
	k<<<(int)ceil(n / 96.0), 96>>>(a, n);
	k<<<ceilf((float)n / 32), 32>>>(a, n);
	k<<<n / 512 + (n % 512 ? 1 : 0), 512>>>(a, n);
	k<<<min(65535, DIV_UP(n, 2)), 2>>>(a, n);
}
