#!/usr/bin/env python3
"""Commands that README.md and docs/ name outside of ```console blocks (which tests/run runs): each is run in a folder with files of the names that it uses, and ends
as it should; those that need a GPU say so. The C and Python examples of docs/library.md are compiled and run. A command that is not known here is a failure.

needs: nvcc
"""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

PROGRAM, ROOT = os.environ["COALESCE"], os.environ["ROOT"]
KERNEL = """struct P { float x, y, z, w; };
__global__ void move(P *p, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[i].x += p[i].y; }
"""
MAIN = "int main() { P *p; cudaMalloc(&p, sizeof(P) << 20); move<<<4096, 256>>>(p, 1 << 20); }\n"
ARGUMENTS = """#include <cstdlib>
int main(int, char **words) { int n = atoi(words[1]); P *p; cudaMalloc(&p, n * sizeof(P)); for (int s = 0; s < atoi(words[2]); s++) move<<<(n + 255) / 256, 256>>>(p, n); }
"""
ARRAYS = """__global__ void add(const float *x, const float *y, const float *z, float *sum, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) sum[i] = x[i] + y[i] + z[i]; }
int main() { float *x, *y, *z, *s; size_t b = 4 << 20; cudaMalloc(&x, b); cudaMalloc(&y, b); cudaMalloc(&z, b); cudaMalloc(&s, b); add<<<4096, 256>>>(x, y, z, s, 1 << 20); }
"""
WHOLE = {"my.cu": KERNEL + MAIN}
TWO = {"p.h": "#pragma once\n" + KERNEL.split("\n")[0], "main.cu": '#include "p.h"\n__global__ void move(P *p, int n);\n' + MAIN,
       "kernels.cu": '#include "p.h"\n' + KERNEL.split("\n")[1]}
SUITE = {"SUITE.json": '{"schema": "coalesce/suite/1", "machine": "h200", "cases": [{"id": "one", "group": "g", "file": "my.cu", "size": "-", "options": []}]}', **WHOLE}
NO_GPU = "no GPU"
# What a command needs in its folder, and what else is said of it: a word that is put for another one, or that it needs a GPU.
KNOWN = {
    "build/coalesce predict my.cu": (WHOLE, {}),
    "build/coalesce predict my.cu -- 65536 100": ({"my.cu": KERNEL + ARGUMENTS}, {}),
    "coalesce predict main.cu -- 65536 100": ({"main.cu": KERNEL + ARGUMENTS}, {}),
    "coalesce predict main.cu solver.cu -lm --observe -- 65536 100": ({"main.cu": KERNEL + ARGUMENTS, "solver.cu": "__global__ void unused(float *x)\n{\n\tx[0] = 1;\n}\n"}, {}),
    "coalesce rewrite main.cu --layout soa -o main_soa.cu --check -- 65536 100": ({"main.cu": KERNEL + ARGUMENTS}, {}),
    "coalesce predict main.cu --check -- 65536 100": ({"main.cu": KERNEL + ARGUMENTS}, {}),
    "build/coalesce predict main.cu kernels.cu": (TWO, {}),
    "coalesce predict main.cu kernels.cu": (TWO, {}),
    "build/coalesce predict my.cu --grid 4096 --block 256 --arg n=1M": ({"my.cu": KERNEL}, {}),
    "build/coalesce predict my.cu --group x,y,z": ({"my.cu": ARRAYS}, {}),
    "build/coalesce rewrite my.cu --layout soa -o new.cu": (WHOLE, {}),
    "build/coalesce doctor": ({}, {}),
    "coalesce predict  FILE.cu [options]": (WHOLE, {"FILE.cu": "my.cu", "[options]": "-q"}),
    "coalesce rewrite  FILE.cu --layout L -o OUT.cu": (WHOLE, {"FILE.cu": "my.cu", "L": "soa"}),
    "coalesce bundle   FILE.cu -o DIR": (WHOLE, {"FILE.cu": "my.cu"}),
    "coalesce measure  FILE.cu -o FILE.json": (WHOLE, {"FILE.cu": "my.cu", NO_GPU: "1"}),
    "coalesce compare  FILE.cu --measured FILE.json": ({}, {"FILE.cu": ROOT + "/benchmarks/idw.cu", "FILE.json": ROOT + "/benchmarks/measured/nvidia-h200.json --case idw-16k"}),
    "coalesce batch    SUITE.json": (SUITE, {}),
    "coalesce calibrate -o MACHINE.json": ({}, {NO_GPU: "1"}),
    "coalesce tune     FILE.cu [options]": (WHOLE, {"FILE.cu": "my.cu", "[options]": "--budget 2 -q"}),
    "coalesce diff     OLD NEW": (TWO, {"OLD": "kernels.cu --grid 4096 --block 256 --arg n=1M", "NEW": "kernels.cu"}),
    "coalesce ptx      FILE.ptx or FILE.cubin": ({}, {"FILE.ptx": ROOT + "/tests/golden/ptx/atomics.ptx", "or": "", "FILE.cubin": ""}),
    "coalesce machines [NAME]": ({}, {"[NAME]": "h200"}),
    "coalesce doctor": ({}, {}),
    "coalesce calibrate -o machines/NAME.json": ({}, {NO_GPU: "1"}),
    "coalesce calibrate --bundle calibration": ({}, {}),
    "coalesce calibrate --from results.json -o machines/NAME.json": ({}, {"results.json": ROOT + "/benchmarks/measured/calibration-h200.json", "machines/NAME.json": "NAME.json"}),
    "coalesce machines machines/NAME.json": ({}, {"machines/NAME.json": ROOT + "/machines/h200.json"}),
    "coalesce predict benchmarks/idw.cu --machine NAME": ({}, {"benchmarks/idw.cu": ROOT + "/benchmarks/idw.cu", "NAME": "h200"}),
    "coalesce batch SUITE.json --shard 3/8 --json >part-3.json": (SUITE, {}),
    "coalesce batch --merge part-*.json": ({}, {"part-*.json": ROOT + "/tests/golden/batch/figures.json"}),
    "coalesce batch SUITE.json --resume finished": (SUITE, {}),
}
errors = []


def check(condition, *what):
    if not condition:
        errors.append(" ".join(str(part) for part in what))


def commands():
    """The indented lines of the pages that begin with the program, without what is said beside them, and where."""
    pages = [os.path.join(ROOT, "README.md")] + sorted(glob.glob(os.path.join(ROOT, "docs/*.md")))
    for page in pages:
        with open(page, encoding="utf-8") as stream:
            inside = False
            for number, line in enumerate(stream, 1):
                inside = inside != line.startswith("```")
                found = not inside and re.match(r"    ((?:build/)?coalesce .*)", line)
                if found:
                    yield "%s:%d" % (os.path.relpath(page, ROOT), number), found[1].rstrip()


def known(command):
    """The longest command that the line begins with, where a gap or the line's end follows it."""
    fits = [own for own in KNOWN if command == own or command.startswith(own + "  ")]
    return max(fits, key=len) if fits else None


def run_command(where, command):
    files, instead = KNOWN[command]
    words = [instead.get(word, word) for word in command.split()]
    line = " ".join(["'%s'" % PROGRAM] + words[1:])
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            with open(os.path.join(folder, name), "w", encoding="utf-8") as stream:
                stream.write(text)
        os.makedirs(os.path.join(folder, "machines"))
        done = subprocess.run(line, shell=True, cwd=folder, capture_output=True, text=True, check=False)
    if NO_GPU in instead and done.returncode != 0:
        check(done.returncode == 3 and re.search("GPU|driver|device", done.stderr), where, command, "does not say that it needs a GPU:", done.returncode, done.stderr)
        return
    check(done.returncode == 0, where, command, done.returncode, done.stderr)


def library_examples():
    with open(os.path.join(ROOT, "docs/library.md"), encoding="utf-8") as stream:
        c, python = [re.search(r"```%s\n(.*?)```" % language, text, re.S)[1] for text in [stream.read()] for language in ("c", "python")]
    lib = os.path.join(os.path.dirname(PROGRAM), "lib")
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(os.path.join(ROOT, "benchmarks/nbody.cu"), folder)
        with open(os.path.join(folder, "core.c"), "w", encoding="utf-8") as stream:
            stream.write('#include "coalesce.h"\n#include <stdio.h>\nint main(void) {\n%s\nreturn 0; }\n' % c)
        built = subprocess.run(["cc", "-I" + os.path.join(ROOT, "library"), "core.c", "-L" + lib, "-l:libcoalesce.so.1", "-Wl,-rpath," + lib, "-o", "core"],
                               cwd=folder, capture_output=True, text=True, check=False)
        check(built.returncode == 0, "docs/library.md: the C example:", built.stderr)
        done = subprocess.run(["./core"], cwd=folder, capture_output=True, text=True, check=False) if built.returncode == 0 else None
        check(done is None or (done.returncode == 0 and ", 1." in done.stdout.split("\n")[0] and '"schema"' in done.stdout), "docs/library.md: the C example prints", done and done.stdout[:200], done and done.stderr)
    compile(python, "docs/library.md", "exec")


def main():
    number = 0
    for where, line in commands():
        command = known(line)
        check(command, where, "is not run by any test:", line)
        if command:
            run_command(where, command)
            number += 1
    check(number >= 25, "only", number, "commands found")
    library_examples()
    print("\n".join(errors) if errors else "%d commands" % number)
    return 1 if errors else 0


sys.exit(main())
