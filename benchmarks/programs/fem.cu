// Explicit total-Lagrangian FEM with linear tetrahedra (neo-Hookean beam).
// elementForces writes per-element nodal forces, integrateNodes gathers
// them through per-node element lists and steps the node.
#include <cstdio>
#include <cstdlib>
#include <cmath>
#include <vector>
#include <cuda_runtime.h>

#define CUDA_OK(expr)                                                                        \
    do {                                                                                     \
        cudaError_t st = (expr);                                                             \
        if (st != cudaSuccess) {                                                             \
            fprintf(stderr, "[%s:%d] %s -> %s\n", __FILE__, __LINE__, #expr, cudaGetErrorString(st)); \
            std::exit(1);                                                                    \
        }                                                                                    \
    } while (0)

namespace fem {

struct Node {
    float3 X;            // reference position
    float3 u;            // displacement
    float3 v;            // velocity
    float  mass;
    int    listBegin, listEnd;
    unsigned char fixed;
};

struct Tet {
    int   n[4];
    float G[4][3];       // shape function gradients (reference)
    float vol;
    short material;
    short failed;
};

struct Material { float mu, lambda, density, damping; };
struct ElemForce { float3 f[4]; };
struct ElemState { float J; float vonMises; float energy; };

struct Mat3 {
    float a[3][3];
    __device__ Mat3() {}
    __device__ float det() const
    {
        return a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1])
             - a[0][1] * (a[1][0] * a[2][2] - a[1][2] * a[2][0])
             + a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0]);
    }
    __device__ Mat3 cofactor() const     // = det * inverse transpose
    {
        Mat3 c;
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) {
                int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
                c.a[i][j] = a[i1][j1] * a[i2][j2] - a[i1][j2] * a[i2][j1];
            }
        return c;
    }
};

__constant__ Material c_mat[4];

__global__ void elementForces(const Tet* __restrict__ tets, const Node* __restrict__ nodes,
                              ElemForce* __restrict__ forces, ElemState* __restrict__ state, int nTets)
{
    const int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= nTets) return;

    const Tet& t = tets[e];
    Mat3 F;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) F.a[i][j] = (i == j) ? 1.0f : 0.0f;
    for (int k = 0; k < 4; ++k) {
        const float3 u = nodes[t.n[k]].u;
        for (int j = 0; j < 3; ++j) {
            F.a[0][j] += u.x * t.G[k][j];
            F.a[1][j] += u.y * t.G[k][j];
            F.a[2][j] += u.z * t.G[k][j];
        }
    }

    const Material m = c_mat[t.material];
    float J = fmaxf(F.det(), 0.05f);
    float lnJ = logf(J);
    Mat3 C = F.cofactor();
    float invJ = 1.0f / J;

    // P = mu (F - F^-T) + lambda ln(J) F^-T
    Mat3 P;
    float I1 = 0.0f;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            float FinvT = C.a[i][j] * invJ;
            P.a[i][j] = m.mu * (F.a[i][j] - FinvT) + m.lambda * lnJ * FinvT;
            I1 += F.a[i][j] * F.a[i][j];
        }

    ElemForce out;
    for (int k = 0; k < 4; ++k) {
        out.f[k].x = -t.vol * (P.a[0][0] * t.G[k][0] + P.a[0][1] * t.G[k][1] + P.a[0][2] * t.G[k][2]);
        out.f[k].y = -t.vol * (P.a[1][0] * t.G[k][0] + P.a[1][1] * t.G[k][1] + P.a[1][2] * t.G[k][2]);
        out.f[k].z = -t.vol * (P.a[2][0] * t.G[k][0] + P.a[2][1] * t.G[k][1] + P.a[2][2] * t.G[k][2]);
    }
    forces[e] = out;

    // Cauchy stress for output: sigma = P F^T / J
    float s[3][3];
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            s[i][j] = invJ * (P.a[i][0] * F.a[j][0] + P.a[i][1] * F.a[j][1] + P.a[i][2] * F.a[j][2]);
    float d0 = s[0][0] - s[1][1], d1 = s[1][1] - s[2][2], d2 = s[2][2] - s[0][0];
    float shear = s[0][1] * s[0][1] + s[1][2] * s[1][2] + s[0][2] * s[0][2];
    state[e].J = J;
    state[e].vonMises = sqrtf(0.5f * (d0 * d0 + d1 * d1 + d2 * d2) + 3.0f * shear);
    state[e].energy = t.vol * (0.5f * m.mu * (I1 - 3.0f) - m.mu * lnJ + 0.5f * m.lambda * lnJ * lnJ);
}

__global__ void integrateNodes(Node* nodes, const int* __restrict__ elemList, const ElemForce* __restrict__ forces,
                               int nNodes, float dt, float3 gravity, float damping)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= nNodes) return;
    Node nd = nodes[i];
    if (nd.fixed) return;
    float fx = 0.0f, fy = 0.0f, fz = 0.0f;
    for (int k = nd.listBegin; k < nd.listEnd; ++k) {
        int code = elemList[k];                     // 4 * tet + local corner
        const float3 f = forces[code >> 2].f[code & 3];
        fx += f.x; fy += f.y; fz += f.z;
    }
    const float im = 1.0f / nd.mass;
    const float damp = 1.0f / (1.0f + damping * dt);
    nd.v.x = (nd.v.x + dt * (fx * im + gravity.x)) * damp;
    nd.v.y = (nd.v.y + dt * (fy * im + gravity.y)) * damp;
    nd.v.z = (nd.v.z + dt * (fz * im + gravity.z)) * damp;
    nd.u.x += dt * nd.v.x;
    nd.u.y += dt * nd.v.y;
    nd.u.z += dt * nd.v.z;
    nodes[i].v = nd.v;
    nodes[i].u = nd.u;
}

// mark elements above the yield stress, count them and sum the strain energy
__global__ void checkElements(Tet* tets, const ElemState* __restrict__ state, int nTets, float yield,
                              double* energy, int* nFailed)
{
    const int e = blockIdx.x * blockDim.x + threadIdx.x;
    float en = 0.0f;
    int bad = 0;
    if (e < nTets) {
        en = state[e].energy;
        bad = state[e].vonMises > yield || state[e].J <= 0.05f;
        if (bad) tets[e].failed = 1;
    }
    for (int off = 16; off > 0; off >>= 1) {
        en += __shfl_down_sync(0xffffffffu, en, off);
        bad += __shfl_down_sync(0xffffffffu, bad, off);
    }
    if ((threadIdx.x & 31) == 0) {
        atomicAdd(energy, (double)en);
        if (bad) atomicAdd(nFailed, bad);
    }
}

} // namespace fem

using namespace fem;

int main()
{
    const int nx = 128, ny = 40, nz = 40, steps = 10;
    const float h = 0.02f, dt = 2.0e-5f;
    Material mats[4] = { { 4.0e5f, 6.0e5f, 1000.0f, 0.5f }, { 8.0e5f, 1.2e6f, 1100.0f, 0.5f },
                         { 2.0e5f, 3.0e5f,  900.0f, 0.5f }, { 4.0e5f, 6.0e5f, 1000.0f, 0.5f } };
    CUDA_OK(cudaMemcpyToSymbol(c_mat, mats, sizeof(mats)));
    srand(31337);

    const int nNodes = (nx + 1) * (ny + 1) * (nz + 1);
    std::vector<Node> nodes(nNodes);
    for (int k = 0; k <= nz; ++k)
        for (int j = 0; j <= ny; ++j)
            for (int i = 0; i <= nx; ++i) {
                Node& n = nodes[(k * (ny + 1) + j) * (nx + 1) + i];
                float r[3];
                for (int d = 0; d < 3; ++d) r[d] = 0.15f * h * (rand() / (float)RAND_MAX - 0.5f);
                n.X = make_float3(i * h + r[0], j * h + r[1], k * h + r[2]);
                n.u = make_float3(0.0f, 0.0f, 0.0f);
                n.v = make_float3(0.0f, 0.0f, -40.0f * i / nx);
                n.mass = 0.0f; n.listBegin = n.listEnd = 0;
                n.fixed = i == 0;
            }

    // Kuhn subdivision: six tets per cube, one per permutation of the axes
    const int perm[6][3] = { {0,1,2}, {0,2,1}, {1,0,2}, {1,2,0}, {2,0,1}, {2,1,0} };
    std::vector<Tet> tets;
    tets.reserve((size_t)6 * nx * ny * nz);
    for (int k = 0; k < nz; ++k)
        for (int j = 0; j < ny; ++j)
            for (int i = 0; i < nx; ++i)
                for (int p = 0; p < 6; ++p) {
                    Tet t;
                    int c[3] = { i, j, k };
                    for (int q = 0; q < 4; ++q) {
                        t.n[q] = (c[2] * (ny + 1) + c[1]) * (nx + 1) + c[0];
                        if (q < 3) c[perm[p][q]] += 1;
                    }
                    float E[3][3];
                    float3 x0 = nodes[t.n[0]].X;
                    for (int q = 0; q < 3; ++q) {
                        float3 x = nodes[t.n[q + 1]].X;
                        E[q][0] = x.x - x0.x; E[q][1] = x.y - x0.y; E[q][2] = x.z - x0.z;
                    }
                    // rows of the cofactor matrix over det are the gradients of N1..N3
                    float cof[3][3], det = 0.0f;
                    for (int a = 0; a < 3; ++a)
                        for (int b = 0; b < 3; ++b)
                            cof[a][b] = E[(a + 1) % 3][(b + 1) % 3] * E[(a + 2) % 3][(b + 2) % 3]
                                      - E[(a + 1) % 3][(b + 2) % 3] * E[(a + 2) % 3][(b + 1) % 3];
                    for (int b = 0; b < 3; ++b) det += E[0][b] * cof[0][b];
                    for (int b = 0; b < 3; ++b) {
                        t.G[0][b] = 0.0f;
                        for (int a = 0; a < 3; ++a) { t.G[a + 1][b] = cof[a][b] / det; t.G[0][b] -= t.G[a + 1][b]; }
                    }
                    t.vol = fabsf(det) / 6.0f;
                    t.material = (short)((i / 16) % 3);
                    t.failed = 0;
                    for (int q = 0; q < 4; ++q) {
                        nodes[t.n[q]].mass += 0.25f * t.vol * mats[t.material].density;
                        nodes[t.n[q]].listEnd++;
                    }
                    tets.push_back(t);
                }
    const int nTets = (int)tets.size();
    int run = 0;
    for (int i = 0; i < nNodes; ++i) { int c = nodes[i].listEnd; nodes[i].listBegin = nodes[i].listEnd = run; run += c; }
    std::vector<int> list(run);
    for (int e = 0; e < nTets; ++e)
        for (int q = 0; q < 4; ++q) list[nodes[tets[e].n[q]].listEnd++] = 4 * e + q;

    Node* dNodes; Tet* dTets; int *dList, *dFailed; ElemForce* dForce; ElemState* dState; double* dEnergy;
    CUDA_OK(cudaMalloc(&dNodes, nNodes * sizeof(Node)));
    CUDA_OK(cudaMalloc(&dTets, nTets * sizeof(Tet)));
    CUDA_OK(cudaMalloc(&dList, list.size() * sizeof(int)));
    CUDA_OK(cudaMalloc(&dForce, nTets * sizeof(ElemForce)));
    CUDA_OK(cudaMalloc(&dState, nTets * sizeof(ElemState)));
    CUDA_OK(cudaMalloc(&dEnergy, sizeof(double)));
    CUDA_OK(cudaMalloc(&dFailed, sizeof(int)));
    CUDA_OK(cudaMemcpy(dNodes, nodes.data(), nNodes * sizeof(Node), cudaMemcpyHostToDevice));
    CUDA_OK(cudaMemcpy(dTets, tets.data(), nTets * sizeof(Tet), cudaMemcpyHostToDevice));
    CUDA_OK(cudaMemcpy(dList, list.data(), list.size() * sizeof(int), cudaMemcpyHostToDevice));

    for (int s = 0; s < steps; ++s) {
        elementForces<<<(nTets + 191) / 192, 192>>>(dTets, dNodes, dForce, dState, nTets);
        integrateNodes<<<(nNodes + 127) / 128, 128>>>(dNodes, dList, dForce, nNodes, dt, make_float3(0.0f, 0.0f, -9.81f), mats[0].damping);
        CUDA_OK(cudaMemset(dEnergy, 0, sizeof(double)));
        CUDA_OK(cudaMemset(dFailed, 0, sizeof(int)));
        checkElements<<<(nTets + 255) / 256, 256>>>(dTets, dState, nTets, 3.0e3f, dEnergy, dFailed);
        CUDA_OK(cudaGetLastError());
    }
    double energy; int failed;
    CUDA_OK(cudaMemcpy(&energy, dEnergy, sizeof(double), cudaMemcpyDeviceToHost));
    CUDA_OK(cudaMemcpy(&failed, dFailed, sizeof(int), cudaMemcpyDeviceToHost));
    CUDA_OK(cudaMemcpy(nodes.data(), dNodes, nNodes * sizeof(Node), cudaMemcpyDeviceToHost));
    double uz = 0.0;
    for (int i = 0; i < nNodes; ++i) uz += nodes[i].u.z;
    printf("nodes %d tets %d  mean uz %.6e  energy %.6e  yielded %d\n", nNodes, nTets, uz / nNodes, energy, failed);

    cudaFree(dNodes); cudaFree(dTets); cudaFree(dList); cudaFree(dForce);
    cudaFree(dState); cudaFree(dEnergy); cudaFree(dFailed);
    return 0;
}
