// args: -n 262144
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

struct Point { float x, y, z, intensity; };
struct Pose { float m[12]; };

__global__ void transform(const Point *in, Point *out, Pose pose, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    Point p = in[i];
    out[i].x = pose.m[0] * p.x + pose.m[1] * p.y + pose.m[2] * p.z + pose.m[3];
    out[i].y = pose.m[4] * p.x + pose.m[5] * p.y + pose.m[6] * p.z + pose.m[7];
    out[i].z = pose.m[8] * p.x + pose.m[9] * p.y + pose.m[10] * p.z + pose.m[11];
    out[i].intensity = p.intensity;
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
  Point *in;
  cudaMalloc(&in, (n) * sizeof(Point));
  Point *out;
  cudaMalloc(&out, (n) * sizeof(Point));
  transform<<<(n + 255) / 256, 256>>>(in, out, Pose(), n);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
  return 0;
}
