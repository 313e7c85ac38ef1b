#!/usr/bin/env python3
"""Small programs as a new user would write them are rewritten and compiled in every layout, or refused with the reason: headers, namespaces, classes, wrappers,
managed memory, overloads, templates.

needs: nvcc, tier: slow

Inputs: those of tests/golden/programs that PROGRAMS names; what is refused, and why, stands in REFUSED.
"""
import concurrent.futures
import os
import subprocess
import sys
import tempfile

ROOT = os.environ["ROOT"]
COALESCE = os.environ["COALESCE"]
LAYOUTS = ("aosa", "soa", "asta")
PROGRAMS = ("cls2", "coal", "e1", "k1", "k2", "k3", "k4", "k5", "nest", "odr", "ovl", "plain", "ptr", "r14", "r23", "r25", "r34", "sim", "sim2", "sim3",
            "sop", "stencil", "um", "v", "wrap")
NO_RECORDS, KEPT = "no records to lay out", "keeps its layout"
REFUSED = {"r14": (LAYOUTS, NO_RECORDS), "coal": (LAYOUTS, KEPT), "cls2": (("soa", "asta"), KEPT)}


def rewrite(name, layout, folder):
    """What is wrong, or nothing."""
    path, out = os.path.join("tests", "golden", "programs", name + ".cu"), os.path.join(folder, "%s_%s" % (name, layout), "out.cu")
    os.mkdir(os.path.dirname(out))
    ran = subprocess.run([COALESCE, "rewrite", path, "--layout", layout, "-o", out], capture_output=True, text=True, check=False, cwd=ROOT)
    layouts, reason = REFUSED.get(name, ((), ""))
    if layout in layouts:
        good = ran.returncode == 1 and reason in ran.stderr and not os.listdir(os.path.dirname(out))
    else:
        good = ran.returncode == 0 and os.path.exists(out)
    return "" if good else "%s as %s: exit %d: %s" % (name, layout, ran.returncode, ran.stderr)


def main():
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = [pool.submit(rewrite, name, layout, folder) for name in PROGRAMS for layout in LAYOUTS]
        errors = [job.result() for job in jobs if job.result()]
    print("\n".join(errors) if errors else "%d programs rewritten or refused" % len(PROGRAMS))
    return 1 if errors else 0


sys.exit(main())
