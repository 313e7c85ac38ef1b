#!/usr/bin/env python3
"""Numbers of machine files are what the results in benchmarks/measured make: DRAM's rates of the H200 (rates.py), those of the H100 that keys.py computes.

The test checks itself first: a file with another number must be found.
"""
import os
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
COMMANDS = (["rates.py", "--gpu", "h200"], ["keys.py", "--gpu", "h100", "--check"])


def status(root, command):
    folder = os.path.join(root, "benchmarks", "operands")
    ran = subprocess.run([sys.executable, os.path.join(folder, command[0]), *command[1:]], capture_output=True, text=True, check=False)
    return ran.returncode, (ran.stdout + ran.stderr).strip().split("\n")[-1]


def changed_copy(folder):
    """A copy of what the scripts read, with another number in each machine file."""
    for part in ("benchmarks/operands", "benchmarks/measured", "machines", "model/machine"):
        shutil.copytree(os.path.join(ROOT, part), os.path.join(folder, part))
    for name in ("h100", "h200"):
        path = os.path.join(folder, "machines", name + ".json")
        with open(path, encoding="utf-8") as file:
            text = file.read()
        at = text.index('"bandwidth.dram_copy_8_bytes_members"')
        start = text.index('"value": [', at) + len('"value": [')
        with open(path, "w", encoding="utf-8") as file:
            file.write(text[:start] + "1" + text[start:])


def main():
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        changed_copy(folder)
        for command in COMMANDS:
            if status(folder, command)[0] != 1:
                print("another number is not found by", command[0])
                failed += 1
    for command in COMMANDS:
        code, said = status(ROOT, command)
        print(" ".join(command), said)
        failed += code != 0
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
