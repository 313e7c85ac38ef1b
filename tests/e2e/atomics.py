#!/usr/bin/env python3
"""Atomics in the model `full`, where measurements on an H200 say what must come out: which additions meet in a slice of the L2, warps that take turns at lines, and
additions of floats and doubles in shared memory, which are a loop around an exchange.

needs: nvcc
"""
import json
import os
import subprocess
import sys
import tempfile

PROGRAM = os.environ["COALESCE"]
SOURCE = """
#include <cuda_runtime.h>
#define N (1 << 22)
template <class number> __device__ void one_lane(number *a, number *b)
{
	if (threadIdx.x % 32 == 0) {
		atomicAdd(a, (number)threadIdx.x);
		atomicAdd(b, (number)blockIdx.x);
	}
}
__global__ void one_sector(double *out) { one_lane(out, out + 1); }
__global__ void two_lines(double *out) { one_lane(out, out + 32); }
__global__ void integers(int *out) { one_lane(out, out + 1); }
__global__ void one_line(int *out) { atomicAdd(&out[threadIdx.x % 32], (int)threadIdx.x); }
__global__ void many_lines(int *out) { atomicAdd(&out[threadIdx.x], (int)threadIdx.x); }
template <class number, int same> __device__ void add_up(number *out)
{
	__shared__ number part[1024];
	part[threadIdx.x] = 0;
	__syncthreads();
#pragma unroll 1
	for (int i = 0; i < 64; i++)
		atomicAdd(&part[(threadIdx.x / same + i * 32) % 1024], (number)(threadIdx.x + i));
	__syncthreads();
	out[blockIdx.x * 1024 + threadIdx.x] = part[threadIdx.x];
}
__global__ void floats(float *out) { add_up<float, 1>(out); }
__global__ void floats_alike(float *out) { add_up<float, 32>(out); }
__global__ void doubles(double *out) { add_up<double, 1>(out); }
__global__ void words(int *out) { add_up<int, 1>(out); }
int main()
{
	double *d;
	float *f;
	int *n;
	cudaMalloc(&d, N * sizeof(double));
	cudaMalloc(&f, N * sizeof(float));
	cudaMalloc(&n, N * sizeof(int));
	one_sector<<<8192, 256>>>(d);
	two_lines<<<8192, 256>>>(d);
	integers<<<8192, 256>>>(n);
	one_line<<<4096, 512>>>(n);
	many_lines<<<4096, 512>>>(n);
	floats<<<132, 512>>>(f);
	floats_alike<<<132, 512>>>(f);
	doubles<<<132, 512>>>(d);
	words<<<132, 512>>>(n);
	return cudaDeviceSynchronize();
}
"""
errors = []


def check(condition, *what):
    if not condition:
        errors.append(" ".join(str(w) for w in what))


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "atomics.cu")
        with open(path, "w", encoding="utf-8") as file:
            file.write(SOURCE)
        result = subprocess.run([PROGRAM, "predict", path, "--json", "-q"], capture_output=True, text=True, check=False)
    if result.returncode:
        sys.exit(result.stderr)
    kernels = json.loads(result.stdout)["kernels"]
    time = {k["name"]: k["layouts"][0]["time_us"] for k in kernels}
    check(time["one_sector"] > 1.5 * time["two_lines"], "additions of doubles to one sector wait for each other, those to two slices do not:", time)
    check(time["one_sector"] > 2 * time["integers"], "additions of integers to one sector do not wait:", time)
    check(time["one_line"] > 2.5 * time["many_lines"], "warps of a block add to 16 lines in 4 slices, whichever warps are looked at:", time)
    check(time["floats"] > 1.3 * time["words"], "a float is added by a loop:", time)
    check(time["floats_alike"] > 5 * time["floats"], "lanes at one address get through one after the other:", time)
    check(0.7 < time["doubles"] / time["floats"] < 3, "a loop around an exchange of 8 bytes is one of 4:", time)
    print("\n".join(errors))
    return 1 if errors else 0


sys.exit(main())
