// Arguments are followed into the file's own functions.
__global__ void k(float *a, int n) { a[threadIdx.x] = n; }
static void run(float *a, int n, int block = 64) { k<<<n / block, block>>>(a, n); }
static void set(int &n, int *m) { n = 640; *m = 5; }
void unused(int n) { k<<<1, n>>>(0, n); }
int main() {
	float *a = 0;
	int n = 1, m = 2;
	run(a, 1024);
	run(a, 2048, 128);
	run(a, 1024);
	set(n, &m);
	k<<<m, n>>>(a, n);
}
