// args: 1000000 64 4096 20
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>
template <typename T, int D> struct Row { T v[D]; };
template <typename T, int D> __global__ void bag(const Row<T, D> *table, const int *ids, const int *offsets, Row<T, D> *out, int bags)
{
    int b = blockIdx.y * gridDim.x + blockIdx.x, d = threadIdx.x;
    if (b >= bags) return;
    T s = 0;
    for (int k = offsets[b]; k < offsets[b + 1]; ++k) s += table[ids[k]].v[d];
    out[b].v[d] = s;
}
int main(int argc, char **argv)
{
    long rows = std::atol(argv[1]); int dim = std::atoi(argv[2]), bags = std::atoi(argv[3]), per = std::atoi(argv[4]);
    std::vector<int> offsets(bags + 1), ids(bags * per);
    for (int b = 0; b <= bags; b++) offsets[b] = b * per;
    for (auto &i : ids) i = rand() % rows;
    int *d_off, *d_ids;
    cudaMalloc(&d_off, offsets.size() * 4); cudaMalloc(&d_ids, ids.size() * 4);
    cudaMemcpy(d_off, offsets.data(), offsets.size() * 4, cudaMemcpyHostToDevice); cudaMemcpy(d_ids, ids.data(), ids.size() * 4, cudaMemcpyHostToDevice);
    if (dim == 64) { Row<float, 64> *t, *o; cudaMalloc(&t, rows * sizeof(*t)); cudaMalloc(&o, bags * sizeof(*o)); bag<float, 64><<<dim3(64, (bags + 63) / 64), 64>>>(t, d_ids, d_off, o, bags); }
    else { Row<float, 128> *t, *o; cudaMalloc(&t, rows * sizeof(*t)); cudaMalloc(&o, bags * sizeof(*o)); bag<float, 128><<<dim3(64, (bags + 63) / 64), 128>>>(t, d_ids, d_off, o, bags); }
    cudaDeviceSynchronize();
}
