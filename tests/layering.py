"""What the source tree must be like, beyond what a compiler checks. tests/run counts each check as one test.

    python3 tests/layering.py      runs the checks alone

A check is first tried on a small tree that breaks its rule: one that does not notice fails.
"""
import collections
import os
import re
import subprocess
import sys
import tempfile

# Which folders a folder may include, besides itself.
ALLOWED = {
    "base": (),
    "ptxparse": ("base",),
    "analyzer": ("base",),
    "layouts": ("base", "analyzer"),
    "model": ("base", "analyzer", "ptxparse", "layouts"),
    "cli": ("base", "analyzer", "ptxparse", "layouts", "model"),
}
# Headers that are a folder's face beside <folder>/<folder>.h.
FACES = ("model/evaluate.h",)
CODE = (".c", ".h", ".l", ".y")
GENERATED = re.compile(r"\.(o|a|so|d|pyc|pch|cubin|fatbin)$|(^|/)(lex\.yy|[^/]*\.tab|[^/]*\.yy)\.[ch]$|(^|/)(build|toolkit)/")
MACHINE_PATH = re.compile(r"(?<![A-Za-z0-9_$.}{~-])/(work|farm|tmp|root|home/[a-z]+)/")
PRINTING = re.compile(r"(?<![A-Za-z0-9_>.])(printf|puts|putchar|vprintf|perror)\s*\(|(?<!fflush\()\b(stdout|stderr)\b")
# Where printing is meant: the diagnostics, and running out of memory.
PRINTING_ALLOWED = ("base/diagnostics.c", "base/file.c", "base/arena.c", "base/text.c")

Check = collections.namedtuple("Check", "name find")


def tracked_files(root):
    """Paths of the files in git that exist; without git, of all files outside build folders."""
    listed = subprocess.run(["git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    if listed.returncode == 0 and os.path.exists(os.path.join(root, ".git")):
        return sorted(path for path in listed.stdout.split("\0") if path and os.path.isfile(os.path.join(root, path)))
    found = []
    for folder, folders, files in os.walk(root):
        folders[:] = [name for name in folders if not re.match(r"build|toolkit|\.git$|__pycache__$", name)]
        found += [os.path.relpath(os.path.join(folder, name), root) for name in files]
    return sorted(found)


def lines_of(root, path):
    try:
        with open(os.path.join(root, path), encoding="utf-8") as stream:
            return list(enumerate(stream.read().split("\n"), 1))
    except UnicodeDecodeError:
        return []


def code_files(root, files):
    """Yields folder and path of our own code."""
    for path in files:
        folder = path.split("/")[0]
        if folder in ALLOWED and path.endswith(CODE):
            yield folder, path


def includes(root, files):
    """Yields folder, path, line and what is included, with its quotes or angles."""
    for folder, path in code_files(root, files):
        for number, line in lines_of(root, path):
            found = re.match(r'\s*#\s*include\s*([<"][^>"]*[>"])', line)
            if found:
                yield folder, path, number, found.group(1)


def find_layer_violations(root, files):
    """Code includes only the folders below its own, written from the root."""
    found = []
    for folder, path, number, name in includes(root, files):
        if name[0] != '"':
            continue
        target = name[1:].split("/")[0]
        if target != folder and target not in ALLOWED[folder]:
            found.append("%s:%d: %s may not include %s" % (path, number, folder, name))
    return found


def find_private_violations(root, files):
    """Another folder's header is included by its face alone; its other headers are private."""
    found = []
    for folder, path, number, name in includes(root, files):
        target = name[1:-1]
        owner = target.split("/")[0]
        if name[0] == '"' and owner in ALLOWED and owner != folder and target not in ("%s/%s.h" % (owner, owner),) + FACES:
            found.append("%s:%d: %s is private to its folder" % (path, number, name))
    return found


def find_clang_violations(root, files):
    """libclang is seen by analyzer/clang_*.c alone, directly or through their header."""
    return ["%s:%d: %s outside analyzer/clang_*.c" % (path, number, name)
            for _, path, number, name in includes(root, files)
            if re.match(r'[<"](clang-c|analyzer/clang_\w+\.h)\b', name) and not re.match(r"analyzer/clang_\w+\.[ch]$", path)]


def find_test_violations(root, files):
    """Nothing includes tests or benchmarks."""
    return ["%s:%d: includes %s" % (path, number, name) for _, path, number, name in includes(root, files)
            if re.match(r'["<](tests|benchmarks)/', name)]


def find_printing(root, files):
    """Only cli prints; other folders report diagnostics, or dump into a struct text."""
    found = []
    for folder, path in code_files(root, files):
        if folder == "cli" or path in PRINTING_ALLOWED:
            continue
        for number, line in lines_of(root, path):
            code = re.sub(r'"(\\.|[^"\\])*"|//.*|/\*.*?\*/|^\s*/?\*.*', "", line)
            if PRINTING.search(code):
                found.append("%s:%d: prints: %s" % (path, number, line.strip()))
    return found


def find_generated(root, files):
    """No generated file lies in git, but for the cubins that tests read."""
    return ["%s: a generated file" % path for path in files
            if GENERATED.search(path) and not re.fullmatch(r"tests/inputs/sass/.*\.cubin", path)]


def find_machine_paths(root, files):
    """No file outside tests names a folder of one machine."""
    found = []
    for path in files:
        if path.startswith("tests/"):
            continue
        for number, line in lines_of(root, path):
            if MACHINE_PATH.search(line):
                found.append("%s:%d: a path of one machine: %s" % (path, number, line.strip()[:120]))
    return found


def find_leftovers(root, files):
    """No note to oneself stays in code."""
    pattern = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X|HA" r"CK)\b")
    return ["%s:%d: %s" % (path, number, line.strip()[:120]) for path in files
            if path.endswith(CODE + (".cu", ".sh", ".py", "Makefile", "tests/run", "tools/setup"))
            for number, line in lines_of(root, path) if pattern.search(line)]


# Each rule with a tree that breaks it exactly once.
RULES = {
    "includes": (find_layer_violations, {"ptxparse/a.c": '#include "base/base.h"\n#include "analyzer/analyzer.h"\n'}),
    "private_headers": (find_private_violations, {"model/a.c": '#include "layouts/internal.h"\n#include "model/internal.h"\n'}),
    "clang_quarantine": (find_clang_violations, {"analyzer/clang_a.c": "#include <clang-c/Index.h>\n",
                                                 "analyzer/b.c": "#include <clang-c/Index.h>\n"}),
    "clang_header": (find_clang_violations, {"analyzer/clang_a.h": "#include <clang-c/Index.h>\n",
                                             "analyzer/b.c": '#include "analyzer/clang_a.h"\n'}),
    "no_test_code": (find_test_violations, {"cli/a.c": '#include "tests/unit/helper.h"\n'}),
    "printing": (find_printing, {"model/a.c": '\ttext_printf(text, "printf(");\n\tprintf("%d", 1);\n',
                                 "cli/a.c": '\tprintf("%d", 1);\n'}),
    "no_generated_files": (find_generated, {"ptxparse/parser.tab.c": "", "ptxparse/parser.y": ""}),
    "no_machine_paths": (find_machine_paths, {"README.md": "see /tm" "p/x.cu\nand $TMPDIR/tmp/x\n", "tests/a.sh": "ls /tm" "p/x\n"}),
    "no_leftovers": (find_leftovers, {"cli/a.c": "/* TO" "DO: everything */\n"}),
}


def try_on_bad_tree(rule, tree):
    """Returns a complaint when the rule does not find the one fault of its tree."""
    with tempfile.TemporaryDirectory() as root:
        for path, text in tree.items():
            os.makedirs(os.path.join(root, os.path.dirname(path)), exist_ok=True)
            with open(os.path.join(root, path), "w", encoding="utf-8") as stream:
                stream.write(text)
        found = rule(root, tracked_files(root))
    return [] if len(found) == 1 else ["the check finds %d faults in a tree that has one: %s" % (len(found), found)]


def checks(root):
    """Returns the checks of a tree; find() of each returns the list of violations."""
    files = tracked_files(root)

    def make(name):
        rule, tree = RULES[name]
        return Check(name, lambda: try_on_bad_tree(rule, tree) or rule(root, files))

    return [make(name) for name in RULES]


def main():
    failed = False
    for check in checks(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))):
        for violation in check.find():
            print("%s: %s" % (check.name, violation))
            failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
