"""A store for LangGraph: values under keys in namespaces, kept as long-term memories of an agent.

    async with AsyncMemory() as memory:
        graph = builder.compile(store=AgentmemStore(memory))

The last label of a namespace is whom its items are about: what a graph keeps in `("memories", "Tom")` is found by
`memory.search(…, user_id="Tom")` too, and is forgotten with Tom. Items are found by their words; there is no embedding
to configure. A time to live is refused, as by every store that does not support it.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, cast, get_type_hints

from agentmem.domain.bounds import check_argument
from agentmem.domain.change import Change
from agentmem.domain.filter import AllOf, Compare, Filter
from agentmem.domain.item import INDEXED, KEY, PLACE, UNDER, UPDATED, VALUE, Namespace, item
from agentmem.domain.memory import MemoryNode, MemoryType, RecordType, StoreStatus
from agentmem.domain.scope import Scope
from agentmem.domain.value import JsonValue
from agentmem.errors import InvalidInput
from agentmem.interfaces.integrations.home import AnyMemory, asynchronous
from agentmem.interfaces.python.async_memory import AsyncMemory
from agentmem.interfaces.python.blocking import waited
from agentmem.interfaces.python.call_scope import DEFAULT_AGENT
from agentmem.ports.ledger import Selection
from agentmem.retrieval.query import RecallQuery
from agentmem.runtime.facade.entrance import entrance

try:
    from langgraph.store.base import (
        BaseStore,
        GetOp,
        InvalidNamespaceError,
        Item,
        ListNamespacesOp,
        MatchCondition,
        Op,
        PutOp,
        Result,
        SearchItem,
        SearchOp,
        get_text_at_path,
        validate_op_namespace,
    )
except ImportError as error:
    raise ImportError('the LangGraph store needs: pip install "agentmem-framework[langgraph]"') from error

PAGE = 1_000
MAX_FOUND = 1_000
"""Items that a search by words can reach; beyond, items come newest first."""


class InvalidNamespace(InvalidInput, InvalidNamespaceError):
    """A namespace that LangGraph allows nobody."""


class AgentmemStore(BaseStore):
    """A `BaseStore` over a memory that is open. Its synchronous methods work on every thread but that of the memory's
    own loop. `fields` are the paths whose texts an item is found by, unless `index` says so with the item."""

    __slots__ = ("_agent", "_fields", "_memory")

    def __init__(self, memory: AnyMemory, *, agent_id: str = DEFAULT_AGENT, fields: Sequence[str] = ("$",)) -> None:
        self._memory = asynchronous(memory)
        self._agent = agent_id
        self._fields = tuple(fields)

    @entrance
    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """All reads see what was there before the writes; of several writes to one key the last counts."""
        asked = _checked(ops)
        return waited(self._memory, lambda memory: self._answered(memory, asked))

    @entrance
    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """The same, awaited on any loop."""
        asked = _checked(ops)
        return await self._memory.run(lambda memory: self._answered(memory, asked))

    async def _answered(self, memory: AsyncMemory, ops: Sequence[Op]) -> list[Result]:
        items = _Items(memory, self._agent)
        results = await items.read(ops)
        puts = {(op.namespace, op.key): op for op in ops if isinstance(op, PutOp)}
        if puts:
            await items.write(list(puts.values()), self._fields)
        return results


class _Items:
    """The items of one agent."""

    def __init__(self, memory: AsyncMemory, agent_id: str) -> None:
        self._memory, self._app = memory, memory.app
        self._scope = Scope(self._app.settings.tenant, agent_id)

    async def read(self, ops: Sequence[Op]) -> list[Result]:
        """What each asks for, None for a write. Items that are named are fetched together, all others once."""
        ids = [self._namespace(op.namespace).item_id(op.key) for op in ops if isinstance(op, GetOp)]
        named = await self._app.records.get(ids) if ids else {}
        every = await self._all() if any(isinstance(op, SearchOp | ListNamespacesOp) for op in ops) else []
        results: list[Result] = []
        for op in ops:
            match op:
                case GetOp(namespace=path, key=key):
                    node = named.get(self._namespace(path).item_id(key))
                    results.append(None if node is None or node.store_status is not StoreStatus.VALID else _item(node))
                case SearchOp():
                    results.append(await self._searched(op, every))
                case ListNamespacesOp():
                    results.append(_namespaces(every, op))
                case PutOp():
                    results.append(None)
        return results

    async def write(self, ops: Sequence[PutOp], fields: Sequence[str]) -> None:
        """All of them, or none."""
        said = " ".join(text for op in ops for text in _texts(op, fields))
        persona = await self._memory.persona(self._scope.agent, said)
        now, stamps = self._app.clock.now(), [await self._app.editing.stamp() for _ in ops]

        def planned(held: Mapping[str, MemoryNode]) -> list[Change]:
            changes: list[Change] = []
            for op, stamp in zip(ops, stamps, strict=True):
                namespace = self._namespace(op.namespace, persona.name)
                before = held.get(namespace.item_id(op.key))
                if op.value is not None:
                    kept = item(
                        namespace,
                        op.key,
                        cast("Mapping[str, JsonValue]", op.value),
                        _texts(op, fields),
                        before=before,
                        timestamp=stamp,
                        now=now,
                    )
                    changes.append(Change(act="refresh" if before else "add", before=before, after=kept))
                elif before is not None and before.store_status is StoreStatus.VALID:
                    changes.append(Change(act="end", before=before, after=before.ended(at=now, now=now)))
            return changes

        ids = [self._namespace(op.namespace).item_id(op.key) for op in ops]
        await self._app.editing.write(ids, planned, cause="langgraph")

    async def _searched(self, op: SearchOp, every: Iterable[MemoryNode]) -> list[SearchItem]:
        """By words, best first, then what was not found by them, newest first; without a query the newest first."""
        prefix = op.namespace_prefix
        below = (node for node in every if _place(node)[: len(prefix)] == prefix)
        held = [node for node in below if _fits_all(_value(node), op.filter)]
        scores = await self._scores(op, held) if op.query and op.query.strip() else {}
        ranked = sorted(held, key=lambda node: -scores.get(node.memory_id, float("-inf")))
        shown = ranked[op.offset : op.offset + op.limit]
        return [_search_item(node, scores.get(node.memory_id)) for node in shown]

    async def _scores(self, op: SearchOp, held: Sequence[MemoryNode]) -> dict[str, float]:
        conditions: list[Filter] = [
            Compare("kind", "eq", RecordType.ITEM.value),
            Compare(f"metaData.{INDEXED}", "eq", True),
        ]
        if op.namespace_prefix:
            conditions.append(Compare(f"metaData.{UNDER}", "eq", ".".join(op.namespace_prefix)))
        if op.filter and len(held) <= MAX_FOUND:
            conditions.append(Compare("memoryId", "in", tuple(node.memory_id for node in held)))
        most = min(MAX_FOUND, max(1, len(held)))
        query = RecallQuery(self._scope, op.query or "", most, filter=AllOf(tuple(conditions)), rerank=False)
        return {hit.memory.memory_id: hit.score for hit in (await self._app.recall(query)).hits}

    async def _all(self) -> list[MemoryNode]:
        """Every item, newest first."""
        found: list[MemoryNode] = []
        after: tuple[int, str] | None = None
        chosen = Selection(self._scope, (MemoryType.LONGTERM,), (StoreStatus.VALID,), limit=PAGE)
        while nodes := await self._app.memories(_behind(chosen, after)):
            found += (node for node in nodes if node.record is RecordType.ITEM)
            after = (nodes[-1].timestamp, nodes[-1].memory_id)
        return found

    def _namespace(self, path: tuple[str, ...], name: str = "") -> Namespace:
        return Namespace(self._scope.tenant, self._scope.agent, name, path)


def _behind(selection: Selection, after: tuple[int, str] | None) -> Selection:
    return Selection(selection.scope, selection.types, selection.statuses, after, selection.limit)


@lru_cache(8)
def _declared(kind: type) -> Mapping[str, Any]:
    """The fields of a kind of operation, with what they are declared as."""
    return get_type_hints(kind)


def _checked(ops: Iterable[Op]) -> list[Op]:
    asked = list(ops)
    for op in asked:
        for name, hint in _declared(type(op)).items():
            check_argument(name, getattr(op, name), hint)
        try:
            validate_op_namespace(op)
        except InvalidNamespaceError as error:
            raise InvalidNamespace(str(error)) from error
        if isinstance(op, PutOp) and op.ttl is not None:
            raise InvalidInput("ttl: items stay until they are deleted; leave ttl out")
    return asked


def _texts(op: PutOp, fields: Sequence[str]) -> list[str]:
    if op.value is None or op.index is False:
        return []
    value = dict(op.value)
    paths = fields if op.index is None else op.index
    return [text for path in paths for text in (_said(value) if path == "$" else get_text_at_path(value, path)) if text]


def _said(value: object) -> list[str]:
    """The texts of a whole value, each with its name."""
    if isinstance(value, Mapping):
        named = cast("Mapping[str, object]", value).items()
        return [f"{name}: {text}" for name, inner in named for text in _said(inner)]
    if isinstance(value, list | tuple):
        return [text for inner in cast("Sequence[object]", value) for text in _said(inner)]
    return [] if value is None or value == "" else [str(value)]


def _place(node: MemoryNode) -> tuple[str, ...]:
    return tuple(cast("list[str]", node.meta_data[PLACE]))


def _value(node: MemoryNode) -> dict[str, Any]:
    return cast("dict[str, Any]", node.meta_data[VALUE])


def _parts(node: MemoryNode) -> dict[str, Any]:
    return {
        "namespace": _place(node),
        "key": node.meta_data[KEY],
        "value": _value(node),
        "created_at": node.created_at,
        "updated_at": datetime.fromisoformat(str(node.meta_data[UPDATED])),
    }


def _item(node: MemoryNode) -> Item:
    return Item(**_parts(node))


def _search_item(node: MemoryNode, score: float | None) -> SearchItem:
    return SearchItem(**_parts(node), score=score)


def _namespaces(nodes: Iterable[MemoryNode], op: ListNamespacesOp) -> list[tuple[str, ...]]:
    places = {_place(node) for node in nodes}
    matching = (place for place in places if all(_matches(one, place) for one in op.match_conditions or ()))
    return sorted({place[: op.max_depth] for place in matching})[op.offset : op.offset + op.limit]


def _matches(condition: MatchCondition, place: tuple[str, ...]) -> bool:
    path = condition.path
    if len(place) < len(path):
        return False
    part = place[: len(path)] if condition.match_type == "prefix" else place[len(place) - len(path) :]
    return all(wanted in ("*", label) for wanted, label in zip(path, part, strict=True))


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
