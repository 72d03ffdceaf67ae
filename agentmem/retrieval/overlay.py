"""Turns that were just said and are no memory yet: found all the same."""

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np

from agentmem.domain.episode import episode
from agentmem.domain.event import TurnSpoken
from agentmem.domain.memory import MemoryNode, microseconds
from agentmem.language.tokens import tokens
from agentmem.ports.embedder import Embedder, Matrix
from agentmem.ports.event_log import Sequenced
from agentmem.retrieval.signals import Candidate

OVERLAID_TURNS = 200
"""So many of the newest unread turns are looked through; workers normally leave far fewer."""


def unread_episodes(turns: Sequence[Sequenced]) -> list[MemoryNode]:
    """The memories these turns are about to become."""
    return [
        episode(item.event, timestamp=microseconds(item.accepted_at), created_at=item.accepted_at)
        for item in turns
        if isinstance(item.event, TurnSpoken)
    ]


async def overlaid(nodes: Sequence[MemoryNode], text: str, row: Matrix, embedder: Embedder) -> list[Candidate]:
    """Score unread turns as the index would, with word rarity counted among themselves."""
    if not nodes:
        return []
    rows = await embedder.embed([node.content for node in nodes], purpose="document")
    cosines = np.clip(rows @ row[0], 0.0, 1.0)
    bags = [Counter(tokens(node.content)) for node in nodes]
    spread = Counter(word for bag in bags for word in bag)
    rarity = {word: math.log(1 + (len(bags) + 0.5) / (spread[word] + 0.5)) for word in set(tokens(text))}
    whole = sum(rarity.values()) or 1.0
    return [
        Candidate(
            memory_id=node.memory_id,
            dense=float(cosine),
            keys=0.0,
            lexical=sum(weight for word, weight in rarity.items() if word in bag) / whole,
            fields=node.model_dump(mode="json", include={"memory_type", "importance", "valid_at", "timestamp"}),
        )
        for node, cosine, bag in zip(nodes, cosines, bags, strict=True)
    ]
