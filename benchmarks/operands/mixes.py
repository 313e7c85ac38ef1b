#!/usr/bin/env python3
"""Writes cubins in which the loop of mixes.cu holds groups of instructions of several kinds.

    mixes.py MIXES.cubin FOLDER       FOLDER/NAME.cubin for each mix, and FOLDER/names: name, instructions of a group, instructions of the loop

MIXES.cubin: nvcc -arch=sm_90 -cubin mixes.cu. Every instruction has a stall count of 1, and nothing waits. Loads take their address from registers 8 and 9, in which
mixes.cu's pointer has to be: nvcc 13.0.88 puts it into 6 and 7, and writes 7 before they load, so that they end the launch. python3 without packages.
"""
import sys

from variants import control, section, variants_write

# Low word, high word without control bits, as ptxas wrote them; sources: registers 6 to 10, uniform ones 6 and 8; results: registers 20 to 27, uniform ones 16 to 30.
CODES = {
    "nop": (0x0000000000007918, 0x0), "ffma1": (0x0000000606147223, 0x7), "ffmaEOE": (0x0000000706147223, 0xa),
    "ffmaEEE": (0x0000000806147223, 0xa), "fmul": (0x4b80000006147820, 0x400000), "fadd": (0x0000000706147221, 0x0),
    "faddEE": (0x0000000806147221, 0x0), "imad": (0x0000000706147224, 0x78e020a), "wide": (0x0000000406147825, 0x78e0208),
    "wideO": (0x0000000407147825, 0x78e0208), "widez": (0x0000000406147825, 0x78e02ff), "imadhi": (0x0000000706147227, 0x78e020a),
    "imadiadd": (0x0000000106147824, 0x78e0a0a), "imadmov": (0x000000ffff147224, 0x78e000a), "iadd3": (0x0000000706147210, 0x7ffe00a),
    "lopi": (0x000000ff06147812, 0x78ec0ff), "shf": (0x0000001fff147819, 0x11406), "viadd": (0x0000000706147836, 0x0),
    "sel": (0x0000000306147807, 0x4000000), "fmnmx": (0x0000000706147209, 0x7800000), "vimnmx": (0x0000000706147248, 0x7fe0100),
    "iabs": (0x0000000600147213, 0x0), "i2fp": (0x0000000600147245, 0x201400), "popc": (0x0000000600147309, 0x0),
    "rsq": (0x0000000600147308, 0x1400), "hfma2": (0x00000000ff147435, 0x1ff), "mov": (0x0000000100147802, 0xf00),
    "movu": (0x0000000500147c02, 0x8000f00), "ldg": (0x0000000608147981, 0xc1e1900), "ldg2": (0x0000000608147981, 0xc1e1b00),
    "ldg4": (0x0000000608147981, 0xc1e1d00), "lds": (0x00040000ff147984, 0x800), "shfl": (0x08401f0006147f89, 0xe0000),
    "dadd": (0x0000000608147e29, 0x8000000), "isetp": (0x000000070600720c, 0x3f26270), "f2i": (0x0000000600147305, 0x20f100),
    "f2f64": (0x0000000600147310, 0x201800), "uiadd": (0x0000000108107890, 0xfffe03f), "uiaddx": (0x0000000708107290, 0x87fe43f),
    "ushf": (0x0000000308107899, 0x800063f), "ulop3": (0x0000007008107892, 0xf8ec03f), "uimadw": (0x00000080081078a5, 0xf8e0028),
    "umov": (0x0000040000107882, 0x0), "uldc": (0x00008c0000107ab9, 0x800), "leahi": (0x0000000706147211, 0x78f280a),
}
PAIRS = {"wide", "wideO", "widez", "dadd", "f2f64", "ldg2"}  # of registers
FOURS = {"ldg4"}
VARIABLE = {"ldg", "ldg2", "ldg4", "lds", "shfl", "rsq", "popc", "f2i", "f2f64"}  # they tell a scoreboard when they are done
SCOREBOARD = 5
CHAIN, OPERATION = 0x7c12, 0xffff  # additions of timed's loop: LOP3 with a uniform register
REGISTERS = 32


def instruction(kind, at):
    low, high = CODES[kind]
    if kind[0] == "u":
        low = low & ~(0xff << 16) | (16 + 2 * (at % 8)) << 16
    elif kind not in ("nop", "isetp"):
        low = low & ~(0xff << 16) | (20 + (4 * (at % 2) if kind in FOURS else 2 * (at % 4) if kind in PAIRS else at % 8)) << 16
    return low, high | control(1, write=SCOREBOARD if kind in VARIABLE else 7)


def mixes():
    for kind in CODES:
        yield kind, [kind]
        for other in ("nop", "fmul", "ffma1", "lopi"):
            for count in (1, 2, 3, 7):
                if kind != "nop":
                    yield f"{kind}+{count}{other}", [kind] + [other] * count
    for kind in ("ldg", "ldg2", "ldg4", "shfl", "rsq", "popc", "f2i", "f2f64", "dadd", "hfma2", "wide"):
        for count in (2, 4):
            yield f"{kind}+{count}fl", [kind] + ["fmul", "lopi"] * count
        for count in (8, 11):
            yield f"{kind}+{count}fmul", [kind] + ["fmul"] * count
        yield f"{kind}+5ffmaEOE", [kind] + ["ffmaEOE"] * 5
        yield f"{kind}+5fmul+5nop", [kind] + ["fmul"] * 5 + ["nop"] * 5
        yield f"{kind}+10fmulnop", [kind] + ["fmul", "nop"] * 5
        yield f"{kind}+5imad", [kind] + ["imadmov", "fmul"] * 5
    for count in (2, 4, 8):
        for other in ("fmul", "fadd", "lopi", "ffmaEOE", "nop"):
            yield f"{count}ldg+{4 * count}{other}", ["ldg"] * count + [other] * (4 * count)
    for text in ("viadd+imadmov", "viadd+imad", "viadd+fmul+imadmov", "viadd+lopi+imadmov", "imadmov+fmul+fmul", "wide+imadmov", "wide+imadmov+nop+nop", "wide+hfma2+nop+nop",
                 "uimadw+uiadd+nop+nop", "uimadw+uiadd+fmul+fmul", "uiadd+ushf+ffma1+ffma1", "uimadw+uiadd+ushf+ulop3+fmul", "wide+lopi+ffma1+lopi", "hfma2+dadd"):
        yield text, text.split("+")


def patched(data):
    """Name, cubin, and how many instructions its group and its loop have, of each mix."""
    begin, size = section(data, ".text.timed")
    words = {at: int.from_bytes(data[at : at + 8], "little") for at in range(begin, begin + size, 16)}
    chain = [at for at, low in words.items() if low & OPERATION == CHAIN and low >> 16 & 255 == low >> 24 & 255]
    slots = chain[1:]  # the first one's stall count is for the addition to the loop's counter beside it
    count = data.find(b"\x04\x2f\x08\x00") + 8
    data[count : count + 4] = REGISTERS.to_bytes(4, "little")
    for name, kinds in mixes():
        whole = len(slots) // len(kinds) * len(kinds)
        for at, slot in enumerate(slots):
            words = instruction(kinds[at % len(kinds)] if at < whole else "nop", at)
            data[slot : slot + 16] = b"".join(word.to_bytes(8, "little") for word in words)
        yield name, data, f"{len(kinds)} {len(slots)}"


def main():
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    with open(sys.argv[1], "rb") as stream:
        variants_write(sys.argv[2], patched(bytearray(stream.read())))


if __name__ == "__main__":
    main()
