// One kernel never ends, one leaves its memory, and one reads what they write: they are cut off or skipped, and said to be.
// launch: apart 1x1x1 32x1x1 0 1
// launch: stray 1x1x1 32x1x1 0 1
// launch: after 1x1x1 32x1x1 0 1
// launch: spin 1x1x1 32x1x1 0 1
// flags: --kernel-seconds 1
// ended: status 0
// says: (it may read what a kernel that did not run may have written), so that --index has to say what they write: after
// says: (it accesses an address that is not in its memory), so that --index has to say what they write: stray
// says: (the time for kernels is over), so that --index has to say what they write: spin
__global__ void spin(volatile int *flag)
{
	while (*flag == 0)
		;
}
__global__ void stray(int *data)
{
	data[1l << 40] = 1;
}
__global__ void after(const int *flag, int *out)
{
	out[threadIdx.x] = flag[0];
}
__global__ void apart(int *out)
{
	out[threadIdx.x] = threadIdx.x;
}
int main()
{
	int *flag, *out, *other, *data, host[32];
	cudaMalloc(&flag, 128);
	cudaMalloc(&out, 128);
	cudaMalloc(&other, 128);
	cudaMalloc(&data, 128);
	apart<<<1, 32>>>(other);
	cudaMemcpy(host, other, 128, cudaMemcpyDeviceToHost);
	stray<<<1, 32>>>(data);
	after<<<1, 32>>>(data, out);
	spin<<<1, 32>>>(flag);
	return host[31] == 31 ? 0 : 4;
}
