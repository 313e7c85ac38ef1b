// args: 500000 4
#include <iostream>
#include <cstdlib>
#include <vector>
#include <type_traits>

template <typename T>
struct Vec3 {
  T x, y, z;
  __host__ __device__ Vec3 operator+(const Vec3 &o) const { return {x + o.x, y + o.y, z + o.z}; }
  __host__ __device__ Vec3 operator*(T s) const { return {x * s, y * s, z * s}; }
  __host__ __device__ T norm2() const { return x * x + y * y + z * z; }
};

template <typename T>
__global__ void advance(Vec3<T> *pos, const Vec3<T> *vel, int n, T dt) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) pos[i] = pos[i] + vel[i] * dt;
}

template <typename T>
__global__ void lengths(const Vec3<T> *pos, T *len, int n) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) len[i] = sqrt(pos[i].norm2());
}

template <typename T>
T run(int n, int steps) {
  std::vector<Vec3<T>> pos(n), vel(n);
  for (int i = 0; i < n; ++i) {
    pos[i] = {T(i), T(0), T(0)};
    vel[i] = {T(0), T(1), T(i % 7)};
  }
  Vec3<T> *d_pos, *d_vel;
  T *d_len;
  cudaMalloc(&d_pos, n * sizeof(Vec3<T>));
  cudaMalloc(&d_vel, n * sizeof(Vec3<T>));
  cudaMalloc(&d_len, n * sizeof(T));
  cudaMemcpy(d_pos, pos.data(), n * sizeof(Vec3<T>), cudaMemcpyHostToDevice);
  cudaMemcpy(d_vel, vel.data(), n * sizeof(Vec3<T>), cudaMemcpyHostToDevice);
  const int block = std::is_same<T, double>::value ? 128 : 256;
  const int grid = (n + block - 1) / block;
  for (int s = 0; s < steps; ++s) advance<T><<<grid, block>>>(d_pos, d_vel, n, T(0.1));
  lengths<T><<<grid, block>>>(d_pos, d_len, n);
  T last;
  cudaMemcpy(&last, d_len + n - 1, sizeof(T), cudaMemcpyDeviceToHost);
  cudaFree(d_pos);
  cudaFree(d_vel);
  cudaFree(d_len);
  return last;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 100000;
  int steps = argc > 2 ? std::atoi(argv[2]) : 1;
  std::cout << run<float>(n, steps) << " " << run<double>(n, steps) << "\n";
}
