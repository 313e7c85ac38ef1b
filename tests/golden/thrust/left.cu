// What stays a call of thrust, and why; the kernel beside it is predicted.
#include <thrust/device_vector.h>
#include <thrust/for_each.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/transform.h>

struct Point {
    float x, y;
};

struct Sum {
    __host__ __device__ void operator()(thrust::tuple<float &, float &> pair) const { thrust::get<0>(pair) += thrust::get<1>(pair); }
};

struct Scale {
    float by;
    __host__ __device__ float operator()(float v) const { return by * v; }
};

__global__ void shift(Point *p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i].x += p[i].y;
}

int main()
{
    thrust::host_vector<float> h(1000);
    thrust::device_vector<float> a(1000), b(1000);
    thrust::device_vector<Point> points(1 << 20);
    thrust::for_each(h.begin(), h.end(), Scale{2});
    thrust::for_each(thrust::make_zip_iterator(thrust::make_tuple(a.begin(), b.begin())),
                     thrust::make_zip_iterator(thrust::make_tuple(a.end(), b.end())), Sum());
    auto end = thrust::transform(a.begin(), a.end(), b.begin(), Scale{2});
    float sum = thrust::reduce(b.begin(), end);
    shift<<<4096, 256>>>(thrust::raw_pointer_cast(points.data()), 1 << 20);
    return sum > 0;
}
