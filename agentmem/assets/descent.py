"""Under which ids an agent may have what its documents are made of: what came with a copy keeps the id it came under,
so that the same file, changed, takes over the pieces the copy has."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from agentmem.domain.lineage import copied_id
from agentmem.ports.lineages import Lineages

Agent = tuple[str, str]
"""Tenant and id."""


@dataclass(frozen=True, slots=True)
class Descent:
    """An agent, and whom it was made from with all documents, itself first."""

    line: tuple[Agent, ...]

    def ids(self, made: Callable[[str, str], str]) -> tuple[str, ...]:
        """The ids of what has the id `made(tenant, agent)` where an agent took it in itself, its own first."""
        return tuple(self._here(place, made(*agent)) for place, agent in enumerate(self.line))

    def _here(self, place: int, original: str) -> str:
        for heir in reversed(self.line[:place]):
            original = copied_id(*heir, original)
        return original


async def descent_of(lineages: Lineages, tenant: str, agent: str) -> Descent:
    """That of an agent. A hire brings no document along that could be known again."""
    line: list[Agent] = [(tenant, agent)]
    while (origin := await lineages.origin(*line[-1])) is not None and origin.kind in ("clone", "import"):
        source = origin.packed
        known = source in line
        line.append(source)
        if known:
            break
    return Descent(tuple(line))


def known_as(ids: Sequence[str], known: Collection[str]) -> str:
    """The one under which it is known, its own where it is not."""
    return next((key for key in ids if key in known), ids[0])
