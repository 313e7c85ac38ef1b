// What copies between host and device take by the kind of the host's memory, what pages of managed memory take to move, and what an allocation takes.
//
//     nvcc -O3 -arch=sm_90 -o host_copies host_copies.cu && ./host_copies >host-copies-h200.csv
//
// Wall clock of one call and of the wait for it; best and mean of 8 after a first one.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

#define ROUNDS 9

static double now_us()
{
	return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

__global__ void touch(float *p, size_t n)
{
	for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
		p[i] += 1;
}

__global__ void nothing() {}

static void row(const char *what, size_t bytes, const double *us)
{
	double best = us[1], sum = 0;
	for (int r = 1; r < ROUNDS; r++) {
		best = us[r] < best ? us[r] : best;
		sum += us[r];
	}
	printf("%s,%zu,%.2f,%.2f\n", what, bytes, best, sum / (ROUNDS - 1));
}

template <typename Work> static void time_calls(const char *what, size_t bytes, Work work)
{
	double us[ROUNDS];
	for (int r = 0; r < ROUNDS; r++) {
		cudaDeviceSynchronize();
		double begin = now_us();
		work();
		cudaDeviceSynchronize();
		us[r] = now_us() - begin;
	}
	row(what, bytes, us);
}

static void time_managed(size_t bytes)
{
	char *memory;
	double in[ROUNDS], again[ROUNDS], out[ROUNDS], sum = 0;
	cudaMallocManaged(&memory, bytes);
	for (int r = 0; r < ROUNDS; r++) {
		double *const phases[] = {in, again};
		memset(memory, r, bytes);
		for (double *phase : phases) {
			double begin = now_us();
			touch<<<1024, 256>>>((float *)memory, bytes / 4);
			cudaDeviceSynchronize();
			phase[r] = now_us() - begin;
		}
		double begin = now_us();
		for (size_t i = 0; i < bytes; i += 4096)
			sum += memory[i];
		out[r] = now_us() - begin;
	}
	if (sum == 0.5)
		printf("#\n");
	row("managed_in", bytes, in);
	row("managed_there", bytes, again);
	row("managed_out", bytes, out);
	cudaFree(memory);
}

int main()
{
	printf("what,bytes,best_us,mean_us\n");
	time_calls("wait", 0, [] {});
	time_calls("launch", 0, [] { nothing<<<1, 32>>>(); });
	for (size_t bytes = 1 << 14; bytes <= (size_t)1 << 30; bytes *= 4) {
		char *pageable = (char *)malloc(bytes), *pinned, *device, *other;
		cudaMallocHost(&pinned, bytes);
		cudaMalloc(&device, bytes);
		memset(pageable, 1, bytes);
		memset(pinned, 1, bytes);
		time_calls("allocation", bytes, [&] { cudaMalloc(&other, bytes), cudaFree(other); });
		time_calls("pageable_in", bytes, [&] { cudaMemcpy(device, pageable, bytes, cudaMemcpyHostToDevice); });
		time_calls("pageable_out", bytes, [&] { cudaMemcpy(pageable, device, bytes, cudaMemcpyDeviceToHost); });
		time_calls("pinned_in", bytes, [&] { cudaMemcpy(device, pinned, bytes, cudaMemcpyHostToDevice); });
		time_calls("pinned_out", bytes, [&] { cudaMemcpy(pinned, device, bytes, cudaMemcpyDeviceToHost); });
		time_calls("pinned_rows_in", bytes, [&] { cudaMemcpy2D(device, 1024, pinned, 1024, 1000, bytes / 1024, cudaMemcpyHostToDevice); });
		time_managed(bytes);
		cudaFree(device);
		cudaFreeHost(pinned);
		free(pageable);
	}
	return 0;
}
