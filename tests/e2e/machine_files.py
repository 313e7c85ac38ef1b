#!/usr/bin/env python3
"""Every machines/*.json against machines/schema.json, and what a schema cannot say.

Checks the part of JSON Schema that schema.json uses (an unknown keyword in it fails), so no package is needed. The numbers in schema.json must be
those of model/machine/machine.def, with their units and rules; `machine_files.py --schema` writes them.
Beyond the schema: sums that must agree, orderings that physics demands, names that must not clash, README in step.
Its own checks are checked first: damaged copies of a good file must be refused.
"""
import copy
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LEAST_REFUSED = 22
GROUPS_WITHOUT_NUMBERS = ("schema", "name", "aliases", "architecture", "compute_capability", "relative", "calibration", "evidence", "notes")
DEFINITION = os.path.join(ROOT, "model", "machine", "machine.def")
SCHEMA = os.path.join(ROOT, "machines", "schema.json")
# What a rule of machine.def says of a value.
RULES = {
    "WHOLE": {"type": "integer", "minimum": 1},
    "POSITIVE": {"type": "number", "exclusiveMinimum": 0},
    "LEAST_0": {"type": "number", "minimum": 0},
    "EITHER": {"type": "boolean"},
    "LANES": {"const": 32},
    "SECTOR": {"const": 32},
    "LINE": {"const": 128},
    "GRANULE": {"enum": [32, 64, 128]},
}
TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}


def rows_of(text):
    """The rows of machine.def: group, key, unit, rule, readers."""
    return re.findall(r'^NUMBER\((\w+), (\w+), "([^"]+)", (\w+), "([^"]*)"\)$', text, re.M)


def number_form(unit, rule):
    """The schema of a number in that unit: known, or unknown with a substitute."""
    text, bound = {"type": "string", "minLength": 1}, {"type": "number", "minimum": 0}
    known = {"value": RULES[rule], "unit": {"const": unit}, "kind": {"enum": ["measured", "published", "assumed"]}, "source": text, "low": bound,
             "high": bound, "repeats": {"type": "integer", "minimum": 1}, "method": text}
    if rule == "EITHER":
        del known["low"], known["high"]
    assume = {"type": "object", "additionalProperties": False, "required": ["value", "source"], "properties": {"value": RULES[rule], "source": text}}
    unknown = {"value": {"type": "null"}, "unit": {"const": unit}, "kind": {"const": "unknown"}, "reason": text, "assume": assume}
    return {"oneOf": [
        {"type": "object", "additionalProperties": False, "required": ["value", "unit", "kind", "source"], "properties": known},
        {"type": "object", "additionalProperties": False, "required": ["value", "unit", "kind", "reason", "assume"], "properties": unknown},
    ]}


def schema_with(schema, rows):
    """The schema with the numbers of these rows in place of its own."""
    made = copy.deepcopy(schema)
    forms = {f"{unit.replace('/', '_per_')}_{rule.lower()}": number_form(unit, rule) for _, _, unit, rule, _ in rows}
    groups = {}
    for group, key, unit, rule, _ in rows:
        groups.setdefault(group, {})[key] = {"$ref": f"#/$defs/{unit.replace('/', '_per_')}_{rule.lower()}"}
    numbers = {group: {"type": "object", "additionalProperties": False, "required": list(keys), "properties": keys} for group, keys in groups.items()}
    others = [group for group in schema["properties"] if group in GROUPS_WITHOUT_NUMBERS]
    optional = ("relative", "evidence", "notes")
    made["required"] = [group for group in others if group not in optional] + list(groups)
    made["properties"] = {group: schema["properties"][group] for group in others if group not in optional}
    made["properties"].update(numbers)
    made["properties"].update({group: schema["properties"][group] for group in others if group in optional})
    made["$defs"] = {"evidence": schema["$defs"]["evidence"], **forms}
    return made


def definition_errors(schema):
    """schema.json must be what machine.def makes of it; and a row more, less or changed must be noticed."""
    with open(DEFINITION, encoding="utf-8") as file:
        text = file.read()
    rows, errors = rows_of(text), []
    if len(rows) != len(re.findall(r"^NUMBER\(", text, re.M)):
        errors.append("machine.def: a row that is not NUMBER(group, key, \"unit\", RULE, \"readers\")")
    if schema_with(schema, rows) != schema:
        errors.append("machines/schema.json is not what machine.def says: tests/e2e/machine_files.py --schema writes it")
    group, key, unit, rule, readers = rows[0]
    for changed in ((group, key + "_x", unit, rule, readers), (group, key, unit + "x", rule, readers), (group, key, unit, "WHOLE", readers)):
        if schema_with(schema, [changed] + rows[1:]) == schema:
            errors.append(f"the check of machine.def lets through: {changed}")
    return errors


def evidence_rows_errors(readme, relative):
    """Each EVIDENCE row of machine.def is in the README with its rules, and the file that gives all of them has it."""
    with open(DEFINITION, encoding="utf-8") as file:
        text = file.read()
    rows, errors = re.findall(r'^EVIDENCE\("([^"]+)", (\w+), (\w+), (ANY|FAMILY)\)$', text, re.M), []
    if not rows or len(rows) != len(re.findall(r"^EVIDENCE\(", text, re.M)):
        errors.append('machine.def: a row that is not EVIDENCE("name", rule, rule, ANY or FAMILY)')
    for name, value, places, whose in rows:
        if not any(f"| {whose} | `{value}` | `{places}` | " in line and f"`{name}`" in line for line in readme.splitlines()):
            errors.append(f"machines/README.md: no line of {whose}, {value}, {places} has {name}")
        if not any(key == name or (name.endswith("*") and key.startswith(name[:-1])) for key in relative["evidence"]):
            errors.append(f"h200.json: no {name}, which machine.def says it gives to others")
    return errors


def schema_write():
    schema = load(SCHEMA)
    with open(DEFINITION, encoding="utf-8") as file:
        made = schema_with(schema, rows_of(file.read()))
    with open(SCHEMA, "w", encoding="utf-8") as file:
        file.write(json.dumps(made, indent=2) + "\n")
    return 0


def of_type(value, name):
    if name == "number":
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    if name == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, TYPES[name])


def check(value, schema, root, place):
    """Returns the list of violations of schema by value, each with its place."""
    errors = []
    for keyword, wanted in schema.items():
        if keyword in ("$schema", "$defs", "title", "properties"):
            continue
        if keyword == "$ref":
            target = root
            for part in wanted.lstrip("#/").split("/"):
                target = target[part]
            errors += check(value, target, root, place)
        elif keyword == "oneOf":
            tries = [check(value, option, root, place) for option in wanted]
            if sum(not found for found in tries) != 1:
                errors.append(f"{place}: fits not exactly one form: " + " | ".join(min(tries, key=len)))
        elif keyword == "type":
            if not of_type(value, wanted):
                return errors + [f"{place}: not of type {wanted}"]
        elif keyword == "const":
            if value != wanted:
                errors.append(f"{place}: must be {wanted!r}, is {value!r}")
        elif keyword == "enum":
            if value not in wanted:
                errors.append(f"{place}: {value!r} is none of {wanted}")
        elif keyword == "minimum":
            if of_type(value, "number") and value < wanted:
                errors.append(f"{place}: {value} is below {wanted}")
        elif keyword == "exclusiveMinimum":
            if of_type(value, "number") and value <= wanted:
                errors.append(f"{place}: {value} is not above {wanted}")
        elif keyword == "minLength":
            if len(value) < wanted:
                errors.append(f"{place}: empty text")
        elif keyword == "minItems":
            if len(value) < wanted:
                errors.append(f"{place}: too few entries")
        elif keyword == "pattern":
            if not re.search(wanted, value):
                errors.append(f"{place}: {value!r} does not match {wanted}")
        elif keyword == "items":
            for index, item in enumerate(value):
                errors += check(item, wanted, root, f"{place}[{index}]")
        elif keyword == "required":
            errors += [f"{place}.{key}: missing" for key in wanted if key not in value]
        elif keyword == "additionalProperties" and wanted is not False:
            for key in value:
                if key not in schema.get("properties", {}):
                    errors += check(value[key], wanted, root, f"{place}.{key}")
        elif keyword == "additionalProperties":
            errors += [f"{place}.{key}: unknown key" for key in value if key not in schema["properties"]]
        else:
            raise SystemExit(f"machine_files.py does not know the schema keyword {keyword!r}")
    for key, sub in schema.get("properties", {}).items():
        if isinstance(value, dict) and key in value:
            errors += check(value[key], sub, root, f"{place}.{key}")
    return errors


def effective(machine, group, key):
    number = machine[group][key]
    return number["value"] if number["value"] is not None else number["assume"]["value"]


def relations(machine, place):
    """What must hold between the numbers of one machine."""
    def get(path):
        return effective(machine, *path.split("."))
    errors = []
    added = get("dram.latency_cycles") - get("l2.hit_latency_cycles")
    if abs(added - get("dram.latency_added_cycles")) > 1e-3:
        errors.append(f"{place}: dram.latency_added_cycles is not dram.latency_cycles - l2.hit_latency_cycles = {added}")
    ascending = [("l1.hit_latency_cycles", "l2.hit_latency_cycles"), ("l2.hit_latency_cycles", "l2.far_hit_latency_cycles"),
                 ("l2.hit_latency_cycles", "dram.latency_cycles"), ("l1.size_bytes", "l2.size_bytes"), ("l2.size_bytes", "dram.size_bytes"),
                 ("l1.sector_bytes", "l1.line_bytes"), ("l2.sector_bytes", "l2.line_bytes"), ("l2.sector_bytes", "dram.access_granularity_bytes"),
                 ("dram.read_bandwidth_bytes_per_second", "dram.bandwidth_bytes_per_second"),
                 ("dram.write_bandwidth_bytes_per_second", "dram.bandwidth_bytes_per_second"),
                 ("launch.overhead_seconds", "launch.event_overhead_seconds"), ("lanes.fp64", "lanes.fp32"),
                 ("l1_load_cycles.float_stride_1", "l1_load_cycles.float_stride_32")]
    if get("l1.unified_with_shared_memory"):
        ascending.append(("sm.shared_memory_bytes", "l1.size_bytes"))
    errors += [f"{place}: {low} = {get(low)} is over {high} = {get(high)}" for low, high in ascending if get(low) > get(high)]
    for group, numbers in machine.items():
        if group in GROUPS_WITHOUT_NUMBERS:
            continue
        for key, number in numbers.items():
            if isinstance(number["value"], (int, float)) and not number.get("low", 0) <= number["value"] <= number.get("high", float("inf")):
                errors.append(f"{place}.{group}.{key}: outside its own range")
    return errors


def evidence_errors(machine, place):
    """Tables of the evidence have as many values as places, within their range."""
    errors = []
    for key, entry in machine.get("evidence", {}).items():
        lists = [entry[name] for name in ("at", "value", "low", "high") if isinstance(entry.get(name), list)]
        if len({len(values) for values in lists}) > 1:
            errors.append(f"{place}.evidence.{key}: lists of different lengths")
        elif "low" in entry and "high" in entry:
            low, value, high = (entry[name] if isinstance(entry[name], list) else [entry[name]] for name in ("low", "value", "high"))
            if not all(a <= b <= c for a, b, c in zip(low, value, high)):
                errors.append(f"{place}.evidence.{key}: outside its own range")
    return errors


def no_duplicate_keys(pairs):
    keys = [key for key, _ in pairs]
    if len(set(keys)) != len(keys):
        raise ValueError("the same key twice: " + ", ".join(sorted({key for key in keys if keys.count(key) > 1})))
    return dict(pairs)


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file, object_pairs_hook=no_duplicate_keys)


def with_evidence(machine, **changes):
    """A copy of a machine with one table of evidence, damaged by changes."""
    entry = {"axis": "stride", "at": [1, 2], "value": [1, 2], "unit": "cycles", "kind": "measured", "source": "here", "low": [1, 2],
             "high": [1, 3], "repeats": 11, "method": "so"}
    copied = copy.deepcopy(machine)
    copied["evidence"] = {"stride_cycles.some": {**entry, **changes}}
    return copied


def damages(machine):
    """Yields damaged copies of a good machine, each with what is wrong with it."""
    def copy_with(change):
        damaged = copy.deepcopy(machine)
        change(damaged)
        return damaged
    yield "unknown group", copy_with(lambda m: m.update(extra={}))
    yield "unknown key", copy_with(lambda m: m["sm"].update(extra=m["sm"]["count"]))
    yield "missing key", copy_with(lambda m: m["l2"].pop("size_bytes"))
    yield "missing unit", copy_with(lambda m: m["sm"]["count"].pop("unit"))
    yield "wrong unit", copy_with(lambda m: m["sm"]["count"].update(unit="bytes"))
    yield "missing source", copy_with(lambda m: m["sm"]["schedulers"].pop("source"))
    yield "empty source", copy_with(lambda m: m["sm"]["schedulers"].update(source=""))
    yield "bare number", copy_with(lambda m: m["sm"].update(count=16))
    yield "null without reason", copy_with(lambda m: m["sm"].update(count={"value": None, "unit": "count", "kind": "unknown"}))
    yield "null called published", copy_with(lambda m: m["sm"]["count"].update(value=None))
    yield "negative", copy_with(lambda m: m["sm"]["count"].update(value=-1))
    yield "no bandwidth", copy_with(lambda m: m["l2"]["bandwidth_bytes_per_second"].update(value=0))
    yield "half a warp", copy_with(lambda m: m["sm"]["max_warps"].update(value=32.5))
    yield "warps of 64", copy_with(lambda m: m["sm"]["warp_lanes"].update(value=64))
    yield "text for a number", copy_with(lambda m: m["sm"]["count"].update(value="16"))
    yield "sum that does not agree", copy_with(lambda m: m["dram"].update(latency_added_cycles=m["l2"]["hit_latency_cycles"]))
    yield "evidence without method", with_evidence(machine, method="")
    yield "evidence in no known unit", with_evidence(machine, unit="parsecs")
    yield "a table with too few values", with_evidence(machine, value=[1])
    yield "a table outside its range", with_evidence(machine, value=[1, 4])
    yield "a table of texts", with_evidence(machine, value=["1", "2"])
    yield "far L2 nearer than the near one", copy_with(lambda m: m["l2"].update(far_hit_latency_cycles=m["l1"]["hit_latency_cycles"]))


def program_refuses(coalesce, machine, folder):
    """Whether the program reports a line and column of a machine file, and ends as for bad input."""
    path = os.path.join(folder, "damaged.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(machine, file, indent=2)
    ran = subprocess.run([coalesce, "machines", path], capture_output=True, text=True, check=False)
    return ran.returncode == 1 and re.search(r"damaged\.json:\d+:\d+: error: ", ran.stderr) and not ran.stdout


def program_errors(coalesce, schema, good):
    """The program must refuse what the schema refuses, and know the same keys and units."""
    errors = []
    with tempfile.TemporaryDirectory() as folder:
        for wrong, damaged in damages(good):
            if not program_refuses(coalesce, damaged, folder):
                errors.append(f"the program lets through: {wrong}")
        for group, sub in schema["properties"].items():
            for key in sub["properties"] if group not in GROUPS_WITHOUT_NUMBERS else ():
                damaged = copy.deepcopy(good)
                damaged[group][key]["unit"] = "furlongs"
                if not program_refuses(coalesce, damaged, folder):
                    errors.append(f"the program takes {group}.{key} in furlongs")
                del damaged[group][key]
                if not program_refuses(coalesce, damaged, folder):
                    errors.append(f"the program does without {group}.{key}")
        if program_refuses(coalesce, with_evidence(good), folder):
            errors.append("the program refuses a good file")
    return errors


def readme_keys(text):
    """The group.key names that the table in the README lists; `.key` continues the group before it."""
    keys, group = set(), None
    for line in text.splitlines():
        if not line.startswith("| `"):
            continue
        for name in re.findall(r"`([a-z0-9_]*\.[a-z0-9_]+)`", line.split("|")[1].replace("_S`", "_1`")):
            group = name.split(".")[0] or group
            keys.add(f"{group}.{name.split('.')[1]}")
    return keys


def main():
    if sys.argv[1:] == ["--schema"]:
        return schema_write()
    schema = load(SCHEMA)
    with open(os.path.join(ROOT, "machines", "README.md"), encoding="utf-8") as file:
        readme = file.read()
    documented = readme_keys(readme)
    errors, machines = definition_errors(schema), {}
    for path in sorted(glob.glob(os.path.join(ROOT, "machines", "*.json"))):
        name = os.path.basename(path)
        if name == "schema.json":
            continue
        try:
            machine = load(path)
        except ValueError as error:
            errors.append(f"{name}: {error}")
            continue
        found = check(machine, schema, schema, name)
        errors += found if found else relations(machine, name) + evidence_errors(machine, name)
        machines[name] = machine
    for wanted in ("gtx980.json", "h200.json"):
        if wanted not in machines:
            errors.append(f"{wanted}: missing")
    errors += evidence_rows_errors(readme, machines.get("h200.json", {"evidence": {}}))
    names = [(alias.lower(), file) for file, machine in machines.items() for alias in {*machine["aliases"], machine["name"], file[:-5]}]
    taken = {}
    for alias, file in names:
        if taken.setdefault(alias, file) != file:
            errors.append(f"{file}: the name {alias} is also that of {taken[alias]}")
    for group, sub in schema["properties"].items():
        if group in GROUPS_WITHOUT_NUMBERS:
            continue
        for key in sub["properties"]:
            if f"{group}.{re.sub('_stride_[0-9]+$', '_stride_1', key)}" not in documented:
                errors.append(f"machines/README.md: {group}.{key} is not explained")
    refused = 0
    good = with_evidence(machines["gtx980.json"]) if "gtx980.json" in machines else {}
    if good:
        errors += check(good, schema, schema, "a file with evidence") + evidence_errors(good, "a file with evidence")
    if not errors:
        for wrong, damaged in damages(machines["gtx980.json"]):
            refused += 1
            if not check(damaged, schema, schema, "damaged") and not relations(damaged, "damaged") + evidence_errors(damaged, "damaged"):
                errors.append(f"the check lets through: {wrong}")
    if not errors and os.environ.get("COALESCE"):
        errors += program_errors(os.environ["COALESCE"], schema, machines["gtx980.json"])
    if not errors and refused < LEAST_REFUSED:
        errors.append(f"only {refused} damaged copies were tried")
    for error in errors:
        print("FAIL", error)
    print(f"{len(machines)} machine files, {refused} damaged copies refused, {len(errors)} errors")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
