// args: 16384 5
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>
#include <string>

struct Body { float x, y, z, m; float vx, vy, vz, pad; };

__global__ void accelerate(Body *b, int n, float dt, float eps2) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float ax = 0, ay = 0, az = 0;
  const float px = b[i].x, py = b[i].y, pz = b[i].z;
  for (int j = 0; j < n; ++j) {
    float dx = b[j].x - px, dy = b[j].y - py, dz = b[j].z - pz;
    float inv = rsqrtf(dx * dx + dy * dy + dz * dz + eps2);
    float s = b[j].m * inv * inv * inv;
    ax += dx * s; ay += dy * s; az += dz * s;
  }
  b[i].vx += ax * dt; b[i].vy += ay * dt; b[i].vz += az * dt;
}

__global__ void drift(Body *b, int n, float dt) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  b[i].x += b[i].vx * dt; b[i].y += b[i].vy * dt; b[i].z += b[i].vz * dt;
}

class Simulation {
 protected:
  int n_;
  float dt_;
  Body *d_bodies_ = nullptr;
  std::vector<Body> host_;

 public:
  Simulation(int n, float dt) : n_(n), dt_(dt), host_(n) {
    for (auto &b : host_) {
      b.x = rand() / (float)RAND_MAX; b.y = rand() / (float)RAND_MAX; b.z = rand() / (float)RAND_MAX;
      b.m = 1.f / n; b.vx = b.vy = b.vz = b.pad = 0;
    }
    cudaMalloc(&d_bodies_, n * sizeof(Body));
    cudaMemcpy(d_bodies_, host_.data(), n * sizeof(Body), cudaMemcpyHostToDevice);
  }
  virtual ~Simulation() { cudaFree(d_bodies_); }
  virtual void step() = 0;
  virtual const char *name() const = 0;
  void download() { cudaMemcpy(host_.data(), d_bodies_, n_ * sizeof(Body), cudaMemcpyDeviceToHost); }
  const Body &operator[](int i) const { return host_[i]; }
};

class Leapfrog : public Simulation {
 public:
  using Simulation::Simulation;
  void step() override {
    const int block = 256, grid = (n_ + block - 1) / block;
    drift<<<grid, block>>>(d_bodies_, n_, dt_ * 0.5f);
    accelerate<<<grid, block>>>(d_bodies_, n_, dt_, 1e-4f);
    drift<<<grid, block>>>(d_bodies_, n_, dt_ * 0.5f);
  }
  const char *name() const override { return "leapfrog"; }
};

class Euler : public Simulation {
 public:
  using Simulation::Simulation;
  void step() override {
    const int block = 256, grid = (n_ + block - 1) / block;
    accelerate<<<grid, block>>>(d_bodies_, n_, dt_, 1e-4f);
    drift<<<grid, block>>>(d_bodies_, n_, dt_);
  }
  const char *name() const override { return "euler"; }
};

int main(int argc, char **argv) {
  int n = argc > 1 ? std::stoi(argv[1]) : 4096;
  int steps = argc > 2 ? std::stoi(argv[2]) : 10;
  std::string which = argc > 3 ? argv[3] : "leapfrog";
  std::unique_ptr<Simulation> sim;
  if (which == "euler") sim.reset(new Euler(n, 1e-3f));
  else sim.reset(new Leapfrog(n, 1e-3f));
  printf("%s, %d bodies\n", sim->name(), n);
  for (int s = 0; s < steps; ++s) sim->step();
  sim->download();
  printf("%f %f %f\n", (*sim)[0].x, (*sim)[0].y, (*sim)[0].z);
}
