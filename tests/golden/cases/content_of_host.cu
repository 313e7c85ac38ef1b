// args: --index r.next=seq
// What host code plainly puts into members that a kernel decides on is taken, and said; not where an option says something, nor where it fills a part of the array.
#include <cstdlib>
struct row { int start, count, next; bool used; };
struct part { bool used; int value; };
__global__ void k(const row *r, const part *p, const float *v, float *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;
	if (!r[i].used || !p[i].used) return;
	for (int j = 0; j < r[i].count; j++) sum += v[r[i].start + j];
	out[r[i].next] = sum;
}
int main()
{
	const int n = 65536;
	row *r = new row[n], *dr;
	part *p = (part *)calloc(n, sizeof(part)), *dp;
	float *v, *out;
	int at = 0;
	for (int i = 0; i < n; i++) {
		r[i].start = at;
		r[i].count = 3 + rand() % 7;
		r[i].next = 2 * i;
		r[i].used = true;
		at += r[i].count;
	}
	for (int i = 0; i < n / 2; i++) {
		p[i].used = true;
		p[i].value = 1;
	}
	cudaMalloc(&dr, n * sizeof(row));
	cudaMalloc(&dp, n * sizeof(part));
	cudaMalloc(&v, 9 * n * sizeof(float));
	cudaMalloc(&out, n * sizeof(float));
	cudaMemcpy(dr, r, n * sizeof(row), cudaMemcpyHostToDevice);
	cudaMemcpy(dp, p, n * sizeof(part), cudaMemcpyHostToDevice);
	k<<<n / 256, 256>>>(dr, dp, v, out);
}
