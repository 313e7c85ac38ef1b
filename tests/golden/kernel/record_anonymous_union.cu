// Members of an anonymous union are named without a prefix.
struct either { int tag; union { int i; float f; }; };
__global__ void k(either *p) { p[threadIdx.x].f = p[threadIdx.x].tag; }
