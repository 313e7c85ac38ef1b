// args: 4000000 30
/* Genotype likelihoods from a pileup of reads. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
typedef struct { unsigned char base, qual, strand, mapq; } Obs;
typedef struct { float aa, ab, bb; int depth; } Likelihood;
static __constant__ float phred[64];
__global__ void genotype(const Obs *obs, const int *offset, Likelihood *out, int sites)
{
  int s = blockIdx.x * blockDim.x + threadIdx.x;
  float aa = 0.f, ab = 0.f, bb = 0.f;
  int i, depth = 0;
  if (s >= sites) return;
  for (i = offset[s]; i < offset[s + 1]; i++) {
    if (obs[i].mapq < 20) continue;
    float e = phred[obs[i].qual & 63];
    if (obs[i].base == 0) { aa += logf(1.f - e); bb += logf(e); }
    else { aa += logf(e); bb += logf(1.f - e); }
    ab += -0.693147f;
    depth++;
  }
  out[s].aa = aa; out[s].ab = ab; out[s].bb = bb; out[s].depth = depth;
}
int main(int argc, char **argv)
{
  long sites = 100000, depth = 20;
  char *end;
  if (argc >= 2) { sites = strtol(argv[1], &end, 10); if (*end) { fprintf(stderr, "bad number %s\n", argv[1]); return 2; } }
  if (argc >= 3) { depth = strtol(argv[2], &end, 10); if (*end) { fprintf(stderr, "bad number %s\n", argv[2]); return 2; } }
  long total = sites * depth;
  int *h_offset = (int *)malloc((sites + 1) * sizeof(int));
  for (long i = 0; i <= sites; i++) h_offset[i] = (int)(i * depth);
  float table[64];
  for (int q = 0; q < 64; q++) table[q] = powf(10.f, -q / 10.f);
  Obs *d_obs; int *d_offset; Likelihood *d_out;
  cudaMalloc((void **)&d_obs, total * sizeof(Obs));
  cudaMalloc((void **)&d_offset, (sites + 1) * sizeof(int));
  cudaMalloc((void **)&d_out, sites * sizeof(Likelihood));
  cudaMemcpy(d_offset, h_offset, (sites + 1) * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(phred, table, sizeof(table));
  genotype<<<(unsigned)((sites + 255) / 256), 256>>>(d_obs, d_offset, d_out, (int)sites);
  cudaDeviceSynchronize();
  cudaFree(d_obs); cudaFree(d_offset); cudaFree(d_out);
  free(h_offset);
  return 0;
}
