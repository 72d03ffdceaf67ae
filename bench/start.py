"""How long the command line takes to answer, alone and beside who holds the index: `python -m bench.start`."""

import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, sleep

from bench.machine import command, describe

RUNS = 11
PROGRAM = Path(sys.executable).with_name("agentmem")
HELD = ("recall", "phone", "--agent", "harbour_desk")


def measure(arguments: tuple[str, ...], *more: str) -> None:
    """Whole processes, warm."""
    clock: list[float] = []
    processor: list[float] = []
    for _ in range(RUNS + 1):
        begun, used = perf_counter(), _used()
        subprocess.run([PROGRAM, *arguments, *more], check=True, capture_output=True)
        clock.append(perf_counter() - begun)
        processor.append(_used() - used)
    print(
        f"agentmem {' '.join(arguments)}: median {median(clock[1:]):.3f} s, {median(processor[1:]):.3f} s of processor,"
        f" over {RUNS} runs"
    )


def _used() -> float:
    """Seconds of processor that processes started and waited for have used."""
    usage = getrusage(RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


@contextmanager
def held() -> Generator[str]:
    """A store of two customers whose index a worker holds while the body runs; the data directory."""
    with TemporaryDirectory() as data:
        played = [PROGRAM, "run", "scenarios/two_customers.yaml", "--data", data]
        subprocess.run(played, check=True, capture_output=True)
        with subprocess.Popen([PROGRAM, "worker", "--data", data], stderr=subprocess.DEVNULL) as worker:
            try:
                while not (Path(data) / "agentmem.sock").exists() and worker.poll() is None:
                    sleep(0.05)
                yield data
            finally:
                worker.terminate()


if __name__ == "__main__":
    print(command(), "·", describe())
    measure(("--help",))
    measure(("recall", "--help"))
    with held() as folder:
        print("beside a worker that holds the index:")
        measure(HELD, "--data", folder)
