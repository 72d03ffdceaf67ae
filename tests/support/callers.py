"""Everything that can be called from outside, taken from the code, and for each a call that is in order."""

import asyncio
import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints
from zlib import crc32

from agentmem.answers.answer import AskQuery, AskReply
from agentmem.domain.bounds import fits
from agentmem.domain.change import Change
from agentmem.domain.entity import Mention
from agentmem.domain.event import AssetReceived, Person
from agentmem.domain.filter import Compare
from agentmem.domain.memory import MemoryType, RecordType
from agentmem.domain.persona import Persona
from agentmem.domain.scope import Grant, Lane, Principal, Scope
from agentmem.memory.forget import Meant
from agentmem.ports.erasure import Erased
from agentmem.ports.ledger import Selection
from agentmem.retrieval.query import RecallQuery
from agentmem.runtime.facade.app import App
from agentmem.runtime.facade.speech import ConversationKey, Utterance
from tests.architecture.test_access import facets, operations
from tests.support import refused
from tests.support.nodes import AGENT, NOON, TARGET, TENANT, a_memory, a_turn

LEFT_OUT = {"App.serve": "runs until it is stopped, and takes nothing but the event that stops it"}
SCOPE = Scope(TENANT, AGENT)
SOME_ID = "00000000-0000-5000-8000-000000000001"
_EXTREME: Mapping[Any, Mapping[str, object]] = {
    str: refused.TEXTS,
    int: refused.INTS,
    float: {**refused.FLOATS, "no float": 10**309},
    datetime: {name: value for name, value in refused.TIMES.items() if name != "without a zone"},
}
"""What no parameter of a kind may take."""


_BY_KIND: Mapping[type, object] = {str: "x", int: 1, float: 1.0, bool: False, timedelta: timedelta(days=30)}
"""An argument that is in order for a parameter whose name says nothing here."""


@dataclass(frozen=True, slots=True)
class Wrong:
    """A value that does not belong where it is handed in. `never`: it may not be taken by any parameter so declared."""

    name: str
    value: object
    never: bool


def by_name(folder: Path) -> dict[str, object]:
    """Arguments that are in order, by the names of parameters."""
    asset = {
        "event_id": "doc/1", "tenant": TENANT, "agent_id": AGENT, "agent_name": "小美", "target_id": TARGET, "at": NOON,
        "asset_id": "a", "title": "A", "version": "0" * 64, "media_type": "text/plain", "text": "x",
    }  # fmt: skip
    persona = Persona(id=AGENT, name="小美")
    return {
        "agent_id": AGENT,
        "runs": ["r"],
        "turns": [],
        "data": folder,
        "new_id": "other",
        "tenant": TENANT,
        "from_tenant": TENANT,
        "scope": SCOPE,
        "query": "where?",
        "question": "where?",
        "selection": Selection(SCOPE),
        "persona": persona,
        "meant": Meant(SCOPE, ids=(SOME_ID,)),
        "events": [a_turn("hello")],
        "memories": [a_memory("x")],
        "person": "Tom",
        "text": "hello",
        "name": "Tom",
        "one": "Tom",
        "other": "Ann",
        "memory_id": SOME_ID,
        "raw": b"# A card",
        "record": a_memory("a document", record=RecordType.DOCUMENT),
        "memory_ids": [SOME_ID],
        "start": "abcdef",
        "run": "r",
        "run_id": "talk",
        "key": "k",
        "beside": folder,
        "paths": [folder],
        "file": folder / "file",
        "talk": ConversationKey(TENANT, persona, Person(name="Tom")),
        "said": [Utterance("hello")],
        "lane": Lane(TENANT, AGENT, TARGET),
        "cause": "test",
        "principal": "tom",
        "planned": _nothing,
        "job_ids": ["j"],
        "progress": _unheard,
        "agent": AGENT,
        "erased": Erased(run="r", tenant=TENANT, agent_id=AGENT, at=NOON),
        "now": NOON,
        "capacity": 10,
        "asset": AssetReceived.model_validate(asset),
        "messages": "I live in Oslo.",
        "user_id": "Tom",
        "words": "hello",
        "wish": "x",
        "agents": {AGENT: [Grant.READ]},
        "event_key": "00" * 16,
        "secret": "agm_x",
        "letting_in": [],
        "reply": AskReply("?", "vector", None, True, 0.0, NOON),
    }


def _nothing(held: object) -> list[Change]:
    """Plans no change."""
    return []


def _unheard(done: int, of: int) -> None:
    """Progress that nobody follows."""


def offered(operation: str, hints: Mapping[str, Any], folder: Path) -> dict[str, object]:
    """The arguments of one operation."""
    plain = {name: _BY_KIND[kind] for name, hint in hints.items() for kind in _kinds(hint) if kind in _BY_KIND}
    given = plain | by_name(folder)
    if hints.get("query") is RecallQuery:
        given["query"] = RecallQuery(SCOPE, "where?")
    if hints.get("query") is AskQuery:
        given["query"] = AskQuery(SCOPE, "where?")
    if operation in ("Bundles.import_", "Upkeep.receipt"):
        (folder / "file").write_text("{}", encoding="utf-8")
    return given


def called(app: App) -> dict[str, tuple[object, Callable[..., Any]]]:
    """Every operation of an app, by its name, with the object it is called on."""
    owners = {facet: _at(app, facet) for facet in facets(App)}
    return {
        name: (owner, operation)
        for facet, owner in owners.items()
        for name, operation in operations(facet)
        if name not in LEFT_OUT
    }


def _at(owner: object, facet: type) -> object:
    """The object of this class that properties lead to from the owner."""
    todo = [owner]
    while todo:
        here = todo.pop(0)
        if type(here) is facet:
            return here
        for name, member in inspect.getmembers(type(here), lambda member: isinstance(member, property)):
            handed = get_type_hints(member.fget).get("return") if name[0] != "_" else None
            if handed in set(facets(App)) and handed is not type(here):
                todo.append(getattr(here, name))
    raise AssertionError(f"nothing leads to {facet.__name__}")


@cache
def wrong_for(hint: Any) -> tuple[Wrong, ...]:
    """Everything that may be tried where this is declared."""
    known = {
        name: Wrong(name, value, never=True)
        for kind in set(_kinds(hint))
        for name, value in _EXTREME.get(kind, {}).items()
    }
    others = (
        Wrong(name, value, never=False)
        for name, value in refused.ALL.items()
        if name not in known and not (callable(value) and fits(value, hint))  # what it raises would be the caller's
    )
    return (*known.values(), *others)


def some(tries: Sequence[Wrong], where: str, longer: int) -> list[Wrong]:
    """What no parameter may take, and of the rest a tenth, another one at each place; all of it in long runs."""
    if longer > 1:
        return list(tries)
    return [wrong for wrong in tries if wrong.never or crc32(f"{where} {wrong.name}".encode()) % 10 == 0]


def _kinds(hint: Any) -> Iterator[Any]:
    """The plain kinds that a value of this declared type may be of."""
    if get_origin(hint) in (Union, UnionType):
        for each in get_args(hint):
            yield from _kinds(each)
    elif get_origin(hint) is Literal:
        yield from ()
    elif hint not in (NoneType, None):
        yield hint


def parameters(operation: Callable[..., Any]) -> dict[str, Any]:
    """The parameters of an operation with what they are declared as."""
    hints = get_type_hints(operation)
    return {name: hints[name] for name in inspect.signature(operation).parameters if name in hints}


async def answer(result: object) -> object:
    """What a call comes to, whichever way it answers."""
    if inspect.isawaitable(result):
        async with asyncio.timeout(30):
            return await result
    if inspect.isasyncgen(result):
        return [part async for part in result]
    if hasattr(result, "__aenter__"):
        async with result:  # pyright: ignore[reportGeneralTypeIssues] - it has just been seen to be a context
            return None
    return result


IN_ORDER: Mapping[type, Callable[[], Any]] = {
    Scope: lambda: Scope(TENANT, AGENT, TARGET, "talk"),
    Lane: lambda: Lane(TENANT, AGENT, TARGET),
    RecallQuery: lambda: RecallQuery(SCOPE, "where?", as_of=NOON, known_at=NOON),
    AskQuery: lambda: AskQuery(SCOPE, "where?", as_of=NOON, known_at=NOON),
    Selection: lambda: Selection(SCOPE, types=(MemoryType.OBSERVATION,), as_of=NOON, known_at=NOON),
    Meant: lambda: Meant(SCOPE, query="his phone"),
    ConversationKey: lambda: ConversationKey(TENANT, Persona(id=AGENT, name="A"), Person(name="Tom"), "talk"),
    Utterance: lambda: Utterance("hello", at=NOON, key="k"),
    Principal: lambda: Principal("tom", TENANT, about="Tom"),
    Compare: lambda: Compare("content", "eq", "x"),
    Person: lambda: Person(name="Tom", title="Mr"),
    Mention: lambda: Mention(name="Tom"),
}
"""Values that callers make, each with one that is in order."""


def members(value: object) -> dict[str, Any]:
    """The fields of a value with what they are declared as."""
    hints = get_type_hints(type(value))
    if is_dataclass(value):
        return {each.name: hints[each.name] for each in fields(value)}
    return {name: hints[name] for name in getattr(type(value), "model_fields")}  # noqa: B009 - of either kind


def made_anew(made: object, field: str, value: object) -> object:
    """What was made, with another value in one field, by its constructor."""
    return type(made)(**{**{name: getattr(made, name) for name in members(made)}, field: value})
