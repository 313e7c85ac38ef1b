// Monte Carlo pricing of a small book of options.
// Every thread owns a xorwow generator; blockIdx.y selects the contract.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_runtime.h>

namespace mc {

constexpr int kBlock = 256;
constexpr int kPathBlocks = 64;
constexpr int kContracts = 16;
constexpr int kTerminalPaths = 96;  // per thread
constexpr int kFullPaths = 8;       // per thread
constexpr int kRounds = 6;

enum OptionKind : int { CALL = 0, PUT = 1, ASIAN_CALL = 2, UP_OUT_CALL = 3 };

struct RngState {
    uint32_t x, y, z, w, v;
    uint32_t d;
    float spare;
    int hasSpare;
};

struct Contract {
    float spot, strike;
    float rate, sigma;
    float maturity, barrier;
    int steps;
    OptionKind kind;
};

struct Estimate {
    double sum;
    double sumSq;
    unsigned int count;

    __host__ __device__ Estimate& operator+=(const Estimate& o)
    {
        sum += o.sum; sumSq += o.sumSq; count += o.count;
        return *this;
    }
};

struct Quote {
    double price;
    double stderror;
    float relError;
    int contract;
};

__device__ inline uint32_t nextU32(RngState& s) {
    uint32_t t = s.x ^ (s.x >> 2);
    s.x = s.y; s.y = s.z; s.z = s.w; s.w = s.v;
    s.v = (s.v ^ (s.v << 4)) ^ (t ^ (t << 1));
    s.d += 362437u;
    return s.v + s.d;
}

__device__ inline float nextUniform(RngState& s) {
    // (0, 1]
    return ((nextU32(s) >> 8) + 1) * (1.0f / 16777216.0f);
}

__device__ inline float nextNormal(RngState& s) {
    if (s.hasSpare) {
        s.hasSpare = 0;
        return s.spare;
    }
    float r = sqrtf(-2.0f * logf(nextUniform(s)));
    float sn, cs;
    sincospif(2.0f * nextUniform(s), &sn, &cs);
    s.spare = r * sn;
    s.hasSpare = 1;
    return r * cs;
}

__device__ inline uint32_t splitmix(uint64_t& z) {
    z += 0x9E3779B97F4A7C15ULL;
    uint64_t r = z;
    r = (r ^ (r >> 30)) * 0xBF58476D1CE4E5B9ULL;
    r = (r ^ (r >> 27)) * 0x94D049BB133111EBULL;
    return (uint32_t)((r ^ (r >> 31)) >> 16);
}

__device__ void blockReduce(Estimate mine, Estimate* out) {
    __shared__ double sSum[kBlock];
    __shared__ double sSq[kBlock];
    __shared__ unsigned int sCnt[kBlock];
    const int t = threadIdx.x;
    sSum[t] = mine.sum;
    sSq[t] = mine.sumSq;
    sCnt[t] = mine.count;
    __syncthreads();
    for (int half = kBlock / 2; half > 0; half /= 2) {
        if (t < half) {
            sSum[t] += sSum[t + half];
            sSq[t] += sSq[t + half];
            sCnt[t] += sCnt[t + half];
        }
        __syncthreads();
    }
    if (t == 0) {
        out->sum += sSum[0];
        out->sumSq += sSq[0];
        out->count += sCnt[0];
    }
}

__global__ void seedStates(RngState* states, int n, uint64_t seed) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    uint64_t z = seed + (uint64_t)i * 0xD1342543DE82EF95ULL;
    RngState s;
    s.x = splitmix(z) | 1u;  s.y = splitmix(z);  s.z = splitmix(z);
    s.w = splitmix(z);  s.v = splitmix(z);  s.d = splitmix(z);
    s.spare = 0.0f;  s.hasSpare = 0;
    states[i] = s;
}

// European payoff: only the terminal value is needed
__global__ void priceTerminal(const Contract* book, RngState* states, Estimate* partial) {
    const Contract c = book[blockIdx.y];
    const int block = blockIdx.y * gridDim.x + blockIdx.x;
    const int tid = block * blockDim.x + threadIdx.x;
    RngState rng = states[tid];
    const float drift = (c.rate - 0.5f * c.sigma * c.sigma) * c.maturity;
    const float vol = c.sigma * sqrtf(c.maturity);
    const float disc = expf(-c.rate * c.maturity);
    Estimate e = {0.0, 0.0, 0u};
    for (int p = 0; p < kTerminalPaths; ++p) {
        float s = c.spot * expf(drift + vol * nextNormal(rng));
        float pay = (c.kind == PUT) ? fmaxf(c.strike - s, 0.0f) : fmaxf(s - c.strike, 0.0f);
        pay *= disc;
        e.sum += pay;
        e.sumSq += (double)pay * pay;
        e.count++;
    }
    states[tid] = rng;
    blockReduce(e, &partial[block]);
}

// Path-dependent payoffs (Asian average, knock-out barrier)
__global__ void pricePaths(const Contract* book, RngState* states, Estimate* partial) {
    const Contract c = book[blockIdx.y];
    const int block = blockIdx.y * gridDim.x + blockIdx.x;
    const int tid = block * blockDim.x + threadIdx.x;
    RngState rng = states[tid];
    const float dt = c.maturity / c.steps;
    const float drift = (c.rate - 0.5f * c.sigma * c.sigma) * dt;
    const float vol = c.sigma * sqrtf(dt);
    const float disc = expf(-c.rate * c.maturity);
    Estimate e = {0.0, 0.0, 0u};
    for (int p = 0; p < kFullPaths; ++p) {
        float s = c.spot;
        float avg = 0.0f;
        bool alive = true;
        for (int k = 0; k < c.steps; ++k) {
            s *= __expf(drift + vol * nextNormal(rng));
            avg += s;
            if (s >= c.barrier) alive = false;
        }
        float pay;
        switch (c.kind) {
            case ASIAN_CALL: pay = fmaxf(avg / c.steps - c.strike, 0.0f); break;
            case UP_OUT_CALL: pay = alive ? fmaxf(s - c.strike, 0.0f) : 0.0f; break;
            case PUT: pay = fmaxf(c.strike - s, 0.0f); break;
            default: pay = fmaxf(s - c.strike, 0.0f); break;
        }
        pay *= disc;
        e += Estimate{pay, (double)pay * pay, 1u};
    }
    states[tid] = rng;
    blockReduce(e, &partial[block]);
}

__global__ void mergeEstimates(const Estimate* partial, int perContract, Quote* quotes, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Estimate e = {0.0, 0.0, 0u};
    for (int b = 0; b < perContract; ++b) e += partial[i * perContract + b];
    double mean = e.sum / e.count;
    double var = e.sumSq / e.count - mean * mean;
    quotes[i].price = mean;
    quotes[i].stderror = sqrt(fmax(var, 0.0) / e.count);
    quotes[i].relError = mean > 0.0 ? (float)(quotes[i].stderror / mean) : 0.0f;
    quotes[i].contract = i;
}

}  // namespace mc

#define CK(x)                                                                   \
    if (cudaError_t e__ = (x)) {                                                \
        fprintf(stderr, "CUDA failure '%s' line %d\n", cudaGetErrorString(e__), __LINE__); \
        return 1;                                                               \
    }

int main() {
    using namespace mc;
    std::vector<Contract> book(kContracts);
    srand(2024);
    for (int i = 0; i < kContracts; ++i) {
        Contract& c = book[i];
        c.spot = 80.0f + rand() % 40;
        c.strike = c.spot * (0.9f + 0.02f * (rand() % 11));
        c.rate = 0.01f + 0.005f * (rand() % 6);
        c.sigma = 0.15f + 0.02f * (rand() % 10);
        c.maturity = 0.25f * (1 + rand() % 8);
        c.barrier = c.spot * 1.6f;
        c.steps = 64;
        c.kind = (OptionKind)(i % 4);
    }
    const int nBlocks = kPathBlocks * kContracts;
    const int nThreads = nBlocks * kBlock;
    Contract* dBook;
    RngState* dStates;
    Estimate *dTerminal, *dPaths;
    Quote *dQuoteT, *dQuoteP;
    CK(cudaMalloc(&dBook, sizeof(Contract) * kContracts));
    CK(cudaMalloc(&dStates, sizeof(RngState) * nThreads));
    CK(cudaMalloc(&dTerminal, sizeof(Estimate) * nBlocks));
    CK(cudaMalloc(&dPaths, sizeof(Estimate) * nBlocks));
    CK(cudaMalloc(&dQuoteT, sizeof(Quote) * kContracts));
    CK(cudaMalloc(&dQuoteP, sizeof(Quote) * kContracts));
    CK(cudaMemcpy(dBook, book.data(), sizeof(Contract) * kContracts, cudaMemcpyHostToDevice));
    CK(cudaMemset(dTerminal, 0, sizeof(Estimate) * nBlocks));
    CK(cudaMemset(dPaths, 0, sizeof(Estimate) * nBlocks));
    dim3 grid(kPathBlocks, kContracts);
    for (int r = 0; r < kRounds; ++r) {
        seedStates<<<nBlocks, kBlock>>>(dStates, nThreads, 0x5EEDULL + 7919ULL * r);
        priceTerminal<<<grid, kBlock>>>(dBook, dStates, dTerminal);
        pricePaths<<<grid, kBlock>>>(dBook, dStates, dPaths);
        mergeEstimates<<<1, 32>>>(dTerminal, kPathBlocks, dQuoteT, kContracts);
        mergeEstimates<<<1, 32>>>(dPaths, kPathBlocks, dQuoteP, kContracts);
    }
    CK(cudaGetLastError());
    CK(cudaDeviceSynchronize());
    std::vector<Quote> qt(kContracts), qp(kContracts);
    CK(cudaMemcpy(qt.data(), dQuoteT, sizeof(Quote) * kContracts, cudaMemcpyDeviceToHost));
    CK(cudaMemcpy(qp.data(), dQuoteP, sizeof(Quote) * kContracts, cudaMemcpyDeviceToHost));
    double total = 0;
    for (int i = 0; i < kContracts; ++i) {
        if (i < 4)
            printf("contract %2d: european %.4f +- %.4f   path %.4f +- %.4f\n", i, qt[i].price,
                   qt[i].stderror, qp[i].price, qp[i].stderror);
        total += qt[i].price + qp[i].price;
    }
    printf("book value %.4f\n", total);
    cudaFree(dBook); cudaFree(dStates); cudaFree(dTerminal);
    cudaFree(dPaths); cudaFree(dQuoteT); cudaFree(dQuoteP);
    return 0;
}
