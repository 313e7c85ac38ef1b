#!/usr/bin/env python3
"""What the user says of an integer member of records (--index n.next=...) reaches the predictions in every layout, and the measuring program.

needs: nvcc
"""
import json
import os
import subprocess
import sys
import tempfile

COALESCE, ROOT = os.environ["COALESCE"], os.environ["ROOT"]
SOURCE = os.path.join(ROOT, "tests", "golden", "cases", "member_content.cu")
# 4096 threads load next, load v of the element that it names, and so many sectors: 128 warps; a record is a quarter of a sector, a member alone an eighth.
SECTORS = {"seq": {"aos": 2048, "soa": 1024, "aosa": 2048, "asta": 1024},
           "uniform:7:8": {"aos": 1152, "soa": 640, "aosa": 1152, "asta": 640}}


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)


def check_content(content, folder):
    found = run(COALESCE, "predict", SOURCE, "--model", "thesis", "--index", "n.next=" + content, "--json", "-q")
    if found.returncode != 0:
        return [found.stderr]
    kernel = json.loads(found.stdout)["kernels"][0]
    sectors = {row["layout"]: row["counts"]["ld_sectors"] for row in kernel["layouts"]}
    errors = [] if sectors == SECTORS[content] else ["%s: %s sectors" % (content, sectors)]
    if kernel["notes"]:
        errors.append("%s: %s" % (content, kernel["notes"]))
    made = run(COALESCE, "bundle", SOURCE, "--index", "n.next=" + content, "-o", os.path.join(folder, content.replace(":", "_")))
    with open(os.path.join(folder, content.replace(":", "_"), "measure.cu"), encoding="utf-8") as stream:
        text = stream.read()
    want = {"seq": "{\"next\", 'i', 4, 1, content_linear, 0LL, 1LL", "uniform:7:8": "{\"next\", 'i', 4, 1, content_uniform, 7LL, 8LL"}[content]
    if made.returncode != 0 or want not in text:
        errors.append("%s: the measuring program holds something else" % content)
    return errors


def main():
    with tempfile.TemporaryDirectory() as folder:
        errors = [error for content in SECTORS for error in check_content(content, folder)]
    print("\n".join(errors) if errors else "%d contents in %d layouts" % (len(SECTORS), 4))
    return 1 if errors else 0


sys.exit(main())
