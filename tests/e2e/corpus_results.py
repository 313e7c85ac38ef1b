#!/usr/bin/env python3
"""benchmarks/measured/corpus-h100.json: what the corpus left on a GPU. Every file that has records is in it, with all layouts equal or the reason why not.

Files that came or changed since they were run are listed; beyond a tenth of the corpus the results are too old, and benchmarks/measured/corpus.py has to run again.
"""
import json
import os
import sys

ROOT = os.environ["ROOT"]
sys.path.insert(0, os.path.join(ROOT, "benchmarks", "measured"))
import corpus  # noqa: E402

BENCHMARKS = ["benchmarks/%s.cu" % name for name in ("idw", "2mm", "3mm", "syr2k", "corr")]


def layouts_wrong(entry):
    """What is wrong with a file's measured layouts: for each record of each kernel all four, or a note that says what keeps its layout."""
    wrong = ["%s was not measured in any layout" % kernel["kernel"] for kernel in entry["kernels"] if not kernel["layouts"]]
    for kernel in entry["kernels"]:
        records = {}
        for record, layout, _, difference in kernel["layouts"]:
            records.setdefault(record, []).append(layout)
            if difference > 1e-4:
                wrong.append("%s as %s differs by %g" % (record, layout, difference))
        for record, layouts in records.items():
            if record and sorted(layouts) != sorted(corpus.LAYOUTS) and not entry["keeps"]:
                wrong.append("%s of %s only as %s" % (record, kernel["kernel"], ", ".join(layouts)))
    return wrong


def entry_wrong(entry):
    if "failed" in entry:
        return [entry["failed"]]
    wrong = ["%s: %s" % item for item in entry["programs"].items() if item[1] != "equal"] if entry["programs"] else []
    if "not_measured" in entry:
        return wrong
    return wrong + layouts_wrong(entry) if entry["kernels"] else ["nothing was measured"]


def main():
    with open(os.path.join(ROOT, "benchmarks", "measured", "corpus-h100.json"), encoding="utf-8") as stream:
        results = json.load(stream)
    entries = {entry["file"]: entry for entry in results["files"]}
    errors = [] if results["schema"] == corpus.SCHEMA and "H100" in results["device"]["gpu"] else ["not results of an H100"]
    errors += ["%s: %s" % (path, wrong) for path, entry in entries.items() for wrong in entry_wrong(entry)]
    errors += ["%s: not measured: %s" % (path, entries.get(path)) for path in BENCHMARKS if not entries.get(path, {}).get("kernels")]
    wanted = corpus.corpus()
    old = [path for path in wanted if path not in entries or entries[path]["sha256"] != corpus.digest(path)]
    for path in old:
        print("%s: %s since the corpus was run" % (path, "changed" if path in entries else "new"))
    if len(old) > len(wanted) / 10:
        errors.append("%d of %d files are newer than the results: run benchmarks/measured/corpus.py again" % (len(old), len(wanted)))
    measured = sum(bool(entry.get("kernels")) for entry in entries.values())
    programs = sum(len(entry["programs"]) for entry in entries.values())
    print("\n".join(errors) if errors else "%d files, %d measured, %d programs, original and rewritten: all equal" % (len(entries), measured, programs))
    return 1 if errors else 0


sys.exit(main())
