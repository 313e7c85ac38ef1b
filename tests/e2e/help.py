#!/usr/bin/env python3
"""Help, manual pages and completion say every command and every option of it, as the two tables have them, and are well formed."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

PROGRAM, ROOT = os.environ["COALESCE"], os.environ["ROOT"]
errors = []


def check(condition, *what):
    if not condition:
        errors.append(" ".join(str(part) for part in what))


def run(*arguments):
    done = subprocess.run([PROGRAM] + list(arguments), capture_output=True, text=True, check=False)
    check(done.returncode == 0 and not done.stderr, arguments, done.returncode, done.stderr)
    return done.stdout


def table():
    """Commands with their letters from main.c, options with those of their commands from options.def."""
    with open(os.path.join(ROOT, "cli/main.c"), encoding="utf-8") as stream:
        rows = re.findall(r"\t\{(\"(\w+)\",.*?)\},", stream.read().split("commands[] = {")[1].split("\n};")[0] + ",", re.S)
    commands = {name: re.search(r"'(\w)'", row).group(1) for row, name in rows}
    with open(os.path.join(ROOT, "cli/options/options.def"), encoding="utf-8") as stream:
        text = stream.read()
    options = re.findall(r"^OPTION\(\w+, \"([^\"]+)\", \w+, (?:\"[^\"]*\"|NULL),\s*\"(\w+)\"", text, re.M)
    check(len(options) == len(re.findall(r"^OPTION\(", text, re.M)), "rows of options.def that are not read")
    return commands, options


def check_help(commands, options):
    overview = run("help")
    check(overview == run("--help") == run("-h"), "help, --help and -h differ")
    for name, letter in commands.items():
        check(re.search(r"^coalesce %s " % name, overview, re.M), name, "is not in help")
        text = run("help", name)
        check(text == run(name, "--help"), name, "--help differs from help", name)
        listed = re.findall(r"^  (-\S+)", text, re.M)
        wanted = [spelling for spelling, letters in options if letter in letters]
        check(listed == wanted + ["-D"] * ("-D" in listed), name, "lists", listed, "not", wanted)
        check("@" not in text, name, "shows a word with @")
        for line in text.splitlines():
            check(len(line) <= 100, name, "a line of", len(line), "columns:", line)


def check_manual(commands, options):
    main = run("help", "--man")
    takers = {}
    for spelling, letters in options:
        takers[spelling] = takers.get(spelling, "") + letters
    for name, letter in commands.items():
        page = run("help", "--man", name)
        check("coalesce\\-%s (1)" % name in main, name, "is not in coalesce(1)")
        check(page.startswith(".TH coalesce-%s 1 " % name), name, "page begins", page[:40])
        check(re.findall(r"^\.SH (.*)", page, re.M)[-5:] == ["EXIT STATUS", "ENVIRONMENT", "FILES", "EXAMPLES", "SEE ALSO"], name, "sections")
        examples = page[page.index(".SH EXAMPLES"):].replace("\\-", "-")
        shown = re.findall(r"^\\fB(coalesce .*?)\\fR", examples, re.M)
        check(shown and all(words.startswith("coalesce %s" % name) for words in shown), name, "examples", shown)
        for option in re.findall(r" (-\S+)", " ".join(shown)):
            check(letter in takers.get(option, letter if option == "--" else ""), name, "an example with", option)
        for spelling, letters in takers.items():
            present = "\\fB%s\\fR" % spelling.replace("-", "\\-") in page
            check(present == (letter in letters), name, "manual page and", spelling)
        check(all(not line.startswith(".") or re.match(r"\.(TH|SH|TP|BR|br)\b", line) for line in page.splitlines()), name, "unknown macro")
        if shutil.which("groff"):
            done = subprocess.run(["groff", "-man", "-Tutf8", "-ww"], input=page, capture_output=True, text=True, check=False)
            check(done.returncode == 0 and not done.stderr, name, "groff:", done.stderr)


def check_glossary():
    """docs/glossary.md is what `coalesce help glossary` prints: all of it, and each of its words."""
    with open(os.path.join(ROOT, "docs/glossary.md"), encoding="utf-8") as stream:
        items = re.findall(r"^- ([^:\n]+): ((?:.+\n?)(?:  .+\n)*)", stream.read(), re.M)
    check(len(items) > 30, "the glossary has", len(items), "items")
    check([names for names, _ in items] == sorted((names for names, _ in items), key=str.lower), "docs/glossary.md is not in order")
    printed = " ".join(run("help", "glossary").split())
    for names, text in items:
        check(names + " " + " ".join(text.split()) in printed, "help glossary lacks", names)
        for name in names.split(", "):
            check(" ".join(text.split()) in " ".join(run("help", "glossary", name).split()), "help glossary", name)
    done = subprocess.run([PROGRAM, "help", "glossary", "ocupancy"], capture_output=True, text=True, check=False)
    check(done.returncode == 2 and "did you mean 'occupancy'" in done.stderr, "a mistyped word:", done.stderr)


def complete(script, *words):
    """What bash completes the last word to."""
    program = 'source %s; COMP_WORDS=(%s); COMP_CWORD=%d; _coalesce; printf "%%s\\n" "${COMPREPLY[@]}"' % (
        script, " ".join("'%s'" % word for word in words), len(words) - 1)
    environment = dict(os.environ, PATH=os.path.dirname(script) + ":" + os.environ["PATH"])
    return subprocess.run(["bash", "-c", program], capture_output=True, text=True, check=True, env=environment).stdout.split()


def check_completion(commands, options, folder):
    for shell in ("bash", "zsh", "fish"):
        script = os.path.join(folder, "coalesce." + shell)
        with open(script, "w", encoding="utf-8") as stream:
            stream.write(run("completion", shell))
        with open(script, encoding="utf-8") as stream:
            text = stream.read()
        for name in commands:
            check(re.search(r"\b%s\b" % name, text), shell, "completion without", name)
        if shutil.which(shell):
            done = subprocess.run([shell, "-n", script], capture_output=True, text=True, check=False)
            check(done.returncode == 0 and not done.stderr, shell, "-n:", done.stderr)
    script = os.path.join(folder, "coalesce.bash")
    os.symlink(PROGRAM, os.path.join(folder, "coalesce"))
    check(sorted(complete(script, "coalesce", "")) == sorted(list(commands) + ["help", "completion"]), "bash completes commands")
    for name, letter in commands.items():
        wanted = sorted(spelling for spelling, letters in options if letter in letters)
        check(sorted(complete(script, "coalesce", name, "-")) == wanted, "bash completes options of", name)
    check(complete(script, "coalesce", "predict", "--machine", "h2") == ["h200"], "bash completes machines")
    check(complete(script, "coalesce", "rewrite", "--layout", "as") == ["asta"], "bash completes layouts")


def main():
    commands, options = table()
    check(len(commands) >= 11 and len(options) >= 30, "the tables are not read:", len(commands), len(options))
    check_help(commands, options)
    check_manual(commands, options)
    check_glossary()
    with tempfile.TemporaryDirectory() as folder:
        check_completion(commands, options, folder)
    print("\n".join(errors) if errors else "%d commands with %d options" % (len(commands), len(options)))
    return 1 if errors else 0


sys.exit(main())
