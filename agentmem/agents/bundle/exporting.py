"""Writes an agent into a bundle: its ledger page by page into shards, so that memory stays small however much it knows,
the shards into a zip, and at the end the manifest that vouches for them.
"""

import asyncio
import json
import stat
import zlib
from base64 import b64encode
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO, Self
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from agentmem.agents.bundle.archive import (
    MANIFEST,
    MAX_LINE,
    MAX_RATIO,
    PERSONA,
    SHARD,
    SIGNATURE,
    Entry,
    EntrySeal,
    Manifest,
)
from agentmem.agents.bundle.atomic_file import draft
from agentmem.agents.copying.hire import bound_by
from agentmem.agents.copying.renaming import decisions_of, rows_of
from agentmem.domain.lineage import Lineage
from agentmem.domain.persona import Persona
from agentmem.domain.scope import Scope
from agentmem.domain.value import JsonValue
from agentmem.errors import InvalidInput
from agentmem.language.safe_text import safe_json
from agentmem.ledger.projection import ACTIVE
from agentmem.ports.agent_records import CopiedRow
from agentmem.ports.embedder import EMBEDDED_CHARACTERS, text_key
from agentmem.ports.journal import Journal

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

    def finish(self, manifest: Manifest, seal: Callable[[bytes], EntrySeal] | None) -> str:
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


PAGE = 1_000


@dataclass(frozen=True, slots=True)
class Exported:
    """What left: how many memories and ledger rows, with how many vectors, and the digest that names the bundle."""

    memories: int
    rows: int
    vectors: int
    digest: str


async def export_bundle(
    journal: Journal,
    scope: Scope,
    persona: Persona,
    file: Path,
    *,
    force: bool,
    seal: Callable[[bytes], EntrySeal] | None,
    now: datetime,
) -> Exported:
    """Write all that an agent knows and knew, as of now, into a file that appears when it is whole.

    Vectors go along as far as the journal's cache has them. That the agent left is in its lineage before the file is
    there, unless the journal may only be read. Raises `InvalidInput` where the file is there and `force` is not given,
    `BackendUnavailable` where it cannot be written.
    """
    head = await journal.ledger.head()
    with draft(file, force=force) as raw, BundleWriter(raw) as writer:
        writer.add(PERSONA, safe_json(persona.model_dump_json(indent=1)).encode())
        leaving = _Leaving(journal, await journal.marks.mark(ACTIVE), writer)
        after = 0
        while rows := await journal.copies.rows(scope, after=after, through=head, limit=PAGE):
            await leaving.take(rows)
            after = rows[-1].seq
        known = await decisions_of(journal.ledger, scope)
        decisions = rows_of(known, behind=head, run="decisions", cause="export", at=now)
        head += len(decisions)
        await leaving.take(decisions)
        manifest = await leaving.manifest(scope, head, now)
        digest = await asyncio.to_thread(writer.finish, manifest, seal)
        if not journal.read_only:
            await journal.lineages.record_export(_lineage(scope, digest, head, now))
    return Exported(manifest.memories, manifest.rows, leaving.vectors, digest)


def _lineage(scope: Scope, digest: str, head: int, now: datetime) -> Lineage:
    return Lineage(
        kind="export",
        state="made",
        source_tenant=scope.tenant,
        source_agent=scope.agent,
        tenant=scope.tenant,
        agent_id=scope.agent,
        file=digest,
        head=head,
        began_at=now,
        made_at=now,
    )


class _Leaving:
    """Rows on their way into the file, counted, with the vectors of their texts."""

    def __init__(self, journal: Journal, fingerprint: str | None, writer: BundleWriter) -> None:
        self._journal, self._fingerprint, self._writer = journal, fingerprint, writer
        self._ledger, self._kept = Shards("ledger"), Shards("vectors")
        self._sought: set[str] = set()
        self._memories = self._rows = 0
        self.vectors = 0

    async def take(self, rows: Sequence[CopiedRow]) -> None:
        """One page."""
        for row in rows:
            self._memories += row.first
            self._rows += 1
            self._ledger.put(_line(row))
        await self._flush(self._ledger)
        if self._fingerprint is None:
            return
        sought = [key for row in rows for key in _text_keys(row) if key not in self._sought]
        self._sought.update(sought)
        for key, vector in sorted((await self._journal.vectors.get(self._fingerprint, sought)).items()):
            self.vectors += 1
            self._kept.put({"key": key, "vector": b64encode(vector).decode()})
        await self._flush(self._kept)

    async def manifest(self, scope: Scope, head: int, now: datetime) -> Manifest:
        """What was written; nothing is held back."""
        for shards in (self._ledger, self._kept):
            await asyncio.to_thread(shards.flush, self._writer)
        return Manifest(
            made_at=now,
            tenant=scope.tenant,
            agent_id=scope.agent,
            head=head,
            embedder=self._fingerprint if self.vectors else None,
            memories=self._memories,
            rows=self._rows,
            entries=self._writer.entries,
            bound=await bound_by(self._journal.lineages, scope.tenant, scope.agent),
        )

    async def _flush(self, shards: Shards) -> None:
        if shards.full:
            await asyncio.to_thread(shards.flush, self._writer)


def _line(row: CopiedRow) -> dict[str, JsonValue]:
    whole: dict[str, JsonValue] = {
        "seq": row.seq,
        "memoryId": row.memory_id,
        "targetId": row.target_id,
        "first": row.first,
        "run": row.run,
        "cause": row.cause,
        "at": row.at,
        "act": row.act,
        "reason": row.reason,
        "attention": row.attention,
        "fades": row.fades,
        "after": row.after,
    }
    return {name: value for name, value in whole.items() if value is not None and value is not False}


def _text_keys(row: CopiedRow) -> list[str]:
    """The keys under which the vectors of a memory's texts are kept."""
    if row.after is None:
        return []
    key = row.after["key"]
    texts = [row.after["content"], *(key if isinstance(key, list) else ())]
    return [text_key(str(text)[:EMBEDDED_CHARACTERS]) for text in texts]
