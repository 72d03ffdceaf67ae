"""Runs the measurements one after the other, each in a process of its own: `python -m bench`."""

import subprocess
import sys

from bench.machine import describe

PARTS = ("start", "say", "pipeline", "recall", "reflection", "page")

if __name__ == "__main__":
    print(describe(), flush=True)
    for part in PARTS:
        subprocess.run([sys.executable, "-m", f"bench.{part}"], check=True)
