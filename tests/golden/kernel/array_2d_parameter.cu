// A pointer to rows: float (*a)[64].
__global__ void k(float (*a)[64], const float b[][32]) { a[blockIdx.x][threadIdx.x] = b[threadIdx.x][3]; }
