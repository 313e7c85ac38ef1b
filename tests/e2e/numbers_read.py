#!/usr/bin/env python3
"""Machine files and measurements with a number that is none, too large or negative, nested too deep, or with a key twice, are exit status 1 and a place."""
import os
import re
import subprocess
import sys
import tempfile

PROGRAM, ROOT = os.environ["COALESCE"], os.environ["ROOT"]
BAD = ["1e999", "-1e999", "NaN", "Infinity", "-1", '"3"', "[" * 100000, '{"a":' * 100000, "18446744073709551616"]
MEASURED = os.path.join(ROOT, "tests", "errors", "compare_unknown_case", "measured.json")
COMMANDS = {os.path.join(ROOT, "machines", "h200.json"): ["machines", "FILE"],
            MEASURED: ["compare", os.path.join(ROOT, "benchmarks", "idw.cu"), "--model=source", "--measured", "FILE"]}


def variants(text):
    """The text with one number replaced, and with one member of an object given twice."""
    number = re.search(r'"(?:value|median)": ([\d.]+)', text)
    for bad in BAD:
        yield bad[:24], text[:number.start(1)] + bad + text[number.end(1):]
    yield "a key twice", text[:number.start()] + number.group() + ", " + text[number.start():]


def main():
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "in.json")
        for source, words in COMMANDS.items():
            with open(source, encoding="utf-8") as stream:
                text = stream.read()
            for what, changed in variants(text):
                with open(path, "w", encoding="utf-8") as stream:
                    stream.write(changed)
                done = subprocess.run([PROGRAM, *[path if word == "FILE" else word for word in words]], capture_output=True, text=True, check=False)
                if done.returncode != 1 or done.stdout or path + ":" not in done.stderr or "error: " not in done.stderr:
                    print("%s, %s: status %d\n%s" % (os.path.basename(source), what, done.returncode, done.stderr[:300]))
                    failed += 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
