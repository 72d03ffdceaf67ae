"""Forgetting carried out: planned, written, and where it erases, cleaned up behind and receipted.

An erasure is one transaction of the journal. What follows, a new index, files without the old bytes, the receipt, is
done again at the next opening if it was not finished.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

import structlog

from agentmem.agents.copying.erasing import erasure_with_copies
from agentmem.domain.memory import MemoryNode, MemoryType
from agentmem.errors import AgentMemError, BackendUnavailable, Conflict
from agentmem.graph.communities.jobs import grouping_anew
from agentmem.graph.feed import refresh_job
from agentmem.memory.erase import run_of
from agentmem.memory.forget import Forgetter, Meant, Plan
from agentmem.ports.erasure import Erased, Erasure
from agentmem.ports.journal import Journal
from agentmem.runtime import wiring
from agentmem.runtime.opened import Opened
from agentmem.runtime.receipts import write_receipt
from agentmem.runtime.settings import Settings

log = structlog.get_logger()

TRIES = 5
"""So often a forgetting is planned anew because somebody wrote in between."""


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What was forgotten, or would be: `gone` as they were, `edited` before and after. `run` is what `undo` takes back,
    None where nothing was done; `receipt` is the file that tells of an erasure. `copies`: how many memories an erasure
    takes from each agent that was made from this one, by tenant and id."""

    run: str | None
    gone: tuple[MemoryNode, ...]
    edited: tuple[tuple[MemoryNode, MemoryNode], ...]
    erased: Erased | None = None
    receipt: Path | None = None
    copies: tuple[tuple[str, str, int], ...] = ()


class Finish(Protocol):
    """Cleans up behind an erasure; the receipt's file."""

    async def __call__(self, erased: Erased) -> Path: ...


async def forget(
    journal: Journal, forgetter: Forgetter, meant: Meant, finish: Finish, *, erase: bool, dry_run: bool
) -> Forgotten:
    """Plan, and unless `dry_run` carry it out; planned anew where somebody else wrote first."""
    for tried in range(1, TRIES + 1):
        plan = await forgetter.plan(meant, erase=erase)
        erasure = await erasure_with_copies(journal, forgetter, plan) if erase else None
        if dry_run:
            return _told(plan, None, erasure)
        try:
            return await _end(journal, plan) if erasure is None else await _erase(journal, plan, erasure, finish)
        except Conflict:
            if tried == TRIES:
                raise
    raise AssertionError("every try returns or raises")


async def _end(journal: Journal, plan: Plan) -> Forgotten:
    if not plan.changes:
        return _told(plan, None)
    run = run_of(plan)
    await journal.ledger.commit(plan.commit(run))
    return _told(plan, run)


async def _erase(journal: Journal, plan: Plan, erasure: Erasure, finish: Finish) -> Forgotten:
    if not (erasure.memory_ids or erasure.collapsed or erasure.received or erasure.seqs):
        return _told(plan, None)
    erased = await journal.eraser.erase(erasure)
    await _rebuild_between(journal, plan, erasure)
    try:
        receipt = await finish(erased)
    except BackendUnavailable as error:
        raise BackendUnavailable(
            f"erased, but what it left behind is not cleaned up yet ({error}); the next opening does it"
        ) from error
    return replace(_told(plan, erased.run, erasure), erased=erased, receipt=receipt)


async def _rebuild_between(journal: Journal, plan: Plan, erasure: Erasure) -> None:
    """Have the entities made anew that told of other memories besides the erased ones; and communities, of which the
    erased ones held others together. Here and in copies."""
    anew = [
        refresh_job(each.commit.tenant, each.agent, each.told_with, each.head)
        for each in _everywhere(erasure)
        if each.told_with
    ]
    await journal.queue.enqueue(anew)
    cause = f"erased/{plan.head}"
    bereft = [(tenant, agent) for tenant, agent, _ in _reached(erasure)]
    if any(node.memory_type is MemoryType.COMMUNITY for node in plan.gone.values()):
        bereft.append((plan.meant.scope.tenant, plan.meant.scope.agent))
    await journal.queue.enqueue([grouping_anew(*each, cause, ordinal=plan.head) for each in bereft])


def _everywhere(erasure: Erasure) -> Iterator[Erasure]:
    yield erasure
    for copy in erasure.copies:
        yield from _everywhere(copy)


def _told(plan: Plan, run: str | None, erasure: Erasure | None = None) -> Forgotten:
    copies = tuple(_reached(erasure)) if erasure is not None else ()
    return Forgotten(run, tuple(plan.gone.values()), tuple(plan.edited.values()), copies=copies)


def _reached(erasure: Erasure) -> Iterator[tuple[str, str, int]]:
    for copy in _everywhere(erasure):
        if copy is not erasure and copy.held:
            yield copy.commit.tenant, copy.agent, copy.held


@dataclass(frozen=True, slots=True)
class CleanUp:
    """Leaves no file with the old bytes behind an erasure; that takes the index."""

    settings: Settings
    journal: Journal
    opened: Opened | None

    async def __call__(self, erased: Erased) -> Path:
        """Throw away unused indexes, fill a new one, rid the store's files of the old bytes, write the receipt."""
        if self.opened is None:
            raise BackendUnavailable("this process does not hold the index")
        projector = self.opened.projector
        wiring.discard_unused_indexes(self.settings, projector.fingerprint)
        await projector.start_over()
        await projector.catch_up()
        await projector.flush()
        await self.journal.eraser.scrub()
        receipt = await write_receipt(self.settings.data, self.journal.marks, erased)
        await self.journal.eraser.finished(erased.run)
        return receipt


async def finish_all(journal: Journal, finish: Finish) -> None:
    """Clean up behind every erasure that a process did not live to finish. What cannot be done now waits."""
    for erased in await journal.eraser.unfinished():
        try:
            await finish(erased)
        except AgentMemError as error:
            log.warning("erasure_not_finished", run=erased.run, reason=str(error))
