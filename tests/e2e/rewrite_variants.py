#!/usr/bin/env python3
"""Files of every shape compile with all their layouts in one translation unit: each is predicted, in each layout that it can have.

needs: nvcc

Inputs: tests/inputs/variants/*.cu, each named after what is special in it. They are predicted from another folder, so that quoted includes are found beside the file
that has them. NVRTC takes them all where the toolkit has it; FOR_NVCC names those that it does not.
"""
import concurrent.futures
import glob
import json
import os
import subprocess
import sys
import tempfile

ROOT = os.environ["ROOT"]
COALESCE = os.environ["COALESCE"]
LEAST_FILES = 19
ALL = {"aos", "aosa", "soa", "asta"}
# Without records, or with records that only the kernels as written can use.
AS_WRITTEN = {"byte_order_mark", "carriage_returns", "function_of_same_name",
              "pointer_members"}

# Host types in device code's records, shared memory, headers of the toolkit and of C++ that have to be read, variables that start with a value of the host's,
# and the names of namespaces that a header renames.
FOR_NVCC = {"class_templates", "classes", "device_variables", "enumeration_arguments", "functors", "kernels_of_macros", "namespaces_of_headers"}


def check(path):
    name = os.path.splitext(os.path.basename(path))[0]
    with tempfile.TemporaryDirectory() as elsewhere:
        result = subprocess.run([COALESCE, "predict", path, "--json", "-v"], capture_output=True, text=True, check=False, cwd=elsewhere)
    if result.returncode != 0:
        return f"{name}: exit {result.returncode}\n{result.stderr[-2000:]}"
    answer = json.loads(result.stdout)
    found = {row["layout"] for kernel in answer["kernels"] for row in kernel["layouts"]}
    want = {"as-written"} if name in AS_WRITTEN else ALL
    said = [line for line in result.stderr.splitlines() if "is left out" in line]
    said += [line for line in result.stderr.splitlines() if line.startswith("compiled by nvcc") and "has no NVRTC" not in line]
    if bool(said) != (name in FOR_NVCC):
        return f"{name}: {said or 'NVRTC takes it now'}"
    return "" if want <= found else f"{name}: layouts {sorted(found)}\n{result.stderr[-2000:]}"


def main():
    inputs = sorted(glob.glob(os.path.join(ROOT, "tests", "inputs", "variants", "*.cu")))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        failures = [failure for failure in pool.map(check, inputs) if failure]
    print("\n".join(failures))
    print(f"{len(inputs)} files, {len(failures)} failed")
    return 1 if failures or len(inputs) < LEAST_FILES else 0


sys.exit(main())
