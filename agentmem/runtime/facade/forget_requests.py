"""Forgetting carried out: planned, written, and where it erases, cleaned up behind and receipted.

An erasure is one transaction of the journal. What follows, a new index, files without the old bytes, the receipt, is
done again at the next opening if it was not finished.
"""

import asyncio
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

import structlog

from agentmem.agents.copying.erasing_copies import erasure_owed, erasure_with_copies
from agentmem.domain.memory import GRAPH, MemoryNode, MemoryType
from agentmem.domain.scope import Grant, Scope
from agentmem.errors import AgentMemError, BackendUnavailable, Conflict, NeedsRepair, without_content
from agentmem.graph.communities.community_keeper import grouping_anew
from agentmem.graph.feed import refresh_job
from agentmem.memory.erase import run_of
from agentmem.memory.forget import Forgetter
from agentmem.memory.forget_plan import ForgetPlan, Meant
from agentmem.ports.erasure import Erased, Erasure
from agentmem.ports.journal import Journal
from agentmem.ports.memory_index import check_stays
from agentmem.questions.question import asked_for
from agentmem.runtime.composition import wiring
from agentmem.runtime.composition.backups import discard_backups
from agentmem.runtime.composition.opened import Opened
from agentmem.runtime.composition.places import discard_left
from agentmem.runtime.configuration.settings import Settings
from agentmem.runtime.facade.access import Access, scope_of
from agentmem.runtime.facade.receipts import write_receipt
from agentmem.runtime.host.services import Services

log = structlog.get_logger()

MAX_ATTEMPTS = 5
"""So often a forgetting is planned anew because somebody wrote in between."""

DEBT_TRIES = 50
"""So often what is owed by one copy is planned anew; that takes no longer than the copy alone."""


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What was forgotten, or would be: `gone` as they were, `edited` before and after; entities and communities, which
    follow from these, are named only where they are erased. `run` is what `undo` takes back,
    None where nothing was done; `receipt` is the file that tells of an erasure. `copies`: how many memories an erasure
    takes from each agent that was made from this one, by tenant and id. `left`: ids of what others said, and of what
    documents say, that names an erased person and stays."""

    agent_id: str
    run: str | None
    gone: tuple[MemoryNode, ...]
    edited: tuple[tuple[MemoryNode, MemoryNode], ...]
    erased: Erased | None = None
    receipt: Path | None = None
    copies: tuple[tuple[str, str, int], ...] = ()
    left: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CleanUp:
    """Leaves no file with the old bytes behind what was removed; that takes the index."""

    settings: Settings
    journal: Journal
    forgetter: Forgetter
    opened: Opened | None

    @classmethod
    def of(cls, settings: Settings, services: Services, opened: Opened | None) -> Self:
        """Cleans up in what these have opened."""
        forgetter = Forgetter(services.journal.ledger, asked_for, services.clock.now)
        return cls(settings, services.journal, forgetter, opened)

    async def sweep(self) -> tuple[str, ...]:
        """Throw away every index but the one in use and kept copies of the store, fill that index anew, rid the files
        of the old bytes; the collections that went. Raises `BackendUnavailable` where one cannot be reached."""
        if self.opened is None:
            raise BackendUnavailable("this process does not hold the index")
        check_stays(self.opened.index)
        projector = self.opened.projector
        wiring.discard_unused_indexes(self.settings, projector.fingerprint)
        await asyncio.to_thread(discard_backups, self.settings.data)
        marks, index = self.journal.marks, self.opened.index
        await projector.start_over()
        await projector.catch_up()
        await projector.flush()
        gone = await discard_left(marks, self.settings, index, projector.fingerprint)
        await self.journal.eraser.scrub()
        return gone

    async def report(self, erased: Erased, collections: tuple[str, ...] = ()) -> Path:
        """Write the receipt of what was swept up behind, with the collections that were thrown away."""
        told = erased.revised(collections=collections)
        receipt = await write_receipt(self.settings.data, self.journal.marks, told)
        await self.journal.eraser.finished(erased.run)
        return receipt

    async def after_all(self) -> None:
        """Take what is still owed, then clean up behind all that was removed and that nobody cleaned up behind yet, at
        once. What cannot be done now waits."""
        if self.journal.read_only:
            await self._forget_for_now()
            return
        await settle(self.journal, self.forgetter)
        unfinished = await self.journal.eraser.unfinished()
        if not unfinished:
            return
        try:
            collections = await self.sweep()
            for erased in unfinished:
                await self.report(erased, collections)
        except AgentMemError as error:
            log.warning(
                "erasure_not_finished", runs=[erased.run for erased in unfinished], reason=without_content(error)
            )

    async def _forget_for_now(self) -> None:
        """Where nothing can be written, the index is a copy that is thrown away: fill it without what was erased."""
        if self.opened is not None and await self.journal.eraser.unfinished():
            await self.opened.projector.start_over()
            await self.opened.projector.catch_up()


async def told_to(access: Access, journal: Journal, told: Forgotten) -> Forgotten:
    """What somebody else than the operator is told: of memories that went with it those alone that he may read, of
    copies those alone of an agent he may copy; receipts are the operator's."""

    def readable(node: MemoryNode) -> bool:
        return access.may(Grant.READ, scope_of(node))

    left = await journal.ledger.get(access.principal.tenant, told.left)
    gone = tuple(filter(readable, told.gone))
    edited = tuple(pair for pair in told.edited if all(map(readable, pair)))
    known = {node.memory_id for node in (*gone, *(before for before, _ in edited))}
    stay = tuple(key for key in told.left if key in left and readable(left[key]))
    agent = Scope(access.principal.tenant, told.agent_id)
    copied = told.copies if access.may(Grant.HIRE, agent) else ()
    erased = told.erased and _told_of(told.erased, known, stay, copied=bool(copied))
    return replace(told, gone=gone, edited=edited, left=stay, copies=copied, erased=erased, receipt=None)


def _told_of(erased: Erased, known: Collection[str], left: tuple[str, ...], *, copied: bool) -> Erased:
    """The same of what the journal tells; events are told by digests of ids that only a journal has."""
    return erased.revised(
        memory_ids=tuple(key for key in erased.memory_ids if key in known),
        anew=tuple(key for key in erased.anew if key in known),
        edited=tuple(key for key in erased.edited if key in known),
        left=left,
        copies=erased.copies if copied else (),
        waiting=erased.waiting if copied else (),
    )


async def forget(
    clean_up: CleanUp, meant: Meant, *, erase: bool, dry_run: bool, drafts: Sequence[MemoryNode] = ()
) -> Forgotten:
    """Plan, and unless `dry_run` carry it out; planned anew where somebody else wrote first. A copy into which somebody
    writes all the time does not hold up the rest: what it has goes right after, as what is owed. `drafts` are what
    turns seem to say that nobody has read yet."""
    journal, forgetter = clean_up.journal, clean_up.forgetter
    for tried in range(1, MAX_ATTEMPTS + 1):
        plan = await forgetter.plan(meant, erase=erase, drafts=drafts)
        erasure = await erasure_with_copies(journal, forgetter, plan) if erase else None
        if dry_run:
            return _told(plan, None, erasure)
        try:
            if erasure is None:
                return await _end(journal, plan)
            if not (erasure.memory_ids or erasure.collapsed or erasure.received or erasure.seqs):
                return _told(plan, None, erasure)
            erased = await journal.eraser.erase(erasure, owing=tried == MAX_ATTEMPTS)
        except Conflict:
            if tried == MAX_ATTEMPTS:
                raise
        else:
            return await _finished(clean_up, plan, erasure, erased)
    raise AssertionError("every try returns or raises")


async def _end(journal: Journal, plan: ForgetPlan) -> Forgotten:
    if not plan.changes:
        return _told(plan, None)
    run = run_of(plan)
    await journal.ledger.commit(plan.commit(run))
    if any(node.memory_type is MemoryType.COMMUNITY for node in plan.gone.values()):
        scope = plan.meant.scope
        anew = grouping_anew(scope.tenant, scope.agent, f"forgotten/{run}", ordinal=plan.head)
        await journal.queue.enqueue([anew])
    return _told(plan, run)


async def _finished(clean_up: CleanUp, plan: ForgetPlan, erasure: Erasure, erased: Erased) -> Forgotten:
    await _rebuild_between(clean_up.journal, plan, erasure)
    paid = await settle(clean_up.journal, clean_up.forgetter) if erased.waiting else []
    try:
        collections = await clean_up.sweep()
        receipt, *_ = [await clean_up.report(each, collections) for each in (erased, *paid)]
    except (BackendUnavailable, NeedsRepair) as error:
        raise type(error)(
            f"erased, but what it left behind is not cleaned up yet ({error}); the next opening does it"
        ) from error
    return replace(_told(plan, erased.run, erasure), erased=erased, receipt=receipt)


async def settle(journal: Journal, forgetter: Forgetter) -> list[Erased]:
    """Take from copies what erasures had to leave there; what went. Where somebody still writes all the time, it is
    owed on: to the next erasure or opening."""
    paid: list[Erased] = []
    for owed in await journal.eraser.owed():
        for _ in range(DEBT_TRIES):
            try:
                erasure = await erasure_owed(journal, forgetter, owed)
                paid.append(await journal.eraser.erase(erasure, owing=True))
            except Conflict:
                continue
            await journal.eraser.settled(owed)
            break
        else:
            log.warning("erasure_owed", run=owed.run, agent=owed.agent_id)
    return paid


async def _rebuild_between(journal: Journal, plan: ForgetPlan, erasure: Erasure) -> None:
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


def _told(plan: ForgetPlan, run: str | None, erasure: Erasure | None = None) -> Forgotten:
    copies = tuple(_reached(erasure)) if erasure is not None else ()
    gone = tuple(node for node in plan.gone.values() if plan.erase or node.memory_type not in GRAPH)
    edited = tuple(pair for pair in plan.edited.values() if plan.erase or pair[0].memory_type not in GRAPH)
    return Forgotten(plan.meant.scope.agent, run, gone, edited, copies=copies, left=tuple(sorted(plan.left)))


def _reached(erasure: Erasure) -> Iterator[tuple[str, str, int]]:
    for copy in _everywhere(erasure):
        if copy is not erasure and copy.held:
            yield copy.commit.tenant, copy.agent, copy.held
