// A union cannot be laid out anew; it says so.
struct either { int tag; union { int i; float f; } u; };
__global__ void k(either *p) { p[threadIdx.x].u.f = p[threadIdx.x].tag; }
