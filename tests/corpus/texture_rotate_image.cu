// args: 2048 2048 30
#include <cstdio>
#include <cstdlib>
#include <cmath>
#include <cstring>

__global__ void rotate_kernel(float *output, cudaTextureObject_t tex, int width, int height, float theta) {
  unsigned int x = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float u = x / (float)width - 0.5f, v = y / (float)height - 0.5f;
  float tu = u * cosf(theta) - v * sinf(theta) + 0.5f;
  float tv = v * cosf(theta) + u * sinf(theta) + 0.5f;
  output[y * width + x] = tex2D<float>(tex, tu, tv);
}

__global__ void gradient_magnitude(const float *in, float *gx, float *gy, float *mag, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x <= 0 || y <= 0 || x >= width - 1 || y >= height - 1) return;
  int i = y * width + x;
  float dx = in[i + 1] - in[i - 1], dy = in[i + width] - in[i - width];
  gx[i] = dx;
  gy[i] = dy;
  mag[i] = sqrtf(dx * dx + dy * dy);
}

int main(int argc, char **argv) {
  int width = argc > 1 ? atoi(argv[1]) : 512, height = argc > 2 ? atoi(argv[2]) : 512;
  float angle = (argc > 3 ? atof(argv[3]) : 45.0) * M_PI / 180.0;
  size_t size = (size_t)width * height * sizeof(float);
  float *hData = (float *)malloc(size);
  for (int i = 0; i < width * height; ++i) hData[i] = (float)(i % 256) / 255.f;
  cudaChannelFormatDesc channelDesc = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
  cudaArray *cuArray;
  cudaMallocArray(&cuArray, &channelDesc, width, height);
  cudaMemcpy2DToArray(cuArray, 0, 0, hData, width * sizeof(float), width * sizeof(float), height, cudaMemcpyHostToDevice);
  cudaResourceDesc texRes;
  memset(&texRes, 0, sizeof(cudaResourceDesc));
  texRes.resType = cudaResourceTypeArray;
  texRes.res.array.array = cuArray;
  cudaTextureDesc texDescr;
  memset(&texDescr, 0, sizeof(cudaTextureDesc));
  texDescr.normalizedCoords = true;
  texDescr.filterMode = cudaFilterModeLinear;
  texDescr.addressMode[0] = cudaAddressModeWrap;
  texDescr.addressMode[1] = cudaAddressModeWrap;
  texDescr.readMode = cudaReadModeElementType;
  cudaTextureObject_t tex;
  cudaCreateTextureObject(&tex, &texRes, &texDescr, NULL);
  float *dData, *gx, *gy, *mag;
  cudaMalloc((void **)&dData, size);
  cudaMalloc((void **)&gx, size);
  cudaMalloc((void **)&gy, size);
  cudaMalloc((void **)&mag, size);
  dim3 dimBlock(8, 8, 1);
  dim3 dimGrid(width / dimBlock.x, height / dimBlock.y, 1);
  rotate_kernel<<<dimGrid, dimBlock, 0>>>(dData, tex, width, height, angle);
  gradient_magnitude<<<dimGrid, dimBlock>>>(dData, gx, gy, mag, width, height);
  cudaMemcpy(hData, mag, size, cudaMemcpyDeviceToHost);
  cudaDestroyTextureObject(tex);
  cudaFreeArray(cuArray);
  printf("%f\n", hData[0]);
}
