#!/usr/bin/env python3
"""nvcc builds measuring programs from what `coalesce bundle` writes and nothing else, and gives every kernel the registers that the prediction says. Here, where
there may be no GPU, a built program ends with status 3 and prints nothing, or measures.

needs: nvcc
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

COALESCE, ROOT = os.environ["COALESCE"], os.environ["ROOT"]
# The last one has kernels with barriers, and macros of the command line that our own code must not see.
CASES = [("idw.cu", []), ("3mm.cu", ["-DN=512", "--group", "A,B,C,D,E,F,G"]), ("rdf.cu", ["-DN=4096", "-Dkernel=renamed", "-Dvalues=1"])]
errors = []


def check(condition, *what):
    if not condition:
        errors.append(" ".join(str(part) for part in what))
    return condition


def run(*command, **more):
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=600, **more)


def registers_built(program):
    """(namespace number, kernel) -> registers, from the machine code."""
    listing = run("cuobjdump", "-res-usage", program).stdout
    found = re.findall(r"Function _ZN\d+coalesce_(\d+)E?(\w+?):?\n\s*REG:(\d+)", listing)
    return {(int(unit), name): int(registers) for unit, name, registers in found}


def registers_predicted(source, options):
    result = run(COALESCE, "predict", source, *options, "--json", "-q")
    check(result.returncode == 0, "predict:", result.stderr)
    return [(kernel["name"], row["registers"]) for kernel in json.loads(result.stdout)["kernels"] for row in kernel["layouts"]]


def case_check(name, options, folder):
    source = os.path.join(ROOT, "benchmarks", name)
    made = run(COALESCE, "bundle", source, *options, "-o", folder)
    if not check(made.returncode == 0, name, "bundle:", made.stderr):
        return
    files = sorted(os.listdir(folder))
    check(files == ["Makefile", "measure.cu"], name, "files", files)
    built = run("make", "-C", folder, "measure")
    if not check(built.returncode == 0, name, "nvcc:", built.stderr[-3000:]):
        return
    program = os.path.join(folder, "measure")
    result = run(program, "--quick")
    check(result.returncode in (0, 3) and (result.returncode == 0) == bool(result.stdout), name, "ends with", result.returncode, result.stderr)
    if shutil.which("cuobjdump"):
        built = registers_built(program)
        predicted = registers_predicted(source, options)
        check(len(predicted) >= 4, name, "has predictions of", len(predicted), "rows alone")
        for kernel, registers in predicted:
            have = {value for (_, mangled), value in built.items() if mangled.startswith("%d%s" % (len(kernel), kernel))}
            check(registers in have, name, kernel, "has", have, "registers, predicted", registers)


def main():
    if shutil.which("make") is None:
        return 77
    with tempfile.TemporaryDirectory() as folder:
        for number, (name, options) in enumerate(CASES):
            case_check(name, options, os.path.join(folder, str(number)))
    print("\n".join(errors) if errors else "%d measuring programs built" % len(CASES))
    return 1 if errors else 0


sys.exit(main())
