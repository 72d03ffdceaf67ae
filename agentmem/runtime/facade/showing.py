"""What of an answer is handed out: no memory in it, in whatever field it stands, that its reader may not touch.

Answers are looked through by their shape, so that a field that is added is covered as those before it.
"""

from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import fields, is_dataclass
from typing import Final, TypeVar, cast

from agentmem.domain.memory import MemoryNode
from agentmem.domain.value import Value
from agentmem.errors import NotFound

T = TypeVar("T")
Shown = Callable[[MemoryNode], bool]


class _Hidden:
    """In place of what is not handed out."""


HIDDEN: Final = _Hidden()


def shown_part(answer: T, shown: Shown) -> T:
    """The answer without what holds a memory that is not `shown`: that item of a list, tuple or mapping. Raises
    `NotFound` where nothing of it may be handed out."""
    part = _part(answer, shown)
    if part is HIDDEN:
        raise NotFound("there is no such memory")
    return cast("T", part)


def _part(value: object, shown: Shown, *, whole: bool = False) -> object:
    """`whole`: an item of a collection, such as a pair, of which a part means nothing."""
    match value:
        case MemoryNode():
            return value if shown(value) else HIDDEN
        case tuple() | list() | set() | frozenset():
            return _items(cast("tuple[object, ...]", value), shown, whole=whole)
        case Mapping():
            return _values(cast("Mapping[object, object]", value), shown, whole=whole)
        case Value():
            return _with_fields(value, tuple(type(value).model_fields), shown)
        case _ if is_dataclass(value) and not isinstance(value, type):
            return _with_fields(value, tuple(field.name for field in fields(value)), shown)
        case _:
            return value


def _items(items: tuple[object, ...], shown: Shown, *, whole: bool) -> object:
    parts = [_part(item, shown, whole=True) for item in items]
    kept = [part for part in parts if part is not HIDDEN]
    if all(part is item for part, item in zip(parts, items, strict=True)):
        return items
    return HIDDEN if whole and len(kept) < len(parts) else type(items)(kept)


def _values(given: Mapping[object, object], shown: Shown, *, whole: bool) -> object:
    parts = {key: _part(value, shown, whole=True) for key, value in given.items()}
    kept = {key: part for key, part in parts.items() if part is not HIDDEN}
    if all(kept.get(key, HIDDEN) is value for key, value in given.items()):
        return given
    return HIDDEN if whole and len(kept) < len(parts) else kept


def _with_fields(value: object, names: tuple[str, ...], shown: Shown) -> object:
    changed = value
    for name in names:
        before = getattr(value, name)
        part = _part(before, shown)
        if part is HIDDEN:
            return HIDDEN
        if part is not before:
            changed = copy(value) if changed is value else changed
            object.__setattr__(changed, name, part)
    return changed
