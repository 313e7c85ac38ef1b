#!/usr/bin/env python3
"""Each file of machines/: predictions of kernels whose time is known from the file itself.

- Copies, reads and fills of 1 MB to 1 GB: never below their bytes over the theoretical bandwidth (dram.bandwidth_bytes_per_second). From 100 MB on at most 15 % above what the file says
  that kernels reach (dram.read_bandwidth_... and dram.write_..., a copy between them), plus the launch. A launch begins with an L2 full of dirty lines, as everything is measured:
  the bound adds l2.dirty_bytes to what it moves.
- Chains of dependent loads in the L1, the L2 and DRAM: the file's latency for each load, and at most 3 % and 12 cycles more, for the address and the loop. Of an L2 in two parts: the mean.
- Every row of every launch: not below DRAM's bytes over the theoretical bandwidth, nor below its instructions over the issue rate.

The test checks itself first: a bound that is broken must be found. Half a minute of one core.
needs: nvcc
"""
import concurrent.futures
import glob
import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = os.environ.get("COALESCE", os.path.join(ROOT, "build", "coalesce"))
MEBIBYTE = 1 << 20
SIZES = (1, 16, 128, 1024)
LARGE, ABOVE = 100 * MEBIBYTE, 1.15
LOADS = {"l1": 20000, "l2": 400000, "dram": 20000}
CHAIN_ABOVE, CHAIN_CYCLES = 1.03, 12
NEAR = 1e-6
LEAST_MACHINES = 14
SOURCE = """
#include <cuda_runtime.h>
__global__ void copy(const float4 *from, float4 *to, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		to[i] = from[i];
}
__global__ void read(const float4 *from, float4 *sums)
{
	float4 a = from[blockIdx.x * 1024 + threadIdx.x], b = from[blockIdx.x * 1024 + threadIdx.x + 256];
	float4 c = from[blockIdx.x * 1024 + threadIdx.x + 512], d = from[blockIdx.x * 1024 + threadIdx.x + 768];
	float sum = a.x + a.y + a.z + a.w + b.x + b.y + b.z + b.w + c.x + c.y + c.z + c.w + d.x + d.y + d.z + d.w;
	if (threadIdx.x == 0)
		sums[blockIdx.x] = make_float4(sum, sum, sum, sum);
	else if (__builtin_expect(sum == 12345, 0))
		sums[0] = a;
}
__global__ void fill(float4 *to, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		to[i] = make_float4(1, 2, 3, 4);
}
#define CHAIN(level, LOAD)                                                   \\
	__global__ void chain_##level(const int *level, int *out, int loads) \\
	{                                                                    \\
		int at = 0;                                                  \\
		_Pragma("unroll 1") for (int i = 0; i < loads; i++)          \\
			at = LOAD(level + at);                               \\
		*out = at;                                                   \\
	}
CHAIN(l1, *)
CHAIN(l2, __ldcg)
CHAIN(dram, *)
#define STREAMS(megabytes)                                    \\
	copy<<<megabytes << 8, 256>>>(a, b, megabytes << 16); \\
	fill<<<megabytes << 8, 256>>>(b, megabytes << 16);    \\
	read<<<megabytes << 6, 256>>>(a, b);
int main()
{
	float4 *a, *b;
	int *next, *out;
	cudaMalloc(&a, 1 << 30);
	cudaMalloc(&b, 1 << 30);
	cudaMalloc(&next, 1 << 30);
	cudaMalloc(&out, 4);
	%s
	%s
	return 0;
}
""" % ("\n\t".join("STREAMS(%d)" % size for size in SIZES), "\n\t".join("chain_%s<<<1, 1>>>(next, out, %d);" % pair for pair in LOADS.items()))
CONTENTS = ("l1=uniform:0:4000", "l2=uniform:0:130000", "dram=uniform:0:268000000")


class Machine:
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.file = json.load(file)
        self.id = os.path.basename(path)[:-5]

    def get(self, name):
        group, key = name.split(".")
        number = self.file[group][key]
        return number["value"] if number["value"] is not None else number["assume"]["value"]

    def scaled(self, name):
        """A number of the evidence, or of the relative's as the program scales it."""
        entry = self.file.get("evidence", {}).get(name)
        if entry:
            return entry["value"]
        shown = subprocess.run([PROGRAM, "machines", "--json", self.id], capture_output=True, text=True, check=True).stdout
        return next(number["value"] for number in json.loads(shown)["machines"][0]["relative"]["numbers"] if number["name"] == name)


def row_written(kernel):
    """The row of the file as it is."""
    return next(row for row in kernel["layouts"] if row["layout"] in (kernel["written"], "as-written"))


def achievable(machine, name, size):
    """Seconds for the bytes of a copy, read or fill at what the file says that kernels reach."""
    read, write = (machine.get("dram.%s_bandwidth_bytes_per_second" % way) for way in ("read", "write"))
    moved = {"copy": (size, size), "read": (size, 0), "fill": (0, size)}[name]
    return moved[0] / read + (moved[1] + machine.scaled("l2.dirty_bytes")) / write


def stream_problems(machine, name, size, seconds):
    moved = size * (2 if name == "copy" else 1)
    least, event = moved / machine.get("dram.bandwidth_bytes_per_second"), machine.get("launch.event_overhead_seconds")
    if seconds < least * (1 - NEAR):
        yield "%s of %d MB takes %.4g us, and %.4g by the theoretical bandwidth" % (name, size // MEBIBYTE, seconds * 1e6, least * 1e6)
    most = achievable(machine, name, size) * ABOVE + event if size >= LARGE else float("inf")
    if seconds > most:
        yield "%s of %d MB takes %.4g us, and at most %.4g by the bandwidth that the file says is reached" % (name, size // MEBIBYTE, seconds * 1e6, most * 1e6)


def chain_problems(machine, level, seconds):
    latency = {"l1": machine.get("l1.hit_latency_cycles"), "dram": machine.get("dram.latency_cycles"),
               "l2": (machine.get("l2.hit_latency_cycles") + machine.get("l2.far_hit_latency_cycles")) / 2}[level]
    cycles = seconds * machine.get("sm.clock_hz") / LOADS[level]
    if not latency * (1 - NEAR) <= cycles <= latency * CHAIN_ABOVE + CHAIN_CYCLES:
        yield "a load of a chain in %s takes %.1f cycles, and %.1f in the file" % (level, cycles, latency)


def floor_problems(machine, what, row):
    counts, seconds = row["counts"], row["time_us"] * 1e-6
    issue = machine.get("sm.count") * machine.get("sm.schedulers") * machine.get("sm.issue_per_scheduler") * machine.get("sm.clock_hz")
    floors = {"DRAM": (counts["dram_read_bytes"] + counts["dram_write_bytes"]) / machine.get("dram.bandwidth_bytes_per_second"), "issue": counts["warp_instructions"] / issue}
    for name, least in floors.items():
        if seconds < least * (1 - NEAR):
            yield "%s, %s: %.4g us, below the %.4g of %s" % (what, row["layout"], seconds * 1e6, least * 1e6, name)


def problems(machine, prediction):
    streams = 0
    for kernel in prediction["kernels"]:
        name, grid, seconds = kernel["name"], kernel["grid"][0], row_written(kernel)["time_us"] * 1e-6
        for row in kernel["layouts"]:
            yield from floor_problems(machine, "%s of %d blocks" % (name, grid), row)
        if name.startswith("chain_"):
            yield from chain_problems(machine, name[6:], seconds)
        else:
            streams += 1
            yield from stream_problems(machine, name, grid * (16384 if name == "read" else 4096), seconds)
    if streams != 3 * len(SIZES):
        yield "%d launches of %d" % (streams, 3 * len(SIZES))


def predict(machine, source):
    command = [PROGRAM, "predict", source, "--json", "-q", "--start", "cold", "--machine", machine.id]
    for content in CONTENTS:
        command += ["--index", content]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    if ran.returncode != 0:
        return machine, ["exit %d: %s" % (ran.returncode, ran.stderr[-500:])]
    return machine, list(problems(machine, json.loads(ran.stdout)))


def self_check(machine):
    row = {"layout": "aos", "time_us": 1, "counts": {"dram_read_bytes": 1e9, "dram_write_bytes": 0, "warp_instructions": 1e9}}
    found = [list(floor_problems(machine, "made", row)), list(chain_problems(machine, "dram", 1e-6)), list(chain_problems(machine, "l1", 1)),
             list(stream_problems(machine, "copy", 1 << 30, 1e-6)), list(stream_problems(machine, "fill", 1 << 30, 1))]
    return [len(one) for one in found] == [2, 1, 1, 1, 1]


def main():
    machines = [Machine(path) for path in sorted(glob.glob(os.path.join(ROOT, "machines", "*.json"))) if not path.endswith("schema.json")]
    failed = 0
    if not self_check(machines[0]):
        print("the test does not find what it should")
        return 1
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        source = os.path.join(folder, "streams.cu")
        with open(source, "w", encoding="utf-8") as file:
            file.write(SOURCE)
        for machine, found in pool.map(lambda machine: predict(machine, source), machines):
            failed += bool(found)
            for problem in found:
                print("FAIL %s: %s" % (machine.id, problem))
    print("%d machine files, %d with problems" % (len(machines), failed))
    return 1 if failed or len(machines) < LEAST_MACHINES else 0


if __name__ == "__main__":
    sys.exit(main())
