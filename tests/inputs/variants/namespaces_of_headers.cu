#include "app.h"
namespace app::io { struct Own { float u, v; };
__global__ void k(Rec *r, Own *o, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) r[i].a += sq(r[i].b) + o[i].u; } }
namespace app { using io::Rec; enum class M { A, B };
template <M m> __global__ void h(Rec *r, Cfg c) { int i = threadIdx.x; if (i < c.n) r[i].c = m == M::B; } }
using namespace app;
int main() { io::Rec *d; io::Own *o; cudaMalloc(&d, 1024 * sizeof(app::io::Rec)); cudaMalloc(&o, 1024 * sizeof(io::Own)); io::k<<<4, 256>>>(d, o, 1024); h<M::B><<<1, 256>>>(d, Cfg{3}); }
