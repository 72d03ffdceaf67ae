"""A store for LangGraph: values under keys in namespaces, kept as long-term memories of an agent.

    async with AsyncMemory() as memory:
        graph = builder.compile(store=AgentmemStore(memory))

The last label of a namespace is whom its items are about: what a graph keeps in `("memories", "Tom")` is found by
`memory.search(…, user_id="Tom")` too, and is forgotten with Tom. Items are found by their words; there is no embedding
to configure. A time to live is refused, as by every store that does not support it.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, cast, get_type_hints

from agentmem.domain.bounds import check_argument
from agentmem.errors import InvalidInput
from agentmem.interfaces.integrations.home import AnyMemory, checked, kept, kept_at_once
from agentmem.interfaces.python.call_scope import DEFAULT_AGENT
from agentmem.interfaces.python.kept_items import (
    GetItem,
    ItemAnswer,
    ItemOp,
    KeptItem,
    ListPlaces,
    PlaceCondition,
    PutItem,
    SearchItems,
)
from agentmem.runtime.facade.entrance import entrance

try:
    from langgraph.store.base import (
        BaseStore,
        GetOp,
        InvalidNamespaceError,
        Item,
        ListNamespacesOp,
        Op,
        PutOp,
        Result,
        SearchItem,
        SearchOp,
        get_text_at_path,
        validate_op_namespace,
    )
except ImportError:
    raise ImportError('the LangGraph store needs: pip install "agentmem-framework[langgraph]"') from None


class InvalidNamespace(InvalidInput, InvalidNamespaceError):
    """A namespace that LangGraph allows nobody."""


class AgentmemStore(BaseStore):
    """A `BaseStore` over a memory, of this process or, as a `Client` or an `AsyncClient`, of a server. Its synchronous
    methods work on every thread but that of a memory's own loop, and not with an `AsyncClient`. `fields` are the paths
    whose texts an item is found by, unless `index` says so with the item."""

    __slots__ = ("_agent", "_fields", "_memory")

    def __init__(self, memory: AnyMemory, *, agent_id: str = DEFAULT_AGENT, fields: Sequence[str] = ("$",)) -> None:
        self._memory = checked(memory)
        self._agent = agent_id
        self._fields = tuple(fields)

    @entrance
    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """All reads see what was there before the writes; of several writes to one key the last counts."""
        asked = _checked(ops)
        return _results(asked, kept_at_once(self._memory, "keep_items", **self._given(asked)))

    @entrance
    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """The same, awaited on any loop."""
        asked = _checked(ops)
        return _results(asked, await kept(self._memory, "keep_items", **self._given(asked)))

    def _given(self, ops: Sequence[Op]) -> dict[str, object]:
        return {"ops": [_told(op, self._fields) for op in ops], "agent_id": self._agent}


def _told(op: Op, fields: Sequence[str]) -> ItemOp:
    """The same in our words."""
    match op:
        case GetOp():
            return GetItem(place=op.namespace, key=op.key)
        case SearchOp():
            return SearchItems(
                below=op.namespace_prefix, query=op.query, wanted=op.filter, limit=op.limit, offset=op.offset
            )
        case ListNamespacesOp():
            conditions = (
                PlaceCondition(end=one.match_type, place=tuple(one.path)) for one in op.match_conditions or ()
            )
            return ListPlaces(conditions=tuple(conditions), max_depth=op.max_depth, limit=op.limit, offset=op.offset)
        case PutOp():
            return PutItem(
                place=op.namespace,
                key=op.key,
                value=None if op.value is None else dict(op.value),
                texts=tuple(_texts(op, fields)),
            )


def _results(ops: Sequence[Op], answers: Sequence[ItemAnswer]) -> list[Result]:
    return [_result(op, answer) for op, answer in zip(ops, answers, strict=True)]


def _result(op: Op, answer: ItemAnswer) -> Result:
    match op:
        case GetOp():
            return Item(**_parts(answer.items[0])) if answer.items else None
        case SearchOp():
            return [SearchItem(**_parts(one), score=one.score) for one in answer.items]
        case ListNamespacesOp():
            return [*answer.places]
        case PutOp():
            return None


def _parts(one: KeptItem) -> dict[str, Any]:
    return {
        "namespace": one.place,
        "key": one.key,
        "value": one.value,
        "created_at": one.created_at,
        "updated_at": one.updated_at,
    }


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
