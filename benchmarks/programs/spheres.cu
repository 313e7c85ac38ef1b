// Tiny progressive path tracer: diffuse / metal / glass / light spheres.
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include <stdint.h>
#include <cuda_runtime.h>

#define checkCudaErrors(val) check_cuda((val), #val, __FILE__, __LINE__)
static void check_cuda(cudaError_t result, const char* func, const char* file, int line)
{
    if (result) {
        fprintf(stderr, "CUDA error = %s at %s:%d '%s'\n", cudaGetErrorString(result), file, line, func);
        cudaDeviceReset();
        exit(99);
    }
}

struct vec3 {
    float x, y, z;
    __host__ __device__ vec3() {}
    __host__ __device__ vec3(float a, float b, float c) : x(a), y(b), z(c) {}
    __host__ __device__ vec3& operator+=(const vec3& o) { x += o.x; y += o.y; z += o.z; return *this; }
    __host__ __device__ vec3& operator*=(const vec3& o) { x *= o.x; y *= o.y; z *= o.z; return *this; }
};
__host__ __device__ inline vec3 operator+(vec3 a, vec3 b) { return vec3(a.x + b.x, a.y + b.y, a.z + b.z); }
__host__ __device__ inline vec3 operator-(vec3 a, vec3 b) { return vec3(a.x - b.x, a.y - b.y, a.z - b.z); }
__host__ __device__ inline vec3 operator*(vec3 a, vec3 b) { return vec3(a.x * b.x, a.y * b.y, a.z * b.z); }
__host__ __device__ inline vec3 operator*(float t, vec3 a) { return vec3(t * a.x, t * a.y, t * a.z); }
__host__ __device__ inline float dot(vec3 a, vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__host__ __device__ inline vec3 cross(vec3 a, vec3 b) { return vec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x); }
__host__ __device__ inline vec3 unit(vec3 a) { return (1.0f / sqrtf(dot(a, a))) * a; }

enum Material { DIFFUSE = 0, METAL = 1, GLASS = 2, LIGHT = 3 };

struct Sphere {
    vec3  center;
    float radius;
    vec3  albedo;
    vec3  emission;
    float fuzz;
    float ior;
    int   material;
};

struct RandState { uint32_t x, y, z, w; };          // xorshift128
struct Accum     { float r, g, b; int samples; };
struct Pixel     { unsigned char r, g, b; };
struct View      { vec3 origin, corner, horiz, vert; };

__constant__ View c_view;

__device__ __forceinline__ float rnd(RandState* s)
{
    uint32_t t = s->x ^ (s->x << 11);
    s->x = s->y; s->y = s->z; s->z = s->w;
    s->w = s->w ^ (s->w >> 19) ^ t ^ (t >> 8);
    return (s->w >> 8) * (1.0f / 16777216.0f);
}

__device__ uint32_t wang_hash(uint32_t seed)
{
    seed = (seed ^ 61u) ^ (seed >> 16);
    seed *= 9u;
    seed ^= seed >> 4;
    seed *= 0x27d4eb2du;
    seed ^= seed >> 15;
    return seed;
}

__device__ vec3 random_on_sphere(RandState* s)
{
    float z = 1.0f - 2.0f * rnd(s);
    float phi = 6.2831853f * rnd(s);
    float r = sqrtf(fmaxf(0.0f, 1.0f - z * z));
    float sn, cs;
    __sincosf(phi, &sn, &cs);
    return vec3(r * cs, r * sn, z);
}

__device__ int hit_world(const Sphere* __restrict__ world, int n, vec3 ro, vec3 rd, float* t_out)
{
    float closest = 1e20f;
    int   id = -1;
    for (int i = 0; i < n; i++) {
        vec3  oc = ro - world[i].center;
        float b = dot(oc, rd);
        float c = dot(oc, oc) - world[i].radius * world[i].radius;
        float disc = b * b - c;
        if (disc <= 0.0f) continue;
        float sq = sqrtf(disc);
        float t = -b - sq;
        if (t < 1e-3f) t = -b + sq;
        if (t > 1e-3f && t < closest) { closest = t; id = i; }
    }
    *t_out = closest;
    return id;
}

__device__ vec3 trace(const Sphere* __restrict__ world, int n, vec3 ro, vec3 rd, RandState* rs, int max_depth)
{
    vec3 radiance(0, 0, 0), throughput(1, 1, 1);
    for (int depth = 0; depth < max_depth; depth++) {
        float t;
        int id = hit_world(world, n, ro, rd, &t);
        if (id < 0) {
            float k = 0.5f * (rd.y + 1.0f);
            radiance += throughput * ((1.0f - k) * vec3(0.6f, 0.6f, 0.6f) + k * vec3(0.25f, 0.4f, 0.7f));
            break;
        }
        const Sphere& s = world[id];
        vec3 p = ro + t * rd;
        vec3 nrm = (1.0f / s.radius) * (p - s.center);
        radiance += throughput * s.emission;
        if (s.material == LIGHT) break;
        throughput *= s.albedo;
        if (s.material == DIFFUSE) {
            vec3 d = nrm + 0.999f * random_on_sphere(rs);
            rd = unit(d);
        } else if (s.material == METAL) {
            vec3 refl = rd - 2.0f * dot(rd, nrm) * nrm;
            rd = unit(refl + s.fuzz * random_on_sphere(rs));
            if (dot(rd, nrm) <= 0.0f) break;
        } else {
            float cosi = dot(rd, nrm);
            float eta = cosi < 0.0f ? 1.0f / s.ior : s.ior;
            vec3 nn = cosi < 0.0f ? nrm : -1.0f * nrm;
            float ct = fminf(fabsf(cosi), 1.0f);
            float k = 1.0f - eta * eta * (1.0f - ct * ct);
            float r0 = (1.0f - s.ior) / (1.0f + s.ior);
            r0 *= r0;
            float m = 1.0f - ct;
            float fr = r0 + (1.0f - r0) * m * m * m * m * m;
            if (k < 0.0f || rnd(rs) < fr) rd = unit(rd + 2.0f * ct * nn);
            else rd = unit(eta * rd + (eta * ct - sqrtf(k)) * nn);
        }
        ro = p;
    }
    return radiance;
}

__global__ void rand_init(RandState* states, Accum* acc, int nx, int ny, uint32_t seed)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    int j = threadIdx.y + blockIdx.y * blockDim.y;
    if (i >= nx || j >= ny) return;
    int idx = j * nx + i;
    uint32_t h = wang_hash(idx * 9781u + seed);
    states[idx].x = h | 1u;
    states[idx].y = h = wang_hash(h);
    states[idx].z = h = wang_hash(h);
    states[idx].w = wang_hash(h);
    acc[idx].r = acc[idx].g = acc[idx].b = 0.0f;
    acc[idx].samples = 0;
}

__global__ void render(const Sphere* __restrict__ world, int nspheres, RandState* states, Accum* acc,
                       int nx, int ny, int spp)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    int j = threadIdx.y + blockIdx.y * blockDim.y;
    if (i >= nx || j >= ny) return;
    int idx = j * nx + i;
    RandState local = states[idx];
    vec3 col(0, 0, 0);
    for (int s = 0; s < spp; s++) {
        float u = (i + rnd(&local)) / nx;
        float v = (j + rnd(&local)) / ny;
        vec3 dir = unit(c_view.corner + u * c_view.horiz + v * c_view.vert - c_view.origin);
        col += trace(world, nspheres, c_view.origin, dir, &local, 5);
    }
    states[idx] = local;
    acc[idx].r += col.x;
    acc[idx].g += col.y;
    acc[idx].b += col.z;
    acc[idx].samples += spp;
}

__device__ inline unsigned char to_byte(float c)
{
    c = c / (1.0f + c);
    return (unsigned char)(255.99f * fminf(powf(fmaxf(c, 0.0f), 1.0f / 2.2f), 1.0f));
}

__global__ void tonemap(const Accum* __restrict__ acc, Pixel* __restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Accum a = acc[i];
    float inv = 1.0f / a.samples;
    out[i].r = to_byte(a.r * inv);
    out[i].g = to_byte(a.g * inv);
    out[i].b = to_byte(a.b * inv);
}

static float frand(void) { return (float)rand() / (float)RAND_MAX; }

int main(void)
{
    const int nx = 1200, ny = 800, npix = nx * ny;
    const int nspheres = 40;
    srand(2024);

    Sphere* h_world = (Sphere*)malloc(nspheres * sizeof(Sphere));
    for (int i = 0; i < nspheres; i++) {
        Sphere* s = &h_world[i];
        s->radius = 0.25f + 0.35f * frand();
        s->center = vec3(10.0f * frand() - 5.0f, s->radius, 8.0f * frand() - 6.0f);
        s->albedo = vec3(0.3f + 0.6f * frand(), 0.3f + 0.6f * frand(), 0.3f + 0.6f * frand());
        s->emission = vec3(0, 0, 0);
        s->fuzz = 0.3f * frand();
        s->ior = 1.5f;
        float m = frand();
        s->material = m < 0.6f ? DIFFUSE : m < 0.8f ? METAL : m < 0.93f ? GLASS : LIGHT;
        if (s->material == GLASS) s->albedo = vec3(0.98f, 0.98f, 0.98f);
        if (s->material == LIGHT) s->emission = vec3(6.0f, 5.0f, 4.0f);
    }
    h_world[0].center = vec3(0, -100.0f, 0);     // floor
    h_world[0].radius = 100.0f;
    h_world[0].material = DIFFUSE;
    h_world[0].albedo = vec3(0.5f, 0.5f, 0.5f);
    h_world[0].emission = vec3(0, 0, 0);

    View view;
    view.origin = vec3(0.0f, 2.5f, 7.0f);
    vec3 w = unit(view.origin - vec3(0, 0.4f, -1.0f));
    vec3 u = unit(cross(vec3(0, 1, 0), w));
    vec3 v = cross(w, u);
    float hh = tanf(0.5f * 50.0f * 3.14159265f / 180.0f), hw = hh * nx / ny;
    view.corner = view.origin - hw * u - hh * v - w;
    view.horiz = 2.0f * hw * u;
    view.vert = 2.0f * hh * v;
    checkCudaErrors(cudaMemcpyToSymbol(c_view, &view, sizeof(View)));

    Sphere* d_world; RandState* d_states; Accum* d_acc; Pixel* d_pix;
    checkCudaErrors(cudaMalloc((void**)&d_world, nspheres * sizeof(Sphere)));
    checkCudaErrors(cudaMalloc((void**)&d_states, npix * sizeof(RandState)));
    checkCudaErrors(cudaMalloc((void**)&d_acc, npix * sizeof(Accum)));
    checkCudaErrors(cudaMalloc((void**)&d_pix, npix * sizeof(Pixel)));
    checkCudaErrors(cudaMemcpy(d_world, h_world, nspheres * sizeof(Sphere), cudaMemcpyHostToDevice));

    dim3 threads(8, 8);
    dim3 blocks((nx + 7) / 8, (ny + 7) / 8);
    for (int rep = 0; rep < 5; rep++)     // restart a few times, like a moving camera would
        rand_init<<<blocks, threads>>>(d_states, d_acc, nx, ny, 1984u + rep);
    checkCudaErrors(cudaGetLastError());
    for (int pass = 0; pass < 8; pass++) {
        render<<<blocks, threads>>>(d_world, nspheres, d_states, d_acc, nx, ny, 4);
        tonemap<<<(npix + 255) / 256, 256>>>(d_acc, d_pix, npix);
        checkCudaErrors(cudaGetLastError());
    }
    checkCudaErrors(cudaDeviceSynchronize());

    Pixel* h_pix = (Pixel*)malloc(npix * sizeof(Pixel));
    checkCudaErrors(cudaMemcpy(h_pix, d_pix, npix * sizeof(Pixel), cudaMemcpyDeviceToHost));
    unsigned long long sum = 0;
    for (int i = 0; i < npix; i++) sum += h_pix[i].r + h_pix[i].g + h_pix[i].b;
    printf("checksum %llu  mean %.4f\n", sum, (double)sum / (3.0 * npix));

    checkCudaErrors(cudaFree(d_world)); checkCudaErrors(cudaFree(d_states));
    checkCudaErrors(cudaFree(d_acc));   checkCudaErrors(cudaFree(d_pix));
    free(h_world); free(h_pix);
    return 0;
}
