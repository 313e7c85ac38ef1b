// About the particles.
/*
 * They go to a library.
 * coalesce: keep
 */
struct particle { float x, y, z, w, vx, vy, vz, q; };
struct cell { float x, y, z, w, vx, vy, vz, q; }; // coalesce: keep
// Nothing says that this one is kept.

struct site { float x, y, z, w, vx, vy, vz, q; };
__global__ void k(particle *p, cell *c, site *s, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) { p[i].x += p[i].vx; c[i].x += c[i].vx; s[i].x += s[i].vx; } }
int main()
{
	const int n = 1 << 22;
	particle *p;
	cell *c;
	site *s;
	cudaMalloc(&p, n * sizeof(particle));
	cudaMalloc(&c, n * sizeof(cell));
	cudaMalloc(&s, n * sizeof(site));
	for (int t = 0; t < 500; t++)
		k<<<n / 256, 256>>>(p, c, s, n);
}
