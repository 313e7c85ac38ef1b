// Alignment attributes change size and padding.
struct __align__(16) quad { float x, y, z; };
struct alignas(32) wide { float x; };
__global__ void k(quad *q, wide *w) { q[threadIdx.x].z = w[threadIdx.x].x; }
