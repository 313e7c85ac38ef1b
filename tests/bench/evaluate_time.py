#!/usr/bin/env python3
"""Time of the evaluator: each kernel of the suite's cases in all its layouts, alone, in processor time, best of three runs.

    tests/bench/evaluate_time.py build/coalesce [CASE...]

Links the program once more with tests/bench/evaluate_time.c, which times every evaluation, and prints for each kernel the sum over its
layouts. Target: at most 10 ms for four layouts, whatever the problem size; exit status 1 where it is missed.
"""
import collections
import json
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MOST_MS = 10
LAYOUTS = 4
ARCHIVES = ["cli", "model", "layouts", "analyzer", "ptxparse", "base"]
REPEATS = 3


def link(build, program):
    llvm = subprocess.getoutput("llvm-config-22 --libdir 2>/dev/null") or "/usr/lib/llvm-22/lib"
    subprocess.run([os.environ.get("CC", "cc"), "-std=c11", "-D_GNU_SOURCE", "-O2", f"-I{ROOT}", "-Wl,--wrap=exec_evaluate",
                    f"-Wl,-rpath,{llvm}", "-o", program, f"{ROOT}/tests/bench/evaluate_time.c", f"{build}/cli/main.o"]
                   + [f"{build}/lib{name}.a" for name in ARCHIVES] + [f"-L{llvm}", "-lclang-22", "-ljansson", "-lm"], check=True)


def last_part(name):
    """_ZN10coalesce_03idwE... -> idw"""
    part, rest = name, name[3:] if name.startswith("_ZN") else name[2:]
    while re.match(r"\d", rest):
        length = re.match(r"\d+", rest).group()
        part, rest = rest[len(length):len(length) + int(length)], rest[len(length) + int(length):]
    return part


def evaluations(program, case):
    """Milliseconds, steps and exactness of each evaluation, by kernel."""
    command = [program, "predict", os.path.join("benchmarks", case["file"])] + case["options"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit("%s failed:\n%s" % (" ".join(command), run.stderr))
    kernels = collections.OrderedDict()
    for name, seconds, steps, exact in re.findall(r"^evaluate: (\S+) ([\d.]+) (\d+) (\w+)$", run.stderr, re.MULTILINE):
        kernels.setdefault(last_part(name), []).append((float(seconds) * 1e3, int(steps), exact))
    return kernels


def main():
    build = os.path.dirname(os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, "build", "coalesce")))
    with open(os.path.join(ROOT, "benchmarks", "suite.json")) as file:
        cases = [case for case in json.load(file)["cases"] if len(sys.argv) < 3 or case["id"] in sys.argv[2:]]
    slow = []
    print("%-20s %-22s %8s %10s %10s %9s" % ("case", "kernel", "layouts", "all ms", "steps", "exact"))
    with tempfile.TemporaryDirectory() as scratch:
        program = os.path.join(scratch, "evaluate_time")
        link(build, program)
        for case in cases:
            best = {}
            for _ in range(REPEATS):
                for kernel, rows in evaluations(program, case).items():
                    if kernel not in best or sum(row[0] for row in rows) < sum(row[0] for row in best[kernel]):
                        best[kernel] = rows
            for kernel, rows in best.items():
                all_ms = sum(row[0] for row in rows)
                print("%-20s %-22s %8d %10.2f %10d %9s" % (case["id"], kernel, len(rows), all_ms, sum(row[1] for row in rows),
                                                          "yes" if all(row[2] == "exact" for row in rows) else "no"))
                if all_ms > MOST_MS * max(1, len(rows) / LAYOUTS):
                    slow.append("%s %s: %.2f ms" % (case["id"], kernel, all_ms))
    print("more than %d ms: %s" % (MOST_MS, "; ".join(slow)) if slow else "all within %d ms" % MOST_MS)
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
