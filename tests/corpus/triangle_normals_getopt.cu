// args: -n 262144
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

struct Vertex { float x, y, z; };
struct Triangle { int a, b, c; };
struct Normal { float nx, ny, nz; };

__global__ void normals(const Triangle *t, const Vertex *v, Normal *out, int n)
{
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) {
    Vertex a = v[t[i].a], b = v[t[i].b], c = v[t[i].c];
    float ux = b.x - a.x, uy = b.y - a.y, uz = b.z - a.z, wx = c.x - a.x, wy = c.y - a.y, wz = c.z - a.z;
    out[i].nx = uy * wz - uz * wy;
    out[i].ny = uz * wx - ux * wz;
    out[i].nz = ux * wy - uy * wx;
  }
}

int main(int argc, char **argv)
{
  int n = 1024, opt;
  while ((opt = getopt(argc, argv, "n:")) != -1) {
    switch (opt) {
    case 'n':
      n = atoi(optarg);
      break;
    default:
      fprintf(stderr, "usage: %s [options]\n", argv[0]);
      return 1;
    }
  }
  Triangle *t;
  cudaMalloc(&t, (n) * sizeof(Triangle));
  Vertex *v;
  cudaMalloc(&v, (n) * sizeof(Vertex));
  Normal *out;
  cudaMalloc(&out, (n) * sizeof(Normal));
  normals<<<(n + 255) / 256, 256>>>(t, v, out, n);
  cudaDeviceSynchronize();
  cudaFree(t);
  cudaFree(v);
  cudaFree(out);
  return 0;
}
