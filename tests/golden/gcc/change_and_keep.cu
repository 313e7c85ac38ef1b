// One member of eight is read in order: a change. The other record is read all over the place: it is kept.
struct wide { float a, b, c, d, e, f, g, h; };
struct pair { float x, y; };
__global__ void sum(const wide *w, float *sums) { int i = blockIdx.x * blockDim.x + threadIdx.x; sums[i] += w[i].a; }
__global__ void both(pair *p) { int i = blockIdx.x * blockDim.x + threadIdx.x; int e = i * 37 & 1048575; p[e].x += p[e].y; }
int main()
{
	wide *w; pair *p; float *sums;
	cudaMalloc(&w, sizeof(wide) << 20); cudaMalloc(&p, sizeof(pair) << 20); cudaMalloc(&sums, sizeof(float) << 20);
	sum<<<4096, 256>>>(w, sums); both<<<4096, 256>>>(p);
}
