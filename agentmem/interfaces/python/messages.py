"""What is given to `Memory.add`, as utterances: a text, a message, or a list of messages in the form of OpenAI's."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, tzinfo
from typing import Final, cast

from pydantic import TypeAdapter, ValidationError

from agentmem.domain.filter import Compare
from agentmem.domain.filter_fields import META
from agentmem.domain.value import JsonValue, check_unreserved, invalid
from agentmem.errors import InvalidInput
from agentmem.interfaces.lookup import whole_day
from agentmem.interfaces.python.results import ACTOR, RAW
from agentmem.runtime.facade.speech import Utterance

Message = Mapping[str, object]
Messages = str | Message | Sequence[Message]
Timestamp = datetime | str | int | float

_PERSON: Final = frozenset({"user", "human"})
_AGENT: Final = frozenset({"assistant", "ai", "agent"})
_NOBODY: Final = frozenset({"system", "developer", "tool", "function"})
"""Roles whose words are nobody's statement: instructions and what machines answered."""

OUR_OWN: Final = (ACTOR, RAW)
"""What is kept with a message beside what is reserved everywhere."""

_META: TypeAdapter[dict[str, JsonValue]] = TypeAdapter(dict[str, JsonValue])


def utterances(
    messages: Messages,
    *,
    key: str,
    infer: bool = True,
    timestamp: Timestamp | None = None,
    metadata: Mapping[str, object] | None = None,
) -> list[Utterance]:
    """The turns of the messages, keyed by `key` and their place. Messages of no speaker and those without text are left
    out. Raises `InvalidInput` for what is no message, and where no turn is left."""
    at, meta = moment(timestamp), checked_metadata(metadata)
    found: list[Utterance] = []
    for place, message in enumerate(_listed(messages)):
        role, text = _role(message, place), _text(message.get("content"), place)
        if role in _NOBODY or not text.strip():
            continue
        name = message.get("name")
        actor: dict[str, JsonValue] = {ACTOR: name} if isinstance(name, str) and name.strip() else {}
        raw: dict[str, JsonValue] = {} if infer else {RAW: True}
        found.append(Utterance(text, role in _AGENT, at, f"{key}/{place}", infer, {**meta, **actor, **raw}))
    if not found:
        raise InvalidInput("messages: nobody says anything in them")
    return found


def says_something(message: Mapping[str, object]) -> bool:
    """Whether the person or the agent says something in a message, or in what else a framework keeps beside them."""
    return message.get("role") in _PERSON | _AGENT and bool(_text(message.get("content"), 0).strip())


def checked_metadata(given: Mapping[str, object] | None) -> dict[str, JsonValue]:
    """Metadata to keep. Raises `InvalidInput` for what is no JSON, for names no filter could name, and for names that
    say whom or what a memory is about: these are set by the ids alone."""
    try:
        meta = _META.validate_python(dict(given or {}))
    except ValidationError as error:
        raise InvalidInput(f"metadata.{invalid(error)}") from error
    check_unreserved("metadata", meta)
    for name in meta:
        if name in OUR_OWN:
            raise InvalidInput(f"metadata.{name}: is set by agentmem and cannot be given")
        _check_name(name)
    return meta


def moment(given: Timestamp | None, name: str = "timestamp") -> datetime | None:
    """A time as given: ISO text, seconds since 1970, a datetime; UTC where it has no offset. Raises `InvalidInput`,
    which names it."""
    if isinstance(given, bool):
        raise InvalidInput(f"{name} {given!r} is no time such as 2026-03-09T12:00:00+08:00")
    try:
        if isinstance(given, str):
            given = datetime.fromisoformat(given)
        elif isinstance(given, int | float):
            given = datetime.fromtimestamp(given, UTC)
    except (ValueError, OverflowError, OSError) as error:
        raise InvalidInput(f"{name} {given!r} is no time such as 2026-03-09T12:00:00+08:00") from error
    return given if given is None or given.tzinfo else given.replace(tzinfo=UTC)


def asked_moment(given: Timestamp | None, zone: tzinfo) -> datetime | None:
    """The time that a question is put to: as `moment`, and for a day alone its end in that zone."""
    day = whole_day(given, zone) if isinstance(given, str) else None
    return day or moment(given, "as_of")


def _check_name(name: str) -> None:
    try:
        Compare(f"{META}{name}", "exists")
    except InvalidInput as error:
        raise InvalidInput(f"metadata.{name[:60]}: {error}") from error


def _listed(messages: Messages) -> Sequence[Message]:
    if isinstance(messages, str):
        return [{"role": "user", "content": messages}]
    given = [messages] if isinstance(messages, Mapping) else messages
    for place, message in enumerate(cast("Sequence[object]", given)):
        if not isinstance(message, Mapping):
            raise InvalidInput(f"messages[{place}]: must be an object with role and content")
    return given


def _role(message: Message, place: int) -> str:
    role = message.get("role")
    known = _PERSON | _AGENT | _NOBODY
    if not isinstance(role, str) or role not in known:
        raise InvalidInput(f"messages[{place}].role: {role!r}; allowed: {', '.join(sorted(known))}")
    return role


def _text(content: object, place: int) -> str:
    """The text, or the texts of a list of parts; other parts say nothing that can be read."""
    if content is None or isinstance(content, str):
        return content or ""
    if not isinstance(content, Sequence):
        raise InvalidInput(f"messages[{place}].content: must be a text or a list of parts")
    parts = (cast("Message", part) for part in cast("Sequence[object]", content) if isinstance(part, Mapping))
    texts = (part.get("text") for part in parts)
    return "\n".join(text for text in texts if isinstance(text, str))
