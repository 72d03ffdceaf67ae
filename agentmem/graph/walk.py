"""Walks the graph from entities over the memories that link them, and finds the shortest path between two.

A memory links all its entities with one another; one step costs one query for memories and one look-up of the entities
they name, however much is stored. What an entity passes on halves with each step and is divided by the number of
memories it is in, so an entity that is in all of them leads hardly anywhere. A path is searched from both ends at once.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from agentmem.domain.entity import named
from agentmem.domain.filter import AllOf, Compare, Filter
from agentmem.domain.value import JsonValue
from agentmem.errors import InvalidInput
from agentmem.ports.memory_index import MemoryIndex, Where

MAX_HOPS: Final = 3
DECAY: Final = 0.5
"""What a step leaves of a share."""

FRONTIER: Final = 64
"""Entities that are walked on from in one step, those with the largest shares."""

SELECTED: Final = 1_000
"""Memories that one step reads."""

READ: Final = 3
"""Memories that one step reads for each that there is room for."""

_LINKS: Final = ("entityIds", "relation")
_NAMES: Final = ("key", "value", "supersededBy")


@dataclass(frozen=True, slots=True)
class Link:
    """A memory that was walked over, with the entities it links, in its order; `hop` counts from 1."""

    memory_id: str
    entities: tuple[str, ...]
    relation: str | None
    hop: int
    via: str
    share: float


@dataclass(slots=True)
class Walk:
    """Where a walk came: entities with the number of steps to them, seeds with 0, and the links in the order of steps,
    in each step the largest shares first. `more`: some within its steps may have been
    left out."""

    entities: dict[str, int] = field(default_factory=dict[str, int])
    links: list[Link] = field(default_factory=list[Link])
    more: bool = False


async def walk(index: MemoryIndex, where: Where, seeds: Mapping[str, float], *, hops: int, limit: int) -> Walk:
    """At most `limit` links that `where` lets through, from entities with their shares, from 0 to 1.

    Raises `InvalidInput` unless `hops` is 0 to 3, and `BackendUnavailable`.
    """
    if not 0 <= hops <= MAX_HOPS:
        raise InvalidInput(f"hops is {hops}, allowed: 0 to {MAX_HOPS}")
    known = EntityNames(where)
    await known.learn(index, seeds)
    frontier = _merged((known.root(entity), share) for entity, share in seeds.items())
    found = Walk(entities=dict.fromkeys(frontier, 0))
    seen: set[str] = set()
    for hop in range(1, hops + 1):
        room = limit - len(found.links)
        if not frontier or not room:
            found.more |= bool(frontier)
            break
        most = min(SELECTED, READ * room + len(seen))
        links = await linked(index, where, known.all_ids(frontier), most=most)
        found.more |= len(links) == most
        links = {key: held for key, held in links.items() if key not in seen}
        step = _step(links, frontier, known, hop)
        found.more |= len(step) > room
        step = step[:room]
        # Only of what is kept: to look up 1,000 entities costs as much as to find the memories that name them.
        await known.learn(index, {entity for link in step for entity in link.entities})
        step = [replace(link, entities=tuple(dict.fromkeys(map(known.root, link.entities)))) for link in step]
        seen |= {link.memory_id for link in step}
        found.links += step
        reached = [(entity, link.share) for link in step for entity in link.entities if entity not in found.entities]
        frontier = _merged(reached)
        found.more |= hop < hops and len({entity for entity, _ in reached}) > len(frontier)
        found.entities |= dict.fromkeys(frontier, hop)
    return found


@dataclass(slots=True)
class EntityNames:
    """Names and redirects of the entities met so far; learned once, asked often."""

    where: Where
    payloads: dict[str, Mapping[str, JsonValue]] = field(default_factory=dict[str, Mapping[str, JsonValue]])

    async def learn(self, index: MemoryIndex, entities: Collection[str]) -> None:
        """Look up entities, and those they lead on to."""
        wanted = set(entities) - self.payloads.keys()
        while wanted:
            found = await index.fetch(sorted(wanted), _NAMES)
            self.payloads |= {entity: found.get(entity, {}) for entity in wanted}
            wanted = {str(each["supersededBy"]) for each in found.values() if each.get("supersededBy")}
            wanted -= self.payloads.keys()

    def root(self, entity: str) -> str:
        """The entity that this one leads on to."""
        seen = {entity}
        while (onward := self.payloads.get(entity, {}).get("supersededBy")) and str(onward) not in seen:
            entity = str(onward)
            seen.add(entity)
        return entity

    def all_ids(self, entities: Iterable[str]) -> list[str]:
        """The ids under which memories name these entities: one for each of their names."""
        scope = self.where.scope
        ids: dict[str, None] = {}
        for entity in entities:
            ids[entity] = None
            names = self.payloads.get(entity, {}).get("key")
            for name in names if isinstance(names, list) else []:
                ids[named(scope.tenant, scope.agent, str(name))] = None
        return list(ids)


async def linked(
    index: MemoryIndex, where: Where, entities: Collection[str], *, most: int = SELECTED
) -> dict[str, tuple[list[str], str | None]]:
    """The memories that name one of these ids, at most `most`, each with all it names and its relation."""
    linked: Filter = Compare("entityIds", "in", tuple(sorted(entities)))
    wanted = linked if where.filter is None else AllOf((where.filter, linked))
    found = await index.select(replace(where, filter=wanted), _LINKS, limit=most)
    links: dict[str, tuple[list[str], str | None]] = {}
    for memory_id, payload in found.items():
        ids, relation = payload.get("entityIds"), payload.get("relation")
        held = [str(each) for each in ids] if isinstance(ids, list) else []
        links[memory_id] = held, relation if isinstance(relation, str) else None
    return links


def _step(
    links: Mapping[str, tuple[list[str], str | None]], frontier: Mapping[str, float], known: EntityNames, hop: int
) -> list[Link]:
    """The memories, each over the entity of the frontier that passes most on to it, the largest shares first."""
    under = {each: entity for entity in frontier for each in known.all_ids((entity,))}
    met = {key: {under[each] for each in ids if each in under} for key, (ids, _) in links.items()}
    having = Counter(entity for entities in met.values() for entity in entities)
    passed = {entity: DECAY * share / (1 + 0.001 * (having[entity] - 1) ** 2) for entity, share in frontier.items()}
    step: list[Link] = []
    for memory_id, (entities, relation) in links.items():
        via = min(met[memory_id], key=lambda each: (-passed[each], each), default=None)
        if via is not None:
            step.append(Link(memory_id, tuple(entities), relation, hop, via, passed[via]))
    return sorted(step, key=lambda link: (-link.share, link.memory_id))


def _merged(shares: Iterable[tuple[str, float]]) -> dict[str, float]:
    """The entities with the largest shares, each with its largest."""
    best: dict[str, float] = {}
    for entity, share in shares:
        best[entity] = max(share, best.get(entity, 0.0))
    return dict(sorted(best.items(), key=lambda item: (-item[1], item[0]))[:FRONTIER])


LONGEST: Final = 6
"""Steps of a way at most."""

WIDEST: Final = 2_000
"""Entities that one step goes on from: the first by id, where there are more."""


@dataclass(frozen=True, slots=True)
class EntityPath:
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

    async def grow(self, index: MemoryIndex, where: Where, known: EntityNames) -> None:
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


async def shortest(index: MemoryIndex, where: Where, one: str, other: str, *, most: int = LONGEST) -> EntityPath | None:
    """A shortest way of at most `most` steps over memories that `where` lets through, always the same one; None where
    there is none. A step sees the first 1,000 memories of its entities. Raises `BackendUnavailable`."""
    known = EntityNames(where)
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


def _joined(left: _Side, right: _Side, middle: str) -> EntityPath:
    there, over = left.back(middle)
    on, by = right.back(middle)
    return EntityPath((*reversed(there), *on[1:]), (*reversed(over), *by))
