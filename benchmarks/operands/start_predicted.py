#!/usr/bin/env python3
"""What launches of start.cu take that follow themselves, predicted with --start warm, against what was measured.

    start_predicted.py [--program FILE]

Prints each row, and what model/trust/trust.c has of it: factors on the time between which nine of ten measured times lie, and the
logarithm of a ratio of copy_aos and copy_soa that nine of ten errors do not exceed. python3 without packages; no GPU.
"""
import argparse
import csv
import json
import math
import os
import re
import subprocess
import tempfile

FOLDER = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(FOLDER))
ARRAYS = {"copy_aos": ("from", "to"), "copy_soa": ("a", "b", "c", "d"), "sum_two": ("a", "b", "c")}


def predicted(program, source, kernel, n):
    extents = [word for array in ARRAYS[kernel] for word in ("--extent", "%s=%d" % (array, n))]
    ran = subprocess.run([program, "predict", source, "--kernel", kernel, "--machine", "h100", "--start", "warm", "--layouts", "aos", "--grid", str(-(-n // 256)),
                          "--block", "256", "--arg", "n=%d" % n, *extents, "--json", "-q"], capture_output=True, text=True, check=True)
    return json.loads(ran.stdout)["kernels"][0]["layouts"][0]["time_us"]


def nine_of_ten(values):
    """The values between which nine of ten lie: a twentieth is cut off at either end."""
    values = sorted(values)
    cut = len(values) // 20
    return values[cut], values[-1 - cut]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=os.path.join(ROOT, "build", "coalesce"))
    options = parser.parse_args()
    with open(os.path.join(FOLDER, "start.cu"), encoding="utf-8") as stream:
        kernels = re.search(r"struct record.*?(?=int main)", stream.read(), re.DOTALL).group()
    with open(os.path.join(ROOT, "benchmarks", "measured", "start-h100.csv"), encoding="utf-8") as stream:
        measured = {(row["kernel"], int(row["n"])): float(row["median_us"]) for row in csv.DictReader(stream) if row["state"] == "fourth"}
    errors = {}
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "kernels.cu")
        with open(source, "w", encoding="utf-8") as stream:
            stream.write(kernels)
        for (kernel, n), us in measured.items():
            said = predicted(options.program, source, kernel, n)
            errors[kernel, n] = math.log(us / said)
            print("%-8s %9d %9.2f us said %9.2f measured %6.3f" % (kernel, n, said, us, us / said))
    low, high = nine_of_ten(errors.values())
    ratios = sorted(abs(errors["copy_aos", n] - errors["copy_soa", n]) for kernel, n in errors if kernel == "copy_soa")
    print("%d launches: times %.2f to %.2f, %d ratios: %.2f" % (len(errors), math.exp(low), math.exp(high), len(ratios), ratios[math.ceil(0.9 * len(ratios)) - 1]))


if __name__ == "__main__":
    main()
