#!/usr/bin/env python3
"""Prints the table of experiments in README.md: question, program, machine keys, result. Every figure of a result is computed here from the files in ../measured.

    figures.py              prints the table
    figures.py --write      puts it into README.md
    figures.py --check      exit status 1 where README.md has another, or where a program of this folder or a key of a machine file is in no row

The keys of an experiment are those whose source in a machine file names its results. A name that ends with * stands for all keys that begin so. python3 without packages; no GPU.
"""
import collections
import csv
import functools
import glob
import json
import math
import os
import re
import statistics
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(FOLDER))
README = os.path.join(FOLDER, "README.md")
BEGIN, END = "<!-- experiments: made by figures.py -->\n", "<!-- end -->\n"
MEGA, MEBI = 1e6, 1 << 20
HELPERS = {"template.cu"}
PREDICTED = "waves bursts order copies units ends barriers resident begun several broadcasts rows planes members own_rows pieces".split()
COLLECT = {"choice": "choice.py", "meeting": "meeting.py", "bursts": "counted.py", "waves": "counted.py", "copies": "counted.py", "order": "counted.py", "start": "start_table.py",
           "mixes": "mixes.py", "yields": "yields.py", "operands": "variants.py"}
EXPERIMENTS = []


def experiment(question, programs, results):
    """The function below computes what came of it; programs and files of results by their names, separated by spaces."""
    def add(function):
        EXPERIMENTS.append((question, programs.split(), results.split(), function))
        return function
    return add


@functools.lru_cache(maxsize=None)
def rows(name):
    with open(os.path.join(ROOT, "benchmarks", "measured", name + ".csv"), encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def results(name):
    with open(os.path.join(ROOT, "benchmarks", "measured", name + ".json"), encoding="utf-8") as stream:
        return json.load(stream)


def where(name, conditions):
    """The rows of a file that have these values, given as "column=value; column=value"."""
    wanted = [condition.split("=", 1) for condition in conditions.split("; ")]
    found = [row for row in rows(name) if all(row[column] == value for column, value in wanted)]
    assert found, (name, conditions)
    return found


def values(name, column, conditions):
    return [float(row[column]) for row in where(name, conditions) if row[column]]


def value(name, column, conditions):
    return statistics.median(values(name, column, conditions))


def series(name, column, by, places, conditions):
    """Values of a column at several places of another one, as text."""
    return ", ".join(plain(value(name, column, "%s=%s; %s" % (by, place, conditions))) for place in places)


def plain(number):
    """Three digits, or all before the point."""
    return "%.0f" % number if number >= 100 else "%.3g" % number


def between(numbers, digits=3):
    return "%.*g to %.*g" % (digits, min(numbers), digits, max(numbers))


def slope(pairs):
    """Of the straight line nearest to them."""
    x, y = zip(*pairs)
    return statistics.linear_regression(x, y)[0]


# ---- what an SM does ----

@experiment("What do registers, reuse flags and stall counts cost?", "operands.cu variants.py template.cu", "operands-h200")
def operands():
    cycles = {one["name"]: 4 * one["cycles"][-1] for one in results("operands-h200")["variants"]}
    even = [number for name, number in cycles.items() if re.fullmatch(r"DFMA_e+", name)]
    return "%d variants; three even registers of a double hold a scheduler %.1f cycles" % (len(cycles), even[0])


@experiment("When does a result just written hold up its reader?", "operands.cu fresh.py template.cu", "fresh-h200")
def fresh():
    cycles = [one[-1] * 4 for one in results("fresh-h200")["variants"].values()]
    slow = sum(number > 1.1 for number in cycles)
    return "%d of %d variants take more than 1.1 cycles an instruction, at most %.2f" % (slow, len(cycles), max(cycles))


@experiment("What do groups of instructions of several kinds cost a scheduler?", "mixes.cu mixes.py", "mixes-h200")
def mixes():
    names = {row["mix"] for row in rows("mixes-h200")}
    return "%d groups by 4 to 32 warps; a NOP of 32 warps %.2f cycles" % (len(names), value("mixes-h200", "cycles", "mix=nop; warps=32"))


@experiment("What do address computations in 64 bits cost?", "addresses.cu", "addresses-h100")
def addresses():
    made, fixed = ([float(row["cycles"]) for row in where("addresses-h100", "kind=" + kind) if int(row["rounds"]) > 1] for kind in ("multiplied", "fixed"))
    return "%s cycles for 17 rows of a warp, %s at fixed distances" % (between(made), between(fixed))


def units_cycles(function, warps):
    return next(float(row["logics"] and row["shifts"]) for row in rows("units-h200") if (row["adds"], row["logics"]) == (function, str(warps)))


@experiment("Which pipes do additions, logic, shifts share? What do written-out functions take?", "units.cu", "units-h200")
def units():
    pipes = "adds=%d; logics=%d; shifts=%d; multiplies=0; floats=0"
    return "LOP3 and SHF %.1f cycles, VIADD and LOP3 %.1f; with 32 warps division %.1f, reciprocal %.1f, root %.1f" % (
        value("units-h200", "cycles", pipes % (0, 1, 1)), value("units-h200", "cycles", pipes % (1, 1, 0)), *(units_cycles(name, 32) for name in ("DIVISION", "RECIPROCAL", "ROOT")))


@experiment("What does a taken branch cost by the length of its loop's code?", "skips.cu", "skips-h100")
def skips():
    return "a root of 8 warps in loops of 16, 64, 512 roots: %s cycles" % series("skips-h100", "cycles", "functions", (16, 64, 512), "function=root; warps=8")


@experiment("What do branches, taken or not, and places of meeting cost in patched code?", "jumps.py mixes.cu", "jumps-h100")
def jumps():
    return "8 multiplications and a branch by 32 warps: taken %.2f cycles, never %.2f; one, BSSY and BSYNC %.1f; a root %.1f" % tuple(
        value("jumps-h100", "cycles", "mix=%s; warps=32" % mix) for mix in ("8+over1", "8+never", "1+bssy+bsync", "root+0"))


@experiment("What does one taken branch a trip cost 1 to 12 warps?", "branches.cu", "branches-h200")
def branches():
    one = [(float(row["ends"]) - float(row["begins"])) / 50 for row in where("branches-h200", "blocks=264; warps=1")]
    return "128 multiplications and a branch, two blocks of one warp: %.0f cycles a trip" % statistics.median(one)


@experiment("Do instructions come slower in long loops?", "supply.cu", "supply-h200")
def supply():
    per = {(int(row["instructions"]), int(row["warps"])): float(row["cycles"]) / int(row["instructions"]) / max(1, int(row["warps"])) for row in rows("supply-h200")}
    return "cycles an instruction, two warps and more: %s in loops of 2048, %s of 4096" % tuple(between([one for (size, warps), one in per.items() if size == long and warps > 1]) for long in (2048, 4096))


@experiment("What do bits cost by which instructions yield?", "yields.cu yields.py", "yields-h200")
def yields():
    return "cycles a trip with 8 blocks: %.0f as it is, %.0f without yields" % tuple(value("yields-h200", "cycles", "variant=%s; blocks=8" % name) for name in ("as_it_is", "no_yields"))


@experiment("Which of the warps that wait goes first?", "choice.cu choice.py", "choice-h200 choice-h100")
def choice():
    def share(kind, column, number):
        found = [row for row in where("choice-h200", "kind=" + kind) if row[column] and row[number]]
        total = sum(int(row[number]) for row in found)
        return sum(float(row[column]) * int(row[number]) for row in found) / total
    return "the oldest block's in %.3f of choices among stores; in a block the longest waiting in %.3f" % (share("stores", "oldest", "choices"), share("stores", "longest_within", "choices_within"))


@experiment("What does a barrier cost by warps and blocks?", "barriers.cu", "barriers-h200")
def barriers():
    one = [(int(row["threads"]) / 32, float(row["cycles"])) for row in where("barriers-h200", "work=0; blocks=1")]
    return "one block: %.1f cycles more for each warp; 64 warps in 2, 16 blocks %s" % (
        slope(one), ", ".join("%.0f" % value("barriers-h200", "cycles", "work=0; blocks=%d; threads=%d" % (blocks, 2048 // blocks)) for blocks in (2, 16)))


@experiment("When do an SM's first blocks start, and how far apart?", "starts.cu", "starts-h200")
def starts():
    def apart(threads):
        return statistics.median(values("starts-h200", "start", "part=block; threads=%d; wait=0; stagger=0; sm=0; number=1" % threads))
    return "first two blocks of 1, 8, 16 warps %.0f, %.0f, %.0f cycles apart" % (apart(32), apart(256), apart(512))


@experiment("How soon does a block follow in the place of another?", "turn.cu", "turn-h200")
def turn():
    plain = values("turn-h200", "cycles", "stores=0")
    return "%.0f cycles in the median without stores, %.0f with one" % (statistics.median(plain), statistics.median(values("turn-h200", "cycles", "stores=1")))


@experiment("Does a block wait at its end for its stores?", "leave.cu", "leave-h200")
def leave():
    many = [(value("leave-h200", "cycles", "warps=%d; stores=8" % warps) - value("leave-h200", "cycles", "warps=%d; stores=0" % warps)) / 8 / warps for warps in (1, 4, 8)]
    return "%s cycles for each store to 32 lines" % between(many, 2)


@experiment("How do blocks of a few waves end?", "ends.cu", "ends-h200 ends-warps-h200")
def ends():
    cycles = [value("ends-h200", "cycles", "words=9; form=1; blocks=%d; threads=%d" % shape) for shape in ((24, 32), (3, 256), (1, 768))]
    return "24 warps an SM as 24, 3, 1 blocks: %.1f, %.1f, %.1f cycles a record" % tuple(cycles)


@experiment("On which SMs do the first blocks of a grid lie whose others end at once?", "placement.cu", "placement-h100")
def placement():
    alone, among = (value("placement-h100", "us", "threads=256; busy=391; grid=%d" % grid) for grid in (391, 100096))
    spread = where("placement-h100", "threads=256; busy=391; grid=100096")[0]["sms_by_busy_blocks"]
    return "391 busy blocks of 256: %.1f us, among 100096 %.1f; blocks:SMs %s" % (alone, among, spread)


@experiment("What do special functions cost loads beside them?", "mixed.cu", "mixed-h200")
def mixed():
    plain = value("mixed-h200", "us", "kind=0; loads=4; words=1; alike=32; specials=0; products=0; warps=32")
    return "groups of four loads: %.0f us; with 1, 2, 3 special functions %s" % (plain, series("mixed-h200", "us", "specials", (1, 2, 3), "kind=0; loads=4; words=1; alike=32; products=0; warps=32"))


@experiment("How many turns of issue does a load from global memory take?", "loads.cu", "loads-h200")
def loads():
    column = {"one": "us predicted with one issue cycle a load", "two": "us predicted with two from global memory"}
    off = {name: statistics.median(abs(math.log(float(row[key]) / float(row["us"]))) for row in where("loads-h200", "memory=global")) for name, key in column.items()}
    return "with one turn times are %.3f off in the median, with two %.3f" % (off["one"], off["two"])


# ---- the LSU and the L1 ----

@experiment("In which bank of tags does a line lie?", "tags.cu", "tags-h200")
def tags():
    stride = [float(row["cycles"]) for row in where("tags-h200", "lines=stride")]
    return "%d strides and widths: %s cycles a load of 32 lines" % (len(stride), between(stride))


@experiment("Which line does the L1 replace, and how many have room?", "replaced.cu", "replaced-h100")
def replaced():
    scripts = where("replaced-h100", "what=set")
    lines = max(int(row["loads"]) for row in where("replaced-h100", "what=room"))
    return "%d scripts of one set; %d lines without shared memory; %d choices of the driver" % (len(scripts), lines, len(where("replaced-h100", "what=choice")))


@experiment("What stays in the L1 beside streams, stored or loaded?", "room.cu", "room-h100")
def room():
    found = where("room-h100", "loaded_kb=288; others_kb=0; barrier=1")[0]
    return "288 KB loaded in rounds, in step: %.2f of sectors hit" % (float(found["load_hits"]) / float(found["load_sectors"]))


@experiment("What do tables that the L1 holds cost when read again?", "passes.cu", "passes-h100")
def passes():
    return "tables of 64, 8192, 131072 words by 512 threads: %s us" % series("passes-h100", "us", "words", (64, 8192, 131072), "what=table; threads=512")


@experiment("What does a line coming into the L1 cost loads from shared memory?", "fills.cu", "fills-h200")
def fills():
    return "8, 16, 32 lines from the L2 beside 16 reads: %s cycles" % series("fills-h200", "cycles", "lines", (8, 16, 32), "from=L2; lanes=spread; reads=16")


@experiment("What does a further pass of a load cost?", "conflicts.cu", "conflicts-h100")
def conflicts():
    first, more = (value("conflicts-h100", "cycles", "space=global; words=1; loads=1; stride=%d; who=one" % stride) for stride in (1, 32))
    many = [value("conflicts-h100", "cycles", "space=global; words=1; loads=%d; stride=32; who=sixteen" % loads) for loads in (4, 8)]
    return "31 more passes of one warp %.0f cycles; 16 warps a pass in %.2f" % (more - first, (many[1] - many[0]) / (4 * 16 * 32))


@experiment("When do loads go back, and what do stores do to them?", "returns.cu", "returns-h200")
def returns():
    alone, beside = (value("returns-h200", "cycles", "loaded=records; stored=%s; words=4; warps=32" % stored) for stored in ("", "common"))
    return "a word of records of four words: %.1f cycles a load, %.1f with a store each" % (alone, beside)


@experiment("What do the words of a record cost, loaded one after the other?", "words.cu", "words-h200")
def words():
    def cycles(place):
        return [value("words-h200", "cycles", "order=in order; where=%s; record=%d; width=1; loads=%d; warps=32" % (place, size, size)) for size in (8, 12, 24)]
    return "records of 8, 12, 24 words, cycles a load: hits %s; from the L2 %s" % tuple(", ".join("%.1f" % one for one in cycles(place)) for place in ("hit", "l2"))


@experiment("How many loads are under way at most?", "waiting.cu", "waiting-h200")
def waiting():
    return "issuing 288 loads: %s cycles beside 0, 195, 227 KB of shared memory" % ", ".join(
        "%.0f" % value("waiting-h200", "issued_cycles", "shared_bytes=%d; lanes=1; cold=0; loads=288" % shared) for shared in (0, 199680, 232448))


@experiment("What do accesses cost whose lanes are all off?", "off.cu", "off-h200")
def off():
    return "two loads, a store, a barrier by 32 warps: %.2f cycles with no lane, %.2f with 32" % tuple(value("off-h200", "cycles", "warps=32; lanes=%d" % lanes) for lanes in (0, 32))


@experiment("What waits behind stores?", "behind.cu", "behind-h200")
def behind():
    return "LDS alone %.0f cycles, behind stores to 32 lines of one, twelve warps %.0f, %.0f; S2R behind twelve %.0f" % (
        value("behind-h200", "cycles", "instruction=LDS; stores=none; lines=32"), *(value("behind-h200", "cycles", "instruction=LDS; stores=%s; lines=32" % who) for who in stores_of()),
        value("behind-h200", "cycles", "instruction=S2R; stores=%s; lines=32" % stores_of()[1]))


def stores_of():
    names = list(dict.fromkeys(row["stores"] for row in rows("behind-h200")))
    return names[1], names[-1]


@experiment("What do words of constant memory cost that registers number?", "constants.cu", "constants-h200 constants-h100")
def constants():
    return "LDC, 32 warps, 1 KB: one word %.2f cycles of the SM, 32 words %.0f; uniform loads %.2f" % tuple(
        value("constants-h200", "sm_cycles", "how=%s; bytes=1024; warps=32" % how) for how in ("register", "32 words", "uniform"))


@experiment("What do asynchronous copies to shared memory cost?", "copies_async.cu", "copies_async-h200")
def copies_async():
    return "64 tiles by one block: %s us loaded and stored; by 2, 3, 4 stages %s" % (
        "%.1f" % value("copies_async-h200", "cold_us", "stages=0; words=4; blocks=1; tiles=64"), series("copies_async-h200", "cold_us", "stages", (2, 3, 4), "words=4; blocks=1; tiles=64"))


@experiment("What do additions in shared memory cost by type?", "shared_adds.cu", "shared-adds-h200")
def shared_adds():
    kernels = [kernel for case in results("shared-adds-h200")["cases"] for kernel in case["kernels"]]
    return "%d kernels, suite `shared_adds.json`" % len(kernels)


# ---- stores ----

@experiment("When do stores to a line become one?", "merging.cu order.cu stores.cu", "merging-h200 stores-h200")
def merging():
    found = {row["kernel"]: int(row["requests"]) for row in where("merging-h200", "program=order")}
    least = 132 * 64 * 512 * 2 * 4 / 128
    return "%d kernels; records of 2 words stored word by word: %.2f of the requests that whole lines need" % (len(rows("merging-h200")), found["stored 2 read 0 size 2"] / least)


@experiment("Do stores of several warps at once become one?", "bursts.cu counted.py", "bursts-h200")
def bursts():
    def over(warps, size):
        row = where("bursts-h200", "words=%d; warps=%s; skew=0" % (size, warps))[0]
        return int(row["requests"]) / (bin(int(warps, 16)).count("1") * size)
    return "requests over the least, 4 warps of 4 schedulers: %.2f with 6 words, %.2f with 8" % (over("0x1111", 6), over("0x1111", 8))


@experiment("The same of launches of a wave of blocks and more?", "waves.py counted.py", "waves-h200")
def waves():
    sent = value("waves-h200", "requests", "kernel=fill; words=8; blocks=8192")
    return "2^21 records of 8 words filled: %.1f requests for each line" % (sent / ((1 << 21) * 8 / 32))


@experiment("Do stores become one that each wait for a load of their own?", "copies.cu counted.py", "copies-h200")
def copies():
    own, all_at_once = (value("copies-h200", "requests", "kind=%s; words=4; blocks=8448; threads=256" % kind) for kind in ("own", "all"))
    return "records of 4 words: %.2f of the requests that storing all at once sends" % (own / all_at_once)


@experiment("Which widths of stores become one?", "widths.cu", "widths-h200")
def widths():
    one = "stride=16; first=%d; second=%d; second_at=4; third=0; blocks=132; threads=32; loaded=0"
    return "one warp an SM, two stores to each line: two words %.0f requests, a byte and a word %.0f" % (value("widths-h200", "requests", one % (4, 4)), value("widths-h200", "requests", one % (1, 4)))


@experiment("What do pieces of lines cost that several warps of a block store?", "pieces.cu", "pieces-h100")
def pieces():
    return "4096 rows filled, tiles of 16: pieces of 2, 4, 16 words %s us" % series("pieces-h100", "flushed_us", "piece", (2, 4, 16), "row=16; what=filled; rows=4096")


# ---- the L2 ----

@experiment("How long does the L2 keep lines that are read again and again?", "again.cu", "again-h200")
def again():
    def kept(size):
        read = value("again-h200", "dram_read_bytes", "megabytes=%d; lines_of=same SM" % size)
        return 1 - (read / (size * MEBI) - 1) / 7
    return "by the same SM: of 40, 48, 56, 64 MiB %s is kept" % ", ".join("%.2f" % kept(size) for size in (40, 48, 56, 64))


@experiment("From what size on does the L2 lose arrays between launches?", "update.cu", "update-h200")
def update():
    return "in place, 32, 40, 48, 56 MiB: %s us a launch" % series("update-h200", "us", "mib", (32, 40, 48, 56), "kernel=wide")


@experiment("Has the L2 room for lines or for sectors?", "sets.cu", "sets-h200")
def sets():
    return "words 128 bytes apart, read again: %s MB come from DRAM of 42, 50, 59, 67 MB of lines" % series(
        "sets-h200", "second_read_mb", "words", (327680, 393216, 458752, 524288), "stride_bytes=128")


@experiment("What does a launch take whose arrays the L2 holds, by who used them before?", "used.cu", "used-h200")
def used():
    kinds = ("read", "total<0>"), ("read after stores", "total<2>"), ("stored", "fill4<2>"), ("stored word by word", "fill<5>"), ("copied", "copy4<10>"), ("copied back", "copy4<12>")
    return "16 MiB: " + ", ".join("%s %.1f" % (what, value("used-h200", "median_us", "blocks=4096; kernel=" + kernel)) for what, kernel in kinds) + " us"


@experiment("What do a kernel, a memset or a copy leave in the L2?", "after_copies.cu copied.cu", "after-copies-h100 copied-h100")
def after_copies():
    return "24 MiB read after %s us" % ", ".join("%s %.1f" % (what, value("after-copies-h100", "median_us", "mebibytes=24; after=" + what)) for what in ("nothing", "a kernel", "memset"))


@experiment("What do copies between host and device take, by the kind of memory?", "host_copies.cu", "host-copies-h200")
def host_copies():
    rates = ["%s %.1f" % (what.replace("_", " "), 2**30 / value("host-copies-h200", "best_us", "bytes=1073741824; what=" + what) / 1e3)
             for what in ("pinned_in", "pageable_in", "pageable_out", "managed_in", "managed_out")]
    return "1 GiB, GB/s: %s; cudaMalloc() and cudaFree() of 16 MiB: %.0f us" % (
        ", ".join(rates), value("host-copies-h200", "best_us", "bytes=16777216; what=allocation"))


@experiment("What do launches take by what they find in the L2?", "start.cu start_table.py start_predicted.py", "start-h100")
def start():
    return "an empty block %.2f us in an activity record; fill of 2^20: %.1f us cold" % (value("start-h100", "median_us", "kernel=empty; n=1"), value("start-h100", "median_us", "kernel=fill; state=cold; n=1048576"))


@experiment("How much does the L2 keep dirty?", "dirty.cu", "dirty-h100")
def dirty():
    kept = [int(row["bytes of each array"]) - int(row["dram_written_bytes"]) for row in where("dirty-h100", "kernel=fill") if int(row["bytes of each array"]) >= 1 << 27]
    return "%.1f MB of a fill of 128 MiB and more" % (statistics.median(kept) / MEGA)


@experiment("What do streams drive out that others wrote before?", "after_writes.cu", "after-writes-h200")
def after_writes():
    return "streams of 128 MB: reading writes %.0f MB back, copying %.0f beyond its own, updating %.0f" % (
        value("after-writes-h200", "dram bytes written", "kernel=read4; megabytes of each array=128") / MEGA,
        *(value("after-writes-h200", "dram bytes written", "kernel=%s; megabytes of each array=128" % kernel) / MEGA - 128 * MEBI / MEGA for kernel in ("copy16", "place16")))


@experiment("What do launches of microseconds take?", "cold.cu", "cold-h200")
def cold():
    return "one block, one word: %.2f us on a dirty L2; %d launches" % (value("cold-h200", "us", "part=launch; kernel=part; words=1; count=1; blocks=1; l2=dirty"), len(rows("cold-h200")))


@experiment("What do sectors cost that stores leave incomplete?", "begun.cu", "begun-h200 begun-h100")
def begun():
    return "a word of each 32 bytes stored: of 8, 17, 67 MB DRAM reads %s MB" % ", ".join(
        "%.0f" % (value("begun-h200", "dram_read_bytes", "kind=fill; record_bytes=32; span_bytes=%d; l2=dirty" % (size * MEBI)) / MEGA) for size in (8, 16, 64))


@experiment("What do further stores to such lines cost?", "several.cu", "several-h200 several-h100")
def several():
    return "records of 32 bytes, 128 MiB: one word %.0f us, two words of a sector %.0f" % tuple(value("several-h200", "microseconds", "record_bytes=32; words_stored=%s; reads=0; l2=dirty" % stored) for stored in ("1", "3"))


@experiment("What do parts of records cost, read and written?", "parts.cu", "parts-h200")
def parts():
    return "%d kernels; a word of each 32 bytes stored %.0f us, loaded %.0f, both %.0f" % (len(rows("parts-h200")), *(
        value("parts-h200", "us", "words=8; stored=%s; loaded=%s; loaded_of=p; store_words=1; wrap=" % pair) for pair in (("0x2", "0x0"), ("0x0", "0x2"), ("0x2", "0x2"))))


@experiment("What do two words of each record cost, after loads or none?", "parted.cu", "parted-h200")
def parted():
    def sent(loads_from):
        return [float(row["sent_sectors"]) / float(row["stored_sectors"]) for row in where("parted-h200", "bytes=12; loads_from=" + loads_from)]
    return "records of 12 bytes, sectors sent of those stored: %s after loads of its own, %s after scattered ones" % (between(sent("own"), 2), between(sent("scattered"), 2))


@experiment("Do requests of several SMs for one line become one?", "meeting.cu meeting.py", "meeting-h200 meeting-h100")
def meeting():
    return "%d launches by Nsight Compute; a launch that loads nothing reads %.0f sectors" % (len(rows("meeting-h200")), statistics.median(values("meeting-h200", "sectors_all", "stage=empty")))


@experiment("What does a line cost that another SM has fetched?", "copies_of_lines.cu", "copies-of-lines-h100")
def copies_of_lines():
    far = [row for row in rows("copies-of-lines-h100") if int(row["over_100"]) > 1]
    return "half of the lines %.0f cycles more for %d of %d SMs, once" % (2 * statistics.median(float(row["second_us"]) - float(row["once_more"]) for row in far), len(far), len(rows("copies-of-lines-h100")))


@experiment("Do hits in the L2 wait while others keep it busy?", "hits.cu", "hits-h100")
def hits():
    alone = value("hits-h100", "mean", "what=0; warps=1; pause=0")
    most = max(where("hits-h100", "what=1"), key=lambda row: float(row["sectors_per_second"]))
    return "%.0f cycles alone, %.0f beside %.0f G sectors/s" % (alone, float(most["mean"]), float(most["sectors_per_second"]) / 1e9)


@experiment("Which places of two megabytes share a slice of the L2?", "slices.cu", "slices-h200 slices-h100")
def slices():
    return "%d in each half of an H200's L2; %d places of one page" % (len({row["slice"] for row in rows("slices-h200")}), len(rows("slices-h200")))


@experiment("In which slices do the first lines of arrays lie?", "placing.cu", "placing-h200")
def placing():
    found = {(row["mode"], row["array"]): row["slices"].split() for row in rows("placing-h200")}
    return "first lines of %d arrays in %d slices" % (len(found), len({slice_ for places in found.values() for slice_ in places}))


# ---- DRAM ----

@experiment("What does DRAM give to streams by mix, width and number of arrays?", "streams.cu rates.py", "streams-h200 streams-h100 streams-mixes-h200")
def streams():
    def best(read, written):
        return max(float(row["bytes/s"]) for row in where("streams-h200", "members=arrays; bytes=16; read=%d; written=%d" % (read, written))) / 1e12
    return "4 arrays of 16 bytes: read %.2f TB/s, copied %.2f, written %.2f" % (best(4, 0), best(4, 4), best(0, 4))


@experiment("What does DRAM give to loops of resident blocks?", "loops.cu rates.py", "loops-h200 loops-h100 loops-mixes-h200")
def loops():
    def best(read, written):
        return max(float(row["bytes/s"]) for row in where("loops-h200", "members=arrays; bytes=16; blocks=8; read=%d; written=%d" % (read, written))) / 1e12
    return "4 arrays of 16 bytes, 8 blocks an SM: read %.2f TB/s, copied %.2f, written %.2f" % (best(4, 0), best(4, 4), best(0, 4))


@experiment("What does DRAM lose where little is read beside writing?", "seldom.cu rates.py", "seldom-h200 seldom-h100")
def seldom():
    pure, some = (value("seldom-h200", "seconds", "bytes=16; written=536870912; every=%d" % every) for every in (0, 32))
    return "512 MiB written %.0f us; a read for every 32nd warp makes it %.0f" % (pure * 1e6, some * 1e6)


@experiment("What do runs of lines cost between which others lie?", "holes.cu keys.py", "holes-h200 holes-h100")
def holes():
    seconds = {(int(row["lines"]), int(row["period"])): float(row["seconds"]) for row in where("holes-h200", "mode=write; words=4; bytes=134217728")}
    return "written over side by side: every 2nd line %.2f, every 3rd %.2f; runs of 4 in 8 %.2f" % (seconds[1, 2] / seconds[1, 1], seconds[1, 3] / seconds[1, 1], seconds[4, 8] / seconds[1, 1])


@experiment("What do runs of bytes cost that lie across lines?", "straddling.cu keys.py", "straddling-h200 straddling-h100")
def straddling():
    return "128 bytes written in each 1024: %.0f us in one line, %.0f in two; 64 bytes %.0f" % (*(
        value("straddling-h200", "us", "what=write 128; tile_bytes=1024; offset=%d" % offset) for offset in (0, 64)), value("straddling-h200", "us", "what=write 64; tile_bytes=1024; offset=0"))


@experiment("What does a load from DRAM take by its parts of lines, alone and in a crowd?", "parts_of_lines.cu keys.py", "parts-of-lines-h200 parts-of-lines-h100")
def parts_of_lines():
    def cycles(what, sms):
        return value("parts-of-lines-h200", "cycles", "parts=%s; from=DRAM; sms=%d" % (what, sms))
    return "a sector %.0f cycles by one SM, %.0f by all; a line by all %.0f" % (cycles("sector", 1), cycles("sector", 132), cycles("line", 132))


@experiment("How much later does the slowest of several lines come?", "slowest.cu keys.py", "slowest-h200 slowest-h100")
def slowest():
    return "1, 8, 32 lines 2048 bytes apart: %s cycles" % series("slowest-h200", "cycles", "lanes", (1, 8, 32), "loads=1; blocks=132; warps=1; stride=2048")


@experiment("What do loads wait while others keep DRAM busy?", "busy.cu keys.py", "busy-h200 busy-h100")
def busy():
    def longer(kind):
        found = where("busy-h200", "others=%s; lines=1; apart=0" % kind)
        most = max(found, key=lambda row: float(row["GB/s"]))
        return float(most["cycles"]) - value("busy-h200", "cycles", "others=%s; lines=1; apart=0; pause=-1" % kind), float(most["GB/s"]) / 1e3
    return "one line: %.0f cycles longer beside reads at %.1f TB/s, %.0f beside copies at %.1f" % (*longer("read"), *longer("copy"))


@experiment("What do trips of loops wait where dirty lines are driven out?", "trips.cu", "trips-h200")
def trips():
    found = [[float(row["cycles"]) for row in rows("trips-h200") if row["before"] == before and row["members"] == "arrays" and row["words"] == "1" and row["SMs"] == "132" and row["order"] == "in order"]
             for before in ("read", "written")]
    return "a trip in the median %.0f cycles beside clean lines, %.0f beside dirty ones" % tuple(statistics.median(one) for one in found)


@experiment("Do walks of several SMs over the same lines wait less?", "together.cu keys.py", "together-h200 together-h100")
def together():
    one = value("together-h200", "cycles", "from=clean; sms=1; loads=1; apart=128")
    return "against one SM's trip, 8, 12, 132 SMs save %s cycles" % ", ".join("%.0f" % (one - value("together-h200", "cycles", "from=clean; sms=%d; loads=1; apart=128" % sms)) for sms in (8, 12, 132))


@experiment("What do loops cost in which all threads read all records?", "broadcasts.cu walks.cu", "broadcasts-h200 walks-h200 walks-few-h200")
def broadcasts():
    return "16 records of 8, 16, 32 bytes by two blocks of 8 warps: %s cycles" % series("broadcasts-h200", "mean", "record_bytes", (8, 16, 32), "l2=dirty; blocks=264; warps=8; records=12288")


@experiment("How does the slowest SM end behind the others?", "resident.cu", "resident-h200")
def resident():
    last = [float(row["last us"]) / float(row["mean us"]) for row in rows("resident-h200") if row["read"] != "0"]
    return "%s of the mean SM's time where SMs read" % between(last)


@experiment("What do loads and stores cost in turn?", "chains.cu", "chains-h200")
def chains():
    return "8 steps, 8 blocks an SM: reads %s us, updates %s, copies %s" % tuple("%.0f" % (value("chains-h200", "seconds", "mode=%s; steps=8; blocks=8" % mode) * 1e6) for mode in ("read", "update", "copy"))


@experiment("Are tiles slower than arrays where only some members are written?", "places.cu", "places-h200")
def places():
    def ratio(written):
        own = "words=3; read=7; written=%s; layout=%s; form=0; to=in place; n=41942528"
        return value("places-h200", "us", own % (written, "tiles")) / value("places-h200", "us", own % (written, "arrays"))
    return "tiles over arrays, three members: all written %.2f, one %.2f" % (ratio("7"), ratio("1"))


@experiment("What do planes of stencils cost, whole and without borders?", "planes.cu", "planes-h200")
def planes():
    name = "planes-h200"
    whole, border = (value(name, "us", "read=0; written=4; block_x=256; n=2048; border=%d; before=written" % border) for border in (0, 1))
    return "4 planes of 2048^2 written: %.1f us whole, %.1f without their borders" % (whole, border)


@experiment("What do lines cost that loads drive out, where the L2 decides?", "rows.cu", "rows-h200")
def rows_():
    found = {(row["before"], row["n"]): float(row["us"]) for row in where("rows-h200", "kernel=run_512")}
    size = sorted({int(n) for _, n in found})[len(found) // 4]
    return "records of 512 bytes a thread, %d of them: %.1f us on a clean L2, %.1f on a dirty one" % (size, found["read", str(size)], found["written", str(size)])


@experiment("What do threads cost that walk rows of their own?", "own_rows.cu", "own_rows-h200")
def own_rows():
    return "sums of rows of 256 words by 1024, 2048 blocks: %s us" % series("own_rows-h200", "us", "blocks", (1024, 2048), "kernel=row_sum<256>")


@experiment("What do sums over rows of an image cost?", "columns.cu", "columns-h100")
def columns():
    return "4096 rows, radius 0, 4, 8: %s us" % series("columns-h100", "cold_us", "radius", (0, 4, 8), "tiles=block; stored=0; rows=4096; blocks=8")


@experiment("What do pages cost?", "pages.cu", "pages-h200")
def pages():
    return "first line of a page in the median %.0f cycles, again %.0f" % tuple(statistics.median(float(row[column]) for row in rows("pages-h200")) for column in ("first", "again"))


@experiment("What do common kernels take by 1 to 132 SMs?", "few_sms.cu", "few-sms-h100")
def few_sms():
    return "the same work an SM: `small_mm` %.0f us by one, %.0f by 132; `box27` %.0f and %.0f" % tuple(
        value("few-sms-h100", "us", "kernel=%s; sms=%d" % pair) for pair in (("small_mm", 1), ("small_mm", 132), ("box27", 1), ("box27", 132)))


# ---- addresses at random ----

@experiment("What do words at random places cost by the size of their set?", "gathers.cu keys.py", "gathers-h200 gathers-h100")
def gathers():
    return "2^19 words of sets of 1, 64, 512 MiB: %s us" % ", ".join("%.1f" % (value("gathers-h200", "seconds", "apart=4; loads=524288; set=%d" % (size * MEBI)) * 1e6) for size in (1, 64, 512))


@experiment("The same by the distance of lines", "spread.cu keys.py", "spread-h200 spread-h100")
def spread():
    rates = [value("spread-h200", "sectors_per_second", "lines_apart=%d; after=the same; set_mib=32" % apart) / 1e9 for apart in (1, 8, 32)]
    return "32 MiB of lines 1, 8, 32 lines apart: %.0f, %.0f, %.0f G sectors/s" % tuple(rates)


@experiment("What does the first of each granule cost in a set that fits the L2?", "tiles.cu keys.py", "tiles-h200 tiles-h100")
def tiles():
    return "2^17 words of 16 MiB: %.1f us after reads, %.1f after writes" % tuple(value("tiles-h200", "us", "set_mib=16; after=%s; run_bytes=4096; loads=131072" % after) for after in ("read", "written"))


@experiment("What do permutations within regions cost?", "regions.cu", "regions-h200")
def regions():
    one = "record=32; width=4; block=256; mib=128; region=%d; factor=%d"
    order, far = (value("regions-h200", "us", one % pair) for pair in ((32, 1), (1024, 389)))
    return "records of 32 bytes, 128 MiB: in order %.0f us, permuted among 1024 %.0f" % (order, far)


@experiment("What do streams leave of a random set in the L2?", "crowd.cu", "crowd-h200")
def crowd():
    return "DRAM reads for a set of 64 MB: %.0f MB alone, %.0f beside 64 bytes read each" % tuple(value("crowd-h200", "dram_read_bytes", "megabytes=64; read=%d; written=0" % read) / MEGA for read in (0, 64))


@experiment("What do additions at random places cost?", "random_adds.cu keys.py", "random-adds-h200 random-adds-h100")
def random_adds():
    one = "word=f32; bytes_apart=32; set_mib=%d; additions=4194304"
    return "2^22 additions to 16, 32 MiB: %s us, again %s" % tuple(", ".join("%.0f" % value("random-adds-h200", column, one % size) for size in (16, 32)) for column in ("us_cold", "us_again"))


@experiment("What do several members of each record cost, loaded or added to at random?", "members.cu", "members-h200")
def members():
    one = "what=add; members=4; layout=%s; places=even; records=1048576; threads=4194304"
    return "4 members of 2^20 records added to by 2^22 threads: arrays %.0f us, tiles %.0f" % tuple(value("members-h200", "us", one % layout) for layout in ("arrays", "tiles"))


@experiment("What do sums by atomics cost beside a stream?", "sums.cu beside.cu", "sums-h200 sums-h100 beside-h200 beside-h100")
def sums():
    alone, stream, both = (value("sums-h200", "us", "way=%d; n=%d; blocks=8192" % pair) for pair in ((1, 0), (0, 67108864), (1, 67108864)))
    return "8192 blocks: additions alone %.0f us, 256 MiB read alone %.0f, both %.0f" % (alone, stream, both)


@experiment("Programs that gather and stream records of 2 to 32 floats", "records.py", "records-h200")
def records():
    return "%d launches measured in all layouts" % sum(len(case["kernels"]) for case in results("records-h200")["cases"])


# ---- the table ----

def evidence():
    """Keys of all machine files, and their sources."""
    found = collections.defaultdict(set)
    for path in sorted(glob.glob(os.path.join(ROOT, "machines", "*.json"))):
        with open(path, encoding="utf-8") as stream:
            for key, entry in json.load(stream).get("evidence", {}).items():
                if isinstance(entry, dict):
                    found[key].add(entry.get("source", ""))
    return found


def shortened(keys, all_keys):
    """Names, those that stand for all of a group as group.prefix*."""
    names, left = [], sorted(keys)
    while left:
        first = left[0]
        best = first
        for stem in (first[:end + 1] for end, letter in enumerate(first) if letter in "._"):
            alike = {key for key in all_keys if key.startswith(stem)}
            if len(alike) > 1 and alike <= set(keys):
                best = stem + "*"
                break
        names.append(best)
        left = [key for key in left if not (key == best or (best.endswith("*") and key.startswith(best[:-1])))]
    return ", ".join("`%s`" % name for name in names)


def keys_of(files, found):
    return {key for key, sources in found.items() if any("benchmarks/measured/%s." % name in source for name in files for source in sources)}


def table():
    found = evidence()
    lines = ["| question | program, results | machine keys | result | scripts |\n| --- | --- | --- | --- | --- |\n"]
    taken = set()
    for question, programs, files, function in EXPERIMENTS:
        keys = keys_of(files, found)
        taken |= keys
        sources = [name for name in programs if name.endswith(".cu") and name not in HELPERS] or programs[:1]
        scripts = ["figures.py"] + [name for name in programs if name.endswith(".py") and name not in sources]
        scripts += ["predicted.py"] if any(os.path.splitext(name)[0] in PREDICTED for name in sources) else []
        lines.append("| %s | %s; %s | %s | %s | %s |\n" % (question, ", ".join("`%s`" % name for name in sources), ", ".join("`%s`" % name for name in files), shortened(keys, found), function(),
                                                    ", ".join("`%s`" % name for name in scripts)))
    rest = {key for key in found if key not in taken}
    run = {key for key in rest if any(re.search(r"calibration|benchmarks/calibrate", source) for source in found[key])}
    groups = ", ".join("`%s.*`" % group for group in sorted({key.split(".")[0] for key in run}))
    lines.append("| Rates and latencies by one run | `../calibrate`; `calibration-*`, `contention-h200` | those that no other row names of %s | %d numbers: `coalesce machines NAME` | `coalesce calibrate` |\n" % (
        groups, len(run)))
    lines.append("| Taken from other counts, or assumed | the source in the machine file | %s | | |\n" % shortened(rest - run, found))
    return "".join(lines)


def programs_left():
    named = {name for _, programs, _, _ in EXPERIMENTS for name in programs}
    return sorted(os.path.basename(path) for path in glob.glob(os.path.join(FOLDER, "*.cu")) if os.path.basename(path) not in named)


def main():
    with open(README, encoding="utf-8") as stream:
        page = stream.read()
    made = BEGIN + table() + END
    if "--write" in sys.argv:
        begin, end = page.index(BEGIN), page.index(END) + len(END)
        with open(README, "w", encoding="utf-8") as stream:
            stream.write(page[:begin] + made + page[end:])
    elif "--check" in sys.argv:
        left = programs_left()
        print("\n".join(["%s is in no row" % name for name in left] + ([] if made in page else ["README.md has another table: figures.py --write"])))
        return 1 if left or made not in page else 0
    else:
        print(made, end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
