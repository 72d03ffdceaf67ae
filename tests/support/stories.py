"""Plays change stories: statements with their times, read by rules and reconciled in memory, arriving in any order."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Annotated

from pydantic import AwareDatetime, BeforeValidator

from agentmem.adapters.cognition.rules.engine import read_window
from agentmem.adapters.cognition.rules.judging import judged
from agentmem.domain.attributes import slot_of, value_kind
from agentmem.domain.event import Person
from agentmem.domain.ids import TimestampGenerator, derived_id, entity_id
from agentmem.domain.memory import MemoryNode, Modality
from agentmem.domain.statement import Reading, Turn, Window
from agentmem.domain.value import Value
from agentmem.language.normal import language_of, normalise
from agentmem.language.values import likeness
from agentmem.ledger.plan import Plan
from agentmem.memory.candidates import drafted_pairs, open_pairs, undecided_pairs
from agentmem.memory.intake import Author, Drafter, checked
from agentmem.memory.reconcile import by_pair, decided, link, reconcile, take_back, undecided
from agentmem.memory.relation import Relations

STORIES = Path(__file__).parent.parent / "fixtures" / "stories"
TENANT, AGENT = "acme", "seller"
PEOPLE = {"zh": "陈立", "en": "Ann Lee"}


def _moment(value: object) -> object:
    return f"{value}T12:00:00+00:00" if isinstance(value, str) and len(value) == 10 else value


class Told(Value):
    """One statement: when it was said, the words, and what is true from then on of all that the story asks for."""

    at: Annotated[AwareDatetime, BeforeValidator(_moment)]
    say: str
    true: tuple[str, ...] = ()


class Turnover(Value):
    """What is true from a time on that no statement was made at."""

    at: Annotated[AwareDatetime, BeforeValidator(_moment)]
    true: tuple[str, ...] = ()


class Story(Value):
    """Statements in the order of their times. `about` is the slot asked for; without one, contents are looked at."""

    id: str
    about: str | None = None
    target: str | None = None
    tell: tuple[Told, ...]
    also: tuple[Turnover, ...] = ()

    @property
    def person(self) -> str:
        """Who speaks."""
        return PEOPLE[language_of("".join(item.say for item in self.tell))]

    def asked(self) -> Iterator[tuple[datetime, tuple[str, ...]]]:
        """A time in each stretch between two changes, and what is true then."""
        changes = sorted([*((item.at, item.true) for item in self.tell), *((item.at, item.true) for item in self.also)])
        for (at, true), (following, _) in pairwise(changes):
            if following > at:
                yield at + (following - at) / 2, true
        yield changes[-1][0] + timedelta(hours=1), changes[-1][1]


@dataclass(frozen=True, slots=True)
class Played:
    """All memories of a story that was played."""

    story: Story
    nodes: tuple[MemoryNode, ...]

    def answers(self, at: datetime) -> list[MemoryNode]:
        """What is affirmed and true at a time of the one the story is about, in its slot where it has one."""
        return [node for node in self.nodes if node.holds_at(at) and self._is_asked(node)]

    def _is_asked(self, node: MemoryNode) -> bool:
        name, slot = self.story.target, self.story.about
        theirs = node.target_name == name if name else node.target_id == _target(self.story)
        affirmed = node.modality in (Modality.STATED, Modality.INFERRED)
        return (
            theirs and affirmed and (slot is None or (node.attribute is not None and slot_of(node.attribute) == slot))
        )

    def wrong(self) -> list[str]:
        """Each time at which the answer is not what is true, in one line."""
        words = sorted({word for item in (*self.story.tell, *self.story.also) for word in item.true})
        problems: list[str] = []
        for at, true in self.story.asked():
            held = self.answers(at)
            for word in words:
                count = sum(self._says(node, word) for node in held)
                wanted = word in true
                if wanted and count == 0:
                    problems.append(f"{at:%Y-%m-%d %H:%M}: {word} is missing of {[n.content for n in held]}")
                if not wanted and count and not any(self._says_word(word, other) for other in true):
                    problems.append(f"{at:%Y-%m-%d %H:%M}: {word} is held, but {list(true)} is true")
            if self.story.about and len(held) != len(true):
                problems.append(f"{at:%Y-%m-%d %H:%M}: {[n.value for n in held]} instead of {list(true)}")
        return problems

    def _says(self, node: MemoryNode, word: str) -> bool:
        if self.story.about is None:
            return normalise(word) in normalise(node.content)
        kind = value_kind(self.story.about, {})
        return likeness(kind, node.value or "", word) in ("equal", "more")

    def _says_word(self, word: str, other: str) -> bool:
        return normalise(word) in normalise(other) or likeness(value_kind(self.story.about, {}), word, other) != "other"

    def state(self) -> frozenset[tuple[str, datetime, datetime | None]]:
        """The intervals that are not empty, without ids and spellings: what must not depend on the order of arrival."""
        return frozenset(
            (node.target_name, node.valid_at, node.invalid_at)
            for node in self.nodes
            if node.invalid_at != node.valid_at and node.attribute == self.story.about
        )


def _target(story: Story) -> str:
    return entity_id(TENANT, AGENT, story.person)


def _window(story: Story, told: Told, place: int) -> Window:
    name = story.person
    turn = Turn(turn_id=derived_id("turn", story.id, place), by_agent=False, speaker=name, text=told.say, at=told.at)
    return Window(
        window_id=derived_id("window", story.id, place),
        agent_name="Bella",
        person=Person(name=name),
        language="zh" if name == PEOPLE["zh"] else "en",
        turns=(turn,),
    )


def play(story: Story, order: Sequence[int] | None = None) -> Played:
    """The story, its statements arriving in `order` (places in `tell`), each as a window of its own."""
    relations, stored = Relations({}), dict[str, MemoryNode]()
    now = max(item.at for item in story.tell) + timedelta(days=1)
    stamps = TimestampGenerator()
    for step, place in enumerate(order if order is not None else range(len(story.tell))):
        moment = now + timedelta(minutes=step)
        window = _window(story, story.tell[place], place)
        reading = _read_cached(window)
        drafts = Drafter(stamps, lambda moment=moment: moment).draft(
            dict(enumerate(reading.statements)), window, Author(TENANT, AGENT, _target(story), None), "observation", {}
        )
        plan = Plan(stored.values())
        pairs = open_pairs(undecided_pairs(drafted_pairs(drafts, list(stored.values())), relations))
        decisions = decided(pairs, [verdict for item in pairs if (verdict := judged(item.pair)) is not None])
        take_back(plan, reading.rejected, moment)
        reconcile(plan, drafts, relations, by_pair(decisions), moment)
        link(plan, undecided(pairs, decisions))
        stored = {node.memory_id: node for node in plan.held()}
    return Played(story, tuple(stored.values()))


_readings: dict[str, Reading] = {}


def _read_cached(window: Window) -> Reading:
    """Reading is the same whenever a statement arrives."""
    key = window.model_dump_json()
    if key not in _readings:
        _readings[key] = checked(read_window(window), window)
    return _readings[key]


def stories() -> list[Story]:
    """All stories of the fixtures."""
    lines = (line for path in sorted(STORIES.glob("*.jsonl")) for line in path.read_text("utf-8").splitlines())
    return [Story.model_validate_json(line) for line in lines]
