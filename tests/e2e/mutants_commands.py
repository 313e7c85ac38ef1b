#!/usr/bin/env python3
"""Every command, with inputs changed at random, ends with an exit code of the contract, writes results whole, and is done in time.

    tests/e2e/mutants_commands.py [COUNT [SEED]]

A mutant is an input of the tests (source, JSON, PTX, cubin, compile_commands.json) with a few bytes, words or numbers changed. No compiler is asked. The same
COUNT and SEED give the same mutants. Of COALESCE_SANITIZED, where that names a program, every fourth run is, with a search for leaks. Prints the count and the
rate, and of each failure the command; its input stays in the folder of MUTANTS_KEEP. tests/tools/mutants.c changes sources alone, and is several times as fast.
"""
import collections
import concurrent.futures
import glob
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT, PROGRAM = os.environ["ROOT"], os.environ["COALESCE"]
SANITIZED, KEEP = os.environ.get("COALESCE_SANITIZED"), os.environ.get("MUTANTS_KEEP")
COUNT_DEFAULT, SECONDS_MOST, EXIT_CODES = 60, 30, (0, 1, 2, 3, 4)
NUMBERS = [b"0", b"-1", b"1e999", b"-1e999", b"1e-400", b"NaN", b"Infinity", b"-Infinity", b"null", b"18446744073709551616", b"2147483648", b"1e308",
           b"0.5", b"[]", b"{}", b'""', b"true"]
WORDS = re.compile(rb"[A-Za-z_]\w*|\d+(?:\.\d*)?(?:[eE][-+]?\d+)?|\S")
LEAKS = "leak:libclang\nleak:libLLVM\nleak:libnvrtc\n"


def inputs(*patterns):
    """The bytes and the name of each file, in one order everywhere."""
    paths = sorted(path for pattern in patterns for path in glob.glob(os.path.join(ROOT, pattern)))
    return [(path, open(path, "rb").read()) for path in paths if os.path.getsize(path) < 400000]


SOURCES = inputs("tests/golden/rewrite/*.cu", "tests/golden/kernel/*.cu", "tests/golden/programs/*.cu")
FLAGS = ["-O3", "-DN=4", "-I.", "-Xptxas", "-v", "-UN", "--use_fast_math", "-std=c++17", "-arch=sm_90", "-o", "x", "-include", "a.h", "-Xcompiler=-Wall", "@x"]


def nested(depth):
    return b"[" * depth + b"]" * depth


def number_replace(chance, data):
    places = list(re.finditer(rb"-?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?", data))
    if not places:
        return data
    place = chance.choice(places)
    return data[:place.start()] + chance.choice(NUMBERS) + data[place.end():]


def words_move(chance, data):
    """A piece taken out, doubled, or put elsewhere."""
    places = list(WORDS.finditer(data))
    if len(places) < 2:
        return data
    first = chance.randrange(len(places))
    last = min(len(places) - 1, first + chance.randrange(8))
    piece, at = data[places[first].start():places[last].end()], chance.choice(places).start()
    kind = chance.randrange(3)
    if kind == 0:
        return data[:places[first].start()] + data[places[last].end():]
    if kind == 1:
        return data[:places[last].end()] + b" " + piece + data[places[last].end():]
    return data[:at] + piece + b" " + data[at:]


def bytes_change(chance, data):
    if not data:
        return bytes([chance.randrange(256)])
    at = chance.randrange(len(data))
    return data[:at] + bytes(chance.randrange(256) for _ in range(chance.randrange(1, 5))) + data[at + chance.randrange(5):]


def key_double(chance, data):
    """A member of an object given twice, with another value."""
    places = list(re.finditer(rb'"\w+"\s*:', data))
    if not places:
        return data
    place = chance.choice(places)
    return data[:place.start()] + place.group() + b" " + chance.choice(NUMBERS) + b", " + data[place.start():]


def changed(chance, data):
    kinds = [number_replace, number_replace, words_move, words_move, bytes_change, key_double, lambda c, d: d[:c.randrange(len(d) + 1)],
             lambda c, d: d.replace(c.choice(WORDS.findall(d) or [b"x"]), nested(c.choice([3, 3000, 100000])), 1)]
    for _ in range(chance.randrange(1, 4)):
        data = chance.choice(kinds)(chance, data)
    return data


class Case:
    """What a command reads and writes: a folder with its mutated input."""

    def __init__(self, chance, folder):
        self.chance, self.folder = chance, folder

    def put(self, name, choices):
        path, data = self.chance.choice(choices)
        target = os.path.join(self.folder, name)
        with open(target, "wb") as stream:
            stream.write(changed(self.chance, data) if self.chance.random() < 0.7 else data)
        return target, os.path.dirname(path)

    def source(self, name="a.cu"):
        target, origin = self.put(name, SOURCES)
        return [target, "-I" + origin]

    def out(self, name):
        return os.path.join(self.folder, name)


def predict(case):
    reports = [word for option in ("--html", "--sarif", "--dot") if case.chance.random() < 0.3 for word in (option, case.out("r" + option))]
    return ["predict", *case.source(), "--model=source", *case.chance.choice([["--json"], [], ["--gate", "5"], ["--tile=all"], ["--explain"]]), *reports]


def rewrite(case):
    way = case.chance.choice([["-o", case.out("out.cu")], ["--diff"], ["-o", "-"], ["--in-place"]])
    return ["rewrite", *case.source(), "--no-compile", "--layout", case.chance.choice(["aos", "soa", "aosa", "asta"]), *way]


def bundle(case):
    return ["bundle", *case.source(), "-o", case.out("bundle")]


def diff(case):
    files = inputs_of("predictions")
    return ["diff", case.put("old.json", files)[0], case.put("new.json", files)[0], *case.chance.choice([[], ["--json"], ["--gate", "5"]])]


def compare(case):
    measured = case.put("m.json", inputs_of("measurements"))[0]
    return ["compare", *case.source(), "--model=source", "--measured", measured, *case.chance.choice([[], ["--json"]])]


def merge(case):
    files = inputs_of("shards")
    return ["batch", "--merge", case.put("one.json", files)[0], case.put("two.json", files)[0], *case.chance.choice([[], ["--json"]])]


def batch(case):
    return ["batch", case.put("suite.json", inputs_of("suites"))[0], "--model", "source", "--json", "--jobs", "1"]


def ptx(case):
    return ["ptx", case.put("a.ptx", inputs_of("ptx"))[0]]


def cubin(case):
    return ["ptx", case.put("a.cubin", inputs_of("cubins"))[0]]


def machine(case):
    path = case.put("machine.json", inputs_of("machines"))[0]
    if case.chance.random() < 0.3:
        return ["predict", os.path.join(ROOT, "tests/golden/programs/e1.cu"), "--model=source", "--json", "--machine", path]
    return ["machines", path, *case.chance.choice([[], ["--json"]])]


def compile_commands(case):
    words = [case.chance.choice(FLAGS) for _ in range(case.chance.randrange(6))]
    path = case.source("a.cu")[0]
    entry = {"directory": case.folder, "file": "a.cu", case.chance.choice(["command", "arguments"]): ["nvcc", *words, "a.cu"]}
    if "command" in entry:
        entry["command"] = " ".join(entry["command"])
    data = json.dumps([entry]).encode()
    with open(case.out("compile_commands.json"), "wb") as stream:
        stream.write(changed(case.chance, data) if case.chance.random() < 0.7 else data)
    return ["predict", path, "-p", case.folder, "--model=source", "--json"]


INPUTS = {"measurements": ("tests/errors/compare_*/measured.json", "benchmarks/measured/h200*.json", "tests/golden/*/measured*.json"),
          "shards": ("tests/errors/batch_merge_*/*.json",), "suites": ("tests/golden/batch/*.json", "tests/errors/batch_*/suite.json"),
          "ptx": ("tests/inputs/ptx/*.ptx", "tests/golden/ptx/*.ptx", "tests/golden/ptx_alone/*.ptx"), "cubins": ("tests/inputs/sass/*.cubin",),
          "machines": ("tests/golden/machines/*.json", "machines/[agpt]*.json"), "predictions": ()}
COMMANDS = [predict, rewrite, bundle, diff, compare, merge, batch, ptx, cubin, machine, compile_commands]
known = {}


def predictions():
    """Real results of predict, to be changed: they are made once."""
    made = []
    for name in ("e1", "coal", "cls2"):
        path = os.path.join(ROOT, "tests/golden/programs", name + ".cu")
        done = subprocess.run([PROGRAM, "predict", path, "--model=source", "--json"], capture_output=True, check=False, env=environment(False))
        if done.returncode == 0:
            made.append((path, done.stdout))
    return made or [("none", b"{}")]


def inputs_of(kind):
    if kind not in known:
        known[kind] = (predictions() if kind == "predictions" else inputs(*INPUTS[kind])) or [("none", b"{}")]
    return known[kind]


def environment(sanitized):
    suppressions = os.path.join(tempfile.gettempdir(), "coalesce-leaks.%d" % os.getpid())
    if sanitized and not os.path.exists(suppressions):
        with open(suppressions, "w", encoding="utf-8") as stream:
            stream.write(LEAKS)
    return dict(os.environ, COALESCE_CUDA=os.path.join(ROOT, "tests", "fuzz", "toolkit"), PATH="/usr/bin:/bin",
                LSAN_OPTIONS="suppressions=%s:print_suppressions=0" % suppressions, UBSAN_OPTIONS="print_stacktrace=1")


def half_written(folder):
    """Files that a run left unfinished: a name that file_write() takes for a while, or a report that ends early."""
    for name in os.listdir(folder):
        path = os.path.join(folder, name)
        if re.search(r"\.[A-Za-z0-9]{6}$", name) and os.path.isfile(path):
            return name
        text = open(path, "rb").read() if name.startswith("r--") else b"}\n"
        if not text.rstrip().endswith((b"}", b"</html>", b"</body></html>")):
            return name
    return None


def wrong(done, folder):
    said = done.stderr.decode(errors="replace")
    if done.returncode not in EXIT_CODES:
        return "exit status %d" % done.returncode
    if "Sanitizer" in said or "runtime error" in said:
        return "a sanitizer's finding"
    if "internal error" in said:
        return "a bug of ours"
    if done.returncode in (1, 3) and "error" not in said:
        return "status %d without an error" % done.returncode
    if done.returncode == 0 and done.stdout.startswith(b"{") and re.search(rb"[:\[,]\s*-?(nan|inf|Infinity|NaN)\b", re.sub(rb'"(?:[^"\\]|\\.)*"', b'""', done.stdout)):
        return "a number that is none"
    left = half_written(folder)
    return "half written: %s" % left if left else None


def run_one(seed):
    """The command of a seed, its exit status, whether it was a sanitized run, and whether it ended as it should."""
    chance = random.Random(seed)
    folder = tempfile.mkdtemp(prefix="mutants-")
    make = COMMANDS[seed % len(COMMANDS)]
    words = make(Case(chance, folder))
    sanitized = SANITIZED and seed // len(COMMANDS) % 4 == 0
    try:
        done = subprocess.run([SANITIZED if sanitized else PROGRAM, *words], capture_output=True, cwd=folder, stdin=subprocess.DEVNULL,
                              timeout=SECONDS_MOST, check=False, env=environment(sanitized))
        why = wrong(done, folder)
        said = done.stderr.decode(errors="replace")[-1500:]
        status = done.returncode
    except subprocess.TimeoutExpired:
        why, said, status = "not done in %d s" % SECONDS_MOST, "", None
    if why:
        print("%d: %s: %s\n%s" % (seed, why, " ".join(words), said), flush=True)
        if KEEP:
            shutil.copytree(folder, os.path.join(KEEP, str(seed)), dirs_exist_ok=True)
    shutil.rmtree(folder, ignore_errors=True)
    return make.__name__, status, bool(sanitized), not why


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else COUNT_DEFAULT
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    begun = time.monotonic()
    for kind in INPUTS:
        inputs_of(kind)
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("JOBS", os.cpu_count() or 1))) as pool:
        runs = list(pool.map(run_one, range(first, first + count)))
    seconds, bad = time.monotonic() - begun, sum(not good for _, _, _, good in runs)
    for make in COMMANDS:
        codes = collections.Counter(str(status) for name, status, _, _ in runs if name == make.__name__)
        if codes:
            print("%-17s %s" % (make.__name__, ", ".join("%d of status %s" % (number, code) for code, number in sorted(codes.items()))))
    print("%d runs of all commands, %d sanitized, %.1f a second, %d wrong" % (count, sum(run[2] for run in runs), count / max(seconds, 1e-9), bad))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
