#!/usr/bin/env python3
"""The same input gives the same bytes: in another language, home, temporary folder, with a cold and a warm cache, with the layouts divided among any number of
cores.

needs: nvcc
"""
import os
import subprocess
import sys
import tempfile

PROGRAM = os.environ["COALESCE"]
CASES = [
    ["predict", "benchmarks/idw.cu"],
    ["predict", "benchmarks/idw.cu", "--json"],
    ["predict", "benchmarks/nbody.cu", "--json", "--explain"],
    ["predict", "benchmarks/2mm.cu", "--group", "A,B,C,D,E", "--json"],
    ["predict", "benchmarks/corr.cu", "--group", "data,symmat", "--dump=kernel,affine,ptx,cfg,requests,traffic,estimate"],
    ["rewrite", "benchmarks/syr2k.cu", "--group", "A,B,C", "--layout", "asta", "--no-compile", "-o", "-"],
]


def run(arguments, folder, language, cores):
    """Returns exit status, stdout, stderr, with a home and a temporary folder below the given one, as if so many cores were idle."""
    environment = dict(os.environ, LC_ALL=language, LANG=language, HOME=folder, XDG_CACHE_HOME=os.path.join(folder, "cache"),
                       TMPDIR=os.path.join(folder, "a rather long name for temporary files"), TZ="Asia/Tokyo", COALESCE_IDLE_CORES=cores)
    os.makedirs(environment["TMPDIR"], exist_ok=True)
    done = subprocess.run([PROGRAM] + arguments, env=environment, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    return done.returncode, done.stdout, done.stderr


def main():
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        for arguments in CASES:
            other = os.path.join(folder, "other")
            results = [run(arguments, folder, "C", "1"), run(arguments, folder, "C", "3"), run(arguments, other, "de_DE.UTF-8", "7")]
            if results[0][0] != 0 or not results[0][1]:
                print("%s: exit status %d\n%s" % (" ".join(arguments), results[0][0], results[0][2].decode()))
                failed = True
            elif any(result != results[0] for result in results):
                print("%s: not the same every time" % " ".join(arguments))
                failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
