#!/usr/bin/env python3
"""Random CUDA programs that are well-defined by construction: no access outside an array, no race, no signed overflow.

    tests/generator/program.py SEED        prints the program of a seed, the same on any machine

A program has one to three record types, arrays of records (some as rows), index arrays with given contents, plain arrays, and three to
seven kernels. Its host side fills the arrays, copies, launches, copies back and prints checksums of each member.
"""
import os
import random as random_module
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
from kernels import ROW_STYLES, Array, Kernel, is_record  # noqa: E402
from records import BY_NAME, record_make  # noqa: E402

SHOW_SCALAR = """static unsigned long long mix(unsigned long long hash, double value)
{
	unsigned long long bits;

	memcpy(&bits, &value, sizeof(bits));
	return (hash ^ bits) * 1099511628211ull;
}
"""


class Program:
    def __init__(self, seed):
        self.random = random = random_module.Random(seed)
        self.seed = seed
        nested = record_make(random, "inner") if random.random() < 0.4 else None
        self.types = [nested] if nested else []
        self.records = [record_make(random, name, nested) for name in ["body", "cell"][:random.choice([1, 1, 2])]]
        self.types += self.records
        self.width = random.choice([0, 0, 18, 24, 33, 40])
        self.count = self.width * random.randint(3, 8) if self.width else random.choice([60, 96, 100, 130, 200, 257, 300])
        self.arrays = [*self.record_arrays(), *self.index_arrays(), *self.plain_arrays()]
        tiles, vectors = random.random() < 0.25, ["vector"] * random.choice([0, 0, 0, 3])
        self.kernels = [Kernel(random, f"kernel{i}", self.arrays, self.count, self.width, tiles) for i in range(random.randint(3, 7))]
        used = {array.name for kernel in self.kernels for array in kernel.arrays()}
        self.arrays = [array for array in self.arrays if array.name in used]
        self.styles = {array.name: random.choice(["malloc", "malloc", "new", "static", *vectors]) for array in self.arrays}
        self.check = random.random() < 0.3
        self.includes, self.body = self.write()
        self.text = number(f"// seed {seed}\n{self.includes}\n{self.body}")

    def record_arrays(self):
        arrays = []
        for number in range(self.random.choice([1, 2, 2])):
            record = self.random.choice(self.records)
            rows = self.width if self.width and self.random.random() < 0.3 else 0
            arrays.append(Array(f"a{number}", record, self.count, rows, self.random.choice(list(ROW_STYLES)), None, 0))
        return arrays

    def index_arrays(self):
        random, arrays = self.random, []
        for number in range(random.randint(0, 2)):
            scalar = BY_NAME[random.choice(["int", "int", "unsigned", "long long", "unsigned long long", "unsigned short"])]
            high = random.choice([self.count, self.count, 4])
            a, b = random.randint(1, 40), random.randint(0, 20)
            form = random.choice(["sequence", "affine", "affine", "table", "constant"])
            value = {"sequence": lambda e: e % high, "affine": lambda e: (e * a + b) % high, "constant": lambda e: b % high,
                     "table": lambda e: ((e * 1664525 + 1013904223) % 2**32 >> 8) % high}[form]
            arrays.append(Array(f"ix{number}", scalar, self.count, 0, "", [value(e) for e in range(self.count)], high))
            self.forms = getattr(self, "forms", {})
            self.forms[f"ix{number}"] = {"sequence": f"i % {high}", "affine": f"(i * {a} + {b}) % {high}", "constant": str(b % high),
                                         "table": f"((unsigned)i * 1664525u + 1013904223u >> 8) % {high}"}[form]
        return arrays

    def plain_arrays(self):
        names = ["float", "double", "int", "unsigned", "long long"]
        return [Array(f"o{number}", BY_NAME[self.random.choice(names)], self.count, 0, "", None, 0) for number in range(self.random.randint(1, 2))]

    # ---- the host side ------------------------------------------------------------------------

    def fill(self, array):
        """Statements that fill element i of an array; contents tell elements and members apart."""
        name = f"h_{array.name}"
        if array.values is not None:
            return [f"{name}[i] = ({array.elem.name})({self.forms[array.name]});"]
        if not is_record(array):
            return [f"{name}[i] = ({array.elem.name})(i % {self.random.randint(5, 99)});"]
        lines = []
        for number, leaf in enumerate(array.elem.leaves):
            if leaf.count:
                continue
            a, b = self.random.randint(1, 250), self.random.randint(0, 99)
            value = f"(i * {a} + {b}) % {self.random.choice([7, 101, 251])} - {self.random.choice([0, 0, 50])}"
            scale = self.random.choice([" * 0.5f", " * 0.125f", ""]) if leaf.scalar.floating else ""
            lines.append(f"{name}[i].{leaf.path} = ({leaf.scalar.name})(({value}){scale});")
        return lines

    def show(self, array):
        """Statements that print one number made of all members of all elements."""
        name = f"h_{array.name}"
        paths = [f".{leaf.path}" for leaf in array.elem.leaves if not leaf.count] if is_record(array) else [""]
        return ["hash = 14695981039346656037ull;", f"for (int i = 0; i < {array.count}; i++) {{",
                *[f"\thash = mix(hash, (double){name}[i]{path});" for path in paths], "}", f'printf("{array.name} %llx\\n", hash);']

    def host_memory(self, array):
        name, kind, count = f"h_{array.name}", array.elem.name, array.count
        style = self.styles[array.name]
        size = self.random.choice([f"{count} * sizeof({kind})", f"sizeof({kind}) * {count}"])
        return {"malloc": f"{kind} *{name} = ({kind} *)malloc({size});", "new": f"{kind} *{name} = new {kind}[{count}];",
                "vector": f"std::vector<{kind}> {name}({count});", "static": f"static {kind} {name}[{count}];"}[style]

    def host_pointer(self, array):
        return f"h_{array.name}.data()" if self.styles[array.name] == "vector" else f"h_{array.name}"

    def device_memory(self, array):
        kind, name = array.elem.name, f"d_{array.name}"
        size = f"{array.count} * sizeof({kind})"
        cast = self.random.choice(["", "(void **)"])
        if array.rows and array.style == "typedef":
            return [f"{array.name}_row *{name};", self.checked(f"cudaMalloc({cast}&{name}, {size})")]
        if array.rows and array.style != "cast":
            return [f"{kind} (*{name})[{array.rows}];", self.checked(f"cudaMalloc({cast}&{name}, {size})")]
        return [f"{kind} *{name};", self.checked(f"cudaMalloc({cast}&{name}, {size})")]

    @staticmethod
    def argument(array):
        """What a launch passes for an array."""
        cast = f"({array.elem.name} (*)[{array.rows}])" if array.rows and array.style == "cast" else ""
        return f"{cast}d_{array.name}"

    def checked(self, call):
        return f"CHECK({call});" if self.check else f"{call};"

    def copy(self, array, back):
        size = f"{array.count} * sizeof({array.elem.name})"
        host, device = self.host_pointer(array), f"d_{array.name}"
        if back:
            return self.checked(f"cudaMemcpy({host}, {device}, {size}, cudaMemcpyDeviceToHost)")
        return self.checked(f"cudaMemcpy({device}, {host}, {size}, cudaMemcpyHostToDevice)")

    def main(self):
        lines = []
        for array in self.arrays:
            lines.append(self.host_memory(array))
        lines.append(f"for (int i = 0; i < {self.count}; i++) {{")
        for array in self.arrays:
            lines += ["\t" + line for line in self.fill(array)]
        lines.append("}")
        for array in self.arrays:
            lines += [*self.device_memory(array), self.copy(array, False)]
        for kernel in self.kernels:
            launch = kernel.launch(self.argument)
            rounds = self.random.choice([1, 1, 1, 2, 3])
            if rounds > 1:
                launch = [f"for (int step = 0; step < {rounds}; step++) {{", *["\t" + line for line in launch], "}"]
            lines += launch
        lines.append(self.checked("cudaDeviceSynchronize()"))
        lines.append("unsigned long long hash;")
        for array in self.arrays:
            if array.values is None:
                lines += [self.copy(array, True), *self.show(array)]
        for array in self.arrays:
            lines.append(f"cudaFree(d_{array.name});")
            lines += {"malloc": [f"free(h_{array.name});"], "new": [f"delete[] h_{array.name};"]}.get(self.styles[array.name], [])
        return "int main()\n{\n" + "\n".join("\t" + line for line in [*lines, "return 0;"]) + "\n}\n"

    def write(self):
        includes = "#include <cstdio>\n#include <cstdlib>\n#include <cstring>\n"
        includes += "#include <vector>\n" if "vector" in self.styles.values() else ""
        check = "#define CHECK(call) do { if ((call) != cudaSuccess) { printf(\"failed\\n\"); exit(1); } } while (0)\n" if self.check else ""
        kernels = "\n".join(kernel.text() for kernel in self.kernels)
        rows = "".join(f"typedef {array.elem.name} {array.name}_row[{array.rows}];\n" for array in self.arrays
                       if array.rows and array.style == "typedef")
        return includes + check, "\n".join(["\n".join(record.text for record in self.types), rows, kernels, SHOW_SCALAR, self.main()])

    def contents(self):
        """Contents of the index arrays, by name."""
        return {array.name: array.values for array in self.arrays if array.values is not None}


def number(text):
    """Puts line numbers into the markers."""
    lines = text.split("\n")
    return "\n".join(re.sub(r"/\*([@~!])\?\*/", rf"/*\g<1>{line_number}*/", line) for line_number, line in enumerate(lines, 1))


def own_name(program, name):
    """What a kernel or an index array of a program is called beside other programs."""
    return f"{name}_{program.seed}"


def together(programs):
    """One program that does what several do, one after another: each stands in a namespace, and prints a line with its seed first."""
    head, bodies, calls = [], [], []
    for program in programs:
        head += [line for line in program.includes.split("\n") if line not in head]
        body = re.sub(r"\b(?:ix\d+|kernel\d+)(?=\b|_)", lambda found, program=program: own_name(program, found.group()), program.body)
        bodies.append(f"namespace seed{program.seed} {{\n{body.replace('int main()', 'int run()')}\n}}\n")
        calls.append(f'\tprintf("seed {program.seed}\\n");\n\tseed{program.seed}::run();\n')
    return number("\n".join([*head, *bodies, "int main()", "{", "".join(calls) + "\treturn 0;", "}", ""]))


if __name__ == "__main__":
    print(Program(int(sys.argv[1])).text, end="")
