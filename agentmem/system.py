"""What several rooms ask of the operating system: a process of our own, and where the bytes of a file begin that has
holes."""

import os
import subprocess
import sys


def run_apart(
    module: str, *arguments: str, given: bytes, seconds: float | None = None
) -> "subprocess.CompletedProcess[bytes]":
    """Run `main` of a module in a process of its own, which finds what this one does, with `given` as its input; what
    it writes is returned. Raises `subprocess.TimeoutExpired` after so many seconds."""
    path = os.pathsep.join(filter(None, sys.path))
    return subprocess.run(
        [sys.executable, "-c", f"from {module} import main; main()", *arguments],
        input=given,
        capture_output=True,
        timeout=seconds,
        env={**os.environ, "PYTHONPATH": path},
        check=False,
    )


def last_line(done: "subprocess.CompletedProcess[bytes]") -> str:
    """The last line that a process wrote of what went wrong; its exit code where it wrote none."""
    return (done.stderr.decode(errors="replace").strip().splitlines() or [f"exit {done.returncode}"])[-1]


def next_data(descriptor: int, place: int) -> int | None:
    """Where bytes begin from `place` on, None behind the last ones; holes read as zeros."""
    if not hasattr(os, "SEEK_DATA"):  # Windows
        return place
    try:
        return os.lseek(descriptor, place, os.SEEK_DATA)
    except OSError:
        return None
