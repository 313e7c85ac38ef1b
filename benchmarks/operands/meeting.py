#!/usr/bin/env python3
"""Runs ./meeting (meeting.cu) under Nsight Compute and prints, as CSV, what each launch asked of the L2: benchmarks/measured/meeting-h200.csv.

For a machine that has a GPU of compute capability 9.0, and ncu; python3 without packages. Takes some two minutes.
"""
import csv
import io
import random
import subprocess
import sys

METRICS = ["lts__t_requests_srcunit_tex_op_read.sum", "lts__t_sectors_srcunit_tex_op_read.sum", "lts__t_sectors_op_read.sum",
           "lts__t_sectors_srcunit_tex_op_write.sum", "lts__t_sectors_op_write.sum", "dram__bytes_read.sum", "sm__cycles_elapsed.max"]
NAMES = ["requests", "sectors", "sectors_all", "written", "written_all", "dram_bytes", "cycles"]
SMS, STEPS = 132, 256


def measure(stage, launches):
    """Runs the launches; returns the requests of each, and prints a row of each."""
    command = ["ncu", "--csv", "--page", "raw", "--print-units", "base", "--clock-control", "none", "--metrics", ",".join(METRICS), "./meeting"]
    result = subprocess.run(command, input="\n".join(launches) + "\n", capture_output=True, text=True)
    rows = list(csv.DictReader(io.StringIO("\n".join(line for line in result.stdout.splitlines() if line.startswith('"')))))[1:]
    if result.returncode != 0 or len(rows) != len(launches):
        sys.exit("%s: exit %d, %d rows\n%s" % (stage, result.returncode, len(rows), result.stderr[-2000:]))
    requests = []
    for launch, row in zip(launches, rows):
        values = [row[metric].replace(",", "") for metric in METRICS]
        print(",".join(["\"%s\"" % stage if "," in stage else stage, launch] + values), flush=True)
        requests.append(float(values[0]))
    return requests


def timed(period, sectors, sms, steps=STEPS):
    return "timed %d %d 4096 %d %s" % (steps, period, sectors, " ".join(sms))


def group_find():
    """The SMs that send one request with SM 0."""
    others = range(1, SMS)
    requests = measure("pairs", [timed(2500, 4, ["0:0", "%d:0" % sm]) for sm in others])
    return [0] + [sm for sm, count in zip(others, requests) if count < 1.7 * STEPS]


def windows(group):
    mate = next(sm for sm in group if sm > 1)
    others = [sm for sm in range(0, SMS, 2) if sm not in group]
    first = ["%d:0" % sm for sm in others[::7][:8]]
    measure("late, in the L2", [timed(5500, 4, first + ["0:3000", "%d:%d" % (mate, 3000 + d)]) for d in range(0, 360, 20)])
    measure("late, in DRAM", [timed(2500, 4, ["0:0", "%d:%d" % (mate, d)]) for d in (0, 100, 200, 250, 300, 350, 400, 450, 500, 550, 600, 650, 700, 800)])
    measure("sectors", [timed(2500, 2, ["0:0:0", "%d:0:2" % mate]), timed(2500, 1, ["0:0:0", "%d:0:1" % mate]), timed(2500, 1, ["0:0:1", "%d:0:1" % mate])])
    measure("parts", ["burst %d 2500 %d 1 %d 1 0:0 %d:%d" % (STEPS, parts, sectors, mate, d)
                      for parts, sectors in ((2, 1), (4, 1), (2, 2)) for d in (0, 10, 30, 60, 100, 150, 250)])
    measure("lines", ["burst %d 6000 %d %d 4 0 0:0 %d:%d" % (min(STEPS, 65536 // (lines * warps)), lines, warps, mate, d)
                      for lines in (1, 2, 4, 8, 16, 32) for warps in (1, 4, 16) for d in (0, 60, 200)])


def numbers(group):
    draw = random.Random(1)
    measure("of a GPC", [timed(2500, 4, ["%d:%d" % (sm, draw.randint(0, spread)) for sm in group[:count]])
                         for count in (1, 2, 3, 4, 6, 8, 12, 16) if count <= len(group) for spread in (0, 100, 200, 400, 800)])
    measure("all", [timed(3500, 4, ["%d:%d" % (sm, draw.randint(0, spread)) for sm in range(SMS)]) for spread in (0, 50, 100, 200, 400, 800, 1600)])
    measure("first", [timed(2500, 4, ["%d:0" % sm for sm in range(count)]) for count in (2, 4, 8, 16, 32, 66)])


def loops():
    measure("free", ["free %d %d %d 0 %d" % (megabytes * 8192, warps, loads, 4 if megabytes < 1 else 1)
                     for megabytes in (0.25, 2, 16, 60) for warps in (1, 4, 8, 32) for loads in (1, 4)])
    measure("walk", ["walk 4096 %d 0 %d 3 1 1" % (parts, own) for own in (0, 1, 2, 4, 8, 16, 32, 64, 256) for parts in (1, 4)])
    measure("walk", ["walk %d %d %d 0 4 %d 1" % (8192 // arrays, parts, delay, arrays)
                     for arrays in (1, 2, 4, 8) for parts in (1, 2, 4) for delay in (0, 300)])
    measure("pace", ["pace %d %d %d %d %d 1 0" % ((4096 if turns == 4 else 8192) // parts, parts, work, warps, turns)
                     for turns in (1, 4) for parts in (1, 2, 4) for warps in (4, 16) for work in (4, 16, 64, 128, 256)])
    measure("pace", ["pace %d %d %d %d %d %d %d" % ((4096 if turns == 4 else 8192) // parts, parts, work, warps, turns, blocks, stores)
                     for turns in (1, 4) for parts in (1, 4) for warps, blocks in ((4, 1), (16, 1), (8, 4), (8, 8)) for work in (16, 64) for stores in (0, 1)])


def main():
    print(",".join(["stage", "launch"] + NAMES))
    measure("empty", ["empty"] * 3)
    measure("stores", ["stores 512 " + " ".join(str(sm) for sm in range(count)) for count in (1, 2, 4, 8, 20, 64, 132)])
    group = group_find()
    windows(group)
    numbers(group)
    loops()


main()
