#!/usr/bin/env python3
"""Predicted counts beside the hardware's own, for the five programs in all layouts (benchmarks/measured/counters-h200.json, by Nsight Compute).

Requests and sectors of global loads and stores must be equal, but for kernels whose control flow depends on data, which are named. How far executed
instructions are off is printed. Runs without a GPU. `--table` prints every launch.

needs: nvcc
"""
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


def predict(program, flags):
    command = [PROGRAM, "predict", "benchmarks/%s.cu" % program, "--json", "-q"] + flags
    if program in GROUPS:
        command += ["--group", GROUPS[program]]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit("%s: exit %d\n%s" % (" ".join(command), run.returncode, run.stderr))
    result = {}
    for kernel in json.loads(run.stdout)["kernels"]:
        for row in kernel["layouts"]:
            result[kernel["name"], row["layout"]] = dict(row["counts"], assumed=kernel["notes"])
    return result


def predicted_counts(predictions, kernel, layout):
    return predictions.get((kernel, layout)) or predictions[kernel, "as-written"]


def main():
    with open(os.path.join(ROOT, "benchmarks", "measured", "counters-h200.json")) as file:
        measured = json.load(file)
    predictions, differences, worst, assumed, compared = {}, [], [], [], 0
    for entry in measured["programs"]:
        program, layout = re.fullmatch(r"(\w+)_(\w+)\.cu", entry["file"]).groups()
        key = program, tuple(entry["flags"])
        if key not in predictions:
            predictions[key] = predict(program, entry["flags"])
        for launch in entry["launches"]:
            kernel = re.match(r"(?:void )?(\w+)", launch["kernel"]).group(1)
            counts = predicted_counts(predictions[key], kernel, layout)
            where = "%-6s %-4s %-24s %-13s" % (program, layout, " ".join(entry["flags"]), kernel)
            if counts["assumed"] and kernel not in assumed:
                assumed.append(kernel)
                print("%s depends on data (%s): not compared" % (kernel, "; ".join(counts["assumed"])))
            for name, metric in METRICS.items() if not counts["assumed"] else ():
                compared += 1
                if counts[name] != launch["counts"][metric]:
                    differences.append("%s %-11s predicted %14s measured %14d" % (where, name, counts[name], launch["counts"][metric]))
            error = counts["warp_instructions"] / launch["counts"]["smsp__inst_executed.sum"] - 1
            worst.append((abs(error), "%s instructions predicted %12.0f measured %12d  %+.1f %%" % (
                where, counts["warp_instructions"], launch["counts"]["smsp__inst_executed.sum"], 100 * error)))
    worst.sort(reverse=True)
    for row in worst if "--table" in sys.argv else worst[:8]:
        print(row[1])
    print("\n".join(differences))
    print("%d of %d requests and sectors equal the hardware's" % (compared - len(differences), compared))
    within = sum(1 for row in worst if row[0] <= 0.05)
    print("%d of %d launches have instructions within 5 %%; median error %.1f %%" % (
        within, len(worst), 100 * sorted(row[0] for row in worst)[len(worst) // 2]))
    return 1 if differences else 0


sys.exit(main())
