#!/usr/bin/env python3
"""Holds predictions of whole public programs against what every launch took, and prints the figures of the set.

    predicted.py --sources FOLDER [--program FILE] [--jobs N] [--machine h100]    predicts anew, writes ../measured/public-predicted-h100.csv
    predicted.py [--rows]                                                         the figures, from the two committed tables

FOLDER holds a checkout of each repository under its name in programs.json. Each program is predicted with its own files, flags and command
line, and nothing else. The measured table comes from measure.py. python3 without packages; no GPU.

The figures, over the kernels that the GPU ran:

grid and block    share of kernels for which every predicted grid and block was launched, and, where the GPU saw at most FEW_GRIDS grids,
                  every grid that it saw was predicted
instructions      share of rows with the right grid and block whose warp instructions are within 5 % of those executed
time error        |predicted / measured - 1| of rows of LEAST_US and more with the right grid and block, against the median launch as it came
whole programs    the same of the sum over all launches of a program
within interval   share of these rows whose measured time lies in the printed interval, by error class
"""
import argparse
import collections
import concurrent.futures
import csv
import json
import os
import re
import statistics
import subprocess
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(FOLDER))
MEASURED = os.path.join(ROOT, "benchmarks", "measured", "public-%s.csv")
PREDICTED = os.path.join(ROOT, "benchmarks", "measured", "public-predicted-%s.csv")
COLUMNS = "program,kernel,grid,block,launches,time_us,low,high,class,warp_instructions,confidence".split(",")
LEAST_US, FEW_GRIDS, PREDICT_SECONDS = 5.0, 4, 600


def plain(kernel):
    """The name that both tables share: without template arguments and namespaces."""
    return re.sub(r"<.*", "", kernel).split("::")[-1].strip()


def predict(program, options):
    """The program's rows, or the reason why there are none."""
    folder = os.path.join(options.sources, program["repository"], program["folder"])
    flags = [flag for flag in program["flags"] if not flag.startswith("-l")]
    command = [os.path.abspath(options.program), "predict", "--machine", options.machine, "--start", "program", "--json", *program["files"], *flags, "--", *program["args"]]
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", timeout=PREDICT_SECONDS)
    except subprocess.TimeoutExpired:
        return [], "took longer than %d s" % PREDICT_SECONDS
    if done.returncode != 0:
        return [], next((line for line in done.stderr.splitlines() if "error:" in line), "exit %d" % done.returncode)
    rows = []
    for kernel in json.loads(done.stdout)["kernels"]:
        row = next((r for r in kernel["layouts"] if r["layout"] == kernel["written"]), kernel["layouts"][0] if kernel["layouts"] else None)
        if row and row.get("time_us") is not None:
            sides = ["x".join(map(str, kernel[key])) for key in ("grid", "block")]
            rows.append([program["name"], kernel["name"], *sides, kernel["launches"], "%.3f" % row["time_us"], *row["interval"], row["error_class"],
                         row["counts"]["warp_instructions"], kernel["confidence"]])
    return rows, ""


def predict_all(options):
    with open(os.path.join(FOLDER, "programs.json"), encoding="utf-8") as stream:
        programs = json.load(stream)["programs"]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        made = list(pool.map(lambda program: predict(program, options), programs))
    with open(PREDICTED % options.machine, "w", encoding="utf-8", newline="") as stream:
        table = csv.writer(stream, lineterminator="\n")
        table.writerow(COLUMNS)
        for program, (rows, why) in zip(programs, made):
            table.writerows(rows)
            if why:
                print("%s: not predicted: %s" % (program["name"], why), file=sys.stderr)


def read(path):
    with open(path, encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def by_kernel(rows):
    found = collections.defaultdict(list)
    for row in rows:
        if not row["kernel"].startswith("["):
            found[row["program"], plain(row["kernel"])].append(row)
    return found


def shape(row):
    return row["grid"], row["block"]


def grids_right(predicted, measured):
    said, seen = {shape(r) for r in predicted}, {shape(r) for r in measured}
    return bool(said) and said <= seen and (len(seen) > FEW_GRIDS or seen <= said)


def weighted(rows, column):
    """The mean of a column over the launches of rows of one shape (instances of a template share a name)."""
    launches = sum(int(r["launches"]) for r in rows)
    return sum(float(r[column]) * int(r["launches"]) for r in rows) / launches if launches else float("nan")


def instance(row):
    """The name with its template arguments, as both tables would write it."""
    return re.sub(r"\b(\d+)u\b|\s", r"\1", row["kernel"])


def pairs(predicted, measured):
    """
    Rows of one kernel with the same grid and block, and the same template arguments where the GPU ran such an instance: (predicted row,
    measured us, measured instructions or None). An instance that the GPU did not run is not compared where it ran another one.
    """
    instances = {instance(row) for row in measured} & {instance(row) for row in predicted}
    for row in predicted:
        seen = [r for r in measured if shape(r) == shape(row) and (not instances or instance(r) == instance(row))]
        if seen:
            counted = [r for r in seen if r["warp_instructions"]]
            yield row, weighted(seen, "median_us"), weighted(counted, "warp_instructions") if counted else None


def share(values):
    values = list(values)
    return sum(values) / len(values) if values else float("nan")


def figures(predicted, measured, show):
    said, seen = by_kernel(predicted), by_kernel(measured)
    right, instructions, errors, inside = [], [], [], collections.defaultdict(list)
    for key, rows in sorted(seen.items()):
        right.append(grids_right(said.get(key, []), rows))
        for row, us, executed in pairs(said.get(key, []), rows):
            if executed:
                instructions.append(abs(float(row["warp_instructions"]) / executed - 1) <= 0.05)
            if us >= LEAST_US:
                error = float(row["time_us"]) / us - 1
                errors.append(abs(error))
                held = float(row["low"]) <= us / float(row["time_us"]) <= float(row["high"])
                inside["assumed" if row["class"] == "assumed" else "others"].append(held)
                if show:
                    print("%-30s %-28s %-12s %9.1f us %+7.1f %% %-9s %s" % (*key, row["grid"], us, 100 * error, row["class"], "" if held else "outside"))
    took, say = collections.Counter(), collections.Counter()
    for row in measured:
        if not row["kernel"].startswith("["):
            took[row["program"]] += float(row["total_us"])
    for row in predicted:
        say[row["program"]] += float(row["time_us"]) * int(row["launches"])
    programs = sorted({row["program"] for row in measured})
    sums = [abs(say[name] / took[name] - 1) for name in programs if took[name] > 0]
    return [("programs measured", "%d" % len(programs)), ("kernels measured", "%d" % len(right)),
            ("grid and block right", "%.2f" % share(right)), ("instructions within 5 %", "%.2f of %d" % (share(instructions), len(instructions))),
            ("time error of 5 us and more, median", "%.2f of %d" % (statistics.median(errors), len(errors))),
            ("time error of 5 us and more, mean", "%.2f" % statistics.mean(errors)), ("whole programs, median", "%.2f" % statistics.median(sums))] + [
            ("within the interval, %s" % name, "%.2f of %d" % (share(held), len(held))) for name, held in sorted(inside.items())]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sources")
    parser.add_argument("--program", default=os.path.join(ROOT, "build", "coalesce"))
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--machine", default="h100")
    parser.add_argument("--rows", action="store_true", help="each row, too")
    options = parser.parse_args()
    if options.sources:
        predict_all(options)
    for name, value in figures(read(PREDICTED % options.machine), read(MEASURED % options.machine), options.rows):
        print("%-40s %s" % (name, value))


if __name__ == "__main__":
    main()
