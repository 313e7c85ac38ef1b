// args: -options=1000000 -iterations=16
/*
 * Black-Scholes formula for European options, in the style of the toolkit's samples: separate arrays in and out.
 */
#include "helper_mini.h"

const int OPT_N_DEFAULT = 4000000;
const float RISKFREE = 0.02f;
const float VOLATILITY = 0.30f;
#define DIV_UP(a, b) (((a) + (b)-1) / (b))

__device__ inline float cndGPU(float d) {
  const float A1 = 0.31938153f;
  const float A2 = -0.356563782f;
  const float A3 = 1.781477937f;
  const float A4 = -1.821255978f;
  const float A5 = 1.330274429f;
  const float RSQRT2PI = 0.39894228040143267793994605993438f;
  float K = __fdividef(1.0f, (1.0f + 0.2316419f * fabsf(d)));
  float cnd = RSQRT2PI * __expf(-0.5f * d * d) * (K * (A1 + K * (A2 + K * (A3 + K * (A4 + K * A5)))));
  if (d > 0) cnd = 1.0f - cnd;
  return cnd;
}

__device__ inline void BlackScholesBodyGPU(float &CallResult, float &PutResult, float S, float X, float T, float R,
                                           float V) {
  float sqrtT, expRT;
  float d1, d2, CNDD1, CNDD2;
  sqrtT = __fdividef(1.0F, rsqrtf(T));
  d1 = __fdividef(__logf(S / X) + (R + 0.5f * V * V) * T, V * sqrtT);
  d2 = d1 - V * sqrtT;
  CNDD1 = cndGPU(d1);
  CNDD2 = cndGPU(d2);
  expRT = __expf(-R * T);
  CallResult = S * CNDD1 - X * expRT * CNDD2;
  PutResult = X * expRT * (1.0f - CNDD2) - S * (1.0f - CNDD1);
}

__launch_bounds__(128) __global__
    void BlackScholesGPU(float *__restrict d_CallResult, float *__restrict d_PutResult, float *__restrict d_StockPrice,
                         float *__restrict d_OptionStrike, float *__restrict d_OptionYears, float Riskfree,
                         float Volatility, int optN) {
  const int opt = blockDim.x * blockIdx.x + threadIdx.x;
  if (opt < optN) {
    float callResult, putResult;
    BlackScholesBodyGPU(callResult, putResult, d_StockPrice[opt], d_OptionStrike[opt], d_OptionYears[opt], Riskfree,
                        Volatility);
    d_CallResult[opt] = callResult;
    d_PutResult[opt] = putResult;
  }
}

float RandFloat(float low, float high) {
  float t = (float)rand() / (float)RAND_MAX;
  return (1.0f - t) * low + t * high;
}

int main(int argc, char **argv) {
  printf("[%s] - Starting...\n", argv[0]);
  findCudaDevice(argc, (const char **)argv);

  int OPT_N = OPT_N_DEFAULT, NUM_ITERATIONS = 512;
  if (checkCmdLineFlag(argc, (const char **)argv, "options"))
    OPT_N = getCmdLineArgumentInt(argc, (const char **)argv, "options");
  if (checkCmdLineFlag(argc, (const char **)argv, "iterations"))
    NUM_ITERATIONS = getCmdLineArgumentInt(argc, (const char **)argv, "iterations");
  const int OPT_SZ = OPT_N * sizeof(float);

  float *h_CallResultGPU = (float *)malloc(OPT_SZ), *h_PutResultGPU = (float *)malloc(OPT_SZ);
  float *h_StockPrice = (float *)malloc(OPT_SZ), *h_OptionStrike = (float *)malloc(OPT_SZ);
  float *h_OptionYears = (float *)malloc(OPT_SZ);
  float *d_CallResult, *d_PutResult, *d_StockPrice, *d_OptionStrike, *d_OptionYears;
  checkCudaErrors(cudaMalloc((void **)&d_CallResult, OPT_SZ));
  checkCudaErrors(cudaMalloc((void **)&d_PutResult, OPT_SZ));
  checkCudaErrors(cudaMalloc((void **)&d_StockPrice, OPT_SZ));
  checkCudaErrors(cudaMalloc((void **)&d_OptionStrike, OPT_SZ));
  checkCudaErrors(cudaMalloc((void **)&d_OptionYears, OPT_SZ));

  srand(5347);
  for (int i = 0; i < OPT_N; i++) {
    h_StockPrice[i] = RandFloat(5.0f, 30.0f);
    h_OptionStrike[i] = RandFloat(1.0f, 100.0f);
    h_OptionYears[i] = RandFloat(0.25f, 10.0f);
  }
  checkCudaErrors(cudaMemcpy(d_StockPrice, h_StockPrice, OPT_SZ, cudaMemcpyHostToDevice));
  checkCudaErrors(cudaMemcpy(d_OptionStrike, h_OptionStrike, OPT_SZ, cudaMemcpyHostToDevice));
  checkCudaErrors(cudaMemcpy(d_OptionYears, h_OptionYears, OPT_SZ, cudaMemcpyHostToDevice));

  for (int i = 0; i < NUM_ITERATIONS; i++) {
    BlackScholesGPU<<<DIV_UP(OPT_N, 128), 128>>>(d_CallResult, d_PutResult, d_StockPrice, d_OptionStrike,
                                                 d_OptionYears, RISKFREE, VOLATILITY, OPT_N);
    getLastCudaError("BlackScholesGPU() execution failed\n");
  }
  checkCudaErrors(cudaDeviceSynchronize());
  checkCudaErrors(cudaMemcpy(h_CallResultGPU, d_CallResult, OPT_SZ, cudaMemcpyDeviceToHost));
  checkCudaErrors(cudaMemcpy(h_PutResultGPU, d_PutResult, OPT_SZ, cudaMemcpyDeviceToHost));
  printf("call[0] = %f put[0] = %f\n", h_CallResultGPU[0], h_PutResultGPU[0]);
  cudaFree(d_CallResult); cudaFree(d_PutResult); cudaFree(d_StockPrice); cudaFree(d_OptionStrike); cudaFree(d_OptionYears);
  free(h_CallResultGPU); free(h_PutResultGPU); free(h_StockPrice); free(h_OptionStrike); free(h_OptionYears);
  return 0;
}
