extern "C" { struct P { float x, y, z; }; __global__ void k(struct P *p, int n); void host_entry(int n); }
extern "C" __global__ void k(struct P *p, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[i].x += p[i].y; }
extern "C" void host_entry(int n) { struct P *p; cudaMalloc((void **)&p, n * sizeof(struct P)); k<<<n / 256, 256>>>(p, n); }
int main() { host_entry(1024); }
