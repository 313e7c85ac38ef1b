#!/usr/bin/env python3
"""Builds and runs measuring programs on a machine that has a GPU and nvcc, and merges their results into one measurement file.

    run.py FOLDER -o RESULTS.json [--only GLOB]... [--skip GLOB]... [--add OLD.json] [--budget S] [--limit S] [--jobs N] [--quick]

FOLDER holds one folder per case, as `coalesce batch SUITE.json --bundles FOLDER` writes them. All are built first, several at a time; then they run one after
another, the GPU to themselves. RESULTS.json is complete after every case, so what was measured is kept when time runs out. python3 without packages.

--only, --skip   cases by name, with * and ?
--add            results of an earlier run, kept for all cases that this run does not measure
--budget         seconds for everything (480): no case starts after them
--limit          seconds for one case (90)
--jobs           compilations at a time (one per processor)

Exit status: 0 all measured, 1 some not (a line each on stderr says why), 3 there is no GPU.
"""
import argparse
import concurrent.futures
import fnmatch
import json
import os
import shutil
import subprocess
import sys
import time

SCHEMA = "coalesce/measure/1"


def say(*words):
    print(*words, file=sys.stderr, flush=True)


def build(folder):
    """Builds one measuring program. Returns what went wrong, or None."""
    if not shutil.which("make"):
        return "make is not installed"
    try:
        result = subprocess.run(["make", "-C", folder, "measure"], capture_output=True, text=True, check=False, timeout=300)
    except subprocess.TimeoutExpired:
        return "nvcc takes too long"
    return result.stderr.strip()[-2000:] or "make failed" if result.returncode else None


def measure(folder, limit, quick):
    """Runs one program. Returns its exit status, its cases and what went wrong."""
    command = [os.path.join(folder, "measure"), "--limit", str(limit)] + (["--quick"] if quick else [])
    try:
        result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=limit + 30)
    except subprocess.TimeoutExpired:
        return 1, [], "killed after %d s" % (limit + 30)
    if result.returncode:
        return result.returncode, [], result.stderr.strip()[-2000:] or "ended with status %d" % result.returncode
    for line in result.stderr.splitlines():
        if "warning:" in line:
            say(line)
    return 0, json.loads(result.stdout)["cases"], None


def case_text(case):
    """A case as JSON: a line for itself, for each kernel and for each layout."""
    def members(value, but):
        return ", ".join("%s: %s" % (json.dumps(key), json.dumps(value[key])) for key in value if key != but)

    kernels = ",\n".join("  {%s, \"layouts\": [\n   %s]}" % (members(kernel, "layouts"), ",\n   ".join(map(json.dumps, kernel["layouts"])))
                         for kernel in case["kernels"])
    return " {%s, \"kernels\": [\n%s]}" % (members(case, "kernels"), kernels)


def write(path, cases):
    """The file appears whole; cases are sorted by name."""
    text = ",\n".join(case_text(cases[name]) for name in sorted(cases))
    with open(path + ".new", "w", encoding="utf-8") as stream:
        stream.write('{"schema": "%s", "cases": [\n%s\n]}\n' % (SCHEMA, text))
    os.replace(path + ".new", path)


def old_cases(path):
    if not path:
        return {}
    with open(path, encoding="utf-8") as stream:
        data = json.load(stream)
    if data.get("schema") != SCHEMA:
        sys.exit("%s: not a file of schema %s" % (path, SCHEMA))
    return {case["id"]: case for case in data["cases"]}


def chosen(options):
    names = sorted(name for name in os.listdir(options.folder) if os.path.exists(os.path.join(options.folder, name, "measure.cu")))
    only = options.only or ["*"]
    return [name for name in names if any(fnmatch.fnmatchcase(name, glob) for glob in only) and
            not any(fnmatch.fnmatchcase(name, glob) for glob in options.skip)]


def build_all(folder, names, jobs):
    """Builds in parallel. Returns {name: what went wrong} of those that failed."""
    failed = {}
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        builds = {pool.submit(build, os.path.join(folder, name)): name for name in names}
        for done in concurrent.futures.as_completed(builds):
            if done.result():
                failed[builds[done]] = "cannot be built: " + done.result()
    return failed


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("folder")
    parser.add_argument("-o", dest="output", required=True)
    parser.add_argument("--only", action="append")
    parser.add_argument("--skip", action="append", default=[])
    parser.add_argument("--add")
    parser.add_argument("--budget", type=float, default=480)
    parser.add_argument("--limit", type=float, default=90)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--quick", action="store_true")
    return parser.parse_args()


def main():
    options = arguments()
    begin = time.monotonic()
    cases, names = old_cases(options.add), chosen(options)
    if not names:
        sys.exit("%s: no measuring program here that was asked for" % options.folder)
    failed = build_all(options.folder, names, options.jobs)
    say("%d programs built in %.0f s" % (len(names) - len(failed), time.monotonic() - begin))
    for number, name in enumerate(names, 1):
        left = options.budget - (time.monotonic() - begin)
        if name not in failed and left <= 0:
            failed[name] = "not started: the budget of %.0f s is spent" % options.budget
        if name in failed:
            continue
        started = time.monotonic()
        status, found, wrong = measure(os.path.join(options.folder, name), min(options.limit, max(left, 1)), options.quick)
        say("%d of %d, %s: %s in %.1f s" % (number, len(names), name, "failed" if wrong else "measured", time.monotonic() - started))
        if status == 3:
            say(wrong)
            return 3
        if wrong:
            failed[name] = wrong
        cases.update((case["id"], case) for case in found)
        if found:
            write(options.output, cases)
    for name in sorted(failed):
        say("%s: %s" % (name, failed[name]))
    say("%d cases in %s, %d failed, %.0f s" % (len(cases), options.output, len(failed), time.monotonic() - begin))
    return 1 if failed else 0


sys.exit(main())
