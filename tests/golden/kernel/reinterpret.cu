// A float array read as float4: element 4 * i, 16 bytes; a record read as floats is not known.
struct particle { float x, y, z; };
__global__ void k(float *a, particle *p) {
	int i = threadIdx.x;
	float4 v = reinterpret_cast<float4 *>(a)[i];
	a[i] = v.x;
	((float *)p)[i] = 0;
}
