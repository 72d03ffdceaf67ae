"""Everything, the entities and the nearest, side by side."""

import asyncio

from agentmem.answers.modes.local import local
from agentmem.answers.modes.overview import overview
from agentmem.answers.modes.vector import vector
from agentmem.answers.passages import Looked, Part, fused
from agentmem.answers.question import Step
from agentmem.answers.shape import is_overview
from agentmem.answers.sight import Sight
from agentmem.retrieval.confidence import THRESHOLD


async def hybrid(sight: Sight) -> Looked:
    """What `global`, `local` and `vector` found, fused by rank; what none of them is sure of is left out. An overview
    that was asked for comes first."""
    query = sight.query
    ways = await asyncio.gather(overview(sight), local(sight), vector(sight))
    sure = [way for way in ways if way.confidence >= THRESHOLD]
    passages = fused([way.passages for way in sure], query.k)
    last = Step("fuse", query.text, tuple(one.memory.memory_id for one in passages), f"{len(sure)} of {len(ways)} ways")
    steps = (*(step for way in ways for step in way.steps), last)
    confidence = max(way.confidence for way in ways)
    first = ways[0].parts if ways[0] in sure and is_overview(query.text) else ()
    return Looked(
        (*first, Part(query.text, passages)), confidence, steps, tuple(line for way in ways for line in way.graph)
    )
