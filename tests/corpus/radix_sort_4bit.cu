// args: 1000000
// LSD radix sort, four bits a pass: histograms, scan of them by thrust, stable scatter.
#include <cstdio>
#include <cstdlib>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/scan.h>
#include <thrust/random.h>
#include <thrust/execution_policy.h>

constexpr int RADIX_BITS = 4, RADIX = 1 << RADIX_BITS, THREADS = 256;

__global__ void radix_histogram(const unsigned *keys, unsigned *hist, int n, int shift, int blocks)
{
    __shared__ unsigned local[RADIX];
    if (threadIdx.x < RADIX) local[threadIdx.x] = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&local[(keys[i] >> shift) & (RADIX - 1)], 1u);
    __syncthreads();
    if (threadIdx.x < RADIX) hist[threadIdx.x * blocks + blockIdx.x] = local[threadIdx.x];
}

__global__ void radix_scatter(const unsigned *keys, const unsigned *vals, unsigned *keys_out, unsigned *vals_out,
                              const unsigned *offsets, int n, int shift, int blocks)
{
    __shared__ unsigned digit[THREADS];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned key = i < n ? keys[i] : 0xffffffffu;
    unsigned d = (key >> shift) & (RADIX - 1);
    digit[threadIdx.x] = i < n ? d : RADIX;
    __syncthreads();
    if (i >= n) return;
    unsigned rank = 0;
    for (int j = 0; j < threadIdx.x; ++j) rank += digit[j] == d;
    unsigned pos = offsets[d * blocks + blockIdx.x] + rank;
    keys_out[pos] = key;
    vals_out[pos] = vals[i];
}

int main(int argc, char **argv)
{
    int n = 1 << 18;
    if (argc >= 2) n = atoi(argv[1]);
    thrust::host_vector<unsigned> h_keys(n), h_vals(n);
    thrust::minstd_rand rng;
    for (int i = 0; i < n; ++i) {
        h_keys[i] = rng();
        h_vals[i] = i;
    }
    thrust::device_vector<unsigned> keys = h_keys, vals = h_vals, keys2(n), vals2(n);
    const int blocks = (n + THREADS - 1) / THREADS;
    thrust::device_vector<unsigned> hist(RADIX * blocks), offsets(RADIX * blocks);
    for (int shift = 0; shift < 32; shift += RADIX_BITS) {
        radix_histogram<<<blocks, THREADS>>>(thrust::raw_pointer_cast(keys.data()), thrust::raw_pointer_cast(hist.data()), n,
                                             shift, blocks);
        thrust::exclusive_scan(thrust::device, hist.begin(), hist.end(), offsets.begin());
        radix_scatter<<<blocks, THREADS>>>(thrust::raw_pointer_cast(keys.data()), thrust::raw_pointer_cast(vals.data()),
                                           thrust::raw_pointer_cast(keys2.data()), thrust::raw_pointer_cast(vals2.data()),
                                           thrust::raw_pointer_cast(offsets.data()), n, shift, blocks);
        keys.swap(keys2);
        vals.swap(vals2);
    }
    cudaDeviceSynchronize();
    h_keys = keys;
    for (int i = 1; i < n; ++i)
        if (h_keys[i - 1] > h_keys[i]) { printf("not sorted at %d\n", i); return 1; }
    puts("sorted");
}
