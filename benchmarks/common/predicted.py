#!/usr/bin/env python3
"""Predicts the kernels of this folder's files as they are written and prints the times beside those that a GPU took, as a Markdown table.

    predicted.py [--program FILE] [--machine NAME]

--program   the program to judge (build/coalesce)
--machine   the GPU: h200 (kernels.cu, constants.cu and features.cu) or h100 (the others); benchmarks/measured/common-NAME.csv

Shapes and arguments are those of the file's own launches. python3 without packages; no GPU.
"""
import argparse
import csv
import json
import os
import statistics
import subprocess
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
BENCHMARKS = os.path.dirname(FOLDER)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=os.path.join(os.path.dirname(BENCHMARKS), "build", "coalesce"))
    parser.add_argument("--machine", default="h200", choices=("h200", "h100"))
    arguments = parser.parse_args()
    with open(os.path.join(BENCHMARKS, "measured", "common-%s.csv" % arguments.machine), encoding="utf-8") as stream:
        measured = {row["kernel"]: float(row["us"]) for row in csv.DictReader(stream)}
    kernels = []
    for name in ("kernels.cu", "further.cu", "others.cu", "constants.cu", "features.cu"):
        words = [arguments.program, "predict", os.path.join(FOLDER, name), "--machine", arguments.machine, "--start", "cold", "--json"]
        result = subprocess.run(words, capture_output=True, text=True)
        if result.returncode != 0:
            sys.exit("exit %d\n%s" % (result.returncode, result.stderr[-2000:]))
        kernels += json.loads(result.stdout)["kernels"]
    print("| kernel | predicted us | measured us | ratio | bound |\n| --- | --- | --- | --- | --- |")
    ratios = []
    for kernel in kernels:
        if kernel["name"] not in measured:
            continue
        written = [row for row in kernel["layouts"] if row["layout"] == kernel["written"]]
        row, took = (written or kernel["layouts"])[0], measured[kernel["name"]]
        ratios.append(row["time_us"] / took)
        print("| %s | %.1f | %.1f | %.2f | %s |" % (kernel["name"], row["time_us"], took, ratios[-1], row["bound"]))
    if len(ratios) != len(measured):
        sys.exit("%d of %d kernels predicted" % (len(ratios), len(measured)))
    off = [abs(ratio - 1) for ratio in ratios]
    print("| all %d | | | median %.3f off, %d within 0.15 | |" % (len(ratios), statistics.median(off), sum(value <= 0.15 for value in off)))


if __name__ == "__main__":
    main()
