#!/usr/bin/env python3
"""Compilers that crash, take too much, hang, or say nothing end in words and exit status 1, soon.

needs: nvcc
"""
import os
import stat
import subprocess
import sys
import tempfile
import time

ROOT, PROGRAM = os.environ["ROOT"], os.environ["COALESCE"]
SECONDS_MOST = 150
KERNEL = """struct rec { float x, y, z; };
__global__ void %(name)s(rec *r, int n) { %(body)s int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) r[i].x += r[i].y; }
int main() { int n = 1 << 16; rec *r; cudaMalloc(&r, n * sizeof(rec)); %(name)s<<<n / 256, 256>>>(r, n); }
"""
# Seconds of work for any compiler: each assertion walks 100,000 steps.
SLOW = "constexpr int walk(int n) { int s = 0; for (int i = 0; i < 100000; i++) s += i & n; return s; }\n" + "".join(
    "static_assert(walk(%d) >= 0, \"\");\n" % n for n in range(40))
NVCC = ["--compiler", "nvcc"]
# name, script of a stand-in for nvcc, options, what must be said
STAND_INS = (
    ("hangs", "exec sleep 1000", ["--limit-seconds", "5"], "hangs: it did not work for 5 s"),
    ("works for ever", "while :; do :; done", ["--limit-seconds", "1"], "took more than 1 s of processor time (--limit-seconds)"),
    ("says nothing", "exit 3", [], "nvcc failed: it printed nothing"),
    ("writes nothing", "exit 0", [], "wrote no PTX, though it says that all went well"),
    ("crashes", "kill -SEGV $$", [], "nvcc"),
    ("writes no PTX", "echo this is no ptx >variants.ptx; echo x >variants.cubin", [], "variants.ptx"),
)
errors = []


def run(folder, words, **more):
    begin = time.monotonic()
    done = subprocess.run([PROGRAM] + words, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          errors="replace", check=False, env=dict(os.environ, XDG_CACHE_HOME=os.path.join(folder, "cache"), **more))
    return done, time.monotonic() - begin


def expect(what, done, seconds, statuses, words=""):
    if done.returncode not in statuses or words not in done.stderr or seconds > SECONDS_MOST:
        errors.append("%s: exit status %d after %.0f s\n%s" % (what, done.returncode, seconds, done.stderr[-2000:]))


def write(folder, name, text):
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def toolkit_make(folder, real, script):
    """The real toolkit, but for nvcc."""
    where = tempfile.mkdtemp(dir=folder)
    os.mkdir(os.path.join(where, "bin"))
    for name in os.listdir(real):
        if name != "bin":
            os.symlink(os.path.join(real, name), os.path.join(where, name))
    os.chmod(write(where, "bin/nvcc", "#!/bin/sh\n%s\n" % script), stat.S_IRWXU)
    return where


def stand_ins(folder, real):
    source = write(folder, "a.cu", KERNEL % {"name": "move", "body": ""})
    for name, script, options, words in STAND_INS:
        done, seconds = run(folder, ["predict", source] + NVCC + options, COALESCE_CUDA=toolkit_make(folder, real, script))
        expect("nvcc that " + name, done, seconds, (1,), words)


def heavy(folder):
    long_name = write(folder, "long.cu", KERNEL % {"name": "k" * 100000, "body": ""})
    aligned = write(folder, "aligned.cu", KERNEL % {"name": "move", "body": "__shared__ int s; struct alignas(1 << 28) wide { int a; }; wide w; w.a = n; s = w.a; n = s;"})
    done, seconds = run(folder, ["predict", long_name, "-q"])
    expect("a long name", done, seconds, (0, 1))
    done, seconds = run(folder, ["predict", aligned, "-q", "--limit-seconds", "20", "--limit-memory", "2048"])
    expect("a large alignment", done, seconds, (0, 1))
    slow = write(folder, "slow.cu", SLOW + KERNEL % {"name": "move", "body": ""})
    done, seconds = run(folder, ["predict", slow, "-q", "--limit-seconds", "0.5"])
    expect("a limit of 0.5 s", done, seconds, (1,), "took more than 0.5 s of processor time (--limit-seconds)")
    for option in (["--limit-seconds", "0"], ["--limit-memory", "1"], ["--limit-seconds", "x"]):
        done, seconds = run(folder, ["predict", long_name] + option)
        expect(" ".join(option), done, seconds, (2,), option[0] + " takes a number")


def main():
    real = subprocess.run([os.path.join(ROOT, "tools", "setup"), "--nvcc"], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    with tempfile.TemporaryDirectory() as folder:
        stand_ins(os.path.realpath(folder), os.path.dirname(os.path.dirname(os.path.realpath(real))))
        heavy(folder)
    for error in errors:
        print(error, file=sys.stderr)
    return 1 if errors else 0


sys.exit(main())
