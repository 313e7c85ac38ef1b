#!/usr/bin/env python3
"""needs: nvcc, tier: slow

NVRTC and nvcc must give the same answer: everything that predict prints without a choice equals what it prints with --compiler nvcc, executed instructions of the
machine code included, for the benchmarks, the programs of tests/corpus and all kernels of the golden tests. KNOWN lists what differs and why; one that no longer
differs is a failure too. Files with shared memory are nvcc's in any case, as `-v` says: NVRTC addresses it with 64 bits, and ptxas makes up to 5 % more instructions
of that. Exit status 77 where the toolkit has no NVRTC; a failure where fewer files than LEAST_COMPARED are compared, or more than MOST_WITHOUT_CODE have no code to compare.
"""
import concurrent.futures
import glob
import os
import re
import subprocess
import sys

PROGRAM, ROOT = os.environ["COALESCE"], os.environ["ROOT"]


# Columns, which nvcc counts after macros are expanded, are never compared. What nvcc says of programs that NVRTC takes:
KNOWN = {
    "constexpr __host__ function": "NVRTC lets device code call constexpr functions without __device__",
    "| #pragma unroll": "nvcc does not expand macros there",
}
LEAST_COMPARED, MOST_WITHOUT_CODE = 320, 8
PLACES = ("benchmarks/*.cu", "tests/corpus/*.cu", "tests/golden/kernel/*.cu", "tests/golden/cases/*.cu", "tests/golden/rewrite/*.cu")


def predict(path, compiler):
    run = subprocess.run([PROGRAM, "predict", path, "--json", "-v", "--compiler", compiler], cwd=ROOT, stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, text=True, check=False)
    return run.returncode, run.stdout, run.stderr


def without_columns(text):
    return re.sub(r'"column": [0-9]+', "", text)


def compare(path):
    """Returns path, which compiler made the code, why it was not NVRTC, which known difference was met, and whether both roads agree."""
    code, out, err = predict(path, "auto")
    other_code, other_out, other_err = predict(path, "nvcc")
    known = [words for words in KNOWN if other_code == 1 and code == 0 and words in other_err]
    if known:
        other_code, other_out = code, out
    times = [line for line in err.splitlines() if line.startswith("time: ")]
    road = "none" if not times else "nvrtc" if " nvrtc " in times[-1] else "nvcc"
    reasons = [line.partition("NVRTC: ")[2] for line in err.splitlines() if line.startswith("compiled by nvcc")]
    same = (code, without_columns(out)) == (other_code, without_columns(other_out))
    return path, road, reasons[0] if reasons else "", known, same


def main():
    files = sorted(path for place in PLACES for path in glob.glob(place, root_dir=ROOT))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(compare, files))
    roads = {road: sum(1 for result in results if result[1] == road) for road in ("nvrtc", "nvcc", "none")}
    print("%d files: %d through NVRTC, %d through nvcc, %d without code" % (len(files), roads["nvrtc"], roads["nvcc"], roads["none"]))
    for path, road, reason, known, _ in results:
        if road == "nvcc" and reason:
            print("nvcc for %s: %s" % (path, reason))
        for words in known:
            print("known: %s: %s" % (path, KNOWN[words]))
    if roads["nvrtc"] == 0 and roads["none"] <= MOST_WITHOUT_CODE:
        print("this toolkit has no NVRTC")
        return 77
    few = roads["nvrtc"] < LEAST_COMPARED or roads["none"] > MOST_WITHOUT_CODE
    if few:
        print("TOO FEW: %d files are to go through NVRTC, and %d at most to have no code" % (LEAST_COMPARED, MOST_WITHOUT_CODE))
    different = [path for path, _, _, _, same in results if not same]
    for path in different:
        print("DIFFERENT: %s" % path)
    unmet = [words for words in KNOWN if not any(words in known for _, _, _, known, _ in results)]
    for words in unmet:
        print("NO LONGER DIFFERENT: %s" % KNOWN[words])
    return 1 if different or unmet or few else 0


if __name__ == "__main__":
    sys.exit(main())
