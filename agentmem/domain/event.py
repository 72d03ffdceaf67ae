"""What comes in: turns and other events, who said them, and which of an agent's words only echo what it was told."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Annotated, Final, Literal, Self

from pydantic import AwareDatetime, Field, TypeAdapter, model_validator

from agentmem.domain.bounds import MAX_DOCUMENT, MAX_TEXT
from agentmem.domain.ids import Name, Uuid, derived_id
from agentmem.domain.memory import Trust
from agentmem.domain.naming import canonical_name
from agentmem.domain.scope import Lane
from agentmem.domain.value import JsonValue, Kept, Value

AHEAD: Final = timedelta(minutes=5)
"""So much the clocks of those who speak and of those who listen may differ."""


USER_ID = "userId"
"""In `metaData`: the id of whom a memory is about, where that is not his name."""


ADDRESSES: Final = frozenset(("先生", "女士", "小姐", "太太", "夫人", "同学", "师傅"))
"""Titles that say nothing of a person and never stand before a name."""


def _addresses(title: str, name: str) -> bool:
    """Whether a title is only how somebody of that name is addressed."""
    return any(title.endswith(each) and title.removesuffix(each) in name for each in ADDRESSES)


class Person(Value):
    """Somebody the agent talks with, known by his `name`, or by an `id` beside which the name may change. `label` is
    how contents name him."""

    name: Name
    title: Name | None = None
    id: Name | None = None

    @property
    def known_as(self) -> str:
        """What tells him from others."""
        return self.id or self.name

    @property
    def label(self) -> str:
        """Title and name where the title ends in a Chinese character: 软件工程师罗小东; else the name alone.

        A form of address is left out, with the surname before it too: 曹女士 before 曹敏."""
        if self.title is None or self.title[-1].isascii() or _addresses(self.title, self.name):
            return self.name
        return f"{self.title}{self.name}"

    @property
    def introduced(self) -> str:
        """The label, with the title behind it where it is no part of it."""
        untold = self.title is not None and self.title not in self.label and not _addresses(self.title, self.name)
        return f"{self.label} ({self.title})" if untold else self.label


class Key(Value):
    """What a caller repeats a call under."""

    key: Name


def keyed_event_id(person: str, key: str) -> str:
    """The id of what is said under a caller's key by, or to, the person of this name: whoever calls for one person
    neither meets nor learns of the keys of calls for another. Raises `InvalidInput` for what is no key."""
    return derived_id("key", canonical_name(person), Key(key=key).key)


class _Event(Value):
    """What all events share. `event_id` is the caller's idempotency key, unique per tenant and agent. `claimed_at` is
    the time it was said to be from where that lay ahead of the journal's; see `received`. `traceparent` is in what it
    was taken in, where that is traced; see `agentmem.tracing`."""

    event_id: Name
    tenant: Name
    agent_id: Name
    agent_name: Name
    target_id: Uuid
    at: AwareDatetime
    claimed_at: AwareDatetime | None = None
    traceparent: str | None = Field(default=None, max_length=55)

    @property
    def lane(self) -> Lane:
        """Where the event is queued."""
        return Lane(self.tenant, self.agent_id, self.target_id)


class TurnSpoken(_Event):
    """One utterance, by the agent or by `person` (the one it talks with), as it was said."""

    kind: Literal["turn_spoken"] = "turn_spoken"
    person: Person
    by_agent: bool
    text: str = Field(min_length=1, max_length=MAX_TEXT)
    run_id: Name
    turn_index: int = Field(ge=0)
    extract: bool = True
    meta: Kept = Field(default_factory=dict)

    @property
    def speaker(self) -> str:
        """The name of whoever spoke."""
        return self.agent_name if self.by_agent else self.person.name


class ConversationEnded(_Event):
    """The conversation `run_id` is over, so its last window is read now."""

    kind: Literal["conversation_ended"] = "conversation_ended"
    run_id: Name


class PerceptSensed(_Event):
    """One reading of one sensor, about the target, at a place or none."""

    kind: Literal["percept_sensed"] = "percept_sensed"
    person: Person
    sensor: Name
    reading: float | Annotated[str, Field(max_length=MAX_TEXT)]
    unit: str = Field(default="", max_length=200)
    latitude: float | None = Field(default=None, ge=-90, le=90)
    longitude: float | None = Field(default=None, ge=-180, le=180)

    @model_validator(mode="after")
    def _at_a_whole_place(self) -> Self:
        if (self.latitude is None) != (self.longitude is None):
            raise ValueError("latitude and longitude go together")
        return self


class AssetReceived(_Event):
    """One version of one document, whole, as text; an empty text: it is gone. `asset_id` stays, `version` (SHA-256 of
    the bytes) changes. `source` is where it was read; `trust` is set by the code that read it, never by its words."""

    kind: Literal["asset_received"] = "asset_received"
    asset_id: Name
    title: Name
    version: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    media_type: Literal["text/plain", "text/markdown"]
    source: str | None = Field(default=None, max_length=4_096)
    trust: Trust = Trust.PRINCIPAL
    text: str = Field(max_length=MAX_DOCUMENT)


Event = Annotated[
    TurnSpoken | ConversationEnded | PerceptSensed | AssetReceived,
    Field(discriminator="kind"),
]

EVENTS: TypeAdapter[Event] = TypeAdapter(Event)
"""Reads and writes events as JSON, with all checks."""


def received(event: Event, now: datetime) -> Event:
    """The event as it is taken in at `now`. One from further ahead than clocks differ gets the time it is taken in at,
    and keeps the one it claims: else it would outrank everything that is said until then, for years where a clock is
    wrong by years. What is from the past stays there."""
    if event.at - now <= AHEAD:
        return event
    return event.revised(at=now.astimezone(event.at.tzinfo), claimed_at=event.claimed_at or event.at)


ECHOES: Final = "echoes"
"""In a turn's `meta`: a list of `[start, end]`, in characters of its text."""

NOTE: Final = "note"
"""In a turn's `meta`, true where the agent said it to itself: what it was asked to remember."""

Spans = tuple[tuple[int, int], ...]


def echoes_of(meta: Mapping[str, JsonValue]) -> Spans:
    """The marked stretches of a turn; what is no stretch is passed over."""
    marked = meta.get(ECHOES)
    return tuple(
        (item[0], item[1])
        for item in (marked if isinstance(marked, list) else ())
        if isinstance(item, list) and len(item) == 2 and isinstance(item[0], int) and isinstance(item[1], int)
    )


def covered(start: int, end: int, spans: Spans) -> bool:
    """Whether at least half of the characters from `start` to `end` are marked; spans do not overlap."""
    return 2 * sum(max(0, min(end, till) - max(start, since)) for since, till in spans) >= end - start
