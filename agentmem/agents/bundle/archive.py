"""What a bundle is made of (entry names, values, limits of size), and the zip it comes in: read, never extracted, and
its directory judged before anything in it is decompressed.
"""

import io
import stat
import struct
import zlib
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Annotated, BinaryIO, Literal, cast
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from pydantic import AwareDatetime, Field, StringConstraints

from agentmem import patterns as re
from agentmem.domain.change import Act
from agentmem.domain.ids import Name, Uuid
from agentmem.domain.memory import MemoryNode
from agentmem.domain.persona import AgentId, HirePolicy
from agentmem.domain.staleness import Attention
from agentmem.domain.value import Value
from agentmem.errors import InvalidInput
from agentmem.private_files import open_named

FORMAT: Literal["agentmem-bundle"] = "agentmem-bundle"
VERSION: Literal[1] = 1

MANIFEST, SIGNATURE, PERSONA = "manifest.json", "manifest.sig", "persona.json"
ENTRY = re.compile(r"persona\.json|(ledger|vectors)-\d{4}\.jsonl", re.ASCII)
"""Every name an entry may have, besides the manifest and its signature."""

MIB = 1 << 20
MAX_ENTRIES = 10_000
MAX_ENTRY = 64 * MIB
MAX_TOTAL = 4_095 * MIB
MAX_RATIO = 100
MAX_LINE = 8 * MIB
MAX_SMALL = 4 * MIB
"""Of the manifest, its signature and the persona."""

SHARD = 8 * MIB
"""How much of the ledger goes into one entry before the next is begun."""


class Entry(Value):
    """One entry as the manifest promises it; `size` in bytes, uncompressed."""

    size: int = Field(ge=1, le=MAX_ENTRY)
    sha256: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]


class Manifest(Value):
    """What a bundle holds. `head` is the ledger's last row when it was made, `embedder` the fingerprint of the vectors
    that come along, None where none do; `memories` and `rows` are counts. `bound` is what every contract of hire allows
    that the agent is bound by; None, and not written, where there is none."""

    format: Literal["agentmem-bundle"] = FORMAT
    version: Literal[1] = VERSION
    made_at: AwareDatetime
    tenant: Name
    agent_id: AgentId
    head: int = Field(ge=0)
    embedder: Name | None = None
    memories: int = Field(ge=0)
    rows: int = Field(ge=0)
    entries: dict[str, Entry] = Field(max_length=MAX_ENTRIES)
    bound: HirePolicy | None = None


class EntrySeal(Value):
    """The signature of a manifest: Ed25519, key and signature in hex."""

    algorithm: Literal["Ed25519"] = "Ed25519"
    public_key: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
    signature: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{128}$")]


class BundledRow(Value):
    """One row of the ledger. `first`: no row of the same memory comes before it. `after` is what the row left, None
    where the memory was taken out; `attention` and `fades` are what the store noted beside the memory's last row."""

    seq: int = Field(ge=1)
    memory_id: Uuid
    target_id: Uuid
    first: bool = False
    run: Name
    cause: Name
    at: AwareDatetime
    act: Act
    reason: Annotated[str, StringConstraints(max_length=4_000)] = ""
    attention: Attention | None = None
    fades: int | None = Field(default=None, ge=0, lt=2**62)
    after: MemoryNode | None = None


class KeptVector(Value):
    """A vector from the cache: under the key of its text, float16 little-endian, in base64."""

    key: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
    vector: Annotated[str, StringConstraints(max_length=65_536)]


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
        file = open_named(path)
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
