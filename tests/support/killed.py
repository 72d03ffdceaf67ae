"""The process that is killed: producers and workers on one data directory, dying where it is told to.

`python -m tests.support.killed` loads everything once, then forks a process group for each line it reads: one process
with the index and, if asked for, a second one beside it without. It answers with the group, then with its end.
"""

import asyncio
import json
import os
import signal
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from random import SystemRandom
from tempfile import TemporaryDirectory
from typing import Any, cast

import agentmem_workers
from agentmem.adapters.embedder import hashed
from agentmem.adapters.journal import journal as journals
from agentmem.adapters.memory_index import edge
from agentmem.domain.event import ConversationEnded, Event, Person, TurnSpoken
from agentmem.domain.ids import entity_id
from agentmem.domain.persona import MemoryPolicy, Persona, Windows
from agentmem.errors import Busy
from agentmem.ledger import projection
from agentmem.ports.memory_index import Point
from agentmem.runtime.composition.opened import migrate_embedder
from agentmem.runtime.composition.opening import open_app
from agentmem.runtime.composition.telemetry import configure_logging
from agentmem.runtime.configuration.settings import Settings, WorkerSettings
from agentmem.runtime.facade.app import App
from tests.support.faulty import FAULTS
from tests.support.syscalls import DIE, Disk
from tests.support.whims import Whims

TENANT, AGENT = "acme", "seller"
_STEPS = ("append", "claim", "stage", "finish", "fail", "enqueue", "mark", "upsert", "flush")
STEPS = (*(f"{moment}:{step}" for step in _STEPS for moment in ("before", "after")), "amid:upsert")
"""Where a process may be told to die: around each commit of the journal, around each write and flush of the index."""

PRODUCERS = 3

_dice = SystemRandom()
_LOADED = (hashed, agentmem_workers)  # so that a life, which is forked, need not load them


@dataclass(frozen=True, slots=True)
class Round:
    """One life. `step` None: lives until it is killed from outside. `fault` names a double from `faulty`.

    With `migrate_to`, an embedder, it is a life of moving there, in small steps, instead of one of talking. `call`, not
    0, is the call to the disk that it dies at.
    """

    data: str
    number: int
    step: str | None = None
    at_time: int = 1
    beside: bool = False
    fault: str | None = None
    migrate_to: str | None = None
    call: int = 0


def settings(data: Path, embedder: str = "hash") -> Settings:
    """Impatient, so that retries come around within a life."""
    return Settings(
        tenant=TENANT,
        data=data,
        embedder=embedder,
        workers=WorkerSettings(concurrency=16, attempts=60, backoff_initial=0.005, backoff_max=0.05),
    )


def persona() -> Persona:
    """Short windows, so that much is cut and read."""
    return Persona(id=AGENT, name="小美", memory=MemoryPolicy(windows=Windows(turns=4, idle_seconds=0.2)))


def asked_file(data: Path) -> Path:
    """Every event that anybody tried to append, a JSON line each."""
    return data.with_name(data.name + ".asked")


def acknowledged_file(data: Path) -> Path:
    """The ids of those that were answered for, written down after the answer."""
    return data.with_name(data.name + ".acknowledged")


class Death:
    """Hears the names of steps, and kills the whole process group at the one it waits for."""

    def __init__(self, step: str | None, at_time: int) -> None:
        self._step, self._left = step, at_time

    def hear(self, step: str) -> None:
        """Die now, if this is it."""
        if step == self._step:
            self._left -= 1
            if self._left <= 0:
                os.killpg(os.getpgrp(), signal.SIGKILL)


def _arm(life: Round) -> None:
    """Put listening parts where the wiring finds its adapters."""
    death = Death(life.step, life.at_time)
    sql_journal = journals.SqlJournal

    def journal(*args: Any, **options: Any) -> journals.SqlJournal:
        made = sql_journal(*args, on_commit=death.hear, **options)
        if life.fault is not None:
            made.queue = cast(Any, FAULTS[life.fault](made, death.hear))
        return made

    class Index(edge.EdgeIndex):
        async def upsert(self, points: Any) -> None:
            half: list[Point] = list(points)[: len(points) // 2]
            death.hear("before:upsert")
            await super().upsert(half)
            death.hear("amid:upsert")
            await super().upsert(points)
            death.hear("after:upsert")

        async def flush(self) -> None:
            death.hear("before:flush")
            await super().flush()
            death.hear("after:flush")

    journals.SqlJournal = cast(Any, journal)
    edge.EdgeIndex = Index


async def _live(life: Round, *, index: bool) -> None:
    data = Path(life.data)
    if life.migrate_to is not None:
        projection.BATCH = projection.FLUSH_POINTS = 4
        await migrate_embedder(settings(data, life.migrate_to), lambda done, of: None)
        return
    async with open_app(settings(data), cognition=Whims(), index=index) as app:
        await app.know_agent(persona())
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(app.serve(asyncio.Event()))
            for number in range(PRODUCERS):
                name = f"r{life.number}{'ab'[not index]}{number}"
                customer = name if number else f"regular {life.number // 10}"
                tasks.create_task(Producer(app, data, name, customer).talk())


class Producer:
    """One customer's side of many conversations, said as fast as they are accepted."""

    def __init__(self, app: App, data: Path, name: str, customer: str) -> None:
        self._app, self._name, self._person = app, name, Person(name=customer)
        self._target = entity_id(TENANT, AGENT, customer)
        mode = os.O_WRONLY | os.O_APPEND | os.O_CREAT
        self._asked = os.open(asked_file(data), mode)
        self._acknowledged = os.open(acknowledged_file(data), mode)
        self._count = 0

    async def talk(self) -> None:
        """Speak until killed; one event in eight is sent twice at once, as by a caller who lost his patience."""
        while True:
            events = [self._next() for _ in range(_dice.choice((1, 1, 1, 3)))]
            for event in events:
                os.write(self._asked, (event.model_dump_json() + "\n").encode())
            if _dice.random() < 0.125:
                await asyncio.gather(self._append(events), self._append(events))
            else:
                await self._append(events)
            await asyncio.sleep(0.005)

    async def _append(self, events: list[Event]) -> None:
        try:
            accepted = await self._app.accept(events)
        except Busy:
            return
        os.write(self._acknowledged, "".join(f"{answer.event_id}\n" for answer in accepted).encode())
        os.fsync(self._acknowledged)

    def _next(self) -> Event:
        self._count += 1
        run, place = f"{self._name}.{self._count // 8}", self._count % 8
        common = {
            "event_id": f"{self._name}.{self._count}",
            "tenant": TENANT,
            "agent_id": AGENT,
            "agent_name": "小美",
            "target_id": self._target,
            "run_id": run,
            "at": datetime.now(UTC),
        }
        if place == 7:
            return ConversationEnded.model_validate(common)
        text = f"{self._name}.{self._count} {'么' * _dice.randint(1, 40)}"
        turn = {"person": self._person, "by_agent": place % 2 == 0, "text": text, "turn_index": place}
        return TurnSpoken.model_validate(common | turn)


def _begin(life: Round, group: int, *, index: bool) -> int:
    """Fork one process of the group (0: a group of its own) and let it live; its id."""
    child = os.fork()
    if child:
        os.setpgid(child, group or child)
        return child
    status = 1
    try:
        os.setpgid(0, group)
        _arm(life)
        if life.call:
            Disk().arm(Path(life.data), "*", life.call, DIE)
        asyncio.run(_live(life, index=index))
        status = 0
    except BaseException as error:  # noqa: BLE001 - a process's life ends here, and must not go on as its parent
        sys.stderr.write(f"round {life.number}: {error!r}\n")
    os._exit(status)


async def _warm_up(folder: Path) -> None:
    """Talk once, so that a life, which is forked, has nothing to load. Without the index: threads are not forked."""
    async with open_app(settings(folder), cognition=Whims(moody=False, thinking=0), index=False) as app:
        await app.know_agent(persona())
        for number in range(9):
            await app.say(AGENT, "Warm", f"{number} 热身 told on 2024-05-01", end=number == 8)
        await app.drain()


def _serve(say: Callable[[object], None]) -> None:
    for line in sys.stdin:
        life = Round(**json.loads(line))
        first = _begin(life, 0, index=True)
        family = [first, _begin(life, first, index=False)] if life.beside else [first]
        say({"group": first})
        say({"statuses": [os.waitpid(process, 0)[1] for process in family]})


def command(life: Round) -> str:
    """The line that asks for this life."""
    return json.dumps(asdict(life)) + "\n"


def _say(message: object) -> None:
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    configure_logging("error")
    with TemporaryDirectory() as scratch:
        asyncio.run(_warm_up(Path(scratch)))
    _serve(_say)
