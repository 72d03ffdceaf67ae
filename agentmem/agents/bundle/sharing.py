"""An agent as a Character Card of version 3: who it is, and what it was taught. Nothing about anybody else leaves."""

import asyncio
import json
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

from agentmem import patterns as re
from agentmem.agents.bundle.draft import draft
from agentmem.agents.copying.contract import Chooser
from agentmem.agents.copying.people import People
from agentmem.domain.memory import MemoryNode, MemoryType, Trust
from agentmem.domain.persona import HirePolicy, Persona
from agentmem.domain.scope import Scope
from agentmem.domain.value import JsonValue
from agentmem.errors import InvalidInput
from agentmem.language.safe_text import safe_json
from agentmem.ports.journal import Journal
from agentmem.ports.ledger import Selection

PAGE = 1_000
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
    after: tuple[int, str] | None = None
    while page := await journal.ledger.select(Selection(scope, after=after, limit=PAGE)):
        for node in page:
            chooser.take(node)
        after = (page[-1].timestamp, page[-1].memory_id)
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
