"""The memories made of a document's pieces: each piece itself, the facts in it, and what becomes of those facts when
the pieces change (those still stated stay, the others end with their pieces).
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from agentmem.assets.pieces import WORKER, Chunk, Descent, known_as
from agentmem.bounded_cache import bounded_cache
from agentmem.domain.document import CHUNK, FACT, Extract, Quoted
from agentmem.domain.entity import Mention, mentions_of, named, with_mentions
from agentmem.domain.event import AssetReceived
from agentmem.domain.ids import TimestampGenerator, derived_id
from agentmem.domain.memory import Evidence, MemoryNode, MemoryType, Modality, StoreStatus, local_day, microseconds
from agentmem.domain.naming import canonical_name
from agentmem.domain.value import JsonValue
from agentmem.language.names import Placed, each_once, placed_names
from agentmem.language.normal import language_of, normalise
from agentmem.language.relations import Related, relations_of
from agentmem.ledger.plan import Plan
from agentmem.ports.ledger import Ledger


@dataclass(frozen=True, slots=True)
class DraftedPiece:
    """A piece and its facts, as they would be kept."""

    piece: MemoryNode
    facts: tuple[MemoryNode, ...]


@dataclass(frozen=True, slots=True)
class Drafting:
    """Makes memories of one version of a document, whose record has the id `document`; known from `now` on."""

    asset: AssetReceived
    document: str
    timestamps: TimestampGenerator
    now: datetime

    def draft(self, memory_id: str, chunk: Chunk) -> DraftedPiece:
        """The piece with what its words relate."""
        heading = " › ".join(chunk.path)
        content = f"{heading}\n{chunk.text}" if heading else chunk.text
        body = len(content) - len(chunk.text)
        titled = {
            each.mention.name for part in chunk.path for each in _named_in(part)
        }  # a word that begins one is no name
        placed = [each for each in placed_names(content) if each.start >= body or each.mention.name in titled]
        piece = self._piece(memory_id, chunk, heading, content, each_once(placed))
        found = relations_of(content, [each for each in placed if each.start >= body], _topic(chunk.path))
        return DraftedPiece(piece, tuple(self._facts(piece, found, body)))

    def found(self, piece: MemoryNode, extract: Extract, known: Collection[MemoryNode]) -> Iterator[MemoryNode]:
        """The facts that a model found in a piece, without those whose sentence already relates the same two."""
        pairs = {(normalise(node.content), *node.entity_ids[:2]) for node in known}
        for stated in extract.relations:
            fact = self._fact(piece, stated.names, stated.relation, stated.quote)
            pair = (normalise(fact.content), *fact.entity_ids[:2])
            if pair not in pairs:
                pairs.add(pair)
                yield fact
        for told in extract.entities:
            fact = self._fact(piece, (told.mention,), None, told.quote, told.summary)
            yield fact.revised(modality=Modality.INFERRED)

    def _facts(self, piece: MemoryNode, found: Iterable[Related], body: int) -> Iterator[MemoryNode]:
        seen: set[str] = set()
        for related in found:
            if related.start >= body:
                names = (related.source, related.destination, *related.others)
                end = min(related.start + len(related.text), len(piece.content))
                fact = self._fact(piece, names, related.relation, Quoted(start=related.start, end=end))
                if fact.memory_id not in seen:
                    seen.add(fact.memory_id)
                    yield fact

    def _fact(
        self, piece: MemoryNode, names: tuple[Mention, ...], relation: str | None, quote: Quoted, text: str = ""
    ) -> MemoryNode:
        """One statement, whole, however many it relates: as the words stand in the document, unless it has a `text` of
        its own."""
        content = text or piece.content[quote.start : quote.end].strip()
        return piece.revised(
            memory_id=fact_id(self.asset.tenant, self.asset.agent_id, self.asset.asset_id, names, relation, content),
            kind=FACT,
            content=content,
            key=tuple(each.name for each in names[:2]),
            relation=relation,
            entity_ids=self._entities(names),
            language=language_of(content),
            timestamp=self.timestamps.next(microseconds(self.now)),
            created_at=self.now,
            source_ids=(piece.memory_id,),
            supersedes=(),
            evidence=(Evidence(memory_id=piece.memory_id, start=quote.start, end=quote.end),),
            obs_updated=0,
            revision=1,
            meta_data={**self._about(), **_place(piece), **with_mentions(names)},
        )

    def _piece(
        self, memory_id: str, chunk: Chunk, heading: str, content: str, mentions: Sequence[Mention]
    ) -> MemoryNode:
        asset = self.asset
        return MemoryNode(
            memory_id=memory_id,
            tenant=asset.tenant,
            agent_id=asset.agent_id,
            user_name=asset.agent_name,
            target_id=asset.target_id,
            target_name=asset.agent_name,
            memory_type=MemoryType.LONGTERM,
            kind=CHUNK,
            content=content,
            key=chunk.path[-1:],
            entity_ids=self._entities(mentions),
            language=language_of(chunk.text),
            speaker=asset.title,
            timestamp=self.timestamps.next(microseconds(self.now)),
            dt=local_day(asset.at),
            valid_at=asset.at,
            created_at=self.now,
            importance=5,
            trust=asset.trust,
            meta_data={
                **self._about(),
                "section": list(chunk.path),
                "heading": heading,
                "start": chunk.start,
                "end": chunk.start + len(chunk.text),
                **with_mentions(tuple(mentions)),
            },
        )

    def _about(self) -> dict[str, JsonValue]:
        asset = self.asset
        return {
            "assetId": asset.asset_id,
            "assetVersion": asset.version,
            "documentId": self.document,
            "title": asset.title,
            "source": asset.source,
        }

    def _entities(self, mentions: Iterable[Mention]) -> tuple[str, ...]:
        asset = self.asset
        return tuple(dict.fromkeys(named(asset.tenant, asset.agent_id, each.name) for each in mentions))


def fact_ids(descent: Descent, asset_id: str, fact: MemoryNode) -> tuple[str, ...]:
    """The ids under which this fact may be known."""
    names = mentions_of(fact)
    return descent.ids(lambda tenant, agent: fact_id(tenant, agent, asset_id, names, fact.relation, fact.content))


def fact_id(
    tenant: str, agent: str, asset_id: str, names: Sequence[Mention], relation: str | None, content: str
) -> str:
    """The id of a fact: the same words about the same two are one fact, wherever in the document they stand."""
    pair = (canonical_name(names[0].name), relation or "", *(canonical_name(each.name) for each in names[1:2]))
    words = normalise(content)
    return derived_id("memory", tenant, agent, asset_id, WORKER, FACT, *pair, words)


def _place(piece: MemoryNode) -> dict[str, JsonValue]:
    return {name: piece.meta_data[name] for name in ("section", "heading")}


def _topic(path: Sequence[str]) -> Mention | None:
    """What the headings name, where the nearest one with a name in it is that name and nothing else."""
    for heading in reversed(path):
        if found := _named_in(heading):
            return found[0].mention if len(found) == 1 and found[0].mention.name == heading.strip() else None
    return None


@bounded_cache(1_024)  # the pieces of a document share their headings
def _named_in(heading: str) -> tuple[Placed, ...]:
    return tuple(placed_names(heading))


async def begun(
    ledger: Ledger, stored: Mapping[str, MemoryNode], drafts: Sequence[MemoryNode], ids: Sequence[Sequence[str]]
) -> tuple[Plan, list[MemoryNode]]:
    """The plan to begin with, and the drafted facts that nobody asked to forget, under the one of their `ids` by which
    they are known."""
    unknown = {key for each in ids for key in each} - stored.keys()
    known = await ledger.get(drafts[0].tenant, unknown, forgotten=True) if unknown else {}
    held = {**stored, **known}
    drafts = [draft.revised(memory_id=known_as(each, held)) for draft, each in zip(drafts, ids, strict=True)]
    gone = await forgotten(ledger, (held[draft.memory_id] for draft in drafts if draft.memory_id in held))
    return Plan(held.values()), [draft for draft in drafts if draft.memory_id not in gone]


async def forgotten(ledger: Ledger, known: Iterable[MemoryNode]) -> set[str]:
    """Those of them that somebody asked to forget: they do not come back with their document."""
    found: set[str] = set()
    for node in known:
        if node.is_forgotten:
            found.add(node.memory_id)
        elif not holds(node):
            *_, last = await ledger.history(node.tenant, node.memory_id)
            found |= {node.memory_id} if last.change.act == "forget" else set()
    return found


def settle(
    plan: Plan, before: Sequence[str], drafts: Iterable[MemoryNode], heirs: Mapping[str, str], now: datetime
) -> None:
    """Bring the facts known `before` up to date, the pieces being settled in the plan already, and add what `drafts`
    say besides. `heirs` names for each piece that was taken over the one that did so.

    A fact that several pieces say is one, and rests on all of them; it ends with the last.
    """
    new = _merged(drafts)
    gone: list[MemoryNode] = []
    for node in [plan[key] for key in before if holds(plan.get(key))]:
        said_by = [key for key in node.source_ids if holds(plan.get(key))]
        again = new.pop(node.memory_id, None)
        if again is None and not said_by:
            gone.append(node)
        else:
            _carry_on(plan, node, said_by, again)
    for node in gone:
        _end(plan, node, new.values(), heirs, now)
    for node in new.values():
        taken_over = tuple(old.memory_id for old in gone if plan[old.memory_id].superseded_by == node.memory_id)
        plan.put(returned(node, plan.get(node.memory_id)).revised(supersedes=taken_over), "refresh", "said again")


def holds(node: MemoryNode | None) -> bool:
    """Whether a memory is there and has not ended."""
    return node is not None and node.store_status is StoreStatus.VALID


def returned(node: MemoryNode, before: MemoryNode | None) -> MemoryNode:
    """What is back in the document is the memory it was: when it was known first is not forgotten."""
    return node if before is None else node.revised(timestamp=before.timestamp, created_at=before.created_at)


def _merged(drafts: Iterable[MemoryNode]) -> dict[str, MemoryNode]:
    """Facts by id; of one that several pieces say, the first with the evidence of all."""
    merged: dict[str, MemoryNode] = {}
    for node in drafts:
        known = merged.get(node.memory_id)
        merged[node.memory_id] = node if known is None else _with(known, known.source_ids, node)
    return merged


def _with(node: MemoryNode, said_by: Collection[str], again: MemoryNode | None) -> MemoryNode:
    """The fact as these pieces say it, and another one besides."""
    evidence = [part for part in node.evidence if part.memory_id in said_by]
    return node.revised(
        source_ids=tuple(dict.fromkeys((*said_by, *(again.source_ids if again else ())))),
        evidence=tuple(dict.fromkeys((*evidence, *(again.evidence if again else ())))),
    )


def _carry_on(plan: Plan, node: MemoryNode, said_by: Collection[str], again: MemoryNode | None) -> None:
    kept = _with(node, said_by, again)
    if kept != node:
        plan.put(kept, "refresh", "other pieces say it")


def _end(plan: Plan, node: MemoryNode, new: Iterable[MemoryNode], heirs: Mapping[str, str], now: datetime) -> None:
    """End a fact that no piece says any more; what the piece in its place says of the same takes it over."""
    pieces = {heirs[key] for key in node.source_ids if key in heirs}
    alike = (each for each in new if pieces & set(each.source_ids) and _same_side(each, node))
    heir = next(alike, None)
    if heir is not None:
        plan.put(node.ended(at=now, now=now, by=heir.memory_id), "supersede", "the document changed")
    else:
        plan.put(node.ended(at=now, now=now), "end", "no longer in the document")


def _same_side(new: MemoryNode, old: MemoryNode) -> bool:
    return new.relation == old.relation and new.entity_ids[:1] == old.entity_ids[:1]
