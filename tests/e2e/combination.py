#!/usr/bin/env python3
"""What several changes gain together is what the program takes once it is rewritten so; launches that see one change alone
count as ranked.

needs: nvcc
"""
import json
import os
import subprocess
import sys
import tempfile

PROGRAM, ROOT = os.environ["COALESCE"], os.environ["ROOT"]
SOURCE = os.path.join(ROOT, "tests/inputs/combination/two.cu")
# Records, kernels of two.cu.
RECORDS, KERNELS = ("body", "cell"), ("both", "alone")
NEAR = 0.01
errors = []


def run(*words):
    done = subprocess.run([PROGRAM] + list(words), capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit("%s: exit status %d\n%s" % (" ".join(words), done.returncode, done.stderr))
    return done.stdout


def check(condition, *what):
    if not condition:
        errors.append(" ".join(str(part) for part in what))


def main():
    words = ("predict", SOURCE, "-q", "--layouts", "aos,soa", "--start", "cold")
    found = json.loads(run(*words, "--json"))["program"]
    together = found["together"]
    check(together["layouts"] == dict.fromkeys(RECORDS, "soa"), "layouts together:", together["layouts"])
    alone = {row["record"]: row["time_us"] for row in found["layouts"] if row["layout"] == "soa"}
    check(together["time_us"] < min(alone.values()), "together", together["time_us"], "is no less than alone", alone)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "soa.cu")
        run("rewrite", SOURCE, "--struct", "body", "--struct", "cell", "--layout", "soa", "-o", path, "-q")
        rewritten = json.loads(run("predict", path, "-q", "--json", "--start", "cold"))
    times = {kernel["name"]: kernel["launches"] * kernel["layouts"][0]["time_us"] for kernel in rewritten["kernels"]}
    expected = sum(times[name] for name in KERNELS)
    check(abs(together["time_us"] / expected - 1) < NEAR, "together", together["time_us"], "but the rewritten program takes", expected)
    check("Together (body as soa, cell as soa): all kernels take" in run(*words), "the screen does not say it")
    check("together" not in json.loads(run("predict", SOURCE, "-q", "--json", "--struct", "cell"))["program"], "one record has no others")
    print("\n".join(errors))
    return 1 if errors else 0


sys.exit(main())
