#!/usr/bin/env python3
"""Writes cubins in which the loop of mixes.cu holds branches that are taken, or never, places where lanes meet, and what ptxas makes of a square root.

    jumps.py MIXES.cubin FOLDER       FOLDER/NAME.cubin for each group, and FOLDER/names, for mixes.cu

MIXES.cubin: nvcc -arch=sm_90 -cubin mixes.cu. The loop's code is 1.6 KB. What is skipped counts as instructions of the group in names. Results: benchmarks/measured/jumps-h100.csv. python3 without packages.

An instruction: its name, a colon and its stall count, behind it y where it yields, w where it waits for a special function. Names: those of mixes.py; over and never with a number, a branch past so
many instructions, up to 63; overif, the same on a predicate; bssy with a number, how far behind it lanes meet; bsync; false, which clears that predicate.
"""
import sys

import mixes
from variants import control, variants_write

BRANCH, MEET, BARRIER, FALSE = 0x0947, 0x7941, 0x7945, 0x727FFFFFFF00780C
ALWAYS, NEVER, UNLESS = 0x7000, 0xF000, 0x9000  # no predicate, its opposite, !P1
FLOW_HIGH, FALSE_HIGH = 0x3800000, 0x3F24070
INSN_BYTES = 16
SKIPPED = 4


def instruction(text, at):
    kind, _, stall = text.partition(":")
    letters = kind.rstrip("0123456789")
    number = int(kind[len(letters):] or 0)
    bits = control(int(stall.rstrip("wy") or 1), write=mixes.SCOREBOARD if kind in mixes.VARIABLE else 7, wait=("w" in stall) << mixes.SCOREBOARD, stay="y" not in stall)
    predicates = {"over": ALWAYS, "never": NEVER, "overif": UNLESS}
    if letters in predicates:
        return BRANCH | predicates[letters] | number * INSN_BYTES // 4 << 16, FLOW_HIGH | bits
    if letters == "bssy":
        return BARRIER | number * INSN_BYTES << 32, FLOW_HIGH | bits
    if kind == "bsync":
        return MEET, FLOW_HIGH | bits
    if kind == "false":
        return FALSE, FALSE_HIGH | bits
    low, high = mixes.CODES[kind]
    target = 0 if kind == "nop" else 20 + at % 8
    return low & ~(0xFF << 16) | target << 16, high | bits


def multiplications(count):
    return ["fmul:1"] * count


def root(jumps=True, meets=True, yields=True, more=0):
    """A square root with ptxas's stall counts, its branch past the slow path taken or not, with or without the place where lanes meet."""
    skipped = ["nop:1"] * SKIPPED if jumps else []
    y = "y" if yields else ""
    return ["iadd3:1", "rsq:1", f"bssy{6 + len(skipped)}:2" if meets else "fmul:2", "false:13y" if yields else "false:11", "overif%d:5" % SKIPPED if jumps else "never4:5", *skipped,
            "fmul:1w", "fmul:3" + y, "ffma1:4" + y, "ffma1:7" + y, "bsync:5" if meets else "fmul:5", *multiplications(more)]


def groups():
    for count in (1, 2, 3, 4, 6, 8, 10, 14, 20, 28):
        for skipped in (1, 4, 12):
            yield f"{count}+over{skipped}", [*multiplications(count), f"over{skipped}:5", *["nop:1"] * skipped]
        yield f"{count}+never", [*multiplications(count), "never4:5"]
        yield f"{count}+bssy", [*multiplications(count), "bssy1:1"]
        yield f"{count}+bssy+bsync", [*multiplications(count), "bssy1:1", "bsync:5"]
        yield f"{count}+bssy+4+bsync", [*multiplications(count), "bssy5:1", *multiplications(4), "bsync:5"]
        yield f"{count}+bssy+over4+4+bsync", [*multiplications(count), "bssy10:1", "over4:5", *["nop:1"] * 4, *multiplications(4), "bsync:5"]
    for more in (0, 10, 26):
        yield f"root+{more}", root(more=more)
        yield f"root_never+{more}", root(jumps=False, more=more)
        yield f"root_alone+{more}", root(meets=False, more=more)
        yield f"root_steady+{more}", root(yields=False, more=more)


def main():
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    mixes.mixes, mixes.instruction = groups, instruction
    with open(sys.argv[1], "rb") as stream:
        variants_write(sys.argv[2], mixes.patched(bytearray(stream.read())))


if __name__ == "__main__":
    main()
