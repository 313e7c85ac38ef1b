#!/usr/bin/env python3
"""Every program of the corpus that has records, in all layouts, run on a GPU: do the rewritten ones leave what the original leaves?

    corpus.py make FOLDER [--program build/coalesce]   here: measuring programs and rewritten programs, and what is refused and why
    corpus.py run FOLDER -o RESULTS.json [--jobs N]    on a machine that has a GPU and nvcc: builds and runs all of FOLDER
    corpus.py list                                     the corpus

The corpus: inputs of tests/golden/kernel whose kernels index records, all of tests/golden/rewrite, and the benchmarks, at small sizes. Of each there is a
measuring program (`coalesce bundle`), which compares what every layout leaves with what the program as written leaves; of those with a host side also one program
that runs the original and what `coalesce rewrite` makes of it one after another, there and back again, and whose printed numbers must agree to 1e-4.

RESULTS.json names each source file with its SHA-256, so that tests/e2e/corpus_results.py sees what has changed since. python3 without packages; `make` also needs
the tree.
"""
import argparse
import concurrent.futures
import glob
import hashlib
import json
import os
import re
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SCHEMA = "coalesce/corpus/1"
LAYOUTS = ("aos", "aosa", "soa", "asta")
# For kernels whose threads write over one another's results.
ONE_THREAD = ["--grid", "1", "--block", "1"]
# What the files do not say themselves.
OPTIONS = {
    "tests/golden/kernel/atomics.cu": ONE_THREAD,
    "tests/golden/kernel/constructor.cu": ONE_THREAD,
    "tests/golden/kernel/device_function.cu": ["--extent", "out=600", "--arg", "n=70", *ONE_THREAD],
    "tests/golden/kernel/operators.cu": ONE_THREAD,
    "tests/golden/kernel/reinterpret.cu": ["--extent", "p=64"],
    "tests/golden/kernel/vector_index.cu": ["--extent", "y=64", "--index", "edge.x=seq"],
    "tests/golden/rewrite/cell_lists.cu": ["--index", "particles.next=uniform:-1:0", "--index", "heads.first=uniform:0:120"],
    "benchmarks/idw.cu": ["-DPOINTS=500", "-DQUERIES=300"],
    "benchmarks/2mm.cu": ["-DN=40", "--group", "A,B,C,D,E"],
    "benchmarks/3mm.cu": ["-DN=33", "--group", "A,B,C,D,E,F,G"],
    "benchmarks/syr2k.cu": ["-DN=33", "--group", "A,B,C"],
    "benchmarks/corr.cu": ["-DN=33", "--group", "data,symmat"],
    "benchmarks/nbody.cu": ["-DN=100"],
    "benchmarks/particles.cu": ["-DN=1000"],
    "benchmarks/stencil_record.cu": ["-DN=50"],
    "benchmarks/gather.cu": ["-DN=2000", "--index", "neighbour=uniform:0:2000"],
    "benchmarks/histogram_record.cu": ["-DN=5000", "-DDETECTORS=77"],
    "benchmarks/spmv.cu": ["-DN=500", "--extent", "entries=6000", "--index", "row_start=seq:12"],
    "benchmarks/grayscale.cu": ["-DWIDTH=65", "-DHEIGHT=33"],
}
# With made-up contents these say nothing about layouts.
LEFT_OUT = {
    "tests/golden/kernel/pointer_sum.cu": "its threads write over one another's results, and one reads before the array",
    "tests/golden/kernel/toolkit_memory.cu": "nvcc does not compile the file itself: it prints without a header",
    "tests/golden/kernel/host_arrays.cu": "the program itself writes past the end of an array",
    "tests/golden/rewrite/pointer_in_struct.cu": "threads read what others write unless the indices are those of a tree",
    "tests/golden/rewrite/refused.cu": "it calls a function that is defined nowhere",
}


def read(path):
    with open(path, encoding="utf-8") as stream:
        return stream.read()


def digest(path):
    return hashlib.sha256(read(os.path.join(ROOT, path)).encode()).hexdigest()


def corpus():
    """The corpus: paths from the root."""
    kernels = [path for path in sorted(glob.glob(os.path.join(ROOT, "tests/golden/kernel/*.cu")))
               if re.search(r"^record ", read(path[:-3] + ".expected"), re.MULTILINE)]
    programs = sorted(glob.glob(os.path.join(ROOT, "tests/golden/rewrite/*.cu")))
    return [os.path.relpath(path, ROOT) for path in kernels + programs] + sorted(path for path in OPTIONS if path.startswith("benchmarks/"))


def options_of(path):
    text = read(os.path.join(ROOT, path))
    found = re.search(r"^// args: (.*)$", text, re.MULTILINE)
    options = OPTIONS.get(path, []) + (found.group(1).split() if found else [])
    return options if "<<<" in text or "--block" in options else ["--grid", "1", "--block", "64", *options]


# ---- here ---------------------------------------------------------------------------------


def bundle(program, path, folder):
    """Writes a file's measuring program. Returns the notes on what keeps its layout, and why there is no program, or None."""
    made = subprocess.run([program, "bundle", os.path.join(ROOT, path), *options_of(path), "-o", folder], capture_output=True, text=True, check=False)
    notes = [line.split(": note: ", 1)[1] for line in made.stderr.splitlines() if ": note: " in line and "keeps its layout" in line]
    wrong = re.findall(r"(?:warning|error): (.*)", made.stderr)
    return notes, (wrong[0] if wrong else "bundle fails") if made.returncode else None


def unit_text(forms):
    """One program that runs all of them, in order: forms is a list of (name, text)."""
    lines, calls = [], []
    for line in re.findall(r"^#include .*$", "\n".join(text for _, text in forms), re.MULTILINE):
        if line not in lines:
            lines.append(line)
    lines.append("#include <stdio.h>\nstatic int coalesce_run(int (*program)()) { return program(); }\n"
                 "static int coalesce_run(int (*program)(int, char **)) { return program(0, nullptr); }")
    for number, (name, text) in enumerate(forms):
        text = re.sub(r"^#include .*$", "", text, flags=re.MULTILINE).replace('extern "C"', 'extern "C++"')
        macros = re.findall(r"^#define (\w+)", text, re.MULTILINE)
        text = re.sub(r"\bint main\(", "int coalesce_main(", text)
        lines.append("namespace form_%d {\n%s\n}\n%s" % (number, text, "\n".join("#undef " + macro for macro in macros)))
        calls.append('\tprintf("=== %s\\n");\n\tprintf("=== status %%d\\n", coalesce_run(form_%d::coalesce_main));' % (name, number))
    return "\n".join(lines) + "\nint main()\n{\n%s\n\treturn 0;\n}\n" % "\n".join(calls)


def can_join(text):
    """
    Forms of one program can stand in one unit, unless they begin with a byte order mark, bring headers of their own, one for each form,
    or name types of the global namespace, as the rewriter does where a variable hides one.
    """
    return not text.startswith("\ufeff") and not re.search(r'^#include "|(?<![\w>])::\w', text, re.MULTILINE)


def programs_make(program, folder):
    """Writes a unit for each complete program of the corpus and returns {path: names of its forms}."""
    os.environ.update(COALESCE=program, ROOT=ROOT)
    sys.path.insert(0, os.path.join(ROOT, "tests", "e2e"))
    import rewrite_host  # pylint: disable=import-error,import-outside-toplevel
    found = {}
    for source, flags, args, back in rewrite_host.programs():
        path = os.path.relpath(source, ROOT)
        if not can_join(read(source)):
            continue
        rewritten = list(rewrite_host.forms(source, args, back, folder))
        wrong = [error for _, _, error in rewritten if error]
        if wrong:
            sys.exit(wrong[0])
        macros = "".join("#define %s\n" % flag[2:].replace("=", " ", 1) for flag in flags)
        stem = os.path.splitext(os.path.basename(source))[0]
        forms = [("original", macros + read(source))] + [(name[len(stem) + 1:], macros + read(made)) for name, made, _ in rewritten]
        for _, made, _ in rewritten:
            os.remove(made)
        if not all(can_join(text) for _, text in forms):
            continue
        with open(os.path.join(folder, stem + ".unit.cu"), "w", encoding="utf-8") as stream:
            stream.write(unit_text(forms))
        found[path] = [name for name, _ in forms]
    return found


def make(options):
    bundles, programs = os.path.join(options.folder, "bundles"), os.path.join(options.folder, "programs")
    os.makedirs(bundles)
    os.makedirs(programs)
    found = programs_make(os.path.abspath(options.program), programs)
    entries = []
    for path in corpus():
        entry = {"file": path, "sha256": digest(path), "options": options_of(path), "programs": found.get(path, [])}
        name = path.replace("/", "_")[:-3]
        if path in LEFT_OUT:
            entry["not_measured"] = LEFT_OUT[path]
        else:
            entry["keeps"], wrong = bundle(os.path.abspath(options.program), path, os.path.join(bundles, name))
            entry.update({"not_measured": wrong} if wrong else {"bundle": name})
        entries.append(entry)
    with open(os.path.join(options.folder, "corpus.json"), "w", encoding="utf-8") as stream:
        json.dump(entries, stream, indent=1)
    print("%d files, %d measuring programs, %d units of rewritten programs" %
          (len(entries), sum("bundle" in entry for entry in entries), len(found)))
    return 0


# ---- where the GPU is ---------------------------------------------------------------------------


def run_command(command, seconds):
    try:
        result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=seconds)
        return result.returncode, result.stdout, result.stderr
    except subprocess.TimeoutExpired:
        return 124, "", "killed after %d s" % seconds


def numbers_agree(got, want):
    if len(got) != len(want):
        return False
    for a, b in zip(got, want):
        try:
            if abs(float(a) - float(b)) > 1e-4 * max(abs(float(b)), 1e-2):
                return False
        except ValueError:
            if a != b:
                return False
    return True


def unit_run(folder, name):
    """Builds and runs a unit. Returns {form: "equal" or what is wrong}."""
    source = os.path.join(folder, "programs", name + ".unit.cu")
    built = run_command(["nvcc", "-arch=sm_90", "-w", "-o", source[:-3], source], 300)
    if built[0]:
        return {"original": "does not compile: " + built[2][:500]}
    status, out, err = run_command([source[:-3]], 60)
    parts = re.split(r"^=== (?!status)(\S+)\n", out, flags=re.MULTILINE)
    texts = dict(zip(parts[1::2], parts[2::2]))
    results = {form: "equal" if numbers_agree(text.split(), texts.get("original", "").split()) else "differs" for form, text in texts.items()}
    if "=== status 0" not in texts.get("original", "") or status:
        results["original"] = ("ends with status %d: " % status) + err[:300]
    return results


def bundle_build(folder):
    return run_command(["make", "-C", folder, "measure"], 300)


def bundle_run(folder):
    """Runs a measuring program. Returns its kernels, the device, and what is wrong."""
    status, out, err = run_command([os.path.join(folder, "measure"), "--quick", "--limit", "20"], 60)
    if status:
        return None, None, err.strip()[-500:] or "ends with status %d" % status
    case = json.loads(out)["cases"][0]
    wrong = case.get("failed", []) + [row for kernel in case["kernels"] for row in kernel.get("failed", [])]
    if wrong:
        return None, None, "; ".join(one["reason"] for one in wrong)
    kernels = [{"kernel": kernel["name"], "grid": kernel["grid"], "block": kernel["block"], "changed": kernel["changed"],
                "layouts": [[row["record"], row["layout"], row["agreement"]["values"], row["agreement"]["largest_difference"]] for row in kernel["layouts"]]}
               for kernel in case["kernels"]]
    return kernels, {key: case[key] for key in ("gpu", "driver", "compiler", "date")}, None


def entry_text(entry):
    return " " + json.dumps(entry)


def run(options):
    begin = time.monotonic()
    with open(os.path.join(options.folder, "corpus.json"), encoding="utf-8") as stream:
        entries = json.load(stream)
    device = {}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        built = {entry["bundle"]: pool.submit(bundle_build, os.path.join(options.folder, "bundles", entry["bundle"]))
                 for entry in entries if "bundle" in entry}
        units = {entry["file"]: pool.submit(unit_run, options.folder, os.path.splitext(os.path.basename(entry["file"]))[0])
                 for entry in entries if entry["programs"]}
        for entry in entries:
            if "bundle" in entry:
                result = built[entry["bundle"]].result()
                if result[0]:
                    entry["failed"] = "does not compile: " + result[2][:500]
                    continue
                entry["kernels"], found, wrong = bundle_run(os.path.join(options.folder, "bundles", entry["bundle"]))
                device = found or device
                if wrong:
                    entry["failed"] = wrong
        for entry in entries:
            if entry["programs"]:
                entry["programs"] = units[entry["file"]].result()
            entry.pop("bundle", None)
    text = ",\n".join(map(entry_text, entries))
    with open(options.output, "w", encoding="utf-8") as stream:
        stream.write('{"schema": "%s", "device": %s, "files": [\n%s\n]}\n' % (SCHEMA, json.dumps(device), text))
    failed = [entry["file"] + ": " + entry["failed"] for entry in entries if "failed" in entry]
    failed += ["%s: %s: %s" % (entry["file"], form, what) for entry in entries for form, what in dict(entry["programs"]).items() if what != "equal"]
    print("\n".join(failed))
    print("%d files, %d measured, %d programs rewritten, %d failed, %.0f s" %
          (len(entries), sum(bool(entry.get("kernels")) for entry in entries), sum(len(entry["programs"]) for entry in entries), len(failed),
           time.monotonic() - begin))
    return 1 if failed else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("command", choices=("make", "run", "list"))
    parser.add_argument("folder", nargs="?")
    parser.add_argument("-o", dest="output")
    parser.add_argument("--program", default=os.path.join(ROOT, "build", "coalesce"))
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    if options.command == "list":
        print("\n".join(corpus()))
        return 0
    if not options.folder or (options.command == "run" and not options.output):
        parser.error("a folder is needed, and -o for run")
    return make(options) if options.command == "make" else run(options)


if __name__ == "__main__":
    sys.exit(main())
