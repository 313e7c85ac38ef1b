#!/usr/bin/env python3
"""Blocks that copy tiles asynchronously, some ahead of the one that they use, wait for them as an H200 does: times of copies_async.cu by one block of an SM, from machine code, within a fifth of measured.

needs: nvcc
"""
import csv
import json
import os
import subprocess
import sys

COALESCE, ROOT = os.environ["COALESCE"], os.environ["ROOT"]
BENCHMARKS = os.path.join(ROOT, "benchmarks")
MOST_OFF = 0.2


def predicted(row):
    element = "float4" if row["words"] == "4" else "float"
    kernel = "loaded<%s>" % element if row["stages"] == "0" else "staged<%s, %s>" % (row["stages"], element)
    command = [COALESCE, "predict", os.path.join(BENCHMARKS, "operands", "copies_async.cu"), "--machine", "h200", "--start", "cold", "--kernel", kernel,
               "--grid", "132", "--block", "256", "--arg", "tiles=" + row["tiles"], "--extent", "a=34603008", "--json", "-q"]
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True, timeout=300).stdout)["kernels"][0]["layouts"][0]["time_us"]


def main():
    with open(os.path.join(BENCHMARKS, "measured", "copies_async-h200.csv"), encoding="utf-8") as stream:
        rows = [row for row in csv.DictReader(stream) if row["blocks"] == "1" and row["tiles"] == "64"]
    ratios = {(row["stages"], row["words"]): predicted(row) / float(row["cold_us"]) for row in rows}
    wrong = ["%s stages, %s words: %.2f of measured" % (*key, ratio) for key, ratio in ratios.items() if abs(ratio - 1) > MOST_OFF]
    print("\n".join(wrong) if wrong else "%d launches" % len(ratios))
    return 1 if wrong or not ratios else 0


sys.exit(main())
