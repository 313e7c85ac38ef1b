// args: 2000000 100
// The same three kernels, captured once and launched as a graph.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define OK(x) if ((x) != cudaSuccess) { printf("failed: %s\n", #x); return 1; }

struct alignas(16) State { float a, b, c, d; };

__global__ void react(State *s, int n, float dt) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  State v = s[i];
  float r1 = 0.04f * v.a, r2 = 1e2f * v.b * v.c, r3 = 3e1f * v.b * v.b;
  v.a += dt * (-r1 + r2);
  v.b += dt * (r1 - r2 - r3);
  v.c += dt * r3;
  s[i] = v;
}

__global__ void relax(State *s, const float *target, int n, float k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) s[i].d += k * (target[i] - s[i].d);
}

__global__ void clampState(State *s, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    s[i].a = fmaxf(s[i].a, 0.f);
    s[i].b = fmaxf(s[i].b, 0.f);
    s[i].c = fmaxf(s[i].c, 0.f);
  }
}

int main(int argc, char **argv) {
  const int N = argc > 1 ? atoi(argv[1]) : 1 << 20;
  const int NSTEP = argc > 2 ? atoi(argv[2]) : 1000;
  const int NKERNEL = 20;
  State *state;
  float *target;
  OK(cudaMalloc(&state, N * sizeof(State)));
  OK(cudaMalloc(&target, N * sizeof(float)));
  OK(cudaMemset(state, 0, N * sizeof(State)));
  OK(cudaMemset(target, 0, N * sizeof(float)));
  cudaStream_t stream;
  OK(cudaStreamCreate(&stream));
  int threads = 512, blocks = (N + threads - 1) / threads;
  bool graphCreated = false;
  cudaGraph_t graph;
  cudaGraphExec_t instance;
  for (int istep = 0; istep < NSTEP; istep++) {
    if (!graphCreated) {
      cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
      for (int ikrnl = 0; ikrnl < NKERNEL; ikrnl++) {
        react<<<blocks, threads, 0, stream>>>(state, N, 1e-3f);
        relax<<<blocks, threads, 0, stream>>>(state, target, N, 0.5f);
      }
      clampState<<<512, 256, 0, stream>>>(state, N);
      cudaStreamEndCapture(stream, &graph);
      cudaGraphInstantiate(&instance, graph, NULL, NULL, 0);
      graphCreated = true;
    }
    cudaGraphLaunch(instance, stream);
    cudaStreamSynchronize(stream);
  }
  OK(cudaDeviceSynchronize());
  return 0;
}
