"""What a context may show, each thing once: statements, documents and quotes, the likeliest to matter first."""

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Self

from agentmem.domain.memory import Ending, MemoryNode, MemoryType, Modality, StoreStatus, Trust
from agentmem.domain.naming import canonical_name
from agentmem.language.normal import normalise
from agentmem.retrieval.context_wording import Quoting, Section, Wording
from agentmem.retrieval.query import Words

_STANDING = (
    Modality.STATED,
    Modality.NEGATED,
    Modality.INFERRED,
    Modality.ASSERTED_BY_AGENT,
    Modality.HYPOTHESIS,
)
"""Where several memories say the same, it is held as the best of them holds it."""


@dataclass(frozen=True, slots=True)
class ContextItem:
    """One line to be: `text`, already harmless, between what we say ourselves. `order` sorts within its section.

    `memories` are the ids it shows, `episodes` those of the turns and pieces of documents it rests on, `against` those
    it contradicts. Only what is quoted at length may be `cuttable`.
    """

    section: Section
    text: str
    memories: tuple[str, ...]
    episodes: tuple[str, ...]
    before: str = ""
    after: str = ""
    order: tuple[float, ...] = ()
    against: frozenset[str] = frozenset()
    cuttable: bool = False

    def also(self, memories: Iterable[str], episodes: Iterable[str]) -> Self:
        """The same line, standing for these memories too."""
        return replace(
            self,
            memories=tuple(dict.fromkeys((*self.memories, *memories))),
            episodes=tuple(dict.fromkeys((*self.episodes, *episodes))),
        )


@dataclass(frozen=True, slots=True)
class Telling:
    """How things are told: in which words, with which quotation marks, and when."""

    wording: Wording
    quoting: Quoting
    now: datetime


def section_of(node: MemoryNode) -> Section:
    """Where a memory is shown."""
    match node.memory_type:
        case MemoryType.CONVERSATION:
            return "quotes"
        # A hired agent's pieces of documents name no document that could be followed.
        case MemoryType.LONGTERM if {"assetId", "heading"} & node.meta_data.keys():
            return "documents"
        case MemoryType.INSIGHT | MemoryType.LONGTERM:
            return "insights"
        case MemoryType.OBSERVATION | MemoryType.PERCEPTUAL | MemoryType.ENTITY:
            return "facts"
        case MemoryType.COMMUNITY:
            return "communities"


def statements(nodes: Iterable[MemoryNode], telling: Telling) -> list[ContextItem]:
    """Facts and insights in the given order; those that say the same are one."""
    groups: dict[tuple[str, bool], tuple[str, list[MemoryNode]]] = {}
    disputed: set[str] = set()
    for node in nodes:
        disputed.update(node.conflicts_with, (node.memory_id,) if node.conflicts_with else ())
        text = telling.quoting.text(node.content)
        key = normalise(text), node.modality is Modality.NEGATED
        groups.setdefault(key, (text, []))[1].append(node)
    return [_statement(text, group, disputed, telling) for (plain, _), (text, group) in groups.items() if plain]


def _statement(text: str, group: Sequence[MemoryNode], disputed: Set[str], telling: Telling) -> ContextItem:
    first = group[0]
    notes = [*_intervals(group, telling), *_marks(group, disputed, telling)]
    return ContextItem(
        section_of(first),
        text,
        memories=tuple(node.memory_id for node in group),
        episodes=tuple(dict.fromkeys(source for node in group for source in episodes_of(node))),
        after=telling.wording.span.format(telling.wording.clause_separator.join(notes)),
        order=(min(node.valid_at for node in group).timestamp(),),
        against=frozenset(other for node in group for other in node.conflicts_with),
    )


def episodes_of(node: MemoryNode) -> tuple[str, ...]:
    """The ids of the turns or pieces a memory rests on; its own, where it is one."""
    if section_of(node) in ("quotes", "documents"):
        return (node.memory_id,)
    return tuple(dict.fromkeys(part.memory_id for part in node.evidence)) or node.source_ids


def _intervals(group: Sequence[MemoryNode], telling: Telling) -> list[str]:
    """When it was true; of intervals with one end the longest, oldest first."""
    longest: dict[tuple[datetime | None, bool], datetime] = {}
    for node in group:
        key = node.invalid_at, _is_over(node, telling.now)
        longest[key] = min(longest.get(key, node.valid_at), node.valid_at)
    spans = sorted(
        ((start, end, ended) for (end, ended), start in longest.items()),
        key=lambda span: (span[0], span[1] is None, span[1] or span[0], span[2]),
    )
    shown = (telling.wording.interval(start, end, ended=ended, now=telling.now) for start, end, ended in spans)
    return list(dict.fromkeys(shown))


def _marks(group: Sequence[MemoryNode], disputed: Set[str], telling: Telling) -> list[str]:
    """In words: how it is held, who else told it, whether another memory says otherwise."""
    wording = telling.wording
    best = min(group, key=lambda node: _STANDING.index(node.modality))
    marks = [wording.marks[best.modality]] if best.modality in wording.marks else []
    if best.modality in (Modality.STATED, Modality.NEGATED) and best.memory_type is MemoryType.OBSERVATION:
        speaker = best.speaker or best.target_name
        if canonical_name(speaker) != canonical_name(best.target_name):
            marks.append(wording.told_by.format(telling.quoting.name(speaker)))
            return [*marks, *_doubts(group, disputed, wording)]
    if all(node.trust is Trust.UNTRUSTED for node in group):
        marks.append(wording.unverified)
    return [*marks, *_doubts(group, disputed, wording)]


def _doubts(group: Sequence[MemoryNode], disputed: Set[str], wording: Wording) -> list[str]:
    marks: list[str] = []
    if any(node.memory_id in disputed for node in group):
        marks.append(wording.disputed)
    if all(node.needs_review for node in group):
        marks.append(wording.in_doubt)
    return marks


def _path(title: str, heading: str) -> list[str]:
    """Where a piece stands in its document: a title that is also its first heading is told once."""
    first, _, rest = heading.partition(" › ")
    return [part for part in ((title, rest) if first == title else (title, heading)) if part]


def documents(nodes: Iterable[MemoryNode], telling: Telling) -> list[ContextItem]:
    """Pieces of documents in the given order; shown document by document, piece by piece, the owner's first. What is
    from anybody else says so."""
    found: dict[str, ContextItem] = {}
    places: dict[str, int] = {}
    for node in sorted(nodes, key=lambda node: node.trust is not Trust.OWNER):
        heading, title = (str(node.meta_data.get(name) or "") for name in ("heading", "title"))
        text = telling.quoting.text(node.content.removeprefix(f"{heading}\n"))
        place = node.meta_data.get("place")
        owned = node.trust is Trust.OWNER
        item = ContextItem(
            "documents",
            text,
            memories=(node.memory_id,),
            episodes=(node.memory_id,),
            before=f"{' › '.join(telling.quoting.name(part) for part in _path(title, heading))}: ",
            after="" if owned else telling.wording.span.format(telling.wording.unverified),
            order=(
                not owned,
                places.setdefault(title, len(places)),
                place if isinstance(place, int | float) else 0,
            ),
            cuttable=True,
        )
        if key := normalise(text):
            found[key] = found[key].also(item.memories, item.episodes) if key in found else item
    return list(found.values())


def summaries(nodes: Iterable[MemoryNode], telling: Telling) -> list[ContextItem]:
    """Communities in the given order, each in one line; `episodes` are the memories it tells of."""
    return [
        ContextItem(
            "communities",
            telling.quoting.text(node.content),
            memories=(node.memory_id,),
            episodes=node.source_ids,
            after=telling.wording.span.format(telling.wording.unverified) if node.trust is Trust.UNTRUSTED else "",
            order=(place,),
            cuttable=True,
        )
        for place, node in enumerate(nodes)
    ]


@dataclass(slots=True)
class _Turn:
    """A turn on its way to a quote: whole, or the parts of it that memories rest on."""

    turn_id: str
    speaker: str
    at: datetime
    parts: list[str] = field(default_factory=list[str])

    def add(self, part: str) -> None:
        if not any(part in held for held in self.parts):
            self.parts = [*(held for held in self.parts if held not in part), part]


def quotes(turns: Iterable[MemoryNode], rest_on: Iterable[Words], telling: Telling) -> list[ContextItem]:
    """Turns that were found, then the words that memories rest on; a turn is quoted once, whole if it was found."""
    said: dict[str, _Turn] = {}
    for node in turns:
        said[node.memory_id] = _Turn(node.memory_id, node.speaker or node.target_name, node.valid_at, [node.content])
    for part in rest_on:
        said.setdefault(part.memory_id, _Turn(part.memory_id, part.speaker, part.at)).add(part.text)
    found: dict[tuple[str, str], ContextItem] = {}
    for turn in said.values():
        text = telling.quoting.text(" … ".join(turn.parts))
        key = canonical_name(turn.speaker), normalise(text)
        if key in found:
            found[key] = found[key].also((turn.turn_id,), (turn.turn_id,))
        elif key[1]:
            found[key] = _quote(turn, text, telling)
    return list(found.values())


def _quote(turn: _Turn, text: str, telling: Telling) -> ContextItem:
    return ContextItem(
        "quotes",
        text,
        memories=(turn.turn_id,),
        episodes=(turn.turn_id,),
        before=f"[{telling.wording.minute(turn.at)}] {telling.quoting.name(turn.speaker)}: ",
        order=(turn.at.timestamp(),),
        cuttable=True,
    )


def profile(nodes: Iterable[MemoryNode], telling: Telling) -> list[ContextItem]:
    """What is to be known of a person before anything is asked, in the given order."""
    held = list(nodes)
    place = {node.memory_id: number for number, node in enumerate(held)}
    told = statements([node for node in held if section_of(node) != "quotes"], telling)
    said = quotes([node for node in held if section_of(node) == "quotes"], (), telling)
    found = [
        replace(item, section="profile", order=(min(place[key] for key in item.memories),), cuttable=True)
        for item in (*told, *said)
    ]
    return sorted(found, key=lambda item: item.order)


def without_echoes(*layers: Sequence[ContextItem]) -> list[ContextItem]:
    """The items of all layers, where one that repeats an item of an earlier layer only lends it its ids."""
    found: list[ContextItem] = []
    for layer in layers:
        places = {normalise(item.text): place for place, item in reversed(list(enumerate(found)))}
        for item in layer:
            place = places.get(normalise(item.text))
            if place is None:
                found.append(item)
            else:
                found[place] = found[place].also(item.memories, item.episodes)
    return found


def _is_over(node: MemoryNode, at: datetime) -> bool:
    """Whether it was no longer true at `at`; one that ended nobody knows when is over, and what only faded out of scope
    is as true as it was."""
    if node.invalid_at is not None:
        return node.invalid_at <= at
    return node.store_status is not StoreStatus.VALID and node.ending is not Ending.FADED
