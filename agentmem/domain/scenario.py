"""A conversation to play and what must be known afterwards, as written in `scenarios/*.yaml`."""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from difflib import get_close_matches
from itertools import pairwise
from typing import Annotated, Literal, Self, cast

from pydantic import AwareDatetime, Discriminator, Field, Tag, field_validator, model_validator

from agentmem.domain.event import Person
from agentmem.domain.ids import Name
from agentmem.domain.memory import MemoryType, Modality
from agentmem.domain.persona import AgentId, Persona
from agentmem.domain.value import Kept, Value

TURN_GAP = timedelta(seconds=20)
"""From one turn to the next, where it does not say when it was."""

Has = Annotated[tuple[str | tuple[str, ...], ...], Field(min_length=1)]
"""Substrings that one memory's content must hold; an inner list means one of these."""


class Spoken(Value):
    """A turn said by the agent (None: the chat model answers), by the customer, or by a named speaker."""

    agent: str | None = None
    customer: str | None = None
    speaker: str | None = None
    say: str | None = None
    at: AwareDatetime | None = None

    @model_validator(mode="after")
    def _one_voice(self) -> Self:
        voices = [name for name in ("agent", "customer", "speaker") if name in self.model_fields_set]
        if len(voices) != 1:
            raise ValueError("a turn has exactly one of agent, customer, speaker")
        if voices != ["agent"] and not (self.customer or self.say):
            raise ValueError("a customer's turn needs words")
        if self.agent == "":
            raise ValueError("an agent's turn needs words, or null to let the chat model speak")
        if (self.speaker is None) != (self.say is None):
            raise ValueError("speaker and say go together")
        return self


class ScenarioReading(Value):
    """One reading of a sensor."""

    sensor: Name
    value: float | str
    unit: str = ""
    latitude: float | None = None
    longitude: float | None = None


class Sensed(Value):
    """A percept instead of a turn; `about` names the person or thing, the customer where it is absent."""

    perceive: ScenarioReading
    about: Name | None = None
    at: AwareDatetime | None = None


class Action(Value):
    """A step that is not speech: reflect, ingest a document, forget (all about a person, or what a query names of him,
    of the customer where `about` is absent), let time pass, clone the agent as agent `as`, hire it out as agent `as` of
    another tenant, or release that one."""

    do: Literal["reflect", "ingest", "advance", "forget", "clone", "hire", "release"]
    asset: str | None = None
    days: float = Field(default=0, ge=0, le=36_500)
    hours: float = Field(default=0, ge=0, le=876_000)
    about: Name | None = None
    query: Annotated[str, Field(min_length=1)] | None = None
    erase: bool = False
    made: AgentId | None = Field(default=None, alias="as")
    tenant: Name | None = None
    at: AwareDatetime | None = None

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if (self.do == "ingest") != (self.asset is not None):
            raise ValueError("asset belongs to ingest, and ingest needs one")
        if (self.do == "advance") != bool(self.days or self.hours):
            raise ValueError("days or hours belong to advance, and advance needs one of them")
        if (self.do == "forget") != (self.about is not None or self.query is not None) or (
            self.erase and self.do != "forget"
        ):
            raise ValueError("about, query and erase belong to forget, and forget needs about or query")
        if (self.do in ("clone", "hire", "release")) != (self.made is not None):
            raise ValueError("as belongs to clone, hire and release, and these need one")
        if (self.do in ("hire", "release")) != (self.tenant is not None):
            raise ValueError("tenant belongs to hire and release, and these need one")
        return self


_SHAPES = {
    "agent": "spoken",
    "customer": "spoken",
    "speaker": "spoken",
    "say": "spoken",
    "perceive": "sensed",
    "do": "done",
}


def _step_shape(value: object) -> str | None:
    """Which kind of step this is, also where its key is misspelt, so that the complaint is about that key."""
    if isinstance(value, Spoken | Sensed | Action):
        return type(value).__name__.lower()
    if not isinstance(value, Mapping):
        return None
    keys = [str(key) for key in cast("Iterable[object]", value)]
    known = [key for key in keys if key in _SHAPES] or [
        near for key in keys for near in get_close_matches(key, _SHAPES, n=1)
    ]
    return _SHAPES[known[0]] if known else None


Step = Annotated[
    Annotated[Spoken, Tag("spoken")] | Annotated[Sensed, Tag("sensed")] | Annotated[Action, Tag("done")],
    Discriminator(
        _step_shape,
        custom_error_type="turn_shape",
        custom_error_message="a turn has one of the keys agent, customer, speaker (with say), perceive, do",
    ),
]


class ScenarioSession(Value):
    """One conversation, beginning at `at`; each turn is 20 s after the one before unless it says otherwise. It is with
    the scenario's agent, or with `agent`, a clone that an earlier step made."""

    id: Name
    at: AwareDatetime
    agent: AgentId | None = None
    turns: tuple[Step, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _forward(self) -> Self:
        for number, (before, then) in enumerate(pairwise((self.at, *self.moments())), start=1):
            if then < before:
                raise ValueError(
                    f"turn {number} is at {then.isoformat()}, before {before.isoformat()}; time only runs on"
                )
        return self

    def moments(self) -> list[datetime]:
        """When each step happens. What is not speech takes no time, except to let time pass."""
        found: list[datetime] = []
        moment, begun = self.at, False
        for step in self.turns:
            if isinstance(step, Action):
                moment = (step.at or moment) + timedelta(days=step.days, hours=step.hours)
            else:
                moment = step.at or (moment + TURN_GAP if begun else moment)
                begun = True
            found.append(moment)
        return found


class Expected(Value):
    """One thing to check; `id`, `kind` and `why` are labels."""

    id: Name
    has: Has
    about: Name | None = None
    type: MemoryType | None = None
    modality: Modality | None = None
    agent: Name | None = None
    kind: str | None = None
    why: str | None = None


class ExpectedEnd(Expected):
    """A memory that no longer holds, and the words of the valid one that took over."""

    replaced_by: Has | None = None


class ExpectedRecall(Expected):
    """A question and the words that must stand among its first `within` hits."""

    ask: str = Field(min_length=1)
    within: int = Field(default=3, ge=1, le=100)


class ExpectedThen(ExpectedRecall):
    """The same, as of an earlier time."""

    at: AwareDatetime


class Expectations(Value):
    """What must hold when the last turn has been digested."""

    memories: tuple[Expected, ...] = ()
    never: tuple[Expected, ...] = ()
    ended: tuple[ExpectedEnd, ...] = ()
    once: tuple[Expected, ...] = ()
    recalls: tuple[ExpectedRecall, ...] = ()
    as_of: tuple[ExpectedThen, ...] = ()

    @model_validator(mode="after")
    def _distinct(self) -> Self:
        for name in type(self).model_fields:
            ids = [item.id for item in getattr(self, name)]
            if len(ids) != len(set(ids)):
                raise ValueError(f"two items of {name} share an id")
        return self


def _persona_shape(value: object) -> str:
    return "inline" if isinstance(value, Mapping | Persona) else "name"


class Scenario(Value):
    """One file of `scenarios/`."""

    scenario: Name
    description: str = ""
    persona: Annotated[Annotated[Name, Tag("name")] | Annotated[Persona, Tag("inline")], Discriminator(_persona_shape)]
    customer: Person | None = None
    customers: tuple[Person, ...] = ()
    sessions: tuple[ScenarioSession, ...] = Field(min_length=1)
    expect: Expectations = Expectations()
    meta: Kept = Field(default_factory=dict)

    @field_validator("sessions")
    @classmethod
    def _distinct_sessions(cls, sessions: tuple[ScenarioSession, ...]) -> tuple[ScenarioSession, ...]:
        if len({session.id for session in sessions}) != len(sessions):
            raise ValueError("two sessions share an id")
        for before, then in pairwise(sessions):
            if then.at < (over := before.moments()[-1]):
                raise ValueError(f"session {then.id!r} begins before {before.id!r} is over, at {over.isoformat()}")
        return sessions

    @model_validator(mode="after")
    def _known_people(self) -> Self:
        if (self.customer is None) == (not self.customers):
            raise ValueError("name either one customer or customers")
        known = {person.name for person in self.people}
        if len(known) < len(self.people):
            raise ValueError("two customers share a name")
        for session in self.sessions:
            for step in session.turns:
                if isinstance(step, Spoken) and step.speaker is not None and step.speaker not in known:
                    raise ValueError(f"speaker {step.speaker!r} is not among the customers")
        return self

    @model_validator(mode="after")
    def _known_agents(self) -> Self:
        made: set[str] = set()
        for session in self.sessions:
            if session.agent is not None and session.agent not in made:
                raise ValueError(f"session {session.id!r} is with {session.agent!r}, whom no step before it made")
            steps = (step for step in session.turns if isinstance(step, Action) and step.do == "clone")
            made |= {step.made for step in steps if step.made is not None}
        return self

    @property
    def clones(self) -> tuple[str, ...]:
        """The ids of the agents that are made by cloning, in the order of their making."""
        steps = (step for session in self.sessions for step in session.turns if isinstance(step, Action))
        return tuple(step.made for step in steps if step.do == "clone" and step.made is not None)

    @property
    def hired(self) -> Mapping[str, str]:
        """The tenants of the agents that are hired out, by their ids."""
        steps = (step for session in self.sessions for step in session.turns if isinstance(step, Action))
        return {step.made: step.tenant for step in steps if step.made is not None and step.tenant is not None}

    @property
    def people(self) -> tuple[Person, ...]:
        """The customers, the first one being the default of every check."""
        return self.customers or ((self.customer,) if self.customer else ())
