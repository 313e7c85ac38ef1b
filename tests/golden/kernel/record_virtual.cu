// A virtual function makes a record fixed: there is a hidden pointer in it.
struct shape { float x; __device__ virtual float area() { return x; } };
__global__ void k(shape *p) { p[threadIdx.x].x = 1; }
