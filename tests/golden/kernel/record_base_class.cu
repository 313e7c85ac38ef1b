// A base class: its members are leaves, the record is fixed.
struct base { float x; };
struct derived : base { float y; };
__global__ void k(derived *p) { p[threadIdx.x].y = p[threadIdx.x].x; }
