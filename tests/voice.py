#!/usr/bin/env python3
"""usage: tests/voice.py [-v]

Counts in what users read: sentences of more than 40 words, lines of more than 120 columns, and notes that say nothing to do. It reads README.md, CONTRIBUTING.md,
docs/*.md and the expected screens in tests/golden. Tables and code are lines, but no sentences. Prints the three numbers; -v lists each place.
"""
import glob
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WORDS_MOST, COLUMNS_MOST = 40, 120
# A note says what to do where it names an option, a command, or asks for something.
ACTION = re.compile(r"--\w|coalesce \w+|`|: give |give it|choose|change it|put |did you mean|-[DI]\w", re.I)


def pages():
    return ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"] + sorted(
        os.path.relpath(path, ROOT) for path in glob.glob(os.path.join(ROOT, "docs", "*.md")))


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8", errors="replace") as stream:
        return stream.read().split("\n")


def blocks(lines):
    """Number and text of each paragraph, list item and table cell."""
    start, text, code = 0, "", False
    for number, line in enumerate(lines + [""], 1):
        fence = line.startswith("```")
        code = code != fence
        plain = not code and not fence and line.strip() and not line.startswith(("    ", "\t", "#", "<!--"))
        if text and (not plain or re.match(r"\s*(- |\d+\. |\|)", line)):
            yield start, text
            text = ""
        if plain and line.startswith("|"):
            for cell in line.strip("| ").split(" | "):
                yield number, cell
        elif plain:
            start, text = (start, text + " " + line.strip()) if text else (number, line.strip())


def long_sentences():
    for path in pages():
        for number, text in blocks(read(path)):
            for sentence in re.split(r"(?<=[.:!?])\s+(?=[A-Z`*\"(])", text):
                count = len(sentence.split())
                if count > WORDS_MOST:
                    yield "%s:%d: %d words: %s ..." % (path, number, count, sentence[:60])


def long_lines():
    for path in pages():
        for number, line in enumerate(read(path), 1):
            if len(line) > COLUMNS_MOST:
                yield "%s:%d: %d columns" % (path, number, len(line))


def idle_notes():
    seen = set()
    for path in sorted(glob.glob(os.path.join(ROOT, "tests/golden/*/*.expected")) + glob.glob(os.path.join(ROOT, "tests/errors/*/stderr"))):
        for number, line in enumerate(read(os.path.relpath(path, ROOT)), 1):
            found = re.search(r"note: (.*)", line)
            key = re.sub(r"\d+|'[^']*'", "N", found.group(1)) if found else None
            if found and key not in seen and not ACTION.search(found.group(1)):
                seen.add(key)
                yield "%s:%d: %s" % (os.path.relpath(path, ROOT), number, found.group(1)[:90])


def main():
    found = [list(finder()) for finder in (long_sentences, long_lines, idle_notes)]
    if "-v" in sys.argv:
        print("\n".join(line for part in found for line in part))
    print("sentences over %d words: %d, lines over %d columns: %d, notes without an action: %d" % (
        WORDS_MOST, len(found[0]), COLUMNS_MOST, len(found[1]), len(found[2])))


main()
