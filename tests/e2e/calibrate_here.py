#!/usr/bin/env python3
"""`coalesce calibrate -o FILE` where a driver that is a stand-in says that there is a GPU, and nvcc is one that makes a program which writes results measured
before. What fails leaves no file.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

COALESCE, ROOT = os.environ["COALESCE"], os.environ["ROOT"]
RESULTS = os.path.join(ROOT, "benchmarks", "measured", "calibration-h200.json")
errors = []


def check(condition, *what):
    if not condition:
        errors.append(" ".join(str(part) for part in what))


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(text)
    os.chmod(path, 0o755)


def toolkit(folder):
    """An nvcc that checks that it is given every source, and whose program does what $PROGRAM says, with the results' path as $2."""
    root = os.path.join(folder, "toolkit")
    sources = sorted(name for name in os.listdir(os.path.join(ROOT, "benchmarks", "calibrate")) if name.endswith(".cu"))
    write(os.path.join(root, "include", "cuda_runtime.h"), "")
    write(os.path.join(root, "include", "cuda.h"), "#define CUDA_VERSION 13000\n")
    write(os.path.join(root, "bin", "nvcc"), "#!/bin/sh\n[ -z \"$NVCC_FAILS\" ] || { echo 'broken.cu(1): error: no' >&2; exit 2; }\n"
          "for name in " + " ".join(sources) + "; do case \" $* \" in *\" $name \"*) ;; *) exit 3 ;; esac; done\n"
          "while [ \"$1\" != -o ]; do shift; done\nprintf '#!/bin/sh\\n%s\\n' \"$PROGRAM\" >\"$2\"\nchmod +x \"$2\"\n")
    return root


def driver(folder):
    """A library that answers the two questions asked of the driver. Returns its folder."""
    path = os.path.join(folder, "driver")
    write(os.path.join(path, "driver.c"), "int cuInit(unsigned flags) { return (int)flags; }\nint cuDeviceGetCount(int *count) { *count = 1; return 0; }\n")
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", os.path.join(path, "libcuda.so.1"), os.path.join(path, "driver.c")], check=True)
    return path


def main():
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "COALESCE_CUDA": toolkit(folder), "LD_LIBRARY_PATH": driver(folder)}
        output, expected = os.path.join(folder, "machine.json"), os.path.join(folder, "expected.json")

        def calibrate(name, program, status, message, **more):
            result = subprocess.run([COALESCE, "calibrate", "-o", output], capture_output=True, text=True, check=False,
                                    env={**environment, "PROGRAM": program, **more})
            check(result.returncode == status, name, "ends with", result.returncode, result.stderr)
            check(re.search(message, result.stderr), name, "says", result.stderr)
            check(os.path.exists(output) == (status == 0), name, "leaves", os.listdir(folder))

        calibrate("no compiler", "exit 0", 3, "nvcc cannot build the microbenchmarks: broken.cu", NVCC_FAILS="1")
        calibrate("a program that dies", "exit 1", 3, "nothing measured; `coalesce calibrate --bundle DIR`")
        calibrate("results cut short", "head -c 9000 '%s' >\"$2\"; exit 3" % RESULTS, 1, r"results\.json:\d+:\d+: error")
        calibrate("a run", "echo '[ 0.1 s] limits' >&2; cp '%s' \"$2\"" % RESULTS, 0, r"building the microbenchmarks\n\[ 0\.1 s\] limits")
        if errors:
            print("\n".join(errors))
        subprocess.run([COALESCE, "calibrate", "--from", RESULTS, "-o", expected], check=True)
        with open(output, encoding="utf-8") as made, open(expected, encoding="utf-8") as other:
            check(made.read() == other.read(), "a run gives another file than --from its results")
        os.remove(output)
        partial = os.path.join(folder, "partial.json")
        with open(RESULTS, encoding="utf-8") as stream:
            results = json.load(stream)
        results.update(complete=False, failures=[{"section": "policy", "reason": "out of memory"}])
        write(partial, json.dumps(results))
        calibrate("a run with a failed section", "cp '%s' \"$2\"; exit 1" % partial, 0, "did not all run (.|\n)*section policy failed: out of memory")
    for error in errors:
        print("FAIL", error)
    print(f"{len(errors)} errors")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
