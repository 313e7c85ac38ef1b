#!/usr/bin/env python3
"""Predicts what waves.py, bursts.cu, order.cu, copies.cu, units.cu, ends.cu, barriers.cu, resident.cu, begun.cu, several.cu, broadcasts.cu, rows.cu, planes.cu, members.cu, own_rows.cu and pieces.cu launch, and prints it beside what an H200 (of pieces.cu an H100) counted, as a Markdown table.

    predicted.py [--program FILE] [--rows]

--program   the program to judge (build/coalesce)
--rows      also each launch, as CSV, before the table

Sectors: what the SMs' stores send to the L2. A prediction says what Nsight Compute counts of all writes at the L2, half of which cross from one half of it to the other and count twice
(CROSSING); the measurements are of the SMs' alone. Times: an empty kernel takes 2.85 us between two events (machines/h200.json), which a prediction says, and 1.7 by Nsight Compute's counters (meeting-h200.csv: 3000 cycles); EVENTS_US is taken off.
Sectors that DRAM completes count once more in a prediction: those of order come out so much higher. Of bursts the launches in which all warps begin at once, and no times; of copies those that all SMs have a part in; of units the functions that ptxas writes out, and no sectors; of begun, several, rows, planes and members into an L2 that is full of what
another kernel has written, the first two from 8 MB on; of broadcasts with the L2 as full, loops over 12288 records, 3072 of those of 128 bytes. python3 without packages; no GPU.
"""
import argparse
import csv
import json
import math
import os
import re
import statistics
import subprocess
import sys
import tempfile

FOLDER = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(FOLDER))
CROSSING = 1.5
EVENTS_US = 1.15
BURST_THREADS = 512
SMS = 132
ORDER_BLOCKS, ORDER_THREADS = SMS * 64, 512
FUNCTIONS = "POWER", "RECIPROCAL", "DIVISION", "ROOT"
FUNCTION_STEPS = 256 * 16
LAUNCH_US = 2.85
BARRIER_TRIPS = 2000
ENDS_RECORDS, ENDS_WARPS = 4000, (4, 8, 12, 16, 20, 24, 32, 48, 64)
CLOCK_MHZ = 1980
SEVERAL_BYTES = 128 << 20
PLANES_WORDS = 1 << 26
MEMBERS_APART = 1088 * 7
RESIDENT_BYTES, RESIDENT_STEP = 160 << 20, 32768


def measured(name, gpu="h200"):
    with open(os.path.join(ROOT, "benchmarks", "measured", "%s-%s.csv" % (name, gpu)), encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def predict(program, source, *options):
    """Sectors and microseconds by kernel, blocks and threads."""
    result = subprocess.run([program, "predict", source, "--layouts", "aos", "--start", "cold", "--json", *options], capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit("%s %s: exit %d\n%s" % (source, " ".join(options), result.returncode, result.stderr[-2000:]))
    predictions = {}
    for kernel in json.loads(result.stdout)["kernels"]:
        layout = kernel["layouts"][0]
        predictions[kernel["name"], kernel["grid"][0], kernel["block"][0]] = layout["counts"]["l2_write_sectors"] / CROSSING, layout["time_us"] - EVENTS_US
    return predictions


def waves(program):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "waves.cu")
        with open(path, "w", encoding="utf-8") as stream:
            subprocess.run([sys.executable, os.path.join(FOLDER, "waves.py")], stdout=stream, check=True)
        predictions = predict(program, path)
    for row in measured("waves"):
        sectors, microseconds = predictions["%s_%s" % (row["kernel"], row["words"]), int(row["blocks"]), int(row["threads"])]
        size = "large" if int(row["blocks"]) in (512, 2048, 8192) else "one wave"
        name = "%s_%s<<<%s %s>>>" % (row["kernel"], row["words"], row["blocks"], row["threads"])
        yield "waves: %s, %s" % (row["kernel"], size), name, sectors / int(row["sectors"]), microseconds * 1000 / int(row["ns"])


def bursts(program):
    for row in measured("bursts"):
        if row["skew"] != "0":
            continue
        kernel, mask = "burst<%s>" % row["words"], int(row["warps"], 16)
        options = ["--kernel", kernel, "--grid", "1", "--block", str(BURST_THREADS), "--arg", "mask=%d,skew=0" % mask]
        predictions = predict(program, os.path.join(FOLDER, "bursts.cu"), *options)
        sectors, _ = predictions[kernel, 1, BURST_THREADS]
        schedulers = [bin(mask & 0x1111 << s).count("1") for s in range(4)]
        yield "bursts: %d of a scheduler" % max(schedulers), "%s %s" % (kernel, row["warps"]), sectors / int(row["sectors"]), None


def order(program):
    for row in measured("merging"):
        match = re.fullmatch(r"stored (\d+) read (\d+) size (\d+)", row["kernel"])
        if row["program"] != "order" or not match:
            continue
        kernel = "use_records<%s, %s, false>" % match.groups()[:2]
        options = ["--kernel", kernel, "--grid", str(ORDER_BLOCKS), "--block", str(ORDER_THREADS), "--arg", "size=" + match.group(3)]
        predictions = predict(program, os.path.join(FOLDER, "order.cu"), *options)
        sectors, microseconds = next(value for key, value in predictions.items() if key[1:] == (ORDER_BLOCKS, ORDER_THREADS))
        yield "order: " + ("stores alone" if match.group(2) == "0" else "loads before"), row["kernel"], sectors / int(row["sectors"]), microseconds * 1000 / int(row["ns"])


def copies(program):
    rows = [row for row in measured("copies") if int(row["blocks"]) >= SMS]
    for row in rows:
        blocks, threads, name = int(row["blocks"]), int(row["threads"]), "copy<%s, %s>" % (row["words"], "true" if row["kind"] == "own" else "false")
        options = ["--kernel", name, "--grid", str(blocks), "--block", str(threads)]
        sectors, microseconds = predict(program, os.path.join(FOLDER, "copies.cu"), *options)[name, blocks, threads]
        group = "copies: %s words, %s" % (row["words"], "as they come" if row["kind"] == "own" else "all at once")
        yield group, "%s<<<%d %d>>>" % (name, blocks, threads), sectors / int(row["sectors"]), microseconds * 1000 / int(row["ns"])


def units(program):
    with open(os.path.join(ROOT, "benchmarks", "measured", "units-h200.csv"), encoding="utf-8") as stream:
        lines = stream.read().splitlines()
    for row in csv.DictReader(lines[lines.index("function,warps,cycles"):]):
        kernel, threads = "functions<%d>" % FUNCTIONS.index(row["function"]), 32 * int(row["warps"])
        options = ["--kernel", kernel, "--grid", str(SMS), "--block", str(threads)]
        _, microseconds = predict(program, os.path.join(FOLDER, "units.cu"), *options)[kernel, SMS, threads]
        counted = float(row["cycles"]) * FUNCTION_STEPS * max(1, int(row["warps"]) // 4) / CLOCK_MHZ
        yield "units: " + row["function"].lower(), "%s %s" % (row["function"], row["warps"]), None, (microseconds + EVENTS_US - LAUNCH_US) / counted


def ends(program):
    for row in measured("ends"):
        blocks, threads, warps = int(row["blocks"]), int(row["threads"]), int(row["blocks"]) * int(row["threads"]) // 32
        if row["form"] == "0" or warps not in ENDS_WARPS:
            continue
        kernel, grid = "walk<%s, %s>" % (row["words"], row["form"]), SMS * blocks
        values = "m=%d,n=%d,stride=0" % (ENDS_RECORDS, grid * threads)
        _, microseconds = predict(program, os.path.join(FOLDER, "ends.cu"), "--kernel", kernel, "--grid", str(grid), "--block", str(threads), "--arg", values)[kernel, grid, threads]
        shape = "up to 3 warps of a scheduler" if warps < 16 else "one block" if blocks == 1 else "blocks of several of its warps" if warps // blocks > 4 else "blocks of one of its warps"
        counted = float(row["cycles"]) * ENDS_RECORDS / CLOCK_MHZ
        yield "ends: " + shape, "%s<<<%d %d>>>" % (kernel, grid, threads), None, (microseconds + EVENTS_US - LAUNCH_US) / counted


def barriers(program):
    for row in measured("barriers"):
        kernel, grid = "meet<%s, %s>" % (row["threads"], row["work"]), SMS * int(row["blocks"])
        _, microseconds = predict(program, os.path.join(FOLDER, "barriers.cu"), "--kernel", kernel, "--grid", str(grid), "--block", row["threads"], "--arg", "n=%d" % BARRIER_TRIPS)[kernel, grid, int(row["threads"])]
        counted = float(row["cycles"]) * BARRIER_TRIPS / CLOCK_MHZ
        shape = "one block" if row["blocks"] == "1" else "up to 16 warps of several" if int(row["blocks"]) * int(row["threads"]) <= 512 else "more warps of several"
        yield "barriers: " + shape, "%s<<<%d %s>>>" % (kernel, grid, row["threads"]), None, (microseconds + EVENTS_US - LAUNCH_US) / counted


def resident(program):
    for row in measured("resident"):
        words, threads, grid = int(row["words"]), int(row["threads"]), SMS * int(row["blocks an SM"])
        kernel = "use_records<%d, %d, %d, %d>" % (words, int(row["read"], 16), int(row["written"], 16), ("arrays", "tiles", "records").index(row["layout"]))
        records = RESIDENT_BYTES // 4 // words // RESIDENT_STEP * RESIDENT_STEP
        _, microseconds = predict(program, os.path.join(FOLDER, "resident.cu"), "--kernel", kernel, "--grid", str(grid), "--block", str(threads), "--arg", "n=%d" % records)[kernel, grid, threads]
        kind = "read" if row["written"] == "0" else "written" if row["read"] == "0" else "read and written"
        yield "resident: %s, %s" % (row["layout"], kind), "%s<<<%d %d>>>" % (kernel, grid, threads), None, (microseconds + EVENTS_US - LAUNCH_US) / float(row["last us"])


def records_predict(program, launches):
    """Microseconds of launches that store some words of each record: (words of a record, mask of those, what is loaded of another array, bytes)."""
    source, options = ["#include <cuda_runtime.h>"], []
    for words, mask, loaded, span in dict.fromkeys(launches):
        name = "use_%d_%x_%d_%d" % (words, mask, loaded, span)
        stores = ["target[i].m%d = x + %d;" % (k, k) for k in range(words) if mask >> k & 1] or ["if (x == 12345) target[i].m0 = 1;"]
        source.append("struct record_%s {%s};" % (name, "".join(" unsigned m%d;" % k for k in range(words))))
        source.append("__global__ void __launch_bounds__(256) %s(const record_%s *source, record_%s *target, unsigned count)" % (name, name, name))
        source.append("{ unsigned i = blockIdx.x * 256 + threadIdx.x, x = i; if (i >= count) return; %s %s }" % ("x += source[i].m0;" if loaded else "", " ".join(stores)))
        count = span // 4 // words
        options.append((name, (count + 255) // 256, count))
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "records.cu")
        with open(path, "w", encoding="utf-8") as stream:
            stream.write("\n".join(source) + "\nint main() {}\n")
        return [predict(program, path, "--kernel", name, "--grid", str(grid), "--block", "256", "--arg", "count=%d" % count)[name, grid, 256][1] + EVENTS_US for name, grid, count in options]


def begun(program):
    rows = [row for row in measured("begun") if row["kind"] != "whole" and row["l2"] == "dirty" and int(row["span_bytes"]) >= 8 << 20]
    launches = [(int(row["record_bytes"]) // 4, row["kind"] != "load", row["kind"] != "fill", int(row["span_bytes"])) for row in rows]
    for row, launch, microseconds in zip(rows, launches, records_predict(program, launches)):
        yield "begun: " + row["kind"], "%s %s" % (row["kind"], launch), None, microseconds / float(row["microseconds"])


def several(program):
    rows = [row for row in measured("several") if row["l2"] == "dirty"]
    launches = [(int(row["record_bytes"]) // 4, int(row["words_stored"], 16), row["reads"] == "1", SEVERAL_BYTES) for row in rows]
    for row, launch, microseconds in zip(rows, launches, records_predict(program, launches)):
        number = "one word" if bin(launch[1]).count("1") == 1 else "several words"
        yield "several: %s%s" % (number, ", loads" if launch[2] else ""), str(launch), None, microseconds / float(row["microseconds"])


def rows(program):
    for row in measured("rows"):
        if row["before"] == "read":
            continue
        kernel, blocks, threads = row["kernel"], int(row["blocks"]), int(row["threads"])
        _, microseconds = predict(program, os.path.join(FOLDER, "rows.cu"), "--kernel", kernel, "--grid", str(blocks), "--block", str(threads), "--arg", "n=" + row["n"])[kernel, blocks, threads]
        decides = "L2" if kernel in ("run_512", "run_1024") else "LSU" if kernel in ("run_64", "run_128", "lines_768") else "others"
        yield "rows: " + decides, "%s<<<%d %d>>>" % (kernel, blocks, threads), None, (microseconds + EVENTS_US) / float(row["us"])


def planes(program):
    words = str(PLANES_WORDS)
    for row in measured("planes"):
        if row["before"] == "read":
            continue
        read, written, x, y, n = (int(row[key]) for key in ("read", "written", "block_x", "block_y", "n"))
        grid, kernel = ((n + x - 1) // x, (n + y - 1) // y), "plane<%d, %d>" % (read, written)
        times = predict(program, os.path.join(FOLDER, "planes.cu"), "--kernel", kernel, "--grid", "%d,%d" % grid, "--block", "%d,%d" % (x, y), "--arg", "n=%d,border=%s" % (n, row["border"]),
                        "--extent", "from=" + words, "--extent", "to=" + words)
        (_, microseconds), = times.values()
        kind = "blocks 16 wide" if x == 16 else "written alone, but the border" if read == 0 and row["border"] == "1" else "read alone" if written == 0 else "written alone" if read == 0 else "read and written"
        yield "planes: " + kind, "%s<<<%dx%d %d %s>>>" % (kernel, x, y, n, row["border"]), None, (microseconds + EVENTS_US) / float(row["us"])


def members(program):
    words = {"set": 12 * 3 << 23, "sink": 1 << 23}
    for row in measured("members"):
        members_asked, records, threads, kind = int(row["members"]), int(row["records"]), int(row["threads"]), row["layout"]
        member, tile = {"arrays": (records, 32), "arrays_apart": (records + MEMBERS_APART, 32), "tiles_second": (64, members_asked * 64)}.get(
            kind, (32, members_asked * 32 * {"tiles": 1, "tiles_half": 2, "tiles_third": 3}.get(kind, 1)))
        kernel = "ask<%d, %s, %s>" % (members_asked, "true" if row["what"] == "add" else "false", "true" if row["places"] == "even" else "false")
        times = predict(program, os.path.join(FOLDER, "members.cu"), "--kernel", kernel, "--grid", str(threads // 256), "--block", "256", "--arg",
                        "records=%d,member=%d,tile=%d" % (records, member, tile), *(word for name in words for word in ("--extent", "%s=%d" % (name, words[name]))))
        (_, microseconds), = times.values()
        yield "members: %s, %s" % ("added to" if row["what"] == "add" else "loaded", kind.replace("_", ", ")), "%s %s<<<%d>>> %d" % (kernel, kind, threads, records), None, (microseconds + EVENTS_US) / float(row["us"])


def broadcasts(program):
    for row in measured("broadcasts"):
        blocks, threads, records, words = int(row["blocks"]), 32 * int(row["warps"]), int(row["records"]), int(row["record_bytes"]) // 4
        if row["l2"] == "clean" or blocks == 16 or records != (3072 if words == 32 else 12288):
            continue
        values = "m=%d,n=%d" % (records, blocks * threads)
        _, microseconds = predict(program, os.path.join(FOLDER, "broadcasts.cu"), "--kernel", "walk<%d>" % words, "--grid", str(blocks), "--block", str(threads), "--arg", values)["walk<%d>" % words, blocks, threads]
        counted = float(row["mean"]) / 16 * records / CLOCK_MHZ
        name = "one SM" if blocks == 1 else "all SMs, 16 bytes" if words == 4 else "all SMs"
        yield "broadcasts: " + name, "walk<%d><<<%d %d>>>" % (words, blocks, threads), None, (microseconds + EVENTS_US - LAUNCH_US) / counted


def own_rows(program):
    times = {key[:2]: microseconds for key, (_, microseconds) in predict(program, os.path.join(FOLDER, "own_rows.cu")).items()}
    for row in measured("own_rows"):
        kernel, blocks = row["kernel"], int(row["blocks"])
        stores = re.match("fill|update|both_ways|apart|row_scale", kernel)
        if (kernel, blocks) in times:
            yield "own_rows: " + ("stored to" if stores else "read"), "%s<<<%d>>>" % (kernel, blocks), None, (times[kernel, blocks] + EVENTS_US) / float(row["us"])


def pieces(program):
    times = {key[:2]: microseconds for key, (_, microseconds) in predict(program, os.path.join(FOLDER, "pieces.cu"), "--machine", "h100").items()}
    for row in measured("pieces", "h100"):
        copied = row["what"] == "copied"
        kernel, blocks = "store<%s, %s, %s>" % (row["piece"], row["row"], str(copied).lower()), int(row["rows"]) // (32 if row["row"] == "8" else 16)
        yield "pieces: %s words, %s" % (row["piece"], row["what"]), "%s<<<%d>>>" % (kernel, blocks), None, (times[kernel, blocks] + EVENTS_US) / float(row["flushed_us"])


def column(ratios):
    """The median, and the mean of how far each is off, as a factor's logarithm."""
    ratios = [ratio for ratio in ratios if ratio is not None]
    return ["%.2f" % statistics.median(ratios), "%.2f" % statistics.fmean(abs(math.log(ratio)) for ratio in ratios)] if ratios else ["", ""]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=os.path.join(ROOT, "build", "coalesce"))
    parser.add_argument("--rows", action="store_true")
    arguments = parser.parse_args()
    groups = {}
    for part in (waves, bursts, order, copies, units, ends, barriers, resident, begun, several, broadcasts, rows, planes, members, own_rows, pieces):
        every = []
        for group, name, sectors, times in part(arguments.program):
            groups.setdefault(group, []).append((sectors, times))
            every.append((sectors, times))
            if arguments.rows:
                print(",".join([name, *("" if ratio is None else "%.3f" % ratio for ratio in (sectors, times))]))
        groups[part.__name__ + ": all"] = every
    print("| launches | number | sectors | off by | times | off by |\n| --- | --- | --- | --- | --- | --- |")
    for group, values in groups.items():
        print("| %s |" % " | ".join([group, str(len(values)), *column([sectors for sectors, _ in values]), *column([times for _, times in values])]))


main()
