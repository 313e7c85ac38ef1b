#!/usr/bin/env python3
"""predict beside one plain `nvcc --ptx` of the same file: time, the share of each part, and memory, for every case of benchmarks/suite.json.

    tests/bench/predict_time.py [PROGRAM] [--rounds N] [--filter REGEX]

Each round runs, one after the other, nvcc, predict with the thesis's model, and predict with the full one, both reading machine code; so a machine that others load treats all
alike. A case's ratio is the median over its rounds of predict's time over nvcc's of the same round, in wall time and in processor time (user and system, of all
processes). Parts are processor time of the full model's run: libclang, the compiler (NVRTC, or nvcc where the line says so), our own stages, and what is left: the
start of the program, and giving memory back.

All that is our own is the sum of our stages, in processor time (`all`) and in the time that passes meanwhile (`wall`), which is the longer one where others load the machine.
Our own code beside what the full model takes (`own`) is: all our stages but the last, and of the last what it takes with the thesis's model, which ranks, compares and says why
as well, and whose accesses the full model reports. libclang's part is its start and its parse; reading its trees is our own, since how much of them is read is up to us.

Targets on an idle machine: ratio at most 1.1 with the thesis's model and 1.2 with the full one, in the median; all that is our own, the full model included, at most 50 ms in
the median over the cases and 150 ms at worst, and 30 ms of it beside that model; memory below 300 MB.
"""
import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TARGETS = {"thesis": 1.1, "full": 1.2}
OWN_MS, OWN_MEDIAN_MS, OWN_WORST_MS, MEMORY_MB = 30, 50, 150, 300
STAGES = ("analysis", "layouts", "reading code", "evaluation", "model")


def run(words):
    """Wall and processor seconds, largest resident memory in MB of any process, and what was said."""
    with tempfile.TemporaryFile() as said:
        begin = time.monotonic()
        child = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=said, cwd=ROOT)
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        wall = time.monotonic() - begin
        said.seek(0)
        text = said.read().decode(errors="replace")
    if child.returncode != 0:
        sys.exit("%s: exit %d\n%s" % (" ".join(words), child.returncode, text))
    return {"wall": wall, "cpu": used.ru_utime + used.ru_stime, "memory": used.ru_maxrss / 1024}, text


def parts_of(text, whole, clock="processor"):
    """Milliseconds of each part, by one of predict's clocks; the compiler's name. whole: seconds of all."""
    line = re.search(r"^%s: libclang ([\d.]+) s, (\w+) ([\d.]+) s, ourselves -?[\d.]+ s \((.*)\)$" % clock, text, re.M)
    parts = {"libclang": 1000 * float(line[1]), "compiler": 1000 * float(line[3])}
    parts.update((name.strip(), 1000 * float(value)) for name, value in re.findall(r"([a-z ]+?) (-?[\d.]+)(?:, |$)", line[4]))
    parts["rest"] = 1000 * whole - sum(parts.values())
    return parts, line[2]


def own_wall(text):
    """Milliseconds that pass while our own stages work."""
    parts, _ = parts_of(text, 0, "time")
    return sum(parts[stage] for stage in STAGES)


def measure(program, nvcc, case, rounds):
    """Figures of one case: of each program, and ratios, as medians over the rounds."""
    path = os.path.join("benchmarks", case["file"])
    words = {"nvcc": [nvcc, "--ptx", "-o", os.devnull, path] + [word for word in case["options"] if word.startswith(("-D", "-I", "-std="))]}
    for model in TARGETS:
        words[model] = [program, "predict", path, "-v", "--model", model] + case["options"]
    samples, parts, verdicts, passed = {name: [] for name in words}, [], [], []
    for _ in range(rounds):
        said = {}
        for name in words:
            sample, said[name] = run(words[name])
            samples[name].append(sample)
        found, compiler = parts_of(said["full"], samples["full"][-1]["cpu"])
        parts.append(found)
        passed.append(own_wall(said["full"]))
        verdicts.append(parts_of(said["thesis"], samples["thesis"][-1]["cpu"])[0]["model"])
    result = {"id": case["id"], "compiler": compiler, "passed": statistics.median(passed), "memory": max(sample["memory"] for sample in samples["full"])}
    result["parts"] = {name: statistics.median(part[name] for part in parts) for name in parts[0]}
    for name in words:
        result[name] = {clock: statistics.median(sample[clock] for sample in samples[name]) for clock in ("wall", "cpu")}
    for model in TARGETS:
        for clock in ("wall", "cpu"):
            result[model, clock] = statistics.median(a[clock] / b[clock] for a, b in zip(samples[model], samples["nvcc"]))
    result["whole"] = sum(result["parts"][stage] for stage in STAGES)
    result["own"] = sum(result["parts"][stage] for stage in STAGES if stage != "model") + statistics.median(verdicts)
    return result


def summary(results):
    print()
    for model, most in TARGETS.items():
        for clock, name in (("wall", "wall time"), ("cpu", "processor time")):
            ratios = sorted(result[model, clock] for result in results)
            print("%-6s over nvcc --ptx, %-14s median %.2f, from %.2f to %.2f; target %.2f" % (
                model, name + ":", statistics.median(ratios), ratios[0], ratios[-1], most))
    total = sum(sum(result["parts"].values()) for result in results)
    print("parts of the full model's processor time: " + ", ".join(
        "%s %.0f %%" % (name, 100 * sum(result["parts"][name] for result in results) / total) for name in results[0]["parts"]))
    for key, clock in (("whole", "processor time"), ("passed", "wall time")):
        worst = max(results, key=lambda result: result[key])
        print("our own code with the full model, %-15s median %.1f ms, at most %.1f ms (%s), over %d ms in %d of %d; targets %d and %d ms" % (
            clock + ":", statistics.median(result[key] for result in results), worst[key], worst["id"], OWN_WORST_MS,
            sum(result[key] > OWN_WORST_MS for result in results), len(results), OWN_MEDIAN_MS, OWN_WORST_MS))
    above = sum(result["own"] > OWN_MS for result in results)
    print("our own code beside the full model: at most %.1f ms, median %.1f ms; target %d ms, missed by %d of %d" % (
        max(result["own"] for result in results), statistics.median(result["own"] for result in results), OWN_MS, above, len(results)))
    most = max(results, key=lambda result: result["memory"])
    print("memory of any process: at most %.0f MB (%s); target %d MB" % (most["memory"], most["id"], MEMORY_MB))


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("program", nargs="?", default=os.environ.get("COALESCE", os.path.join(ROOT, "build", "coalesce")))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--filter", default="", help="cases whose name it is found in")
    chosen = parser.parse_args()
    found = subprocess.run([os.path.join(ROOT, "tools", "setup"), "--nvcc"], stdout=subprocess.PIPE, text=True, check=False)
    if found.returncode != 0:
        sys.exit("nvcc is not installed")
    nvcc, program = found.stdout.strip(), os.path.abspath(chosen.program)
    with open(os.path.join(ROOT, "benchmarks", "suite.json"), encoding="utf-8") as stream:
        cases = [case for case in json.load(stream)["cases"] if re.search(chosen.filter, case["id"])]
    print("load of this machine: %.1f of %d cores; %d rounds" % (os.getloadavg()[0], os.cpu_count(), chosen.rounds))
    print("%-18s %-5s %9s %13s %13s   processor ms of full" % ("", "", "nvcc ms", "thesis /nvcc", "full /nvcc"))
    print("%-18s %-5s %4s %4s %6s %6s %6s %6s %8s %8s %8s %7s %7s %10s %5s %4s %5s %5s %5s %4s" % (
        "case", "by", "wall", "cpu", "wall", "cpu", "wall", "cpu", "libclang", "compiler", "analysis", "layouts", "reading", "evaluation",
        "model", "rest", "own", "all", "wall", "MB"))
    results = []
    for case in cases:
        result = measure(program, nvcc, case, chosen.rounds)
        results.append(result)
        print("%-18s %-5s %4.0f %4.0f %6.2f %6.2f %6.2f %6.2f %8.1f %8.1f %8.1f %7.1f %7.1f %10.1f %5.1f %4.0f %5.1f %5.1f %5.1f %4.0f" % (
            case["id"], result["compiler"], 1000 * result["nvcc"]["wall"], 1000 * result["nvcc"]["cpu"], result["thesis", "wall"],
            result["thesis", "cpu"], result["full", "wall"], result["full", "cpu"], result["parts"]["libclang"],
            result["parts"]["compiler"], *(result["parts"][stage] for stage in STAGES), result["parts"]["rest"], result["own"], result["whole"],
            result["passed"], result["memory"]),
              flush=True)
    summary(results)


if __name__ == "__main__":
    main()
