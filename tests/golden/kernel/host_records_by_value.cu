// Records that launches pass by value: made by the toolkit, by functions, methods, braces and loops.
#include <cstring>
struct bounds { int a, b, c; float scale; };
struct table { int e[4], last; };
struct pair { int2 low, high; };
struct made { int a, b, c; __host__ __device__ made(int n) : a(n), b(2 * n) { c = 3 * n; } };
struct filled { int e[2][2]; void fill(int k) { for (int i = 0; i < 2; i++) for (int j = 0; j < 2; j++) e[i][j] = k * (2 * i + j); } };
__global__ void of_vector(float *out, int4 v) { out[threadIdx.x] = v.x + v.w; }
__global__ void of_reals(float *out, float3 v) { out[threadIdx.x] = v.x + v.z; }
__global__ void of_bounds(float *out, bounds v) { out[threadIdx.x] = v.a + v.scale; }
__global__ void of_table(float *out, table v) { out[threadIdx.x] = v.e[threadIdx.x & 3] + v.last; }
__global__ void of_pair(float *out, pair v) { out[threadIdx.x] = v.low.x + v.high.y; }
__global__ void of_made(float *out, made v) { out[threadIdx.x] = v.a + v.c; }
__global__ void of_filled(float *out, filled v) { out[threadIdx.x] = v.e[0][threadIdx.x & 1]; }
static bounds returned(int n) { bounds b; b.a = n; b.b = 2 * n; b.c = 3 * n; b.scale = .5f; return b; }
static inline void by_reference(bounds &b, int n) { b.a = n; b.b = n + 1; }
static inline void by_pointer(table *t, int step) { for (int i = 0; i < 4; i++) t->e[i] = i * step; }
static int4 of_one(int k) { return make_int4(k, k + 1, k + 2, k + 3); }
extern int asked();
int main()
{
	float *out;
	int n = 100, words[4] = {1, 2, 4, 8};
	cudaMalloc(&out, 1 << 20);
	of_vector<<<1, 32>>>(out, make_int4(n, 2 * n, 3 * n, 1 << 30));
	of_vector<<<1, 32>>>(out, of_one(n));
	of_reals<<<1, 32>>>(out, make_float3(1.5f, 2, 3));
	of_bounds<<<1, 32>>>(out, returned(n));
	bounds b = {};
	of_bounds<<<1, 32>>>(out, b);
	by_reference(b, n);
	b.c = asked();
	of_bounds<<<1, 32>>>(out, b);
	table t;
	by_pointer(&t, n);
	of_table<<<1, 32>>>(out, t);
	memcpy(t.e, words, sizeof words);
	t.last = 7;
	of_table<<<1, 32>>>(out, t);
	memset(&t, 0, sizeof t);
	t.e[2] = n;
	of_table<<<1, 32>>>(out, t);
	pair p = {make_int2(1, 2), make_int2(3, 4)};
	of_pair<<<1, 32>>>(out, p);
	of_made<<<1, 32>>>(out, made(n));
	filled f;
	f.fill(n);
	of_filled<<<1, 32>>>(out, f);
}
