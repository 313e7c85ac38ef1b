#!/usr/bin/env python3
"""Writes the struct sweep: CUDA programs with records of every kind, and the suites that list them.

    generate.py [FOLDER]      into FOLDER, without it into this one

Nine families of access (below, one function each), nine programs of each, two kernels a program, three sizes a kernel. Everything else is drawn at random from a
fixed seed, so that the same files come out every time: 1 to 16 members of mixed types, which of them are read and written, how much arithmetic, how many
registers, threads per block, sizes from a few microseconds inside the L2 to far beyond it.

The programs fall into three sets at random, three of each family in each: `build` is there to develop models with, `check` to test them, and `unseen` to
judge them in the end: whoever builds a model leaves its results alone. Four more sets were drawn later, four programs of each family: `later`, `fresh` and `blind`,
which showed what the model had wrong, and `sealed`, which was measured before anything was predicted of it, to judge the model once. python3 without packages.
"""
import json
import os
import random
import sys

SEED = 20261122
SETS = ("build", "check", "unseen")
PER_FAMILY = 9
# Sets drawn later, from seeds of their own: to see what the model had not met.
LATER = {"later": 77001, "fresh": 77002, "blind": 77003, "sealed": 77004}
PER_FAMILY_LATER = 4
MIB = 1 << 20

# ---- records ------------------------------------------------------------------------------------------------------------

BYTES = {"float": 4, "double": 8, "int": 4, "unsigned": 4, "short": 2, "unsigned char": 1}
TYPES = (("float", 10), ("double", 3), ("int", 3), ("short", 1), ("unsigned char", 1))
COUNTS = (1, 2, 2, 3, 3, 4, 4, 5, 6, 7, 8, 8, 10, 12, 16)


def weighted(rng, pairs):
    return rng.choices([value for value, _ in pairs], [weight for _, weight in pairs])[0]


class Member:
    def __init__(self, name, kind, length):
        self.name, self.kind, self.length = name, kind, length

    def declaration(self):
        return f"\t{self.kind} {self.name}{f'[{self.length}]' if self.length else ''};"

    def real(self):
        return self.kind in ("float", "double")

    def bytes(self):
        return BYTES[self.kind] * max(self.length, 1)

    def places(self):
        """The scalars of the member, as they are written after a dot."""
        return [f"{self.name}[{i}]" for i in range(self.length)] or [self.name]


class Record:
    def __init__(self, rng, name, plain=False):
        self.name, self.members = name, []
        uniform = plain or rng.random() < 0.4
        for i in range(rng.choice(COUNTS)):
            kind = "float" if uniform else weighted(rng, TYPES)
            length = rng.choice((2, 3, 4)) if not plain and kind in ("float", "int") and rng.random() < 0.1 else 0
            self.members.append(Member("abcdefghijklmnop"[i], kind, length))
        if not any(member.real() for member in self.members):
            self.members[0] = Member("a", "float", 0)

    def declaration(self):
        return "\n".join([f"struct {self.name} {{"] + [member.declaration() for member in self.members] + ["};"])

    def bytes(self):
        """What a record takes as C lays it out."""
        offset, most = 0, 1
        for member in self.members:
            align = BYTES[member.kind]
            offset = (offset + align - 1) // align * align + member.bytes()
            most = max(most, align)
        return (offset + most - 1) // most * most

    def real(self):
        return next(member for member in self.members if member.real())


def share(rng, members, shares):
    """Some of the members, in their order: one, or the share of them drawn."""
    wanted = max(1, round(rng.choice(shares) * len(members)))
    chosen = set(rng.sample(range(len(members)), min(wanted, len(members))))
    return [member for i, member in enumerate(members) if i in chosen]


# ---- arithmetic ---------------------------------------------------------------------------------------------------------

class Work:
    """What a kernel does with what it has read: the sum of reals is `x`, that of integers `k`."""

    def __init__(self, rng, record, heavy=None):
        self.rng = rng
        self.read = share(rng, record.members, (0, 0.25, 0.5, 0.75, 1, 1))
        self.type = "double" if any(member.kind == "double" for member in self.read) and rng.random() < 0.5 else "float"
        heavy = rng.random() < 0.35 if heavy is None else heavy
        self.steps = rng.choice((6, 12, 24, 48)) if heavy else 0
        self.form = rng.choice(("fma", "fma", "divide", "sqrt", "exp", "sine")) if heavy else "none"
        self.accumulators = rng.choice((16, 32, 48)) if heavy and rng.random() < 0.3 else 0

    def literal(self, value):
        return f"{value}" if self.type == "double" else f"{value}f"

    def start(self):
        return [f"{self.type} x = {self.literal(0.25)};", "int k = 1;"]

    def add(self, element):
        """Adds the members read of one record."""
        lines = []
        for member in self.read:
            for place in member.places()[:2 if self.rng.random() < 0.5 else 4]:
                if member.real():
                    cast = "(float)" if self.type == "float" and member.kind == "double" else ""
                    lines.append(f"x += {self.literal(self.rng.choice((0.5, 0.75, 1.25)))} * {cast}{element}.{place};")
                else:
                    lines.append(f"k += {element}.{place} * {self.rng.choice((1, 3, 5))};")
        return lines

    def refine(self):
        """The arithmetic between reading and writing; every form keeps x near 1."""
        if not self.steps:
            return []
        if self.accumulators:
            return [f"{self.type} t[{self.accumulators}];",
                    "#pragma unroll",
                    f"for (int s = 0; s < {self.accumulators}; s++)",
                    f"\tt[s] = x + {self.literal(0.125)} * s;",
                    f"for (int r = 0; r < {self.steps}; r++)",
                    "#pragma unroll",
                    f"\tfor (int s = 0; s < {self.accumulators}; s++)",
                    f"\t\tt[s] = t[s] * {self.literal(0.5)} + t[(s + 1) % {self.accumulators}] * {self.literal(0.25)};",
                    f"x = {self.literal(0.0)};",
                    "#pragma unroll",
                    f"for (int s = 0; s < {self.accumulators}; s++)",
                    "\tx += t[s];"]
        single = self.type == "float"
        forms = {"fma": f"x = x * {self.literal(0.5)} + {self.literal(0.75)};",
                 "divide": f"x = {self.literal(1.5)} / (x + {self.literal(0.5)});",
                 "sqrt": f"x = {'sqrtf' if single else 'sqrt'}(x + {self.literal(0.5)});",
                 "exp": f"x = {'expf' if single else 'exp'}({self.literal(-0.5)} * x);",
                 "sine": f"x = {self.literal(1.0)} + {self.literal(0.5)} * {'sinf' if single else 'sin'}(x);"}
        return [f"for (int r = 0; r < {self.steps}; r++)", "\t" + forms[self.form]]

    def write(self, element, members):
        """Writes the results into members of one record."""
        lines = []
        for number, member in enumerate(members):
            for place in member.places():
                if member.real():
                    cast = "(float)" if member.kind == "float" and self.type == "double" else ""
                    lines.append(f"{element}.{place} = {cast}(x * {self.literal(0.5 + 0.25 * (number % 4))});")
                else:
                    mask = {"int": "", "short": " & 16383", "unsigned char": " & 127"}[member.kind]
                    lines.append(f"{element}.{place} = ({member.kind})((k + {number}){mask});")
        return lines

    def words(self):
        names = ["%d of the members read" % len(self.read), self.type]
        if self.accumulators:
            names.append("%d accumulators, %d rounds" % (self.accumulators, self.steps))
        elif self.steps:
            names.append("%d times %s" % (self.steps, self.form))
        return ", ".join(names)


# ---- kernels ------------------------------------------------------------------------------------------------------------

class Kernel:
    """
    A kernel: parameters (type, name), the lines of its body, and what to launch: a list of (grid, arguments, elements of its arrays, words) with a common
    block. index: what an index array holds, as --index takes it.
    """

    def __init__(self, name, parameters, body, block, launches, words, index=None):
        self.name, self.parameters, self.body, self.block, self.launches, self.words = name, parameters, body, block, launches, words
        self.index = index

    def threads(self):
        count = 1
        for part in str(self.block).split(","):
            count *= int(part)
        return count

    def text(self):
        head = f"/* {self.words}. */\n__global__ void __launch_bounds__({self.threads()}) {self.name}(" + \
            ", ".join(f"{kind}{name}" if kind.endswith("*") else f"{kind} {name}" for kind, name in self.parameters) + ")"
        return head + "\n{\n" + "\n".join(line if line.startswith("#") else "\t" + line for line in self.body) + "\n}"


def block_size(rng, most=1024):
    return rng.choice([size for size in (32, 64, 96, 128, 128, 192, 256, 256, 256, 384, 512, 1024) if size <= most])


def record_counts(rng, work, bytes_each, megabytes=((2, 12), (30, 90), (250, 700)), most=1 << 26):
    """Numbers of records for three sizes: inside the L2, about as large, far beyond, less where there is much to do. Some are no multiples of anything."""
    most = min(most, 1 << 22 if work.accumulators else 1 << 24 if work.steps else most)
    counts = []
    for low, high in megabytes:
        count = min(int(rng.uniform(low, high) * MIB / bytes_each), most)
        count = max(count, 4096)
        counts.append(count if rng.random() < 0.3 else count // 1024 * 1024)
    return counts


def blocks_for(threads, block):
    return (threads + block - 1) // block


def indented(lines, depth=1):
    return [line if line.startswith("#") else "\t" * depth + line for line in lines]


def thread_index(guard=True):
    lines = ["int i = blockIdx.x * blockDim.x + threadIdx.x;"]
    return lines + (["if (i >= n)", "\treturn;"] if guard else [])


def targets(rng, record, work):
    """Where results go: into the record read, another array of the record, or a plain array."""
    where = rng.choice(("same", "other", "other", "plain"))
    written = share(rng, record.members, (0, 0.25, 0.5, 1))
    if where == "plain" or not written:
        return "plain", []
    return where, written


def store(work, where, written, index):
    if where == "plain":
        return [f"out[{index}] = (float)(x + k);"]
    return work.write(f"{'p' if where == 'same' else 'q'}[{index}]", written)


def parameters(record, where, *more):
    const = "" if where == "same" else "const "
    given = [(f"{const}{record.name} *", "p")]
    if where == "other":
        given.append((f"{record.name} *", "q"))
    if where == "plain":
        given.append(("float *", "out"))
    return given + list(more) + [("int", "n")]


def arguments(where, *more):
    return ["p"] + {"same": [], "other": ["q"], "plain": ["out"]}[where] + [str(value) for value in more]


def stream(rng, record, name):
    """One record per thread, or a grid that strides through all of them."""
    work, block = Work(rng, record), block_size(rng)
    where, written = targets(rng, record, work)
    form = rng.choice(("guarded", "guarded", "striding", "several"))
    body = work.start() + work.add("p[i]") + work.refine() + store(work, where, written, "i")
    launches = []
    for n in record_counts(rng, work, record.bytes() * (2 if where == "other" else 1)):
        grid = blocks_for(n, block)
        if form == "striding":
            grid = min(grid, 132 * rng.choice((2, 4, 8)))
        if form == "several":
            grid = blocks_for(n, 4 * block)
        launches.append((grid, arguments(where, n), n, f"{n} records"))
    if form == "guarded":
        body = thread_index() + body
    elif form == "striding":
        body = ["for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {"] + indented(body) + ["}"]
    else:
        body = ["for (int r = 0; r < 4; r++) {", "\tint i = (blockIdx.x * 4 + r) * blockDim.x + threadIdx.x;", "\tif (i < n) {"] + \
            indented(body, 2) + ["\t}", "}"]
    return Kernel(name, parameters(record, where), body, block, launches, f"Streams records ({form}), {work.words()}")


def broadcast(rng, record, name):
    """Every thread reads every record."""
    work, block = Work(rng, record, heavy=rng.random() < 0.15), block_size(rng, 512)
    work.accumulators = 0
    work.steps = min(work.steps, 6)
    body = thread_index() + [f"{work.type} y = x0[i];", f"{work.type} sum = {work.literal(0.0)};", "int count = 0;", "for (int j = 0; j < m; j++) {"] + \
        indented(work.start() + work.add("p[j]") + work.refine() + [f"{work.type} d = x - y;", f"sum += d * d + {work.literal(0.5)};", "count += k;"]) + \
        ["}", "out[i] = (float)(sum + count);"]
    launches = []
    for n, m in ((16384, rng.choice((256, 512))), (rng.choice((32768, 67584)), rng.choice((2048, 5000))), (67584, rng.choice((12288, 16384)))):
        launches.append((blocks_for(n, block), ["p", "x0", "out", str(m), str(n)], max(n, m), f"{m} records, {n} threads"))
    given = [(f"const {record.name} *", "p"), ("const float *", "x0"), ("float *", "out"), ("int", "m"), ("int", "n")]
    return Kernel(name, given, body, block, launches, f"Every thread reads every record, {work.words()}")


def strided(rng, record, name):
    """Lanes far apart: a run of records per thread, every S-th record, or the other way round through a matrix."""
    work, block = Work(rng, record), block_size(rng, 512)
    form, launches = rng.choice(("run", "every", "columns")), []
    run = rng.choice((4, 7, 16, 32)) if form == "run" else rng.choice((2, 3, 5, 8, 17))
    for n in record_counts(rng, work, record.bytes(), ((2, 12), (30, 90), (200, 450))):
        threads = n // run if form != "columns" else n // 256
        if form == "columns":
            launches.append((blocks_for(threads, block), ["p", "out", str(threads)], threads * 256, f"{threads} x 256 records"))
        else:
            launches.append((blocks_for(threads, block), ["p", "out", str(threads)], threads * run, f"{threads * run} records"))
    total = work.start()[0].replace(" x ", " sum ")
    inner = work.start() + work.add("p[j]") + work.refine() + ["sum += x;", "count += k;"]
    if form == "every":
        body = thread_index() + work.start() + work.add(f"p[(size_t)i * {run}]") + work.refine() + ["out[i] = (float)(x + k);"]
    else:
        length = run if form == "run" else 256
        body = thread_index() + [total, "int count = 0;", f"for (int r = 0; r < {length}; r++) {{", f"\tint j = i * {length} + r;"] + indented(inner) + \
            ["}", "out[i] = (float)(sum + count);"]
    given = [(f"const {record.name} *", "p"), ("float *", "out"), ("int", "n")]
    words = {"run": f"Each thread a run of {run} records", "every": f"Every {run}th record", "columns": "Each thread a row of a matrix of records"}[form]
    return Kernel(name, given, body, block, launches, f"{words}, {work.words()}")


TABLE = 1 << 22


def gather(rng, record, name):
    """Records at places that a list or a hash of the thread's number gives: near or far."""
    work, block = Work(rng, record), block_size(rng)
    where, written = targets(rng, record, work)
    where, form = "plain" if where == "same" else where, rng.choice(("near", "far", "listed"))
    place = {"near": "(i & ~1023) + ((i * 389 + 71) & 1023)", "far": "(int)(((unsigned)i * 2654435761u >> 7) & (unsigned)(n - 1))",
             "listed": "place[i]"}[form]
    launches, more = [], (("const int *", "place"),) if form == "listed" else ()
    for n in record_counts(rng, work, record.bytes() * (2 if where == "other" else 1), ((4, 12), (40, 90), (250, 500)), 1 << 24):
        n = n if form == "listed" else 1 << (n.bit_length() - 1)
        values = arguments(where, *(("place", n) if more else (n,)))
        launches.append((blocks_for(n, block), values, max(n, TABLE) if more else n, f"{n} records" + (f" of {TABLE}" if more else "")))
    body = thread_index() + [f"int j = {place};"] + work.start() + work.add("p[j]") + work.refine() + store(work, where, written, "i")
    words = {"near": "Records gathered within 1024 neighbours", "far": "Records gathered from anywhere", "listed": "Records gathered by a list"}[form]
    return Kernel(name, parameters(record, where, *more), body, block, launches, f"{words}, {work.words()}", f"place=uniform:0:{TABLE}" if more else None)


def stencil(rng, record, name):
    """A line of neighbours, or the five points of a plane, or the seven of a box."""
    work = Work(rng, record)
    neighbour = rng.choice([member for member in record.members if member.real()])
    place = neighbour.places()[0]
    dimensions, where = rng.choice((1, 2, 2, 3)), rng.choice(("other", "other", "plain"))
    written = share(rng, record.members, (0, 0.25, 0.5))
    block, launches = {1: block_size(rng), 2: rng.choice(("32, 8", "32, 4", "64, 4", "16, 16")), 3: rng.choice(("32, 4, 2", "32, 8"))}[dimensions], []
    if dimensions == 1:
        radius = rng.choice((1, 2, 4))
        guard = [f"int i = blockIdx.x * blockDim.x + threadIdx.x;", f"if (i < {radius} || i >= n - {radius})", "\treturn;"]
        offsets = [f"i {sign} {step}" for step in range(1, radius + 1) for sign in "-+"]
        words = f"{2 * radius} neighbours on a line"
    elif dimensions == 2:
        guard = ["int c = blockIdx.x * blockDim.x + threadIdx.x;", "int r = blockIdx.y * blockDim.y + threadIdx.y;",
                 "if (c < 1 || r < 1 || c >= n - 1 || r >= n - 1)", "\treturn;", "int i = r * n + c;"]
        offsets, words = ["i - 1", "i + 1", "i - n", "i + n"], "Four neighbours in a plane"
    else:
        guard = ["int c = blockIdx.x * blockDim.x + threadIdx.x;", "int r = blockIdx.y * blockDim.y + threadIdx.y;",
                 "int l = blockIdx.z * blockDim.z + threadIdx.z;",
                 "if (c < 1 || r < 1 || l < 1 || c >= n - 1 || r >= n - 1 || l >= n - 1)", "\treturn;", "int i = (l * n + r) * n + c;"]
        offsets, words = ["i - 1", "i + 1", "i - n", "i + n", "i - n * n", "i + n * n"], "Six neighbours in a box"
    for records in record_counts(rng, work, record.bytes() * (2 if where == "other" else 1)):
        n = int(records ** (1 / dimensions))
        n = n // 32 * 32 if rng.random() < 0.7 else n
        sizes = [int(part) for part in str(block).split(",")]
        grid = ", ".join(str(blocks_for(n, size)) for size in (sizes + [1, 1])[:dimensions])
        launches.append((grid, arguments(where, n), n ** dimensions, " x ".join([str(n)] * dimensions) + " records"))
    factor = work.literal(round(0.5 / len(offsets), 4))
    cast = "(float)" if work.type == "float" and neighbour.kind == "double" else ""
    body = guard + work.start() + work.add("p[i]") + [f"x += {factor} * {cast}p[{offset}].{place};" for offset in offsets] + work.refine() + \
        store(work, where, written, "i")
    return Kernel(name, parameters(record, where), body, block, launches, f"{words}, {work.words()}")


def reduction(rng, record, name):
    """A sum over all records: by shuffles and one atomic addition a warp, or through shared memory."""
    work, form = Work(rng, record, heavy=rng.random() < 0.2), rng.choice(("shuffles", "shared", "grid"))
    block = rng.choice((128, 256, 512))
    launches = []
    for n in record_counts(rng, work, record.bytes()):
        grid = 132 * rng.choice((2, 4, 8)) if form != "grid" else blocks_for(n, block)
        launches.append((min(grid, blocks_for(n, block)), ["p", "out", str(n)], n, f"{n} records"))
    inner = work.start() + work.add("p[i]") + work.refine() + ["sum += (float)(x + k);"]
    body = ["float sum = 0.0f;", "for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {"] + indented(inner) + ["}"]
    if form == "shuffles":
        body += ["for (int offset = 16; offset > 0; offset >>= 1)", "\tsum += __shfl_down_sync(0xffffffff, sum, offset);",
                 "if ((threadIdx.x & 31) == 0)", "\tatomicAdd(out, sum);"]
    else:
        body = [f"__shared__ float part[{block}];"] + body + [
            "part[threadIdx.x] = sum;", "__syncthreads();", f"for (int s = {block // 2}; s > 0; s >>= 1) {{", "\tif (threadIdx.x < s)",
            "\t\tpart[threadIdx.x] += part[threadIdx.x + s];", "\t__syncthreads();", "}", "if (threadIdx.x == 0)", "\tout[blockIdx.x] = part[0];"]
    given = [(f"const {record.name} *", "p"), ("float *", "out"), ("int", "n")]
    words = {"shuffles": "A sum by shuffles and atomic additions", "shared": "Block sums of a striding grid", "grid": "Block sums, a record per thread"}[form]
    return Kernel(name, given, body, block, launches, f"{words}, {work.words()}")


def atomics(rng, record, name):
    """Values streamed in, added to members of a record that a hash picks."""
    block, form = block_size(rng, 512), rng.choice(("few", "some", "many"))
    bins = {"few": 64, "some": 4096, "many": 1 << 20}[form]
    added = share(rng, record.members, (0, 0.5, 1))[:4]
    launches = []
    for n in (rng.choice((65536, 200000)), 1 << 20, rng.choice((1 << 22, 5000000))):
        launches.append((blocks_for(n, block), ["p", "x0", str(n)], max(n, bins), f"{n} values, {bins} records"))
    body = thread_index() + ["float x = x0[i];", f"unsigned j = ((unsigned)i * 2654435761u >> 8) & {bins - 1}u;"]
    for number, member in enumerate(added):
        value = "x" if member.real() else str(number + 1)
        value = f"x * {0.5 + 0.25 * number}f" if member.real() and number else value
        body.append(f"atomicAdd(&p[j].{member.places()[0]}, {'(double)(' + value + ')' if member.kind == 'double' else value});")
    given = [(f"{record.name} *", "p"), ("const float *", "x0"), ("int", "n")]
    return Kernel(name, given, body, block, launches, f"Atomic additions to {len(added)} of the members of {bins} records")


def shared(rng, record, name):
    """Tiles of records through shared memory: a member or two of each, used by the whole block."""
    work, block = Work(rng, record, heavy=False), rng.choice((64, 128, 256))
    reals = [member for member in record.members if member.real()]
    chosen, padding = share(rng, reals, (0, 0.5, 1))[:3], rng.choice((0, 0, 1))
    reach = rng.choice((8, 32, block))
    launches = []
    for n in record_counts(rng, work, record.bytes(), ((1, 8), (20, 80), (120, 300))):
        n = n // block * block
        launches.append((n // block, ["p", "out", str(n)], n, f"{n} records"))
    kind = work.type
    body = [f"__shared__ {kind} tile[{len(chosen)}][{block + padding}];"] + thread_index(False) + ["int t = threadIdx.x;"]
    for number, member in enumerate(chosen):
        cast = "(float)" if kind == "float" and member.kind == "double" else ""
        body.append(f"tile[{number}][t] = {cast}p[i].{member.places()[0]};")
    body += ["__syncthreads();", f"{kind} x = {work.literal(0.0)};", f"for (int r = 0; r < {reach}; r++) {{"]
    step = rng.choice(("(t + r) & ", "(t * 2 + r) & ", "r & "))
    for number, _ in enumerate(chosen):
        body.append(f"\tx += {work.literal(0.5)} * tile[{number}][{step}{block - 1}];")
    body += ["}", "if (i < n)", "\tout[i] = (float)x;"]
    given = [(f"const {record.name} *", "p"), ("float *", "out"), ("int", "n")]
    return Kernel(name, given, body, block, launches, f"Tiles of {len(chosen)} members in shared memory, {reach} steps, {kind}")


FAMILIES = (stream, broadcast, strided, gather, stencil, reduction, atomics, shared)
MIXED = "mixed"


def atomic_record(rng):
    """A record whose members can all be added to."""
    record = Record(rng, "record", plain=True)
    for member in record.members:
        member.kind = rng.choice(("float", "float", "int", "unsigned", "double"))
    if not any(member.real() for member in record.members):
        record.members[0].kind = "float"
    return record


# ---- programs -----------------------------------------------------------------------------------------------------------

def buffers(kernels):
    """What the arrays of all launches need: (type, name, elements)."""
    needed = {}
    for kernel in kernels:
        most = max(extent for _, _, extent, _ in kernel.launches)
        for kind, name in kernel.parameters:
            if kind.endswith("*"):
                needed[name] = (kind.replace("const ", "").rstrip(" *"), max(needed.get(name, ("", 0))[1], most))
    return [(kind, name, count) for name, (kind, count) in needed.items()]


def program(family, number, record, kernels):
    lines = ["/*", f" * The struct sweep, {family} {number}: records of {record.bytes()} bytes, {len(record.members)} members. Written by generate.py.", " */",
             "#include <cstdio>", "#include <cuda_runtime.h>", "", record.declaration(), ""]
    for kernel in kernels:
        lines += [kernel.text(), ""]
    lines += ["int main()", "{"]
    for kind, name, count in buffers(kernels):
        lines += [f"\t{kind} *{name};", f"\tcudaMalloc(&{name}, {count} * sizeof({kind}));", f"\tcudaMemset({name}, 0, {count} * sizeof({kind}));"]
    for kernel in kernels:
        for grid, values, _, _ in kernel.launches:
            wide, deep = "," in str(grid), "," in str(kernel.block)
            lines.append(f"\t{kernel.name}<<<{f'dim3({grid})' if wide else grid}, {f'dim3({kernel.block})' if deep else kernel.block}>>>("
                         f"{', '.join(values)});")
    lines += ["\tcudaError_t error = cudaDeviceSynchronize();", "\tprintf(\"%s\\n\", cudaGetErrorString(error));", "\treturn error != cudaSuccess;", "}", ""]
    return "\n".join(lines)


def make_program(family, number, seed=SEED):
    rng = random.Random(f"{seed} {family} {number}")
    record = atomic_record(rng) if family == "atomics" else Record(rng, "record")
    makers = {maker.__name__: maker for maker in FAMILIES}
    kernels = []
    for letter in "ab":
        maker = makers[rng.choice(("stream", "strided", "gather", "stencil", "reduction"))] if family == MIXED else makers[family]
        kernels.append(maker(rng, record, f"{family}_{number}_{letter}"))
    return program(family, number, record, kernels), record, kernels


def set_of(family):
    """Which program of the family is in which set."""
    order = [name for name in SETS for _ in range(PER_FAMILY // len(SETS))]
    random.Random(f"{SEED} sets {family}").shuffle(order)
    return order


def suite_text(cases):
    rows = ",\n".join("    " + json.dumps(case) for case in cases)
    return '{\n  "schema": "coalesce/suite/1",\n  "machine": "h200",\n  "measured": "%s",\n  "cases": [\n' + rows + "\n  ]\n}\n"


def programs():
    """Each program: its set, its family, its number and the seed that it is drawn from."""
    families = [maker.__name__ for maker in FAMILIES] + [MIXED]
    for family in families:
        for number, where in enumerate(set_of(family)):
            yield where, family, number, SEED
    for where, seed in LATER.items():
        for family in families:
            for number in range(PER_FAMILY_LATER):
                yield where, family, number, seed


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))
    cases = {name: [] for name in SETS + tuple(LATER)}
    for where, family, number, seed in programs():
        text, record, kernels = make_program(family, number, seed)
        os.makedirs(os.path.join(folder, where), exist_ok=True)
        with open(os.path.join(folder, where, f"{family}_{number}.cu"), "w", encoding="utf-8") as stream_out:
            stream_out.write(text)
        cases[where].append({"id": f"{where}-{family}-{number}", "group": family, "file": f"{where}/{family}_{number}.cu",
                             "size": f"{record.bytes()} bytes; " + "; ".join(", ".join(words for _, _, _, words in kernel.launches) for kernel in kernels),
                             "options": ["--keep-arrays"] * any(member.length for member in record.members)
                             + sorted({option for kernel in kernels if kernel.index for option in ("--index", kernel.index)})})
    for name, rows in cases.items():
        with open(os.path.join(folder, name + ".json"), "w", encoding="utf-8") as stream_out:
            stream_out.write(suite_text(rows) % f"../measured/sweep-{name}-h200.json")
    print({name: len(found) for name, found in cases.items()})


if __name__ == "__main__":
    main()
