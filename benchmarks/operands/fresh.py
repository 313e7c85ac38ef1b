#!/usr/bin/env python3
"""Writes cubins whose loop holds one instruction that reads what it computed the last time round, or another register, and one access to shared memory, shuffle or addition so many places before it.

    fresh.py TEMPLATES FOLDER       one FOLDER/NAME.cubin per variant

TEMPLATES holds 256.cubin, `nvcc -arch=sm_90 -DBODY=256 -DADDRESSES -cubin template.cu`; operands.cu times them: ../measured/fresh-h200.json. NAME: what stands before, what reads, the number of instructions
from one to the next of these, and how many places before it the other stands; all others are NOPs. `o` and `e`: registers of the odd and of the even bank. python3 without packages.
"""
import os
import sys

import variants

PERIODS, BEFORE = (4, 5, 6, 7, 8), (1, 2, 3)
NONE = 255
NOP = (0x7918, variants.control(1))
LDS, STS, SHUFFLE = 0x7984, 0x7388, 0x0c201f0000007f89
WORD, ALWAYS = 0x800, 0xe0000


def address_of(template):
    """The register that template.cu fills with an address: what the loop's beginning computes by masking the last two bits of it (LOP3 with 0x7c)."""
    words = variants.struct.iter_unpack("<QQ", bytes(template.data[template.begin:template.places[0] * 16 + template.begin]))
    found = [low >> 16 & 255 for low, high in words if low & 0xffff == 0x7812 and low >> 32 == 0x7c]
    if len(found) != 1:
        raise SystemExit("the template has no address")
    return found[0]


def main():
    template = variants.Template(sys.argv[1], 256)
    address = address_of(template)
    registers = [register for register in template.registers if register != address]
    same, other = ([register for register in registers if register % 2 == bank] for bank in (address % 2, 1 - address % 2))
    add = lambda code, target, sources: variants.encode(code, target, (sources + [NONE] * 3)[:variants.CODES[code][2]])
    before = {
        "LOAD_address": (LDS | NONE << 16 | address << 24, WORD | variants.control(1)),
        "STORE_address": (STS | address << 24 | NONE << 32, WORD | variants.control(1)),
        "STORE_data": (STS | NONE << 24 | same[0] << 32, WORD | variants.control(1)),
        "SHUFFLE": (SHUFFLE | NONE << 16 | same[0] << 24, ALWAYS | variants.control(1)),
        "FADD": add("FADD", NONE, [same[0]]), "FADD_two": add("FADD", NONE, [same[0], same[1]]),
    }
    reads = {}
    for name, bank in (("same", same), ("other", other)):
        reads["FFMA_" + name] = add("FFMA", bank[4], [NONE, NONE, bank[4]])
        reads["FADD_" + name] = add("FADD", bank[4], [bank[4]])
        reads["IADD3_" + name] = add("IADD3", bank[4], [bank[4]])
    reads["FADD_same_old"] = add("FADD", same[4], [same[5]])
    os.makedirs(sys.argv[2], exist_ok=True)
    for first, earlier in before.items():
        for second, later in reads.items():
            for period in PERIODS:
                for places in BEFORE:
                    body = [later] + [NOP] * (period - 1)
                    body[period - places] = earlier
                    template.write(os.path.join(sys.argv[2], "%s_%s_period_%d_before_%d.cubin" % (first, second, period, places)), body)


main()
