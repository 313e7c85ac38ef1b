#!/usr/bin/env python3
"""What a visitor of the repository finds: licence, one version everywhere, CI files that parse, paths of CONTRIBUTING.md that exist."""
import json
import os
import re
import subprocess
import sys

PROGRAM, ROOT = os.environ["COALESCE"], os.environ["ROOT"]
CI_FILES = ("action.yml", ".pre-commit-hooks.yaml", "docs/ci/github.yml", "docs/ci/gitlab.yml", "docs/ci/matrix.yml")
errors = []


def check(right, what):
    if not right:
        errors.append(what)


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as stream:
        return stream.read()


def version_check():
    said = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True, check=True).stdout.split()[1]
    newest = re.search(r"^## (\d+\.\d+\.\d+)", read("CHANGELOG.md"), re.M)
    check(newest and newest.group(1) == said, "CHANGELOG.md begins with %s, the program says %s" % (newest and newest.group(1), said))


def licence_check():
    text = read("LICENSE")
    check("Apache License" in text and "Version 2.0" in text and "END OF TERMS AND CONDITIONS" in text, "LICENSE is not whole")
    notice = read("NOTICE")
    for name, _, _, where in re.findall(r"^\| ([^|]+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$", read("NOTICE.md"), re.M):
        check(where not in ("the wheel", "the program") or name in notice, "NOTICE does not name %s" % name)


def ci_check():
    try:
        import yaml
    except ImportError:
        return
    for path in CI_FILES:
        check(yaml.safe_load(read(path)), path + " is empty")
    for step in yaml.safe_load(read("action.yml"))["runs"]["steps"]:
        done = subprocess.run(["bash", "-n"], input=step.get("run", ""), capture_output=True, text=True, check=False)
        check(done.returncode == 0, "action.yml: " + done.stderr)


def matcher_check():
    """The pattern for VS Code reads a diagnostic of the program."""
    pattern = json.loads(read("docs/ci/vscode-tasks.json"))["tasks"][0]["problemMatcher"]["pattern"]
    found = re.match(pattern["regexp"], "sph.cu:12:8: warning: record p would be faster")
    check(found and found.group(pattern["line"]) == "12" and found.group(pattern["severity"]) == "warning", "the pattern for VS Code")


def paths_check():
    for path in re.findall(r"`([a-z_]+/[\w./-]*)`", read("CONTRIBUTING.md")):
        check(path.startswith("build/") or os.path.exists(os.path.join(ROOT, path)), "CONTRIBUTING.md names %s" % path)


def main():
    version_check()
    licence_check()
    ci_check()
    matcher_check()
    paths_check()
    print("\n".join(errors))
    sys.exit(bool(errors))


main()
