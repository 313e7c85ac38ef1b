#!/usr/bin/env python3
"""The rates of DRAM in machines/h200.json that streams.cu and loops.cu are the source of, from what an H200 printed: bandwidth.dram_*_members and bandwidth.dram_*_loops.

    rates.py [--machine FILE]

A launch takes longer than DRAM works for it, and DRAM does more than the launch asks for: where it begins the L2 is full of what was written before, and what it reads drives dirty lines out.

    rate = (bytes read and written + driven) / (seconds - events)

    driven   max(0, l2.driven_bytes(lines) - min(l2.dirty_bytes, written / touched * min(touched, l2.dirty_kept_bytes)))     as model/cost/full/traffic/dram.c has it
    events   what an empty kernel takes between two of them (launch.event_overhead_seconds), of streams.cu; loops.cu reads the clock inside

Prints each number of the machine file as it should be: name, then the rates by number of arrays. Exit status: 0 the file has them so, 1 it has others. python3 without packages; no GPU.
"""
import argparse
import bisect
import csv
import json
import os
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(FOLDER))
SET_BYTES = 1 << 29
NEAR = 1e-3
MIXES = {"read": lambda count: (count, 0), "two_reads_one_write": lambda count: (count, count // 2), "copy": lambda count: (count, count), "write": lambda count: (0, count)}
WIDTHS = (4, 8, 16)


def measured(name):
    with open(os.path.join(ROOT, "benchmarks", "measured", name + "-h200.csv"), encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def value_at(table, at):
    place = min(max(1, bisect.bisect_left(table["at"], at)), len(table["at"]) - 1)
    (low, high), (first, last) = ([table[key][place + k] for k in (-1, 0)] for key in ("at", "value"))
    return first + (last - first) * min(1, max(0, (at - low) / (high - low)))


def rate(evidence, row, seconds):
    count, read, written = (int(row[key]) for key in ("count", "read", "written"))
    moved = (read + written) * SET_BYTES / count
    left = min(evidence["l2.dirty_bytes"]["value"], written / count * min(SET_BYTES, evidence["l2.dirty_kept_bytes"]["value"]))
    return (moved + max(0, value_at(evidence["l2.driven_bytes"], SET_BYTES) - left)) / seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--machine", default=os.path.join(ROOT, "machines", "h200.json"))
    with open(parser.parse_args().machine, encoding="utf-8") as stream:
        machine = json.load(stream)
    evidence, events = machine["evidence"], machine["launch"]["event_overhead_seconds"]["value"]
    streams = {(int(row["bytes"]), int(row["count"]), int(row["read"]), int(row["written"])): (row, float(row["seconds"]) - events) for row in measured("streams") if row["members"] == "arrays"}
    loops = {(int(row["bytes"]), int(row["count"]), int(row["read"]), int(row["written"])): (row, (int(row["read"]) + int(row["written"])) * SET_BYTES / int(row["count"]) / float(row["bytes/s"]))
             for row in measured("loops") if row["members"] == "arrays" and row["blocks"] == "8"}
    others = 0
    for kind, rows in (("members", streams), ("loops", loops)):
        for mix, share in MIXES.items():
            for width in WIDTHS:
                name = "bandwidth.dram_%s_%d_bytes_%s" % (mix, width, kind)
                rates = [rate(evidence, *rows[(width, count) + share(count)]) for count in evidence[name]["at"]]
                others += any(abs(own / value - 1) > NEAR for own, value in zip(rates, evidence[name]["value"]))
                print(name, " ".join("%.4g" % value for value in rates))
    return 1 if others else 0


if __name__ == "__main__":
    sys.exit(main())
