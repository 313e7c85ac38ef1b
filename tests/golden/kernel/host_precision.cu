/* Loops over real numbers are counted in the precision of their variable: in single precision the first runs 21 times, in double 20. */
__global__ void step(float *p, float by) { p[threadIdx.x] += by; }
int main()
{
	float *p, by = 0.1e-15, end = 2e-15, tenth = 0.1f;
	double exact = 0.1e-15;

	cudaMalloc(&p, 32 * sizeof(float));
	for (float t = 0.0; t <= end; t += by)
		step<<<1, 32>>>(p, by);
	for (float t = 0; t < 1; t += tenth)
		step<<<2, 32>>>(p, tenth);
	for (double t = 0; t <= 2e-15; t += exact)
		step<<<3, 32>>>(p, 1);
	for (float t = 0; t < 1; t = t + 0.1)
		step<<<4, 32>>>(p, 2);
	for (float t = 1; t > 0.3f; t -= 0.1f)
		step<<<5, 32>>>(p, 3);
}
