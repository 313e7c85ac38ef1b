#!/usr/bin/env python3
"""Predicts the seeds' kernels and prints how far the times are from the measured ones, and of how many pairs of a program's rows the order is the measured one, as a Markdown table.

    predicted.py [--program FILE] [--rows N]

--program   the program to judge (build/coalesce)
--rows      the N rows that are off most, as CSV, before the table

A row is a launch in a layout; pairs that were measured within 5 % of each other do not count. Launches of the same kernel and shape are told apart by their order. python3 without packages; no GPU.
"""
import argparse
import itertools
import math
import os
import statistics
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(FOLDER))
import trust  # noqa: E402

ALIKE = math.log(1.05)


def rows_of(prediction, measured):
    """Name, shape, layout, predicted and measured microseconds of each row that both have."""
    waiting = {}
    for kernel in measured["kernels"]:
        waiting.setdefault(trust.kernel_key(kernel), []).append({trust.label(row): row["time_us"]["median"] for row in kernel["layouts"]})
    for kernel in prediction["kernels"]:
        times = waiting.get(trust.kernel_key(kernel))
        own = times.pop(0) if times else {}
        for row in kernel["layouts"]:
            if trust.label(row) in own:
                yield kernel["name"], "%s x %s" % (kernel["grid"], kernel["block"]), trust.label(row), row["time_us"], own[trust.label(row)]


def order(rows):
    """How many pairs are in the measured order, and how many there are."""
    pairs = [(a, b) for a, b in itertools.combinations(rows, 2) if abs(math.log(a[4] / b[4])) > ALIKE]
    return sum((a[3] - b[3]) * (a[4] - b[4]) > 0 for a, b in pairs), len(pairs)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=os.path.join(trust.ROOT, "build", "coalesce"))
    parser.add_argument("--rows", type=int, default=0)
    arguments = parser.parse_args()
    path, suite, measured = trust.suite_of(os.path.join("seeds", "suite.json"))
    table, every, right, pairs = [], [], 0, 0
    for case in suite["cases"]:
        prediction = trust.predict(os.path.abspath(arguments.program), path, suite, case)
        if prediction is None:
            sys.exit(1)
        rows = list(rows_of(prediction, measured[case.get("measured", case["id"])]))
        good, count = order(rows)
        errors = [abs(row[3] / row[4] - 1) for row in rows]
        table.append((case["id"], len(rows), statistics.median(errors), max(errors), good, count))
        every, right, pairs = every + rows, right + good, pairs + count
    errors = [abs(row[3] / row[4] - 1) for row in every]
    table.append(("all", len(every), statistics.median(errors), max(errors), right, pairs))
    for row in sorted(every, key=lambda row: -abs(math.log(row[3] / row[4])))[: arguments.rows]:
        print('"%s","%s",%s,%.2f,%.2f' % row)
    print("| program | rows | time error | worst | pairs in order |\n| --- | --- | --- | --- | --- |")
    for name, count, median, worst, good, of in table:
        print("| %s | %d | %.3f | %.2f | %d of %d |" % (name, count, median, worst, good, of))


main()
