"""What was said as events, for callers that know only who spoke to which agent."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from typing import Any, Final

from agentmem.agents.talk.forget_in_talk import Forgetting
from agentmem.domain.bounds import check_fields, check_json
from agentmem.domain.event import (
    AssetReceived,
    ConversationEnded,
    Event,
    PerceptSensed,
    Person,
    TurnSpoken,
    keyed_event_id,
)
from agentmem.domain.ids import entity_id, random_id
from agentmem.domain.memory import MemoryType, Modality, StoreStatus, Trust, local_day
from agentmem.domain.naming import canonical_name, is_unnamed, unnamed
from agentmem.domain.persona import Persona
from agentmem.domain.scope import Lane, Scope
from agentmem.domain.value import JsonValue, check_unreserved
from agentmem.errors import InvalidInput
from agentmem.language.normal import language_of
from agentmem.memory.cuts import still_given
from agentmem.memory.request import Asked, asked_in
from agentmem.ports.event_log import AFTER_ALL, Accepted, EventLog
from agentmem.ports.journal import Journal
from agentmem.ports.ledger import Ledger, Selection
from agentmem.runtime.host.clocks import Clock

_NOTHING_ASKED: Final = Asked((), unclear=False, kept="")


@dataclass(frozen=True)
class Utterance:
    """One thing that was said, at `at` (None: now). `key` makes a repeated one the same turn of this person; without it
    each is a turn of its own. Nothing is made of it unless `extract`; `meta` is kept with it and with what is made of
    it. `event_id` is set by `identified`; `known` by whoever has looked which names in it the memory knows. Raises
    `InvalidInput`."""

    text: str
    by_agent: bool = False
    at: datetime | None = None
    key: str | None = None
    extract: bool = True
    meta: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    event_id: str | None = None
    known: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_fields(self)
        check_json("meta", self.meta)
        check_unreserved("meta", self.meta)

    @cached_property
    def asked(self) -> Asked:
        """What the person asks in it to be forgotten, read once."""
        return _NOTHING_ASKED if self.by_agent or not self.extract else asked_in(self.text, self.known)

    @property
    def asks(self) -> bool:
        """Whether the person asks in it, or seems to, that something be forgotten."""
        asked = self.asked
        guessed = asked.unsure or asked.doubtful or asked.pleading
        return bool(asked.requests or guessed) or asked.unclear

    @property
    def kept(self) -> str:
        """What is kept of it: what asks to forget something names what is not to be told."""
        return self.asked.kept if self.asked.requests else self.text

    @property
    def kept_meta(self) -> dict[str, JsonValue]:
        """What is kept of what was given along with it."""
        return still_given(self.meta, self.text, self.kept) if self.asked.requests else dict(self.meta)


@dataclass(frozen=True)
class ConversationKey:
    """Between whom a conversation is, and which: `run_id` None means one conversation a day, and another one when that
    is ended. Raises `InvalidInput`."""

    tenant: str
    persona: Persona
    person: Person
    run_id: str | None = None

    def __post_init__(self) -> None:
        check_fields(self)

    @cached_property
    def lane(self) -> Lane:
        """Where its turns are queued."""
        target = entity_id(self.tenant, self.persona.id, canonical_name(self.person.known_as))
        return Lane(self.tenant, self.persona.id, target)

    @property
    def scope(self) -> Scope:
        """What it is about."""
        return self.lane.scope


@dataclass(frozen=True, slots=True)
class Said:
    """What came of turns: they, and the end of their conversation where they were the last, as accepted; and what
    became of each thing that the person asked in them to be forgotten."""

    accepted: tuple[Accepted, ...]
    forgotten: tuple[Forgetting, ...] = ()

    @property
    def turn(self) -> Accepted:
        """The turn, or the first of several."""
        return self.accepted[0]

    @property
    def unread(self) -> "Said":
        """The same for somebody who may talk and not read: without what requests may have meant."""
        return replace(self, forgotten=tuple(replace(one, candidates=()) for one in self.forgotten))


async def addressed(journal: Journal, tenant: str, persona: Persona, person: Person | str, words: str) -> Person:
    """Whom the agent talks with. Who is given by an id alone is called by the name he told since, else as the user, in
    the language of these words. Raises `InvalidInput`."""
    given = person if isinstance(person, Person) else _person(person)
    if not is_unnamed(given.name):
        return given
    scope = ConversationKey(tenant, persona, given).scope
    held = await journal.ledger.select(Selection(scope, (MemoryType.OBSERVATION,), (StoreStatus.VALID,)))
    told = (node for node in held if node.attribute in ("name", "alias") and node.modality is Modality.STATED)
    name = next((node.value for node in told if node.value and not is_unnamed(node.value)), None)
    language = language_of(words) if words.strip() else persona.language
    return given.revised(id=given.known_as, name=name or unnamed(language))


def _person(name: str) -> Person:
    try:
        return Person(name=name)
    except InvalidInput as error:
        raise InvalidInput(f"person {name!r}: {error}") from error


async def identified(journal: Journal, talk: ConversationKey, said: Sequence[Utterance]) -> list[Utterance]:
    """The same with the ids of their events. A turn that this person's key has from before keys were the person's own
    keeps its id."""
    return [one if one.event_id else replace(one, event_id=await _event_id(journal, talk, one.key)) for one in said]


async def of_his_own(journal: Journal, event: Event, person: str) -> Event:
    """The event as somebody takes it in who may touch what is about this person alone: its id is the person's own."""
    return event.revised(event_id=await _keyed(journal, event.lane, person, event.event_id))


async def _event_id(journal: Journal, talk: ConversationKey, key: str | None) -> str:
    return f"say/{random_id()}" if key is None else await _keyed(journal, talk.lane, talk.person.known_as, key)


async def _keyed(journal: Journal, lane: Lane, person: str, key: str) -> str:
    own = keyed_event_id(person, key)
    before = await journal.events.find(lane.tenant, lane.agent, key)
    return key if before is not None and before.event.lane == lane else own


async def spoken(
    journal: Journal, clock: Clock, talk: ConversationKey, said: Sequence[Utterance], *, end: bool = False
) -> list[Event]:
    """The turns, and the end of their conversation if they are the last. Raises `InvalidInput`."""
    now, lane = clock.now(), talk.lane
    if talk.run_id:
        run, held = talk.run_id, await _last_turn(journal.events, lane, talk.run_id)
    else:
        run, held = await _talk_of_day(journal.events, lane, f"say/{local_day(now)}")
    common: dict[str, Any] = {
        "tenant": talk.tenant,
        "agent_id": talk.persona.id,
        "agent_name": talk.persona.name,
        "target_id": lane.target,
        "run_id": run,
    }
    title = talk.person.title or (held.person.title if held else None)
    person = talk.person if title == talk.person.title else talk.person.revised(title=title)
    first = (
        held.turn_index
        if held
        else await _turns_copied(journal.ledger, Scope(lane.tenant, lane.agent, lane.target, run))
    )
    events: list[Event] = []
    for place, one in enumerate(await identified(journal, talk, said), start=first + 1):
        turn: dict[str, Any] = {
            **common,
            "event_id": one.event_id,
            "at": one.at or now,
            "person": person,
            "by_agent": one.by_agent,
            "text": one.kept,
            "turn_index": place,
            "extract": one.extract,
            "meta": one.kept_meta,
        }
        events.append(TurnSpoken(**turn))
    if end:
        ending: dict[str, Any] = {**common, "at": events[-1].at, "event_id": f"{events[-1].event_id}/end"}
        events.append(ConversationEnded(**ending))
    return events


async def _talk_of_day(log: EventLog, lane: Lane, day: str) -> tuple[str, TurnSpoken | None]:
    """The conversation of a day in which nobody names one, and its last turn: another one when the one before was
    ended."""
    newest = next(iter(await log.latest(lane, limit=1)), None)
    known = newest if newest and _is_of_day(newest.event, day) else await log.latest_of_run(lane, day)
    if known is None:
        return day, None
    if isinstance(known.event, TurnSpoken):
        return known.event.run_id, known.event
    return f"{day}/{known.seq}", None  # the same for all who begin it at once


def _is_of_day(event: Event, day: str) -> bool:
    return isinstance(event, TurnSpoken | ConversationEnded) and f"{event.run_id}/".startswith(f"{day}/")


async def _last_turn(log: EventLog, lane: Lane, run: str) -> TurnSpoken | None:
    found = await log.earlier_turns(lane, before=AFTER_ALL, run_id=run, limit=1)
    last = found[-1].event if found else None
    return last if isinstance(last, TurnSpoken) else None


async def _turns_copied(ledger: Ledger, talk: Scope) -> int:
    """The number of the last turn of a talk that has memories but no events, as in a copy; 0 for a new one."""
    newest = await ledger.select(Selection(talk, types=(MemoryType.CONVERSATION,), limit=1))
    turn = newest[0].meta_data.get("turnIndex") if newest else None
    return turn if isinstance(turn, int) else 0


@dataclass(frozen=True, slots=True)
class SensedValue:
    """What a sensor read, at `at` (None: now), at a place or none."""

    sensor: str
    reading: float | str
    unit: str = ""
    at: datetime | None = None
    latitude: float | None = None
    longitude: float | None = None


def sensed(
    talk: ConversationKey, readings: Sequence[SensedValue], *, key: str | None, now: datetime
) -> list[PerceptSensed]:
    """Readings about a person as events; a `key` makes repeated ones the same. Raises `InvalidInput`."""
    person, events = talk.person, list[PerceptSensed]()
    for number, one in enumerate(readings):
        own = f"sense/{random_id()}" if key is None else keyed_event_id(person.known_as, f"{key}/{number}")
        percept: dict[str, Any] = {
            "event_id": own,
            "tenant": talk.tenant,
            "agent_id": talk.persona.id,
            "agent_name": talk.persona.name,
            "target_id": talk.lane.target,
            "person": person,
            "at": one.at or now,
            "sensor": one.sensor,
            "reading": one.reading,
            "unit": one.unit,
            "latitude": one.latitude,
            "longitude": one.longitude,
        }
        events.append(PerceptSensed(**percept))
    return events


def not_the_owners(event: Event) -> Event:
    """The event as somebody else than the owner takes it in: no document of it counts as the owner's."""
    owners = isinstance(event, AssetReceived) and event.trust is Trust.OWNER
    return event.revised(trust=Trust.PRINCIPAL) if owners else event
