#!/usr/bin/env python3
"""Two differential tests of coalesce on random programs, both on the CPU.

    tests/generator/differences.py [--first SEED] [--count N] [--seconds S] [--jobs N] [--together N] [--a-file N] [--forms N] [--counts-every N]

Several programs stand in one file, so that each tool runs once for all of them. Where a tool refuses the file or a part of it, each program is tried alone.

(a) Counts. The emulation of the original, and of the program rewritten into each layout, gives the requests and sectors of each line.
    `predict --json` must have the same: executions and sectors of each access, and the totals of global loads and stores of a kernel.
    Where the compiler made wider accesses of several (a layout has accesses wider than any of the line), the emulated numbers are upper bounds. Nothing is compared for
    kernels of which predict says that it assumed something, and of kernels with accesses that the compiler may drop (kernels.py).
(b) Results. The rewritten program must compile and print what the original prints. A refusal with a reason is counted, not a failure.

COALESCE names the program. Exit status 1 when a program fails; each failure is printed with its seed.
"""
import argparse
import collections
import concurrent.futures
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import emulate  # noqa: E402
from program import Program, own_name, together  # noqa: E402

COALESCE = os.environ.get("COALESCE") or os.path.join(emulate.HERE, "..", "..", "build", "coalesce")
FORMS = {"soa": [], "aosa": [], "asta": [], "soa struct": ["--style", "struct"]}
CLOSE = 1e-6
LIMIT_SECONDS = 600


def call(arguments):
    """Exit status, stdout and stderr; status -1 when it runs past LIMIT_SECONDS."""
    try:
        ran = subprocess.run([COALESCE, *arguments], capture_output=True, text=True, check=False, timeout=LIMIT_SECONDS, errors="replace")
    except subprocess.TimeoutExpired:
        return -1, "", "no end in time"
    return ran.returncode, ran.stdout, ran.stderr


def reason(said):
    """What a refusal says, without names and numbers, so that like ones are counted together."""
    lines = [line for line in said.splitlines() if "error:" in line] or said.splitlines() or ["nothing said"]
    text = re.sub(r"^.*?error: ", "", lines[0])
    return re.sub(r"\d+", "N", re.sub(r"'[^']*'|\"[^\"]*\"", "NAME", text))[:140]


class Result:
    """Of the programs that stand in one file."""

    def __init__(self, seeds):
        self.seeds, self.failures, self.refusals, self.tally = seeds, [], [], collections.Counter()

    def fail(self, text, seed=None):
        """seed: the program at fault, where it is known."""
        self.failures.append((seed or (self.seeds[0] if len(self.seeds) == 1 else None), text))


def markers(text):
    """{line: marker} and [(kernel, first line, last line)], functions of a kernel belonging to it."""
    lines = {int(number): mark for mark, number in re.findall(r"/\*([@~!])(\d+)\*/", text)}
    kernels, start, name = [], 1, None
    for number, line in enumerate(text.split("\n"), 1):
        found = re.match(r"__global__ void .*?(kernel\w+)\(", line)
        name = found.group(1) if found else name
        if line == "}" and name:
            kernels.append((name, start, number))
            start, name = number + 1, None
    return lines, kernels


# ---- counts ---------------------------------------------------------------------------------------


def near(a, b):
    return abs(a - b) <= CLOSE * max(1, abs(b))


def rows_of(layouts):
    """{(line, kind): [requests, sectors, greatest width, arrays]} of rows of accesses, each with the warps of its launches."""
    rows = {}
    for warps, layout, _ in layouts:
        for access in layout["accesses"]:
            if access["space"] != "global":
                continue
            row = rows.setdefault((access["line"], access["kind"]), [0, 0, 0, set()])
            requests = access["executions_per_warp"] * warps
            row[0] += requests
            row[1] += requests * (access["sectors_per_request"] or 0)
            row[2] = max(row[2], access["width"])
            row[3].add(access["array"])
    return rows


def entries_of(prediction, name):
    return [kernel for kernel in prediction["kernels"] if kernel["name"] == name]


def warps_of(entry):
    threads = entry["block"][0] * entry["block"][1] * entry["block"][2]
    return entry["grid"][0] * entry["grid"][1] * entry["grid"][2] * -(-threads // 32) * entry["launches"]


def layout_rows(entries, layout):
    """The rows of a layout in all launches of a kernel, [(warps, row, launches)], or None where a launch has it for no or several records."""
    found = []
    for entry in entries:
        rows = [row for row in entry["layouts"] if row["layout"] in (layout, "as-written" if layout == "aos" else layout)]
        if len(rows) != 1 or len({group["name"] for group in entry["groups"]}) > 1:
            return None
        found.append((warps_of(entry), rows[0], entry["launches"]))
    return found


def line_difference(rows, truth, key):
    """How the rows of a line differ from what was emulated for it, or an empty string."""
    requests, sectors, _ = truth.get(key, (0, 0, 0))
    row = rows.get(key, [0, 0, 0])
    if near(row[0], requests) and near(row[1], sectors):
        return ""
    return f"line {key[0]}: {key[1]} {row[0]:g} requests, {row[1]:g} sectors; emulated {requests}, {sectors}"


def total_difference(found, truth, kind, wide):
    """How the totals of a kernel differ; wide: they may be lower."""
    key = {"load": "ld", "store": "st"}[kind]
    said = [sum(row["counts"][f"{key}_{what}"] * times for _, row, times in found) for what in ("requests", "sectors")]
    want = [sum(line[i] for (_, its_kind), line in truth.items() if its_kind == kind) for i in (0, 1)]
    if all(near(a, b) or (wide and a < b) for a, b in zip(said, want)):
        return ""
    return f"total: {kind} {said[0]:g} requests, {said[1]:g} sectors; emulated {want[0]}, {want[1]}"


def seed_of(name):
    """The seed in the name of a kernel, or None."""
    return int(name.split("_")[1]) if "_" in name else None


def counts_compare(result, name, layout, found, truth, atomics):
    """Holds the rows of one kernel in one layout against the emulated lines of that kernel; atomics: lines that have some."""
    rows = rows_of(found)
    wide = any(row[2] > truth.get(key, (0, 0, 99))[2] for key, row in rows.items() if key[1] != "atomic")
    rows = {key: row for key, row in rows.items() if key[1] != "atomic"}
    truth = {key: line for key, line in truth.items() if key[0] not in atomics}
    differences = [] if wide else [line_difference(rows, truth, key) for key in sorted({*rows, *truth})]
    differences += [total_difference(found, truth, kind, wide) for kind in ("load", "store")]
    result.tally["lines compared"] += 0 if wide else len(truth)
    result.tally["layouts of a kernel with upper bounds" if wide else "layouts of a kernel compared exactly"] += 1
    for difference in filter(None, differences):
        result.fail(f"{name} {layout} {difference}", seed_of(name))


def counts_check(result, text, prediction, truths):
    """truths: {layout: counts of the emulation}."""
    lines, kernels = markers(text)
    for name, first, last in kernels:
        result.tally["kernels"] += 1
        entries = entries_of(prediction, name)
        if not entries:
            result.tally["kernels not predicted"] += 1
            continue
        if any(name in assumption["kernels"] for assumption in prediction["assumptions"]):
            result.tally["kernels assumed"] += 1
            continue
        mine = {line: mark for line, mark in lines.items() if first <= line <= last}
        if "~" in mine.values():
            result.tally["kernels of which results alone are compared"] += 1
            continue
        atomics = {line for line, mark in mine.items() if mark == "!"}
        for layout, truth in truths.items():
            found = layout_rows(entries, layout)
            if found:
                own = {key: line for key, line in truth.items() if key[0] in mine}
                counts_compare(result, name, layout, found, own, atomics)
            else:
                result.tally["layouts of a kernel not compared"] += 1


# ---- results --------------------------------------------------------------------------------------


def contents_of(programs):
    """Contents of the index arrays, by the names that they have in the file."""
    return {name if len(programs) == 1 else own_name(program, name): values for program in programs for name, values in program.contents().items()}


def predict(result, programs, path, names):
    layouts = ["aos", *sorted({name.split()[0] for name in names})]
    arguments = ["predict", path, "--json", "-q", "--layouts", ",".join(layouts)]
    for name, values in contents_of(programs).items():
        contents = f"{path}.{name}"
        with open(contents, "w", encoding="utf-8") as file:
            file.write("\n".join(map(str, values)) + "\n")
        arguments += ["--index", f"{name}={contents}"]
    status, out, err = call(arguments)
    if status == 0:
        if re.search(r"\b(nan|inf)\b", out):
            result.fail("predict prints nan or inf")
        return json.loads(out)
    if status == 1:
        result.refusals.append("predict: " + reason(err))
    else:
        result.fail(f"predict: exit {status}\n{err[-600:]}")
    return None


def forms_of(seed, count):
    """The forms that the program of a seed is rewritten into: the first of another order for each seed."""
    orders = list(itertools.permutations(FORMS))
    return orders[seed * 7 % len(orders)][:count]


def write_forms(result, path, names):
    """Rewrites the file; returns [(form, path, whether all records have that layout)]."""
    forms = [("original", path, True)]
    for form in names:
        options = FORMS[form]
        target = path.replace(".cu", f".{form.replace(' ', '.')}.cu")
        status, _, err = call(["rewrite", path, "--layout", form.split()[0], "-o", target, "--no-compile", *options])
        if status == 0:
            forms.append((form, target, "keeps its layout" not in err and "left as it is" not in err))
        elif status == 1:
            result.refusals.append(f"rewrite {form}: {reason(err)}")
        else:
            result.fail(f"rewrite {form}: exit {status}\n{err[-600:]}")
    return forms


class Case:
    """A file with programs, its forms, and what is predicted of it."""

    def __init__(self, seeds, folder, forms, counts):
        names = forms_of(seeds[0], forms)
        self.result, self.seeds, self.programs = Result(seeds), seeds, [Program(seed) for seed in seeds]
        self.text = self.programs[0].text if len(seeds) == 1 else together(self.programs)
        path = os.path.join(folder, f"{'_'.join(map(str, seeds))}.cu")
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.text)
        self.forms = write_forms(self.result, path, names)
        self.prediction = predict(self.result, self.programs, path, names) if counts and self.is_clean() else None

    def is_clean(self):
        """Whether every tool took the whole file, without a word that could be meant for one of the programs alone."""
        return not self.result.refusals and not self.result.failures and all(whole for _, _, whole in self.forms)

    def paths(self):
        return [path for _, path, _ in self.forms]

    def outputs(self, out):
        """{seed: what its program printed}."""
        if len(self.seeds) == 1:
            return {self.seeds[0]: out}
        parts = re.split(r"^seed (\d+)\n", out, flags=re.MULTILINE)
        return dict(zip(map(int, parts[1::2]), parts[2::2]))

    def compare(self, ran):
        """ran: what emulate.run_forms says of each form."""
        truths, (want_status, want, _) = {}, ran[0]
        wanted = self.outputs(want)
        for (form, _, whole), (status, out, counts) in zip(self.forms, ran):
            self.result.tally["forms run"] += len(self.seeds)
            found = self.outputs(out)
            for seed in self.seeds:
                if status != want_status or status != 0 or found.get(seed) != wanted.get(seed):
                    pairs = zip(found.get(seed, "").split("\n"), wanted.get(seed, "").split("\n"))
                    self.result.fail(f"{form}: exit {status}, prints {'; '.join([f'{a} not {b}' for a, b in pairs if a != b][:4])}", seed)
            if status == 0 and out == want and whole and "struct" not in form:
                truths["aos" if form == "original" else form] = counts
        if self.prediction:
            counts_check(self.result, self.text, self.prediction, truths)


def compile_alone(case, executable, folder):
    """Leaves out the forms of a program that do not compile."""
    good = []
    for form in case.forms:
        said = emulate.compile_forms([form[1]], executable, folder)
        if said:
            case.result.fail(f"{form[0]}: does not compile\n{said[:800]}")
        else:
            good.append(form)
    case.forms = good


def compile_cases(cases, executable, folder):
    """Compiles all forms together; where that fails, without those that do not compile. Returns whether there is something to run."""
    for again in (False, True):
        errors = emulate.compile_forms([path for case in cases for path in case.paths()], executable, folder)
        if not errors:
            return True
        for case in cases:
            if again:
                case.result.fail(f"forms do not compile together\n{errors[:800]}")
            else:
                compile_alone(case, executable, folder)
    return False


def cases_of(seeds, folder, options):
    """Programs as files; those of a file that some tool does not take whole have files of their own."""
    cases = []
    for number, first in enumerate(range(0, len(seeds), options.a_file)):
        some, counts = seeds[first:first + options.a_file], number % options.counts_every == 0
        case = Case(some, folder, options.forms, counts)
        alone = len(some) > 1 and not case.is_clean()
        cases += [Case([seed], folder, options.forms, counts) for seed in some] if alone else [case]
    return cases


def check(seeds, shared, options):
    """Returns the results of the seeds, whose programs are compiled together."""
    with tempfile.TemporaryDirectory(dir=shared) as folder:
        cases, executable = cases_of(seeds, folder, options), os.path.join(folder, "forms")
        if compile_cases(cases, executable, shared):
            ran = emulate.run_forms(executable, sum(len(case.forms) for case in cases))
            for case in cases:
                if case.forms:
                    case.compare(ran[:len(case.forms)])
                del ran[:len(case.forms)]
    return [case.result for case in cases]


def check_safely(seeds, folder, options):
    try:
        return check(seeds, folder, options)
    except Exception as error:  # pylint: disable=broad-except
        result = Result(seeds)
        result.fail(f"the test itself: {error!r}")
        return [result]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    parser.add_argument("--count", type=int, default=300, help="how many programs")
    parser.add_argument("--also", type=int, nargs="*", default=[], help="further seeds")
    parser.add_argument("--seconds", type=float, help="start no program after this time")
    parser.add_argument("--together", type=int, default=10, help="programs that are compiled as one")
    parser.add_argument("--a-file", type=int, default=5, help="programs in a file")
    parser.add_argument("--counts-every", type=int, default=1, help="of so many files one is predicted, and its counts are compared")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--forms", type=int, default=len(FORMS), choices=range(1, len(FORMS) + 1), help="forms that each program is rewritten into")
    options = parser.parse_args()
    start, failed, refusals, tally = time.monotonic(), [], collections.Counter(), collections.Counter()

    seeds = [*range(options.first, options.first + options.count), *options.also]

    def some(first):
        if options.seconds and time.monotonic() - start > options.seconds:
            return []
        results = check_safely(seeds[first:first + options.together], folder, options)
        for seed, failure in [failure for result in results for failure in result.failures]:
            print(f"seed {seed}: {failure}", flush=True)
        return results

    done = 0
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for results in pool.map(some, range(0, len(seeds), options.together)):
            for result in results:
                done += len(result.seeds)
                refusals.update(result.refusals)
                tally.update(result.tally)
                failed += sorted({str(seed or result.seeds) for seed, _ in result.failures})
    for text, times in refusals.most_common():
        print(f"refused {times} times: {text}")
    print(", ".join(f"{count} {name}" for name, count in sorted(tally.items())))
    seconds = time.monotonic() - start
    print(f"{done} programs, {len(failed)} with differences{': ' if failed else ''}{' '.join(failed)}")
    print(f"{seconds:.0f} s, {done / seconds:.2f} programs a second", file=sys.stderr)
    return 1 if failed or not done else 0


if __name__ == "__main__":
    sys.exit(main())
