"""Two API processes and two workers on PostgreSQL and one Qdrant store, while they are killed or cut off: what many
callers were told is taken in is there once, in order. `python -m tests.support.several TRIAL`, as JSON, prints what was
seen as JSON.
"""

import asyncio
import json
import os
import signal
import sys
import tempfile
from collections import defaultdict
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random
from time import monotonic

from sqlalchemy import make_url

from agentmem.domain.memory import MemoryNode, MemoryType, StoreStatus
from agentmem.domain.persona import MemoryPolicy, Persona, Windows
from agentmem.domain.scope import Scope
from agentmem.ports.ledger import Selection
from agentmem.runtime.composition.opening import open_app
from agentmem.runtime.composition.telemetry import configure_logging
from agentmem.runtime.configuration.settings import PostgresSettings, QdrantIndexSettings, Settings
from agentmem.runtime.facade.app import App
from tests.support.cli import PATH, ROOT
from tests.support.hosts import Host, hosts
from tests.support.postgres import POSTGRES, schema
from tests.support.qdrant_front import qdrant

ADA = Persona(id="ada", name="Ada", language="en", memory=MemoryPolicy(windows=Windows(turns=4, idle_seconds=0.5)))
CITIES = ("Oslo", "Lyon", "Porto", "Graz", "Turku")
TURNS = 4
ANSWER_SECONDS, AGAIN_SECONDS, CUT_SECONDS = 10.0, 0.3, 4.0
LISTENING = "listening on "


@dataclass(frozen=True, slots=True)
class Trial:
    """So many conversations by so many callers; `kills` processes are killed meanwhile. With `apart` every process is a
    host of its own, and each is cut off once for a while."""

    conversations: int
    callers: int = 64
    kills: int = 0
    seed: int = 0
    apart: bool = False
    patience: float = 240.0


@dataclass(slots=True)
class Seen:
    """What came of it. `wrong` says what is lost, out of order or there twice."""

    accepted: int = 0
    asked_again: int = 0
    kills: int = 0
    cuts: int = 0
    seconds: float = 0.0
    wrong: list[str] = field(default_factory=list[str])


def said_by(number: int) -> tuple[str, list[str]]:
    """One person, and what he says."""
    name = f"Anna {chr(65 + number % 26)}{chr(97 + number // 26 % 26)}{chr(97 + number // 676)}ller"
    first = f"I live in {CITIES[number % len(CITIES)]}."
    return name, [first, *(f"This is line {place} of {number}." for place in range(1, TURNS))]


class Member:
    """A process, started anew whenever it is killed."""

    def __init__(self, command: Sequence[str], environment: dict[str, str], host: Host | None) -> None:
        self.host = host
        self._command = [*(host.entering if host else ()), sys.executable, "-m", "agentmem", *command]
        self._environment = environment
        self._process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        """Begin; what it tells goes nowhere."""
        self._process = await asyncio.create_subprocess_exec(
            *self._command,
            env={**os.environ, "PYTHONPATH": PATH, **self._environment},
            cwd=ROOT,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
        )

    @property
    def gone(self) -> str | None:
        """How it ended, where nobody ended it."""
        code = self._process.returncode if self._process else None
        return None if code is None else f"{' '.join(self._command)} ended by itself with {code}"

    async def end(self, how: signal.Signals) -> None:
        """Send it this, and wait until it is gone."""
        assert self._process is not None
        with suppress(ProcessLookupError):
            self._process.send_signal(how)
        try:
            await asyncio.wait_for(self._process.wait(), 30)
        except TimeoutError:
            self._process.kill()
            await self._process.wait()


@dataclass(frozen=True, slots=True)
class Api:
    """Where one answers."""

    host: str
    port: int

    async def post(self, token: str, path: str, key: str, body: object) -> tuple[int, str]:
        """The status of the answer, and what it says."""
        data = json.dumps(body).encode()
        head = (
            f"POST {path} HTTP/1.1\r\nHost: {self.host}\r\nAuthorization: Bearer {token}\r\nIdempotency-Key: {key}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\nConnection: close\r\n\r\n"
        )
        async with asyncio.timeout(ANSWER_SECONDS):
            reader, writer = await asyncio.open_connection(self.host, self.port)
            try:
                writer.write(head.encode() + data)
                answer = await reader.read()
                return int(answer.split()[1]), answer.partition(b"\r\n\r\n")[2].decode()
            finally:
                writer.close()


@dataclass(slots=True)
class Course:
    """One trial, under way."""

    trial: Trial
    seen: Seen
    dice: Random
    apis: list[Api]
    members: list[Member]
    token: str
    until: float
    taken: asyncio.Event = field(default_factory=asyncio.Event)

    async def talk(self) -> None:
        """All conversations, each of them in order, whatever happens to those who answer."""
        numbers = iter(range(self.trial.conversations))
        await asyncio.gather(*(self._call(numbers) for _ in range(self.trial.callers)))

    async def _call(self, numbers: Iterator[int]) -> None:
        for number in numbers:
            name, lines = said_by(number)
            for place, text in enumerate(lines):
                await self._told(f"{number}/{place}", {"person": name, "text": text, "run": f"talk {number}"})
                self.seen.accepted += 1
                self.taken.set()

    async def _told(self, key: str, body: object) -> None:
        while monotonic() < self.until:
            status, answer = 0, ""
            with suppress(OSError, TimeoutError, IndexError, ValueError):
                status, answer = await self.dice.choice(self.apis).post(self.token, "/v1/agents/ada/turns", key, body)
            if status == 202:
                return
            if 400 <= status < 500 and status != 429:
                raise AssertionError(f"turn {key} was answered with {answer}")
            self.seen.asked_again += 1
            await asyncio.sleep(AGAIN_SECONDS)
        raise AssertionError(f"turn {key} was not taken in within {self.trial.patience:g} s")

    async def trouble(self) -> None:
        """Kill, or cut off, at even parts of the way."""
        total, times = self.trial.conversations * TURNS, self.trial.kills + (len(self.members) * self.trial.apart)
        cut = list(self.members) if self.trial.apart else []
        for number in range(times):
            while self.seen.accepted < total * (number + 1) // (times + 1):
                await self.taken.wait()
                self.taken.clear()
            if cut:
                await self._cut(cut.pop())
            else:
                member = self.dice.choice(self.members)
                await member.end(signal.SIGKILL)
                await member.start()
                self.seen.kills += 1

    async def _cut(self, member: Member) -> None:
        assert member.host is not None
        await member.host.link(up=False)
        await asyncio.sleep(CUT_SECONDS)
        await member.host.link(up=True)
        self.seen.cuts += 1


@asynccontextmanager
async def running(trial: Trial, seen: Seen, folder: Path, namespace: str) -> AsyncGenerator[tuple[Course, Settings]]:
    """Everything, while the body runs."""
    url = make_url(POSTGRES)
    async with AsyncExitStack() as stack:
        apart = await stack.enter_async_context(hosts(4 if trial.apart else 0, (url.host or "", url.port or 5432)))
        front = await stack.enter_async_context(qdrant("127.0.0.1", *(host.gateway for host in apart)))

        def settings(place: int | None) -> Settings:
            host = apart[place] if place is not None and apart else None
            near = url.set(host=host.gateway, port=host.port) if host else url
            return Settings(
                data=folder / str(place),
                journal=PostgresSettings.model_validate(
                    {"url": near.render_as_string(hide_password=False), "schema": namespace}
                ),
                index=QdrantIndexSettings(url=f"http://{host.gateway if host else '127.0.0.1'}:{front}"),
            )

        async with open_app(settings(None)) as app:
            await app.know_agent(ADA)
            token = (await app.tokens.create("callers", {}, for_owner=True)).secret
        apis = [
            Api(apart[place].address if apart else "127.0.0.1", 8_500 + trial.seed % 500 + place) for place in (0, 1)
        ]
        commands = [
            *(("serve", "--no-workers", "--host", api.host, "--port", str(api.port)) for api in apis),
            *(("worker",) for _ in range(2)),
        ]
        members = [
            Member(command, _environment(settings(place)), apart[place] if apart else None)
            for place, command in enumerate(commands)
        ]
        for member in members:
            await member.start()
            stack.push_async_callback(member.end, signal.SIGTERM)
        yield (
            Course(trial, seen, Random(trial.seed), apis, members, token, monotonic() + trial.patience),
            settings(None),
        )


def _environment(settings: Settings) -> dict[str, str]:
    assert isinstance(settings.journal, PostgresSettings)
    assert isinstance(settings.index, QdrantIndexSettings)
    return {
        "AGENTMEM_DATA": str(settings.data),
        "AGENTMEM_JOURNAL__KIND": "postgres",
        "AGENTMEM_JOURNAL__URL": settings.journal.url.get_secret_value(),
        "AGENTMEM_JOURNAL__SCHEMA": settings.journal.namespace,
        "AGENTMEM_INDEX__KIND": "qdrant",
        "AGENTMEM_INDEX__URL": settings.index.url or "",
        "AGENTMEM_WORKERS__HEARTBEAT": "1",
        "AGENTMEM_WORKERS__BACKOFF_MAX": "2",
    }


async def examine(app: App, trial: Trial, seen: Seen, until: float) -> None:
    """Wait until the workers are done, then look for what is lost, out of order or there twice."""
    while (depth := await app.journal.queue.depth()).ready or depth.delayed or depth.leased:
        if monotonic() > until:
            seen.wrong.append(f"still waiting: {depth}")
            return
        await asyncio.sleep(0.2)
    seen.wrong += [f"given up: {depth.dead}"] if depth.dead else []
    nodes = await _all(app)
    episodes, facts = defaultdict[str, list[str]](list), defaultdict[str, list[str]](list)
    for node in nodes:
        if node.memory_type is MemoryType.CONVERSATION:
            episodes[node.target_name].append(node.content)
        elif node.store_status is StoreStatus.VALID and "lives in" in node.content:
            facts[node.target_name].append(node.content)
    for number in range(trial.conversations):
        name, lines = said_by(number)
        if episodes[name] != lines:
            seen.wrong.append(f"{name} said {lines}, remembered is {episodes[name]}")
        if len(facts[name]) != 1:
            seen.wrong.append(f"of where {name} lives is known {facts[name]}")
    seen.wrong += [] if len(episodes) == trial.conversations else [f"{len(episodes)} people spoke"]
    report = await app.index.verify()
    while not report.ok and monotonic() < until:
        await asyncio.sleep(1.0)  # whoever wrote an older state last has the newer one still to write
        report = await app.index.verify()
    seen.wrong += [] if report.ok else [f"the index: {report}"]


async def _all(app: App) -> list[MemoryNode]:
    layers = (MemoryType.CONVERSATION, MemoryType.OBSERVATION)
    chosen = Selection(Scope(app.tenant, ADA.id), types=layers, limit=1_000_000)
    return list(await app.memories(chosen))[::-1]


async def tried(trial: Trial) -> Seen:
    """What was seen."""
    seen, began = Seen(), monotonic()
    with tempfile.TemporaryDirectory() as folder, schema() as namespace:
        async with running(trial, seen, Path(folder), namespace) as (course, settings):
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(course.trouble())
                tasks.create_task(course.talk())
            async with open_app(settings) as app:
                await examine(app, trial, seen, course.until)
            seen.wrong += [member.gone for member in course.members if member.gone]
    seen.seconds = round(monotonic() - began, 1)
    return seen


if __name__ == "__main__":
    configure_logging("error")
    sys.stdout.write(json.dumps(asdict(asyncio.run(tried(Trial(**json.loads(sys.argv[1])))))) + "\n")
