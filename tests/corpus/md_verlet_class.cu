// args: 131072
#include <cstdio>
#include <cstdlib>

struct Particle { double x, y, z; double vx, vy, vz; double ax, ay, az; double mass; };

__global__ void verlet_kick_drift(Particle *p, double dt, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    p[i].vx += 0.5 * dt * p[i].ax;
    p[i].vy += 0.5 * dt * p[i].ay;
    p[i].vz += 0.5 * dt * p[i].az;
    p[i].x += dt * p[i].vx;
    p[i].y += dt * p[i].vy;
    p[i].z += dt * p[i].vz;
  }
}

class Simulation {
public:
  Simulation(int n) : n_(n)
  {
    cudaMalloc(&d_p, sizeof(Particle) * (n_));
  }
  ~Simulation()
  {
    cudaFree(d_p);
  }
  void step()
  {
    verlet_kick_drift<<<(n_ + 255) / 256, 256>>>(d_p, 0.001, n_);
  }
  void run(int steps)
  {
    for (int i = 0; i < steps; i++) step();
    cudaDeviceSynchronize();
  }

private:
  int n_;
  Particle *d_p = nullptr;
};

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 65536;
  Simulation sim(n);
  sim.run(20);
  return 0;
}
