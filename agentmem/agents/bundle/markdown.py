"""What an agent knows, as Markdown for people: by person, by layer, with dates and the words it rests on."""

from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path

from agentmem import patterns as re
from agentmem.agents.bundle.draft import draft
from agentmem.domain.memory import MemoryNode, MemoryType, StoreStatus
from agentmem.domain.persona import Persona
from agentmem.domain.scope import Scope
from agentmem.language.normal import is_invisible
from agentmem.ports.journal import Journal
from agentmem.ports.ledger import Ledger, Selection
from agentmem.retrieval.query import words_of

PAGE = 1_000
_ORDER = (
    MemoryType.INSIGHT,
    MemoryType.OBSERVATION,
    MemoryType.LONGTERM,
    MemoryType.PERCEPTUAL,
    MemoryType.CONVERSATION,
)
_WORDS = {
    "zh": ("洞察", "观察", "长期", "感知", "对话", "截至", "原话", "止于", "有争议", "待核实", "来源不可信"),
    "en": (
        *("Insights", "Observations", "Long-term", "Readings", "Conversations", "As of", "said", "until"),
        *("disputed", "needs review", "from an untrusted source"),
    ),
}
_ACTIVE = re.compile(r"([\\`*_\[\]<>|~#&])")
_BEGINS_A_BLOCK = re.compile(r"^([-+=]|\d+(?=[.)]))")


async def export_markdown(
    journal: Journal, scope: Scope, persona: Persona, file: Path, *, force: bool, now: datetime
) -> int:
    """Write what an agent knows, ended facts struck out, into a file that appears when it is whole; how many memories.

    Raises as `draft` does.
    """
    count = 0
    with draft(file, force=force) as out:
        out.write(_head(persona, now).encode())
        async for block, memories in _sections(journal.ledger, scope, persona):
            out.write(block.encode())
            count += memories
    return count


def _head(persona: Persona, now: datetime) -> str:
    lines = [f"# {escaped(persona.name)}", f"{_WORDS[persona.language][5]} {_day(now)}"]
    lines += [escaped(text) for text in (persona.role, persona.style) if text]
    return "\n\n".join(lines) + "\n"


async def _sections(ledger: Ledger, scope: Scope, persona: Persona) -> AsyncIterator[tuple[str, int]]:
    """One layer of one person after the other, with how many memories each holds."""
    for target, name in sorted((await _people(ledger, scope)).items(), key=lambda item: (item[1], item[0])):
        heading = f"\n## {escaped(name)}\n"
        for number, layer in enumerate(_ORDER):
            nodes = await _all(ledger, Selection(Scope(scope.tenant, scope.agent, target), types=(layer,), limit=PAGE))
            if nodes:
                lines = await _lines(ledger, scope, nodes[::-1], persona.language)
                yield f"{heading}\n### {_WORDS[persona.language][number]}\n\n" + "\n".join(lines) + "\n", len(nodes)
                heading = ""


async def _people(ledger: Ledger, scope: Scope) -> dict[str, str]:
    """The names of all whom something is known about, by their ids."""
    found: dict[str, str] = {}
    after: tuple[int, str] | None = None
    while page := await ledger.select(Selection(scope, after=after, limit=PAGE)):
        for node in page:
            found.setdefault(node.target_id, node.target_name)
        after = (page[-1].timestamp, page[-1].memory_id)
    return found


async def _all(ledger: Ledger, selection: Selection) -> list[MemoryNode]:
    found: list[MemoryNode] = []
    after: tuple[int, str] | None = None
    while page := await ledger.select(Selection(selection.scope, selection.types, after=after, limit=PAGE)):
        found += (node for node in page if node.store_status is not StoreStatus.DELETED)
        after = (page[-1].timestamp, page[-1].memory_id)
    return found


async def _lines(ledger: Ledger, scope: Scope, nodes: Sequence[MemoryNode], language: str) -> list[str]:
    if nodes[0].memory_type is MemoryType.CONVERSATION:
        return [
            f"- {_minute(node.valid_at)} **{escaped(node.speaker or '?')}**: {escaped(node.content)}" for node in nodes
        ]
    sources = await ledger.get(scope.tenant, {part.memory_id for node in nodes for part in node.evidence})
    return [_line(node, sources, _WORDS[language]) for node in nodes]


def _line(node: MemoryNode, sources: Mapping[str, MemoryNode], said: Sequence[str]) -> str:
    content = escaped(node.content)
    over = node.store_status is not StoreStatus.VALID
    facts = [_day(node.valid_at)]
    if node.invalid_at is not None:
        facts.append(f"{said[7]} {_day(node.invalid_at)}")
    doubts = ((node.conflicts_with, said[8]), (node.needs_review, said[9]), (node.trust == "untrusted", said[10]))
    facts += [word for true, word in doubts if true]
    line = f"- {_struck(content) if over else content} — {', '.join(facts)}"
    quotes = (
        f"  - {said[6]} {_minute(part.at)} {escaped(part.speaker)}: “{escaped(part.text)}”"
        for part in words_of(node, sources)
    )
    return "\n".join((line, *quotes))


def _struck(content: str) -> str:
    return "  \n  ".join(f"~~{line}~~" for line in content.split("  \n  "))


def escaped(text: str) -> str:
    """Text that shows as it is and does nothing: no link, no picture, no tag, no heading; its lines stay apart. What
    cannot be seen is shown as its number."""
    lines = (" ".join(line.split()) for line in text.splitlines())
    return "  \n  ".join(_escaped_line(line) for line in lines if line)


def _escaped_line(line: str) -> str:
    seen = "".join(f"(U+{ord(ch):04X})" if is_invisible(ch) else ch for ch in line)
    return _BEGINS_A_BLOCK.sub(r"\\\1" if not seen[:1].isdigit() else r"\1\\", _ACTIVE.sub(r"\\\1", seen))


def _day(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d}"


def _minute(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M}"
