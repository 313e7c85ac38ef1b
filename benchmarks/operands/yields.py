#!/usr/bin/env python3
"""Writes cubins in which no instruction of a kernel's loop yields, or in which its loads are NOPs.

    yields.py CUBIN KERNEL FIRST LAST FOLDER      FOLDER/NAME.cubin for each variant, and FOLDER/names: name, kernel

KERNEL as the cubin has it, FIRST and LAST: addresses of the loop's first and last instruction. Variants: as_it_is, no_yields, no_loads, no_loads_no_yields. python3 without packages.
"""
import os
import sys

from variants import section

OPERATION, LOAD, NOP = 0xfff, 0x981, 0x7918
CONTROL, STAY = 41, 1 << 45  # where the control bits begin; the one that is 0 where an instruction yields
STALL_AND_YIELD, NO_SCOREBOARDS = 31, 7 << 5 | 7 << 8


def changed(low, high, loads, yields):
    if not loads and low & OPERATION == LOAD:
        low, high = NOP, (high >> CONTROL & STALL_AND_YIELD | NO_SCOREBOARDS) << CONTROL
    return low, high if yields else high | STAY


def main():
    if len(sys.argv) != 6:
        raise SystemExit(__doc__)
    with open(sys.argv[1], "rb") as stream:
        data = stream.read()
    begin, _ = section(data, ".text." + sys.argv[2])
    first, last = int(sys.argv[3], 0), int(sys.argv[4], 0)
    os.makedirs(sys.argv[5], exist_ok=True)
    names = []
    for loads in (True, False):
        for yields in (True, False):
            name = "_".join(([] if loads else ["no_loads"]) + ([] if yields else ["no_yields"])) or "as_it_is"
            variant = bytearray(data)
            for at in range(begin + first, begin + last + 16, 16):
                words = changed(int.from_bytes(data[at : at + 8], "little"), int.from_bytes(data[at + 8 : at + 16], "little"), loads, yields)
                variant[at : at + 16] = b"".join(word.to_bytes(8, "little") for word in words)
            with open(os.path.join(sys.argv[5], name + ".cubin"), "wb") as stream:
                stream.write(variant)
            names.append(f"{name} {sys.argv[2]}\n")
    with open(os.path.join(sys.argv[5], "names"), "w", encoding="utf-8") as stream:
        stream.writelines(names)


if __name__ == "__main__":
    main()
