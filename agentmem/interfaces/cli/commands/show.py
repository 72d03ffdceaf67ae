"""show, history: one memory with the words it rests on, and its changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import ConsoleRenderable, Group
from rich.text import Text

from agentmem.errors import NotFound
from agentmem.interfaces.cli.command_context import CommandSession
from agentmem.interfaces.cli.memory_view import columns, differences, moment, term, validity
from agentmem.interfaces.cli.options import KnownAt
from agentmem.interfaces.cli.output import Answer, words
from agentmem.interfaces.cli.typed_names import memory_called, time_of
from agentmem.interfaces.wire import history_data, memory_data

if TYPE_CHECKING:
    from rich.table import Table

    from agentmem.domain.change import LedgerEntry
    from agentmem.domain.memory import MemoryNode

MemoryId = Annotated[str, typer.Argument(metavar="ID", help="A memory's id, or how it begins.")]


async def show(session: CommandSession, memory: MemoryId, known_at: KnownAt = None) -> Answer:
    """Show one memory with the words it rests on."""
    known = time_of(known_at, "--known-at", session.settings)
    async with session.opened(index=False) as app:
        node = await memory_called(app, memory, known_at=known, forgotten=True)
        sources = await app.records.get(node.source_ids, known_at=known)
    return Answer(memory_data(node, sources), _whole_memory(node, sources))


async def history(session: CommandSession, memory: MemoryId) -> Answer:
    """Show every change of one memory."""
    async with session.opened(index=False) as app:
        node = await memory_called(app, memory, forgotten=True)
        entries = await app.records.history(node.memory_id)
    if not entries:
        raise NotFound(f"no history of {memory!r}")
    return Answer(history_data(entries), [words(node.content, "bold"), _history_list(entries)])


def _whole_memory(node: MemoryNode, sources: Mapping[str, MemoryNode]) -> list[ConsoleRenderable]:
    """One memory, its facts, and the words it rests on."""
    from agentmem.domain.value import CORRECTED

    facts = columns(2)
    for name, value in _facts(node):
        if value:
            facts.add_row(words(name, "dim"), words(value))
    shown: list[ConsoleRenderable] = [words(node.content, "bold"), facts]
    if node.source_ids and node.meta_data.get(CORRECTED):
        shown.append(words("\nbefore it was corrected it was made from", "dim"))
    for source_id in node.source_ids:
        source = sources.get(source_id)
        shown.append(_quoted(node, source) if source else words(f"{source_id}: not there any more", "dim"))
    return shown


def _facts(node: MemoryNode) -> list[tuple[str, str]]:
    from agentmem.domain.episode import title_told
    from agentmem.domain.value import CORRECTED

    title = title_told(node)
    by_hand = ("corrected by hand",) if node.meta_data.get(CORRECTED) else ()
    slot = f"{node.attribute} = {node.value}" if node.attribute and node.value else node.attribute or node.value or ""
    return [
        ("id", node.memory_id),
        ("agent", f"{node.user_name} ({node.agent_id})"),
        ("about", node.target_name),
        ("layer", " / ".join(filter(None, (node.memory_type, node.kind)))),
        ("modality", ", ".join((term(f"base.modality_{node.modality}"), *by_hand))),
        ("from", "" if title is None else f"the title {title}, with which {node.target_name} was introduced"),
        ("slot", slot),
        ("keys", ", ".join(node.key)),
        ("holds", validity(node).plain),
        ("believed", " – ".join(filter(None, (moment(node.created_at), moment(node.expired_at))))),
        ("conversation", node.run_id or ""),
        ("replaces", ", ".join(node.supersedes)),
        ("replaced by", node.superseded_by or ""),
        ("disputed by", ", ".join(node.conflicts_with)),
        ("in doubt", f"because of {', '.join(node.needs_review)}" if node.needs_review else ""),
    ]


def _quoted(node: MemoryNode, source: MemoryNode) -> Text:
    """A source with the words that were used standing out."""
    from agentmem.domain.episode import title_told

    line = words(f"\n{moment(source.valid_at)} {source.speaker or source.target_name}: ", "dim")
    spoken = node.evidence if title_told(node) is None else ()
    spans = sorted({(item.start, item.end) for item in spoken if item.memory_id == source.memory_id})
    at = 0
    for start, end in spans:
        line.append_text(words(source.content[at : max(at, start)]))
        line.append_text(words(source.content[max(at, start) : max(at, end)], "bold green"))
        at = max(at, end)
    line.append_text(words(source.content[at:]))
    return line


def _history_list(entries: Sequence[LedgerEntry]) -> Table:
    """The changes of one memory, oldest first."""
    from agentmem.memory.edit import act_of

    table = columns(2)
    for entry in entries:
        why = f": {entry.change.reason}" if entry.change.reason else ""
        head = words(f"{term(f'memory.act_{act_of(entry.change)}')}{why}", "bold").append_text(
            words(f" · {term(f'cause.{entry.cause}')} · {entry.run}", "dim")
        )
        table.add_row(words(moment(entry.at)), Group(head, *map(words, differences(entry.change))))
    return table
