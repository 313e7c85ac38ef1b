struct rec { float x, y, z; };
__global__ void k(rec *p) { p[threadIdx.x + blockIdx.x * 256].x += 1; }
int main() { rec *p; cudaMalloc(&p, sizeof(rec) << 16); k<<<256, 256>>>(p); }
