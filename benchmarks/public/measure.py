#!/usr/bin/env python3
"""Builds the programs of programs.json, runs them as they are, and writes what every launch took as CSV.

    measure.py SOURCES OUT.csv [--arch sm_90] [--only REGEX] [--log FILE] [--programs FILE] [--times-only]

Runs on a machine with a GPU, nvcc, Nsight Compute and CUPTI. SOURCES holds a checkout of each repository under its name in programs.json.
Times come from CUPTI's activity records (timeline.c): nothing is flushed, and no launch is slowed. Executed warp instructions come from a
second run under Nsight Compute, of the first NCU_LAUNCHES launches. A row of the CSV is a kernel with one grid and block:

    program,kernel,grid,block,launches,first_us,median_us,total_us,counted,warp_instructions

--programs: of another set. --times-only: nothing is counted.

warp_instructions is the mean over the `counted` launches of that row; empty where none was counted. python3 without packages.
"""
import argparse
import collections
import concurrent.futures
import csv
import glob
import io
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile

FOLDER = os.path.dirname(os.path.abspath(__file__))
NCU_LAUNCHES = 400
RUN_SECONDS, NCU_SECONDS, BUILD_SECONDS = 60, 60, 240
METRIC = "smsp__inst_executed.sum"
RENAMED = ("-DcudaThreadSynchronize=cudaDeviceSynchronize", "-DcudaThreadExit=cudaDeviceReset")
COLUMNS = "program,kernel,grid,block,launches,first_us,median_us,total_us,counted,warp_instructions".split(",")


def programs(path, only):
    with open(path, encoding="utf-8") as stream:
        return [p for p in json.load(stream)["programs"] if re.search(only, p["name"])]


def build(sources, built, arch, program):
    """Path of the executable, or None and what the compiler said."""
    folder = os.path.join(sources, program["repository"], program["folder"])
    target = os.path.join(built, program["name"])
    command = ["nvcc", "-O3", "-std=c++17", "-w", "-Xcompiler", "-fopenmp", "-arch=" + arch, *RENAMED, "-o", target, *program["files"], *program["flags"]]
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", timeout=BUILD_SECONDS)
    except subprocess.TimeoutExpired:
        return None, "the compiler took longer than %d s" % BUILD_SECONDS
    return (target, "") if done.returncode == 0 else (None, done.stderr[-600:] + done.stdout[-200:])


def build_timeline(built):
    """The library that CUPTI's records come from, and the folder of libcupti."""
    found = [p for pattern in ("/usr/local/cuda*/extras/CUPTI/lib64", "/usr/local/cuda*/targets/x86_64-linux/lib", "/usr/local/cuda*/lib64",
                               "/opt/**/nvidia/cu*/lib", "/opt/**/cuda_cupti/lib", "/opt/nvidia/**/", "/usr/lib/x86_64-linux-gnu")
             for p in sorted(glob.glob(pattern, recursive=True)) if glob.glob(os.path.join(p, "libcupti.so*"))]
    if not found:
        sys.exit("measure.py: no libcupti.so here")
    include = ["-I" + p for pattern in ("/usr/local/cuda*/include", "/usr/local/cuda*/extras/CUPTI/include", "/opt/**/cu13/include") for p in glob.glob(pattern, recursive=True)]
    library = sorted(glob.glob(os.path.join(found[0], "libcupti.so*")))[0]
    target = os.path.join(built, "timeline.so")
    subprocess.run(["gcc", "-shared", "-fPIC", "-O2", *include, "-o", target, os.path.join(FOLDER, "timeline.c"), library, "-Wl,-rpath," + found[0]], check=True)
    return target, found[0]


def base_name(demangled):
    """The kernel's name with template arguments, without namespaces' anonymous parts, return type and parameters."""
    text, depth, end = re.sub(r"^void ", "", demangled.strip()), 0, None
    for i, c in enumerate(text):
        depth += (c == "<") - (c == ">")
        if c == "(" and depth == 0 and not text.startswith("(anonymous", i):
            end = i
            break
    return text[:end].replace("(anonymous namespace)::", "")


def demangle(names):
    done = subprocess.run(["c++filt"], input="\n".join(names), capture_output=True, text=True, check=True)
    return dict(zip(names, map(base_name, done.stdout.splitlines())))


def timed(folder, target, args, timeline, library):
    """CUPTI's records of a run."""
    with tempfile.NamedTemporaryFile(suffix=".jsonl") as log:
        env = dict(os.environ, CUDA_INJECTION64_PATH=timeline, TIMELINE=log.name, LD_LIBRARY_PATH=library + ":" + os.environ.get("LD_LIBRARY_PATH", ""))
        done = subprocess.run([target, *args], cwd=folder, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=RUN_SECONDS)
        with open(log.name, encoding="utf-8") as stream:
            return [json.loads(line) for line in stream if line.endswith("}\n")], done.returncode, (done.stdout + done.stderr)[-300:]


def counted(folder, target, args):
    """Executed warp instructions of the first launches: (kernel, grid, block) -> list."""
    command = ["ncu", "--csv", "--print-units", "base", "--print-kernel-base", "demangled", "--clock-control", "none", "--cache-control", "none", "--metrics", METRIC, "--launch-count", str(NCU_LAUNCHES),
               target, *args]
    try:
        text = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=NCU_SECONDS).stdout
    except subprocess.TimeoutExpired as expired:
        text = (expired.stdout or b"").decode(errors="replace")
    counts = collections.defaultdict(list)
    for row in csv.DictReader(io.StringIO("".join(line for line in text.splitlines(True) if line.startswith('"')))):
        if row.get("Metric Name") == METRIC:
            numbers = lambda name: "x".join(re.findall(r"\d+", row[name]))
            counts[base_name(row["Kernel Name"]), numbers("Grid Size"), numbers("Block Size")].append(float(row["Metric Value"].replace(",", "")))
    return counts


def rows(program, records, counts):
    times, names = collections.defaultdict(list), demangle(sorted({r["name"] for r in records if r["kind"] == "kernel"}))
    moved = collections.defaultdict(list)
    for r in sorted(records, key=lambda r: r["start"]):
        if r["kind"] == "kernel":
            times[names[r["name"]], "x".join(map(str, r["grid"])), "x".join(map(str, r["block"]))].append(r["ns"] / 1000)
        else:
            moved["[%s %s]" % (r["kind"], {1: "to device", 2: "to host", 8: "on device"}.get(r.get("direction"), "")), str(r["bytes"]), ""].append(r["ns"] / 1000)
    for key, us in list(times.items()) + list(moved.items()):
        seen = counts.get(key, [])
        yield [program["name"], *key, len(us), "%.3f" % us[0], "%.3f" % statistics.median(us), "%.3f" % sum(us), len(seen), "%.0f" % statistics.mean(seen) if seen else ""]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources")
    parser.add_argument("out")
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--only", default="")
    parser.add_argument("--log", default=os.devnull)
    parser.add_argument("--programs", default=os.path.join(FOLDER, "programs.json"))
    parser.add_argument("--times-only", action="store_true")
    options = parser.parse_args()
    sources, chosen = os.path.abspath(options.sources), programs(options.programs, options.only)
    built = tempfile.mkdtemp()
    timeline, library = build_timeline(built)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        made = list(pool.map(lambda p: build(sources, built, options.arch, p), chosen))
    with open(options.out, "w", encoding="utf-8", newline="") as stream, open(options.log, "w", encoding="utf-8") as log:
        table = csv.writer(stream, lineterminator="\n")
        table.writerow(COLUMNS)
        for program, (target, why) in zip(chosen, made):
            folder = os.path.join(sources, program["repository"], program["folder"])
            if not target:
                print("%s: not built: %s" % (program["name"], why), file=log, flush=True)
                continue
            try:
                records, status, said = timed(folder, target, program["args"], timeline, library)
            except subprocess.TimeoutExpired:
                print("%s: ran longer than %d s" % (program["name"], RUN_SECONDS), file=log, flush=True)
                continue
            kernels = sum(r["kind"] == "kernel" for r in records)
            print("%s: exit %d, %d launches%s" % (program["name"], status, kernels, "" if status == 0 and kernels else ": " + said), file=log, flush=True)
            if kernels:
                table.writerows(rows(program, records, {} if options.times_only else counted(folder, target, program["args"])))
                stream.flush()


if __name__ == "__main__":
    main()
