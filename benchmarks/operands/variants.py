#!/usr/bin/env python3
"""Writes cubins in which the loop of template.cu holds what is to be timed: instructions with chosen registers, reuse flags and stall counts.

    variants.py TEMPLATES FOLDER       one FOLDER/NAME.cubin per variant, and FOLDER/methods.json: what each holds

TEMPLATES holds BODY.cubin for BODY 32 ... 1024, each `nvcc -arch=sm_90 -DBODY=256 -cubin template.cu`. The encoding of an instruction is that which ptxas gave it in the template's second kernel, with other
operands; control bits are described in the literature (stall counts 105 to 108, barriers, reuse 122 to 125 of 128). python3 without packages.
"""
import json
import os
import struct
import sys

# Low word without operands, high word without the third operand; operands: how many sources; wide: registers come in pairs.
CODES = {
    "FFMA": (0x7223, 0x00000000, 3, 1), "FADD": (0x7221, 0x00000000, 2, 1), "FMUL": (0x7220, 0x00400000, 2, 1),
    "IADD3": (0x7210, 0x07ffe000, 3, 1), "IMAD": (0x7224, 0x078e0200, 3, 1), "LOP3": (0x7212, 0x078ee800, 3, 1),
    "DFMA": (0x722b, 0x00000000, 3, 2), "HFMA2": (0x7231, 0x00000000, 3, 1),
}
MUFU_LOW, MUFU_HIGH = 0x7308, 0x00000800
BODIES = (32, 64, 128, 256, 512, 1024)


def section(data, name):
    """Offset and size of a section of an ELF file."""
    offset, entry, count, names = struct.unpack_from("<Q10xHHH", data, 0x28)[0], *struct.unpack_from("<HHH", data, 0x3a)
    headers = [struct.unpack_from("<IIQQQQIIQQ", data, offset + i * entry) for i in range(count)]
    strings = headers[names][4]
    for header in headers:
        begin = strings + header[0]
        if data[begin:data.index(b"\0", begin)] == name.encode():
            return header[4], header[5]
    raise SystemExit(f"no section {name}")


def control(stall, reuse=0, write=7, read=7, wait=0, stay=1):
    """The control bits, where they lie in the high word: bit 4 of the field says not to yield."""
    return (stall | stay << 4 | write << 5 | read << 8 | wait << 11 | reuse << 17) << 41


def encode(code, target, sources, stall=1, reuse=0, stay=1):
    if code == "MUFU":
        return MUFU_LOW | target << 16 | sources[0] << 32, MUFU_HIGH | control(stall)
    low, high, count, _ = CODES[code]
    low |= target << 16 | sources[0] << 24 | sources[1] << 32
    high |= (sources[2] if count == 3 else 0) | control(stall, reuse, stay=stay)
    return low, high


def variants_write(folder, variants):
    """Writes FOLDER/NAME.cubin for each name, cubin and line of text, and the lines after the names to FOLDER/names, for the program that runs them."""
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "names"), "w", encoding="utf-8") as names:
        for name, data, line in variants:
            with open(os.path.join(folder, name + ".cubin"), "wb") as stream:
                stream.write(data)
            names.write(f"{name} {line}\n")


class Template:
    def __init__(self, folder, body):
        with open(os.path.join(folder, f"{body}.cubin"), "rb") as file:
            self.data = bytearray(file.read())
        self.begin, size = section(self.data, ".text.timed")
        words = [struct.unpack_from("<QQ", self.data, self.begin + at) for at in range(0, size, 16)]
        adds = [i for i, (low, _) in enumerate(words) if low & 0xffff == 0x7221]
        runs = [i for i in adds if self.loop_holds(words, i)]
        if len(runs) != body:
            raise SystemExit(f"the loop holds {len(runs)} additions, not {body}")
        self.places = runs
        used = {word >> shift & 255 for i in runs for word, shift in ((words[i][0], 16), (words[i][0], 24), (words[i][0], 32))}
        loop = range(runs[0], runs[-1] + 8)
        others = {words[i][0] >> shift & 255 for i in loop if i not in set(runs) for shift in (16, 24, 32)}
        self.registers = sorted(register for register in used - others if register < 255)

    @staticmethod
    def loop_holds(words, index):
        """Whether a branch back goes from behind the instruction to before it."""
        for at, (low, high) in enumerate(words):
            if low & 0xfff == 0x947:
                words_back = ((high & 0x3ffff) << 30 | low >> 34) << 8 | low >> 16 & 0xff
                words_back -= 1 << 56 if words_back >> 55 else 0
                target = at + 1 + words_back // 4
                if target <= index < at:
                    return True
        return False

    def write(self, path, instructions):
        """instructions: (low, high), repeated until the body is full."""
        data = bytearray(self.data)
        for number, place in enumerate(self.places):
            struct.pack_into("<QQ", data, self.begin + place * 16, *instructions[number % len(instructions)])
        with open(path, "wb") as file:
            file.write(data)


class Pool:
    """Registers by bank: even and odd ones, each handed out in turn."""

    def __init__(self, registers, wide=1):
        fit = [register for register in registers if register % wide == 0 and all(register + i in registers for i in range(wide))]
        self.targets = fit[-16:] if wide == 1 else fit[-6:]
        rest = [register for register in fit if register not in self.targets]
        self.wide, self.banks = wide, [[register for register in rest if register // wide % 2 == bank] for bank in (0, 1)]
        self.next, self.next_target = [0, 0], 0

    def source(self, bank):
        self.next[bank] += 1
        return self.banks[bank][self.next[bank] % len(self.banks[bank])]

    def target(self):
        self.next_target += 1
        return self.targets[self.next_target % len(self.targets)]


def same_code(pool, code, banks, reuse=0, stall=1, keep=(), stay=1):
    """Sixty-four instructions of one kind, each with sources in the given banks; those numbered in `keep` stay the same throughout."""
    fixed = {number: pool.source(banks[number]) for number in keep}
    result = []
    for _ in range(64):
        sources = [fixed.get(number, None) if number in fixed else pool.source(bank) for number, bank in enumerate(banks)]
        result.append(encode(code, pool.target(), sources, stall, reuse, stay))
    return result


def interleaved(*lists):
    return [instruction for group in zip(*lists) for instruction in group]


def variants(template):
    """Yields name, instructions, method."""
    registers = template.registers
    for code, (_, _, count, wide) in CODES.items():
        for number in range(1 << count):
            banks = [number >> i & 1 for i in range(count)]
            name = "".join("eo"[bank] for bank in banks)
            yield f"{code}_{name}", same_code(Pool(registers, wide), code, banks), f"{code} of sources in banks {name} (even, odd), all different"
    for code in ("FFMA", "IMAD", "IADD3", "LOP3"):
        for banks in ((0, 0, 0), (0, 0, 1), (0, 1, 0), (0, 1, 1)):
            for reuse, keep in ((1, (0,)), (2, (1,)), (4, (2,)), (3, (0, 1)), (7, (0, 1, 2))):
                name = "".join("eo"[bank] for bank in banks) + "_keep_" + "".join("abc"[i] for i in keep)
                yield (f"{code}_{name}", same_code(Pool(registers), code, banks, reuse, 1, keep),
                       f"{code}, sources {name[:3]}, those named are the same throughout and flagged for reuse")
                yield (f"{code}_{name}_unflagged", same_code(Pool(registers), code, banks, 0, 1, keep), f"the same without the flag")
    for stall in (1, 2, 4, 6):
        for stay in (0, 1):
            for banks, reuse, keep in (((0, 0, 0), 3, (0, 1)), ((0, 0, 1), 1, (0,)), ((0, 0, 0), 7, (0, 1, 2))):
                name = "FFMA_" + "".join("eo"[bank] for bank in banks) + "_keep_" + "".join("abc"[i] for i in keep)
                yield (f"{name}_stall_{stall}{'' if stay else '_yield'}", same_code(Pool(registers), "FFMA", banks, reuse, stall, keep, stay),
                       f"as {name}, with a stall count of {stall}{'' if stay else ', yielding'}")
    for stall in (1, 2, 4):
        for code in ("FFMA", "IADD3", "FADD"):
            yield f"{code}_stall_{stall}", same_code(Pool(registers), code, (0, 1, 0)[:CODES[code][2]], 0, stall), f"{code} with a stall count of {stall}"
    good = {"FFMA": (0, 1, 1), "IADD3": (0, 1, 1), "IMAD": (0, 1, 1), "LOP3": (0, 1, 1), "FADD": (0, 1), "FMUL": (0, 1), "HFMA2": (0, 1, 1)}
    pairs = [("FADD", "IADD3"), ("FADD", "IMAD"), ("FADD", "FMUL"), ("IADD3", "IMAD"), ("IADD3", "LOP3"), ("FADD", "HFMA2"), ("FFMA", "IADD3"), ("FFMA", "IMAD"),
             ("HFMA2", "IMAD"), ("HFMA2", "IADD3")]
    for first, second in pairs:
        pool = Pool(registers)
        mixed = interleaved(same_code(pool, first, good[first]), same_code(pool, second, good[second]))
        yield f"{first}_{second}", mixed, f"{first} and {second} in turn"
        yield f"{first}_{first}_{second}", interleaved(same_code(pool, first, good[first]), same_code(pool, first, good[first]), same_code(pool, second, good[second])), \
            f"two {first} and a {second} in turn"
    pool = Pool(registers)
    for others in (3, 7, 15):
        adds = same_code(pool, "FADD", (0, 1))
        body = []
        for i in range(0, 64 - others, others):
            body += adds[i:i + others] + [encode("MUFU", pool.target(), [pool.source(0)])]
        yield f"MUFU_{others}_FADD", body, f"a MUFU after every {others} FADD"
    wide = Pool(registers, 2)
    doubles = same_code(wide, "DFMA", (0, 1, 0))
    yield "DFMA_FADD", interleaved(doubles, [encode("FADD", pool.target(), [pool.source(0), pool.source(1)]) for _ in doubles]), "DFMA and FADD in turn"
    for code in ("FADD", "FFMA", "IADD3"):
        even, odd = [(0,) * CODES[code][2], (1,) * CODES[code][2]]
        pool = Pool(registers)
        yield f"{code}_turns", interleaved(same_code(pool, code, even), same_code(pool, code, odd)), f"{code} of even sources and {code} of odd sources in turn"
    pool = Pool(registers)
    yield "FFMA_turns_two_one", interleaved(same_code(pool, "FFMA", (0, 0, 1)), same_code(pool, "FFMA", (1, 1, 0))), "FFMA eeo and FFMA ooe in turn"
    yield "FADD_turns_IADD3", interleaved(same_code(pool, "FADD", (0, 0)), same_code(pool, "IADD3", (1, 1, 0))), "FADD ee and IADD3 ooe in turn"
    yield "FFMA_same", [encode("FFMA", pool.target(), [register, register, register]) for register in (pool.source(i % 2) for i in range(64))], \
        "FFMA of the same register three times"
    yield "FFMA_same_two", [encode("FFMA", pool.target(), [register, register, pool.source(1)]) for register in (pool.source(0) for i in range(64))], \
        "FFMA of one even register twice and an odd one"
    yield "NOP_like", [encode("FADD", 255, [255, 255]) for _ in range(64)], "FADD of the zero register into the zero register: no register is read or written"


def by_length(template, body):
    """What depends on the length of the body: how instructions are supplied where warps take turns. Yields as variants does."""
    for stall in (1, 2, 4, 5, 6, 8):
        yield f"FADD_body_{body}_stall_{stall}", same_code(Pool(template.registers), "FADD", (0, 1), 0, stall), f"FADD, stall count {stall}, a body of {body}"
    mixed = same_code(Pool(template.registers), "FADD", (0, 1), 0, 1)
    mixed = [encode_again(word, 5 if number % 4 == 3 else 1) for number, word in enumerate(mixed)]
    yield f"FADD_body_{body}_stall_1115", mixed, f"FADD, every fourth with a stall count of 5, the others 1, a body of {body}"


def encode_again(word, stall):
    """The same instruction with another stall count."""
    low, high = word
    return low, high & ~(15 << 41) | stall << 41


def main():
    folder, methods = sys.argv[2], {}
    os.makedirs(folder, exist_ok=True)
    for body in BODIES:
        template = Template(sys.argv[1], body)
        for name, instructions, method in [*(variants(template) if body == 256 else ()), *by_length(template, body)]:
            template.write(os.path.join(folder, name + ".cubin"), instructions)
            methods[name] = method
    with open(os.path.join(folder, "methods.json"), "w", encoding="utf-8") as file:
        json.dump(methods, file, indent=1)
    print(len(methods), "variants")


if __name__ == "__main__":
    main()
