// Surface references and other fetches of old toolkits.
surface<void, 2> target;
texture<float4, 3, cudaReadModeElementType> volume;
texture<int, cudaTextureType1D> list;
__global__ void k(float *a, int n) {
	float v;
	surf2Dread(&v, target, n * 4, 0);
	surf2Dwrite(v + a[n], target, n * 4, 0, cudaBoundaryModeClamp);
	a[tex1Dfetch(list, n)] = surf1Dread<float>(target, n) + tex3D(volume, v, v, v).x;
}
int main(int argc, char **argv) {
	cudaArray *array;
	float *a;
	int *index;
	size_t offset;
	cudaChannelFormatDesc description = cudaCreateChannelDesc<float4>();
	CUT_DEVICE_INIT(argc, argv);
	CUDA_SAFE_CALL(cudaMalloc((void **)&a, 1024));
	cutilSafeCall(cudaMalloc((void **)&index, 256 * sizeof(int)));
	cudaMallocArray(&array, &description, 64, 64);
	volume.normalized = false;
	volume.filterMode = cudaFilterModeLinear;
	volume.addressMode[0] = cudaAddressModeClamp;
	cudaBindTextureToArray(volume, array, description);
	cudaBindTexture(&offset, list, index, 1024);
	cudaBindSurfaceToArray(target, array);
	k<<<4, 64>>>(a, 3);
	cudaThreadSynchronize();
	CUT_CHECK_ERROR("it failed");
	CUT_EXIT(argc, argv);
}
