"""Values that programs keep under keys: what the stores of frameworks are made of, in this process or over HTTP."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Annotated, Any, Final, Literal, cast

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from agentmem.domain.change import Change
from agentmem.domain.filter import AllOf, Compare, Filter
from agentmem.domain.item import INDEXED, KEY, PLACE, UNDER, UPDATED, VALUE, Namespace, item
from agentmem.domain.memory import MemoryNode, MemoryType, RecordType, StoreStatus
from agentmem.domain.scope import Scope
from agentmem.domain.value import JsonValue, wording
from agentmem.errors import InvalidInput
from agentmem.interfaces.python.async_memory import AsyncMemory
from agentmem.interfaces.python.call_scope import DEFAULT_AGENT
from agentmem.ports.ledger import Selection
from agentmem.retrieval.query import RecallQuery
from agentmem.runtime.facade.entrance import entrance

PAGE: Final = 1_000
MAX_FOUND: Final = 1_000
"""Items that a search by words can reach; beyond, items come newest first."""

Place = tuple[str, ...]
Whole = Annotated[Place, Field(min_length=1)]
"""The place of an item, which has at least one label."""

Count = Annotated[int, Field(ge=0)]


@dataclass(frozen=True, slots=True, kw_only=True)
class GetItem:
    """The item under a key."""

    op: Literal["get"] = "get"
    place: Whole
    key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PutItem:
    """A value under a key, to be found by these texts; None ends what is there."""

    op: Literal["put"] = "put"
    place: Whole
    key: str
    value: dict[str, JsonValue] | None
    texts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchItems:
    """Items below a place: of a query those that its words find come first, all others newest first. `wanted`: what
    their values hold, equal or by `$eq`, `$ne`, `$gt`, `$gte`, `$lt`, `$lte`."""

    op: Literal["search"] = "search"
    below: Place
    query: str | None = None
    wanted: dict[str, JsonValue] | None = None
    limit: Count
    offset: Count = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceCondition:
    """How a place begins or ends; `*` is any label."""

    end: Literal["prefix", "suffix"]
    place: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class ListPlaces:
    """The places where items are, in order, cut at `max_depth` labels."""

    op: Literal["places"] = "places"
    conditions: tuple[PlaceCondition, ...] = ()
    max_depth: Annotated[int, Field(ge=1)] | None = None
    limit: Count
    offset: Count = 0


ItemOp = GetItem | PutItem | SearchItems | ListPlaces
ITEM_OPS: Final = TypeAdapter[list[ItemOp]](
    list[Annotated[ItemOp, Field(discriminator="op")]], config=ConfigDict(revalidate_instances="always")
)
"""Reads what is asked of items."""


@dataclass(frozen=True, slots=True)
class KeptItem:
    """An item: its value under a key of a place, and how well it fits where it was found by words."""

    place: Place
    key: str
    value: dict[str, JsonValue]
    created_at: datetime
    updated_at: datetime
    score: float | None = None


@dataclass(frozen=True, slots=True)
class ItemAnswer:
    """What one `ItemOp` comes to: the items, or the places."""

    items: tuple[KeptItem, ...] = ()
    places: tuple[Place, ...] = ()


@entrance
async def keep_items(
    memory: AsyncMemory, ops: Sequence[ItemOp | Mapping[str, Any]], agent_id: str = DEFAULT_AGENT
) -> list[ItemAnswer]:
    """What each `ItemOp`, or what JSON has in its place, comes to. All see what was there before what is put; of
    several values for one key the last counts. Raises `InvalidInput`."""
    try:
        asked = ITEM_OPS.validate_python(ops)
    except ValidationError as error:
        raise InvalidInput(f"ops: {wording(error.errors(include_url=False)[0])}") from error
    items = _Items(memory, agent_id)
    answers = await items.read(asked)
    puts = {(op.place, op.key): op for op in asked if isinstance(op, PutItem)}
    if puts:
        await items.write(list(puts.values()))
    return answers


class _Items:
    """The items of one agent."""

    def __init__(self, memory: AsyncMemory, agent_id: str) -> None:
        self._memory, self._app = memory, memory.app
        self._scope = Scope(self._app.tenant, agent_id, self._app.access.own_target(agent_id))

    async def read(self, ops: Sequence[ItemOp]) -> list[ItemAnswer]:
        """Items that are named are fetched together, all others once."""
        ids = [self._namespace(op.place).item_id(op.key) for op in ops if isinstance(op, GetItem)]
        named = await self._app.records.get(ids) if ids else {}
        every = await self._all() if any(isinstance(op, SearchItems | ListPlaces) for op in ops) else []
        return [await self._answer(op, named, every) for op in ops]

    async def _answer(self, op: ItemOp, named: Mapping[str, MemoryNode], every: Sequence[MemoryNode]) -> ItemAnswer:
        match op:
            case GetItem():
                node = named.get(self._namespace(op.place).item_id(op.key))
                holds = node is not None and node.store_status is StoreStatus.VALID
                return ItemAnswer((_kept(node),)) if node is not None and holds else ItemAnswer()
            case SearchItems():
                return ItemAnswer(await self._searched(op, every))
            case ListPlaces():
                return ItemAnswer(places=_places(every, op))
            case PutItem():
                return ItemAnswer()

    async def write(self, ops: Sequence[PutItem]) -> None:
        """All of them, or none."""
        said = " ".join(text for op in ops for text in op.texts)
        persona = await self._memory.persona(self._scope.agent, said)
        now, stamps = self._app.clock.now(), [await self._app.editing.stamp() for _ in ops]

        def planned(held: Mapping[str, MemoryNode]) -> list[Change]:
            changes: list[Change] = []
            for op, stamp in zip(ops, stamps, strict=True):
                namespace = self._namespace(op.place, persona.name)
                before = held.get(namespace.item_id(op.key))
                if op.value is not None:
                    kept = item(namespace, op.key, op.value, op.texts, before=before, timestamp=stamp, now=now)
                    changes.append(Change(act="refresh" if before else "add", before=before, after=kept))
                elif before is not None and before.store_status is StoreStatus.VALID:
                    changes.append(Change(act="end", before=before, after=before.ended(at=now, now=now)))
            return changes

        ids = [self._namespace(op.place).item_id(op.key) for op in ops]
        await self._app.editing.write(ids, planned, cause="items")

    async def _searched(self, op: SearchItems, every: Iterable[MemoryNode]) -> tuple[KeptItem, ...]:
        below = (node for node in every if _place(node)[: len(op.below)] == op.below)
        held = [node for node in below if _fits_all(_value(node), op.wanted)]
        scores = await self._scores(op, held) if op.query and op.query.strip() else {}
        ranked = sorted(held, key=lambda node: -scores.get(node.memory_id, float("-inf")))
        found = ranked[op.offset : op.offset + op.limit]
        return tuple(_kept(node, scores.get(node.memory_id)) for node in found)

    async def _scores(self, op: SearchItems, held: Sequence[MemoryNode]) -> dict[str, float]:
        conditions: list[Filter] = [
            Compare("kind", "eq", RecordType.ITEM.value),
            Compare(f"metaData.{INDEXED}", "eq", True),
        ]
        if op.below:
            conditions.append(Compare(f"metaData.{UNDER}", "eq", ".".join(op.below)))
        if op.wanted and len(held) <= MAX_FOUND:
            conditions.append(Compare("memoryId", "in", tuple(node.memory_id for node in held)))
        most = min(MAX_FOUND, max(1, len(held)))
        query = RecallQuery(self._scope, op.query or "", most, filter=AllOf(tuple(conditions)), rerank=False)
        return {hit.memory.memory_id: hit.score for hit in (await self._app.recall(query)).hits}

    async def _all(self) -> list[MemoryNode]:
        """Every item, newest first."""
        found: list[MemoryNode] = []
        after: tuple[int, str] | None = None
        layer, valid = (MemoryType.LONGTERM,), (StoreStatus.VALID,)
        chosen = Selection(self._scope, layer, valid, limit=PAGE, record=RecordType.ITEM)
        while nodes := await self._app.memories(replace(chosen, after=after)):
            found += nodes
            after = (nodes[-1].timestamp, nodes[-1].memory_id)
        return found

    def _namespace(self, place: Place, name: str = "") -> Namespace:
        return Namespace(self._scope.tenant, self._scope.agent, name, place)


def _place(node: MemoryNode) -> Place:
    return tuple(cast("list[str]", node.meta_data[PLACE]))


def _value(node: MemoryNode) -> dict[str, JsonValue]:
    return cast("dict[str, JsonValue]", node.meta_data[VALUE])


def _kept(node: MemoryNode, score: float | None = None) -> KeptItem:
    updated = datetime.fromisoformat(str(node.meta_data[UPDATED]))
    return KeptItem(_place(node), str(node.meta_data[KEY]), _value(node), node.created_at, updated, score)


def _places(nodes: Iterable[MemoryNode], op: ListPlaces) -> tuple[Place, ...]:
    places = {_place(node) for node in nodes}
    matching = (place for place in places if all(_matches(one, place) for one in op.conditions))
    return tuple(sorted({place[: op.max_depth] for place in matching})[op.offset : op.offset + op.limit])


def _matches(condition: PlaceCondition, place: Place) -> bool:
    wanted = condition.place
    if len(place) < len(wanted):
        return False
    part = place[: len(wanted)] if condition.end == "prefix" else place[len(place) - len(wanted) :]
    return all(one in ("*", label) for one, label in zip(wanted, part, strict=True))


def _fits_all(value: Mapping[str, Any], wanted: Mapping[str, Any] | None) -> bool:
    return all(_fits(value.get(name), one) for name, one in (wanted or {}).items())


def _fits(held: object, wanted: object) -> bool:
    """Whether a part of a value is as a filter wants it: equal, throughout, or as its operators say."""
    if isinstance(wanted, Mapping):
        conditions = cast("Mapping[str, object]", wanted)
        if any(name.startswith("$") for name in conditions):
            return all(_compares(held, name, one) for name, one in conditions.items())
        inner = cast("Mapping[str, object]", held) if isinstance(held, Mapping) else None
        return inner is not None and all(_fits(inner.get(name), one) for name, one in conditions.items())
    return held == wanted


def _compares(held: object, op: str, wanted: object) -> bool:
    match op:
        case "$eq":
            return held == wanted
        case "$ne":
            return held != wanted
        case "$gt" | "$gte" | "$lt" | "$lte":
            one, other = _number(held), _number(wanted)
            if one is None or other is None:
                return False
            return (one == other and op.endswith("e")) or (one > other if op.startswith("$g") else one < other)
        case _:
            raise InvalidInput(f"filter operator {op!r}; allowed: $eq, $ne, $gt, $gte, $lt, $lte")


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
