#!/usr/bin/env python3
"""No input crashes or hangs the front end: files cut at random places or with bytes changed, deep nesting, very long files, junk.

needs: nvcc

Each input must end within its time with status 0, or 1 and an error at a place; never with a bug's status or a signal. None may
take more than a gigabyte of memory.
"""
import glob
import os
import random
import re
import resource
import subprocess
import sys
import tempfile

PROGRAM, ROOT = os.environ["COALESCE"], os.environ["ROOT"]
SANITIZED = b"__asan_init" in open(PROGRAM, "rb").read()
failures = []
LEAST_ANALYSED = 40
analysed = []


def run(name, data, limit=150):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, name + ".cu")
        with open(path, "wb") as stream:
            stream.write(data)
        process = subprocess.Popen([PROGRAM, "predict", path, "--dump=kernel,affine"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            out, err = process.communicate(timeout=limit * (4 if SANITIZED else 1))
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            failures.append(f"{name}: not done after {limit} s")
            return
    err = err.decode(errors="replace")
    if process.returncode == 0 and out:
        analysed.append(name)
    if process.returncode not in (0, 1) or "internal error" in err:
        failures.append(f"{name}: status {process.returncode}\n{err[-500:]}")
    elif process.returncode == 1 and not re.search(r"\.cu(:\d+:\d+)?: error: ", err):
        failures.append(f"{name}: status 1 without an error\n{err[-500:]}")


def kernel(body, parameters="int *a, int n"):
    return f"__global__ void k({parameters}) {{\n{body}\n}}\n".encode()


def nest():
    """Nesting and length, each far beyond what programs have."""
    yield "parentheses", kernel("a[0] = " + "(" * 10000 + "1" + ")" * 10000 + ";")
    yield "parentheses_allowed", kernel("a[0] = " + "(" * 1000 + "1" + ")" * 1000 + ";")
    yield "blocks", kernel("{" * 1000 + "a[1] = 0;" + "}" * 1000)
    yield "loops", kernel("".join(f"for (int i{j} = 0; i{j} < n; i{j}++) " for j in range(240)) + "a[i3] = 0;")
    yield "branches", kernel("".join(f"if (n > {j}) " for j in range(2000)) + "a[n] = 0;")
    yield "else_branches", kernel("".join(f"if (n == {j}) a[{j}] = n; else " for j in range(1000)) + "a[n] = 0;")
    yield "sum", kernel("a[0] = " + " + ".join(["a[n]"] * 5000) + ";")
    yield "conditionals", kernel("a[0] = " + "".join(f"n == {j} ? {j} : " for j in range(2000)) + "0;")
    yield "squares", kernel("int x = n;" + "x = x * x + x;" * 100 + "a[x] = 0;")
    yield "selections", kernel("int x = n;" + "".join(f"if (n > {j}) x += {j};" for j in range(1000)) + "a[x] = 0;")
    yield "calls", ("__device__ int f0(int i) { return i; }\n" + "".join(
        f"__device__ int f{j}(int i) {{ return f{j - 1}(i) + f{j - 1}(i + 1); }}\n" for j in range(1, 40))).encode() + kernel("a[f39(n)] = 0;")
    yield "records", ("struct s0 { int a; };\n" + "".join(f"struct s{j} {{ s{j - 1} a, b; }};\n" for j in range(1, 20))).encode() + kernel(
        "p[0] = p[1];", "s19 *p")
    yield "kernels", "".join(f"__global__ void k{j}(int *a, int n) {{ a[n * {j}] = a[threadIdx.x]; }}\n" for j in range(1000)).encode()
    yield "empty", b""
    yield "zeros", b"\0" * 1000


def lines(count, text):
    """The text for each number below count, @ standing for the number."""
    return "".join(text.replace("@", str(j)) for j in range(count))


def host(body):
    return kernel("a[n] = 1;") + ("int main(int c, char **v) {\nint *a;\n" + body + "}\n").encode()


def many():
    """Ten thousands of each thing: what takes a second here takes minutes where a list is searched for each of its members."""
    yield "many_kernels", lines(8000, "__global__ void k@(int *a, int n) { a[n * @] = a[threadIdx.x]; }\n").encode()
    yield "many_launches", host(lines(20000, "k<<<@ + 1, 32>>>(a, @);\n"))
    yield "many_notes", kernel(lines(15000, "a[a[@] / 3 + __clz(n)] = @;\n"))
    yield "many_errors", kernel("a[n] = 1;") + lines(10000, "undeclared@ x@;\n").encode()
    yield "many_returns", ("__device__ int f(int i) {" + lines(3000, "if (i == @) return @ * 7;\n") + "return 0; }\n").encode() + kernel("a[f(n)] = 1;")
    yield "many_cases", kernel("switch (n) {" + lines(10000, "case @: a[@] = n; break;\n") + "}")
    yield "many_host_cases", host("int x = 0; switch (c) {" + lines(4000, "case @: x += @; k<<<1, x>>>(a, 1);\n") + "} k<<<x, 1>>>(a, x);")
    yield "many_members", ("struct s {" + lines(3000, "float m@;") + "};\n").encode() + kernel(lines(3000, "p[n].m@ = p[n + 1].m@;"), "s *p, int n")
    yield "many_arrays", kernel(lines(1000, "a@[threadIdx.x] = n;\n"), lines(1000, "int *a@, ") + "int n")
    yield "many_variables", kernel(lines(5000, "int v@ = @;") + "for (int i = 0; i < n; i++) {" + lines(5000, "v@ += @; a[v@] = 1;\n") + "}")
    yield "many_loops", kernel(lines(4000, "for (int i = 0; i < n; i++) a[i + @] = 1;\n"))
    yield "many_host_loops", host(lines(1000, "for (int i = 0; i < 1000; i++) k<<<1, 1>>>(a, i);\n"))
    yield "many_calls", b"__device__ int f(int *a, int i) { int s = 0; for (int j = 0; j < i; j++) s += a[j]; return s; }\n" + kernel(
        lines(4000, "a[@] = f(a, n + @);\n"))
    yield "many_instances", b"template <int N> " + host(lines(1500, "k<@><<<1, 32>>>(a, @);\n"))
    yield "long_initialiser", ("__constant__ int t[] = {" + lines(100000, "@, ") + "};\n").encode() + kernel("a[t[n]] = 0;")
    yield "long_macros", ("#define M0(x) ((x) + 1)\n" + "".join(f"#define M{j}(x) M{j - 1}((x) + {j})\n" for j in range(1, 150))).encode() + kernel("a[M149(n)] = 0;")
    yield "repeated_macros", ("#define M0 a[n] += 1;\n" + "".join(f"#define M{j} M{j - 1} M{j - 1}\n" for j in range(1, 14))).encode() + kernel("M13")
    yield "nested_host_loops", host(lines(30, "for (int i@ = 0; i@ < 10; i@++) ") + "k<<<1, 1>>>(a, i0);")
    yield "endless_host_loops", host("for (long i = 0; i < 1l << 60; i++) for (long j = i; j != -1; j++) k<<<1, 1>>>(a, j); while (1) k<<<2, 2>>>(a, 1);")


def main():
    generator = random.Random(1)
    for name, data in list(nest()) + list(many()):
        run(name, data)
    run("lines", kernel("\n".join(f"\tint i{j} = n + {j}; if (i{j} < n) a[i{j} * 2] = a[i{j}];" for j in range(100000))), 90)
    for i in range(5):
        run(f"junk{i}", bytes(generator.randrange(256) for _ in range(3000)))
    inputs = sorted(glob.glob(os.path.join(ROOT, "tests/golden/kernel/*.cu")) + glob.glob(os.path.join(ROOT, "benchmarks/*.cu")))
    for i in range(60):
        path = generator.choice(inputs)
        data = bytearray(open(path, "rb").read())
        if i % 2:
            data = data[:generator.randrange(len(data))]
        else:
            for _ in range(3):
                data[generator.randrange(len(data))] = generator.choice(b"(){}[];,*&<>=+-.0aA\"'#\\\n")
        run(f"cut{i}_{os.path.basename(path)[:-3]}", bytes(data))
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    if peak > 1 << 20 and not SANITIZED:
        failures.append(f"{peak >> 10} MiB of memory")
    if len(analysed) < LEAST_ANALYSED:
        failures.append(f"only {len(analysed)} files were analysed: {' '.join(analysed)}")
    for failure in failures:
        print(failure)
    print(f"{len(analysed)} files analysed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
