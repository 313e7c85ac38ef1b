#!/usr/bin/env python3
"""--explain and --ncu beside --json: lines add up to the launch, the table shows what the JSON says and fits the screen, counters have Nsight Compute's names and form,
and no change is promised that another estimate does not give, no unrolling that the edited file does not bring.

needs: nvcc
"""
import csv
import io
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile

PROGRAM, ROOT = os.environ["COALESCE"], os.environ["ROOT"]
CASES = [["benchmarks/particles.cu"], ["benchmarks/idw.cu", "-DPOINTS=1000", "-DQUERIES=1000"], ["benchmarks/nbody.cu", "--layouts", "aos,soa"],
         ["benchmarks/corr.cu", "--group", "data,symmat", "--layouts", "aos,soa"], ["benchmarks/idw.cu", "--model", "thesis"]]
NCU_HEAD = ["ID", "Process ID", "Process Name", "Host Name", "Kernel Name", "Context", "Stream", "Block Size", "Grid Size", "Device", "CC",
            "Section Name", "Metric Name", "Metric Unit", "Metric Value"]
COUNTS = {"smsp__inst_executed.sum": "warp_instructions", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum": "ld_requests",
          "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum": "ld_sectors", "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum": "st_requests",
          "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum": "st_sectors", "lts__t_sectors_op_read.sum": "l2_read_sectors",
          "lts__t_sectors_op_write.sum": "l2_write_sectors", "dram__bytes_read.sum": "dram_read_bytes",
          "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum": "shared_bank_conflicts"}
L2_DIRTY_BYTES = 28.4e6  # of what is written, the most that the L2 of the H200 keeps when a launch ends: no profiler counts it there
SHARES = {"l1tex__t_sector_hit_rate.pct": "l1_hit_rate", "lts__t_sector_hit_rate.pct": "l2_hit_rate"}
errors = []


def check(condition, *what):
    if not condition:
        errors.append(" ".join(str(part) for part in what))


def run(*arguments):
    done = subprocess.run([PROGRAM, "predict", *arguments, "-q"], cwd=ROOT, capture_output=True, text=True, check=False)
    check(done.returncode == 0, arguments, done.returncode, done.stderr)
    return done.stdout


def check_layout(where, row, full):
    lines, counts = row["lines"], row["counts"]
    executed = sum(line["warp_instructions"] for line in lines)
    check(math.isclose(executed, counts["warp_instructions"], rel_tol=1e-6), where, "lines execute", executed, counts["warp_instructions"])
    requests = sum(line["requests"] for line in lines)
    check(requests >= (counts["ld_requests"] + counts["st_requests"]) * (1 - 1e-9), where, "lines have fewer requests than the launch")
    check(math.isclose(sum(line["share"] or 0 for line in lines), 1, rel_tol=1e-6), where, "shares")
    for line in lines:
        check(line["ideal_sectors"] <= line["sectors"] * (1 + 1e-9), where, "fewer sectors than needed", line)
        check(line["requests"] == 0 or line["ideal_sectors"] >= line["requests"] * (1 - 1e-9), where, "requests without a sector", line)
        check("stalls" in line or not full, where, "no stalls", line)
        check(not full or math.isclose(sum(line["stalls"].values()), line["cycles"], rel_tol=1e-6, abs_tol=1e-3), where, "stalls", line)
    for advice in row["advice"]:
        check(advice["time_us"] * 1.03 < row["time_us"], where, "a change that does not gain", advice)
        check(any(line["line"] == advice["line"] for line in lines), where, "a change at a line that is none", advice)


def check_ncu(where, text, data):
    rows = list(csv.reader(io.StringIO(text)))
    check(rows[0] == NCU_HEAD, where, "head of the CSV:", rows[0])
    layouts = [(kernel, row) for kernel in data["kernels"] for row in kernel["layouts"]]
    seen = set()
    for fields in rows[1:]:
        entry = dict(zip(NCU_HEAD, fields))
        kernel, row = layouts[int(entry["ID"])]
        seen.add(int(entry["ID"]))
        check(entry["Kernel Name"] == kernel["name"] and entry["Process Name"].split("/")[0] == row["layout"], where, "ID", entry)
        check(entry["Grid Size"] == "(%d, %d, %d)" % tuple(kernel["grid"]), where, entry["Grid Size"])
        value, name = float(entry["Metric Value"]), entry["Metric Name"]
        if name in COUNTS:
            check(math.isclose(value, row["counts"][COUNTS[name]], rel_tol=1e-6, abs_tol=0.006), where, name, value)
        if name == "dram__bytes_write.sum":
            kept = row["counts"]["dram_write_bytes"] - value
            most = 0 if "thesis" in where else min(row["counts"]["dram_write_bytes"], L2_DIRTY_BYTES)
            check(-1 <= kept <= most + 1 and (kept > 0) == (most > 0), where, name, value, "kept", kept)
        if name in SHARES:
            check(abs(value - 100 * row["counts"][SHARES[name]]) < 0.006, where, name, value)
        if name == "gpu__time_duration.sum":
            check(math.isclose(value, 1000 * row["time_us"], rel_tol=1e-9, abs_tol=0.006), where, name, value)
        check(value >= 0 and (entry["Metric Unit"] != "%" or value <= 100.01), where, name, "is", value)
    check(seen == set(range(len(layouts))), where, "launches without counters")


def check_text(where, text, data):
    for kernel in data["kernels"]:
        recommended = next(row for row in kernel["layouts"] if row["layout"] == kernel["recommended"].split("/")[0])
        check("kernel %s, line by line: %s" % (kernel["name"], kernel["recommended"]) in text, where, "no section of", kernel["name"])
        for line in recommended["lines"]:
            if line["requests"] > 0 and line["line"]:
                check(re.search(r"^ +%d  %s +\d" % (line["line"], kernel["recommended"]), text, re.M), where, "no row of line", line["line"])
        for advice in recommended["advice"]:
            said = re.findall(r"([\d.]+) us, not ([\d.]+) us", " ".join(text.split()))
            check(any(abs(float(new) - advice["time_us"]) < 0.0006 and abs(float(old) - recommended["time_us"]) < 0.0006 for new, old in said), where, "does not say", advice)
    for line in text.splitlines():
        check(len(line) <= 100, where, "wider than 100 columns:", line)
    check("(null)" not in text and "nan" not in text and "inf " not in text, where, "prints what is no number")


LOOPS = """__global__ void sum(const float *in, float *out, int n)
{
	float total = 0;
	for (int k = 0; k < n; k++)
		total += in[k * 8192 + blockIdx.x * 128 + threadIdx.x];
	out[blockIdx.x * 128 + threadIdx.x] = total;
}
int main(int argc, char **argv)
{
	float *in, *out;
	cudaMalloc(&in, 1 << 28);
	cudaMalloc(&out, 8192 * sizeof *out);
	sum<<<64, 128>>>(in, out, 4096);
}
"""


def check_unroll():
    """What a pragma is said to bring is what the file with it is predicted to take, and more than 3 %; one that the file has already is left."""
    with tempfile.TemporaryDirectory() as folder:
        path, times, offers = os.path.join(folder, "loops.cu"), [], []
        for text in (LOOPS, LOOPS.replace("for (int k", "_Pragma(\"unroll 8\") for (int k")):
            with open(path, "w", encoding="utf-8") as stream:
                stream.write(text)
            row = json.loads(run(path, "--explain", "--json"))["kernels"][0]["layouts"][0]
            times.append(row["time_us"])
            offers.append(row.get("unroll"))
    check(offers[0] and offers[0]["factor"] == 8 and offers[0]["loops"] == "line 4", "unroll:", offers[0])
    check(offers[0] and math.isclose(offers[0]["time_us"], times[1], rel_tol=1e-6) and times[1] * 1.03 < times[0], "unroll:", offers[0], times)
    check(offers[1] is None, "unrolled already:", offers[1])


def check_strange_name():
    """A file whose name no compiler repeats as it is is explained like any other."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "a \"b\".cu")
        shutil.copy(os.path.join(ROOT, "benchmarks/particles.cu"), path)
        there, here = (run(file, "--explain").split("\nkernel ", 1)[1] for file in (path, "benchmarks/particles.cu"))
        check(there == here and "in a " not in there, "a file with a quote in its name is explained otherwise")


def main():
    check_unroll()
    check_strange_name()
    for arguments in CASES:
        where, full = " ".join(arguments), "thesis" not in arguments
        data = json.loads(run(*arguments, "--explain", "--json"))
        for kernel in data["kernels"]:
            for row in kernel["layouts"]:
                check_layout("%s %s %s" % (where, kernel["name"], row["layout"]), row, full)
        check_text(where, run(*arguments, "--explain"), data)
        check_ncu(where, run(*arguments, "--ncu"), data)
    print("\n".join(errors) if errors else "%d programs" % len(CASES))
    return 1 if errors else 0


sys.exit(main())
