#!/usr/bin/env python3
"""Speed and memory of the PTX parser on 20 MB of real kernels, beside the time of `wc -l`.

    tests/bench/ptx_parse.py build/coalesce [REPEATS]

The text is the real compiler output of tests/golden/ptx/real_*.ptx, repeated with fresh names. Targets: 50 MB/s, memory
at most 12 times the file. Exit status 1 when a target is missed.
"""
import glob
import os
import re
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SIZE_BYTES = 20_000_000
LEAST_MB_PER_SECOND = 50
MOST_TIMES_THE_FILE = 12

DECLARED = re.compile(
    r"^\s*(?:\.(?:extern|visible|weak|common) )*\.(?:func|entry)\s+(?:\([^)]*\)\s*)?([\w$]+)"
    r"|^\s*(?:\.(?:extern|visible|weak|common) )*\.(?:global|const|shared) .*?([\w$]+)(?:\[\d*\])?\s*(?:=|;)",
    re.MULTILINE)


def parts_of(text):
    """Head (version, target), what is repeated, and the tail of .file lines and sections."""
    begin = re.search(r"\.address_size \d+\n", text).end()
    end = re.search(r"^\s*\.file\s", text, re.MULTILINE).start()
    return text[:begin], text[begin:end], text[end:]


def renamed(body, number):
    names = sorted({a or b for a, b in DECLARED.findall(body)}, key=len, reverse=True)
    pattern = re.compile(r"(?<![\w$%])(?:" + "|".join(map(re.escape, names)) + r")(?![\w$])")
    return pattern.sub(lambda match: f"{match.group(0)}_copy{number}", body)


def generate(path):
    sources = [parts_of(open(name).read()) for name in sorted(glob.glob(f"{ROOT}/tests/golden/ptx/real_*.ptx"))]
    size, number = 0, 0
    with open(path, "w") as out:
        out.write(sources[0][0])
        while size < SIZE_BYTES:
            for _, body, _ in sources:
                size += out.write(renamed(body, number))
                number += 1
        out.write(sources[0][2])


def best_of(count, command):
    def seconds():
        begin = time.monotonic()
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
        return time.monotonic() - begin
    return min(seconds() for _ in range(count))


def main():
    build = os.path.dirname(os.path.abspath(sys.argv[1]))
    repeats = sys.argv[2] if len(sys.argv) > 2 else "7"
    with tempfile.TemporaryDirectory() as scratch:
        text, program = f"{scratch}/kernels.ptx", f"{scratch}/ptx_parse"
        subprocess.run([os.environ.get("CC", "cc"), "-std=c11", "-D_GNU_SOURCE", "-O2", f"-I{ROOT}", "-o", program,
                        f"{ROOT}/tests/bench/ptx_parse.c", f"{build}/libptxparse.a", f"{build}/libbase.a"], check=True)
        generate(text)
        output = subprocess.run([program, text, repeats], stdout=subprocess.PIPE, text=True, check=True).stdout
        print(output, end="")
        print(f"wc -l: {best_of(5, ['wc', '-l', text]):.3f} s")
    speed = float(re.search(r"parse: ([\d.]+) MB/s", output).group(1))
    memory = float(re.search(r"memory: ([\d.]+) times", output).group(1))
    return 0 if speed >= LEAST_MB_PER_SECOND and memory <= MOST_TIMES_THE_FILE else 1


if __name__ == "__main__":
    sys.exit(main())
