"""What the source tree must be like, beyond what a compiler checks. tests/run counts each check as one test.

    python3 tests/layering.py [BUILD]      runs the checks alone

A check is first tried on a small tree that breaks its rule: one that does not notice fails. What the objects in BUILD must be like is
in linkage.py; those checks need them built.

A folder of the pipeline has rooms: its sub-folders, and theirs. The face of a room, as of a folder, is the header that bears its name
(model/cost/cost.h). Faces may be included from wherever the tables below allow; any other header only by files of its own room and of
the rooms in it.
"""
import collections
import os
import re
import subprocess
import sys
import tempfile

import linkage

# Which folders a folder may include, besides itself.
ALLOWED = {
    "base": (),
    "ptxparse": ("base",),
    "analyzer": ("base",),
    "layouts": ("base", "analyzer"),
    "model": ("base", "analyzer", "ptxparse", "layouts"),
    "cli": ("base", "analyzer", "ptxparse", "layouts", "model"),
    "library": ("base", "cli", "model"),
}
# Which rooms of its own folder a room may include; "" is what lies flat in the folder, which only base has below its rooms. Flat files
# may include every room of theirs; a room that is not named here, as the room around it, and the rooms beside it.
ROOMS = {
    "base/clock": (),
    "base/lookup": ("",),
    "base/threads": ("", "clock"),
    "base/isolation": ("",),
    "base/json": ("",),
    "base/toolkit": ("",),
    "ptxparse/code": (),
    "ptxparse/text": ("code",),
    "ptxparse/graph": ("code",),
    "ptxparse/sass": ("code", "graph"),
    "analyzer/types": (),
    "analyzer/flags": (),
    "analyzer/expr": ("types",),
    "analyzer/source": ("types",),
    "analyzer/tree": ("types",),
    "analyzer/front": ("flags", "source", "tree", "types"),
    "analyzer/walk": ("expr", "front", "tree", "types"),
    "analyzer/rows": ("source", "tree", "types"),
    "analyzer/mention": ("tree", "types"),
    "analyzer/host": ("expr", "front", "tree", "types", "walk"),
    "layouts/text": (),
    "layouts/row": ("text",),
    "layouts/types": ("row", "text"),
    "layouts/rewriter": ("row", "text", "types"),
    "layouts/groups": ("row", "text", "types"),
    "layouts/device": ("groups", "rewriter", "row", "text", "types"),
    "layouts/packing": ("groups", "rewriter", "row", "text", "types"),
    "layouts/host": ("device", "groups", "packing", "rewriter", "row", "text", "types"),
    "layouts/declare": ("groups", "host", "rewriter", "row", "text", "types"),
    "layouts/pointers": ("groups", "host", "rewriter", "row", "text", "types"),
    "model/execute": (),
    "model/machine": ("execute",),
    "model/cases": ("execute",),
    "model/compile": ("cases", "machine"),
    "model/code": ("cases", "compile", "execute", "machine"),
    "model/cost": ("code", "execute", "execute/trace", "machine"),
    "model/explain": ("cost", "code", "execute", "machine"),
    "model/prediction": ("explain",),
    "model/trust": ("cost", "execute", "prediction"),
    "model/cpu": (),
    "model/observe": ("cases", "compile", "cpu", "cpu/support", "execute", "machine"),
    "model/predict": ("cases", "code", "compile", "cost", "execute", "explain", "machine", "observe", "prediction", "trust"),
    "model/measure": ("code", "compile", "execute", "machine", "predict", "prediction"),
    "model/sweep": ("cases", "code", "compile", "cost", "execute", "machine", "predict", "prediction", "trust"),
    "model/tune": ("cases", "code", "cost", "execute", "machine", "predict", "prediction", "sweep", "trust"),
    "cli/say": (),
    "cli/report": (),
    "cli/options": ("report", "say"),
    "cli/help": ("options", "report", "say"),
    "cli/tables": ("report", "report/html"),
    "cli/profile": ("report",),
    "cli/batch": ("options", "report", "report/html", "say"),
}
# What a check does not hold of yet: check, and the beginning of a path. One that excuses nothing is a fault itself.
EXCEPTIONS = (
    ("room_circles", "analyzer/host: "),
    ("room_circles", "analyzer/walk: "),
    ("room_circles", "ptxparse/sass: "),
    ("room_circles", "model/cost: "),
    ("room_circles", "model/cpu: "),
    ("room_circles", "model/execute: "),
)
FILE_LINES_MAX = 525
# Of functions: from the opening brace to the closing one.
FUNCTION_LINES_MAX, FUNCTION_LINES_MEDIAN, FUNCTION_LINES_NINTH = 60, 11, 24
CODE = (".c", ".h", ".l", ".y", ".def")
GENERATED = re.compile(r"\.(o|a|so|d|pyc|pch|cubin|fatbin)$|(^|/)(lex\.yy|[^/]*\.tab|[^/]*\.yy)\.[ch]$|^(build|toolkit)/")
MACHINE_PATH = re.compile(r"(?<![A-Za-z0-9_$.}{~-])/(work|farm|tmp|root|home/[a-z]+)/")
PRINTING = re.compile(r"(?<![A-Za-z0-9_>.])(printf|puts|putchar|vprintf|perror)\s*\(|(?<!fflush\()\b(stdout|stderr)\b")
# Where printing is meant: the diagnostics, and the end of the program.
PRINTING_ALLOWED = ("base/diagnostics.c", "base/failure.c", "base/file.c", "model/cpu/support/calls.h")

Check = collections.namedtuple("Check", "name find")


def tracked_files(root):
    """Paths of the files in git that exist; without git, of all files outside build folders."""
    listed = subprocess.run(["git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    if listed.returncode == 0 and os.path.exists(os.path.join(root, ".git")):
        return sorted(path for path in listed.stdout.split("\0") if path and os.path.isfile(os.path.join(root, path)))
    found = []
    for folder, folders, files in os.walk(root):
        top = folder == root
        folders[:] = [name for name in folders if not re.match(r"build|toolkit$|disassembler$" if top else "$", name)
                      and name not in (".git", "__pycache__")]
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


def room_of(path):
    """The room, or the folder, that a file lies in."""
    return os.path.dirname(path)


def is_face(path):
    return os.path.basename(path) == os.path.basename(room_of(path)) + ".h"


def own_headers(root, files):
    """Yields path, line and included path of includes from the root that reach a folder of the pipeline."""
    for _, path, number, name in includes(root, files):
        if name[0] == '"' and name[1:-1].split("/")[0] in ALLOWED:
            yield path, number, name[1:-1]


def find_private_violations(root, files):
    """A header that is no face is included by its own room and by the rooms in it alone."""
    found = []
    for path, number, target in own_headers(root, files):
        room = room_of(target)
        if not is_face(target) and room_of(path) != room and not path.startswith(room + "/"):
            found.append('%s:%d: "%s" is private to %s' % (path, number, target, room))
    return found


def may_include(room, wanted):
    """Whether files of a room may include the face of another one of the same folder."""
    folder, around = room.split("/")[0], room_of(room)
    if room == folder or (wanted + "/").startswith(room + "/"):
        return True
    if room in ROOMS:
        return wanted in [(folder + "/" + name).rstrip("/") for name in ROOMS[room]]
    return wanted == around or room_of(wanted) == around or (around != folder and may_include(around, wanted))


def find_room_violations(root, files):
    """A room includes the rooms that the table gives it."""
    return ['%s:%d: the room %s may not include "%s"' % (path, number, room_of(path), target)
            for path, number, target in own_headers(root, files)
            if target.split("/")[0] == path.split("/")[0] and not may_include(room_of(path), room_of(target))]


def room_edges(root, files):
    """Which rooms and folders each one's files include headers of."""
    edges = collections.defaultdict(set)
    for path, _, target in own_headers(root, files):
        if room_of(path) != room_of(target):
            edges[room_of(path)].add(room_of(target))
    return edges


def find_room_circles(root, files):
    """No rooms include each other in a circle, not even by way of others; what lies flat in a folder counts as a room."""
    return ["%s: includes in a circle: %s" % (min(circle), " ".join(sorted(circle)))
            for circle in sorted(linkage.strong_components(room_edges(root, files)), key=min)]


def find_unnamed_rooms(root, files):
    """A room directly in a folder stands in the table, and every room and folder has its face."""
    rooms = {room_of(path) for _, path in code_files(root, files)}
    found = ["%s: not among ROOMS in tests/layering.py" % room for room in sorted(rooms) if room.count("/") == 1 and room not in ROOMS]
    return found + ["%s: has no face, %s/%s.h" % (room, room, os.path.basename(room)) for room in sorted(rooms)
                    if "%s/%s.h" % (room, os.path.basename(room)) not in files]


def find_long_code(root, files):
    """No file has more than FILE_LINES_MAX lines."""
    counts = [(path, len(lines_of(root, path)) - 1) for _, path in code_files(root, files)]
    return ["%s: %d lines, more than %d" % (path, count, FILE_LINES_MAX) for path, count in counts if count > FILE_LINES_MAX]


def functions(root, files):
    """Yields path, line and number of lines of every function: what stands between braces in the first column."""
    for _, path in code_files(root, files):
        start = None
        for number, line in lines_of(root, path):
            if path.endswith(".c") and line.startswith("{"):
                start = number
            elif line.startswith("}") and start:
                yield path, start, number - start + 1
                start = None


def find_long_functions(root, files):
    """No function has more than FUNCTION_LINES_MAX lines."""
    return ["%s:%d: a function of %d lines, more than %d" % (path, start, count, FUNCTION_LINES_MAX)
            for path, start, count in functions(root, files) if count > FUNCTION_LINES_MAX]


def find_heavy_functions(root, files):
    """Half of all functions have at most FUNCTION_LINES_MEDIAN lines, nine in ten at most FUNCTION_LINES_NINTH."""
    counts = sorted(count for _, _, count in functions(root, files))
    if not counts:
        return []
    median, ninth = counts[len(counts) // 2], counts[len(counts) * 9 // 10]
    return ["half of the functions have more than %d lines: %d" % (FUNCTION_LINES_MEDIAN, median)] * (median > FUNCTION_LINES_MEDIAN) + \
           ["one function in ten has more than %d lines: %d" % (FUNCTION_LINES_NINTH, ninth)] * (ninth > FUNCTION_LINES_NINTH)


def find_clang_violations(root, files):
    """libclang is seen by analyzer/front/ alone, directly or through its private headers."""
    return ["%s:%d: %s outside analyzer/front/" % (path, number, name)
            for _, path, number, name in includes(root, files)
            if re.match(r'[<"](clang-c/|analyzer/front/clang\w*\.h)', name) and not path.startswith("analyzer/front/")]


def find_double_types(root, files):
    """A type's name means one thing: no two files define the same tag."""
    tag = re.compile(r"^(?:static |const |typedef )*(?:struct|union|enum) (\w+)(?: \{.*)?$")
    places = collections.defaultdict(dict)
    for _, path in code_files(root, files):
        lines = list(lines_of(root, path))
        for (number, line), (_, following) in zip(lines, lines[1:] + [(0, "")]):
            match = tag.match(line)
            if match and ("{" in line or following.startswith("{")):
                places[match.group(1)].setdefault(path, number)
    return ["%s: defined in %s" % (name, " and ".join("%s:%d" % place for place in sorted(found.items())))
            for name, found in sorted(places.items()) if len(found) > 1]


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


LONG_FUNCTION = "int f(void)\n{\n" + "\tg();\n" * 60 + "}\n"

# Each rule with trees that break it exactly once.
RULES = {
    "includes": (find_layer_violations, {"ptxparse/a.c": '#include "base/base.h"\n#include "analyzer/analyzer.h"\n'}),
    "private_headers": (find_private_violations, {"model/a.c": '#include "layouts/internal.h"\n#include "model/internal.h"\n',
                                                  "model/cost/a.c": '#include "model/internal.h"\n#include "layouts/text/text.h"\n'},
                        {"model/a.c": '#include "model/cost/cost.h"\n#include "model/cost/parts.h"\n'}),
    "rooms": (find_room_violations, {"analyzer/expr/a.c": '#include "analyzer/walk/walk.h"\n#include "analyzer/types/types.h"\n',
                                     "analyzer/a.c": '#include "analyzer/walk/walk.h"\n',
                                     "model/execute/run/a.c": '#include "model/execute/plan/plan.h"\n#include "model/execute/execute.h"\n'},
              {"model/execute/run/a.c": '#include "model/cost/cost.h"\n',
               "model/cost/full/a.c": '#include "model/execute/execute.h"\n#include "model/code/code.h"\n'},
              {"cli/say/a.c": '#include "cli/cli.h"\n', "base/json/json.h": '#include "base/base.h"\n'}),
    "room_circles": (find_room_circles, {"cli/a.c": '#include "cli/say/say.h"\n', "cli/say/say.h": '#include "base/base.h"\n',
                                         "cli/say/b.c": '#include "cli/options/options.h"\n',
                                         "cli/options/options.h": '#include "cli/say/say.h"\n'},
                     {"cli/cli.h": '#include "cli/say/say.h"\n', "cli/say/a.c": '#include "cli/cli.h"\n'}),
    "room_names": (find_unnamed_rooms, {"model/unheard/unheard.h": "", "model/model.h": ""},
                   {"model/cost/a.c": "", "model/cost/cost.h": "", "model/a.c": ""}),
    "file_lines": (find_long_code, {"model/a.c": "\n" * (FILE_LINES_MAX + 1), "model/b.c": "\n" * FILE_LINES_MAX}),
    "function_lines": (find_long_functions, {"model/a.c": LONG_FUNCTION, "model/b.c": LONG_FUNCTION.replace("\tg();\n", "", 3)}),
    "function_share": (find_heavy_functions, {"model/a.c": "int f(void)\n{\n}\n" * 8 + "int f(void)\n{\n" + "\tg();\n" * 23 + "}\n" + LONG_FUNCTION}),
    "type_names": (find_double_types, {"model/a.c": "struct reader {\n};\nstruct other *f(void)\n{\n}\n", "cli/b.h": "enum reader { A };\nstruct other {\n};\n"}),
    "clang_quarantine": (find_clang_violations, {"analyzer/b.c": "#include <clang-c/Index.h>\n"},
                         {"analyzer/front/clang.h": "#include <clang-c/Index.h>\n", "analyzer/b.c": '#include "analyzer/front/clang.h"\n'},
                         {"analyzer/front/a.c": "#include <clang-c/Index.h>\n", "analyzer/walk/b.c": "#include <clang-c/Index.h>\n"}),
    "no_test_code": (find_test_violations, {"cli/a.c": '#include "tests/unit/helper.h"\n'}),
    "printing": (find_printing, {"model/a.c": '\ttext_printf(text, "printf(");\n\tprintf("%d", 1);\n',
                                 "cli/a.c": '\tprintf("%d", 1);\n'}),
    "no_generated_files": (find_generated, {"ptxparse/parser.tab.c": "", "ptxparse/parser.y": ""}),
    "no_machine_paths": (find_machine_paths, {"README.md": "see /tm" "p/x.cu\nand $TMPDIR/tmp/x\n", "tests/a.sh": "ls /tm" "p/x\n"}),
    "no_leftovers": (find_leftovers, {"cli/a.c": "/* TO" "DO: everything */\n"}),
}


def write_tree(root, tree):
    for path, text in tree.items():
        os.makedirs(os.path.join(root, os.path.dirname(path)), exist_ok=True)
        with open(os.path.join(root, path), "w", encoding="utf-8") as stream:
            stream.write(text)


def try_on_bad_tree(find, tree, build=None):
    """Returns a complaint when a rule does not find the one fault of its tree. build: compiles the tree first, or says that it cannot."""
    with tempfile.TemporaryDirectory() as root:
        write_tree(root, tree)
        if build and not build(root):
            return []
        found = find(root, tracked_files(root), os.path.join(root, "build"))
    return [] if len(found) == 1 else ["the check finds %d faults in a tree that has one: %s" % (len(found), found)]


def excused(name, found):
    """What of a check's findings no exception excuses, and the exceptions that excuse nothing."""
    beginnings = [beginning for check, beginning in EXCEPTIONS if check == name]
    idle = [beginning for beginning in beginnings if not any(text.startswith(beginning) for text in found)]
    return [text for text in found if not text.startswith(tuple(beginnings))] + \
           ["EXCEPTIONS in tests/layering.py excuses nothing: %s, %s" % (name, beginning) for beginning in idle]


def checks(root, build):
    """Returns the checks of a tree; find() of each returns the list of violations. Those of objects are left out where none are built."""
    files = tracked_files(root)

    def check(name, find, trees, compiled):
        def run():
            tried = [text for tree in trees for text in try_on_bad_tree(find, tree, compiled)]
            return tried or excused(name, find(root, files, build))

        return Check(name, run)

    found = [check(name, lambda *place, rule=rule: rule(*place[:2]), trees, None) for name, (rule, *trees) in RULES.items()]
    if linkage.is_built(root, files, build):
        found += [check(name, rule, trees, linkage.compile_tree) for name, (rule, *trees) in linkage.RULES.items()]
    return found


def main():
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    failed = False
    for check in checks(root, sys.argv[1] if len(sys.argv) > 1 else os.path.join(root, "build")):
        for violation in check.find():
            print("%s: %s" % (check.name, violation))
            failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
