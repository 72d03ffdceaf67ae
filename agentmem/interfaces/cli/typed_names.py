"""From what is typed to what is meant: agents, people, memory ids, times, filters."""

from __future__ import annotations

import json
from datetime import datetime
from typing import TYPE_CHECKING
from uuid import UUID

from agentmem.errors import NotFound
from agentmem.interfaces.cli.exits import Misuse, usage

if TYPE_CHECKING:
    from agentmem.domain.event import Person
    from agentmem.domain.filter import Filter
    from agentmem.domain.memory import MemoryNode
    from agentmem.domain.persona import Persona
    from agentmem.domain.scope import Scope
    from agentmem.interfaces.cli.output import Terminal
    from agentmem.runtime.configuration.settings import Settings
    from agentmem.runtime.facade.app import App

SHORTEST_ID = 6


async def known_agent(app: App, agent_id: str) -> Persona:
    """The agent of this tenant, as `interfaces.lookup` finds it. Raises `Misuse` for what is no id."""
    from agentmem.interfaces import lookup

    check_agent_id(agent_id)
    return await lookup.known_agent(app, agent_id)


async def introduced_agent(app: App, agent_id: str) -> Persona:
    """The agent, taken from its persona file where there is one, with the documents it names, so that the owner's first
    `say` needs no preparation. Raises `NotFound`, which tells him how to make one."""
    from agentmem.runtime.configuration.personas import find_persona

    check_agent_id(agent_id)
    if not app.access.principal.operator:
        return await known_agent(app, agent_id)
    directory = app.settings.personas
    try:
        persona = find_persona(directory, agent_id)
    except NotFound:
        try:
            return await known_agent(app, agent_id)
        except NotFound as error:
            how = f"write {directory / agent_id}.yaml, or begin a project with: agentmem init"
            raise NotFound(f"{error}; {how}") from error
    await app.know_agent(persona)
    await app.library.learn(persona, directory)
    return persona


async def scope_of(app: App, agent_id: str, about: str | None) -> Scope:
    """The scope of an agent, or of what it knows about one person; the same."""
    from agentmem.interfaces import lookup

    check_agent_id(agent_id)
    return await lookup.scope_of(app, agent_id, about)


async def memory_called(
    app: App, name: str, *, known_at: datetime | None = None, forgotten: bool = False
) -> MemoryNode:
    """The memory of this tenant with that id, or the one whose id begins so; `forgotten` ones for the owner. Raises
    `NotFound` and `Misuse`."""
    try:
        whole = str(UUID(name))
    except ValueError:
        return await _by_beginning(app, name, known_at, forgotten=forgotten)
    found = await app.records.get([whole], known_at=known_at, forgotten=forgotten)
    if whole not in found:
        raise NotFound(f"no memory {name!r} in tenant {app.tenant!r}{_then(known_at)}")
    return found[whole]


async def _by_beginning(app: App, name: str, known_at: datetime | None, *, forgotten: bool) -> MemoryNode:
    beginning = name.lower()
    if len(beginning) < SHORTEST_ID:
        raise Misuse(f"{name!r} is too short for the beginning of an id; at least {SHORTEST_ID} characters")
    nodes = await app.records.beginning(beginning, known_at=known_at, forgotten=forgotten)
    found = {node.memory_id: node for node in nodes}
    if not found:
        raise NotFound(f"no memory whose id begins with {name!r} in tenant {app.tenant!r}{_then(known_at)}")
    if len(found) > 1:
        raise Misuse(f"{name!r} is the beginning of {len(found)} ids: {', '.join(sorted(found)[:5])}")
    return next(iter(found.values()))


def _then(known_at: datetime | None) -> str:
    return "" if known_at is None else f" was known at {known_at.isoformat(timespec='seconds')}"


def time_of(text: str | None, option: str, settings: Settings) -> datetime | None:
    """An ISO date, which means all of that day, or date and time; where it has no offset it is meant in the configured
    time zone."""
    from agentmem.domain.bounds import check_argument
    from agentmem.interfaces.lookup import whole_day

    if text is None:
        return None
    try:
        moment = whole_day(text, settings.zone) or datetime.fromisoformat(text)
    except ValueError as error:
        raise Misuse(f"{option} {text!r}: must be a date or a date and time such as 2025-01-31T18:00") from error
    with usage():
        check_argument(option, moment, datetime)
    return moment if moment.tzinfo else moment.replace(tzinfo=settings.zone)


def filter_of(text: str | None, option: str) -> Filter | None:
    """A filter in JSON, as `parse_filter` reads it. Raises `Misuse`."""
    from agentmem.domain.filter import parse_filter

    if text is None:
        return None
    try:
        given: object = json.loads(text)
    except ValueError as error:
        raise Misuse(f"{option}: no JSON: {error}") from error
    except RecursionError as error:
        raise Misuse(f"{option}: nested too deeply") from error
    with usage():
        return parse_filter(given)


def note_unknown(wanted: Filter | None, terminal: Terminal) -> None:
    """Where a filter found nothing, say which of its names are no fields of a memory: they may be slips of one."""
    from agentmem.domain.filter import names_in_metadata
    from agentmem.domain.filter_fields import FIELDS

    names = () if wanted is None else names_in_metadata(wanted)
    if names:
        told = ", ".join(map(repr, names))
        terminal.note(f"--filter: {told}: no field of a memory, looked for in metaData; fields: {', '.join(FIELDS)}")


def person_called(name: str, title: str | None) -> Person:
    """The person of that name. Raises `Misuse` for what is no name."""
    from agentmem.domain.event import Person
    from agentmem.domain.ids import no_path

    with usage():
        person = Person(name=name, title=title)
    try:
        no_path(name)
    except ValueError as error:
        raise Misuse(f"a person called {name!r}: {error}") from error
    return person


def check_agent_id(agent_id: str) -> None:
    """Raise `Misuse` for what no agent may be called."""
    from agentmem.interfaces import lookup

    with usage():
        lookup.check_agent_id(agent_id)
