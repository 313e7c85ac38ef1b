#!/usr/bin/env python3
"""A signal ends the program with its children, and leaves no temporary folder: exit status 128 + the signal, at whatever moment, also with several jobs.

needs: nvcc
"""
import os
import signal
import subprocess
import sys
import tempfile
import time

ROOT, PROGRAM = os.environ["ROOT"], os.environ["COALESCE"]
IDW = os.path.join(ROOT, "benchmarks", "idw.cu")
# Words of a command, and the moments of the signals as shares of what it takes on this machine.
COMMANDS = {
    "predict with nvcc": (["predict", IDW, "--compiler", "nvcc"], (0.1, 0.4, 0.7)),
    "predict": (["predict", IDW], (0.2, 0.6)),
    "rewrite": (["rewrite", IDW, "--layout", "soa", "-o", "out.cu"], (0.2, 0.6)),
    "sweep": (["predict", IDW, "--compiler", "nvcc", "--sweep", "POINTS=1000:8000", "--jobs", "2"], (0.2, 0.6)),
    "batch": (["batch", "suite.json", "--jobs", "2"], (0.2, 0.6)),
}
SUITE = '{"schema": "coalesce/suite/1", "machine": "h200", "cases": [%s]}'
CASE = '{"id": "%d", "group": "g", "file": "%s", "size": "s"}'
SIGNALS = (signal.SIGTERM, signal.SIGINT)
errors = []


def ours(mark):
    """Processes that have the mark in their environment."""
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open("/proc/%s/environ" % name, "rb") as file:
                    if mark.encode() in file.read():
                        found.append(int(name))
            except OSError:
                pass
    return found


def left_over(mark):
    for _ in range(50):
        if not ours(mark):
            return []
        time.sleep(0.1)
    return ours(mark)


def suite_write(folder):
    with open(os.path.join(folder, "suite.json"), "w", encoding="utf-8") as file:
        file.write(SUITE % ", ".join(CASE % (i, IDW) for i in range(12)))


def seconds_of(words):
    """What the command takes when nothing ends it."""
    with tempfile.TemporaryDirectory() as folder:
        suite_write(folder)
        begin = time.monotonic()
        subprocess.run([PROGRAM] + words, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        return time.monotonic() - begin


def attempt(what, words, number, seconds, whole_group):
    """Sends the signal to the program, or to its whole group as a terminal does. Returns whether it came in time."""
    with tempfile.TemporaryDirectory() as folder:
        temporary = os.path.join(folder, "tmp")
        os.mkdir(temporary)
        suite_write(folder)
        mark = "SIGNALS_TEST=%s" % folder
        environment = dict(os.environ, TMPDIR=temporary, SIGNALS_TEST=folder)
        child = subprocess.Popen([PROGRAM] + words, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                 stderr=subprocess.PIPE, start_new_session=True)
        time.sleep(seconds)
        if child.poll() is None:
            (os.killpg if whole_group else os.kill)(child.pid, number)
        _, said = child.communicate(timeout=300)
        label = "%s, %s after %g s" % (what, number.name, seconds)
        alive, files = left_over(mark), [name for name in os.listdir(temporary)] + [n for n in os.listdir(folder) if n.startswith("out.cu.")]
        if child.returncode != 0 and child.returncode != 128 + number:
            errors.append("%s: exit status %d\n%s" % (label, child.returncode, said.decode()))
        if alive:
            errors.append("%s: still running: %s" % (label, alive))
        if files:
            errors.append("%s: left behind: %s" % (label, files))
        return child.returncode == 128 + number


def main():
    hit = tried = 0
    for what, (words, moments) in COMMANDS.items():
        whole = seconds_of(words)
        for i, share in enumerate(moments):
            tried += 1
            hit += attempt(what, words, SIGNALS[i % 2], share * whole, i % 2 == 1)
    if hit * 3 < tried:
        errors.append("only %d of %d signals came before the end" % (hit, tried))
    print("%d signals, %d of them in time" % (tried, hit))
    for error in errors:
        print(error, file=sys.stderr)
    return 1 if errors else 0


sys.exit(main())
