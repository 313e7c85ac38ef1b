#!/usr/bin/env python3
# needs: nvcc, tier: slow
"""benchmarks/calibrate without a GPU: its kernels' PTX, translated to C, on a runtime that checks every access and has a memory system
of known latencies (tests/calibrate). The program must end, report every section, and find out what was built in. Where nvdisasm is
present, the machine code of the timed loops is checked too. `coalesce calibrate --from` makes a machine file of the results, which must
be a good one, and `--bundle` writes the program.
"""
import glob
import json
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import machine_files  # noqa: E402

ROOT = os.environ.get("ROOT") or os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
WORK = os.path.join(os.environ.get("TMPDIR", "/tmp"), f"calibrate-{os.getpid()}")
SOURCES = sorted(glob.glob(os.path.join(ROOT, "benchmarks/calibrate/*.cu")))

# What tests/calibrate/fake_cuda.cpp builds in, and how near the program must come.
PLANTED = {
    "sm.count": (2, 0), "l1.hit_latency_cycles": (30, 0.02), "shared.latency_cycles": (25, 0.02), "l2.hit_latency_cycles": (200, 0.01),
    "l2.far_hit_latency_cycles": (300, 0.01), "l2.mean_hit_latency_cycles": (250, 0.01), "l2.partitions": (2, 0),
    "dram.latency_cycles": (600, 0.01), "dram.far_latency_cycles": (600, 0.01), "l1.sector_bytes": (32, 0), "l1.line_bytes": (128, 0),
    "l1.data_bytes": (1024 * 128, 0.02), "dram.access_granularity_bytes": (64, 0), "write_policy.store_allocates_in_l1": (False, 0),
    "write_policy.store_keeps_l1_sector": (True, 0), "sm.warp_lanes": (32, 0), "sm.clock_hz": (1e9, 0.05), "launch.overhead_seconds": (4e-7, 0.01), "latency.atomic_shared_cycles": (25, 0.03),
}
UNITS = {"cycles", "Hz", "s", "bytes", "bytes/s", "bytes/cycle", "threads/cycle", "tags/cycle", "count", "boolean", "operations/s", "ratio"}


def nvcc():
    found = subprocess.run([os.path.join(ROOT, "tools/setup"), "--nvcc"], stdout=subprocess.PIPE, text=True, check=False)
    return found.stdout.strip() if found.returncode == 0 else shutil.which("nvcc")


def build(compiler):
    include = os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(compiler))), "include")
    ptx = []
    for source in SOURCES:
        name = os.path.join(WORK, os.path.basename(source)[:-3])
        kept = os.path.join(WORK, "kept-" + os.path.basename(source)[:-3])
        os.makedirs(kept)
        subprocess.run([compiler, "-O1", "-std=c++17", "-gencode", "arch=compute_90,code=sm_90", "--keep", "--keep-dir", kept, "-c",
                        "-o", name + ".o", source], check=True)
        for made in (".ptx", ".cubin"):
            os.rename(glob.glob(os.path.join(kept, "*" + made))[0], name + made)
        ptx.append(name + ".ptx")
    with open(os.path.join(WORK, "kernels.inc"), "w", encoding="utf-8") as out:
        subprocess.run([sys.executable, os.path.join(ROOT, "tests/calibrate/ptx_to_c.py"), *ptx], stdout=out, check=True)
    program = os.path.join(WORK, "calibrate")
    objects = [path[:-4] + ".o" for path in ptx]
    subprocess.run(["g++", "-O1", "-w", "-I" + WORK, "-I" + include, "-o", program, os.path.join(ROOT, "tests/calibrate/fake_cuda.cpp"), *objects],
                   check=True)
    return program


def check_results(results):
    """Returns what is wrong with the object that the program wrote."""
    errors = []
    if not results["complete"] or results["failures"]:
        errors.append(f"not complete: {results['failures']}")
    by_key = {}
    for result in results["results"]:
        key = result["key"]
        if key in by_key:
            errors.append(f"{key}: twice")
        by_key[key] = result
        values = result["value"] if "axis" in result else [result["value"]]
        lows = result.get("low", result["value"]) if "axis" in result else [result.get("low", result["value"])]
        highs = result.get("high", result["value"]) if "axis" in result else [result.get("high", result["value"])]
        if "axis" in result and len(result["at"]) != len(values):
            errors.append(f"{key}: axis and values differ in length")
        if not all(low <= value <= high for low, value, high in zip(lows, values, highs)):
            errors.append(f"{key}: outside its own range")
        read_off = key.startswith(("sass", "limits.")) or "read from the device" in result["method"]
        if result["repeats"] < 2 and not read_off:
            errors.append(f"{key}: not repeated")
        if result["unit"] not in UNITS or not result["method"] or "." not in key:
            errors.append(f"{key}: unit, method or form of the key")
    for key, (value, tolerance) in PLANTED.items():
        if key not in by_key:
            errors.append(f"{key}: not measured")
        elif abs(by_key[key]["value"] - value) > tolerance * value:
            errors.append(f"{key}: {by_key[key]['value']}, built in is {value}")
    return errors


def check_machine_code(compiler, program):
    """The program's own check of its loops, on the machine code that was compiled for it. tests/calibrate/cuobjdump stands in for cuobjdump."""
    places = [os.path.join(ROOT, "disassembler/bin"), os.path.dirname(os.path.realpath(compiler))]
    nvdisasm = shutil.which("nvdisasm", path=os.pathsep.join(places + [os.environ.get("PATH", "")]))
    if not nvdisasm:
        print("no nvdisasm: machine code not checked")
        return []
    environment = {**os.environ, "NVDISASM": nvdisasm, "CUBINS": WORK,
                   "PATH": os.path.join(ROOT, "tests/calibrate") + os.pathsep + os.environ.get("PATH", "")}
    checked = subprocess.run([program, "--sass"], stderr=subprocess.PIPE, text=True, check=False, env=environment)
    return [] if checked.returncode == 0 else ["machine code: " + checked.stderr]


def check_units(results):
    """Keys of machine files must have the units that the schema fixes."""
    with open(os.path.join(ROOT, "machines/schema.json"), encoding="utf-8") as file:
        schema = json.load(file)
    errors = []
    for result in results["results"]:
        group, key = result["key"].split(".", 1)
        reference = schema["properties"].get(group, {}).get("properties", {}).get(key, {}).get("$ref")
        if reference:
            unit = schema["$defs"][reference.split("/")[-1]]["oneOf"][0]["properties"]["unit"]["const"]
            if unit != result["unit"]:
                errors.append(f"{result['key']}: {result['unit']}, machine files have {unit}")
    return errors


def check_machine_file(coalesce, results):
    """The machine file of the results, by the schema and by what must hold between its numbers."""
    path = os.path.join(WORK, "machine.json")
    made = subprocess.run([coalesce, "calibrate", "--from", results, "-o", path], stderr=subprocess.PIPE, text=True, check=False)
    if made.returncode != 0:
        return [f"calibrate --from ends with {made.returncode}: {made.stderr}"]
    schema = machine_files.load(os.path.join(ROOT, "machines/schema.json"))
    machine = machine_files.load(path)
    errors = machine_files.check(machine, schema, schema, "machine.json") or machine_files.relations(machine, "machine.json")
    errors += machine_files.evidence_errors(machine, "machine.json")
    near = machine["l2"]["hit_latency_cycles"]
    if near["kind"] != "measured" or abs(near["value"] - 200) > 2 or near["repeats"] != 2:
        errors.append(f"machine.json: the L2's latency is {near}")
    if machine["sm"]["schedulers"]["kind"] != "assumed" or "stride_cycles.l1_load_4_bytes" not in machine["evidence"]:
        errors.append("machine.json: what was not measured, or the evidence")
    ran = subprocess.run([coalesce, "predict", "--machine", path, os.path.join(ROOT, "benchmarks/idw.cu")], capture_output=True, text=True,
                         check=False)
    return errors + ([f"predict with it ends with {ran.returncode}: {ran.stderr}"] if ran.returncode else [])


def check_bundle(coalesce):
    folder = os.path.join(WORK, "bundle")
    written = subprocess.run([coalesce, "calibrate", "--bundle", folder], check=False).returncode
    wanted = sorted([os.path.basename(path) for path in glob.glob(os.path.join(ROOT, "benchmarks/calibrate/*.[ch]*"))] + ["Makefile"])
    found = sorted(os.listdir(folder)) if written == 0 else []
    return [] if found == wanted else [f"--bundle writes {found}"]


def main():
    compiler = nvcc()
    if not compiler or not shutil.which("g++"):
        print("no nvcc or no g++")
        return 77
    os.makedirs(WORK)
    try:
        program = build(compiler)
        out = os.path.join(WORK, "results.json")
        ran = subprocess.run([program, "--quick", "--repeats", "2", "--limit", "600", "-o", out], stderr=subprocess.PIPE, text=True, check=False)
        if ran.returncode != 0:
            print(ran.stderr[-4000:])
            return 1
        with open(out, encoding="utf-8") as file:
            results = json.load(file)
        errors = check_results(results) + check_units(results)
        coalesce = os.environ.get("COALESCE")
        if coalesce:
            errors += check_machine_file(coalesce, out) + check_bundle(coalesce)
        errors += check_machine_code(compiler, program)
        wrong = subprocess.run([program, "--nonsense"], stderr=subprocess.DEVNULL, check=False).returncode
        errors += [] if wrong == 2 else [f"wrong usage ends with {wrong}"]
    finally:
        shutil.rmtree(WORK, ignore_errors=True)
    for error in errors:
        print("FAIL", error)
    print(f"{len(results['results'])} results, {len(PLANTED)} planted values, {len(errors)} errors")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
