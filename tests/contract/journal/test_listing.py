"""Who reads page by page reads every memory once, though others write all the while."""

from collections.abc import AsyncGenerator
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import count

import pytest

from agentmem.adapters.journal import SqlJournal, earlier_states, ledger, writable
from agentmem.domain.change import Change
from agentmem.domain.memory import LAYERS, MemoryNode, MemoryType, RecordType, StoreStatus
from agentmem.domain.scope import Scope
from agentmem.errors import InvalidInput
from agentmem.ledger.listing import cursor, page, place_at
from agentmem.ports.ledger import Commit, Selection
from tests.support.nodes import AGENT, NOON, TARGET, TENANT, a_memory

SCOPE = Scope(TENANT, AGENT, TARGET)
LATER = NOON + timedelta(days=1)
_runs = count()


def a_row(number: int) -> MemoryNode:
    """Four of them share a timestamp; all layers take turns."""
    return a_memory(f"row {number}", timestamp=number // 4, memory_type=LAYERS[number % 5])


async def write(journal: SqlJournal, *changes: Change, at: datetime = LATER) -> None:
    await journal.ledger.commit(Commit(TENANT, f"run {next(_runs)}", "test", at, changes))


async def now(journal: SqlJournal, nodes: list[MemoryNode]) -> list[MemoryNode]:
    """These rows as they are by now."""
    return list((await journal.ledger.get(TENANT, [node.memory_id for node in nodes])).values())


async def disturb(journal: SqlJournal, nodes: list[MemoryNode], number: int) -> None:
    """Reword every seventh row, end every eleventh, each time others, and add twenty."""
    added = [Change(act="add", after=a_row(len(nodes) + 20 * number + n)) for n in range(20)]
    reworded = [
        Change(act="merge", before=node, after=node.revised(content=f"again {number}", revision=node.revision + 1))
        for node in await now(journal, nodes[number::7])
    ]
    await write(journal, *added, *reworded)
    ended = [
        Change(act="end", before=node, after=node.ended(at=LATER, now=LATER))
        for node in await now(journal, nodes[number::11])
    ]
    await write(journal, *ended)


async def pages(journal: SqlJournal, selection: Selection, nodes: list[MemoryNode]) -> AsyncGenerator[list[MemoryNode]]:
    """All pages, written to in between."""
    for number in count():
        found = await page(journal.ledger, selection, lambda _: True)
        yield list(found.memories)
        if found.next is None:
            return
        selection = replace(selection, after=place_at(found.next))
        await disturb(journal, nodes, number)


async def filled(journal: SqlJournal, size: int) -> list[MemoryNode]:
    nodes = [a_row(number) for number in range(size)]
    await write(journal, *(Change(act="add", after=node) for node in nodes), at=NOON)
    return nodes


@pytest.mark.thorough
async def test_no_row_comes_twice_and_none_is_lost_while_others_write(journal: SqlJournal) -> None:
    rows = await filled(journal, 2_500)
    read = [part async for part in pages(journal, Selection(SCOPE, limit=400), rows)]
    ids = [node.memory_id for part in read for node in part]
    assert [len(part) for part in read] == [400, 400, 400, 400, 400, 400, 100]
    assert len(ids) == len(set(ids))
    assert set(ids) == {node.memory_id for node in rows}
    assert any(node.content.startswith("again") for part in read for node in part), "what was written meanwhile shows"


async def test_valid_rows_that_stay_valid_are_all_read_once(journal: SqlJournal) -> None:
    rows = await filled(journal, 500)
    selection = Selection(SCOPE, statuses=(StoreStatus.VALID,), limit=80)
    ids = [node.memory_id async for part in pages(journal, selection, rows) for node in part]
    still = {node.memory_id for node in await journal.ledger.select(replace(selection, limit=10_000))}
    assert len(ids) == len(set(ids))
    assert still & {node.memory_id for node in rows} <= set(ids) < {node.memory_id for node in rows}


async def test_pages_of_one_time_are_one_state_though_rows_end_meanwhile(journal: SqlJournal) -> None:
    rows = await filled(journal, 500)
    selection = Selection(SCOPE, statuses=(StoreStatus.VALID,), limit=80, known_at=NOON)
    listed = [node async for part in pages(journal, selection, rows) for node in part]
    assert listed == sorted(rows, key=lambda node: (-node.timestamp, node.memory_id))


async def test_a_page_is_full_however_few_of_the_rows_are_wanted(journal: SqlJournal) -> None:
    rows = await filled(journal, 500)
    wanted = [node for node in sorted(rows, key=lambda node: (-node.timestamp, node.memory_id)) if "9" in node.content]
    first = await page(journal.ledger, Selection(SCOPE, limit=20), lambda node: "9" in node.content)
    assert list(first.memories) == wanted[:20]
    assert first.next is not None
    rest = Selection(SCOPE, limit=1_000, after=place_at(first.next))
    last = await page(journal.ledger, rest, lambda node: "9" in node.content)
    assert (list(last.memories), last.next) == (wanted[20:], None)
    exactly = await page(journal.ledger, replace(rest, limit=len(wanted) - 20), lambda node: "9" in node.content)
    assert exactly == last, "no cursor leads to an empty page"


@pytest.mark.parametrize("known_at", [None, NOON])
async def test_a_page_of_records_reads_what_it_holds_whatever_else_is_there(
    journal: SqlJournal, monkeypatch: pytest.MonkeyPatch, known_at: datetime | None
) -> None:
    read: list[str] = []

    def reading(body: str, tenant: str, memory_id: str) -> MemoryNode | None:
        read.append(memory_id)
        return writable.stored_node(body, tenant, memory_id)

    kinds = [RecordType.DOCUMENT if number % 100 == 0 else None for number in range(600)]
    rows = [a_memory("x", memory_type=MemoryType.LONGTERM, record=kind, timestamp=n) for n, kind in enumerate(kinds)]
    await write(journal, *(Change(act="add", after=node) for node in rows), at=NOON)
    for reader in (ledger, earlier_states):
        monkeypatch.setattr(reader, "stored_node", reading)
    wanted = Selection(SCOPE, limit=2, record=RecordType.DOCUMENT, known_at=known_at)
    first = await page(journal.ledger, wanted, lambda _: True)
    assert [node.timestamp for node in first] == [500, 400]
    assert first.next is not None
    rest = await page(journal.ledger, replace(wanted, after=place_at(first.next), limit=9), lambda _: True)
    assert [node.timestamp for node in rest] == [300, 200, 100, 0]
    assert len(read) <= 10


def test_a_cursor_is_one_printable_word_and_leads_back() -> None:
    for timestamp in (0, 1, 2**53, 2**62):
        place = (timestamp, a_memory("x").memory_id)
        assert place_at(cursor(place)) == place
        assert cursor(place).replace("-", "").replace("_", "").isalnum()
        assert not cursor(place).startswith("-"), "the command line would take it for an option"


@pytest.mark.parametrize(
    "wrong", ["", "x", "A" * 31, "A" * 33, "/" * 32, "_" * 32, "é" * 32, "\ud800", "A" * 31 + "\n"]
)
def test_what_is_no_cursor_is_refused(wrong: str) -> None:
    with pytest.raises(InvalidInput, match="is no cursor"):
        place_at(wrong)
