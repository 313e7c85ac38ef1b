// args: 512 1e-6 100
// Conjugate gradients on the 5-point Laplacian; scalars stay on the device.
#include <cstdio>
#include <cstdlib>
#include <cmath>
#include <cuda_runtime.h>
#define BLOCK 256
#define CUDA_SAFE(x) do { cudaError_t err_ = (x); if (err_ != cudaSuccess) { printf("CUDA %d at %d\n", (int)err_, __LINE__); exit(2); } } while (0)

__global__ void laplacian(const double *__restrict__ p, double *__restrict__ Ap, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= n || j >= n) return;
  int k = j * n + i;
  double v = 4.0 * p[k];
  if (i > 0) v -= p[k - 1];
  if (i < n - 1) v -= p[k + 1];
  if (j > 0) v -= p[k - n];
  if (j < n - 1) v -= p[k + n];
  Ap[k] = v;
}

__global__ void dot(const double *a, const double *b, double *out, int n) {
  __shared__ double s[BLOCK];
  double t = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) t += a[i] * b[i];
  s[threadIdx.x] = t;
  __syncthreads();
  for (int k = BLOCK / 2; k > 0; k /= 2) {
    if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k];
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(out, s[0]);
}

__global__ void update_xr(double *x, double *r, const double *p, const double *Ap, const double *rr, const double *pAp, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    double alpha = *rr / *pAp;
    x[i] += alpha * p[i];
    r[i] -= alpha * Ap[i];
  }
}

__global__ void update_p(double *p, const double *r, const double *rr_new, const double *rr, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = r[i] + (*rr_new / *rr) * p[i];
}

__global__ void fill(double *a, double v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = v;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 256;
  double tol = argc > 2 ? atof(argv[2]) : 1e-8;
  int maxit = argc > 3 ? atoi(argv[3]) : 1000;
  int N = n * n;
  double *x, *r, *p, *Ap, *scalars;
  CUDA_SAFE(cudaMalloc(&x, N * sizeof(double)));
  CUDA_SAFE(cudaMalloc(&r, N * sizeof(double)));
  CUDA_SAFE(cudaMalloc(&p, N * sizeof(double)));
  CUDA_SAFE(cudaMalloc(&Ap, N * sizeof(double)));
  CUDA_SAFE(cudaMalloc(&scalars, 3 * sizeof(double)));
  int grid1 = (N + BLOCK - 1) / BLOCK;
  int dotgrid = grid1 < 1024 ? grid1 : 1024;
  dim3 b2(32, 8), g2((n + 31) / 32, (n + 7) / 8);
  fill<<<grid1, BLOCK>>>(x, 0.0, N);
  fill<<<grid1, BLOCK>>>(r, 1.0, N);
  fill<<<grid1, BLOCK>>>(p, 1.0, N);
  CUDA_SAFE(cudaMemset(scalars, 0, 3 * sizeof(double)));
  dot<<<dotgrid, BLOCK>>>(r, r, scalars, N);
  double rr_host = 1e30;
  int it = 0;
  for (; it < maxit && sqrt(rr_host) > tol; ++it) {
    CUDA_SAFE(cudaMemset(scalars + 1, 0, 2 * sizeof(double)));
    laplacian<<<g2, b2>>>(p, Ap, n);
    dot<<<dotgrid, BLOCK>>>(p, Ap, scalars + 1, N);
    update_xr<<<grid1, BLOCK>>>(x, r, p, Ap, scalars, scalars + 1, N);
    dot<<<dotgrid, BLOCK>>>(r, r, scalars + 2, N);
    update_p<<<grid1, BLOCK>>>(p, r, scalars + 2, scalars, N);
    CUDA_SAFE(cudaMemcpy(scalars, scalars + 2, sizeof(double), cudaMemcpyDeviceToDevice));
    if (it % 10 == 9) CUDA_SAFE(cudaMemcpy(&rr_host, scalars, sizeof(double), cudaMemcpyDeviceToHost));
  }
  printf("%d iterations, residual %g\n", it, sqrt(rr_host));
  return 0;
}
