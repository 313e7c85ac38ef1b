// About the particles.
// coalesce: keep
/* they go to a library */
struct particle { float x, y, z, w, vx, vy, vz, q; };
__global__ void k(particle *p, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[i].x += p[i].vx; }
int main() { const int n = 1 << 22; particle *p; cudaMalloc(&p, n * sizeof(particle)); for (int t = 0; t < 500; t++) k<<<n / 256, 256>>>(p, n); }
