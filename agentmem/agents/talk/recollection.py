"""What an agent remembers while it talks: of the person, in that person's own words, and of its documents.

Memories about the person that others told, and whatever was concluded from these, are left out: he is neither told
what others say of him nor who they are, and nobody speaks into another's talk.
"""

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

import structlog

from agentmem.agents.talk.talk import Talk
from agentmem.domain.filter import Filter
from agentmem.domain.memory import MemoryNode, MemoryType
from agentmem.domain.naming import canonical_name
from agentmem.domain.scope import Scope
from agentmem.errors import AgentMemError
from agentmem.memory.support import rests_on
from agentmem.ports.ledger import Ledger
from agentmem.ports.models import TokenCounter
from agentmem.retrieval.context import Context, build_context
from agentmem.retrieval.query import Hit, Recalled, RecallQuery, Words, words_of

log = structlog.get_logger()

MAX_CHARS: Final = 2_000
"""Characters of what was said that memories are looked for with."""

DEEPEST: Final = 4
"""Steps from a memory down to the words it rests on; an insight is two away."""

Recaller = Callable[[RecallQuery], Awaitable[Recalled]]
Acquainted = Callable[[Scope, Filter], Awaitable[list[MemoryNode]]]
"""What is to be known of the person of a scope whatever is asked."""


@dataclass(frozen=True, slots=True)
class Recollection:
    """A block for the prompt, the hits that stand in it, and the words these rest on, by memory id."""

    context: Context
    hits: tuple[Hit, ...]
    words: Mapping[str, list[Words]]

    @property
    def told(self) -> list[str]:
        """Everything in it that could be said again."""
        return [hit.memory.content for hit in self.hits] + [part.text for one in self.words.values() for part in one]


@dataclass(frozen=True, slots=True)
class Reminder:
    """What an agent that speaks elsewhere is told: a block for its prompt, empty where nothing bears on what was said,
    and everything that is an echo when the agent says it."""

    text: str
    told: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Recollector:
    """Recalls for talks: at most `k` memories, shown within `budget` tokens, looked for at most `seconds`, and what is
    to be known of the person besides. `looking` is None where nothing can be looked up."""

    looking: tuple[Recaller, Acquainted] | None
    ledger: Ledger
    now: Callable[[], datetime]
    k: int = 20
    budget: int = 1_600
    seconds: float = 3.0

    async def __call__(
        self, talk: Talk, text: str, wanted: Filter, count: TokenCounter, *, answers: bool = False
    ) -> Recollection | None:
        """What comes nearest to the text, of all that `wanted` lets through; with `answers` nothing, where nothing of
        it seems to answer the text, which is then a question: most of what people say is none. None where it cannot be
        looked up now: that the agent goes on talking matters more."""
        if self.looking is None:
            return None
        recall, acquainted = self.looking
        query = RecallQuery(talk.scope, text[:MAX_CHARS], self.k, filter=wanted)
        try:
            async with asyncio.timeout(self.seconds):
                found, person = await recall(query), await acquainted(talk.scope, wanted)
                sources = await self._sources(talk, [*(hit.memory for hit in found.hits), *person])
        except (AgentMemError, TimeoutError) as error:
            log.warning("not_recalled", agent=talk.persona.id, reason=type(error).__name__)
            return None
        hits = tuple(hit for hit in found.hits if own_words(hit.memory, talk, sources))
        kept = replace(found, hits=hits, abstained=found.abstained and answers)
        known = [node for node in person if own_words(node, talk, sources)]
        return self._told(talk, kept, known, sources, count)

    def _told(
        self,
        talk: Talk,
        found: Recalled,
        person: Sequence[MemoryNode],
        sources: Mapping[str, MemoryNode],
        count: TokenCounter,
    ) -> Recollection:
        own = {key: node for key, node in sources.items() if node.target_id == talk.lane.target}
        words = {node.memory_id: words_of(node, own) for node in (*person, *(hit.memory for hit in found.hits))}
        context = build_context(
            found,
            words,
            person=person,
            language=talk.persona.language,
            budget=self.budget,
            count=count,
            nonce=secrets.token_hex(6),
            now=self.now(),
        )
        shown = {memory_id for line in context.lines for memory_id in line.memory_ids}
        every = {node.memory_id: Hit(node, 0.0) for node in person} | {hit.memory.memory_id: hit for hit in found.hits}
        hits = tuple(hit for key, hit in every.items() if key in shown)
        return Recollection(context, hits, {hit.memory.memory_id: words[hit.memory.memory_id] for hit in hits})

    async def _sources(self, talk: Talk, nodes: Iterable[MemoryNode]) -> dict[str, MemoryNode]:
        return await sources_of(self.ledger, talk.tenant, [node for node in nodes if not talk.is_document(node)])


async def sources_of(ledger: Ledger, tenant: str, nodes: Iterable[MemoryNode]) -> dict[str, MemoryNode]:
    """Everything these memories rest on, down to what was said, by id."""
    known: dict[str, MemoryNode] = {}
    ahead = _named(nodes)
    for _ in range(DEEPEST):
        if not ahead:
            break
        found = await ledger.get(tenant, ahead)
        known |= found
        ahead = _named(found.values()) - known.keys()
    return known


def own_words(node: MemoryNode, talk: Talk, sources: Mapping[str, MemoryNode]) -> bool:
    """Whether the memory may be used in this talk: of the agent's documents and trade, or about the person and said in
    talks with that person, by one of the two; a conclusion only where all of what it rests on is so."""
    return talk.is_own(node) or _is_of(talk.lane.target, node, sources, DEEPEST)


def told_here(node: MemoryNode, talk: Talk, sources: Mapping[str, MemoryNode]) -> bool:
    """Whether nothing but what was said in talks with the person carries a memory, whoever it is about."""
    return _rests_here(talk.lane.target, node, sources, DEEPEST)


def _rests_here(target: str, node: MemoryNode, sources: Mapping[str, MemoryNode], depth: int) -> bool:
    if node.memory_type is MemoryType.CONVERSATION:
        return node.target_id == target
    below = rests_on(node)
    return (
        bool(below)
        and depth > 0
        and all(key in sources and _rests_here(target, sources[key], sources, depth - 1) for key in below)
    )


def _is_of(target: str, node: MemoryNode, sources: Mapping[str, MemoryNode], depth: int) -> bool:
    if node.target_id != target or depth < 0:
        return False
    if node.memory_type in (MemoryType.CONVERSATION, MemoryType.PERCEPTUAL):
        return True
    if node.evidence:
        # Somebody else may have said it too; that takes it away from nobody.
        said = [sources[part.memory_id] for part in node.evidence if part.memory_id in sources]
        return any(turn.target_id == target for turn in said) and _by_one_of_the_two(node)
    return all(key in sources and _is_of(target, sources[key], sources, depth - 1) for key in rests_on(node))


def _by_one_of_the_two(node: MemoryNode) -> bool:
    two = {canonical_name(node.target_name), canonical_name(node.user_name)}
    return node.speaker is None or canonical_name(node.speaker) in two


def _named(nodes: Iterable[MemoryNode]) -> set[str]:
    return {key for node in nodes for key in rests_on(node)}
