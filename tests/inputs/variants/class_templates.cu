#include <iostream>
template <typename T> struct Vec3 { T x, y, z; __host__ __device__ Vec3() {} __host__ __device__ Vec3(T a, T b, T c) : x(a), y(b), z(c) {} __host__ __device__ Vec3 operator+(const Vec3 &o) const { return Vec3(x + o.x, y + o.y, z + o.z); } friend std::ostream &operator<<(std::ostream &o, const Vec3 &v) { return o << v.x; } };
template <typename T> __global__ void k(Vec3<T> *a, const Vec3<T> *b, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] = a[i] + b[i]; }
template <typename T> class Field { public: Field(int n); void add(const Field &o); private: Vec3<T> *d; int n; };
template <typename T> Field<T>::Field(int n) : n(n) { cudaMalloc(&d, n * sizeof(Vec3<T>)); }
template <typename T> void Field<T>::add(const Field &o) { k<T><<<n / 256, 256>>>(d, o.d, n); }
template class Field<double>;
int main() { Field<float> f(1024), g(1024); f.add(g); std::cout << Vec3<float>(1, 2, 3); }
