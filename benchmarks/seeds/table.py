#!/usr/bin/env python3
"""Prints the measured rows of the seeds' kernels: time, GB/s of what has to be moved at least, by program.

    table.py [MEASURED.json]      without it ../measured/seeds-h200.json

Markdown, one table per program. python3 without packages.
"""
import json
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def bytes_moved(case, kernel):
    """The bytes that the kernel reads and writes if it does so once; None where that is not the measure."""
    name, arguments = kernel["name"], kernel["arguments"]
    threads = kernel["grid"][0] * kernel["block"][0]
    if case == "seed-reductions":
        count = arguments["n"] if "n" in arguments else threads * (1 if re.match("reduce[0-2]", name) else 2)
        return 4 * count + 4 * kernel["grid"][0]
    if case == "seed-warp-sums":
        return arguments["n"] * {"float": 4, "double": 8, "double2": 8, "double4": 8, "complex": 16}[name.split("_")[1]]
    if case == "seed-shared-sums":
        return 4 * arguments["n"] + 4 * kernel["grid"][0]
    if case == "seed-matrices":
        return 12 * arguments["n"] * arguments["m"] if name == "add_matrix" else 16 * arguments["n"] ** 2
    if case == "seed-transposes":
        return 8 * arguments["n"] ** 2
    if case == "seed-distances":
        return arguments["n"] * (16 if "float4" in name else 12)
    return None


def size_words(case, kernel):
    arguments = kernel["arguments"]
    shape = "%s x %s" % (" x ".join(str(g) for g in kernel["grid"] if g > 1) or "1", " x ".join(str(b) for b in kernel["block"] if b > 1))
    if case == "seed-matrices" and "m" in arguments:
        return "%s x %s" % (arguments["n"], arguments["m"]), shape
    return str(arguments.get("n", "")), shape


def main():
    path = sys.argv[1] if len(sys.argv) > 1 else os.path.join(HERE, "..", "measured", "seeds-h200.json")
    with open(path, encoding="utf-8") as file:
        cases = json.load(file)["cases"]
    for case in cases:
        print("\n## %s\n" % case["id"])
        print("| kernel | n | grid x block | us | from, to | GB/s |")
        print("| --- | --- | --- | --- | --- | --- |")
        for kernel in case["kernels"]:
            size, shape = size_words(case["id"], kernel)
            moved = bytes_moved(case["id"], kernel)
            for layout in kernel["layouts"]:
                if layout["layout"] not in ("aos", "as-written"):
                    continue
                time = layout["time_us"]
                rate = "%.0f" % (moved / time["median"] / 1000) if moved else ""
                print("| %s | %s | %s | %.2f | %.2f, %.2f | %s |" % (kernel["name"], size, shape, time["median"], time["min"], time["max"], rate))


main()
