// Texture references of old toolkits: the fetch is reported and left out.
texture<float, 1, cudaReadModeElementType> source;
texture<float, 2> image;
__global__ void k(float *a) { a[threadIdx.x] = tex1Dfetch(source, threadIdx.x) + tex2D(image, 1.0f, 2.0f); }
int main() {
	float *a;
	cudaMalloc(&a, 64);
	cudaBindTexture(0, source, a, 64);
	k<<<1, 16>>>(a);
	cudaUnbindTexture(source);
}
