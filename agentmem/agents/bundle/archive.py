"""A zip from outside, read and never extracted: its directory is judged before anything in it is decompressed.

A zip can lie about names, sizes and places, so nothing it says is used but to refuse it: entries are known by the
manifest, counted while they are read, and hold to its digests or are refused.
"""

import io
import stat
import struct
import zlib
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO, cast
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from agentmem import patterns as re
from agentmem.agents.bundle.form import (
    ENTRY,
    MANIFEST,
    MAX_ENTRIES,
    MAX_ENTRY,
    MAX_LINE,
    MAX_RATIO,
    MAX_SMALL,
    MAX_TOTAL,
    SIGNATURE,
    Entry,
)
from agentmem.errors import InvalidInput

_END = struct.Struct("<4s4H2LH")
_END_64 = b"PK\x06\x07"
_LARGEST_DIRECTORY = MAX_ENTRIES * 512
_BROKEN = (BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, struct.error, ValueError, OSError)
_FORBIDDEN_FLAGS = 0x1 | 0x20 | 0x40 | 0x2000
"""Encrypted, patched, strongly encrypted, with a masked directory."""

_SHOWN = 80


class Archive:
    """The entries of a zip by name. `name` is the file's, for messages."""

    def __init__(self, name: str, zipped: ZipFile) -> None:
        self.name = name
        self._zip = zipped
        self._entries = {info.filename: info for info in zipped.infolist()}

    @property
    def names(self) -> set[str]:
        """Of all entries."""
        return set(self._entries)

    def wrong(self, problem: str) -> InvalidInput:
        """The one line that says what is wrong with this file."""
        return InvalidInput(f"{self.name}: {problem}")

    def small(self, name: str) -> bytes:
        """A small entry, whole. Raises `InvalidInput` where there is none or it is larger than small."""
        info = self._entries.get(name)
        if info is None:
            raise self.wrong(f"has no {name}, so it is no bundle of agentmem")
        try:
            with self._zip.open(info) as stream:
                content = stream.read(MAX_SMALL + 1)
        except _BROKEN as error:
            raise self._unreadable(name, error) from error
        if len(content) > MAX_SMALL:
            raise self.wrong(f"{name} is larger than {MAX_SMALL:,} bytes")
        return content

    def lines(self, name: str, promised: Entry) -> Iterator[tuple[int, bytes]]:
        """The lines of an entry, numbered from 1. Raises `InvalidInput`, at the latest behind the last one, where the
        entry is not what the manifest promised."""
        digest, size, number = sha256(), 0, 0
        try:
            with self._zip.open(self._entries[name]) as stream:
                buffered = io.BufferedReader(cast(io.RawIOBase, stream), 1 << 18)
                while line := buffered.readline(MAX_LINE + 1):
                    number += 1
                    size += len(line)
                    if len(line) > MAX_LINE:
                        raise self.wrong(f"{name}:{number}: longer than {MAX_LINE:,} bytes")
                    if size > promised.size:
                        break
                    digest.update(line)
                    yield number, line
        except _BROKEN as error:
            raise self._unreadable(name, error) from error
        self.check(name, promised, size, digest.hexdigest())

    def check(self, name: str, promised: Entry, size: int, digest: str) -> None:
        """Raise `InvalidInput` unless an entry has the size and the digest that the manifest promised."""
        if size != promised.size or digest != promised.sha256:
            raise self.wrong(f"{name} is not what the manifest says: the file was damaged or changed")

    def _unreadable(self, name: str, error: Exception) -> InvalidInput:
        return self.wrong(f"{name} cannot be read: {' '.join(str(error).split())[:_SHOWN] or type(error).__name__}")


@contextmanager
def open_archive(path: Path) -> Generator[Archive]:
    """Open a zip whose directory is in order. Raises `InvalidInput`."""
    try:
        file = path.open("rb")
    except OSError as error:
        raise InvalidInput(f"{path}: cannot be read: {error.strerror or error}") from error
    with file:
        _check_frame(path, file)
        try:
            zipped = ZipFile(file)
        except _BROKEN as error:
            raise InvalidInput(f"{path}: is no readable zip: {' '.join(str(error).split())[:_SHOWN]}") from error
        with zipped:
            archive = Archive(str(path), zipped)
            _check_directory(archive, zipped.infolist())
            yield archive


def _check_frame(path: Path, file: BinaryIO) -> None:
    """One zip from the first byte to the last, with a directory that can be held in memory."""
    size = file.seek(0, io.SEEK_END)
    file.seek(max(0, size - _END.size - 20))
    tail = file.read()
    file.seek(0)
    begins = file.read(4)
    file.seek(0)
    if begins != b"PK\x03\x04" or len(tail) < _END.size or size > MAX_TOTAL:
        raise InvalidInput(f"{path}: is no bundle, or was cut off")
    mark, _, _, here, total, length, offset, comment = _END.unpack(tail[-_END.size :])
    if mark != b"PK\x05\x06" or comment or tail[: -_END.size].startswith(_END_64):
        raise InvalidInput(f"{path}: is no bundle, or was cut off")
    if total > MAX_ENTRIES or here != total or length > _LARGEST_DIRECTORY:
        raise InvalidInput(f"{path}: has more than {MAX_ENTRIES:,} entries")
    if offset + length + _END.size != size:
        raise InvalidInput(f"{path}: holds bytes that belong to no entry")


def _check_directory(archive: Archive, infos: list[ZipInfo]) -> None:
    if len({info.filename.casefold() for info in infos}) != len(infos):
        raise archive.wrong("two entries have the same name")
    for info in infos:
        problem = _problem(info)
        if problem is not None:
            shown = re.sub(r"\s+", " ", repr(info.orig_filename))[:_SHOWN]
            raise archive.wrong(f"entry {shown} {problem}")
    if sum(info.file_size for info in infos) > MAX_TOTAL:
        raise archive.wrong(f"is larger than {MAX_TOTAL:,} bytes when unpacked")


def _problem(info: ZipInfo) -> str | None:
    """What is wrong with an entry as the directory describes it."""
    if info.filename != info.orig_filename or not (
        info.filename in (MANIFEST, SIGNATURE) or ENTRY.fullmatch(info.filename)
    ):
        return "is not part of a bundle"
    if info.flag_bits & _FORBIDDEN_FLAGS:
        return "is encrypted"
    if stat.S_IFMT(info.external_attr >> 16) not in (0, stat.S_IFREG):
        return "is no regular file"
    if info.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
        return "is compressed in a way that is not read"
    if info.file_size > MAX_ENTRY:
        return f"is larger than {MAX_ENTRY:,} bytes"
    if info.file_size > MAX_RATIO * max(info.compress_size, 1):
        return f"unpacks to more than {MAX_RATIO} times its size"
    return None
