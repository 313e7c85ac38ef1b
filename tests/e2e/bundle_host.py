#!/usr/bin/env python3
"""Measuring programs run on the CPU, through tests/host_cuda/bundle: all layouts of the benchmarks and of the corpus (benchmarks/measured/corpus.py) leave the same results,
the JSON is what `coalesce compare` reads, and what goes wrong is said, with nothing on stdout. Every third file of the corpus; with --all each.

needs: nvcc
"""
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile

COALESCE, ROOT = os.environ["COALESCE"], os.environ["ROOT"]
sys.path.insert(0, os.path.join(ROOT, "benchmarks", "measured"))
sys.path.insert(0, os.path.join(ROOT, "tests", "host_cuda"))
import corpus  # noqa: E402
import run as host_cuda  # noqa: E402
STAND_IN = os.path.join(ROOT, "tests", "host_cuda", "bundle")
STAND_IN_HEADER = os.path.join(STAND_IN, "all.h")
LAYOUTS = ["aos", "aosa", "asta", "soa"]
# Benchmarks without barriers and warp operations: options, and how many kernels are measured.
BENCHMARKS = {
    "idw": (["-DPOINTS=500", "-DQUERIES=300"], 1),
    "2mm": (["-DN=40", "--group", "A,B,C,D,E"], 2),
    "3mm": (["-DN=33", "--group", "A,B,C,D,E,F,G"], 3),
    "syr2k": (["-DN=33", "--group", "A,B,C"], 1),
    "corr": (["-DN=33", "--group", "data,symmat"], 4),
    "nbody": (["-DN=100"], 2),
    "particles": (["-DN=1000"], 2),
    "stencil_record": (["-DN=50"], 1),
    "gather": (["-DN=2000", "--index", "neighbour=uniform:0:2000"], 1),
    "histogram_record": (["-DN=5000", "-DDETECTORS=77"], 1),
    "spmv": (["-DN=500", "--extent", "entries=6000", "--index", "row_start=seq:12"], 1),
    "grayscale": (["-DWIDTH=65", "-DHEIGHT=33"], 1),
}
errors = []


def check(condition, *what):
    if not condition:
        errors.append(" ".join(str(part) for part in what))
    return condition


def run(command, **environment):
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=600, env={**os.environ, **environment})


def bundle(source, options, folder):
    return run([COALESCE, "bundle", source, *options, "-o", folder])


def compile_bundle(folder, flags=(), sanitize=True, barriers=False):
    """Returns what the compiler says, empty when it succeeded."""
    program = os.path.join(folder, "measure.cu")
    with open(program, encoding="utf-8") as stream:
        text = host_cuda.shared_rewrite(stream.read())
    with open(program, "w", encoding="utf-8") as stream:
        stream.write(text)
    macros = [flag for flag in flags if flag.startswith("-D")]
    sanitizers = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"] if sanitize else []
    options = ["-std=c++17", "-O0", "-w", *sanitizers, *(["-DHOST_CUDA_BARRIERS"] if barriers else []), "-fno-strict-aliasing", "-ffp-contract=off"]
    return run(["g++", *options, "-I" + STAND_IN, "-I" + os.path.join(folder, "include"), "-I" + os.path.join(folder, "include_1"),
                "-include", host_cuda.precompiled(options, STAND_IN_HEADER), *macros,
                "-x", "c++", "-o", os.path.join(folder, "measure"), program]).stderr


def measured(folder, *options, **environment):
    return run([os.path.join(folder, "measure"), *options], **environment)


def rows_check(name, kernel, layouts):
    records = {}
    for row in kernel["layouts"]:
        records.setdefault(row["record"], []).append(row["layout"])
        times = row["time_us"]
        check(0 < times["min"] <= times["median"] <= times["max"], name, "times", times)
        check(row["repeats"] == 3 and row["registers"] == 16, name, "repeats or registers", row)
        check(row["agreement"]["largest_difference"] <= 1e-4, name, "agreement", row["agreement"])
    for record, found in records.items():
        check(sorted(found) == layouts, name, "layouts of", record, "are", found)
    check(kernel["changed"] > 0, name, "changes nothing")


def benchmark(name, folder):
    options, kernels = BENCHMARKS[name]
    source = os.path.join(ROOT, "benchmarks", name + ".cu")
    made = bundle(source, options, folder)
    if not check(made.returncode == 0, name, "bundle:", made.stderr):
        return
    wrong = compile_bundle(folder, options)
    if not check(not wrong, name, "does not compile:", wrong[:2000]):
        return
    result = measured(folder, "--quick")
    if not check(result.returncode == 0, name, "fails:", result.stderr[-2000:]):
        return
    path = os.path.join(folder, "measure.json")
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(result.stdout)
    case = json.loads(result.stdout)["cases"][0]
    check(case["id"] == name and case["file"] == name + ".cu" and case["options"] == options, name, "head", case["options"])
    check(len(case["kernels"]) == kernels, name, "measures", [kernel["name"] for kernel in case["kernels"]])
    for kernel in case["kernels"]:
        rows_check(name + " " + kernel["name"], kernel, [kernel["layouts"][0]["layout"]] if len(kernel["layouts"]) == 1 else LAYOUTS)
    compared = run([COALESCE, "compare", source, *options, "--measured", path, "--model", "thesis", "--json"])
    if check(compared.returncode == 0, name, "compare:", compared.stderr):
        compare_check(name, json.loads(compared.stdout), case)


def compare_check(name, compared, case):
    """Every layout stands beside its measurement, and what is said of them follows from their times."""
    times = {(kernel["name"], row["record"], row["layout"]): row["time_us"]["median"] for kernel in case["kernels"] for row in kernel["layouts"]}
    for entry in compared["comparisons"]:
        rows = {row["layout"]: row for row in entry["layouts"]}
        for layout, row in rows.items():
            check(abs(row["measured_us"] - times[entry["kernel"], entry["record"], layout]) < 1e-6, name, layout, "stands beside", row)
        for kind in ("measured", "predicted"):
            least = min(row[kind + "_us"] for row in rows.values())
            for row in rows.values():
                check(abs(row[kind + "_ratio"] - row[kind + "_us"] / least) < 1e-6, name, kind, "ratio", row)
                check(row[kind + "_rank"] == 1 + sum(other[kind + "_us"] < row[kind + "_us"] * (1 - 1e-8) for other in rows.values()), name, "rank", row)
        if len(rows) > 1:
            least = min(row["measured_us"] for row in rows.values())
            regret = rows[entry["pick"]]["measured_us"] / least - 1
            check(abs(entry["regret"] - regret) < 1e-6, name, "regret", entry["regret"], regret)
            check(entry["pick_is_right"] == (regret <= (0.08 if least < 20 else 0.03)), name, "pick", entry)
    check(compared["accuracy"]["cases"] == sum(len(entry["layouts"]) > 1 for entry in compared["comparisons"]), name, "cases")


def corpus_file(path, folder):
    """A file of the corpus: what can be measured leaves the same results in every layout, whatever the order of its threads. Returns whether anything could."""
    with open(os.path.join(ROOT, path), encoding="utf-8") as stream:
        text = stream.read()
    made = bundle(os.path.join(ROOT, path), corpus.options_of(path), folder)
    if made.returncode == 1 and "no kernel here can be measured" in made.stderr:
        return 0
    if not check(made.returncode == 0, path, "bundle:", made.stderr):
        return 0
    wrong = compile_bundle(folder, [option for option in corpus.options_of(path) if option.startswith("-D")], False, bool(host_cuda.BARRIERS.search(text)))
    if not check(not wrong, path, "does not compile:", wrong[:2000]):
        return 0
    result = measured(folder, "--quick", HOST_CUDA_ORDER="alternate")
    agreed = result.returncode == 0 and not any("failed" in part for case in json.loads(result.stdout)["cases"] for part in [case, *case["kernels"]])
    check(agreed, path, "fails:", result.stderr[-2000:])
    return agreed


def tamper(folder, old, new):
    """Changes measure.cu after the first variant, builds it and returns what it prints."""
    path = os.path.join(folder, "measure.cu")
    with open(path, encoding="utf-8") as stream:
        text = stream.read()
    at = text.index("namespace coalesce_1 {")
    check(old in text[at:], "nothing to tamper with")
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(text[:at] + text[at:].replace(old, new, 1))
    wrong = compile_bundle(folder, BENCHMARKS["idw"][0])
    check(not wrong, "tampered program:", wrong[:2000])
    return measured(folder, "--quick", "--limit", "20", ASAN_OPTIONS="detect_leaks=0")


def failure(name, result, status, message):
    check(result.returncode == status, name, "ends with", result.returncode, result.stderr[-500:])
    check(re.search(message, result.stderr), name, "says", result.stderr)
    check(result.stdout == "", name, "prints", result.stdout[:200])


def one_layout_failed(name, result, reason):
    """Only soa has failed, for that reason, and the rest is measured; or none has, where there is no reason."""
    if not check(result.returncode == 0, name, "ends with", result.returncode, result.stderr[-1000:]):
        return
    kernel = json.loads(result.stdout)["cases"][0]["kernels"][0]
    rows = [row["layout"] for row in kernel["layouts"]]
    check(rows == [layout for layout in ("aos", "soa", "aosa", "asta") if layout != "soa" or not reason], name, "measures", rows)
    failed = kernel.get("failed", [])
    if reason:
        check([(row["record"], row["layout"], row["tile"]) for row in failed] == [("point", "soa", None)] and re.search(reason, failed[0]["reason"]), name, "names", failed)
        check("measure: idw, point as soa is not measured" in result.stderr and re.search(reason, result.stderr), name, "says", result.stderr[-1000:])
    else:
        check(not failed and "each layout is measured with the program as written alone" in result.stderr, name, "names", failed, result.stderr[-1000:])


def failures(folder):
    options = BENCHMARKS["idw"][0]
    source = os.path.join(ROOT, "benchmarks", "idw.cu")
    check(bundle(source, options, folder).returncode == 0, "bundle")
    check(not compile_bundle(folder, options), "compile")
    quiet = {"ASAN_OPTIONS": "detect_leaks=0"}
    failure("no GPU", measured(folder, HOST_CUDA_DEVICES="0", **quiet), 3, r"device: no CUDA GPU here: no CUDA-capable device is detected")
    failure("memory", measured(folder, HOST_CUDA_MEMORY="1000", **quiet), 1, r"idw: out of device memory: \S+ MiB are needed, \S+ MiB free")
    failure("a device too far", measured(folder, "--device", "1", **quiet), 2, "there is no device 1, only 1 of them")
    failure("a fault", measured(folder, "--quick", HOST_CUDA_FAULT="6", **quiet), 1,
            r"idw, as written: .*an illegal memory access was encountered")
    failure("a kernel that does not end", measured(folder, "--quick", "--limit", "1", HOST_CUDA_NEVER_ENDS="6", **quiet), 1,
            r"idw, as written: the kernel has not ended after 1 s; do its loops depend on what --index should say")
    failure("an option", measured(folder, "--fast", **quiet), 2, "usage: measure")
    failure("a short limit", measured(folder, "--limit", "0.0001", **quiet), 1, r"the limit of 0 s has passed|would take")
    one_layout_failed("memory for two", measured(folder, "--quick", HOST_CUDA_MEMORY="25000", **quiet), None)
    body = "sum / weights"
    for name, code, reason in (
            ("a fault of one layout", "(host_cuda_error = cudaErrorIllegalAddress, sum)", "idw, point as soa: .*an illegal memory access was encountered"),
            ("a layout that does not end", "(host_cuda_is_stuck = true, sum)", "idw, point as soa: the kernel has not ended"),
            ("a crash", "(abort(), sum)", "ended by signal 6"),
            ("another result", "sum / weights + (q == 7)",
             r"idw, point as soa: results differ from those of the program as written: height, 1 of 300 values, first element 7: \S+ instead of \S+")):
        one_layout_failed(name, tamper(folder, body, code), reason)
        body = code
    short = os.path.join(folder, "short")
    check(bundle(source, options + ["--extent", "height=290"], short).returncode == 0, "bundle")
    check(not compile_bundle(short, options), "compile")
    failure("past the end", measured(short, "--quick", **quiet), 1, r"the kernel writes past the end of height \(290 elements\); give --extent height=COUNT")


def own_headers(folder):
    """The user's own headers go along, those of -I as well; macros of the command line do not reach our own code."""
    source = os.path.join(folder, "own.cu")
    os.makedirs(os.path.join(folder, "parts"))
    os.makedirs(os.path.join(folder, "elsewhere", "deep"))
    for path, text in (("parts/body.h", "#pragma once\n#include \"scale.h\"\n"), ("parts/scale.h", "#define SCALE 2.0f\n"),
                       ("elsewhere/deep/cell.h", "struct cell { float a, b; };\n"),
                       ("own.cu", "#include \"parts/body.h\"\n#include <deep/cell.h>\n__global__ void k(cell *c) {\n"
                                  "\tint i = blockIdx.x * blockDim.x + threadIdx.x;\n\tif (i < values) c[i].a += SCALE * c[i].b;\n}\n"
                                  "int main() { cell *c; cudaMalloc(&c, values * sizeof(cell)); k<<<(values + 63) / 64, 64>>>(c); }\n")):
        with open(os.path.join(folder, path), "w", encoding="utf-8") as stream:
            stream.write(text)
    target = os.path.join(folder, "bundle")
    made = bundle(source, ["-I" + os.path.join(folder, "elsewhere"), "-Dvalues=100"], target)
    check(made.returncode == 0, "headers:", made.stderr)
    files = sorted(os.path.relpath(os.path.join(where, name), target) for where, _, names in os.walk(target) for name in names)
    check(files == ["Makefile", "include/elsewhere/deep/cell.h", "include/parts/body.h", "include/parts/scale.h", "include_1/deep/cell.h", "measure.cu"], "files", files)
    wrong = compile_bundle(target, ["-Dvalues=100"])
    if not check(not wrong, "headers, compile:", wrong[:2000]):
        return
    result = measured(target, "--quick")
    check(result.returncode == 0 and json.loads(result.stdout)["cases"][0]["kernels"][0]["changed"] == 100, "headers, run:", result.stderr)


FAILING = """struct point { float x, y, z; };
__global__ void good(point *p, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[i].x += p[i].y; }
__global__ void breaks(point *p, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[i].y = n / (i - 5); }
__global__ void also(point *p, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[i].z *= 2; }
int main()
{
	int n = 256;
	point *p;
	cudaMalloc(&p, n * sizeof(point));
	good<<<n / 64, 64>>>(p, n);
	breaks<<<n / 64, 64>>>(p, n);
	also<<<n / 64, 64>>>(p, n);
}
"""


def failing_kernel(folder):
    """A kernel that fails costs its own rows: the others are measured, and it is named with the reason."""
    path = os.path.join(folder, "failing.cu")
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(FAILING)
    made, wrong = bundle(path, [], os.path.join(folder, "failing")), compile_bundle(os.path.join(folder, "failing"))
    if not check(made.returncode == 0 and not wrong, "failing:", made.stderr, wrong[:2000]):
        return
    result = measured(os.path.join(folder, "failing"), "--quick")
    if check(result.returncode == 0, "failing: exit", result.returncode, result.stderr[-2000:]):
        case = json.loads(result.stdout)["cases"][0]
        check([kernel["name"] for kernel in case["kernels"]] == ["good", "also"] and all(len(kernel["layouts"]) == 4 for kernel in case["kernels"]),
              "failing: measures", case["kernels"])
        check([kernel["name"] for kernel in case["failed"]] == ["breaks"] and case["failed"][0]["reason"], "failing: names", case.get("failed"))


def main():
    files = [path for path in corpus.corpus() if path.startswith("tests/") and path not in corpus.LEFT_OUT]
    files = files if "--all" in sys.argv else files[::3]
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = [pool.submit(benchmark, name, os.path.join(folder, name)) for name in BENCHMARKS]
        jobs += [pool.submit(failures, os.path.join(folder, "failures")), pool.submit(own_headers, os.path.join(folder, "headers")),
                 pool.submit(failing_kernel, folder)]
        ran = [pool.submit(corpus_file, path, os.path.join(folder, "corpus%d" % i)) for i, path in enumerate(files)]
        for job in jobs:
            job.result()
        agreed = sum(job.result() for job in ran)
        check(agreed >= 0.9 * len(files), "only", agreed, "of", len(files), "files of the corpus ran")
    print("\n".join(errors) if errors else "%d benchmarks and %d of %d files of the corpus agree in all layouts" % (len(BENCHMARKS), agreed, len(files)))
    return 1 if errors else 0


sys.exit(main())
