// args: 256 640 480
#include <cstdio>
#include <cstdlib>
#include <cmath>
#include <vector>

struct Voxel { float tsdf; float weight; unsigned char r, g, b, pad; };
struct Intrinsics { float fx, fy, cx, cy; };
struct Pose { float r[9]; float t[3]; };

__constant__ Intrinsics k_intr;
__constant__ Pose k_pose;

__global__ void integrate(Voxel *volume, const float *depth, const uchar3 *color, int dim, int width, int height, float voxel, float trunc) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= dim || y >= dim) return;
  for (int z = 0; z < dim; ++z) {
    float wx = (x + 0.5f) * voxel, wy = (y + 0.5f) * voxel, wz = (z + 0.5f) * voxel;
    float cx = k_pose.r[0] * wx + k_pose.r[1] * wy + k_pose.r[2] * wz + k_pose.t[0];
    float cy = k_pose.r[3] * wx + k_pose.r[4] * wy + k_pose.r[5] * wz + k_pose.t[1];
    float cz = k_pose.r[6] * wx + k_pose.r[7] * wy + k_pose.r[8] * wz + k_pose.t[2];
    if (cz <= 0.f) continue;
    int u = __float2int_rn(k_intr.fx * cx / cz + k_intr.cx), v = __float2int_rn(k_intr.fy * cy / cz + k_intr.cy);
    if (u < 0 || v < 0 || u >= width || v >= height) continue;
    float d = depth[v * width + u];
    if (d <= 0.f) continue;
    float sdf = d - cz;
    if (sdf < -trunc) continue;
    size_t i = ((size_t)z * dim + y) * dim + x;
    Voxel &vox = volume[i];
    float w = vox.weight;
    vox.tsdf = (vox.tsdf * w + fminf(1.f, sdf / trunc)) / (w + 1.f);
    vox.weight = fminf(w + 1.f, 128.f);
    uchar3 c = color[v * width + u];
    vox.r = (vox.r * w + c.x) / (w + 1.f);
    vox.g = (vox.g * w + c.y) / (w + 1.f);
    vox.b = (vox.b * w + c.z) / (w + 1.f);
  }
}

__global__ void count_surface(const Voxel *volume, unsigned *count, int dim) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z;
  if (x >= dim - 1 || y >= dim - 1 || z >= dim - 1) return;
  size_t i = ((size_t)z * dim + y) * dim + x;
  float here = volume[i].tsdf;
  if (volume[i].weight > 0 && (here * volume[i + 1].tsdf < 0 || here * volume[i + dim].tsdf < 0)) atomicAdd(count, 1u);
}

int main(int argc, char **argv) {
  const int dim = argc > 1 ? atoi(argv[1]) : 128;
  const int width = argc > 2 ? atoi(argv[2]) : 320, height = argc > 3 ? atoi(argv[3]) : 240;
  Intrinsics intr = {525.f, 525.f, width / 2.f, height / 2.f};
  Pose pose;
  for (int i = 0; i < 9; ++i) pose.r[i] = i % 4 == 0 ? 1.f : 0.f;
  pose.t[0] = pose.t[1] = -2.f;
  pose.t[2] = 0.5f;
  std::vector<float> depth(width * height, 2.f);
  Voxel *volume;
  float *d_depth;
  uchar3 *d_color;
  unsigned *d_count;
  cudaMalloc(&volume, sizeof(Voxel) * dim * dim * dim);
  cudaMemset(volume, 0, sizeof(Voxel) * dim * dim * dim);
  cudaMalloc(&d_depth, depth.size() * sizeof(float));
  cudaMalloc(&d_color, depth.size() * sizeof(uchar3));
  cudaMalloc(&d_count, sizeof(unsigned));
  cudaMemset(d_count, 0, sizeof(unsigned));
  cudaMemcpy(d_depth, depth.data(), depth.size() * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(k_intr, &intr, sizeof(intr));
  dim3 block(32, 8), grid((dim + 31) / 32, (dim + 7) / 8);
  for (int frame = 0; frame < 10; ++frame) {
    pose.t[0] += 0.01f * frame;
    cudaMemcpyToSymbol(k_pose, &pose, sizeof(pose), 0, cudaMemcpyHostToDevice);
    integrate<<<grid, block>>>(volume, d_depth, d_color, dim, width, height, 4.f / dim, 0.05f);
  }
  count_surface<<<dim3(grid.x, grid.y, dim), block>>>(volume, d_count, dim);
  unsigned count;
  cudaMemcpy(&count, d_count, sizeof(count), cudaMemcpyDeviceToHost);
  printf("%u\n", count);
}
