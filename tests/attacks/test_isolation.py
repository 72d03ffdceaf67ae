"""Tenants, agents and people side by side: whatever is guessed, named alike, or shared below, nobody sees another's.

What is forbidden is answered word for word as what is not there.
"""

from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

import pytest

from agentmem.answers.answer import AskQuery
from agentmem.domain.change import Change
from agentmem.domain.ids import derived_id
from agentmem.domain.memory import Evidence, MemoryNode, MemoryType
from agentmem.domain.scope import ALL, Grant, Principal, Scope
from agentmem.errors import InvalidInput, NotFound
from agentmem.memory.forget_plan import Meant
from agentmem.ports.cognition import Reflected, ReflectionInput
from agentmem.ports.ledger import Commit, Selection
from agentmem.retrieval.context import BUDGET
from agentmem.retrieval.query import RecallQuery
from agentmem.runtime.facade.app import App
from tests.architecture.test_access import ruled
from tests.support.cognition import ScriptedCognition
from tests.support.nodes import AGENT, TARGET, TENANT, a_memory
from tests.support.obedient import keep
from tests.support.spine import LATER, SCOPE, Failing, quiet_persona, spine

EVERYTHING = frozenset(Grant)
NEIGHBOUR = Principal("neighbour", TENANT, {"other": EVERYTHING})
GLOBEX = Principal("globex", "globex", {ALL: EVERYTHING})
BOUND = Principal("jerry", TENANT, {AGENT: EVERYTHING}, about="Jerry")
STRANGERS = (NEIGHBOUR, GLOBEX, BOUND)
MISSING = derived_id("missing")

Act = Callable[[App, str], Awaitable[object]]


def taken_out(held: Mapping[str, MemoryNode]) -> list[Change]:
    return [Change(act="forget", before=node) for node in held.values()]


async def given_tools(app: App, agent: str) -> str:
    """What an agent is refused that only the operator may give it, whether or not there is one."""
    with pytest.raises(InvalidInput) as refused:
        await app.records.check_granted(quiet_persona().revised(id=agent, tools=("os:system",)))
    return str(refused.value)


async def _ended_in(app: App, key: str) -> object:
    turn = a_memory("hello", memory_id=key, memory_type=MemoryType.CONVERSATION, run_id="r")
    return await app.records.inspecting.ended_in([turn])


BY_ID: dict[str, Act] = {
    "Records.event": lambda app, key: app.records.event(key),
    "Records.check_granted": lambda app, key: given_tools(app, AGENT if key != MISSING else "nobody"),
    "Records.get": lambda app, key: app.records.get([key]),
    "Records.history": lambda app, key: app.records.history(key),
    "Records.of_run": lambda app, key: app.records.of_run(f"kept/{key}"),
    "Inspecting.resting_on": lambda app, key: app.records.inspecting.resting_on([key]),
    "Inspecting.why_nothing": lambda app, key: app.records.inspecting.why_nothing([key]),
    "Inspecting.changed_by": lambda app, key: app.records.inspecting.changed_by([f"kept/{key}"]),
    "Inspecting.ended_in": lambda app, key: _ended_in(app, key),
    "Inspecting.ended_by": lambda app, key: app.records.inspecting.ended_by(key, f"kept/{key}"),
    "Records.beginning": lambda app, key: app.records.beginning(key[:8]),
    "Records.agent": lambda app, key: app.records.agent(AGENT if key != MISSING else "nobody"),
    "Library.introduced": lambda app, key: app.library.introduced(AGENT if key != MISSING else "nobody"),
    "Records.asked_of": lambda app, _: app.records.asked_of("x", AGENT, None),
    "Records.agents": lambda app, _: app.records.agents(),
    "Editing.edit": lambda app, key: app.editing.edit(key, "mine now"),
    "Editing.end": lambda app, key: app.editing.end(key),
    "Editing.bring_back": lambda app, key: app.editing.bring_back(key),
    "Editing.settle": lambda app, key: app.editing.settle(key, MISSING),
    "Editing.write": lambda app, key: app.editing.write([key], taken_out, cause="theft"),
    "App.undo": lambda app, key: app.undo(f"kept/{key}", cascade=True),
    "Copies.lineages": lambda app, _: app.copies.lineages(),
    "Upkeep.dead": lambda app, _: app.upkeep.dead(),
    "Upkeep.retry_dead": lambda app, key: app.upkeep.retry_dead([key]),
    "Upkeep.drop_dead": lambda app, key: app.upkeep.drop_dead([key]),
}
"""Every operation that shows its own: what it answers for an id of somebody else's must be what it answers for none."""


BY_SCOPE: tuple[Callable[[App, Scope], Awaitable[object]], ...] = (
    lambda app, scope: app.recall(RecallQuery(scope, "secret")),
    lambda app, scope: app.context(RecallQuery(scope, "secret"), budget=BUDGET),
    lambda app, scope: app.ask(AskQuery(scope, "secret?")),
    lambda app, scope: app.memories(Selection(scope)),
    lambda app, scope: app.memories(Selection(scope), valid=True),
    lambda app, scope: app.targets(scope, "罗小东"),
    lambda app, scope: app.reflect(scope),
    lambda app, scope: app.preview_reflection(scope),
    lambda app, scope: app.forget(Meant(scope, ids=(MISSING,))),
    lambda app, scope: app.memories(Selection(scope, limit=10_000)),
    lambda app, scope: app.upkeep.depth_of(scope),
)


async def answer(act: Act, app: App, key: str) -> str:
    try:
        return repr(await act(app, key)).replace(key, "KEY")
    except NotFound as error:
        return f"NotFound: {error}".replace(key, "KEY").replace("nobody", AGENT)


@pytest.mark.parametrize("stranger", STRANGERS, ids=lambda stranger: stranger.name)
async def test_ids_of_others_are_answered_as_ids_of_nothing(tmp_path: Path, stranger: Principal) -> None:
    async with spine(tmp_path, Failing([ValueError("no")] * 3)) as app:
        secret = a_memory("a secret of 罗小东")
        await keep(app, secret)
        said = await app.say(AGENT, "罗小东", "hello", end=True)
        await app.drain(patience=5)
        [letter] = await app.upkeep.dead()
        theirs = app.for_principal(stranger)
        for name, act in BY_ID.items():
            if stranger is BOUND and name in ("Records.agent", "Records.agents", "Library.introduced"):
                continue  # the agent is there for him, all but himself is not
            key = letter.job_id if name.endswith("_dead") else secret.memory_id
            if name == "Records.event":
                key = said.turn.event_key.hex()
            assert await answer(act, theirs, key) == await answer(act, theirs, MISSING), name
        assert (await app.records.get([secret.memory_id]))[secret.memory_id] == secret
        assert await app.upkeep.dead() == [letter]


async def test_a_run_that_changed_somebody_elses_memories_as_well_is_none_of_his(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        jerrys = app.for_principal(BOUND)
        own = a_memory("Jerry likes tea", target_id=jerrys.access.own_target(AGENT))
        both = (Change(act="add", after=own), Change(act="add", after=a_memory("a secret of 罗小东")))
        await app.journal.ledger.commit(Commit(TENANT, "both", "test", LATER, both))
        for run in ("both", "no such run"):
            with pytest.raises(NotFound) as refused:
                await jerrys.undo(run)
            assert str(refused.value).replace(run, "RUN") == "no run 'RUN'"
        assert len(await app.memories(Selection(SCOPE))) == 2
        assert [entry.run for entry in await jerrys.records.history(own.memory_id)] == ["both"]


@pytest.mark.parametrize("stranger", STRANGERS, ids=lambda stranger: stranger.name)
async def test_nobody_writes_into_what_is_somebody_elses(tmp_path: Path, stranger: Principal) -> None:
    async with spine(tmp_path) as app:
        theirs, planted = app.for_principal(stranger), a_memory("罗小东 owes me 300")
        for held in ([], [planted.memory_id]):
            with pytest.raises(NotFound):
                await theirs.editing.write(held, lambda _: [Change(act="add", after=planted)], cause="planted")
        assert list(await app.memories(Selection(SCOPE))) == []


async def test_who_was_made_from_whom_is_told_to_those_alone_who_may_copy_one_of_the_two(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        await app.copies.clone(AGENT, "twin")
        for stranger in (*STRANGERS, Principal("reader", TENANT, {AGENT: EVERYTHING - {Grant.HIRE}})):
            assert list(await app.for_principal(stranger).copies.lineages()) == []
        for agent in (AGENT, "twin"):
            [told] = await app.for_principal(Principal("agency", TENANT, {agent: EVERYTHING})).copies.lineages()
            assert (told.source_agent, told.agent_id) == (AGENT, "twin")


async def test_what_is_asked_wrongly_of_somebody_elses_is_refused_as_if_it_were_asked_rightly(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        for stranger in (NEIGHBOUR, GLOBEX):
            theirs = app.for_principal(stranger)
            for scope in (SCOPE, Scope(TENANT, "nobody")):
                refused = await _refusal(theirs.targets(scope, 17))  # type: ignore[arg-type] - on purpose
                assert refused == f"no agent {scope.agent!r}"


def test_every_operation_that_shows_its_own_is_attacked_here() -> None:
    own = {name for name, (_, rule) in ruled() if rule.kind == "shows its own"}
    assert own == set(BY_ID)


@pytest.mark.parametrize("stranger", STRANGERS, ids=lambda stranger: stranger.name)
async def test_what_is_forbidden_is_refused_in_the_words_for_what_is_not_there(
    tmp_path: Path, stranger: Principal
) -> None:
    async with spine(tmp_path) as app:
        await keep(app, a_memory("a secret"))
        theirs = app.for_principal(stranger)
        for scope in (SCOPE, Scope(TENANT, AGENT, TARGET)):
            nothing = Scope(scope.tenant, "nobody", scope.target)
            for act in BY_SCOPE:
                refused = [await _refusal(act(theirs, each)) for each in (scope, nothing)]
                assert refused[0].replace(AGENT, "X") == refused[1].replace("nobody", "X") == "no agent 'X'"


async def _refusal(answered: Awaitable[object]) -> str:
    with pytest.raises(NotFound) as refused:
        await answered
    return str(refused.value)


async def test_evidence_that_names_anothers_turn_shows_none_of_its_words(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        turn = a_memory("my password is 7391", memory_type="conversation")
        await keep(app, turn)
        part = Evidence(memory_id=turn.memory_id, start=0, end=19)
        for stranger in (NEIGHBOUR, GLOBEX):
            mine = a_memory("bait", tenant=stranger.tenant, agent_id="other", evidence=(part,))
            assert (await app.for_principal(stranger).words([mine]))[mine.memory_id] == []
        target = app.for_principal(BOUND).access.own_target(AGENT)
        mine = a_memory("bait", target_id=target, evidence=(part,))
        assert (await app.for_principal(BOUND).words([mine]))[mine.memory_id] == []


async def test_people_of_one_name_in_two_tenants_and_agents_have_nothing_in_common(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        for tenant, agent in ((TENANT, AGENT), (TENANT, "other"), ("globex", AGENT)):
            owner = app.for_principal(Principal.owner(tenant))
            await owner.know_agent(quiet_persona().revised(id=agent))
            await owner.say(agent, "Tom", f"canary of {tenant} and {agent}", end=True)
        await app.drain()
        seen: dict[str, MemoryNode] = {}
        for tenant, agent in ((TENANT, AGENT), (TENANT, "other"), ("globex", AGENT)):
            owner = app.for_principal(Principal.owner(tenant))
            found = await owner.recall(RecallQuery(Scope(tenant, agent), "canary", k=50))
            assert {hit.memory.tenant for hit in found.hits} == {tenant}
            assert {hit.memory.agent_id for hit in found.hits} == {agent}
            seen |= {hit.memory.target_id: hit.memory for hit in found.hits}
        assert len(seen) == 3


async def test_one_reflection_is_about_one_person_of_one_tenant(tmp_path: Path) -> None:
    class Watching(ScriptedCognition):
        asked: list[ReflectionInput] = []  # noqa: RUF012 - one for the test

        async def reflect(self, request: ReflectionInput) -> Reflected:
            self.asked.append(request)
            return Reflected(())

    async with spine(tmp_path, Watching()) as app:
        for tenant in (TENANT, "globex"):
            owner = app.for_principal(Principal.owner(tenant))
            await owner.know_agent(quiet_persona())
            for person in ("Tom", "Jerry"):
                await owner.say(AGENT, person, f"{person} of {tenant}", end=True)
            await app.drain()
            await owner.reflect(Scope(tenant, AGENT))
        mixed = [{(node.tenant, node.target_id) for node in request.observations} for request in Watching.asked]
        assert [len(each) for each in mixed] == [1, 1, 1, 1]
