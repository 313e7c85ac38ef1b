#!/usr/bin/env python3
"""No dependence that ptxas emits is shorter than the table of fixed latencies says (tests/tools/latency/latency.def).

needs: nvcc, tier: slow

Every benchmark, its sweep, seeds and fields, and every kernel of the tests is compiled for sm_90; patterns of paths on the command line choose others. tests/tools/sass_latency counts the
dependences of each pair of producer and reader with the least distance, which are printed. Each row of the table must have been met, most of them with a dependence that is as short as
the row says: a table of zeros would prove nothing.
"""
import concurrent.futures
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

PROGRAM, ROOT = os.environ["COALESCE"], os.environ["ROOT"]
TOOL = os.path.join(os.path.dirname(os.path.abspath(PROGRAM)), "tests", "tools", "sass_latency")
LEAST_CUBINS, LEAST_DEPENDENCES = 200, 100000
SOURCES = ("benchmarks/*.cu", "benchmarks/fields/*.cu", "benchmarks/seeds/*.cu", "benchmarks/sweep/*/*.cu", "benchmarks/calibrate/*.cu", "tests/corpus/*.cu",
           "tests/inputs/sass/*.cu", "tests/golden/ptx_nvcc/*.cu")


def compiled(nvcc, folder, source):
    target = os.path.join(folder, source.replace("/", "_") + ".cubin")
    done = subprocess.run([nvcc, "-cubin", "-w", "-lineinfo", "-arch=sm_90", "-o", target, source], cwd=ROOT, capture_output=True, check=False)
    return target if done.returncode == 0 else None


def main():
    nvcc = subprocess.run([os.path.join(ROOT, "tools", "setup"), "--nvcc"], capture_output=True, text=True, check=False).stdout.strip() or shutil.which("nvcc")
    if not nvcc or not os.access(TOOL, os.X_OK):
        return 77
    jobs = sorted({path for pattern in sys.argv[1:] or SOURCES for path in glob.glob(pattern, root_dir=ROOT)})
    with tempfile.TemporaryDirectory() as folder:
        with concurrent.futures.ThreadPoolExecutor() as pool:
            cubins = [path for path in pool.map(lambda job: compiled(nvcc, folder, job), jobs) if path]
        result = subprocess.run([TOOL] + cubins, capture_output=True, text=True, check=False)
    print(result.stdout + result.stderr)
    rows = [tuple(map(int, match)) for match in re.findall(r"^ *(\d+) +(\d+) +(\d+)  ", result.stdout, re.M)]
    listed = [row for row in rows if row[2]]
    with open(os.path.join(ROOT, "tests", "tools", "latency", "latency.def"), encoding="utf-8") as stream:
        table = len(re.findall(r"^X\(", stream.read(), re.M))
    tight = sum(least == wanted for _, least, wanted in listed)
    print("%d of %d files compiled; %d dependences; %d of %d rows met, %d as short as they say" % (
        len(cubins), len(jobs), sum(row[0] for row in rows), len(listed), table, tight))
    if sys.argv[1:]:
        return result.returncode
    good = result.returncode == 0 and len(cubins) >= LEAST_CUBINS and sum(row[0] for row in rows) >= LEAST_DEPENDENCES
    return 0 if good and len(listed) >= 0.9 * table and tight >= 0.7 * table else 1


sys.exit(main())
