"""A validator for the part of JSON Schema that schemas/ (draft 2020-12) and SARIF's schema (draft 4) use; a keyword that it does not know is an error.

    python3 tests/json_schema.py SCHEMA.json FILE.json
"""
import json
import re
import sys

TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}
IGNORED = {"$schema", "id", "title", "description", "default", "$defs", "definitions"}
FORMATS = {"uri": r"[A-Za-z][A-Za-z0-9+.-]*:[^\s<>\"{}|\\^`]*$", "uri-reference": r"[^\s<>\"{}|\\^`]*$", "date-time": r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d"}


def is_type(value, name):
    if isinstance(name, list):
        return any(is_type(value, one) for one in name)
    if name in ("number", "integer"):
        return not isinstance(value, bool) and (isinstance(value, int) or (isinstance(value, float) and name == "number"))
    return isinstance(value, TYPES[name])


def check_properties(schema, value, where, root):
    known, rest = schema.get("properties", {}), schema.get("additionalProperties", True)
    for name, member in value.items():
        place = "%s.%s" % (where, name)
        if name in known:
            yield from validate(known[name], member, place, root)
        elif rest is False:
            yield "%s: not in the schema" % place
        elif isinstance(rest, dict):
            yield from validate(rest, member, place, root)


def check_any(schema, value, where, root):
    found = [list(validate(choice, value, where, root)) for choice in schema["anyOf"]]
    if all(found):
        yield from min(found, key=len)


def check_one(schema, value, where, root):
    right = sum(not list(validate(choice, value, where, root)) for choice in schema["oneOf"])
    if right != 1:
        yield "%s: %d of the choices of which one must hold" % (where, right)


def is_unique(value, wanted):
    texts = [json.dumps(item, sort_keys=True) for item in value] if isinstance(value, list) else []
    return not wanted or len(set(texts)) == len(texts)


BOUNDS = {
    "minimum": lambda value, bound: not is_type(value, "number") or value >= bound,
    "maximum": lambda value, bound: not is_type(value, "number") or value <= bound,
    "exclusiveMinimum": lambda value, bound: not is_type(value, "number") or value > bound,
    "minLength": lambda value, bound: not isinstance(value, str) or len(value) >= bound,
    "minItems": lambda value, bound: not isinstance(value, list) or len(value) >= bound,
    "maxItems": lambda value, bound: not isinstance(value, list) or len(value) <= bound,
    "const": lambda value, bound: value == bound,
    "enum": lambda value, bound: value in bound,
    "type": is_type,
    "uniqueItems": is_unique,
    "pattern": lambda value, bound: not isinstance(value, str) or re.search(bound, value),
    "format": lambda value, bound: not isinstance(value, str) or re.match(FORMATS[bound], value),
}


def validate(schema, value, where="$", root=None):
    """Yields what is wrong with a value."""
    root = root or schema
    for keyword, bound in schema.items():
        if keyword in BOUNDS:
            if not BOUNDS[keyword](value, bound):
                yield "%s: %s: %s, but is %s" % (where, keyword, json.dumps(bound), json.dumps(value)[:80])
        elif keyword == "$ref":
            folder, name = bound.rsplit("/", 2)[1:]
            yield from validate(root[folder][name], value, where, root)
        elif keyword == "anyOf":
            yield from check_any(schema, value, where, root)
        elif keyword == "oneOf":
            yield from check_one(schema, value, where, root)
        elif keyword == "required" and isinstance(value, dict):
            yield from ("%s: without %s" % (where, name) for name in bound if name not in value)
        elif keyword == "items" and isinstance(value, list):
            for index, item in enumerate(value):
                yield from validate(bound, item, "%s[%d]" % (where, index), root)
        elif keyword in ("properties", "additionalProperties", "required", "items"):
            pass
        elif keyword not in IGNORED:
            yield "%s: the schema has a keyword that is not known: %s" % (where, keyword)
    if isinstance(value, dict) and ("properties" in schema or "additionalProperties" in schema):
        yield from check_properties(schema, value, where, root)


def main():
    with open(sys.argv[1], encoding="utf-8") as schema, open(sys.argv[2], encoding="utf-8") as value:
        found = list(validate(json.load(schema), json.load(value)))
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
