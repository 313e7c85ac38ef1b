#!/usr/bin/env python3
"""Holds predicted configurations of Kernel Tuner's convolution against measured ones.

    convolution.py --source convolution_milo.cu [--cache A100.json] [--machine a100] [--sample 62] [--seed 1] [--jobs N]

The source, and the cache files of other GPUs, stand in AutoTuningAssociation/benchmark_hub (MIT), which is fetched by
hand: kernels/convolution_milo.cu, cachefiles/convolution_milo/A100.json.gz. Without --cache the table is
../measured/tune-convolution-h200.csv. Configurations are drawn from those that have a time.

regret     what the best of the first 1, 3 and 10 predicted ones takes over the fastest of the sample
rank       Spearman's correlation of predicted and measured times
error      the median of |predicted / measured - 1|
"""
import argparse
import concurrent.futures
import csv
import gzip
import json
import os
import random
import statistics
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TABLE = os.path.join(ROOT, "benchmarks", "measured", "tune-convolution-h200.csv")
NAMES = "block_size_x block_size_y tile_size_x tile_size_y read_only use_padding".split()
FIXED = {"filter_height": 15, "filter_width": 15}
SIDE = 4096


def measured(path):
    """{values: microseconds}."""
    if not path:
        with open(TABLE, encoding="utf-8") as stream:
            return {tuple(int(row[name]) for name in NAMES): float(row["us"]) for row in csv.DictReader(stream)}
    with (gzip.open(path, "rt") if path.endswith(".gz") else open(path, encoding="utf-8")) as stream:
        cache = json.load(stream)["cache"].values()
    return {tuple(one[name] for name in NAMES): 1e3 * one["time"] for one in cache if isinstance(one.get("time"), float) and one.get("use_shmem", 1)}


def predict(options, values):
    x, y, tile_x, tile_y = values[:4]
    sides = -(-SIDE // (x * tile_x)), -(-SIDE // (y * tile_y))
    defines = ["-D%s=%d" % pair for pair in [*zip(NAMES, values), *FIXED.items()]]
    command = [options.program, "predict", options.source, "--kernel", "convolution_kernel", "--machine", options.machine, "--start", "warm",
               "--json", "--grid", "%d,%d" % sides, "--block", "%d,%d" % (x, y), *defines]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return json.loads(done.stdout)["kernels"][0]["layouts"][0]["time_us"] if done.returncode == 0 else None


def ranks(values):
    order = sorted(range(len(values)), key=values.__getitem__)
    return [order.index(i) for i in range(len(values))]


def figures(pairs):
    """pairs: (predicted, measured)."""
    pairs = sorted(pairs)
    best, count = min(time for _, time in pairs), len(pairs)
    for first in (1, 3, 10):
        print("regret of the first %-2d  %.3f" % (first, min(time for _, time in pairs[:first]) / best - 1))
    distance = sum((a - b) ** 2 for a, b in zip(*(ranks(side) for side in zip(*pairs))))
    print("rank                   %.3f" % (1 - 6 * distance / (count * (count * count - 1))))
    print("error, median          %.3f of %d" % (statistics.median(abs(said / time - 1) for said, time in pairs), count))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=os.path.join(ROOT, "build", "coalesce"))
    parser.add_argument("--source", required=True)
    parser.add_argument("--cache")
    parser.add_argument("--machine", default="h200")
    parser.add_argument("--sample", type=int, default=62)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    times = measured(options.cache)
    chosen = random.Random(options.seed).sample(sorted(times), min(options.sample, len(times)))
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        said = list(pool.map(lambda values: predict(options, values), chosen))
    figures([(one, times[values]) for one, values in zip(said, chosen) if one])


main()
