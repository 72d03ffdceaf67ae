"""What is erased stands in no file any more, does not come back, and leaves a receipt that shows tampering."""

import asyncio
import json
import signal
from pathlib import Path

import pytest

from agentmem.adapters.cognition.rules import RulesCognition
from agentmem.domain.episode import episode_id
from agentmem.domain.memory import GRAPH, MemoryType
from agentmem.domain.scope import Scope
from agentmem.memory.forget_plan import Meant
from agentmem.ports.ledger import Selection
from agentmem.ports.work_queue import Depth
from agentmem.runtime.facade.app import App
from agentmem.runtime.facade.forget_requests import Forgotten
from agentmem.runtime.facade.receipts import read_receipt, search_for_remains
from tests.support.cli import agentmem
from tests.support.journals import begin, ended
from tests.support.nodes import AGENT, TARGET, TENANT, a_turn
from tests.support.planted import CANARY, HERS, absent, die_while_erasing, places_with, plant
from tests.support.spine import SCOPE, memories, payloads, spine

pytestmark = pytest.mark.usefixtures("embedded_index_throughout")

PERSON = Scope(TENANT, AGENT, TARGET)
FIELDS = (
    *("said", "shown", "content", "key", "kind", "attribute", "value", "speaker", "run", "caption", "history"),
    *("reading", "sensor", "vector", "outcome", "reason", "note", "later"),
)


async def told_of_her(app: App) -> list[str]:
    """Every row of the ledger and every event about 王芳, as they are stored."""
    nodes = await memories(app, scope=Scope(TENANT, AGENT, HERS))
    histories = [await app.journal.ledger.history(TENANT, node.memory_id) for node in nodes]
    events = await app.journal.events.of_lane(nodes[0].lane, after=0, limit=99)
    rows = [entry.model_dump_json() for history in histories for entry in history]
    return rows + [item.event.model_dump_json() for item in events]


@pytest.mark.thorough
@pytest.mark.longer
async def test_no_file_holds_a_word_of_what_was_erased(tmp_path: Path, longer: int) -> None:
    turns = 50 if longer == 1 else 350
    async with spine(tmp_path) as app:
        await plant(app, turns)
        hers, indexed = await told_of_her(app), await payloads(app)
        assert sum(payload["targetId"] == TARGET for payload in indexed.values()) > 3 * turns - 50
        assert absent(tmp_path, [f"{CANARY}-{field}" for field in FIELDS]) == set()
        told = await app.forget(Meant(PERSON), erase=True)
        assert places_with(tmp_path, CANARY) == []
        assert await told_of_her(app) == hers
        assert await payloads(app) == {key: value for key, value in indexed.items() if value["targetId"] == HERS}
        assert await app.journal.queue.depth() == Depth(0, 0, 0, 0)
    assert told.erased is not None
    assert len(told.erased.memory_ids) > 3 * turns - 50
    assert places_with(tmp_path, CANARY) == []
    seen = search_for_remains(tmp_path / "data", told.erased.memory_ids, [CANARY])
    assert seen.found == ()
    assert search_for_remains(tmp_path / "data", (), ["amsel-3"]).found


async def test_what_was_erased_is_not_imported_again(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        ours = await plant(app, 3)
        await app.forget(Meant(PERSON), erase=True)
        assert all(answer.duplicate for answer in await app.accept(ours))
        await app.drain()
        assert await memories(app, scope=PERSON) == []
        assert places_with(tmp_path, CANARY) == []
        await app.accept([a_turn("ich bin wieder da", 99)])
        await app.drain()
        assert [node.content for node in await memories(app, scope=PERSON)] == ["ich bin wieder da"]


async def test_a_receipt_verifies_and_one_changed_byte_is_seen(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        await plant(app, 3)
        told = await app.forget(Meant(PERSON), erase=True)
        assert told.receipt is not None
        receipt, doubt = await read_receipt(told.receipt, app.journal.marks)
        assert (receipt and receipt.erased, doubt) == (told.erased, None)
        content = told.receipt.read_bytes()
        assert CANARY.encode() not in content
        changed = tmp_path / "changed.json"
        for place in range(len(content)):
            changed.write_bytes(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
            assert (await read_receipt(changed, app.journal.marks))[1], f"byte {place} may be changed"
    async with spine(tmp_path / "elsewhere") as app:
        assert (await read_receipt(told.receipt, app.journal.marks))[1] == "this journal has signed no receipt"


@pytest.mark.thorough
def test_the_doctor_checks_a_receipt_and_searches_every_byte(tmp_path: Path) -> None:
    async def erased() -> Forgotten:
        async with spine(tmp_path) as app:
            await plant(app, 3)
            return await app.forget(Meant(PERSON), erase=True)

    told = asyncio.run(erased())
    data = tmp_path / "data"
    options = ("--data", data, "--tenant", TENANT, "--json")
    checked = agentmem("doctor", "--receipt", str(told.receipt), "--canary", CANARY, *options)
    assert (checked.code, checked.json["problems"]) == (0, []), checked.out
    (data / "left").write_bytes(b"\xff" + json.dumps(f"ä{CANARY}").encode())
    assert agentmem("doctor", "--canary", f"ä{CANARY}", *options).json["problems"] == ["left holds canary 1"]
    assert told.erased is not None
    (data / "left").write_text(told.erased.memory_ids[0])
    found = agentmem("doctor", "--receipt", str(told.receipt), *options)
    assert (found.code, found.json["found"]) == (1, [{"file": "left", "what": told.erased.memory_ids[0]}])


@pytest.mark.thorough
@pytest.mark.parametrize("step", ["start_over", "catch_up", "scrub", "finished"])
async def test_an_erasure_that_is_killed_is_finished_at_the_next_opening(tmp_path: Path, step: str) -> None:
    assert await ended(begin(die_while_erasing, tmp_path, step)) == -signal.SIGKILL
    async with spine(tmp_path) as app:
        assert await app.journal.eraser.unfinished() == []
        assert places_with(tmp_path, CANARY) == []
        assert len(await memories(app, scope=SCOPE)) == len(await payloads(app)) == 10
    (receipt,) = (tmp_path / "data" / "receipts").iterdir()
    assert receipt.suffix == ".json"


async def test_an_erasure_that_is_killed_before_it_is_written_has_not_begun(tmp_path: Path) -> None:
    assert await ended(begin(die_while_erasing, tmp_path, "erase")) == -signal.SIGKILL
    async with spine(tmp_path) as app:
        assert await app.journal.eraser.unfinished() == []
        assert len(await memories(app, scope=PERSON)) == 61


async def test_erasing_one_turn_leaves_the_rest_of_the_talk(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        ours = await plant(app, 4)
        told = await app.forget(Meant(SCOPE, source=episode_id(ours[1])), erase=True)
        assert places_with(tmp_path, f"{CANARY}-said-1") == []
        assert places_with(tmp_path, f"{CANARY}-content-1") == []
        assert {node.content for node in told.gone} == {f"{CANARY}-said-1", f"{CANARY}-later-{CANARY}-value-1"}
        left = [node.content for node in await memories(app, scope=PERSON)]
        assert f"{CANARY}-said-2" in left
        assert f"{CANARY}-later-{CANARY}-value-2" in left
        await app.accept(ours)
        await app.drain()
        assert [node.content for node in await memories(app, scope=PERSON)] == left


async def two_documents(app: App, folder: Path) -> list[str]:
    """Two documents that name the same people, read; the ids of the pieces of the first."""
    for name in ("pumps", "valves"):
        (folder / f"{name}.md").write_text(f"# {name}\n\nTom Berg of Acme Corp built the {name} in Oslo.\n")
        await app.library.ingest(AGENT, [folder / f"{name}.md"])
    await app.drain()
    nodes = await app.memories(Selection(Scope(TENANT, AGENT), types=(MemoryType.LONGTERM,)))
    return [node.memory_id for node in nodes if "pumps" in node.content]


async def checked(app: App, told: Forgotten) -> list[str]:
    """What doctor says of a receipt: of the journal, the index and the files."""
    assert told.erased is not None
    seen = search_for_remains(app.settings.data, told.erased.everywhere, ())
    return [*await app.upkeep.remains(told.erased), *map(str, seen.found)]


async def test_a_receipt_holds_where_entities_are_made_anew_of_what_stays(tmp_path: Path) -> None:
    async with spine(tmp_path, RulesCognition()) as app:
        await app.copies.clone(AGENT, "twin")
        ids = await two_documents(app, tmp_path)
        told = await app.forget(Meant(Scope(TENANT, AGENT), ids=tuple(ids)), erase=True)
        assert told.erased is not None
        assert set(told.erased.anew) == {node.memory_id for node in told.gone if node.memory_type in GRAPH}
        assert told.erased.anew
        assert await checked(app, told) == []
        await app.drain()
        here = await app.journal.ledger.get(TENANT, told.erased.anew)
        assert here, "entities that the other document names are here again"
        assert await checked(app, told) == []
        problems = await app.upkeep.problems(capacity=1_000, now=app.clock.now(), data=app.settings.data)
        assert [problem for problem in problems if "are here again" in problem.what] == []


async def test_work_that_waits_names_nothing_that_was_erased(tmp_path: Path) -> None:
    async with spine(tmp_path, RulesCognition()) as app:
        ids = await two_documents(app, tmp_path)
        await app.forget(Meant(Scope(TENANT, AGENT), ids=tuple(ids)), erase=True)
        rest = await app.memories(Selection(Scope(TENANT, AGENT), types=(MemoryType.LONGTERM,)))
        assert (await app.upkeep.depth()).ready, "entities wait to be made anew of the rest"
        told = await app.forget(Meant(Scope(TENANT, AGENT), ids=tuple(node.memory_id for node in rest)), erase=True)
        assert await checked(app, told) == []
        await app.drain()
        assert await checked(app, told) == []
