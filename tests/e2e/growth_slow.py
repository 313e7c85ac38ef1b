#!/usr/bin/env python3
"""The slow half of tests/e2e/growth.py: programs that compilers take long for, and larger ones.

needs: nvcc, tier: slow
"""
import sys

import growth

sys.exit(growth.main(growth.SLOW))
