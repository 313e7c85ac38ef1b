// qstate.cu - small state vector simulator for quantum circuits
//
// Amplitudes are stored as an array of {re, im} pairs, qubit 0 is the least
// significant bit of the basis index.
#include <cstdio>
#include <cstdlib>
#include <cmath>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call)                                                          \
    do {                                                                     \
        cudaError_t err_ = (call);                                           \
        if (err_ != cudaSuccess) {                                           \
            fprintf(stderr, "CUDA error %s at %s:%d\n",                      \
                    cudaGetErrorString(err_), __FILE__, __LINE__);           \
            exit(EXIT_FAILURE);                                              \
        }                                                                    \
    } while (0)

struct Amp {
    double re;
    double im;
};

struct Gate1 { Amp m[2][2]; };

__host__ __device__ inline Amp operator+(Amp a, Amp b) { return {a.re + b.re, a.im + b.im}; }
__host__ __device__ inline Amp operator-(Amp a, Amp b) { return {a.re - b.re, a.im - b.im}; }
__host__ __device__ inline Amp operator*(Amp a, Amp b)
{
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
__device__ inline double norm2(const Amp &a) { return a.re * a.re + a.im * a.im; }

// insert a zero bit at position q
__device__ inline unsigned long long insertZero(unsigned long long i, int q)
{
    unsigned long long low = i & ((1ULL << q) - 1ULL);
    return ((i >> q) << (q + 1)) | low;
}

__global__ void initState(Amp *psi, unsigned long long n)
{
    unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x;
    if (i >= n) return;
    psi[i].re = (i == 0) ? 1.0 : 0.0;
    psi[i].im = 0.0;
}

__global__ void applyGate1(Amp *psi, Gate1 g, int q, unsigned long long pairs)
{
    unsigned long long t = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x;
    if (t >= pairs) return;
    unsigned long long i0 = insertZero(t, q);
    unsigned long long i1 = i0 | (1ULL << q);
    Amp a = psi[i0];
    Amp b = psi[i1];
    psi[i0] = g.m[0][0] * a + g.m[0][1] * b;
    psi[i1] = g.m[1][0] * a + g.m[1][1] * b;
}

__global__ void applyControlled(Amp *psi, Gate1 g, int ctrl, int target, unsigned long long quads)
{
    unsigned long long t = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x;
    if (t >= quads) return;
    int lo = min(ctrl, target), hi = max(ctrl, target);
    unsigned long long base = insertZero(insertZero(t, lo), hi) | (1ULL << ctrl);
    unsigned long long other = base | (1ULL << target);
    Amp a = psi[base];
    Amp b = psi[other];
    psi[base] = g.m[0][0] * a + g.m[0][1] * b;
    psi[other] = g.m[1][0] * a + g.m[1][1] * b;
}

// swap two qubits
__global__ void applySwap(Amp *psi, int qa, int qb, unsigned long long quads)
{
    unsigned long long t = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x;
    if (t >= quads) return;
    int lo = min(qa, qb), hi = max(qa, qb);
    unsigned long long base = insertZero(insertZero(t, lo), hi);
    unsigned long long i01 = base | (1ULL << lo);
    unsigned long long i10 = base | (1ULL << hi);
    Amp tmp = psi[i01];
    psi[i01] = psi[i10];
    psi[i10] = tmp;
}

// diagonal phase, exp(i * phi) when both bits are set
__global__ void applyCPhase(Amp *psi, double phi, int qa, int qb, unsigned long long n)
{
    unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x;
    if (i >= n) return;
    if (((i >> qa) & 1ULL) && ((i >> qb) & 1ULL)) {
        double s, c;
        sincos(phi, &s, &c);
        double re = psi[i].re, im = psi[i].im;
        psi[i].re = c * re - s * im;
        psi[i].im = c * im + s * re;
    }
}

// P(qubit q == 1), block reduction followed by one atomic
__global__ void probOne(const Amp *__restrict__ psi, int q, unsigned long long n, double *out)
{
    __shared__ double part[256];
    double acc = 0.0;
    unsigned long long stride = (unsigned long long)gridDim.x * blockDim.x;
    for (unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x; i < n; i += stride)
        if ((i >> q) & 1ULL) acc += norm2(psi[i]);
    part[threadIdx.x] = acc;
    __syncthreads();
    for (int s = 128; s > 0; s >>= 1) {
        if (threadIdx.x < s) part[threadIdx.x] += part[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x == 0) atomicAdd(out, part[0]);
}

__global__ void expectZZ(const Amp *__restrict__ psi, int qa, int qb, unsigned long long n, double *out)
{
    double acc = 0.0;
    unsigned long long stride = (unsigned long long)gridDim.x * blockDim.x;
    for (unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x; i < n; i += stride) {
        int parity = (int)(((i >> qa) ^ (i >> qb)) & 1ULL);
        double p = psi[i].re * psi[i].re + psi[i].im * psi[i].im;
        acc += parity ? -p : p;
    }
    for (int off = 16; off > 0; off >>= 1) acc += __shfl_down_sync(0xffffffffu, acc, off);
    if ((threadIdx.x & 31) == 0) atomicAdd(out, acc);
}

static Gate1 hadamard()
{
    double r = 1.0 / sqrt(2.0);
    Gate1 g = {{{{r, 0}, {r, 0}}, {{r, 0}, {-r, 0}}}};
    return g;
}

static Gate1 rx(double th)
{
    double c = cos(th / 2), s = sin(th / 2);
    Gate1 g = {{{{c, 0}, {0, -s}}, {{0, -s}, {c, 0}}}};
    return g;
}

static Gate1 pauliX()
{
    Gate1 g = {{{{0, 0}, {1, 0}}, {{1, 0}, {0, 0}}}};
    return g;
}

int main()
{
    const int nq = 25;
    const unsigned long long n = 1ULL << nq;
    const int B = 256;
    Amp *psi;
    double *res;
    const int nres = 2 * nq;
    CHECK(cudaMalloc(&psi, n * sizeof(Amp)));
    CHECK(cudaMalloc(&res, nres * sizeof(double)));

    const unsigned gFull = (unsigned)(n / B), gHalf = (unsigned)(n / 2 / B), gQuart = (unsigned)(n / 4 / B);
    std::vector<double> h(nres);
    double sp = 0, sz = 0;
    srand(1234);
    for (int circuit = 0; circuit < 5; circuit++) {
        CHECK(cudaMemset(res, 0, nres * sizeof(double)));
        initState<<<gFull, B>>>(psi, n);
        for (int q = 0; q < nq; q += 1 + circuit % 2)
            applyGate1<<<gHalf, B>>>(psi, hadamard(), q, n / 2);
        for (int q = circuit; q < nq; q += 3) {
            double th = 3.14159265 * (rand() % 1000) / 1000.0;
            applyGate1<<<gHalf, B>>>(psi, rx(th), q, n / 2);
        }
        for (int q = circuit % 3; q + 1 < nq; q += 4) {
            applyControlled<<<gQuart, B>>>(psi, (q & 4) ? pauliX() : rx(0.3 + 0.01 * q), q, q + 1, n / 4);
            applyCPhase<<<gFull, B>>>(psi, 0.1 * (q + 1), q, (q + 7) % nq, n);
        }
        for (int k = 0; k < 4; k++)
            applySwap<<<gQuart, B>>>(psi, k, nq - 1 - k, n / 4);
        CHECK(cudaGetLastError());

        for (int q = 0; q < 4; q++) {
            probOne<<<1056, 256>>>(psi, 5 * q, n, res + q);
            expectZZ<<<1056, 256>>>(psi, q, 2 * q + 5, n, res + nq + q);
        }
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpy(h.data(), res, nres * sizeof(double), cudaMemcpyDeviceToHost));
        for (int q = 0; q < 4; q++) { sp += h[q]; sz += h[nq + q]; }
    }
    printf("qstate: sum P(1) = %.6f  sum <ZZ> = %.6f\n", sp, sz);
    CHECK(cudaFree(psi));
    CHECK(cudaFree(res));
    return 0;
}
