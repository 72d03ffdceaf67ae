"""What operations return: every field of every answer and of every error, for every kind of principal, holds nothing of
anybody's whom the principal may not touch. Operations are taken from the code; one that is not called here fails."""

import re
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import pytest

from agentmem.adapters.journal.dialect import key
from agentmem.agents.talk.reply import Reply
from agentmem.answers.answer import AskQuery
from agentmem.domain.change import Change
from agentmem.domain.event import Person
from agentmem.domain.memory import MemoryNode
from agentmem.domain.persona import Persona
from agentmem.domain.scope import ALL, Grant, Lane, Principal, Scope
from agentmem.errors import AgentMemError
from agentmem.memory.forget import Meant
from agentmem.ports.erasure import Erased
from agentmem.ports.ledger import Selection
from agentmem.retrieval.query import RecallQuery
from agentmem.runtime.facade.app import App
from agentmem.runtime.facade.speech import Utterance
from tests.fixtures.talking_model import speaker
from tests.support.homes import (
    ANN,
    DOCUMENTS,
    GHOST,
    HOMES,
    Home,
    document_of,
    everything,
    homes_in,
    plant_homes,
)
from tests.support.nodes import AGENT, NOON, TENANT, a_turn
from tests.support.spine import spine

EVERYTHING = frozenset(Grant)
Call = Callable[[App, Home, Path], object]


def taken_out(held: Mapping[str, MemoryNode]) -> list[Change]:
    return [Change(act="forget", before=node) for node in held.values()]


def whole(home: Home) -> Scope:
    return Scope(home.tenant, home.agent)


def said(home: Home, number: int = 7) -> object:
    return a_turn(
        "hello",
        number,
        tenant=home.tenant,
        agent_id=home.agent,
        target_id=home.scope.target,
        person=Person(name=home.person),
    )


async def replayed(app: App, home: Home) -> object:
    query = AskQuery(home.scope, "What is the PIN?")
    return await app.library.replay(await app.ask(query), query)


LOOKS: dict[str, tuple[Call, ...]] = {
    "App.recall": (
        lambda app, home, _: app.recall(RecallQuery(home.scope, "PIN")),
        lambda app, home, _: app.recall("PIN", agent=home.agent, about=home.person),
        lambda app, home, _: app.recall("PIN", agent=home.agent),
        lambda app, home, _: app.recall(RecallQuery(whole(home), "PIN budget", k=50)),
    ),
    "App.words": (lambda app, home, _: app.words([home.memory]),),
    "App.context": (
        lambda app, home, _: app.context(RecallQuery(home.scope, "PIN")),
        lambda app, home, _: app.context(RecallQuery(whole(home), "PIN")),
    ),
    "App.preview_reflection": (
        lambda app, home, _: app.preview_reflection(home.scope),
        lambda app, home, _: app.preview_reflection(whole(home)),
    ),
    "App.memories": (
        lambda app, home, _: app.memories(Selection(home.scope)),
        lambda app, home, _: app.memories(Selection(whole(home), limit=10_000), valid=True),
    ),
    "App.targets": (lambda app, home, _: app.targets(whole(home), home.person),),
    "App.drain": (lambda app, _home, _: app.drain(),),
    "App.serve": (lambda app, _home, _: app.serve(None),),  # type: ignore[arg-type] - nobody gets so far
    "Copies.origin": (lambda app, home, _: app.copies.origin(home.agent),),
    "Copies.made_from": (lambda app, home, _: app.copies.made_from(home.agent),),
    "Copies.lineages": (lambda app, _home, _: app.copies.lineages(),),
    "Copies.preview_hire": (
        lambda app, home, _: app.copies.preview_hire(home.agent, "x", tenant="t", from_tenant=home.tenant),
    ),
    "Editing.stamp": (lambda app, _home, _: app.editing.stamp(),),
    "Graphs.show": (lambda app, home, _: app.graph.show(home.scope, home.person, hops=2),),
    "Graphs.around": (
        lambda app, home, _: app.graph.around(home.scope, str(home.scope.target), hops=2),
        lambda app, home, _: app.graph.around(whole(home), str(home.scope.target), hops=2),
    ),
    "Graphs.path": (lambda app, home, _: app.graph.path(home.scope, "Ben", "Ann"),),
    "Graphs.drawn": (
        lambda app, home, _: app.graph.drawn(home.scope),
        lambda app, home, _: app.graph.drawn(whole(home)),
    ),
    "Graphs.neighbourhood": (
        lambda app, home, _: app.graph.neighbourhood(home.scope, home.person, hops=2),
        lambda app, home, _: app.graph.neighbourhood(whole(home), home.person, hops=2, as_of=NOON, known_at=NOON),
    ),
    "Graphs.communities": (lambda app, home, _: app.graph.communities(home.agent),),
    "Graphs.entities": (
        lambda app, home, _: app.graph.entities(home.scope),
        lambda app, home, _: app.graph.entities(whole(home)),
    ),
    "Graphs.edges": (lambda app, home, _: app.graph.edges(home.scope, "Who uses what?"),),
    "Graphs.edges_of": (lambda app, home, _: app.graph.edges_of(home.scope, [home.memory]),),
    "App.ask": (
        lambda app, home, _: app.ask(AskQuery(home.scope, "What is the PIN?")),
        lambda app, home, _: app.ask("What is the PIN?", agent=home.agent, about=home.person),
        lambda app, home, _: app.ask(AskQuery(whole(home), "What is Ann's PIN?", "local")),
        lambda app, home, _: app.ask(AskQuery(home.scope, "Who uses what?", "global")),
    ),
    "Inspecting.overview": (
        lambda app, home, _: app.records.inspecting.overview(home.scope),
        lambda app, home, _: app.records.inspecting.overview(whole(home)),
    ),
    "Inspecting.talks": (
        lambda app, home, _: app.records.inspecting.talks(home.scope),
        lambda app, home, _: app.records.inspecting.talks(whole(home)),
    ),
    "Inspecting.turns": (
        lambda app, home, _: app.records.inspecting.turns(home.scope),
        lambda app, home, _: app.records.inspecting.turns(whole(home), forgotten=True),
    ),
    "Inspecting.resting_on": (
        lambda app, home, _: app.records.inspecting.resting_on([home.memory.memory_id, home.turn_id]),
    ),
    "Inspecting.forgotten": (
        lambda app, home, _: app.records.inspecting.forgotten(home.scope),
        lambda app, home, _: app.records.inspecting.forgotten(whole(home)),
    ),
    "Inspecting.changed_by": (lambda app, home, _: app.records.inspecting.changed_by([home.id_of("edit"), "shared"]),),
    "Inspecting.ended_in": (lambda app, home, _: app.records.inspecting.ended_in([home.memory]),),
    "Inspecting.ended_by": (
        lambda app, home, _: app.records.inspecting.ended_by(home.memory.memory_id, home.id_of("edit")),
    ),
    "Inspecting.why_nothing": (
        lambda app, home, _: app.records.inspecting.why_nothing([home.memory.memory_id, home.turn_id]),
    ),
    "Inspecting.unread": (
        lambda app, home, _: app.records.inspecting.unread(Lane(home.tenant, home.agent, str(home.scope.target))),
    ),
    "Library.introduced": (lambda app, home, _: app.library.introduced(home.agent),),
    "Library.replay": (lambda app, home, _: replayed(app, home),),
    "Records.agents": (lambda app, _home, _: app.records.agents(),),
    "Records.agent": (lambda app, home, _: app.records.agent(home.agent),),
    "Records.get": (lambda app, home, _: app.records.get([home.memory.memory_id, home.turn_id]),),
    "Records.beginning": (lambda app, home, _: app.records.beginning(home.memory.memory_id[:8]),),
    "Records.changes": (
        lambda app, home, _: app.records.changes(home.scope, after="0"),
        lambda app, home, _: app.records.changes(whole(home), after="0"),
    ),
    "Records.check_granted": (
        lambda app, home, _: app.records.check_granted(Persona(id=home.agent, name="x", tools=("os:system",))),
    ),
    "Records.event": (lambda app, home, _: app.records.event(key(home.tenant, home.agent, home.turn.event_id).hex()),),
    "Records.history": (lambda app, home, _: app.records.history(home.memory.memory_id),),
    "Records.asked_of": (lambda app, home, _: app.records.asked_of("PIN", home.agent, None),),
    "Records.reflections": (
        lambda app, home, _: app.records.reflections(home.scope),
        lambda app, home, _: app.records.reflections(whole(home)),
    ),
    "Records.of_run": (
        lambda app, home, _: app.records.of_run(home.id_of("run")),
        lambda app, _home, _: app.records.of_run("shared"),
    ),
    "Records.told_of": (
        lambda app, home, _: app.records.told_of(home.scope),
        lambda app, home, _: app.records.told_of(whole(home)),
    ),
    "Talks.turns": (lambda app, home, _: app.talks.turns(home.agent, home.person),),
    "Talks.title": (lambda app, home, _: app.talks.title(home.agent, home.person),),
    "Talks.known": (lambda app, home, _: app.talks.known(home.agent, home.person),),
    "Talks.remind": (lambda app, home, _: app.talks.remind(home.agent, home.person, "PIN", run_id="r"),),
    "Talks.ready": (lambda app, home, _: app.talks.ready(home.agent, home.person),),
    "Upkeep.setback": (lambda app, _home, _: app.upkeep.setback(),),
    "Upkeep.depth": (lambda app, _home, _: app.upkeep.depth(),),
    "Upkeep.depth_of": (lambda app, home, _: app.upkeep.depth_of(home.scope),),
    "Upkeep.changes": (lambda app, _home, _: app.upkeep.changes(),),
    "Upkeep.dead": (lambda app, _home, _: app.upkeep.dead(),),
    "Upkeep.index": (lambda app, _home, _: app.upkeep.index(),),
    "Upkeep.problems": (lambda app, _home, _: app.upkeep.problems(capacity=1, now=NOON, data=app.settings.data),),
    "Upkeep.backup": (lambda app, _home, folder: app.upkeep.backup(folder / "b.db", now=NOON),),
    "Upkeep.give_up_debt": (lambda app, _home, _: app.upkeep.give_up_debt("owed/1"),),
    "Upkeep.backups": (lambda app, _home, _: app.upkeep.backups(),),
    "Upkeep.compact": (lambda app, _home, _: app.upkeep.compact(history=None, now=NOON),),
    "Upkeep.receipt": (lambda app, _home, folder: app.upkeep.receipt(folder / "receipt.json"),),
    "Upkeep.remains": (
        lambda app, home, _: app.upkeep.remains(Erased(run="r", tenant=home.tenant, agent_id=home.agent, at=NOON)),
    ),
    "Indexing.verify": (lambda app, _home, _: app.index.verify(),),
}
CHANGES: dict[str, tuple[Call, ...]] = {
    "App.accept": (lambda app, home, _: app.accept([said(home)]),),  # type: ignore[list-item]
    "App.say": (
        lambda app, home, _: app.say(home.agent, home.person, "hello", key="1"),
        lambda app, home, _: app.say(home.agent, home.person, "other words", key=home.turn.event_id),
        lambda app, home, _: app.say(home.agent, home.person, [Utterance("hi", key="2")], run_id="talk"),
    ),
    "Talks.reply": (lambda app, home, _: app.talks.reply(home.agent, home.person, "What is my PIN?", run_id="z"),),
    "Talks.reply_to_last": (
        lambda app, home, _: app.talks.reply_to_last(home.agent, home.person, run_id="z", key="k"),
    ),
    "Talks.end": (lambda app, home, _: app.talks.end(home.agent, home.person, run_id="z"),),
    "App.add": (
        lambda app, home, _: app.add(home.agent, home.person, "My PIN is 7391", run_id="talk", key="3"),
        lambda app, home, _: app.add(home.agent, home.person, "Forget my budget", run_id="talk", key="4"),
    ),
    "Editing.read": (lambda app, home, _: app.editing.read(Lane(home.tenant, home.agent, str(home.scope.target))),),
    "App.reflect": (lambda app, home, _: app.reflect(home.scope),),
    "App.undo": (lambda app, home, _: app.undo(home.id_of("edit")), lambda app, _home, _: app.undo("shared")),
    "Editing.end": (lambda app, home, _: app.editing.end(home.id_of("link")),),
    "Editing.bring_back": (lambda app, home, _: app.editing.bring_back(home.id_of("link")),),
    "Editing.settle": (lambda app, home, _: app.editing.settle(home.id_of("link"), home.memory.memory_id),),
    "Editing.edit": (lambda app, home, _: app.editing.edit(home.id_of("link"), "mine now"),),
    "Library.admitted": (lambda app, home, _: app.library.admitted(document_of(home)),),
    "Library.take_in": (lambda app, home, _: app.library.take_in(home.agent, "a.md", b"# A"),),
    "Library.end": (lambda app, home, _: app.library.end(home.memory),),
    "Library.preview_end": (lambda app, home, _: app.library.preview_end(home.memory),),
    "Graphs.rebuild": (lambda app, home, _: app.graph.rebuild(home.agent),),
    "Graphs.merge": (lambda app, home, _: app.graph.merge(home.scope, "Ben", "Ann"),),
    "Graphs.split": (lambda app, home, _: app.graph.split(home.scope, "Ann"),),
    "Upkeep.retry_dead": (lambda app, home, _: app.upkeep.retry_dead([home.id_of("job")]),),
    "Upkeep.drop_dead": (lambda app, home, _: app.upkeep.drop_dead([home.id_of("job")]),),
    "Bundles.export": (lambda app, home, folder: app.bundles.export(home.agent, folder / "a.zip", force=True),),
    "Bundles.export_markdown": (
        lambda app, home, folder: app.bundles.export_markdown(home.agent, folder / "a.md", force=True),
    ),
    "Bundles.export_card": (
        lambda app, home, folder: app.bundles.export_card(home.agent, folder / "a.json", force=True),
    ),
    "Bundles.import_": (lambda app, _home, folder: app.bundles.import_(folder / "nothing.zip"),),
    "Copies.clone": (lambda app, home, _: app.copies.clone(home.agent, "copy"),),
    "Copies.hire": (lambda app, home, _: app.copies.hire(home.agent, "x", tenant="t", from_tenant=home.tenant),),
    "Copies.release": (lambda app, _home, _: app.copies.release("x", tenant="t"),),
    "Copies.discard": (lambda app, home, _: app.copies.discard(home.agent),),
    "App.forget": (
        lambda app, home, _: app.forget(Meant(home.scope), dry_run=True),
        lambda app, home, _: app.forget(Meant(home.scope), erase=True, dry_run=True),
        lambda app, home, _: app.forget(Meant(home.scope, ids=(home.memory.memory_id,)), erase=True, dry_run=True),
        lambda app, home, _: app.forget(Meant(home.scope, source=home.turn_id), erase=True, dry_run=True),
        lambda app, home, _: app.forget(Meant(home.scope, query="the budget"), erase=True, dry_run=True),
        lambda app, home, _: app.forget(Meant(home.scope, query="the budget")),
        lambda app, home, _: app.forget(Meant(home.scope), erase=True),
    ),
    "Talks.forget": (lambda app, home, _: app.talks.forget(home.agent, home.person, "my PIN"),),
    "Editing.write": (lambda app, home, _: app.editing.write([home.id_of("link")], taken_out, cause="theft"),),
    "App.know_agent": (lambda app, home, _: app.know_agent(Persona(id=home.agent, name="x")),),
    "Library.ingest": (lambda app, home, folder: app.library.ingest(home.agent, [folder]),),
    "Library.learn": (lambda app, home, folder: app.library.learn(Persona(id=home.agent, name="x"), folder),),
    "Indexing.rebuild": (lambda app, _home, _: app.index.rebuild(lambda _done, _of: None),),
    "Indexing.optimise": (lambda app, _home, _: app.index.optimise(),),
    "App.revoke": (lambda app, _home, _: app.revoke("nobody else"),),
    "Tokens.all": (lambda app, _home, _: app.tokens.all(),),
    "Tokens.bearer": (lambda app, _home, _: app.tokens.bearer("agm_nobody's"),),
    "Tokens.create": (lambda app, home, _: app.tokens.create("theft", {home.agent: EVERYTHING}),),
    "Tokens.revoke": (lambda app, _home, _: app.tokens.revoke("owner"),),
    "Tokens.end_revoked": (lambda app, _home, _: app.tokens.end_revoked([]),),
    "App.forget_agent": (lambda app, home, _: app.forget_agent(home.agent),),
}
OPERATIONS = LOOKS | CHANGES


@dataclass(frozen=True)
class Kind:
    """A principal, and whose canaries he may be shown: tenant, agent and person, `*` for all."""

    principal: Principal
    tenant: str
    agent: str
    person: str = "*"

    @property
    def reads(self) -> bool:
        """Whether any of his grants lets him read, or be answered, with what is known."""
        given = {grant for grants in self.principal.agents.values() for grant in grants}
        return bool(given & {Grant.READ, Grant.ADMIN, Grant.TALK})

    def may_see(self, home: tuple[str, str, str]) -> bool:
        tenant, agent, person = home
        own = self.person == "*" or person in (self.person.casefold(), DOCUMENTS.casefold())
        return tenant == self.tenant and self.agent in ("*", agent) and own


def kinds() -> dict[str, Kind]:
    found = {
        "all about Ben": Kind(Principal("ben", TENANT, {AGENT: EVERYTHING}, about="Ben"), TENANT, AGENT, "Ben"),
        "all everywhere about Ben": Kind(Principal("ben", TENANT, {ALL: EVERYTHING}, about="Ben"), TENANT, "*", "Ben"),
        "all of the other agent": Kind(Principal("beside", TENANT, {"other": EVERYTHING}), TENANT, "other"),
        "all of the other tenant": Kind(Principal("globex", "globex", {ALL: EVERYTHING}), "globex", "*"),
        "nobody": Kind(Principal("nobody", TENANT), "", ""),
    }
    for grant in Grant:
        given = {AGENT: frozenset({grant})}
        found[f"{grant} about Ben"] = Kind(Principal("ben", TENANT, given, about="Ben"), TENANT, AGENT, "Ben")
        found[f"{grant} here"] = Kind(Principal("here", TENANT, given), TENANT, AGENT)
    return found


@pytest.fixture(scope="module")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the data of the homes, to be copied."""
    from asyncio import run  # noqa: PLC0415 - the tests themselves run on loops of their own

    folder = tmp_path_factory.mktemp("homes")

    async def made() -> None:
        async with spine(folder) as app:
            await plant_homes(app)

    run(made())
    return folder


async def outcome(call: Call, app: App, home: Home, folder: Path) -> object:
    """What an operation hands out, to the end of what it streams; or the error it raises, which is one of ours."""
    try:
        answer = cast("Any", call(app, home, folder))
        if isinstance(answer, Awaitable):
            answer = await cast("Awaitable[Any]", answer)
        if isinstance(answer, AbstractAsyncContextManager):
            async with cast("AbstractAsyncContextManager[Reply]", answer) as reply:
                return reply, await reply.whole()
        if isinstance(answer, AsyncIterator):
            return [part async for part in cast("AsyncIterator[object]", answer)]
    except AgentMemError as error:
        return error
    return cast("object", answer)


@pytest.mark.thorough
@pytest.mark.parametrize("kind", kinds())
async def test_no_field_of_an_answer_holds_anything_of_somebody_elses(homes: Path, tmp_path: Path, kind: str) -> None:
    shutil.copytree(homes, tmp_path, dirs_exist_ok=True)
    asking, told = kinds()[kind], set[tuple[str, tuple[str, str, str]]]()
    async with spine(tmp_path, speaks=speaker("a reply").chat) as app:
        theirs = app.for_principal(asking.principal)
        for name, calls in OPERATIONS.items():
            for number, call in enumerate(calls):
                for home in (*HOMES, GHOST):
                    answer = await outcome(call, theirs, home, tmp_path)
                    found = homes_in(everything(answer))
                    leaked = {whose: canary for whose, canary in found.items() if not asking.may_see(whose)}
                    assert leaked == {}, (name, number, home, answer)
                    told |= {(name, whose) for whose in found if name != "Library.admitted"}  # that gives back its own
    assert told == set() or asking.reads, told
    assert not (asking.reads and kind != "hire about Ben") or told != set()


UNKNOWN = Home(TENANT, AGENT, "Nobody", ghost=True)
FORBIDDEN = {
    "somebody else": (kinds()["all about Ben"], ANN, UNKNOWN),
    "another agent": (kinds()["all of the other agent"], ANN, GHOST),
    "another tenant": (Kind(Principal("initech", "initech", {ALL: EVERYTHING}), "initech", "*"), ANN, GHOST),
    "everything": (Kind(Principal("nil", TENANT), "", ""), ANN, GHOST),
}


@pytest.mark.parametrize("case", FORBIDDEN)
async def test_what_is_forbidden_is_answered_as_what_is_not_there(homes: Path, tmp_path: Path, case: str) -> None:
    shutil.copytree(homes, tmp_path, dirs_exist_ok=True)
    asking, there, missing = FORBIDDEN[case]
    async with spine(tmp_path, speaks=speaker("a reply").chat) as app:
        theirs = app.for_principal(asking.principal)
        for name, calls in OPERATIONS.items():
            if asking.principal.about is not None and name in OF_THE_AGENT:
                continue  # the agent is there for him, all but himself is not
            for number, call in enumerate(calls):
                answers = [await outcome(call, theirs, home, tmp_path) for home in (there, missing)]
                said = [plainly(answer, home) for answer, home in zip(answers, (there, missing), strict=True)]
                assert said[0] == said[1], (name, number)


OF_THE_AGENT = {"Records.agent", "Records.agents", "Library.admitted"}


def plainly(answer: object, home: Home) -> str:
    """What was answered, with the names that were asked for taken out."""
    told = f"{type(answer).__name__}: {answer if isinstance(answer, Exception) else everything(answer)}"
    names = (home.memory.memory_id, home.turn_id, home.id_of("run"), home.id_of("link"), home.id_of("edit"))
    event = key(home.tenant, home.agent, home.turn.event_id).hex()
    for name in (*names, event, home.id_of("job"), str(home.scope.target), home.canary, home.agent, home.person):
        told = told.replace(name, "X")
    return re.sub(r"0x[0-9a-f]+|\d{10,}", "N", told)
