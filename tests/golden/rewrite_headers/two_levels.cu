/* The kernel stands two headers down, in another folder; the header between is included twice. */
#include "nested.h"
#include "nested.h"
int main()
{
	const int n = 1 << 16;
	cell *a, *b;
	cudaMalloc(&a, n * sizeof(cell));
	cudaMalloc(&b, n * sizeof(cell));
	relax<<<blocks(n), 128>>>(a, b, n);
	cudaFree(a);
	cudaFree(b);
	return 0;
}
