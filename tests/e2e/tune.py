#!/usr/bin/env python3
"""coalesce tune: the same result at any number of jobs, safe and unsafe changes, and bundles of configurations.

needs: nvcc
"""
import json
import os
import subprocess
import sys
import tempfile

PROGRAM, ROOT = os.environ["COALESCE"], os.environ["ROOT"]
FREE, MACROS = "tests/golden/tune/free_block.cu", "tests/golden/tune/macros.cu"
SPACE = ["tests/golden/tune/tuner_space.cu", "--space", "tests/inputs/tune/space.json", "--model", "sectors"]
errors = []

# Kernels whose block must stay: a line of code, with what it must not be taken for. Each is beside one that may change.
BOUND = {
    "block_sums": "__shared__ float s[256]; s[threadIdx.x] = p[i]; __syncthreads(); if (threadIdx.x == 0) out[blockIdx.x] = s[0];",
    "per_block": "if (threadIdx.x == 0) out[blockIdx.x] = p[i];",
    "lane": "out[i] = p[i] * (threadIdx.x & 31);",
    "shuffle": "out[i] = p[i] + __shfl_down_sync(~0u, p[i], 1);",
    "size": "out[i] = p[i] * blockDim.x;",
    "grid": "out[i] = p[i] * gridDim.x;",
}
FREE_LINES = {"plain": "out[i] = p[i] * 2;", "neighbour": "out[i] = p[i] + p[n - 1 - i];"}
PROGRAM_TEXT = """
__global__ void k(const float *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) { %s }
}
int main()
{
	float *p, *out;
	int n = 1 << 16;
	cudaMalloc(&p, n * sizeof *p);
	cudaMalloc(&out, n * sizeof *out);
	k<<<n / 256, 256>>>(p, out, n);
}
"""


def run(*arguments, status=0):
    done = subprocess.run([PROGRAM] + list(arguments), cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode != status:
        errors.append("%s: exit status %d\n%s" % (" ".join(arguments), done.returncode, done.stderr))
    return done.stdout


def check(holds, what):
    if not holds:
        errors.append(what)


def check_jobs():
    for arguments in ([FREE, "--budget", "20"], SPACE):
        outputs = {run("tune", *arguments, "--json", "--jobs", jobs) for jobs in ("1", "2", "5")}
        check(len(outputs) == 1, "%s: --jobs changes the result" % arguments[0])


def check_blocks(folder):
    for bound, lines in ((True, BOUND), (False, FREE_LINES)):
        for name, line in lines.items():
            path = os.path.join(folder, name + ".cu")
            with open(path, "w", encoding="utf-8") as stream:
                stream.write(PROGRAM_TEXT % line)
            result = json.loads(run("tune", path, "--model", "sectors", "--budget", "12", "--json"))
            has_block = any(axis["name"] == "block" for axis in result["axes"])
            check(has_block != bound, "%s: the block is %s" % (name, "changed" if bound else "kept"))
            check(bool(result["notes"]) == bound, "%s: notes: %s" % (name, result["notes"]))


def check_page(folder):
    path = os.path.join(folder, "page.html")
    result = json.loads(run("tune", MACROS, "--model", "sectors", "--tune", "BY=4,16", "--json", "--html", path))
    with open(path, encoding="utf-8") as stream:
        page = stream.read()
    check(page.startswith("<!DOCTYPE html>") and page.rstrip().endswith("</html>"), "the page is not whole")
    check("src=" not in page and "<script>" not in page, "the page needs other files or runs scripts")
    for configuration in result["configurations"]:
        check("<td>%s</td>" % configuration["configuration"] in page, "the page lacks %s" % configuration["configuration"])
    run("tune", MACROS, "--html", path, "--machine", "h200,a100", status=2)


def check_machines():
    """One configuration for several machines: its losses are those that each machine's own search gives."""
    arguments = ["tests/golden/tune/machines.cu", "--model", "sectors", "--budget", "12"]
    both = json.loads(run("tune", *arguments, "--machine", "h200,gtx980", "--json"))
    for m, machine in enumerate(("h200", "gtx980")):
        alone = json.loads(run("tune", *arguments, "--machine", machine, "--json"))
        times = {one["configuration"]: one["time_us"] for one in alone["configurations"]}
        check(alone == both["machines"][m], "%s: another result beside another machine" % machine)
        for one in both["configurations"]:
            loss = times[one["configuration"]] / min(times.values()) - 1
            check(abs(one["losses"][m] - loss) < 1e-9, "%s: %s loses %g" % (machine, one["configuration"], loss))
            check(one["worst_loss"] >= one["losses"][m], "%s: the worst loss is not the largest" % machine)
    check([one["worst_loss"] for one in both["configurations"]] == sorted(one["worst_loss"] for one in both["configurations"]),
          "machines: not in the order of the worst loss")


def check_registers():
    """A limit of registers goes on from the source's analysis: as if the flag stood on the command line."""
    path = "tests/golden/tune/launch_bounds.cu"
    result = json.loads(run("tune", path, "--tune", "registers=0,32", "--json"))
    alone = json.loads(run("tune", path, "--tune", "registers=0", "-maxrregcount=32", "--json"))
    limited = [one for one in result["configurations"] if one["values"]["registers"] == 32]
    check(limited[0]["time_us"] == alone["configurations"][0]["time_us"] and limited[0]["registers"] == 32,
          "registers 32: %s" % limited)


def check_bundles(folder):
    written = os.path.join(folder, "tune.json")
    result = json.loads(run("tune", *SPACE, "--json"))
    result["configurations"] = result["configurations"][:2]
    with open(written, "w", encoding="utf-8") as stream:
        json.dump(result, stream)
    out = os.path.join(folder, "bundle")
    run("bundle", SPACE[0], "--configs", written, "-o", out, "-q")
    for i, configuration in enumerate(result["configurations"], 1):
        with open(os.path.join(out, str(i), "Makefile"), encoding="utf-8") as stream:
            text = stream.read()
        for name, value in configuration["values"].items():
            check("'-D%s=%d'" % (name, value) in text, "bundle %d has no -D%s=%d" % (i, name, value))
    for spoil in ("1; touch x", "$(id)", "a b"):
        result["configurations"][0]["values"]["tile"] = spoil
        with open(written, "w", encoding="utf-8") as stream:
            json.dump(result, stream)
        run("bundle", SPACE[0], "--configs", written, "-o", os.path.join(folder, "spoilt"), "-q", status=1)
    out = os.path.join(folder, "top")
    run("bundle", MACROS, "--configs", "top2", "--tune", "BY=4,16", "-o", out, "-q")
    with open(os.path.join(out, "configurations.json"), encoding="utf-8") as stream:
        listed = json.load(stream)["configurations"]
    check(any(one["configuration"] == "as written" for one in listed) and len(listed) >= 2, "top2: %s" % listed)
    with open(os.path.join(out, "2", "measure.cu"), encoding="utf-8") as stream:
        check("#define BY " in stream.read(), "bundle 2 does not define BY")


def main():
    check_jobs()
    with tempfile.TemporaryDirectory() as folder:
        check_blocks(folder)
        check_bundles(folder)
        check_page(folder)
    check_machines()
    check_registers()
    print("\n".join(errors))
    return bool(errors)


if __name__ == "__main__":
    sys.exit(main())
