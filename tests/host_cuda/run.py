#!/usr/bin/env python3
"""Runs plain CUDA programs on the CPU.

    tests/host_cuda/run.py FILE.cu [-DNAME=VALUE...]

Compiles the program with g++ and the stand-ins of host_cuda.h, under the address sanitizer, and runs it. Launches become loops over
all threads, one after another; where there are barriers or warp operations, the threads of a block take turns (barriers.h; without the
address sanitizer, which does not follow them). Prints what the program prints; exits as it exits.
"""
import atexit
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading

TOOLKIT_HEADER = re.compile(r"^([ \t]*#[ \t]*include[ \t]*[<\"](?:cuda|cuda_runtime|cuda_runtime_api|device_launch_parameters)\.h[>\"])", re.MULTILINE)
BARRIERS = re.compile(r"\b__sync(?:threads|warp)\b|\b__shared__\b|\b__(?:shfl|ballot)\w*_sync\b")
DYNAMIC_SHARED = re.compile(r"\bextern\s+__shared__\s+([\w ]+?)\s+(\w+)\s*\[\s*\]")
HERE = os.path.dirname(os.path.abspath(__file__))
LOCK, PRECOMPILED = threading.Lock(), {}


def closing(text, at, opening, close):
    """Index after the bracket that closes the one at `at`."""
    depth = 0
    while True:
        if text.startswith(opening, at):
            depth += 1
        elif text.startswith(close, at):
            depth -= 1
            if depth == 0:
                return at + len(close)
        at += 1


def launches_rewrite(text):
    """k<T><<<g, b>>>(a) -> host_cuda_launch(g, b, [&] { k<T>(a); }); the brackets may stand apart"""
    text = re.sub(r">>\s+>(?=\s*\()", ">>>", re.sub(r"<<\s+<", "<<<", text))
    while True:
        launch = text.find("<<<")
        if launch < 0:
            return text
        name = re.search(r"[\w:]+\s*(<[^<>()]*>)?\s*$", text[:launch]).start()
        configuration = text.index(">>>", launch)
        arguments = text.index("(", configuration)
        end = closing(text, arguments, "(", ")")
        dimensions = text[launch + 3:configuration]
        parts, depth, start = [], 0, 0
        for i, c in enumerate(dimensions + ","):
            depth += c in "([{"
            depth -= c in ")]}"
            if c == "," and depth == 0:
                parts.append((dimensions + ",")[start:i])
                start = i + 1
        call = f"host_cuda_launch({parts[0]}, {parts[1]}, [&] {{ {text[name:launch]}{text[arguments:end]}; }})"
        text = text[:name] + call + text[end:]


def barrier_flags(text):
    """Flags for a program with this text: what runs its threads, and the sanitizers that follow them."""
    if BARRIERS.search(text):
        return ["-DHOST_CUDA_BARRIERS", "-fsanitize=undefined"]
    return ["-fsanitize=address,undefined"]


def shared_rewrite(text):
    """Dynamic shared memory gets a size."""
    return DYNAMIC_SHARED.sub(r"static \1 \2[16384]", text)


def precompiled(options, header=os.path.join(HERE, "host_cuda.h")):
    """The path for -include of a header precompiled with these options: most of the time of compiling a program."""
    with LOCK:
        key = (header, *options)
        if key not in PRECOMPILED:
            folder = tempfile.mkdtemp()
            atexit.register(shutil.rmtree, folder, True)
            path = os.path.join(folder, os.path.basename(header))
            with open(path, "w", encoding="utf-8") as file:
                file.write(f'#include "{header}"\n')
            subprocess.run(["g++", *options, "-x", "c++-header", "-o", path + ".gch", path], capture_output=True, check=False)
            PRECOMPILED[key] = path
        return PRECOMPILED[key]


def compile_program(path, executable, flags=()):
    """Returns what the compiler says, empty when it succeeded."""
    with open(path, encoding="utf-8-sig") as file:
        text = launches_rewrite(shared_rewrite(TOOLKIT_HEADER.sub(r"//\1", file.read())))
    source = executable + ".cpp"
    with open(source, "w", encoding="utf-8-sig") as file:
        file.write(f'#line 1 "{path}"\n' + text)
    options = ["-std=c++17", "-O0", "-w", *barrier_flags(text), "-fno-sanitize-recover=all", "-fno-strict-aliasing", "-ffp-contract=off"]
    command = ["g++", *options, "-include", precompiled(options), "-I", os.path.dirname(path) or ".",
               *flags, "-o", executable, source]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    return result.stderr if result.returncode else ""


def run_program(executable):
    """Returns exit status and everything printed."""
    result = subprocess.run([executable], capture_output=True, text=True, check=False, timeout=300)
    return result.returncode, result.stdout + result.stderr


def main():
    with tempfile.TemporaryDirectory() as folder:
        executable = os.path.join(folder, "program")
        errors = compile_program(sys.argv[1], executable, sys.argv[2:])
        if errors:
            sys.exit(errors)
        status, output = run_program(executable)
        sys.stdout.write(output)
        return status


if __name__ == "__main__":
    sys.exit(main())
