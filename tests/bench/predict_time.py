#!/usr/bin/env python3
"""Time of one `predict` per program on a warm cache: libclang, nvcc and our own share, best of five runs.

Targets: the whole at most 1.15 times libclang plus nvcc, our own code at most 30 ms, a small file's libclang parse at most 0.1 s.
"""
import os
import re
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = os.environ.get("COALESCE", os.path.join(ROOT, "build", "coalesce"))
CASES = [["idw.cu"], ["2mm.cu", "--group", "A,B,C,D,E"], ["3mm.cu", "--group", "A,B,C,D,E,F,G"], ["syr2k.cu", "--group", "A,B,C"],
         ["corr.cu", "--group", "data,symmat"], ["gather.cu"], ["spmv.cu"]]

print("%-10s %10s %10s %10s %10s %8s" % ("program", "whole s", "libclang s", "nvcc s", "own s", "ratio"))
for case in CASES:
    best = None
    for _ in range(5):
        begin = time.monotonic()
        run = subprocess.run([PROGRAM, "predict", os.path.join(ROOT, "benchmarks", case[0]), "-v"] + case[1:], capture_output=True,
                             text=True)
        whole = time.monotonic() - begin
        found = re.search(r"time: libclang ([\d.]+) s, nvcc ([\d.]+) s, ourselves ([\d.]+) s", run.stderr)
        if run.returncode != 0 or not found:
            sys.exit("%s failed:\n%s" % (case[0], run.stderr))
        row = (whole,) + tuple(float(value) for value in found.groups())
        best = row if best is None or row[0] / (row[1] + row[2]) < best[0] / (best[1] + best[2]) else best
    print("%-10s %10.3f %10.3f %10.3f %10.3f %8.2f" % ((case[0],) + best + (best[0] / (best[1] + best[2]),)))
