// Edge based finite volume solver on an unstructured triangle mesh.
// Cells and edges are plain structs; edge loops scatter to cells with atomics.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include <vector>
#include <random>
#include <algorithm>

#define cudaSafe(e) safeCall((e), __LINE__)
inline void safeCall(cudaError_t e, int line)
{
    if (e != cudaSuccess) { fprintf(stderr, "line %d: %s\n", line, cudaGetErrorString(e)); exit(2); }
}

const double GAM = 1.4;

struct Cell {
    double q[4];        // rho, rho*u, rho*v, rho*E
    double res[4];      // residual
    double grad[4][2];  // Green-Gauss gradient of the primitive variables
    double xc, yc;      // centroid
    double area;
    double lambda;      // sum of spectral radii over faces
};

struct Edge {
    int    left, right; // right < 0 : slip wall
    float  nx, ny;      // unit normal, left -> right
    float  len;
    float  xm, ym;      // mid point
};

struct Norms { double l2[4]; unsigned int updated; };

__device__ __forceinline__ void primitives(const double* q, double w[4])
{
    w[0] = q[0];
    double ir = 1.0 / q[0];
    w[1] = q[1] * ir;
    w[2] = q[2] * ir;
    w[3] = fmax((GAM - 1.0) * (q[3] - 0.5 * (q[1] * q[1] + q[2] * q[2]) * ir), 1e-6);
}

__global__ void zero_accumulators(Cell* cells, int ncells)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= ncells) return;
    for (int k = 0; k < 4; k++) {
        cells[c].res[k] = 0.0;
        cells[c].grad[k][0] = 0.0;
        cells[c].grad[k][1] = 0.0;
    }
    cells[c].lambda = 0.0;
}

__global__ void green_gauss(Cell* cells, const Edge* edges, int nedges)
{
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= nedges) return;
    int l = edges[e].left, r = edges[e].right;
    double sx = edges[e].nx * edges[e].len, sy = edges[e].ny * edges[e].len;
    double wl[4], wr[4];
    primitives(cells[l].q, wl);
    if (r >= 0) primitives(cells[r].q, wr);
    else for (int k = 0; k < 4; k++) wr[k] = wl[k];
    for (int k = 0; k < 4; k++) {
        double wf = 0.5 * (wl[k] + wr[k]);
        atomicAdd(&cells[l].grad[k][0], wf * sx);
        atomicAdd(&cells[l].grad[k][1], wf * sy);
        if (r >= 0) {
            atomicAdd(&cells[r].grad[k][0], -wf * sx);
            atomicAdd(&cells[r].grad[k][1], -wf * sy);
        }
    }
}

// divide by the area and apply a crude gradient limiter
__global__ void finish_gradients(Cell* cells, int ncells)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= ncells) return;
    Cell* p = &cells[c];
    double inv = 1.0 / p->area, h = sqrt(p->area);
    double w[4];
    primitives(p->q, w);
    double ref[4] = { w[0], sqrt(GAM * w[3] / w[0]), sqrt(GAM * w[3] / w[0]), w[3] };
    for (int k = 0; k < 4; k++) {
        double gx = p->grad[k][0] * inv, gy = p->grad[k][1] * inv;
        double jump = sqrt(gx * gx + gy * gy) * h;
        double lim = jump > 0.1 * ref[k] ? 0.1 * ref[k] / jump : 1.0;
        p->grad[k][0] = gx * lim;
        p->grad[k][1] = gy * lim;
    }
}

__device__ void rusanov(const double wl[4], const double wr[4], double nx, double ny, double f[4], double* smax)
{
    double unl = wl[1] * nx + wl[2] * ny, unr = wr[1] * nx + wr[2] * ny;
    double el = wl[3] / (GAM - 1.0) + 0.5 * wl[0] * (wl[1] * wl[1] + wl[2] * wl[2]);
    double er = wr[3] / (GAM - 1.0) + 0.5 * wr[0] * (wr[1] * wr[1] + wr[2] * wr[2]);
    double s = fmax(fabs(unl) + sqrt(GAM * wl[3] / wl[0]), fabs(unr) + sqrt(GAM * wr[3] / wr[0]));
    f[0] = 0.5 * (wl[0] * unl + wr[0] * unr) - 0.5 * s * (wr[0] - wl[0]);
    f[1] = 0.5 * (wl[0] * wl[1] * unl + wl[3] * nx + wr[0] * wr[1] * unr + wr[3] * nx) - 0.5 * s * (wr[0] * wr[1] - wl[0] * wl[1]);
    f[2] = 0.5 * (wl[0] * wl[2] * unl + wl[3] * ny + wr[0] * wr[2] * unr + wr[3] * ny) - 0.5 * s * (wr[0] * wr[2] - wl[0] * wl[2]);
    f[3] = 0.5 * ((el + wl[3]) * unl + (er + wr[3]) * unr) - 0.5 * s * (er - el);
    *smax = s;
}

__device__ void extrapolate(const Cell* c, double x, double y, double w[4])
{
    primitives(c->q, w);
    double dx = x - c->xc, dy = y - c->yc;
    for (int k = 0; k < 4; k++) w[k] += c->grad[k][0] * dx + c->grad[k][1] * dy;
    w[0] = fmax(w[0], 1e-6);
    w[3] = fmax(w[3], 1e-6);
}

__global__ void edge_flux(Cell* cells, const Edge* edges, int nedges)
{
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= nedges) return;
    Edge ed = edges[e];
    double wl[4], wr[4], f[4], s;
    extrapolate(&cells[ed.left], ed.xm, ed.ym, wl);
    if (ed.right >= 0) {
        extrapolate(&cells[ed.right], ed.xm, ed.ym, wr);
    } else {            // mirror state
        double un = wl[1] * ed.nx + wl[2] * ed.ny;
        wr[0] = wl[0];
        wr[1] = wl[1] - 2.0 * un * ed.nx;
        wr[2] = wl[2] - 2.0 * un * ed.ny;
        wr[3] = wl[3];
    }
    rusanov(wl, wr, ed.nx, ed.ny, f, &s);
    for (int k = 0; k < 4; k++) atomicAdd(&cells[ed.left].res[k], -f[k] * ed.len);
    atomicAdd(&cells[ed.left].lambda, s * ed.len);
    if (ed.right >= 0) {
        for (int k = 0; k < 4; k++) atomicAdd(&cells[ed.right].res[k], f[k] * ed.len);
        atomicAdd(&cells[ed.right].lambda, s * ed.len);
    }
}

__global__ void update_cells(Cell* cells, int ncells, double cfl)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= ncells) return;
    double fac = cfl / cells[c].lambda;     // local time step divided by the area
    for (int k = 0; k < 4; k++) cells[c].q[k] += fac * cells[c].res[k];
    if (cells[c].q[0] < 1e-6) cells[c].q[0] = 1e-6;
}

__global__ void residual_norm(const Cell* cells, int ncells, Norms* norms)
{
    __shared__ double sh[4][128];
    int t = threadIdx.x;
    double acc[4] = { 0, 0, 0, 0 };
    unsigned int cnt = 0;
    for (int c = blockIdx.x * blockDim.x + t; c < ncells; c += blockDim.x * gridDim.x) {
        for (int k = 0; k < 4; k++) acc[k] += cells[c].res[k] * cells[c].res[k];
        cnt++;
    }
    for (int k = 0; k < 4; k++) sh[k][t] = acc[k];
    __syncthreads();
    for (int s = 64; s > 0; s /= 2) {
        if (t < s) for (int k = 0; k < 4; k++) sh[k][t] += sh[k][t + s];
        __syncthreads();
    }
    if (t < 4) atomicAdd(&norms->l2[t], sh[t][0]);
    atomicAdd(&norms->updated, cnt);
}

struct Pt { double x, y; };

static void push_edge(std::vector<Edge>& edges, const std::vector<Cell>& cells, const Pt& a, const Pt& b, int l, int r)
{
    Edge e;
    double dx = b.x - a.x, dy = b.y - a.y, len = sqrt(dx * dx + dy * dy);
    double nx = dy / len, ny = -dx / len;
    double mx = 0.5 * (a.x + b.x), my = 0.5 * (a.y + b.y);
    if (nx * (mx - cells[l].xc) + ny * (my - cells[l].yc) < 0) { nx = -nx; ny = -ny; }
    e.left = l; e.right = r;
    e.nx = (float)nx; e.ny = (float)ny; e.len = (float)len;
    e.xm = (float)mx; e.ym = (float)my;
    edges.push_back(e);
}

static void init_cell(Cell& c, const Pt& a, const Pt& b, const Pt& d)
{
    c.xc = (a.x + b.x + d.x) / 3; c.yc = (a.y + b.y + d.y) / 3;
    c.area = 0.5 * fabs((b.x - a.x) * (d.y - a.y) - (d.x - a.x) * (b.y - a.y));
    double r2 = (c.xc - 0.7) * (c.xc - 0.7) + (c.yc - 0.4) * (c.yc - 0.4);
    double p = 1.0 + 0.5 * exp(-60.0 * r2), u = 0.3, v = 0.05 * sin(6.0 * c.xc);
    c.q[0] = 1.0 + 0.2 * exp(-60.0 * r2); c.q[1] = c.q[0] * u; c.q[2] = c.q[0] * v;
    c.q[3] = p / (GAM - 1.0) + 0.5 * c.q[0] * (u * u + v * v);
    for (int k = 0; k < 4; k++) c.res[k] = c.grad[k][0] = c.grad[k][1] = 0.0;
    c.lambda = 0.0;
}

int main()
{
    const int nx = 800, ny = 400, iters = 8;
    std::mt19937 gen(99);
    std::uniform_real_distribution<double> jit(-0.2, 0.2);
    double h = 1.0 / ny;
    std::vector<Pt> pts((nx + 1) * (ny + 1));
    for (int j = 0; j <= ny; j++)
        for (int i = 0; i <= nx; i++) {
            Pt p = { i * h, j * h };
            if (i > 0 && i < nx && j > 0 && j < ny) { p.x += jit(gen) * h; p.y += jit(gen) * h; }
            pts[j * (nx + 1) + i] = p;
        }
    auto P = [&](int i, int j) -> const Pt& { return pts[j * (nx + 1) + i]; };
    auto T = [&](int i, int j, int k) { return (i < 0 || j < 0 || i >= nx || j >= ny) ? -1 : 2 * (j * nx + i) + k; };
    std::vector<Cell> cells(2 * nx * ny);
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++) {
            init_cell(cells[T(i, j, 0)], P(i, j), P(i + 1, j), P(i + 1, j + 1));
            init_cell(cells[T(i, j, 1)], P(i, j), P(i + 1, j + 1), P(i, j + 1));
        }
    std::vector<Edge> edges;
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++) {
            push_edge(edges, cells, P(i, j), P(i + 1, j + 1), T(i, j, 0), T(i, j, 1));
            push_edge(edges, cells, P(i, j), P(i + 1, j), T(i, j, 0), T(i, j - 1, 1));
            push_edge(edges, cells, P(i + 1, j), P(i + 1, j + 1), T(i, j, 0), T(i + 1, j, 1));
            if (i == 0) push_edge(edges, cells, P(0, j), P(0, j + 1), T(i, j, 1), -1);
            if (j == ny - 1) push_edge(edges, cells, P(i, ny), P(i + 1, ny), T(i, j, 1), -1);
        }
    for (size_t s = 0; s < edges.size(); s += 4096)     // mesh generators never give a neat order
        std::shuffle(edges.begin() + s, edges.begin() + std::min(edges.size(), s + 4096), gen);

    int nc = (int)cells.size(), ne = (int)edges.size();
    Cell* d_cells; Edge* d_edges; Norms* d_norms;
    cudaSafe(cudaMalloc(&d_cells, nc * sizeof(Cell)));
    cudaSafe(cudaMalloc(&d_edges, ne * sizeof(Edge)));
    cudaSafe(cudaMalloc(&d_norms, sizeof(Norms)));
    cudaSafe(cudaMemcpy(d_cells, cells.data(), nc * sizeof(Cell), cudaMemcpyHostToDevice));
    cudaSafe(cudaMemcpy(d_edges, edges.data(), ne * sizeof(Edge), cudaMemcpyHostToDevice));

    const int bs = 128, gc = (nc + bs - 1) / bs, ge = (ne + bs - 1) / bs;
    Norms n;
    for (int it = 0; it < iters; it++) {
        zero_accumulators<<<gc, bs>>>(d_cells, nc);
        green_gauss<<<ge, bs>>>(d_cells, d_edges, ne);
        finish_gradients<<<gc, bs>>>(d_cells, nc);
        edge_flux<<<ge, bs>>>(d_cells, d_edges, ne);
        update_cells<<<gc, bs>>>(d_cells, nc, 0.5);
        cudaSafe(cudaMemset(d_norms, 0, sizeof(Norms)));
        residual_norm<<<512, bs>>>(d_cells, nc, d_norms);
        cudaSafe(cudaGetLastError());
        cudaSafe(cudaMemcpy(&n, d_norms, sizeof(Norms), cudaMemcpyDeviceToHost));
    }
    cudaSafe(cudaMemcpy(cells.data(), d_cells, nc * sizeof(Cell), cudaMemcpyDeviceToHost));
    double mass = 0, en = 0;
    for (int c = 0; c < nc; c++) { mass += cells[c].q[0] * cells[c].area; en += cells[c].q[3] * cells[c].area; }
    printf("cells %u edges %d  res %.6e  mass %.6f energy %.6f\n", n.updated, ne, sqrt(n.l2[0]), mass, en);
    cudaFree(d_cells); cudaFree(d_edges); cudaFree(d_norms);
    return 0;
}
