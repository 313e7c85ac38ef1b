#!/usr/bin/env python3
"""Every command, with inputs changed at random, ends as the contract says. A thousandth of what `make mutants` runs, always the same mutants.

    tests/e2e/mutants.py [COUNT [FIRST]]

Each target of tests/mutants/seeds.txt gets COUNT mutants; tests/mutants/main.c says what is changed and what must hold. No compiler is needed: programs are
read with small headers that stand in for the toolkit's (tests/fuzz/toolkit).
"""
import os
import subprocess
import sys

ROOT, PROGRAM = os.environ["ROOT"], os.environ["COALESCE"]
COUNT_DEFAULT = 40


def main():
    count = sys.argv[1] if len(sys.argv) > 1 else str(COUNT_DEFAULT)
    first = sys.argv[2] if len(sys.argv) > 2 else "1"
    tool = os.path.join(os.path.dirname(PROGRAM), "tests", "tools", "mutants")
    environment = dict(os.environ, LSAN_OPTIONS="suppressions=%s:print_suppressions=0" % os.path.join(ROOT, "tests", "mutants", "leaks.supp"))
    return subprocess.run([tool, "--count", count, "--first", first, "tests/mutants/seeds.txt"], cwd=ROOT, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
