"""What is wrong with a store, each thing with the one command that mends it: what `doctor` looks for.

`of_files` looks at the data directory before anything is opened, and only reads; `of_journal` and `of_index` look at
what is open.
"""

import os
import shlex
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from agentmem.errors import PUT_BACK
from agentmem.ledger.verify import VerifyReport
from agentmem.ports.erasure import Erased, Owed
from agentmem.ports.upkeep import Diagnosis, UnreadableRows
from agentmem.ports.work_queue import Depth
from agentmem.private_files import open_to_others
from agentmem.runtime.configuration.settings import EdgeIndexSettings, Settings, SqliteSettings

MIN_FREE = 256 * 2**20
"""Bytes of free disk below which work may soon stop."""

MAX_AHEAD = timedelta(hours=1)
"""So far the journal's time may be ahead of the computer's."""

MAX_IDS = 100
"""Memories that one command names."""

_DRAFTS = ("*.draft", ".*.draft")


@dataclass(frozen=True, slots=True)
class Problem:
    """`what` is wrong, in one line, and the one thing to do about it: mostly a command. `grave`: the system cannot work
    like this."""

    what: str
    mend: str
    grave: bool = False

    def __str__(self) -> str:
        return f"{self.what}; {self.mend}"


def of_files(
    settings: Settings, free: Callable[[Path], int] = lambda path: shutil.disk_usage(path).free
) -> list[Problem]:
    """What can be seen of the data directory without opening it; `free` tells the free bytes of the disk it is on."""
    data = settings.data.absolute()
    if not data.is_dir():
        return []
    return [
        *_journal_file(settings, data),
        *_write_protected(data),
        *_read_by_others(data),
        *_drafts(data),
        *_space(data, free(data)),
    ]


def _journal_file(settings: Settings, data: Path) -> Iterator[Problem]:
    if not isinstance(settings.journal, SqliteSettings) or not isinstance(settings.index, EdgeIndexSettings):
        return
    file = data / "journal.db"
    if file.is_dir():
        yield Problem(f"{file} is a folder", PUT_BACK, grave=True)
        return
    if any((data / "index").glob("*/*")) and not (file.exists() and file.stat().st_size):
        state = "empty" if file.exists() else "missing"
        yield Problem(
            f"the journal {file} is {state}, and the index beside it is not",
            PUT_BACK,
            grave=True,
        )


def _write_protected(data: Path) -> Iterator[Problem]:
    if hasattr(os, "statvfs") and os.statvfs(data).f_flag & os.ST_RDONLY:
        yield Problem(
            f"the disk of {data} is mounted read-only: what is there can be read, and nothing is taken in",
            "mount it to be written",
        )
        return
    closed = [path for path in (data, *sorted(data.rglob("*"))) if not path.is_symlink() and not _writable(path)]
    if closed:
        yield Problem(
            f"{closed[0]} may not be written, and it is not the only one"
            if closed[1:]
            else f"{closed[0]} may not be written",
            f"run `chmod -R u+rwX {_quoted(data)}`",
            grave=True,
        )


def _writable(path: Path) -> bool:
    """By its mode too: root may write all but what lies on a disk that is mounted read-only."""
    return bool(path.stat().st_mode & 0o200) and os.access(path, os.W_OK)


def _read_by_others(data: Path) -> Iterator[Problem]:
    wide = open_to_others(data)
    if wide:
        more = f" and {len(wide) - 1} more" if len(wide) > 1 else ""
        yield Problem(f"others on this machine may read {wide[0]}{more}", f"run `chmod -R go= {_quoted(data)}`")


def _drafts(data: Path) -> Iterator[Problem]:
    for path in sorted({path for pattern in _DRAFTS for path in data.rglob(pattern)}):
        yield Problem(
            f"{path} was begun and never finished", f"run `rm {_quoted(path)}` unless a command writes it now"
        )


def _space(data: Path, free: int) -> Iterator[Problem]:
    if free < MIN_FREE:
        yield Problem(
            f"the disk of {data} has {free // 2**20} MB left",
            f"free at least {MIN_FREE // 2**20} MB (`du -sh {_quoted(data)}`)",
        )


def _quoted(path: Path) -> str:
    return shlex.quote(str(path))


@dataclass(frozen=True, slots=True)
class JournalState:
    """What the journal tells of itself at `now`: the work that waits, of at most `capacity`, what erasures owe, and
    what was found in its rows."""

    depth: Depth
    capacity: int
    found: Diagnosis
    now: datetime
    owed: tuple[Owed, ...] = ()
    unfinished: tuple[Erased, ...] = ()
    undone: tuple[tuple[Erased, tuple[str, ...]], ...] = ()
    """Erasures of which a receipt tells, and the memories of theirs that are here again."""


def of_journal(state: JournalState) -> Iterator[Problem]:
    """What is wrong with the work and the rows of an open journal."""
    yield from _of_work(state)
    yield from map(_unread, state.found.unread)
    for what, count in state.found.torn.items():
        yield Problem(f"rows of the journal are lost: {count} × {what}", PUT_BACK)
    for owed in state.owed:
        yield Problem(
            f"agent {owed.agent_id} still holds what was erased from its original", "run `agentmem worker --once`"
        )
    for erased in state.unfinished:
        yield Problem(f"the files still hold bytes of erasure {erased.run}", "run `agentmem index rebuild`")
    yield from (_undone(erased, held) for erased, held in state.undone)
    newest = state.found.newest
    if newest is not None and newest > state.now + MAX_AHEAD:
        yield Problem(
            f"the newest event was accepted at {newest.isoformat()}, and it is {state.now.isoformat()} here",
            "set the clock of this computer, or run `timedatectl set-ntp true`",
        )


def _undone(erased: Erased, held: tuple[str, ...]) -> Problem:
    ids = " ".join(f"--id {memory_id}" for memory_id in held[:MAX_IDS])
    return Problem(
        f"{len(held)} memories that erasure {erased.run} removed are here again: a backup from before it was put back",
        f"run `agentmem forget --tenant {shlex.quote(erased.tenant)} --agent {erased.agent_id} {ids} --erase --yes`",
    )


def _of_work(state: JournalState) -> Iterator[Problem]:
    aside, given_up = state.found.set_aside, state.depth.dead - state.found.set_aside
    if aside:
        yield Problem(
            f"{aside} memories were set aside, because the index could not take them in; `agentmem dead list` says why",
            "run `agentmem dead retry --all`",
        )
    if given_up > 0:
        yield Problem(
            f"{given_up} jobs were given up; `agentmem dead list` says why",
            "run `agentmem dead retry --all`, or drop them",
        )
    if state.depth.ready + state.depth.delayed > state.capacity * 0.8:
        yield Problem("the queue is nearly full", "start `agentmem worker`, or raise queue.capacity")
    if state.found.abandoned:
        yield Problem(
            f"{state.found.abandoned} lanes are held by processes that are gone", "run `agentmem worker --once`"
        )


def _unread(rows: UnreadableRows) -> Problem:
    whose = f" of tenant {rows.tenant}" if rows.tenant else ""
    what = f"{rows.count} × {rows.kind}{whose} cannot be read, such as {rows.example} ({rows.reason})"
    if rows.kind == "persona":
        return Problem(what, f"introduce it again: `agentmem say {shlex.quote(rows.example)} TEXT --from NAME`")
    if rows.kind == "debt of an erasure":
        what = f"{what}; what it says cannot be known: erase again what was erased last"
        return Problem(what, f"then run `agentmem dead drop {shlex.quote(rows.example)}`")
    return Problem(what, f"{PUT_BACK}; all else goes on without it")


def of_index(rebuilt: str | None, report: VerifyReport) -> Iterator[Problem]:
    """What is wrong with an open index."""
    if rebuilt:
        yield Problem(f"the index had to be filled anew ({rebuilt})", "nothing is to be done")
    if not report.ok:
        yield Problem("index and journal differ", "run `agentmem index rebuild`")
