"""The file of a backup: one line that says what it is, one line of manifest, then a SQLite database, compressed.

A file from elsewhere may lie: the manifest is bounded before it is read, no more is unpacked than it promises and than
the disk has room for, and what was unpacked must have the promised digest.
"""

import os
import shutil
import zlib
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO

from pydantic import ValidationError

from agentmem.errors import BackendUnavailable, InvalidInput
from agentmem.ports.backup import BackupManifest
from agentmem.private_files import open_private

MAGIC = b"agentmem backup\n"
MAX_MANIFEST = 1 << 16
_BLOCK = 1 << 20
_LEVEL = 3
_RESERVE = 64 << 20
"""Bytes of the disk that unpacking leaves free."""


def digest_of(database: Path) -> tuple[int, str]:
    """Length and SHA-256 of a file."""
    digest, size = sha256(), 0
    with database.open("rb") as file:
        for block in _blocks(file):
            digest.update(block)
            size += len(block)
    return size, digest.hexdigest()


def pack(database: Path, manifest: BackupManifest, file: BinaryIO) -> None:
    """Write a database behind its manifest."""
    file.write(MAGIC + manifest.model_dump_json(by_alias=True).encode() + b"\n")
    packer = zlib.compressobj(_LEVEL)
    with database.open("rb") as source:
        for block in _blocks(source):
            file.write(packer.compress(block))
    file.write(packer.flush())


def unpack(path: Path, database: Path) -> BackupManifest:
    """Write the database that a backup holds into a new file. Raises `InvalidInput` for anything that is not as a
    backup must be, `BackendUnavailable` where there is no room for it."""
    with _opened(path) as file:
        manifest = _manifest(path, file)
        if manifest.size + _RESERVE > shutil.disk_usage(database.parent).free:
            raise BackendUnavailable(f"{path}: needs {manifest.size:,} bytes in {database.parent}: free space there")
        with _private(database) as target:
            _copy(path, file, target, manifest)
    return manifest


def _manifest(path: Path, file: BinaryIO) -> BackupManifest:
    if file.read(len(MAGIC)) != MAGIC:
        raise InvalidInput(f"{path}: is no backup made by `agentmem backup`")
    line = file.readline(MAX_MANIFEST + 1)
    try:
        return BackupManifest.model_validate_json(line)
    except ValidationError as error:
        fault = error.errors()[0]
        where = ".".join(map(str, fault["loc"])) or "as a whole"
        raise InvalidInput(f"{path}: its manifest cannot be read: {where}: {fault['msg']}") from error


def _copy(path: Path, source: BinaryIO, target: BinaryIO, manifest: BackupManifest) -> None:
    digest, size = sha256(), 0
    for block in _unpacked(path, source):
        size += len(block)
        if size > manifest.size:
            break
        digest.update(block)
        target.write(block)
    if size != manifest.size or digest.hexdigest() != manifest.sha256:
        raise InvalidInput(f"{path}: is damaged: its content is not what its manifest says")


def _unpacked(path: Path, source: BinaryIO) -> Iterator[bytes]:
    unpacker = zlib.decompressobj()
    try:
        for block in _blocks(source):
            rest = block
            while rest and not unpacker.eof:
                yield unpacker.decompress(rest, _BLOCK)
                rest = unpacker.unconsumed_tail
            if unpacker.eof and (unpacker.unused_data or source.read(1)):
                raise InvalidInput(f"{path}: is damaged: something follows its end")
        yield unpacker.flush()
    except zlib.error as error:
        raise InvalidInput(f"{path}: is damaged: {error}") from error
    if not unpacker.eof:
        raise InvalidInput(f"{path}: is damaged: it ends too early")


def _opened(path: Path) -> BinaryIO:
    """The file for reading; a pipe or a device would be read for ever."""
    try:
        if not path.is_file():
            raise InvalidInput(f"{path}: {'is not a file' if path.exists() else 'no such file'}")
        return path.open("rb")
    except OSError as error:
        raise InvalidInput(f"{path}: cannot be read: {error.strerror or error}") from error


def _blocks(file: BinaryIO) -> Iterator[bytes]:
    while block := file.read(_BLOCK):
        yield block


@contextmanager
def _private(path: Path) -> Generator[BinaryIO]:
    """A new file for its owner only."""
    try:
        with os.fdopen(open_private(path, os.O_RDWR | os.O_CREAT | os.O_EXCL), "w+b") as file:
            yield file
    except OSError as error:
        raise BackendUnavailable(f"{path}: cannot be written: {error.strerror or error}") from error
