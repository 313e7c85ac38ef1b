// Launches that a stream captures are made where their graph is launched, as often as it is.
__global__ void step(float *a, float *b, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) b[i] = 2 * a[i]; }
__global__ void once(float *a) { a[threadIdx.x] = 0; }
__global__ void lost(float *a) { a[threadIdx.x] = 1; }
int main()
{
	float *a, *b;
	cudaStream_t stream;
	cudaGraph_t graph, other, unused;
	cudaGraphExec_t run, again;
	bool made = false;
	cudaMalloc(&a, 1 << 20);
	cudaMalloc(&b, 1 << 20);
	cudaStreamCreate(&stream);
	cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
	for (int i = 0; i < 10; i++) {
		step<<<1024, 256, 0, stream>>>(a, b, 1 << 18);
		step<<<1024, 256, 0, stream>>>(b, a, 1 << 18);
	}
	cudaStreamEndCapture(stream, &graph);
	cudaGraphInstantiate(&run, graph, 0);
	for (int s = 0; s < 50; s++)
		cudaGraphLaunch(run, stream);
	for (int s = 0; s < 7; s++) {
		if (!made) {
			cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
			once<<<1, 64, 0, stream>>>(a);
			cudaStreamEndCapture(stream, &other);
			cudaGraphInstantiate(&again, other, 0);
			made = true;
		}
		cudaGraphLaunch(again, stream);
	}
	cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
	lost<<<1, 32, 0, stream>>>(a);
	cudaStreamEndCapture(stream, &unused);
}
