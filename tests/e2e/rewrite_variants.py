#!/usr/bin/env python3
"""Files of every shape compile with all their layouts in one translation unit: each is predicted, in each layout that it can have.

needs: nvcc

Inputs: tests/inputs/variants/*.cu, each named after what is special in it.
"""
import concurrent.futures
import glob
import json
import os
import subprocess
import sys

ROOT = os.environ["ROOT"]
COALESCE = os.environ["COALESCE"]
ALL = {"aos", "aosa", "soa", "asta"}
# Without records, or with records that only the kernels as written can use.
AS_WRITTEN = {"byte_order_mark", "carriage_returns", "class_templates", "enumeration_arguments", "function_of_same_name"}


def check(path):
    name = os.path.splitext(os.path.basename(path))[0]
    result = subprocess.run([COALESCE, "predict", path, "--json"], capture_output=True, text=True, check=False)
    if result.returncode != 0:
        return f"{name}: exit {result.returncode}\n{result.stderr[-2000:]}"
    answer = json.loads(result.stdout)
    found = {row["layout"] for kernel in answer["kernels"] for row in kernel["layouts"]}
    want = {"as-written"} if name in AS_WRITTEN else ALL
    return "" if want <= found else f"{name}: layouts {sorted(found)}\n{result.stderr[-2000:]}"


def main():
    inputs = sorted(glob.glob(os.path.join(ROOT, "tests", "inputs", "variants", "*.cu")))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        failures = [failure for failure in pool.map(check, inputs) if failure]
    print("\n".join(failures))
    print(f"{len(inputs)} files, {len(failures)} failed")
    return 1 if failures or not inputs else 0


sys.exit(main())
