#!/usr/bin/env python3
"""Generated programs: predicted counts equal those of an emulation, and rewritten programs print what the originals print.

needs: nvcc

    tests/e2e/generated_programs.py [OPTION...]

150 programs with some 750 kernels, always the same ones, and those that once differed, each rewritten into one of four forms.
tests/generator/differences.py says what is compared, and takes the options. tests/e2e/generated_programs_slow.py runs 20,000 in all forms.
"""
import os
import subprocess
import sys

ONCE_DIFFERED = ("554", "1652", "1719", "1928")
DIFFERENCES = os.path.join(os.environ["ROOT"], "tests", "generator", "differences.py")
sys.exit(subprocess.run([sys.executable, DIFFERENCES, "--count", "150", "--forms", "1", "--also", *ONCE_DIFFERED, *sys.argv[1:]], check=False).returncode)
