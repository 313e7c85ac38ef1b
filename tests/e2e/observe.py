#!/usr/bin/env python3
"""--observe: programs run against the stand-in for the CUDA runtime, and what they launch is predicted; hostile ones stay in their box.

Each program of tests/inputs/observe begins with comments: "run: WORDS" is its command line, "launch: KERNEL GRID BLOCK SHARED TIMES" a launch that must be
recorded (all of them, in order), "ended: HOW" the program's end, "says: TEXT" what must stand on stderr, "exit: N" the exit status, "flags: WORDS" further words.

needs: nvcc
"""
import json
import os
import re
import subprocess
import sys
import tempfile
import time

ROOT, PROGRAM = os.environ["ROOT"], os.environ["COALESCE"]
INPUTS = os.path.join(ROOT, "tests", "inputs", "observe")
SECONDS_MOST = 300
errors = []


def wanted(path, key):
    with open(path, encoding="utf-8") as file:
        return re.findall(r"^// %s: ?(.*)$" % key, file.read(), re.M)


def first(values, usual):
    return values[0] if values else usual


def shape(extents):
    return "x".join(str(extent) for extent in extents)


def plain(mangled):
    """A kernel's own name."""
    begin = re.match(r"_Z(?:L|N12_GLOBAL__N_1)?(\d+)", mangled)
    if begin:
        return mangled[begin.end():begin.end() + int(begin.group(1))]
    return re.sub(r"^_ZN\d+_GLOBAL__N\w+?\d+(?=[a-z_]+E)", "", mangled)


def recorded(path):
    """The launches in a recording, as the heads of programs write them."""
    kernels, found = {}, []
    with open(path, encoding="utf-8") as file:
        for line in map(json.loads, file):
            if "kernel" in line:
                kernels[line["kernel"]] = plain(line["name"])
            elif "launch" in line:
                name = re.match(r"[a-z_]*[a-z]", kernels[line["of"]]).group()
                found.append("%s %s %s %d %d" % (name, shape(line["grid"]), shape(line["block"]), line["shared"], line["times"]))
    return found


def check(name, folder):
    path, recording = os.path.join(INPUTS, name), os.path.join(folder, name + ".jsonl")
    words = [PROGRAM, "predict", path, "--machine", "h100", "--json", "--observe", "--observation", recording, *first(wanted(path, "flags"), "").split(), "--",
             *first(wanted(path, "run"), "").split()]
    begin = time.monotonic()
    done = subprocess.run(words, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    found = recorded(recording) if os.path.exists(recording) else []
    if done.returncode != int(first(wanted(path, "exit"), "0")):
        errors.append("%s: exit status %d\n%s" % (name, done.returncode, done.stderr[-2000:]))
    if found != wanted(path, "launch"):
        errors.append("%s: launches\n  %s\nexpected\n  %s" % (name, "\n  ".join(found), "\n  ".join(wanted(path, "launch"))))
    if found and wanted(path, "ended"):
        with open(recording, encoding="utf-8") as file:
            ended = json.loads(file.readline())["ended"]
        if ended != wanted(path, "ended")[0]:
            errors.append("%s: ended with %s" % (name, ended))
    for text in wanted(path, "says"):
        if text not in done.stderr or "without arguments" in done.stderr:
            errors.append("%s: does not say '%s'\n%s" % (name, text, done.stderr[-2000:]))
    if time.monotonic() - begin > SECONDS_MOST:
        errors.append("%s: took %.0f s" % (name, time.monotonic() - begin))
    return done, recording


def copies_check(folder):
    """A program whose copies the source says has the same ones when it runs."""
    path = os.path.join(ROOT, "tests", "golden", "cost", "copies.cu")
    costs = []
    for words in ([], ["--observe"]):
        done = subprocess.run([PROGRAM, "predict", path, "--json", "-q", *words], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, check=False)
        costs.append(sorted(json.loads(done.stdout)["program"]["cost"]["copies"], key=lambda copy: (copy["direction"], copy["memory"])))
    if costs[0] != costs[1] or len(costs[0]) != 3:
        errors.append("copies of the source and of its run differ: %s" % costs)


def main():
    with tempfile.TemporaryDirectory() as folder:
        for name in sorted(os.listdir(INPUTS)):
            if name.endswith(".cu"):
                check(name, folder)
        done, recording = check("options.cu", folder)
        again = subprocess.run([PROGRAM, "predict", os.path.join(INPUTS, "options.cu"), "--machine", "h100", "--json", "--observation", recording, "--",
                                *first(wanted(os.path.join(INPUTS, "options.cu"), "run"), "").split()],
                               cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
        if json.loads(again.stdout)["kernels"] != json.loads(done.stdout)["kernels"] or "--observe ran" in again.stderr:
            errors.append("a stored recording predicts something else\n" + again.stderr)
        copies_check(folder)
    for text in errors:
        print(text)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
