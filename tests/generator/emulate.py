"""Runs a program on the CPU through tests/host_cuda, and counts the memory requests of its kernels line by line."""
import os
import re
import subprocess
import sys
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "host_cuda"))
import run as host_cuda  # noqa: E402

LOCK = threading.Lock()
FLAGS = ["-std=c++17", "-O0", "-w", "-fsanitize=thread", "-fno-strict-aliasing", "-ffp-contract=off"]


def runtime(folder):
    """The object file of emulate.cpp, compiled once into the folder."""
    path = os.path.join(folder, "emulate.o")
    with LOCK:
        if not os.path.exists(path):
            subprocess.run(["g++", "-std=c++17", "-O1", "-c", "-o", path, os.path.join(HERE, "emulate.cpp")], check=True)
    return path


def instrument(text):
    """Markers become calls of the emulation."""
    text = re.sub(r"/\*[@~!](\d+)\*/", r"EMULATE_LINE(\1);", text)
    text = re.sub(r"/\*<(\d+)\*/", r"{ emulate_scope emulate_here(\1);", text)
    text = text.replace("/*+*/", "emulate_here.step();").replace("/*>*/", "}")
    text = text.replace("__noinline__", "__attribute__((noinline))")
    return text.replace("host_cuda_launch(", "emulate_launch(), host_cuda_launch(")


def form_text(path, name):
    """A program as a namespace, and the headers that it includes."""
    with open(path, encoding="utf-8") as file:
        text = host_cuda.shared_rewrite(host_cuda.TOOLKIT_HEADER.sub(r"//\1", file.read()))
    text = instrument(host_cuda.launches_rewrite(text))
    headers = re.findall(r"^#include .*$", text, re.MULTILINE)
    return headers, f"namespace {name} {{\n{re.sub('^#include .*$', '', text, flags=re.MULTILINE)}\n}}\n"


def compile_forms(paths, executable, folder):
    """Compiles programs into one executable whose first argument says which to run. Returns what the compiler says, empty when it succeeded."""
    headers, texts = set(), []
    for number, path in enumerate(paths):
        more, text = form_text(path, f"form{number}")
        headers.update(more)
        texts.append(text)
    cases = "".join(f"\tcase {number}:\n\t\treturn form{number}::main();\n" for number in range(len(paths)))
    with open(executable + ".cpp", "w", encoding="utf-8") as file:
        file.write("\n".join([*sorted(headers), f'#include "{HERE}/emulate.h"', *texts]))
        file.write(f"int main(int, char **words)\n{{\n\tswitch (atoi(words[1])) {{\n{cases}\t}}\n\treturn 2;\n}}\n")
    options = [*FLAGS, *(["-DHOST_CUDA_BARRIERS"] if any(host_cuda.BARRIERS.search(text) for text in texts) else [])]
    header = os.path.join(host_cuda.precompiled(options), "host_cuda.h")
    objects = runtime(folder)
    result = subprocess.run(["g++", *options, "-include", header, "-c", "-o", executable + ".o", executable + ".cpp"], capture_output=True,
                            text=True, check=False)
    if result.returncode == 0:
        result = subprocess.run(["g++", "-o", executable, executable + ".o", objects], capture_output=True, text=True, check=False)
    return result.stderr if result.returncode else ""


def run_form(executable, number):
    """Runs a program of an executable. Returns exit status, output, and {(line, kind): (requests, sectors, width)}."""
    counts = f"{executable}.{number}.counts"
    try:
        ran = subprocess.run([executable, str(number)], capture_output=True, text=True, check=False, timeout=60, errors="replace",
                             env=dict(os.environ, EMULATE_OUT=counts))
    except subprocess.TimeoutExpired:
        return -1, "no end in 60 s", {}
    found = {}
    if os.path.exists(counts):
        with open(counts, encoding="utf-8") as file:
            for line in file:
                place, kind, requests, sectors, width = line.split()
                found[int(place), kind] = (int(requests), int(sectors), int(width))
    return ran.returncode, ran.stdout + ran.stderr, found
