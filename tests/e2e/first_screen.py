#!/usr/bin/env python3
"""needs: nvcc

What the first screen says of every benchmark agrees with itself: bars and their legend, the sentence and the rows, widths, numbers that can be read, each
note once, halves of one job not called variants of it, and a word where there is no layout to choose. What an array has beyond what a kernel touches
does not matter.
"""
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

PROGRAM, ROOT = os.environ["COALESCE"], os.environ["ROOT"]
failures = []
ACTION = re.compile(r"^  \d+\. record (.+): (change (\S+) to (\S+)|keep (\S+), as written)$")
ROW = re.compile(r"^  (as-written|aos|soa|aosa|asta) +([\d.]+) +([\d.]+)  (\w+) .*?  ([i12dsawo]+)$")
LETTERS = {"i": "instruction issue", "1": "the L1", "2": "the L2", "d": "DRAM", "s": "shared memory", "a": "the atomic units",
           "w": "waiting", "o": "the launch's start"}


checked = {"legends": 0, "sentences": 0}
ACTIONS_CHECKED = ("idw.cu", "particles.cu", "reduction.cu", "spmv.cu")
LEAST_CHECKED = {"legends": 40, "sentences": 15}


def check(right, what):
    if not right:
        failures.append(what)


def screen(path, *options):
    done = subprocess.run([PROGRAM, "predict", path, "-q", *options], cwd=ROOT, capture_output=True, text=True, check=False)
    check(done.returncode == 0 and not done.stderr, "%s: exit status %d, %s" % (path, done.returncode, done.stderr))
    return done.stdout


def paragraphs(lines):
    """Lines with those that go on indented joined to them."""
    joined = []
    for line in lines:
        if line.startswith("    ") and joined:
            joined[-1] += " " + line.strip()
        else:
            joined.append(line)
    return joined


def legend_check(name, rows, line):
    shown = {letter for row in rows for letter in row.group(5)}
    said = {part.strip()[0]: part.strip()[2:] for part in line.split(",")}
    check(said == {letter: LETTERS[letter] for letter in shown}, "%s: the bars show %s, the legend %s" % (name, sorted(shown), said))


def sentence_check(name, rows, line):
    """"recommendation: soa ... soa is 1.25 times as fast as aos (1.07 to 1.47)": of two rows of the table, by their times."""
    found = re.search(r"(\w+) is ([\d.]+) times as fast as (\w+) \(([\d.]+) to ([\d.]+)\)", line)
    times = {row.group(1): float(row.group(2)) for row in rows}
    if not found:
        check("No other layout" in line, "%s: %s" % (name, line))
        return
    ratio = times[found.group(3)] / times[found.group(1)]
    check(abs(ratio / float(found.group(2)) - 1) < 0.012, "%s: the rows give %.3f: %s" % (name, ratio, line))
    check(float(found.group(4)) <= 1.012 * ratio and 0.988 * ratio <= float(found.group(5)), "%s: not in its interval: %s" % (name, line))
    check(re.match(r"  recommendation: (\w+)", line).group(1) == found.group(1), "%s: of another layout: %s" % (name, line))


def tables_check(name, lines):
    """Each run of rows with the legend and the sentences that follow it."""
    rows = []
    for line in lines:
        row = ROW.match(line)
        if row:
            rows.append(row)
        elif line.startswith(("  layout", "program,")):
            rows = []
        elif rows and re.match(r"  [i12dsawo] (instruction|the|DRAM|shared|waiting)", line):
            legend_check(name, rows, line)
            checked["legends"] += 1
        elif rows and line.startswith("  recommendation:"):
            sentence_check(name, rows, line)
            checked["sentences"] += 1


def actions_check(name, text, prediction):
    """The list of what to do: the JSON's, what gains most first, before all else, and its change is the one recommended."""
    lines = text.splitlines()
    check(lines[2] == "what to do:", "%s: does not begin with what to do: %s" % (name, lines[2]))
    found = [ACTION.match(line) for line in lines if ACTION.match(line)]
    actions = prediction["program"]["actions"]
    check([(match[1], match[2]) for match in found] == [(one["record"], one["answer"]) for one in actions], "%s: other actions in JSON" % name)
    recommended = {one["record"]: one["recommended"] for one in prediction["program"]["records"]}
    for match, action in zip(found, actions):
        check((match[4] or match[5]) == recommended[match[1]], "%s: %s is recommended" % (name, recommended[match[1]]))
        check(not action["rewrite"] or action["rewrite"] in re.sub(r" \\\n +", " ", text), "%s: the command is broken: %s" % (name, action["rewrite"]))
        check(bool(action["rewrite"] or action["rewrite_refusal"]) == action["change"], "%s: a change has a command, or what stands in its way" % name)
        check(not (action["rewrite"] and action["rewrite_refusal"]), "%s: a command that is refused" % name)
    saved = [action["saved_us"] for action in actions]
    check(saved == sorted(saved, reverse=True), "%s: not by gain: %s" % (name, saved))


def screen_check(path):
    name = os.path.basename(path)
    text = screen(path)
    if name in ACTIONS_CHECKED:
        actions_check(name, text, json.loads(screen(path, "--json")))
    for line in text.splitlines():
        check(len(line) <= 100, "%s: %d columns: %s" % (name, len(line), line))
        check(not re.search(r"\d[eE][+-]?\d|\bnan\b|\binf\b|\?", line), "%s: not to be read: %s" % (name, line))
    lines = paragraphs(text.splitlines())
    tables_check(name, lines)
    notes = [line for line in lines if line.startswith("  note: ")]
    places = [re.sub(r"\d+ of \d+ warps stand for all.*", "", note) for note in notes]
    check(len(set(places)) == len(places), "%s: said twice: %s" % (name, notes))
    check(("recommendation:" in text) != ("no layout to choose" in text), "%s: neither an answer nor why there is none" % name)
    return text


COPY = """template <typename T> __global__ void copy(const T *in, T *out) { int i = blockIdx.x * blockDim.x + threadIdx.x; out[i] = in[i]; }
int main() { float3 *a, *b; cudaMalloc(&a, BYTES); cudaMalloc(&b, BYTES); copy<float3><<<4096, 256>>>(a, b); }
"""


def oversized_check():
    """Three stores to the same sectors write each of them once, however large the array is."""
    needed, counts = (4096 * 256 * 12), []
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "copy.cu")
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(COPY)
        for size in (needed, 16 * needed):
            counts.append(json.loads(screen(path, "-DBYTES=%d" % size, "--json"))["kernels"][0]["layouts"][0]["counts"])
    for count in counts:
        check((count["dram_read_bytes"], count["dram_write_bytes"]) == (needed, needed), "DRAM bytes of a copy: %s" % count)


def main():
    screens = {os.path.basename(path): screen_check(path) for path in sorted(glob.glob(os.path.join(ROOT, "benchmarks/*.cu")))}
    check("as variants of one job" not in screens["3mm.cu"], "3mm.cu: two products that a third takes are called variants")
    check("as variants of one job" in screens["reduction.cu"], "reduction.cu: no table of variants")
    check(all(checked[what] >= least for what, least in LEAST_CHECKED.items()), "too little was found on the screens: %s" % checked)
    oversized_check()
    print("\n".join(failures))
    sys.exit(bool(failures))


main()
