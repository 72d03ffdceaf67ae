"""Turns that were just said and are no memory yet: found all the same."""

import math
from collections import Counter
from collections.abc import Sequence

from agentmem.domain.episode import episode
from agentmem.domain.event import TurnSpoken
from agentmem.domain.memory import MemoryNode, microseconds
from agentmem.domain.value import JsonValue
from agentmem.language.tokens import tokens
from agentmem.ledger.projection import shown_by
from agentmem.ports.embedder import Matrix
from agentmem.ports.event_log import Sequenced
from agentmem.ports.memory_index import CUES, PLACE
from agentmem.retrieval.pool import Candidate, Stage

OVERLAID_TURNS = 200
"""So many of the newest unread turns are looked through; workers normally leave far fewer."""


def unread_episodes(turns: Sequence[Sequenced]) -> list[MemoryNode]:
    """The memories these turns are about to become."""
    return [
        episode(item.event, timestamp=microseconds(item.accepted_at), created_at=item.accepted_at)
        for item in turns
        if isinstance(item.event, TurnSpoken)
    ]


def overlaid(nodes: Sequence[MemoryNode], sought: str, cosines: Sequence[float], best: float) -> list[Candidate]:
    """Score unread turns as the index would: words as rare as among themselves, all of the question's words worth
    `best`, the score of the best match in the index."""
    bags = [Counter(tokens(node.content)) for node in nodes]
    spread = Counter(word for bag in bags for word in bag)
    rarity = {word: math.log(1 + (len(bags) + 0.5) / (spread[word] + 0.5)) for word in set(tokens(sought))}
    whole = sum(rarity.values()) or 1.0
    return [
        Candidate(
            memory_id=node.memory_id,
            fields=_fields(node),
            stage=Stage.UNREAD,
            dense=max(float(cosine), 0.0),
            lexical=(best or 1.0) * sum(weight for word, weight in rarity.items() if word in bag) / whole,
        )
        for node, cosine, bag in zip(nodes, cosines, bags, strict=True)
    ]


def cosines(rows: Matrix, question: Matrix) -> list[float]:
    """Of each row with the question's one row."""
    return [float(value) for value in rows @ question[0]]


def _fields(node: MemoryNode) -> dict[str, JsonValue]:
    return {**node.model_dump(mode="json", by_alias=True), PLACE: node.place, CUES: shown_by(node)}
