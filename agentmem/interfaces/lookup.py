"""From what outsiders name to what is meant: agents and people; and what answers them. The same for every entrance."""

from contextlib import suppress
from datetime import date, datetime, timedelta, tzinfo

from agentmem.domain.memory import end_of_day
from agentmem.domain.naming import canonical_name
from agentmem.domain.persona import Persona, is_agent_id
from agentmem.domain.scope import Scope
from agentmem.errors import InvalidInput, NotFound
from agentmem.language.normal import language_of
from agentmem.ledger.listing import ALL
from agentmem.ports.ledger import Selection
from agentmem.runtime.facade.app import App


def whole_day(text: str, zone: tzinfo) -> datetime | None:
    """The last instant of a day, where a text names one and no time of it: who asks as of a day means all of it."""
    try:
        day = date.fromisoformat(text)
        return end_of_day(datetime(day.year, day.month, day.day, tzinfo=zone)) - timedelta(microseconds=1)
    except (ValueError, OverflowError):
        return None


def changed_on(text: str, began: datetime, now: datetime, zone: tzinfo) -> datetime | None:
    """When something changed that began then, where a text names a day and no time of it: now, where that is today, the
    end of the day on which it began, the beginning of any other."""
    last = whole_day(text, zone)
    if last is None:
        return None
    if last.date() == now.astimezone(zone).date():
        return now
    return last if last.date() == began.astimezone(zone).date() else end_of_day(last) - timedelta(days=1)


def check_agent_id(agent_id: str) -> None:
    """Raise `InvalidInput` for what no agent may be called."""
    if not is_agent_id(agent_id):
        allowed = "letters, digits, `_`, `.` and `-`, at most 64, no path"
        raise InvalidInput(f"{agent_id[:60]!r} is no agent's id; allowed: {allowed}")


async def known_agent(app: App, agent_id: str) -> Persona:
    """The agent of this tenant. Raises `NotFound`, which names to the owner those there are; to anybody else what is
    not there is refused in the words for what he may not touch. Raises `InvalidInput` for what is no id."""
    check_agent_id(agent_id)
    try:
        return await app.records.agent(agent_id)
    except NotFound as error:
        if not app.access.principal.operator:
            raise
        there = ", ".join(item.id for item in await app.records.agents()) or "none"
        raise NotFound(f"{error} in tenant {app.tenant!r}; there are: {there}") from error


async def introduced_or_plain(app: App, agent_id: str, words: str) -> Persona:
    """The agent. One nobody introduced is made known as its file says, or as a plain one that speaks the language of
    these words. Raises `InvalidInput` for an id that cannot be, `NotFound` for who may not make one known."""
    with suppress(NotFound):
        return await app.library.introduced(agent_id)
    try:
        persona = Persona(id=agent_id, name=agent_id, language=language_of(words))
    except InvalidInput as error:
        allowed = "letters, digits, _, . and -, at most 64"
        raise InvalidInput(f"agent_id {agent_id!r}: allowed are {allowed}, beginning with a letter or digit") from error
    await app.know_agent(persona)
    return persona


async def scope_of(app: App, agent_id: str, about: str | None) -> Scope:
    """The scope of an agent, or of what it knows about one person. Raises `NotFound`."""
    await known_agent(app, agent_id)
    own = app.access.own_target(agent_id)
    scope = Scope(app.tenant, agent_id, own)
    if about is None:
        return scope
    if own is not None:
        found = [own] if canonical_name(about) == canonical_name(app.access.principal.about or "") else []
        people = [app.access.principal.about or ""]
    else:
        found = await app.targets(scope, about) or await _by_label(app, scope, about)
        people = [] if found else [node.target_name for node in await app.memories(Selection(scope, limit=ALL))]
    if not found:
        told = ", ".join(sorted(set(people))) or "nobody"
        raise NotFound(f"{agent_id!r} knows nobody called {about!r}; it knows: {told}")
    return Scope(scope.tenant, scope.agent, found[0])


async def _by_label(app: App, scope: Scope, label: str) -> list[str]:
    """Whom title and name together mean, such as 软件工程师罗小东, where that title is known of him."""
    wanted = canonical_name(label)
    found: dict[str, None] = {}
    for node in await app.memories(Selection(scope, limit=ALL)):
        name = canonical_name(node.target_name)
        if node.attribute == "occupation" and node.value and wanted.endswith(name) and wanted != name:
            title = wanted.removesuffix(name).strip()
            if title == canonical_name(node.value):
                found[node.target_id] = None
    return list(found)
