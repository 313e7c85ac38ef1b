// An array of records behind a member of a member of a parameter.
struct rec { float x, y, z, vx, vy, vz, mass, pad; };
struct range { rec *data; int count; };
struct arguments { range all; float dt; };
__global__ void push(arguments a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < a.all.count) a.all.data[i].x += a.all.data[i].vx * a.dt;
}
int main() {
  arguments a;
  a.all.count = 1 << 20;
  cudaMalloc(&a.all.data, a.all.count * sizeof(rec));
  push<<<a.all.count / 256, 256>>>(a);
  cudaDeviceSynchronize();
}
