#!/usr/bin/env python3
"""No program changed at random ends otherwise than with an exit code of the contract, in predict's analysis or in rewrite.

needs: nvcc, tier: slow

    tests/e2e/mutations.py [COUNT [SEED]]

Programs of the tests get one to four changes each: words taken out, doubled, exchanged, put in the place of others, numbers changed, pieces of other programs put
in, the end cut off. predict prints its stages up to the analysis, rewrite makes a patch of any layout, without the compiler. Status 0, or 1 with an
error, is right; everything else is a failure, and its input is kept beside the report (MUTATIONS_KEEP names the folder).
"""
import concurrent.futures
import glob
import os
import random
import re
import subprocess
import sys
import tempfile

ROOT, PROGRAM = os.environ["ROOT"], os.environ["COALESCE"]
COUNT_DEFAULT = 400
LEAST_ACCEPTED = 0.2 # of the mutants: where all are refused, nothing is tried
LIMIT_SECONDS = 120
COMMANDS = (["predict", "--dump=kernel,affine"], ["rewrite", "--no-compile", "--diff", "--layout", "soa"],
            ["rewrite", "--no-compile", "--diff", "--layout", "asta"], ["rewrite", "--no-compile", "--diff", "--layout", "aosa"],
            ["rewrite", "--no-compile", "--diff", "--layout", "soa", "--style", "struct"])
NUMBERS = ("0", "-1", "1", "2147483648", "18446744073709551615", "1e30", "0x", "1 << 40", "07")
WORD = re.compile(r"[A-Za-z_]\w*|\d[\w.]*|\s+|<<<|>>>|->|::|.", re.DOTALL)


def texts():
    folders = ("corpus", "golden/rewrite", "golden/programs", "golden/kernel", "golden/rewrite_headers", "golden/thrust")
    paths = sorted(path for folder in folders for path in glob.glob(os.path.join(ROOT, "tests", folder, "*.cu")))
    found = []
    for path in paths:
        with open(path, encoding="utf-8", errors="surrogateescape", newline="") as file:
            found.append((os.path.dirname(path), WORD.findall(file.read())))
    return found


def change(chance, words, other):
    at = chance.randrange(len(words))
    kind = chance.randrange(7)
    if kind == 0:
        del words[at:at + chance.randint(1, 4)]
    elif kind == 1:
        words[at:at] = words[at:at + chance.randint(1, 12)]
    elif kind == 2:
        with_at = chance.randrange(len(words))
        words[at], words[with_at] = words[with_at], words[at]
    elif kind == 3:
        words[at] = chance.choice(words)
    elif kind == 4:
        numbers = [i for i, word in enumerate(words) if word[0].isdigit()] or [at]
        words[chance.choice(numbers)] = chance.choice(NUMBERS)
    elif kind == 5:
        begin = chance.randrange(len(other))
        words[at:at] = other[begin:begin + chance.randint(1, 30)]
    elif chance.random() < 0.2:
        del words[at:]


def mutant(seed, sources):
    chance = random.Random(seed)
    folder, words = chance.choice(sources)
    words = list(words)
    for _ in range(chance.randint(1, 4)):
        if words:
            change(chance, words, chance.choice(sources)[1])
    return folder, "".join(words), chance.choice(COMMANDS)


def run(seed, sources):
    """What is wrong with the way in which the program ends, or an empty string; and whether the mutant was accepted."""
    folder, text, command = mutant(seed, sources)
    with tempfile.TemporaryDirectory() as scratch:
        path = os.path.join(scratch, "mutant.cu")
        with open(path, "w", encoding="utf-8", errors="surrogateescape", newline="") as file:
            file.write(text)
        try:
            ran = subprocess.run([PROGRAM, command[0], path, *command[1:], "-I", folder], capture_output=True, check=False,
                                 timeout=LIMIT_SECONDS)
        except subprocess.TimeoutExpired:
            ran = None
    error = ran.stderr.decode(errors="replace") if ran else ""
    if ran and ran.returncode in (0, 1) and "internal error" not in error and (ran.returncode == 0 or "error:" in error):
        return "", ran.returncode == 0
    keep = os.environ.get("MUTATIONS_KEEP")
    if keep:
        os.makedirs(keep, exist_ok=True)
        with open(os.path.join(keep, "%d.cu" % seed), "w", encoding="utf-8", errors="surrogateescape", newline="") as file:
            file.write(text)
    return "%d: %s -I %s: %s: %s" % (seed, " ".join(command), folder, "status %d" % ran.returncode if ran else "not done in time", error[-300:]), False


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else COUNT_DEFAULT
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    sources = texts()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        ends = list(pool.map(lambda seed: run(seed, sources), range(first, first + count)))
    wrong, accepted = [said for said, _ in ends if said], sum(good for _, good in ends)
    print("\n".join(wrong))
    print("%d mutants, %d accepted, %d wrong" % (count, accepted, len(wrong)))
    return 1 if wrong or accepted < LEAST_ACCEPTED * count else 0


if __name__ == "__main__":
    sys.exit(main())
