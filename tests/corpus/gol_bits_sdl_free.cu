// args: -w 4096 -h 4096 -g 200 -b 256
#include <cstdio>
#include <cstdlib>
#include <getopt.h>
#include <time.h>
typedef unsigned char ubyte;

__global__ void simpleLifeKernel(const ubyte *lifeData, unsigned worldWidth, unsigned worldHeight, ubyte *resultLifeData) {
  unsigned worldSize = worldWidth * worldHeight;
  for (unsigned cellId = blockIdx.x * blockDim.x + threadIdx.x; cellId < worldSize; cellId += blockDim.x * gridDim.x) {
    unsigned x = cellId % worldWidth;
    unsigned yAbs = cellId - x;
    unsigned xLeft = (x + worldWidth - 1) % worldWidth;
    unsigned xRight = (x + 1) % worldWidth;
    unsigned yAbsUp = (yAbs + worldSize - worldWidth) % worldSize;
    unsigned yAbsDown = (yAbs + worldWidth) % worldSize;
    unsigned aliveCells = lifeData[xLeft + yAbsUp] + lifeData[x + yAbsUp] + lifeData[xRight + yAbsUp] + lifeData[xLeft + yAbs] +
                          lifeData[xRight + yAbs] + lifeData[xLeft + yAbsDown] + lifeData[x + yAbsDown] + lifeData[xRight + yAbsDown];
    resultLifeData[x + yAbs] = aliveCells == 3 || (aliveCells == 2 && lifeData[x + yAbs]) ? 1 : 0;
  }
}

static bool runSimpleLifeKernel(ubyte *&d_lifeData, ubyte *&d_lifeDataBuffer, size_t worldWidth, size_t worldHeight,
                                size_t iterationsCount, unsigned short threadsCount) {
  if ((worldWidth * worldHeight) % threadsCount != 0) return false;
  size_t reqBlocksCount = (worldWidth * worldHeight) / threadsCount;
  unsigned short blocksCount = (unsigned short)(reqBlocksCount < 32768 ? reqBlocksCount : 32768);
  for (size_t i = 0; i < iterationsCount; ++i) {
    simpleLifeKernel<<<blocksCount, threadsCount>>>(d_lifeData, worldWidth, worldHeight, d_lifeDataBuffer);
    ubyte *tmp = d_lifeData;
    d_lifeData = d_lifeDataBuffer;
    d_lifeDataBuffer = tmp;
  }
  return true;
}

int main(int argc, char **argv) {
  size_t width = 512, height = 512, generations = 100;
  unsigned short threads = 128;
  int opt;
  while ((opt = getopt(argc, argv, "w:h:g:b:")) != -1) {
    switch (opt) {
      case 'w': width = strtoul(optarg, NULL, 10); break;
      case 'h': height = strtoul(optarg, NULL, 10); break;
      case 'g': generations = strtoul(optarg, NULL, 10); break;
      case 'b': threads = (unsigned short)atoi(optarg); break;
      default: fprintf(stderr, "bad option\n"); return EXIT_FAILURE;
    }
  }
  srand((unsigned)time(NULL));
  size_t n = width * height;
  ubyte *world = new ubyte[n];
  for (size_t i = 0; i < n; ++i) world[i] = rand() & 1;
  ubyte *d_a, *d_b;
  if (cudaMalloc(&d_a, n) || cudaMalloc(&d_b, n)) return EXIT_FAILURE;
  cudaMemcpy(d_a, world, n, cudaMemcpyHostToDevice);
  if (!runSimpleLifeKernel(d_a, d_b, width, height, generations, threads)) {
    fprintf(stderr, "world size must be a multiple of the block\n");
    return EXIT_FAILURE;
  }
  cudaMemcpy(world, d_a, n, cudaMemcpyDeviceToHost);
  size_t alive = 0;
  for (size_t i = 0; i < n; ++i) alive += world[i];
  printf("%zu alive\n", alive);
  delete[] world;
  return 0;
}
