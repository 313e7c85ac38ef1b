#!/usr/bin/env python3
"""A result that cannot be written, because the disk is full or nobody reads it, is exit status 1 and a message, in every command.

needs: nvcc
"""
import os
import subprocess
import sys
import tempfile

PROGRAM, ROOT = os.environ["COALESCE"], os.environ["ROOT"]
MEASURED = os.path.join(ROOT, "tests", "golden", "batch")
IDW = ["benchmarks/idw.cu", "-DPOINTS=1000", "-DQUERIES=1000"]
COMMANDS = [
    ["--version"],
    ["help"],
    ["help", "predict"],
    ["help", "--man", "predict"],
    ["completion", "bash"],
    ["predict"] + IDW,
    ["predict"] + IDW + ["--json"],
    ["predict"] + IDW + ["--dump=kernel"],
    ["predict"] + IDW + ["--gate", "0"],
    ["rewrite", "benchmarks/idw.cu", "--layout", "soa", "--no-compile", "-o", "-"],
    ["ptx", "tests/inputs/ptx/idw_aos.ptx"],
    ["machines"],
    ["machines", "h200"],
    ["machines", "--json"],
    ["doctor"],
    ["doctor", "--json"],
    ["batch", "SUITE", "--json"],
    ["batch", "SUITE"],
]
SUITE = '{"schema": "coalesce/suite/1", "machine": "h200", "cases": [{"id": "a", "group": "g", "file": "%s/benchmarks/gather.cu", "size": "s"}]}'
FILES = [
    (["rewrite", "benchmarks/idw.cu", "--layout", "soa", "--no-compile"], "-o"),
    (["predict"] + IDW, "--html"),
    (["predict"] + IDW, "--sarif"),
    (["predict"] + IDW, "--dot"),
]
errors = []


def judge(what, command, status, stderr):
    words = [line for line in stderr.splitlines() if line.startswith("coalesce: error: cannot write ") or ": error: cannot write" in line]
    if status != 1 or len(words) != 1:
        errors.append("%s, %s: exit status %d\n%s" % (" ".join(command), what, status, stderr))


def run(command, stdout):
    done = subprocess.run([PROGRAM] + command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=stdout, stderr=subprocess.PIPE, text=True, check=False)
    return done.returncode, done.stderr


def main():
    with tempfile.TemporaryDirectory() as folder:
        suite = os.path.join(folder, "suite.json")
        with open(suite, "w", encoding="utf-8") as stream:
            stream.write(SUITE % ROOT)
        for command in COMMANDS:
            command = [suite if word == "SUITE" else word for word in command]
            with open("/dev/full", "w", encoding="utf-8") as full:
                judge("full disk", command, *run(command, full))
            reader, writer = os.pipe()
            os.close(reader)
            judge("closed pipe", command, *run(command, writer))
            os.close(writer)
        for command, option in FILES:
            judge("full disk", command + [option], *run(command + [option, "/dev/full"], subprocess.DEVNULL))
            judge("no folder", command + [option], *run(command + [option, os.path.join(folder, "none", "file")], subprocess.DEVNULL))
    print("\n".join(errors) if errors else "%d commands say that they cannot write" % (len(COMMANDS) + len(FILES)))
    return 1 if errors else 0


sys.exit(main())
