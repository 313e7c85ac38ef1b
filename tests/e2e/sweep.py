#!/usr/bin/env python3
"""A sweep compiles once where the code does not change, is the same whatever runs at a time, and its points are what a prediction alone says.

needs: nvcc
"""
import csv
import io
import json
import math
import os
import subprocess
import sys

PROGRAM, ROOT, SCRATCH = os.environ["COALESCE"], os.environ["ROOT"], os.environ["TMPDIR"]
SCALAR, MACRO = "tests/golden/sweep/scalar.cu", "tests/golden/sweep/macro.cu"
LAYOUTS = 4 + 1  # compiled apart at most, where processors are idle, with the file as written
errors = []


def run(*arguments, environment=None):
    done = subprocess.run([PROGRAM, "predict"] + list(arguments), cwd=ROOT, capture_output=True, text=True, check=False,
                          env=dict(os.environ, **(environment or {})))
    if done.returncode != 0:
        errors.append("%s: exit status %d\n%s" % (" ".join(arguments), done.returncode, done.stderr))
    return done.stdout


def toolkit():
    """The folder of the toolkit, from its nvcc."""
    found = subprocess.run([os.path.join(ROOT, "tools/setup"), "--nvcc"], capture_output=True, text=True, check=False)
    return os.path.dirname(os.path.dirname(os.path.realpath(found.stdout.strip()))), found.stdout.strip()


def counting_toolkit():
    """A folder like the toolkit's, whose nvcc notes each run in a file."""
    real, nvcc = toolkit()
    folder, log = os.path.join(SCRATCH, "counted"), os.path.join(SCRATCH, "runs")
    os.makedirs(os.path.join(folder, "bin"))
    for name in os.listdir(real):
        if name != "bin":
            os.symlink(os.path.join(real, name), os.path.join(folder, name))
    for name in os.listdir(os.path.join(real, "bin")):
        if name != "nvcc":
            os.symlink(os.path.join(real, "bin", name), os.path.join(folder, "bin", name))
    with open(os.path.join(folder, "bin/nvcc"), "w", encoding="utf-8") as stream:
        stream.write("#!/bin/sh\ncase \"$*\" in *--version*) ;; *) echo run >> '%s' ;; esac\nexec '%s' \"$@\"\n" % (log, nvcc))
    os.chmod(os.path.join(folder, "bin/nvcc"), 0o755)
    return folder, log


def compilations(*arguments):
    folder, log = compilations.toolkit
    if os.path.exists(log):
        os.unlink(log)
    run(*arguments, environment={"COALESCE_CUDA": folder})
    with open(log, encoding="utf-8") as stream:
        return len(stream.readlines())


def check_compilations():
    compilations.toolkit = counting_toolkit()
    alone = compilations(SCALAR, "--compiler", "nvcc", "--model", "sectors", "-q")
    swept = compilations(SCALAR, "--compiler", "nvcc", "--model", "sectors", "-q", "--sweep", "n=1K:1M", "--sweep", "block=64:512")
    if not 1 <= alone <= LAYOUTS or not 1 <= swept <= LAYOUTS:
        errors.append("a sweep of 44 points ran nvcc %d times, one prediction %d times" % (swept, alone))


def check_jobs():
    for arguments in ((SCALAR, "--sweep", "n=1K:4M:x8"), (MACRO, "--sweep", "N=1000:100000:x10", "--machine", "h200,t4")):
        one, many = (run(*arguments, "--model", "sectors", "--json", "--jobs", jobs) for jobs in ("1", "7"))
        if one.replace('"1"', "") != many.replace('"7"', ""):
            errors.append("%s: not the same with one and with seven jobs" % " ".join(arguments))


def check_alone(arguments, alone, kernel=0):
    """Times at a point against those of a prediction with that size."""
    sweep = json.loads(run(*arguments, "--json", "-q"))["sweep"]
    rows = json.loads(run(*alone, "--json", "-q"))["kernels"][kernel]["layouts"]
    point = sweep["points"][-1] if not sweep["crossovers"] else [p for p in sweep["points"] if not p["between"]][-1]
    if [round(t, 6) for t in point["time_us"]] != [round(row["time_us"], 6) for row in rows]:
        errors.append("%s: %s at %s, alone %s" % (arguments, point["time_us"], point["at"], [row["time_us"] for row in rows]))


def check_csv():
    text = run(SCALAR, "--model", "sectors", "-q", "--sweep", "n=1K:16K:x4", "--csv", "-")
    lines = list(csv.DictReader(io.StringIO(text)))
    sweep = json.loads(run(SCALAR, "--model", "sectors", "-q", "--sweep", "n=1K:16K:x4", "--json"))["sweep"]
    times = [time for point in sweep["points"] for time in point["time_us"]]
    if not times or len(lines) != len(times) or any(abs(float(line["time_us"]) - time) > 1e-5 * time for line, time in zip(lines, times)):
        errors.append("CSV and JSON differ:\n%s" % text)


def check_conversion():
    """What converting costs follows from the records' bytes, the machine's rates and the gain."""
    kernel = json.loads(run(SCALAR, "--model", "sectors", "--layouts", "aos,soa", "--json", "-q"))["kernels"][0]
    with open(os.path.join(ROOT, "machines/h200.json"), encoding="utf-8") as stream:
        machine = json.load(stream)
    conversion, bytes_each = kernel["conversion"], 100000 * 16
    times = {row["layout"]: row["time_us"] for row in kernel["layouts"]}
    pack = machine["launch"]["overhead_seconds"]["value"] + sum(
        bytes_each / machine["dram"][rate + "_bandwidth_bytes_per_second"]["value"] for rate in ("read", "write"))
    table = machine["evidence"]["stride_cycles.l2_store_4_bytes"]
    stores = 4 * table["value"][table["at"].index(4)] * 100000 / 32 / (machine["sm"]["count"]["value"] * machine["sm"]["clock_hz"]["value"])
    back = machine["launch"]["overhead_seconds"]["value"] + max(stores, pack - machine["launch"]["overhead_seconds"]["value"])
    host = 2 * bytes_each / machine["link"]["bandwidth_bytes_per_second"]["value"]
    gain = 1e-6 * (times["aos"] - times["soa"])
    wanted = [2 * bytes_each, math.ceil(pack / gain), math.ceil(host / gain)]
    if [conversion["bytes"], conversion["pack_launches"], conversion["host_launches"]] != wanted:
        errors.append("conversion: %s, not %s" % (conversion, wanted))
    if abs(1e-6 * conversion["back_us"] / back - 1) > 1e-6:
        errors.append("conversion back: %s, not %g s" % (conversion, back))
    if abs(1e-6 * conversion["pack_us"] / pack - 1) > 1e-6 or abs(1e-6 * conversion["host_us"] / host - 1) > 1e-6:
        errors.append("conversion: %s, not %g and %g s" % (conversion, pack, host))


def main():
    check_compilations()
    check_jobs()
    full = [SCALAR, "--layouts", "aos,soa"]
    check_alone(full + ["--sweep", "n=64K:256K:x4"],
                full + ["--arg", "n=262144", "--grid", "1024", "--extent", "p=262144", "--extent", "out=262144"])
    check_alone([MACRO, "--sweep", "N=1000:100000:x100"], [MACRO, "-DN=100000"])
    check_alone([SCALAR, "--machine", "h200,t4"], [SCALAR, "--machine", "t4"])
    check_csv()
    check_conversion()
    print("\n".join(errors))
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
