"""Whom a call is about: the ids that Mem0's users give, as the scope and the filter they mean."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Self, cast

from pydantic import TypeAdapter, ValidationError

from agentmem.domain.bounds import shown
from agentmem.domain.entity import told_by, without_hearsay
from agentmem.domain.event import Person
from agentmem.domain.filter import MAX_NESTED, AllOf, AnyOf, Compare, Filter, NotAny, parse_filter
from agentmem.domain.ids import Name, entity_id
from agentmem.domain.memory import MemoryType, RecordType, local_day
from agentmem.domain.naming import canonical_name, is_unnamed
from agentmem.domain.scope import Lane, Scope
from agentmem.errors import InvalidInput
from agentmem.interfaces.python.results import ACTOR, RAW
from agentmem.runtime.facade.speech import Utterance

DEFAULT_AGENT = "default"
NOBODY = "user"
"""Who talks with an agent where no `user_id` says it."""

NO_RUN = "(no run) "
"""Begins the name of a conversation that was given none: what is made of it is seen from every run."""

MAX_LISTED = 1_000
KEPT = (MemoryType.OBSERVATION, MemoryType.INSIGHT, MemoryType.LONGTERM)
SEARCHED = (*KEPT, MemoryType.CONVERSATION)
"""What is listed, and what is searched: what was made of words and documents, and the words."""

ALLOWED = "1 to 200 printable characters without outer blanks"
_IDS = ("user_id", "agent_id", "run_id")
_NAME: TypeAdapter[str] = TypeAdapter(Name)


@dataclass(frozen=True, slots=True)
class CallScope:
    """An agent, and, where given, the person it talked with (`user_id`) and the conversation (`run_id`)."""

    agent: str
    user: str | None
    run: str | None

    @classmethod
    def of(cls, user_id: str | None, agent_id: str | None, run_id: str | None) -> Self:
        """Raises `InvalidInput` where no id is given, or one is blank."""
        given = dict(zip(_IDS, (user_id, agent_id, run_id), strict=True))
        if not any(value is not None for value in given.values()):
            raise InvalidInput("give at least one of user_id, agent_id, run_id")
        for name, value in given.items():
            if value is not None:
                _check(name, value)
        if run_id is not None and NO_RUN in run_id:
            raise InvalidInput(f"run_id {run_id!r}: {NO_RUN.strip()!r} stands for no run at all")
        return cls(agent_id or DEFAULT_AGENT, user_id, run_id)

    def scope(self, tenant: str) -> Scope:
        """What the agent knows, of that person where one is given."""
        target = self.user and entity_id(tenant, self.agent, canonical_name(self.user))
        return Scope(tenant, self.agent, target)

    @property
    def person(self) -> Person:
        """Whom the agent talks with."""
        return Person(name=self.user or NOBODY)

    def person_in(self, said: Sequence[Utterance]) -> Person:
        """The same, by the name that his messages bear where the id is none."""
        named = (one.meta[ACTOR] for one in said if not one.by_agent and ACTOR in one.meta)
        name = next((name for name in named if isinstance(name, str) and not is_unnamed(name)), None)
        if name is None or not is_unnamed(self.person.name):
            return self.person
        return Person(name=name, id=self.person.name)

    def lane(self, tenant: str) -> Lane:
        """Where what is said waits to be read."""
        return Lane(tenant, self.agent, entity_id(tenant, self.agent, canonical_name(self.person.known_as)))

    def conversation(self, key: str | None, at: datetime) -> str:
        """The name of the conversation; without one that is given, of the call or of the day."""
        return self.run or f"{NO_RUN}{key or local_day(at)}"

    def filter(self, *others: Filter | None) -> Filter | None:
        """What was said in the conversation, or in none, and whatever else is asked for."""
        run = None
        if self.run is not None:
            named = Compare("runId", "eq", self.run), Compare("runId", "contains", NO_RUN)
            run = AnyOf((*named, NotAny((Compare("runId", "exists"),))))
        return both(run, *others)

    def told(self, tenant: str) -> Filter | None:
        """What the person said of himself, and what was made of his talks about others; None where nobody is given."""
        target = self.scope(tenant).target
        if target is None:
            return None
        return AllOf((told_by(target), without_hearsay(target)))


def scope_and_filter(
    filters: Mapping[str, object] | None, user_id: str | None, agent_id: str | None, run_id: str | None
) -> tuple[CallScope, Filter | None]:
    """Ids may stand in the filters as well, as they do with Mem0. Raises `InvalidInput`, also for two that differ."""
    given: dict[str, str | None] = dict(zip(_IDS, (user_id, agent_id, run_id), strict=True))
    rest = _without_ids(filters or {}, given, MAX_NESTED)
    return CallScope.of(**given), parse_filter(rest) if rest else None


def _without_ids(filters: Mapping[str, object], given: dict[str, str | None], depth: int) -> dict[str, object]:
    """The filters without the ids that all of them ask for, which are added to those `given`."""
    rest: dict[str, object] = {}
    for name, wanted in filters.items():
        one = _one_of(wanted) if name in _IDS else None
        if one is not None:
            if given[name] not in (None, one):
                raise InvalidInput(f"{name} is {given[name]!r}, in the filters {one!r}")
            given[name] = one
        elif name == "AND" and depth and isinstance(wanted, list | tuple):
            parts = [
                _without_ids(cast("Mapping[str, object]", part), given, depth - 1)
                if isinstance(part, Mapping)
                else part
                for part in cast("Sequence[object]", wanted)
            ]
            if kept := [part for part in parts if part != {}]:
                rest[name] = kept
        else:
            rest[name] = wanted
    return rest


def _one_of(wanted: object) -> str | None:
    """The one id that is asked for; None where any will do, or one of several."""
    match wanted:
        case {"eq": str() as one} | {"in": [str() as one]} if len(cast("Mapping[str, object]", wanted)) == 1:
            return one
        case str() if wanted != "*":
            return wanted
        case _:
            return None


def of_layers(layers: Sequence[MemoryType | str] | None) -> Filter:
    """These layers; without them what is kept: all that was made of words and documents, and turns stored raw. Raises
    `InvalidInput`."""
    for layer in layers or ():
        if layer not in tuple(MemoryType):
            raise InvalidInput(f"layers: no layer {shown(layer)}; there are {', '.join(MemoryType)}")
    wanted = Compare("memoryType", "in", tuple(map(str, layers or KEPT)))
    stated = AllOf((wanted, Compare("kind", "ne", RecordType.SESSION_ITEM.value)))
    return stated if layers else AnyOf((stated, Compare(f"metaData.{RAW}", "eq", True)))


def limit_of(limit: int | None, top_k: int | None, default: int) -> int:
    """How many are asked for, by whichever name. Raises `InvalidInput`."""
    named = {name: value for name, value in (("limit", limit), ("top_k", top_k)) if value is not None}
    if len(set(named.values())) > 1:
        raise InvalidInput(f"limit is {limit}, top_k {top_k}: they mean the same, give one of both")
    name, given = next(iter(named.items()), ("limit", default))
    if not 1 <= given <= MAX_LISTED:
        raise InvalidInput(f"{name} is {given}, allowed: 1 to {MAX_LISTED}")
    return given


def both(*filters: Filter | None) -> Filter | None:
    """All of those that are given."""
    given = tuple(one for one in filters if one is not None)
    return AllOf(given) if len(given) > 1 else next(iter(given), None)


def _check(name: str, value: object) -> None:
    try:
        _NAME.validate_python(value, strict=True)
    except ValidationError as error:
        raise InvalidInput(f"{name} {shown(value)} must be {ALLOWED}") from error
