"""doctor: what is installed, what is there, what is wrong, and what to do about it.

A store that cannot be opened is told like everything else. With a receipt or canaries: whether what was erased is gone,
and its receipt unchanged.
"""

from __future__ import annotations

import platform
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from agentmem.errors import AgentMemError, EmbedderChanged, HeldElsewhere
from agentmem.interfaces.cli.command_context import CommandSession, handed_over_where
from agentmem.interfaces.cli.exits import DONE, FAILED, UNAVAILABLE, Misuse
from agentmem.interfaces.cli.memory_view import columns
from agentmem.interfaces.cli.output import Answer, words

if TYPE_CHECKING:
    from rich.table import Table

    from agentmem.ports.erasure import Erased
    from agentmem.runtime.configuration.settings import Settings
    from agentmem.runtime.facade.app import App
    from agentmem.runtime.facade.checkup import Problem
    from agentmem.runtime.facade.receipts import Receipt


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


def _checks_an_erasure(given: Mapping[str, object]) -> bool:
    return bool(given.get("receipt") or given.get("canaries"))


@handed_over_where(_checks_an_erasure)  # the doctor of a whole store also tells why nobody answers
async def doctor(
    session: CommandSession,
    receipt: Annotated[
        Path | None,
        typer.Option("--receipt", metavar="FILE", help="Check that what this receipt says is erased is gone."),
    ] = None,
    canaries: Annotated[
        list[str] | None,
        typer.Option("--canary", metavar="TEXT", help="Search the data directory for it; may be repeated."),
    ] = None,
) -> Answer:
    """Check the installation and the data, and say what to do; or check an erasure."""
    from agentmem.runtime.facade.checkup import of_files

    if receipt is not None or canaries:
        return await _check_erasure(session, receipt, canaries or ())
    session.owner_only()
    found = _Findings()
    settings = session.settings
    with session.terminal.busy("looking"):
        _installation(found)
        _configuration(settings, found)
        found.add(of_files(settings))
        if not found.grave:
            await _looked(found, session, index=False, look=_journal)
        if not found.grave:
            await _looked(found, session, index=True, look=_index)
    data = {**found.facts, "problems": found.problems}
    return Answer(data, [_table(found), *_advice(found)], UNAVAILABLE if found.grave else DONE)


def _installation(found: _Findings) -> None:
    found.facts["python"] = platform.python_version()
    found.facts["packages"] = {name: _version(name) for name in PACKAGES}


def _version(name: str) -> str | None:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _configuration(settings: Settings, found: _Findings) -> None:
    from agentmem.runtime.composition.embedder_choice import chosen_embedder
    from agentmem.runtime.configuration.personas import all_personas
    from agentmem.runtime.configuration.settings import LlmSettings

    cognition, choice = settings.cognition, chosen_embedder(settings)
    found.facts |= {
        "tenant": settings.tenant,
        "data": str(settings.data.absolute()),
        "timezone": str(settings.zone),
        "cognition": f"llm, {cognition.model}" if isinstance(cognition, LlmSettings) else cognition.engine,
        "chatModel": settings.chat_model,
        "embedder": choice.name,
        "embedderWhy": choice.why,
    }
    try:
        found.facts["personas"] = [persona.id for persona in all_personas(settings.personas)]
    except AgentMemError as error:
        found.problem(str(error))


async def _looked(
    found: _Findings, session: CommandSession, *, index: bool, look: Callable[[App, _Findings], Awaitable[None]]
) -> None:
    name = "index" if index else "journal"
    try:
        async with session.opened(index=index) as app:
            await look(app, found)
    except HeldElsewhere as error:
        found.facts[name] = {"kind": session.settings.index.kind, "heldElsewhere": str(error)}
    except EmbedderChanged as error:
        found.problem(f"{error}")
    except AgentMemError as error:
        found.facts[name] = None
        found.problem(f"{name}: {error}", grave=True)


async def _journal(app: App, found: _Findings) -> None:
    from agentmem.runtime.composition.backups import kept_backups

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
    capacity, data = app.settings.queue.capacity, app.settings.data.absolute()
    found.add(await app.upkeep.problems(capacity=capacity, now=app.clock.now(), data=data))


async def _index(app: App, found: _Findings) -> None:
    from agentmem.runtime.facade.checkup import of_index

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
    table = columns(2)
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
    table = columns(2)
    for problem in found.problems:
        table.add_row(words("problem", "bold red"), words(problem))
    if not found.problems:
        table.add_row(words("no problems found", "bold green"))
    return [table]


async def _check_erasure(session: CommandSession, file: Path | None, canaries: Sequence[str]) -> Answer:
    """Check the receipt, then the journal, the index and every byte below the data directory."""
    from agentmem.runtime.facade.receipts import search_for_remains

    session.owner_only()
    if not all(text.strip() for text in canaries):
        raise Misuse("--canary needs a text to search for")
    problems: list[str] = []
    unseen: str | None = None
    receipt: Receipt | None = None
    with session.terminal.busy("looking"):
        if file is not None:
            async with session.opened(index=False) as app:
                receipt, doubt = await app.upkeep.receipt(file)
            problems += [f"the receipt cannot be believed: {doubt}"] if doubt else []
        erased = None if receipt is None else receipt.erased
        if erased is not None:
            remains, unseen = await _stored(session, erased)
            problems += remains
        ids = () if erased is None else erased.everywhere
        from asyncio import to_thread

        seen = await to_thread(search_for_remains, session.settings.data, ids, canaries)
    problems += [f"{place} holds {what}" for place, what in seen.found]
    data = {
        "receipt": None if erased is None else erased.model_dump(mode="json"),
        "files": seen.files,
        "bytes": seen.size,
        "found": [{"file": place, "what": what} for place, what in seen.found],
        "problems": problems,
        "unseen": unseen,
    }
    looked = words(f"searched {seen.files} files, {seen.size} bytes", "dim")
    if problems:
        return Answer(data, [*(words(problem, "red") for problem in problems), looked], FAILED)
    if unseen is not None:
        open_still = words(f"no verdict: the index was not looked into: {unseen}", "yellow")
        return Answer(data, [open_still, looked], UNAVAILABLE)
    return Answer(data, [words("what was erased is gone" if erased else "nothing was found", "bold green"), looked])


async def _stored(session: CommandSession, erased: Erased) -> tuple[list[str], str | None]:
    """What is left in journal and index, and why the index could not be looked into; None where it was."""
    try:
        async with session.opened() as app:
            return await app.upkeep.remains(erased), None
    except HeldElsewhere as error:
        async with session.opened(index=False) as app:
            return await app.upkeep.remains(erased), str(error)
