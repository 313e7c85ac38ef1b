// An explicit instantiation and a specialisation.
template <typename T> __global__ void fill(T *a) { a[threadIdx.x] = 0; }
template <> __global__ void fill<char>(char *a) { a[threadIdx.x * 4] = 0; }
template __global__ void fill<float>(float *);
int main() { fill<char><<<1, 32>>>(nullptr); }
