"""Operations on a whole store, each interrupted at one call to the disk: afterwards it has happened, or it has not.

`python -m tests.support.operations` loads everything once, then forks a process for each line it reads, to do one of
two things: to open the store, do what it is told, and die or fail where the disk says so; or to open what is left, tell
what it knows, do the same again, and tell that. What came of it is judged in `trials`.
"""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Any, Final, Self

import agentmem_workers
from agentmem.adapters.embedder import hashed
from agentmem.adapters.memory_index import edge
from agentmem.domain.ids import entity_id
from agentmem.domain.memory import MemoryType
from agentmem.domain.persona import HirePolicy, MemoryPolicy, Persona, Windows
from agentmem.domain.scope import Scope
from agentmem.errors import AgentMemError, EmbedderChanged
from agentmem.memory.forget import Meant
from agentmem.ports.ledger import Selection
from agentmem.runtime.composition.opened import migrate_embedder
from agentmem.runtime.composition.opening import open_app
from agentmem.runtime.composition.telemetry import configure_logging
from agentmem.runtime.configuration.settings import EdgeIndexSettings, Settings, TransientIndexSettings
from agentmem.runtime.facade.app import App
from tests.support.index_kind import IN_MEMORY, an_index
from tests.support.syscalls import Disk, environment

TENANT, AGENT, HIRER = "acme", "seller", "globex"
PERSONA: Final = Persona(
    id=AGENT,
    name="小美",
    memory=MemoryPolicy(windows=Windows(turns=4)),
    hire=HirePolicy(layers=(MemoryType.LONGTERM,)),
)
TALK: Final = {
    "李雷": ("我姓李,我们公司有200人", "预算大概30万", "我的电话是13800138000", "预算改成50万了"),
    "Tom": ("My phone number is 555-0142.", "I live in Oslo.", "I am allergic to nuts.", "I moved to Bergen."),
}
MORE: Final = ("我们公司在杭州", "我喜欢喝咖啡", "我对花生过敏", "下周三下午三点开会")
CANARY: Final = "13800138000"
_LOADED: Final = (hashed, edge, agentmem_workers)


@dataclass(frozen=True, slots=True)
class Place:
    """A store with what stands beside it: `data`, documents to take in, a bundle to import, a folder to export to."""

    root: Path
    index: EdgeIndexSettings | TransientIndexSettings = field(default_factory=an_index)

    @property
    def data(self) -> Path:
        """The data directory."""
        return self.root / "data"

    @property
    def bundle(self) -> Path:
        """An agent of another store, exported."""
        return self.root / "traveller.zip"

    @property
    def document(self) -> Path:
        """A document that the agent does not know yet."""
        return self.root / "terms.md"

    @property
    def out(self) -> Path:
        """Where files are written."""
        return self.root / "out"

    @property
    def acknowledged(self) -> Path:
        """The turns that were answered for, a line each: beside the store, where no disk fails."""
        return self.root.with_name(f"{self.root.name}-acknowledged")

    def settings(self, embedder: str = "hash") -> Settings:
        """Of the store."""
        personas = self.root / "personas"
        return Settings(tenant=TENANT, data=self.data, embedder=embedder, personas=personas, index=self.index)


def _scope(name: str) -> Scope:
    return Scope(TENANT, AGENT, entity_id(TENANT, AGENT, name))


async def make_place(place: Place) -> None:
    """Fill a place that is not there yet."""
    place.out.mkdir(parents=True)
    place.document.write_text("# 条款\n\n云桥合同至少一年。\n\n## 退款\n\n三十天内可以退款。\n", encoding="utf-8")
    known = place.root / "product.md"
    known.write_text("# 云桥\n\n云桥可以处理社保数据。\n\n## 价格\n\n每年三万元。\n", encoding="utf-8")
    async with open_app(place.settings()) as app:
        await app.know_agent(PERSONA)
        for person, turns in TALK.items():
            for number, text in enumerate(turns, 1):
                await app.say(AGENT, person, text, run_id=f"of {person}", key=f"{person}{number}", end=number == 4)
        await app.library.ingest(AGENT, [known])
        await app.drain()
        await app.bundles.export(AGENT, place.bundle)


async def _talk(app: App, place: Place) -> None:
    for number, text in enumerate(MORE, 1):
        await app.say(AGENT, "李雷", text, run_id="more", key=f"more{number}", end=number == len(MORE))
        with place.acknowledged.open("a", encoding="utf-8") as acknowledged:
            acknowledged.write(text + "\n")
    await app.drain()


async def _ingest(app: App, place: Place) -> None:
    await app.library.ingest(AGENT, [place.document])
    await app.drain()


async def _import(app: App, place: Place) -> None:
    await app.bundles.import_(place.bundle, agent_id="traveller")


async def _clone(app: App, place: Place) -> None:
    await app.copies.clone(AGENT, "south")


async def _hire(app: App, place: Place) -> None:
    await app.copies.hire(AGENT, "adviser", tenant=HIRER, from_tenant=TENANT)


async def _rebuild(app: App, place: Place) -> None:
    await app.index.rebuild(lambda done, of: None)


async def _forget(app: App, place: Place) -> None:
    await app.forget(Meant(_scope("李雷"), query="忘掉我的电话"))


async def _erase(app: App, place: Place) -> None:
    await app.forget(Meant(_scope("李雷")), erase=True)


async def _export(app: App, place: Place) -> None:
    await app.bundles.export(AGENT, place.out / "seller.zip", force=True)


async def _backup(app: App, place: Place) -> None:
    await app.upkeep.backup(place.out / "store.backup", now=app.clock.now(), force=True)


async def _reflect(app: App, place: Place) -> None:
    await app.reflect(Scope(TENANT, AGENT), key="once")


async def _careless(app: App, place: Place) -> None:
    for name in ("first", "second"):
        await app.know_agent(Persona(id=name, name=name))


Answer = dict[str, Any]
"""What a process tells of a trial, as JSON."""

Operation = Callable[[App, Place], Awaitable[None]]
OPERATIONS: Final[Mapping[str, Operation]] = {
    "talk": _talk,
    "ingest": _ingest,
    "import": _import,
    "clone": _clone,
    "hire": _hire,
    "rebuild": _rebuild,
    "forget": _forget,
    "erase": _erase,
    "export": _export,
    "backup": _backup,
    "reflect": _reflect,
    "careless": _careless,
}
"""What is done with an open app; `migrate` opens the store by itself, and `careless` is a control: it is two steps that
should be one, and must be caught."""

NAMES: Final = (*(name for name in OPERATIONS if name != "careless"), "migrate")


@dataclass(frozen=True, slots=True)
class Trial:
    """One operation, and at which call to the disk what happens: an errno, `DIE`, or 0, nothing."""

    root: str
    operation: str
    nth: int = 0
    outcome: int = 0
    calls: str = "*"
    lasting: bool = False
    keep: str | None = None
    """Where what is durable of the place is kept, for a power cut."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How it ended: the status of the process, the calls it made until then, and what it could not do."""

    status: int
    calls: int = 0
    error: str | None = None
    known: bool = True

    @property
    def killed(self) -> bool:
        """Whether it died as it was told to."""
        return os.WIFSIGNALED(self.status) and os.WTERMSIG(self.status) == signal.SIGKILL


async def _operate(trial: Trial) -> None:
    place = Place(Path(trial.root))
    if trial.operation == "migrate":
        await migrate_embedder(place.settings("hash-128"), lambda done, of: None)
        return
    async with open_app(place.settings()) as app:
        await OPERATIONS[trial.operation](app, place)


def _live(trial: Trial) -> Answer:
    disk = Disk()
    if trial.keep is not None:
        disk.shadow(Path(trial.root), Path(trial.keep))
    disk.arm(Path(trial.root), trial.calls, trial.nth, trial.outcome, lasting=trial.lasting)
    error, known = None, True
    try:
        asyncio.run(_operate(trial))
    except AgentMemError as problem:
        error = _named(problem)
    except BaseException as problem:  # noqa: BLE001 - a process's life ends here; what it died of is told
        error, known = _named(problem), False
    calls = disk.calls
    disk.disarm()
    return {"calls": calls, "error": error, "known": known}


Signature = Counter[tuple[str, ...]]
"""What a store knows: tenant, agent, about whom, layer, status and content of each memory, and each agent."""


@dataclass(frozen=True, slots=True)
class Left:
    """What a store knows when it is opened after a trial, and when the operation was done again; what is wrong with it,
    why it could not be done again, or why the store cannot be used at all."""

    known: Signature
    then: Signature
    wrong: tuple[str, ...] = ()
    again: str | None = None
    unusable: str | None = None


async def _known(app: App) -> tuple[Signature, list[str]]:
    """What is known once what waits was read, and what is wrong with it."""
    known: Signature = Counter()
    await app.drain(patience=20)
    for tenant in (TENANT, HIRER):
        for persona in await app.journal.registry.agents(tenant):
            known[tenant, persona.id, "", "", "", ""] += 1
            nodes = await app.journal.ledger.select(Selection(Scope(tenant, persona.id), limit=100_000))
            known.update(
                (tenant, persona.id, node.target_name, node.memory_type, node.store_status, node.content)
                for node in nodes
            )
    report = await app.index.verify()
    wrong = [] if report.ok else [f"index: {report}"]
    return known, [*wrong, *(f"dead letter: {letter.reason}" for letter in await app.upkeep.dead())]


async def _again(operation: Awaitable[None]) -> str | None:
    try:
        await operation
    except AgentMemError as problem:
        return _named(problem)
    return None


async def _left(trial: Trial) -> Left:
    place = Place(Path(trial.root))
    if trial.operation == "migrate":
        return await _left_of_migration(trial, place)
    async with open_app(place.settings()) as app:
        known, wrong = await _known(app)
        again = await _again(OPERATIONS[trial.operation](app, place))
        then, wrong_then = await _known(app)
    return Left(known, then, (*wrong, *wrong_then), again)


async def _left_of_migration(trial: Trial, place: Place) -> Left:
    """Where a store is not the old one any more, it must be the new one."""
    try:
        async with open_app(place.settings()) as app:
            known, wrong = await _known(app)
    except EmbedderChanged:
        async with open_app(place.settings("hash-128")) as app:
            known, wrong = await _known(app)
    again = await _again(_operate(trial))
    async with open_app(place.settings("hash-128")) as app:
        then, wrong_then = await _known(app)
    return Left(known, then, (*wrong, *wrong_then), again)


def _look(trial: Trial) -> Answer:
    Disk().hasten(Path(trial.root))
    try:
        left = asyncio.run(_left(trial))
    except BaseException as problem:  # noqa: BLE001 - whatever it is that makes the store unusable is what is looked for
        left = Left(Counter(), Counter(), unusable=_named(problem))
    counts = {name: [*getattr(left, name).items()] for name in ("known", "then")}
    return {**counts, "wrong": left.wrong, "again": left.again, "unusable": left.unusable}


def _named(problem: BaseException) -> str:
    return f"{type(problem).__name__}: {problem}"


def _fork(task: Callable[[Trial], Answer], trial: Trial) -> tuple[int, Answer]:
    """The status and the answer of a process of its own; it answers nothing where it is killed."""
    read, write = os.pipe()
    child = os.fork()
    if not child:
        os.setpgid(0, 0)
        os.close(read)
        with os.fdopen(write, "wb") as pipe:
            pipe.write(json.dumps(task(trial)).encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as answer:
        told = answer.read()
    return os.waitpid(child, 0)[1], json.loads(told or b"{}")


class Operator:
    """A process in which everything is loaded, and which forks one for each trial. A context manager."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.support.operations"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, **environment(), "OPENBLAS_NUM_THREADS": "1", "PYTHONWARNINGS": "ignore"},
            cwd=Path(__file__).parents[2],
        )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._process is not None
        with self._process as process:
            assert process.stdin is not None
            process.stdin.close()

    def run(self, trial: Trial) -> Ended:
        """Do it; how it ended."""
        status, answer = self._asked("live", trial)
        return Ended(status, **answer)

    def look(self, trial: Trial) -> Left:
        """What the store of a trial knows, and what it knows when the operation is done again."""
        status, answer = self._asked("look", trial)
        if status:
            return Left(Counter(), Counter(), unusable=f"the process ended with status {status}")
        known, then = (Counter({tuple(key): count for key, count in answer.pop(name)}) for name in ("known", "then"))
        return Left(known, then, tuple(answer.pop("wrong")), **answer)

    def _asked(self, task: str, trial: Trial) -> tuple[int, Answer]:
        assert self._process is not None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps([task, asdict(trial)]) + "\n")
        self._process.stdin.flush()
        status, answer = json.loads(self._process.stdout.readline())
        return status, answer


_TASKS: Final[Mapping[str, Callable[[Trial], Answer]]] = {"live": _live, "look": _look}


async def _warm_up(folder: Path) -> None:
    """Do everything once, so that a trial, which is forked, has nothing to load. The index lies in memory: of threads
    such as Edge's none would be in a fork."""
    place = Place(folder / "place", IN_MEMORY)
    await make_place(place)
    async with open_app(place.settings()) as app:
        for name, operation in OPERATIONS.items():
            if name not in ("erase", "careless"):
                await operation(app, place)
        await app.drain()
        await app.index.verify()
        await _erase(app, place)
    await migrate_embedder(place.settings("hash-128"), lambda done, of: None)


def _serve() -> None:
    for line in sys.stdin:
        task, trial = json.loads(line)
        sys.stdout.write(json.dumps(_fork(_TASKS[task], Trial(**trial))) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    configure_logging("error")
    with TemporaryDirectory() as scratch:
        asyncio.run(_warm_up(Path(scratch)))
    _serve()
