#!/usr/bin/env python3
"""The slow half of tests/e2e/generated_programs.py: 20,000 programs, or as many as fit into 14 minutes.

needs: nvcc, tier: slow

    tests/e2e/generated_programs_slow.py [--seconds S] [--first SEED] [OPTION...]

Begins behind the programs of the fast half. To run all: --seconds 1000000. Prints how many programs ran.
"""
import os
import subprocess
import sys

DIFFERENCES = os.path.join(os.environ["ROOT"], "tests", "generator", "differences.py")
WORDS = ["--first", "301", "--count", "20000", "--seconds", "840"]
sys.exit(subprocess.run([sys.executable, DIFFERENCES, *WORDS, *sys.argv[1:]], check=False).returncode)
