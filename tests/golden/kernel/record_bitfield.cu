// A bit-field cannot be laid out anew; its access is that of the unit that holds it.
struct packed { unsigned low : 4, high : 28; float x; };
__global__ void k(packed *p) { p[threadIdx.x].x = p[threadIdx.x].high; }
