"""Which earlier statement a turn puts an end to, weighed by what the two have in common and by what the turn, and the
agent's answer to it, say of change.

`bench/succession.py` fits the weights on written dialogues. No word here comes from one of them: the signs are closed
classes (change, denial, addition, reminders, slips of the tongue), values by their type, and shared words.
"""

# ruff: noqa: E501 - patterns and spoken lines read best unbroken

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Final

from agentmem import patterns as re
from agentmem.adapters.cognition.rules.certain import HeldStatement, ends_for_certain
from agentmem.adapters.cognition.rules.ending_words import (
    ACHIEVED,
    ADDS,
    CEASES,
    DENIES,
    DONE,
    PERHAPS,
    REMINDS,
    SLIP,
)
from agentmem.adapters.cognition.rules.kinds import kind_of
from agentmem.adapters.cognition.rules.matters import (
    AHEAD,
    JUST_SAID,
    ONCE,
    Matter,
    Talk,
    in_common,
    is_exception,
    is_of_another,
    needs_no_name,
    said_bare,
    topic_of,
    values_in,
)
from agentmem.adapters.cognition.rules.model import Act, Clause, Who
from agentmem.adapters.cognition.rules.still_so import no_longer_so
from agentmem.bounded_cache import bounded_cache
from agentmem.language.cues import topics_of
from agentmem.language.gists import ONE_AT_A_TIME, Gist, gist_of
from agentmem.language.synonyms import kin_in
from agentmem.language.typed_values import CLOCK, DAY, TypedValue, typed_values

_I = re.IGNORECASE
_CODE = re.compile(
    r"(?<![\w-])(?=[A-Za-z-]{0,8}\d)(?=[\d-]{0,8}[A-Za-z])(?!\d+(?:st|nd|rd|th|[a-z]{1,2})(?![\w-]))[A-Za-z\d][A-Za-z\d-]{2,15}(?![\w-])",
    _I,
)
_DIGITS = re.compile(r"(?<![\w-])(?!(?:19|20)\d\d(?![\w-]))\d[\d -]{2,14}\d(?![\w-])")
_SETTLED: Final = frozenset(("weekday", *ONE_AT_A_TIME))
"""Groups of values that gists name: days of the week, and what one has one of at a time."""
_AMOUNTS: Final = frozenset(("money", "number"))
_FARTHEST: Final = 20
"""How many times as large a value may be that comes in the place of an amount."""
_GROUPS: Final = ("amount", "clock", "day", "count", "rank", "code", "digits", *sorted(_SETTLED))
LOOSE: Final = frozenset(
    (
        "weekday",
        "daytime",
        "month",
        "schedule",
        "people",
        "reason",
        "goal",
        "habit",
        "manner",
        "dislike",
        "place",
        "deadline",
        "decision",
        "name",
        "family",
        "partner",
    )
)
"""Topics that say when, how or of whom, and not what a statement is about."""

Values = Mapping[str, frozenset[str]]


@dataclass(frozen=True, slots=True)
class _Known:
    """A statement as it is compared: what it is about, its bare words, its values by their group; `standing` is the same
    for what needs no weighing."""

    matter: Matter
    standing: HeldStatement
    topic: frozenset[str]
    values: Values
    topics: frozenset[str]
    kin: frozenset[str]

    @property
    def bare(self) -> str:
        """Its words as they were said."""
        return self.standing.bare


@dataclass(frozen=True, slots=True)
class _Said:
    """A clause as it is compared, with the clauses right beside it in its sentence."""

    clause: Clause
    beside: str
    topic: frozenset[str]
    values: Values
    gist: Gist
    renews: bool
    near: frozenset[str]
    near_values: Values
    topics: frozenset[str]
    kin: frozenset[str]


@dataclass(frozen=True, slots=True)
class Exchange:
    """A turn with what the agent answers, beside what was stated before it and holds."""

    talk: Talk
    turn: str
    slips: bool
    reply: str
    known: Sequence[_Known]
    standing: Sequence[HeldStatement]


def exchange(turn: str, reply: str, talk: Talk) -> Exchange:
    """What bears on every clause of a turn alike."""
    earlier = [matter for matter in talk.current if matter.turn < talk.turn and matter.finding.kind != "contact"]
    known = [_known(matter, talk) for matter in earlier]
    return Exchange(talk, turn, SLIP.search(turn) is not None, reply, known, [each.standing for each in known])


def _known(matter: Matter, talk: Talk) -> _Known:
    bare = said_bare(matter, talk)
    gist = gist_of(bare, talk.names)
    values = _grouped(values_in(bare, matter, talk), bare, gist)
    standing = HeldStatement(matter.finding, bare, gist)
    return _Known(matter, standing, _matter_of(bare, talk), values, _topics(bare), _kin(bare))


def _matter_of(text: str, talk: Talk, values: Sequence[TypedValue] = ()) -> frozenset[str]:
    """What a text names, but for the relative whom it is about: one may tell many things of him."""
    return frozenset(word for word in topic_of(text, talk, values) if not _kin(word))


@bounded_cache(8_192, longest=400)  # what is held is compared with every turn
def _topics(text: str) -> frozenset[str]:
    return topics_of(text) - LOOSE


@bounded_cache(8_192, longest=400)
def _kin(text: str) -> frozenset[str]:
    return frozenset(kin_in(text))


def said_in(clauses: Sequence[Clause], place: int, talk: Talk) -> _Said:
    """The clause at a place of its turn."""
    clause = clauses[place]
    first = place if clause.opens_sentence else max(0, place - 1)
    after = clauses[place + 1 : place + 2]
    last = place + 1 if after and not after[0].opens_sentence else place
    beside = ", ".join(each.text for each in clauses[first : last + 1])
    values, gist = typed_values(clause.text, talk.at), gist_of(clause.text, talk.names)
    topic = _matter_of(clause.text, talk, values)
    near = gist_of(beside, talk.names)
    return _Said(
        clause=clause,
        beside=beside,
        topic=topic,
        values=_grouped(values, clause.text, gist),
        gist=gist,
        renews=near.renews,
        near=_matter_of(beside, talk) - topic,
        near_values=_grouped(typed_values(beside, talk.at), beside, near),
        topics=_topics(clause.text),
        kin=_kin(clause.text),
    )


def _grouped(values: Sequence[TypedValue], text: str, gist: Gist) -> Values:
    found = {kind: set(gist.values[kind]) for kind in _SETTLED & gist.values.keys()}
    for value in values:
        group = _group(value.kind)
        found.setdefault(group, set()).add(f"{value.kind}={value.value}" if group in ("count", "rank") else value.value)
    for group, pattern in (("code", _CODE), ("digits", _DIGITS)):
        for code in pattern.finditer(text):
            found.setdefault(group, set()).add(re.sub(r"[ -]", "", code.group()).lower())
    return {kind: frozenset(each) for kind, each in found.items()}


def _group(kind: str) -> str:
    if kind in _AMOUNTS:
        return "amount"
    return "day" if kind in (DAY, "rhythm") else CLOCK if kind == CLOCK else kind.split()[0]


def _others(held: Values, said: Values) -> frozenset[str]:
    """The groups in which both give values that may come in each other's place, and none in common."""
    common = held.keys() & said.keys()
    return frozenset(
        each for each in common if held[each].isdisjoint(said[each]) and _of_a_kind(each, said[each], held[each])
    )


def _of_a_kind(group: str, said: frozenset[str], held: frozenset[str]) -> bool:
    """Whether values of a group are counts of one thing, or codes of one shape."""
    if group in ("count", "rank"):
        return any(_counted(one) & _counted(other) for one in said for other in held)
    if group == "amount":
        return any(_as_large(float(one), float(other)) for one in said for other in held)
    coded = group in ("code", "digits")
    return not coded or any(_shape(one) == _shape(other) for one in said for other in held)


def _as_large(one: float, other: float) -> bool:
    return max(one, other) <= _FARTHEST * max(1.0, min(one, other))


def _counted(count: str) -> frozenset[str]:
    return frozenset(count.split("=")[0].split()[1:])


def _shape(code: str) -> str:
    return re.sub(r"\d", "0", code)


def signs(known: _Known, said: _Said, now: Exchange) -> dict[str, float]:
    """What speaks for and against the clause putting an end to the statement, each from 0 to 1; nothing where the two
    have no word and no type of value in common, and where the clause only adds to it, or tells of an exception."""
    shared = frozenset(word for word in said.topic if in_common(frozenset((word,)), known.topic))
    near = frozenset(word for word in said.near if in_common(frozenset((word,)), known.topic))
    one_topic = said.topics & known.topics
    other = _others(known.values, said.values)
    near_other = _others(known.values, said.near_values) - other
    just = known.matter.turn >= 0 and now.talk.turn - known.matter.turn <= JUST_SAID
    told = _tells_of_change(said, now)
    met = (other - {"amount"}) or (near and near_other) or (told and (shared or one_topic or other))
    beside = ADDS.search(said.clause.text) is not None and not said.gist.over
    if beside or not (met or (now.slips and just)) or is_exception(said.beside, known.bare):
        return {}
    rivals = [each for each in now.known if each is not known]
    alone, near_alone = _own(shared, rivals), _own(near, rivals)
    only = any(not any(topic in each.topics for each in rivals) for topic in one_topic)
    found = _of_words(known, said) | _of_talk(known, said)
    found |= {f"other {kind}": float(kind in other) for kind in _GROUPS}
    found |= {
        "shared": min(3, len(shared)) / 3,
        "share of the statement": len(shared) / max(1, len(known.topic)),
        "word of its own": float(alone),
        "only one with such": float(bool(other) and not any(kind in each.values for kind in other for each in rivals)),
        "word beside": min(2, len(near)) / 2,
        "own word beside": float(near_alone),
        "word and value": float(bool(shared) and bool(other)),
        "word and value beside": float((bool(shared) and bool(near_other)) or (bool(near) and bool(other))),
    }
    for name, says in _cues(said, known, now).items():
        found[f"{name} and own word"] = float(alone and says)
        found[f"{name} and value"] = float(bool(other) and says)
        found[f"{name} and topic"] = float(only and says)
        found[f"{name} and value beside"] = float(bool(near_other) and says)
    return {name: value for name, value in found.items() if value}


def _cues(said: _Said, known: _Known, now: Exchange) -> dict[str, bool]:
    """What the clause, or what stands beside it, says of change, each of which counts beside what the two have in
    common."""
    text = said.clause.text
    return {
        "change": said.gist.moves or DONE.search(said.beside) is not None,
        "by now": said.renews,
        "effect": DONE.search(now.reply) is not None,
        "over": bool(said.gist.over),
        "denied": DENIES.search(text) is not None,
        "ceases": CEASES.search(text) is not None,
        "achieved": known.matter.finding.kind in AHEAD and ACHIEVED.search(text) is not None,
    }


def _tells_of_change(said: _Said, now: Exchange) -> bool:
    """Whether anything in the clause, beside it or in the agent's answer says that something is not as it was."""
    text = said.clause.text
    return (
        said.gist.changes
        or said.renews
        or any(sign.search(said.beside) for sign in (DONE, CEASES, DENIES))
        or ACHIEVED.search(text) is not None
        or DONE.search(now.reply) is not None
    )


def _own(words: frozenset[str], rivals: Sequence[_Known]) -> bool:
    """Whether one of these words is in no rival."""
    return any(not any(in_common(frozenset((word,)), each.topic) for each in rivals) for word in words)


def _of_words(known: _Known, said: _Said) -> dict[str, float]:
    """Signs in the words of the two."""
    gone = known.topic | frozenset[str]().union(*known.values.values())
    kind = kind_of(said.clause.text, said.clause.lang)
    return {
        "by now": float(said.renews),
        "over as a whole": float(any(words <= gone for words in said.gist.over)),
        "ceases": float(CEASES.search(said.clause.text) is not None),
        "another relative": float(bool(said.kin - known.kin)),
        "statement denied": float(DENIES.search(known.bare) is not None),
        "reminds": float(REMINDS.search(said.beside) is not None),
        "one kind": float(kind.name not in ("fact", "quantity") and kind.name == known.matter.finding.kind),
    }


def _of_talk(known: _Known, said: _Said) -> dict[str, float]:
    """Signs in who speaks of whom, and in what was said around it."""
    clause, about = said.clause, known.matter.finding.about
    person = clause.subject.person
    same = bool(said.kin & known.kin) or (person is not None and person in (about or known.bare))
    return {
        "once": float(ONCE.search(said.beside) is not None),
        "perhaps": float(PERHAPS.search(clause.text) is not None),
        "heard": float(clause.act in (Act.REPORTED, Act.CONDITIONAL, Act.UNCERTAIN)),
        "of somebody": float(clause.subject.who is Who.THIRD and not same),
    }


@dataclass(frozen=True, slots=True)
class _Weights:
    """What each sign is worth, and what has to be made up for."""

    bias: float
    of: Mapping[str, float]


@lru_cache(maxsize=1)
def _weights() -> _Weights:
    held = json.loads(files("agentmem.adapters.cognition.rules").joinpath("succession.json").read_text("utf-8"))
    return _Weights(held["bias"], held["weights"])


def likelihood(found: Mapping[str, float]) -> float:
    """How likely it is, by its signs, that a clause puts an end to a statement; from 0 to 1."""
    if not found:
        return 0.0
    weights = _weights()
    return 1 / (1 + math.exp(-weights.bias - sum(weights.of.get(name, 0.0) * value for name, value in found.items())))


SURE: Final = 0.7
"""Likelihood from which a statement is ended: docs/evaluation.md has what it ends."""

LIKELY: Final = 0.4
"""Likelihood from which two statements that give other values of one type are linked as a conflict, where it is not
enough to end the older."""


def succeeded(clauses: Sequence[Clause], now: Exchange) -> Iterator[tuple[Clause, Matter, float]]:
    """The statements that the clauses of a turn are likely to put an end to, each with the clause that does and how
    likely it is: `LIKELY` at least."""
    said = [said_in(clauses, place, now.talk) for place in range(len(clauses))]
    yield from ((clause, matter, 1.0) for clause, matter in no_longer_so(now.turn, clauses, now.talk))
    for known in now.known:
        weighed = [(_likely(known, each, now), each) for each in said]
        likely, by = max(weighed, key=lambda each: each[0], default=(0.0, None))
        if by is not None and (likely >= SURE or (likely >= LIKELY and _gives_another(known, by))):
            yield by.clause, known.matter, likely


def _gives_another(known: _Known, said: _Said) -> bool:
    """Whether the clause gives another value of one type; amounts are of anything unless a word says of what."""
    other = _others(known.values, said.values)
    return bool(other - {"amount"}) or bool(other and in_common(said.topic, known.topic))


def _likely(known: _Known, said: _Said, now: Exchange) -> float:
    if is_exception(said.beside, known.bare) or is_of_another(known.matter, said.clause, now.talk):
        return 0.0
    if ends_for_certain(said.clause, said.gist, known.standing, now.standing, said.beside):
        return 1.0
    return likelihood(signs(known, said, now)) if _may_be_of_one(known, said, now) else 0.0


def _may_be_of_one(known: _Known, said: _Said, now: Exchange) -> bool:
    """Whether the two may speak of one matter: they have a word, a relative or a topic in common; or the clause names
    nothing beside its values, and the statement was just said, or lies ahead and does not come again and again. An amount
    is of what is named with it."""
    named = said.topic | said.near
    if in_common(named, known.topic) or said.kin & known.kin:
        return True
    if said.topics & known.topics and "amount" not in _others(known.values, said.values):
        return True
    return not named and needs_no_name(known.matter, now.talk)
