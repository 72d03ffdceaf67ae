"""A person: what is believed of him, since when, what took the place of what, and what it was at another time."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from starlette.responses import Response

from agentmem.domain.attributes import OF_OTHERS
from agentmem.domain.memory import Ending, MemoryNode, MemoryType, Modality, StoreStatus, end_of_day, microseconds
from agentmem.domain.persona import Persona
from agentmem.domain.scope import Lane, Scope
from agentmem.errors import InvalidInput, NotFound
from agentmem.interfaces.web.page import Page, get
from agentmem.interfaces.web.question_page import may_talk_as
from agentmem.interfaces.web.timeline import WIDTH, Timeline, reach, timeline
from agentmem.ledger.listing import place_at
from agentmem.memory.relation import Relations
from agentmem.ports.ledger import Selection
from agentmem.retrieval.person_profile import is_limit

FACTS: Final = (MemoryType.OBSERVATION, MemoryType.INSIGHT)
BARS: Final = 100
"""Facts of one page of a timeline."""

PROFILE: Final = 200
"""Facts of which a profile is made."""

LOOKED_THROUGH: Final = 999
"""Facts, of those told before a day and of all, that are looked through for what held on that day: with the one that
shows whether there are more, as many as the ledger is asked for at once."""

LISTED: Final = 100
_ENDED_TOO: Final = (StoreStatus.VALID, StoreStatus.EXPIRED)
_MOMENT: Final = timedelta(microseconds=1)


async def person(page: Page) -> Response:
    """What an agent believes of somebody."""
    persona, scope = await person_scope(page)
    now = page.app.clock.now().astimezone(page.zone)
    live = await page.live(f"/agents/{persona.id}/people/{scope.target}/live", scope)
    chosen = Selection(scope, FACTS, _ENDED_TOO, limit=BARS, after=_place(page))
    listed = await page.app.memories(chosen)
    talks = await page.app.records.inspecting.talks(scope, limit=LISTED)
    there = await page.app.records.inspecting.overview(scope, limit=1)
    gone = await page.app.records.inspecting.forgotten(scope)
    if not there.people and not gone:
        raise NotFound("there is nobody of that id")
    name = there.people[0].name if there.people else gone[0].memories[0].target_name
    held = [node for node in listed.memories if not node.never_held and node.ending is not Ending.RETIRED]
    at = _no_later(_chosen_day(page, now), held, now)
    shown = timeline(held, await _successors(page, listed.memories), now=now, at=at or now)
    holding = await _holding(page, scope, at)
    profile = _profile(holding)
    return page.show(
        "person.html",
        agent=persona,
        person=scope.target,
        name=name,
        may_talk=bool(talks) and may_talk_as(page.app, scope, name),
        live=live,
        profile=profile,
        beside=len(holding) - sum(map(len, profile.values())),
        at=at,
        moved=page.asked("day") is not None,
        now=now,
        timeline=shown,
        relations=Relations(persona.memory.attributes),
        of_others=OF_OTHERS,
        in_graph=await _in_graph(page, persona, scope),
        width=WIDTH,
        days=_days(shown, at or now, now) if shown else None,
        next=listed.next,
        layers=there.layers,
        talks=talks,
        gone=gone,
        waiting=len(await page.app.records.inspecting.unread(Lane(scope.tenant, scope.agent, scope.target or ""))),
    )


async def memories(page: Page) -> Response:
    """What an agent remembers, page by page: of one layer or all, of one person or all."""
    persona = await page.app.records.agent(page.of_path("agent"))
    own = page.app.access.own_target(persona.id)
    target = page.asked("person") or own
    types = _layer(page.asked("layer"))
    scope = Scope(page.app.tenant, persona.id, target)
    live = await page.live(f"/agents/{persona.id}/live", Scope(scope.tenant, scope.agent, own))
    listed = await page.app.memories(Selection(scope, types, _ENDED_TOO, limit=LISTED, after=_place(page)))
    return page.show(
        "memories.html",
        agent=persona,
        live=live,
        person=target,
        name=listed.memories[0].target_name if target and listed.memories else None,
        layer=types[0] if types else None,
        layers=(await page.app.records.inspecting.overview(scope, limit=1)).layers,
        memories=listed.memories,
        next=listed.next,
        is_owner=page.app.access.principal.operator,
        paged=page.asked("cursor") is not None,
    )


async def forgotten(page: Page) -> Response:
    """What was forgotten of all whom an agent knows or knew, for the owner, who can bring it back."""
    persona = await page.app.records.agent(page.of_path("agent"))
    if not page.app.access.principal.operator:
        raise NotFound("there is no such page")
    scope = Scope(page.app.tenant, persona.id)
    live = await page.live(f"/agents/{persona.id}/live", scope)
    gone = await page.app.records.inspecting.forgotten(scope, limit=LISTED)
    return page.show("forgotten_runs.html", agent=persona, live=live, gone=gone)


async def person_scope(page: Page) -> tuple[Persona, Scope]:
    """Agent and person of the path. Raises `NotFound`."""
    persona = await page.app.records.agent(page.of_path("agent"))
    return persona, Scope(page.app.tenant, persona.id, page.of_path("person"))


async def _in_graph(page: Page, persona: Persona, scope: Scope) -> bool:
    """Whether the graph has something around the person."""
    seen = Scope(scope.tenant, scope.agent, page.app.access.own_target(persona.id))
    found = await page.app.graph.around(seen, scope.target or "")
    return found.middle in found.names


async def _holding(page: Page, scope: Scope, at: datetime | None) -> Sequence[MemoryNode]:
    """What holds at that time, or now: of what was told until then and of what was told since the newest, so that a
    day of long ago costs no more than today."""
    if at is None:
        return (await page.app.memories(Selection(scope, FACTS, limit=PROFILE), valid=True)).memories
    wanted = Selection(scope, FACTS, _ENDED_TOO, limit=LOOKED_THROUGH)
    since = await page.app.memories(wanted)
    until = await page.app.memories(replace(wanted, after=(microseconds(at) + 1, "")))
    found = {node.memory_id: node for node in (*since, *until) if node.is_shown(page.app.clock.now(), as_of=at)}
    return list(found.values())[:PROFILE]


def _profile(nodes: Sequence[MemoryNode]) -> dict[str, list[MemoryNode]]:
    """What fills the slots of a person: first what must not be forgotten, then in the order in which it was last told;
    what is denied fills none."""
    found: dict[str, list[MemoryNode]] = {}
    for node in nodes:
        if node.attribute is not None and node.value and node.modality is not Modality.NEGATED:
            found.setdefault(node.attribute, []).append(node)
    return dict(sorted(found.items(), key=lambda slot: not all(map(is_limit, slot[1]))))


async def _successors(page: Page, nodes: Sequence[MemoryNode]) -> Mapping[str, MemoryNode]:
    """By id what took the place of these."""
    there = {node.memory_id: node for node in nodes}
    wanted = {node.superseded_by for node in nodes if node.superseded_by is not None}
    return {**await page.app.records.get(wanted - there.keys()), **{key: there[key] for key in wanted & there.keys()}}


def _chosen_day(page: Page, now: datetime) -> datetime | None:
    """The end of the day that is asked about, None for now. Raises `InvalidInput` for what is no day."""
    given = page.asked("day")
    if given is None:
        return None
    try:
        day = datetime.fromordinal(int(given)) if len(given) < 9 else None
        chosen = None if day is None else end_of_day(day.replace(tzinfo=now.tzinfo)) - _MOMENT
    except (ValueError, OverflowError):
        chosen = None
    if chosen is None:
        raise InvalidInput(f"day: {given[:30]!r} is no day")
    return None if chosen.date() == now.date() else chosen


def _no_later(at: datetime | None, nodes: Sequence[MemoryNode], now: datetime) -> datetime | None:
    """The moment, or the end of the last day of which these tell something, where it is later than that."""
    last = end_of_day(reach(nodes, now)[1] if nodes else now) - _MOMENT
    if at is None or at <= last:
        return at
    return None if last.date() == now.date() else last


def _days(shown: Timeline, at: datetime, now: datetime) -> dict[str, int]:
    """What the slider goes over: days, by their number in the calendar, today marked among them."""
    first, last = shown.first.toordinal(), shown.last.toordinal()
    return {"first": first, "last": last, "at": min(max(at.toordinal(), first), last), "today": now.toordinal()}


def _place(page: Page) -> tuple[int, str] | None:
    given = page.asked("cursor")
    return None if given is None else place_at(given)


def _layer(given: str | None) -> tuple[MemoryType, ...]:
    if given is None:
        return ()
    try:
        return (MemoryType(given),)
    except ValueError:
        raise InvalidInput(f"layer: there is no layer {given[:30]!r}") from None


ROUTES: Final = (
    get("/agents/{agent}/people/{person}", person),
    get("/agents/{agent}/memories", memories),
    get("/agents/{agent}/forgotten", forgotten),
)
