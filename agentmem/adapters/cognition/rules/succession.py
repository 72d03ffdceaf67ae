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
from agentmem.adapters.cognition.rules.cancellations import cancelled, cancelled_in
from agentmem.adapters.cognition.rules.certain import HeldStatement, ends_for_certain, is_ceasing
from agentmem.adapters.cognition.rules.comings_and_goings import tells_of_a_part
from agentmem.adapters.cognition.rules.holders import last_denied, says_of_another
from agentmem.adapters.cognition.rules.kinds import kind_of
from agentmem.adapters.cognition.rules.lifted_limits import lifted
from agentmem.adapters.cognition.rules.matters import (
    AHEAD,
    JUST_SAID,
    ONCE,
    Matter,
    Talk,
    in_common,
    is_exception,
    needs_no_name,
    said_bare,
    topic_of,
    values_in,
)
from agentmem.adapters.cognition.rules.model import Act, Clause, Who
from agentmem.adapters.cognition.rules.still_so import DONE, no_longer_so
from agentmem.adapters.cognition.rules.value_groups import SETTLED, Values, grouped, others
from agentmem.bounded_cache import bounded_cache
from agentmem.language.cues import topics_of
from agentmem.language.gists import Gist, gist_of
from agentmem.language.synonyms import kin_in
from agentmem.language.typed_values import TypedValue, typed_values

_I = re.IGNORECASE
_DENIES = re.compile(
    r"(?!^no[,.!])(?:不(?!错|止|仅|但|过|同|好意思)|没(?!事|问题|关系|错)|别(?!的|人)|甭|\b(?:not|no|never|without|cannot|nothing|none)\b|n't\b)",
    _I,
)
_ADDS = re.compile(r"\b(?:also|another|extra|additional|as well|besides)\b|另外|还要|加[一两二三四五六七八九十\d]", _I)
"""What stands beside something and not in its place."""
_REMINDS = re.compile(
    r"\b(?:still|remember|remind|don't forget|as (?:i|we) said|like i said|same|always)\b|还是|记[着得住]|别忘|说过|照旧|照样|一样|[不没]变|一直",
    _I,
)
_SLIP = re.compile(
    r"\b(?:i meant|my mistake|sorry,? (?:i mean|no)|correction|got (?:that|it) wrong|mixed (?:that|it|them)? ?up|misspoke|typo|scratch that|wait,? no|no,? wait)\b|[说讲写打记搞弄填报][错岔混反]|口误|更正|不对",
    _I,
)
_PERHAPS = re.compile(
    r"\b(?:if|unless|suppose|whether|maybe|might|perhaps|could|would|wish)\b|如果|要是|万一|可能|也许|说不定|大概", _I
)
_CEASES = re.compile(
    r"\b(?:stop(?:ped|ping)?|quit|g[ai]ve(?:n)? up|off|done with|finish(?:ed|ing)?|clos(?:ed|es|ing)|shut(?:s|ting)?|gone|retir(?:ed|ing)|died|sold|dropped|dead|expired|no more|ended|broke up|split up|fell through|packed (?:it )?in|let go|ditched|binned|scrapped|cancell?ed|no longer|any ?more)\b|\bleft\b(?! of)"
    r"|[停戒断]了?(?![车电])|[离辞]职|辞了|走了|关门|倒闭|没戏|作废|到期|注销|退[掉了订租房伙出休]|卖[了掉]|分手|分了|黄了|泡汤|散了|取消|不[^,，]{1,6}了|没了|结束|[毕]业",
    _I,
)
"""What says that something has come to an end, whatever it is."""
_ACHIEVED = re.compile(
    r"\b(?:done|finished|delivered|handed in|submitted|completed|passed|sorted|arrived|signed|(?:was|been) (?:yesterday|last|a))\b|[交完做办搞弄装考签到]了|[完搞]定|[做办弄装考]完|完成|结束|通过",
    _I,
)
"""What says that something that was to be done is done."""

_GROUPS: Final = ("amount", "clock", "day", "count", "rank", "code", "digits", *sorted(SETTLED))
LOOSE: Final = frozenset((
    "weekday", "daytime", "month", "schedule", "people", "reason", "goal", "habit", "manner",
    "dislike", "place", "deadline", "decision", "name", "family", "partner",
))  # fmt: skip
"""Topics that say when, how or of whom, and not what a statement is about."""


@dataclass(frozen=True, slots=True)
class _KnownMatter:
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
class _SaidClause:
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
    known: Sequence[_KnownMatter]
    standing: Sequence[HeldStatement]


def exchange(turn: str, reply: str, talk: Talk) -> Exchange:
    """What bears on every clause of a turn alike."""
    earlier = [matter for matter in talk.current if matter.turn < talk.turn and matter.finding.kind != "contact"]
    known = [_known(matter, talk) for matter in earlier]
    return Exchange(talk, turn, _SLIP.search(turn) is not None, reply, known, [each.standing for each in known])


def _known(matter: Matter, talk: Talk) -> _KnownMatter:
    bare = said_bare(matter, talk)
    gist = gist_of(bare, talk.names)
    values = grouped(values_in(bare, matter, talk), bare, gist)
    standing = HeldStatement(matter.finding, bare, gist)
    return _KnownMatter(matter, standing, _matter_of(bare, talk), values, _topics(bare), _kin(bare))


def _matter_of(text: str, talk: Talk, values: Sequence[TypedValue] = ()) -> frozenset[str]:
    """What a text names, but for the relative whom it is about: one may tell many things of him."""
    return frozenset(word for word in topic_of(text, talk, values) if not _kin(word))


@bounded_cache(8_192, longest=400)  # what is held is compared with every turn
def _topics(text: str) -> frozenset[str]:
    return topics_of(text) - LOOSE


@bounded_cache(8_192, longest=400)
def _kin(text: str) -> frozenset[str]:
    return frozenset(kin_in(text))


def said_in(clauses: Sequence[Clause], place: int, talk: Talk) -> _SaidClause:
    """The clause at a place of its turn."""
    clause = clauses[place]
    first = place if clause.opens_sentence else max(0, place - 1)
    after = clauses[place + 1 : place + 2]
    last = place + 1 if after and not after[0].opens_sentence else place
    beside = ", ".join(each.text for each in clauses[first : last + 1])
    values, gist = typed_values(clause.text, talk.at), gist_of(clause.text, talk.names)
    topic = _matter_of(clause.text, talk, values)
    near = gist_of(beside, talk.names)
    return _SaidClause(
        clause=clause,
        beside=beside,
        topic=topic,
        values=grouped(values, clause.text, gist),
        gist=gist,
        renews=near.renews,
        near=_matter_of(beside, talk) - topic,
        near_values=grouped(typed_values(beside, talk.at), beside, near),
        topics=_topics(clause.text),
        kin=_kin(clause.text),
    )


def signs(known: _KnownMatter, said: _SaidClause, now: Exchange) -> dict[str, float]:
    """What speaks for and against the clause putting an end to the statement, each from 0 to 1; nothing where the two
    have no word and no type of value in common, and where the clause only adds to it, or tells of an exception."""
    shared = frozenset(word for word in said.topic if in_common(frozenset((word,)), known.topic))
    near = frozenset(word for word in said.near if in_common(frozenset((word,)), known.topic))
    one_topic = said.topics & known.topics
    other = others(known.values, said.values)
    near_other = others(known.values, said.near_values) - other
    just = known.matter.turn >= 0 and now.talk.turn - known.matter.turn <= JUST_SAID
    told = _tells_of_change(said, now)
    met = (other - {"amount"}) or (near and near_other) or (told and (shared or one_topic or other))
    beside = _ADDS.search(said.clause.text) is not None and not said.gist.over
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


def _cues(said: _SaidClause, known: _KnownMatter, now: Exchange) -> dict[str, bool]:
    """What the clause, or what stands beside it, says of change, each of which counts beside what the two have in
    common."""
    text = said.clause.text
    return {
        "change": said.gist.moves or DONE.search(said.beside) is not None,
        "by now": said.renews,
        "effect": DONE.search(now.reply) is not None,
        "over": bool(said.gist.over),
        "denied": _DENIES.search(text) is not None,
        "ceases": _CEASES.search(text) is not None,
        "achieved": known.matter.finding.kind in AHEAD and _ACHIEVED.search(text) is not None,
    }


def _tells_of_change(said: _SaidClause, now: Exchange) -> bool:
    """Whether anything in the clause, beside it or in the agent's answer says that something is not as it was."""
    text = said.clause.text
    return (
        said.gist.changes
        or said.renews
        or any(sign.search(said.beside) for sign in (DONE, _CEASES, _DENIES))
        or _ACHIEVED.search(text) is not None
        or DONE.search(now.reply) is not None
    )


def _own(words: frozenset[str], rivals: Sequence[_KnownMatter]) -> bool:
    """Whether one of these words is in no rival."""
    return any(not any(in_common(frozenset((word,)), each.topic) for each in rivals) for word in words)


def _of_words(known: _KnownMatter, said: _SaidClause) -> dict[str, float]:
    """Signs in the words of the two."""
    gone = known.topic | frozenset[str]().union(*known.values.values())
    kind = kind_of(said.clause.text, said.clause.lang)
    return {
        "by now": float(said.renews),
        "over as a whole": float(any(words <= gone for words in said.gist.over)),
        "ceases": float(_CEASES.search(said.clause.text) is not None),
        "another relative": float(bool(said.kin - known.kin)),
        "statement denied": float(_DENIES.search(known.bare) is not None),
        "reminds": float(_REMINDS.search(said.beside) is not None),
        "one kind": float(kind.name not in ("fact", "quantity") and kind.name == known.matter.finding.kind),
    }


def _of_talk(known: _KnownMatter, said: _SaidClause) -> dict[str, float]:
    """Signs in who speaks of whom, and in what was said around it."""
    clause, about = said.clause, known.matter.finding.about
    person = clause.subject.person
    same = bool(said.kin & known.kin) or (person is not None and person in (about or known.bare))
    return {
        "once": float(ONCE.search(said.beside) is not None),
        "perhaps": float(_PERHAPS.search(clause.text) is not None),
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
    yield from ((clause, matter, 1.0) for clause, matter in cancelled(clauses, now.reply, now.talk))
    yield from ((clause, matter, 1.0) for clause, matter in lifted(now.turn, clauses, now.talk))
    clauses = [clause for clause in clauses if cancelled_in(clause) is None]
    said = [said_in(clauses, place, now.talk) for place in range(len(clauses))]
    yield from ((clause, matter, 1.0) for clause, matter in no_longer_so(now.turn, clauses, now.talk))
    for known in now.known:
        weighed = [(_likely(known, each, now), each) for each in said]
        likely, by = max(weighed, key=lambda each: each[0], default=(0.0, None))
        if by is not None and (likely >= SURE or (likely >= LIKELY and _gives_another(known, by))):
            yield by.clause, known.matter, likely


def _gives_another(known: _KnownMatter, said: _SaidClause) -> bool:
    """Whether the clause gives another value of one type; amounts are of anything unless a word says of what."""
    other = others(known.values, said.values)
    return bool(other - {"amount"}) or bool(other and in_common(said.topic, known.topic))


def _likely(known: _KnownMatter, said: _SaidClause, now: Exchange) -> float:
    if is_exception(said.beside, known.bare):
        return 0.0
    certain = ends_for_certain(said.clause, said.gist, known.standing, now.standing, said.beside)
    weighed = not certain and _may_be_of_one(known, said, now)
    likely = 1.0 if certain else likelihood(signs(known, said, now)) if weighed else 0.0
    return 0.0 if likely < LIKELY or _is_of_other(known, said, now) else likely


def _is_of_other(known: _KnownMatter, said: _SaidClause, now: Exchange) -> bool:
    """Whether the clause speaks of another than the statement, of some of several, or denies something else."""
    return (
        tells_of_a_part(said.clause.text)
        or says_of_another(said.clause, said.beside, known.matter, now.talk)
        or _denies_another(known, said, now.talk)
    )


def _denies_another(known: _KnownMatter, said: _SaidClause, talk: Talk) -> bool:
    """Whether what is said to be over is something else of the same sort: no allergy to dogs is none to nuts."""
    held = known.topic | known.kin | known.standing.words
    if is_ceasing(said.clause.text):
        named = topic_of(said.clause.text, talk, ())
        last = last_denied(said.clause.text, talk)
        return bool(last) and in_common(named, held) > 0 and not in_common(last, held)
    overs = [over - said.kin for over in said.gist.over if in_common(over, held)]
    return bool(overs) and all(2 * in_common(over, held) < len(over) for over in overs)


def _may_be_of_one(known: _KnownMatter, said: _SaidClause, now: Exchange) -> bool:
    """Whether the two may speak of one matter: they have a word, a relative or a topic in common; or the clause names
    nothing beside its values, and the statement was just said, or lies ahead and does not come again and again. An amount
    is of what is named with it."""
    named = said.topic | said.near
    if in_common(named, known.topic) or said.kin & known.kin:
        return True
    if said.topics & known.topics and "amount" not in others(known.values, said.values):
        return True
    return not named and needs_no_name(known.matter, now.talk)
