"""From what was recalled to a block for a prompt within a budget of tokens, with a line for each person it is about."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import accumulate

from agentmem.domain.entity import TOLD_IN, heard_from, without_hearsay
from agentmem.domain.filter import holds
from agentmem.domain.memory import MemoryNode, MemoryType, Modality, StoreStatus
from agentmem.domain.naming import canonical_name
from agentmem.domain.scope import Scope
from agentmem.errors import InvalidInput
from agentmem.language.lengths import CUT, shortened
from agentmem.language.normal import Language, normalise
from agentmem.ports.ledger import Ledger, Selection
from agentmem.ports.models import TokenCounter
from agentmem.retrieval.context_wording import SECTIONS, WORDINGS, Quoting, Section
from agentmem.retrieval.items import (
    ContextItem,
    Telling,
    documents,
    profile,
    quotes,
    section_of,
    statements,
    summaries,
    without_echoes,
)
from agentmem.retrieval.query import Recalled, Words
from agentmem.retrieval.recall import may_be_shown

BUDGET = 1_600
SMALLEST_BUDGET = 200
"""Tokens; room for the fence, one heading and the beginning of one memory."""

PROFILE_BUDGET = 200
"""Tokens for what is to be known of the person whatever is asked."""

MAX_FACTS = 20
SHARE = 4
"""No line takes more than this part of the budget, a quarter, so that one long turn leaves room for others."""

WORTH_QUOTING = 12
"""Characters that a quote cut short for want of room must keep to be shown."""


@dataclass(frozen=True, slots=True)
class ContextLine:
    """A memory as shown, or several that say the same. `episode_ids`: the turns and pieces of documents it rests on."""

    text: str
    memory_ids: tuple[str, ...]
    section: Section
    episode_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Context:
    """A block for a prompt and its lines, in order. `left_out` lines had no room. `abstained`: there is nothing to say,
    and the block says so."""

    text: str
    lines: tuple[ContextLine, ...]
    tokens: int
    left_out: int
    abstained: bool = False


def build_context(
    found: Recalled,
    words: Mapping[str, Sequence[Words]],
    *,
    known: Iterable[MemoryNode] = (),
    communities: Iterable[MemoryNode] = (),
    person: Iterable[MemoryNode] = (),
    language: Language,
    budget: int,
    count: TokenCounter,
    nonce: str,
    now: datetime,
) -> Context:
    """What was found, best first, as far as `count` of the whole block stays within `budget`; shown in readable order.

    `words` are those each memory rests on, `known` what else is true of the people the memories are about,
    `communities` are those that bear on the question, `person` what is to be known of the person whatever is asked: it
    stands first, in at most 200 tokens. At most 20 facts and 20 people. Raises `InvalidInput` for a budget below 200,
    or one that the frame alone exceeds.
    """
    telling = Telling(WORDINGS[language], Quoting(nonce, language), now)
    block = _Block(telling, budget, count)
    block.check()
    memories = [] if found.abstained else [hit.memory for hit in found.hits]
    always = block.within(profile(person, telling), PROFILE_BUDGET)
    known = [*known] if memories else []
    is_shown = may_be_shown(found.alone, [*memories, *known])
    items = _items(memories, words, filter(is_shown, known), filter(is_shown, communities), telling)
    block, bears = replace(block, silent=not items), bool(items)
    items = without_echoes(always, items)
    chosen = block.chosen(_limited(items))
    text = block.text(chosen)
    lines = tuple(block.line(item) for item in _readable(chosen))
    return Context(text, lines, count(text), left_out=len(items) - len(chosen), abstained=not bears)


def _items(
    memories: Sequence[MemoryNode],
    words: Mapping[str, Sequence[Words]],
    known: Iterable[MemoryNode],
    communities: Iterable[MemoryNode],
    telling: Telling,
) -> list[ContextItem]:
    """All there is to show: what was found by its place, people and communities, then the words it all rests on."""
    layers: dict[Section, list[MemoryNode]] = {section: [] for section in SECTIONS}
    for node in memories:
        layers[section_of(node)].append(node)
    rest_on = [part for node in memories if section_of(node) != "quotes" for part in words.get(node.memory_id, ())]
    items = without_echoes(
        statements([*layers["facts"], *layers["insights"]], telling),
        documents(layers["documents"], telling),
        people(memories, known, telling),
        summaries(communities, telling),
        quotes(layers["quotes"], rest_on, telling),
    )
    place = {node.memory_id: number for number, node in enumerate(memories)}
    last = len(place)

    def rank(item: ContextItem) -> int:
        return min((place[key] for key in item.memories if key in place), default=last + (item.section == "quotes"))

    return sorted(items, key=rank)


def _limited(items: Iterable[ContextItem]) -> list[ContextItem]:
    """Without the facts beyond the best twenty."""
    facts = 0
    kept: list[ContextItem] = []
    for item in items:
        facts += item.section == "facts"
        if item.section != "facts" or facts <= MAX_FACTS:
            kept.append(item)
    return kept


@dataclass(frozen=True, slots=True)
class _Block:
    """The text around the lines, and what fits into it. Where it is `silent` on the question, it says so."""

    telling: Telling
    budget: int
    count: TokenCounter
    silent: bool = False

    def check(self) -> None:
        """Raise `InvalidInput` where the budget is too small to say anything."""
        least = max(SMALLEST_BUDGET, self.count(replace(self, silent=True).text([])))
        if self.budget < least:
            raise InvalidInput(f"budget: is {self.budget} tokens, a context needs at least {least}")

    def text(self, items: Sequence[ContextItem]) -> str:
        """The block with these items."""
        shown: list[str] = []
        ordered = _readable(items)
        for section in SECTIONS:
            if lines := [self._shown(item) for item in ordered if item.section == section]:
                shown += [f"## {self.telling.wording.headings[section]}", *lines]
        return self._fenced([*shown, self.telling.wording.nothing] if self.silent else shown)

    def within(self, items: Sequence[ContextItem], budget: int) -> list[ContextItem]:
        """As many of these items, each cut to a third of it, as stay within the budget with the heading over them."""
        room = min(budget, self.budget // 2) - self.count(f"## {self.telling.wording.headings['profile']}") - 1
        kept: list[ContextItem] = []
        for item in items:
            cut = self._capped(item, budget // 3)
            room -= self.count(self._shown(cut)) + 1
            if room < 0:
                break
            kept.append(cut)
        return kept

    def line(self, item: ContextItem) -> ContextLine:
        """An item as it is shown."""
        return ContextLine(self._shown(item), item.memories, item.section, item.episodes)

    def chosen(self, items: Sequence[ContextItem]) -> list[ContextItem]:
        """As many of the first items as fit, the last of them shortened if it is a quote, or would be the only one."""
        capped = [self._capped(item, self.budget // SHARE) for item in items]
        number = self._most(capped)
        chosen = capped[:number]
        rest = capped[number : number + 1]
        return [*chosen, *(cut for item in rest if (cut := self._shortened(item, chosen)))]

    def _most(self, items: Sequence[ContextItem]) -> int:
        """How many of the first items fit. The lines counted one by one say where to look: tried by halves, the block
        was counted whole six times for every prompt, which took longer than all the rest of a talk's recall."""
        room = self.budget - self.count(self.text([]))
        number = sum(used <= room for used in accumulate(self.count(self._shown(item)) + 1 for item in items))
        while number and not self._fits(items[:number]):
            number -= 1
        while number < len(items) and self._fits(items[: number + 1]):
            number += 1
        return number

    def _capped(self, item: ContextItem, most: int) -> ContextItem:
        text = shortened(item.text, lambda part: self.count(self._shown(replace(item, text=part))) <= most)
        return replace(item, text=text or CUT)

    def _shortened(self, item: ContextItem, others: Sequence[ContextItem]) -> ContextItem | None:
        if others and not item.cuttable:
            return None
        text = shortened(item.text, lambda part: self._fits([*others, replace(item, text=part)]))
        return replace(item, text=text) if len(text) >= (WORTH_QUOTING if others else 1) else None

    def _fits(self, items: Sequence[ContextItem]) -> bool:
        return self.count(self.text(items)) <= self.budget

    def _shown(self, item: ContextItem) -> str:
        return f"- {item.before}{self.telling.quoting.quoted(item.text)}{item.after}"

    def _fenced(self, lines: Sequence[str]) -> str:
        wording, nonce = self.telling.wording, self.telling.quoting.nonce
        head = wording.head.format(day=wording.day(self.telling.now))
        return "\n".join((f"<memory {nonce}>", head, *lines, f"</memory {nonce}>"))


def _readable(items: Iterable[ContextItem]) -> list[ContextItem]:
    """By section, then in the order of each; what contradicts one another stands together."""
    waiting = sorted(items, key=lambda item: (SECTIONS.index(item.section), item.order))
    if not any(item.against for item in waiting):
        return waiting
    shown: list[ContextItem] = []
    while waiting:
        first = waiting.pop(0)
        against = [item for item in waiting if item.section == first.section and _contradict(item, first)]
        shown += [first, *against]
        waiting = [item for item in waiting if item not in against]
    return shown


def _contradict(one: ContextItem, other: ContextItem) -> bool:
    return not (one.against.isdisjoint(other.memories) and other.against.isdisjoint(one.memories))


MAX_PEOPLE = 20
_HELD = (Modality.STATED, Modality.INFERRED)


def targets_of(memories: Iterable[MemoryNode]) -> dict[str, str]:
    """Whom the facts and insights among the memories are about: names by target id, in their order, at most 20."""
    found = {node.target_id: node.target_name for node in memories if section_of(node) in ("facts", "insights")}
    return dict(list(found.items())[:MAX_PEOPLE])


async def slot_facts(
    ledger: Ledger, scope: Scope, memories: Iterable[MemoryNode], now: datetime, known_at: datetime | None
) -> list[MemoryNode]:
    """What fills a slot, at `now` and as far as was known at `known_at`, of those the memories are about: what they
    said of themselves, and of those who never said anything what others tell of them, within the scope of one of these
    only what he told."""
    found: list[MemoryNode] = []
    for target in targets_of(memories):
        theirs = Scope(scope.tenant, scope.agent, target, scope.run)
        layers, statuses = (MemoryType.OBSERVATION, MemoryType.INSIGHT), (StoreStatus.VALID, StoreStatus.EXPIRED)
        wanted = Selection(theirs, types=layers, statuses=statuses, as_of=now, known_at=known_at)
        nodes = await ledger.select(wanted)
        filled, own = [node for node in nodes if node.attribute and node.value], without_hearsay(target)
        told = [node for node in filled if scope.target in (None, node.meta_data.get(TOLD_IN))]
        found += [node for node in filled if holds(own, node)] or told
    return found


def people(found: Sequence[MemoryNode], known: Iterable[MemoryNode], telling: Telling) -> list[ContextItem]:
    """One line per person, the newest value of a slot first, without what the found memories say themselves; none for
    whom nothing is left to say."""
    told = {normalise(node.content) for node in found}
    slots: dict[str, dict[str, list[MemoryNode]]] = {}
    for node in sorted(known, key=lambda item: item.valid_at, reverse=True):
        if node.attribute and node.modality in _HELD and normalise(node.content) not in told:
            slots.setdefault(node.target_id, {}).setdefault(node.attribute, []).append(node)
    summaries = ((name, _summary(name, slots.get(target, {}), telling)) for target, name in targets_of(found).items())
    return [
        ContextItem(
            "people",
            text,
            memories=tuple(node.memory_id for node in nodes),
            episodes=tuple(dict.fromkeys(part.memory_id for node in nodes for part in node.evidence)),
            before=f"{telling.quoting.name(name)}: ",
            order=(place,),
        )
        for place, (name, (text, nodes)) in enumerate(summaries)
        if nodes
    ]


def _summary(
    name: str, slots: Mapping[str, Sequence[MemoryNode]], telling: Telling
) -> tuple[str, tuple[MemoryNode, ...]]:
    """`occupation engineer; also called Tom`, and the memories it is made of."""
    clauses: list[str] = []
    used: list[MemoryNode] = []
    for attribute, label in telling.wording.slots.items():
        values: dict[str, str] = {}
        for node in slots.get(attribute, ()):
            value = telling.quoting.text(node.value or "")
            plain = canonical_name(value) if value else ""
            if plain and plain != canonical_name(name):
                teller = heard_from(node)
                told = telling.wording.told_by.format(telling.quoting.name(teller)) if teller else None
                mark = told or telling.wording.marks.get(node.modality)
                values.setdefault(plain, f"{value}{telling.wording.span.format(mark)}" if mark else value)
                used.append(node)
        if values:
            clauses.append(f"{label} {telling.wording.list_separator.join(values.values())}")
    return telling.wording.clause_separator.join(clauses), tuple(used)
