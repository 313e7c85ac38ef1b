#!/usr/bin/env python3
"""predict --sarif: valid against the schema of SARIF 2.1.0, rules that exist, places that exist, and fixes that make of the file what `coalesce rewrite` writes.
predict --dot: the blocks and edges of --dump=cfg.

needs: nvcc
"""
import copy
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

PROGRAM, ROOT = os.environ["COALESCE"], os.environ["ROOT"]
CASES = [("benchmarks/idw.cu", []), ("benchmarks/nbody.cu", []), ("benchmarks/2mm.cu", ["--group", "A,B,C,D,E"]), ("benchmarks/add_matrix.cu", [])]
sys.path.insert(0, os.path.join(ROOT, "tests"))
sys.dont_write_bytecode = True
import json_schema  # noqa: E402

with open(os.path.join(ROOT, "tests/inputs/sarif/sarif-schema-2.1.0.json"), encoding="utf-8") as stream:
    SCHEMA = json.load(stream)
errors = []


def check(condition, *what):
    if not condition:
        errors.append(" ".join(str(part) for part in what))
    return condition


def run(*command):
    done = subprocess.run([PROGRAM] + list(command), cwd=ROOT, capture_output=True, text=True, check=False)
    check(done.returncode == 0, " ".join(command), done.returncode, done.stderr)
    return done.stdout


def applied(lines, replacements):
    """The lines with replacements of whole lines; they stand in order and do not overlap."""
    result, at = [], 0
    for one in replacements:
        region = one["deletedRegion"]
        check(region["startColumn"] == region["endColumn"] == 1 and region["startLine"] > at, "region", region)
        result += lines[at:region["startLine"] - 1] + [one["insertedContent"]["text"]]
        at = region["endLine"] - 1
    return "".join(result + lines[at:])


def check_fix(file, options, result):
    message = result["message"]["text"]
    found = re.match(r"record (\S+) is predicted [0-9.]+ times as fast on .* as (\w+) than", message)
    if not check(found, "message", message):
        return 0
    record, layout = found.groups()
    with open(os.path.join(ROOT, file), encoding="utf-8", newline="") as stream:
        lines = stream.read().splitlines(True)
    own = [] if "--group" in options else ["--struct", record]
    wanted = run("rewrite", file, "--layout", layout, "-q", "--no-compile", "-o", "-", *options, *own)
    for fix in result.get("fixes", []):
        change, = fix["artifactChanges"]
        check(change["artifactLocation"]["uri"] == file, "uri", change["artifactLocation"])
        check(applied(lines, change["replacements"]) == wanted, file, "the fix of", record, "is not what rewrite writes")
    return len(result.get("fixes", []))


def check_schema(file, log):
    """Valid, and no longer so with a member that SARIF does not know, without one that it requires, or with a level that there is not."""
    found = list(json_schema.validate(SCHEMA, log))
    check(not found, file, "is not SARIF:", found[:3])
    for spoil in (lambda run: run["results"][0].update(confidence="high"), lambda run: run["results"][0].pop("message"),
                  lambda run: run["results"][0].update(level="hint"), lambda run: run["tool"]["driver"].pop("name")):
        other = copy.deepcopy(log)
        spoil(other["runs"][0])
        check(list(json_schema.validate(SCHEMA, other)), file, "spoilt is still SARIF")


def check_sarif(file, options, log):
    check_schema(file, log)
    check(log["version"] == "2.1.0" and log["$schema"].endswith("sarif-2.1.0.json") and len(log["runs"]) == 1, "head")
    one, fixes = log["runs"][0], 0
    rules = one["tool"]["driver"]["rules"]
    check(one["tool"]["driver"]["name"] == "coalesce" and one["columnKind"] in ("utf16CodeUnits", "unicodeCodePoints"), "driver")
    for rule in rules:
        check(rule["id"] and rule["help"]["text"] and rule["shortDescription"]["text"], "rule", rule)
    with open(os.path.join(ROOT, file), encoding="utf-8") as stream:
        count = len(stream.readlines())
    for result in one["results"]:
        check(rules[result["ruleIndex"]]["id"] == result["ruleId"], "rule of", result)
        check(result["level"] in ("note", "warning", "error") and result["message"]["text"], "result", result)
        for location in result["locations"]:
            check(location["physicalLocation"]["artifactLocation"]["uri"] == file, "uri", location)
            check(1 <= location["physicalLocation"].get("region", {}).get("startLine", 1) <= count, "line", location)
        if result["ruleId"] == "record-layout":
            fixes += check_fix(file, options, result)
    return {result["ruleId"] for result in one["results"]}, fixes


def check_dot(file, options, text):
    clusters = re.findall(r"subgraph cluster_\d+ \{\n    label=\"(\w+), (\S+)\";\n(.*?)\n  \}", text, re.S)
    check(clusters, file, "no graphs")
    graphs = run("predict", file, "--dump=cfg", "-q", *options)
    for kernel, _, body in clusters:
        nodes = re.findall(r"^    c\d+b(\d+) \[label=\"B\1: \d+ instructions", body, re.M)
        edges = re.findall(r"^    c\d+b(\d+) -> c\d+b(\d+)", body, re.M)
        check(nodes and kernel in graphs, file, kernel)
        check(all(node in nodes for edge in edges for node in edge), file, "an edge without its block")
        check(len(set(nodes)) == len(nodes), file, "a block twice")
    if shutil.which("dot"):
        done = subprocess.run(["dot", "-Tsvg"], input=text, capture_output=True, text=True, check=False)
        check(done.returncode == 0 and not done.stderr, "dot:", done.stderr)


def main():
    rules, fixes = set(), 0
    with tempfile.TemporaryDirectory() as folder:
        for file, options in CASES:
            sarif, dot = os.path.join(folder, "a.sarif"), os.path.join(folder, "a.dot")
            run("predict", file, "-q", "--sarif", sarif, "--dot", dot, *options)
            with open(sarif, encoding="utf-8") as stream:
                own_rules, own_fixes = check_sarif(file, options, json.load(stream))
            with open(dot, encoding="utf-8") as stream:
                check_dot(file, options, stream.read())
            rules |= own_rules
            fixes += own_fixes
    check(rules == {"record-layout", "uncoalesced-access", "analysis-note"}, "rules that were seen:", rules)
    check(fixes >= 2, "only", fixes, "fixes")
    print("\n".join(errors) if errors else "%d fixes, %s" % (fixes, ", ".join(sorted(rules))))
    return 1 if errors else 0


sys.exit(main())
