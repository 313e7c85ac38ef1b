/* Members of which the host's code does not plainly say what every element holds: none of them is taken to be known, but for one beside which a kernel stores. */
#include <cstdio>
#include <cstdlib>
struct by_kernel { int stored, kept; };
struct by_braces { int a, b; };
struct by_file { int a, b; };
struct by_cast { int a, b; };
struct by_branch { int sometimes, either, one, skipped, half; };
struct by_call { int reference, address, read, other, counted; };
struct by_memory { int a; };
struct by_zeros { int a; };
static void add(by_zeros *z, int *used) { z[*used].a = 1; ++*used; }
static int used_;
static void append(by_zeros *z) { z[used_].a = 1; used_++; }
struct by_lambda { int caught; };
struct by_foreign { int a; };
void load(by_foreign *p, int n);
__global__ void k(by_kernel *k, const by_braces *b, const by_file *f, const by_cast *c, const by_branch *r, const by_call *l, const by_memory *m,
                  const by_lambda *x, const by_foreign *y, const by_zeros *z, int *out)
{
	int i = threadIdx.x;

	k[i].stored = 2;
	out[i] = k[i].kept + b[i].a + f[i].a + c[i].a + r[i].sometimes + l[i].read + m[i].a + x[i].caught + y[i].a + z[i].a;
}
static void raise(int &x) { x++; }
static by_braces pair(int b) { return {1, b}; }
int main(int argc, char **argv)
{
	const int n = 64;
	by_kernel *k_ = (by_kernel *)malloc(n * sizeof(by_kernel));
	by_braces *b = (by_braces *)malloc(n * sizeof(by_braces));
	by_file *f = (by_file *)malloc(n * sizeof(by_file));
	by_cast *c = (by_cast *)malloc(n * sizeof(by_cast));
	by_branch *r = (by_branch *)calloc(n, sizeof(by_branch));
	by_call *l = (by_call *)malloc(n * sizeof(by_call));
	by_memory *m, *hm = (by_memory *)malloc(n * sizeof(by_memory));
	by_lambda *x = new by_lambda[n];
	by_foreign *y = new by_foreign[n];
	by_zeros *z = (by_zeros *)calloc(n, sizeof(by_zeros));
	int *raw = (int *)c, used = 0;

	for (int i = 0; i < argc; i++) {
		add(z, &used);
		append(z);
	}

	for (int i = 0; i < n; i++) {
		k_[i].stored = 1;
		k_[i].kept = 1;
		b[i].a = 1;
		b[i].b = 1;
		f[i].a = 1;
		c[i].a = 1;
		l[i].reference = 1;
		l[i].address = 1;
		l[i].read = 1;
		l[i].other = 1;
		l[i].counted = 1;
		hm[i].a = 1;
		x[i].caught = 1;
		y[i].a = 1;
		r[i].either = 1;
		if (rand() % 2)
			r[i].sometimes = 1;
		if (rand() % 2)
			r[i].either = 0;
	}
	for (int i = 0; i < n; i += 2)
		r[i].half = 1;
	for (int i = 0; i < n; i++) {
		if (rand() % 2)
			continue;
		r[i].skipped = 1;
	}
	r[rand() % n].one = 1;
	b[3] = pair(3);
	if (fread(f, sizeof *f, n, stdin) != n)
		return 1;
	raw[7] = 3;
	raise(l[5].reference);
	int *address = &l[4].address;
	*address = 5;
	if (scanf("%d", &l[2].read) != 1)
		return 1;
	l[9].counted++;
	l[9].other = argc;
	cudaMalloc(&m, n * sizeof *m);
	cudaMemcpy(m, hm, n * sizeof *m, cudaMemcpyHostToDevice);
	cudaMemset(m, 0, n / 2 * sizeof *m);
	auto mark = [&](int i) { x[i].caught = i; };
	mark(3);
	load(y, n);
	k<<<1, 64>>>(k_, b, f, c, r, l, m, x, y, z, 0);
}
