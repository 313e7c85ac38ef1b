#!/usr/bin/env python3
"""A source that comes through a pipe, as - or as /dev/stdin, is predicted and rewritten as the file that holds it."""
import os
import subprocess
import sys

PROGRAM, ROOT = os.environ["COALESCE"], os.environ["ROOT"]
SOURCE = os.path.join(ROOT, "tests", "errors", "output_is_input", "input.cu")
PREDICT = ["predict", "FILE", "--model=source", "--json"]
REWRITE = ["rewrite", "FILE", "--layout", "soa", "--no-compile", "-o", "-"]


def run(words, name, stream):
    done = subprocess.run([PROGRAM, *[name if word == "FILE" else word for word in words]], input=stream, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout.replace("/dev/stdin" if name == "-" else name, "FILE")


def main():
    with open(SOURCE, encoding="utf-8") as stream:
        text = stream.read()
    failed = 0
    for words in (PREDICT, REWRITE):
        expected = run(words, SOURCE, "")
        for name in ("-", "/dev/stdin"):
            got = run(words, name, text)
            if got != expected or got[0] != 0:
                print("%s %s: status %d, %d bytes, not %d" % (words[0], name, got[0], len(got[1]), len(expected[1])))
                failed += 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
