#!/usr/bin/env python3
"""Writes waves.cu: kernels that store records, and their launches, of a wave of blocks or less and of up to 2^21 records.

    ./waves.py >waves.cu
    nvcc -O2 -std=c++17 -arch=sm_90 -o waves waves.cu
    ./counted.py ./waves >waves-h200.csv

Each launch prints a row of CSV; counted.py runs it under Nsight Compute and adds what came to the L2 and to DRAM, and its time: benchmarks/measured/waves-h200.csv. `fill` stores alone, `one` loads a
word before, `copy` all words of a record, of which each that it stores needs all, `first` all words, because nothing overlaps, `alias` each before it stores it. python3 without packages.
"""
WAVE_WORDS = (2, 3, 5, 7, 9, 12, 16)
WAVE_BLOCKS = ((256, (1, 2, 4, 8)), (64, (1, 4, 16, 32)))  # threads, blocks of an SM
SMS = 132
LARGE_WORDS = (8, 12, 16, 24, 32)
LARGE_BLOCKS = (512, 2048, 8192)
THREADS = 256
RECORDS = THREADS * LARGE_BLOCKS[-1]

HEAD = """/* Written by waves.py: kernels that store records. */
#include <cstdio>
#include <cuda_runtime.h>
"""


def body(kind, words):
    """The statements of a kernel for one record, of which `from` and `to` are the arrays."""
    members = range(words)
    loads = ["float w%d = from[i].m%d;" % (k, k) for k in members]
    return {
        "fill": ["to[i].m%d = x + %d.0f;" % (k, k) for k in members],
        "one": ["float v = from[i];"] + ["to[i].m%d = v + %d.0f;" % (k, k) for k in members],
        "copy": loads + ["float sum = %s;" % " + ".join("w%d" % k for k in members)] + ["to[i].m%d = w%d * sum;" % (k, k) for k in members],
        "first": loads + ["to[i].m%d = w%d + x;" % (k, k) for k in members],
        "alias": ["to[i].m%d = from[i].m%d + x;" % (k, k) for k in members],
    }[kind]


def arguments(kind, words):
    loaded = {"fill": None, "one": "const float *__restrict__ from", "alias": "const record_%d *from" % words}
    target = "record_%d *%sto" % (words, "" if kind == "alias" else "__restrict__ ")
    source = loaded.get(kind, "const record_%d *__restrict__ from" % words)
    return ", ".join(([source] if source else []) + [target, "int n"] + (["float x"] if kind in ("fill", "first", "alias") else []))


def kernel(kind, words):
    lines = ["__global__ void __launch_bounds__(%d) %s_%d(%s)" % (THREADS, kind, words, arguments(kind, words)), "{",
             "\tint i = blockIdx.x * blockDim.x + threadIdx.x;", "\tif (i >= n)", "\t\treturn;"]
    return lines + ["\t" + statement for statement in body(kind, words)] + ["}", ""]


def launch(kind, words, blocks, threads):
    source = {"fill": "", "one": "single, "}.get(kind, "from_%d, " % words)
    last = ", 1.0f" if kind in ("fill", "first", "alias") else ""
    return ["\t%s_%d<<<%d, %d>>>(%sto_%d, %d%s);" % (kind, words, blocks, threads, source, words, blocks * threads, last),
            "\tprintf(\"%s,%d,%d,%d\\n\");" % (kind, words, blocks, threads)]


def launches():
    waves = [(kind, words, SMS * count, threads) for words in WAVE_WORDS for threads, counts in WAVE_BLOCKS for count in counts for kind in ("fill", "copy", "one")]
    return waves + [(kind, words, blocks, THREADS) for words in LARGE_WORDS for blocks in LARGE_BLOCKS for kind in ("alias", "first", "fill")]


def main():
    rows = launches()
    print(HEAD)
    for words in sorted({row[1] for row in rows}):
        print("struct record_%d {\n\tfloat %s;\n};\n" % (words, ", ".join("m%d" % k for k in range(words))))
        for kind in sorted({row[0] for row in rows if row[1] == words}):
            print("\n".join(kernel(kind, words)))
    print("int main()\n{\n\tfloat *single;\n\tcudaMalloc(&single, %d * sizeof *single);\n\tcudaMemset(single, 0, %d * sizeof *single);" % (RECORDS, RECORDS))
    for words in sorted({row[1] for row in rows}):
        print("\trecord_%d *from_%d, *to_%d;" % (words, words, words))
        print("\tcudaMalloc(&from_%d, %d * sizeof *from_%d);" % (words, RECORDS, words))
        print("\tcudaMalloc(&to_%d, %d * sizeof *to_%d);" % (words, RECORDS, words))
        print("\tcudaMemset(from_%d, 0, %d * sizeof *from_%d);" % (words, RECORDS, words))
    print("\tprintf(\"kernel,words,blocks,threads\\n\");")
    for row in rows:
        print("\n".join(launch(*row)))
    print("\tcudaError_t error = cudaDeviceSynchronize();\n\tif (error != cudaSuccess)\n\t\tfprintf(stderr, \"%s\\n\", cudaGetErrorString(error));")
    print("\treturn error != cudaSuccess;\n}")


main()
