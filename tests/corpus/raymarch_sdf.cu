// args: -w 1280 -h 720 -o out.ppm
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <vector>

struct vec3 {
  float x, y, z;
  vec3() = default;
  __host__ __device__ vec3(float a, float b, float c) : x(a), y(b), z(c) {}
  __host__ __device__ vec3 operator+(const vec3 &o) const { return vec3(x + o.x, y + o.y, z + o.z); }
  __host__ __device__ vec3 operator-(const vec3 &o) const { return vec3(x - o.x, y - o.y, z - o.z); }
  __host__ __device__ vec3 operator*(float s) const { return vec3(x * s, y * s, z * s); }
};
__host__ __device__ inline float dot(const vec3 &a, const vec3 &b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__host__ __device__ inline float length(const vec3 &a) { return sqrtf(dot(a, a)); }
__host__ __device__ inline vec3 normalize(const vec3 &a) { return a * (1.f / length(a)); }

struct Sphere { vec3 center; float radius; vec3 color; float gloss; };
struct Camera { vec3 eye, forward, right, up; float fov; };
#define MAX_SPHERES 16
__constant__ Sphere c_spheres[MAX_SPHERES];
__constant__ Camera c_camera;

__device__ float scene(const vec3 &p, int count, int &hit) {
  float best = p.y + 1.f;
  hit = -1;
  for (int i = 0; i < count; i++) {
    float d = length(p - c_spheres[i].center) - c_spheres[i].radius;
    if (d < best) { best = d; hit = i; }
  }
  return best;
}

__global__ void render(vec3 *image, int width, int height, int count, int max_steps) {
  int px = blockIdx.x * blockDim.x + threadIdx.x;
  int py = blockIdx.y * blockDim.y + threadIdx.y;
  if (px >= width || py >= height) return;
  float u = (2.f * px - width) / height, v = (height - 2.f * py) / height;
  vec3 dir = normalize(c_camera.forward + c_camera.right * (u * c_camera.fov) + c_camera.up * (v * c_camera.fov));
  float t = 0.f;
  int hit = -1;
  for (int s = 0; s < max_steps; s++) {
    float d = scene(c_camera.eye + dir * t, count, hit);
    if (d < 1e-3f || t > 100.f) break;
    t += d;
  }
  vec3 color(0.1f, 0.2f, 0.4f);
  if (t < 100.f) color = hit >= 0 ? c_spheres[hit].color : vec3(0.5f, 0.5f, 0.5f);
  image[py * width + px] = color * (1.f / (1.f + 0.02f * t * t));
}

__global__ void tonemap(const vec3 *image, uchar4 *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  vec3 c = image[i];
  out[i] = make_uchar4((unsigned char)(255.f * c.x / (1.f + c.x)), (unsigned char)(255.f * c.y / (1.f + c.y)),
                       (unsigned char)(255.f * c.z / (1.f + c.z)), 255);
}

int main(int argc, char **argv) {
  int width = 640, height = 480;
  const char *path = "image.ppm";
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "-w") == 0) width = atoi(argv[++i]);
    else if (strcmp(argv[i], "-h") == 0) height = atoi(argv[++i]);
    else if (strcmp(argv[i], "-o") == 0) path = argv[++i];
  }
  Sphere spheres[MAX_SPHERES];
  const int count = 9;
  for (int i = 0; i < count; i++) {
    spheres[i].center = vec3(2.f * (i % 3) - 2.f, 0.f, 2.f * (i / 3) + 4.f);
    spheres[i].radius = 0.7f;
    spheres[i].color = vec3(i / 9.f, 1.f - i / 9.f, 0.5f);
    spheres[i].gloss = 10.f;
  }
  Camera cam;
  cam.eye = vec3(0, 1, -3); cam.forward = vec3(0, 0, 1); cam.right = vec3(1, 0, 0); cam.up = vec3(0, 1, 0); cam.fov = 0.8f;
  cudaMemcpyToSymbol(c_spheres, spheres, count * sizeof(Sphere));
  cudaMemcpyToSymbol(c_camera, &cam, sizeof(Camera));
  vec3 *d_image;
  uchar4 *d_out;
  cudaMalloc(&d_image, sizeof(vec3) * width * height);
  cudaMalloc(&d_out, sizeof(uchar4) * width * height);
  dim3 threads(16, 16), blocks((width + 15) / 16, (height + 15) / 16);
  render<<<blocks, threads>>>(d_image, width, height, count, 128);
  tonemap<<<(width * height + 255) / 256, 256>>>(d_image, d_out, width * height);
  std::vector<uchar4> out(width * height);
  cudaMemcpy(out.data(), d_out, sizeof(uchar4) * out.size(), cudaMemcpyDeviceToHost);
  std::ofstream f(path, std::ios::binary);
  f << "P6\n" << width << " " << height << "\n255\n";
  for (auto &p : out) f.write((const char *)&p, 3);
  return 0;
}
