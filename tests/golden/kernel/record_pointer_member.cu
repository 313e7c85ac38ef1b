// A record that holds a pointer: what it points to is not known.
struct row { float *data; int n; };
__global__ void k(row *rows) { rows[blockIdx.x].data[threadIdx.x] = rows[blockIdx.x].n; }
