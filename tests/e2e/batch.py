#!/usr/bin/env python3
"""`coalesce batch` gives the same bytes at any number of jobs, from merged shards and from finished cases (--resume), its figures follow from its cases, and
run.py merges what measuring programs print.

needs: nvcc
"""
import json
import math
import os
import shutil
import stat
import statistics
import subprocess
import sys
import tempfile

COALESCE, ROOT = os.environ["COALESCE"], os.environ["ROOT"]
RUN = os.path.join(ROOT, "benchmarks", "measured", "run.py")
MODELS = ["thesis", "source"]
errors = []


def check(condition, *what):
    if not condition:
        errors.append(" ".join(str(part) for part in what))
    return condition


def run(*command, status=0):
    result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    check(result.returncode == status, " ".join(command), "ends with", result.returncode, result.stderr)
    return result


def case(name, group, file, *options):
    return {"id": name, "group": group, "file": os.path.join(ROOT, "benchmarks", file), "size": "small", "options": list(options)}


SUITE = {"schema": "coalesce/suite/1", "machine": "h200", "measured": "measured.json", "cases": [
    case("idw", "five", "idw.cu", "-DPOINTS=1000", "-DQUERIES=1000"),
    case("syr2k", "five", "syr2k.cu", "-DN=64", "--group", "A,B,C"),
    case("nbody", "records", "nbody.cu", "-DN=512"),
    case("stencil", "records", "stencil_record.cu", "-DN=64"),
    case("never-measured", "records", "gather.cu", "-DN=1024"),
]}


def measured_case(entry, kernels):
    """What a GPU might have said: times from the position of each layout."""
    rows = lambda index, names: [{"record": record, "layout": layout, "tile": 32 if layout == "asta" else None, "repeats": 11, "registers": 32,
                                  "time_us": {"median": 100.0 + 7 * index + 3.5 * position ** 2, "min": 90, "max": 900}}
                                 for record in names for position, layout in enumerate(("soa", "aosa", "asta", "aos"))]
    return {"id": entry["id"], "file": os.path.basename(entry["file"]), "options": entry["options"], "gpu": "NVIDIA H200", "driver": "1",
            "compiler": "c", "date": "d", "quick": False, "kernels": [
                {"name": kernel["name"], "grid": kernel["grid"], "block": kernel["block"], "arguments": {},
                 "layouts": rows(index, [group["name"] for group in kernel["groups"]])} for index, kernel in enumerate(kernels)]}


def measurements(folder):
    cases = []
    for entry in SUITE["cases"][:4]:
        result = run(COALESCE, "predict", entry["file"], *entry["options"], "--model", "thesis", "--json", "-q")
        cases.append(measured_case(entry, json.loads(result.stdout)["kernels"]))
    cases[1]["options"] = ["-DN=65", "--group", "A,B,C"]
    with open(os.path.join(folder, "measured.json"), "w", encoding="utf-8") as stream:
        json.dump({"schema": "coalesce/measure/1", "cases": cases}, stream)


# ---- the figures, another way -------------------------------------------------------------


def tau(predicted, measured):
    def order(a, b):
        return 0 if max(a, b) <= 1.03 * min(a, b) else 1 if a > b else -1
    names = list(measured)
    pairs = [(order(predicted[a], predicted[b]), order(measured[a], measured[b])) for i, a in enumerate(names) for b in names[:i]]
    x, y = sum(abs(p) for p, _ in pairs), sum(abs(m) for _, m in pairs)
    return sum(p * m for p, m in pairs) / math.sqrt(x * y) if x and y else float(x == y)


def figures_check(where, have, cases, model):
    judged = [entry for entry in cases if len(entry["measured"]) > 1]
    if not check(have["cases"] == len(judged), where, "cases", have["cases"], len(judged)) or not judged:
        return
    regrets = [entry["measured"][entry["pick"][model]] / min(entry["measured"].values()) - 1 for entry in judged]
    ratios = [abs(math.log(entry["predicted"][model][a] / entry["predicted"][model][b] / (entry["measured"][a] / entry["measured"][b])))
              for entry in judged for i, a in enumerate(entry["measured"]) for b in list(entry["measured"])[:i]]
    times = [abs(entry["predicted"][model][a] / entry["measured"][a] - 1) for entry in judged for a in entry["measured"]]
    want = {"pick": statistics.mean(regret <= 0.03 for regret in regrets), "regret": statistics.mean(regrets), "worst_regret": max(regrets),
            "rank": statistics.mean(tau(entry["predicted"][model], entry["measured"]) for entry in judged),
            "ratio_error": statistics.median(ratios), "time_error": statistics.median(times)}
    for name, value in want.items():
        check(abs(have[name] - value) <= 1e-6 * (1 + abs(value)), where, name, "is", have[name], "not", value)


def result_check(result):
    data = json.loads(result)
    check(data["schema"] == "coalesce/batch/1" and data["machine"] == "NVIDIA H200" and list(data["models"]) == MODELS, "head of the result")
    check([entry["id"] for entry in data["cases"]] == sorted((entry["id"] for entry in data["cases"]),
                                                            key=[entry["id"] for entry in SUITE["cases"]].index), "order of cases")
    measured = {entry["id"] for entry in data["cases"] if entry["measured"]}
    check(measured == {"idw", "nbody", "stencil"}, "measured:", measured)
    for model in MODELS:
        figures_check(model, data["models"][model], data["cases"], model)
        check(list(data["models"][model]["groups"]) == ["five", "records"], "groups")
        for group, figures in data["models"][model]["groups"].items():
            figures_check(model + " " + group, figures, [entry for entry in data["cases"] if entry["group"] == group], model)
    for entry in data["cases"]:
        best = min(entry["measured"], key=entry["measured"].get) if entry["measured"] else None
        check(entry["best_measured"] == best, entry["id"], "best", entry["best_measured"], best)


def determinism(folder, suite):
    command = [COALESCE, "batch", suite, "--model", ",".join(MODELS)]
    first = run(*command, "--json", "--jobs", "1")
    check("syr2k: " in first.stderr and "measured with other options" in first.stderr, "says", first.stderr)
    result_check(first.stdout)
    text = run(*command, "--jobs", "2")
    check(run(*command, "--jobs", "4").stdout == text.stdout, "text differs between 2 and 4 jobs")
    check(run(*command, "--json", "--jobs", "8").stdout == first.stdout, "JSON differs between 1 and 8 jobs")
    shards = []
    for shard in ("2/3", "1/3", "3/3"):
        shards.append(os.path.join(folder, shard.replace("/", "of") + ".json"))
        with open(shards[-1], "w", encoding="utf-8") as stream:
            stream.write(run(*command, "--json", "--shard", shard).stdout)
    check(run(COALESCE, "batch", "--merge", *shards, "--json").stdout == first.stdout, "merged shards differ")
    check(run(COALESCE, "batch", "--merge", *shards).stdout == text.stdout, "text of merged shards differs")


# ---- resuming -------------------------------------------------------------------------------


def resume(folder, suite):
    """Finished cases are taken from the folder while nothing that they depend on changes; what comes out is the same."""
    keep, own = os.path.join(folder, "keep"), os.path.join(folder, "own.cu")
    header = os.path.join(folder, "own.h")
    with open(os.path.join(ROOT, "benchmarks/stencil_record.cu"), encoding="utf-8") as stream:
        text = stream.read()
    with open(own, "w", encoding="utf-8") as stream:
        stream.write('#include "own.h"\n' + text)
    with open(header, "w", encoding="utf-8") as stream:
        stream.write("/* one */\n")
    copy = dict(SUITE, cases=SUITE["cases"][:2] + [dict(SUITE["cases"][3], file=own)])
    with open(suite, "w", encoding="utf-8") as stream:
        json.dump(copy, stream)
    command = [COALESCE, "batch", suite, "--model", "source", "--json"]
    plain = run(*command)

    def resumed(count, *more):
        result = run(*command, "--resume", keep, *more)
        check("%d cases were finished before" % count in result.stderr, "--resume says, not %d:" % count, result.stderr)
        check(result.stdout == plain.stdout or more, "--resume changes the result")
        check(("syr2k: " in result.stderr) == ("syr2k: " in plain.stderr) or more, "what a kept case said is lost", result.stderr)
        return result.stdout

    resumed(0, "--shard", "1/2")
    resumed(2)
    resumed(3)
    resumed(0, "--machine", "a100")
    with open(header, "w", encoding="utf-8") as stream:
        stream.write("/* two */\n")
    resumed(2)
    check(sum(name.endswith(".json") for name in os.listdir(keep)) == 3 + 3 + 1, "kept:", os.listdir(keep))
    # One that was not written whole is no result.
    for name in os.listdir(keep):
        with open(os.path.join(keep, name), "w", encoding="utf-8") as stream:
            stream.write("{")
    resumed(0)
    # What a macro includes is not known: such a case is not kept.
    with open(own, "w", encoding="utf-8") as stream:
        stream.write('#define NAME "own.h"\n#include NAME\n' + text)
    plain = run(*command)
    resumed(2)
    resumed(2)


# ---- run.py -----------------------------------------------------------------------------------


def program(folder, name, body):
    """A bundle whose program is a script, newer than its source, so that make builds nothing."""
    os.makedirs(os.path.join(folder, name))
    for file, text in (("measure.cu", ""), ("Makefile", "measure: measure.cu\n\tfalse\n"), ("measure", "#!/bin/sh\n" + body)):
        with open(os.path.join(folder, name, file), "w", encoding="utf-8") as stream:
            stream.write(text)
    os.chmod(os.path.join(folder, name, "measure"), stat.S_IRWXU)


def runs(folder):
    bundles, output = os.path.join(folder, "bundles"), os.path.join(folder, "out.json")
    with open(os.path.join(folder, "measured.json"), encoding="utf-8") as stream:
        cases = json.load(stream)["cases"]
    for entry in cases[:3]:
        path = os.path.join(folder, entry["id"] + ".one")
        with open(path, "w", encoding="utf-8") as stream:
            json.dump({"schema": "coalesce/measure/1", "cases": [entry]}, stream)
        program(bundles, entry["id"], "cat %s\n" % path)
    program(bundles, "broken", "echo 'measure: k: results differ' >&2; exit 1\n")
    program(bundles, "skipped", "exit 9\n")
    result = run(RUN, bundles, "-o", output, "--skip", "skip*", status=1)
    check("broken: measure: k: results differ" in result.stderr and "3 cases in" in result.stderr, "run.py says", result.stderr)
    with open(output, encoding="utf-8") as stream:
        check(json.load(stream)["cases"] == sorted(cases[:3], key=lambda entry: entry["id"]), "run.py merges something else")
    more = os.path.join(folder, "more.json")
    shutil.rmtree(os.path.join(bundles, "broken"))
    run(RUN, bundles, "-o", more, "--only", "idw", "--add", output)
    with open(output, encoding="utf-8") as old, open(more, encoding="utf-8") as new:
        check(old.read() == new.read(), "run.py --add changes what it adds to")
    result = run(RUN, bundles, "-o", os.path.join(folder, "late.json"), "--only", "idw", "--budget", "0", status=1)
    check("idw: not started: the budget of 0 s is spent" in result.stderr, "run.py says", result.stderr)
    program(bundles, "gpuless", "echo 'measure: device: no CUDA GPU here' >&2; exit 3\n")
    run(RUN, bundles, "-o", os.path.join(folder, "none.json"), "--only", "gpuless", status=3)


def main():
    if shutil.which("make") is None:
        return 77
    with tempfile.TemporaryDirectory() as folder:
        suite = os.path.join(folder, "suite.json")
        with open(suite, "w", encoding="utf-8") as stream:
            json.dump(SUITE, stream)
        measurements(folder)
        determinism(folder, suite)
        resume(folder, os.path.join(folder, "resumed.json"))
        runs(folder)
        bundles = os.path.join(folder, "written")
        run(COALESCE, "batch", suite, "--bundles", bundles, "-q")
        check(sorted(os.listdir(bundles)) == sorted(entry["id"] for entry in SUITE["cases"]), "bundles", os.listdir(bundles))
    print("\n".join(errors) if errors else "jobs, shards and merged results agree")
    return 1 if errors else 0


sys.exit(main())
