__global__ void __cluster_dims__(4, 1, 1) k(float *o) { o[blockIdx.x * blockDim.x + threadIdx.x] = 1; }
int main(int argc, char **argv) { float *o; cudaMalloc(&o, 1 << 20); k<<<6, 256>>>(o); }
