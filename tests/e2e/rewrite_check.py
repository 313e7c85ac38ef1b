#!/usr/bin/env python3
"""`rewrite --check` says whether a rewritten program does what the original does, and writes nothing where it does not; `predict --check` says it of all layouts.

Each program of tests/inputs/check begins with comments: "WORD: TEXT" or "WORD LAYOUT: TEXT" says what the check must come to, TEXT a regular expression for
the beginning of its reason, in that layout or in soa; "words: WORDS" is the program's command line, "others: FILES" its other files.
rewrite_check_slow.py checks many programs.

needs: nvcc
"""
import json
import os
import re
import subprocess
import sys
import tempfile

ROOT, PROGRAM = os.environ["ROOT"], os.environ["COALESCE"]
INPUTS = os.path.join(ROOT, "tests", "inputs", "check")
WANTED = re.compile(r"^// (same|different|not comparable|not checked)(?: (aos|soa|aosa|asta))?: (.*)$", re.M)
WORDS = re.compile(r"^// words: (.*)$", re.M)
OTHERS = re.compile(r"^// others: (.*)$", re.M)
errors = []


def first(found):
    return found[0].split() if found else []


def check(paths, layout, words, wanted, text):
    with tempfile.TemporaryDirectory() as folder:
        target = os.path.join(folder, "out.cu")
        done = subprocess.run([PROGRAM, "rewrite", *paths, "--layout", layout, "-o", target, "--check", "--json", "--", *words],
                              capture_output=True, text=True, check=False, errors="replace")
        written = os.path.exists(target)
    said = "%s %s: exit status %d\n%s%s" % (os.path.basename(paths[0]), layout, done.returncode, done.stdout, done.stderr)
    if done.returncode != (1 if wanted == "different" else 0):
        errors.append(said)
        return
    found = json.loads(done.stdout)
    if found["check"]["result"] != wanted or not re.match(text, found["check"]["text"]):
        errors.append("%swanted %s: %s" % (said, wanted, text))
    if written != (wanted != "different") or bool(found["written"]) != written:
        errors.append("%swritten: %s" % (said, written))
    if found["check"]["text"] not in done.stderr:
        errors.append("%sthe messages do not say what the check says" % said)


def predict_check():
    """`predict --check` says the same of all layouts at once, beside each in the table and in JSON."""
    path = os.path.join(INPUTS, "memory.cu")
    words = [PROGRAM, "predict", path, "-q", "--check"]
    table = subprocess.run([*words, "--"], capture_output=True, text=True, check=False)
    for layout, mark in (("aosa", "differs"), ("soa", "checked"), ("asta", "checked")):
        if not re.search(r"^  %s .* %s$" % (layout, mark), table.stdout, re.M):
            errors.append("predict --check: %s is not said to be '%s'\n%s" % (layout, mark, table.stdout))
    found = json.loads(subprocess.run([*words, "--json", "--"], capture_output=True, text=True, check=False).stdout)
    results = {row["layout"]: row.get("check", {}).get("result") for row in found["program"]["layouts"]}
    if results != {"aos": None, "soa": "same", "aosa": "different", "asta": "same"}:
        errors.append("predict --check --json: %s" % results)
    if subprocess.run(words, capture_output=True, check=False).returncode != 2:
        errors.append("predict --check without words runs the program")


def main():
    for name in sorted(name for name in os.listdir(INPUTS) if name.endswith(".cu")):
        path = os.path.join(INPUTS, name)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for wanted, layout, reason in WANTED.findall(text):
            others = [os.path.join(INPUTS, other) for other in first(OTHERS.findall(text))]
            check([path, *others], layout or "soa", first(WORDS.findall(text)), wanted, reason)
    predict_check()
    print("\n".join(errors))
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
