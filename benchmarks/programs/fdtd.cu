// 2D FDTD, TMz polarisation (Ez, Hx, Hy) with lossy dielectrics.
// Outer boundary: first-order Mur absorbing condition.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CUDA_SAFE_CALL(x)                                                      \
  do {                                                                         \
    const cudaError_t result = (x);                                            \
    if (result != cudaSuccess) {                                               \
      std::fprintf(stderr, "ERROR: %s failed: %s\n", #x, cudaGetErrorString(result)); \
      std::exit(1);                                                            \
    }                                                                          \
  } while (0)

namespace fdtd {

using real = float;

constexpr real kImp0 = 376.730313f;   // free-space impedance
constexpr real kCourant = 0.5f;

struct Cell {
  real ez, hx, hy;
  real ezOld;         // Ez at the previous step
  real ca, cb;        // E update coefficients
  real da, db;        // H update coefficients
  real energy;        // time-averaged energy density
  int material;
};

struct Material {
  real epsr, mur, sigma, sigmam;
};

struct Source {
  int x0, y0, y1;     // soft line source
  real amplitude, omega, delay, width;
};

struct Grid {
  int nx, ny;
  __host__ __device__ int at(int i, int j) const { return j * nx + i; }
};

// Hx(i, j+1/2) and Hy(i+1/2, j)
__global__ void updateH(Cell* __restrict__ cells, Grid g) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= g.nx || j >= g.ny) return;

  Cell& c = cells[g.at(i, j)];
  const real ez = c.ez;
  if (j < g.ny - 1) c.hx = c.da * c.hx - c.db * (cells[g.at(i, j + 1)].ez - ez);
  if (i < g.nx - 1) c.hy = c.da * c.hy + c.db * (cells[g.at(i + 1, j)].ez - ez);
}

__global__ void updateE(Cell* __restrict__ cells, Grid g) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= g.nx || j >= g.ny) return;

  Cell& c = cells[g.at(i, j)];
  const real old = c.ez;
  c.ezOld = old;
  if (i == 0 || j == 0 || i == g.nx - 1 || j == g.ny - 1) return;  // done by the border kernel

  const real curl = (c.hy - cells[g.at(i - 1, j)].hy) - (c.hx - cells[g.at(i, j - 1)].hx);
  c.ez = c.ca * old + c.cb * curl;
}

__global__ void addSource(Cell* cells, Grid g, Source s, int step) {
  const int j = s.y0 + blockIdx.x * blockDim.x + threadIdx.x;
  if (j >= s.y1) return;
  const real t = (step - s.delay) / s.width;
  const real taper = sinf(3.14159265f * (j - s.y0 + 0.5f) / (s.y1 - s.y0));
  cells[g.at(s.x0, j)].ez += s.amplitude * taper * expf(-t * t) * sinf(s.omega * step);
}

__device__ __forceinline__ void mur(Cell& edge, const Cell& inner, real k) {
  edge.ez = inner.ezOld + k * (inner.ez - edge.ezOld);
}

__global__ void absorbBorder(Cell* cells, Grid g) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  const real k = (kCourant - 1.0f) / (kCourant + 1.0f);
  if (t > 0 && t < g.ny - 1) {
    mur(cells[g.at(0, t)], cells[g.at(1, t)], k);
    mur(cells[g.at(g.nx - 1, t)], cells[g.at(g.nx - 2, t)], k);
  }
  if (t > 0 && t < g.nx - 1) {
    mur(cells[g.at(t, 0)], cells[g.at(t, 1)], k);
    mur(cells[g.at(t, g.ny - 1)], cells[g.at(t, g.ny - 2)], k);
  }
}

__global__ void averageEnergy(Cell* __restrict__ cells, const Material* __restrict__ mats,
                              Grid g, real weight) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= g.nx || j >= g.ny) return;
  Cell& c = cells[g.at(i, j)];
  const Material m = mats[c.material];
  const real hz = kImp0 * kImp0 * (c.hx * c.hx + c.hy * c.hy);
  const real u = 0.5f * (m.epsr * c.ez * c.ez + m.mur * hz);
  c.energy += weight * (u - c.energy);
}

// background, a row of dielectric rods, a lossy slab and scattered grains
static int pickMaterial(int i, int j, const Grid& g) {
  if (i > g.nx * 3 / 4 && i < g.nx * 3 / 4 + 96) return 2;
  const int px = i % 128 - 64, py = j % 128 - 64;
  if (i > g.nx / 3 && i < g.nx * 2 / 3 && px * px + py * py < 40 * 40) return 1;
  if (std::rand() % 1000 < 3) return 3;
  return 0;
}

static void buildCells(std::vector<Cell>& cells, const Grid& g, const Material* mats) {
  const real cx = 0.45f * g.nx, cy = 0.5f * g.ny, r0 = 0.15f * g.nx;
  for (int j = 0; j < g.ny; ++j) {
    for (int i = 0; i < g.nx; ++i) {
      Cell& c = cells[g.at(i, j)];
      c.material = pickMaterial(i, j, g);
      const Material& m = mats[c.material];
      const real le = m.sigma * kImp0 * kCourant / (2 * m.epsr);
      const real lm = m.sigmam * kCourant / (2 * m.mur * kImp0);
      c.ca = (1 - le) / (1 + le);
      c.cb = kImp0 * kCourant / m.epsr / (1 + le);
      c.da = (1 - lm) / (1 + lm);
      c.db = kCourant / (kImp0 * m.mur) / (1 + lm);
      // initial wave packet
      const real dx = (i - cx) / r0, dy = (j - cy) / r0, r2 = dx * dx + dy * dy;
      c.ez = r2 < 9.0f ? std::exp(-r2) * std::cos(0.2f * (i - cx)) : 0.0f;
      c.ezOld = c.ez;
      c.hx = c.hy = 0;
      c.energy = 0;
    }
  }
}

}  // namespace fdtd

int main() {
  using namespace fdtd;
  const Grid g = {2048, 1536};
  const int steps = 10;
  const size_t count = (size_t)g.nx * g.ny;
  const Material mats[4] = {
      {1.0f, 1.0f, 0.0f, 0.0f},
      {4.0f, 1.0f, 0.0f, 0.0f},
      {2.2f, 1.0f, 2e-4f, 0.0f},
      {9.0f, 1.2f, 1e-3f, 20.0f},
  };
  const Source src = {64, g.ny / 4, g.ny * 3 / 4, 1.0f, 0.25f, 6.0f, 5.0f};

  std::srand(31415);
  std::vector<Cell> host(count);
  buildCells(host, g, mats);

  Cell* dev = nullptr;
  Material* devMats = nullptr;
  CUDA_SAFE_CALL(cudaMalloc(&dev, count * sizeof(Cell)));
  CUDA_SAFE_CALL(cudaMalloc(&devMats, sizeof(mats)));
  CUDA_SAFE_CALL(cudaMemcpy(dev, host.data(), count * sizeof(Cell), cudaMemcpyHostToDevice));
  CUDA_SAFE_CALL(cudaMemcpy(devMats, mats, sizeof(mats), cudaMemcpyHostToDevice));

  const dim3 block(64, 4);
  const dim3 grid((g.nx + block.x - 1) / block.x, (g.ny + block.y - 1) / block.y);
  const int longest = g.nx > g.ny ? g.nx : g.ny;
  for (int n = 0; n < steps; ++n) {
    updateH<<<grid, block>>>(dev, g);
    updateE<<<grid, block>>>(dev, g);
    addSource<<<(src.y1 - src.y0 + 127) / 128, 128>>>(dev, g, src, n);
    absorbBorder<<<(longest + 127) / 128, 128>>>(dev, g);
    averageEnergy<<<grid, block>>>(dev, devMats, g, 1.0f / (n + 1));
    CUDA_SAFE_CALL(cudaGetLastError());
  }
  CUDA_SAFE_CALL(cudaDeviceSynchronize());
  CUDA_SAFE_CALL(cudaMemcpy(host.data(), dev, count * sizeof(Cell), cudaMemcpyDeviceToHost));

  double e2 = 0, h2 = 0, u = 0;
  for (const Cell& c : host) {
    e2 += (double)c.ez * c.ez;
    h2 += (double)c.hx * c.hx + (double)c.hy * c.hy;
    u += c.energy;
  }
  std::printf("E2 %.6e  H2 %.6e  U %.6e\n", e2, h2, u);

  CUDA_SAFE_CALL(cudaFree(dev));
  CUDA_SAFE_CALL(cudaFree(devMats));
  return 0;
}
