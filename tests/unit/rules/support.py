"""Plays little dialogues through the rules engine."""

import re
import unicodedata
from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import NAMESPACE_DNS, uuid5

from agentmem.adapters.cognition.rules.engine import read_window
from agentmem.domain.event import Person
from agentmem.domain.statement import Reading, Statement, Turn, Window

START = datetime.fromisoformat("2026-03-04T10:00:00+08:00")
"""A Wednesday."""


def turns(lines: Sequence[str], person: Person, agent: str = "AIP", at: datetime = START) -> tuple[Turn, ...]:
    """`a: …` and `c: …` as turns of agent and customer, 20 s apart; without a prefix it is the customer."""
    made: list[Turn] = []
    for number, line in enumerate(lines):
        by_agent, text = line.startswith("a: "), re.sub(r"^[ac]: ", "", line)
        made.append(
            Turn(
                turn_id=str(uuid5(NAMESPACE_DNS, f"{number}")),
                by_agent=by_agent,
                speaker=agent if by_agent else person.name,
                text=text,
                at=at + timedelta(seconds=20 * number),
            )
        )
    return tuple(made)


def read(
    *lines: str, name: str = "陈立", title: str | None = None, agent: str = "AIP导购", context: int = 0
) -> Reading:
    """The reading of one window; the first `context` lines are only its context."""
    person = Person(name=name, title=title)
    spoken = turns(lines, person, agent)
    return read_window(
        Window(
            window_id="w",
            agent_name=agent,
            person=person,
            language="zh",
            context=spoken[:context],
            turns=spoken[context:],
        )
    )


def english(*lines: str) -> Reading:
    """The same for Tom Hale, who talks with Bella."""
    return read(*lines, name="Tom Hale", agent="Bella")


def holds(statement: Statement) -> bool:
    """Whether it is not over by the end of the dialogue; it may end later."""
    return statement.invalid_at is None or statement.invalid_at > START + timedelta(hours=1)


def stated(reading: Reading) -> list[str]:
    """Contents held as stated about the person himself, and not ended."""
    return [s.content for s in reading.statements if s.modality == "stated" and s.about is None and holds(s)]


def over(reading: Reading) -> set[str]:
    """Contents that the reading holds no longer."""
    replaced = {old for each in reading.statements for old in each.replaces}
    ended = {each.content for each in reading.statements if not holds(each)}
    return replaced | ended | {each.content for each in reading.withdrawn}


def folded(text: str) -> str:
    """The form in which contents are compared."""
    return re.sub(r"\s", "", unicodedata.normalize("NFKC", text).casefold()).rstrip("。")
