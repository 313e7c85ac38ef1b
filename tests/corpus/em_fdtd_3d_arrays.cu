// args: 160 160 160 40
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#define IDX(i, j, k) ((k) * ny * nx + (j) * nx + (i))

__global__ void update_h(int nx, int ny, int nz, float *hx, float *hy, float *hz, const float *ex, const float *ey,
                         const float *ez, float c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  int k = blockIdx.z * blockDim.z + threadIdx.z;
  if (i < nx - 1 && j < ny - 1 && k < nz - 1) {
    int a = IDX(i, j, k);
    hx[a] += c * ((ey[IDX(i, j, k + 1)] - ey[a]) - (ez[IDX(i, j + 1, k)] - ez[a]));
    hy[a] += c * ((ez[IDX(i + 1, j, k)] - ez[a]) - (ex[IDX(i, j, k + 1)] - ex[a]));
    hz[a] += c * ((ex[IDX(i, j + 1, k)] - ex[a]) - (ey[IDX(i + 1, j, k)] - ey[a]));
  }
}

__global__ void update_e(int nx, int ny, int nz, float *ex, float *ey, float *ez, const float *hx, const float *hy,
                         const float *hz, const float *ca, const float *cb) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  int k = blockIdx.z * blockDim.z + threadIdx.z;
  if (i > 0 && j > 0 && k > 0 && i < nx && j < ny && k < nz) {
    int a = IDX(i, j, k);
    float A = ca[a], B = cb[a];
    ex[a] = A * ex[a] + B * ((hz[a] - hz[IDX(i, j - 1, k)]) - (hy[a] - hy[IDX(i, j, k - 1)]));
    ey[a] = A * ey[a] + B * ((hx[a] - hx[IDX(i, j, k - 1)]) - (hz[a] - hz[IDX(i - 1, j, k)]));
    ez[a] = A * ez[a] + B * ((hy[a] - hy[IDX(i - 1, j, k)]) - (hx[a] - hx[IDX(i, j - 1, k)]));
  }
}

struct Fields {
  float *ex, *ey, *ez, *hx, *hy, *hz, *ca, *cb;
};

static Fields allocate_fields(size_t cells) {
  Fields f;
  float **members[8] = {&f.ex, &f.ey, &f.ez, &f.hx, &f.hy, &f.hz, &f.ca, &f.cb};
  for (int m = 0; m < 8; ++m) {
    cudaMalloc(members[m], cells * sizeof(float));
    cudaMemset(*members[m], 0, cells * sizeof(float));
  }
  return f;
}

int main(int argc, char **argv) {
  std::vector<std::string> args(argv + 1, argv + argc);
  int nx = args.size() > 0 ? std::stoi(args[0]) : 64;
  int ny = args.size() > 1 ? std::stoi(args[1]) : 64;
  int nz = args.size() > 2 ? std::stoi(args[2]) : 64;
  int steps = args.size() > 3 ? std::stoi(args[3]) : 10;
  size_t cells = (size_t)nx * ny * nz;
  Fields f = allocate_fields(cells);
  dim3 block(32, 4, 2);
  dim3 grid((nx + block.x - 1) / block.x, (ny + block.y - 1) / block.y, (nz + block.z - 1) / block.z);
  for (int t = 0; t < steps; ++t) {
    update_h<<<grid, block>>>(nx, ny, nz, f.hx, f.hy, f.hz, f.ex, f.ey, f.ez, 0.5f);
    update_e<<<grid, block>>>(nx, ny, nz, f.ex, f.ey, f.ez, f.hx, f.hy, f.hz, f.ca, f.cb);
  }
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
