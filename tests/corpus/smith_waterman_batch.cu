// args: 4096 128 128
// Smith-Waterman scores of many pairs of sequences, one thread a pair, substitution matrix in constant memory.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#define MAX_LEN 256
#define ALPHABET 4
__constant__ int substitution[ALPHABET * ALPHABET];

struct Scoring { int match, mismatch, gap_open, gap_extend; };

__device__ __host__ inline int encode(char c) {
  switch (c) {
    case 'A': return 0;
    case 'C': return 1;
    case 'G': return 2;
    default: return 3;
  }
}

__global__ void sw_score(const char *__restrict__ queries, const char *__restrict__ refs, int *__restrict__ scores,
                         int *__restrict__ end_positions, int qlen, int rlen, int pairs, Scoring s) {
  int pair = blockIdx.x * blockDim.x + threadIdx.x;
  if (pair >= pairs) return;
  short H[MAX_LEN + 1], E[MAX_LEN + 1];
  for (int j = 0; j <= rlen; ++j) { H[j] = 0; E[j] = -1000; }
  int best = 0, best_at = 0;
  for (int i = 0; i < qlen; ++i) {
    int q = encode(queries[(size_t)pair * qlen + i]);
    int diag = 0, F = -1000, left = 0;
    for (int j = 1; j <= rlen; ++j) {
      int r = encode(refs[(size_t)pair * rlen + j - 1]);
      E[j] = max(E[j] - s.gap_extend, H[j] - s.gap_open);
      F = max(F - s.gap_extend, left - s.gap_open);
      int h = max(0, max(diag + substitution[q * ALPHABET + r], max((int)E[j], F)));
      diag = H[j];
      H[j] = h;
      left = h;
      if (h > best) { best = h; best_at = i * rlen + j; }
    }
  }
  scores[pair] = best;
  end_positions[pair] = best_at;
}

static std::string random_sequence(int len) {
  static const char bases[] = "ACGT";
  std::string s(len, 'A');
  for (auto &c : s) c = bases[rand() & 3];
  return s;
}

int main(int argc, char **argv) {
  int pairs = argc > 1 ? atoi(argv[1]) : 1024;
  int qlen = argc > 2 ? atoi(argv[2]) : 100;
  int rlen = argc > 3 ? atoi(argv[3]) : 100;
  if (rlen > MAX_LEN || qlen > MAX_LEN) { fprintf(stderr, "sequences up to %d\n", MAX_LEN); return 1; }
  Scoring scoring = {2, -1, 3, 1};
  int table[ALPHABET * ALPHABET];
  for (int a = 0; a < ALPHABET; ++a)
    for (int b = 0; b < ALPHABET; ++b) table[a * ALPHABET + b] = a == b ? scoring.match : scoring.mismatch;
  cudaMemcpyToSymbol(substitution, table, sizeof(table));
  std::string queries, refs;
  for (int p = 0; p < pairs; ++p) {
    queries += random_sequence(qlen);
    refs += random_sequence(rlen);
  }
  char *d_q, *d_r;
  int *d_scores, *d_ends;
  cudaMalloc(&d_q, (size_t)pairs * qlen);
  cudaMalloc(&d_r, (size_t)pairs * rlen);
  cudaMalloc(&d_scores, pairs * sizeof(int));
  cudaMalloc(&d_ends, pairs * sizeof(int));
  cudaMemcpy(d_q, queries.c_str(), queries.size(), cudaMemcpyHostToDevice);
  cudaMemcpy(d_r, refs.c_str(), refs.size(), cudaMemcpyHostToDevice);
  sw_score<<<(pairs + 63) / 64, 64>>>(d_q, d_r, d_scores, d_ends, qlen, rlen, pairs, scoring);
  std::vector<int> scores(pairs);
  cudaMemcpy(scores.data(), d_scores, pairs * sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", scores[0]);
}
