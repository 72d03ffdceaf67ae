"""Reads that share a transaction: who waits together is read together, and nobody pays for another's failure."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event, Thread, get_ident

import pytest
from sqlalchemy import Connection, Engine, create_engine, event, text

from agentmem.adapters.journal.transactions import ReadPool
from agentmem.errors import BackendUnavailable, NotFound


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    made = create_engine(f"sqlite:///{tmp_path / 'journal.db'}")
    with made.begin() as conn:
        conn.execute(text("CREATE TABLE told (word TEXT)"))
        conn.execute(text("INSERT INTO told VALUES ('first')"))
    yield made
    made.dispose()


def _words(conn: Connection) -> list[str]:
    return list(conn.execute(text("SELECT word FROM told")).scalars())


async def _held_up(pool: ReadPool, free: Event) -> asyncio.Task[object]:
    """A brief read that has the thread until `free` is set, so that those after it wait together."""
    began = asyncio.Event()
    loop = asyncio.get_running_loop()

    def hold(_: Connection) -> None:
        loop.call_soon_threadsafe(began.set)
        free.wait(10)

    held = asyncio.create_task(pool.brief(hold))
    await asyncio.wait_for(began.wait(), 10)
    return held


async def test_brief_reads_that_wait_share_one_transaction(engine: Engine) -> None:
    begun: list[int] = []

    def count(_: Connection) -> None:
        begun.append(get_ident())

    event.listen(engine, "begin", count)
    pool, free = ReadPool(engine, "journal", threads=2, briefly=1), Event()
    held = await _held_up(pool, free)
    waiting = [asyncio.create_task(pool.brief(_words)) for _ in range(20)]
    await asyncio.sleep(0)
    free.set()
    assert await asyncio.gather(*waiting) == [["first"]] * 20
    await held
    assert len(begun) == 2
    await pool.close()


async def test_a_brief_read_that_fails_fails_alone(engine: Engine) -> None:
    pool, free = ReadPool(engine, "journal", threads=2, briefly=1), Event()

    def missing(_: Connection) -> None:
        raise NotFound("no agent 'ada'")

    def broken(conn: Connection) -> None:
        conn.execute(text("SELECT nothing FROM nowhere"))

    held = await _held_up(pool, free)
    waiting = [asyncio.create_task(pool.brief(work)) for work in (_words, missing, broken, _words)]
    await asyncio.sleep(0)
    free.set()
    first, second, third, last = await asyncio.gather(*waiting, return_exceptions=True)
    await held
    assert first == last == ["first"]
    assert isinstance(second, NotFound)
    assert isinstance(third, Exception)
    assert not isinstance(third, NotFound)
    await pool.close()


async def test_a_brief_read_sees_what_was_committed_before_it_was_asked(engine: Engine) -> None:
    pool, free = ReadPool(engine, "journal", threads=2, briefly=1), Event()
    held = await _held_up(pool, free)
    with engine.begin() as conn:
        conn.execute(text("INSERT INTO told VALUES ('second')"))
    asked = asyncio.create_task(pool.brief(_words))
    await asyncio.sleep(0)
    free.set()
    assert await asked == ["first", "second"]
    await held
    await pool.close()
    with pytest.raises(BackendUnavailable):
        await pool.brief(_words)


async def test_where_a_read_waits_for_a_server_others_do_not_wait_for_it(engine: Engine) -> None:
    pool, free = ReadPool(engine, "journal", threads=3, briefly=2), Event()
    held = await _held_up(pool, free)
    assert await asyncio.wait_for(pool.brief(_words), 10) == ["first"]
    free.set()
    await held
    await pool.close()


async def test_where_no_thread_can_be_had_whoever_waits_is_told_and_the_next_is_read(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuses(_: Thread) -> None:
        raise RuntimeError("can't start new thread")

    pool = ReadPool(engine, "journal", threads=2, briefly=1)
    with monkeypatch.context() as scarce:
        scarce.setattr(Thread, "start", refuses)
        async with asyncio.timeout(10):
            told = await asyncio.gather(pool.brief(_words), pool.brief(_words), return_exceptions=True)
    assert [str(each) for each in told] == ["can't start new thread"] * 2
    for _ in range(3):
        assert await asyncio.wait_for(pool.brief(_words), 10) == ["first"]
    await pool.close()


def test_a_loop_that_ends_before_its_read_begins_holds_up_nobody(engine: Engine) -> None:
    pool = ReadPool(engine, "journal", threads=2, briefly=1)
    short = asyncio.new_event_loop()
    short.set_exception_handler(_says_nothing)  # of the task that is left over
    asked = short.create_task(pool.brief(_words))
    short.call_soon(short.stop)  # after the first step of the task, before what that step put off
    short.run_forever()
    short.close()
    assert not asked.done()
    asyncio.run(_is_read(pool))


async def test_what_is_asked_alike_is_read_once_and_what_is_not_is_not(engine: Engine) -> None:
    read: list[str] = []

    def of(name: str) -> Callable[[Connection], str]:
        def work(_: Connection) -> str:
            read.append(name)
            return name

        return work

    pool, free = ReadPool(engine, "journal", threads=2, briefly=1), Event()
    held = await _held_up(pool, free)
    names = ["ann", "ben", "ann", "ann"]
    waiting = [asyncio.create_task(pool.brief(of(name), alike=name)) for name in names]
    waiting += [asyncio.create_task(pool.brief(of("own"))) for _ in range(2)]
    await asyncio.sleep(0)
    free.set()
    assert await asyncio.gather(*waiting) == [*names, "own", "own"]
    await held
    assert sorted(read) == ["ann", "ben", "own", "own"]
    await pool.close()


def _says_nothing(*_: object) -> None: ...


async def _is_read(pool: ReadPool) -> None:
    assert await asyncio.wait_for(pool.brief(_words), 10) == ["first"]
    await pool.close()
