// Inline assembly is reported.
__global__ void k(unsigned *a) {
	unsigned lane;
	asm("mov.u32 %0, %%laneid;" : "=r"(lane));
	a[lane] = 0;
}
