"""What the ledger had at an earlier time is what it answers for that time, whatever was written since."""

from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import Engine, event

from agentmem.adapters.journal import SqlJournal
from agentmem.domain.change import Act, Change
from agentmem.domain.memory import LAYERS, MemoryNode, MemoryType, StoreStatus
from agentmem.domain.scope import Scope
from agentmem.errors import InvalidInput
from agentmem.ports.ledger import Commit, Selection
from tests.support.nodes import AGENT, NOON, TARGET, TENANT, a_memory

SCOPE = Scope(TENANT, AGENT, TARGET)
DAY, TICK = timedelta(days=1), timedelta(microseconds=1)
VALID = (StoreStatus.VALID,)


def day(number: float) -> datetime:
    return NOON + number * DAY


async def write(
    journal: SqlJournal, at: datetime, before: MemoryNode | None, after: MemoryNode | None, act: Act = "merge"
) -> None:
    change = Change(act="add" if before is None else act, before=before, after=after)
    await journal.ledger.commit(Commit(TENANT, f"run at {at}", "test", at, (change,)))


def reworded(node: MemoryNode, content: str) -> MemoryNode:
    return node.revised(content=content, revision=node.revision + 1)


async def phone(journal: SqlJournal) -> MemoryNode:
    """A number added on day 0, said again with a word more on day 2, and ended on day 4 as of day 1."""
    added = a_memory("电话12345678901", valid_at=day(0))
    merged = reworded(added, "手机电话12345678901")
    await write(journal, day(0), None, added)
    await write(journal, day(2), added, merged)
    await write(journal, day(4), merged, merged.ended(at=day(1), now=day(4)), "end")
    return added


async def known(journal: SqlJournal, node: MemoryNode, at: datetime) -> MemoryNode | None:
    return (await journal.ledger.get(TENANT, [node.memory_id], known_at=at)).get(node.memory_id)


async def test_a_memory_is_shown_as_it_was_known(journal: SqlJournal) -> None:
    added = await phone(journal)
    assert await known(journal, added, day(0) - TICK) is None
    assert await known(journal, added, day(0)) == added
    assert await known(journal, added, day(2) - TICK) == added
    merged = await known(journal, added, day(2))
    assert merged is not None
    assert (merged.content, merged.invalid_at) == ("手机电话12345678901", None)
    assert await known(journal, added, day(4) - TICK) == merged
    assert await known(journal, added, day(9)) == (await journal.ledger.get(TENANT, [added.memory_id]))[added.memory_id]


async def test_times_of_record_are_moments_whatever_their_offset(journal: SqlJournal) -> None:
    berlin = ZoneInfo("Europe/Berlin")
    first, again = (datetime(2026, 10, 25, 2, 30, fold=fold, tzinfo=berlin) for fold in (0, 1))
    node = a_memory("before the clocks go back", valid_at=NOON)
    later = reworded(node, "an hour later, and half past two again")
    await write(journal, first.astimezone(timezone(timedelta(hours=-11))), None, node)
    await write(journal, again.astimezone(timezone(timedelta(hours=13))), node, later)
    assert await known(journal, node, first) == node
    assert await known(journal, node, first.astimezone(UTC) - TICK) is None
    assert await known(journal, node, again.astimezone(UTC) - TICK) == node
    assert await known(journal, node, again) == later
    with pytest.raises(InvalidInput, match="known_at: 2026-03-09T12:00:00 must have a UTC offset"):
        await journal.ledger.get(TENANT, [], known_at=NOON.replace(tzinfo=None))
    with pytest.raises(InvalidInput, match="as_of: 2026-03-09T12:00:00 must have a UTC offset"):
        Selection(SCOPE, as_of=NOON.replace(tzinfo=None))


async def test_what_was_taken_out_since_was_there_then(journal: SqlJournal) -> None:
    node = a_memory("there for a day", valid_at=day(0))
    await write(journal, day(0), None, node)
    await write(journal, day(1), node, None, "undo")
    assert await known(journal, node, day(0)) == node
    assert await known(journal, node, day(1)) is None
    assert await journal.ledger.select(Selection(SCOPE, known_at=day(0), statuses=VALID)) == [node]
    assert await journal.ledger.select(Selection(SCOPE, known_at=day(1))) == []


async def test_what_was_forgotten_since_was_known_at_no_time(journal: SqlJournal) -> None:
    node = a_memory("forget this", valid_at=day(0))
    await write(journal, day(0), None, node)
    await write(journal, day(1), node, node.revised(store_status=StoreStatus.DELETED), "forget")
    assert await journal.ledger.select(Selection(SCOPE, known_at=day(0), statuses=VALID)) == []
    assert await journal.ledger.select(Selection(SCOPE, known_at=day(0))) == []
    assert await journal.ledger.get(TENANT, [node.memory_id], known_at=day(0)) == {}


async def test_a_turn_is_known_from_when_it_was_accepted(journal: SqlJournal) -> None:
    turn = a_memory("你好", memory_type=MemoryType.CONVERSATION, valid_at=day(-3), created_at=day(0))
    other = a_memory("罗小东问了好", valid_at=day(-3), created_at=day(0))
    for node in (turn, other):
        await write(journal, day(1), None, node)
    assert await known(journal, turn, day(0) - TICK) is None
    assert await known(journal, turn, day(0)) == turn
    assert await known(journal, other, day(0)) is None


async def test_nobody_reads_the_past_of_another_tenant(journal: SqlJournal) -> None:
    added = await phone(journal)
    assert await journal.ledger.get("other", [added.memory_id], known_at=day(9)) == {}
    assert await journal.ledger.select(Selection(Scope("other", AGENT), known_at=day(9))) == []


@pytest.mark.parametrize(
    ("as_of", "known_at", "seen"),
    [
        (day(0.5), day(0), "电话12345678901"),
        (day(0.5), day(3), "手机电话12345678901"),
        (day(0.5), day(5), "手机电话12345678901"),
        (day(2), day(3), "手机电话12345678901"),
        (day(2), day(5), None),
        (day(-1), day(5), None),
        (day(0.5), day(-1), None),
        (day(0.5), None, "手机电话12345678901"),
        (day(2), None, None),
    ],
)
async def test_a_selection_asks_what_was_true_and_what_was_known(
    journal: SqlJournal, as_of: datetime, known_at: datetime | None, seen: str | None
) -> None:
    await phone(journal)
    found = await journal.ledger.select(Selection(SCOPE, as_of=as_of, known_at=known_at))
    assert [node.content for node in found] == ([] if seen is None else [seen])


async def test_pages_of_the_past_are_full_and_one_state_of_the_ledger(journal: SqlJournal) -> None:
    nodes = [a_memory(str(n), timestamp=n // 2, memory_type=LAYERS[n % 5]) for n in range(900)]
    ended = [node.ended(at=day(0.5), now=day(1)) for node in nodes[::3]]
    commits = [[Change(act="add", after=node) for node in nodes]]
    commits += [[Change(act="end", before=node, after=after) for node, after in zip(nodes[::3], ended, strict=True)]]
    for number, changes in enumerate(commits):
        await journal.ledger.commit(Commit(TENANT, str(number), "test", day(number), tuple(changes)))
    held = sorted((node for n, node in enumerate(nodes) if n % 3), key=lambda node: (-node.timestamp, node.memory_id))
    found: list[MemoryNode] = []
    while True:
        after = (found[-1].timestamp, found[-1].memory_id) if found else None
        page = await journal.ledger.select(
            Selection(SCOPE, after=after, limit=70, statuses=VALID, known_at=day(2), as_of=day(1.5))
        )
        if not page:
            break
        assert len(page) == min(70, len(held) - len(found)), "every page but the last is full"
        found += page
        await write(journal, day(3), page[0], page[0].ended(at=day(1), now=day(3)), "end")
    assert found == held


async def test_all_memories_of_an_answer_are_read_with_four_statements(journal: SqlJournal) -> None:
    nodes = [a_memory(str(number)) for number in range(60)]
    adding = tuple(Change(act="add", after=node) for node in nodes)
    await journal.ledger.commit(Commit(TENANT, "run", "test", NOON, adding))
    asked: list[str] = []

    def hear(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        if statement.lstrip().startswith("SELECT"):
            asked.append(statement)

    event.listen(Engine, "before_cursor_execute", hear)
    try:
        found = await journal.ledger.get(TENANT, [node.memory_id for node in nodes], known_at=NOON)
        assert (len(found), len(asked)) == (60, 4), (
            "what is folded, which row counts, what was forgotten, and the states"
        )
        await journal.ledger.get(TENANT, [node.memory_id for node in nodes])
        assert len(asked) == 5
    finally:
        event.remove(Engine, "before_cursor_execute", hear)
