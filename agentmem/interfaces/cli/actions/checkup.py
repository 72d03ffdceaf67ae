"""doctor: what is installed, what is there, what is wrong, and what to do about it."""

import platform
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import cast

from rich.table import Table

from agentmem.errors import AgentMemError, EmbedderChanged, HeldElsewhere
from agentmem.interfaces.cli.actions.erasures import check_erasure
from agentmem.interfaces.cli.exits import DONE, UNAVAILABLE
from agentmem.interfaces.cli.opening import opened, owner_only
from agentmem.interfaces.cli.output import Answer, words
from agentmem.interfaces.cli.perform import Session
from agentmem.runtime.app import App
from agentmem.runtime.backups import kept_backups
from agentmem.runtime.checkup import Problem, of_files, of_index
from agentmem.runtime.personas import all_personas
from agentmem.runtime.settings import LlmCognition, Settings

PACKAGES = (
    "agentmem-framework",
    "pydantic",
    "pydantic-ai-slim",
    "qdrant-client",
    "qdrant-edge-py",
    "sqlalchemy",
    "apscheduler",
    "rjieba",
    "fastembed",
    "psycopg",
)


@dataclass(slots=True)
class _Findings:
    """Facts by name, and problems with what to do about them. `grave`: the system cannot work like this."""

    facts: dict[str, object] = field(default_factory=dict[str, object])
    problems: list[str] = field(default_factory=list[str])
    grave: bool = False

    def problem(self, text: object, *, grave: bool = False) -> None:
        if str(text) not in self.problems:
            self.problems.append(str(text))
        self.grave |= grave

    def add(self, problems: Iterable[Problem]) -> None:
        for problem in problems:
            self.problem(problem, grave=problem.grave)


async def doctor(session: Session, *, receipt: Path | None, canaries: Sequence[str] | None) -> Answer:
    """Look at everything once; a store that cannot be opened is told like everything else. With a receipt or canaries:
    look whether what was erased is gone."""
    if receipt is not None or canaries:
        return await check_erasure(session, receipt, canaries or ())
    owner_only(session)
    found = _Findings()
    settings = session.settings
    with session.terminal.busy("looking"):
        _installation(found)
        _configuration(settings, found)
        found.add(of_files(settings))
        if not found.grave:
            await _looked(found, session, index=False, look=_journal)
            await _looked(found, session, index=True, look=_index)
    data = {**found.facts, "problems": found.problems}
    return Answer(data, [_table(found), *_advice(found)], UNAVAILABLE if found.grave else DONE)


def _installation(found: _Findings) -> None:
    found.facts["python"] = platform.python_version()
    found.facts["packages"] = {name: _version(name) for name in PACKAGES}


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _configuration(settings: Settings, found: _Findings) -> None:
    cognition = settings.cognition
    found.facts |= {
        "tenant": settings.tenant,
        "data": str(settings.data.absolute()),
        "timezone": str(settings.zone),
        "cognition": f"llm, {cognition.model}" if isinstance(cognition, LlmCognition) else cognition.engine,
        "chatModel": settings.chat_model,
        "embedder": settings.embedder,
    }
    try:
        found.facts["personas"] = [persona.id for persona in all_personas(settings.personas)]
    except AgentMemError as error:
        found.problem(str(error))


async def _looked(
    found: _Findings, session: Session, *, index: bool, look: Callable[[App, _Findings], Awaitable[None]]
) -> None:
    name = "index" if index else "journal"
    try:
        async with opened(session, index=index) as app:
            await look(app, found)
    except HeldElsewhere as error:
        found.facts[name] = {"kind": session.settings.index.kind, "heldElsewhere": str(error)}
    except EmbedderChanged as error:
        found.problem(f"{error}")
    except AgentMemError as error:
        found.facts[name] = None
        found.problem(f"{name}: {error}", grave=True)


async def _journal(app: App, found: _Findings) -> None:
    depth = await app.upkeep.depth()
    found.facts["journal"] = {
        "kind": app.settings.journal.kind,
        "changes": await app.upkeep.changes(),
        "agents": [persona.id for persona in await app.records.agents()],
        "ready": depth.ready,
        "delayed": depth.delayed,
        "leased": depth.leased,
        "dead": depth.dead,
    }
    made = await app.upkeep.backups()
    found.facts["backups"] = {
        "last": made[-1].made_at.isoformat() if made else None,
        "kept": [str(kept.path) for kept in kept_backups(app.settings.data)],
    }
    found.add(await app.upkeep.problems(capacity=app.settings.queue.capacity, now=app.clock.now()))


async def _index(app: App, found: _Findings) -> None:
    state = await app.upkeep.index()
    found.facts["index"] = {
        "kind": app.settings.index.kind,
        "memories": state.memories,
        "lag": state.lag,
        "fingerprint": state.fingerprint,
        "rebuilt": state.rebuilt,
    }
    found.add(of_index(state.rebuilt, await app.index.verify()))


def _table(found: _Findings) -> Table:
    table = Table.grid(padding=(0, 2))
    for name, value in found.facts.items():
        table.add_row(words(name, "bold"), words(_told(value)))
    return table


def _told(value: object) -> str:
    if isinstance(value, dict):
        items = cast("dict[str, object]", value).items()
        return ", ".join(f"{key} {_told(item)}" for key, item in items if item is not None)
    if isinstance(value, list):
        return ", ".join(map(str, cast("list[object]", value))) or "none"
    return "none" if value is None else str(value)


def _advice(found: _Findings) -> list[Table]:
    table = Table.grid(padding=(0, 2))
    for problem in found.problems:
        table.add_row(words("problem", "bold red"), words(problem))
    if not found.problems:
        table.add_row(words("no problems found", "bold green"))
    return [table]
