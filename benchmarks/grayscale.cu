/*
 * Colour to grey: records of three bytes, which no vector load fits unless they are padded to four.
 */
#include <stdio.h>
#include <stdlib.h>

#ifndef WIDTH
#define WIDTH 3840
#endif
#ifndef HEIGHT
#define HEIGHT 2160
#endif

#define CHECK(call)                                                                                                    \
	do {                                                                                                           \
		cudaError_t error = (call);                                                                            \
		if (error != cudaSuccess) {                                                                            \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));                 \
			exit(1);                                                                                       \
		}                                                                                                      \
	} while (0)

struct pixel {
	unsigned char red, green, blue;
};

__global__ void grayscale(const struct pixel *image, unsigned char *grey, int width, int height)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x;
	int y = blockIdx.y * blockDim.y + threadIdx.y;

	if (x < width && y < height) {
		int i = y * width + x;

		grey[i] = (unsigned char)((image[i].red * 77 + image[i].green * 150 + image[i].blue * 29) >> 8);
	}
}

int main(void)
{
	size_t count = (size_t)WIDTH * HEIGHT;
	struct pixel *image_host = (struct pixel *)malloc(count * sizeof(struct pixel));
	unsigned char *grey_host = (unsigned char *)malloc(count);
	struct pixel *image;
	unsigned char *grey;

	for (size_t i = 0; i < count; i++) {
		image_host[i].red = (unsigned char)(i * 7);
		image_host[i].green = (unsigned char)(i * 13 + 5);
		image_host[i].blue = (unsigned char)(i / WIDTH);
	}
	CHECK(cudaMalloc(&image, count * sizeof(struct pixel)));
	CHECK(cudaMalloc(&grey, count));
	CHECK(cudaMemcpy(image, image_host, count * sizeof(struct pixel), cudaMemcpyHostToDevice));

	dim3 block(32, 8);
	dim3 grid((WIDTH + block.x - 1) / block.x, (HEIGHT + block.y - 1) / block.y);
	grayscale<<<grid, block>>>(image, grey, WIDTH, HEIGHT);
	CHECK(cudaGetLastError());
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaMemcpy(grey_host, grey, count, cudaMemcpyDeviceToHost));

	int wrong = 0;
	for (size_t i = 0; i < count; i++) {
		int sum = image_host[i].red * 77 + image_host[i].green * 150 + image_host[i].blue * 29;

		wrong += grey_host[i] != sum / 256;
	}
	printf("grayscale: %d x %d pixels, %d wrong\n", WIDTH, HEIGHT, wrong);

	CHECK(cudaFree(image));
	CHECK(cudaFree(grey));
	free(image_host);
	free(grey_host);
	return wrong != 0;
}
