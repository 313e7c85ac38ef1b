// A captured graph is launched several times; managed and mapped memory; one block that no GPU takes.
// launch: twice 4x1x1 128x1x1 0 10
// launch: once 8x1x1 64x1x1 0 1
// says: launches: once
__global__ void twice(int *x)
{
	x[blockIdx.x * blockDim.x + threadIdx.x] *= 2;
}
__global__ void once(const int *index, int *x)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	x[index[i]] += 1;
}
int main()
{
	int *managed, *pinned, *mapped;
	cudaStream_t stream;
	cudaGraph_t graph;
	cudaGraphExec_t executable;
	cudaMallocManaged(&managed, 512 * sizeof(int));
	cudaHostAlloc(&pinned, 512 * sizeof(int), cudaHostAllocMapped);
	cudaHostGetDevicePointer(&mapped, pinned, 0);
	for (int i = 0; i < 512; i++)
		managed[i] = 511 - i;
	cudaStreamCreate(&stream);
	cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
	twice<<<4, 128, 0, stream>>>(mapped);
	twice<<<4, 128, 0, stream>>>(mapped);
	cudaStreamEndCapture(stream, &graph);
	cudaGraphInstantiate(&executable, graph, 0);
	for (int i = 0; i < 5; i++)
		cudaGraphLaunch(executable, stream);
	once<<<8, 2048>>>(managed, mapped);
	if (cudaGetLastError() != cudaErrorInvalidConfiguration)
		return 1;
	once<<<8, 64>>>(managed, mapped);
	return cudaDeviceSynchronize();
}
