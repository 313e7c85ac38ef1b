// args: 1000000
// Functors over records by reference, in kernels of one's own.
#include <cstdio>
#include <cstdlib>
#include <vector>

struct Particle { float px, py, pz, vx, vy, vz, mass, charge; };

struct Integrate {
  float dt;
  explicit Integrate(float dt) : dt(dt) {}
  __device__ void operator()(Particle &p) const {
    p.px += dt * p.vx;
    p.py += dt * p.vy;
    p.pz += dt * p.vz;
  }
};

struct Kick {
  float dt, ex, ey, ez;
  __device__ void operator()(Particle &p) const {
    const float q = p.charge / p.mass * dt;
    p.vx += q * ex;
    p.vy += q * ey;
    p.vz += q * ez;
  }
};

struct KineticEnergy {
  __device__ float operator()(const Particle &p) const { return 0.5f * p.mass * (p.vx * p.vx + p.vy * p.vy + p.vz * p.vz); }
};

template <typename R, class F>
__global__ void for_each_kernel(R *r, int n, F f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) f(r[i]);
}

template <typename R, typename T, class F>
__global__ void transform_kernel(const R *r, T *out, int n, F f) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = f(r[i]);
}

template <typename R, class F>
void for_each(R *r, int n, F f) {
  const int threads = 256;
  for_each_kernel<<<(n + threads - 1) / threads, threads>>>(r, n, f);
}

template <typename R, typename T, class F>
void transform(const R *r, T *out, int n, F f) {
  transform_kernel<<<1024, 128>>>(r, out, n, f);
}

int main(int argc, char *argv[]) {
  const int n = argc > 1 ? atoi(argv[1]) : 1 << 16;
  std::vector<Particle> h(n);
  for (int i = 0; i < n; i++) h[i] = Particle{(float)i, 0, 0, 1, 0, 0, 1.0f, 1.0f};
  Particle *d;
  float *e;
  cudaMalloc(&d, n * sizeof(Particle));
  cudaMalloc(&e, n * sizeof(float));
  cudaMemcpy(d, h.data(), n * sizeof(Particle), cudaMemcpyHostToDevice);
  for (int step = 0; step < 20; step++) {
    for_each(d, n, Kick{0.01f, 0.f, 1.f, 0.f});
    for_each(d, n, Integrate(0.01f));
  }
  transform(d, e, n, KineticEnergy());
  std::vector<float> he(n);
  cudaMemcpy(he.data(), e, n * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (float v : he) sum += v;
  printf("energy %g\n", sum);
  cudaFree(d);
  cudaFree(e);
}
