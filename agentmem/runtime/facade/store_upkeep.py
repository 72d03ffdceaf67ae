"""Looking after the stores: what waits, what was given up, whether index and journal are in order."""

import asyncio
from collections.abc import AsyncIterator, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from agentmem.domain.bounds import check_time
from agentmem.domain.scope import Grant, Scope
from agentmem.errors import BackendUnavailable
from agentmem.ledger.projection import ACTIVE
from agentmem.ledger.verify import VerifyReport, verify
from agentmem.ports.erasure import Erased
from agentmem.ports.journal import Journal
from agentmem.ports.memory_index import Optimisable, check_stays
from agentmem.ports.upkeep import BackupManifest
from agentmem.ports.work_queue import DeadLetter, Depth
from agentmem.runtime.composition.backups import BackupMade, backups_made, remember_backup
from agentmem.runtime.composition.opened import Opened
from agentmem.runtime.composition.wiring import Progress
from agentmem.runtime.facade.access import Access, needs, operator_only, shows_its_own
from agentmem.runtime.facade.checkup import JournalState, Problem, of_journal
from agentmem.runtime.facade.compaction import Compacted, compact
from agentmem.runtime.facade.receipts import Receipt, erasures_in, read_receipt

PAGE = 1_000
"""Letters that are read at once."""


@dataclass(frozen=True, slots=True)
class IndexState:
    """How the index stands: its memories, how many changes it is behind, which embedder made it, why it was filled
    anew at opening, or None."""

    memories: int
    lag: int
    fingerprint: str | None
    rebuilt: str | None


@dataclass(frozen=True, slots=True)
class Upkeep:
    """`opened` is None where this process does not hold the index."""

    access: Access
    journal: Journal
    opened: Opened | None

    @operator_only
    async def depth(self) -> Depth:
        """How much waits in the whole store."""
        return await self.journal.queue.depth()

    @operator_only
    async def setback(self) -> str | None:
        """Why work that waits failed the last time it was tried; None where none did."""
        return await self.journal.queue.setback()

    @operator_only
    async def problems(self, *, capacity: int, now: datetime, data: Path) -> list[Problem]:
        """What is wrong with the journal and its work, looked for row by row; `capacity` is how many jobs may wait, in
        `data` lie the receipts of erasures."""
        check_time("now", now)
        eraser = self.journal.eraser
        state = JournalState(
            depth=await self.journal.queue.depth(),
            capacity=capacity,
            owed=tuple(await eraser.owed()),
            unfinished=tuple(await eraser.unfinished()),
            found=await self.journal.diagnostics.diagnose(),
            now=now,
            undone=tuple([found async for found in self._undone(data)]),
        )
        return list(of_journal(state))

    @needs(Grant.READ, of="scope")
    async def depth_of(self, scope: Scope) -> Depth:
        """How much waits in a scope."""
        return await self.journal.queue.depth(scope)

    @operator_only
    async def changes(self) -> int:
        """The number of the last change."""
        return await self.journal.ledger.head()

    @shows_its_own(Grant.ADMIN)
    async def dead(
        self, *, before: int | None = None, limit: int = PAGE, agent: str | None = None, target: str | None = None
    ) -> list[DeadLetter]:
        """At most `limit` jobs that were given up, the newest first; with `before` those of lower numbers. Of an agent
        and about a target, or all."""
        found: list[DeadLetter] = []
        tenant = self.access.principal.tenant
        while len(found) < limit and (
            letters := await self.journal.dead.dead(
                tenant=tenant, limit=PAGE, before=before, agent=agent, target=target
            )
        ):
            found += (letter for letter in letters if self.access.may(Grant.ADMIN, letter.lane.scope))
            before = letters[-1].number
        return found[:limit]

    @shows_its_own(Grant.ADMIN)
    async def retry_dead(self, job_ids: Sequence[str]) -> int:
        """Queue them again with no attempts counted; how many there were."""
        mine = await self._mine(job_ids)
        return await self.journal.dead.retry_dead(mine, tenant=self.access.principal.tenant)

    @shows_its_own(Grant.ADMIN)
    async def drop_dead(self, job_ids: Sequence[str]) -> int:
        """Give them up for good; how many there were. Their events stay in the journal."""
        mine = await self._mine(job_ids)
        return await self.journal.dead.drop_dead(mine, tenant=self.access.principal.tenant)

    @operator_only
    async def give_up_debt(self, name: str) -> bool:
        """Strike out what an erasure left to be done and nobody can read; whether it was there."""
        return await self.journal.eraser.give_up(name)

    @operator_only
    async def backup(self, file: Path, *, now: datetime, force: bool = False) -> BackupManifest:
        """Write the whole store, as of one moment, into a file, while others read and write; see `Backups.write`."""
        manifest = await self.journal.backups.write(file, now=now, force=force)
        if not self.journal.read_only:
            await remember_backup(self.journal.marks, Path.cwd() / file, manifest)
        return manifest

    @operator_only
    async def compact(self, *, history: timedelta | None, now: datetime) -> Compacted:
        """Fold away states older than `history`, pack what older versions wrote, and give free room back to the disk.
        Raises `BackendUnavailable` where somebody keeps the store busy; what was done by then stays done."""
        check_time("now", now)
        return await compact(self.journal, history, now)

    @operator_only
    async def backups(self) -> tuple[BackupMade, ...]:
        """The last backups that were made, oldest first."""
        return await backups_made(self.journal.marks)

    @operator_only
    async def index(self) -> IndexState:
        """How the index stands. Raises `BackendUnavailable` where this process does not hold it."""
        if self.opened is None:
            raise BackendUnavailable("this process does not hold the index")
        return IndexState(
            memories=await self.opened.index.count(),
            lag=await self.journal.ledger.head() - self.opened.projector.position,
            fingerprint=await self.journal.marks.mark(ACTIVE),
            rebuilt=self.opened.rebuilt,
        )

    @operator_only
    async def receipt(self, file: Path) -> tuple[Receipt | None, str | None]:
        """The receipt of an erasure, and why it must not be believed; see `read_receipt`."""
        return await read_receipt(file, self.journal.marks)

    @operator_only
    async def remains(self, erased: Erased) -> list[str]:
        """What is left of an erasure, in words; nothing where it is whole."""
        held = await self.journal.eraser.remains(erased)
        problems = [f"the journal holds {len(held)} of it, such as {held[0]}"] if held else []
        if erased.run in {other.run for other in await self.journal.eraser.unfinished()}:
            problems.append("cleaning up behind it is not finished; open the data with its index, or see the log")
        if self.opened is not None:
            indexed = list(await self.opened.index.fetch(erased.everywhere, ["memoryId"]))
            problems += [f"the index holds {len(indexed)} of it, such as {indexed[0]}"] if indexed else []
        return problems

    async def _undone(self, data: Path) -> AsyncIterator[tuple[Erased, tuple[str, ...]]]:
        for erased in await asyncio.to_thread(erasures_in, data):
            held = await self.journal.ledger.get(erased.tenant, erased.lasting, forgotten=True)
            if held:
                yield erased, tuple(sorted(held))

    async def _mine(self, job_ids: Collection[str]) -> list[str]:
        lanes = await self.journal.dead.dead_lanes(job_ids, tenant=self.access.principal.tenant)
        return [job for job in job_ids if job in lanes and self.access.may(Grant.ADMIN, lanes[job].scope)]


@dataclass(frozen=True, slots=True)
class Indexing:
    """`opened` is None where this process does not hold the index: then everything raises `BackendUnavailable`."""

    access: Access
    journal: Journal
    opened: Opened | None

    @property
    def held(self) -> Opened:
        """The index."""
        if self.opened is None:
            raise BackendUnavailable("this process does not hold the index")
        return self.opened

    @operator_only
    async def rebuild(self, progress: Progress) -> int:
        """Empty the index, fill it from the ledger, put it in order; how many memories it holds. No model is called."""
        check_stays(self.held.index)
        projector = self.held.projector
        await projector.start_over()
        head = await self.journal.ledger.head()
        while projector.position < head and await projector.step():
            progress(projector.position, head)
        await projector.flush()
        await self.optimise()
        return await self.held.index.count()

    @operator_only
    async def optimise(self) -> bool:
        """Put the index in order, which may take minutes in which it answers nothing; whether there was anything to do
        as it is configured."""
        index = self.held.index
        return isinstance(index, Optimisable) and await index.optimise()

    @operator_only
    async def verify(self) -> VerifyReport:
        """Compare index and ledger."""
        await self.held.projector.catch_up()
        return await verify(self.journal, self.held.index)
