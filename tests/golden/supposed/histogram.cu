/* Bins by the distance of two atoms: real numbers that nobody declares decide about a branch and about addresses. */
struct atom { float x, y, z; int kind; };
__global__ void distances(const atom *atoms, unsigned *bins, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 7 < n) {
    float dx = atoms[i].x - atoms[i + 7].x, dy = atoms[i].y - atoms[i + 7].y, dz = atoms[i].z - atoms[i + 7].z;
    int bin = (int)(sqrtf(dx * dx + dy * dy + dz * dz) * 250.0f);
    if (bin < 400) atomicAdd(bins + bin, 1);
  }
}
/* A loop whose trips are loaded: --trips says how many, not what is supposed. */
__global__ void walk(const atom *atoms, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < atoms[i].kind; k++) sum += atoms[k].x;
  out[i] = sum;
}
int main() {
  atom *atoms; unsigned *bins; float *out;
  cudaMalloc(&atoms, 65536 * sizeof(atom)); cudaMalloc(&bins, 512 * 4); cudaMalloc(&out, 65536 * 4);
  distances<<<256, 256>>>(atoms, bins, 65536);
  walk<<<256, 256>>>(atoms, out, 65536);
}
