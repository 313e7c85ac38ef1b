// Agent based SEIR model. Agents do random walks on a torus of cells; the
// infection pressure in a cell depends on the infectious agents in it.
#include <cstdio>
#include <cstdlib>
#include <cstdint>
#include <cuda_runtime.h>

#define CU(x) { cudaError_t e = x; if (e != cudaSuccess) { printf("%s:%d %s\n", __FILE__, __LINE__, cudaGetErrorString(e)); exit(2); } }

constexpr int W = 1024;
constexpr int H = 1024;

enum Health : unsigned char { SUSCEPTIBLE = 0, EXPOSED = 1, INFECTIOUS = 2, RECOVERED = 3 };

struct Agent {
    short    x, y;
    short    homeX, homeY;
    uint64_t rng;
    float    age;
    float    immunity;
    float    viralLoad;
    short    daysInState;
    uint8_t  health;
    uint8_t  masked;
};

struct Cell {
    int   population;
    int   infectious;
    float pressure;
    float ventilation;
};

struct Summary {
    unsigned long long count[4];
    unsigned long long newCases;
    float totalLoad;
};

__device__ __forceinline__ float nextRand(uint64_t &state)
{
    uint64_t old = state;
    state = old * 6364136223846793005ULL + 1442695040888963407ULL;
    uint32_t xs = (uint32_t)(((old >> 18u) ^ old) >> 27u);
    uint32_t rot = (uint32_t)(old >> 59u);
    uint32_t r = (xs >> rot) | (xs << ((-rot) & 31));
    return (r >> 8) * (1.0f / 16777216.0f);
}

__device__ __forceinline__ int wrap(int v, int n) { return v < 0 ? v + n : (v >= n ? v - n : v); }

__global__ void clearCells(Cell *cells)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= W || y >= H) return;
    Cell &c = cells[y * W + x];
    c.population = 0;
    c.infectious = 0;
    c.pressure *= 0.3f;    // some virus stays in the air
}

__global__ void moveAgents(Agent *agents, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    uint64_t rng = agents[i].rng;
    int x = agents[i].x, y = agents[i].y;
    float r = nextRand(rng);
    if (r < 0.10f) {
        // go home
        x = agents[i].homeX;
        y = agents[i].homeY;
    } else if (agents[i].health != INFECTIOUS || r > 0.6f) {
        int dx = (int)(nextRand(rng) * 3.0f) - 1;
        int dy = (int)(nextRand(rng) * 3.0f) - 1;
        x = wrap(x + dx, W);
        y = wrap(y + dy, H);
    }
    agents[i].x = (short)x;
    agents[i].y = (short)y;
    agents[i].rng = rng;
}

__global__ void countCells(const Agent *__restrict__ agents, Cell *cells, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Cell *c = &cells[(int)agents[i].y * W + agents[i].x];
    atomicAdd(&c->population, 1);
    if (agents[i].health == INFECTIOUS) {
        atomicAdd(&c->infectious, 1);
        float shed = agents[i].viralLoad * (agents[i].masked ? 0.25f : 1.0f);
        atomicAdd(&c->pressure, shed / c->ventilation);
    }
}

__global__ void infect(Agent *agents, const Cell *__restrict__ cells, int n, float beta, Summary *sum)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    if (agents[i].health != SUSCEPTIBLE) return;

    const Cell &here = cells[(int)agents[i].y * W + agents[i].x];
    float p = here.pressure / (float)max(here.population, 1);
    p *= beta * (1.0f - agents[i].immunity) * (agents[i].masked ? 0.5f : 1.0f);
    if (agents[i].age > 65.0f) p *= 1.5f;
    float prob = 1.0f - __expf(-p);
    if (nextRand(agents[i].rng) < prob) {
        agents[i].health = EXPOSED;
        agents[i].daysInState = 0;
        agents[i].viralLoad = 0.05f;
        atomicAdd(&sum->newCases, 1ULL);
    }
}

__global__ void progress(Agent *agents, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Agent a = agents[i];
    a.daysInState++;
    switch (a.health) {
    case EXPOSED:
        a.viralLoad *= 1.8f;
        if (a.daysInState >= 2 && nextRand(a.rng) < 0.4f) { a.health = INFECTIOUS; a.daysInState = 0; }
        break;
    case INFECTIOUS:
        a.viralLoad = fminf(a.viralLoad * (a.daysInState < 4 ? 1.3f : 0.7f), 10.0f);
        if (a.daysInState >= 5 && nextRand(a.rng) < 0.25f + 0.002f * (80.0f - a.age)) {
            a.health = RECOVERED;
            a.immunity = 0.95f;
            a.viralLoad = 0.0f;
            a.daysInState = 0;
        }
        break;
    case RECOVERED:
        a.immunity *= 0.995f;
        if (a.immunity < 0.3f) { a.health = SUSCEPTIBLE; a.daysInState = 0; }
        break;
    default:
        a.immunity = fmaxf(a.immunity - 0.0005f, 0.0f);
    }
    agents[i] = a;
}

__global__ void summarise(const Agent *agents, int n, Summary *sum)
{
    __shared__ unsigned bins[4];
    __shared__ float load;
    if (threadIdx.x < 4) bins[threadIdx.x] = 0;
    if (threadIdx.x == 0) load = 0.0f;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        atomicAdd(&bins[agents[i].health], 1u);
        if (agents[i].viralLoad > 0.0f) atomicAdd(&load, agents[i].viralLoad);
    }
    __syncthreads();
    if (threadIdx.x < 4) atomicAdd(&sum->count[threadIdx.x], (unsigned long long)bins[threadIdx.x]);
    if (threadIdx.x == 0) atomicAdd(&sum->totalLoad, load);
}

static uint32_t lcg(uint32_t &s) { s = s * 1664525u + 1013904223u; return s >> 8; }

int main(int, char **)
{
    const int nAgents = 6 * 1000 * 1000;
    const int days = 8;
    Agent *h = (Agent *)calloc(nAgents, sizeof(Agent));
    Cell *hc = (Cell *)calloc(W * H, sizeof(Cell));
    uint32_t seed = 4711;
    for (int i = 0; i < nAgents; i++) {
        Agent &a = h[i];
        a.homeX = a.x = lcg(seed) % W;
        a.homeY = a.y = lcg(seed) % H;
        a.rng = ((uint64_t)lcg(seed) << 32) ^ (uint64_t)i * 0x9E3779B97F4A7C15ULL;
        a.age = (float)(lcg(seed) % 9000) / 100.0f;
        a.immunity = (lcg(seed) % 10 == 0) ? 0.6f : 0.0f;
        a.masked = lcg(seed) % 3 == 0;
        a.health = SUSCEPTIBLE;
        if (lcg(seed) % 50 == 0) { a.health = INFECTIOUS; a.viralLoad = 1.0f; }
    }
    for (int i = 0; i < W * H; i++) hc[i].ventilation = 1.0f + (lcg(seed) % 400) / 100.0f;

    Agent *agents; Cell *cells; Summary *sum;
    CU(cudaMalloc(&agents, nAgents * sizeof(Agent)));
    CU(cudaMalloc(&cells, W * H * sizeof(Cell)));
    CU(cudaMalloc(&sum, days * sizeof(Summary)));
    CU(cudaMemcpy(agents, h, nAgents * sizeof(Agent), cudaMemcpyHostToDevice));
    CU(cudaMemcpy(cells, hc, W * H * sizeof(Cell), cudaMemcpyHostToDevice));
    CU(cudaMemset(sum, 0, days * sizeof(Summary)));

    dim3 cb(32, 8), cg(W / 32, H / 8);
    int tb = 192, g = (nAgents + tb - 1) / tb;
    for (int d = 0; d < days; d++) {
        clearCells<<<cg, cb>>>(cells);
        moveAgents<<<g, tb>>>(agents, nAgents);
        countCells<<<g, tb>>>(agents, cells, nAgents);
        infect<<<g, tb>>>(agents, cells, nAgents, 0.6f, sum + d);
        progress<<<g, tb>>>(agents, nAgents);
        summarise<<<1024, 256>>>(agents, nAgents, sum + d);
        CU(cudaGetLastError());
    }
    CU(cudaDeviceSynchronize());
    Summary hs[days];
    CU(cudaMemcpy(hs, sum, sizeof(hs), cudaMemcpyDeviceToHost));
    unsigned long long cases = 0;
    for (int d = 0; d < days; d++) cases += hs[d].newCases;
    const Summary &L = hs[days - 1];
    printf("epidemic: S %llu E %llu I %llu R %llu cases %llu load %.1f\n",
           L.count[0], L.count[1], L.count[2], L.count[3], cases, L.totalLoad);
    CU(cudaFree(agents)); CU(cudaFree(cells)); CU(cudaFree(sum));
    free(h); free(hc);
    return 0;
}
