"""The whole system in one thread, in an order and with faults that a seed decides: the same seed lives the same life.

The loop takes what is ready in any order and jumps to the next timer instead of waiting for it; the journal's writer
and its readers run in it. The model, the disk, the index and the computer's clock fail as the dice say, and the app is
closed in the middle and opened again. What is left is examined as after kills (`oracle`).
"""

import asyncio
import random
import shutil
import sqlite3
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Executor
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, Final, TypeVar, cast

import pytest
from sqlalchemy.exc import OperationalError

from agentmem.adapters.journal import committer, journal
from agentmem.adapters.memory_index.in_memory import InMemoryIndex
from agentmem.domain.event import ConversationEnded, Event, Person, TurnSpoken
from agentmem.domain.ids import entity_id
from agentmem.errors import AgentMemError, BackendUnavailable
from agentmem.ledger import projection
from agentmem.ports.memory_index import Point
from agentmem.runtime.composition.opening import open_app
from agentmem.runtime.configuration.settings import Settings
from agentmem.runtime.facade.app import App
from agentmem.runtime.host import worker_host
from tests.support import whims
from tests.support.faulty import FAULTS
from tests.support.index_kind import IN_MEMORY
from tests.support.killed import AGENT, TENANT, acknowledged_file, asked_file, persona, settings
from tests.support.oracle import Faults, examine

T = TypeVar("T")
BEGIN: Final = datetime(2026, 3, 28, 23, tzinfo=UTC)
"""The evening before the night in which clocks in Europe go forward."""

LIVES, PEOPLE = 2, 3
LIFE: Final = 1.0
"""Seconds, on the loop's own clock, between opening and closing."""

JUMPS: Final = (timedelta(hours=1), timedelta(hours=-1), timedelta(days=365), timedelta(days=-365))
"""What becomes of the computer's clock in one of a few lives."""

TABLES: Final = ("events", "ledger", "memories", "jobs", "done", "windows", "lanes")


_TASK: Final[Any] = asyncio.tasks.__dict__["_PyTask"]


class NumberedTask(_TASK):
    """A task that lies in sets where its number puts it, not where its address in memory does."""

    def __init__(self, number: int, work: Any, **named: Any) -> None:
        self._number = number
        _TASK.__init__(self, work, **named)

    def __hash__(self) -> int:
        return self._number


class SimulatedLoop(asyncio.SelectorEventLoop):
    """Its time passes only where there is nothing to do, and then at once."""

    def __init__(self, dice: Random) -> None:
        super().__init__()
        self._dice, self._passed = dice, 0.0
        self._numbers = count(1)
        self.set_task_factory(self._numbered)

    def _numbered(self, loop: asyncio.AbstractEventLoop, work: Any, **named: Any) -> Any:
        return NumberedTask(next(self._numbers), work, loop=loop, **named)

    def time(self) -> float:
        """Seconds since it was made."""
        return self._passed

    def run_in_executor(self, executor: Executor | None, func: Callable[..., T], *args: Any) -> "asyncio.Future[T]":  # pyright: ignore[reportIncompatibleMethodOverride] - a future does as well
        """Do it now."""
        future: asyncio.Future[T] = self.create_future()
        try:
            future.set_result(func(*args))
        except BaseException as error:  # noqa: BLE001 - it is the caller's
            future.set_exception(error)
        return future

    def _run_once(self) -> None:
        own = cast(Any, self)
        if not own._ready and own._scheduled:
            self._passed = max(self._passed, own._scheduled[0].when())
        order: list[Any] = list(own._ready)
        self._dice.shuffle(order)
        own._ready.clear()
        own._ready.extend(order)
        cast(Any, super())._run_once()


class HostClock:
    """The computer's clock, which somebody sets wrong now and then."""

    def __init__(self, loop: SimulatedLoop) -> None:
        self._loop, self.wrong = loop, timedelta(0)

    def now(self) -> datetime:
        """What it shows."""
        return BEGIN + timedelta(seconds=self._loop.time()) + self.wrong

    def seconds(self) -> float:
        """The same as `time.time` gives it."""
        return self.now().timestamp()


def _committer(dice: Random) -> type[committer.Committer]:
    """A writer without a thread, on a disk that fails before a commit, or after one so that nobody knows of it."""

    class Simulated(committer.Committer):
        def start(self) -> None:
            self._closed = False

        async def close(self) -> None:
            self._pump()
            self._closed = True
            self._disconnect()

        def _put(self, step: str, work: Any, item: object, *, together: bool, numbered: bool) -> asyncio.Future[Any]:
            future = super()._put(step, work, item, together=together, numbered=numbered)
            asyncio.get_running_loop().call_soon(self._pump)
            return future

        def _pump(self) -> None:
            while not self._waiting.empty():
                requests, _ = self._take()
                if requests:
                    self._answer(requests, queued=self._write(requests))

        def _transact(self, requests: Any) -> bool:
            mood = dice.random()
            if mood < 0.01:
                raise _io_error()
            queued = super()._transact(requests)
            if mood > 0.99:
                raise _io_error()
            return queued

    return Simulated


def _io_error() -> OperationalError:
    cause = sqlite3.OperationalError("disk I/O error")
    cause.sqlite_errorcode = sqlite3.SQLITE_IOERR
    return OperationalError("COMMIT", {}, cause)


@contextmanager
def _arranged(loop: SimulatedLoop, clock: HostClock, dice: Random, fault: str | None) -> Generator[None]:
    """Put what is simulated where the wiring finds it."""
    write, made_so = InMemoryIndex.upsert, journal.SqlJournal

    async def upsert(self: InMemoryIndex, points: Sequence[Point]) -> None:
        if dice.random() < 0.05:
            raise BackendUnavailable("the index does not answer")
        await write(self, points)

    def broken_off(_: str) -> None:
        if dice.random() < 0.2:
            raise BackendUnavailable("the journal does not answer")

    def made(*given: Any, **named: Any) -> journal.SqlJournal:
        one = made_so(*given, clock=clock.seconds, monotonic=loop.time, **named)
        if fault is not None:
            one.queue = cast(Any, FAULTS[fault](one, broken_off))
        return one

    drawn = random.getstate()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(whims, "_dice", dice)
        patch.setattr(journal, "Committer", _committer(dice))
        patch.setattr(journal, "SqlJournal", made)
        patch.setattr(InMemoryIndex, "upsert", upsert)
        for module in (worker_host, projection):
            patch.setattr(module, "monotonic", loop.time)
        random.seed(dice.random())
        try:
            yield
        finally:
            random.setstate(drawn)


class Speaker:
    """One person's side of conversations; what was refused is not said again, what nobody answered for may be there."""

    def __init__(self, app: App, data: Path, name: str, clock: HostClock, dice: Random) -> None:
        self._app, self._data, self._name, self._clock, self._dice = app, data, name, clock, dice
        self._target = entity_id(TENANT, AGENT, name.partition(".")[0])

    async def talk(self) -> None:
        """Say a few things, some of them twice at once."""
        for number in range(self._dice.randint(1, 8)):
            await asyncio.sleep(self._dice.random() * 0.3)
            event = self._event(number)
            with asked_file(self._data).open("a") as asked:
                asked.write(event.model_dump_json() + "\n")
            await asyncio.gather(*(self._append(event) for _ in range(self._dice.choice((1, 1, 1, 2)))))

    async def _append(self, event: Event) -> None:
        with suppress(BackendUnavailable):
            [accepted] = await self._app.accept([event])
            with acknowledged_file(self._data).open("a") as answers:
                answers.write(f"{accepted.event_id}\n")

    def _event(self, number: int) -> Event:
        common = {
            "event_id": f"{self._name}.{number}",
            "tenant": TENANT,
            "agent_id": AGENT,
            "agent_name": "小美",
            "target_id": self._target,
            "run_id": self._name,
            "at": self._clock.now(),
        }
        if self._dice.random() < 0.1:
            return ConversationEnded.model_validate(common)
        said = {"person": Person(name=self._name.partition(".")[0]), "text": f"{self._name}.{number} 么么"}
        return TurnSpoken.model_validate(common | said | {"by_agent": number % 2 == 0, "turn_index": number})


async def _lives(data: Path, clock: HostClock, dice: Random) -> None:
    chosen = _settings(data)
    for life in range(LIVES):
        clock.wrong = dice.choice(JUMPS) if dice.random() < 0.3 else timedelta(0)
        with suppress(AgentMemError):  # the disk may fail at opening and at closing as well
            async with open_app(chosen, clock=clock, cognition=whims.Whims()) as app:
                await app.know_agent(persona())
                await _life(app, data, life, clock, dice)
    clock.wrong = timedelta(0)


async def _life(app: App, data: Path, life: int, clock: HostClock, dice: Random) -> None:
    stop = asyncio.Event()
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(app.host.serve(stop))
        for number in range(PEOPLE):
            tasks.create_task(Speaker(app, data, f"p{number}.{life}", clock, dice).talk())
        await asyncio.sleep(dice.random() * LIFE)
        if dice.random() < 0.5:
            clock.wrong += dice.choice(JUMPS)
        await asyncio.sleep(dice.random() * LIFE)
        stop.set()


def _settings(data: Path) -> Settings:
    chosen = settings(data)
    workers = chosen.workers.model_copy(update={"concurrency": 4})
    return chosen.model_copy(update={"index": IN_MEMORY, "workers": workers})


def simulate(data: Path, seed: int, *, fault: str | None = None) -> str:
    """Live as the seed says, with a work queue of `faulty` where `fault` names one; a digest of what the journal holds
    then."""
    dice = Random(seed)
    loop = SimulatedLoop(dice)
    clock = HostClock(loop)
    with closing(loop), _arranged(loop, clock, dice, fault):
        loop.run_until_complete(_lives(data, clock, dice))
    with closing(sqlite3.connect(data / "journal.db")) as connection:
        rows = [connection.execute(f"SELECT * FROM {table} ORDER BY 1, 2").fetchall() for table in TABLES]
    return sha256(repr(rows).replace(str(data), "").encode()).hexdigest()


def examined(root: Path, seed: int, *, fault: str | None = None) -> Faults:
    """Live as the seed says, then look; what is sound is thrown away."""
    data = root / f"seed-{seed}"
    simulate(data, seed, fault=fault)
    faults = asyncio.run(examine(data, _settings(data))).faults
    if not faults.any:
        for path in (data, asked_file(data), acknowledged_file(data)):
            shutil.rmtree(path, ignore_errors=True)
            path.unlink(missing_ok=True)
    return faults
