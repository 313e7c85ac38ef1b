// args: -w 1280 -h 720 -s 16
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include "path_tracer_vec.cuh"
#include "path_tracer_scene.cuh"

__global__ void render(const Sphere *spheres, int sphere_count, vec3 *frame, int width, int height, int samples)
{
    int px = threadIdx.x + blockIdx.x * blockDim.x, py = threadIdx.y + blockIdx.y * blockDim.y;
    if (px >= width || py >= height) return;
    unsigned rng = py * width + px + 1;
    vec3 sum(0, 0, 0);
    for (int s = 0; s < samples; s++) {
        Ray ray = camera_ray(px, py, width, height, rng);
        sum += trace(spheres, sphere_count, ray, rng);
    }
    frame[py * width + px] = sum / float(samples);
}

int main(int argc, char **argv)
{
    int width = 640, height = 480, samples = 4;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "-w") && i + 1 < argc) width = atoi(argv[++i]);
        else if (!strcmp(argv[i], "-h") && i + 1 < argc) height = atoi(argv[++i]);
        else if (!strcmp(argv[i], "-s") && i + 1 < argc) samples = atoi(argv[++i]);
        else { printf("unknown argument %s\n", argv[i]); return 1; }
    }
    const int count = 64;
    Sphere host[count];
    for (int i = 0; i < count; i++) host[i] = make_sphere(i);
    Sphere *spheres;
    vec3 *frame;
    cudaMalloc(&spheres, sizeof(host));
    cudaMallocManaged(&frame, width * height * sizeof(vec3));
    cudaMemcpy(spheres, host, sizeof(host), cudaMemcpyHostToDevice);
    dim3 threads(8, 8);
    dim3 blocks(width / threads.x + 1, height / threads.y + 1);
    render<<<blocks, threads>>>(spheres, count, frame, width, height, samples);
    cudaDeviceSynchronize();
    FILE *f = fopen("out.ppm", "w");
    fprintf(f, "P3\n%d %d\n255\n", width, height);
    for (int i = 0; i < width * height; i++) fprintf(f, "%d %d %d\n", int(255 * frame[i].x), int(255 * frame[i].y), int(255 * frame[i].z));
    fclose(f);
    cudaFree(frame); cudaFree(spheres);
}
