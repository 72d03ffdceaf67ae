"""Communities: who and what belong together, summed up once for each change, never half, never for the wrong eyes."""

import asyncio
import signal
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

from agentmem.answers.answer import AskQuery
from agentmem.domain.change import Change
from agentmem.domain.entity import named
from agentmem.domain.memory import Ending, MemoryNode, MemoryType, StoreStatus
from agentmem.domain.scope import Grant, Principal, Scope
from agentmem.errors import BackendUnavailable, BadAnswer, NotFound
from agentmem.graph.communities.community_keeper import WORKER, is_anew
from agentmem.memory import retold_entities
from agentmem.memory.forget_plan import Meant
from agentmem.ports.ledger import Selection
from agentmem.ports.models import Summary
from agentmem.retrieval.query import RecallQuery
from agentmem.runtime.facade.app import App
from tests.support.bundles import entries
from tests.support.circles import (
    FIRST,
    SECOND,
    add,
    circle,
    circles,
    communities,
    fact,
    regroup_and_die,
    reopened,
    work,
    write,
    written,
)
from tests.support.journals import begin, ended
from tests.support.nodes import AGENT, NOON, TENANT
from tests.support.planted import places_with

SCOPE = Scope(TENANT, AGENT)
BRIDGE = [fact(f"{one} knows {other}.", one, other) for one in FIRST for other in SECOND]


def members(node: MemoryNode) -> set[str]:
    return set(node.entity_ids)


def ids_of(*names: str) -> set[str]:
    return {named(TENANT, AGENT, name) for name in names}


async def asked(app: App, text: str, scope: Scope = SCOPE) -> list[MemoryNode]:
    reply = await app.ask(AskQuery(scope, text, "global"))
    return [source.memory for source in reply.sources]


async def test_two_circles_are_two_communities_named_after_their_members(tmp_path: Path) -> None:
    async with circles(tmp_path) as app:
        found = await communities(app)
        listed = await app.graph.communities(AGENT)
    assert sorted(map(sorted, map(members, found))) == sorted(map(sorted, (ids_of(*FIRST), ids_of(*SECOND))))
    assert {name for each in listed for name in each.members} == {*FIRST, *SECOND}
    assert all(set(node.key[1:]) in ({*FIRST}, {*SECOND}) for node in found)
    assert all("uses" in node.content for node in found)


async def test_a_product_that_everybody_uses_does_not_make_everybody_one(tmp_path: Path) -> None:
    nodes: list[MemoryNode] = []
    for number in range(12):
        names = f"Customer{number}", f"System{number}", f"City{number}"
        nodes += [*circle(names), *(fact(f"{name} uses AIP.", name, "AIP") for name in names)]
    async with circles(tmp_path, *nodes) as app:
        found = await communities(app)
    assert len(found) >= 10
    assert max(len(members(node)) for node in found) <= 6


async def test_a_community_is_found_by_its_members_and_answers_what_is_asked_of_all(tmp_path: Path) -> None:
    async with circles(tmp_path) as app:
        near = await asked(app, "Osprey")
        everything = await asked(app, "Give me an overview of everybody")
    assert [ids_of(*SECOND)] == [members(node) for node in near]
    assert {MemoryType.COMMUNITY} == {node.memory_type for node in everything}
    assert len(everything) == 2


async def test_one_change_is_one_summary_and_none_is_none(tmp_path: Path) -> None:
    async with circles(tmp_path) as app:
        head = await app.journal.ledger.head()
        await add(app, *[fact(f"Note {number} of {SECOND[0]}.", SECOND[0]) for number in range(1)])
        once = await written(app, head)
        head = await app.journal.ledger.head()
        await app.graph.rebuild(AGENT)
        await app.drain()
        recounted = await written(app, head)
        head = await app.journal.ledger.head()
        await app.graph.rebuild(AGENT)
        await app.drain()
        assert await app.journal.ledger.head() == head
    assert [members(node) for node in once] == [ids_of(*SECOND)]
    assert [node.content for node in recounted] == [node.content for node in once if node.meta_data["drift"]]


async def test_a_newcomer_joins_those_he_has_most_to_do_with(tmp_path: Path) -> None:
    more = [fact(f"{name} uses Tool{place}.", name, f"Tool{place}") for place, name in enumerate((*FIRST, *SECOND) * 4)]
    async with circles(tmp_path, *circle(FIRST), *circle(SECOND), *more) as app:
        before = {node.memory_id: members(node) for node in await communities(app)}
        await add(app, fact("Newman knows 王芳, Linnet.", "Newman", "王芳", "Linnet"))
        after = {node.memory_id: members(node) for node in await communities(app)}
    assert after.keys() == before.keys()
    joined = [key for key in after if named(TENANT, AGENT, "Newman") in after[key]]
    assert [named(TENANT, AGENT, "王芳") in before[key] for key in joined] == [True]


async def test_a_community_keeps_its_id_when_all_is_grouped_anew(tmp_path: Path) -> None:
    async with circles(tmp_path) as app:
        before = {node.memory_id for node in await communities(app)}
        await add(app, *circle(("Finch", SECOND[1], "Robin")))
        await app.graph.rebuild(AGENT)
        await app.drain()
        after = await communities(app)
    assert before <= {node.memory_id for node in after}
    assert {"Finch", "Robin"} <= {name for node in after for name in node.key}


@pytest.mark.timeout(120)
async def test_ten_who_come_at_once_are_all_taken_in(tmp_path: Path) -> None:
    async with circles(tmp_path) as app:
        names = [f"Newcomer{number}" for number in range(10)]
        await asyncio.gather(
            *(write(app, [Change(act="add", after=fact(f"{name} uses Linnet.", name, "Linnet"))]) for name in names)
        )
        beside = [begin(work, tmp_path) for _ in range(2)]
        await app.drain(patience=20)
        assert [await ended(process) for process in beside] == [0, 0]
        await app.drain()
        found = await communities(app)
    home = [node for node in found if named(TENANT, AGENT, "Linnet") in members(node)]
    assert len(home) == 1
    assert ids_of(*names) <= members(home[0])


DEATHS = (
    ("before:enqueue", 1, False),
    ("after:mark", 1, False),
    ("after:finish", 1, False),
    ("after:claim", 2, False),
    ("before:finish", 2, False),
    ("after:finish", 2, True),
)
"""The commit at which a worker is killed, and whether the communities are those after it."""


@pytest.mark.thorough
@pytest.mark.timeout(180)
async def test_killed_at_any_commit_there_is_one_grouping_the_old_or_the_new(tmp_path: Path) -> None:
    for step, time, changed in DEATHS:
        folder = tmp_path / f"{step}-{time}".replace(":", "-")
        async with circles(folder) as app:
            old = [node.content for node in await communities(app)]
            await write(app, [Change(act="add", after=node) for node in BRIDGE])
        assert await ended(begin(regroup_and_die, folder, step, time)) == -signal.SIGKILL
        async with reopened(folder) as app:
            left = [node.content for node in await communities(app)]
            await app.drain(patience=20)
            new = [node.content for node in await communities(app)]
        assert new != old
        assert left == (new if changed else old), step


async def test_who_asks_while_all_is_grouped_anew_sees_one_grouping(tmp_path: Path) -> None:
    async with circles(tmp_path) as app:
        seen: list[set[str]] = []
        apart = [Change(act="add", after=node) for node in BRIDGE]
        for number in range(4):
            groups = [members(node) for node in await communities(app)]
            if number % 2:
                stored = await app.journal.ledger.get(TENANT, [node.memory_id for node in BRIDGE])
                await write(app, [Change(act="undo", before=node) for node in stored.values()])
            else:
                await write(app, apart)
            async with asyncio.TaskGroup() as tasks:
                asking = [tasks.create_task(asked(app, "Give me an overview of everybody")) for _ in range(4)]
                tasks.create_task(app.drain())
            after = [members(node) for node in await communities(app)]
            for answer in asking:
                shown = [members(node) for node in answer.result()]
                assert shown == [] or all(each in groups for each in shown) or all(each in after for each in shown)
                seen += shown
        assert seen


class Counting:
    """A summariser that says what it is told to, and counts the characters it is shown."""

    def __init__(self, *says: str | Exception) -> None:
        self.says = says
        self.asked: list[int] = []

    async def summarise(self, question: str, facts: Sequence[str]) -> Summary:
        """The next of what it says, the last again and again."""
        said = self.says[min(len(self.asked), len(self.says) - 1)]
        self.asked.append(sum(map(len, facts)))
        if isinstance(said, Exception):
            raise said
        return Summary(said)


def model(app: App, summariser: Counting) -> None:
    """From now on a model sums up."""

    async def load() -> Counting:
        return summariser

    worker = app.host._workers["communities"]  # pyright: ignore[reportPrivateUsage] - the one that works
    object.__setattr__(worker._keeper, "load", load)  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType, reportUnknownArgumentType] - it is the built-in one


AT_LENGTH = "with much patience, in all the weather that a northern harbour has to offer from March to November, uses"


def crowd(word: str = "uses", members: int = 33) -> list[MemoryNode]:
    """A hub with many who have to do with it, more than there is room to tell of."""
    return [
        fact(f"Member{number} {word} Linnet every single working day.", f"Member{number}", "Linnet")
        for number in range(members)
    ]


async def test_a_model_sums_up_50_members_in_bounded_calls_and_again_only_what_changed(tmp_path: Path) -> None:
    summariser = Counting("They all use Linnet.")
    async with circles(tmp_path) as app:
        model(app, summariser)
        await add(app, *crowd(AT_LENGTH, 50))
        first, summed = list(summariser.asked), [node for node in await communities(app) if "They all" in node.content]
        await app.graph.rebuild(AGENT)
        await app.drain()
        again = len(summariser.asked)
        await add(app, fact("Linnet runs on Osprey now.", "Linnet", "Osprey"))
    assert len(summed) == 1
    assert max(first) <= 6_000
    assert len(first) == 3
    assert again == 3
    assert len(summariser.asked) == 6


@pytest.mark.parametrize(
    "said", ["", "x" * 2_000, "Bartholomew Quimby owns 90210 of them.", BadAnswer("no"), BackendUnavailable("gone")]
)
async def test_what_a_model_cannot_say_is_said_in_the_words_of_the_sources(
    tmp_path: Path, said: str | Exception
) -> None:
    summariser = Counting(said)
    async with circles(tmp_path) as app:
        model(app, summariser)
        await add(app, *crowd())
        found = await communities(app)
    assert summariser.asked
    assert any("uses Linnet every single working day." in node.content for node in found)
    assert not any("Quimby" in node.content for node in found)


CANARY = "zaunkoenig"


async def test_what_is_forgotten_leaves_the_summary_and_what_is_erased_the_store(tmp_path: Path) -> None:
    secret = fact(f"王芳 hides {CANARY} in Linnet.", "王芳", "Linnet")
    async with circles(tmp_path, *circle(FIRST), *circle(SECOND), secret) as app:
        assert any(CANARY in node.content for node in await communities(app))
        await app.forget(Meant(SCOPE, ids=(secret.memory_id,)))
        await app.drain()
        assert not any(CANARY in node.content for node in await communities(app))
        assert len(await communities(app)) == 2
        await app.forget(Meant(SCOPE, ids=(secret.memory_id,)), erase=True)
        await app.drain()
        assert len(await communities(app)) == 2
    assert places_with(tmp_path, CANARY) == []


@pytest.mark.parametrize("erase", [False, True])
async def test_communities_are_grouped_anew_where_one_went_and_not_where_none_did(
    tmp_path: Path, *, erase: bool
) -> None:
    secret, beside = fact(f"王芳 hides {CANARY} in Linnet.", "王芳", "Linnet"), fact("Tom sails.", "Tom")
    async with circles(tmp_path, *circle(FIRST), *circle(SECOND), secret, beside) as app:
        await app.forget(Meant(SCOPE, ids=(beside.memory_id,)), erase=erase)
        assert await app.journal.queue.claim({WORKER: 1}) is None
        await app.drain()
        await app.copies.clone(AGENT, "twin")
        await app.drain()
        assert await app.graph.communities("twin")
        await app.forget(Meant(SCOPE, ids=(secret.memory_id,)), erase=erase)
        claims = [await app.journal.queue.claim({WORKER: 1}) for _ in range(3)]
        grouped = {claim.lane.agent for claim in claims if claim is not None and is_anew(claim)}
        assert grouped == ({AGENT, "twin"} if erase else {AGENT})


async def test_what_a_community_or_an_entity_told_before_is_told_of_no_time(tmp_path: Path) -> None:
    told = [fact(f"王芳 hides with {CANARY} in Linnet.", "王芳", CANARY, "Linnet"), fact(f"{CANARY} hums.", CANARY)]
    async with circles(tmp_path, *circle(FIRST), *circle(SECOND), *told) as app:
        then = app.clock.now()
        assert any(CANARY in node.content for node in await communities(app))
        held = [(node, over(node, then)) for node in told]
        await write(app, (Change(act="end", before=node, after=after) for node, after in held))
        await app.graph.rebuild(AGENT)
        await app.drain()
        assert not any(CANARY in node.content for node in await communities(app))
        await app.forget(Meant(SCOPE, ids=tuple(node.memory_id for node in told)))
        wanted = [Selection(SCOPE, tuple(MemoryType), tuple(StoreStatus), known_at=at) for at in (then, None)]
        found = [node for each in wanted for node in await app.memories(each)]
        drawn = [await app.graph.drawn(SCOPE, known_at=at) for at in (then, None)]
    assert {node.memory_type for node in found} >= {MemoryType.ENTITY, MemoryType.OBSERVATION}
    assert [node for node in found if CANARY in node.model_dump_json()] == []
    assert CANARY not in repr(drawn)


def over(node: MemoryNode, at: datetime) -> MemoryNode:
    """The same once it holds no longer."""
    ended = {"store_status": StoreStatus.EXPIRED, "ending": Ending.ENDED, "invalid_at": at, "expired_at": at}
    return node.revised(revision=node.revision + 1, **ended)


async def test_a_person_who_is_erased_is_in_no_community(tmp_path: Path) -> None:
    person = Scope(TENANT, AGENT, named(TENANT, AGENT, "王芳"))
    async with circles(tmp_path) as app:
        assert any("王芳" in node.content for node in await communities(app))
        await app.forget(Meant(person), erase=True)
        await app.drain()
        found = await communities(app)
    assert found
    assert not any("王芳" in node.model_dump_json() for node in found)


async def test_a_run_that_is_undone_leaves_the_summary(tmp_path: Path) -> None:
    added = fact(f"Linnet keeps {CANARY}.", "Linnet", "Osprey")
    async with circles(tmp_path) as app:
        await add(app, added)
        assert any(CANARY in node.content for node in await communities(app))
        run = (await app.journal.ledger.history(TENANT, added.memory_id))[0].run
        await app.undo(run)
        await app.drain()
        assert not any(CANARY in node.content for node in await communities(app))


async def test_a_narrower_question_never_sees_a_community(tmp_path: Path) -> None:
    person = replace(SCOPE, target=named(TENANT, AGENT, "王芳"))
    async with circles(tmp_path) as app:
        overview = await asked(app, "Give me an overview of everybody", person)
        recalled = await app.recall(RecallQuery(person, "Osprey", types=(MemoryType.COMMUNITY,)))
        hers = app.for_principal(Principal("fang", TENANT, {AGENT: frozenset(Grant)}, about="王芳"))
        with pytest.raises(NotFound):
            await hers.graph.communities(AGENT)
    assert MemoryType.COMMUNITY not in {node.memory_type for node in overview}
    assert recalled.hits == ()


async def test_a_context_tells_of_communities_where_everybody_may_be_seen_and_nowhere_else(tmp_path: Path) -> None:
    person = replace(SCOPE, target=named(TENANT, AGENT, "王芳"))
    async with circles(tmp_path) as app:
        whole = await app.context(RecallQuery(SCOPE, "Who uses Osprey?"), language="en")
        hers = await app.context(RecallQuery(person, "Who uses Osprey?"), language="en")
        past = await app.context(RecallQuery(SCOPE, "Who uses Osprey?", as_of=NOON), language="en")
    told = [line for line in whole.lines if line.section == "communities"]
    assert told
    assert "Linnet uses Osprey." in told[0].text
    assert len(told[0].episode_ids) == 3
    assert {"communities"}.isdisjoint(line.section for line in (*hers.lines, *past.lines))


async def test_a_bundle_and_a_clone_take_no_community_along(tmp_path: Path) -> None:
    async with circles(tmp_path / "home") as app:
        await app.bundles.export(AGENT, tmp_path / "agent.zip")
        before = await communities(app)
        await app.copies.clone(AGENT, "twin")
        await app.drain()
        twins = await app.graph.communities("twin")
        rows = await app.memories(Selection(Scope(TENANT, "twin"), types=(MemoryType.COMMUNITY,), statuses=()))
    packed = b"".join(entries(tmp_path / "agent.zip").values())
    assert not any(node.memory_id.encode() in packed for node in before)
    assert {node.memory_id for node in before}.isdisjoint(node.memory_id for node in rows)
    assert len(twins) == 2


@pytest.mark.parametrize("circle_of", [FIRST, SECOND])
@pytest.mark.parametrize("erase", [False, True])
async def test_what_is_forgotten_is_told_by_no_community_however_many_there_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, circle_of: tuple[str, ...], *, erase: bool
) -> None:
    monkeypatch.setattr(retold_entities, "PAGE", 1)
    async with circles(tmp_path) as app:
        [telling] = [node for node in await communities(app) if members(node) == ids_of(*circle_of)]
        await app.forget(Meant(SCOPE, ids=(telling.source_ids[0],)), erase=erase)
        assert telling.memory_id not in {node.memory_id for node in await communities(app)}
        assert len(await communities(app)) == 1
