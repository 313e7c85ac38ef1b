// Six loops of 65536 rounds each, one in the other: counts of 2^96, of which the smallest part is still seen.
struct rec { float x, y, z; };
__global__ void grind(const rec *r, float *o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
  for (int c0 = 0; c0 < n; c0++)
  for (int c1 = 0; c1 < n; c1++)
  for (int c2 = 0; c2 < n; c2++)
  for (int c3 = 0; c3 < n; c3++)
  for (int c4 = 0; c4 < n; c4++)
  for (int c5 = 0; c5 < n; c5++)
    o[i] += r[i].x;
}
int main() { int n = 65536; rec *r; float *o; cudaMalloc(&r, n * sizeof(rec)); cudaMalloc(&o, n * 4); grind<<<n / 256, 256>>>(r, o, n); }
