#!/usr/bin/env python3
"""All JSON that the program prints is as schemas/ says, every schema is used, and each notices what it should.

needs: nvcc
"""
import copy
import glob
import json
import os
import subprocess
import sys
import tempfile

PROGRAM, ROOT = os.environ["COALESCE"], os.environ["ROOT"]
sys.path.insert(0, os.path.join(ROOT, "tests"))
sys.dont_write_bytecode = True
import json_schema  # noqa: E402

IDW = ["benchmarks/idw.cu", "-DPOINTS=1000", "-DQUERIES=1000"]
errors = []


def run(*arguments, status=0):
    done = subprocess.run([PROGRAM] + list(arguments), cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode != status:
        errors.append("%s: exit status %d\n%s" % (" ".join(arguments), done.returncode, done.stderr))
    try:
        return json.loads(done.stdout)
    except json.JSONDecodeError as error:
        errors.append("%s: %s" % (" ".join(arguments), error))
        return None


def write(folder, name, value):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as stream:
        json.dump(value, stream)
    return path


def measured(prediction):
    """A measurement file that fits a prediction."""
    kernels = [{"name": kernel["name"], "grid": kernel["grid"], "block": kernel["block"], "arguments": {}, "layouts": [
        {"record": row["record"], "layout": row["layout"], "tile": row["tile"], "repeats": 11, "registers": 32,
         "time_us": {"median": row["time_us"], "min": row["time_us"], "max": row["time_us"]}} for row in kernel["layouts"]]}
        for kernel in prediction["kernels"]]
    return {"schema": "coalesce/measure/1", "cases": [
        {"id": "idw", "file": "idw.cu", "options": IDW[1:], "gpu": "NVIDIA H200", "driver": "1", "compiler": "c", "date": "d",
         "quick": False, "kernels": kernels}]}


def printed(folder):
    """Yields what each command prints."""
    prediction = run("predict", *IDW, "--json")
    yield prediction
    yield run("predict", *IDW, "--gate", "5", "--json", status=4)
    baseline = os.path.join(folder, "baseline.json")
    run("predict", *IDW, "--gate", "5", "--json", "--baseline", baseline, "--write-baseline")
    with open(baseline, encoding="utf-8") as stream:
        yield json.load(stream)
    yield run("predict", "benchmarks/add_matrix.cu", "--gate", "5", "--json")
    yield run("predict", "benchmarks/nbody.cu", "--model", "source", "--tile", "all", "--json")
    yield run("predict", "benchmarks/reduction.cu", "--model", "sectors", "--json")
    yield run("predict", *IDW, "--model", "sectors", "--sweep", "points=100:10K:x10", "--machine", "h200,gtx980", "--json")
    yield run("predict", *IDW, "--model", "sectors", "--block-size", "auto", "--json")
    yield run("compare", *IDW, "--measured", write(folder, "measured.json", measured(prediction)), "--json")
    suite = {"schema": "coalesce/suite/1", "machine": "h200", "measured": "measured.json", "cases": [
        {"id": "idw", "group": "g", "file": os.path.join(ROOT, IDW[0]), "size": "s", "options": IDW[1:]}]}
    yield run("batch", write(folder, "suite.json", suite), "--json")
    yield run("batch", "benchmarks/seeds/suite.json", "--model", "bounds", "--shard", "4/7", "--json")
    counters = "tests/golden/batch_counters/"
    yield run("batch", counters + "ladder.json", "--model", "bounds", "--counters", counters + "code/counters.json", "--json")
    yield run("batch", "benchmarks/thesis/suite.json", "--machine", "gtx980", "--json", "--shard", "1/5")
    yield run("tune", "tests/golden/tune/macros.cu", "--model", "sectors", "--tune", "BX=8,32,2048", "--json")
    yield run("tune", "tests/golden/tune/free_block.cu", "--budget", "6", "--json")
    yield run("tune", "tests/golden/tune/machines.cu", "--model", "sectors", "--machine", "h200,a100", "--budget", "3", "--json")
    yield run("machines", "--json")
    yield run("machines", "h200", "--json")
    yield run("doctor", "--json")
    yield run("rewrite", IDW[0], "--layout", "soa", "-o", os.path.join(folder, "out.cu"), "--no-compile", "--json")
    yield run("rewrite", "tests/inputs/check/prints_size.cu", "--layout", "aosa", "-o", os.path.join(folder, "out.cu"), "--check", "--json", status=1)
    old, new = write(folder, "old.json", prediction), copy.deepcopy(prediction)
    new["kernels"].append(dict(new["kernels"][0], name="more"))
    yield run("diff", old, write(folder, "new.json", new), "--json")
    yield run("diff", old, "benchmarks/idw.cu", "--json", "--gate", "5", status=4)
    yield run("predict", "none.cu", "--json", status=1)
    yield run("help", "none", "--json", status=2)


def first_leaf(value):
    """A place in a value to spoil: its container and key."""
    for key, member in value.items() if isinstance(value, dict) else enumerate(value):
        if isinstance(member, (dict, list)) and member:
            return first_leaf(member)
    key = next(iter(value)) if isinstance(value, dict) else 0
    return value, key


def check_notices(name, schema, value):
    """A schema that takes a value with a member too much, one too few, or of the wrong type, notices nothing."""
    more, fewer, wrong = copy.deepcopy(value), copy.deepcopy(value), copy.deepcopy(value)
    more["frobnicate"] = 1
    del fewer[list(value)[-1]]
    place, key = first_leaf(wrong)
    place[key] = [{}]
    for what, spoiled in (("more", more), ("fewer", fewer), ("wrong", wrong)):
        optional = what == "fewer" and list(value)[-1] not in schema["required"]
        if not optional and not list(json_schema.validate(schema, spoiled)):
            errors.append("schema %s does not notice: %s" % (name, what))


def main():
    schemas, used = {}, set()
    for path in glob.glob(os.path.join(ROOT, "schemas", "*.schema.json")):
        with open(path, encoding="utf-8") as stream:
            schema = json.load(stream)
        if os.path.basename(path) != "project.schema.json":  # tests/e2e/project.py has that
            schemas[schema["properties"]["schema"]["const"]] = (os.path.basename(path), schema)
    with tempfile.TemporaryDirectory() as folder:
        for value in printed(folder):
            name, schema = schemas.get(value and value.get("schema"), ("", None))
            if not schema:
                errors.append("no schema for %s" % json.dumps(value)[:100])
                continue
            errors.extend("%s: %s" % (name, text) for text in list(json_schema.validate(schema, value))[:5])
            check_notices(name, schema, value)
            used.add(name)
    errors.extend("%s is never used" % name for name, _ in schemas.values() if name not in used)
    print("\n".join(errors) if errors else "%d schemas" % len(schemas))
    return 1 if errors else 0


sys.exit(main())
