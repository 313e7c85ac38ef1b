#!/usr/bin/env python3
"""Rewritten programs are CUDA: nvcc compiles them, host side included.

needs: nvcc

The thesis's five benchmarks one by one in every layout, with `nvcc -c`; the other benchmarks and the inputs of tests/golden/rewrite all layouts of
one file at once, each in a namespace of its own, device code and the host side's checks only.
"""
import concurrent.futures
import glob
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.environ["ROOT"]
COALESCE = os.environ["COALESCE"]
LEAST_COMPILED = 80
# Refused in that layout.
REFUSED = (("device_download.cu", "asta"), ("copied_parts.cu", "asta"), ("held_refused.cu", "soa"), ("held_refused.cu", "asta"))
LAYOUTS = ("aos", "aosa", "soa", "asta")
BENCHMARKS = {"idw": [], "2mm": ["--group", "A,B,C,D,E"], "3mm": ["--group", "A,B,C,D,E,F,G"], "syr2k": ["--group", "A,B,C"],
              "corr": ["--group", "data,mean,stddev,symmat"]}
OTHERS = {"nbody": [], "particles": [], "stencil_record": [], "gather": [], "histogram_record": [], "spmv": [], "grayscale": [],
          "rdf": ["--group", "x,y,z"], "add_matrix": ["--group", "a,b,c"], "multiply_add": ["--group", "A,B,C,D"], "warp_reduce": []}


def rewrite(source, layout, target, args):
    """The program's text in a layout; what cannot be rewritten stays as it is."""
    result = subprocess.run([COALESCE, "rewrite", source, "--layout", layout, "-o", target, "-q", "--no-compile", *args],
                            capture_output=True, text=True, check=False)
    return result.returncode == 0


def nvcc(folder, source, *flags):
    result = subprocess.run(["nvcc", "-arch=sm_90", "-w", "-o", os.path.join(folder, "out"), *flags, source],
                            capture_output=True, text=True, check=False)
    return "" if result.returncode == 0 else f"{os.path.basename(source)}: {result.stderr[:2000]}"


def check_benchmark(job):
    name, layout = job
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, f"{name}.{layout}.cu")
        if not rewrite(os.path.join(ROOT, "benchmarks", name + ".cu"), layout, path, BENCHMARKS[name]):
            return f"{name}: rewrite --layout {layout} failed"
        return nvcc(folder, path, "-c")


def check_input(source, args=None):
    with open(source, encoding="utf-8-sig") as file:
        text = file.read()
    found = re.search(r"^// args: (.*)$", text, re.MULTILINE)
    if args is None:
        args = found.group(1).split() if found else []
    unit = "".join(line + "\n" for line in re.findall(r"^#include .*$", text, re.MULTILINE))
    with tempfile.TemporaryDirectory() as folder:
        for layout in [one for one in LAYOUTS if (os.path.basename(source), one) not in REFUSED]:
            path = os.path.join(folder, layout + ".cu")
            complete = "// incomplete:" not in text
            if not rewrite(source, layout, path, args):
                if complete:
                    return f"{os.path.basename(source)}: rewrite --layout {layout} failed"
                continue
            if not complete:
                continue
            with open(path, encoding="utf-8-sig") as file:
                rewritten = re.sub(r"^#include .*$", "", file.read(), flags=re.MULTILINE).replace('extern "C"', 'extern "C++"')
            if "::" not in re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL):
                rewritten = re.sub(r"(?<![\w>])::(?=\w)", f"::{layout}::", rewritten)
            unit += f'namespace {layout} {{\n#line 1 "{layout}"\n{rewritten}}}\n'
        path = os.path.join(folder, os.path.basename(source))
        with open(path, "w", encoding="utf-8") as file:
            file.write(unit)
        return nvcc(folder, path, "-ptx", "-I" + os.path.dirname(source))


def main():
    inputs = sorted(glob.glob(os.path.join(ROOT, "tests", "golden", "rewrite", "*.cu")))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = [pool.submit(check_benchmark, (name, layout)) for name in BENCHMARKS for layout in LAYOUTS]
        results += [pool.submit(check_input, source) for source in inputs]
        results += [pool.submit(check_input, os.path.join(ROOT, "benchmarks", name + ".cu"), args) for name, args in OTHERS.items()]
    failures = [result.result() for result in results if result.result()]
    print("\n".join(failures))
    print(f"{len(results)} compiled, {len(failures)} failed")
    return 1 if failures or len(results) < LEAST_COMPILED else 0


if __name__ == "__main__":
    sys.exit(main())
