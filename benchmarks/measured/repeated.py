#!/usr/bin/env python3
"""How right somebody is who chooses layouts by one measurement and is judged by another one of the same programs: what measuring leaves open of pick and regret.

    repeated.py [OLD.json NEW.json]

Without files sweep-unseen and fields, which were measured twice. The rule is that of predictions: the layout as written (aos) where it is within TIES of the fastest, else the fastest; right is what the other measurement has
within TOLERANCE of its fastest. Prints verdicts, pick, regret, and how far ratios and times of the two are apart, in the median. python3 without packages; no GPU.
"""
import itertools
import json
import math
import os
import statistics
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
TWICE = (("sweep-unseen-h200.json", "sweep-unseen-again-h200.json"), ("fields-h200.json", "fields-again-h200.json"))
TIES, TOLERANCE, TOLERANCE_SHORT, SHORT_US, WRITTEN = 0.02, 0.03, 0.08, 20, ("aos", None)


def read(path):
    """(case, kernel, which launch, record) -> layout -> microseconds."""
    with open(path, encoding="utf-8") as stream:
        cases = json.load(stream)["cases"]
    launches = {}
    for case in cases:
        for number, kernel in enumerate(case["kernels"]):
            for row in kernel["layouts"]:
                if row["tile"] in (None, 32):
                    launches.setdefault((case["id"], kernel["name"], number, row["record"]), {})[row["layout"], row["tile"]] = row["time_us"]["median"]
    return launches


def compare(old, new):
    """right, regret, distances of ratios, of times for each launch that both have in two layouts or more."""
    for key, before in old.items():
        layouts = [layout for layout in before if layout in new.get(key, {})]
        if len(layouts) < 2:
            continue
        first, second = [before[layout] for layout in layouts], [new[key][layout] for layout in layouts]
        keeps = WRITTEN in layouts and before[WRITTEN] <= (1 + TIES) * min(first)
        chosen, best = second[layouts.index(WRITTEN) if keeps else first.index(min(first))], min(second)
        yield (
            chosen <= (1 + (TOLERANCE_SHORT if best < SHORT_US else TOLERANCE)) * best,
            chosen / best - 1,
            [abs(math.log(first[i] / first[j] * second[j] / second[i])) for i, j in itertools.combinations(range(len(layouts)), 2)],
            [abs(a / b - 1) for a, b in zip(first, second)],
        )


def main():
    pairs = [tuple(sys.argv[1:3])] if len(sys.argv) == 3 else [tuple(os.path.join(FOLDER, name) for name in pair) for pair in TWICE]
    for old, new in pairs:
        rights, regrets, ratios, times = zip(*compare(read(old), read(new)))
        print("%s: %d verdicts, pick %.3f, regret %.4f, ratios %.4f and times %.4f apart" % (
            os.path.basename(old), len(rights), statistics.fmean(rights), statistics.fmean(regrets), statistics.median(itertools.chain(*ratios)), statistics.median(itertools.chain(*times))))


if __name__ == "__main__":
    main()
