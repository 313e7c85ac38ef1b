#!/usr/bin/env python3
"""Translates the PTX of benchmarks/calibrate into C functions that fake_cuda.cpp runs thread by thread.

    ptx_to_c.py FILE.ptx... >kernels.inc

Only what those kernels use; anything else is an error. Constant memory is a piece of global memory. Every register is the 64 bits of a uint64_t. Each memory access is checked against
the allocations. Shuffles and votes see one lane only: their results are not those of a GPU, which the microbenchmarks do not use.
"""
import re
import sys

C_TYPE = {"u32": "uint32_t", "s32": "int32_t", "b32": "uint32_t", "u64": "uint64_t", "s64": "int64_t", "b64": "uint64_t",
          "f32": "float", "f64": "double", "pred": "bool"}
SIZE = {"32": 4, "64": 8}
COMPARE = {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!=", "neu": "!="}
INFIX = {"add": "+", "sub": "-", "mul": "*", "and": "&", "or": "|", "xor": "^"}
SPECIAL = {"%clock64": "emulated_clock()", "%clock": "(uint64_t)(uint32_t)emulated_clock()", "%globaltimer": "emulated_timer()", "%smid": "(uint64_t)(t->ctaid % emulated_sms)",
           "%tid.x": "t->tid", "%ntid.x": "t->ntid", "%ctaid.x": "t->ctaid", "%nctaid.x": "t->nctaid"}


class Function:
    def __init__(self, name, parameters, shared, constants):
        self.name, self.parameters, self.shared, self.constants = name, parameters, shared, constants
        self.registers, self.lines = set(), []

    def raw(self, text):
        """An operand as 64 bits."""
        text = text.strip()
        if text in SPECIAL:
            return SPECIAL[text]
        if text in self.shared:
            return f"{self.shared[text]}ull"
        if text in self.constants:
            return f"(uint64_t)constant_{text}"
        if re.fullmatch(r"0[fF][0-9a-fA-F]{8}", text):
            return f"0x{text[2:]}ull"
        if re.fullmatch(r"0[dD][0-9a-fA-F]{16}", text):
            return f"0x{text[2:]}ull"
        if re.fullmatch(r"-?(0x[0-9a-fA-F]+|[0-9]+)U?", text):
            return f"(uint64_t)({text.rstrip('U')}ll)"
        if re.fullmatch(r"%?[a-zA-Z_][\w$]*", text):
            name = "v_" + text.lstrip("%").replace("$", "_")
            self.registers.add(name)
            return name
        raise SystemExit(f"{self.name}: operand {text!r}")

    def value(self, text, kind):
        """An operand as a C value of a PTX type."""
        raw = self.raw(text)
        if kind == "f32":
            return f"as_float({raw})"
        if kind == "f64":
            return f"as_double({raw})"
        return f"({C_TYPE[kind]})({raw})"

    def put(self, target, kind, expression):
        target = self.raw(target)
        if kind == "f32":
            return f"{target} = of_float({expression});"
        if kind == "f64":
            return f"{target} = of_double({expression});"
        if kind == "pred":
            return f"{target} = (uint64_t)!!({expression});"
        return f"{target} = ({'uint32_t' if kind.endswith('32') else 'uint64_t'})({expression});"

    def address(self, text):
        inside = re.fullmatch(r"\[(.*)\]", text.strip()).group(1)
        base, _, offset = inside.partition("+")
        return f"({self.raw(base)} + ({offset.strip() or 0}))"


def operands_of(text):
    """Splits at commas outside of braces and brackets."""
    parts, depth, part = [], 0, ""
    for char in text:
        depth += (char in "{[") - (char in "}]")
        if char == "," and depth == 0:
            parts.append(part.strip())
            part = ""
        else:
            part += char
    return parts + [part.strip()] if part.strip() else parts


def members(text):
    return [part.strip() for part in text.strip()[1:-1].split(",")] if text.strip().startswith("{") else [text.strip()]


def parameter_load(function, kind, operands):
    name, _, offset = operands[1].strip("[]").partition("+")
    index, where = function.parameters.index(name), int(offset or 0)
    size = SIZE[kind[1:]]
    return "".join(f"{function.raw(target)} = fetch((const char *)arguments[{index}] + {where + i * size}, {size});"
                   for i, target in enumerate(members(operands[0])))


def memory_access(function, base, space, past_l1, kind, operands):
    targets = members(operands[0 if base == "ld" else 1])
    size = SIZE[kind[1:]]
    place = function.address(operands[1 if base == "ld" else 0])
    bytes_moved = size * len(targets)
    if space == "shared":
        code = f"{{ char *m = shared_place(t, {place}, {bytes_moved});"
    else:
        code = f"{{ char *m = global_place(t, {place}, {bytes_moved}, {'STORE' if base == 'st' else 'LOAD_PAST_L1' if past_l1 else 'LOAD'});"
    for i, target in enumerate(targets):
        if base == "ld":
            code += f" {function.raw(target)} = fetch(m + {i * size}, {size});"
        else:
            code += f" uint64_t s{i} = {function.raw(target)}; memcpy(m + {i * size}, &s{i}, {size});"
    return code + " }"


def atomic(function, base, parts, operands):
    kind = parts[-1]
    place = operands[1] if base == "atom" else operands[0]
    where = function.address(place)
    place = f"shared_place(t, {where}, 4)" if "shared" in parts else f"global_place(t, {where}, 4, LOAD_PAST_L1)"
    code = f"{{ char *m = {place}; uint64_t old = fetch(m, 4), sum;"
    if kind == "f32":
        code += f" sum = of_float(as_float(old) + {function.value(operands[-1], 'f32')});"
    else:
        code += f" sum = (uint32_t)(old + {function.raw(operands[-1])});"
    code += " memcpy(m, &sum, 4);"
    return code + (f" {function.raw(operands[0])} = old;" if base == "atom" else "") + " }"


def convert(function, parts, operands):
    target, source = parts[-2:]
    value = function.value(operands[1], source)
    if target[0] == "f":
        return function.put(operands[0], target, f"({C_TYPE[target]})({value})")
    if source[0] == "f":
        return function.put(operands[0], target, f"float_to_int({value})")
    return function.put(operands[0], target, f"({C_TYPE[target]})({value})")


def unary(function, name, kind, operands):
    value = function.value(operands[1], kind)
    expressions = {"ex2": f"exp2f({value})", "sin": f"sinf({value})", "rsqrt": f"1 / sqrtf({value})", "rcp": f"1 / {value}",
                   "sqrt": f"sqrt{'f' if kind == 'f32' else ''}({value})", "popc": f"__builtin_popcountll({value})", "neg": f"-{value}",
                   "not": f"~{value}"}
    return function.put(operands[0], kind, expressions[name])


def logic(function, operands):
    a, b, c = (function.value(operand, "b32") for operand in operands[1:4])
    return function.put(operands[0], "b32", f"lookup({a}, {b}, {c}, {operands[4]})")


def binary(function, name, kind, parts, operands):
    a, b = function.value(operands[1], kind), function.value(operands[2], kind)
    if name in ("div", "rem"):
        expression = f"{a} / {b}" if kind[0] == "f" else f"({b} == 0 ? 0 : {a} {'/' if name == 'div' else '%'} {b})"
    elif name in ("min", "max"):
        expression = f"({a} {'<' if name == 'min' else '>'} {b} ? {a} : {b})"
    elif name in ("shl", "shr"):
        amount = function.value(operands[2], "u32")
        expression = f"({amount} >= {8 * SIZE[kind[1:]]} ? 0 : {a} {'<<' if name == 'shl' else '>>'} {amount})"
    elif name == "mul" and "wide" in parts:
        wide = kind[0] + "64"
        return function.put(operands[0], wide, f"({C_TYPE[wide]}){a} * ({C_TYPE[wide]}){b}")
    else:
        if kind[0] == "s":
            a, b = (function.value(operand, "u" + kind[1:]) for operand in operands[1:3])
        expression = f"{a} {INFIX[name]} {b}"
    return function.put(operands[0], kind, expression)


def instruction(function, text):
    """C code of one PTX instruction without guard."""
    opcode, _, rest = text.partition(" ") if "\t" not in text else text.partition("\t")
    parts, operands = opcode.split("."), operands_of(rest.strip())
    base, kind = parts[0], parts[-1]
    if opcode.startswith("ld.param"):
        return parameter_load(function, kind, operands)
    if base in ("ld", "st"):
        return memory_access(function, base, parts[1], "cg" in parts, kind, operands)
    if base in ("atom", "red"):
        return atomic(function, base, parts, operands)
    if base == "bra":
        return f"goto {label_name(operands[0])};"
    if base == "ret":
        return "return;"
    if base == "bar":
        return "emulated_barrier(t);" if parts[1] == "sync" else ""
    if base == "mov" and operands[0].startswith("{"):
        low, high = members(operands[0])
        whole = function.raw(operands[1])
        return f"{{ uint64_t w = {whole}; {function.raw(low)} = (uint32_t)w; {function.raw(high)} = w >> 32; }}"
    if base == "mov" and operands[1].startswith("{"):
        low, high = members(operands[1])
        return f"{function.raw(operands[0])} = (uint32_t){function.raw(low)} | {function.raw(high)} << 32;"
    if base in ("mov", "cvta"):
        return f"{function.raw(operands[0])} = {function.raw(operands[1])};"
    if base == "cvt":
        return convert(function, parts, operands)
    if base == "setp":
        return function.put(operands[0], "pred", f"{function.value(operands[1], kind)} {COMPARE[parts[1]]} {function.value(operands[2], kind)}")
    if base == "selp":
        return f"{function.raw(operands[0])} = {function.raw(operands[3])} ? {function.raw(operands[1])} : {function.raw(operands[2])};"
    if base == "lop3":
        return logic(function, operands)
    if base == "shfl":
        return f"{function.raw(operands[0])} = {function.raw(operands[1])};"
    if base == "vote":
        return f"{function.raw(operands[0])} = {function.raw(operands[1])} ? 0xffffffffull : 0;"
    if base in ("fma", "mad"):
        a, b, c = (function.value(operand, kind if kind[0] == "f" else "u" + kind[1:]) for operand in operands[1:4])
        return function.put(operands[0], kind, f"{a} * {b} + {c}")
    if len(operands) == 2:
        return unary(function, base, kind, operands)
    return binary(function, base, kind, parts, operands)


def label_name(text):
    return "l_" + text.strip().replace("$", "_").strip(";")


def statements(body):
    """Yields labels ("name:") and instructions of a function's body, declarations left out."""
    body = re.sub(r"//[^\n]*", "", body)
    for piece in re.split(r"[;]", body.replace("\n", " ")):
        piece = re.sub(r"\s+", " ", piece).strip()
        while True:
            label = re.match(r"(\$?\w+):\s*", piece)
            if label:
                yield label.group(1) + ":"
                piece = piece[label.end():]
            elif re.match(r"\{\s*\.|\{\s*$|\{\s*[a-z]", piece):
                piece = piece[1:].strip()
            elif piece.startswith("}"):
                piece = piece[1:].strip()
            else:
                break
        if piece and not piece.startswith((".reg", ".pragma", ".shared", ".loc", ".file")):
            yield piece


def translate(name, header, body, module_shared, constants):
    parameters = re.findall(r"\.param[^,)]*?(\w+)(?:\[\d+\])?\s*(?:,|\)|$)", header)
    function = Function(name, parameters, dict(module_shared), constants)
    static = 0
    for match in re.finditer(r"\.shared\s+\.align\s+(\d+)\s+\.(\w+)\s+(\w+)(?:\[(\d+)\])?;", body):
        align, kind, symbol, count = int(match.group(1)), match.group(2), match.group(3), int(match.group(4) or 1)
        static = (static + align - 1) // align * align
        function.shared[symbol] = static
        static += count * (1 if kind == "b8" else SIZE[kind[1:]])
    for text in statements(body):
        if text.endswith(":"):
            function.lines.append(f"{label_name(text[:-1])}:;")
            continue
        guard = re.match(r"@(!?)(%?\w+)\s+(.*)", text)
        code = instruction(function, guard.group(3) if guard else text)
        if guard:
            code = f"if ({guard.group(1)}{function.raw(guard.group(2))}) {{ {code} }}"
        function.lines.append("emulated_ticks++; " + code)
    declared = "".join(f"\tuint64_t {register} = 0;\n" for register in sorted(function.registers))
    lines = "\n".join("\t" + line for line in function.lines)
    return f"static void emulated_{name}(void **arguments, struct emulated_thread *t)\n{{\n\t(void)arguments; (void)t;\n{declared}{lines}\n}}\n", static


def main():
    table, constant_table = [], []
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            text = file.read()
        module_shared = {symbol: 0 for symbol in re.findall(r"\.extern\s+\.shared\s+.*?(\w+)\[\];", text)}
        constants = re.findall(r"^\.const\s+\.align\s+\d+\s+\.\w+\s+(\w+)\[\d+\];", text, re.M)
        for constant in constants:
            print(f"static char *constant_{constant};")
            constant_table.append(f'\t{{"{constant}", &constant_{constant}}},')
        for match in re.finditer(r"\.entry\s+(\w+)\s*\((.*?)\)(.*?)\n\{\n(.*?)\n\}\n", text, re.S):
            name = match.group(1)
            code, static = translate(name, match.group(2), match.group(4), module_shared, constants)
            print(code)
            table.append(f'\t{{"{name}", emulated_{name}, {static}}},')
    print("static const struct emulated_constant emulated_constants[] = {\n" + "\n".join(constant_table) + "\n\t{nullptr, nullptr},\n};")
    print("static const struct emulated_kernel emulated_kernels[] = {\n" + "\n".join(table) + "\n};")


if __name__ == "__main__":
    main()
