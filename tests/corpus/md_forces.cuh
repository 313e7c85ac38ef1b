#pragma once
#include <cuda_runtime.h>
#include <vector>
#include <cstdlib>

struct Atoms {
  int number;
  float *m, *x, *y, *z, *vx, *vy, *vz, *fx, *fy, *fz, *pe;
};

struct Box { float lx, ly, lz; };

__device__ static inline void apply_mic(const Box &box, float *dx, float *dy, float *dz) {
  if (*dx < -0.5f * box.lx) *dx += box.lx; else if (*dx > 0.5f * box.lx) *dx -= box.lx;
  if (*dy < -0.5f * box.ly) *dy += box.ly; else if (*dy > 0.5f * box.ly) *dy -= box.ly;
  if (*dz < -0.5f * box.lz) *dz += box.lz; else if (*dz > 0.5f * box.lz) *dz -= box.lz;
}

static __global__ void find_force(int number, int max_neighbours, const int *nn, const int *nl, Box box, const float *x,
                                  const float *y, const float *z, float *fx, float *fy, float *fz, float *pe) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < number) {
    float xi = x[i], yi = y[i], zi = z[i], f0 = 0, f1 = 0, f2 = 0, e = 0;
    int count = nn[i];
    for (int k = 0; k < count; ++k) {
      int j = nl[i + number * k];
      float dx = x[j] - xi, dy = y[j] - yi, dz = z[j] - zi;
      apply_mic(box, &dx, &dy, &dz);
      float r2 = dx * dx + dy * dy + dz * dz;
      if (r2 > 100.f) continue;
      float r2i = 1.f / r2, r6i = r2i * r2i * r2i;
      float g = (24.f * r6i - 48.f * r6i * r6i) * r2i;
      e += 2.f * (r6i * r6i - r6i);
      f0 += g * dx; f1 += g * dy; f2 += g * dz;
    }
    fx[i] = f0; fy[i] = f1; fz[i] = f2; pe[i] = e;
  }
}

static __global__ void verlet(int number, float dt, const float *m, float *x, float *y, float *z, float *vx, float *vy,
                              float *vz, const float *fx, const float *fy, const float *fz, bool first) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < number) {
    float half = dt * 0.5f / m[i];
    vx[i] += fx[i] * half; vy[i] += fy[i] * half; vz[i] += fz[i] * half;
    if (first) {
      x[i] += vx[i] * dt; y[i] += vy[i] * dt; z[i] += vz[i] * dt;
    }
  }
}

inline void allocate(Atoms &a, int number) {
  a.number = number;
  float **all[] = {&a.m, &a.x, &a.y, &a.z, &a.vx, &a.vy, &a.vz, &a.fx, &a.fy, &a.fz, &a.pe};
  for (float **p : all) cudaMallocManaged(p, number * sizeof(float));
}
