"""A piece of a document as a memory, and the facts in it as memories of their own."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from agentmem.assets.chunks import Chunk
from agentmem.assets.descent import Descent
from agentmem.assets.pieces import WORKER
from agentmem.bounded_cache import bounded_cache
from agentmem.domain.document import CHUNK, FACT
from agentmem.domain.entity import Mention, mentions_of, named, with_mentions
from agentmem.domain.event import AssetReceived
from agentmem.domain.extraction import Extract, Quoted
from agentmem.domain.ids import derived_id
from agentmem.domain.memory import Evidence, MemoryNode, MemoryType, Modality, local_day, microseconds
from agentmem.domain.naming import canonical_name
from agentmem.domain.timestamp import TimestampGenerator
from agentmem.domain.value import JsonValue
from agentmem.language.names import Placed, each_once, placed_names
from agentmem.language.normal import language_of, normalise
from agentmem.language.relations import Related, relations_of


@dataclass(frozen=True, slots=True)
class Draft:
    """A piece and its facts, as they would be kept."""

    piece: MemoryNode
    facts: tuple[MemoryNode, ...]


@dataclass(frozen=True, slots=True)
class Drafting:
    """Makes memories of one version of a document, whose card has the id `document`; known from `now` on."""

    asset: AssetReceived
    document: str
    timestamps: TimestampGenerator
    now: datetime

    def draft(self, memory_id: str, chunk: Chunk) -> Draft:
        """The piece with what its words relate."""
        heading = " › ".join(chunk.path)
        content = f"{heading}\n{chunk.text}" if heading else chunk.text
        placed = placed_names(content)
        piece = self._piece(memory_id, chunk, heading, content, each_once(placed))
        body = len(content) - len(chunk.text)
        found = relations_of(content, [each for each in placed if each.start >= body], _topic(chunk.path))
        return Draft(piece, tuple(self._facts(piece, found, body)))

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
