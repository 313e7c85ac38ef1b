// Launches by cudaLaunchKernelEx and cudaLaunchCooperativeKernel; members of the host's records; launches of what is not known are said to be left out.
__global__ void k(int *a, int n) { a[threadIdx.x] = n; }
typedef void (*kernel_type)(int *, int);
struct size { int width, height; };
struct settings { dim3 grid; int n; size image; int *data; };
static settings make(int n) { settings s = {dim3(9, 2), n, {640, 480}, nullptr}; return s; }
static void change(settings *s, settings &t) { s->n = 5; t.image.height++; }
int main(int argc, char **argv) {
	int *a;
	cudaMalloc(&a, 256);
	cudaLaunchConfig_t one = {}, two = {0};
	one.gridDim = 7;
	one.blockDim = dim3(32, 2);
	one.dynamicSmemBytes = 64;
	cudaLaunchKernelEx(&one, k, a, 5);
	two.gridDim.x = 3;
	two.gridDim.y = 2;
	two.blockDim.x = 64;
	void *list[] = {&a, &argc};
	cudaLaunchKernelExC(&two, (const void *)k, list);
	cudaLaunchCooperativeKernel((void *)k, dim3(4), dim3(64), list, 0, 0);
	settings s = make(77), t = s;
	k<<<s.grid, s.n>>>(s.data, s.image.width);
	cudaMalloc(&s.data, 1024);
	s.grid.y = 4;
	change(&s, t);
	k<<<s.grid, s.n>>>(s.data, t.image.height);
	if (argc > 1)
		t.n = 6;
	k<<<t.grid, t.n>>>(s.data, s.image.height);
	for (int i = 0; i < 3; i++) {
		t.image.width /= 2;
		k<<<t.image.width, 32>>>(a, i);
	}
	kernel_type table[2] = {k, k};
	table[argc]<<<1, 32>>>(a, 3);
}
