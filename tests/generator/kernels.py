"""Kernels of generated programs.

Every memory access stands on a line of its own, behind a marker that the emulation replaces:
    /*@LINE*/   the compiler keeps each access of the line: requests and sectors are compared
    /*~LINE*/   the compiler may merge, drop or double accesses: no access of such a kernel is compared
    /*!LINE*/   atomic operations
    /*<ID*/ ... /*>*/ around a loop or call, /*+*/ where an iteration begins
Within a kernel no element's member is loaded by two statements through the same index, every loaded value reaches a store, and
only one side of a branch touches memory, so that the compiler has nothing to merge across statements. Numbers of elements are no
powers of two, and indices of loops are far apart, so that no two indices are equal to the compiler.
"""
import collections

# elem: a Record or a Scalar; rows: elements in a row for arrays of rows, else 0; style: how those are declared, a key of ROW_STYLES;
# values: contents of an index array, below high
Array = collections.namedtuple("Array", "name elem count rows style values high")
# The parameter of a kernel for an array of rows.
ROW_STYLES = {"pointer": "{constant}{elem} (*{name})[{rows}]", "cast": "{constant}{elem} (*{name})[{rows}]",
              "brackets": "{constant}{elem} {name}[][{rows}]", "typedef": "{constant}{name}_row *{name}"}
# flat: an expression; row: (y, x) where the element is known so; name: what it is remembered by
Index = collections.namedtuple("Index", "name flat row")
INDEX_TYPES = ["int", "int", "unsigned", "size_t", "long long"]


def is_record(array):
    return hasattr(array.elem, "leaves")


class Kernel:
    def __init__(self, random, name, arrays, count, width, tiles):
        self.random, self.name, self.count, self.width = random, name, count, width
        self.lines, self.functions, self.depth = [], [], 1
        self.variables, self.loops, self.used, self.stored = 0, 0, set(), set()
        self.by_value = random.random() < 0.25
        self.table = ", ".join(str(random.randint(0, 9)) for _ in range(4))
        self.tiles, self.local = tiles, random.random() < 0.25
        self.scalar_names = {"n": count, "m": random.randint(1, 5), "s": random.randint(1, 7)}
        records = [array for array in arrays if is_record(array)]
        self.records = random.sample(records, random.randint(1, min(2, len(records))))
        self.role = {array.name: random.choice(["in", "own"]) for array in self.records}
        if random.random() < 0.2:
            self.role[self.records[-1].name] = "atomic"
        self.indices = [array for array in arrays if array.values is not None and random.random() < 0.7]
        self.scalars = [array for array in arrays if not is_record(array) and array.values is None]
        self.out = random.choice(self.scalars)
        self.inputs = [array for array in self.scalars if array is not self.out and random.random() < 0.4]
        self.two = width > 0 and random.random() < 0.5
        self.block = random.choice([(16, 4), (32, 2), (8, 8), (32, 4)]) if self.two else (random.choice([32, 64, 96, 128]), 1)
        self.type = "int" if self.two else random.choice(INDEX_TYPES)
        self.stride_loop = not self.two and random.random() < 0.15
        height = count // width if width else 0
        if self.two:
            self.grid = (-(-width // self.block[0]), -(-height // self.block[1]))
        elif self.stride_loop:
            self.grid = (random.randint(1, 2), 1)
        else:
            self.grid = (-(-count // self.block[0]), 1)
        self.strict, self.left = random.random() < 0.7, False
        self.make()

    # ---- writing ------------------------------------------------------------------------------

    def put(self, text, marker=""):
        mark = {"": "", "access": "/*@?*/ ", "relaxed": "/*~?*/ ", "atomic": "/*!?*/ "}[marker]
        self.lines.append("\t" * self.depth + mark + text)

    def fresh(self, stem="v"):
        self.variables += 1
        return f"{stem}{self.variables}"

    def scalar(self, name):
        """A parameter of the kernel, or a constant, of the same value."""
        if name == "n" and self.random.random() < 0.2:
            return str(self.count)
        return ("par." if self.by_value else "") + name

    def element(self, array, index):
        if array.rows:
            if index.row and array.rows == self.width:
                return f"{array.name}[{index.row[0]}][{index.row[1]}]"
            return f"{array.name}[({index.flat}) / {array.rows}][({index.flat}) % {array.rows}]"
        return f"{array.name}[{index.flat}]"

    def member(self, array, index, leaf):
        path = leaf.path % f"({index.flat}) % {leaf.count}" if leaf.count else leaf.path
        if not array.rows and self.random.random() < 0.15:
            return f"({array.name} + {index.flat})->{path}"
        return f"{self.element(array, index)}.{path}"

    # ---- statements ---------------------------------------------------------------------------

    def accumulate(self, value, scalar):
        if scalar.floating:
            self.put(f"fa = fa * 0.5f + (float){value};")
        else:
            self.put(f"ua = ua * {self.random.choice([3, 5, 31, 33])}u + (unsigned){value};")

    def leaf_free(self, array, index):
        """A leaf that no statement has touched through this index; a dynamic one stands for its whole array."""
        leaves = list(array.elem.leaves)
        self.random.shuffle(leaves)
        for leaf in leaves:
            stem = leaf.path.split("[")[0] if leaf.count or "[" in leaf.path else leaf.path
            keys = {(array.name, index.name, leaf.path), (array.name, index.name, stem + "[%s]")}
            if leaf.count:
                keys = {(array.name, index.name, one.path) for one in leaves if one.path.split("[")[0] == stem}
            if not keys & self.used:
                self.used.add((array.name, index.name, leaf.path))
                return leaf
        return None

    def load(self, index):
        sources = [array for array in self.records if self.role[array.name] == "in" or (self.role[array.name] == "own" and index.name == "own")]
        plain = [array for array in self.inputs if (array.name, index.name) not in self.used]
        if plain and (not sources or self.random.random() < 0.25):
            array = self.random.choice(plain)
            self.used.add((array.name, index.name))
            value, scalar = self.fresh(), array.elem
            self.put(f"{scalar.name} {value} = {self.element(array, index)};", "access")
        elif sources:
            array = self.random.choice(sources)
            leaf = self.leaf_free(array, index)
            if not leaf:
                return
            value, scalar = self.fresh(), leaf.scalar
            self.put(f"{scalar.name} {value} = {self.member(array, index, leaf)};", "access")
        else:
            return
        self.accumulate(value, scalar)

    def value_for(self, scalar):
        if scalar.floating:
            return f"({scalar.name})(fa + {self.random.randint(0, 9)})"
        if scalar.bytes == 8:
            return f"({scalar.name})((unsigned long long)ua * 2654435761ull)"
        return f"({scalar.name})(ua >> {self.random.randint(0, 3)})"

    def store(self, index):
        targets = [array for array in self.records if self.role[array.name] == "own"]
        if not targets or index.name != "own":
            return
        array = self.random.choice(targets)
        leaves = [leaf for leaf in array.elem.leaves if not leaf.count and (array.name, leaf.path) not in self.stored]
        if not leaves:
            return
        leaf = self.random.choice(leaves)
        self.stored.add((array.name, leaf.path))
        self.used.add((array.name, "own", leaf.path))
        self.put(f"{self.member(array, index, leaf)} = {self.value_for(leaf.scalar)};", "access")

    def gather(self, index, space):
        """A new index, read from an index array: elements anywhere. space: `flat` lies below this count."""
        fit = [array for array in self.indices if array.count >= space and (array.name, index.name) not in self.used]
        if not fit:
            return None
        array = self.random.choice(fit)
        self.used.add((array.name, index.name))
        name = self.fresh("j")
        kind = self.random.choice([array.elem.name, "int", "size_t"]) if self.random.random() < 0.3 else array.elem.name
        self.put(f"{kind} {name} = {self.element(array, index)};", "access")
        self.put(f"ua = ua * 3u + (unsigned){name};")
        return Index(name, name, None)

    def neighbour(self, index):
        step = self.random.randint(1, 5)
        name = f"near{step}.{index.name}"
        text = f"({index.flat} + {step}) % {self.count}"
        return Index(name, text if self.type != "unsigned" else f"({index.flat} + {step}u) % {self.count}u", None)

    def condition(self, index):
        """A condition, and whether lanes of a warp agree on it."""
        return self.random.choice([f"{index.flat} % {self.random.randint(2, 5)} == {self.random.randint(0, 1)}",
                                   f"threadIdx.x < {self.random.randint(1, 40)}", "(threadIdx.x & 1) == 0",
                                   f"blockIdx.x % 2 == {self.random.randint(0, 1)}", f"{self.scalar('m')} > 2",
                                   f"{index.flat} >= {self.scalar('n')} / 2"])

    def branch(self, index, level):
        self.put(f"if ({self.condition(index)}) {{")
        self.body(index, level + 1, self.random.randint(1, 2))
        if self.random.random() < 0.4:
            self.put("} else {")
            self.depth += 1
            self.put(self.random.choice(["ua ^= 0x55u;", "fa = fa - 1.0f;"]))
            self.depth -= 1
        self.put("}")

    def trips(self, index, level):
        """The bound of a loop, and whether lanes may differ in it."""
        kind = self.random.random()
        if self.local and kind < 0.2:
            return f"local[(int)({index.flat} % 4)]", True
        if kind < 0.35:
            return str(self.random.randint(1, 6)), False
        if kind < 0.6:
            return self.scalar("m"), False
        if kind < 0.8:
            return f"(int)({index.flat} % {self.random.randint(2, 4)})", True
        fit = [array for array in self.indices if array.high <= 8 and (array.name, index.name) not in self.used]
        if not fit:
            return f"(int)({index.flat} % 3)", True
        self.used.add((fit[0].name, index.name))
        name = self.fresh("len")
        self.put(f"int {name} = (int){self.element(fit[0], index)};", "access")
        return name, True

    def loop(self, index, level):
        bound, differs = self.trips(index, level)
        t = self.fresh("t")
        leave, skip = self.random.random() < 0.15, self.random.random() < 0.1
        self.put(f"/*<{self.variables}*/")
        if differs or leave or skip or self.random.random() < 0.2:
            self.put("#pragma unroll 1")
        elif self.random.random() < 0.2:
            self.put("#pragma unroll")
        self.put(f"for (int {t} = 0; {t} < {bound}; {t}++) {{ /*+*/")
        self.depth += 1
        step = self.random.randint(1, 9)
        self.loops += 1
        text = f"({index.flat} + {t} * {step} + {64 * self.loops}) % {self.count}"
        if leave:
            self.put(f"if ({t} == (int)({index.flat} % 3)) {{")
            self.put("\tbreak;")
            self.put("}")
        if skip:
            self.put(f"if (({t} + (int)({index.flat} % 2)) % 2 == 0) {{")
            self.put("\tcontinue;")
            self.put("}")
        self.put(f"ua = ua * 3u + (unsigned){t};")
        inner = Index(f"{t}*{step}.{index.name}", text, None)
        self.depth -= 1
        self.body(inner, level + 1, self.random.randint(1, 2))
        self.put("} /*>*/")

    def atomic(self, index):
        targets = [array for array in self.records if self.role[array.name] == "atomic"]
        for array in targets:
            leaves = [leaf for leaf in array.elem.leaves if leaf.scalar.name in ("int", "unsigned", "unsigned long long") and not leaf.count]
            if leaves:
                leaf = self.random.choice(leaves)
                self.put(f"atomicAdd(&{self.member(array, index, leaf)}, ({leaf.scalar.name})(1 + {index.flat} % 3));", "atomic")

    def call(self, index):
        """A function of the device that reads a member or two: by pointer and index, by reference, or of the record by value."""
        sources = [array for array in self.records if self.role[array.name] == "in" and not array.rows]
        if not sources:
            return
        array = self.random.choice(sources)
        leaves = [leaf for leaf in array.elem.leaves if not leaf.count and (array.name, index.name, leaf.path) not in self.used]
        if not leaves:
            return
        leaves = self.random.sample(leaves, min(len(leaves), self.random.randint(1, 2)))
        kind = self.random.choice(["pointer"] if self.strict else ["pointer", "reference", "value", "value", "element"])
        how = self.random.choice(["", "__forceinline__ ", "static "] if self.strict else ["", "__noinline__ ", "__forceinline__ "])
        name, record = f"{self.name}_f{len(self.functions)}", array.elem.name
        parameter, access = {"pointer": (f"const {record} *r, int e", "r[e]."), "reference": (f"const {record} &r", "r."),
                             "value": (f"{record} r", "r."), "element": (f"const {record} *r", "r->")}[kind]
        lines = [f"{how}__device__ float {name}({parameter})", "{", "\tfloat f = 0;"]
        for number, leaf in enumerate(leaves):
            self.used.add((array.name, index.name, leaf.path))
            mark = "/*@?*/" if kind == "pointer" and how != "__noinline__ " else "/*~?*/"
            lines += [f"\t{mark} {leaf.scalar.name} v{number} = {access}{leaf.path};", f"\tf = f * 0.25f + (float)v{number};"]
        self.functions.append("\n".join([*lines, "\treturn f;", "}", ""]))
        given = {"pointer": f"{array.name}, (int)({index.flat})", "reference": self.element(array, index),
                 "value": self.element(array, index), "element": f"&{self.element(array, index)}"}[kind]
        value = self.fresh()
        self.put(f"float {value};")
        self.put(f"/*<{self.variables}*/ " + f"{value} = {name}({given}); /*>*/", "" if kind == "pointer" else "relaxed")
        self.put(f"fa = fa * 0.5f + {value};")

    def copy(self, index):
        """A record as a whole, through a local variable; a reference or pointer to an element."""
        sources = [array for array in self.records if self.role[array.name] == "in"]
        if not sources:
            return
        array = self.random.choice(sources)
        leaf = self.leaf_free(array, index)
        if not leaf or leaf.count:
            return
        kind = self.random.choice(["reference", "pointer"] if self.strict else ["whole", "whole", "reference", "pointer"])
        name, record, element = self.fresh("r"), array.elem.name, self.element(array, index)
        if kind == "whole":
            self.put(f"{record} {name} = {element};", "relaxed")
            self.accumulate(f"{name}.{leaf.path}", leaf.scalar)
            return
        self.put(f"const {record} &{name} = {element};" if kind == "reference" else f"const {record} *{name} = &{element};")
        value = self.fresh()
        self.put(f"{leaf.scalar.name} {value} = {name}{'.' if kind == 'reference' else '->'}{leaf.path};", "access")
        self.accumulate(value, leaf.scalar)

    def walk(self, index):
        """Reads the table in the struct that is passed by value, by index or by pointer."""
        if not self.by_value:
            return
        if self.random.random() < 0.5:
            self.put(f"ua = ua * 3u + (unsigned)par.w[(int)({index.flat} % 4)];")
            return
        at, t = self.fresh("at"), self.fresh("t")
        self.put(f"const int *{at} = par.w;")
        self.put(f"for (int {t} = 0; {t} < 4; {t}++) {{")
        self.put(f"\tua = ua * 5u + (unsigned){at}[{t}];")
        self.put("}")

    def leave(self, index):
        """An early exit: what was loaded is stored, so that no load is needed by one path alone."""
        if self.stride_loop or self.strict:
            return
        self.left = True
        self.put(f"if ({self.condition(index)}) {{")
        self.put(f"\t{self.element(self.out, index)} = ({self.out.elem.name})(fa + (float)(ua & 255u));", "relaxed")
        self.put("\treturn;")
        self.put("}")

    def body(self, index, level, count):
        self.depth += 1
        for _ in range(count):
            choice = self.random.random()
            if self.random.random() < 0.1:
                self.walk(index)
            if choice < 0.4:
                self.load(index)
            elif choice < 0.5:
                self.load(self.neighbour(index))
            elif choice < 0.62:
                found = self.gather(index, self.count)
                for _ in range(2 if found else 0):
                    self.load(found)
                if found:
                    self.atomic(found)
                if found and level < 2 and self.random.random() < 0.3:
                    self.branch(found, level)
            elif choice < 0.72 and level < 2:
                self.loop(index, level)
            elif choice < 0.8 and level < 2:
                self.branch(index, level)
            elif choice < 0.88:
                self.call(index)
            elif choice < 0.93:
                self.copy(index)
            elif level == 0:
                self.leave(index)
            else:
                self.atomic(index)
        self.depth -= 1

    # ---- the kernel ---------------------------------------------------------------------------

    def tile(self):
        """A tile of shared memory: filled, a barrier, read by a neighbour."""
        sources = [array for array in self.records if self.role[array.name] == "in" and not array.rows]
        if not sources or self.two or self.stride_loop or not self.tiles or self.random.random() > 0.6:
            return
        array = self.random.choice(sources)
        leaf = self.random.choice([leaf for leaf in array.elem.leaves if not leaf.count])
        self.used.add((array.name, "own", leaf.path))
        size, name = self.block[0], leaf.scalar.name
        self.put(f"__shared__ {name} tile[{size}];")
        self.put("tile[threadIdx.x] = 0;")
        self.put(f"if (i < {self.scalar('n')}) {{")
        self.put(f"\t{name} first = {array.name}[i].{leaf.path};", "access")
        self.put("\ttile[threadIdx.x] = first;")
        self.put("}")
        self.put("__syncthreads();")
        other = self.fresh()
        self.put(f"{name} {other} = tile[(threadIdx.x + {self.random.randint(1, 7)}) % {size}];")
        self.accumulate(other, leaf.scalar)

    def finish(self, index):
        for _ in range(self.random.randint(0, 3)):
            self.store(index)
        self.put(f"{self.element(self.out, index)} = ({self.out.elem.name})(fa + (float)(ua & 255u));", "relaxed" if self.left else "access")

    def make(self):
        self.put("float fa = 1.0f;")
        self.put("unsigned ua = 7u;")
        if self.local:
            self.put("int local[4];")
            self.put("for (int e = 0; e < 4; e++) {")
            self.put(f"\tlocal[e] = (e * {self.random.randint(1, 4)} + {self.random.randint(0, 4)}) % 5;")
            self.put("}")
        if self.two:
            self.put("int x = blockIdx.x * blockDim.x + threadIdx.x;")
            self.put("int y = blockIdx.y * blockDim.y + threadIdx.y;")
            self.put(f"if (x >= {self.width} || y >= {self.count // self.width}) {{")
            self.put("\treturn;")
            self.put("}")
            self.put(f"int i = y * {self.width} + x;")
            index, close = Index("own", "i", ("y", "x")), []
        elif self.stride_loop:
            self.put("/*<0*/")
            self.put("#pragma unroll 1")
            self.put(f"for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < {self.scalar('n')}; i += gridDim.x * blockDim.x) {{ /*+*/")
            index, close = Index("own", "i", None), ["} /*>*/"]
            self.type = "int"
            self.depth += 1
        else:
            first = "(size_t)blockIdx.x" if self.type in ("size_t", "long long") and self.random.random() < 0.5 else "blockIdx.x"
            self.put(f"{self.type} i = {first} * blockDim.x + threadIdx.x;")
            self.tile()
            index = Index("own", "i", None)
            if self.random.random() < 0.5:
                self.put(f"if (i >= {self.scalar('n')}) {{")
                self.put("\treturn;")
                self.put("}")
                close = []
            else:
                self.put(f"if (i < {self.scalar('n')}) {{")
                self.depth += 1
                close = ["}"]
        self.depth -= 1
        self.body(index, 0, self.random.randint(2, 6))
        self.depth += 1
        self.finish(index)
        for text in close:
            self.depth -= 1
            self.put(text)

    # ---- text ---------------------------------------------------------------------------------

    def parameter(self, array):
        name = array.elem.name
        constant = "const " if array is not self.out and self.role.get(array.name, "in") == "in" and self.random.random() < 0.7 else ""
        restrict = "__restrict__ " if self.restrict else ""
        if array.rows:
            return ROW_STYLES[array.style].format(constant=constant, elem=name, name=array.name, rows=array.rows)
        return f"{constant}{name} *{restrict}{array.name}"

    def arrays(self):
        return [*self.records, *self.indices, *self.inputs, self.out]

    def text(self):
        self.restrict = self.random.random() < 0.3
        parameters = [self.parameter(array) for array in self.arrays()]
        parameters += [f"{self.name}_args par"] if self.by_value else [f"int {name}" for name in self.scalar_names]
        struct = f"struct {self.name}_args {{\n\tint n, m, s;\n\tint w[4];\n}};\n" if self.by_value else ""
        bounds = f"__launch_bounds__({self.block[0] * self.block[1]}) " if self.random.random() < 0.15 else ""
        head = f"__global__ void {bounds}{self.name}({', '.join(parameters)})"
        return "\n".join([struct + "\n".join(self.functions), head, "{", *self.lines, "}", ""])

    def launch(self, device):
        """Statements that launch it; device: what arrays are called on the host."""
        values = list(self.scalar_names.values())
        arguments = [device(array) for array in self.arrays()]
        lines = []
        if self.by_value:
            lines.append(f"{self.name}_args {self.name}_par = {{{', '.join(map(str, values))}, {{{self.table}}}}};")
            arguments.append(f"{self.name}_par")
        else:
            arguments += map(str, values)
        grid = f"dim3({self.grid[0]}, {self.grid[1]})" if self.two else str(self.grid[0])
        block = f"dim3({self.block[0]}, {self.block[1]})" if self.two else str(self.block[0])
        if not self.two and not self.stride_loop and self.random.random() < 0.5:
            grid = f"({self.count} + {self.block[0] - 1}) / {self.block[0]}"
        lines.append(f"{self.name}<<<{grid}, {block}>>>({', '.join(arguments)});")
        return lines
