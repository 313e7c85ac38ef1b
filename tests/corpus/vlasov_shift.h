#pragma once
namespace vlasov {
template <class R> struct Phase { R f, df; };
template <class R> class Grid {
public:
    Grid(int nx, int nv) : nx(nx), nv(nv) { cudaMalloc(&a, sizeof(Phase<R>) * nx * nv); cudaMalloc(&b, sizeof(Phase<R>) * nx * nv); }
    int nx, nv; Phase<R> *a, *b;
    void swap() { auto t = a; a = b; b = t; }
};
struct Cubic { template <class R> static __device__ R at(R l, R c, R r, R x) { return c + x * (R(0.5) * (r - l) + x * R(0.5) * (l - 2 * c + r)); } };
template <class R, class I> __global__ void shift_x(const Phase<R> *in, Phase<R> *out, int nx, int nv, R dt)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, v = blockIdx.y;
    if (x >= nx) return;
    R s = dt * (v - nv / 2) / nv;
    int l = (x + nx - 1) % nx, r = (x + 1) % nx;
    out[v * nx + x].f = I::at(in[v * nx + l].f, in[v * nx + x].f, in[v * nx + r].f, s);
    out[v * nx + x].df = in[v * nx + x].df;
}
template <class R, class I> class Stepper {
    Grid<R> &g;
public:
    explicit Stepper(Grid<R> &grid) : g(grid) {}
    void step(R dt) { shift_x<R, I><<<dim3((g.nx + 127) / 128, g.nv), 128>>>(g.a, g.b, g.nx, g.nv, dt); g.swap(); }
};
}
