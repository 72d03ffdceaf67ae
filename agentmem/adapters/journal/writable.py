"""What may be written: text that every database holds, and JSON that can be read back."""

import json
from collections.abc import Collection
from functools import lru_cache
from typing import Annotated, TypeVar

import structlog
from pydantic import Field, TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError, from_json, to_json

from agentmem.domain.bounds import MAX_DOCUMENT, MAX_INT, MAX_ITEMS, check_json
from agentmem.domain.episode import is_blotted, same_but_blotted
from agentmem.domain.event import EVENTS, Event
from agentmem.domain.memory import MemoryNode, left_out
from agentmem.domain.payload import (
    PAYLOADS,
    CloseWindow,
    CustomPayload,
    ExtractFacts,
    FoundStatement,
    KeepInsights,
    LinkMemories,
    Payload,
    ProjectMemory,
    RegroupCommunities,
)
from agentmem.domain.persona import Persona
from agentmem.domain.statement import Reading
from agentmem.domain.value import JsonValue, Value
from agentmem.errors import InvalidInput, Unreadable, input_faults, without_content
from agentmem.ports.agent_records import Wire

log = structlog.get_logger()

V = TypeVar("V", bound=Value)

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


def unreadable(error: BaseException) -> str:
    """Why a stored row cannot be read, without a word of it."""
    if not isinstance(error, ValidationError):
        return without_content(error)
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    place = _field(first["loc"]) if first["type"] != "extra_forbidden" else "a field that is unknown"
    return f"{place}: {first['type'] if first['type'] in _IN_OUR_WORDS else first['msg']}"


def _field(place: tuple[int | str, ...]) -> str:
    """The field itself, without the names inside it; behind the kind of an event, where there is one."""
    names = place[:2] if place and "_" in str(place[0]) else place[:1]
    return ".".join(map(str, names)) or "all of it"


_IN_OUR_WORDS = ("value_error", "assertion_error")
"""Types of problems whose messages may repeat what was read."""


def event_body(event: Event) -> str:
    """The event as JSON. Raises `InvalidInput`, naming the field, for what could not be read back."""
    untold = [name for name in ("claimed_at", "traceparent") if getattr(event, name) is None]
    meta: object = getattr(event, "meta", None)
    if meta:
        check_json(f"event {event.event_id!r} field meta", meta)
    body = _dumped(event, f"event {event.event_id!r}", untold)
    if meta:
        _must_come_back(event, body)
    return body


def read_event(body: str) -> Event:
    """The event that was written as `body`. Raises `Unreadable`."""
    with input_faults(unreadable):
        return _event(body)


def _event(body: str) -> Event:
    return _remembered(body) if len(body) <= REMEMBERED else EVENTS.validate_json(body)


_remembered = lru_cache(2_048)(EVENTS.validate_json)


def read_persona(body: str) -> Persona:
    """The persona that was written as `body`; the same few are read for every question. Raises `Unreadable`."""
    with input_faults(unreadable):
        return _persona(body)


@lru_cache(256)
def _persona(body: str) -> Persona:
    return Persona.model_validate_json(body)


def payload_body(payload: Payload | None) -> str:
    """What a store keeps of a payload; empty where there is none. Raises `InvalidInput` for what no database holds, and
    for what could not be read back."""
    if payload is None:
        return ""
    if isinstance(payload, CustomPayload):
        check_json(f"payload {payload.kind} field data", payload.data, MAX_DOCUMENT)
    return _dumped(payload, f"payload {payload.kind}", ())


def read_payload(body: str) -> Payload | None:
    """The payload that was written as `body`. Raises `Unreadable`."""
    with input_faults(unreadable):
        return PAYLOADS.validate_json(body) if body else None


def payload_of_note(worker: str, note: str) -> Payload | None:
    """What the note of a job said before jobs carried payloads; None where that cannot be read."""
    try:
        match worker, note:
            case "conversation", "silence":
                return CloseWindow()
            case "insight", _:
                statements = enumerate(Reading.model_validate_json(note).statements)
                deeper = [
                    FoundStatement(slot=slot, statement=one) for slot, one in statements if one.layer == "insight"
                ]
                return KeepInsights(found=tuple(deeper))
            case "reflection", _:
                return PAYLOADS.validate_python({"kind": "reflect", "trigger": note})
            case "communities", "anew":
                return RegroupCommunities()
            case (("graph" | "communities"), _):
                return LinkMemories.model_validate({"memory_ids": json.loads(note)})
            case "extraction", _:
                return ExtractFacts.model_validate({"piece_ids": json.loads(note)})
            case "projection", _:
                return ProjectMemory(memory_id=note)
            case _:
                return CustomPayload(data=note)
    except (ValueError, RecursionError, InvalidInput):
        return None


def read_seqs(written: str) -> list[int]:
    """The numbers of a job's events. Raises `Unreadable`."""
    with input_faults():
        return _NUMBERS.validate_json(written)


_NUMBERS = TypeAdapter(list[Annotated[int, Field(strict=True, ge=0, le=MAX_INT)]])


def seqs_of(written: str) -> list[int]:
    """The same; none where they cannot be read."""
    try:
        return read_seqs(written)
    except Unreadable:
        return []


def same_content(body: str, other: str) -> bool:
    """Whether two events, the first of them stored, say the same. When and where in the talk is left out: a caller who
    repeats himself, not knowing whether he was heard, does so later. Nor does it matter what was forgotten since."""
    try:
        return body == other or _says_the_same(_said(body), _said(other))
    except (ValueError, RecursionError):  # one that was stored and cannot be read is like no other
        return False


_OF_THE_CALL = frozenset({"at", "claimedAt", "turnIndex", "runId", "traceparent"})


def _says_the_same(stored: dict[str, JsonValue], given: dict[str, JsonValue]) -> bool:
    text, words = stored.pop("text", None), given.pop("text", None)
    if not (isinstance(text, str) and isinstance(words, str)):
        return (stored, text) == (given, words)
    meta, more = stored.pop("meta", None), given.pop("meta", None)
    if is_blotted(text) and isinstance(meta, dict) and isinstance(more, dict):
        more = {name: value for name, value in more.items() if name in meta}
    return (stored, meta) == (given, more) and same_but_blotted(text, words)


def node_body(node: MemoryNode) -> str:
    """What a store keeps of a memory, as JSON. Equal bodies are equal memories."""
    return _dumped(node, f"memory {node.memory_id}", left_out(node))


def read_node(body: str) -> MemoryNode:
    """The memory that was written as `body`. Raises `Unreadable`."""
    with input_faults(unreadable):
        return MemoryNode.model_validate_json(body)


def known_node(body: str) -> MemoryNode:
    """The same, without reading a body again that was read lately: a talk comes back to the same memories, and reading
    one takes as long as fetching it."""
    return _remembered_node(body) if len(body) <= REMEMBERED else read_node(body)


_remembered_node = lru_cache(4_096)(read_node)


def stored_node(body: str, tenant: str, memory_id: str) -> MemoryNode | None:
    """The memory of that tenant and id which was written as `body`; None, and a word in the log, where it cannot be
    read: one row that cannot hides no other."""
    try:
        return checked_node(body, tenant, memory_id)
    except Unreadable as error:
        log.warning("memory_unreadable", tenant=tenant, memory=memory_id, reason=without_content(error))
        return None


def checked_node(body: str, tenant: str, memory_id: str) -> MemoryNode:
    """The same. Raises `Unreadable`, also where the body is one of another memory."""
    node = known_node(body)
    if (node.tenant, node.memory_id) != (tenant, memory_id):
        raise Unreadable("it is the body of another memory")
    return node


def must_be(kind: type[V], body: str) -> V:
    """The value of that kind which was written as `body`. Raises `Unreadable`."""
    with input_faults(unreadable):
        return kind.model_validate_json(body)


def read_value(kind: type[V], body: str) -> V | None:
    """The value of that kind which was written as `body`; None, and a word in the log, where it cannot be read."""
    try:
        return must_be(kind, body)
    except Unreadable as error:
        log.warning("value_unreadable", kind=kind.__name__, reason=without_content(error))
        return None


def embedded_texts(body: str) -> list[str]:
    """The texts of a memory that vectors were made of; those that can be found where it cannot be read as a memory."""
    try:
        wire = read_wire(body)
    except Unreadable:
        return []
    content, keys = wire.get("content"), wire.get("key")
    found = [content, *(keys if isinstance(keys, list) else ())]
    return [text for text in found if isinstance(text, str) and _is_text(text)]


def _is_text(text: str) -> bool:
    return not any("\ud800" <= sign <= "\udfff" for sign in text)


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
    """The wire form of the memory that was written as `body`. Raises `Unreadable`."""
    with input_faults(unreadable):
        wire: JsonValue = from_json(body, allow_inf_nan=False)
    if not isinstance(wire, dict):
        raise Unreadable("all of it: no object")
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
    except Unreadable as error:
        detail = str(error)
    raise InvalidInput(f"event {event.event_id!r} field meta cannot be kept: {detail}")


def _check_fields(value: Value, what: str) -> None:
    for name in type(value).model_fields:
        for text in _texts(getattr(value, name)):
            checked(text, f"{what} field {name}")


def _texts(value: object) -> list[str]:
    """Every string inside a value; loops, because the value may be deeper than the stack, and ends, because it may hold
    itself."""
    found: list[str] = []
    todo: list[object] = [value]
    for _ in range(MAX_ITEMS):
        if not todo:
            break
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
    parsed: JsonValue = json.loads(body)
    if not isinstance(parsed, dict):
        raise ValueError("no object")
    return {name: value for name, value in parsed.items() if name not in _OF_THE_CALL}
