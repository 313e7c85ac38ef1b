// args: 512 512
#include <cstdio>
#include <cstdlib>
struct Ray { float u, v, result; };
__global__ void sample(cudaTextureObject_t image, Ray *rays, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i >= n) return;
    rays[i].result = tex2D<float>(image, rays[i].u, rays[i].v);
}
int main(int argc, char **argv)
{
    int width = atoi(argv[1]), height = atoi(argv[2]), n = width * height;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    cudaMallocArray(&array, &format, width, height);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc description = {};
    description.filterMode = cudaFilterModeLinear;
    cudaTextureObject_t texture = 0;
    cudaCreateTextureObject(&texture, &resource, &description, nullptr);
    Ray *rays;
    cudaMalloc(&rays, n * sizeof(Ray));
    sample<<<(n + 127) / 128, 128>>>(texture, rays, n);
    cudaDeviceSynchronize();
    cudaDestroyTextureObject(texture);
    cudaFreeArray(array);
    cudaFree(rays);
}
