#!/usr/bin/env python3
"""Numbers of a machine file's evidence, from what the programs of this folder printed on the GPU (../measured/NAME-GPU.csv).

    keys.py [--gpu h100]            prints them: name, value or place:value
    keys.py --gpu h100 --write      puts them into machines/GPU.json
    keys.py --gpu h100 --check      exit status 1 where the file has others
    keys.py --gpu h100 --compare    beside them what scaling an H200's by the rules of model/machine/machine.def would give

h200.json was filled over months, partly by hand; for an H200 this prints what the same formulas give. Programs whose file is not there are left out.
python3 without packages; no GPU.
"""
import argparse
import collections
import json
import math
import os
import re
import statistics
import sys

import rates

SAME_CHIP = "an H200 (the same chip): "
SOURCE = "a card of this part, 2026-11-27, benchmarks/measured/%s-%s.csv"
MEBIBYTE = 1 << 20
OTHERS = ("read", "copy", "write")
FAR_LINES, APART_LINES = (2, 4, 8), 2
WHOLE_SLICE, FAR_CYCLES = 0.9, 500
CHIPS = {"h100": "GH100", "h200": "GH100", "gh200": "GH100"}


def table(values, unit, axis, program, repeats, method, digits=4):
    return {"axis": axis, "at": list(values), "value": [float("%.*g" % (digits, one)) for one in values.values()], "unit": unit, "kind": "measured",
            "source": SOURCE % (program, rates.GPU), "repeats": repeats, "method": method}


def number(value, unit, program, repeats, method):
    return {"value": value, "unit": unit, "kind": "measured", "source": SOURCE % (program, rates.GPU), "repeats": repeats, "method": method}


def runs():
    rows = [row for row in rates.measured("holes") if row["words"] == "4" and int(row["bytes"]) == 128 * MEBIBYTE]
    for mode in ("read", "write"):
        for lines in (1, 2, 4):
            values = {int(row["period"]): float(row["seconds"]) for row in rows if row["mode"] == mode and int(row["lines"]) == lines}
            yield "runs.dram_%s_%d_lines_seconds" % (mode, lines), table(
                values, "s", "lines from run to run", "holes", 11, "%s 128 MiB in runs of %d lines, four words for a thread" % (mode, lines), 6)


def curves():
    adds = {int(row["set_mib"]) * MEBIBYTE: int(row["additions"]) / float(row["us_again"]) * 1e6 for row in rates.measured("random-adds")
            if (row["word"], row["bytes_apart"], row["additions"]) == ("f32", "32", str(1 << 24))}
    yield "curve.random_adds_per_second", table(
        adds, "operations/s", "bytes", "random-adds", 7, "atomic additions of floats without result to single sectors in random order, 2^24 of them, after the same")


def busy_steps(kind):
    """Bytes a second of the others, and cycles of a load of so many lines so far apart, as the others get busier."""
    steps, most = collections.defaultdict(dict), 0
    moved = collections.defaultdict(list)
    for row in rates.measured("busy"):
        if row["others"] == kind:
            pause = int(row["pause"])
            steps[pause][int(row["lines"]), int(row["apart"])] = float(row["cycles"])
            moved[pause].append(float(row["GB/s"]) * 1e9)
    idle = steps.pop(-1)
    for pause in sorted(steps, reverse=True):
        rate = round(statistics.median(moved[pause]), -10)
        if rate > most and pause < 32000:
            most = rate
            yield rate, idle, steps[pause]


def busy():
    for kind in OTHERS:
        wait, spread, apart = {0: 0}, {0: 0}, {0: 0}
        for rate, idle, step in busy_steps(kind):
            one, place = step[1, 0], int(rate)
            far = {lines: step[lines, 0] - one for lines in FAR_LINES}
            near = statistics.median(step[2, lines] - one for lines in (APART_LINES,))
            wait[place] = max(0, round(one - idle[1, 0]))
            spread[place] = round(statistics.mean(far[lines] / sum(1 / i for i in range(2, lines + 1)) for lines in FAR_LINES))
            apart[place] = 1 - math.sqrt(1 - min(1, max(0, near / far[2])))
        for values in (spread, apart):
            values[0] = list(values.values())[1]
        if kind != "read":
            yield "loaded.%s_wait_cycles" % kind, table(wait, "cycles", "bytes/s of all", "busy", 1, "beside warps of all SMs that %s: a load of one line takes so much longer than beside nothing" % kind)
        yield "loaded.%s_spread_cycles" % kind, table(
            spread, "cycles", "bytes/s of all", "busy", 1, "beside warps of all SMs that %s: loads of 2, 4, 8 lines far apart, over 1/2, 1/2 + 1/3 + 1/4, ... more than of one" % kind)
        yield "loaded.%s_apart_share" % kind, table(
            apart, "ratio", "bytes/s of all", "busy", 1,
            "beside warps of all SMs that %s: two lines 256 bytes apart wait longer than one by such a part of what two far apart do: 1 - the root of the rest of that part" % kind, 3)


def latencies():
    lines = {(row["parts"], row["from"], row["sms"]): float(row["cycles"]) for row in rates.measured("parts-of-lines")}
    yield "dram.line_cycles", number(round(lines["line", "DRAM", "132"] - lines["sector", "DRAM", "132"], 1), "cycles", "parts-of-lines", 11,
                                     "one warp on each SM, one load from DRAM after the other: of a whole line, less of one sector")
    yield "dram.crowd_cycles", number(round(lines["sector", "DRAM", "132"] - lines["sector", "DRAM", "1"], 1), "cycles", "parts-of-lines", 11,
                                      "one load of a sector from DRAM after the other by one warp on each SM, less the same on one SM alone")
    walks = collections.defaultdict(dict)
    for row in rates.measured("together"):
        walks[row["from"], row["loads"], row["apart"]][int(row["sms"])] = float(row["cycles"])
    less = [walk[1] - cycles for (place, _, _), walk in walks.items() if place != "l2" for sms, cycles in walk.items() if sms >= 12]
    yield "dram.together_cycles", number(round(statistics.median(less), 1), "cycles", "together", len(less),
                                         "walks of one SM over lines from DRAM less those of 12 to 132 SMs over the same: the median")
    alone = {int(row["lanes"]): float(row["cycles"]) for row in rates.measured("slowest") if (row["loads"], row["blocks"], row["warps"], row["stride"]) == ("1", "132", "1", "2048")}
    later = [(alone[lanes] - alone[1]) / sum(1 / i for i in range(2, lanes + 1)) for lanes in (4, 8, 16)]
    yield "dram.latency_spread_cycles", number(round(statistics.median(later)), "cycles", "slowest", 5,
                                               "one warp on each SM, loads that touch 4, 8, 16 lines 2048 bytes apart, less of one, over 1/2 + 1/3 + ...: the median")


def written():
    kept, left = [], []
    rows = rates.measured("dirty")
    for row in rows:
        if row["kernel"] == "fill" and int(row["bytes of each array"]) >= 128 * MEBIBYTE:
            kept.append(int(row["bytes of each array"]) - int(row["dram_written_bytes"]))
    dirty = round(statistics.median(kept), -5)
    for row in rows:
        if row["kernel"] != "fill":
            arrays = {"two": 3, "three": 4}[row["kernel"]]
            left.append((dirty + int(row["bytes of each array"]) - int(row["dram_written_bytes"])) * arrays)
    yield "l2.dirty_bytes", number(dirty, "bytes", "dirty", len(kept), "bytes of a kernel that wrote 128 and 240 MiB which the L2 still holds at its end")
    yield "l2.dirty_kept_bytes", number(round(statistics.median(left), -5), "bytes", "dirty", len(left),
                                        "after a kernel that wrote 240 MiB, what streams leave dirty that write a third and a quarter of 96 to 512 MiB, over that share")


def begun():
    bytes_of = collections.defaultdict(dict)
    for row in rates.measured("begun"):
        if row["kind"] == "fill" and row["record_bytes"] in ("8", "32"):
            bytes_of[int(row["span_bytes"])][row["record_bytes"], row["l2"]] = (int(row["dram_read_bytes"]), int(row["dram_written_bytes"]))
    lacking = [span - cells[record, "clean"][0] for span, cells in bytes_of.items() if span >= 64 * MEBIBYTE for record in ("8", "32")]
    yield "l2.incomplete_bytes", number(round(statistics.median(lacking), -5), "bytes", "begun", len(lacking),
                                        "of launches that store a word of each sector, or of every fourth word, of 64 to 128 MiB: bytes of their lines beyond those of which DRAM is asked for what lacks")
    more = {span: statistics.mean(cells[record, "dirty"][1] - cells[record, "clean"][1] for record in ("8", "32")) for span, cells in sorted(bytes_of.items()) if span <= 48 * MEBIBYTE}
    yield "l2.driven_by_parts_bytes", table(
        {0: 0, **more}, "bytes", "bytes of lines", "begun", 1,
        "what launches that store a word of each sector, or of every fourth word, write to DRAM more where the L2 is full of what another kernel has written than where it is full of what one has read", 3)


def slices():
    """Each slice of a half has as many places: one that was found in two parts is one."""
    rows = rates.measured("slices")
    places = collections.Counter(row["slice"] for row in rows)
    usual = statistics.median(places.values())
    parts = sorted((name for name in places if places[name] < WHOLE_SLICE * usual), key=lambda name: -places[name])
    numbers = {name: place for place, name in enumerate(name for name in places if name not in parts[1:])}
    numbers.update({name: numbers[parts[0]] for name in parts[1:]})
    yield "l2.slices", number(2 * len(set(numbers.values())), "count", "slices", 1, "lines to which additions take longer while other SMs add to one line, in each half of the L2")
    values = {place: 2 * numbers[row["slice"]] + (int(row["cycles"]) > FAR_CYCLES) for place, row in enumerate(rows[:1024])}
    yield "slices.places", table(values, "count", "groups of two lines", "slices", 1,
                                 "of one allocation, lines 0, 1, 4, 5 and 2, 3, 6, 7 of each eight: twice the slice in which they lie, and one more in the half of the L2 that is farther from the first SM")


def coalescer():
    rows = [row for row in rates.measured("meeting")]
    steps = 256
    late = {where: {} for where in ("in the L2", "in DRAM")}
    stores = [int(row["sectors_all"]) for row in rows if row["stage"] == "stores"]
    for row in rows:
        if row["stage"].startswith("late, "):
            late[row["stage"][6:]][int(row["launch"].split()[-1].split(":")[1])] = float(row["requests"]) / steps
    first, apart = min(late["in the L2"]), max(late["in the L2"].values())
    l2 = {delay - first: max(0, min(1, apart - requests)) for delay, requests in late["in the L2"].items()}
    dram = {delay: max(0, min(1, 2 - requests)) for delay, requests in late["in DRAM"].items()}
    yield "coalescer.l2_joined_share", table(l2, "ratio", "cycles later", "meeting", 1, "two SMs of a GPC read the same line, which the L2 has, the second one so much later: requests that are saved", 2)
    yield "coalescer.dram_joined_share", table(dram, "ratio", "cycles later", "meeting", 1, "the same of lines that come from DRAM", 2)
    yield "l2.launch_sectors", number(round(statistics.median(stores)), "count", "meeting", len(stores), "sectors read by launches of 1 to 132 SMs that load nothing and store")


def loops_idle():
    more = [float(row["bytes/s of SMs"]) / float(row["bytes/s"]) - 1 for row in rates.measured("loops") if row["blocks"] == "8"]
    yield "bandwidth.dram_loops_idle_share", number(round(statistics.quantiles(more, n=20)[-1], 2), "ratio", "loops", len(more),
                                                    "what each SM does until it ends, added up, over what the launch does to its last end, 8 blocks an SM: 19 of 20 are below")


def found(gpu):
    rates.GPU = gpu
    for program in (runs, curves, busy, latencies, written, begun, slices, coalescer, loops_idle):
        try:
            yield from program()
        except FileNotFoundError:
            print("no results of %s" % program.__name__, file=sys.stderr)


def streams(gpu, evidence):
    """The rates of rates.py, which need numbers found before."""
    machine = rates.machine_read(gpu)
    machine["evidence"].update(evidence)
    for name, values in rates.rates(gpu, machine).items():
        turning = name.endswith("turning_share")
        yield name, table(dict(zip(values["at"], values["value"])), "ratio" if turning else "bytes/s", "share of DRAM's bytes that is written" if turning else "arrays",
                          "streams", 11, "benchmarks/operands/rates.py")


def rules():
    """The rows of EVIDENCE: pattern, rule of the value, rule of the places."""
    with open(os.path.join(rates.ROOT, "model", "machine", "machine.def"), encoding="utf-8") as stream:
        return re.findall(r'^EVIDENCE\("([^"]+)", (\w+), (\w+), \w+\)$', stream.read(), re.M)


def factor(rule, unit, machine, relative):
    places = {"l1_bytes": ("l1", "size_bytes"), "l2_bytes": ("l2", "size_bytes"), "sms": ("sm", "count"), "clock": ("sm", "clock_hz"),
              "bandwidth": ("dram", "bandwidth_bytes_per_second"), "l2_bandwidth": ("l2", "bandwidth_bytes_per_second")}
    ratio = {name: machine[group][key]["value"] / relative[group][key]["value"] for name, (group, key) in places.items()}
    ratio["same"] = 1
    if unit == "s":
        return 1 / ratio[rule]
    if unit == "cycles" and rule not in ("same", "clock"):
        return ratio["clock"] / ratio[rule]
    return ratio[rule]


def same_chip(gpu, numbers):
    """What the SM of an H200 does in its own cycles, for another GPU of the same chip."""
    machine, relative = rates.machine_read(gpu), rates.machine_read("h200")
    for name, value, places in rules():
        entry = relative["evidence"].get(name)
        if CHIPS.get(gpu) != CHIPS["h200"] or (value, places) != ("same", "same") or not entry or name in numbers:
            continue
        if name not in machine["evidence"] or machine["evidence"][name]["source"].startswith(SAME_CHIP):
            yield name, {**entry, "source": SAME_CHIP + entry["source"]}


def at(entry, place, scale=1):
    if not isinstance(entry["value"], list):
        return entry["value"]
    return rates.value_at({"at": [scale * one for one in entry["at"]], "value": entry["value"]}, place)


def compare(gpu, numbers):
    """Measured over scaled from an H200, in the median over the places; and over an H200's as it is."""
    machine, relative = rates.machine_read(gpu), rates.machine_read("h200")
    print("| number | rule | H200's as it is | scaled |\n| --- | --- | --- | --- |")
    for name, entry in numbers.items():
        pattern, value, places = next((row for row in rules() if row[0] == name or (row[0][-1] == "*" and name.startswith(row[0][:-1]))), ("", "same", "same"))
        other = relative["evidence"].get(name)
        if not pattern or not other:
            continue
        by, stretch = factor(value, entry["unit"], machine, relative), factor(places, "", machine, relative)
        spots = entry.get("at", [0])
        values = entry["value"] if isinstance(entry["value"], list) else [entry["value"]]
        pairs = [(own, at(other, spot), by * at(other, spot, stretch)) for own, spot in zip(values, spots)]
        plain, scaled = (statistics.median(abs(math.log(own / pair)) for own, *rest in pairs for pair in (rest[which],) if own > 0 and pair > 0) for which in (0, 1))
        print("| `%s` | `%s` | %.0f %% | %.0f %% |" % (name, value, 100 * math.expm1(plain), 100 * math.expm1(scaled)))


def write(gpu, numbers):
    path = os.path.join(rates.ROOT, "machines", gpu + ".json")
    with open(path, encoding="utf-8") as stream:
        lines = stream.read().rstrip("\n").split("\n")
    lines = [line for line in lines if not any(line.startswith('    "%s": ' % name) for name in numbers)]
    lines[-3] = lines[-3].rstrip(",")
    lines[-3] += ","
    added = ['    "%s": %s' % (name, json.dumps(entry)) for name, entry in numbers.items()]
    with open(path, "w", encoding="utf-8") as stream:
        stream.write("\n".join(lines[:-2]) + "\n" + ",\n".join(added) + "\n" + "\n".join(lines[-2:]) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gpu", default="h100")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--compare", action="store_true")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    numbers = dict(found(options.gpu))
    numbers.update(streams(options.gpu, numbers))
    if options.write:
        numbers.update(same_chip(options.gpu, numbers))
        write(options.gpu, numbers)
    elif options.compare:
        compare(options.gpu, numbers)
    elif options.check:
        evidence = rates.machine_read(options.gpu)["evidence"]
        others = [name for name, entry in numbers.items() if evidence.get(name) != entry]
        print("%d numbers, %d are others in the file: %s" % (len(numbers), len(others), ", ".join(others)))
        return 1 if others else 0
    else:
        for name, entry in numbers.items():
            values = entry["value"] if isinstance(entry["value"], list) else [entry["value"]]
            print(name, " ".join("%g:%.5g" % pair for pair in zip(entry["at"], values)) if "at" in entry else "%g" % values[0])
    return 0


if __name__ == "__main__":
    sys.exit(main())
