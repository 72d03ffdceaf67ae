"""Writing a bundle: lines into shards, shards into a zip, and at the end the manifest that vouches for them."""

import json
import stat
import zlib
from collections.abc import Callable
from hashlib import sha256
from typing import BinaryIO, Self
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from agentmem.agents.bundle.form import (
    MANIFEST,
    MAX_LINE,
    MAX_RATIO,
    SHARD,
    SIGNATURE,
    Entry,
    Manifest,
    Seal,
)
from agentmem.domain.value import JsonValue
from agentmem.errors import InvalidInput
from agentmem.language.safe_text import safe_json

_LEVEL = 6
_EARLIEST = (1980, 1, 1, 0, 0, 0)
# What the fastest level already packs so well could exceed the ratio that readers allow at a better one.
_TOO_WELL = MAX_RATIO // 4


class BundleWriter:
    """Writes into an open file, to be used with `with`. Nothing of it is a bundle before `finish`."""

    def __init__(self, file: BinaryIO) -> None:
        self._zip = ZipFile(file, "w")
        self.entries: dict[str, Entry] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._zip.close()

    def add(self, name: str, content: bytes) -> None:
        """One entry."""
        self._write(name, content)
        self.entries[name] = Entry(size=len(content), sha256=sha256(content).hexdigest())

    def finish(self, manifest: Manifest, seal: Callable[[bytes], Seal] | None) -> str:
        """Write the manifest and, where there is who seals it, its signature; the manifest's digest."""
        unbound = {"bound"} if manifest.bound is None else None
        content = manifest.model_dump_json(indent=1, exclude=unbound).encode()
        self._write(MANIFEST, content)
        if seal is not None:
            self._write(SIGNATURE, seal(content).model_dump_json().encode())
        return sha256(content).hexdigest()

    def _write(self, name: str, content: bytes) -> None:
        info = ZipInfo(name, _EARLIEST)
        info.external_attr = (stat.S_IFREG | 0o600) << 16
        info.create_system = 3  # Unix, whose file types those are
        packed = len(zlib.compress(content, 1))
        info.compress_type = ZIP_STORED if len(content) > _TOO_WELL * packed else ZIP_DEFLATED
        self._zip.writestr(info, content, compresslevel=_LEVEL)


class Shards:
    """Lines on their way into entries `STEM-0001.jsonl`, `STEM-0002.jsonl` and so on; at most one shard is held."""

    def __init__(self, stem: str) -> None:
        self._stem = stem
        self._held: list[bytes] = []
        self._size = 0
        self._number = 0

    def put(self, value: dict[str, JsonValue]) -> None:
        """One value as one line. Raises `InvalidInput` for one that no reader would take."""
        line = safe_json(json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))).encode() + b"\n"
        if len(line) > MAX_LINE:
            raise InvalidInput(f"a line of {self._stem} has {len(line):,} bytes, at most {MAX_LINE:,} can be exported")
        self._held.append(line)
        self._size += len(line)

    @property
    def full(self) -> bool:
        """Whether what is held makes an entry."""
        return self._size >= SHARD

    def flush(self, writer: BundleWriter) -> None:
        """Write what is held."""
        if self._held:
            self._number += 1
            writer.add(f"{self._stem}-{self._number:04}.jsonl", b"".join(self._held))
            self._held, self._size = [], 0
