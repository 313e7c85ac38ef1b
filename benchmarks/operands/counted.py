#!/usr/bin/env python3
"""Runs a program that prints a row of CSV for each of its launches under Nsight Compute, and prints the rows with what it counted.

    ./counted.py [--kernel NAME] PROGRAM [ARGUMENT...]

--kernel    counts launches of this kernel alone

For a machine that has a GPU of compute capability 9.0, and ncu; python3 without packages. The caches are flushed before each launch (ncu's default), clocks are left as they are.
`requests` and `sectors` are the SMs' stores at the L2, `dram_read` and `dram_written` bytes.
"""
import argparse
import csv
import os
import subprocess
import sys
import tempfile

METRICS = {
    "requests": "lts__t_requests_srcunit_tex_op_write.sum", "sectors": "lts__t_sectors_srcunit_tex_op_write.sum", "ns": "gpu__time_duration.sum",
    "dram_read": "dram__bytes_read.sum", "dram_written": "dram__bytes_write.sum",
}


def counted(program, kernel, log):
    """What the program printed, a line each, and the counters of each launch."""
    command = ["ncu", "--csv", "--page", "raw", "--print-units", "base", "--clock-control", "none", "--log-file", log, "--metrics", ",".join(METRICS.values())]
    result = subprocess.run(command + (["--kernel-name", kernel] if kernel else []) + program, capture_output=True, text=True)
    with open(log, encoding="utf-8") as stream:
        text = stream.read()
    if result.returncode != 0:
        sys.exit("%s: exit %d\n%s%s" % (" ".join(program), result.returncode, result.stderr[-2000:], text[-2000:]))
    rows = list(csv.DictReader(line for line in text.splitlines() if line.startswith('"')))[1:]
    lines = [line for line in result.stdout.splitlines() if "," in line]
    return lines, rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kernel")
    parser.add_argument("program", nargs=argparse.REMAINDER)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        lines, rows = counted(arguments.program, arguments.kernel, os.path.join(folder, "log"))
    if len(lines) != len(rows) + 1:
        sys.exit("%d rows, %d launches" % (len(lines) - 1, len(rows)))
    print(",".join([lines[0], *METRICS]))
    for line, row in zip(lines[1:], rows):
        print(",".join([line, *("%d" % float(row[metric].replace(",", "")) for metric in METRICS.values())]))


main()
