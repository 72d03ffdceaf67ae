"""Brings a bundle into a journal: surveyed whole first, then written page by page under ids, an owner and a scope of
our own; resumed where an earlier attempt stopped, and visible only when complete.
"""

import asyncio
from base64 import b64decode
from binascii import Error as NotBase64
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice

from agentmem.agents.bundle.archive import BundledRow
from agentmem.agents.bundle.bundle_reader import Bundle, Survey, survey
from agentmem.agents.copying.renaming import Renaming, decided_in_copy, rows_of, wire_of
from agentmem.domain.lineage import AS_PACKED, BOUND, PACKED, Lineage, copied_id
from agentmem.domain.memory import Trust
from agentmem.domain.persona import HirePolicy, Persona
from agentmem.domain.value import JsonValue
from agentmem.errors import AlreadyThere, InvalidInput
from agentmem.graph.identity.by_hand import decided_in
from agentmem.ports import agent_records
from agentmem.ports.agent_records import CopiedRow, CopyDraft
from agentmem.ports.journal import Journal

PAGE = 1_000

Rows = Callable[[Lineage, Persona], Iterator[CopiedRow]]
"""What to write into a copy; asked again, it answers the same rows in the same order."""


async def refuse_known(journal: Journal, tenant: str, agent_id: str) -> None:
    """Raise `AlreadyThere` where the tenant has an agent of that id."""
    if await journal.registry.agent(tenant, agent_id) is not None:
        raise AlreadyThere(f"agent {agent_id!r} is here already: give the new one another id")


async def make(journal: Journal, draft: CopyDraft, rows: Rows, *, now: datetime) -> int:
    """Write the rows and make the agent known; how many rows. A making of the same file that was cut short goes on
    where it stopped; one whose rows are refused leaves nothing. Raises `AlreadyThere` where such an agent is there."""
    copy = await journal.copies.begin(draft, now=now)
    if copy.state != "making":
        raise AlreadyThere(f"agent {draft.persona.id!r} is here already: give the new one another id")
    try:
        return await _written(journal, copy, rows(copy, draft.persona), now)
    except InvalidInput:
        await journal.copies.discard(draft.tenant, draft.persona.id, now=now)
        raise


async def _written(journal: Journal, copy: Lineage, rows: Iterator[CopiedRow], now: datetime) -> int:
    written = 0
    while page := await asyncio.to_thread(lambda: list(islice(rows, PAGE))):
        written += len(page)
        fresh = [row for row in page if row.seq > copy.reached]
        if fresh:
            copy = await journal.copies.write(copy, fresh, reached=fresh[-1].seq)
    await journal.copies.complete(copy, now=now)
    return written


@dataclass(frozen=True, slots=True)
class Imported:
    """Who came: as which agent, with how many memories and ledger rows, of which format, and what was left behind, by
    what it is, with the first names."""

    persona: Persona
    format: str
    memories: int
    rows: int
    trusted: bool
    dropped: dict[str, int] = field(default_factory=dict[str, int])
    names: dict[str, list[str]] = field(default_factory=dict[str, list[str]])


async def import_bundle(
    journal: Journal, bundle: Bundle, *, tenant: str, agent_id: str | None, trusted: bool, now: datetime
) -> Imported:
    """Make the agent of a bundle one of `tenant`, under `agent_id` or its own id. It is there when it is complete.

    `trusted`: its signer is known, so memories keep their trust, the persona its tools, and vectors are used. What was
    erased here, and what names it, does not come along. Raises `InvalidInput`, having left nothing behind.
    """
    persona, dropped = taken(bundle.persona, agent_id or bundle.persona.id, trusted=trusted)
    await refuse_known(journal, tenant, persona.id)
    try:
        seen = await asyncio.to_thread(survey, bundle.rows(), bundle.manifest, now)
    except InvalidInput as error:
        raise error if bundle.archive.name in str(error) else bundle.archive.wrong(str(error)) from error
    known = await _is_known(journal, bundle, tenant)
    gone = seen.resting_on(await _buried(journal, bundle, seen, (tenant, persona.id), known=known))
    if gone:
        dropped["memories erased here"] = len(gone)
    source = await _source(journal, bundle, (tenant, persona.id)) if known else None
    source_tenant, source_agent = source or _nobody(bundle, tenant)
    agreed = _agreed(bundle, trusted=trusted)
    draft = agent_records.CopyDraft("import", source_tenant, source_agent, tenant, persona, agreed)
    packed = _Packed(bundle, seen, gone, trusted=trusted)
    rows = await make(journal, draft, packed.rows, now=now)
    if trusted:
        await _keep_vectors(journal, bundle)
    return Imported(persona, "bundle", len(seen.named) - len(gone), rows, trusted, dropped)


def taken(persona: Persona, agent_id: str, *, trusted: bool) -> tuple[Persona, dict[str, int]]:
    """The persona as it comes in, and how much of it does not. A stranger's chooses no model, opens no file, calls no
    code and lends nobody out."""
    if trusted:
        return persona.revised(id=agent_id), {}
    acting = {"persona: tools": len(persona.tools), "persona: knowledge": len(persona.knowledge)}
    acting["persona: model"] = int(persona.model is not None)
    acting["persona: hire"] = int(persona.hire != HirePolicy())
    harmless = persona.revised(id=agent_id, tools=(), knowledge=(), model=None, hire=HirePolicy())
    return harmless, {what: count for what, count in acting.items() if count}


def _agreed(bundle: Bundle, *, trusted: bool) -> dict[str, JsonValue]:
    """What the lineage says of the file: which, who signed it, whose it says to be, and what its agent was bound by."""
    manifest = bundle.manifest
    bound = {} if manifest.bound is None else {BOUND: manifest.bound.model_dump(mode="json")}
    signer = bundle.signer if trusted else None
    return {"bundle": bundle.digest, "signer": signer, PACKED: [manifest.tenant, manifest.agent_id], **bound}


async def _is_known(journal: Journal, bundle: Bundle, tenant: str) -> bool:
    """Whether the file may be taken for one of the agent it names: it is of this tenant, or it left this journal. A
    signature proves nothing of another tenant's agent, for whoever imports says whose signature he wants."""
    manifest = bundle.manifest
    if manifest.tenant == tenant:
        return True
    left = await journal.lineages.made_from(manifest.tenant, manifest.agent_id)
    return any(each.kind == "export" and each.file == bundle.digest for each in left)


def _nobody(bundle: Bundle, tenant: str) -> tuple[str, str]:
    """A source that no agent is, for there are blanks in it."""
    return tenant, f"{bundle.manifest.agent_id}{AS_PACKED}{bundle.digest[:12]}"


async def _source(journal: Journal, bundle: Bundle, made: tuple[str, str]) -> tuple[str, str] | None:
    """Whom the lineage of the agent that is made names: the one that was packed. None where that is the made one
    itself, or came of it, for nobody descends from himself."""
    packed = ahead = (bundle.manifest.tenant, bundle.manifest.agent_id)
    seen = set[tuple[str, str]]()
    while ahead != made and ahead not in seen:
        seen.add(ahead)
        origin = await journal.lineages.origin(*ahead)
        if origin is None:
            return packed
        ahead = (origin.source_tenant, origin.source_agent)
    return None


async def _buried(journal: Journal, bundle: Bundle, seen: Survey, made: tuple[str, str], *, known: bool) -> set[str]:
    """The memories of the bundle that were erased here: in the agent that was packed or the one that it came of, where
    it is known which those are; in the one that is made, when it was here before, and in those of its tenant that came
    in from files of the same agent."""
    manifest, (tenant, agent_id) = bundle.manifest, made
    gone: set[str] = set()
    if known:
        there = {origin: memory_id for memory_id, ids in seen.origins.items() for origin in ids}
        there |= {memory_id: memory_id for memory_id in seen.named}
        gone |= {there[each] for each in await journal.eraser.buried(manifest.tenant, there)}
    packed = [manifest.tenant, manifest.agent_id]
    others = await journal.lineages.of_tenant(tenant)
    siblings = {each.agent_id for each in others if each.tenant == tenant and each.contract.get(PACKED) == packed}
    for agent in {manifest.agent_id, agent_id, *siblings}:
        here = {copied_id(tenant, agent, memory_id): memory_id for memory_id in seen.named}
        gone |= {here[each] for each in await journal.eraser.buried(tenant, here)}
    return gone


async def _keep_vectors(journal: Journal, bundle: Bundle) -> None:
    """Into the cache, where the index finds them instead of asking the embedder."""
    fingerprint, vectors = bundle.manifest.embedder, bundle.vectors()
    while fingerprint and (page := list(islice(vectors, PAGE))):
        try:
            packed = {each.key: b64decode(each.vector, validate=True) for each in page}
        except NotBase64 as error:
            raise bundle.archive.wrong("a vector is no base64") from error
        await journal.vectors.put(fingerprint, packed)


@dataclass(frozen=True, slots=True)
class _Packed:
    """The rows of a bundle as those of the copy."""

    bundle: Bundle
    seen: Survey
    gone: set[str]
    trusted: bool

    def rows(self, copy: Lineage, persona: Persona) -> Iterator[agent_records.CopiedRow]:
        source = {"source_tenant": self.bundle.manifest.tenant, "source_agent": self.bundle.manifest.agent_id}
        packed = copy.revised(**source)
        names = self.seen.names
        renaming = Renaming.of(packed, persona.name, source_name=self.bundle.persona.name, about=names)
        between = {node.memory_id for node in self.seen.entities}
        kept = (row for row in self.bundle.rows() if row.memory_id not in self.gone | between)
        yield from (renaming.row(self._row(row)) for row in kept)
        known = [node for node in decided_in(self.seen.entities) if node.memory_id not in self.gone]
        decisions = decided_in_copy(known, renaming, renaming.memory_id)
        if not self.trusted:
            decisions = [node.revised(trust=Trust.UNTRUSTED) for node in decisions]
        behind, run = self.bundle.manifest.head, renaming.run("decisions")
        yield from rows_of(decisions, behind=behind, run=run, cause="import", at=copy.began_at)

    def _row(self, row: BundledRow) -> agent_records.CopiedRow:
        after = None if row.after is None else wire_of(row.after)
        if after is not None and not self.trusted:
            after["trust"] = Trust.UNTRUSTED.value
        return agent_records.CopiedRow(
            seq=row.seq,
            memory_id=row.memory_id,
            target_id=row.target_id,
            run=row.run,
            cause=row.cause,
            at=row.at.isoformat(),
            act=row.act,
            reason=row.reason,
            after=after,
            first=row.first,
            attention=row.attention,
            fades=row.fades,
        )
