/*
 * Times what variants.py wrote: every cubin of a folder, one block on each SM, by warps. Prints one JSON object.
 *
 *   nvcc -O2 -std=c++17 -arch=sm_90 -o operands operands.cu
 *   ./operands FOLDER >RESULTS.json
 *
 * 16384 instructions per warp; cycles of an SM per warp instruction, the median over the SMs, then over the repeats. What the instructions compute is of no account.
 * A name with _body_N_ has N instructions in its loop, the others 256. ends: for 32 warps of the first block, the cycles until each has ended.
 */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <cuda_runtime.h>
#include <dirent.h>

struct span {
	long long start, stop;
};

#define SHARED_BYTES 128 /* that fresh.py's accesses touch */

static const int instructions = 16384, repeats = 11;

static void check(cudaError_t error, const char *what)
{
	if (error == cudaSuccess)
		return;
	fprintf(stderr, "operands: %s: %s\n", what, cudaGetErrorString(error));
	exit(1);
}

static double median(std::vector<double> values)
{
	std::sort(values.begin(), values.end());
	return values[values.size() / 2];
}

/* Cycles from the first start to the last stop of each block; the median of the blocks. */
static double block_cycles(const std::vector<span> &spans, int warps)
{
	std::vector<double> cycles;
	for (size_t block = 0; block < spans.size() / warps; block++) {
		long long start = spans[block * warps].start, stop = spans[block * warps].stop;
		for (int w = 1; w < warps; w++) {
			start = std::min(start, spans[block * warps + w].start);
			stop = std::max(stop, spans[block * warps + w].stop);
		}
		cycles.push_back((double)(stop - start));
	}
	return median(cycles);
}

/* Instructions in the loop of a variant. */
static int body_of(const std::string &name)
{
	size_t place = name.find("_body_");
	return place == std::string::npos ? 256 : atoi(name.c_str() + place + 6);
}

/* Cycles per instruction, per repeat; ends: when each warp of the first block ended, in the last repeat. */
static std::vector<double> variant_cycles(cudaKernel_t kernel, int body, int sms, int warps, span *spans, float *sink, std::vector<long long> &ends)
{
	std::vector<double> values;
	std::vector<span> times((size_t)sms * warps);
	float x = 1.5f;
	int count = instructions / body;
	void *arguments[] = {&spans, &sink, &x, &count};
	for (int repeat = -1; repeat < repeats; repeat++) {
		check(cudaLaunchKernel((const void *)kernel, dim3(sms), dim3(warps * 32), arguments, SHARED_BYTES, 0), "launch");
		check(cudaDeviceSynchronize(), "kernel");
		check(cudaMemcpy(times.data(), spans, times.size() * sizeof(span), cudaMemcpyDeviceToHost), "copy");
		if (repeat >= 0)
			values.push_back(block_cycles(times, warps) / ((double)instructions * warps));
	}
	long long start = times[0].start;
	ends.clear();
	for (int w = 0; w < warps; w++)
		start = std::min(start, times[w].start);
	for (int w = 0; w < warps; w++)
		ends.push_back(times[w].stop - start);
	return values;
}

static std::vector<std::string> cubins_of(const char *folder)
{
	std::vector<std::string> names;
	DIR *open = opendir(folder);
	while (struct dirent *entry = open ? readdir(open) : nullptr) {
		std::string name = entry->d_name;
		if (name.size() > 6 && name.compare(name.size() - 6, 6, ".cubin") == 0)
			names.push_back(name.substr(0, name.size() - 6));
	}
	if (open)
		closedir(open);
	std::sort(names.begin(), names.end());
	return names;
}

static void variant_print(const std::string &folder, const std::string &name, int sms, span *spans, float *sink, const char *separator)
{
	cudaLibrary_t library;
	cudaKernel_t kernel;
	check(cudaLibraryLoadFromFile(&library, (folder + "/" + name + ".cubin").c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0), name.c_str());
	check(cudaLibraryGetKernel(&kernel, library, "timed"), name.c_str());
	printf("%s  {\"name\": \"%s\", \"warps\": [1, 4, 8, 16, 32], \"cycles\": [", separator, name.c_str());
	std::vector<long long> ends;
	for (int warps : {1, 4, 8, 16, 32})
		printf("%s%.4f", warps == 1 ? "" : ", ", median(variant_cycles(kernel, body_of(name), sms, warps, spans, sink, ends)));
	printf("], \"ends\": [");
	for (size_t w = 0; w < ends.size(); w++)
		printf("%s%lld", w ? ", " : "", ends[w]);
	printf("]}");
	check(cudaLibraryUnload(library), name.c_str());
}

int main(int count, char **arguments)
{
	if (count != 2) {
		fprintf(stderr, "usage: operands FOLDER\n");
		return 2;
	}
	cudaDeviceProp properties;
	span *spans;
	float *sink;
	check(cudaGetDeviceProperties(&properties, 0), "device");
	check(cudaMalloc(&spans, (size_t)properties.multiProcessorCount * 32 * sizeof(span)), "memory");
	check(cudaMalloc(&sink, (size_t)properties.multiProcessorCount * 1024 * sizeof(float)), "memory");
	printf("{\"schema\": \"coalesce/operands/1\", \"gpu\": \"%s\", \"unit\": \"SM cycles per warp instruction\", \"variants\": [\n", properties.name);
	const char *separator = "";
	for (const std::string &name : cubins_of(arguments[1])) {
		variant_print(arguments[1], name, properties.multiProcessorCount, spans, sink, separator);
		separator = ",\n";
	}
	printf("\n]}\n");
	return 0;
}
