#!/usr/bin/env python3
"""Joins what start.cu printed with the timeline of its run: the median duration by kernel, state and size.

    start_table.py LABELS.txt TIMELINE.jsonl >../measured/start-h100.csv

python3 without packages; no GPU.
"""
import collections
import json
import statistics
import sys


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as labels, open(sys.argv[2], encoding="utf-8") as timeline:
        records = sorted((json.loads(line) for line in timeline), key=lambda record: record["start"])
        kernels = [record for record in records if record["kind"] == "kernel"]
        times = collections.defaultdict(list)
        for label, record in zip(labels.read().splitlines(), kernels):
            times[tuple(label.split())].append(record["ns"] / 1000)
    print("kernel,state,n,launches,median_us,least_us,most_us")
    for (kernel, state, n), us in times.items():
        if kernel != "flush":
            print("%s,%s,%s,%d,%.3f,%.3f,%.3f" % (kernel, state, n, len(us), statistics.median(us), min(us), max(us)))


if __name__ == "__main__":
    main()
