"""An agent in files for others to read: what it knows as Markdown (by person, by layer, with dates and sources), and
who it is and what it was taught as a Character Card of version 3, with nothing about anybody else.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path

from agentmem import patterns as re
from agentmem.agents.bundle.atomic_file import draft
from agentmem.agents.copying.contract import Chooser
from agentmem.agents.copying.identifying_words import People
from agentmem.characters import is_invisible
from agentmem.domain.memory import Ending, MemoryNode, MemoryType, StoreStatus, Trust
from agentmem.domain.persona import HirePolicy, Persona
from agentmem.domain.scope import Scope
from agentmem.domain.value import JsonValue
from agentmem.errors import InvalidInput
from agentmem.language.normal import Language
from agentmem.language.safe_text import safe_json
from agentmem.ledger.listing import every
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
    journal: Journal, scope: Scope, persona: Persona, file: Path, *, language: Language, force: bool, now: datetime
) -> int:
    """Write what an agent knows, ended facts struck out, into a file that appears when it is whole, with headings in
    this language; how many memories.

    Raises as `draft` does.
    """
    count = 0
    with draft(file, force=force) as out:
        out.write(_head(persona, language, now).encode())
        async for block, memories in _sections(journal.ledger, scope, language):
            out.write(block.encode())
            count += memories
    return count


def _head(persona: Persona, language: Language, now: datetime) -> str:
    lines = [f"# {escaped(persona.name)}", f"{_WORDS[language][5]} {_day(now)}"]
    lines += [escaped(text) for text in (persona.role, persona.style) if text]
    return "\n\n".join(lines) + "\n"


async def _sections(ledger: Ledger, scope: Scope, language: Language) -> AsyncIterator[tuple[str, int]]:
    """One layer of one person after the other, with how many memories each holds."""
    for target, name in sorted((await _people(ledger, scope)).items(), key=lambda item: (item[1], item[0])):
        heading = f"\n## {escaped(name)}\n"
        for number, layer in enumerate(_ORDER):
            wanted = Selection(Scope(scope.tenant, scope.agent, target), types=(layer,), limit=PAGE)
            nodes = [node async for node in every(ledger, wanted) if node.ending is not Ending.RECORD]
            if nodes:
                lines = await _lines(ledger, scope, nodes[::-1], language)
                yield f"{heading}\n### {_WORDS[language][number]}\n\n" + "\n".join(lines) + "\n", len(nodes)
                heading = ""


async def _people(ledger: Ledger, scope: Scope) -> dict[str, str]:
    """The names of all whom something is known about, by their ids."""
    found: dict[str, str] = {}
    async for node in every(ledger, Selection(scope, limit=PAGE)):
        found.setdefault(node.target_id, node.target_name)
    return found


async def _lines(ledger: Ledger, scope: Scope, nodes: Sequence[MemoryNode], language: Language) -> list[str]:
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
    return _BEGINS_A_BLOCK.sub(
        re.filled(r"\\\1" if not seen[:1].isdigit() else r"\1\\"), _ACTIVE.sub(re.filled(r"\\\1"), seen)
    )


def _day(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d}"


def _minute(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M}"


# What would act in an application that reads cards: its placeholders, and the decorators of a lorebook.
_PLACEHOLDER = re.compile(r"\{(?=\{)|<(?=(?:bot|user|char)>)", re.IGNORECASE)
_DECORATOR = re.compile(r"^@@", re.MULTILINE)


async def export_card(
    journal: Journal, scope: Scope, persona: Persona, file: Path, *, force: bool, now: datetime
) -> int:
    """Write the persona as a card with its documents as the lorebook; how many entries that has. Documents and lines of
    the persona that name somebody the agent knows stay, as they do at a hire. Raises as `draft` does, and
    `InvalidInput` where its own name names somebody."""
    contract = HirePolicy(layers=(MemoryType.LONGTERM,), kinds=("chunk",), targets=persona.hire.targets)
    chooser = Chooser(persona, contract, now)
    async for node in every(journal.ledger, Selection(scope, limit=PAGE)):
        chooser.take(node)
    choice = await asyncio.to_thread(chooser.choose)
    own = [node for node in choice.goes if node.target_id in chooser.people.itself]
    entries: list[JsonValue] = [_entry(node) for node in own if node.trust is not Trust.UNTRUSTED]
    shared = _without_people(persona, chooser.people)
    card = {"spec": "chara_card_v3", "spec_version": "3.0", "data": _data(shared, entries, now)}
    with draft(file, force=force) as out:
        out.write(safe_json(json.dumps(card, ensure_ascii=False, indent=1)).encode() + b"\n")
    return len(entries)


def _without_people(persona: Persona, people: People) -> Persona:
    """The persona without the lines that name who spoke with it."""
    marks = people.marks(people.called.keys() - people.spoke)
    if marks.within(persona.name) is not None:
        raise InvalidInput(f"the name of agent {persona.id!r} names somebody it knows: a card would tell it")

    def clean(lines: Iterable[str]) -> tuple[str, ...]:
        return tuple(line for line in lines if marks.within(line) is None)

    return persona.revised(
        role="\n".join(clean(persona.role.splitlines())).strip(),
        style="\n".join(clean(persona.style.splitlines())).strip(),
        goals=clean(persona.goals),
        boundaries=clean(persona.boundaries),
    )


def _entry(node: MemoryNode) -> JsonValue:
    return {
        "keys": [_inert(key) for key in node.key],
        "content": _inert(node.content),
        "extensions": {},
        "enabled": True,
        "insertion_order": 100,
        "use_regex": False,
        "constant": not node.key,
    }


def _data(persona: Persona, entries: list[JsonValue], now: datetime) -> dict[str, JsonValue]:
    listed = (*(f"- {goal}" for goal in persona.goals), *(f"- {limit}" for limit in persona.boundaries))
    stamp = int(now.timestamp())
    return {
        "name": persona.name,
        "description": _inert("\n".join(filter(None, (persona.role, *listed)))),
        "personality": _inert(persona.style),
        "scenario": "",
        "first_mes": "",
        "mes_example": "",
        "creator_notes": "Written by agentmem. Memories of people are not part of a card.",
        "creator": "",
        "character_version": "",
        "system_prompt": "",
        "post_history_instructions": "",
        "alternate_greetings": [],
        "group_only_greetings": [],
        "tags": [],
        "extensions": {},
        "creation_date": stamp,
        "modification_date": stamp,
        "character_book": {"name": persona.name, "extensions": {}, "entries": entries},
    }


def _inert(text: str) -> str:
    return _DECORATOR.sub("@ @", _PLACEHOLDER.sub(lambda found: f"{found[0]} ", text))
