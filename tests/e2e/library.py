#!/usr/bin/env python3
"""libcoalesce: it exports its API and nothing else, the example of docs/ gives what the program gives, wrong use gives errors as values,
threads do not disturb each other, nothing is printed, and every option of predict is either taken or known as one of its output.

needs: nvcc
"""
import json
import os
import re
import subprocess
import sys

PROGRAM, ROOT, BUILD, FOLDER = os.environ["COALESCE"], os.environ["ROOT"], os.environ["BUILD"], os.environ["TMPDIR"]
GROWTH_KIB = 4096 # of resident memory, that allocators may take once more
SOURCES = [os.path.join(ROOT, "benchmarks", name) for name in ("idw.cu", "corr.cu")]
# What libraries that ours is linked with bring along.
FOREIGN = re.compile(r"__(asan|ubsan|tsan|lsan|sanitizer)|_fini$|_init$|_edata$|_end$|__bss_start$")
errors = []


def check(condition, *what):
    if not condition:
        errors.append(" ".join(str(part) for part in what))


def run(*command, **more):
    return subprocess.run(command, capture_output=True, text=True, check=False, **more)


def build():
    done = run("make", "-s", "--no-print-directory", "-C", ROOT, "BUILD=" + BUILD, *sanitizer_flags("EXTRA_CFLAGS", "EXTRA_LDFLAGS"), "library")
    check(done.returncode == 0, done.stdout, done.stderr)


def sanitizer_flags(*variables):
    """The flags of the build that is tested, for make or for a compiler."""
    symbols = run("nm", PROGRAM).stdout
    names = [flag for word, flag in (("__asan_init", "address"), ("__ubsan_handle", "undefined"), ("__tsan_init", "thread")) if word in symbols]
    flags = "-fsanitize=%s -fno-sanitize-recover=all -fno-omit-frame-pointer" % ",".join(names)
    if not names:
        return []
    return ["%s=%s" % (name, flags) for name in variables] + (["OPTIMIZE=-O1 -g"] if variables else flags.split())


def compile_with(source, output, static):
    environment = dict(os.environ, PKG_CONFIG_PATH=os.path.join(BUILD, "lib/pkgconfig"))
    flags = run("pkg-config", "--cflags", "--libs", *(["--static"] if static else []), "coalesce", env=environment).stdout.split()
    if static:
        flags = ["-l:libcoalesce.a" if flag == "-lcoalesce" else flag for flag in flags]
    else:
        flags.append("-Wl,-rpath," + os.path.join(BUILD, "lib"))
    done = run("cc", "-std=c11", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Wpedantic", "-Werror", *sanitizer_flags(), source, "-o", output, *flags, "-lm")
    check(done.returncode == 0, source, done.stderr)
    needed = run("readelf", "-d", output).stdout
    check(("libcoalesce.so.1" in needed) != static, output, "is linked with", re.findall(r"NEEDED.*\[(.*)\]", needed))
    return output


def exported(path, *flags):
    names = [line.split()[-1].split("@")[0] for line in run("nm", "--defined-only", *flags, path).stdout.splitlines() if len(line.split()) >= 3]
    return sorted(name for name in names if not FOREIGN.search(name) and not name.startswith("COALESCE_"))


def check_names():
    with open(os.path.join(ROOT, "library/coalesce.h"), encoding="utf-8") as stream:
        declared = sorted(re.findall(r"^COALESCE_EXPORT [^;(]*?(coalesce_\w+)\(", stream.read(), re.M))
    check(declared, "no function is declared")
    check(exported(os.path.join(BUILD, "lib/libcoalesce.so"), "-D") == declared, "the shared library's names are not those of coalesce.h")
    check(exported(os.path.join(BUILD, "lib/libcoalesce.a"), "-g") == declared, "the static library's names are not those of coalesce.h")
    versions = run("readelf", "-W", "--dyn-syms", os.path.join(BUILD, "lib/libcoalesce.so")).stdout
    check(all("%s@@COALESCE_1" % name in versions for name in declared), "a symbol has no version")
    done = run("c++", "-std=c++17", "-fsyntax-only", "-Wall", "-Wextra", "-x", "c++", os.path.join(ROOT, "library/coalesce.h"))
    check(done.returncode == 0, "coalesce.h in C++:", done.stderr)


def check_example():
    source = os.path.join(ROOT, "docs/library/example.c")
    whole = json.loads(run(PROGRAM, "predict", SOURCES[0], "--json", "-q").stdout)
    shown = ["%-10s %12.3f us, limited by %s" % (row["layout"], row["time_us"], row["bound"]) for row in whole["kernels"][0]["layouts"]]
    outputs = []
    for static in (False, True):
        program = compile_with(source, os.path.join(FOLDER, "example-static" if static else "example"), static)
        done = run(program, SOURCES[0], "h200")
        check(done.returncode == 0 and not done.stderr, "example:", done.returncode, done.stderr)
        outputs.append(done.stdout)
    check(outputs[0] == outputs[1], "shared and static differ")
    check(re.findall(r"^    (\S+ .*us, .*)$", outputs[0], re.M) == shown, "the example's rows are not the program's:", outputs[0], shown)
    verdict = whole["kernels"][0]
    check("record point: %s, " % verdict["recommended"] in outputs[0] and "(confidence %s)" % verdict["confidence"] in outputs[0], "verdict:", outputs[0])


def check_values():
    done = run(compile_with(os.path.join(ROOT, "tests/inputs/library/values.c"), os.path.join(FOLDER, "values"), False), cwd=FOLDER)
    check((done.returncode, done.stdout, done.stderr) == (0, "", ""), "values:", done)


def check_threads():
    """What each thread gets is what the program prints, but for the words of its command line."""
    done = run(compile_with(os.path.join(ROOT, "tests/inputs/library/threads.c"), os.path.join(FOLDER, "threads"), False), *SOURCES,
               env=dict(os.environ, LC_ALL="de_DE.UTF-8"))
    check(done.returncode == 0 and not done.stderr, "threads:", done.returncode, done.stdout[:300], done.stderr[:300])
    given = json.loads(done.stdout or "[]")
    check(len(given) == len(SOURCES), "threads gave", len(given), "results of", len(SOURCES))
    for source, own in zip(SOURCES, given):
        printed = json.loads(run(PROGRAM, "predict", source, "--json", "-q").stdout)
        check(own == printed, source, "differs from the program's JSON")


def check_many():
    """Predictions in one process, one after the other, leave no memory behind. LIBRARY_ROUNDS=1000 takes minutes."""
    rounds = int(os.environ.get("LIBRARY_ROUNDS", "30"))
    program = compile_with(os.path.join(ROOT, "tests/inputs/library/many.c"), os.path.join(FOLDER, "many"), False)
    done = run(program, SOURCES[0], str(rounds))
    grown = int(done.stdout or GROWTH_KIB + 1)
    check(done.returncode == 0 and grown <= GROWTH_KIB, "%d predictions grew by %d KiB:" % (rounds, grown), done)


def check_options():
    """An option of predict that is new has to be decided on: predicted with, or refused as one that shows."""
    with open(os.path.join(ROOT, "cli/options/options.def"), encoding="utf-8") as stream:
        rows = re.findall(r"^OPTION\((\w+), \"([^\"]+)\", \w+, (?:\"[^\"]*\"|NULL),\s*\"(\w+)\"", stream.read(), re.M)
    with open(os.path.join(ROOT, "library/request.c"), encoding="utf-8") as stream:
        showing = re.findall(r'"(-[\w-]+)"', stream.read().split("showing[] = {")[1].split("};")[0])
    with open(os.path.join(ROOT, "cli/options/fill.c"), encoding="utf-8") as stream:
        filled = set(re.findall(r"line->(\w+)", stream.read()))
    check(len(rows) >= 30 and showing and filled, "the tables are not read:", len(rows), len(showing), len(filled))
    for name, spelling, letters in rows:
        check("p" not in letters or spelling in showing or name in filled, spelling, "is neither filled in nor one that shows")


build()
if not errors:
    check_names()
    check_example()
    check_values()
    check_threads()
    check_many()
    check_options()
print("\n".join(errors))
sys.exit(1 if errors else 0)
