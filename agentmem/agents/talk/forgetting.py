"""Forgetting in a talk: what the person names of himself ends, nothing is erased, and nothing of others is touched."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Protocol

from agentmem.agents.talk.recollection import own_words, sources_of
from agentmem.agents.talk.talk import Talk
from agentmem.domain.memory import MemoryNode
from agentmem.memory.forget_plan import Meant
from agentmem.ports.ledger import Ledger


class Ended(Protocol):
    """What was forgotten, or would be."""

    @property
    def run(self) -> str | None:
        """What takes it back; None where nothing was done."""
        ...

    @property
    def gone(self) -> tuple[MemoryNode, ...]:
        """As they were."""
        ...

    @property
    def edited(self) -> tuple[tuple[MemoryNode, MemoryNode], ...]:
        """Before and after."""
        ...


class Forget(Protocol):
    """Ends what is meant."""

    async def __call__(self, meant: Meant, *, dry_run: bool = False) -> Ended:
        """See `App.forget`."""
        ...


async def forget_own(forget: Forget, ledger: Ledger, talk: Talk, query: str) -> tuple[MemoryNode, ...]:
    """End what the query names of the person; the memories as they were. Where others said it of him too, their words
    stay. Raises `InvalidInput` for a query that names nothing."""
    meant = Meant(replace(talk.scope, beside=()), query=query)
    would = await forget(meant, dry_run=True)
    touched = [*would.gone, *(before for before, _ in would.edited)]
    sources = await sources_of(ledger, talk.tenant, touched)
    own = _ids(node for node in would.gone if _own(node, talk, sources))
    if all(_own(node, talk, sources) for node in touched):
        return (await forget(meant)).gone
    if not own:
        return ()
    return (await forget(replace(meant, query=None, ids=own))).gone


def _own(node: MemoryNode, talk: Talk, sources: Mapping[str, MemoryNode]) -> bool:
    return not talk.is_own(node) and own_words(node, talk, sources)


def _ids(nodes: Iterable[MemoryNode]) -> tuple[str, ...]:
    return tuple(node.memory_id for node in nodes)
