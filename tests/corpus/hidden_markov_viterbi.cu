// args: 512 64 16 1000
#include <stdio.h>
#include <stdlib.h>
#include <float.h>
#define N_STATES_MAX 64
__constant__ float c_trans[N_STATES_MAX * N_STATES_MAX];
__constant__ float c_init[N_STATES_MAX];

typedef struct { int seqs, states, symbols, len; } hmm_config;

__global__ void viterbi_step(const float *prev, float *cur, unsigned char *back, const int *obs, const float *emit, hmm_config cfg, int t) {
  int s = threadIdx.x, seq = blockIdx.x;
  if (s >= cfg.states) return;
  float best = -FLT_MAX;
  int arg = 0;
  for (int p = 0; p < cfg.states; p++) {
    float v = prev[seq * cfg.states + p] + c_trans[p * cfg.states + s];
    if (v > best) { best = v; arg = p; }
  }
  int o = obs[seq * cfg.len + t];
  cur[seq * cfg.states + s] = best + emit[s * cfg.symbols + o];
  back[((size_t)t * cfg.seqs + seq) * cfg.states + s] = (unsigned char)arg;
}

__global__ void viterbi_init(float *cur, const int *obs, const float *emit, hmm_config cfg) {
  int s = threadIdx.x, seq = blockIdx.x;
  if (s < cfg.states) cur[seq * cfg.states + s] = c_init[s] + emit[s * cfg.symbols + obs[seq * cfg.len]];
}

static int read_args(int argc, char **argv, hmm_config *cfg) {
  int *fields[4] = {&cfg->seqs, &cfg->states, &cfg->symbols, &cfg->len};
  if (argc != 5) return 0;
  for (int i = 0; i < 4; i++) *fields[i] = atoi(argv[i + 1]);
  return cfg->states <= N_STATES_MAX;
}

int main(int argc, char **argv) {
  hmm_config cfg = {64, 32, 8, 100};
  if (argc > 1 && !read_args(argc, argv, &cfg)) {
    fprintf(stderr, "usage: viterbi [seqs states symbols len]\n");
    return 1;
  }
  float *trans = (float *)malloc(cfg.states * cfg.states * sizeof(float));
  float init[N_STATES_MAX];
  for (int i = 0; i < cfg.states * cfg.states; i++) trans[i] = -4.0f;
  for (int i = 0; i < cfg.states; i++) init[i] = -4.0f;
  cudaMemcpyToSymbol(c_trans, trans, cfg.states * cfg.states * sizeof(float));
  cudaMemcpyToSymbol(c_init, init, cfg.states * sizeof(float));
  size_t per = (size_t)cfg.seqs * cfg.states;
  float *buf[2], *emit;
  int *obs, *h_obs = (int *)malloc(sizeof(int) * cfg.seqs * cfg.len);
  unsigned char *back;
  for (int i = 0; i < cfg.seqs * cfg.len; i++) h_obs[i] = (i * 7919) % cfg.symbols;
  cudaMalloc(&buf[0], per * sizeof(float));
  cudaMalloc(&buf[1], per * sizeof(float));
  cudaMalloc(&emit, cfg.states * cfg.symbols * sizeof(float));
  cudaMalloc(&obs, sizeof(int) * cfg.seqs * cfg.len);
  cudaMalloc(&back, per * cfg.len);
  cudaMemset(emit, 0, cfg.states * cfg.symbols * sizeof(float));
  cudaMemcpy(obs, h_obs, sizeof(int) * cfg.seqs * cfg.len, cudaMemcpyHostToDevice);
  viterbi_init<<<cfg.seqs, cfg.states>>>(buf[0], obs, emit, cfg);
  for (int t = 1; t < cfg.len; t++)
    viterbi_step<<<cfg.seqs, cfg.states>>>(buf[(t - 1) & 1], buf[t & 1], back, obs, emit, cfg, t);
  cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
  return 0;
}
