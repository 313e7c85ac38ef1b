// args: 800 600
#include <cstdio>
#include <cstdlib>
struct Voxel { unsigned char density, r, g, b; };
struct Camera { float3 eye, u, v, w; };
__constant__ Camera cam;
__device__ float3 operator+(float3 a, float3 b) { return make_float3(a.x + b.x, a.y + b.y, a.z + b.z); }
__device__ float3 operator*(float s, float3 a) { return make_float3(s * a.x, s * a.y, s * a.z); }
__global__ void cast(const Voxel *volume, uchar4 *image, int width, int height, int dim)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float3 dir = (x / (float)width - 0.5f) * cam.u + (y / (float)height - 0.5f) * cam.v + cam.w;
    float3 pos = cam.eye;
    float r = 0, g = 0, b = 0, alpha = 0;
    for (int step = 0; step < 256 && alpha < 0.98f; step++) {
        int ix = pos.x * dim, iy = pos.y * dim, iz = pos.z * dim;
        if (ix >= 0 && iy >= 0 && iz >= 0 && ix < dim && iy < dim && iz < dim) {
            Voxel v = volume[(iz * dim + iy) * dim + ix];
            float a = v.density / 255.0f * (1 - alpha);
            r += a * v.r; g += a * v.g; b += a * v.b;
            alpha += a;
        }
        pos = pos + (1.0f / 256) * dir;
    }
    image[y * width + x] = make_uchar4(r, g, b, 255);
}
int main(int argc, char **argv)
{
    const int dim = 256;
    int width = argc > 1 ? atoi(argv[1]) : 512, height = argc > 2 ? atoi(argv[2]) : 512;
    Voxel *volume; uchar4 *image;
    cudaMalloc(&volume, dim * dim * dim * sizeof(Voxel));
    cudaMalloc(&image, width * height * sizeof(uchar4));
    FILE *f = fopen("volume.raw", "rb");
    if (f) {
        Voxel *h = (Voxel *)malloc(dim * dim * dim * sizeof(Voxel));
        fread(h, sizeof(Voxel), dim * dim * dim, f);
        cudaMemcpy(volume, h, dim * dim * dim * sizeof(Voxel), cudaMemcpyHostToDevice);
        free(h);
        fclose(f);
    }
    Camera c = {{0.5f, 0.5f, -1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    cudaMemcpyToSymbol(cam, &c, sizeof(Camera));
    dim3 block(16, 16), grid((width + 15) / 16, (height + 15) / 16);
    cast<<<grid, block>>>(volume, image, width, height, dim);
    cudaDeviceSynchronize();
}
