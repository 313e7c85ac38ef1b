#!/usr/bin/env python3
"""Writes programs that gather and stream records of 2 to 32 floats, and the suite that lists them.

    records.py FOLDER
    coalesce batch FOLDER/suite.json

Gathers: 2^21 threads, each a record at a multiple of a number, all, half, one or three of its members; sets of about 3, 20, 110 and 600 MB. Streams: members are read, updated in place, copied, and read in a loop
with a grid's stride; 40 and 400 MB. 476 launches, measured in all layouts: ../measured/records-h200.json. No machine constant comes from these. python3 without packages.
"""
import json
import os
import sys

MIB = 1 << 20
GATHERED = (2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 18, 20, 24, 32)
STREAMED = (2, 3, 4, 5, 6, 8, 12, 16, 24, 32)
GATHERS = 1 << 21
GATHER_MIB = (3, 20, 110, 600)
STREAM_MIB = (40, 400)
MEASURED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "measured", "records-h200.json")
THREAD = "\tint i = blockIdx.x * blockDim.x + threadIdx.x;\n\tif (i >= n)\n\t\treturn;\n"


def some(names):
    return sorted({names[0], names[len(names) // 2], names[-1]})


def head(names):
    return "#include <cstdio>\n#include <cuda_runtime.h>\nstruct record {\n" + "".join(f"\tfloat {name};\n" for name in names) + "};\n"


def sums(names, index):
    return "".join(f"\tx += 1.5f * p[{index}].{name};\n" for name in names)


def allocated(arrays):
    lines = [f"\t{kind} *{name};\n\tcudaMalloc(&{name}, {count} * sizeof({kind}));\n\tcudaMemset({name}, 0, {count} * sizeof({kind}));\n" for kind, name, count in arrays]
    return "int main()\n{\n" + "".join(lines)


def gathers(words):
    names = [f"m{k}" for k in range(words)]
    half = names[:max(1, words // 2)]
    kinds = {"a": names, "b": half, "c": [names[words // 2]], "d": some(names)}
    sizes = []
    for mib in GATHER_MIB:
        records = 1
        while records * 2 * words * 4 <= mib * MIB * 1.4142:
            records *= 2
        sizes.append(records)
    text = head(names)
    for kind, members in kinds.items():
        text += (f"\n__global__ void g{kind}(const record *p, float *out, unsigned mask, int n)\n{{\n{THREAD}\tunsigned j = ((unsigned)i * 2654435761u >> 7) & mask;\n\tfloat x = 0;\n"
                 f"{sums(members, 'j')}\tout[i] = x;\n}}\n")
    text += "\n" + allocated([("record", "p", max(sizes)), ("float", "out", GATHERS)])
    text += "".join(f"\tg{kind}<<<{GATHERS // 256}, 256>>>(p, out, {records - 1}u, {GATHERS});\n" for kind in kinds for records in sizes)
    return text + "\treturn cudaDeviceSynchronize() != cudaSuccess;\n}\n"


def stream_kernels(names):
    """Name, parameters, body and arguments of each."""
    half, one = names[:max(1, len(names) // 2)], [names[len(names) // 2]]
    for name, members in (("ra", names), ("rh", half), ("r1", one)):
        yield name, "const record *p, float *out", f"{THREAD}\tfloat x = 0;\n{sums(members, 'i')}\tout[i] = x;\n", "p, out"
    for name, members in (("ua", names), ("uh", half), ("u3", some(names))):
        yield name, "record *p", THREAD + "".join(f"\tp[i].{member} = 1.5f * p[i].{member} + 1.0f;\n" for member in members), "p"
    for name, members in (("ca", names), ("ch", half)):
        yield name, "const record *p, record *q", THREAD + "".join(f"\tq[i].{member} = 1.5f * p[i].{member};\n" for member in members), "p, q"
    for name, members in (("sa", names), ("sh", half), ("s1", names[:1])):
        yield name, "const record *p, float *out", ("\tfloat x = 0;\n\tfor (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {\n"
                                                    f"{sums(members, 'i')}\t}}\n\tout[blockIdx.x * blockDim.x + threadIdx.x] = x;\n"), "p, out"


def streams(words):
    names = [f"m{k}" for k in range(words)]
    sizes = [mib * MIB // (4 * words) // 256 * 256 for mib in STREAM_MIB]
    kernels = list(stream_kernels(names))
    text = head(names)
    for name, parameters, body, _ in kernels:
        text += f"\n__global__ void {name}({parameters}, int n)\n{{\n{body}}}\n"
    text += "\n" + allocated([("record", "p", sizes[-1]), ("record", "q", sizes[-1]), ("float", "out", sizes[-1])])
    for name, _, _, arguments in kernels:
        text += "".join(f"\t{name}<<<{528 if name[0] == 's' else count // 256}, 256>>>({arguments}, {count});\n" for count in sizes)
    return text + "\treturn cudaDeviceSynchronize() != cudaSuccess;\n}\n"


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder, cases = sys.argv[1], []
    os.makedirs(folder, exist_ok=True)
    for kind, group, words, text in [("gat", "gathers", w, gathers(w)) for w in GATHERED] + [("str", "streams", w, streams(w)) for w in STREAMED]:
        with open(os.path.join(folder, f"{kind}_{words}.cu"), "w", encoding="utf-8") as stream:
            stream.write(text)
        cases.append({"id": f"{kind}-{words}", "group": group, "file": f"{kind}_{words}.cu", "size": f"{4 * words} bytes", "options": []})
    suite = {"schema": "coalesce/suite/1", "machine": "h200", "measured": os.path.relpath(MEASURED, os.path.abspath(folder)), "cases": cases}
    with open(os.path.join(folder, "suite.json"), "w", encoding="utf-8") as stream:
        json.dump(suite, stream, indent=1)


if __name__ == "__main__":
    main()
