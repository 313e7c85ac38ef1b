/* Textures and surfaces of every dimension. */
__global__ void textures(cudaTextureObject_t t, float *o, int4 *q)
{
	int x = threadIdx.x, y = threadIdx.y;
	o[x] = tex1Dfetch<float>(t, x) + tex2D<float>(t, x + 0.5f, y + 0.5f) + tex3D<float>(t, x, y, 1) +
	       tex2DLayered<float>(t, x, y, 2) + texCubemap<float>(t, 1, 2, 3) + tex1D<float4>(t, x).y +
	       tex2Dgather<float4>(t, x, y, 1).z + tex2DLod<float>(t, x, y, 2) +
	       tex2DGrad<float>(t, x, y, make_float2(1, 2), make_float2(3, 4));
	q[x] = tex2D<int4>(t, x, y);
}

__global__ void surfaces(cudaSurfaceObject_t s)
{
	int x = threadIdx.x, y = threadIdx.y;
	float v;
	float4 w;
	surf2Dread(&v, s, x * 4, y);
	surf2Dwrite(v + 1, s, x * 4, y);
	surf3Dread(&w, s, x * 16, y, 1);
	surf1Dwrite(w, s, x * 16);
}
