// Offsets, padding and alignment of a plain record.
struct cell { char flag; double weight; short kind; };
__global__ void k(cell *c) { c[threadIdx.x].weight = c[threadIdx.x].kind; }
