"""A conversation: its turns, and beside each what was made of it, or why nothing was."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from starlette.responses import Response

from agentmem.domain.episode import is_forgotten, turn_id
from agentmem.domain.memory import MemoryNode
from agentmem.domain.scope import Lane, Scope
from agentmem.errors import NotFound
from agentmem.interfaces.web.page import Page, get
from agentmem.interfaces.web.question_page import may_talk_as
from agentmem.interfaces.web.views.people import person_scope
from agentmem.ledger.listing import place_at

TURNS: Final = 50


@dataclass(frozen=True, slots=True)
class RecordedTurn:
    """A turn, what rests on it, what it brought to an end, and where both are nothing the word for why; `detail` is
    why it was given up."""

    memory: MemoryNode
    by_agent: bool
    made: Sequence[MemoryNode]
    why_nothing: str | None
    detail: str | None = None
    ended: Sequence[MemoryNode] = ()


async def talk_record(page: Page) -> Response:
    """One page of it, the turns of a page in the order in which they were said."""
    persona, scope = await person_scope(page)
    run, cursor = page.asked("run"), page.asked("cursor")
    if run is None or scope.target is None:
        raise NotFound("there is no such talk")
    live = await page.live(f"/agents/{persona.id}/people/{scope.target}/live", scope)
    after = None if cursor is None else place_at(cursor)
    here = Scope(scope.tenant, scope.agent, scope.target, run)
    inspecting = page.app.records.inspecting
    listed = await inspecting.turns(here, after=after, limit=TURNS, forgotten=True)
    if (at := await _place_of(page, listed)) is not None:
        listed = await inspecting.turns(here, after=at, limit=TURNS, forgotten=True)
    turns = [node for node in listed if node.run_id == run]
    if not turns:
        raise NotFound("there is no such talk")
    waiting = await waiting_in(page, scope)
    made = await inspecting.resting_on([node.memory_id for node in turns])
    ended = await inspecting.ended_in(turns)
    given_up = await given_up_in(page, scope)
    why = await why_nothing(page, _said(turns), waiting, given_up)
    return page.show(
        "talk_record.html",
        agent=persona,
        person=scope.target,
        name=turns[0].target_name,
        may_talk=may_talk_as(page.app, scope, turns[0].target_name),
        live=live,
        run=run,
        turns=[
            replace(_turn(node, made.get(node.memory_id, ()), why, given_up), ended=ended.get(node.memory_id, ()))
            for node in turns[::-1]
        ],
        next=listed.next,
        paged=after is not None or at is not None,
    )


async def _place_of(page: Page, listed: Iterable[MemoryNode]) -> tuple[int, str] | None:
    """Where a page begins that has the turn which was asked for; None where that is listed, or none was."""
    wanted = page.asked("turn")
    if wanted is None or any(node.memory_id == wanted for node in listed):
        return None
    node = (await page.app.records.get([wanted])).get(wanted)
    return None if node is None else (node.timestamp + 1, "")


def _turn(
    node: MemoryNode, made: Sequence[MemoryNode], why: Mapping[str, str], given_up: Mapping[str, str]
) -> RecordedTurn:
    by_agent = node.meta_data.get("role") == "agent"
    shown = [each for each in made if each.record is None]
    if shown:
        return RecordedTurn(node, by_agent, shown, None)
    if node.is_forgotten:
        return RecordedTurn(node, by_agent, (), "gone")
    reason = "forgotten" if is_forgotten(node.content) else why.get(node.memory_id)
    otherwise = "by_agent" if by_agent else "nothing"
    return RecordedTurn(node, by_agent, (), reason or otherwise, given_up.get(node.memory_id))


def _said(turns: Sequence[MemoryNode]) -> list[str]:
    return [node.memory_id for node in turns if node.meta_data.get("role") != "agent" and not node.is_forgotten]


async def waiting_in(page: Page, scope: Scope) -> frozenset[str]:
    """The ids of the turns that nobody has read yet: asked for before what was made of them, since a turn that is read
    in between would else be neither."""
    assert scope.target is not None
    return await page.app.records.inspecting.unread(Lane(scope.tenant, scope.agent, scope.target))


async def why_nothing(
    page: Page, said: Sequence[str], waiting: Collection[str], given_up: Collection[str]
) -> dict[str, str]:
    """By turn of the person why nothing was made of it: what keeps it from being read before what reading it would
    find."""
    return {
        **await page.app.records.inspecting.why_nothing(said),
        **dict.fromkeys(waiting, "waiting"),
        **dict.fromkeys(given_up, "given_up"),
    }


async def given_up_in(page: Page, scope: Scope) -> dict[str, str]:
    """By turn why its reading was given up, as far as the reader looks after the agent."""
    dead = await page.app.upkeep.dead(agent=scope.agent, target=scope.target)
    return {turn_id(scope.tenant, scope.agent, event): letter.reason for letter in dead for event in letter.event_ids}


ROUTES: Final = (get("/agents/{agent}/people/{person}/talk", talk_record),)
