"""What was recalled, for tests of the block that is made of it."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from agentmem.domain.memory import MemoryNode, MemoryType
from agentmem.language.lengths import estimated_tokens
from agentmem.language.normal import Language
from agentmem.ports.models import TokenCounter
from agentmem.retrieval.context import Context, build_context
from agentmem.retrieval.query import Hit, Recalled, words_of
from tests.support.nodes import a_memory

NONCE = "5eed5eed5eed"
NOW = datetime(2026, 3, 9, 12, tzinfo=UTC)


def a_quoted_turn(text: str, *, by: str = "罗小东", **fields: object) -> MemoryNode:
    """A turn as a conversation memory."""
    return a_memory(text, memory_type=MemoryType.CONVERSATION, kind="turn", speaker=by, **fields)


def resting_on(turn: MemoryNode, part: str) -> tuple[dict[str, object], ...]:
    """Evidence: that part of the turn."""
    start = turn.content.index(part)
    return ({"memory_id": turn.memory_id, "start": start, "end": start + len(part)},)


def told(
    *memories: MemoryNode,
    turns: Sequence[MemoryNode] = (),
    known: Sequence[MemoryNode] = (),
    language: Language = "en",
    budget: int = 4_000,
    count: TokenCounter = estimated_tokens,
    nonce: str = NONCE,
    now: datetime = NOW,
) -> Context:
    """The block of these memories, best first; `turns` are what they rest on."""
    hits = tuple(Hit(node, 1 / place) for place, node in enumerate(memories, start=1))
    sources: Mapping[str, MemoryNode] = {node.memory_id: node for node in (*memories, *turns)}
    return build_context(
        Recalled(hits, abstained=not hits),
        {node.memory_id: words_of(node, sources) for node in memories},
        known=known,
        language=language,
        budget=budget,
        count=count,
        nonce=nonce,
        now=now,
    )
