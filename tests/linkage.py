"""What the objects of a build must be like: exported names bear their room's prefix, and files need each other in circles only where a
header says so. layering.py runs these checks.
"""
import glob
import os
import re
import shutil
import subprocess

FOLDERS = ("base", "ptxparse", "analyzer", "layouts", "model", "cli", "library")
# How exported names begin, by room; a room that is not named here takes the prefixes of the one around it.
PREFIXES = {
    "base": ("text_", "arena_", "intern_", "file_", "directory_", "program_", "diagnostics_", "severity_", "process_", "clock_", "threads_", "lookup_",
             "isolation_", "ending_", "failure_", "bug",
             "out_of_memory"),
    "base/json": ("json_",),
    "base/toolkit": ("toolkit_",),
    "ptxparse": ("ptx_",),
    "ptxparse/text": ("ptx_",),
    "ptxparse/graph": ("graph_", "ptx_function_analyse", "ptx_calls_copy", "ptx_cfg_check"),
    "ptxparse/sass": ("sass_",),
    "ptxparse/sass/cubin": ("cubin_",),
    "ptxparse/sass/decode": ("decode_",),
    "ptxparse/sass/listing": ("listing_",),
    "analyzer": ("analyze", "analysis_", "kernel_"),
    "analyzer/types": ("leaf_", "record_"),
    "analyzer/tree": ("node_", "type_"),
    "analyzer/flags": ("flags_",),
    "analyzer/source": ("source_", "analysis_place"),
    "analyzer/front": ("front_",),
    "analyzer/rows": ("rows_",),
    "analyzer/mention": ("mention_",),
    "analyzer/walk": ("walk_",),
    "analyzer/host": ("host_",),
    "analyzer/expr": ("expr_", "affine_"),
    "layouts": ("layout_",),
    "layouts/row": ("layout_", "placement_", "row_"),
    "layouts/rewriter": ("rewriter_",),
    "layouts/groups": ("group_",),
    "layouts/device": ("device_",),
    "layouts/host": ("rehost_",),
    "layouts/packing": ("packing_",),
    "layouts/declare": ("declare_",),
    "layouts/pointers": ("pointers_",),
    "layouts/text": ("edit_",),
    "model/predict": ("predict", "verdict_"),
    "model/trust": ("trust_",),
    "model/cases": ("case_",),
    "model/observe/check": ("check_",),
    "model/compile": ("compile_", "nvrtc_", "nvcc_"),
    "model/code": ("code_", "placed_"),
    # The evaluator's rooms hold modules; each module's functions begin with what it is about.
    "model/execute": ("exec_",),
    "model/execute/compute": ("compute_", "scalar_"),
    "model/execute/content": ("content_",),
    "model/execute/count": ("counts_", "counting_", "events_", "touch_"),
    "model/execute/cover": ("cover_",),
    "model/execute/plan": ("plan_",),
    "model/execute/run": ("run_", "activation_", "advance_", "branch_", "frame_", "local_", "loop_", "memory_", "stretch_", "warp_"),
    "model/execute/trace": ("trace_", "tracer_"),
    "model/execute/value": ("value_", "axes_"),
    "model/cost": ("cost_",),
    "model/explain": ("explain_",),
    "model/cost/baselines": ("baseline_",),
    "model/cost/full": ("full_",),
    "model/machine": ("machine_",),
    "model/sweep": ("sweep_", "verdict_"),
    "model/measure": ("measure_", "bundle_"),
    "model/observe": ("observe_",),
    "cli": ("command_", "cli_", "main"),
    # What every room of cli calls to say something.
    "cli/say": ("cli_",),
    "cli/report": ("report_",),
    "cli/report/html": ("html_",),
    "cli/tables": ("tables_",),
    "cli/batch": ("batch_",),
    "cli/options": ("command_line_", "option_", "options_"),
    "cli/help": ("help_",),
    "library": ("coalesce_", "library_"),
}
# A header names a link circle, all its files relative to the header's folder, and why it is one.
CIRCLE = re.compile(r"Link circle:((?:[\s*]+[\w./-]+\.[cly]\b)+)[\s*]*\(([^)]+)\)")


def source_of(root, build, path):
    """The source of an object in build, relative to root; None where there is none any more."""
    base = os.path.splitext(os.path.relpath(path, build))[0]
    for ending in (".c", ".l", ".y"):
        if os.path.isfile(os.path.join(root, base + ending)):
            return base + ending
    return None


def objects(root, build):
    """Objects of the pipeline's folders by source."""
    found = {}
    for folder in FOLDERS:
        for path in glob.glob(os.path.join(build, folder, "**", "*.o"), recursive=True):
            source = source_of(root, build, path)
            if source:
                found[source] = path
    return found


def is_built(root, files, build):
    """Whether every source has its object."""
    sources = [path for path in files if path.split("/")[0] in FOLDERS and path.endswith((".c", ".l", ".y"))]
    return bool(sources) and shutil.which("nm") is not None and set(sources) <= set(objects(root, build))


def symbols(root, build):
    """Returns the names that each source exports, and those it needs."""
    sources = {path: source for source, path in objects(root, build).items()}
    exports, needs = {source: set() for source in sources.values()}, {source: set() for source in sources.values()}
    listed = subprocess.run(["nm", "-A", *sources], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    for line in listed.stdout.splitlines():
        path, _, rest = line.partition(".o:")
        words = rest.split()
        if words[-2] == "U":
            needs[sources[path + ".o"]].add(words[-1])
        elif words[-2] in "TDRBCV" and not words[-1].startswith("__"):
            exports[sources[path + ".o"]].add(words[-1])
    return exports, needs


def prefixes_of(room):
    while room and room not in PREFIXES:
        room = os.path.dirname(room)
    return PREFIXES.get(room, ())


def find_foreign_names(root, _, build):
    """No file exports a name without a prefix of its room. What bison and flex export bears the prefix of the grammar."""
    exports, _ = symbols(root, build)
    return ["%s: exports %s; names of %s begin with %s" % (source, name, os.path.dirname(source), " ".join(prefixes_of(os.path.dirname(source))))
            for source in sorted(exports) for name in sorted(exports[source])
            if source.endswith(".c") and not name.startswith(prefixes_of(os.path.dirname(source)))]


def strong_components(edges):
    """The sets of more than one node in which every node reaches every other one (Tarjan). edges: node -> nodes."""
    index, low, stack, found = {}, {}, [], []

    def visit(start):
        walk = [(start, iter(sorted(edges.get(start, ()))))]
        index[start] = low[start] = len(index)
        stack.append(start)
        while walk:
            node, rest = walk[-1]
            for other in rest:
                if other not in index:
                    index[other] = low[other] = len(index)
                    stack.append(other)
                    walk.append((other, iter(sorted(edges.get(other, ())))))
                    break
                if other in stack:
                    low[node] = min(low[node], index[other])
            else:
                walk.pop()
                if walk:
                    low[walk[-1][0]] = min(low[walk[-1][0]], low[node])
                if low[node] == index[node]:
                    members = stack[stack.index(node):]
                    del stack[stack.index(node):]
                    found.append(frozenset(members))

    for node in sorted(edges):
        if node not in index:
            visit(node)
    return {circle for circle in found if len(circle) > 1}


def circles(root, build):
    """The sets of more than one source whose objects need each other, all of them from any of them."""
    exports, needs = symbols(root, build)
    owner = {name: source for source in exports for name in exports[source]}
    return strong_components({source: {owner[name] for name in needs[source] if name in owner} - {source} for source in needs})


def named_circles(root, files):
    """Circles that headers name: set of sources -> header."""
    named = {}
    for path in files:
        if path.endswith(".h") and path.split("/")[0] in FOLDERS:
            with open(os.path.join(root, path), encoding="utf-8") as stream:
                for found in CIRCLE.finditer(stream.read()):
                    words = [word for word in found.group(1).split() if word != "*"]
                    named[frozenset(os.path.normpath(os.path.join(os.path.dirname(path), word)) for word in words)] = path
    return named


def find_circles(root, files, build):
    """Files that need each other are named in a header, exactly as they are."""
    real, named = circles(root, build), named_circles(root, files)
    return ["%s: %d files need each other, and no header says so: %s" % (os.path.commonpath(circle), len(circle), " ".join(sorted(circle)))
            for circle in sorted(real - set(named), key=sorted)] + \
           ["%s: names a link circle that is none: %s" % (named[circle], " ".join(sorted(circle)))
            for circle in sorted(set(named) - real, key=sorted)]


def compile_tree(root):
    """Compiles the files of a small tree into its folder build. Returns False where there is no compiler."""
    compiler = next((name for name in ("cc", "gcc", "clang") if shutil.which(name)), None)
    if not compiler or not shutil.which("nm"):
        return False
    for path in sorted(glob.glob(os.path.join(root, "**", "*.c"), recursive=True)):
        target = os.path.join(root, "build", os.path.relpath(path, root))[:-1] + "o"
        os.makedirs(os.path.dirname(target), exist_ok=True)
        subprocess.run([compiler, "-w", "-c", "-o", target, path], check=True)
    return True


CIRCULAR = {"model/a.c": "void b(void);\nvoid a(void) { b(); }\n", "model/b.c": "void a(void);\nvoid b(void) { a(); }\n",
            "model/c.c": "void a(void);\nvoid c(void) { a(); }\n"}
# Each rule with trees that break it exactly once.
RULES = {
    "prefixes": (find_foreign_names, {"cli/report/a.c": "int report_a, other;\nstatic int own;\nint *report_b(void) { return &own; }\n",
                                      "base/toolkit/deep/b.c": "int toolkit_a;\n"}),
    "link_circles": (find_circles, CIRCULAR, dict(CIRCULAR, **{
        "model/b.h": "/*\n * Link circle: b.c\n * a.c (they call each other)\n */\n",
        "model/d.c": "void e(void);\nvoid d(void) { e(); }\n", "model/e.c": "void d(void);\nvoid e(void) { d(); }\n"}),
                     {"model/a.h": "/* Link circle: a.c b.c (not so) */\n", "model/a.c": "void a(void) {}\n",
                      "model/b.c": "void a(void);\nvoid b(void) { a(); }\n"}),
}
