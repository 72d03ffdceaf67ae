"""What one reading has gathered so far, what it takes back or ends of it, and the statements it makes of it."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import lru_cache

from agentmem import patterns as re
from agentmem.adapters.cognition.rules import persons
from agentmem.adapters.cognition.rules.acquaintances import Acquaintances
from agentmem.adapters.cognition.rules.certain import names_only_a_part, without_what_ended
from agentmem.adapters.cognition.rules.endings import begins_ahead, ends_at, interval_of
from agentmem.adapters.cognition.rules.findings import pair_in
from agentmem.adapters.cognition.rules.lasting import is_bounded_by_day, over_after, recurs, undatable
from agentmem.adapters.cognition.rules.matters import HELD_BEFORE, Matter, Talk, reworded_by
from agentmem.adapters.cognition.rules.model import (
    Clause,
    Finding,
    OwnAttributes,
    Sentence,
    Span,
    has_han,
    plain,
    sentences,
)
from agentmem.domain.event import Person
from agentmem.domain.memory import Modality
from agentmem.domain.statement import (
    MAX_STATEMENTS,
    Alias,
    Held,
    Quote,
    Reading,
    Statement,
    Turn,
    Window,
    Withdrawal,
)
from agentmem.language.gists import gist_of
from agentmem.language.normal import normalise, trigram_similarity
from agentmem.language.time import annotate, tense

_TIME_HINT = re.compile(
    r"[年月日号周天点前后晚早晨]|礼拜|星期|\d|day|week|month|year|morn|noon|night|tomorrow|tonight|next|last|ago|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|spring|summer|autumn|winter|quarter",
    re.IGNORECASE,
)
_NAMED = "\ue000"
"""Stands for the person's name while times are resolved: 曾 and 刚 in it speak of no past."""
MAX_FOUND = 3 * MAX_STATEMENTS
"""Findings of one window that are held at a time, and every clause is compared with: of more, the most important."""
_VAGUE_TIME = re.compile(
    r"周末|weekends?|年前的?老|每|一周|工作日|weekday|every\b|last \d+ years"
    r"|day (?:mornings|afternoons|evenings|nights)\b"
    r"|(?:周|星期|礼拜)[一二三四五六日天][、,，和跟]?(?:周|星期|礼拜)[一二三四五六日天]"
    r"|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days\b|how often|times a",
    re.IGNORECASE,
)


@dataclass(slots=True)
class Found:
    """A finding with the turn it was found in."""

    turn: Turn
    finding: Finding


@dataclass(slots=True)
class Session:
    """What one reading has gathered so far. `asked_at`: the place of the agent's last question."""

    window: Window
    agent_words: re.Pattern | None
    own: OwnAttributes
    people: Acquaintances
    third: str | None = None
    elsewhere: bool = False
    beside: bool = False
    asked_at: int = HELD_BEFORE
    found: list[Found] = field(default_factory=list[Found])
    aliases: list[Alias] = field(default_factory=list[Alias])
    rejected: list[str] = field(default_factory=list[str])
    withdrawn: list[Withdrawal] = field(default_factory=list[Withdrawal])

    def spoken_of(self, turn: Turn) -> list[str]:
        """Where those are named of whom the talk was ahead of a turn: whom he told of, and the words of the agent."""
        before = (*self.window.context, *self.window.turns[: self.window.turns.index(turn)])
        return [*self.people.kin, *(each.text for each in before if each.by_agent)]

    def matters(self) -> list[Matter]:
        """What the person has stated before and in this window, with what took its place."""
        said = [(HELD_BEFORE, remembered(held), held.by, held.said_at) for held in self.window.held]
        place = {turn.turn_id: number for number, turn in enumerate(self.window.turns)}
        own = (each for each in self.found if each.finding.modality is Modality.STATED and not each.finding.ended)
        said += [(place[each.turn.turn_id], each.finding, None, each.turn.at) for each in own]
        by = {normalise(old): each.finding.content for each in self.found for old in each.finding.replaces}
        gone = {normalise(each.content) for each in self.withdrawn}
        return [
            Matter(finding, turn, by.get(normalise(finding.content), known), at)
            for turn, finding, known, at in said
            if finding.closes is None and not (turn == HELD_BEFORE and normalise(finding.content) in gone)
        ]


def remembered(held: Held) -> Finding:
    """What is held, as it was found."""
    return Finding(
        held.content,
        held.kind or "fact",
        held.importance,
        held.language,
        (),
        attribute=held.attribute,
        value=held.value,
        key=held.key,
    )


def succeed(clause: Clause, matter: Matter, turn: Turn, session: Session) -> None:
    """End the matter by what the clause says of its person; both stand where that is of a part that cannot be cut."""
    rest = _what_stays(clause, matter, turn, session)
    if rest is None and names_only_a_part(matter, clause.text, talk_of(turn, None, session)):
        dispute(clause, matter, turn, session)
        return
    gone, place = matter.finding.content, _said_by(clause, turn, session)
    if place is not None:
        each = session.found[place]
        session.found[place] = replace(each, finding=_as_ended(each.finding, clause, session.window.person))
    if all(each.finding.content != gone or each.by is not None for each in session.matters()):
        return
    if place is None:
        withdraw(matter.finding, turn.at, session)
    else:
        each = session.found[place]
        session.found[place] = replace(each, finding=replace(each.finding, replaces=(*each.finding.replaces, gone)))
    if rest is not None:
        session.found.append(Found(turn, rest))


def _what_stays(clause: Clause, matter: Matter, turn: Turn, session: Session) -> Finding | None:
    """The statement without what the clause says is over, where it says more."""
    old, talk = matter.finding, talk_of(turn, None, session)
    content = without_what_ended(matter, clause.text, talk)
    if content is None or (rest := reworded_by(matter, content, clause.span, talk)) is None:
        return None
    if old.value is None or old.value not in rest.content:
        return rest
    return replace(rest, attribute=old.attribute, value=old.value)


def _as_ended(found: Finding, clause: Clause, person: Person) -> Finding:
    """What is found in a clause that ends something: as denied, where the clause says no more than that it is over."""
    names, alone = (person.label, person.name), all(clause.span.holds(span) for span in found.spans)
    if found.modality is not Modality.STATED or found.kind == "contact" or not alone:
        return found
    if not gist_of(clause.text, names).tells_an_end or _BEGINS_ANOTHER.search(clause.text):
        return found
    return replace(found, modality=Modality.NEGATED, attribute=None, value=None)


_BEGINS_ANOTHER = re.compile(
    r"\b(?:over|switched|moved|changed|gone|on) to\b|\binstead\b|[换改]成|改[用做喝吃去]", re.IGNORECASE
)
"""What says, too, what is so from now on."""


def dispute(clause: Clause, matter: Matter, turn: Turn, session: Session) -> None:
    """Keep with what the clause itself says of its person that it may put an end to the matter."""
    place = _said_by(clause, turn, session)
    if place is not None:
        each, old = session.found[place], matter.finding.content
        if old not in each.finding.replaces:
            session.found[place] = replace(each, finding=replace(each.finding, disputes=(*each.finding.disputes, old)))


def _said_by(clause: Clause, turn: Turn, session: Session) -> int | None:
    """The place of what was found of the person in the clause."""
    for place, each in enumerate(session.found):
        found = each.finding
        own = found.about is None and found.modality is not Modality.HYPOTHESIS and not found.ended
        meets = any(span.start < clause.span.end and clause.span.start < span.end for span in found.spans)
        if each.turn is turn and own and meets:
            return place
    return None


def talk_of(turn: Turn, before: Turn | None, session: Session) -> Talk:
    person = session.window.person
    return Talk(
        matters=session.matters(),
        names=tuple(name for name in (person.label, person.name, person.title) if name),
        at=turn.at,
        turn=session.window.turns.index(turn),
        asked=before.text if before is not None and before.by_agent else "",
        asked_at=session.asked_at,
    )


def take_back(turn: Turn, session: Session) -> None:
    """End what the person said in the turn before, where the talk has not gone on since."""
    earlier = [each.turn for each in session.found if not each.turn.by_agent and each.turn is not turn]
    turns = session.window.turns
    if earlier and turns.index(turn) - turns.index(earlier[-1]) <= _JUST_SAID:
        for each in [each for each in session.found if each.turn is earlier[-1]]:
            withdraw(each.finding, turn.at, session)


_JUST_SAID = 2
"""Turns from what was said to what takes it back: the agent may have answered in between."""


def withdraw(finding: Finding, at: datetime, session: Session) -> None:
    for place, each in enumerate(session.found):
        if each.finding is finding:
            session.found[place] = replace(each, finding=replace(finding, closes=at))
            return
    session.withdrawn.append(Withdrawal(content=finding.content, at=at))


def add(session: Session, turn: Turn, found: Finding) -> None:
    """Take a finding in, unless the window has said it already."""
    content = normalise(found.content)
    for held in session.found:
        same = (
            held.finding.layer == found.layer
            and held.finding.modality == found.modality
            and held.finding.about == found.about
        )
        if same and (
            normalise(held.finding.content) == content
            or (found.cited and trigram_similarity(held.finding.content, found.content) > 0.75)
        ):
            return
    if len(session.found) >= MAX_FOUND:
        least = min(reversed(session.found), key=lambda each: each.finding.importance)
        if found.importance <= least.finding.importance:
            return
        session.found.remove(least)
    session.found.append(Found(turn, found))


_ADDRESSES_EN = frozenset(("Mr", "Mrs", "Ms", "Miss", "Mx", "Dr", "Prof", "Sir", "Madam", "Rev", "Herr", "Frau"))
"""Forms of address, which say of nobody what he is."""


def add_title(session: Session) -> None:
    """His title says what he is, once he has spoken of himself."""
    person = session.window.person
    own = [
        held
        for held in session.found
        if held.finding.about is None
        and held.finding.modality is Modality.STATED
        and held.finding.layer == "observation"
        and held.finding.attribute != "name"
    ]
    if person.title is None or person.title.rstrip(".") in _ADDRESSES_EN or not own:
        return
    first = own[0]
    title = persons.titled(person.label, person.name, person.title, first.finding.spans[:1])
    session.found.insert(session.found.index(first), Found(first.turn, title))


def reading_of(session: Session) -> Reading:
    """What the session has gathered."""
    found, statements = _statements_of(session)
    slips = [
        Withdrawal(content=item.content, at=held.finding.closes or held.turn.at, slip=True)
        for held, item in zip(found, statements, strict=True)
        if held.finding.slip
    ]
    return Reading(
        statements=statements,
        aliases=tuple(session.aliases),
        rejected=tuple(dict.fromkeys(session.rejected)),
        withdrawn=(*session.withdrawn, *slips),
    )


def _statements_of(session: Session) -> tuple[list[Found], tuple[Statement, ...]]:
    """The statements, each with what it was made of."""
    kept = session.found
    if len(kept) > MAX_STATEMENTS:
        best = sorted(range(len(kept)), key=lambda i: (-kept[i].finding.importance, i))[:MAX_STATEMENTS]
        kept = [kept[i] for i in sorted(best)]
    made = [_statement(held, session.window.person) for held in kept]
    final = {normalise(held.finding.content): item.content for held, item in zip(kept, made, strict=True)}

    def named(contents: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(final.get(normalise(old), old) for old in contents)

    return kept, tuple(
        item.revised(replaces=named(item.replaces), disputes=named(item.disputes))
        if item.replaces or item.disputes
        else item
        for item in made
    )


def _statement(held: Found, person: Person) -> Statement:
    found, turn = held.finding, held.turn
    content = found.content
    begins, ends = _interval(found, turn)
    undated = not found.dated and found.kind not in ("contact", "name")
    if undated and _TIME_HINT.search(content) and not (_VAGUE_TIME.search(content)):
        unnamed = content.replace(person.label, _NAMED)
        lean = None if found.kind == "answer" else tense(unnamed)
        again = bool(found.spans) and recurs(_sentence_of(turn.text, found.spans[0]))
        dated = annotate(unnamed, turn.at, but=undatable(unnamed, turn.at, again, lean, found.kind))
        content = dated.replace(_NAMED, person.label)
    relation, mentions = pair_in(content, found.about or person.name, found.attribute, found.value)
    return Statement(
        layer=found.layer,
        about=_printable(found.about),
        content=content[:2_000],
        modality=found.modality,
        kind=found.kind,
        key=found.key,
        mentions=mentions,
        asked_with=found.asked_with,
        relation=relation,
        replaces=found.replaces,
        disputes=found.disputes,
        attribute=found.attribute,
        value=found.value[:500] if found.value else None,
        importance=found.importance,
        valid_at=begins,
        invalid_at=turn.at if found.ended else found.closes or ends,
        language=found.lang,
        quotes=tuple(_quotes(found, turn)),
    )


def _interval(found: Finding, turn: Turn) -> tuple[datetime | None, datetime | None]:
    if found.ended or not found.spans:
        return None, None
    ahead = begins_ahead(_led_to(turn.text, found.spans[0]), found.attribute, turn.at)
    if found.kind == "contact":
        return ahead, None
    if found.replaces or found.cited:
        return (None if found.cited else ahead), _over_after(found, found.content, turn)
    words = " ".join(turn.text[span.start : span.end] for span in found.spans)
    sentence = _in_sentence(turn.text, found.spans[0])
    begins, ends = interval_of(words, found.attribute, turn.at)
    over = _over_after(found, words, turn) or _over_after(found, found.content, turn)
    return begins or ahead, ends or ends_at(sentence, turn.at) or over


def _over_after(found: Finding, words: str, turn: Turn) -> datetime | None:
    if not is_bounded_by_day(found) or recurs(f"{found.content} {_sentence_of(turn.text, found.spans[0])}"):
        return None
    return over_after(words, turn.at)


def _sentence_of(text: str, span: Span) -> str:
    """The sentences that a span lies in."""
    around = [each for each in _sentences(text) if each.start < span.end and span.start < each.end]
    return text[around[0].start : around[-1].end] if around else text[span.start : span.end]


@lru_cache(maxsize=8)  # each statement of a turn is looked for in it
def _sentences(text: str) -> tuple[Sentence, ...]:
    return tuple(sentences(plain(text)))


def _in_sentence(text: str, span: Span) -> str:
    """The words of a span with those before it in its sentence, whose bounds hold for it."""
    lead = _lead(text, span)
    before = text[lead : span.start]
    return text[lead : span.end] if has_han(before) and not has_han(before[-1:]) else text[span.start : span.end]


def _led_to(text: str, span: Span) -> str:
    """The sentence of a span up to the end of the clause in which that begins."""
    ends = (place for mark in ",，。;；!！?？\n" if (place := text.find(mark, span.start)) >= 0)
    return text[_lead(text, span) : min(ends, default=len(text))]


def _lead(text: str, span: Span) -> int:
    """Where the sentence of a span begins."""
    return max(text.rfind(mark, 0, span.start) for mark in "。.!！?？;；\n") + 1


def _quotes(found: Finding, turn: Turn) -> Iterable[Quote]:
    for span in found.spans:
        start, end = max(0, span.start), min(len(turn.text), span.end)
        yield Quote(turn_id=turn.turn_id, start=min(start, max(0, end - 1)), end=max(end, 1))
    for turn_id, span in found.cited:
        yield Quote(turn_id=turn_id, start=span.start, end=span.end)


def _printable(name: str | None) -> str | None:
    return name.strip()[:200] if name and name.strip() else None
