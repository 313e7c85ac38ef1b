/*
 * image.cu - a few classic image operations on packed 8 bit RGB
 *   RGB -> HSV, value histogram, histogram equalisation back to RGB,
 *   Sobel gradients, bilateral filter
 */
#include <cstdio>
#include <cstdlib>
#include <cmath>
#include <cstdint>
#include <cuda_runtime.h>

#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { \
    printf("CUDA failure %s:%d: '%s'\n", __FILE__, __LINE__, cudaGetErrorString(e)); exit(1); } } while (0)

#define BINS   256
#define RADIUS 4

typedef struct { unsigned char r, g, b; } rgb_t;
typedef struct { float h, s, v; } hsv_t;
typedef struct {
    short gx, gy;
    unsigned char mag;
    unsigned char dir;      // 0..3 quantised direction
} grad_t;

__device__ __forceinline__ int iclamp(int v, int lo, int hi) { return v < lo ? lo : (v > hi ? hi : v); }

__device__ __forceinline__ int luma(const rgb_t& p) { return (77 * p.r + 150 * p.g + 29 * p.b) >> 8; }

__device__ hsv_t to_hsv(rgb_t p)
{
    float r = p.r / 255.0f, g = p.g / 255.0f, b = p.b / 255.0f;
    float mx = fmaxf(r, fmaxf(g, b)), mn = fminf(r, fminf(g, b));
    float d = mx - mn;
    hsv_t o;
    o.v = mx;
    o.s = mx > 0.0f ? d / mx : 0.0f;
    if (d <= 0.0f)      o.h = 0.0f;
    else if (mx == r)   o.h = 60.0f * ((g - b) / d);
    else if (mx == g)   o.h = 60.0f * ((b - r) / d + 2.0f);
    else                o.h = 60.0f * ((r - g) / d + 4.0f);
    if (o.h < 0.0f) o.h += 360.0f;
    return o;
}

__device__ rgb_t from_hsv(hsv_t c)
{
    float hh = c.h / 60.0f;
    int sector = (int)floorf(hh);
    float f = hh - sector;
    float p = c.v * (1.0f - c.s), q = c.v * (1.0f - c.s * f), t = c.v * (1.0f - c.s * (1.0f - f));
    float r, g, b;
    switch (sector % 6) {
        case 0:  r = c.v; g = t;   b = p;   break;
        case 1:  r = q;   g = c.v; b = p;   break;
        case 2:  r = p;   g = c.v; b = t;   break;
        case 3:  r = p;   g = q;   b = c.v; break;
        case 4:  r = t;   g = p;   b = c.v; break;
        default: r = c.v; g = p;   b = q;   break;
    }
    rgb_t o;
    o.r = (unsigned char)(r * 255.0f + 0.5f);
    o.g = (unsigned char)(g * 255.0f + 0.5f);
    o.b = (unsigned char)(b * 255.0f + 0.5f);
    return o;
}

__global__ void rgb2hsv_kernel(const rgb_t* src, hsv_t* dst, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) {
        int i = y * width + x;
        dst[i] = to_hsv(src[i]);
    }
}

__global__ void histogram_kernel(const hsv_t* img, unsigned int* hist, int n)
{
    __shared__ unsigned int local[BINS];
    for (int b = threadIdx.x; b < BINS; b += blockDim.x) local[b] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        int bin = iclamp((int)(img[i].v * 255.0f + 0.5f), 0, BINS - 1);
        atomicAdd(&local[bin], 1u);
    }
    __syncthreads();
    for (int b = threadIdx.x; b < BINS; b += blockDim.x)
        if (local[b]) atomicAdd(&hist[b], local[b]);
}

__global__ void build_lut_kernel(const unsigned int* hist, float* lut, int n)
{
    __shared__ unsigned int cdf[BINS];
    int t = threadIdx.x;
    cdf[t] = hist[t];
    __syncthreads();
    for (int off = 1; off < BINS; off <<= 1) {
        unsigned int v = t >= off ? cdf[t - off] : 0;
        __syncthreads();
        cdf[t] += v;
        __syncthreads();
    }
    lut[t] = (float)cdf[t] / n;
}

__global__ void equalize_kernel(const hsv_t* src, const float* lut, rgb_t* dst, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    hsv_t c = src[i];
    int bin = iclamp((int)(c.v * 255.0f + 0.5f), 0, BINS - 1);
    c.v = fminf(lut[bin], 1.0f);
    dst[i] = from_hsv(c);
}

__global__ void sobel_kernel(const rgb_t* img, grad_t* out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    int v[3][3];
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
            int xx = iclamp(x + dx, 0, width - 1);
            int yy = iclamp(y + dy, 0, height - 1);
            v[dy + 1][dx + 1] = luma(img[yy * width + xx]);
        }
    int gx = v[0][2] + 2 * v[1][2] + v[2][2] - v[0][0] - 2 * v[1][0] - v[2][0];
    int gy = v[2][0] + 2 * v[2][1] + v[2][2] - v[0][0] - 2 * v[0][1] - v[0][2];
    float mag = sqrtf((float)(gx * gx + gy * gy));
    int ax = abs(gx), ay = abs(gy);
    grad_t* g = &out[y * width + x];
    g->gx = (short)gx;
    g->gy = (short)gy;
    g->mag = (unsigned char)fminf(mag, 255.0f);
    g->dir = ay * 5 < ax * 2 ? 0 : (ax * 5 < ay * 2 ? 2 : ((gx > 0) == (gy > 0) ? 1 : 3));
}

__global__ void bilateral_kernel(const rgb_t* src, rgb_t* dst, int width, int height, float sigma_s, float sigma_r)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    rgb_t c = src[y * width + x];
    float ks = -0.5f / (sigma_s * sigma_s), kr = -0.5f / (sigma_r * sigma_r);
    float sr = 0, sg = 0, sb = 0, wsum = 0;
    for (int dy = -RADIUS; dy <= RADIUS; dy++) {
        int yy = iclamp(y + dy, 0, height - 1);
        for (int dx = -RADIUS; dx <= RADIUS; dx++) {
            int xx = iclamp(x + dx, 0, width - 1);
            rgb_t p = src[yy * width + xx];
            float dr = (float)p.r - c.r, dg = (float)p.g - c.g, db = (float)p.b - c.b;
            float w = __expf(ks * (dx * dx + dy * dy) + kr * (dr * dr + dg * dg + db * db));
            sr += w * p.r;
            sg += w * p.g;
            sb += w * p.b;
            wsum += w;
        }
    }
    rgb_t o;
    o.r = (unsigned char)(sr / wsum + 0.5f);
    o.g = (unsigned char)(sg / wsum + 0.5f);
    o.b = (unsigned char)(sb / wsum + 0.5f);
    dst[y * width + x] = o;
}

static uint32_t lcg_state = 12345u;
static inline uint32_t lcg() { lcg_state = lcg_state * 1664525u + 1013904223u; return lcg_state >> 8; }
static inline unsigned char sat(int v) { return (unsigned char)(v < 0 ? 0 : v > 255 ? 255 : v); }

static void synth_image(rgb_t* img, int w, int h)
{
    // smooth gradients, a few discs with hard edges, and sensor noise
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int r = 40 + 120 * x / w, g = 30 + 140 * y / h, b = 160 - 100 * x / w;
            if (((x >> 7) + (y >> 7)) & 1) { r += 25; b -= 20; }
            int n = (int)(lcg() % 31) - 15;
            rgb_t* p = &img[(size_t)y * w + x];
            p->r = sat(r + n); p->g = sat(g + n); p->b = sat(b + (int)(lcg() % 21) - 10);
        }
    for (int k = 0; k < 60; k++) {
        int cx = lcg() % w, cy = lcg() % h, rad = 20 + lcg() % 150;
        int r = lcg() % 256, g = lcg() % 256, b = lcg() % 256;
        for (int y = cy - rad; y <= cy + rad; y++)
            for (int x = cx - rad; x <= cx + rad; x++) {
                if (x < 0 || y < 0 || x >= w || y >= h) continue;
                if ((x - cx) * (x - cx) + (y - cy) * (y - cy) > rad * rad) continue;
                int n = (int)(lcg() % 17) - 8;
                rgb_t* p = &img[(size_t)y * w + x];
                p->r = sat(r + n); p->g = sat(g + n); p->b = sat(b + n);
            }
    }
}

int main()
{
    const int w = 3840, h = 2160, n = w * h, iterations = 6;
    rgb_t* host = (rgb_t*)malloc(n * sizeof(rgb_t));
    synth_image(host, w, h);

    rgb_t *img, *filtered, *equalized;
    hsv_t* hsv;
    grad_t* grad;
    unsigned int* hist;
    float* lut;
    CHECK(cudaMalloc(&img, n * sizeof(rgb_t)));
    CHECK(cudaMalloc(&filtered, n * sizeof(rgb_t)));
    CHECK(cudaMalloc(&equalized, n * sizeof(rgb_t)));
    CHECK(cudaMalloc(&hsv, n * sizeof(hsv_t)));
    CHECK(cudaMalloc(&grad, n * sizeof(grad_t)));
    CHECK(cudaMalloc(&hist, BINS * sizeof(unsigned int)));
    CHECK(cudaMalloc(&lut, BINS * sizeof(float)));
    CHECK(cudaMemcpy(img, host, n * sizeof(rgb_t), cudaMemcpyHostToDevice));

    dim3 block(32, 8);
    dim3 grid((w + block.x - 1) / block.x, (h + block.y - 1) / block.y);
    for (int it = 0; it < iterations; it++) {
        bilateral_kernel<<<grid, block>>>(img, filtered, w, h, 2.5f, 20.0f);
        rgb2hsv_kernel<<<grid, block>>>(filtered, hsv, w, h);
        CHECK(cudaMemset(hist, 0, BINS * sizeof(unsigned int)));
        histogram_kernel<<<1056, 256>>>(hsv, hist, n);
        build_lut_kernel<<<1, BINS>>>(hist, lut, n);
        equalize_kernel<<<(n + 255) / 256, 256>>>(hsv, lut, equalized, n);
        sobel_kernel<<<grid, block>>>(equalized, grad, w, h);
        CHECK(cudaGetLastError());
        rgb_t* t = img; img = filtered; filtered = t;     // keep smoothing the result
    }
    CHECK(cudaDeviceSynchronize());

    grad_t* hg = (grad_t*)malloc(n * sizeof(grad_t));
    CHECK(cudaMemcpy(host, equalized, n * sizeof(rgb_t), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(hg, grad, n * sizeof(grad_t), cudaMemcpyDeviceToHost));
    unsigned long long s1 = 0, s2 = 0;
    for (int i = 0; i < n; i++) { s1 += host[i].r + 3 * host[i].g + 7 * host[i].b; s2 += hg[i].mag + hg[i].dir; }
    printf("image checksum %llu gradient checksum %llu\n", s1, s2);

    cudaFree(img); cudaFree(filtered); cudaFree(equalized); cudaFree(hsv);
    cudaFree(grad); cudaFree(hist); cudaFree(lut);
    free(host); free(hg);
    return 0;
}
