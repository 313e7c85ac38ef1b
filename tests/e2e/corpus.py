#!/usr/bin/env python3
"""Programs that look like public code (tests/corpus): each gets a verdict with its command line, and is rewritten into every layout or refused.

needs: nvcc, tier: slow

    tests/e2e/corpus.py [--all] [--rewrite] [--jobs N] [NAME...]

The first line of a program says its command line: `// args: 65536`. Without --all a fixed quarter is predicted; --rewrite also writes each layout and
compiles what is written. A program counts as known when predict gives a verdict and assumes nothing about a launch: no grid, block or argument.
At least 95 % of the programs must be known (90 % of a quarter, which two standard deviations of such a sample allow for), and none may end in a bug of ours; a rewritten file compiles, or rewrite refuses it with exit 1.
"""
import argparse
import concurrent.futures
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile

ROOT = os.environ.get("ROOT", os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
PROGRAM = os.environ.get("COALESCE", os.path.join(ROOT, "build", "coalesce"))
LAYOUTS = ("aos", "soa", "aosa", "asta")
KNOWN_SHARE, KNOWN_SHARE_OF_QUARTER = 0.95, 0.90
LEAST_PROGRAMS = 40  # unless some are named
QUARTER = 4
ASSUMPTIONS = (" is not constant", "value of parameter", "how often line")


def command_line(path):
    with open(path, encoding="utf-8", newline="") as file:
        first = file.readline().strip()
    return first.split(":", 1)[1].split() if first.startswith("// args:") else []


def predict(path):
    """Exit status, whether all launches are known, and what was said."""
    ran = subprocess.run([PROGRAM, "predict", path, "--json", "--", *command_line(path)], capture_output=True, text=True, check=False)
    if ran.returncode != 0:
        return ran.returncode, False, ran.stderr.strip().split("\n")[-1] if "error" not in ran.stderr else \
            next(line for line in ran.stderr.split("\n") if "error" in line)
    try:
        kernels = json.loads(ran.stdout)["kernels"]
    except ValueError as wrong:
        return 70, False, "exit 0 and no JSON: %s: %s" % (wrong, ran.stdout[:200])
    notes = [note for kernel in kernels for note in kernel["notes"] if any(text in note for text in ASSUMPTIONS)]
    return 0, bool(kernels) and not notes, notes[0] if notes else "" if kernels else "no kernels"


def compiles(path, folder):
    compiler = shutil.which("nvcc") or os.path.join(os.environ.get("COALESCE_CUDA", "/usr/local/cuda"), "bin", "nvcc")
    return subprocess.run([compiler, "-arch=sm_90", "-c", path, "-o", os.path.join(folder, "object.o")], capture_output=True, text=True, check=False)


def rewrite(path):
    """(layout, what became of it, what was said) for each layout."""
    results = []
    for layout in LAYOUTS:
        with tempfile.TemporaryDirectory() as folder:
            for header in [name for end in ("h", "cuh", "hpp") for name in glob.glob(os.path.join(os.path.dirname(path), "*." + end))]:
                shutil.copy(header, folder)
            out = os.path.join(folder, os.path.basename(path))
            ran = subprocess.run([PROGRAM, "rewrite", path, "--layout", layout, "-o", out], capture_output=True, text=True, check=False)
            if ran.returncode == 0:
                built = compiles(out, folder)
                results.append((layout, "compiled" if built.returncode == 0 else "DOES NOT COMPILE", (built.stdout + built.stderr)[:300]))
            else:
                error = [line for line in ran.stderr.split("\n") if "error" in line] or [ran.stderr.strip()]
                results.append((layout, "refused" if ran.returncode == 1 else "EXIT %d" % ran.returncode, error[0]))
    return results


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--rewrite", action="store_true")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    paths = sorted(glob.glob(os.path.join(ROOT, "tests", "corpus", "*.cu")))
    if options.names:
        paths = [path for path in paths if any(name in path for name in options.names)]
    elif not options.all:
        paths = paths[::QUARTER]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        predicted = list(pool.map(predict, paths))
        rewritten = list(pool.map(rewrite, paths)) if options.rewrite else []
    bad = 0
    for path, (status, known, said) in zip(paths, predicted):
        bad += status not in (0, 1)
        if status or not known:
            print("%s: exit %d%s: %s" % (os.path.basename(path), status, "" if known else ", not all known", said))
    counts = {}
    for path, rows in zip(paths, rewritten):
        for layout, outcome, said in rows:
            counts[outcome] = counts.get(outcome, 0) + 1
            if outcome != "compiled":
                print("%s as %s: %s: %s" % (os.path.basename(path), layout, outcome, said.replace("\n", " ")))
            bad += outcome not in ("compiled", "refused")
    share = KNOWN_SHARE if options.all or options.names else KNOWN_SHARE_OF_QUARTER
    known = sum(status == 0 and known for status, known, _ in predicted)
    print("%d programs: %d with a verdict, %d with all launches known (%.1f %%)%s" %
          (len(paths), sum(status == 0 for status, _, _ in predicted), known, 100.0 * known / max(1, len(paths)),
           "".join("; %d rewrites %s" % (count, outcome) for outcome, count in sorted(counts.items()))))
    return 0 if len(paths) >= (1 if options.names else LEAST_PROGRAMS) and known >= share * len(paths) and not bad else 1


if __name__ == "__main__":
    sys.exit(main())
