"""One recall."""

from agentmem.answers.passages import Looked, Part, Passage
from agentmem.answers.question import Step
from agentmem.answers.sight import Sight


async def vector(sight: Sight) -> Looked:
    """What is nearest to the question in meaning and words."""
    query = sight.query
    found = await sight.recall(query.text, query.k)
    step = Step("recall", query.text, tuple(hit.memory.memory_id for hit in found.hits))
    passages = tuple(Passage(hit.memory, hit.score) for hit in found.hits if hit.score > 0)
    return Looked((Part(query.text, passages),), found.confidence, (step,))
