"""File systems of a test's own: small ones, and ones that may only be read. Only root on Linux can have them."""

import os
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest


def _mount(*arguments: str | Path) -> None:
    if sys.platform != "linux" or os.geteuid() != 0:
        pytest.skip("left out: only root on Linux can mount a file system")
    done = subprocess.run(["mount", *map(str, arguments)], capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"left out: nothing can be mounted here: {done.stderr.strip()}")


def _unmount(point: Path) -> None:
    subprocess.run(["umount", "--lazy", str(point)], check=True)


@contextmanager
def small_disk(point: Path, size: str) -> Generator[Path]:
    """A new file system in memory of so many bytes, such as `64m`."""
    point.mkdir(parents=True)
    _mount("-t", "tmpfs", "-o", f"size={size}", "tmpfs", point)
    try:
        yield point
    finally:
        _unmount(point)


def grown(point: Path, size: str) -> None:
    """Give a file system in memory so many bytes."""
    _mount("-o", f"remount,size={size}", point)


@contextmanager
def small_ext4(point: Path, image: Path, size: str) -> Generator[Path]:
    """The same on a disk image with ext4, whose last blocks root may use as well."""
    point.mkdir(parents=True)
    subprocess.run(["truncate", "-s", size, str(image)], check=True)
    made = subprocess.run(["mkfs.ext4", "-q", "-m", "0", str(image)], capture_output=True, text=True, check=False)
    if made.returncode:
        pytest.skip(f"left out: no ext4 can be made here: {made.stderr.strip()}")
    _mount("-o", "loop", image, point)
    try:
        yield point
    finally:
        _unmount(point)


@contextmanager
def read_only(folder: Path, point: Path) -> Generator[Path]:
    """The same folder at another place, or at its own, where nothing of it can be written."""
    point.mkdir(parents=True, exist_ok=True)
    _mount("--bind", folder, point)
    try:
        _mount("-o", "remount,bind,ro", point)
        yield point
    finally:
        _unmount(point)
