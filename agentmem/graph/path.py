"""The shortest way from one entity to another, searched from both ends at once."""

from dataclasses import dataclass, field
from typing import Final

from agentmem.graph.walk import Known, linked
from agentmem.ports.memory_index import MemoryIndex, Where

LONGEST: Final = 6
"""Steps of a way at most."""

WIDEST: Final = 2_000
"""Entities that one step goes on from: the first by id, where there are more."""


@dataclass(frozen=True, slots=True)
class Way:
    """Entities from one end to the other, and the memory that links each with the next: one fewer."""

    entities: tuple[str, ...]
    memory_ids: tuple[str, ...] = ()


@dataclass(slots=True)
class _Side:
    """One end: how each entity was reached, and those that were reached in the last step."""

    start: str
    came: dict[str, tuple[str, str]] = field(default_factory=dict[str, tuple[str, str]])
    steps: dict[str, int] = field(default_factory=dict[str, int])
    frontier: list[str] = field(default_factory=list[str])

    def __post_init__(self) -> None:
        self.steps[self.start] = 0
        self.frontier.append(self.start)

    async def grow(self, index: MemoryIndex, where: Where, known: Known) -> None:
        """One step on, all entities of the frontier at once."""
        links = await linked(index, where, known.all_ids(self.frontier))
        await known.learn(index, {entity for entities, _ in links.values() for entity in entities})
        here, reached = set(self.frontier), dict[str, None]()
        for memory_id in sorted(links):
            entities = list(dict.fromkeys(map(known.root, links[memory_id][0])))
            via = next((entity for entity in entities if entity in here), None)
            for entity in entities if via is not None else ():
                if via is not None and entity not in self.steps:
                    self.steps[entity] = self.steps[via] + 1
                    self.came[entity] = memory_id, via
                    reached[entity] = None
        self.frontier = sorted(reached)[:WIDEST]

    def back(self, entity: str) -> tuple[list[str], list[str]]:
        """The entities and memories from `entity` back to the start."""
        entities, memory_ids = [entity], list[str]()
        while entity != self.start:
            memory_id, entity = self.came[entity]
            memory_ids.append(memory_id)
            entities.append(entity)
        return entities, memory_ids


async def shortest(index: MemoryIndex, where: Where, one: str, other: str, *, most: int = LONGEST) -> Way | None:
    """A shortest way of at most `most` steps over memories that `where` lets through, always the same one; None where
    there is none. A step sees the first 1,000 memories of its entities. Raises `BackendUnavailable`."""
    known = Known(where)
    await known.learn(index, {one, other})
    left, right = _Side(known.root(one)), _Side(known.root(other))
    for step in range(most + 1):
        if met := left.steps.keys() & right.steps.keys():
            return _joined(left, right, min(met, key=lambda each: (left.steps[each] + right.steps[each], each)))
        growing = [side for side in (left, right) if side.frontier]
        if len(growing) < 2 or step == most:
            return None
        await min(growing, key=lambda side: len(side.frontier)).grow(index, where, known)
    return None


def _joined(left: _Side, right: _Side, middle: str) -> Way:
    there, over = left.back(middle)
    on, by = right.back(middle)
    return Way((*reversed(there), *on[1:]), (*reversed(over), *by))
