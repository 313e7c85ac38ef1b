// args: --nx 192 --ny 192 --nz 96 --steps 50
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <iostream>
#include <cuda_runtime.h>

namespace heat {

inline void cuda_check(cudaError_t e, const char *what) {
  if (e != cudaSuccess) throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(e));
}

struct Params {
  int nx = 64, ny = 64, nz = 64, steps = 10;
  double alpha = 0.1;
};

__global__ void step(const double *__restrict__ in, double *__restrict__ out, int nx, int ny, int nz, double a) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x == 0 || y == 0 || x >= nx - 1 || y >= ny - 1) return;
  const size_t plane = (size_t)nx * ny;
  size_t c = (size_t)y * nx + x + plane;
  double below = in[c - plane], here = in[c];
  for (int z = 1; z < nz - 1; ++z, c += plane) {
    const double above = in[c + plane];
    out[c] = here + a * (in[c - 1] + in[c + 1] + in[c - nx] + in[c + nx] + below + above - 6.0 * here);
    below = here;
    here = above;
  }
}

class Solver {
 public:
  explicit Solver(const Params &p) : p_(p), bytes_(sizeof(double) * p.nx * p.ny * p.nz) {
    cuda_check(cudaMalloc(&cur_, bytes_), "cudaMalloc");
    cuda_check(cudaMalloc(&next_, bytes_), "cudaMalloc");
    cuda_check(cudaMemset(cur_, 0, bytes_), "cudaMemset");
    cuda_check(cudaMemset(next_, 0, bytes_), "cudaMemset");
  }
  ~Solver() {
    cudaFree(cur_);
    cudaFree(next_);
  }
  Solver(const Solver &) = delete;
  Solver &operator=(const Solver &) = delete;

  void run() {
    dim3 block(64, 4);
    dim3 grid((p_.nx + 63) / 64, (p_.ny + 3) / 4);
    for (int s = 0; s < p_.steps; ++s) {
      step<<<grid, block>>>(cur_, next_, p_.nx, p_.ny, p_.nz, p_.alpha);
      cuda_check(cudaPeekAtLastError(), "step");
      double *t = cur_;
      cur_ = next_;
      next_ = t;
    }
    cuda_check(cudaDeviceSynchronize(), "synchronize");
  }

 private:
  Params p_;
  size_t bytes_;
  double *cur_ = nullptr, *next_ = nullptr;
};

Params parse(int argc, char **argv) {
  Params p;
  for (int i = 1; i < argc; ++i) {
    if (!strcmp(argv[i], "--nx") && i + 1 < argc) p.nx = atoi(argv[++i]);
    else if (!strcmp(argv[i], "--ny") && i + 1 < argc) p.ny = atoi(argv[++i]);
    else if (!strcmp(argv[i], "--nz") && i + 1 < argc) p.nz = atoi(argv[++i]);
    else if (!strcmp(argv[i], "--steps") && i + 1 < argc) p.steps = atoi(argv[++i]);
    else throw std::invalid_argument(std::string("unknown option ") + argv[i]);
  }
  return p;
}

}  // namespace heat

int main(int argc, char **argv) {
  try {
    heat::Solver solver(heat::parse(argc, argv));
    solver.run();
  } catch (const std::exception &e) {
    std::cerr << e.what() << '\n';
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}
