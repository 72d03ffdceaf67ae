"""Over everything: summaries of communities, or, within a narrower sight, its weightiest memories."""

from typing import Final

from agentmem.answers.passages import FLOOR, Looked, Part, Passage, scale_of, sureness
from agentmem.answers.question import Step
from agentmem.answers.shape import is_overview
from agentmem.answers.sight import Sight
from agentmem.domain.memory import MemoryType, StoreStatus
from agentmem.domain.scope import Scope
from agentmem.language.tokens import query_sparse
from agentmem.ledger.projection import EMBEDDED_CHARACTERS
from agentmem.ports.ledger import Selection
from agentmem.ports.memory_index import Probe, Sparse, Where

COMMUNITIES: Final = 10
NEAR: Final = 0.3
"""Cosine from which a community bears on the question, where the embedder knows meaning."""

LOOKS: Final = 3
"""So often communities are looked up at most, where they change while somebody asks."""

WEIGHED: Final = 1_000
"""Memories out of which the weightiest are chosen, the newest."""

ASKED: Final = 0.5
"""At least so sure of an overview that was asked for, where there is anything to tell."""

_LAYERS: Final = (MemoryType.INSIGHT, MemoryType.OBSERVATION, MemoryType.LONGTERM)


async def overview(sight: Sight) -> Looked:
    """At most ten communities, or `k` memories."""
    await sight.refresh()
    passages = await _communities(sight) if sight.whole else await _weightiest(sight)
    text = sight.query.text
    ids = tuple(one.memory.memory_id for one in passages)
    step = Step("overview", text, ids, "communities" if sight.whole else "weightiest memories")
    sure = max(sureness(text, passages), ASKED if passages and is_overview(text) else 0.0)
    # Told as one, the best of them would outweigh all others: asked for everything, each has its say.
    apart = sight.whole and is_overview(text)
    parts = tuple(Part(text, (one,)) for one in passages) if apart else (Part(text, tuple(passages)),)
    return Looked(parts, sure, (step,))


async def _communities(sight: Sight) -> list[Passage]:
    """Those near to the question; all of them, the important first, where it asks for everything. Looked up again where
    they were grouped anew in between, so that what is told is all of one time."""
    for _ in range(LOOKS - 1):
        held, missing = await _standing(sight)
        if not missing:
            return held
        await sight.refresh()
    return (await _standing(sight))[0]


async def _standing(sight: Sight) -> tuple[list[Passage], bool]:
    """The communities that the index finds and the ledger has; and whether it has others by now."""
    scope, embedder, text = sight.query.scope, sight.gather.embedder, sight.query.text
    where = Where(Scope(scope.tenant, scope.agent), types=(MemoryType.COMMUNITY,))
    row = await embedder.embed([text[:EMBEDDED_CHARACTERS]], purpose="query")
    found = await sight.index.search(where, Probe(row, Sparse(*query_sparse(text))), limit=COMMUNITIES)
    near = {key: FLOOR + cosine for key, cosine in found.content if embedder.semantic and cosine >= NEAR}
    best = max((score for _, score in found.lexical), default=1.0)
    near |= {key: max(near.get(key, 0.0), FLOOR + score / best) for key, score in found.lexical if score > 0}
    if is_overview(text):
        near = dict.fromkeys(await sight.index.select(where, ("memoryId",), limit=WEIGHED), FLOOR) | near
    known = await sight.gather.journal.ledger.get(scope.tenant, near)
    held = [node for node in known.values() if node.store_status is StoreStatus.VALID]
    order = sorted(held, key=lambda node: (-near[node.memory_id], -node.importance, node.memory_id))
    return [Passage(node, near[node.memory_id]) for node in order[:COMMUNITIES]], len(held) < len(near)


async def _weightiest(sight: Sight) -> list[Passage]:
    query = sight.query
    wanted = Selection(query.scope, _LAYERS, limit=WEIGHED, as_of=query.as_of, known_at=query.known_at)
    newest = await sight.gather.journal.ledger.select(wanted)
    shown = await sight.states([node.memory_id for node in newest])
    scale = scale_of(query.text, shown.values())
    return sorted(map(scale.passage, shown.values()), key=_place)[: query.k]


def _place(one: Passage) -> tuple[float, int, int, int, str]:
    node = one.memory
    return -one.score, _LAYERS.index(node.memory_type), -node.importance, -node.timestamp, node.memory_id
