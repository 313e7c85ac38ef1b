#!/usr/bin/env python3
"""What `coalesce rewrite` writes, and where: a file that nvcc takes, a patch, the file itself, or nothing.

needs: nvcc
"""
import os
import re
import stat
import subprocess
import sys
import tempfile

ROOT = os.environ["ROOT"]
COALESCE = os.environ["COALESCE"]
PROGRAM = """#include "parts/pair.h"
#ifndef GIVEN
#error "GIVEN is a flag of the user's"
#endif

__global__ void halve(pair *p)
{
	p[threadIdx.x].a = p[threadIdx.x].b / half;
}

int main()
{
	pair *p;

	cudaMalloc(&p, 32 * sizeof(pair));
	halve<<<1, 32>>>(p);
	cudaFree(p);
	return 0;
}
"""
failures = []


def check(right, *what):
    if not right:
        failures.append(" ".join(map(str, what)))
    return right


def rewrite(*arguments, cwd=ROOT, environment=None):
    done = subprocess.run([COALESCE, "rewrite", *arguments], cwd=cwd, capture_output=True, check=False, env=dict(os.environ, **(environment or {})))
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def read(path):
    with open(path, encoding="utf-8", newline="") as stream:
        return stream.read()


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8", newline="") as stream:
        stream.write(text)


def patched(text, patch):
    """Applies a unified patch, each line of which must be what the text holds there."""
    lines, result, at = text.splitlines(True), [], 0
    for line in re.findall(r"[^\n]*\n", patch)[2:]:
        hunk = re.match(r"@@ -(\d+),(\d+) ", line)
        if hunk:
            begin = int(hunk.group(1)) - (hunk.group(2) != "0")
            result += lines[at:begin]
            at = begin
        elif line[0] == "+":
            result.append(line[1:])
        else:
            check(lines[at] == line[1:], "the patch has", line, "where the text has", lines[at])
            result += [lines[at]] if line[0] == " " else []
            at += 1
    return "".join(result + lines[at:])


def check_patches(folder):
    """A patch makes of the file what -o writes; it needs no compiler to be right."""
    for name in ("members", "windows_text", "header_record", "streams"):
        source = os.path.join(ROOT, "tests/golden/rewrite", name + ".cu")
        target = os.path.join(folder, name + ".cu")
        status, patch, errors = rewrite(source, "--layout", "asta", "--diff", "--no-compile")
        check(status == 0 and patch.startswith(f"--- {source}\n+++ {source}\n@@ "), name, "--diff:", patch[:200], errors)
        status, _, errors = rewrite(source, "--layout", "asta", "-o", target, "--no-compile")
        check(status == 0 and patched(read(source), patch) == read(target), name, "the patch is not what -o writes", errors)
    status, patch, errors = rewrite(os.path.join(ROOT, "benchmarks/nbody.cu"), "--layout", "aos", "--diff")
    check((status, patch) == (0, ""), "a patch that changes nothing:", patch, errors)


def check_compiled(folder):
    """The user's flags and the headers beside the file are the compiler's, from whatever folder."""
    path = os.path.join(folder, "project", "main.cu")
    write(path, PROGRAM)
    write(os.path.join(folder, "project", "parts", "pair.h"), "struct pair {\n\tfloat a, b;\n};\n#include <number.h>\n")
    write(os.path.join(folder, "include", "number.h"), "#define half 2\n")
    os.chmod(path, 0o640)
    flags = ["-DGIVEN", "-I", "../include"]
    status, wanted, errors = rewrite("main.cu", "--layout", "soa", "-o", "-", "--no-compile", *flags, cwd=os.path.dirname(path))
    if not check(status == 0 and "p_a" in wanted, "--no-compile:", errors):
        return
    status, out, errors = rewrite("main.cu", "--layout", "soa", "--in-place", *flags, cwd=os.path.dirname(path))
    check((status, out) == (0, ""), "--in-place:", out, errors)
    check(read(path) == wanted, "--in-place writes something else than -o")
    check(stat.S_IMODE(os.stat(path).st_mode) == 0o640, "--in-place changes the file's mode")
    check(sorted(os.listdir(os.path.dirname(path))) == ["main.cu", "parts"], "--in-place leaves files behind")


def check_styles(folder):
    """One struct with a pointer for each member, compiled."""
    source, target = os.path.join(ROOT, "tests/golden/rewrite_struct/particles.cu"), os.path.join(folder, "styles.cu")
    texts = []
    for style in ("pointers", "struct"):
        status, _, errors = rewrite(source, "--layout", "soa", "--style", style, "-o", target)
        if not check(status == 0, "--style", style, errors):
            return
        texts.append(read(target))
    check("float *p_x" in texts[0] and "float *p_x" not in texts[1], "the styles are alike")


def main():
    with tempfile.TemporaryDirectory() as folder:
        check_patches(folder)
        check_compiled(folder)
        check_styles(folder)
    print("\n".join(failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
