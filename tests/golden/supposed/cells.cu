/* The cell that a particle is in: what is supposed of positions would put all of them into a few; the neighbours of a cell lie beside it wherever it is. */
struct particle { float x, y, weight; };
__global__ void deposit(const particle *particles, float *cells, int columns, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int column = (int)particles[i].x, row = (int)particles[i].y, cell = row * columns + column;
  atomicAdd(cells + cell, particles[i].weight);
  atomicAdd(cells + cell + 1, particles[i].weight);
}
__global__ void field(particle *particles, const float *cells, int columns, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int cell = (int)particles[i].y * columns + (int)particles[i].x;
  if (particles[i].x < 1.0f) particles[i].weight = cells[cell] + cells[cell + 1];
}
int main() {
  particle *particles; float *cells;
  cudaMalloc(&particles, 1048576 * sizeof(particle)); cudaMalloc(&cells, 513 * 512 * 4);
  deposit<<<4096, 256>>>(particles, cells, 512, 1048576);
  field<<<4096, 256>>>(particles, cells, 512, 1048576);
}
