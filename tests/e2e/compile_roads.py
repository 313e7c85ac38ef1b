#!/usr/bin/env python3
"""needs: nvcc, tier: slow

NVRTC and nvcc must give the same answer: everything that predict prints without a choice equals what it prints with --compiler nvcc, for the benchmarks and
all inputs of the analyzer's golden tests. Three differences are known: columns, which nvcc counts after macros are expanded; constexpr functions without
__device__, which NVRTC lets device code call, and nvcc does not; and macros in `#pragma unroll`, which nvcc does not expand. Exit status 77 where the toolkit
has no NVRTC.
"""
import concurrent.futures
import glob
import os
import re
import subprocess
import sys

PROGRAM, ROOT = os.environ["COALESCE"], os.environ["ROOT"]


# What nvcc says of programs that NVRTC takes.
KNOWN_REFUSALS = ("constexpr __host__ function", "| #pragma unroll")


def predict(path, compiler):
    run = subprocess.run([PROGRAM, "predict", path, "--json", "-v", "--compiler", compiler], cwd=ROOT, stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, text=True, check=False)
    return run.returncode, run.stdout, run.stderr


def without_columns(text):
    return re.sub(r'"column": [0-9]+', "", text)


def compare(path):
    """Returns path, which compiler made the code, why it was not NVRTC, and whether both roads agree."""
    code, out, err = predict(path, "auto")
    other_code, other_out, other_err = predict(path, "nvcc")
    if other_code == 1 and any(words in other_err for words in KNOWN_REFUSALS):
        other_code, other_out = code, out
    times = [line for line in err.splitlines() if line.startswith("time: ")]
    road = "none" if not times else "nvrtc" if " nvrtc " in times[-1] else "nvcc"
    reasons = [line.partition("NVRTC: ")[2] for line in err.splitlines() if line.startswith("compiled by nvcc")]
    return path, road, reasons[0] if reasons else "", (code, without_columns(out)) == (other_code, without_columns(other_out))


def main():
    files = sorted(glob.glob(os.path.join(ROOT, "benchmarks", "*.cu")) + glob.glob(os.path.join(ROOT, "tests/golden/kernel/*.cu")))
    files = [os.path.relpath(path, ROOT) for path in files]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(compare, files))
    roads = {road: sum(1 for result in results if result[1] == road) for road in ("nvrtc", "nvcc", "none")}
    print("%d files: %d through NVRTC, %d through nvcc, %d without code" % (len(files), roads["nvrtc"], roads["nvcc"], roads["none"]))
    for path, road, reason, _ in results:
        if road == "nvcc" and reason:
            print("nvcc for %s: %s" % (path, reason))
    if roads["nvrtc"] == 0:
        print("this toolkit has no NVRTC")
        return 77
    different = [path for path, _, _, same in results if not same]
    for path in different:
        print("DIFFERENT: %s" % path)
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
