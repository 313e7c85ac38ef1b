#!/usr/bin/env python3
"""The decoder of machine instructions against nvdisasm, on everything that nvcc makes of our own sources.

needs: nvcc, tier: slow

Each source is compiled to PTX for two virtual architectures and assembled with line info for sm_75, 80, 86, 89, 90, 100 and 120;
nvdisasm lists each cubin, and tests/tools/sass_compare compares guard, opcode, operands, file and line of every instruction. With
COALESCE_ORACLE=all in the environment, all benchmarks and test kernels; else a choice of them that has every kind of instruction.
Skipped where nvdisasm is not installed.
"""
import concurrent.futures
import glob
import os
import shutil
import subprocess
import sys
import tempfile

PROGRAM, ROOT = os.environ["COALESCE"], os.environ["ROOT"]
BUILD = os.path.dirname(os.path.abspath(PROGRAM))
LEAST_INSTRUCTIONS = 150000
TARGETS = {"75": ("75", "80", "86", "89"), "90": ("90", "100", "120")}
CHOICE = ("benchmarks/calibrate/instructions.cu", "benchmarks/corr.cu", "benchmarks/idw.cu", "benchmarks/reduction.cu",
          "benchmarks/shared_reduce.cu", "benchmarks/histogram_record.cu", "benchmarks/warp_reduce.cu")


def find(name, *places):
    found = shutil.which(name)
    return found or next((place for place in places if os.access(place, os.X_OK)), None)


def sources():
    kept = glob.glob("tests/**/sass/*.cu", root_dir=ROOT, recursive=True) + glob.glob("tests/golden/ptx_nvcc/*.cu", root_dir=ROOT)
    if os.environ.get("COALESCE_ORACLE") == "all":
        return sorted(set(kept + glob.glob("benchmarks/*.cu", root_dir=ROOT) + glob.glob("benchmarks/calibrate/*.cu", root_dir=ROOT)))
    return sorted(set(kept) | set(CHOICE))


def run(*words):
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT, check=False)
    return done.stdout if done.returncode == 0 else None


def make(nvcc, ptxas, nvdisasm, folder, source, virtual):
    """Pairs of a cubin and its listing."""
    stem = os.path.join(folder, source.replace("/", "_") + "." + virtual)
    if run(nvcc, "-ptx", "-w", "-lineinfo", "-arch=compute_" + virtual, "-o", stem + ".ptx", source) is None:
        return []
    pairs = []
    for target in TARGETS[virtual]:
        cubin, listing = "%s.sm_%s.cubin" % (stem, target), "%s.sm_%s.json" % (stem, target)
        if run(ptxas, "-arch=sm_" + target, "-lineinfo", "-o", cubin, stem + ".ptx") is None:
            continue
        text = run(nvdisasm, "-json", "-g", cubin)
        if text is not None:
            with open(listing, "wb") as stream:
                stream.write(text)
            pairs += [cubin, listing]
    return pairs


def main():
    nvcc = subprocess.run([os.path.join(ROOT, "tools/setup"), "--nvcc"], stdout=subprocess.PIPE, text=True, check=False).stdout.strip()
    nvdisasm = find("nvdisasm", os.path.join(os.path.dirname(BUILD), "disassembler/bin/nvdisasm"),
                    os.path.join(os.path.dirname(nvcc), "nvdisasm"))
    ptxas = find("ptxas", os.path.join(os.path.dirname(os.path.realpath(nvcc)), "ptxas")) if nvcc else None
    if not nvcc or not ptxas or not nvdisasm:
        print("nvcc, ptxas or nvdisasm is not installed")
        return 77
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = [pool.submit(make, nvcc, ptxas, nvdisasm, folder, source, virtual) for source in sources() for virtual in TARGETS]
        pairs = [word for job in jobs for word in job.result()]
        done = subprocess.run([os.path.join(BUILD, "tests/tools/sass_compare")] + pairs, stdout=subprocess.PIPE, text=True, check=False)
    print(done.stdout, end="")
    if done.returncode:
        return 1
    instructions = int(done.stdout.split(" cubins, ")[1].split()[0])
    if instructions < LEAST_INSTRUCTIONS:
        print("only %d instructions were compared" % instructions)
        return 1
    return 0


sys.exit(main())
