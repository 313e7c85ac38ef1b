// Spiking network of Izhikevich neurons (1 ms steps, two half steps for v),
// exponentially decaying synaptic currents, per-synapse records with
// short term depression and a simple pair STDP trace rule.
#include <iostream>
#include <vector>
#include <cstdint>
#include <cstdlib>
#include <cuda_runtime.h>

inline void cudaCheck(cudaError_t code, const char* file, int line)
{
    if (code != cudaSuccess) {
        std::cerr << "CUDA: " << cudaGetErrorString(code) << " " << file << ":" << line << std::endl;
        std::exit(1);
    }
}
#define CUDA_CHECK(x) cudaCheck((x), __FILE__, __LINE__)

struct Neuron {
    float v, u;            // membrane state
    float a, b, c, d;      // Izhikevich parameters
    float iExc, iInh;      // synaptic currents
    float trace;           // spike trace for plasticity
    int   lastSpike;
    int   nSpikes;
    unsigned rng;
    bool  fired;
    bool  inhibitory;
};

struct Synapse {
    int   pre;
    int   post;
    float weight;
    float wMax;
    float resource;        // short term depression
    unsigned char plastic;
};

struct PopulationStats {
    float meanV;
    float meanU;
    int   spikes;
};

__device__ unsigned xorshift(unsigned& s)
{
    s ^= s << 13;
    s ^= s >> 17;
    s ^= s << 5;
    return s;
}

__device__ float uniform01(unsigned& s) { return (xorshift(s) >> 8) * (1.0f / 16777216.0f); }

__global__ void decayCurrents(Neuron* neurons, int n, float decE, float decI)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        neurons[i].iExc *= decE;
        neurons[i].iInh *= decI;
    }
}

__global__ void updateNeurons(Neuron* neurons, int n, int step, float noise)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Neuron& nr = neurons[i];

    unsigned s = nr.rng;
    // sum of three uniforms for a rough Gaussian
    float g = uniform01(s) + uniform01(s) + uniform01(s) - 1.5f;
    nr.rng = s;

    float I = nr.iExc - nr.iInh + noise * g * (nr.inhibitory ? 4.0f : 10.0f);
    float v = nr.v, u = nr.u;
    v += 0.5f * (0.04f * v * v + 5.0f * v + 140.0f - u + I);
    v += 0.5f * (0.04f * v * v + 5.0f * v + 140.0f - u + I);
    u += nr.a * (nr.b * v - u);

    bool fired = v >= 30.0f;
    if (fired) {
        v = nr.c;
        u += nr.d;
        nr.lastSpike = step;
        nr.nSpikes++;
    }
    nr.trace = nr.trace * 0.95f + (fired ? 1.0f : 0.0f);
    nr.v = v;
    nr.u = u;
    nr.fired = fired;
}

// one thread per synapse
__global__ void deliverSpikes(Neuron* neurons, Synapse* synapses, int nSyn)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k >= nSyn) return;
    Synapse* sy = &synapses[k];
    const Neuron* pre = &neurons[sy->pre];
    if (pre->fired) {
        float amount = sy->weight * sy->resource;
        if (pre->inhibitory)
            atomicAdd(&neurons[sy->post].iInh, amount);
        else
            atomicAdd(&neurons[sy->post].iExc, amount);
        sy->resource *= 0.8f;
    } else {
        sy->resource += 0.005f * (1.0f - sy->resource);
    }
}

__global__ void stdp(const Neuron* __restrict__ neurons, Synapse* synapses, int nSyn, float lr)
{
    for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < nSyn; k += gridDim.x * blockDim.x) {
        if (!synapses[k].plastic) continue;
        const Neuron& pre = neurons[synapses[k].pre];
        const Neuron& post = neurons[synapses[k].post];
        float dw = 0.0f;
        if (post.fired) dw += lr * pre.trace;
        if (pre.fired) dw -= 1.05f * lr * post.trace;
        float w = synapses[k].weight + dw;
        synapses[k].weight = fminf(fmaxf(w, 0.0f), synapses[k].wMax);
    }
}

__global__ void collectStats(const Neuron* neurons, int n, PopulationStats* st)
{
    __shared__ float sv[256], su[256];
    __shared__ int sc;
    int tid = threadIdx.x;
    if (tid == 0) sc = 0;
    float v = 0.f, u = 0.f;
    int c = 0;
    for (int i = blockIdx.x * blockDim.x + tid; i < n; i += gridDim.x * blockDim.x) {
        v += neurons[i].v;
        u += neurons[i].u;
        c += neurons[i].fired;
    }
    sv[tid] = v;
    su[tid] = u;
    __syncthreads();
    atomicAdd(&sc, c);
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s) {
            sv[tid] += sv[tid + s];
            su[tid] += su[tid + s];
        }
        __syncthreads();
    }
    if (tid == 0) {
        atomicAdd(&st->meanV, sv[0] / n);
        atomicAdd(&st->meanU, su[0] / n);
        atomicAdd(&st->spikes, sc);
    }
}

static uint32_t hostRng = 20240501u;
static float frand()
{
    hostRng = hostRng * 1103515245u + 12345u;
    return ((hostRng >> 8) & 0xffffff) / 16777216.0f;
}

int main()
{
    const int nNeurons = 2000000;
    const int fanout = 8;
    const int nSyn = nNeurons * fanout;
    const int steps = 10;

    std::vector<Neuron> neurons(nNeurons);
    for (int i = 0; i < nNeurons; ++i) {
        Neuron nr = {};
        float r = frand();
        nr.inhibitory = (i % 5) == 4;
        if (!nr.inhibitory) {
            nr.a = 0.02f; nr.b = 0.2f;
            nr.c = -65.0f + 15.0f * r * r;
            nr.d = 8.0f - 6.0f * r * r;
        } else {
            nr.a = 0.02f + 0.08f * r; nr.b = 0.25f - 0.05f * r;
            nr.c = -65.0f; nr.d = 2.0f;
        }
        nr.v = -65.0f + 20.0f * frand();
        nr.u = nr.b * nr.v;
        nr.iExc = 12.0f * frand();
        nr.lastSpike = -1000;
        nr.rng = 0x9E3779B9u * (unsigned)(i + 1) | 1u;
        neurons[i] = nr;
    }
    std::vector<Synapse> syn(nSyn);
    for (int k = 0; k < nSyn; ++k) {
        Synapse s = {};
        s.pre = k / fanout;
        // mostly local connections, a tenth of them long range
        if (frand() < 0.9f)
            s.post = (s.pre + 1 + (int)(frand() * 2000.0f)) % nNeurons;
        else
            s.post = (int)(frand() * (nNeurons - 1));
        s.wMax = 4.0f;
        s.weight = 3.0f * frand();
        s.resource = 1.0f;
        s.plastic = (s.pre % 5) != 4;
        syn[k] = s;
    }

    Neuron* dN;
    Synapse* dS;
    PopulationStats* dStats;
    CUDA_CHECK(cudaMalloc(&dN, sizeof(Neuron) * nNeurons));
    CUDA_CHECK(cudaMalloc(&dS, sizeof(Synapse) * nSyn));
    CUDA_CHECK(cudaMalloc(&dStats, sizeof(PopulationStats) * steps));
    CUDA_CHECK(cudaMemcpy(dN, neurons.data(), sizeof(Neuron) * nNeurons, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(dS, syn.data(), sizeof(Synapse) * nSyn, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemset(dStats, 0, sizeof(PopulationStats) * steps));

    const int tpb = 256;
    const int nb = (nNeurons + tpb - 1) / tpb;
    for (int t = 0; t < steps; ++t) {
        updateNeurons<<<nb, tpb>>>(dN, nNeurons, t, 2.0f);
        decayCurrents<<<nb, tpb>>>(dN, nNeurons, 0.82f, 0.9f);
        deliverSpikes<<<(nSyn + tpb - 1) / tpb, tpb>>>(dN, dS, nSyn);
        stdp<<<132 * 16, 128>>>(dN, dS, nSyn, 0.01f);
        collectStats<<<528, 256>>>(dN, nNeurons, dStats + t);
        CUDA_CHECK(cudaGetLastError());
    }
    CUDA_CHECK(cudaDeviceSynchronize());

    std::vector<PopulationStats> st(steps);
    CUDA_CHECK(cudaMemcpy(st.data(), dStats, sizeof(PopulationStats) * steps, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaMemcpy(syn.data(), dS, sizeof(Synapse) * nSyn, cudaMemcpyDeviceToHost));
    long spikes = 0;
    for (auto& s : st) spikes += s.spikes;
    double w = 0;
    for (int k = 0; k < nSyn; k += 16) w += syn[k].weight;
    std::cout << "neurons: spikes " << spikes << " meanV " << st.back().meanV << " w " << w << std::endl;
    cudaFree(dN); cudaFree(dS); cudaFree(dStats);
    return 0;
}
