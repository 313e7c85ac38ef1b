#!/usr/bin/env python3
"""How far predictions of the full model are from what was measured, by kinds of error, and what follows for confidence.

    trust.py [--program FILE] [--jobs N] [--from FILE] [--keep FILE] [--against FILE] [--models] [--write]

Predicts the programs of the measured sets, fits spreads and margins on FIT, judges them on CHECK, and prints model/trust/trust.def and the tables of docs/accuracy.md.
Of sweep/unseen.json and sweep/sealed.json nothing is fitted. python3 without packages; no GPU.

--program   the program to judge (build/coalesce)
--jobs      predictions at a time (one per processor)
--keep      keep all predictions in a file; --from: take them from there
--against   only how far the predictions are from others that were kept: of a program whose runs are longer, say (make BUILD=build/longer CFLAGS=-DFULL_LONGER=5); no measured number is looked at
--models    also the figures of all models on each set, by `coalesce batch`
--write     write model/trust/trust.def, and the tables between the marks in docs/accuracy.md

Exit status: 0 all predicted, 1 some not (a line each on stderr says which).
"""
import argparse
import concurrent.futures
import datetime
import json
import math
import os
import re
import subprocess
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(FOLDER)
TABLE = os.path.join(ROOT, "model", "trust", "trust.def")
PAGE = os.path.join(ROOT, "docs", "accuracy.md")
FIT = ("suite.json", "sweep/build.json", "sweep/check.json", "sweep/later.json", "sweep/fresh.json", "sweep/blind.json", "fields/suite.json")
CHECK = ("sweep/unseen.json", "sweep/sealed.json")
# As model/trust/ has them.
CLASSES = ("assumed", "atomics", "scattered", "stores", "dram", "core", "launch", "same")
NEAR, TOLERANCE, TOLERANCE_SHORT, SHORT_US = 0.5, 0.03, 0.08, 20
SAME_COUNTS, SAME_TIMES = 1e-3, 2e-3
COUNTS = ("warp_instructions", "ld_requests", "ld_sectors", "st_requests", "st_sectors")
# Nine of ten errors, or programs, lie within what the table has. Confidence wants that share of right verdicts to be expected of a program that was not fitted, from at
# least FEWEST verdicts; of medium a little more than it promises, as the model was made with these programs in sight.
SPREAD, HIGH, MEDIUM, FEWEST = 0.9, 0.97, 0.92, 20
# Of a class that was seen in fewer programs nobody could expect that of high, though all of them were right: (n + 1/2) / (n + 1).
FEWEST_PROGRAMS = math.ceil((HIGH - 0.5) / (1 - HIGH))
# Of high, whatever the sets say that the model was built with: it knows these better than others. What an earlier revision needed on them.
LEAST_HIGH = 0.3
STEP = 0.05
MODELS = "full,thesis,source,always-soa,sectors,roofline,hong-kim,bounds"


def say(*words):
    print(*words, file=sys.stderr, flush=True)


# ---- predictions and measurements ----------------------------------------------------------


def suite_of(name):
    path = os.path.join(FOLDER, name)
    with open(path, encoding="utf-8") as stream:
        suite = json.load(stream)
    with open(os.path.join(os.path.dirname(path), suite["measured"]), encoding="utf-8") as stream:
        measured = {case["id"]: case for case in json.load(stream)["cases"]}
    return path, suite, measured


def predict(program, path, suite, case):
    folder = os.path.dirname(path)
    command = [program, "predict", os.path.join(folder, case["file"]), "--json", "--start", "cold", "--model", "full", "--machine", suite["machine"]]
    result = subprocess.run(command + case["options"], capture_output=True, text=True, check=False, cwd=ROOT)
    if result.returncode != 0:
        say("%s: %s" % (case["id"], result.stderr.strip().splitlines()[-1:]))
        return None
    return json.loads(result.stdout)


def origin(name, case):
    """The program of a case, and its family: of generated ones the pattern that they are made by, else the program itself."""
    return {"program": name + ":" + case["file"], "family": case["group"] if name.startswith("sweep/") else case["file"]}


def collect(program, jobs):
    wanted = []
    for name in FIT + CHECK:
        path, suite, measured = suite_of(name)
        wanted += [(name, path, suite, case, measured.get(case.get("measured", case["id"]))) for case in suite["cases"]]
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        predictions = list(pool.map(lambda one: predict(program, one[1], one[2], one[3]), wanted))
    return [
        dict(set=one[0], id=one[3]["id"], **origin(one[0], one[3]), prediction=prediction, measured=one[4])
        for one, prediction in zip(wanted, predictions)
        if one[4]
    ]


def kernel_key(kernel):
    return kernel["name"], tuple(kernel["grid"]), tuple(kernel["block"])


def label(row):
    return row["layout"] if row["tile"] in (None, 32) else "%s/%d" % (row["layout"], row["tile"])


def verdict_of(entry, verdict, record, layouts, times):
    rows = []
    for row in layouts:
        time = times.get((record, row["layout"], row["tile"]))
        if row["record"] == record and time:
            rows.append(dict(row, label=label(row), measured_us=time))
    chosen = [row for row in rows if row["label"] == verdict["recommended"]]
    if len(rows) < 2 or not chosen:
        return None
    apart = [row["measured_us"] for row in rows if row is chosen[0] or pair_class(chosen[0], row) != "same"]
    return {
        **{key: entry[key] for key in ("set", "id", "program", "family")},
        "rows": rows,
        "chosen": chosen[0],
        "unopposed": verdict["other_models"] == [] and not verdict["takes_more"],
        "right": is_right(chosen[0]["measured_us"], apart),
        "strictly": chosen[0]["measured_us"] <= (1 + TOLERANCE) * min(apart),
        "pick": is_right(chosen[0]["measured_us"], [row["measured_us"] for row in rows]),
    }


def is_right(chosen, times):
    fastest = min(times)
    return chosen <= (1 + (TOLERANCE_SHORT if fastest < SHORT_US else TOLERANCE)) * fastest


def verdicts_of(entry):
    """The verdicts of a case whose layouts were measured: the n-th launch of a kernel with the n-th that was measured."""
    seen = {}
    for kernel in entry["prediction"]["kernels"]:
        key = kernel_key(kernel)
        same = [other for other in entry["measured"]["kernels"] if kernel_key(other) == key]
        number = seen.get(key, 0)
        seen[key] = number + 1
        if number >= len(same) or not kernel["groups"]:
            continue
        times = {(row["record"], row["layout"], row["tile"]): row["time_us"]["median"] for row in same[number]["layouts"]}
        for verdict in kernel.get("verdicts") or [dict(kernel, record=kernel["groups"][0]["name"])]:
            found = verdict_of(entry, verdict, verdict["record"], kernel["layouts"], times)
            if found:
                yield found


# ---- predictions against others ------------------------------------------------------------------


def distances(entries, others):
    """ln of each time over the other one, and of each two times of a launch the difference of these."""
    times, ratios = [], []
    for entry, other in zip(entries, others):
        if not entry["prediction"] or not other["prediction"]:
            continue
        for kernel, own in zip(entry["prediction"]["kernels"], other["prediction"]["kernels"]):
            found = [math.log(a["time_us"] / b["time_us"]) for a, b in zip(kernel["layouts"], own["layouts"])]
            times += found
            ratios += [a - b for i, a in enumerate(found) for b in found[:i]]
    return times, ratios


def print_distances(entries, others):
    for name, values in zip(("times", "ratios"), distances(entries, others)):
        sizes = [abs(value) for value in values]
        print("%-6s %d, mean %.4f, root of the mean square %.4f, median %.4f, nine of ten within %.4f" % (
            name, len(values), sum(values) / len(values), math.sqrt(sum(value * value for value in values) / len(values)), quantile(sizes, 0.5), quantile(sizes, 0.9)))


# ---- errors ------------------------------------------------------------------------------------


def within(a, b, share):
    return abs(a - b) <= share * max(abs(a), abs(b))


def pair_class(a, b):
    same = within(a["time_us"], b["time_us"], SAME_TIMES) and all(
        within(a["counts"][name], b["counts"][name], SAME_COUNTS) for name in COUNTS
    )
    return "same" if same else min(a["error_class"], b["error_class"], key=CLASSES.index)


def rivals(verdict):
    """(class, ln of predicted ratio, ln of measured ratio) of each other layout against the recommended one."""
    chosen = verdict["chosen"]
    for row in verdict["rows"]:
        if row is not chosen:
            yield (
                pair_class(chosen, row),
                math.log(row["time_us"] / chosen["time_us"]),
                math.log(row["measured_us"] / chosen["measured_us"]),
            )


def quantile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(share * len(values)))] if values else math.nan


def conformal(values, share_within):
    """What a further value like these does not exceed with that probability, whatever they are distributed like; of too few the largest."""
    values = sorted(values)
    return values[min(len(values), math.ceil((len(values) + 1) * share_within)) - 1] if values else math.nan


def worst_of(pairs):
    """The largest value of each program: [(program, value), ...] -> [value, ...]."""
    worst = {}
    for program, value in pairs:
        worst[program] = max(value, worst.get(program, value))
    return list(worst.values())


def errors_of(verdicts):
    """class -> (pairs, programs, near spread, far spread, worst, share, low, high); where there are few, of all classes together."""
    near, far, times = ({name: [] for name in CLASSES} for _ in range(3))
    for verdict in verdicts:
        for name, predicted, measured in rivals(verdict):
            (near if abs(predicted) <= NEAR else far)[name].append((verdict["program"], predicted, measured))
        for row in verdict["rows"]:
            times[row["error_class"]].append(row["measured_us"] / row["time_us"])
    every = [sum(group.values(), []) for group in (near, far, times)]
    result = {}
    for name in CLASSES:
        close, apart, factors = [
            group[name] if len(group[name]) >= FEWEST else pool for group, pool in zip((near, far, times), every)
        ]
        spreads = [quantile([abs(predicted - measured) for _, predicted, measured in pairs], SPREAD) for pairs in (close, apart)]
        worst = conformal(worst_of([(program, abs(predicted - measured)) for program, predicted, measured in close]), SPREAD)
        part = conformal(worst_of([(program, (predicted - measured) / predicted) for program, predicted, measured in apart]), SPREAD)
        low, high = quantile(factors, (1 - SPREAD) / 2), quantile(factors, (1 + SPREAD) / 2)
        programs = len({program for program, _, _ in near[name] + far[name]})
        result[name] = (len(near[name]), programs, spreads[0], max(spreads), worst, max(0, part), min(1, low), max(1, high))
    result["same"] = result["same"][:3] + (result["same"][2],) + result["same"][4:]
    return result


def margin_of(verdict, errors):
    tolerance = TOLERANCE_SHORT if verdict["chosen"]["time_us"] < SHORT_US else TOLERANCE
    others = list(rivals(verdict))
    apart = [one for one in others if one[0] != "same"] or others
    return min((predicted + math.log(1 + tolerance)) / max(errors[name][4], errors[name][5] * abs(predicted)) for name, predicted, _ in apart)


def share(verdicts):
    return sum(verdict["right"] for verdict in verdicts) / len(verdicts) if verdicts else math.nan


def expected_share(verdicts):
    """The share of right verdicts to be expected of a further program: with Jeffreys' prior, and as many observations as there are programs."""
    programs = len({verdict["program"] for verdict in verdicts})
    return (share(verdicts) * programs + 0.5) / (programs + 1)


def least_margin(verdicts, wanted):
    """The least margin, in steps, from which on the expected share of right verdicts is as wanted; infinite where there are too few."""
    for step in range(0, 200):
        beyond = [verdict for verdict in verdicts if verdict["margin"] >= step * STEP - 1e-9]
        if len(beyond) < FEWEST:
            return math.inf
        if expected_share(beyond) >= wanted:
            return step * STEP
    return math.inf


def robust_margin(verdicts, wanted):
    """The least margin that does so whichever family of programs is left out."""
    families = {verdict["family"] for verdict in verdicts}
    cuts = [least_margin([verdict for verdict in verdicts if verdict["family"] != family], wanted) for family in families]
    return max(cuts, default=math.inf)


def clear(verdict, errors):
    """Nothing was assumed, the errors of such pairs are known from programs enough, and nothing objects."""
    names = {name for name, _, _ in rivals(verdict)} - {"same"}
    return verdict["unopposed"] and all(name != "assumed" and errors[name][1] >= FEWEST_PROGRAMS for name in names)


def confidence_of(verdict, cuts):
    if verdict["clear"] and verdict["margin"] >= cuts["HIGH"]:
        return "high"
    return "medium" if verdict["margin"] >= cuts["MEDIUM" if verdict["clear"] else "OPPOSED"] else "low"


def judged(verdict, errors):
    return {"margin": margin_of(verdict, errors), "clear": clear(verdict, errors)}


def fit(verdicts):
    """Errors, and the least margins: of high, of medium among clear verdicts that are not, and of medium among the others."""
    errors = errors_of(verdicts)
    for verdict in verdicts:
        verdict.update(judged(verdict, errors))
    plain = [verdict for verdict in verdicts if verdict["clear"]]
    high = max(LEAST_HIGH, robust_margin(plain, HIGH))
    opposed = robust_margin([verdict for verdict in verdicts if not verdict["clear"]], MEDIUM)
    medium = robust_margin([verdict for verdict in plain if verdict["margin"] < high], MEDIUM)
    return errors, {"HIGH": high, "MEDIUM": min(high, medium, opposed), "OPPOSED": opposed}


def called_apart(verdicts, key):
    """(confidence, right) of each verdict by what is fitted without the program, or family, that it is of."""
    result = []
    for left_out in sorted({verdict[key] for verdict in verdicts}):
        errors, cuts = fit([dict(verdict) for verdict in verdicts if verdict[key] != left_out])
        for verdict in verdicts:
            if verdict[key] == left_out:
                result.append(dict(verdict, called=confidence_of(dict(verdict, **judged(verdict, errors)), cuts)))
    return result


# ---- what is printed ---------------------------------------------------------------------------


def table_def(errors, cuts, today):
    lines = [
        "/*",
        " * Errors of the full model by class, from %s, measured on an H200: made by" % " and ".join("benchmarks/" + name for name in FIT),
        " * `benchmarks/trust.py --write` on %s. docs/accuracy.md says what stands here: class, near pairs of rows, programs, spread of near and of" % today,
        " * other pairs, for margins the worst of near pairs and the share of others, factors on the time. Of two classes the first one counts. Then the",
        " * programs that a class needs for high confidence, and least margins: of high, of medium, and of medium where something is assumed or objects.",
        " */",
    ]
    for name in CLASSES:
        lines.append("X(%s, %d, %d, %.3f, %.3f, %.3f, %.3f, %.3f, %.3f)" % ((name,) + errors[name]))
    lines.append("#define TRUST_PROGRAMS %d" % FEWEST_PROGRAMS)
    for name, cut in cuts.items():
        lines.append("#define TRUST_%s %s" % (name, "%.2f" % cut if cut < math.inf else "INFINITY"))
    return "\n".join(lines) + "\n"


def percent(part):
    return "%d of %d (%.1f %%)" % (sum(one["right"] for one in part), len(part), 100 * share(part)) if part else "none"


def confidence_table(verdicts, names, confidence):
    lines = ["| set | high | medium | low | all | pick of all |", "| --- | --- | --- | --- | --- | --- |"]
    for title, sets in names:
        own = [verdict for verdict in verdicts if verdict["set"] in sets]
        cells = [percent([one for one in own if confidence(one) == level]) for level in ("high", "medium", "low")]
        picks = 100 * sum(one["pick"] for one in own) / max(1, len(own))
        lines.append("| %s | %s | %s | %.1f %% |" % (title, " | ".join(cells), percent(own), picks))
    for title, sets in (("fitted", FIT), ("checked", CHECK)):
        own = [dict(verdict, right=verdict["strictly"]) for verdict in verdicts if verdict["set"] in sets]
        cells = [percent([one for one in own if confidence(one) == level]) for level in ("high", "medium", "low")]
        lines.append("| %s, within 3 %% below 20 us, too | %s | %s | |" % (title, " | ".join(cells), percent(own)))
    return lines


def curve_table(verdicts):
    lines = ["| margin at least | fitted: right | checked: right | fitted, clear | checked, clear |", "| --- | --- | --- | --- | --- |"]
    for step in range(0, 26, 2):
        least = step * STEP
        cells = []
        for own in (verdicts, [one for one in verdicts if one["clear"]]):
            for sets in (FIT, CHECK):
                cells.append(percent([one for one in own if one["set"] in sets and one["margin"] >= least - 1e-9]))
        lines.append("| %.1f | %s |" % (least, " | ".join(cells)))
    return lines


def apart_table(verdicts):
    """How the derivation does on programs that it is not fitted to: each by what follows from the others."""
    lines = ["| left out | high | medium | low |", "| --- | --- | --- | --- |"]
    fitted = [verdict for verdict in verdicts if verdict["set"] in FIT]
    for title, key in (("each program", "program"), ("each family", "family")):
        called = called_apart(fitted, key)
        cells = [percent([one for one in called if one["called"] == level]) for level in ("high", "medium", "low")]
        lines.append("| %s in turn | %s |" % (title, " | ".join(cells)))
    return lines


def errors_table(errors, checked):
    lines = [
        "| class | near pairs | programs | near spread | other spread | worst | share | time | pairs checked | spread there |",
        "| --- " * 10 + "|",
    ]
    for name in CLASSES:
        figures = errors[name] + (checked[name][0], checked[name][2])
        lines.append("| %s | %d | %d | %.3f | %.3f | %.3f | %.3f | %.2f to %.2f | %d | %.3f |" % ((name,) + figures))
    return lines


def intervals_table(verdicts, errors):
    """How often the measured ratio and the measured time lie in their intervals."""
    lines = ["| sets | ratios within | times within |", "| --- | --- | --- |"]
    for title, sets in (("fitted", FIT), ("checked", CHECK)):
        ratios, times = [], []
        for verdict in verdicts:
            if verdict["set"] not in sets:
                continue
            for name, predicted, measured in rivals(verdict):
                ratios.append(abs(predicted - measured) <= errors[name][2 if abs(predicted) <= NEAR else 3])
            for row in verdict["rows"]:
                low, high = errors[row["error_class"]][6:]
                times.append(low <= row["measured_us"] / row["time_us"] <= high)
        cells = ["%.1f %% of %d" % (100 * sum(values) / max(1, len(values)), len(values)) for values in (ratios, times)]
        lines.append("| %s | %s |" % (title, " | ".join(cells)))
    return lines


def page_tables(verdicts, errors, cuts):
    checked = errors_of([verdict for verdict in verdicts if verdict["set"] in CHECK])
    each = [("`benchmarks/%s`" % name, (name,)) for name in FIT + CHECK]
    names = each + [("fitted", FIT), ("checked: the last two", CHECK)]
    return {
        "confidence": confidence_table(verdicts, names, lambda one: confidence_of(one, cuts)),
        "curve": curve_table(verdicts),
        "apart": apart_table(verdicts),
        "errors": errors_table(errors, checked),
        "intervals": intervals_table(verdicts, errors),
    }


def cells(own, keys):
    return ["%.3f" % own[key] if own[key] is not None else "-" for key in keys]


def models_tables(program, jobs):
    """The figures of the model full on each set, and beside them those of the others that say how well they choose."""
    full = ["| set | verdicts | pick | regret | worst | rank | ratio error | time error |", "| --- " * 8 + "|"]
    others = {}
    for name in FIT + CHECK:
        command = [program, "batch", os.path.join(FOLDER, name), "--json", "--jobs", str(jobs), "--model", MODELS]
        result = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
        models = json.loads(result.stdout)["models"]
        own = models.pop("full")
        full.append("| `%s` | %d | %s |" % (name, own["cases"], " | ".join(cells(own, ("pick", "regret", "worst_regret", "rank", "ratio_error", "time_error")))))
        for model, one in models.items():
            others.setdefault(model, []).append("`%s` | %s" % (name, " | ".join(cells(one, ("pick", "regret", "time_error")))))
    rows = ["| `%s` | %s |" % (model, row) for model, sets in others.items() for row in sets]
    return {"models": full, "baselines": ["| model | set | pick | regret | time error |", "| --- " * 5 + "|"] + rows}


def page_write(tables):
    with open(PAGE, encoding="utf-8") as stream:
        text = stream.read()
    for name, lines in tables.items():
        mark = r"(<!-- %s: made by benchmarks/trust.py -->\n).*?(<!-- end -->)" % name
        text, count = re.subn(mark, lambda match, own=lines: match[1] + "\n".join(own) + "\n" + match[2], text, flags=re.S)
        if count != 1:
            sys.exit("trust.py: %s has no place for the table %s" % (PAGE, name))
    with open(PAGE, "w", encoding="utf-8") as stream:
        stream.write(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default=os.path.join(ROOT, "build", "coalesce"))
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--from", dest="source")
    parser.add_argument("--keep")
    parser.add_argument("--against")
    parser.add_argument("--models", action="store_true")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    if options.source:
        with open(options.source, encoding="utf-8") as stream:
            entries = json.load(stream)
    else:
        entries = collect(os.path.abspath(options.program), options.jobs)
    if options.keep:
        with open(options.keep, "w", encoding="utf-8") as stream:
            json.dump(entries, stream)
    known = [entry for entry in entries if entry["prediction"]]
    if options.against:
        with open(options.against, encoding="utf-8") as stream:
            print_distances(entries, json.load(stream))
        return 0
    verdicts = [verdict for entry in known for verdict in verdicts_of(entry)]
    errors, cuts = fit([verdict for verdict in verdicts if verdict["set"] in FIT])
    for verdict in verdicts:
        verdict.update(judged(verdict, errors))
    table = table_def(errors, cuts, datetime.date.today().isoformat())
    tables = page_tables(verdicts, errors, cuts)
    if options.models:
        tables.update(models_tables(os.path.abspath(options.program), options.jobs))
    print(table)
    for name, lines in tables.items():
        print("%s\n%s\n" % (name, "\n".join(lines)))
    if options.write:
        with open(TABLE, "w", encoding="utf-8") as stream:
            stream.write(table)
        page_write(tables)
    return 0 if len(known) == len(entries) else 1


if __name__ == "__main__":
    sys.exit(main())
