#!/usr/bin/env python3
"""Writes cubins in which no instruction of a kernel's loop yields, or in which its loads are NOPs.

    yields.py CUBIN KERNEL FIRST LAST FOLDER      FOLDER/NAME.cubin for each variant, and FOLDER/names: name, kernel

KERNEL as the cubin has it, FIRST and LAST: addresses of the loop's first and last instruction. Variants: as_it_is, no_yields, no_loads, no_loads_no_yields. python3 without packages.
"""
import sys

from variants import section, variants_write

INSTRUCTION = 16  # bytes
OPERATION, LOAD, NOP = 0xfff, 0x981, 0x7918
CONTROL, STAY = 41, 1 << 45  # where the control bits begin; the one that is 0 where an instruction yields
STALL_AND_YIELD, NO_SCOREBOARDS = 31, 7 << 5 | 7 << 8


def changed(low, high, loads, yields):
    if not loads and low & OPERATION == LOAD:
        low, high = NOP, (high >> CONTROL & STALL_AND_YIELD | NO_SCOREBOARDS) << CONTROL
    return low, high if yields else high | STAY


def patched(data, kernel, first, last):
    """Name, cubin, and the kernel's name, of each variant."""
    begin, _ = section(data, ".text." + kernel)
    for loads in (True, False):
        for yields in (True, False):
            variant = bytearray(data)
            for at in range(begin + first, begin + last + INSTRUCTION, INSTRUCTION):
                words = changed(int.from_bytes(data[at : at + 8], "little"), int.from_bytes(data[at + 8 : at + 16], "little"), loads, yields)
                variant[at : at + INSTRUCTION] = b"".join(word.to_bytes(8, "little") for word in words)
            yield "_".join(([] if loads else ["no_loads"]) + ([] if yields else ["no_yields"])) or "as_it_is", variant, kernel


def main():
    if len(sys.argv) != 6:
        raise SystemExit(__doc__)
    with open(sys.argv[1], "rb") as stream:
        variants_write(sys.argv[5], patched(stream.read(), sys.argv[2], int(sys.argv[3], 0), int(sys.argv[4], 0)))


if __name__ == "__main__":
    main()
