#!/usr/bin/env python3
"""Generated programs: predicted counts equal those of an emulation, and rewritten programs print what the originals print.

needs: nvcc

    tests/e2e/generated_programs.py [OPTION...]

300 programs with some 1,500 kernels, always the same ones, and those that once differed, each rewritten into one of four forms. The counts of half of
them are compared: predict takes most of the time.
tests/generator/differences.py says what is compared, and takes the options. tests/e2e/generated_programs_slow.py runs 20,000 in all forms.
"""
import os
import subprocess
import sys

ONCE_DIFFERED = ("554", "1652", "1719", "1928")
DIFFERENCES = os.path.join(os.environ["ROOT"], "tests", "generator", "differences.py")
WORDS = ["--count", "300", "--forms", "1", "--counts-every", "2", "--also", *ONCE_DIFFERED]
sys.exit(subprocess.run([sys.executable, DIFFERENCES, *WORDS, *sys.argv[1:]], check=False).returncode)
