"""Talk: say something to an agent, and see what each of its answers used. Without a model what is said is remembered,
and nobody answers."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import quote

from starlette.responses import Response

from agentmem.agents.talk.forget_in_talk import Forgetting
from agentmem.agents.talk.reply import Reply
from agentmem.domain.episode import episode_id, is_forgotten
from agentmem.domain.event import Person, TurnSpoken
from agentmem.domain.ids import entity_id
from agentmem.domain.memory import MemoryNode
from agentmem.domain.naming import canonical_name
from agentmem.domain.persona import Persona
from agentmem.domain.scope import Grant, Scope
from agentmem.errors import InvalidInput
from agentmem.interfaces.http.streams import EventStream, event
from agentmem.interfaces.web.page import FormFault, Page, get, post, text_of
from agentmem.interfaces.web.question_page import MAX_QUESTION, people_known
from agentmem.interfaces.web.sign_in import Notice, UsedMemory
from agentmem.interfaces.web.views.talk_record import given_up_in, waiting_in, why_nothing

STREAM: Final = "text/event-stream"


@dataclass(frozen=True, slots=True)
class ShownTurn:
    """What one of the two said; of an answer what it used, None where that is not kept; what was made of the turn, and
    what it ended, and where both are nothing the word for why, as far as the reader may look at it; what came of its
    requests to forget."""

    speaker: str
    by_agent: bool
    text: str
    used: Sequence[tuple[MemoryNode, float]] | None = None
    forgot: bool = False
    made: Sequence[MemoryNode] = ()
    why_nothing: str | None = None
    notice: Notice | None = None
    ended: Sequence[MemoryNode] = ()


async def talk(page: Page, fault: FormFault | None = None, *, gone: bool = False) -> Response:
    """Who talks; whoever has a token of his own person is led to his talk."""
    persona = await _agent(page)
    own = page.app.access.principal.about
    return page.show(
        "talk.html",
        410 if gone else 200 if fault is None else fault.status,
        fault=fault,
        agent=persona,
        trouble=await _trouble(page, persona, Person(name=own or "reader")),
        own=own or "",
        title=await _title_before(page, persona, Person(name=own)) if own else "",
        gone=gone,
        people=await people_known(page.app, persona.id),
    )


async def begun(page: Page) -> Response:
    """On to the talk of this person."""
    form = await page.form()
    persona = await _agent(page)
    name, title = (text_of(form, field) for field in ("person", "title"))
    try:
        person = Person(name=name, title=title or None)
    except InvalidInput as error:
        return await talk(page, page.fault("talk", ("person", "title"), form, error))
    await _trouble(page, persona, person)
    assert page.session is not None
    kept = page.session.keep({"person": person.name, "title": title or await _title_before(page, persona, person)})
    return page.go(f"/agents/{persona.id}/talk/{kept}")


async def _title_before(page: Page, persona: Persona, person: Person) -> str:
    """The title that the person had before, as far as the reader may look back; empty where there was none."""
    looks_back = _may_look_back(page, persona, person)
    return await page.app.talks.title(persona.id, person) or "" if looks_back else ""


async def talking(page: Page) -> Response:
    """What the two have said in the conversation that is open."""
    persona = await _agent(page)
    if (person := _person(page)) is None:
        return await talk(page, gone=True)
    return await _show(page, persona, person, ())


async def said(page: Page) -> Response:
    """Say something: answered piece by piece where a script asks for that, else with the page."""
    form = await page.form()
    persona, person = await _agent(page), _person(page)
    text = text_of(form, "text")
    if person is None:
        return page.go(f"/agents/{persona.id}/talk", Notice("talk.gone"))
    if not text or len(text) > MAX_QUESTION:
        error = InvalidInput(f"text: must have 1 to {MAX_QUESTION:,} characters")
        return await _show(page, persona, person, (), page.fault("say", ("text",), form, error))
    if await _trouble(page, persona, person) is not None:
        return await _heard(page, persona, person, text)
    if STREAM in page.request.headers.get("accept", ""):
        assert page.caller is not None
        return EventStream(page.caller, _answered(page, persona, person, text))
    async with page.app.talks.reply(persona.id, person, text) as reply:
        await reply.whole()
    told = _told_of_forgetting(page, persona, person, reply.forgotten)
    if _may_look_back(page, persona, person):
        _keep(page, reply)
        return page.go(page.request.url.path, told)
    shown = _of_person(person, text, told, forgot=bool(reply.forgotten))
    return await _show(page, persona, person, [shown, await _of_agent(page, persona, reply)])


async def _heard(page: Page, persona: Persona, person: Person, text: str) -> Response:
    """What is said where no model answers: it is remembered all the same."""
    heard = await page.app.say(persona.id, person, text)
    told = _told_of_forgetting(page, persona, person, heard.forgotten)
    if _may_look_back(page, persona, person):
        return page.go(page.request.url.path, told)
    return await _show(page, persona, person, [_of_person(person, text, told, forgot=bool(heard.forgotten))])


def _told_of_forgetting(page: Page, persona: Persona, person: Person, done: Sequence[Forgetting]) -> Notice | None:
    """What came of requests to forget, as the command line tells it: how much went, with the run that takes it back for
    who may do that, or what may have been meant for who may look at it."""
    scope = Scope(page.app.tenant, persona.id, _target(page, persona, person))
    undoes, looks = page.app.access.may(Grant.WRITE, scope), _may_look_back(page, persona, person)
    told = [_of_request(each if looks else replace(each, candidates=()), undoes=undoes) for each in done]
    return replace(told[0], further=tuple(told[1:])) if told else None


def _of_request(each: Forgetting, *, undoes: bool) -> Notice:
    links = {f"/memories/{one.memory_id}": one.content for one in each.candidates}
    if each.run is None:
        return Notice("talk.forgot_unclear" if links else "talk.forgot_nothing", links=links)
    word = "talk.forgot_some" if links else "talk.forgot"
    run = each.run if undoes else None
    return Notice(word, {"count": len(each.memory_ids)}, run, "memory.undo_forget", links)


async def ended(page: Page) -> Response:
    """End the conversation, so that it is read now."""
    await page.form()
    persona, person = await _agent(page), _person(page)
    if person is None:
        return page.go(f"/agents/{persona.id}/talk", Notice("talk.gone"))
    run = await _recorded(page, persona, person)
    if not await page.app.talks.turns(persona.id, person):
        return page.go(f"/agents/{persona.id}/talk", Notice("talk.nothing_said"))
    await page.app.talks.end(persona.id, person)
    about = f"/agents/{persona.id}/people/{_target(page, persona, person)}"
    if run is not None:
        return page.go(f"{about}/talk", Notice("talk.ended"), f"run={quote(run, safe='')}")
    return page.go(
        about if await _has_page(page, persona, person) else f"/agents/{persona.id}/talk", Notice("talk.ended")
    )


async def _has_page(page: Page, persona: Persona, person: Person) -> bool:
    """Whether the person has a page that the reader may look at."""
    if not _may_look_back(page, persona, person):
        return False
    scope, inspecting = Scope(page.app.tenant, persona.id, _target(page, persona, person)), page.app.records.inspecting
    return bool((await inspecting.overview(scope, limit=1)).people or await inspecting.forgotten(scope, limit=1))


async def _recorded(page: Page, persona: Persona, person: Person) -> str | None:
    """The conversation that is open, where turns of it are there to be looked back at: what was forgotten may be the
    last."""
    if not _may_look_back(page, persona, person):
        return None
    spoken = await page.app.talks.turns(persona.id, person)
    there = await page.app.records.get([episode_id(turn) for turn in spoken])
    return spoken[-1].run_id if there else None


async def _answered(page: Page, persona: Persona, person: Person, text: str) -> AsyncGenerator[bytes]:
    """Pieces of the answer as they come; at the end both turns as they stand on the page."""
    async with page.app.talks.reply(persona.id, person, text) as reply:
        async for piece in reply:
            yield event({"text": piece}, kind="piece")
    _keep(page, reply)
    told = _told_of_forgetting(page, persona, person, reply.forgotten)
    shown = _of_person(person, text, told, forgot=bool(reply.forgotten))
    turns = [shown, await _of_agent(page, persona, reply)]
    shown_turns = page.show("talk_turns.html", turns=turns)
    yield event({"html": bytes(shown_turns.body).decode()}, kind="done")


def _of_person(person: Person, text: str, told: Notice | None = None, *, forgot: bool = False) -> ShownTurn:
    """Words that ask to forget something are not kept, and not shown."""
    return ShownTurn(person.label, by_agent=False, text="" if forgot else text, forgot=forgot, notice=told)


async def _of_agent(page: Page, persona: Persona, reply: Reply) -> ShownTurn:
    used = {hit.memory.memory_id: hit.score for hit in reply.used}
    known = await page.app.records.get(used)
    return ShownTurn(persona.name, by_agent=True, text=reply.text, used=_with_scores(known, used))


def _with_scores(known: Mapping[str, MemoryNode], used: Mapping[str, float]) -> list[tuple[MemoryNode, float]]:
    return [(known[key], score) for key, score in used.items() if key in known]


def _keep(page: Page, reply: Reply) -> None:
    assert page.session is not None
    used = tuple(UsedMemory(hit.memory.memory_id, hit.score) for hit in reply.used)
    page.session.keep_used(reply.run_id, reply.text, used)


async def _show(
    page: Page, persona: Persona, person: Person, turns: Sequence[ShownTurn], fault: FormFault | None = None
) -> Response:
    scope = Scope(page.app.tenant, persona.id, page.app.access.own_target(persona.id))
    reads = page.app.access.may(Grant.READ, scope)
    live = await page.live(f"/agents/{persona.id}/live", scope) if reads else None
    trouble = await _trouble(page, persona, person)
    looks_back = _may_look_back(page, persona, person)
    if looks_back:
        turns = await _turns(page, persona, person)
    return page.show(
        "talking.html",
        200 if fault is None else fault.status,
        fault=fault,
        agent=persona,
        person=person,
        turns=turns,
        trouble=trouble,
        target=_target(page, persona, person) if looks_back else None,
        most=MAX_QUESTION,
        live=live,
    )


async def _turns(page: Page, persona: Persona, person: Person) -> list[ShownTurn]:
    spoken = await page.app.talks.turns(persona.id, person)
    assert page.session is not None
    kept = {turn.event_id: page.session.used_by(turn.run_id, turn.text) for turn in spoken if turn.by_agent}
    known = await page.app.records.get({each.memory_id for used in kept.values() for each in used or ()})
    ids = [episode_id(turn) for turn in spoken]
    scope = Scope(page.app.tenant, persona.id, _target(page, persona, person))
    waiting = await waiting_in(page, scope)
    made = await page.app.records.inspecting.resting_on(ids)
    over = await page.app.records.inspecting.ended_in(tuple((await page.app.records.get(ids)).values()))
    silent = [key for key, turn in zip(ids, spoken, strict=True) if not turn.by_agent]
    why = await why_nothing(page, silent, waiting, await given_up_in(page, scope))
    shown: list[ShownTurn] = []
    for key, turn in zip(ids, spoken, strict=True):
        used = kept.get(turn.event_id)
        scored = None if used is None else _with_scores(known, {each.memory_id: each.score for each in used})
        speaker = persona.name if turn.by_agent else person.label
        of_it = [node for node in made.get(key, ()) if node.record is None]
        ended = over.get(key, ())
        silence = None if of_it or ended or turn.by_agent else _silence(turn, why.get(key))
        shown.append(ShownTurn(speaker, turn.by_agent, turn.text, scored, made=of_it, why_nothing=silence, ended=ended))
    return shown


def _silence(turn: TurnSpoken, why: str | None) -> str:
    return "forgotten" if is_forgotten(turn.text) else why or "nothing"


async def _trouble(page: Page, persona: Persona, person: Person) -> str | None:
    """Why nobody answers, empty where no model is named, None where one does. Raises `NotFound` for who may not."""
    try:
        await page.app.talks.ready(persona.id, person)
    except InvalidInput as error:
        return str(error) if persona.model or page.app.settings.chat_model else ""
    return None


def _may_look_back(page: Page, persona: Persona, person: Person) -> bool:
    scope = Scope(page.app.tenant, persona.id, _target(page, persona, person))
    return page.app.access.may(Grant.READ, scope)


def _target(page: Page, persona: Persona, person: Person) -> str:
    return entity_id(page.app.tenant, persona.id, canonical_name(person.known_as))


async def _agent(page: Page) -> Persona:
    return await page.app.records.agent(page.of_path("agent"))


def _person(page: Page) -> Person | None:
    """Whose talk it is; None where the session keeps that no more."""
    kept = page.question()
    return None if kept is None else Person(name=kept["person"], title=kept["title"] or None)


ROUTES: Final = (
    get("/agents/{agent}/talk", talk),
    post("/agents/{agent}/talk", begun),
    get("/agents/{agent}/talk/{asked}", talking),
    post("/agents/{agent}/talk/{asked}", said),
    post("/agents/{agent}/talk/{asked}/end", ended),
)
