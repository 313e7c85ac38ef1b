"""Runs programs on the CPU through tests/host_cuda, and counts the memory requests of their kernels line by line."""
import os
import re
import subprocess
import sys
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "host_cuda"))
import run as host_cuda  # noqa: E402

LOCK = threading.Lock()
FLAGS = ["-std=c++17", "-O0", "-w", "-fsanitize=thread", "-fno-strict-aliasing", "-ffp-contract=off", "-fno-exceptions",
         "-fno-asynchronous-unwind-tables"]
INCLUDE = re.compile(r"^#include .*$", re.MULTILINE)
LIMIT_SECONDS = 600


def prepared(folder):
    """The header that programs include, precompiled, and the object file of emulate.cpp: made once in the folder."""
    header, runtime = os.path.join(folder, "programs.h"), os.path.join(folder, "emulate.o")
    with LOCK:
        if not os.path.exists(runtime):
            with open(header, "w", encoding="utf-8") as file:
                file.write(f'#include <vector>\n#include "{HERE}/emulate.h"\n')
            subprocess.run(["g++", *FLAGS, "-x", "c++-header", "-o", header + ".gch", header], check=True)
            subprocess.run(["g++", "-std=c++17", "-O1", "-c", "-o", runtime, os.path.join(HERE, "emulate.cpp")], check=True)
    return header, runtime


def instrument(text):
    """Markers become calls of the emulation."""
    text = re.sub(r"/\*[@~!](\d+)\*/", r"emulate_line(\1);", text)
    text = re.sub(r"/\*<(\d+)\*/", r"{ emulate_scope emulate_here(\1);", text)
    text = re.sub(r"^int (?:main|run)\(\)", r"__attribute__((no_sanitize_thread)) \g<0>", text, flags=re.MULTILINE)
    text = text.replace("/*+*/", "emulate_step();").replace("/*>*/", "}")
    return text.replace("__noinline__", "__attribute__((noinline))")


def form_text(path, name):
    """A program as a namespace, and the headers that it includes."""
    with open(path, encoding="utf-8") as file:
        text = host_cuda.TOOLKIT_HEADER.sub(r"//\1", file.read())
    text = instrument(host_cuda.launches_rewrite(text))
    return INCLUDE.findall(text), f"namespace {name} {{\n{INCLUDE.sub('', text)}\n}}\n"


def compile_forms(paths, executable, folder):
    """Compiles programs into one executable, that runs them in turn. Returns what the compiler says, empty when it succeeded."""
    headers, texts = set(), []
    for number, path in enumerate(paths):
        more, text = form_text(path, f"form{number}")
        headers.update(more)
        texts.append(text)
    mains = "".join(f"form{number}::main, " for number in range(len(paths)))
    with open(executable + ".cpp", "w", encoding="utf-8") as file:
        file.write("\n".join([*sorted(headers), *texts]))
        file.write(f"int main(int, char **words)\n{{\n\tint (*const mains[])() = {{{mains}}};\n\n"
                   f"\treturn emulate_programs(words[1], mains, {len(paths)});\n}}\n")
    header, runtime = prepared(folder)
    for command in (["g++", *FLAGS, "-include", header, "-c", "-o", executable + ".o", executable + ".cpp"],
                    ["g++", "-o", executable, executable + ".o", runtime]):
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        if result.returncode:
            return result.stderr or "the compiler fails"
    return ""


def read(path):
    if not os.path.exists(path):
        return ""
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def run_forms(executable, count):
    """Runs the programs of an executable. Returns of each its exit status, output, and {(line, kind): (requests, sectors, width)}."""
    folder, forms = executable + ".results", []
    os.makedirs(folder, exist_ok=True)
    subprocess.run([executable, folder], check=False, timeout=LIMIT_SECONDS)
    for number in range(count):
        place, found = os.path.join(folder, str(number)), {}
        for line in read(place + ".counts").splitlines():
            at, kind, requests, sectors, width = line.split()
            found[int(at), kind] = (int(requests), int(sectors), int(width))
        forms.append((int(read(place + ".status") or -1), read(place + ".out"), found))
    return forms
