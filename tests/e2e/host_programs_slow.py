#!/usr/bin/env python3
"""bundle_host.py and rewrite_host.py over all programs and forms, of which CI takes some.

tier: slow
needs: nvcc
"""
import os
import subprocess
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.exit(max(subprocess.run([sys.executable, os.path.join(FOLDER, name), "--all"], check=False).returncode for name in ("bundle_host.py", "rewrite_host.py")))
