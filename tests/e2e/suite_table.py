#!/usr/bin/env python3
"""The table of all models in docs/accuracy.md is what `coalesce batch benchmarks/suite.json` says now. With --write, the page is made so.

needs: nvcc
tier: slow
"""
import json
import os
import subprocess
import sys

ROOT = os.environ.get("ROOT", os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
PROGRAM = os.environ.get("COALESCE", os.path.join(ROOT, "build", "coalesce"))
PAGE = os.path.join(ROOT, "docs", "accuracy.md")
HEAD = "    model         cases    pick   regret    worst    rank ratio error time error\n"
TARGET = "    target                1.000    0.005            0.950       0.050      0.100\n"


def table():
    done = subprocess.run([PROGRAM, "batch", os.path.join(ROOT, "benchmarks/suite.json"), "--json", "-q"], stdout=subprocess.PIPE, check=True)
    rows = ["    %-13s %5d %7.3f %8.3f %8.3f %7.3f %11.3f %10.3f\n" % (
        (name,) + tuple(figures[key] for key in ("cases", "pick", "regret", "worst_regret", "rank", "ratio_error", "time_error")))
        for name, figures in json.loads(done.stdout)["models"].items()]
    return HEAD + "".join(rows) + TARGET


def main():
    with open(PAGE, encoding="utf-8") as stream:
        page = stream.read()
    begin, end = page.index(HEAD), page.index(TARGET) + len(TARGET)
    now = table()
    if "--write" in sys.argv:
        with open(PAGE, "w", encoding="utf-8") as stream:
            stream.write(page[:begin] + now + page[end:])
    elif page[begin:end] != now:
        print("docs/accuracy.md: the table of all models is out of date (tests/e2e/suite_table.py --write):\n" + now)
        return 1
    return 0


sys.exit(main())
