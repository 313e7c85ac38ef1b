#!/usr/bin/env python3
"""README's table of figures has those of docs/accuracy.md. With --write, README is made so."""
import os
import re
import sys

ROOT = os.environ.get("ROOT", os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
README, ACCURACY = os.path.join(ROOT, "README.md"), os.path.join(ROOT, "docs", "accuracy.md")
ROW = re.compile(r"^(\| [^|]+ \| `([\w/]+\.json)` \|).*$", re.M)
COLUMNS = ("verdicts", "pick", "regret", "worst", "rank", "ratio error", "time error")
SHOWN = ("verdicts", "pick", "regret", "time error")


def read(path):
    with open(path, encoding="utf-8") as stream:
        return stream.read()


def figures():
    """Of each set the cells of the table that benchmarks/trust.py makes."""
    page = read(ACCURACY)
    made = page[page.index("<!-- models:"):]
    rows = re.findall(r"^\| `([\w/]+\.json)` \| (.+) \|$", made[:made.index("<!-- end -->")], re.M)
    return {name: dict(zip(COLUMNS, cells.split(" | "))) for name, cells in rows}


def main():
    of = figures()
    page = read(README)
    now = ROW.sub(lambda row: "%s %s |" % (row[1], " | ".join(of[row[2]][name] for name in SHOWN)), page)
    if "--write" in sys.argv:
        with open(README, "w", encoding="utf-8") as stream:
            stream.write(now)
    elif now != page or len(ROW.findall(page)) != 5:
        print("README's figures are not those of docs/accuracy.md: tests/e2e/readme_figures.py --write")
        return 1
    return 0


sys.exit(main())
