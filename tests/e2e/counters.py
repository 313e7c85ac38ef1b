#!/usr/bin/env python3
"""Predicted counts beside the hardware's own, for the five programs in all layouts (benchmarks/measured/counters-h200.json, by Nsight Compute).

Equal must be: requests and sectors of global loads and stores, from PTX; and executed warp instructions, from the machine code.
Of the one kernel whose control flow depends on data only the instructions are compared, within 5 %. The table shows how far PTX instructions, counted one to
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
# The one kernel whose control flow depends on data: its requests are not compared, its instructions within 5 %.
DATA_DEPENDENT = {"std_kernel"}
LAUNCHES, DATA_DEPENDENT_LAUNCHES = 88, 8
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
            result[kernel["name"], row["layout"]] = row["counts"]
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
    wrong, off, equal, compared, exact, total = [], collections.defaultdict(list), 0, 0, 0, 0
    for program, layout, flags, kernel, ptx, machine, truth in launches():
        where = "%-6s %-4s %-31s %-13s" % (program, layout, flags, kernel)
        for name, metric in METRICS.items() if kernel not in DATA_DEPENDENT else ():
            compared += 1
            equal += ptx[name] == truth[metric]
            if ptx[name] != truth[metric]:
                wrong.append("%s %-11s predicted %14s measured %14d" % (where, name, ptx[name], truth[metric]))
        off[program, layout].append(100 * (ptx["warp_instructions"] / truth[INSTRUCTIONS] - 1))
        if machine:
            error = 100 * (machine["warp_instructions"] / truth[INSTRUCTIONS] - 1)
            total += 1
            exact += machine["warp_instructions"] == truth[INSTRUCTIONS]
            if abs(error) > (5 if kernel in DATA_DEPENDENT else 0):
                wrong.append("%s instructions predicted %14s measured %14d" % (where, machine["warp_instructions"], truth[INSTRUCTIONS]))
            if "--table" in sys.argv:
                print("%s instructions %12d, PTX one to one %+6.1f %%, machine code %+5.2f %%" % (
                    where, truth[INSTRUCTIONS], off[program, layout][-1], error))
    for (program, layout), errors in off.items():
        print("%-6s %-4s PTX instructions counted one to one: %+.1f %% to %+.1f %%" % (program, layout, min(errors), max(errors)))
    print("%d of %d requests and sectors equal the hardware's" % (equal, compared))
    print("machine code: executed instructions of %d of %d launches equal the hardware's" % (exact, total))
    if total != LAUNCHES or compared != 4 * (LAUNCHES - DATA_DEPENDENT_LAUNCHES):
        wrong.append("%d launches and %d requests were compared" % (total, compared))
    print("\n".join(wrong))
    return 1 if wrong else 0


sys.exit(main())
