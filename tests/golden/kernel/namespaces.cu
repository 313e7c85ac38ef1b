// Namespaces, also without a name.
namespace outer {
namespace { __device__ int twice(int i) { return 2 * i; } }
struct cell { float v; };
namespace inner { __global__ void k(cell *c) { c[twice(threadIdx.x)].v = 0; } }
}
int main() { outer::inner::k<<<1, 32>>>(nullptr); }
