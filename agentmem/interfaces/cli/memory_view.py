"""Memories on a terminal: tables, hits, what changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextvars import ContextVar
from datetime import datetime, tzinfo
from enum import StrEnum
from typing import TYPE_CHECKING, cast

from rich.console import Group
from rich.text import Text

from agentmem.domain.bounds import in_zone
from agentmem.interfaces.cli.output import words
from agentmem.interfaces.web.wording import words_of

if TYPE_CHECKING:
    from rich.table import Table

    from agentmem.domain.change import Change
    from agentmem.domain.memory import MemoryNode
    from agentmem.retrieval.query import Hit, Words

SHORT_ID = 8
_STYLE = {"hypothesis": "yellow", "negated": "magenta", "asserted_by_agent": "cyan", "inferred": "blue"}
_WORDED = {"memory_type": "layer", "store_status": "status"}
"""Under which words the values of a field are told, where these are not called as it is."""
_COMPARED = (
    "content",
    "value",
    "modality",
    "store_status",
    "valid_at",
    "invalid_at",
    "importance",
    "superseded_by",
    "conflicts_with",
    "needs_review",
    "memory_type",
)


_zone: ContextVar[tzinfo | None] = ContextVar("zone", default=None)


def tell_times_in(zone: tzinfo) -> None:
    """Have the command that runs here tell all times in this zone, as the page does."""
    _zone.set(zone)


def moment(at: datetime | None) -> str:
    """A time to the minute, in the zone of this command."""
    zone = _zone.get()
    shown = at if at is None or zone is None else in_zone(at, zone)
    return shown.strftime("%Y-%m-%d %H:%M") if shown else ""


def validity(node: MemoryNode) -> Text:
    """From when until when a memory is true, `from` where it was told before, and why it no longer is."""
    since = f"{'from ' if node.told_at < node.valid_at else ''}{moment(node.valid_at)}"
    until = f" – {moment(node.invalid_at)}" if node.invalid_at else ""
    status = f" ({term(f'base.ending_{node.ending}')})" if node.ending else ""
    return words(f"{since}{until}{status}", "dim")


def term(word: str) -> str:
    """What the page calls something, so that one thing has one name; what it has no word for by its own."""
    return words_of("en").known(word, word.partition(".")[2])


def plain_table(*names: str) -> Table:
    """A table without a frame; the last column takes what room there is."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for name in names[:-1]:
        table.add_column(name, no_wrap=True)
    table.add_column(names[-1], overflow="fold")
    return table


def memory_list(nodes: Iterable[MemoryNode]) -> Table:
    """Memories, one below the other."""
    table = columns(2)
    for node in nodes:
        table.add_row(words(node.memory_id[:SHORT_ID], "dim"), Group(_content(node), _about(node)))
    return table


def hit_list(hits: Sequence[Hit], spoken: Mapping[str, Sequence[Words]], *, explain: bool) -> Table:
    """Hits, best first, each with the words it came from, and where that was asked, the stage it
    entered at and what its score is made of."""
    table = columns(2)
    for hit in hits:
        said = [_said(part) for part in spoken.get(hit.memory.memory_id, ())]
        about = words(f"{hit.memory.memory_id[:SHORT_ID]} · ", "dim").append_text(_about(hit.memory))
        shares = ", ".join(f"{name} {share:.3f}" for name, share in _by_share(hit.signals))
        made_of = [words(f"{hit.stage}: {shares}", "dim italic")]
        table.add_row(
            words(f"{hit.score:.3f}"), Group(_content(hit.memory), *said, about, *(made_of if explain else ()))
        )
    return table


def _said(part: Words) -> Text:
    return words(f"{moment(part.at)} {part.speaker}: ", "dim").append_text(words(f"“{part.text}”", "green"))


def columns(count: int) -> Table:
    """Columns without lines; text in the last one breaks anywhere, as Chinese does."""
    from rich.table import Table

    table = Table.grid(padding=(0, 2))
    for _ in range(count - 1):
        table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    return table


def _content(node: MemoryNode) -> Text:
    by = f"{node.speaker}: " if node.memory_type == "conversation" and node.speaker else ""
    return words(f"{by}{node.content}", "" if node.store_status == "valid" else "dim strike")


def _about(node: MemoryNode) -> Text:
    line = words(f"{node.memory_type} · ", "dim").append_text(
        words(term(f"base.modality_{node.modality}"), _STYLE.get(node.modality, "dim"))
    )
    line.append_text(words(f" · {node.target_name} · ", "dim")).append_text(validity(node))
    for mark in _marks(node):
        line.append_text(words(f" · {mark}", "yellow"))
    return line


def _marks(node: MemoryNode) -> list[str]:
    """What a reader should know before he relies on it."""
    from agentmem.domain.value import CORRECTED

    marks = {
        "disputed": node.conflicts_with,
        "in doubt": node.needs_review,
        "corrected by hand": node.meta_data.get(CORRECTED),
    }
    return [mark for mark, holds in marks.items() if holds]


def _by_share(signals: Mapping[str, float]) -> list[tuple[str, float]]:
    return sorted(((name, share) for name, share in signals.items() if share), key=lambda item: -abs(item[1]))


def differences(change: Change) -> list[str]:
    """What changed, field by field."""
    before, after = change.before, change.after
    if before is None or after is None:
        node = after or before
        return [f"{'+' if after else '-'} {node.content}"] if node else []
    return [
        f"{term(f'memory.field_{name}')}: {_shown(getattr(before, name), name)} → {_shown(getattr(after, name), name)}"
        for name in _COMPARED
        if getattr(before, name) != getattr(after, name)
    ]


def _shown(value: object, name: str) -> str:
    if isinstance(value, tuple):
        return ", ".join(str(item)[:SHORT_ID] for item in cast(tuple[object, ...], value)) or "–"
    if isinstance(value, StrEnum):
        return term(f"base.{_WORDED.get(name, name)}_{value}")
    return moment(value) if isinstance(value, datetime) else "–" if value is None else str(value)
