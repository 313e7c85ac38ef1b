#include <cooperative_groups.h>
namespace cg = cooperative_groups;
namespace phys { struct P { float x, y, z; }; enum class Mode { fast, slow }; enum Kind { A, B };
template <typename T> struct V { T x, y, z; };
template <typename T, Mode M, int N, bool B, Kind K> __global__ void k(V<T> *p, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; auto g = cg::this_thread_block(); if (i < n) p[i].x += M == Mode::fast && B && K == Kind::B ? p[i].y * N : 0; g.sync(); }
template <typename T> void run(V<T> *p, int n) { k<T, Mode::slow, 4, true, B><<<4, 256>>>(p, n); } }
int main() { phys::V<float> *p; cudaMalloc(&p, 1024 * sizeof(*p)); phys::run(p, 1024); phys::V<double> *q; cudaMalloc(&q, 1024 * sizeof(*q)); phys::run(q, 1024); }
