__global__ void k(float *o) { o[blockIdx.x * blockDim.x + threadIdx.x] = 1; }
int main(int argc, char **argv) { float *o; cudaMalloc(&o, 1 << 20); k<<<4, 7 / 8>>>(o); }
