// Constants and variables of the file.
#define WIDTH 64
const int height = WIDTH / 2;
static int depth = 3;
constexpr size_t total = sizeof(float) * WIDTH;
enum { THREADS = 96 };
__global__ void k(float *a, int n, int m) { a[threadIdx.x] = n + m; }
int main() {
	float *a;
	cudaMalloc(&a, total * height);
	k<<<height, THREADS>>>(a, depth, total);
	depth++;
	k<<<depth, WIDTH>>>(a, depth * 2, -1);
}
