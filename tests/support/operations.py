"""Operations on a whole store, each interrupted at one call to the disk: afterwards it has happened, or it has not.

`python -m tests.support.operations` loads everything once, then forks a process for each line it reads: it copies
nothing and decides nothing, it opens the store, does what it is told, and dies or fails where the disk says so.
"""

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Final, Self

import workers
from agentmem.adapters.embedder import hashed
from agentmem.adapters.memory_index import edge
from agentmem.domain.ids import entity_id
from agentmem.domain.memory import MemoryType
from agentmem.domain.persona import HirePolicy, MemoryPolicy, Persona, Windows
from agentmem.domain.scope import Scope
from agentmem.errors import AgentMemError
from agentmem.language.tokens import tokens
from agentmem.memory.forget import Meant
from agentmem.ports.ledger import Selection
from agentmem.runtime.app import App, open_app
from agentmem.runtime.migration import migrate_embedder
from agentmem.runtime.settings import Settings
from agentmem.runtime.telemetry import configure_logging
from tests.support.killed import asked_file
from tests.support.syscalls import DIE, Disk, after_power_cut, copy_all, environment

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
_LOADED: Final = (hashed, edge, workers)


@dataclass(frozen=True, slots=True)
class Place:
    """A store with what stands beside it: `data`, documents to take in, a bundle to import, a folder to export to."""

    root: Path

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

    def settings(self, embedder: str = "hash") -> Settings:
        """Of the store."""
        return Settings(tenant=TENANT, data=self.data, embedder=embedder, personas=self.root / "personas")


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
        with asked_file(place.data).open("a", encoding="utf-8") as acknowledged:
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


async def _reflect(app: App, place: Place) -> None:
    await app.reflect(Scope(TENANT, AGENT), key="once")


async def _careless(app: App, place: Place) -> None:
    for name in ("first", "second"):
        await app.know_agent(Persona(id=name, name=name))


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


def _live(trial: Trial, answer: int) -> None:
    disk = Disk()
    if trial.keep is not None:
        disk.shadow(Path(trial.root), Path(trial.keep))
    disk.arm(Path(trial.root), trial.calls, trial.nth, trial.outcome, lasting=trial.lasting)
    error, known = None, True
    try:
        asyncio.run(_operate(trial))
    except AgentMemError as problem:
        error = f"{type(problem).__name__}: {problem}"
    except BaseException as problem:  # noqa: BLE001 - a process's life ends here; what it died of is told
        error, known = f"{type(problem).__name__}: {problem}", False
    calls = disk.calls
    disk.disarm()
    os.write(answer, json.dumps({"calls": calls, "error": error, "known": known}).encode())


def _fork(trial: Trial) -> Ended:
    read, write = os.pipe()
    child = os.fork()
    if not child:
        os.setpgid(0, 0)
        os.close(read)
        _live(trial, write)
        os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as answer:
        told = answer.read()
    status = os.waitpid(child, 0)[1]
    return Ended(status, **json.loads(told or b"{}"))


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
        assert self._process is not None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(asdict(trial)) + "\n")
        self._process.stdin.flush()
        return Ended(**json.loads(self._process.stdout.readline()))


Signature = Counter[tuple[str, str, str, str, str, str]]
"""What a store knows: tenant, agent, about whom, layer, status and content of each memory, and each agent."""


async def signature(place: Place, embedder: str = "hash") -> tuple[Signature, list[str]]:
    """What is known once the store was opened and what waits was read, and what is wrong with it."""
    wrong: list[str] = []
    known: Signature = Counter()
    async with open_app(place.settings(embedder)) as app:
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
        if not report.ok:
            wrong.append(f"index: {report}")
        wrong += [f"dead letter: {letter.reason}" for letter in await app.upkeep.dead()]
    return known, wrong


@dataclass(slots=True)
class Outcome:
    """What came of a series of trials."""

    killed: Counter[str] = field(default_factory=Counter[str])
    refused: Counter[str] = field(default_factory=Counter[str])
    passed: Counter[str] = field(default_factory=Counter[str])
    wrong: list[str] = field(default_factory=list[str])

    def __str__(self) -> str:
        return (
            f"{self.killed.total()} killed, {self.refused.total()} refused with an error, "
            f"{self.passed.total()} went through; {len(self.wrong)} wrong"
        )


class Series:
    """Trials on copies of one place; `root` is a folder that is not there yet or empty."""

    def __init__(self, root: Path, operator: Operator) -> None:
        self._root, self._operator = root, operator
        self._template = Place(root / "template")
        self._count = 0
        self.outcome = Outcome()
        asyncio.run(make_place(self._template))

    @cached_property
    def before(self) -> Signature:
        """What is known before anything is done."""
        return self._signature("before", None)[0]

    def _signature(self, name: str, operation: str | None) -> tuple[Signature, int]:
        place = self._copy(name)
        ended = self._operator.run(Trial(str(place.root), operation)) if operation else Ended(0)
        assert ended.error is None, f"{operation} by itself: {ended}"
        known, wrong = asyncio.run(signature(place, _embedder(operation)))
        assert not wrong, f"{operation} by itself: {wrong}"
        shutil.rmtree(place.root)
        return known, ended.calls

    def whole(self, operation: str) -> tuple[Signature, int]:
        """What is known when nothing comes in between, and how many calls it takes."""
        made = self.__dict__.setdefault("_whole", {})
        if operation not in made:
            made[operation] = self._signature(f"whole-{operation}", operation)
        return made[operation]

    def try_(self, operation: str, nth: int, outcome: int, calls: str = "*", *, lasting: bool = False) -> None:
        """Interrupt the operation there, and write down what is wrong afterwards."""
        place = self._copy(f"{self._count}-{operation}")
        self._count += 1
        trial = Trial(str(place.root), operation, nth, outcome, calls, lasting)
        name = f"{operation}, {calls} {nth}: {'killed' if outcome == DIE else os.strerror(outcome)}"
        self._judge(place, trial, self._operator.run(trial), name)

    def cut_power(self, operation: str, nth: int) -> None:
        """Let the power fail there (0: when the operation said that it was done), and write down what is wrong."""
        place, keep = self._copy(f"{self._count}-{operation}"), self._root / f"{self._count}-durable"
        self._count += 1
        trial = Trial(str(place.root), operation, nth, DIE if nth else 0, keep=str(keep))
        ended = self._operator.run(trial)
        left = Place(self._root / f"{self._count}-left")
        after_power_cut(place.root, keep, left.root)
        with suppress(FileNotFoundError):
            shutil.copyfile(asked_file(place.data), asked_file(left.data))
        shutil.rmtree(place.root)
        left.root.rename(place.root)
        self._judge(place, trial, ended, f"{operation}, power cut at {nth}")
        shutil.rmtree(keep)

    def _judge(self, place: Place, trial: Trial, ended: Ended, name: str) -> None:
        operation = trial.operation
        found = [*self._complaints(place, trial, ended)]
        self.outcome.wrong += [f"{name}: {complaint}" for complaint in found]
        kind = self.outcome.killed if ended.killed else self.outcome.refused if ended.error else self.outcome.passed
        kind[operation] += 1
        if not found:
            shutil.rmtree(place.root)

    def _complaints(self, place: Place, trial: Trial, ended: Ended) -> Iterable[str]:
        if not ended.known:
            yield f"an error that is not ours: {ended.error}"
        if ended.status and not (ended.killed and trial.outcome == DIE):
            yield f"the process ended with status {ended.status}"
        try:
            yield from self._state(place, trial, ended)
        except Exception as error:  # noqa: BLE001 - whatever it is that makes the store unusable is what is looked for
            yield f"cannot be used afterwards: {type(error).__name__}: {error}"

    def _state(self, place: Place, trial: Trial, ended: Ended) -> Iterable[str]:
        after, _ = self.whole(trial.operation)
        known, wrong = asyncio.run(signature(place, self._embedder_left(place, trial.operation)))
        yield from wrong
        yield from self._half_applied(place, trial.operation, known, after)
        if ended.error is None and not ended.killed and known != after:
            yield f"said to be done, and is not: {_difference(known, after)}"
        again = self._operator.run(Trial(trial.root, trial.operation))
        if again.error is not None and not ("is here already" in again.error and known == after):
            yield f"cannot be done again: {again.error}"
        known, wrong = asyncio.run(signature(place, _embedder(trial.operation)))
        yield from wrong
        if known != after:
            yield f"done again it is not what it would have been: {_difference(known, after)}"
        yield from _left_lying(place, trial.operation)

    def _half_applied(self, place: Place, operation: str, known: Signature, after: Signature) -> Iterable[str]:
        if operation == "talk":
            acknowledged = asked_file(place.data)
            turns = acknowledged.read_text(encoding="utf-8").splitlines() if acknowledged.exists() else []
            spoken = Counter(content for *_, layer, _, content in known.elements() if layer == "conversation")
            yield from (f"lost: {text}" for text in turns if not spoken[text])
            yield from (f"{count} times: {text}" for text, count in spoken.items() if count > 1)
        elif known not in (self.before, after):
            yield f"half applied: {_difference(known, self.before)}"

    @staticmethod
    def _embedder_left(place: Place, operation: str) -> str:
        if operation != "migrate":
            return "hash"
        with suppress(AgentMemError):
            asyncio.run(_opened(place))
            return "hash"
        return "hash-128"

    def _copy(self, name: str) -> Place:
        place = Place(self._root / name)
        copy_all(self._template.root, place.root)
        return place


async def _opened(place: Place) -> None:
    async with open_app(place.settings()):
        return


def _embedder(operation: str | None) -> str:
    return "hash-128" if operation == "migrate" else "hash"


def _difference(known: Signature, other: Signature) -> str:
    more, less = known - other, other - known
    return f"{more.total()} more {[*more][:2]}, {less.total()} fewer {[*less][:2]}"


def _left_lying(place: Place, operation: str) -> Iterable[str]:
    """Files that nobody would look for, and words of the erased."""
    expected = {"seller.zip"} if operation == "export" else set[str]()
    yield from (f"left lying: {path.name}" for path in place.out.iterdir() if path.name not in expected)
    if operation == "erase":
        files = (path for path in place.data.rglob("*") if path.is_file())
        yield from (f"still in {path.name}: {CANARY}" for path in files if CANARY.encode() in path.read_bytes())


def spread(calls: int, times: int, dice: Random) -> list[int]:
    """So many calls out of all, one at random in each equal part of them."""
    times = min(times, calls)
    return [1 + int((part + dice.random()) * calls / times) for part in range(times)]


def _serve() -> None:
    for line in sys.stdin:
        sys.stdout.write(json.dumps(asdict(_fork(Trial(**json.loads(line))))) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    configure_logging("error")
    tokens("热身")
    _serve()
