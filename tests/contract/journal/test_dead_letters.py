"""What was given up is kept with its reason until somebody decides."""

from pathlib import Path

import pytest

from agentmem.adapters.journal import SqlJournal
from agentmem.domain.persona import Persona
from agentmem.domain.scope import Lane, Scope
from agentmem.errors import InvalidInput
from agentmem.ports.ledger import Selection
from agentmem.ports.work_queue import Depth, Done, NewJob
from tests.support.journals import CONVERSATION, Place, outcome, said, work_off
from tests.support.nodes import AGENT, NOON, TENANT

HERE = Scope(TENANT, AGENT)


async def bury(journal: SqlJournal, reason: str = "no") -> str:
    """Give up the oldest job."""
    claim = await journal.queue.claim({"conversation": 1})
    assert claim
    job_id = claim.jobs[0].job_id
    await journal.queue.fail(claim, job_id, reason=reason, retry_in=None)
    return job_id


async def test_a_dead_letter_tells_what_died_of_what(journal: SqlJournal) -> None:
    await journal.events.append([said("a", 0), said("a", 1), said("b", 0, tenant="other")], now=NOON)
    first = await bury(journal, "nul \x00, half \ud800, long " + "x" * 10_000)
    await bury(journal)  # the other tenant's turn
    second = await bury(journal)
    newest, oldest = await journal.dead.dead(tenant=TENANT, limit=9)
    assert (newest.job_id, oldest.job_id) == (second, first)
    assert (oldest.lane, oldest.worker, oldest.event_ids) == (said("a", 0).lane, "conversation", ("a/0",))
    assert oldest.attempts == 1
    assert oldest.reason.startswith("nul \ufffd, half ")
    assert len(oldest.reason) < 5_000
    assert oldest.died_at.tzinfo is not None
    assert [letter.job_id for letter in await journal.dead.dead(tenant=TENANT, limit=1)] == [second]
    assert len(await journal.dead.dead(tenant="other", limit=9)) == 1
    behind = await journal.dead.dead(tenant=TENANT, limit=9, before=newest.number)
    assert [letter.job_id for letter in behind] == [first]
    assert await journal.dead.dead(tenant=TENANT, limit=9, before=oldest.number) == []
    assert await journal.dead.dead_lanes([first, "unknown"], tenant=TENANT) == {first: oldest.lane}
    assert await journal.dead.dead_lanes([first], tenant="other") == {}


async def test_those_of_an_agent_or_about_somebody_are_looked_up_alone(journal: SqlJournal) -> None:
    mine, hers, others = said("a", 0), said("b", 0), said("a", 0, agent_id="other")
    await journal.events.append([mine, hers, others], now=NOON)
    for _ in range(3):
        await bury(journal)

    async def lanes(agent: str, *, target: str | None = None, limit: int = 9) -> set[Lane]:
        found = await journal.dead.dead(tenant=TENANT, agent=agent, target=target, limit=limit)
        return {letter.lane for letter in found}

    assert await lanes(AGENT) == {mine.lane, hers.lane}
    assert await lanes(AGENT, target=mine.target_id) == {mine.lane}
    assert await lanes("other", limit=1) == {others.lane}
    assert await lanes("nobody") == set()


async def test_a_dead_job_lets_the_next_one_pass(journal: SqlJournal) -> None:
    await journal.events.append([said("a", 0), said("a", 1)], now=NOON)
    await bury(journal)
    seen: list[str] = []
    await work_off(journal, seen=seen)
    assert seen == ["a/1"]


async def test_a_retried_job_begins_anew_with_what_was_staged(journal: SqlJournal) -> None:
    await journal.events.append([said("a", 0), said("a", 1)], now=NOON)
    claim = await journal.queue.claim({"conversation": 1})
    assert claim
    job_id = claim.jobs[0].job_id
    await journal.queue.stage(claim, job_id, "thought")
    await journal.queue.fail(claim, job_id, reason="no", retry_in=None)
    assert await journal.dead.retry_dead([job_id], tenant="other") == 0
    assert await journal.dead.retry_dead([job_id, job_id, "unknown"], tenant=TENANT) == 1
    assert await journal.dead.retry_dead([job_id], tenant=TENANT) == 0
    assert await journal.dead.dead(tenant=TENANT, limit=9) == []
    again = await journal.queue.claim({"conversation": 1})
    assert again
    assert [(job.job_id, job.attempt, job.staged) for job in again.jobs] == [(job_id, 1, "thought")]


async def test_a_dropped_job_never_comes_back_and_its_event_stays(journal: SqlJournal) -> None:
    await journal.events.append([said("a", 0)], now=NOON)
    job_id = await bury(journal)
    assert await journal.dead.drop_dead([job_id], tenant="other") == 0
    assert await journal.dead.drop_dead([job_id, "unknown"], tenant=TENANT) == 1
    assert await journal.queue.depth() == Depth(0, 0, 0, 0)
    assert await journal.queue.enqueue([NewJob(job_id, said("a", 0).lane, "conversation", 0)]) == 0
    (answer,) = await journal.events.append([said("a", 0)], now=NOON)
    assert answer.duplicate
    assert await work_off(journal) == 0


async def test_a_living_job_is_neither_retried_nor_dropped(journal: SqlJournal) -> None:
    await journal.events.append([said("a", 0)], now=NOON)
    claim = await journal.queue.claim(CONVERSATION)
    assert claim
    ids = [job.job_id for job in claim.jobs]
    assert await journal.dead.retry_dead(ids, tenant=TENANT) == await journal.dead.drop_dead(ids, tenant=TENANT) == 0
    await journal.queue.finish(claim, Done())


async def test_dead_letters_take_no_room_in_the_queue(place: Place) -> None:
    async with place.journal(capacity=1) as journal:
        for number in range(3):
            await journal.events.append([said("a", number)], now=NOON)
            await bury(journal)
        assert (await journal.queue.depth()).dead == 3


async def test_a_purge_leaves_nothing_of_the_agent_and_everything_of_others(journal: SqlJournal) -> None:
    everybody = ((TENANT, AGENT), (TENANT, "other"), ("other", AGENT))
    for tenant, agent in everybody:
        await journal.registry.save_agent(tenant, Persona(id=agent, name=agent), now=NOON)
        await journal.events.append([said("a", n, tenant=tenant, agent_id=agent) for n in range(2)], now=NOON)
        await work_off(journal)
        await journal.events.append([said("b", 2, tenant=tenant, agent_id=agent)], now=NOON)
        await bury(journal)
    for tenant, agent in everybody:
        await journal.events.append([said("b", 3, tenant=tenant, agent_id=agent)], now=NOON)
    before = await journal.queue.depth(Scope("other", AGENT))
    removed = await journal.purge(HERE)
    assert len(removed) == 2
    assert await journal.ledger.get(TENANT, removed) == {}
    assert await journal.ledger.history(TENANT, removed[0]) == []
    assert await journal.ledger.select(Selection(HERE)) == []
    assert await journal.events.lanes(HERE) == []
    assert (await journal.glance(HERE, turns=9)).unread == []
    assert await journal.queue.depth(HERE) == Depth(0, 0, 0, 0)
    assert await journal.registry.agent(TENANT, AGENT) is None
    assert [persona.id for persona in await journal.registry.agents(TENANT)] == ["other"]
    assert len(await journal.dead.dead(tenant=TENANT, limit=9)) == 1
    assert await journal.queue.depth(Scope("other", AGENT)) == before
    assert len(await journal.ledger.select(Selection(Scope("other", AGENT)))) == 2
    assert await journal.purge(HERE) == []
    (again,) = await journal.events.append([said("a", 0)], now=NOON)
    assert not again.duplicate


async def test_a_purge_of_one_target_leaves_the_agent(journal: SqlJournal) -> None:
    await journal.registry.save_agent(TENANT, Persona(id=AGENT, name="小美"), now=NOON)
    await journal.events.append([said("a", 0), said("b", 0)], now=NOON)
    await work_off(journal)
    assert len(await journal.purge(said("a", 0).lane.scope)) == 1
    assert await journal.events.lanes(HERE) == [said("b", 0).lane]
    assert await journal.registry.agent(TENANT, AGENT) is not None
    with pytest.raises(InvalidInput, match="run"):
        await journal.purge(Scope(TENANT, AGENT, run="a"))


async def test_the_words_of_a_purged_target_stand_in_no_file(tmp_path: Path) -> None:
    place = Place(f"sqlite:///{tmp_path}/journal.db")
    turn = said("a", 0).revised(text="kanarienvogel")
    async with place.journal() as journal:
        await journal.events.append([turn, said("b", 0)], now=NOON)
        claim = await journal.queue.claim(CONVERSATION)
        assert claim
        await journal.queue.stage(claim, claim.jobs[0].job_id, turn.text)
        await journal.queue.finish(claim, outcome(claim))
        assert files_with(tmp_path, turn.text)
        await journal.purge(turn.lane.scope)
        assert not files_with(tmp_path, turn.text)


def files_with(folder: Path, text: str) -> list[str]:
    """The files that hold the text somewhere."""
    return [path.name for path in folder.iterdir() if text.encode() in path.read_bytes()]


async def test_the_register_knows_each_agent_by_its_last_persona(journal: SqlJournal) -> None:
    await journal.registry.save_agent(TENANT, Persona(id="b", name="B"), now=NOON)
    await journal.registry.save_agent(TENANT, Persona(id="a", name="A"), now=NOON)
    changed = Persona(id="b", name="B2", goals=("卖出 AIP",))
    await journal.registry.save_agent(TENANT, changed, now=NOON)
    assert await journal.registry.agents(TENANT) == [Persona(id="a", name="A"), changed]
    assert await journal.registry.agent(TENANT, "b") == changed
    assert await journal.registry.agent("other", "b") is None
    await journal.registry.save_agent("other", changed, now=NOON)
    assert [(tenant, persona.id) for tenant, persona in await journal.registry.everyone()] == [
        (TENANT, "a"),
        (TENANT, "b"),
        ("other", "b"),
    ]
