struct P { float x, y; };
__global__ void k(P *p, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[i].x += p[i].y; }
int main(int argc, char **argv)
try {
  P *p; cudaMalloc(&p, 4096 * sizeof(P));
  k<<<16, 256>>>(p, 4096);
  return 0;
} catch (...) { return 1; }
