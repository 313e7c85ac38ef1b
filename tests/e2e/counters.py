#!/usr/bin/env python3
"""Predicted counts beside the hardware's own, for the five programs in all layouts (benchmarks/measured/counters-h200.json, by Nsight Compute).

Equal must be: requests and sectors of global loads and stores, from PTX; and executed warp instructions, from the machine code.
Kernels whose control flow depends on data are named; there only the instructions are compared, within 5 %. The table shows how far PTX instructions, counted one to
one, are off per program and layout. Runs without a GPU and without NVIDIA's disassembler. `--table` prints every launch.

needs: nvcc
"""
import collections
import json
import os
import re
import subprocess
import sys

ROOT = os.environ.get("ROOT", os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
PROGRAM = os.environ.get("COALESCE", os.path.join(ROOT, "build", "coalesce"))
GROUPS = {"2mm": "A,B,C,D,E", "3mm": "A,B,C,D,E,F,G", "syr2k": "A,B,C", "corr": "data,symmat"}
METRICS = {
    "ld_requests": "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    "ld_sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "st_requests": "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
    "st_sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
}
# Said of every kernel that divides; no launch here meets one.
SPECIAL_CASES = "special cases of arithmetic"
INSTRUCTIONS = "smsp__inst_executed.sum"


def predict(program, flags, machine_code):
    """Counts by kernel and layout, and whether the machine code was read."""
    command = [PROGRAM, "predict", "benchmarks/%s.cu" % program, "--json"] + flags
    command += [] if machine_code else ["--no-machine-code"]
    command += ["--group", GROUPS[program]] if program in GROUPS else []
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit("%s: exit %d\n%s" % (" ".join(command), run.returncode, run.stderr))
    result = {}
    for kernel in json.loads(run.stdout)["kernels"]:
        for row in kernel["layouts"]:
            notes = [note for note in kernel["notes"] if SPECIAL_CASES not in note]
            result[kernel["name"], row["layout"]] = dict(row["counts"], assumed=notes)
    return result, machine_code and "machine code is not read" not in run.stderr


def launches():
    """Each measured launch with its predictions: program, layout, flags, kernel, counts from PTX, from machine code or None, measured."""
    with open(os.path.join(ROOT, "benchmarks", "measured", "counters-h200.json")) as file:
        measured = json.load(file)
    predictions = {}
    for entry in measured["programs"]:
        program, layout = re.fullmatch(r"(\w+)_(\w+)\.cu", entry["file"]).groups()
        key = program, tuple(entry["flags"])
        if key not in predictions:
            predictions[key] = predict(program, entry["flags"], False)[0], predict(program, entry["flags"], True)
        ptx, (machine, read) = predictions[key]
        for launch in entry["launches"]:
            kernel = re.match(r"(?:void )?(\w+)", launch["kernel"]).group(1)
            row = (kernel, layout) if (kernel, layout) in ptx else (kernel, "as-written")
            yield program, layout, " ".join(entry["flags"]), kernel, ptx[row], machine[row] if read else None, launch["counts"]


def main():
    wrong, assumed, off, compared, exact, total = [], {}, collections.defaultdict(list), 0, 0, 0
    for program, layout, flags, kernel, ptx, machine, truth in launches():
        where = "%-6s %-4s %-31s %-13s" % (program, layout, flags, kernel)
        if ptx["assumed"]:
            assumed[kernel] = "; ".join(ptx["assumed"])
        for name, metric in METRICS.items() if not ptx["assumed"] else ():
            compared += 1
            if ptx[name] != truth[metric]:
                wrong.append("%s %-11s predicted %14s measured %14d" % (where, name, ptx[name], truth[metric]))
        off[program, layout].append(100 * (ptx["warp_instructions"] / truth[INSTRUCTIONS] - 1))
        if machine:
            error = 100 * (machine["warp_instructions"] / truth[INSTRUCTIONS] - 1)
            total += 1
            exact += machine["warp_instructions"] == truth[INSTRUCTIONS]
            if abs(error) > (5 if ptx["assumed"] else 0):
                wrong.append("%s instructions predicted %14s measured %14d" % (where, machine["warp_instructions"], truth[INSTRUCTIONS]))
            if "--table" in sys.argv:
                print("%s instructions %12d, PTX one to one %+6.1f %%, machine code %+5.2f %%" % (
                    where, truth[INSTRUCTIONS], off[program, layout][-1], error))
    for kernel, why in assumed.items():
        print("%s depends on data, so its requests are not compared: %s" % (kernel, why))
    for (program, layout), errors in off.items():
        print("%-6s %-4s PTX instructions counted one to one: %+.1f %% to %+.1f %%" % (program, layout, min(errors), max(errors)))
    print("%d of %d requests and sectors equal the hardware's" % (compared - sum("instr" not in row for row in wrong), compared))
    print("machine code: executed instructions of %d of %d launches equal the hardware's" % (exact, total))
    if not total:
        wrong.append("machine code was not read")
    print("\n".join(wrong))
    return 1 if wrong else 0


sys.exit(main())
