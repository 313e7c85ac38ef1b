#!/usr/bin/env python3
"""Rewritten programs print what the original prints: on the CPU, through tests/host_cuda, in every layout and back again,
and with one struct of pointers.

Inputs: the complete programs (those with a main) of tests/golden/rewrite, whose `args:` are those of the golden test, and the
benchmarks at small sizes. `back: GROUP` in an input's head: its soa form is rewritten again, with that --group, into aos and asta. aosa
forms of records and asta forms go back to aos, and on to soa, without a group. Every second program takes the ways back and the struct;
with --all each.
"""
import concurrent.futures
import glob
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.environ["ROOT"]
COALESCE = os.environ["COALESCE"]
sys.path.insert(0, os.path.join(ROOT, "tests", "host_cuda"))
import run as host_cuda  # noqa: E402

LEAST_FORMS, LEAST_FORMS_OF_ALL = 200, 300
LAYOUTS = ("aos", "aosa", "soa", "asta")
BENCHMARKS = {
    "idw": (["-DPOINTS=100", "-DQUERIES=77"], [], "data_x,data_y,data_z"),
    "2mm": (["-DN=30"], ["--group", "A,B,C,D,E"], None),
    "3mm": (["-DN=30"], ["--group", "A,B,C,D,E,F,G"], None),
    "syr2k": (["-DN=30"], ["--group", "A,B,C"], None),
    "corr": (["-DN=45"], ["--group", "data,mean,stddev,symmat"], None),
    "nbody": (["-DN=70"], [], None),
    "particles": (["-DN=100"], [], None),
    "stencil_record": (["-DN=37"], [], None),
    "gather": (["-DN=100"], [], None),
    "histogram_record": (["-DN=100", "-DDETECTORS=9"], [], None),
    "spmv": (["-DN=50"], [], None),
    "grayscale": (["-DWIDTH=37", "-DHEIGHT=20"], [], None),
    "add_matrix": (["-DN=33", "-DM=20"], ["--group", "a,b,c"], None),
    "multiply_add": (["-DN=33"], ["--group", "A,B,C,D"], None),
}


# Programs whose host functions or code, or functions of our own, take tiles: there is no way back yet.
TILES_PASSED_ON = ("held_arguments", "held_owner", "held_functor", "host_functions", "multiply_add", "constructors", "host_buffers", "managed_elements", "device_alloc")
# Programs whose soa form has several arrays for one parameter of a function of ours, or passes them on to a kernel of ours: separate arrays are not followed there.
SPREAD = ("members", "mixed_types", "pointer_forms", "idw")
# Programs whose device memory is held by objects: functions of ours pack what is sent to them, which has no way back, and each object holds one array. What a struct of pointers becomes has none either.
HELD = ("device_buffer", "device_download", "object_members", "struct_pointers")
# One of their records keeps its layout.
KEEPS = ("base_classes",)
# Tiles are not read back into vectors, and parts of arrays may begin in a tile: refused, with the place.
REFUSED = (("device_download", "asta"), ("copied_parts", "asta"))


def head(text, key):
    found = re.search(rf"^// {key}: (.*)$", text, re.MULTILINE)
    return found.group(1) if found else None


def programs():
    """Yields (path, compiler flags, arguments of rewrite, --group for the way back)."""
    for path in sorted(glob.glob(os.path.join(ROOT, "tests", "golden", "rewrite", "*.cu"))):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        if "int main(" in text and not head(text, "incomplete"):
            yield path, [], (head(text, "args") or "").split(), head(text, "back")
    for name, (flags, args, back) in BENCHMARKS.items():
        yield os.path.join(ROOT, "benchmarks", name + ".cu"), flags, args, back


def rewrite(source, layout, target, args):
    """Returns what went wrong, or an empty string."""
    result = subprocess.run([COALESCE, "rewrite", source, "--layout", layout, "-o", target, "--no-compile", *args],
                            capture_output=True, text=True, check=False)
    keeps = "keeps its layout" in result.stderr and os.path.basename(source).split(".")[0] not in KEEPS
    if result.returncode != 0 or "left as it is" in result.stderr or keeps:
        return f"rewrite {os.path.basename(source)} --layout {layout}: exit {result.returncode}\n{result.stderr}"
    return ""


def read(path):
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        return file.read()


def compare(folder, name, source, flags, want):
    """Runs a program; returns how it differs from what is wanted, or an empty string."""
    executable = os.path.join(folder, name)
    errors = host_cuda.compile_program(source, executable, flags)
    if errors:
        return f"{name}: does not compile\n{errors[:3000]}"
    got = host_cuda.run_program(executable)
    return "" if got == want else f"{name}: prints\n{got[1][:1000]}\nnot\n{want[1][:1000]}"


def from_tiles(path):
    """Whether the kernels of a tiled program do nothing but index, with one tile's members and no more."""
    text = read(path)
    return "_pointer" not in text and "][" not in text


def forms(source, args, back, folder, further):
    """Yields (name, path or None, error) of every rewritten form."""
    stem = os.path.splitext(os.path.basename(source))[0]
    for layout in [one for one in LAYOUTS if (stem, one) not in REFUSED]:
        path = os.path.join(folder, f"{stem}.{layout}.cu")
        error = rewrite(source, layout, path, args)
        yield f"{stem}.{layout}", path, error
        ways = []
        if back and layout == "soa" and stem not in SPREAD:
            ways = [("aos", ["--group", back]), ("asta", ["--group", back])]
        elif "--group" not in args and layout == "aosa":
            ways = [("aos", []), ("soa", [])]
        elif layout == "asta" and not error and stem not in TILES_PASSED_ON and from_tiles(path):
            ways = [("aos", []), ("soa", [])]
        ways = [] if stem in HELD or not further else ways
        for again, again_args in [(layout, [*arguments, "-I", os.path.dirname(source)]) for layout, arguments in ways]:
            again_path = os.path.join(folder, f"{stem}.{layout}.{again}.cu")
            yield f"{stem}.{layout}.{again}", again_path, error or rewrite(path, again, again_path, again_args)


def struct_form(source, args, folder):
    """The soa form whose kernels get the members in one struct, as forms() yields it."""
    name = os.path.splitext(os.path.basename(source))[0] + ".soa.struct"
    path = os.path.join(folder, name + ".cu")
    return name, path, rewrite(source, "soa", path, [*args, "--style", "struct"])


def check(program, further):
    """further: also on from each layout, and with a struct. Returns failures, and how many forms there are; forms of the same text are compiled and run once."""
    source, flags, args, back = program
    flags = [*flags, "-I" + os.path.dirname(source)]
    failures, count = [], 0
    with tempfile.TemporaryDirectory() as folder:
        executable = os.path.join(folder, "original")
        errors = host_cuda.compile_program(source, executable, flags)
        if errors:
            return [f"{source}: does not compile\n{errors[:3000]}"], 0
        want = host_cuda.run_program(executable)
        if want[0] != 0:
            return [f"{source}: exit {want[0]}\n{want[1]}"], 0
        compared = {read(source): ""}
        held = os.path.splitext(os.path.basename(source))[0] in HELD
        for name, path, error in [*forms(source, args, back, folder, further), *([] if held or not further else [struct_form(source, args, folder)])]:
            count += 1
            text = "" if error else read(path)
            if not error and text not in compared:
                compared[text] = compare(folder, name, path, flags, want)
            failure = error or compared[text]
            if failure:
                failures.append(failure)
    return failures, count


def main():
    everything, only = "--all" in sys.argv, [word for word in sys.argv[1:] if word != "--all"]
    chosen = [p for p in programs() if not only or os.path.splitext(os.path.basename(p[0]))[0] in only]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(check, chosen, [everything or bool(only) or number % 2 == 0 for number in range(len(chosen))]))
    failures = [failure for result in results for failure in result[0]]
    print("\n".join(failures))
    forms_run = sum(result[1] for result in results)
    print(f"{forms_run} rewritten programs, {len(failures)} failed")
    return 1 if failures or not results or (not only and forms_run < (LEAST_FORMS_OF_ALL if everything else LEAST_FORMS)) else 0


if __name__ == "__main__":
    sys.exit(main())
