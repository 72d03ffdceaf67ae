"""What an earlier statement and a clause have in common, and what the clause, the turn and the agent say of change: the
signs by which `succession` weighs whether the clause puts an end to the statement.

Links are what the two share: a word that no other statement has, another value of one type, a topic, words of the
question before or of the answer after. Cues say that things are not as they were. Most signs are a link beside a cue.
"""

# ruff: noqa: E501 - patterns read best unbroken

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from agentmem import patterns as re
from agentmem.adapters.cognition.rules import lexicon_zh as zh
from agentmem.adapters.cognition.rules.certain import HeldStatement
from agentmem.adapters.cognition.rules.kinds import kind_of
from agentmem.adapters.cognition.rules.life_events import is_ended_by
from agentmem.adapters.cognition.rules.matters import (
    AHEAD,
    JUST_SAID,
    ONCE,
    Matter,
    Talk,
    in_common,
    is_exception,
    recurs,
    said_bare,
    topic_of,
    values_in,
)
from agentmem.adapters.cognition.rules.model import Act, Clause, Who, has_han
from agentmem.adapters.cognition.rules.paraphrase import rejects
from agentmem.adapters.cognition.rules.still_so import DONE
from agentmem.adapters.cognition.rules.value_groups import Values, as_numbers, grouped, of_like_size, others
from agentmem.bounded_cache import bounded_cache
from agentmem.language.cues import topics_of
from agentmem.language.gists import Gist, gist_of
from agentmem.language.synonyms import kin_in
from agentmem.language.typed_values import TypedValue, typed_values

_I = re.IGNORECASE
_DENIES = re.compile(
    r"(?!^no[,.!])(?:不(?!错|止|仅|但|过|同|好意思)|没(?!事|问题|关系|错)|别(?!的|人)|甭|\b(?:not|no|never|without|cannot|nothing|none)\b|n't\b|\b(?:instead of|rather than|too (?:much|little|late|early|many|few|small|big|far))\b)",
    _I,
)
_ADDS = re.compile(r"\b(?:also|another|extra|additional|as well|besides)\b|另外|还要|加[一两二三四五六七八九十\d]", _I)
"""What stands beside something and not in its place."""
_REMINDS = re.compile(
    r"\b(?:still|remember|remind|don't forget|as (?:i|we) said|like i said|same|always)\b|还是|记[着得住]|别忘|说过|照旧|照样|一样|[不没]变|一直",
    _I,
)
_AGAIN = re.compile(r"\bagain\b|又|强调|那句话", _I)
"""What is said once more."""
_SLIP = re.compile(
    r"\b(?:i meant|my mistake|sorry,? (?:i mean|no)|correction|got (?:that|it) wrong|mixed (?:that|it|them)? ?up|misspoke|typo|scratch that|wait,? no|no,? wait)\b|[说讲写打记搞弄填报][错岔混反]|口误|更正|不对",
    _I,
)
_IF = re.compile(r"\b(?:if|unless|suppose|whether)\b|如果|要是|万一", _I)
_PERHAPS = re.compile(r"\b(?:maybe|might|perhaps|could|would|wish)\b|可能|也许|说不定|大概", _I)
_CEASES = re.compile(
    r"\b(?:stop(?:ped|ping)?|quit|g[ai]ve(?:n)? up|off|done with|finish(?:ed|ing)?|clos(?:ed|es|ing)|shut(?:s|ting)?|gone|goes|went|retir(?:ed|es|ing)|died|sold|dropped|dead|expired|no more|ended|broke up|split up|fell through|packed (?:it )?(?:in|up)|let go|ditched|binned|scrapped|cancell?ed|no longer|any ?more|forget|goodbye|enough of|rid of|stolen|lost|broken)\b|\bleft\b(?! of)|\b(?:moved|moving) (?:out|away|on|back)\b"
    r"|[停戒断]了?(?![车电])|[离辞]职|辞了|走了|关门|倒闭|没戏|作废|到期|注销|退[掉了订租房伙出休]|卖[了掉]|分手|分了|黄了|泡汤|散了|散伙|取消|不[^,，]{1,6}了|没了|结束|[毕]业|[回调去搬]\S{0,4}[去了]|掉了|拆了",
    _I,
)
"""What says that something has come to an end, or somebody gone, whatever and whoever it is."""
_RECOVERS = re.compile(
    r"\b(?:better|healed|recovered|cleared up|sorted|fixed|mended|repaired|resolved|outgrown|grown out of|back to normal|home now|works? (?:again|now|fine))\b|好[多全]?了|好多|恢复|痊愈|修好|治好|解决|没事了|出院",
    _I,
)
"""What says that a trouble is over."""
_ACHIEVED = re.compile(
    r"\b(?:done|finished|delivered|handed in|submitted|completed|passed|sorted|arrived|signed|(?:was|been) (?:yesterday|last|a))\b|[交完做办搞弄装考签到]了|[完搞]定|[做办弄装考]完|完成|结束|通过",
    _I,
)
"""What says that something that was to be done is done."""
_NAME = re.compile(r"(?<![.!?] )(?<!^)\b(?!(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)[A-Z][a-z]{2,}\b")
_TITLES = "|".join(word for word in zh.TITLES.split("|") if len(word) > 1)
_TITLED = re.compile(
    rf"(?P<zh>[\u4e00-\u9fff])(?P<title>{_TITLES})|\b(?P<before>Dr|Doctor|Mr|Mrs|Ms|Miss|Prof|Coach|Nurse)\.? (?P<en>[A-Z]\w+)"
)
"""Somebody by his name and what he is."""

LOOSE: Final = frozenset((
    "weekday", "daytime", "month", "schedule", "people", "reason", "goal", "habit", "manner",
    "dislike", "place", "deadline", "decision", "name", "family", "partner",
))  # fmt: skip
"""Topics that say when, how or of whom, and not what a statement is about."""
_SEVERAL_SLOTS: Final = frozenset(("need", "quantity", "constraint", "appointment", "family", None))
"""Attributes of which one has many."""


@dataclass(frozen=True, slots=True)
class KnownMatter:
    """A statement as it is compared; `standing` is the same for what needs no weighing."""

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
class SaidClause:
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
    """A turn, its answer, and what was stated before it and holds; `topics`: how many statements are about each."""

    talk: Talk
    turn: str
    reply: str
    known: Sequence[KnownMatter]
    asked: frozenset[str]
    answered: frozenset[str]
    topics: Mapping[str, int]
    _holders: dict[str, frozenset[int]] = field(default_factory=dict[str, frozenset[int]])

    @property
    def standing(self) -> list[HeldStatement]:
        """What holds, as it is looked at where nothing is weighed."""
        return [each.standing for each in self.known]

    def holders(self, word: str) -> frozenset[int]:
        """The places of the statements that have this word."""
        if word not in self._holders:
            alone = frozenset((word,))
            self._holders[word] = frozenset(
                place for place, each in enumerate(self.known) if in_common(alone, each.topic)
            )
        return self._holders[word]


def exchange(turn: str, reply: str, talk: Talk) -> Exchange:
    """What bears on every clause of a turn alike."""
    told = (*talk.of_others, *talk.current)
    earlier = [matter for matter in told if matter.turn < talk.turn and matter.finding.kind != "contact"]
    known = [_known(matter, talk) for matter in earlier]
    topics = Counter(topic for each in known for topic in each.topics)
    return Exchange(talk, turn, reply, known, _matter_of(talk.asked, talk), _matter_of(reply, talk), topics)


def _known(matter: Matter, talk: Talk) -> KnownMatter:
    bare = said_bare(matter, talk)
    gist = gist_of(bare, talk.names)
    values = grouped(values_in(bare, matter, talk), bare, gist)
    standing = HeldStatement(matter.finding, bare, gist)
    return KnownMatter(matter, standing, _matter_of(bare, talk), values, _topics(bare), _kin(bare))


def _matter_of(text: str, talk: Talk, values: Sequence[TypedValue] = ()) -> frozenset[str]:
    """What a text names, but for the relative whom it is about: one may tell many things of him."""
    return frozenset(word for word in topic_of(text, talk, values) if not _kin(word))


@bounded_cache(8_192, longest=400)  # what is held is compared with every turn
def _topics(text: str) -> frozenset[str]:
    return topics_of(text) - LOOSE


@bounded_cache(8_192, longest=400)
def _kin(text: str) -> frozenset[str]:
    return frozenset(kin_in(text))


@bounded_cache(8_192, longest=400)
def _slot(text: str) -> str | None:
    return kind_of(text, "zh" if has_han(text) else "en").attribute


@bounded_cache(8_192, longest=400)
def _names(text: str) -> frozenset[str]:
    return frozenset(_NAME.findall(text))


@bounded_cache(8_192, longest=400)
def _titled(text: str) -> Mapping[str, str]:
    """The names in a text by the title that goes with them."""
    return {each["title"] or each["before"]: each["zh"] or each["en"] for each in _TITLED.finditer(text)}


def said_in(clauses: Sequence[Clause], place: int, talk: Talk) -> SaidClause:
    """The clause at a place of its turn."""
    clause = clauses[place]
    first = place if clause.opens_sentence else max(0, place - 1)
    after = clauses[place + 1 : place + 2]
    last = place + 1 if after and not after[0].opens_sentence else place
    beside = ", ".join(each.text for each in clauses[first : last + 1])
    values, gist = typed_values(clause.text, talk.at), gist_of(clause.text, talk.names)
    topic = _matter_of(clause.text, talk, values)
    near = gist_of(beside, talk.names)
    return SaidClause(
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


def signs(place: int, said: SaidClause, now: Exchange) -> dict[str, float]:
    """What speaks for and against the clause ending the statement at this place, each from 0 to 1; nothing for no end."""
    known = now.known[place]
    if _is_no_end(known, said, now):
        return {}
    links = _links(place, said, now)
    if not (_may_be_of_one(links, known, said) and _has_much(links)):
        return {}
    cues = _cues(known, said, now)
    found = {link: 1.0 for link in links if link != "same value"}
    found |= {f"{link} & {cue}": 1.0 for link in links for cue in cues}
    found |= _together(place, links, cues, said, now) | _values(known, said, now) | _of_talk(known, said)
    return {name: value for name, value in found.items() if value}


def _is_no_end(known: KnownMatter, said: SaidClause, now: Exchange) -> bool:
    """Whether the clause is only supposed, heard, asked or added, tells of an exception, or of another relative."""
    clause = said.clause
    return (
        clause.act in (Act.REPORTED, Act.CONDITIONAL, Act.UNCERTAIN)
        or (clause.act is Act.QUESTION and DONE.search(now.reply) is None)
        or _IF.search(said.beside) is not None
        or (_ADDS.search(clause.text) is not None and not said.gist.over)
        or (clause.subject.who is Who.THIRD and bool(said.kin - known.kin))
        or is_exception(said.beside, known.bare)
    )


def _links(place: int, said: SaidClause, now: Exchange) -> set[str]:
    """What the two have in common."""
    known = now.known[place]
    one_topic = said.topics & known.topics
    other = others(known.values, said.values)
    names, held_names = _names(said.clause.text), _names(known.bare)
    titles, held_titles = _titled(said.clause.text), _titled(known.bare)
    slot = known.matter.finding.attribute or _slot(known.bare)
    links = {
        "word": any(place in now.holders(word) for word in said.topic),
        "own word": _own(place, said.topic, now),
        "value": bool(other - {"amount"})
        or any(title in held_titles and held_titles[title] != name for title, name in titles.items()),
        "slot": slot not in _SEVERAL_SLOTS and slot == _slot(said.clause.text),
        "time": not other.isdisjoint(_TIMES),
        "number": not other.isdisjoint(_COUNTED)
        or (not other and of_like_size(as_numbers(known.values), as_numbers(said.values))),
        "same value": any(
            not known.values[kind].isdisjoint(said.values[kind]) for kind in known.values.keys() & said.values.keys()
        ),
        "topic": bool(one_topic),
        "only topic": any(now.topics[topic] == 1 for topic in one_topic),
        "name": bool(names and held_names and names.isdisjoint(held_names)),
        "beside": _own(place, said.near, now),
        "value beside": bool(others(known.values, said.near_values) - other - {"amount"}),
        "asked": _own(place, now.asked, now),
        "reply": _own(place, now.answered, now),
        "life event": said.kin == known.kin
        and _DENIES.search(said.clause.text) is None
        and is_ended_by(known.matter.finding, known.bare, said.clause.text),
        "just said": known.matter.turn >= 0 and now.talk.turn - known.matter.turn <= JUST_SAID,
    }
    return {link for link, holds in links.items() if holds}


def _own(place: int, words: Collection[str], now: Exchange) -> bool:
    """Whether the statement alone has one of these words."""
    return any(now.holders(word) == frozenset((place,)) for word in words)


_TIMES: Final = frozenset(("day", "clock", "weekday"))
_COUNTED: Final = frozenset(("amount", "count"))
_ANCHORS: Final = frozenset(("word", "beside", "asked", "reply", "slot", "life event"))
"""Links that say of what both speak."""
_ENOUGH: Final = _ANCHORS - {"word"} | {"own word", "value", "same value", "only topic"}
_ANOTHER: Final = frozenset(("value", "slot", "number", "name", "value beside"))
_A_WORD: Final = frozenset(("word", "beside"))


def _may_be_of_one(links: set[str], known: KnownMatter, said: SaidClause) -> bool:
    """Whether the two may speak of one matter: they are linked by more than values, or the clause names nothing beside
    its own. An amount or a time is of what is named with it."""
    return (
        not _ANCHORS.isdisjoint(links)
        or bool(said.kin & known.kin)
        or ("topic" in links and links.isdisjoint(("number", "time")))
        or not (said.topic | said.near or (recurs(known.bare) and "same value" not in links))
    )


def _has_much(links: Collection[str]) -> bool:
    """Whether what the two have in common is worth a look."""
    another, word = not _ANOTHER.isdisjoint(links), not _A_WORD.isdisjoint(links)
    return (
        not _ENOUGH.isdisjoint(links)
        or (another and (word or "topic" in links or "just said" in links))
        or (word and "topic" in links)
    )


def _cues(known: KnownMatter, said: SaidClause, now: Exchange) -> set[str]:
    """What the clause, what stands beside it, or the agent's answer says of change."""
    text = said.clause.text
    done = known.matter.finding.kind in AHEAD and _ACHIEVED.search(text) is not None
    cues = {
        "ends": bool(said.gist.over) or done or any(sign.search(text) for sign in (_CEASES, _RECOVERS)),
        "denies": _DENIES.search(text) is not None,
        "change": said.gist.moves or DONE.search(said.beside) is not None,
        "by now": said.renews,
        "effect": DONE.search(now.reply) is not None,
    }
    return {cue for cue, holds in cues.items() if holds}


def _together(
    place: int, links: Collection[str], cues: Collection[str], said: SaidClause, now: Exchange
) -> dict[str, float]:
    """Links that come together, and how much of the statement the clause names."""
    known = now.known[place]
    another, word = not _ANOTHER.isdisjoint(links), not _A_WORD.isdisjoint(links)
    shared = [each for each in said.topic if place in now.holders(each)]
    share, among = len(shared) / max(1, len(known.topic)), min((len(now.holders(each)) for each in shared), default=1)
    pairs = {
        "word & another": word and another,
        "topic & another": "topic" in links and another,
        "own word & another": "own word" in links and another,
        "asked & another": "asked" in links and another,
        "reply & another": "reply" in links and another,
        "just said & another": "just said" in links and another,
    }
    found = {name: float(both) for name, both in pairs.items()}
    found |= {f"{name} & cue": float(both and bool(cues)) for name, both in pairs.items()}
    found |= {f"share & {cue}": share for cue in cues}
    return found | {
        "share": share,
        "slip": float("just said" in links and another and _SLIP.search(now.turn) is not None),
        "asked & no": float("asked" in links and rejects(now.turn.strip())),
        "two cues": float(len(cues) > 1),
        "three cues": float(len(cues) > 2),
        "kin & ends": float("ends" in cues and bool(said.kin & known.kin)),
        "among many": min(1.0, (among - 1) / 6),
    }


def _values(known: KnownMatter, said: SaidClause, now: Exchange) -> dict[str, float]:
    """Which values come in whose place."""
    other = others(known.values, said.values)
    settled = other - {"amount"}
    only = not any(kind in each.values for kind in settled for each in now.known if each is not known)
    numbers = as_numbers(said.values)
    alike = sum(of_like_size(as_numbers(each.values), numbers) for each in now.known)
    gone = known.topic | frozenset[str]().union(*known.values.values())
    return {f"other {kind}": 1.0 for kind in other} | {
        "only such value": float(bool(settled) and only),
        "only such number": float(alike == 1 and of_like_size(as_numbers(known.values), numbers)),
        "over as a whole": float(any(words <= gone for words in said.gist.over)),
    }


def _of_talk(known: KnownMatter, said: SaidClause) -> dict[str, float]:
    """Signs in who speaks of whom, and in what was said around it."""
    clause, about = said.clause, known.matter.finding.about
    person = clause.subject.person
    same = bool(said.kin & known.kin) or (person is not None and person in (about or known.bare))
    return {
        "once": float(ONCE.search(said.beside) is not None),
        "reminds": float(_REMINDS.search(said.beside) is not None),
        "again": float(_AGAIN.search(clause.text) is not None),
        "perhaps": float(_PERHAPS.search(said.beside) is not None),
        "question": float(clause.act is Act.QUESTION),
        "of somebody": float(clause.subject.who is Who.THIRD and not same),
        "another relative": float(bool(said.kin - known.kin)),
        "statement denied": float(_DENIES.search(known.bare) is not None),
        "told of another": float(about is not None and about.casefold() not in clause.text.casefold()),
        "said in this talk": float(known.matter.turn >= 0),
    }
