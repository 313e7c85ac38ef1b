// Interleaved channels, and a stride that is a constant of the file.
constexpr int CHANNELS = 3;
__global__ void k(const unsigned char *rgb, unsigned char *gray, size_t pitch) {
	size_t x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	const unsigned char *pixel = rgb + y * pitch + CHANNELS * x;
	gray[y * pitch / 4 * 4 + x] = 0;
	gray[y * (pitch / CHANNELS) + x] = (pixel[0] + pixel[1] + pixel[2]) / 3;
}
