"""Taking a whole run back, exactly: every memory it touched returns to what it was before.

What a memory rests on may have ended in the meantime. It then returns to what it was and is put in doubt at once, as it
would have been had it held when that ended.
"""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from agentmem.domain.change import Change, LedgerEntry
from agentmem.domain.ids import derived_id
from agentmem.domain.memory import GRAPH, MemoryNode
from agentmem.domain.staleness import doubted, rests_on, undermined
from agentmem.errors import NotFound
from agentmem.ports.ledger import Commit, Ledger


@dataclass(frozen=True, slots=True)
class UndoReport:
    """`run` is the compensating run, None where nothing was done: the run was taken back before, or is `blocked` by
    memories that later runs changed."""

    run: str | None
    restored: tuple[str, ...]
    blocked: tuple[str, ...]


_TAKES_BACK: Final = "takes back "

Settle = Callable[[Mapping[str, MemoryNode]], Awaitable[Sequence[Change]]]
"""From the memories that return after a forgetting, as they will be, to what else has to change for that."""


async def undo(
    ledger: Ledger, tenant: str, run: str, *, now: datetime, settle: Settle | None = None, cascade: bool = False
) -> UndoReport:
    """Take `run` back. Where later runs changed the same memories: stop and name them, or, with `cascade`, take the
    memories back to before `run` all the same. What returns after a forgetting is settled with what came meanwhile.
    Raises `NotFound` for a run that is not
    there, or so old that what was before it was folded away, or whose past an erasure removed."""
    entries = await ledger.of_run(tenant, run)
    if not entries:
        raise NotFound(f"no run {run!r}")
    until = await ledger.folded_until()
    if until is not None and any(entry.at <= until for entry in entries):
        raise NotFound(f"run {run!r} cannot be taken back: what was before {until.isoformat()} is not kept any more")
    first, last = _ends(entries)
    current = await ledger.get(tenant, first.keys(), forgotten=True)
    first = {key: entry for key, entry in first.items() if not _made_anew(entry, last[key], current.get(key))}
    if any(entry.severed for entry in first.values()):
        raise NotFound(f"run {run!r} cannot be taken back: an erasure removed what was before it; nothing was changed")
    if all(_is_back(current.get(key), entry.change.before) for key, entry in first.items()):
        return UndoReport(None, (), ())
    blocked = tuple(sorted(key for key in first if current.get(key) != last[key].change.after))
    if blocked and not cascade:
        return UndoReport(None, (), blocked)
    changes = tuple(
        Change(act="undo", before=now_held, after=entry.change.before, reason=f"{_TAKES_BACK}{run}")
        for key, entry in first.items()
        if (now_held := current.get(key)) != entry.change.before
    )
    changes += await _doubts(ledger, tenant, first, changes)
    undo_run = derived_id("undo", tenant, run, await ledger.head())
    forgetting = all(entry.change.act == "forget" for entry in entries)
    if forgetting and settle is not None:
        returning = {change.memory_id: change.after for change in changes if change.after is not None}
        changes = _joined(changes, await settle(returning))
    await ledger.commit(Commit(tenant, undo_run, "undo", now, changes, settled=forgetting))
    restored = tuple(dict.fromkeys(change.memory_id for change in changes))
    return UndoReport(undo_run, restored, blocked)


def run_taken_back(change: Change) -> str | None:
    """The run that a change belongs to the taking back of, None for any other change."""
    takes = change.act == "undo" and change.reason.startswith(_TAKES_BACK)
    return change.reason.removeprefix(_TAKES_BACK) if takes else None


def taken_back_by(history: Iterable[LedgerEntry], run: str) -> str | None:
    """Of a history the run that took this one back, unless that was taken back since."""
    entries = list(history)
    gone = runs_taken_back(entries)
    by = (entry.run for entry in reversed(entries) if run_taken_back(entry.change) == run)
    return next((each for each in by if each not in gone), None)


def runs_taken_back(history: Iterable[LedgerEntry]) -> set[str]:
    """Of the runs that a history tells of those that were taken back, and not brought in again by taking that back."""
    return taken_back((entry.run, entry.change.reason) for entry in history if entry.change.act == "undo")


def taken_back(undoings: Iterable[tuple[str, str]]) -> set[str]:
    """The same from the changes that took something back, oldest first: of which run each is, and its reason."""
    back = {run: reason.removeprefix(_TAKES_BACK) for run, reason in undoings if reason.startswith(_TAKES_BACK)}
    gone: set[str] = set()
    for run, taken in reversed(back.items()):
        if run not in gone:
            gone.add(taken)
    return gone


def _joined(changes: Sequence[Change], further: Sequence[Change]) -> tuple[Change, ...]:
    """The changes, and others of what they leave; one of each memory."""
    found = {change.memory_id: change for change in changes}
    for change in further:
        earlier = found.get(change.memory_id)
        found[change.memory_id] = change if earlier is None else earlier.revised(after=change.after)
    return tuple(found.values())


def _made_anew(entry: LedgerEntry, last: LedgerEntry, now: MemoryNode | None) -> bool:
    """Whether it is an entity or community that a forgetting changed and others have changed since: it follows from
    what returns."""
    between = entry.change.act == "forget" and entry.change.states[0].memory_type in GRAPH
    return between and now != last.change.after


def _is_back(now: MemoryNode | None, before: MemoryNode | None) -> bool:
    """Whether it is what it was before, or that put in doubt."""
    if now is None or before is None or now.needs_review == before.needs_review:
        return now == before
    return now.revised(needs_review=before.needs_review, revision=before.revision) == before


async def _doubts(
    ledger: Ledger, tenant: str, first: Mapping[str, LedgerEntry], changes: tuple[Change, ...]
) -> tuple[Change, ...]:
    """What puts those in doubt that return resting, at any remove, on what can no longer be relied on."""
    returning = {change.memory_id: change.after for change in changes if change.after is not None}
    wanted = {key for node in returning.values() for key in rests_on(node)}
    now = {**await ledger.get(tenant, wanted), **{change.memory_id: change.after for change in changes}}
    since = min(entry.seq for entry in first.values())
    causes = {key: await _lost(ledger, node, since, now) for key, node in returning.items()}
    for _ in returning:
        reached = {
            key: found.union(*(causes[each] for each in rests_on(returning[key]) if each in causes))
            for key, found in causes.items()
        }
        if reached == causes:
            break
        causes = reached
    doubts = ((node, doubted(node, causes[key])) for key, node in returning.items())
    return tuple(
        Change(act="review", before=node, after=after, reason="what it is based on ended or changed meanwhile")
        for node, after in doubts
        if after is not None
    )


async def _lost(ledger: Ledger, node: MemoryNode, since: int, now: Mapping[str, MemoryNode | None]) -> set[str]:
    """Of what the memory rests on that which it could rely on before row `since`, the run's first, and cannot now."""
    found: set[str] = set()
    for key in rests_on(node):
        earlier = [entry.change.after for entry in await ledger.history(node.tenant, key) if entry.seq < since]
        if earlier and undermined(earlier[-1], now.get(key)):
            found.add(key)
    return found


def _ends(entries: list[LedgerEntry]) -> tuple[dict[str, LedgerEntry], dict[str, LedgerEntry]]:
    first: dict[str, LedgerEntry] = {}
    last: dict[str, LedgerEntry] = {}
    for entry in entries:
        first.setdefault(entry.memory_id, entry)
        last[entry.memory_id] = entry
    return first, last
