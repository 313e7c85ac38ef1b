#!/usr/bin/env python3
"""Prints benchmarks/measured/programs-h200.csv from what Nsight Compute said of this folder's programs: the launches of each kernel, their median, least and longest time in microseconds.

    measured.py FOLDER >programs-h200.csv

FOLDER has a file PROGRAM-LAYOUT.csv of each, from

    coalesce rewrite PROGRAM.cu --layout LAYOUT -o rewritten.cu        (but for aos, as which they are written)
    nvcc -O3 -arch=sm_90 -o PROGRAM-LAYOUT rewritten.cu
    ncu --clock-control none --cache-control none --metrics gpu__time_duration.sum --csv --print-units base --launch-count 600 ./PROGRAM-LAYOUT >PROGRAM-LAYOUT.csv

Kernels that rewriting adds to convert records on the way to and from the host are left out. python3 without packages; no GPU.
"""
import csv
import os
import re
import statistics
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
LAYOUTS = ("aos", "soa", "aosa", "asta")
TIME = "gpu__time_duration.sum"


def launches(path):
    """Microseconds of each launch, by kernel, in the order of their first launches."""
    times = {}
    with open(path, encoding="utf-8") as stream:
        lines = [line for line in stream if line.startswith('"')]
    for row in csv.DictReader(lines):
        if row["Metric Name"] == TIME:
            name = re.sub("^void ", "", row["Kernel Name"].split("(")[0]).split("<")[0].split("::")[-1]
            times.setdefault(name, []).append(float(row["Metric Value"].replace(",", "")) / 1000)
    return times


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    print("program,layout,kernel,launches,median_us,least_us,most_us")
    for program in sorted(name[:-3] for name in os.listdir(FOLDER) if name.endswith(".cu")):
        for layout in LAYOUTS:
            for kernel, times in launches(os.path.join(sys.argv[1], "%s-%s.csv" % (program, layout))).items():
                if not kernel.startswith(("pack_", "unpack_")):
                    print("%s,%s,%s,%d,%.3f,%.3f,%.3f" % (program, layout, kernel, len(times), statistics.median(times), min(times), max(times)))


if __name__ == "__main__":
    main()
