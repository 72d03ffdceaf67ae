"""Taking a whole run back, exactly: every memory it touched returns to what it was before."""

from dataclasses import dataclass
from datetime import datetime

from agentmem.domain.change import Change, LedgerEntry
from agentmem.domain.ids import derived_id
from agentmem.errors import NotFound
from agentmem.ports.ledger import Commit, Ledger


@dataclass(frozen=True, slots=True)
class UndoReport:
    """`run` is the compensating run, None where nothing was done: the run was taken back before, or is `blocked` by
    memories that later runs changed."""

    run: str | None
    restored: tuple[str, ...]
    blocked: tuple[str, ...]


async def undo(ledger: Ledger, tenant: str, run: str, *, now: datetime, cascade: bool = False) -> UndoReport:
    """Take `run` back. Where later runs changed the same memories: stop and name them, or, with `cascade`, take the
    memories back to before `run` all the same. Raises `NotFound` for a run that is not there."""
    entries = await ledger.of_run(tenant, run)
    if not entries:
        raise NotFound(f"no run {run!r}")
    first, last = _ends(entries)
    current = await ledger.get(tenant, first.keys())
    if all(current.get(key) == entry.change.before for key, entry in first.items()):
        return UndoReport(None, (), ())
    blocked = tuple(sorted(key for key, entry in last.items() if current.get(key) != entry.change.after))
    if blocked and not cascade:
        return UndoReport(None, (), blocked)
    changes = tuple(
        Change(act="undo", before=now_held, after=entry.change.before, reason=f"takes back {run}")
        for key, entry in first.items()
        if (now_held := current.get(key)) != entry.change.before
    )
    undo_run = derived_id("undo", tenant, run, await ledger.head())
    await ledger.commit(Commit(tenant, undo_run, "undo", now, changes))
    return UndoReport(undo_run, tuple(change.memory_id for change in changes), blocked)


def _ends(entries: list[LedgerEntry]) -> tuple[dict[str, LedgerEntry], dict[str, LedgerEntry]]:
    first: dict[str, LedgerEntry] = {}
    last: dict[str, LedgerEntry] = {}
    for entry in entries:
        first.setdefault(entry.memory_id, entry)
        last[entry.memory_id] = entry
    return first, last
