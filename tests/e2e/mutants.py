#!/usr/bin/env python3
"""Programs changed at random end with an exit code of the contract, and with status 0 only where the table holds something.

    tests/e2e/mutants.py [COUNT [SEED]]

COALESCE_SANITIZED may name a second, sanitized program: a quarter of the mutants goes to the tool beside that one.
A thousandth of what `make mutants` runs, always the same ones; tests/tools/mutants.c says what they are. They are read with small headers that stand in for the
toolkit's (tests/fuzz/toolkit), so that neither a toolkit nor a compiler is needed. tests/e2e/mutations.py has fewer, with the real headers.
"""
import concurrent.futures
import glob
import os
import subprocess
import sys
import time

ROOT, PROGRAM = os.environ["ROOT"], os.environ["COALESCE"]
COUNT_DEFAULT = 400
FOLDERS = ("golden/rewrite", "golden/kernel", "golden/programs", "golden/rewrite_headers", "golden/command_line", "corpus")


def run(part):
    """The report of a program's tool on a range of seeds, and whether it found nothing."""
    program, seeds = part
    tool = os.path.join(os.path.dirname(program), "tests", "tools", "mutants")
    files = sorted(path for folder in FOLDERS for path in glob.glob(os.path.join(ROOT, "tests", folder, "*.cu")))
    environment = dict(os.environ, COALESCE_CUDA=os.path.join(ROOT, "tests", "fuzz", "toolkit"), ASAN_OPTIONS="detect_leaks=0")
    ran = subprocess.run([tool, "--count", str(len(seeds)), "--first", str(seeds[0]), *files], env=environment, capture_output=True,
                         text=True, errors="replace", check=False)
    return ran.returncode == 0, ran.stdout + ran.stderr


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else COUNT_DEFAULT
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    jobs = min(os.cpu_count() or 1, count)
    sanitized, begun = os.environ.get("COALESCE_SANITIZED"), time.monotonic()
    pieces = 4 * jobs
    parts = [(sanitized if sanitized and j % 4 == 0 else PROGRAM, range(first + count * j // pieces, first + count * (j + 1) // pieces))
             for j in range(pieces) if count * (j + 1) // pieces > count * j // pieces]
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        results = list(pool.map(run, parts))
    for good, said in results:
        print(said if not good else said.strip().split("\n")[-1])
    print("%d mutants of sources, %.1f a second" % (count, count / max(time.monotonic() - begun, 1e-9)))
    return 0 if all(good for good, _ in results) else 1


if __name__ == "__main__":
    sys.exit(main())
