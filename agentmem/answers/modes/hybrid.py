"""Communities, the nearest, and a traversal, side by side."""

import asyncio
from typing import Final

from agentmem.answers.modes.overview import overview
from agentmem.answers.modes.traverse import Traversal
from agentmem.answers.modes.vector import vector
from agentmem.answers.passages import Looked, Part, fused
from agentmem.answers.question import Step
from agentmem.answers.shape import is_overview
from agentmem.answers.sight import Sight
from agentmem.retrieval.confidence import THRESHOLD

WALKED: Final = 2
"""How often the traversal's places count: what lies behind a bridge is in no other list. Measured on the open questions
of `docs/graph.md`: recall .88, once .82."""


async def hybrid(sight: Sight, traversal: Traversal) -> Looked:
    """What `global`, `vector` and `traverse` found, fused by rank; what none of them is sure of is left out. An
    overview that was asked for comes first."""
    query = sight.query
    ways = await asyncio.gather(overview(sight), vector(sight), traversal(sight))
    sure = [way for way in ways if way.confidence >= THRESHOLD]
    lists = [way.ranked for way in sure for _ in range(WALKED if way is ways[-1] else 1)]
    passages = fused(lists, query.k)
    last = Step("fuse", query.text, tuple(one.memory.memory_id for one in passages), f"{len(sure)} of {len(ways)} ways")
    steps = (*(step for way in ways for step in way.steps), last)
    confidence = max(way.confidence for way in ways)
    first = ways[0].parts if ways[0] in sure and is_overview(query.text) else ()
    return Looked(
        (*first, Part(query.text, passages)), confidence, steps, tuple(line for way in ways for line in way.graph)
    )
