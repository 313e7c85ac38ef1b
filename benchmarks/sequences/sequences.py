#!/usr/bin/env python3
"""Programs whose launches find in the L2 what copies, memsets and launches before them left, predicted and measured as they run.

    sequences.py prepare FOLDER [--program FILE]     writes each program there, as it is and rewritten to soa, and programs.json
    sequences.py [--program FILE] [--machine h100]   predicts each program, and prints figures against measured/sequences-MACHINE.csv

The measured table comes from a machine with a GPU: ../public/measure.py FOLDER OUT.csv --programs FOLDER/programs.json --times-only.
Each program takes the number of its elements: SIZES, some 1, 16 and 128 MB. python3 without packages; only measuring takes a GPU.

first, further   predicted over measured time of a launch, LEAST_US and more: the first one, the median of all
ratio            the same of the time in soa over that in aos
program          of the sum over all launches of a program

Where a kernel has two records, each is predicted in soa alone, and both are measured so: such rows are left out.
"""
import argparse
import csv
import glob
import json
import math
import os
import statistics
import subprocess
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(FOLDER))
SIZES = (1 << 15, 1 << 19, 1 << 22)
LAYOUTS = ("aos", "soa")
LEAST_US = 1.0


def names():
    return sorted(os.path.basename(path)[:-3] for path in glob.glob(os.path.join(FOLDER, "*.cu")))


def prepare(program, folder):
    programs = []
    for name in names():
        for layout in LAYOUTS:
            where = os.path.join(folder, layout)
            os.makedirs(where, exist_ok=True)
            source, target = os.path.join(FOLDER, name + ".cu"), os.path.join(where, name + ".cu")
            done = subprocess.run([program, "rewrite", source, "--layout", layout, "-o", target, "--no-compile", "-q"], capture_output=True, text=True, check=False)
            if done.returncode != 0:
                print("%s: not in %s: %s" % (name, layout, next((line for line in done.stderr.splitlines() if "error:" in line), "")), file=sys.stderr)
                continue
            programs += [{"name": "%s-%d-%s" % (name, size, layout), "repository": ".", "folder": layout, "files": [name + ".cu"], "flags": [], "args": [str(size)]} for size in SIZES]
    with open(os.path.join(folder, "programs.json"), "w", encoding="utf-8") as stream:
        json.dump({"programs": programs}, stream, indent=0)


def predict(program, machine, name, size):
    """(layout, kernel) -> (first, further, launches, total), in us, and the interval of further."""
    done = subprocess.run([program, "predict", os.path.join(FOLDER, name + ".cu"), "--machine", machine, "--layouts", "aos,soa", "--json", "-q", "--", str(size)],
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit("%s %d: exit %d\n%s" % (name, size, done.returncode, done.stderr))
    found = {}
    for kernel in json.loads(done.stdout)["kernels"]:
        records = {row["record"] for row in kernel["layouts"]}
        for row in kernel["layouts"]:
            if len(records) > 1 and (row["layout"] != "aos" or row["record"] != min(records)):
                continue
            for layout in LAYOUTS if row["layout"] == "as-written" else (row["layout"],):
                key = layout, kernel["name"]
                before = found.get(key, (row.get("first_us", row["time_us"]),) + (0,) * 4)
                launches = before[2] + kernel["launches"]
                total = before[3] + row["time_us"] * kernel["launches"] + row.get("first_us", row["time_us"]) - row["time_us"]
                found[key] = before[0], row["time_us"], launches, total, [row["time_us"] * side for side in row["interval"]]
    return found


def measured(machine):
    table = {}
    with open(os.path.join(ROOT, "benchmarks", "measured", "sequences-%s.csv" % machine), encoding="utf-8") as stream:
        for row in csv.DictReader(stream):
            if not row["kernel"].startswith("["):
                name, size, layout = row["program"].rsplit("-", 2)
                table[name, int(size), layout, row["kernel"].split("<")[0]] = float(row["first_us"]), float(row["median_us"]), float(row["total_us"]), int(row["launches"])
    return table


def figure(what, logarithms):
    sizes = sorted(abs(math.exp(value) - 1) for value in logarithms)
    print("%-8s %3d: median error %.3f, mean %.3f, nine of ten within %.2f; factor in the mean %.2f" % (
        what, len(sizes), statistics.median(sizes), statistics.mean(sizes), sizes[math.ceil(0.9 * len(sizes)) - 1], math.exp(statistics.mean(logarithms))))


def compare(program, machine):
    table, first, further, ratio, whole, inside = measured(machine), [], [], [], [], []
    for name in names():
        for size in SIZES:
            said, totals = predict(program, machine, name, size), {}
            for (layout, kernel), (start, later, launches, total, interval) in sorted(said.items()):
                seen = table.get((name, size, layout, kernel))
                if not seen:
                    continue
                print("%-14s %8d %-4s %-9s %4d launches (%d) first %9.2f said %9.2f  further %9.2f said %9.2f  %.2f" % (
                    name, size, layout, kernel, launches, seen[3], seen[0], start, seen[1], later, later / seen[1]))
                sums = totals.setdefault(layout, [0, 0])
                sums[0] += total
                sums[1] += seen[2]
                if seen[1] < LEAST_US:
                    continue
                first.append(math.log(start / seen[0]))
                further.append(math.log(later / seen[1]))
                inside.append(interval[0] <= seen[1] <= interval[1])
                other = table.get((name, size, "aos", kernel))
                if layout == "soa" and other and ("aos", kernel) in said:
                    ratio.append(math.log(later / said["aos", kernel][1] / (seen[1] / other[1])))
            whole += [math.log(own / seen) for own, seen in totals.values()]
    for what, values in (("first", first), ("further", further), ("ratio", ratio), ("program", whole)):
        figure(what, values)
    print("within the interval: %d of %d further launches" % (sum(inside), len(inside)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("verb", nargs="?", choices=("prepare", "compare"), default="compare")
    parser.add_argument("folder", nargs="?")
    parser.add_argument("--program", default=os.path.join(ROOT, "build", "coalesce"))
    parser.add_argument("--machine", default="h100")
    options = parser.parse_args()
    if options.verb == "prepare":
        prepare(options.program, options.folder or parser.error("prepare takes a folder"))
    else:
        compare(options.program, options.machine)


if __name__ == "__main__":
    main()
