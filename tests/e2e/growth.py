#!/usr/bin/env python3
"""Own processor time and memory grow in proportion to the input, and -v accounts for the time.

    growth.py [NAME...]     the programs named alone: see PROGRAMS

Each generated program is predicted at two sizes, one twice the other. Compared is the processor time of `ourselves` (-v), the
smallest of several runs, and the largest resident memory. A program that grows with the square needs four times as much. A busy
machine and a slow one are both measured by a program of one launch: limits in seconds grow with what it takes.

needs: nvcc
"""
import os
import re
import subprocess
import sys
import tempfile

PROGRAM = os.environ.get("COALESCE", "build/coalesce")
RATIO, SLACK, TRIES = 3.2, 0.15, 6  # of time at twice the size; seconds that do not count; runs of which the fastest counts
SMALLEST = 0.04  # seconds of our own that a program of one launch takes on an idle core
MEMORY_RATIO, MEMORY_MB = 2.5, 1024
NAMED = 0.9  # of all processor time beyond SLACK, which child processes take to begin and to end
INDEX = "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
RECORD = "struct rec { float x, y, z; };\n"
COPY = RECORD + "__global__ void copy(const rec *r, float *o, int n) {\n" + INDEX + "  if (i < n) o[i] = r[i].x;\n}\n"


def host(launches, size="1 << 16", more=""):
    return ("int main() {\n  int n = %s; rec *r; float *o;\n  cudaMalloc(&r, n * sizeof(rec)); cudaMalloc(&o, n * sizeof(float));\n%s%s  cudaDeviceSynchronize();\n}\n"
            % (size, more, launches))


def kernels(n):
    text = ["__global__ void k%d(const rec *r, float *o, int n) {\n%s  if (i < n) o[i] = r[i].x * %d.f;\n}\n" % (k, INDEX, k) for k in range(n)]
    return RECORD + "".join(text) + host("".join("  k%d<<<n / 256, 256>>>(r, o, n);\n" % k for k in range(n)))


def launches(n):
    return COPY + host("".join("  copy<<<%d, %d>>>(r, o, n);\n" % (k % 640 + 1, 32 + k % 480) for k in range(n)))


def equal_launches(n):
    return COPY + host("  copy<<<n / 256, 256>>>(r, o, n);\n" * n)


def cases(n):
    text = "".join("  case %d: v = r[i].x * %d.f + r[i].%s; break;\n" % (k, k * 7 % 97, "xyz"[k % 3]) for k in range(n))
    kernel = "__global__ void choose(const rec *r, const int *w, float *o, int n) {\n%s  if (i >= n) return;\n  float v = 0;\n  switch (w[i]) {\n%s  }\n  o[i] = v;\n}\n"
    return RECORD + kernel % (INDEX, text) + host("  choose<<<n / 256, 256>>>(r, w, o, n);\n", more="  int *w; cudaMalloc(&w, n * sizeof(int));\n")


def members(n):
    record = "struct rec { float %s; };\n" % ", ".join("m%d" % k for k in range(n))
    text = "".join("  s += r[i].m%d;\n" % k for k in range(n))
    return record + "__global__ void sum(const rec *r, float *o, int n) {\n%s  if (i >= n) return;\n  float s = 0;\n%s  o[i] = s;\n}\n" % (INDEX, text) + host("  sum<<<n / 256, 256>>>(r, o, n);\n")


def terms(n):
    text = " + ".join("r[i].%s" % "xyz"[k % 3] for k in range(n))
    return RECORD + "__global__ void add(const rec *r, float *o, int n) {\n%s  if (i < n) o[i] = %s;\n}\n" % (INDEX, text) + host("  add<<<n / 256, 256>>>(r, o, n);\n")


def arrays(n, of_each=100):
    kernels_text, main = [], []
    for first in range(0, n, of_each):
        names = ["a%d" % k for k in range(first, min(n, first + of_each))]
        kernels_text.append("__global__ void k%d(%s, float *o, int n) {\n%s  if (i < n) o[i] = %s;\n}\n" % (
            first, ", ".join("const float *" + name for name in names), INDEX, " + ".join(name + "[i]" for name in names)))
        main += ["  float *%s; cudaMalloc(&%s, n * sizeof(float));\n" % (name, name) for name in names]
        main.append("  k%d<<<n / 256, 256>>>(%s, o, n);\n" % (first, ", ".join(names)))
    return "".join(kernels_text) + "int main() {\n  int n = 1 << 16; float *o; cudaMalloc(&o, n * sizeof(float));\n%s}\n" % "".join(main)


def arrays_of_one_kernel(n):
    return arrays(n, n)


def straight(n):
    text = "".join("  v = v * r[i].%s + %d.f;\n" % ("xyz"[k % 3], k % 89) for k in range(n))
    return RECORD + "__global__ void line(const rec *r, float *o, int n) {\n%s  if (i >= n) return;\n  float v = 1;\n%s  o[i] = v;\n}\n" % (INDEX, text) + host("  line<<<n / 256, 256>>>(r, o, n);\n")


def unrolled(n):
    loops = "#pragma unroll\n  for (int a = 0; a < %d; a++)\n#pragma unroll\n    for (int b = 0; b < 100; b++)\n" % n
    return RECORD + "__global__ void nest(const rec *r, float *o, int n) {\n%s  if (i >= n) return;\n  float s = 0;\n%s      s += r[i + a * 100 + b].x * (a + b);\n  o[i] = s;\n}\n" % (INDEX, loops) + host("  nest<<<n / 256, 256>>>(r, o, n);\n")


def rows(n):
    return """__global__ void gemv(double **a, const double *x, double *y, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m) return;
  double s = 0;
  for (int j = 0; j < n; j++) s += a[i][j] * x[j];
  y[i] = s;
}
int main() {
  int m = %d, n = %d; double **a, *x, *y, **h = (double **)malloc(m * sizeof(double *));
  cudaMalloc(&a, m * sizeof(double *)); cudaMalloc(&x, n * sizeof(double)); cudaMalloc(&y, m * sizeof(double));
  for (int i = 0; i < m; i++) cudaMalloc(&h[i], n * sizeof(double));
  cudaMemcpy(a, h, m * sizeof(double *), cudaMemcpyHostToDevice);
  gemv<<<(m + 255) / 256, 256>>>(a, x, y, m, n);
  cudaDeviceSynchronize();
}
""" % (n, n)


def deep_loops(n):
    loops = "".join("  for (int c%d = 0; c%d < n; c%d++)\n" % (k, k, k) for k in range(n))
    return RECORD + "__global__ void grind(const rec *r, float *o, int n) {\n%s  if (i < n)\n%s    o[i] += r[i].x;\n}\n" % (INDEX, loops) + host("  grind<<<n / 256, 256>>>(r, o, n);\n", "65536")


# The smaller size, and the most seconds that the larger one may take.
PROGRAMS = {launches: (100, 5), equal_launches: (200, 5), members: (150, 5), arrays: (300, 5), arrays_of_one_kernel: (150, 5),
            straight: (700, 5), terms: (800, 5), rows: (2048, 2), deep_loops: (10, 3)}
SLOW = {kernels: (100, 6), cases: (200, 6), unrolled: (4, 6), launches: (400, 10), members: (400, 10), arrays: (1000, 10), straight: (5000, 5)}


def predict(path):
    """Seconds of ourselves, of all that -v names and of all, by the processor, and the largest resident MB of any process."""
    with tempfile.TemporaryFile() as said:
        child = subprocess.Popen([PROGRAM, "predict", path, "-q", "-v"], stdout=subprocess.DEVNULL, stderr=said)
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        text = said.read().decode(errors="replace")
    line = re.search(r"^processor: libclang ([\d.]+) s, \w+ ([\d.]+) s, ourselves ([\d.]+) s", text, re.M)
    if child.returncode != 0 or not line:
        sys.exit("%s: exit %d\n%s" % (path, child.returncode, text))
    if "is left out" in text:
        sys.exit("%s: a layout is left out\n%s" % (path, text[-2000:]))
    tools = float(line[1]) + float(line[2])
    return float(line[3]), tools + float(line[3]), used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def slowness(folder):
    """How much longer than an idle core this machine takes now, at least 1."""
    path = os.path.join(folder, "smallest.cu")
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(launches(1))
    return max(1, min(predict(path)[0] for _ in range(2)) / SMALLEST)


def judge(name, small, large, most, slow):
    """What is wrong with the figures of a size and of twice that size, on a machine so much slower than an idle core."""
    errors = []
    if large[0] > RATIO * small[0] + SLACK * slow:
        errors.append("%s: %.2f s at one size, %.2f s at twice that: more than %g times" % (name, small[0], large[0], RATIO))
    if large[0] > most * slow:
        errors.append("%s: %.2f s of our own, more than %g" % (name, large[0], most * slow))
    if large[3] > MEMORY_RATIO * small[3] or large[3] > MEMORY_MB:
        errors.append("%s: %.0f MB at one size, %.0f MB at twice that" % (name, small[3], large[3]))
    if large[1] < NAMED * (large[2] - SLACK * slow):
        errors.append("%s: -v names %.2f s of %.2f s of processor time" % (name, large[1], large[2]))
    return errors


def program_check(folder, program, size, most):
    name, best, errors = program.__name__, [], []
    paths = [os.path.join(folder, "%s_%d.cu" % (name, s)) for s in (size, 2 * size)]
    for path, s in zip(paths, (size, 2 * size)):
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(program(s))
    for _ in range(TRIES):
        best.append([predict(path) for path in paths])
        fastest = [min(run[which] for run in best) for which in range(2)]
        errors = judge(name, *fastest, most, slowness(folder)) if len(best) > 1 else judge(name, *fastest, most, 1)
        if not errors:
            break
    print("%-22s %5d: %.2f s %4.0f MB   %5d: %.2f s %4.0f MB" % (name, size, fastest[0][0], fastest[0][3], 2 * size, fastest[1][0], fastest[1][3]))
    return errors


def main(programs):
    errors = []
    with tempfile.TemporaryDirectory() as folder:
        for program, (size, most) in programs.items():
            if len(sys.argv) < 2 or program.__name__ in sys.argv[1:]:
                errors += program_check(folder, program, size, most)
    print("\n".join(errors) if errors else "in proportion")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main(PROGRAMS))
