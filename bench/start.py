"""How long the command line takes to answer: `python -m bench.start`."""

import subprocess
import sys
from pathlib import Path
from statistics import median
from time import perf_counter

from bench.machine import command, describe

RUNS = 11
COMMANDS = (("--help",), ("recall", "--help"))


def measure() -> None:
    """Whole processes, warm."""
    program = Path(sys.executable).with_name("agentmem")
    for arguments in COMMANDS:
        samples: list[float] = []
        for _ in range(RUNS + 1):
            begun = perf_counter()
            subprocess.run([program, *arguments], check=True, capture_output=True)
            samples.append(perf_counter() - begun)
        print(f"agentmem {' '.join(arguments)}: median {median(samples[1:]):.3f} s over {RUNS} runs")


if __name__ == "__main__":
    print(command(), "·", describe())
    measure()
