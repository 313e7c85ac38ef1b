#!/usr/bin/env python3
"""Predicts this folder's programs and holds that against the times of their own launches on a GPU, with their own data: as they are written, and rewritten into each layout.

    predicted.py [--program FILE] [--kernels]

--program   the program to judge (build/coalesce)
--kernels   each kernel, not the figures alone

benchmarks/measured/programs-h200.csv: Nsight Compute's times of all launches (gpu__time_duration.sum, caches and clocks left alone), medians by kernel; a rewritten program has all its records in the layout. Verdicts are
those of kernels with one record type that take 8 us or more. python3 without packages; no GPU.
"""
import argparse
import csv
import json
import math
import os
import statistics
import subprocess
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
BENCHMARKS = os.path.dirname(FOLDER)
LEAST_US = 8
SAME = 1.03


def measured_read():
    """Median microseconds by program, kernel and layout."""
    times = {}
    with open(os.path.join(BENCHMARKS, "measured", "programs-h200.csv"), encoding="utf-8") as stream:
        for row in csv.DictReader(stream):
            times.setdefault((row["program"], row["kernel"]), {})[row["layout"]] = float(row["median_us"])
    return times


def predicted(program, name):
    words = [program, "predict", os.path.join(FOLDER, name + ".cu"), "--machine", "h200", "--start", "cold", "--json"]
    result = subprocess.run(words, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit("%s: exit %d\n%s" % (name, result.returncode, result.stderr[-2000:]))
    return json.loads(result.stdout)["kernels"]


def verdict(kernel, took):
    """What the recommended layout takes longer than the fastest, and always soa; or None."""
    layouts = {row["layout"]: row["time_us"] for row in kernel["layouts"]}
    both = [layout for layout in layouts if layout in took]
    if len({row["record"] for row in kernel["layouts"]}) != 1 or len(both) < 3 or min(took[layout] for layout in both) < LEAST_US:
        return None
    best = min(took[layout] for layout in both)
    picked = kernel["recommended"] if kernel["recommended"] in both else min(both, key=layouts.get)
    return took[picked] / best, took.get("soa", math.nan) / best


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=os.path.join(os.path.dirname(BENCHMARKS), "build", "coalesce"))
    parser.add_argument("--kernels", action="store_true")
    arguments = parser.parse_args()
    measured, verdicts, off, seen = measured_read(), [], [], set()
    for name in sorted({program for program, _ in measured}):
        for kernel in predicted(arguments.program, name):
            key = name, kernel["name"].split("<")[0].split("::")[-1]
            times = [row["time_us"] for row in kernel["layouts"] if row["layout"] == kernel["written"]]
            if key in seen or key not in measured or not times:
                continue
            seen.add(key)
            took = measured[key]
            off.append(abs(math.log(times[0] / took["aos"])))
            judged = verdict(kernel, took)
            verdicts += [judged] if judged else []
            if arguments.kernels:
                print("| %s %s | %.1f | %.1f | %.2f | %s |" % (*key, times[0], took["aos"], times[0] / took["aos"],
                                                             "%.2f" % judged[0] if judged else ""))
    for what, ratios in ("picked", [one for one, _ in verdicts]), ("always soa", [one for _, one in verdicts]):
        print("%s: %.3f of %d within 3 %%, regret %.3f" % (what, sum(ratio <= SAME for ratio in ratios) / len(ratios), len(ratios),
                                                         statistics.mean(ratios) - 1))
    print("time as written: %.3f off in the median of %d kernels, %d within a fifth" % (statistics.median(off), len(off),
                                                                                     sum(one <= math.log(1.2) for one in off)))


if __name__ == "__main__":
    main()
