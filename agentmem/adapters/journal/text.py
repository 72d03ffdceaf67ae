"""What may be written: text that every database holds, and JSON that can be read back."""

import json
from collections.abc import Collection
from functools import lru_cache

from pydantic import ValidationError
from pydantic_core import PydanticSerializationError, from_json, to_json

from agentmem.domain.blots import is_forgotten, same_but_blotted
from agentmem.domain.event import EVENTS, Event
from agentmem.domain.memory import MemoryNode, left_out
from agentmem.domain.persona import Persona
from agentmem.domain.value import JsonValue, Value
from agentmem.errors import InvalidInput
from agentmem.ports.copies import Wire

_MAX_REASON = 4_000
REMEMBERED = 4_000
"""Characters up to which what a body says is remembered: a talk reads its last turns, and what no worker has read yet,
again for every turn."""


def checked(text: str, name: str) -> str:
    """The text, if every database can hold it."""
    if "\x00" in text:
        raise InvalidInput(f"{name} holds a NUL character (U+0000) at {text.index(chr(0))}: take it out")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise InvalidInput(f"{name} holds half a surrogate pair at {error.start}: it is not valid text") from error
    return text


def cleaned(text: str) -> str:
    """The same for text that must be written whatever it holds, such as the words of an error."""
    return text.replace("\x00", "\ufffd").encode(errors="replace").decode()[:_MAX_REASON]


def event_body(event: Event) -> str:
    """The event as JSON. Raises `InvalidInput`, naming the field, for what could not be read back."""
    body = _dumped(event, f"event {event.event_id!r}", ())
    if getattr(event, "meta", None):
        _must_come_back(event, body)
    return body


def read_event(body: str) -> Event:
    """The event that was written as `body`."""
    return _remembered(body) if len(body) <= REMEMBERED else EVENTS.validate_json(body)


_remembered = lru_cache(2_048)(EVENTS.validate_json)


@lru_cache(256)
def read_persona(body: str) -> Persona:
    """The persona that was written as `body`; the same few are read for every question."""
    return Persona.model_validate_json(body)


def same_content(body: str, other: str) -> bool:
    """Whether two events, the first of them stored, say the same. When and where in the talk is left out: a caller who
    repeats himself, not knowing whether he was heard, does so later. Nor does it matter what was forgotten since."""
    if body == other:
        return True
    stored, given = _said(body), _said(other)
    text, words = stored.pop("text", None), given.pop("text", None)
    if not (isinstance(text, str) and isinstance(words, str)):
        return (stored, text) == (given, words)
    if is_forgotten(text):
        stored.pop("meta", None)
        given.pop("meta", None)
    return stored == given and same_but_blotted(text, words)


def node_body(node: MemoryNode) -> str:
    """What a store keeps of a memory, as JSON. Equal bodies are equal memories."""
    return _dumped(node, f"memory {node.memory_id}", left_out(node))


def read_node(body: str) -> MemoryNode:
    """The memory that was written as `body`."""
    return MemoryNode.model_validate_json(body)


def known_node(body: str) -> MemoryNode:
    """The same, without reading a body again that was read lately: a talk comes back to the same memories, and reading
    one takes as long as fetching it."""
    return _remembered_node(body) if len(body) <= REMEMBERED else read_node(body)


_remembered_node = lru_cache(4_096)(read_node)


def wire_body(wire: Wire, what: str) -> str:
    """The same for a memory that is in wire form already. Raises `InvalidInput` for what no database holds."""
    try:
        body = to_json(wire).decode()
    except (PydanticSerializationError, UnicodeEncodeError) as error:
        raise InvalidInput(f"{what} cannot be written as JSON: {error}") from error
    if "\\u0000" in body:
        _check_fields(read_node(body), what)
    return body


def read_wire(body: str) -> Wire:
    """The wire form of the memory that was written as `body`."""
    wire: Wire = from_json(body)
    return wire


def _dumped(value: Value, what: str, exclude: Collection[str]) -> str:
    try:
        body = value.model_dump_json(by_alias=True, exclude=set(exclude))
    except (PydanticSerializationError, UnicodeEncodeError) as error:
        _check_fields(value, what)
        raise InvalidInput(f"{what} cannot be written as JSON: {error}") from error
    if "\\u0000" in body:
        _check_fields(value, what)
    return body


def _must_come_back(event: Event, body: str) -> None:
    try:
        if read_event(body) == event:
            return
        detail = "a value in it is changed by JSON"
    except ValidationError as error:
        detail = error.errors()[0]["msg"]
    raise InvalidInput(f"event {event.event_id!r} field meta cannot be kept: {detail}")


def _check_fields(value: Value, what: str) -> None:
    for name in type(value).model_fields:
        for text in _texts(getattr(value, name)):
            checked(text, f"{what} field {name}")


def _texts(value: object) -> list[str]:
    """Every string inside a value; loops, because the value may be deeper than the stack."""
    found: list[str] = []
    todo: list[object] = [value]
    while todo:
        item = todo.pop()
        if isinstance(item, str):
            found.append(item)
        elif isinstance(item, Value):
            todo.extend(getattr(item, name) for name in type(item).model_fields)
        elif isinstance(item, dict):
            todo.extend(item.keys())  # pyright: ignore[reportUnknownArgumentType, reportUnknownMemberType]
            todo.extend(item.values())  # pyright: ignore[reportUnknownArgumentType, reportUnknownMemberType]
        elif isinstance(item, list | tuple):
            todo.extend(item)  # pyright: ignore[reportUnknownArgumentType]
    return found


def _said(body: str) -> dict[str, JsonValue]:
    parsed: dict[str, JsonValue] = json.loads(body)
    return {name: value for name, value in parsed.items() if name not in ("at", "turnIndex", "runId")}
