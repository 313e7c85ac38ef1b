#!/usr/bin/env python3
"""The rates of DRAM in a machine file that streams.cu and seldom.cu are the source of, from what the GPU printed: bandwidth.dram_*_members and bandwidth.dram_turning_share.

    rates.py [--gpu h200]

A launch takes longer than DRAM works for it, and DRAM does more than the launch asks for: where it begins the L2 is full of what was written before, and what it reads drives dirty lines out.

    rate = (bytes read and written + driven) / (seconds - events)

    driven   max(0, l2.driven_bytes(lines) - min(l2.dirty_bytes, written / touched * min(touched, l2.dirty_kept_bytes)))     as model/cost/full/traffic/dram.c has it
    events   what an empty kernel takes between two of them (launch.event_overhead_seconds)

Where more is written than read DRAM has to turn from one to the other for little: less than between a copy's rate and that of writing alone, by the share that is written (streams-mixes-h200.csv, seldom-h200.csv, medians).

    turning(share) = rate / (copy + (2 share - 1) (write - copy))     copy, write: dram_*_members of as many arrays as are written, of 8 and 16 bytes; of seldom.cu write is what it gives where nothing is read

Prints each number of the machine file as it should be: name, then the rates by number of arrays. Exit status: 0 the file has them so, 1 it has others. python3 without packages; no GPU.
"""
import argparse
import bisect
import csv
import json
import os
import statistics
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(FOLDER))
SET_BYTES = 1 << 29
SELDOM_ARRAYS, SELDOM_BYTES = 4, 1 << 27
NEAR = 1e-3
MIXES = {"read": lambda count: (count, 0), "two_reads_one_write": lambda count: (count, count // 2), "copy": lambda count: (count, count), "write": lambda count: (0, count)}
WIDTHS = (4, 8, 16)


GPU = "h200"


def measured(name):
    """The rows of a program; mixes of streams.cu stand in a file of their own where they were run apart."""
    path = os.path.join(ROOT, "benchmarks", "measured", "%s-%s.csv" % (name, GPU))
    if name == "streams-mixes" and not os.path.exists(path):
        return measured("streams")
    with open(path, encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def machine_read(gpu):
    """A machine file; l2.driven_bytes of an H200, scaled by the L2's size, where it has none of its own."""
    def file_read(name):
        with open(os.path.join(ROOT, "machines", name + ".json"), encoding="utf-8") as stream:
            return json.load(stream)
    machine, relative = file_read(gpu), file_read("h200")
    ratio = machine["l2"]["size_bytes"]["value"] / relative["l2"]["size_bytes"]["value"]
    driven = relative["evidence"]["l2.driven_bytes"]
    machine["evidence"].setdefault("l2.driven_bytes", {key: [ratio * one for one in driven[key]] for key in ("at", "value")})
    return machine


def value_at(table, at):
    place = min(max(1, bisect.bisect_left(table["at"], at)), len(table["at"]) - 1)
    (low, high), (first, last) = ([table[key][place + k] for k in (-1, 0)] for key in ("at", "value"))
    return first + (last - first) * min(1, max(0, (at - low) / (high - low)))


def rate(evidence, row, seconds):
    count, read, written = (int(row[key]) for key in ("count", "read", "written"))
    moved = (read + written) * SET_BYTES / count
    left = min(evidence["l2.dirty_bytes"]["value"], written / count * min(SET_BYTES, evidence["l2.dirty_kept_bytes"]["value"]))
    return (moved + max(0, value_at(evidence["l2.driven_bytes"], SET_BYTES) - left)) / seconds


def turning(evidence, events):
    """Of what share is written: what DRAM gives of the rate between a copy's and a write's."""
    found, alone = {}, {}

    def note(share, width, count, own, write):
        copy = value_at(evidence["bandwidth.dram_copy_%d_bytes_members" % width], count)
        found.setdefault(round(share, 4), []).append(own / (copy + (2 * share - 1) * (write - copy)))

    for row in measured("streams-mixes"):
        width, read, written = (int(row[key]) for key in ("bytes", "read", "written"))
        if row["members"] == "arrays" and width > WIDTHS[0] and written in (2 * read, 4 * read):
            write = value_at(evidence["bandwidth.dram_write_%d_bytes_members" % width], written)
            note(written / (read + written), width, written, rate(evidence, row, float(row["seconds"]) - events), write)
    for row in measured("seldom"):
        width, written, every, seconds = int(row["bytes"]), int(row["written"]), int(row["every"]), float(row["seconds"]) - events
        read = written / SELDOM_ARRAYS / every if every else 0
        own = (read + written) / seconds
        alone.setdefault((width, written), own)
        if written >= SELDOM_BYTES and every != 1:
            note(written / (read + written), width, SELDOM_ARRAYS, own, alone[width, written])
    return [0.5, *sorted(found)], [1, *(round(statistics.median(found[share]), 3) for share in sorted(found))]


def copied(evidence, name, found):
    """Puts a number where turning() reads it."""
    evidence[name] = {**evidence.get(name, {}), **found}


def rates(gpu, machine):
    """Name, places and rates of each number."""
    global GPU
    GPU = gpu
    evidence, events = dict(machine["evidence"]), machine["launch"]["event_overhead_seconds"]["value"]
    streams = {(int(row["bytes"]), int(row["count"]), int(row["read"]), int(row["written"])): (row, float(row["seconds"]) - events) for row in measured("streams") if row["members"] == "arrays"}
    found = {}
    for mix, share in MIXES.items():
        for width in WIDTHS:
            counts = sorted({key[1] for key in streams if key[0] == width and key[2:] == share(key[1]) and key[1] > 1})
            counts = [count for count in counts if mix != "two_reads_one_write" or count % 2 == 0]
            name = "bandwidth.dram_%s_%d_bytes_members" % (mix, width)
            found[name] = {"at": counts, "value": [rate(evidence, *streams[(width, count) + share(count)]) for count in counts]}
            copied(evidence, name, found[name])
    at, value = turning(evidence, events)
    found["bandwidth.dram_turning_share"] = {"at": at, "value": value}
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gpu", default="h200")
    gpu = parser.parse_args().gpu
    machine = machine_read(gpu)
    others = 0
    for name, table in rates(gpu, machine).items():
        known = machine["evidence"].get(name, {"at": [], "value": []})
        others += known["at"] != table["at"] or any(abs(own / value - 1) > NEAR for own, value in zip(table["value"], known["value"]))
        print(name, " ".join("%g:%.4g" % pair for pair in zip(table["at"], table["value"])))
    return 1 if others else 0


if __name__ == "__main__":
    sys.exit(main())
