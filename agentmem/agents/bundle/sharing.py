"""An agent as a Character Card of version 3: who it is, and what it was taught. Nothing about anybody else leaves."""

import json
import re
from datetime import datetime
from pathlib import Path

from agentmem.agents.bundle.draft import draft
from agentmem.domain.ids import entity_id
from agentmem.domain.memory import MemoryNode, MemoryType, StoreStatus, Trust
from agentmem.domain.persona import Persona
from agentmem.domain.scope import Scope
from agentmem.domain.value import JsonValue
from agentmem.language.normal import canonical_name
from agentmem.ports.journal import Journal
from agentmem.ports.ledger import Selection

PAGE = 1_000
# What would act in an application that reads cards: its placeholders, and the decorators of a lorebook.
_PLACEHOLDER = re.compile(r"\{(?=\{)|<(?=(?:bot|user|char)>)", re.IGNORECASE)
_DECORATOR = re.compile(r"^@@", re.MULTILINE)


async def export_card(
    journal: Journal, scope: Scope, persona: Persona, file: Path, *, force: bool, now: datetime
) -> int:
    """Write the persona as a card with its documents as the lorebook; how many entries that has. Long-term memories
    about the agent itself go along, people's do not. Raises as `draft` does."""
    itself = entity_id(scope.tenant, scope.agent, canonical_name(persona.name))
    own = Scope(scope.tenant, scope.agent, itself)
    entries: list[JsonValue] = []
    after: tuple[int, str] | None = None
    while page := await journal.ledger.select(_taught(own, after)):
        entries += [_entry(node) for node in page if node.trust is not Trust.UNTRUSTED]
        after = (page[-1].timestamp, page[-1].memory_id)
    entries.reverse()
    card = {"spec": "chara_card_v3", "spec_version": "3.0", "data": _data(persona, entries, now)}
    with draft(file, force=force) as out:
        out.write(json.dumps(card, ensure_ascii=False, indent=1).encode() + b"\n")
    return len(entries)


def _taught(own: Scope, after: tuple[int, str] | None) -> Selection:
    return Selection(own, (MemoryType.LONGTERM,), (StoreStatus.VALID,), after=after, limit=PAGE)


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
