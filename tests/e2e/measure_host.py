#!/usr/bin/env python3
"""`coalesce measure` from the source file to the results, where a driver that is a stand-in says that there is a GPU, and nvcc builds the measuring program for the
CPU. What fails leaves no file.

needs: nvcc
"""
import json
import os
import re
import subprocess
import sys
import tempfile

COALESCE, ROOT = os.environ["COALESCE"], os.environ["ROOT"]
STAND_IN = os.path.join(ROOT, "tests", "host_cuda", "bundle")
OPTIONS = ["-DPOINTS=300", "-DQUERIES=200"]
errors = []


def check(condition, *what):
    if not condition:
        errors.append(" ".join(str(part) for part in what))
    return condition


def toolkit(folder):
    """A toolkit like the real one, but for an nvcc that builds measure.cu with g++."""
    found = subprocess.run([os.path.join(ROOT, "tools", "setup"), "--nvcc"], capture_output=True, text=True, check=True).stdout.strip()
    real = os.path.dirname(os.path.dirname(os.path.realpath(found)))
    root = os.path.join(folder, "toolkit")
    os.makedirs(os.path.join(root, "bin"))
    for name in os.listdir(real):
        if name != "bin":
            os.symlink(os.path.join(real, name), os.path.join(root, name))
    script = ("#!/bin/sh\ncase \"$*\" in\n*-MM*|*.cubin*) exec '%s' \"$@\" ;;\n"
              "*) exec g++ -std=c++17 -O0 -w -ffp-contract=off -I'%s' -include cuda_runtime.h %s -x c++ -o measure measure.cu ;;\nesac\n")
    with open(os.path.join(root, "bin", "nvcc"), "w", encoding="utf-8") as stream:
        stream.write(script % (os.path.realpath(found), STAND_IN, " ".join(OPTIONS)))
    os.chmod(os.path.join(root, "bin", "nvcc"), 0o755)
    return root


def driver(folder, name, gpus):
    """A library that answers the two questions asked of the driver. Returns its folder."""
    path = os.path.join(folder, name)
    os.makedirs(path)
    with open(os.path.join(path, "driver.c"), "w", encoding="utf-8") as stream:
        stream.write("int cuInit(unsigned flags) { return (int)flags; }\n"
                     "int cuDeviceGetCount(int *count) { *count = %d; return 0; }\n" % gpus)
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", os.path.join(path, "libcuda.so.1"), os.path.join(path, "driver.c")], check=True)
    return path


def measure(root, library, output, *more, **environment):
    command = [COALESCE, "measure", os.path.join(ROOT, "benchmarks", "idw.cu"), *OPTIONS, "-o", output, "--quick", *more]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=600,
                          env={**os.environ, "COALESCE_CUDA": root, "LD_LIBRARY_PATH": library, **environment})


def failure(name, result, status, message, output):
    check(result.returncode == status, name, "ends with", result.returncode, result.stderr)
    check(re.search(message, result.stderr), name, "says", result.stderr)
    check(result.stdout == "" and not os.path.exists(output), name, "leaves something behind")


def main():
    with tempfile.TemporaryDirectory() as folder:
        root, library, none = toolkit(folder), driver(folder, "one", 1), driver(folder, "none", 0)
        output = os.path.join(folder, "measured.json")
        failure("no device", measure(root, none, output), 3, "no GPU to measure on: the NVIDIA driver finds none", output)
        failure("a device that is gone", measure(root, library, output, HOST_CUDA_DEVICES="0"), 3, "no CUDA GPU here", output)
        failure("a fault", measure(root, library, output, HOST_CUDA_FAULT="6"), 1, "illegal memory access", output)
        failure("a limit", measure(root, library, output, "--limit", "0.001"), 1, "limit", output)
        result = measure(root, library, os.path.join(folder, "no", "such", "folder.json"))
        check(result.returncode == 1 and "cannot write" in result.stderr, "an output that cannot be", result.returncode, result.stderr)
        result = measure(root, library, output, "--id", "small", "--limit", "100")
        if check(result.returncode == 0, "measure:", result.stderr):
            check("measure: idw, point as soa: " in result.stderr, "no progress:", result.stderr)
            with open(output, encoding="utf-8") as stream:
                case = json.load(stream)["cases"][0]
            check(case["id"] == "small" and case["quick"] and case["options"] == OPTIONS, "case", case["id"], case["options"])
            check([row["layout"] for row in case["kernels"][0]["layouts"]] == ["aos", "soa", "aosa", "asta"], "layouts")
    print("\n".join(errors) if errors else "measured, and five failures left nothing behind")
    return 1 if errors else 0


sys.exit(main())
