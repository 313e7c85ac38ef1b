// args: 20000
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
template <class T> class DeviceBuffer {
public:
    explicit DeviceBuffer(std::size_t n) : size_(n) { if (cudaMalloc(reinterpret_cast<void **>(&data_), n * sizeof(T)) != cudaSuccess) throw std::runtime_error("out of memory"); }
    ~DeviceBuffer() { cudaFree(data_); }
    DeviceBuffer(DeviceBuffer &&o) noexcept : data_(o.data_), size_(o.size_) { o.data_ = nullptr; }
    T *get() { return data_; }
    operator T *() { return data_; }
    std::size_t size() const { return size_; }
    void zero() { cudaMemset(data_, 0, size_ * sizeof(T)); }
private:
    T *data_ = nullptr;
    std::size_t size_;
};
struct Site { float x, y, z; int type; };
__global__ void pairs(const Site *s, unsigned *hist, int n, float rmax, int bins)
{
    extern __shared__ unsigned local[];
    for (int b = threadIdx.x; b < bins; b += blockDim.x) local[b] = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float x = s[i].x, y = s[i].y, z = s[i].z;
        for (int j = i + 1; j < n; j++) {
            if (s[j].type != s[i].type) continue;
            float dx = s[j].x - x, dy = s[j].y - y, dz = s[j].z - z;
            int b = int(sqrtf(dx * dx + dy * dy + dz * dz) / rmax * bins);
            if (b < bins) atomicAdd(&local[b], 2u);
        }
    }
    __syncthreads();
    for (int b = threadIdx.x; b < bins; b += blockDim.x) atomicAdd(&hist[b], local[b]);
}
int main(int argc, char **argv)
try {
    int n = argc > 1 ? std::stoi(argv[1]) : 5000;
    const int bins = 200;
    DeviceBuffer<Site> sites(n);
    DeviceBuffer<unsigned> hist(bins);
    hist.zero();
    pairs<<<(n + 127) / 128, 128, bins * sizeof(unsigned)>>>(sites, hist.get(), int(sites.size()), 10.0f, bins);
    cudaDeviceSynchronize();
    return 0;
} catch (const std::exception &e) {
    fprintf(stderr, "%s\n", e.what());
    return 1;
}
