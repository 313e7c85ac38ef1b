// args: -n 100000 -k 12
// y = A x, A in CSR from a synthetic band; one thread a row, and one warp a row.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <cuda_runtime.h>

struct CsrMatrix {
  int rows, cols, nnz;
  int *row_ptr;
  int *col_idx;
  double *vals;
};

__global__ void spmv_scalar(int rows, const int *__restrict__ row_ptr, const int *__restrict__ col_idx,
                            const double *__restrict__ vals, const double *__restrict__ x, double *__restrict__ y) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) {
    double dot = 0;
    int start = row_ptr[row], end = row_ptr[row + 1];
    for (int jj = start; jj < end; jj++) dot += vals[jj] * x[col_idx[jj]];
    y[row] += dot;
  }
}

__global__ void spmv_vector(int rows, const int *__restrict__ row_ptr, const int *__restrict__ col_idx,
                            const double *__restrict__ vals, const double *__restrict__ x, double *__restrict__ y) {
  int thread_id = blockDim.x * blockIdx.x + threadIdx.x;
  int warp_id = thread_id / 32, lane = thread_id & 31;
  if (warp_id < rows) {
    double sum = 0;
    for (int jj = row_ptr[warp_id] + lane; jj < row_ptr[warp_id + 1]; jj += 32) sum += vals[jj] * x[col_idx[jj]];
    for (int o = 16; o > 0; o >>= 1) sum += __shfl_down_sync(0xffffffff, sum, o);
    if (lane == 0) y[warp_id] += sum;
  }
}

static void csr_alloc(CsrMatrix *m, int rows, int cols, int nnz) {
  m->rows = rows;
  m->cols = cols;
  m->nnz = nnz;
  m->row_ptr = (int *)malloc((rows + 1) * sizeof(int));
  m->col_idx = (int *)malloc(nnz * sizeof(int));
  m->vals = (double *)malloc(nnz * sizeof(double));
}

static void make_banded(CsrMatrix *m, int n, int k) {
  csr_alloc(m, n, n, n * k);
  int at = 0;
  for (int r = 0; r < n; r++) {
    m->row_ptr[r] = at;
    for (int j = 0; j < k; j++) {
      m->col_idx[at] = (r + j * 7) % n;
      m->vals[at] = 1.0 / (1 + j);
      at++;
    }
  }
  m->row_ptr[n] = at;
}

static CsrMatrix to_device(const CsrMatrix *h) {
  CsrMatrix d = *h;
  cudaMalloc((void **)&d.row_ptr, (h->rows + 1) * sizeof(int));
  cudaMalloc((void **)&d.col_idx, h->nnz * sizeof(int));
  cudaMalloc((void **)&d.vals, h->nnz * sizeof(double));
  cudaMemcpy(d.row_ptr, h->row_ptr, (h->rows + 1) * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(d.col_idx, h->col_idx, h->nnz * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(d.vals, h->vals, h->nnz * sizeof(double), cudaMemcpyHostToDevice);
  return d;
}

int main(int argc, char *argv[]) {
  int n = 10000, k = 8, repeat = 10, c;
  while ((c = getopt(argc, argv, "n:k:r:h")) != -1) {
    switch (c) {
      case 'n': n = atoi(optarg); break;
      case 'k': k = atoi(optarg); break;
      case 'r': repeat = atoi(optarg); break;
      default: printf("usage: %s [-n rows] [-k per_row] [-r repeat]\n", argv[0]); return 1;
    }
  }
  CsrMatrix h, d;
  make_banded(&h, n, k);
  d = to_device(&h);
  double *hx = (double *)malloc(n * sizeof(double)), *x, *y;
  for (int i = 0; i < n; i++) hx[i] = 1.0;
  cudaMalloc((void **)&x, n * sizeof(double));
  cudaMalloc((void **)&y, n * sizeof(double));
  cudaMemcpy(x, hx, n * sizeof(double), cudaMemcpyHostToDevice);
  cudaMemset(y, 0, n * sizeof(double));
  for (int i = 0; i < repeat; i++) {
    spmv_scalar<<<(d.rows + 255) / 256, 256>>>(d.rows, d.row_ptr, d.col_idx, d.vals, x, y);
    spmv_vector<<<(d.rows * 32 + 255) / 256, 256>>>(d.rows, d.row_ptr, d.col_idx, d.vals, x, y);
  }
  cudaMemcpy(hx, y, n * sizeof(double), cudaMemcpyDeviceToHost);
  printf("y[0] = %f\n", hx[0]);
  return 0;
}
