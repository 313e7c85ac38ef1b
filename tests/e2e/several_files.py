#!/usr/bin/env python3
"""Several source files of one program in one call: records and launches across them, names that each has for itself, rewriting them together.

needs: nvcc

Inputs: tests/inputs/several. main.cu allocates and calls push() and energy(), which push.cu and energy.cu define beside a static function of one name; particle.h is
theirs together. In lbm/ the kernel and its launch are in another file than the memory. What is rewritten runs on the CPU, and prints what the original prints.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile

ROOT = os.environ["ROOT"]
COALESCE = os.environ["COALESCE"]
sys.path.insert(0, os.path.join(ROOT, "tests", "host_cuda"))
import run as host_cuda  # noqa: E402

INPUTS = os.path.join("tests", "inputs", "several")
FILES = ("main.cu", "push.cu", "energy.cu")
errors = []


def check(good, *what):
    if not good:
        errors.append(" ".join(str(part) for part in what))


def coalesce(*words):
    return subprocess.run([COALESCE, *words], capture_output=True, text=True, check=False, cwd=ROOT)


def paths(folder, names=FILES):
    return [os.path.join(folder, name) for name in names]


def predict(*words):
    ran = coalesce("predict", "--json", "-q", *words)
    check(ran.returncode == 0, words, "ends with", ran.returncode, ran.stderr)
    return json.loads(ran.stdout) if ran.returncode == 0 else {"kernels": []}


def launches(prediction):
    return {kernel["name"]: (kernel["grid"][0], kernel["block"][0], kernel["launches"], kernel["groups"][0]["name"], len(kernel["layouts"]))
            for kernel in prediction["kernels"]}


def check_predictions():
    sizes = ["--", "131072"]
    expected = {"push_kernel": (1024, 128, 50, "Particle", 4), "energy_kernel": (512, 256, 1, "Particle", 4)}
    for names in (FILES, FILES[::-1]):
        prediction = predict(*paths(INPUTS, names), *sizes)
        check(launches(prediction) == expected, names, launches(prediction))
        check(prediction.get("other_files") == paths(INPUTS, names[1:]), "other_files:", prediction.get("other_files"))
    lbm = predict(*paths(os.path.join(INPUTS, "lbm"), ("main.cu", "kernels.cu")), "-DREAL=float")
    check(launches(lbm) == {"collide": (8192, 128, 100, "lbm::Cell", 4)}, launches(lbm))


def program_run(folder, files, executable):
    """The files as one text, in which each has its own blocks_for()."""
    text = ""
    for number, path in enumerate(files):
        with open(path, encoding="utf-8") as file:
            text += "#undef BLOCK\n#define blocks_for blocks_for_%d\n%s\n#undef blocks_for\n" % (number, file.read())
    for name in os.listdir(folder):
        if name.endswith(".h"):
            with open(os.path.join(folder, name), "r+", encoding="utf-8") as file:
                header = host_cuda.launches_rewrite(file.read())
                file.seek(0)
                file.write(header)
                file.truncate()
    whole = os.path.join(folder, "whole.cu")
    with open(whole, "w", encoding="utf-8") as file:
        file.write(text)
    said = host_cuda.compile_program(whole, executable, ["-I", folder])
    check(not said, files, "does not compile:", said)
    return host_cuda.run_program(executable) if not said else (1, "")


def check_rewritten(folder):
    executable = os.path.join(folder, "program")
    shutil.copytree(os.path.join(ROOT, INPUTS), os.path.join(folder, "original"))
    original = program_run(os.path.join(folder, "original"), paths(os.path.join(folder, "original")), executable)
    check(original[0] == 0 and "3" in original[1], "the original prints", original)
    for layout in ("soa", "asta", "aosa"):
        out = os.path.join(folder, layout)
        os.mkdir(out)
        ran = coalesce("rewrite", *paths(INPUTS), "--layout", layout, "-o", os.path.join(out, "main.cu"), "-q", *["--no-compile"] * (layout != "soa"))
        written = sorted(os.listdir(out))
        check(ran.returncode == 0, layout, "ends with", ran.returncode, ran.stderr)
        check(written == ["energy_%s.cu" % layout, "main.cu", "particle_%s.h" % layout, "push_%s.cu" % layout], layout, "writes", written)
        if ran.returncode == 0:
            files = paths(out, ("main.cu", "push_%s.cu" % layout, "energy_%s.cu" % layout))
            check(program_run(out, files, executable) == original, layout, "prints something else than the original")


def check_in_place(folder):
    copy = os.path.join(folder, "in_place")
    shutil.copytree(os.path.join(ROOT, INPUTS), copy)
    ran = coalesce("rewrite", *paths(copy), "--layout", "soa", "--in-place", "-q", "--no-compile")
    check(ran.returncode == 0, "--in-place ends with", ran.returncode, ran.stderr)
    for name in FILES[1:] + ("particle.h",):
        with open(os.path.join(copy, name), encoding="utf-8") as file:
            text = file.read()
        check("float *p_x" in text and "blocks_for_" not in text, name, "in place:", text)
    again = predict(*paths(copy), "--group", "p_x,p_y,p_z,p_vx,p_vy,p_vz,p_mass")
    check([kernel["written"] for kernel in again["kernels"] if "pack_" not in kernel["name"]] == ["soa", "soa"], "in place:", again["kernels"])


def check_instances(folder):
    """An instance that --kernel names is made of a template of any of the files."""
    other = os.path.join(folder, "scale.cu")
    with open(other, "w", encoding="utf-8") as file:
        file.write("template <typename T> __global__ void scale(T *p, int n)\n{\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                   "    if (i < n) p[i] *= 2;\n}\n")
    prediction = predict(os.path.join(INPUTS, "push.cu"), other, "--kernel", "scale<float>", "--grid", "16", "--block", "256", "--arg", "n=4096")
    check([kernel["name"] for kernel in prediction["kernels"]] == ["scale<float>"], "instances:", prediction["kernels"])


def check_errors(folder):
    other = os.path.join(folder, "other.cu")
    with open(other, "w", encoding="utf-8") as file:
        file.write("int main() { return 0; }\n")
    for words, status, message in (((*paths(INPUTS), other), 1, "other.cu:1:5: error: conflicting types for 'main': tests/inputs/several/main.cu defines it too"),
                                   ((INPUTS + "/main.cu", INPUTS + "/none.cu"), 1, "none.cu: error: No such file or directory"),
                                   ((INPUTS + "/push.cu", INPUTS + "/push.cu"), 2, "is given twice"),
                                   ((INPUTS + "/particle.h", other), 1, "no kernel (__global__ function) in these files")):
        ran = coalesce("predict", *words)
        check(ran.returncode == status and message in ran.stderr and ran.stdout == "", words, ran.returncode, ran.stderr)


def main():
    check_predictions()
    with tempfile.TemporaryDirectory() as folder:
        check_rewritten(folder)
        check_in_place(folder)
        check_instances(folder)
        check_errors(folder)
    print("\n".join(errors) if errors else "predicted, rewritten and run as one program")
    return 1 if errors else 0


sys.exit(main())
