"""What there is is counted as it is listed: nothing that is forgotten, nothing of another agent."""

from agentmem.adapters.journal import SqlJournal
from agentmem.domain.ids import entity_id
from agentmem.domain.memory import MemoryType
from agentmem.domain.scope import Scope
from agentmem.ports.journal import LayerCount, TalkCount
from tests.contract.journal.test_ledger import SCOPE, add, commit, step
from tests.support.nodes import AGENT, NOON, TENANT, a_memory

ANN = entity_id(TENANT, AGENT, "ann")
EVERYBODY = Scope(TENANT, AGENT)
TURN = {"memory_type": MemoryType.CONVERSATION}


async def layers(journal: SqlJournal, scope: Scope) -> list[LayerCount]:
    return (await journal.inspection.overview(scope, before=None, limit=5))[0]


async def people(journal: SqlJournal, *, before: int | None, limit: int) -> list[tuple[str, int, int]]:
    counted = (await journal.inspection.overview(EVERYBODY, before=before, limit=limit))[1]
    return [(each.newest, each.timestamp, each.memories) for each in counted]


async def test_layers_are_counted_by_what_holds_and_what_ended(journal: SqlJournal) -> None:
    one, two, gone, hers = (a_memory(each) for each in ("one", "two", "gone", "hers"))
    hers = hers.revised(target_id=ANN)
    await journal.ledger.commit(commit(*map(add, (one, two, gone, hers, a_memory("hi", **TURN)))))
    await journal.ledger.commit(commit(step(two, two.ended(at=NOON, now=NOON)), step(gone, gone.forgotten(), "forget")))
    observed, spoken = MemoryType.OBSERVATION, MemoryType.CONVERSATION
    assert await layers(journal, SCOPE) == [LayerCount(spoken, 1, 0), LayerCount(observed, 1, 1)]
    assert await layers(journal, EVERYBODY) == [LayerCount(spoken, 1, 0), LayerCount(observed, 2, 1)]
    assert await layers(journal, Scope("another", AGENT)) == []


async def test_people_come_page_by_page_the_last_told_of_first(journal: SqlJournal) -> None:
    his = [a_memory(str(n), timestamp=n) for n in (1, 2)]
    hers = a_memory("hers", timestamp=5, target_id=ANN)
    lost = a_memory("lost", timestamp=9)
    entity = a_memory("Rome", timestamp=10, memory_type=MemoryType.ENTITY)
    await journal.ledger.commit(commit(*map(add, (*his, hers, lost, entity))))
    await journal.ledger.commit(commit(step(lost, lost.forgotten(), "forget")))
    assert await people(journal, before=None, limit=1) == [(hers.memory_id, 5, 1)]
    assert await people(journal, before=5, limit=5) == [(his[1].memory_id, 2, 2)]
    assert await people(journal, before=2, limit=5) == []
    counted = (await journal.inspection.overview(EVERYBODY, before=None, limit=5, besides=ANN))[1]
    assert [each.newest for each in counted] == [his[1].memory_id]


async def test_talks_are_counted_by_their_turns(journal: SqlJournal) -> None:
    turns = [a_memory(str(n), timestamp=n, run_id="first" if n < 3 else "second", **TURN) for n in (1, 2, 3)]
    await journal.ledger.commit(commit(*map(add, (*turns, a_memory("made", timestamp=4, run_id="first")))))
    second, first = TalkCount("second", 3, 1), TalkCount("first", 2, 2)
    assert await journal.inspection.talks(SCOPE, before=None, limit=5) == [second, first]
    assert await journal.inspection.talks(SCOPE, before=3, limit=5) == [first]
    assert await journal.inspection.talks(SCOPE, before=None, limit=1) == [second]


async def test_what_rests_on_a_memory_is_found_in_its_tenant_and_unless_it_is_forgotten(journal: SqlJournal) -> None:
    turn = a_memory("turn", **TURN)
    made, gone = (a_memory(each, source_ids=(turn.memory_id,)) for each in ("made", "gone"))
    await journal.ledger.commit(commit(*map(add, (turn, made, gone))))
    await journal.ledger.commit(commit(step(gone, gone.forgotten(), "forget")))
    found = await journal.inspection.resting_on(TENANT, [turn.memory_id, made.memory_id], limit=5)
    assert found == [(turn.memory_id, made.memory_id)]
    assert await journal.inspection.resting_on("another", [turn.memory_id], limit=5) == []


async def test_of_more_than_are_asked_for_the_youngest_that_rest_are_found(journal: SqlJournal) -> None:
    turns = [a_memory(f"turn {place}", **TURN) for place in range(3)]
    made = [a_memory(f"made {age}", source_ids=(turns[age % 3].memory_id,), timestamp=1_000 - age) for age in range(9)]
    await journal.ledger.commit(commit(*map(add, (*turns, *sorted(made, key=lambda node: node.memory_id)))))
    found = await journal.inspection.resting_on(TENANT, [turn.memory_id for turn in turns], limit=4)
    assert found == [(turns[age % 3].memory_id, made[age].memory_id) for age in range(4)]
