// A template over a record type.
struct particle { float x, y; };
template <typename P> __device__ float weight(const P &p) { return p.x * p.y; }
template <typename P> __global__ void k(P *p, float *w) { w[threadIdx.x] = weight(p[threadIdx.x]); }
int main() { k<<<1, 32>>>((particle *)0, (float *)0); }
