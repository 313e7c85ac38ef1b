#!/usr/bin/env python3
"""predict --json of the five programs has every field of schema coalesce/predict/1, and its numbers are consistent.

needs: nvcc
"""
import json
import os
import subprocess
import sys

PROGRAM, ROOT = os.environ["COALESCE"], os.environ["ROOT"]
CASES = [
    ("idw.cu", []),
    ("2mm.cu", ["--group", "A,B,C,D,E"]),
    ("3mm.cu", ["--group", "A,B,C,D,E,F,G"]),
    ("syr2k.cu", ["--group", "A,B,C"]),
    ("corr.cu", ["--group", "data,symmat"]),
]
LAYOUTS = ["aos", "soa", "aosa", "asta"]
COUNTS = ["warp_instructions", "ld_requests", "ld_sectors", "st_requests", "st_sectors", "l1_hit_rate", "l2_read_sectors",
          "l2_write_sectors", "l2_hit_rate", "dram_read_bytes", "dram_write_bytes", "shared_bank_conflicts"]
errors = []


def check(condition, *what):
    if not condition:
        errors.append(" ".join(str(part) for part in what))


def check_access(where, access):
    for key in ("array", "member", "kind", "line", "column", "width", "sectors_per_request", "class"):
        check(key in access, where, "access without", key)
    check(access["kind"] in ("load", "store", "atomic"), where, access["kind"])
    if access["space"] == "shared":
        check(access["class"] in ("conflicts", "conflict-free"), where, access["class"])
        check(access["wavefronts_per_request"] >= 1 + access["bank_conflicts_per_request"] - 1e-9, where, "wavefronts", access)
        check(access["sectors_per_request"] is None, where, "sectors", access)
        return
    check(access["class"] in ("coalesced", "partial", "uncoalesced", "broadcast"), where, access["class"])
    check(access["line"] > 0, where, "access without a line", access)
    check(0 < access["sectors_per_request"] <= 128, where, "sectors", access)


def check_layout(where, row):
    for key in ("record", "layout", "tile", "time_us", "cycles_per_warp", "bound", "registers", "occupancy", "counts", "accesses"):
        check(key in row, where, "layout without", key)
    check(row["time_us"] > 0 and row["cycles_per_warp"] > 0, where, "no time")
    check(0 < row["occupancy"] <= 1, where, "occupancy", row["occupancy"])
    for key in COUNTS:
        check(key in row["counts"], where, "counts without", key)
    check(row["counts"]["ld_requests"] > 0, where, "no loads")
    check(row["counts"]["ld_sectors"] >= row["counts"]["ld_requests"], where, "fewer sectors than requests")
    check(row["accesses"], where, "no accesses")
    for access in row["accesses"]:
        check_access(where, access)


def check_verdict(where, verdict, rows):
    times = {(row["layout"]): row["time_us"] for row in rows}
    best = min(times, key=times.get)
    check(times[verdict["best"]] == times[best], where, "best is", verdict["best"], "but", times)
    for tie in verdict["ties"]:
        check(times[tie] <= 1.02 * times[best] + 1e-9, where, tie, "is no tie")
    written = verdict["written"]
    expected = written if times[written] <= 1.02 * times[best] else best
    check(times[verdict["recommended"]] == times[expected], where, "recommended", verdict["recommended"])


def check_program(name, arguments, model):
    command = [PROGRAM, "predict", "benchmarks/" + name, "--json", "--model", model] + arguments
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if run.returncode != 0:
        errors.append(" ".join(command) + ": exit %d\n%s" % (run.returncode, run.stderr))
        return
    result = json.loads(run.stdout)
    check(result["schema"] == "coalesce/predict/1" and result["machine"] == "NVIDIA H200", name, "head")
    check(result["model"] == model, name, "model", result["model"])
    grouped = [kernel for kernel in result["kernels"] if kernel["groups"]]
    check(grouped, name, "no kernel has a group")
    for kernel in result["kernels"]:
        where = "%s %s %s:" % (name, model, kernel["name"])
        for key in ("name", "line", "grid", "block", "launches", "groups", "layouts", "written", "best", "recommended", "ties",
                    "confidence", "notes"):
            check(key in kernel, where, "no", key)
        for row in kernel["layouts"]:
            check_layout("%s %s:" % (where, row["layout"]), row)
        if kernel["groups"]:
            check([row["layout"] for row in kernel["layouts"]] == LAYOUTS, where, "layouts", [r["layout"] for r in kernel["layouts"]])
            check_verdict(where, kernel, kernel["layouts"])
        else:
            check([row["layout"] for row in kernel["layouts"]] == ["as-written"], where, "one row as written")
    check_verdict(name + " program:", result["program"], result["program"]["layouts"])
    again = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    check(again.stdout == run.stdout, name, "two runs differ")


for case in CASES:
    for chosen in ("full", "source"):
        check_program(case[0], case[1], chosen)
print("\n".join(errors) if errors else "%d programs checked" % len(CASES))
sys.exit(1 if errors else 0)
