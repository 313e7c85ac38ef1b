// args: 1048576
// Keys and values that are scattered into others, with which they change places: two records.
#include <cstdlib>
#include <thrust/device_vector.h>
__global__ void scatter(const unsigned *keys, const unsigned *values, unsigned *keys_out, unsigned *values_out, const unsigned *where, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned at = where[i];
    keys_out[at] = keys[i];
    values_out[at] = values[i];
}
int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    thrust::device_vector<unsigned> keys(n), values(n), keys_out(n), values_out(n), where(2 * n);
    for (int shift = 0; shift < 32; shift += 4) {
        scatter<<<n / 256, 256>>>(thrust::raw_pointer_cast(keys.data()), thrust::raw_pointer_cast(values.data()),
                                  thrust::raw_pointer_cast(keys_out.data()), thrust::raw_pointer_cast(values_out.data()),
                                  thrust::raw_pointer_cast(where.data()), n);
        keys.swap(keys_out);
        values.swap(values_out);
    }
}
