/*
 * Batched radix-2 FFT, one kernel launch per butterfly stage.
 * Used for filtering a batch of signals: forward FFT, band-pass, inverse FFT.
 */
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include <cuda_runtime.h>

static void check_(cudaError_t e, const char *what, int line)
{
    if (e != cudaSuccess) {
        fprintf(stderr, "line %d: %s failed: %s\n", line, what, cudaGetErrorString(e));
        exit(1);
    }
}
#define gpuErr(x) check_((x), #x, __LINE__)

#define LOGN   12
#define N      (1 << LOGN)
#define BATCH  4096
#define THREADS 128

struct complex_t {
    float x, y;
};

struct peak_t {
    int   bin;
    float power;
    float phase;
    float total;
};

static __device__ __forceinline__ complex_t cmul(complex_t a, complex_t b)
{
    complex_t r;
    r.x = a.x * b.x - a.y * b.y;
    r.y = a.x * b.y + a.y * b.x;
    return r;
}
static __device__ __forceinline__ complex_t cadd(complex_t a, complex_t b)
{
    complex_t r; r.x = a.x + b.x; r.y = a.y + b.y; return r;
}
static __device__ __forceinline__ complex_t csub(complex_t a, complex_t b)
{
    complex_t r; r.x = a.x - b.x; r.y = a.y - b.y; return r;
}

/* w[k] = exp(-2 pi i k / N), k < N/2 */
__global__ void make_twiddles(complex_t *w)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < N / 2) {
        float s, c;
        sincospif(-2.0f * (float)k / (float)N, &s, &c);
        w[k].x = c;
        w[k].y = s;
    }
}

/* grid: x over samples, y over the batch */
__global__ void bit_reverse(const complex_t *__restrict__ in, complex_t *__restrict__ out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    size_t row = (size_t)blockIdx.y * N;
    if (i < N) {
        unsigned j = __brev((unsigned)i) >> (32 - LOGN);
        out[row + j] = in[row + i];
    }
}

__global__ void butterfly_stage(complex_t *data, const complex_t *__restrict__ w, int stage, int inverse)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;   /* butterfly within the signal */
    if (t >= N / 2) return;
    complex_t *sig = data + (size_t)blockIdx.y * N;

    int half = 1 << stage;
    int k = t & (half - 1);
    int top = ((t >> stage) << (stage + 1)) + k;
    int bot = top + half;

    complex_t tw = w[k << (LOGN - 1 - stage)];
    if (inverse) tw.y = -tw.y;

    complex_t a = sig[top];
    complex_t b = cmul(sig[bot], tw);
    sig[top] = cadd(a, b);
    sig[bot] = csub(a, b);
}

/* windowing in time domain: Hann */
__global__ void apply_window(complex_t *data)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N) return;
    size_t at = (size_t)blockIdx.y * N + i;
    float h = 0.5f - 0.5f * cospif(2.0f * i / (N - 1));
    data[at].x *= h;
    data[at].y *= h;
}

/* keeps bins in [lo, hi] and their mirror, also scales by 1/N */
__global__ void band_pass(complex_t *data, int lo, int hi, size_t total)
{
    const float scale = 1.0f / N;
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < total;
         i += (size_t)gridDim.x * blockDim.x) {
        int bin = (int)(i & (N - 1));
        int m = bin <= N / 2 ? bin : N - bin;
        float g = (m >= lo && m <= hi) ? scale : 0.0f;
        complex_t v = data[i];
        v.x *= g;
        v.y *= g;
        data[i] = v;
    }
}

/* one block per signal: strongest bin in the lower half of the spectrum */
__global__ void find_peak(const complex_t *__restrict__ spec, peak_t *peaks)
{
    __shared__ float sp[THREADS];
    __shared__ int   sb[THREADS];
    __shared__ float st[THREADS];
    const complex_t *s = spec + (size_t)blockIdx.x * N;
    float best = -1.0f, tot = 0.0f;
    int bin = 0;
    for (int i = threadIdx.x; i < N / 2; i += blockDim.x) {
        float p = s[i].x * s[i].x + s[i].y * s[i].y;
        tot += p;
        if (p > best) { best = p; bin = i; }
    }
    sp[threadIdx.x] = best; sb[threadIdx.x] = bin; st[threadIdx.x] = tot;
    __syncthreads();
    for (int h = THREADS / 2; h > 0; h /= 2) {
        if (threadIdx.x < h) {
            st[threadIdx.x] += st[threadIdx.x + h];
            if (sp[threadIdx.x + h] > sp[threadIdx.x]) {
                sp[threadIdx.x] = sp[threadIdx.x + h];
                sb[threadIdx.x] = sb[threadIdx.x + h];
            }
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        peak_t *p = &peaks[blockIdx.x];
        p->bin = sb[0];
        p->power = sp[0];
        p->phase = atan2f(s[sb[0]].y, s[sb[0]].x);
        p->total = st[0];
    }
}

int main(void)
{
    const size_t total = (size_t)N * BATCH;
    complex_t *h = (complex_t *)malloc(total * sizeof(complex_t));
    peak_t *hp = (peak_t *)malloc(BATCH * sizeof(peak_t));
    /* one table of sine values, each signal is a two tone mix plus noise */
    static float tab[N];
    for (int i = 0; i < N; i++) tab[i] = sinf(6.2831853f * i / N);
    unsigned seed = 77u;
    for (int b = 0; b < BATCH; b++) {
        int f1 = 20 + (b * 37) % 900, f2 = 5 + (b * 11) % 300;
        for (int i = 0; i < N; i++) {
            seed = seed * 1664525u + 1013904223u;
            float noise = (float)(seed >> 8) / 16777216.0f - 0.5f;
            h[(size_t)b * N + i].x = tab[(f1 * i) & (N - 1)] + 0.4f * tab[(f2 * i) & (N - 1)] + noise;
            h[(size_t)b * N + i].y = 0.0f;
        }
    }

    complex_t *d_a, *d_b, *d_w;
    peak_t *d_p;
    gpuErr(cudaMalloc((void **)&d_a, total * sizeof(complex_t)));
    gpuErr(cudaMalloc((void **)&d_b, total * sizeof(complex_t)));
    gpuErr(cudaMalloc((void **)&d_w, N / 2 * sizeof(complex_t)));
    gpuErr(cudaMalloc((void **)&d_p, BATCH * sizeof(peak_t)));
    gpuErr(cudaMemcpy(d_a, h, total * sizeof(complex_t), cudaMemcpyHostToDevice));

    dim3 gAll(N / THREADS, BATCH), gHalf(N / 2 / THREADS, BATCH);
    for (int rep = 0; rep < 5; rep++) {
        make_twiddles<<<(N / 2 + THREADS - 1) / THREADS, THREADS>>>(d_w);
        apply_window<<<gAll, THREADS>>>(d_a);
        bit_reverse<<<gAll, THREADS>>>(d_a, d_b);
        for (int s = 0; s < LOGN; s++)
            butterfly_stage<<<gHalf, THREADS>>>(d_b, d_w, s, 0);
        find_peak<<<BATCH, THREADS>>>(d_b, d_p);
        band_pass<<<2112, 256>>>(d_b, 4 + rep, 1200 - 50 * rep, total);
        bit_reverse<<<gAll, THREADS>>>(d_b, d_a);
        for (int s = 0; s < LOGN; s++)
            butterfly_stage<<<gHalf, THREADS>>>(d_a, d_w, s, 1);
        gpuErr(cudaGetLastError());
    }
    gpuErr(cudaDeviceSynchronize());
    gpuErr(cudaMemcpy(h, d_a, total * sizeof(complex_t), cudaMemcpyDeviceToHost));
    gpuErr(cudaMemcpy(hp, d_p, BATCH * sizeof(peak_t), cudaMemcpyDeviceToHost));

    double e = 0.0, ph = 0.0;
    long bins = 0;
    for (size_t i = 0; i < total; i += 3) e += fabs(h[i].x);
    for (int b = 0; b < BATCH; b++) { bins += hp[b].bin; ph += hp[b].total; }
    printf("fft checksum: |x| %.4f bins %ld total %.5e\n", e, bins, ph);

    cudaFree(d_a); cudaFree(d_b); cudaFree(d_w); cudaFree(d_p);
    free(h); free(hp);
    return 0;
}
