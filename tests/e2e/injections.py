#!/usr/bin/env python3
"""Nothing of a project, of a command line or of the environment is run by a shell, and none of it reaches nvcc in a form that a shell could read.

needs: nvcc

A stand-in for nvcc takes its words apart as nvcc does: it hands each to a shell, between double quotes and without, and gives up. So whatever a shell could
run is run, and leaves a file. It writes its words and TMPDIR down: each must be plain. Then, with the real nvcc and the real NVRTC, macros and folders that look
dangerous and are legitimate must still work.
"""
import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile

ROOT, PROGRAM = os.environ["ROOT"], os.environ["COALESCE"]
PLAIN = set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+:=@%-, ")
STAND_IN = """#!/bin/sh
printf '%%s\\n' "TMPDIR=$TMPDIR" "$@" >>"%(log)s"
for word in "TMPDIR=$TMPDIR" "$@"; do sh -c "true $word" >/dev/null 2>&1; sh -c "true \\"$word\\"" >/dev/null 2>&1; done
echo 'a.cu(1): error: this is a stand-in' >&2; exit 1
"""
SOURCE = """struct rec { float x, y, z; };
__global__ void move(rec *r, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) r[i].x += r[i].y; }
int main() { int n = 1 << 16; rec *r; cudaMalloc(&r, n * sizeof(rec)); move<<<n / 256, 256>>>(r, n); return cudaDeviceSynchronize(); }
"""
LEGITIMATE = """#include <rate.h>
struct rec { float x, y, z; };
__device__ const char name[] = NAME;
__global__ void move(rec *r, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) r[i].x += F(r[i].y) * RATE + (name[1] == 'x'); }
int main() { int n = 1 << 16; rec *r; cudaMalloc(&r, n * sizeof(rec)); move<<<n / 256, 256>>>(r, n); return cudaDeviceSynchronize(); }
"""
errors = []
tried = 0


class Project:
    """A folder with a source, a stand-in toolkit, and the file that nobody may make."""

    def __init__(self, folder):
        self.folder, self.mark, self.log = folder, os.path.join(folder, "mark"), os.path.join(folder, "log")
        self.source = self.write("a.cu", SOURCE)
        self.toolkit = os.path.join(folder, "toolkit")
        real = subprocess.run([os.path.join(ROOT, "tools", "setup"), "--nvcc"], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
        self.real = os.path.dirname(os.path.dirname(os.path.realpath(real)))
        os.makedirs(os.path.join(self.toolkit, "bin"))
        for name in os.listdir(self.real):
            if name != "bin":
                os.symlink(os.path.join(self.real, name), os.path.join(self.toolkit, name))
        for name in os.listdir(os.path.join(self.real, "bin")):
            if name != "nvcc":
                os.symlink(os.path.join(self.real, "bin", name), os.path.join(self.toolkit, "bin", name))
        os.chmod(self.write("toolkit/bin/nvcc", STAND_IN % {"log": self.log}), stat.S_IRWXU)

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def run(self, words, **environment):
        settings = dict(os.environ, COALESCE_CUDA=self.toolkit, XDG_CACHE_HOME=os.path.join(self.folder, "cache"))
        settings.update(environment)
        return subprocess.run([PROGRAM] + words, cwd=self.folder, env=settings, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, check=False)

    def attack(self, what, words, place=None, **environment):
        """Runs the words: nothing is run by a shell, and what reaches nvcc is plain."""
        global tried
        tried += 1
        for path in (self.mark, self.log):
            if os.path.exists(path):
                os.remove(path)
        done = self.run(words, **environment)
        if done.returncode not in (0, 1, 2, 3):
            errors.append("%s: exit status %d\n%s" % (what, done.returncode, done.stderr))
        if os.path.exists(self.mark):
            errors.append("%s: a shell ran it" % what)
        if place and place not in done.stderr:
            errors.append("%s: no place %r in\n%s" % (what, place, done.stderr))
        if os.path.exists(self.log):
            with open(self.log, encoding="utf-8") as file:
                odd = [line for line in file.read().splitlines() if set(line) - PLAIN]
            if odd:
                errors.append("%s: nvcc is told %r" % (what, odd))


def payloads(project):
    touch = "touch " + project.mark
    return {"back quotes": "`%s`" % touch, "dollar": "$(%s)" % touch, "semicolon": ";%s;" % touch, "quote": "\";%s;\"" % touch,
            "pipe": "|%s" % touch, "line": "\n%s\n" % touch, "and": "&&%s&&" % touch}


def flag_attacks(project):
    """Through the command line."""
    predict = ["predict", "a.cu", "-q", "--compiler", "nvcc"]
    for name, text in payloads(project).items():
        project.attack("-D value, " + name, predict + ["-DA=" + text])
        project.attack("-Xptxas, " + name, predict + ["-Xptxas", "-v" + text], "-Xptxas takes")
    for name in ("back quotes", "dollar"):
        text = payloads(project)[name]
        project.attack("-D name, " + name, predict + ["-DA" + text], "-D takes")
        project.attack("-U, " + name, predict + ["-UA" + text], "-U takes")
        project.attack("-std, " + name, predict + ["-std=c++17" + text], "-std takes")
        project.attack("-maxrregcount, " + name, predict + ["-maxrregcount=32" + text], "-maxrregcount takes")
        project.attack("--fmad, " + name, predict + ["--fmad", "true" + text], "--fmad takes")
        project.attack("-arch, " + name, predict + ["-arch=sm_90" + text])
        project.attack("-Xcompiler, " + name, predict + ["-Xcompiler", text])
        project.attack("rewrite, " + name, ["rewrite", "a.cu", "--layout", "soa", "-o", "b.cu", "-DA=" + text])
        project.attack("bundle, " + name, ["bundle", "a.cu", "-o", "bundle", "-DA=" + text])
        project.attack("kernel, " + name, predict + ["--kernel", "move" + text])


def folder_attacks(project):
    """Through names of folders and files. A name has no slash: so the command in it starts from the folder that it is run in."""
    os.makedirs(os.path.join(project.folder, "bin"), exist_ok=True)
    os.chmod(project.write("bin/leave_mark", "#!/bin/sh\ntouch %s\n" % project.mark), stat.S_IRWXU)
    path = {"PATH": os.path.join(project.folder, "bin") + ":" + os.environ["PATH"]}
    predict = ["predict", "-q", "--compiler", "nvcc"]
    for number, text in enumerate(("`leave_mark`", "$(leave_mark)", ";leave_mark;", "\";leave_mark;\"", "a\nleave_mark\n")):
        folder = "d%d%s" % (number, text)
        project.write(os.path.join(folder, "a.cu"), SOURCE)
        project.write(os.path.join(folder, "h.h"), "\n")
        project.attack("-I %r" % text, predict + ["a.cu", "-I" + folder], **path)
        project.attack("-isystem %r" % text, predict + ["a.cu", "-isystem", folder], **path)
        project.attack("-include %r" % text, predict + ["a.cu", "-include", folder + "/h.h"], **path)
        project.attack("source folder %r" % text, predict + [folder + "/a.cu"], **path)
        project.attack("source name %r" % text, predict + [shutil.copy(project.source, os.path.join(project.folder, "s%s.cu" % text))], **path)
        project.attack("TMPDIR %r" % text, predict + ["a.cu"], TMPDIR=os.path.join(project.folder, folder), **path)


def project_attacks(project):
    """Through compile_commands.json and the files of arguments that it names."""
    predict = ["predict", "a.cu", "-q", "--compiler", "nvcc", "-p", "."]
    for name, text in payloads(project).items():
        if name == "line":
            continue
        for flag, place in (("-Xptxas=-v", "compile_commands.json:4:"), ("-DA=", None), ("-UA", "compile_commands.json:4:"), ("-I", None)):
            command = [{"directory": project.folder, "file": "a.cu", "arguments": ["nvcc", "-c", flag + text, "a.cu"]}]
            project.write("compile_commands.json", json.dumps(command, indent=1).replace('"nvcc",\n   "-c",\n   ', '"nvcc", "-c", ').replace('"arguments": [\n   ', '"arguments": ['))
            project.attack("compile_commands.json, %s, %s" % (flag, name), predict, None)
    text = payloads(project)["semicolon"]
    project.write("compile_commands.json", '[\n{"directory": "%s", "file": "a.cu",\n "command": "nvcc -O3 -Xptxas \\"-v%s\\" -c a.cu"}]\n' % (project.folder, text))
    project.attack("compile_commands.json, command", predict, "compile_commands.json:3:23: error: -Xptxas takes")
    project.write("compile_commands.json", '[{"directory": "%s", "file": "a.cu", "command": "nvcc --options-file more.rsp -c a.cu"}]' % project.folder)
    project.write("more.rsp", "-DB=1\n -UA`touch %s`\n" % project.mark)
    project.attack("a file of arguments", predict, "more.rsp:2:2: error: -U takes")
    os.remove(os.path.join(project.folder, "compile_commands.json"))
    for name, text in payloads(project).items():
        for settings in ({"define": ["A=" + text]}, {"define": ["A" + text]}, {"include": [text]}, {"flags": ["-Xptxas", "-v" + text]},
                         {"flags": [text]}, {"machine": text}, {"build": text}, {"baseline": text}, {"exclude": [text]}):
            project.write("coalesce.json", json.dumps(settings))
            project.attack("coalesce.json, %s, %s" % (list(settings)[0], name), ["predict", "a.cu", "-q", "--compiler", "nvcc"])
    os.remove(os.path.join(project.folder, "coalesce.json"))


def legitimate(project):
    """What looks dangerous and is not: quotes and blanks in macros, macros with parameters, blanks, quotes and signs in folders."""
    folder = os.path.join(project.folder, "it's $HOME (x86), \"new\"")
    project.write(os.path.join(folder, "rate.h"), "#define RATE 2.0f\n")
    project.write("good.cu", LEGITIMATE)
    flags = ['-DNAME="x $(y) `z` \\" \\\\ , w"', "-DF(x)=((x)+1)", "-I" + folder, "-Xptxas", "-v,-O3"]
    real = {"COALESCE_CUDA": project.real}
    for words in (["predict", "good.cu", "-q", "--json", "--compiler", "nvrtc"], ["predict", "good.cu", "-q", "--json", "--compiler", "nvcc"],
                  ["rewrite", "good.cu", "--layout", "soa", "-o", "good_soa.cu"], ["bundle", "good.cu", "-o", "good_bundle"]):
        done = project.run(words + flags, **real)
        if done.returncode != 0:
            errors.append("%s with legitimate flags: exit status %d\n%s" % (" ".join(words), done.returncode, done.stderr))
        if words[0] == "predict" and done.returncode == 0 and not json.loads(done.stdout)["kernels"]:
            errors.append("%s with legitimate flags: no kernel" % " ".join(words))
    makefile = os.path.join(project.folder, "good_bundle", "Makefile")
    if os.path.exists(makefile):
        with open(makefile, encoding="utf-8") as file:
            line = [line for line in file if line.startswith("NVCCFLAGS")][0]
        if set(line) & set("`$\";\\("):
            errors.append("the bundle's flags are not plain: " + line)


def main():
    with tempfile.TemporaryDirectory() as folder:
        project = Project(os.path.realpath(folder))
        flag_attacks(project)
        folder_attacks(project)
        project_attacks(project)
        legitimate(project)
    print("%d injections" % tried)
    for error in errors:
        print(error, file=sys.stderr)
    return 1 if errors else 0


sys.exit(main())
