"""Memories on a terminal: tables, one memory with its evidence, its history."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from rich import box
from rich.console import ConsoleRenderable, Group
from rich.table import Table
from rich.text import Text

from agentmem.domain.change import LedgerEntry
from agentmem.domain.memory import MemoryNode, MemoryType, StoreStatus
from agentmem.interfaces.cli.output import words
from agentmem.retrieval.query import Hit, Words

SHORT_ID = 8
_STYLE = {"hypothesis": "yellow", "negated": "magenta", "asserted_by_agent": "cyan", "inferred": "blue"}
_COMPARED = ("content", "value", "modality", "store_status", "valid_at", "invalid_at", "importance", "superseded_by")


def moment(at: datetime | None) -> str:
    """A time to the minute, in its own offset."""
    return at.strftime("%Y-%m-%d %H:%M") if at else ""


def validity(node: MemoryNode) -> Text:
    """From when until when a memory is true, and its status where it is no longer valid."""
    until = f" – {moment(node.invalid_at)}" if node.invalid_at else ""
    status = "" if node.store_status is StoreStatus.VALID else f" ({node.store_status})"
    return words(f"{moment(node.valid_at)}{until}{status}", "dim")


def plain_table(*names: str) -> Table:
    """A table without a frame; the last column takes what room there is."""
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
    """Hits, best first, each with the words it came from, and what its score is made of where that was asked."""
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
    table = Table.grid(padding=(0, 2))
    for _ in range(count - 1):
        table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    return table


def _content(node: MemoryNode) -> Text:
    by = f"{node.speaker}: " if node.memory_type is MemoryType.CONVERSATION and node.speaker else ""
    return words(f"{by}{node.content}", "" if node.store_status is StoreStatus.VALID else "dim strike")


def _about(node: MemoryNode) -> Text:
    line = words(f"{node.memory_type} · ", "dim").append_text(words(node.modality, _STYLE.get(node.modality, "dim")))
    return line.append_text(words(f" · {node.target_name} · ", "dim")).append_text(validity(node))


def _by_share(signals: Mapping[str, float]) -> list[tuple[str, float]]:
    return sorted(((name, share) for name, share in signals.items() if share), key=lambda item: -abs(item[1]))


def whole_memory(node: MemoryNode, sources: Mapping[str, MemoryNode]) -> list[ConsoleRenderable]:
    """One memory, its facts, and the words it rests on."""
    facts = Table.grid(padding=(0, 2))
    for name, value in _facts(node):
        if value:
            facts.add_row(words(name, "dim"), words(value))
    shown: list[ConsoleRenderable] = [words(node.content, "bold"), facts]
    for source_id in node.source_ids:
        source = sources.get(source_id)
        shown.append(_quoted(node, source) if source else words(f"{source_id}: not there any more", "dim"))
    return shown


def _facts(node: MemoryNode) -> list[tuple[str, str]]:
    slot = f"{node.attribute} = {node.value}" if node.attribute and node.value else node.attribute or node.value or ""
    return [
        ("id", node.memory_id),
        ("agent", f"{node.user_name} ({node.agent_id})"),
        ("about", node.target_name),
        ("layer", " / ".join(filter(None, (node.memory_type, node.kind)))),
        ("held", node.modality),
        ("slot", slot),
        ("keys", ", ".join(node.key)),
        ("true", validity(node).plain),
        ("known", " – ".join(filter(None, (moment(node.created_at), moment(node.expired_at))))),
        ("run", node.run_id or ""),
        ("supersedes", ", ".join(node.supersedes)),
        ("superseded by", node.superseded_by or ""),
        ("conflicts with", ", ".join(node.conflicts_with)),
    ]


def _quoted(node: MemoryNode, source: MemoryNode) -> Text:
    """A source with the words that were used standing out."""
    line = words(f"\n{moment(source.valid_at)} {source.speaker or source.target_name}: ", "dim")
    spans = sorted({(item.start, item.end) for item in node.evidence if item.memory_id == source.memory_id})
    at = 0
    for start, end in spans:
        line.append_text(words(source.content[at : max(at, start)]))
        line.append_text(words(source.content[max(at, start) : max(at, end)], "bold green"))
        at = max(at, end)
    line.append_text(words(source.content[at:]))
    return line


def history_list(entries: Sequence[LedgerEntry]) -> Table:
    """The changes of one memory, oldest first."""
    table = columns(2)
    for entry in entries:
        why = f": {entry.change.reason}" if entry.change.reason else ""
        head = words(f"{entry.change.act}{why}", "bold").append_text(words(f" · {entry.cause} · {entry.run}", "dim"))
        table.add_row(words(moment(entry.at)), Group(head, *map(words, differences(entry))))
    return table


def differences(entry: LedgerEntry) -> list[str]:
    """What changed, field by field."""
    before, after = entry.change.before, entry.change.after
    if before is None or after is None:
        node = after or before
        return [f"{'+' if after else '-'} {node.content}"] if node else []
    return [
        f"{name}: {_shown(getattr(before, name))} → {_shown(getattr(after, name))}"
        for name in _COMPARED
        if getattr(before, name) != getattr(after, name)
    ]


def _shown(value: object) -> str:
    return moment(value) if isinstance(value, datetime) else "–" if value is None else str(value)
