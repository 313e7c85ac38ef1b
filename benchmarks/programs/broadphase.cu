// Sweep-and-prune broad phase for a rigid-body scene.
// Boxes are refreshed from the bodies on the GPU, the order along x is kept on
// the host.
#include <cuda_runtime.h>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CUDA_TRY(expr)                                                             \
  if (cudaError_t e_ = (expr)) {                                                   \
    std::fprintf(stderr, "[%s:%d] %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); \
    std::abort();                                                                  \
  }

struct vec3 {
  float x, y, z;
  __host__ __device__ vec3 operator+(const vec3 &o) const { return {x + o.x, y + o.y, z + o.z}; }
  __host__ __device__ vec3 operator-(const vec3 &o) const { return {x - o.x, y - o.y, z - o.z}; }
  __host__ __device__ vec3 operator*(float s) const { return {x * s, y * s, z * s}; }
};

struct quat {
  float x, y, z, w;
};

enum BodyFlags : uint32_t { BODY_STATIC = 1u, BODY_SENSOR = 2u };

struct RigidBody {
  vec3 position;
  quat orientation;
  vec3 linVel;
  vec3 angVel;
  vec3 halfExtent;
  float invMass;
  uint32_t flags;
};

struct Aabb {
  vec3 lo;
  vec3 hi;
  int body;
  uint16_t group;
  uint16_t mask;
};

struct Pair {
  int a, b;
};

struct PairStats {
  unsigned long long hash;
  unsigned int touching;
};

__global__ void integrateBodies(RigidBody *bodies, int n, vec3 gravity, float dt, float worldSize) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  RigidBody &b = bodies[i];
  if (b.flags & BODY_STATIC) return;

  b.linVel = b.linVel + gravity * dt;
  b.position = b.position + b.linVel * dt;
  if (b.position.y < 0.f) {
    b.position.y = -b.position.y;
    b.linVel.y *= -0.8f;
  }
  if (b.position.x < 0.f || b.position.x > worldSize) b.linVel.x = -b.linVel.x;
  if (b.position.z < 0.f || b.position.z > worldSize) b.linVel.z = -b.linVel.z;

  // dq/dt = 1/2 * omega * q
  quat q = b.orientation;
  vec3 w = b.angVel * (0.5f * dt);
  quat r;
  r.x = q.x + w.x * q.w + w.y * q.z - w.z * q.y;
  r.y = q.y + w.y * q.w + w.z * q.x - w.x * q.z;
  r.z = q.z + w.z * q.w + w.x * q.y - w.y * q.x;
  r.w = q.w - w.x * q.x - w.y * q.y - w.z * q.z;
  float inv = rsqrtf(r.x * r.x + r.y * r.y + r.z * r.z + r.w * r.w);
  b.orientation = {r.x * inv, r.y * inv, r.z * inv, r.w * inv};
}

// boxes[k] belongs to bodies[order[k]]
__global__ void updateAabbs(const RigidBody *__restrict__ bodies, const int *__restrict__ order,
                            Aabb *__restrict__ boxes, int n, float margin) {
  int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= n) return;
  int id = order[k];
  const quat q = bodies[id].orientation;
  const vec3 h = bodies[id].halfExtent, c = bodies[id].position;

  float r00 = 1.f - 2.f * (q.y * q.y + q.z * q.z), r01 = 2.f * (q.x * q.y - q.z * q.w);
  float r02 = 2.f * (q.x * q.z + q.y * q.w), r10 = 2.f * (q.x * q.y + q.z * q.w);
  float r11 = 1.f - 2.f * (q.x * q.x + q.z * q.z), r12 = 2.f * (q.y * q.z - q.x * q.w);
  float r20 = 2.f * (q.x * q.z - q.y * q.w), r21 = 2.f * (q.y * q.z + q.x * q.w);
  float r22 = 1.f - 2.f * (q.x * q.x + q.y * q.y);

  vec3 e;
  e.x = fabsf(r00) * h.x + fabsf(r01) * h.y + fabsf(r02) * h.z + margin;
  e.y = fabsf(r10) * h.x + fabsf(r11) * h.y + fabsf(r12) * h.z + margin;
  e.z = fabsf(r20) * h.x + fabsf(r21) * h.y + fabsf(r22) * h.z + margin;

  uint32_t fl = bodies[id].flags;
  boxes[k].lo = c - e;
  boxes[k].hi = c + e;
  boxes[k].body = id;
  boxes[k].group = (fl & BODY_STATIC) ? 1 : ((fl & BODY_SENSOR) ? 4 : 2);
  boxes[k].mask = (fl & BODY_STATIC) ? 6 : 3;
}

__device__ __forceinline__ bool overlapYZ(const Aabb &a, const Aabb &b) {
  return a.lo.y <= b.hi.y && b.lo.y <= a.hi.y && a.lo.z <= b.hi.z && b.lo.z <= a.hi.z;
}

__global__ void sweepAndPrune(const Aabb *__restrict__ boxes, int n, Pair *__restrict__ pairs,
                              int *pairCount, int maxPairs) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const Aabb me = boxes[i];
  for (int j = i + 1; j < n && boxes[j].lo.x <= me.hi.x; ++j) {
    if (!(me.mask & boxes[j].group) || !(boxes[j].mask & me.group)) continue;
    if (overlapYZ(me, boxes[j])) {
      int slot = atomicAdd(pairCount, 1);
      if (slot < maxPairs) {
        pairs[slot].a = min(me.body, boxes[j].body);
        pairs[slot].b = max(me.body, boxes[j].body);
      }
    }
  }
}

// cheap second stage: bounding spheres; the hash does not depend on pair order
__global__ void filterPairs(const RigidBody *__restrict__ bodies, const Pair *__restrict__ pairs,
                            const int *__restrict__ pairCount, int maxPairs, PairStats *stats) {
  int count = min(*pairCount, maxPairs);
  for (int p = blockIdx.x * blockDim.x + threadIdx.x; p < count; p += gridDim.x * blockDim.x) {
    const RigidBody &a = bodies[pairs[p].a];
    const RigidBody &b = bodies[pairs[p].b];
    vec3 d = a.position - b.position;
    float ra2 = a.halfExtent.x * a.halfExtent.x + a.halfExtent.y * a.halfExtent.y + a.halfExtent.z * a.halfExtent.z;
    float rb2 = b.halfExtent.x * b.halfExtent.x + b.halfExtent.y * b.halfExtent.y + b.halfExtent.z * b.halfExtent.z;
    float r = sqrtf(ra2) + sqrtf(rb2);
    if (d.x * d.x + d.y * d.y + d.z * d.z < r * r) {
      unsigned long long h = (unsigned long long)pairs[p].a * 2654435761ull ^ (unsigned long long)pairs[p].b * 40503ull;
      atomicAdd(&stats->hash, h);
      atomicAdd(&stats->touching, 1u);
    }
  }
}

struct XorShift {
  uint64_t s;
  float next() {
    s ^= s << 13; s ^= s >> 7; s ^= s << 17;
    return (s >> 40) * (1.f / 16777216.f);
  }
  float range(float a, float b) { return a + (b - a) * next(); }
};

int main() {
  const int n = 180000, frames = 8, maxPairs = 1 << 22;
  const float world = 400.f, dt = 1.f / 120.f;
  XorShift rng{88172645463325252ull};

  std::vector<RigidBody> bodies(n);
  std::vector<int> order(n);
  std::vector<float> keys(n);
  for (int i = 0; i < n; ++i) {
    RigidBody &b = bodies[i];
    bool isStatic = rng.next() < 0.1f;
    b.position = {rng.range(0, world), rng.range(0, isStatic ? 5.f : 60.f), rng.range(0, world)};
    quat q = {rng.range(-1, 1), rng.range(-1, 1), rng.range(-1, 1), rng.range(0.1f, 1)};
    float inv = 1.f / std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    b.orientation = {q.x * inv, q.y * inv, q.z * inv, q.w * inv};
    b.linVel = {rng.range(-5, 5), rng.range(-5, 5), rng.range(-5, 5)};
    b.angVel = {rng.range(-2, 2), rng.range(-2, 2), rng.range(-2, 2)};
    b.halfExtent = {rng.range(0.2f, 0.7f), rng.range(0.2f, 0.7f), rng.range(0.2f, 0.7f)};
    b.invMass = isStatic ? 0.f : 1.f / (8.f * b.halfExtent.x * b.halfExtent.y * b.halfExtent.z);
    b.flags = isStatic ? BODY_STATIC : (rng.next() < 0.05f ? BODY_SENSOR : 0u);
    order[i] = i;
  }

  RigidBody *dBodies; Aabb *dBoxes; Pair *dPairs; PairStats *dStats; int *dOrder, *dCount;
  CUDA_TRY(cudaMalloc(&dBodies, n * sizeof(RigidBody)));
  CUDA_TRY(cudaMalloc(&dBoxes, n * sizeof(Aabb)));
  CUDA_TRY(cudaMalloc(&dPairs, maxPairs * sizeof(Pair)));
  CUDA_TRY(cudaMalloc(&dStats, sizeof(PairStats)));
  CUDA_TRY(cudaMalloc(&dOrder, n * sizeof(int)));
  CUDA_TRY(cudaMalloc(&dCount, sizeof(int)));
  CUDA_TRY(cudaMemcpy(dBodies, bodies.data(), n * sizeof(RigidBody), cudaMemcpyHostToDevice));
  CUDA_TRY(cudaMemcpy(dOrder, order.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  CUDA_TRY(cudaMemset(dStats, 0, sizeof(PairStats)));

  std::vector<Aabb> boxes(n);
  const int tpb = 192, nb = (n + tpb - 1) / tpb;
  long long totalPairs = 0;
  for (int f = 0; f < frames; ++f) {
    integrateBodies<<<nb, tpb>>>(dBodies, n, vec3{0.f, -9.8f, 0.f}, dt, world);
    updateAabbs<<<nb, tpb>>>(dBodies, dOrder, dBoxes, n, 0.02f);

    // re-sort by lower x, then refresh the boxes in the new order
    CUDA_TRY(cudaMemcpy(boxes.data(), dBoxes, n * sizeof(Aabb), cudaMemcpyDeviceToHost));
    for (const Aabb &b : boxes) keys[b.body] = b.lo.x;
    const float *key = keys.data();
    std::sort(order.begin(), order.end(), [key](int a, int b) { return key[a] < key[b] || (key[a] == key[b] && a < b); });
    CUDA_TRY(cudaMemcpy(dOrder, order.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    updateAabbs<<<nb, tpb>>>(dBodies, dOrder, dBoxes, n, 0.02f);

    CUDA_TRY(cudaMemset(dCount, 0, sizeof(int)));
    sweepAndPrune<<<nb, tpb>>>(dBoxes, n, dPairs, dCount, maxPairs);
    filterPairs<<<512, 256>>>(dBodies, dPairs, dCount, maxPairs, dStats);
    CUDA_TRY(cudaGetLastError());
    int count = 0;
    CUDA_TRY(cudaMemcpy(&count, dCount, sizeof(int), cudaMemcpyDeviceToHost));
    totalPairs += count;
  }

  PairStats st;
  CUDA_TRY(cudaMemcpy(&st, dStats, sizeof(st), cudaMemcpyDeviceToHost));
  std::printf("pairs %lld touching %u hash %016llx\n", totalPairs, st.touching, st.hash);
  cudaFree(dBodies); cudaFree(dBoxes); cudaFree(dPairs);
  cudaFree(dStats); cudaFree(dOrder); cudaFree(dCount);
  return 0;
}
