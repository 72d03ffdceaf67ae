"""Which entities a question names: by name or another name of theirs, else by what is said of them."""

from collections.abc import Mapping
from typing import Final

from agentmem import patterns as re
from agentmem.answers.sight import Sight
from agentmem.domain.entity import named
from agentmem.domain.memory import MemoryType
from agentmem.domain.scope import Scope
from agentmem.language.names import names_of
from agentmem.language.tokens import query_sparse
from agentmem.ledger.projection import EMBEDDED_CHARACTERS
from agentmem.ports.memory_index import Probe, Sparse, Where
from agentmem.retrieval.mentioned import names_in

NEAR: Final = 0.6
"""Cosine from which a semantic embedder's entity is what was meant."""

NEAREST: Final = 3
LIKELY: Final = 0.5
"""The share of an entity that was found by what is said of it, and of the person whom a scope is about."""

_SEPARATED: Final = re.compile(r"[，,；;、|/\n]+")


def keywords(text: str) -> tuple[str, ...]:
    """Names that a text may hold, between Chinese or Latin separators."""
    parts = [part.strip() for part in _SEPARATED.split(text) if part.strip()]
    found = [mention.name for part in parts for mention in names_of(part)]
    return tuple(dict.fromkeys((*found, *(name for part in parts for name in names_in(part)))))


async def looked_up(sight: Sight, text: str) -> dict[str, float]:
    """Entities by id with a share from 0 to 1 each; none where nothing fits.

    Within one person's scope entities are found by name alone: what is said of them may have been said by others.
    """
    scope = sight.query.scope
    ids = list(dict.fromkeys(named(scope.tenant, scope.agent, name) for name in keywords(text)))
    known = await sight.index.fetch(ids, ("memoryId",)) if ids else {}
    found = dict.fromkeys(known, 1.0)
    if not found and sight.whole:
        found = await _described(sight, text)
    return {**dict.fromkeys(scope.targets, LIKELY), **found}


async def _described(sight: Sight, text: str) -> Mapping[str, float]:
    """The entities whose summary says what the text says."""
    scope, embedder = sight.query.scope, sight.gather.embedder
    row = await embedder.embed([text[:EMBEDDED_CHARACTERS]], purpose="query")
    where = Where(Scope(scope.tenant, scope.agent), types=(MemoryType.ENTITY,))
    found = await sight.index.search(where, Probe(row, Sparse(*query_sparse(text, ()))), limit=NEAREST)
    near = [key for key, cosine in found.content if cosine >= NEAR] if embedder.semantic else []
    return dict.fromkeys((*near, *(key for key, _ in found.lexical)), LIKELY)
