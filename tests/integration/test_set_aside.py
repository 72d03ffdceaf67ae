"""What the index cannot take in costs one search for it, is tried again when somebody says so, and stays out else."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest

from agentmem.domain.memory import MemoryType
from agentmem.domain.scope import Scope
from agentmem.domain.statement import Window
from agentmem.errors import BackendUnavailable, IndexBroken
from agentmem.ledger.projection import Projector
from agentmem.memory.forget import Meant
from agentmem.ports.cognition import Read
from agentmem.ports.ledger import Selection
from agentmem.ports.memory_index import Point
from agentmem.retrieval.query import RecallQuery
from agentmem.runtime.facade.app import App
from tests.support.cognition import ScriptedCognition
from tests.support.nodes import AGENT, TENANT
from tests.support.poisons import POISONS, BackDoor
from tests.support.spine import PATIENCE, SCOPE, found, quiet_persona, spine

COUNT = 64
PanicException = type("PanicException", (BaseException,), {"__module__": "pyo3_runtime"})


class Choking(Projector):
    """Cannot write a memory with 毒 in it: raises what it is told to."""

    error: BaseException
    tries = 0

    @classmethod
    def over(cls, app: App, error: BaseException) -> "Choking":
        opened = app.searchable
        made = cls(app.journal, opened.index, opened.recall.gather.embedder)
        made.error = error
        upsert = opened.index.upsert

        async def choking(points: Sequence[Point]) -> None:
            made.tries += 1
            if any("毒" in point.memory.content for point in points):
                raise made.error
            await upsert(points)

        opened.index.upsert = choking  # pyright: ignore[reportAttributeAccessIssue] - stands in for a bad input
        return made


class Slow(ScriptedCognition):
    """Reads 慢 for as long as it takes."""

    def __init__(self) -> None:
        super().__init__()
        self.began, self.others = asyncio.Event(), asyncio.Event()

    async def read(self, window: Window) -> Read:
        if any("慢" in turn.text for turn in window.turns):
            self.began.set()
            await asyncio.Event().wait()
        self.others.set()
        return await super().read(window)


@asynccontextmanager
async def working(app: App) -> AsyncGenerator[None]:
    """The workers run while the body does; what is not done then is given back."""
    stop = asyncio.Event()
    async with asyncio.timeout(60), asyncio.TaskGroup() as tasks:
        tasks.create_task(app.serve(stop))
        try:
            yield
        finally:
            stop.set()


async def talk(app: App) -> None:
    """As many turns as fit a batch, one of them poison; written down and not read by anybody."""
    for number in range(COUNT):
        text = "毒" if number == COUNT // 3 else f"第{number}件事:我想买{number}号车"
        await app.say(AGENT, "罗小东", text, key=str(number))
    await app.host._work_until_idle()  # pyright: ignore[reportPrivateUsage] - without the projection


async def ids(app: App) -> list[str]:
    recalled = await app.recall(RecallQuery(SCOPE, "红色的车", profile="verbatim"))
    return [hit.memory.memory_id for hit in recalled.hits]


INPUT_ERRORS: list[BaseException] = [
    OverflowError("date value out of range"),
    ValueError("毒 is no number"),
    MemoryError(),
    RecursionError("maximum recursion depth exceeded"),
    PanicException("index out of bounds"),
]


@pytest.mark.parametrize("error", INPUT_ERRORS, ids=lambda error: type(error).__name__)
async def test_one_poison_costs_one_search_for_it(tmp_path: Path, error: BaseException) -> None:
    async with spine(tmp_path, persona=quiet_persona(turns=200)) as app:
        await talk(app)
        projector = Choking.over(app, error)
        await projector.open()
        await projector.start_over()
        await projector.catch_up()
        head = await app.journal.ledger.head()
        assert projector.position == head
        assert projector.tries <= 2 * 8, "halving finds one of 64 in 13 tries"
        assert await app.searchable.index.count() == COUNT - 1
        [letter] = await app.upkeep.dead()
        assert (letter.worker, letter.lane.tenant, letter.lane.agent) == ("projection", TENANT, AGENT)
        assert "毒" not in letter.reason
        assert type(error).__name__ in letter.reason
        assert (await app.index.verify()).ok
        tries = projector.tries
        await projector.catch_up()
        assert projector.tries == tries, "it is not tried again by itself"


@pytest.mark.parametrize("error", [BackendUnavailable("gone"), KeyboardInterrupt(), asyncio.CancelledError()])
async def test_an_outage_and_the_end_of_the_program_set_nothing_aside(tmp_path: Path, error: BaseException) -> None:
    async with spine(tmp_path, persona=quiet_persona(turns=200)) as app:
        await talk(app)
        projector = Choking.over(app, error)
        await projector.open()
        await projector.start_over()
        with pytest.raises(type(error)):
            await projector.catch_up()
        assert await app.upkeep.dead() == []


async def test_what_breaks_the_index_is_found_out_at_the_next_openings(tmp_path: Path) -> None:
    async with spine(tmp_path, persona=quiet_persona(turns=200)) as app:
        await talk(app)
        projector = Choking.over(app, IndexBroken("it broke down"))
        await projector.open()
        await projector.start_over()
        for _ in range(2):
            with pytest.raises(IndexBroken):
                await projector.catch_up()
            await projector.open()
        await projector.catch_up()
        await projector.flush()
        assert await app.searchable.index.count() == COUNT - 1
        assert len(await app.upkeep.dead()) == 1
        await projector.start_over()
        await projector.catch_up()
        assert await app.searchable.index.count() == COUNT - 1, "it is left alone when the index is filled anew"


async def test_what_was_set_aside_is_found_again_once_it_can_be_read_and_is_retried(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        await app.say(AGENT, "罗小东", "我的车是红色的", end=True)
        await app.drain(patience=PATIENCE)
        door = BackDoor(tmp_path / "data")
        [(memory_id, seq, body)] = door.rows(
            "SELECT memories.memory_id, ledger.seq, ledger.after FROM memories "
            "JOIN ledger ON ledger.seq = memories.seq WHERE memories.type = ?",
            MemoryType.CONVERSATION.value,
        )
        door.poison_memory(memory_id, POISONS["no object"])
        await app.index.rebuild(lambda done, of: None)
        assert memory_id not in await ids(app)
        [letter] = await app.upkeep.dead()
        assert letter.memory_id == memory_id
        for _ in range(2):
            assert await app.upkeep.retry_dead([letter.job_id]) == 1
            await app.drain(patience=PATIENCE)
            [letter] = await app.upkeep.dead()
        door.rows("UPDATE ledger SET after = ? WHERE seq = ?", body, seq)
        assert await app.upkeep.retry_dead([letter.job_id]) == 1
        await app.drain(patience=PATIENCE)
        assert await app.upkeep.dead() == []
        assert memory_id in await ids(app)
        assert (await app.index.verify()).ok


async def test_what_was_dropped_is_not_told_of_again(tmp_path: Path) -> None:
    async with spine(tmp_path, persona=quiet_persona(turns=200)) as app:
        await talk(app)
        projector = Choking.over(app, ValueError("no"))
        await projector.open()
        for _ in range(2):
            await projector.start_over()
            await projector.catch_up()
            letters = await app.upkeep.dead()
            assert await app.upkeep.drop_dead([letter.job_id for letter in letters]) == len(letters)
            assert await app.upkeep.dead() == []
            assert (await app.index.verify()).ok


@pytest.mark.parametrize("what", ["everything", "one"])
async def test_a_person_with_poisoned_rows_can_be_erased(tmp_path: Path, what: str) -> None:
    async with AsyncExitStack() as stack:
        app = await stack.enter_async_context(spine(tmp_path, persona=quiet_persona(turns=1)))
        door = BackDoor(tmp_path / "data")
        poisons: list[Callable[[str], str]] = [*POISONS.values()]
        for number, poison in enumerate(poisons):
            await app.say(AGENT, "罗小东", f"kanarienvogel {number}", key=str(number))
            await app.drain(patience=PATIENCE)
            [(seq,)] = door.rows("SELECT max(seq) FROM events WHERE kind = 'turn_spoken'")
            door.poison_event(seq, poison)
        [target] = await app.targets(SCOPE, "罗小东")
        if what == "one":
            hits = (await found(app, "kanarienvogel 3")).hits
            told = await app.forget(Meant(SCOPE, ids=(hits[0].memory.memory_id,)), erase=True)
            assert told.gone
            return
        told = await app.forget(Meant(Scope(TENANT, AGENT, target)), erase=True)
        assert told.erased is not None
        assert door.rows("SELECT seq FROM events") == []
        assert not [file for file in (tmp_path / "data").glob("journal.db*") if b"kanarienvogel" in file.read_bytes()]


async def test_a_job_at_which_processes_end_is_given_up_after_as_many_attempts(tmp_path: Path) -> None:
    async with spine(tmp_path, persona=quiet_persona(turns=1)) as app:
        for number, name in enumerate(("罗小东", "王芳", "李雷")):
            await app.say(AGENT, name, f"第{number}件事", key=str(number))
        door = BackDoor(tmp_path / "data")
        [first, *others] = [row[0] for row in door.rows("SELECT job_id FROM jobs ORDER BY job_no")]
        door.rows("UPDATE jobs SET crashes = 3 WHERE job_id = ?", first)
        door.rows("UPDATE jobs SET crashes = 2 WHERE job_id = ?", others[0])
        await app.drain(patience=PATIENCE)
        [letter] = await app.upkeep.dead()
        assert letter.job_id == first
        assert letter.reason == "Unreadable: 3 processes ended or fell silent while they did it"
        assert len(await app.memories(Selection(SCOPE, types=(MemoryType.CONVERSATION,)))) == 2


@pytest.mark.thorough
async def test_a_job_at_which_a_process_ended_does_not_hold_up_others_for_as_long_as_it_takes(tmp_path: Path) -> None:
    slow = Slow()
    async with spine(tmp_path, slow, persona=quiet_persona(turns=1)) as app:
        await app.say(AGENT, "罗小东", "慢慢来", key="slow")
        async with working(app):
            await slow.began.wait()
        BackDoor(tmp_path / "data").rows("UPDATE jobs SET crashes = 1")
        slow.began.clear()
        async with working(app):
            await slow.began.wait()
            await app.say(AGENT, "王芳", "第一件事", key="other")
            await slow.others.wait()
