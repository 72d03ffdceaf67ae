"""An agent into a bundle: its ledger page by page, so that memory stays small however much it knows."""

import asyncio
from base64 import b64encode
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from agentmem.agents.bundle.draft import draft
from agentmem.agents.bundle.form import PERSONA, Manifest, Seal
from agentmem.agents.bundle.writing import BundleWriter, Shards
from agentmem.agents.copying.deciding import decisions_of, rows_of
from agentmem.agents.copying.hire import bound_by
from agentmem.domain.lineage import Lineage
from agentmem.domain.persona import Persona
from agentmem.domain.scope import Scope
from agentmem.domain.value import JsonValue
from agentmem.language.safe_text import safe_json
from agentmem.ledger.projection import ACTIVE
from agentmem.ports.copies import Row
from agentmem.ports.journal import Journal
from agentmem.ports.vector_cache import EMBEDDED_CHARACTERS, text_key

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
    seal: Callable[[bytes], Seal] | None,
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

    async def take(self, rows: Sequence[Row]) -> None:
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


def _line(row: Row) -> dict[str, JsonValue]:
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


def _text_keys(row: Row) -> list[str]:
    """The keys under which the vectors of a memory's texts are kept."""
    if row.after is None:
        return []
    key = row.after["key"]
    texts = [row.after["content"], *(key if isinstance(key, list) else ())]
    return [text_key(str(text)[:EMBEDDED_CHARACTERS]) for text in texts]
