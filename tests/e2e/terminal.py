#!/usr/bin/env python3
"""On a terminal: colours unless NO_COLOR, TERM or --color say otherwise, lines no wider than it, progress for what takes over a second. Elsewhere none of that, and
at most 100 columns.

needs: nvcc
"""
import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import tempfile
import termios

PROGRAM, ROOT = os.environ["COALESCE"], os.environ["ROOT"]
ESCAPE = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
errors = []


def check(condition, *what):
    if not condition:
        errors.append(" ".join(str(part) for part in what))


def terminal_run(arguments, width, **environment):
    """Standard output and error, each on a terminal of its own."""
    ends = [pty.openpty() for _ in range(2)]
    for _, child in ends:
        fcntl.ioctl(child, termios.TIOCSWINSZ, struct.pack("HHHH", 50, width, 0, 0))
    merged = {name: value for name, value in {**os.environ, "TERM": "xterm", **environment}.items() if value is not None}
    process = subprocess.Popen([PROGRAM] + arguments, cwd=ROOT, env=merged, stdin=subprocess.DEVNULL, stdout=ends[0][1], stderr=ends[1][1])
    texts = []
    for _, child in ends:
        os.close(child)
    for parent, _ in ends:
        text = b""
        try:
            while block := os.read(parent, 65536):
                text += block
        except OSError:
            pass
        os.close(parent)
        texts.append(text.decode().replace("\r\n", "\n"))
    check(process.wait() == 0, arguments, "ends with", process.returncode, texts[1])
    return texts


def check_widths(arguments, width):
    for text in terminal_run(arguments, width):
        widest = max(len(line.split("\r")[-1]) for line in ESCAPE.sub("", text).split("\n"))
        check(widest <= min(width, 100), arguments, "on", width, "columns is", widest, "wide")
    plain = subprocess.run([PROGRAM] + arguments, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    check("\x1b" not in plain, arguments, "has colours in a pipe")
    check(max(len(line) for line in plain.split("\n")) <= 100, arguments, "is wider than 100 columns in a pipe")


def check_colours(arguments):
    check("\x1b[" in terminal_run(arguments, 100)[0], arguments, "has no colours on a terminal")
    for environment in ({"NO_COLOR": "1"}, {"TERM": "dumb"}, {"TERM": None}):
        check("\x1b[" not in terminal_run(arguments, 100, **environment)[0], arguments, "has colours with", environment)
    check("\x1b[" not in terminal_run(arguments + ["--color", "never"], 100)[0], arguments, "has colours in spite of --color never")
    forced = subprocess.run([PROGRAM] + arguments + ["--color=always"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    check("\x1b[" in forced, arguments, "has no colours in spite of --color always")


def check_progress(folder):
    """A compiler that takes two seconds, on the way to the real one."""
    slow, real = os.path.join(folder, "toolkit"), subprocess.run([os.path.join(ROOT, "tools/setup"), "--nvcc"], capture_output=True, text=True, check=True)
    nvcc = real.stdout.strip()
    os.makedirs(os.path.join(slow, "bin"))
    os.symlink(os.path.join(os.path.dirname(os.path.dirname(nvcc)), "include"), os.path.join(slow, "include"))
    with open(os.path.join(slow, "bin", "nvcc"), "w", encoding="utf-8") as stream:
        stream.write('#!/bin/sh\nsleep 2.5\nexec %s "$@"\n' % nvcc)
    os.chmod(os.path.join(slow, "bin", "nvcc"), 0o755)
    arguments = ["predict", "benchmarks/gather.cu"]
    _, shown = terminal_run(arguments, 100, COALESCE_CUDA=slow)
    seconds = [int(text) for text in re.findall(r"\rpredicting benchmarks/gather.cu +(\d+) s ", shown)]
    check(seconds and 1 <= seconds[0] and seconds == sorted(seconds), "shows no progress:", repr(shown[:200]))
    check("\r\x1b[K" in shown, "leaves progress on the screen")
    check("predicting" not in terminal_run(arguments + ["-q"], 100, COALESCE_CUDA=slow)[1], "shows progress with -q")
    done = subprocess.run([PROGRAM] + arguments, cwd=ROOT, capture_output=True, text=True, check=True, env=dict(os.environ, COALESCE_CUDA=slow))
    check("predicting" not in done.stderr, "shows progress in a pipe")


def main():
    predict = ["predict", "benchmarks/nbody.cu", "-DN=512"]
    for width in (60, 80, 100, 200):
        check_widths(predict, width)
    for arguments in (["machines", "h200"], ["doctor"]):
        for width in (80, 100, 200):
            check_widths(arguments, width)
    for name in ("idw.cu", "2mm.cu", "reduction.cu", "gather.cu"):
        check_widths(["predict", "benchmarks/" + name], 100)
    check_colours(predict)
    with tempfile.TemporaryDirectory() as folder:
        check_progress(folder)
    print("\n".join(errors) if errors else "terminals are respected")
    return 1 if errors else 0


sys.exit(main())
