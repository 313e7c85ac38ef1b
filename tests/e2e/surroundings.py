#!/usr/bin/env python3
"""Poor surroundings end in words and an exit status of the contract, never in a signal; and the program is hardened.

needs: nvcc
"""
import os
import subprocess
import sys
import tempfile

ROOT, PROGRAM = os.environ["ROOT"], os.environ["COALESCE"]
IDW = os.path.join(ROOT, "benchmarks", "idw.cu")
COMMANDS = (["doctor"], ["doctor", "--json"], ["predict", IDW, "-q"], ["machines"], ["rewrite", IDW, "--layout", "soa", "-o", "-"])
# name, words in front of the program's, changed environment
SURROUNDINGS = (
    ("stack of 64 KiB", ["sh", "-c", 'ulimit -s 64; exec "$@"', "sh"], {}),
    ("empty PATH", [], {"PATH": ""}),
    ("no PATH", [], {"PATH": None}),
    ("no /proc", ["unshare", "-rm", "sh", "-c", 'mount -t tmpfs none /proc && exec "$@"', "sh"], {}),
    ("no home", [], {"HOME": None, "XDG_CACHE_HOME": None}),
    ("no temporary folder", [], {"TMPDIR": "/no/such/folder"}),
    ("files of 4 KiB", ["sh", "-c", 'ulimit -f 8; exec "$@"', "sh"], {}),
    ("memory of 512 MiB", ["sh", "-c", 'ulimit -v 524288; exec "$@"', "sh"], {}),
    ("no descriptors to spare", ["sh", "-c", 'ulimit -n 8; exec "$@"', "sh"], {}),
)
errors = []


def run(words, changes, folder):
    environment = dict(os.environ, XDG_CACHE_HOME=os.path.join(folder, "cache"))
    for name, value in changes.items():
        environment.pop(name, None)
        if value is not None:
            environment[name] = value
    return subprocess.run(words, env=environment, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, errors="replace", check=False)


def available(front, folder):
    return not front or run(front + ["/bin/true"], {}, folder).returncode == 0


def poor(folder):
    for name, front, changes in SURROUNDINGS:
        if not available(front, folder):
            print("%s: cannot be made here" % name)
            continue
        for command in COMMANDS:
            done = run(front + [PROGRAM] + command, changes, folder)
            if done.returncode not in (0, 1, 3) or (done.returncode == 1 and not done.stderr):
                errors.append("%s, %s: exit status %d\n%s" % (name, command[0], done.returncode, done.stderr[-1500:]))


def limited_files(folder):
    """A report that a limit cuts short is an error in words, and nothing of it is there."""
    done = run(["sh", "-c", 'ulimit -f 8; exec "$@"', "sh", PROGRAM, "predict", IDW, "-q", "--html", "page.html"], {}, folder)
    if done.returncode != 1 or "File too large" not in done.stderr or [name for name in os.listdir(folder) if name.startswith("page")]:
        errors.append("a page above `ulimit -f`: exit status %d, %s\n%s" % (done.returncode, os.listdir(folder), done.stderr))


def hardened():
    if "__asan_init" in subprocess.run(["nm", PROGRAM], stdout=subprocess.PIPE, text=True, check=True).stdout:
        return
    facts = subprocess.run(["readelf", "-W", "-h", "-l", "-d", "-s", PROGRAM], stdout=subprocess.PIPE, text=True, check=True).stdout
    stack = [line for line in facts.splitlines() if "GNU_STACK" in line]
    for what, holds in (("position independent", "DYN (" in facts), ("full RELRO", "GNU_RELRO" in facts and "BIND_NOW" in facts),
                        ("a stack that is not executable", stack and "RWE" not in stack[0]), ("stack protector", "__stack_chk_fail" in facts),
                        ("_FORTIFY_SOURCE", "_chk@" in facts)):
        if not holds:
            errors.append("the program lacks: " + what)


def main():
    with tempfile.TemporaryDirectory() as folder:
        poor(folder)
        limited_files(folder)
    hardened()
    for error in errors:
        print(error, file=sys.stderr)
    return 1 if errors else 0


sys.exit(main())
