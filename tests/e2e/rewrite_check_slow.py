#!/usr/bin/env python3
"""`rewrite --check` of all complete programs of tests/golden/rewrite and of the benchmarks, in all layouts: each result does what the original does.

needs: nvcc, tier: slow

    tests/e2e/rewrite_check_slow.py [--seconds S] [PROGRAM...]

The programs are those of rewrite_host.py. Prints what each check came to. Fails where a result differs, or where fewer than nine of ten are checked.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import rewrite_host  # noqa: E402

FORMS = (["aos"], ["aosa"], ["soa"], ["asta"], ["soa", "--style", "struct"])
UNCHANGED = "the program has that layout already"
LEAST_SHARE = 0.9


def stem(path):
    return os.path.splitext(os.path.basename(path))[0]


def check(path, flags, args, form):
    """What the check of one form says: (word, text)."""
    with tempfile.TemporaryDirectory() as folder:
        words = [rewrite_host.COALESCE, "rewrite", path, "--layout", *form, "-o", os.path.join(folder, "out.cu"), "--no-compile", "--check", "--json",
                 *args, *flags]
        done = subprocess.run(words, capture_output=True, text=True, check=False, errors="replace")
    try:
        answer = json.loads(done.stdout)
    except json.JSONDecodeError:
        answer = {}
    found = answer.get("check")
    if found and done.returncode in (0, 1):
        return found["result"], found["text"]
    return "refused" if done.returncode == 1 else "failed", done.stderr[-500:]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=840, help="start no check after this time")
    parser.add_argument("programs", nargs="*")
    options = parser.parse_args()
    begin, tally, failures = time.monotonic(), collections.Counter(), []
    cases = [(path, flags, args, form) for path, flags, args, _ in rewrite_host.programs() for form in FORMS
             if (stem(path), form[0]) not in rewrite_host.REFUSED and (not options.programs or stem(path) in options.programs)]

    def one(case):
        return None if time.monotonic() - begin > options.seconds else check(*case)

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for (path, _, _, form), found in zip(cases, pool.map(one, cases)):
            if not found or found[1] == UNCHANGED:
                continue
            tally[found[0]] += 1
            if found[0] != "same":
                print("%s %s: %s: %s" % (stem(path), " ".join(form), *found), flush=True)
            failures += [path] if found[0] in ("different", "failed") else []
    total = sum(tally.values())
    print("%d checked: %s" % (total, ", ".join("%d %s" % (count, word) for word, count in tally.most_common())))
    return 1 if failures or not total or tally["same"] < LEAST_SHARE * total else 0


if __name__ == "__main__":
    sys.exit(main())
