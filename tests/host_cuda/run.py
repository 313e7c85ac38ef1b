#!/usr/bin/env python3
"""Runs plain CUDA programs on the CPU.

    tests/host_cuda/run.py FILE.cu [-DNAME=VALUE...]

Compiles the program with g++ and the stand-ins of host_cuda.h, under the address sanitizer, and runs it. Launches become loops over
all threads, one after another. Prints what the program prints; exits as it exits.
"""
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))


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
    """k<T><<<g, b>>>(a) -> host_cuda_launch(g, b, [&] { k<T>(a); })"""
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


def compile_program(path, executable, flags=()):
    """Returns what the compiler says, empty when it succeeded."""
    with open(path, encoding="utf-8") as file:
        text = launches_rewrite(file.read())
    source = executable + ".cpp"
    with open(source, "w", encoding="utf-8") as file:
        file.write(f'#line 1 "{path}"\n' + text)
    command = ["g++", "-std=c++17", "-O0", "-w", "-fsanitize=address,undefined", "-fno-sanitize-recover=all",
               "-fno-strict-aliasing", "-ffp-contract=off", "-include", os.path.join(HERE, "host_cuda.h"), "-I", os.path.dirname(path) or ".",
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
