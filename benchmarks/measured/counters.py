#!/usr/bin/env python3
"""Collects the hardware's own counts: compiles CUDA programs, runs each under Nsight Compute, prints one JSON object.

    counters.py [--arch sm_90] FILE.cu[:FLAG...] ...  > counters.json

For a machine that has a GPU, nvcc and ncu; python3 without packages. Each file is a complete program, for example one that `coalesce rewrite` wrote;
flags after colons go to nvcc (`2mm.cu:-DN=512`). Every kernel launch is one entry. The caches are flushed before each launch (ncu's default),
clocks are left as they are.
"""
import argparse
import csv
import io
import json
import os
import subprocess
import sys
import tempfile

METRICS = [
    "smsp__inst_executed.sum",
    "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    "l1tex__t_sector_hit_rate.pct", "lts__t_sectors_op_read.sum", "lts__t_sectors_op_write.sum", "lts__t_sector_hit_rate.pct",
    "dram__bytes_read.sum", "dram__bytes_write.sum", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
    "l1tex__data_pipe_lsu_wavefronts.sum", "l1tex__t_output_wavefronts_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_output_wavefronts_pipe_lsu_mem_global_op_st.sum", "sm__cycles_elapsed.max", "gpu__time_duration.sum", "launch__registers_per_thread",
]


def run(command):
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit("%s: exit %d\n%s%s" % (" ".join(command), result.returncode, result.stdout[-2000:], result.stderr[-2000:]))
    return result.stdout


def number(text):
    try:
        value = float(text.replace(",", ""))
    except ValueError:
        return None
    return int(value) if value == int(value) else value


def launches(output):
    """The rows of ncu's raw CSV page: a row of names, a row of units, a row per launch."""
    lines = [line for line in output.splitlines() if line.startswith('"')]
    rows = list(csv.DictReader(io.StringIO("\n".join(lines))))
    for row in rows[1:]:
        counts = {metric: number(row.get(metric) or "") for metric in METRICS}
        yield {"kernel": row["Kernel Name"], "grid": row["Grid Size"], "block": row["Block Size"], "counts": counts}


def measure(spec, arch, folder):
    parts = spec.split(":")
    program = os.path.join(folder, "program")
    run(["nvcc", "-arch=" + arch, "-lineinfo", "-o", program] + parts[1:] + [parts[0]])
    output = run(["ncu", "--csv", "--page", "raw", "--print-units", "base", "--clock-control", "none", "--metrics", ",".join(METRICS),
                  program])
    return {"file": os.path.basename(parts[0]), "flags": parts[1:], "launches": list(launches(output))}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    gpu = run(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]).strip().split("\n")[0].split(", ")
    compiler = run(["nvcc", "--version"]).strip().splitlines()[-1]
    result = {"schema": "coalesce/counters/1", "gpu": gpu[0], "driver": gpu[1], "compiler": compiler, "programs": []}
    for spec in options.files:
        with tempfile.TemporaryDirectory() as folder:
            result["programs"].append(measure(spec, options.arch, folder))
        print(spec, file=sys.stderr)
    json.dump(result, sys.stdout, indent=1)
    print()


main()
