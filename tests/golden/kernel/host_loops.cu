// Launches in loops: counted where the loop's length is known.
__global__ void k(float *a, int s) { a[threadIdx.x] = s; }
int main(int argc, char **argv) {
	float *a = 0;
	for (int i = 0; i < 10; i++)
		k<<<1, 32>>>(a, i);
	for (int s = 1; s < 1024; s *= 2)
		for (int j = 0; j < 3; j++)
			k<<<2, 32>>>(a, 5);
	for (int i = 0; i < argc; i++)
		k<<<3, 32>>>(a, 6);
	int m = 4;
	while (m--)
		k<<<4, 32>>>(a, 7);
	if (argc > 3)
		k<<<5, 32>>>(a, 8);
}
