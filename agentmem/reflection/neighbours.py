"""What a new memory may concern, of any age: what reads like it and what fills the same slot, found in the index."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from agentmem.domain.document import CHUNK
from agentmem.domain.filter import Compare
from agentmem.domain.memory import MemoryNode, MemoryType
from agentmem.domain.scope import Scope
from agentmem.language.tokens import query_sparse
from agentmem.ledger.projection import Projector, searchable
from agentmem.ports.embedder import EMBEDDED_CHARACTERS, Embedder, Matrix
from agentmem.ports.memory_index import MemoryIndex, Probe, Sparse, Where

NEAREST = 5
"""Neighbours looked at of each memory, besides itself."""

ALIKE = 0.5
"""Cosine from which meanings are near."""

SIMILAR = 0.7
"""Cosine from which a piece of a document may tell what another one means."""

IN_A_SLOT = 1_000
"""Memories looked at that fill or filled one of the slots in question; what those ended is looked at besides."""


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Looks in the index, which it brings up to date first."""

    index: MemoryIndex
    embedder: Embedder
    projector: Projector

    async def of(self, scope: Scope, nodes: Sequence[MemoryNode]) -> list[frozenset[str]]:
        """Ids of valid observations in scope: for each node the `NEAREST`, all nodes in one search. The node itself may
        be among them. Raises `BackendUnavailable`."""
        if not nodes:
            return []
        await self.projector.catch_up()
        where = Where(scope, types=(MemoryType.OBSERVATION,))
        answers = await self.index.search_many(where, await self._probes(nodes), limit=NEAREST + 1)
        return [
            frozenset(
                (
                    *(memory_id for memory_id, _ in answer.lexical),
                    *(memory_id for memory_id, cosine in answer.content if cosine >= ALIKE),
                )
            )
            for answer in answers
        ]

    async def filling(self, scope: Scope, slots: Collection[str]) -> frozenset[str]:
        """Ids of observations in scope that fill or filled one of these slots, as far as the index was brought up to
        date. Raises `BackendUnavailable`."""
        if not slots:
            return frozenset()
        named = Compare("attribute", "in", tuple(sorted(slots)))
        where = Where(scope, current=False, types=(MemoryType.OBSERVATION,), filter=named)
        return frozenset(await self.index.select(where, fields=("memoryId",), limit=IN_A_SLOT))

    async def pieces(self, scope: Scope, nodes: Sequence[MemoryNode], limit: int) -> list[tuple[str, ...]]:
        """Ids of valid pieces of documents in scope, for each node those nearest in meaning, best first; the node
        itself may be among them. Raises `BackendUnavailable`."""
        await self.projector.catch_up()
        rows = await self.embedder.embed([node.content[:EMBEDDED_CHARACTERS] for node in nodes], purpose="document")
        probes = [Probe(dense=rows[place : place + 1], by_keys=False) for place in range(len(nodes))]
        where = Where(scope, types=(MemoryType.LONGTERM,), filter=Compare("kind", "eq", CHUNK))
        answers = await self.index.search_many(where, probes, limit=limit)
        return [tuple(key for key, cosine in answer.content if cosine >= SIMILAR) for answer in answers]

    async def recalled_since(self, memory_ids: Collection[str], moment: datetime) -> set[str]:
        """Those that somebody recalled after `moment`, as far as the index remembers it."""
        payloads = await self.index.fetch(list(memory_ids), fields=("lastAccess",))
        touched = {key: payload.get("lastAccess") for key, payload in payloads.items()}
        return {key for key, at in touched.items() if isinstance(at, str) and datetime.fromisoformat(at) > moment}

    async def _probes(self, nodes: Sequence[MemoryNode]) -> list[Probe]:
        """Words always; meanings where the embedder knows any: what vectors of spelling find, the words find too."""
        rows: Sequence[Matrix | None] = [None] * len(nodes)
        if self.embedder.semantic:
            texts = [node.content for node in nodes]
            matrix = await self.embedder.embed(texts, purpose="document")
            rows = [matrix[place : place + 1] for place in range(len(nodes))]
        return [
            Probe(dense=row, lexical=Sparse(*query_sparse(searchable(node))))
            for node, row in zip(nodes, rows, strict=True)
        ]
