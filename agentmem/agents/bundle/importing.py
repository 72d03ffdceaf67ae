"""A bundle into a journal: seen whole first, then written under ids, an owner and a scope of our own.

Nothing of the file says where it goes: tenant and agent are the caller's, every id is derived anew. What somebody
unknown packed is untrusted, and its persona brings words along but nothing that acts.
"""

import asyncio
from base64 import b64decode
from binascii import Error as NotBase64
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice

from agentmem.agents.bundle.form import Row
from agentmem.agents.bundle.making import PAGE, make, refuse_known
from agentmem.agents.bundle.reading import Bundle
from agentmem.agents.bundle.survey import Survey, survey
from agentmem.agents.copying.deciding import decided_in_copy, rows_of
from agentmem.agents.copying.renaming import Renaming, wire_of
from agentmem.domain.lineage import AS_PACKED, Lineage, copied_id
from agentmem.domain.memory import Trust
from agentmem.domain.persona import HirePolicy, Persona
from agentmem.errors import InvalidInput
from agentmem.graph.decisions import decided_in
from agentmem.ports import copies
from agentmem.ports.journal import Journal


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
    gone = seen.resting_on(await _buried(journal, bundle, seen, tenant))
    if gone:
        dropped["memories erased here"] = len(gone)
    draft = copies.Draft(
        "import",
        bundle.manifest.tenant,
        await _source(journal, bundle, (tenant, persona.id)),
        tenant,
        persona,
        {"bundle": bundle.digest, "signer": bundle.signer if trusted else None},
    )
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


async def _source(journal: Journal, bundle: Bundle, made: tuple[str, str]) -> str:
    """Whom the lineage of the agent that is made names: the one that was packed. Where that is the made one itself, or
    came of it, a name that no agent has, for nobody descends from himself."""
    manifest = bundle.manifest
    ahead, seen = (manifest.tenant, manifest.agent_id), set[tuple[str, str]]()
    while ahead != made and ahead not in seen:
        seen.add(ahead)
        origin = await journal.lineages.origin(*ahead)
        if origin is None:
            return manifest.agent_id
        ahead = (origin.source_tenant, origin.source_agent)
    return f"{manifest.agent_id}{AS_PACKED}{bundle.digest[:12]}"


async def _buried(journal: Journal, bundle: Bundle, seen: Survey, tenant: str) -> set[str]:
    """The memories of the bundle that were erased here: in the agent that was packed, in the one that it came of, or in
    one of this tenant that came in from a file of the same agent."""
    manifest = bundle.manifest
    there = {origin: memory_id for memory_id, ids in seen.origins.items() for origin in ids}
    there |= {memory_id: memory_id for memory_id in seen.named}
    gone = {there[each] for each in await journal.eraser.buried(manifest.tenant, there)}
    made = await journal.lineages.made_from(manifest.tenant, manifest.agent_id)
    for agent in {manifest.agent_id, *(each.agent_id for each in made if each.tenant == tenant)}:
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

    def rows(self, copy: Lineage, persona: Persona) -> Iterator[copies.Row]:
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

    def _row(self, row: Row) -> copies.Row:
        after = None if row.after is None else wire_of(row.after)
        if after is not None and not self.trusted:
            after["trust"] = Trust.UNTRUSTED.value
        return copies.Row(
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
