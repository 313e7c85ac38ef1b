// Rows behind pointers: the pointer is read, what it points to is not known.
__global__ void k(float **rows) { rows[blockIdx.x][threadIdx.x] = 0; }
