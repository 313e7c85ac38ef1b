#!/usr/bin/env python3
"""Generated programs: predicted counts equal those of an emulation, and rewritten programs print what the originals print.

needs: nvcc

    tests/e2e/generated_programs.py [OPTION...]

Sixty programs with 300 kernels, always the same ones. tests/generator/differences.py says what is compared, and takes the options.
tests/e2e/generated_programs_slow.py runs 20,000.
"""
import os
import subprocess
import sys

DIFFERENCES = os.path.join(os.environ["ROOT"], "tests", "generator", "differences.py")
sys.exit(subprocess.run([sys.executable, DIFFERENCES, "--count", "60", *sys.argv[1:]], check=False).returncode)
