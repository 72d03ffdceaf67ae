"""From a model's answer to a `Reading`: every statement is led back to words that were said, or left out."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import chain
from typing import Final

from agentmem import patterns as re
from agentmem.adapters.cognition.llm.comparing import beside
from agentmem.adapters.cognition.llm.days import last_day
from agentmem.adapters.cognition.llm.endings import EndingsReader, moment
from agentmem.adapters.cognition.llm.grounds import (
    Ground,
    folded,
    languages_of,
    locate,
    on_one_line,
    plausible_alias,
    sentence_at,
)
from agentmem.adapters.cognition.llm.output_schemas import (
    Json,
    Named,
    SaidAnswer,
    Unusable,
    importance_of,
    items,
    numbers,
)
from agentmem.domain.attributes import BUILT_IN, base_of, slot_of
from agentmem.domain.entity import Mention
from agentmem.domain.event import Person
from agentmem.domain.memory import Modality
from agentmem.domain.naming import canonical_name
from agentmem.domain.statement import (
    MAX_STATEMENTS,
    Alias,
    Comparison,
    Held,
    Quote,
    Reading,
    Statement,
    Turn,
    Window,
)
from agentmem.errors import InvalidInput
from agentmem.language.clauses import clauses
from agentmem.language.names import names_of
from agentmem.language.normal import language_of
from agentmem.language.synonyms import Kin, kin_in, relative_of
from agentmem.language.time import begins

MAX_KEYS: Final = 8
MAX_ASKED_WITH: Final = 8

_ONE_OF_EACH: Final = frozenset[Kin](("mother", "father", "wife", "husband"))
"""Relatives of whom somebody has one, so that another word for the relation means the same one."""

_AGREED: Final = frozenset(("appointment", "deadline", "plan"))
"""Attributes whose values hold from when they are agreed, whatever day they name."""

_ORDERED: Final = frozenset(("need", "quantity"))
"""The same, where they take no other's place: one a month from May takes that of two."""

_DONE: Final = re.compile(r"了$|已经?")
"""What is told as done, though the sentence goes on to ask."""

MIN_QUESTION: Final = 6
"""Characters of a question that asks something of its own, and not only whether what stands before it is right."""

_PASSES: Final = frozenset(("appointment", "plan"))
"""Attributes whose values are over when the last day that they name is."""


@dataclass(slots=True)
class ModelReader:
    """Checks one answer against one window, counting what it leaves out and why."""

    window: Window
    offered: Mapping[int, Turn]
    held: Sequence[Held]
    instructions: str
    dropped: Counter[str] = field(default_factory=Counter[str])
    _endings: EndingsReader = field(init=False)

    def read(self, answer: Json) -> Reading:
        """The reading. Raises `Unusable` where nothing of a non-empty answer stands, or too much does."""
        said, bad = items(answer, "facts", SaidAnswer)
        named, unnamed = items(answer, "names", Named)
        self._endings = EndingsReader(self.window, self.offered, self.held, answer, self.dropped)
        said = [self._endings.renumbered(item) for item in said]
        self.dropped["malformed"] += bad + unnamed
        statements = self._merged(self._chained([(item, found) for item in said if (found := self._statement(item))]))
        if len(statements) > MAX_STATEMENTS:
            raise Unusable("many", key="facts", count=len(statements), most=MAX_STATEMENTS)
        aliases = self._aliases(named, statements)
        if (said or bad) and not statements and self._worthless():
            raise Unusable("numbers" if self.dropped["number"] == len(said) else "quotes")
        return Reading(
            statements=statements,
            aliases=aliases,
            rejected=self._rejected(answer),
            withdrawn=self._endings.withdrawn(_told_in_full(statements)),
            looked_at=self._endings.looked_at(said),
        )

    def _worthless(self) -> bool:
        return any(self.dropped[reason] for reason in ("malformed", "turn", "quote", "refusal", "language", "number"))

    def _statement(self, item: SaidAnswer) -> Statement | None:
        quote = self._quote(item.turn, item.quote)
        if quote is None:
            return None
        place, turn = quote
        self._endings.replace(item, turn)
        since, until = moment(item.since, turn.at), moment(item.until, turn.at, end=True)
        ground = self._ground(turn)
        content = self._content(item, ground)
        if content is None:
            return None
        attribute, value = self._slot(item, ground)
        if since is not None and since > turn.at and self._is_agreed(attribute, item):
            since = None
        until = until or self._passes(attribute, content, turn)
        keys = tuple(dict.fromkeys(key for key in map(on_one_line, item.keys) if _fits(key, 60) and ground.says(key)))
        try:
            return Statement(
                layer="insight" if item.insight else "observation",
                about=self._third(item.about),
                content=content,
                modality=_modality(item, turn, place),
                key=keys,
                mentions=_mentions(content, keys, self.window.person),
                asked_with=_asked_with(item.asked_with, content, ground),
                attribute=attribute,
                value=value,
                relation=relation_name(item.relation),
                importance=importance_of(item.importance, 5),
                valid_at=since,
                invalid_at=until if until is not None and (since is None or until >= since) else None,
                language=language_of(content),
                quotes=(place,),
                compared=self._compared(item, content),
            )
        except InvalidInput:
            self.dropped["malformed"] += 1
            return None

    def _is_agreed(self, attribute: str | None, item: SaidAnswer) -> bool:
        """Whether it holds from when it is agreed, although it names a later day."""
        if not self._endings.going_on.isdisjoint(item.replaces):
            return False
        return attribute in _AGREED or (attribute in _ORDERED and not item.replaces)

    def _passes(self, attribute: str | None, content: str, turn: Turn) -> datetime | None:
        """The end of the last day that an appointment or a plan names, unless something begins then."""
        day = last_day(content, turn.at) if attribute in _PASSES and not begins(content) else None
        return moment(day.isoformat(), turn.at, end=True) if day is not None and day >= turn.at.date() else None

    def _chained(self, said: Sequence[tuple[SaidAnswer, Statement]]) -> list[Statement]:
        """The statements, with those that a later turn of the window changes again ended there: by what that turn says
        in their place, where it says one thing, else by the turn itself."""
        made = {id(item): found for item, found in said}
        for item, found in said:
            later = [number for number in item.until_turn if number > item.turn and number in self.offered]
            if not later:
                continue
            turn = self.offered[min(later)]
            heirs = [other for other, one in said if one.quotes[0].turn_id == turn.turn_id and one.about == found.about]
            if len(heirs) > 1:
                heirs = [other for other in heirs if item.attr and other.attr == item.attr]
            if len(heirs) == 1:
                heir = made[id(heirs[0])]
                made[id(heirs[0])] = heir.revised(replaces=(*heir.replaces, found.content))
            else:
                made[id(item)] = made[id(item)].revised(invalid_at=turn.at)
        return list(made.values())

    def _compared(self, item: SaidAnswer, content: str) -> tuple[Comparison, ...]:
        """How it stands to the held statements that were offered. One that says again, and of it less, adds nothing;
        what leaves out something of theirs takes the place of none, and so does what joins several, each of which may
        end without the others."""
        found: dict[str, Comparison] = {}
        offered_to = {number for number in item.adds_to if 1 <= number <= len(self.held)}
        adds_to = item.adds_to if len(offered_to) == 1 else ()
        for replaces, offered in ((True, item.replaces), (False, adds_to)):
            for number in offered:
                held = self.held[number - 1] if 1 <= number <= len(self.held) else None
                if held is None or held.memory_id is None:
                    self.dropped["held"] += 1
                    continue
                relation = "replaces" if replaces else beside(content, held.content, self.window.person.label)
                if relation is not None:
                    found.setdefault(held.memory_id, Comparison(held=held.memory_id, relation=relation))
        return tuple(found.values())

    def _quote(self, number: int, words: str) -> tuple[Quote, Turn] | None:
        """The place of the words: in the turn named, or in the only other turn that has them."""
        if number not in self.offered or number < 1:
            self.dropped["turn"] += 1
            return None
        turn = self.offered[number]
        found = locate(words, turn.text)
        if found is None:
            others = [(other, place) for other in self.window.turns if (place := locate(words, other.text))]
            if len(others) != 1:
                self.dropped["quote"] += 1
                return None
            turn, found = others[0]
        return Quote(turn_id=turn.turn_id, start=found[0], end=found[1]), turn

    def _ground(self, turn: Turn) -> Ground:
        window = self.window
        return Ground(
            texts=tuple(item.text for item in (*window.turns, *window.context)),
            known=tuple(chain.from_iterable((item.content, *item.before) for item in self.held)),
            label=window.person.label,
            names=(window.person.name, *_short_names(window.person.name)),
            languages=languages_of((turn.text,), window.language),
            instructions=self.instructions,
            spoken_in=frozenset(item.at.year for item in window.turns),
        )

    def _content(self, item: SaidAnswer, ground: Ground) -> str | None:
        text = on_one_line(item.text)
        fault = ground.fault(text)
        if fault is None and self._third(item.about) is not None:
            fault = self._third_fault(item, text, ground)
            if fault is None:
                return text
        if fault is None:
            if (named := ground.subject(text) or self._attributed(item, text, ground)) is not None:
                return named
            fault = "subject"
        self.dropped[fault] += 1
        return None

    def _attributed(self, item: SaidAnswer, text: str, ground: Ground) -> str | None:
        """The sentence as the person's, where it names something that was spoken of, such as his company, and nobody
        and nothing by a name that was not said."""
        names = [each.name for each in names_of(text)]
        told = [key for key in (*map(on_one_line, item.keys), *names) if folded(key) in folded(text)]
        if not any(map(ground.says, told)) or not all(map(ground.says, names)):
            return None
        label = self.window.person.label
        return f"{label}:{text}" if language_of(text) == "zh" else f"{label}: {text}"

    def _third(self, about: str | None) -> str | None:
        """The third party's name; None for the window's person, however he is called."""
        if about is None:
            return None
        person = self.window.person
        known = map(canonical_name, (person.name, person.label, *_short_names(person.name)))
        return None if canonical_name(about) in set(known) else on_one_line(about)

    def _third_fault(self, item: SaidAnswer, text: str, ground: Ground) -> str | None:
        name = on_one_line(item.about or "")
        bare = name
        for part in (self.window.person.label, *ground.names):
            bare = bare.removeprefix(part).removeprefix("'s").removeprefix("’s").removeprefix("的").strip()
        kin = kin_in(bare)
        told = any(kin & kin_in(text) for text in (*ground.texts, *ground.known)) if kin else ground.says(bare)
        named = bare and (told or canonical_name(bare) == canonical_name(self.window.agent_name))
        same = (
            len(kin) == 1 and kin <= _ONE_OF_EACH and relative_of(re.escape(self.window.person.label), text)[0] == kin
        )
        return None if named and (same or folded(bare) in folded(text)) else "about"

    def _slot(self, item: SaidAnswer, ground: Ground) -> tuple[str | None, str | None]:
        known = item.attr and (item.attr in self.window.attributes or base_of(slot_of(item.attr)) in BUILT_IN)
        value = on_one_line(item.value or "")
        if not known or not _fits(value, 500) or ground.invented_number(value):
            return None, None
        return item.attr, value

    def _merged(self, statements: list[Statement]) -> tuple[Statement, ...]:
        """In the order they were said, each once, with the quotes of its repetitions."""
        order = {turn.turn_id: place for place, turn in enumerate(self.window.turns)}
        merged: dict[tuple[str, str | None], Statement] = {}
        for item in sorted(statements, key=lambda item: (order[item.quotes[0].turn_id], item.quotes[0].start)):
            same = (folded(item.content).strip("。."), item.about)
            if same in merged:
                self.dropped["repeated"] += 1
                first = merged[same]
                merged[same] = first.revised(quotes=tuple(dict.fromkeys((*first.quotes, *item.quotes)))[:MAX_KEYS])
            else:
                merged[same] = item
        return tuple(merged.values())

    def _aliases(self, named: list[Named], statements: tuple[Statement, ...]) -> tuple[Alias, ...]:
        strangers = {canonical_name(item.about) for item in statements if item.about}
        found: dict[str, Alias] = {}
        for item in named:
            turn = self.offered.get(item.turn) if item.turn >= 1 else None
            place = locate(item.name, turn.text) if turn is not None else None
            name = turn.text[slice(*place)] if turn is not None and place is not None else ""
            if turn is None or place is None or not plausible_alias(name, turn, self.window, strangers):
                self.dropped["alias"] += 1
                continue
            quote = Quote(turn_id=turn.turn_id, start=place[0], end=place[1])
            found.setdefault(name, Alias(name=name, quotes=(quote,)))
        return tuple(found.values())

    def _rejected(self, answer: Json) -> tuple[str, ...]:
        turns = [self.offered.get(number) for number in numbers(answer, "rejected")]
        self.dropped["rejected"] += sum(turn is None or not turn.by_agent for turn in turns)
        return tuple(dict.fromkeys(turn.turn_id for turn in turns if turn is not None and turn.by_agent))


def _told_in_full(statements: Iterable[Statement]) -> frozenset[str]:
    """The held statements that one of these says, and more."""
    return frozenset(each.held for item in statements for each in item.compared if each.relation == "adds")


def _modality(item: SaidAnswer, turn: Turn, place: Quote) -> Modality:
    """Who vouches for it is read off the turn, not off the answer: the agent's own words are at most asserted."""
    if item.mode == "maybe" or (turn.by_agent and _is_asked(turn.text, place)):
        return Modality.HYPOTHESIS
    if item.mode == "denied":
        return Modality.NEGATED
    if item.mode == "inferred":
        return Modality.INFERRED
    return Modality.ASSERTED_BY_AGENT if turn.by_agent else Modality.STATED


def _is_asked(text: str, place: Quote) -> bool:
    """Whether the words are part of a question, and not what is told before it: 牙补好了,下次约哪天?"""
    rest = sentence_at(text, place.end).rstrip()
    if not rest.endswith(("?", "\uff1f")):
        return False
    asked = [part.text for part in clauses(rest[1:])]
    told = _DONE.search(text[place.start : place.end]) is not None and rest[1:2] in (",", "，")
    return not (told and any(len(part) >= MIN_QUESTION for part in asked))


def _asked_with(words: Iterable[str], content: str, ground: Ground) -> tuple[str, ...]:
    """The words that add something to what is searched, without numbers and names that nobody said: by none of these is
    anything to be found."""
    said = folded(content)
    found = (on_one_line(word) for word in words)
    fit = (word for word in found if _fits(word, 30) and folded(word) not in said and not any(map(str.isnumeric, word)))
    return tuple(dict.fromkeys(word for word in fit if not names_of(word) or ground.says(word)))[:MAX_ASKED_WITH]


def _mentions(content: str, keys: tuple[str, ...], person: Person) -> tuple[Mention, ...]:
    """What the model says the fact is about, of the kind that the words show; where it says nothing, the names in it,
    but for pieces of the person's own, and those that have taken more along."""
    named = {canonical_name(each.name): each for each in names_of(content)}
    told = tuple(named.get(canonical_name(key)) or Mention(name=key) for key in keys)
    label, name = folded(person.label), folded(person.name)
    others = (each for each in named.values() if folded(each.name) not in label)
    return told or tuple(each for each in others if each.kind != "person" or not folded(each.name).startswith(name))


def relation_name(value: str | None) -> str | None:
    """A relation as it is kept, UPPER_SNAKE; None for what is no such name."""
    name = "_".join((value or "").upper().replace("-", " ").split())
    plain = name.replace("_", "")
    return name if plain.isascii() and plain.isalnum() and name[:1].isalpha() and len(name) <= 60 else None


def _fits(text: str, longest: int) -> bool:
    return 0 < len(text) <= longest and text.isprintable()


def _short_names(name: str) -> tuple[str, ...]:
    """The given name alone: 小东 of 罗小东, Melanie of Melanie Smith."""
    if name.isascii():
        first = name.split()[0]
        return (first,) if first != name and len(first) > 1 else ()
    return (name[1:],) if len(name) == 3 and language_of(name) == "zh" else ()
