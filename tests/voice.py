#!/usr/bin/env python3
"""usage: tests/voice.py [-v]

Counts in what users read: sentences of more than 40 words, lines of more than 120 columns, and notes that say nothing to do.
It reads README.md, CONTRIBUTING.md, CHANGELOG.md, SECURITY.md, docs/*.md, and the screens expected in tests/.
Sentences are those of paragraphs, list items and table cells; code is lines, but no sentences.
Of a remark (what -v adds) nothing is asked. Prints the three numbers; -v lists each place. Exit status 1 unless all are 0.
"""
import glob
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WORDS_MOST, COLUMNS_MOST = 40, 120
# A note says what to do where it names an option, a command, or begins a part of its sentence with a verb that asks for something.
VERBS = ("call|change|check|choose|compare|correct|did you mean|give|install|keep|launch|measure|move|pass|predict|put|record|remove|"
         "rename|see|use|write")
ACTION = re.compile(r"--\w|`|-[DIp]\b|coalesce \w+|(?:^|[:;,(] )(?:or )?(?:%s)\b" % VERBS)


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
            for sentence in re.split(r"(?:(?<=[.:!?])|(?<=[.:!?]\*\*))\s+(?=[A-Z`*\"(])", text):
                count = len(sentence.split())
                if count > WORDS_MOST:
                    yield "%s:%d: %d words: %s ..." % (path, number, count, sentence[:60])


def long_lines():
    """Of the blocks of commands that tests run, nothing counts: a program's output has the width that it has."""
    for path in pages():
        inside = False
        for number, line in enumerate(read(path), 1):
            inside = line.startswith("```console") or (inside and not line.startswith("```"))
            if len(line) > COLUMNS_MOST and not inside:
                yield "%s:%d: %d columns" % (path, number, len(line))


def notes(lines):
    """Number and text of each note, joined where it goes on in the next lines."""
    for number, line in enumerate(lines):
        found = re.match(r"(.*?)\bnote: (.*)", line)
        if not found:
            continue
        text, more = found.group(2), number + 1
        inset = len(found.group(1)) - len(found.group(1).lstrip()) + 2
        while not found.group(1).strip() and more < len(lines) and re.match(r" {%d}\S" % inset, lines[more]):
            text += " " + lines[more].strip()
            more += 1
        yield number + 1, text


def idle_notes():
    seen = set()
    for path in sorted(glob.glob(os.path.join(ROOT, "tests/golden/*/*.expected")) + glob.glob(os.path.join(ROOT, "tests/errors/*/stderr"))):
        for number, text in notes(read(os.path.relpath(path, ROOT))):
            key = re.sub(r"\d+|'[^']*'", "N", text)
            if key not in seen and not ACTION.search(text):
                seen.add(key)
                yield "%s:%d: %s" % (os.path.relpath(path, ROOT), number, text[:90])


def main():
    found = [list(finder()) for finder in (long_sentences, long_lines, idle_notes)]
    if "-v" in sys.argv:
        print("\n".join(line for part in found for line in part))
    print("sentences over %d words: %d, lines over %d columns: %d, notes without an action: %d" % (
        WORDS_MOST, len(found[0]), COLUMNS_MOST, len(found[1]), len(found[2])))
    return any(found)


sys.exit(main())
