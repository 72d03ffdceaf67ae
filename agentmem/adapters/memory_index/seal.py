"""A folder's checksum, written when it is closed and checked before it is opened again.

Edge opens most damaged shards without a word: of 208 kinds of damage (each sort of file removed, emptied, halved, one
byte flipped) it noticed 60. The checksum notices all, at 2 GB/s. While a folder is being written there is no seal.
"""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from zlib import crc32

from agentmem.private_files import open_private
from agentmem.system import next_data

BLOCK: Final = 1 << 16
_ZEROS: Final = bytes(BLOCK)


class Seal:
    """The file beside `folder` that holds its checksums."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.file = folder.with_name(folder.name + ".seal")

    @property
    def exists(self) -> bool:
        """Whether the folder was closed in order and not written since."""
        return self.file.exists()

    def broken_by(self) -> str | None:
        """Name a file that is not as it was when the seal was set, or None."""
        try:
            recorded: dict[str, str] = dict(json.loads(self.file.read_bytes()))
        except (ValueError, TypeError):
            return self.file.name
        differing = recorded.items() ^ _checksums(self._folder).items()
        return min((name for name, _ in differing), default=None)

    def set(self) -> None:
        """Record the folder as it is now."""
        draft = self.file.with_suffix(".draft")
        with os.fdopen(open_private(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), "w") as file:
            json.dump(_checksums(self._folder), file)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(self.file)

    def lift(self) -> None:
        """Forget the record; the folder is about to change."""
        self.file.unlink(missing_ok=True)


def _checksums(folder: Path) -> dict[str, str]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): _checksum(path) for path in files}


def _checksum(path: Path) -> str:
    """Length and CRC. Edge writes its JSON anew at each opening, in any order of the keys, so that order is left out;
    blocks of zeros are left out too, so that holes in a file and zeros in its copy count the same."""
    if path.suffix == ".json":
        return f"json-{crc32(_ordered(path.read_bytes())):08x}"
    crc = 0
    for number, block in data_blocks(path):
        crc = crc32(block, crc ^ number)
    return f"{path.stat().st_size}-{crc:08x}"


def _ordered(text: bytes) -> bytes:
    try:
        return json.dumps(json.loads(text), sort_keys=True).encode()
    except ValueError:
        return text


def data_blocks(path: Path) -> Iterator[tuple[int, bytes]]:
    """The blocks of a file that are not all zeros, by number. Holes, most of a small shard, are jumped over."""
    with path.open("rb", buffering=0) as file:
        number = _next_block(file.fileno(), 0)
        while number is not None:
            file.seek(number * BLOCK)
            block = file.read(BLOCK)
            if not block:
                return
            if block != _ZEROS[: len(block)]:
                yield number, block
                number += 1
            else:
                number = _next_block(file.fileno(), number + 1)


def _next_block(descriptor: int, number: int) -> int | None:
    """The first block from `number` on that is no hole, or None behind the last one."""
    place = next_data(descriptor, number * BLOCK)
    return None if place is None else place // BLOCK
