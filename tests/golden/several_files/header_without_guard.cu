/* A header without guard that defines types and macros, in two files and through another header: nvcc compiles each by itself. */
#include "files/header_without_guard.h"
#include "files/header_without_guard_outer.h"

int main()
{
	row *d;
	cudaMalloc(&d, COUNT * sizeof(row));
	fill(d, COUNT);
	cudaDeviceSynchronize();
	cudaFree(d);
	return 0;
}
