// gravity.cu -- direct-summation N-body, Plummer softening, shared memory tiles
//
// two galaxies (exponential discs with a heavy centre) on a collision course.

#include <cstdio>
#include <cstdlib>
#include <cmath>
#include <cuda_runtime.h>

#define HANDLE(err) handleError((err), __FILE__, __LINE__)
static void handleError(cudaError_t err, const char* file, int line) {
  if (err != cudaSuccess) {
    printf("%s in %s at line %d\n", cudaGetErrorString(err), file, line);
    exit(1);
  }
}

const int kTile = 256;

struct Body {
  float3 pos;
  float3 vel;
  float3 acc;
  float mass;
  float potential;
  unsigned char galaxy;
  unsigned int id;
};

// what is needed of a source body inside the inner loop
struct Source {
  float x, y, z, m;
};

struct Diagnostics {
  double kinetic, potential;
  double px, py, pz;
};

__device__ __forceinline__ float3 operator+(const float3& a, const float3& b) {
  return make_float3(a.x + b.x, a.y + b.y, a.z + b.z);
}
__device__ __forceinline__ float3 operator*(const float3& a, float s) {
  return make_float3(a.x * s, a.y * s, a.z * s);
}

template <bool kWithPotential>
__device__ __forceinline__ void interact(float3& acc, float& pot, float3 pi,
                                         const Source& s, float eps2) {
  float dx = s.x - pi.x;
  float dy = s.y - pi.y;
  float dz = s.z - pi.z;
  float r2 = dx * dx + dy * dy + dz * dz + eps2;
  float inv = rsqrtf(r2);
  float mi = s.m * inv;
  float w = mi * inv * inv;
  acc.x += dx * w;
  acc.y += dy * w;
  acc.z += dz * w;
  if (kWithPotential) pot -= mi;
}

__global__ void allPairs(Body* bodies, int n, float eps2) {
  __shared__ Source tile[kTile];

  int i = blockIdx.x * kTile + threadIdx.x;
  float3 pi = make_float3(0.f, 0.f, 0.f);
  if (i < n) pi = bodies[i].pos;
  float3 acc = make_float3(0.f, 0.f, 0.f);
  float pot = 0.f;

  for (int base = 0; base < n; base += kTile) {
    int j = base + threadIdx.x;
    if (j < n) {
      tile[threadIdx.x].x = bodies[j].pos.x;
      tile[threadIdx.x].y = bodies[j].pos.y;
      tile[threadIdx.x].z = bodies[j].pos.z;
      tile[threadIdx.x].m = bodies[j].mass;
    } else {
      tile[threadIdx.x].x = tile[threadIdx.x].y = tile[threadIdx.x].z = 0.f;
      tile[threadIdx.x].m = 0.f;
    }
    __syncthreads();
#pragma unroll 8
    for (int k = 0; k < kTile; ++k) interact<true>(acc, pot, pi, tile[k], eps2);
    __syncthreads();
  }
  if (i < n) {
    bodies[i].acc = acc;
    bodies[i].potential = pot + bodies[i].mass * rsqrtf(eps2);  // take out self term
  }
}

__global__ void kick(Body* bodies, int n, float dt) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) bodies[i].vel = bodies[i].vel + bodies[i].acc * dt;
}

__global__ void drift(Body* bodies, int n, float dt) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) bodies[i].pos = bodies[i].pos + bodies[i].vel * dt;
}

// one partial result per block, summed up on the host
__global__ void diagnose(const Body* bodies, int n, Diagnostics* out) {
  __shared__ Diagnostics sh[128];
  Diagnostics d;
  d.kinetic = d.potential = d.px = d.py = d.pz = 0.0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const Body b = bodies[i];
    d.kinetic += 0.5 * b.mass * (b.vel.x * b.vel.x + b.vel.y * b.vel.y + b.vel.z * b.vel.z);
    d.potential += 0.5 * b.mass * b.potential;
    d.px += b.mass * b.vel.x;
    d.py += b.mass * b.vel.y;
    d.pz += b.mass * b.vel.z;
  }
  sh[threadIdx.x] = d;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (threadIdx.x < s) {
      sh[threadIdx.x].kinetic += sh[threadIdx.x + s].kinetic;
      sh[threadIdx.x].potential += sh[threadIdx.x + s].potential;
      sh[threadIdx.x].px += sh[threadIdx.x + s].px;
      sh[threadIdx.x].py += sh[threadIdx.x + s].py;
      sh[threadIdx.x].pz += sh[threadIdx.x + s].pz;
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = sh[0];
}

static double rnd() { return (rand() + 0.5) / (RAND_MAX + 1.0); }

static void makeGalaxy(Body* b, int count, int galaxy, float3 centre, float3 bulk,
                       float tilt, float totalMass) {
  const double scale = 1.2, coreMass = 0.3 * totalMass;
  for (int i = 0; i < count; ++i) {
    double r = 0, phi = 2 * M_PI * rnd(), z = 0, v = 0;
    if (i > 0) {
      r = -scale * log(rnd() * rnd());
      if (r < 0.1) r = 0.1;
      z = 0.1 * (rnd() + rnd() - 1.0);
      double x = r / scale;
      double enclosed = coreMass + (totalMass - coreMass) * (1.0 - exp(-x) * (1.0 + x));
      v = sqrt(enclosed / r);
    }
    double x = r * cos(phi), y = r * sin(phi);
    double vx = -v * sin(phi), vy = v * cos(phi);
    double c = cos(tilt), s = sin(tilt);
    b[i].pos = make_float3(centre.x + x, centre.y + c * y - s * z, centre.z + s * y + c * z);
    b[i].vel = make_float3(bulk.x + vx, bulk.y + c * vy, bulk.z + s * vy);
    b[i].acc = make_float3(0.f, 0.f, 0.f);
    b[i].mass = (i == 0) ? coreMass : (totalMass - coreMass) / (count - 1);
    b[i].potential = 0.f;
    b[i].galaxy = galaxy;
    b[i].id = galaxy * 1000000u + i;
  }
}

int main() {
  const int n = 40000, steps = 6, diagBlocks = 64;
  const float dt = 0.005f, eps2 = 0.0025f;

  srand(1987);
  Body* h = (Body*)malloc(n * sizeof(Body));
  makeGalaxy(h, 24000, 0, make_float3(-4.f, -1.f, 0.f), make_float3(0.4f, 0.f, 0.f), 0.2f, 1.0f);
  makeGalaxy(h + 24000, n - 24000, 1, make_float3(4.f, 1.f, 0.5f), make_float3(-0.5f, 0.f, 0.f), 1.1f, 0.7f);

  Body* d;
  Diagnostics* dDiag;
  Diagnostics hDiag[diagBlocks];
  HANDLE(cudaMalloc(&d, n * sizeof(Body)));
  HANDLE(cudaMalloc(&dDiag, diagBlocks * sizeof(Diagnostics)));
  HANDLE(cudaMemcpy(d, h, n * sizeof(Body), cudaMemcpyHostToDevice));

  const int grid = (n + kTile - 1) / kTile;
  allPairs<<<grid, kTile>>>(d, n, eps2);
  double kin = 0, pot = 0, p = 0;
  for (int s = 0; s < steps; ++s) {
    kick<<<grid, kTile>>>(d, n, 0.5f * dt);
    drift<<<grid, kTile>>>(d, n, dt);
    allPairs<<<grid, kTile>>>(d, n, eps2);
    kick<<<grid, kTile>>>(d, n, 0.5f * dt);
    diagnose<<<diagBlocks, 128>>>(d, n, dDiag);
    HANDLE(cudaGetLastError());
    HANDLE(cudaMemcpy(hDiag, dDiag, sizeof(hDiag), cudaMemcpyDeviceToHost));
    kin = pot = p = 0;
    for (int k = 0; k < diagBlocks; ++k) {
      kin += hDiag[k].kinetic;
      pot += hDiag[k].potential;
      p += hDiag[k].px + hDiag[k].py + hDiag[k].pz;
    }
  }
  HANDLE(cudaMemcpy(h, d, n * sizeof(Body), cudaMemcpyDeviceToHost));
  double cx = 0;
  for (int i = 0; i < n; ++i) cx += h[i].pos.x * (h[i].galaxy ? -1.0 : 1.0);
  printf("kin %.6f pot %.6f tot %.6f mom %.6f sep %.6f\n", kin, pot, kin + pot, p, cx / n);

  cudaFree(d);
  cudaFree(dDiag);
  free(h);
  return 0;
}
