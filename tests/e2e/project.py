#!/usr/bin/env python3
"""coalesce.json is found upward from the file, the command line comes first, and what is wrong in it has a place. A baseline
accepts findings, and a gate says how to accept one.

needs: nvcc
"""
import json
import os
import subprocess
import sys
import tempfile

PROGRAM, ROOT = os.environ["COALESCE"], os.environ["ROOT"]
sys.path.insert(0, os.path.join(ROOT, "tests"))
sys.dont_write_bytecode = True
import json_schema  # noqa: E402

SOURCE = """#include "size.h"
struct record { float a, b, c, d, e, f, g, h; };
__global__ void sum(const struct record *records, float *sums)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	sums[i] += records[i].a;
}
int main()
{
	struct record *records;
	float *sums;
	cudaMalloc(&records, sizeof(struct record) * BLOCKS * WIDE);
	cudaMalloc(&sums, sizeof(float) * BLOCKS * WIDE);
	sum<<<BLOCKS, WIDE>>>(records, sums);
}
"""
errors = []


def check(condition, *what):
    if not condition:
        errors.append(" ".join(str(part) for part in what))


class Project:
    def __init__(self, folder):
        self.folder = folder
        self.write("include/size.h", "#define WIDE 256\n")
        self.write("src/deep/slow.cu", SOURCE)
        self.write("third/party/slow.cu", SOURCE)

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(text if isinstance(text, str) else json.dumps(text, indent=1))

    def run(self, *words, status=0):
        done = subprocess.run([PROGRAM] + list(words), cwd=self.folder, capture_output=True, text=True, check=False)
        check(done.returncode == status, words, "ended with", done.returncode, "not", status, done.stderr)
        return done


SETTINGS = {"machine": "h100", "layouts": ["aos", "soa"], "include": ["include"], "define": ["BLOCKS=1024"], "flags": ["-std=c++17"]}


def options(project):
    project.write("coalesce.json", SETTINGS)
    found = json.loads(project.run("predict", "src/deep/slow.cu", "--json", "-q", "--model", "sectors").stdout)
    check("H100" in found["machine"], "the machine is", found["machine"])
    check(found["kernels"][0]["grid"][0] == 1024, "the grid is", found["kernels"][0]["grid"])
    check(sorted(row["layout"] for row in found["kernels"][0]["layouts"]) == ["aos", "soa"], "layouts")
    found = json.loads(project.run("predict", "src/deep/slow.cu", "--json", "-q", "--model", "sectors", "--machine", "h200", "-DBLOCKS=2048").stdout)
    check("H200" in found["machine"] and found["kernels"][0]["grid"][0] == 2048, "the command line comes first", found["machine"])
    project.run("predict", "src/deep/slow.cu", "-q", "--no-project", status=1)
    screen = project.run("predict", "src/deep/slow.cu", "-q", "--model", "sectors").stdout
    check("coalesce rewrite src/deep/slow.cu --struct" in " ".join(screen.split()), "a command repeats the project's options:", screen)


def mistakes(project):
    for settings, message in (
            ({"machnie": "h100"}, "coalesce.json:2:2: error: unknown key 'machnie'; did you mean 'machine'?"),
            ({"machine": 3}, 'coalesce.json:2:2: error: "machine" takes a text'),
            ({"layouts": "soa"}, 'coalesce.json:2:2: error: "layouts" takes a list of texts'),
            ({"gate": -1}, 'coalesce.json:2:2: error: "gate" takes'),
            ({"exclude": [""]}, 'coalesce.json:2:2: error: "exclude" takes'),
            ({"define": ["A`touch mark`"]}, "error: -D takes"),
            ({"flags": ["-Xptxas", "-v;touch mark"]}, "error: -Xptxas takes"),
            ({"flags": ["@more"]}, "'@more' is no flag of nvcc's"),
            ({"flags": ["--gate"]}, "'--gate' is no flag of nvcc's"),
            ([], "coalesce.json:1:1: error: it takes an object"),
            ("{", "coalesce.json:1:1: error: ")):
        project.write("coalesce.json", settings)
        done = project.run("predict", "src/deep/slow.cu", status=1)
        check(message in done.stderr, settings, "gives", done.stderr)
    check(not os.path.exists(os.path.join(project.folder, "mark")), "a shell ran something")


def acceptance(project):
    settings = dict(SETTINGS, gate=5, baseline="accepted.json", exclude=["third/*"])
    judge = ("predict", "src/deep/slow.cu", "-q", "--model", "sectors")
    project.write("coalesce.json", settings)
    check("--write-baseline writes it" in project.run(*judge, status=1).stderr, "a baseline that is missing")
    project.run(*judge, "--write-baseline")
    with open(os.path.join(project.folder, "accepted.json"), encoding="utf-8") as stream:
        findings = json.load(stream)["findings"]
    check([(one["file"], one["record"], one["written"]) for one in findings] == [("src/deep/slow.cu", "record", "aos")], findings)
    project.run(*judge)
    check(": note: record record" in project.run(*judge, "--format", "gcc").stdout, "an accepted finding is no warning")
    project.run(*judge, "--sarif", "out.sarif")
    with open(os.path.join(project.folder, "out.sarif"), encoding="utf-8") as stream:
        results = json.load(stream)["runs"][0]["results"]
    check([one["suppressions"][0]["kind"] for one in results if "suppressions" in one] == ["external"], "suppressions of SARIF")
    project.write("accepted.json", {"schema": "coalesce/baseline/1", "findings": []})
    said = project.run(*judge, status=4).stderr
    check("to accept this, write `// coalesce: keep` above struct record, or run it once more with --write-baseline" in said, said)
    said = project.run("predict", "third/party/slow.cu", "--gate", "5").stderr
    check("is not judged" in said, "an excluded file:", said)
    said = project.run("predict", "third/party/slow.cu", "src/deep/slow.cu", "--gate", "5", "-q", "--model", "sectors", status=4).stderr
    check("is not judged" in said and "the gate failed" in said, "two files:", said)
    project.write("accepted.json", {"schema": "coalesce/baseline/1", "findings": [{"file": 3}]})
    check('"findings" takes' in project.run(*judge, status=1).stderr, "a baseline that is none")
    project.run(*judge, "--no-project", "-Iinclude", "-DBLOCKS=1024", "--write-baseline", status=2)


def schema():
    """The schema takes what the program takes, and no more."""
    with open(os.path.join(ROOT, "schemas/project.schema.json"), encoding="utf-8") as stream:
        wanted = json.load(stream)
    with open(os.path.join(ROOT, "cli/options/project.c"), encoding="utf-8") as stream:
        source = stream.read()
    for key in wanted["properties"]:
        check('{"%s", ' % key in source, "cli/options/project.c does not know", key)
    check(source.count("_take},") == len(wanted["properties"]), "keys of cli/options/project.c and of the schema")
    check(not list(json_schema.validate(wanted, dict(SETTINGS, gate=5, exclude=["a/*"]))), "the schema refuses good settings")
    check(list(json_schema.validate(wanted, {"machnie": "h100"})), "the schema takes an unknown key")


with tempfile.TemporaryDirectory() as root:
    project = Project(os.path.realpath(root))
    options(project)
    mistakes(project)
    acceptance(project)
    schema()
print("\n".join(errors))
sys.exit(1 if errors else 0)
