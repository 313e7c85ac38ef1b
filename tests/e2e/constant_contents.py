#!/usr/bin/env python3
"""The measuring program puts into constant memory what the file's host code does, and leaves alone what the file itself puts there.

needs: nvcc
"""
import os
import re
import subprocess
import sys
import tempfile

COALESCE, ROOT = os.environ["COALESCE"], os.environ["ROOT"]
CASES = {"copied.cu": {"count": [[65536]], "offset": [[0, 32, 64, 96]], "how": [[32], [1]]}, "initialised.cu": {"taps": None, "plain": []}}


def contents(text, name):
    """The numbers of each of a variable's scalars that the program does not draw; None where it has no such variable."""
    row = re.search(r'^\t\{"%s", (\d+), (scalars_\w+), ' % name, text, re.M)
    if not row:
        return None
    found = []
    for kind, first, step, used in re.findall(r"content_(\w+), (-?\d+)(?:LL)?, (-?\d+)(?:LL)?, (\w+),",
                                              re.search(r"%s\[\] = \{\n(.*?)\n\};" % row[2], text, re.S)[1]):
        if kind == "linear":
            found.append([int(first) + k * int(step) for k in range(int(row[1]))])
        elif kind == "listed":
            numbers = re.search(r"%s\[\] = \{(.*?)\};" % used, text, re.S)[1]
            found.append([int(number) for number in numbers.replace(",", " ").split()])
    return found


def main():
    errors = []
    with tempfile.TemporaryDirectory() as folder:
        for file, wanted in CASES.items():
            to = os.path.join(folder, file)
            made = subprocess.run([COALESCE, "bundle", os.path.join(ROOT, "tests", "golden", "constant", file), "-o", to],
                                  capture_output=True, text=True, check=False, timeout=300)
            if made.returncode != 0:
                errors.append(made.stderr)
                continue
            with open(os.path.join(to, "measure.cu"), encoding="utf-8") as stream:
                text = stream.read()
            for name, lists in wanted.items():
                if contents(text, name) != lists:
                    errors.append("%s: %s holds %s, not %s" % (file, name, contents(text, name), lists))
    print("\n".join(errors) if errors else "%d files" % len(CASES))
    return 1 if errors else 0


sys.exit(main())
