// An array of records behind the member of a parameter, which is reached by an operator.
struct rec { float x, y, z, vx, vy, vz, mass, pad; };
template <class T> struct view {
  T *data; int count;
  __host__ __device__ T &operator()(int i) const { return data[i]; }
};
__global__ void push(view<rec> v, float dt) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < v.count) v(i).x += v(i).vx * dt;
}
int main() {
  view<rec> v;
  v.count = 1 << 20;
  cudaMalloc(&v.data, v.count * sizeof(rec));
  push<<<v.count / 256, 256>>>(v, 0.1f);
  cudaDeviceSynchronize();
}
