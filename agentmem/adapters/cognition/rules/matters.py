"""What a change may be about: the statements of a talk so far, what each is about, and how one is said anew."""

# ruff: noqa: E501 - patterns and spoken lines read best unbroken

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from typing import Final

from agentmem import patterns as re
from agentmem.adapters.cognition.rules import lexicon_en as en
from agentmem.adapters.cognition.rules import lexicon_zh as zh
from agentmem.adapters.cognition.rules.findings import with_copula
from agentmem.adapters.cognition.rules.kinds import kind_of
from agentmem.adapters.cognition.rules.model import Clause, Finding, Span, Who, has_han, sentences
from agentmem.domain.memory import Modality
from agentmem.language.gists import gist_of
from agentmem.language.normal import STATEMENT
from agentmem.language.polarity import denies
from agentmem.language.time import annotate, find_times
from agentmem.language.tokens import terms
from agentmem.language.typed_values import DAY, TypedValue, typed_values

_I = re.IGNORECASE
HELD_BEFORE = -1
"""In `Matter.turn`: it was told before this window."""


@dataclass(frozen=True, slots=True)
class Matter:
    """A statement that a change may be about: the place of its turn in the window, what has come in its place, and when
    it was said, where that is known."""

    finding: Finding
    turn: int
    by: str | None = None
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Talk:
    """What is known where a clause is read: the statements so far, the latest last; the names of their person; the turn's
    time and place; what the agent said right before, and the place of its last question."""

    matters: Sequence[Matter]
    names: tuple[str, ...]
    at: datetime
    turn: int
    asked: str = ""
    asked_at: int = HELD_BEFORE

    @property
    def current(self) -> list[Matter]:
        """What holds."""
        return [matter for matter in self.matters if matter.by is None]

    @property
    def rewordable(self) -> list[Matter]:
        """What holds and quotes nobody: the words of a quotation are nobody's to change."""
        return [matter for matter in self._affirmed if QUOTES.search(matter.finding.content) is None]

    @property
    def revaluable(self) -> list[Matter]:
        """What holds and may get another value: what was answered, too, for its words are the person's own."""
        return [
            matter for matter in self._affirmed if QUOTES.search(matter.finding.content) is None or is_reply(matter)
        ]

    @property
    def _affirmed(self) -> list[Matter]:
        """What holds and is told as so: that Friday does not suit says nothing of the Monday in its place."""
        return [matter for matter in self.current if not _tells_against(matter)]

    def is_asked_elsewhere(self, matter: Matter) -> bool:
        """Whether it tells the answer to a question that is not the one of this talk: nothing else answers that."""
        return is_reply(matter) and matter.turn <= self.asked_at


_ROUGH = r"(?:大概|大约|约|差不多|将近|\b(?:about|around|roughly|approximately|nearly|almost|close to)\s)"
_AT_MOST = r"(?:不超过|不到|超过|最多|顶多|最少|至少|\b(?:at (?:most|least)|no (?:more|less) than|(?:more|less) than|(?:just|well) (?:over|under))\s|(?<!gone )(?<!went )(?<!goes )(?<!'s )(?<!'re )(?<!'m )(?<!is )(?<!are )(?<!it )(?<!been )(?<!now )(?<!raised )(?<!moved )(?<!grown )(?<!bumped )\bup to\s)"
ROUGHLY_BEFORE = re.compile(rf"{_ROUGH}+$", _I)
ROUGHLY_AFTER = re.compile(r"^(?:左右|上下| or so\b)")
"""How sure the older value was says nothing of the newer."""
_LIMITS = re.compile(_AT_MOST, _I)
_TOO = re.compile(r"\btoo |太(?!太|阳|平|原|仓|极)", _I)
BOUND_BEFORE = re.compile(rf"(?:{_ROUGH}|{_AT_MOST})+$", _I)
BOUND_AFTER = re.compile(
    r"^(?:左右|上下|以内|以上|以下| (?:or (?:so|more|less)|at (?:most|least)|max(?:imum)?|tops)\b)", _I
)
"""How sure the newer value is and what it may not pass, which goes with it."""
QUOTES = re.compile('[“"]')


def _tells_against(matter: Matter) -> bool:
    """Whether a statement says what is not so, or what is bad."""
    found, (start, end) = matter.finding, own_words(matter)
    said = _LIMITS.sub(" ", found.content[start:end])
    return found.modality is Modality.NEGATED or _TOO.search(said) is not None or denies(said)


_SMALL_EN = (
    "i we you he she they it its that this those these them us me my our your can could would will shall should may might let lets do does did done is are was were be been am "
    "make call say said so then well ok okay yes no yeah please thanks sorry just only really actually better best good fine great sure rather instead maybe after all now again more less "
    "have has had get got need want like prefer go going come coming put move moved moving push pushed bring brought forward back shift change changed changing switch swap swapped reschedule rescheduled postpone "
    "postponed delay delayed keep set book booked raise raised lower lowered cut up down to for of on at in by from with about around and or but not if as the a an too also end second thought thoughts turn turns out out "
    "work works suit suits one ones time day date thing things everything correction mean meant call off it'll that'll we'll i'll fit squeeze manage possible till until every everyone everybody by has have must ask asks asked answer answers same half one two three four five six seven eight nine ten eleven twelve dozen hundred thousand about around roughly approximately nearly almost close over under least most up"
)
_SMALL = frozenset(
    terms(_SMALL_EN)
    | set(_SMALL_EN.split())
    | set("咱吧了呢啊呀嘛俩几些人事打说讲就再先给把帮请我你您他她它们个的得地到成为在是有和跟与去来说想要能可以行好那这还也都又才更最不没对从往用做点些下上里会该应让按")
    | {"麻烦", "可能", "之前", "以前", "回答", "问到", "被问", "被问到", "同一", "比较", "自己", "对方", "下来", "起来", "就能", "只要", "得了", "时间", "那个", "这个", "一下", "还是", "现在", "我们", "你们", "可以", "不行", "行不行", "好了", "改到", "改成", "换成", "推迟", "提前", "算了", "其实", "应该", "原来", "干脆", "不如", "最后", "决定", "需要", "希望", "想要", "调整", "预约", "那就", "大概", "大约", "差不多", "左右", "上下", "将近", "最多", "最少", "至少", "顶多", "以内", "以上", "以下", "不超过", "不到", "超过"}
)  # fmt: skip


def topic_of(text: str, talk: Talk, values: Sequence[TypedValue]) -> frozenset[str]:
    """What a text names besides values, small words, and words of change."""
    bare = _NOTE.sub("", text)
    for value in reversed(values):
        bare = f"{bare[: value.start]} {bare[value.end :]}"
    return _named_in(bare, talk.names) if len(bare) <= STATEMENT else _topic(bare, talk.names)


def _topic(bare: str, names: tuple[str, ...]) -> frozenset[str]:
    words = gist_of(_TURNING.sub(" ", bare), names).words - _SMALL
    return frozenset(word for word in words if len(word) > 1)


_named_in = lru_cache(4_096)(_topic)  # every clause is compared with all that was stated before it


_TURNING = re.compile("咱们?|被问到|回答|[改换挪]|(?<=[^说])说(?=[\u4e00-\u9fff])|留个?")
"""What joins with the words about it, though it names nothing."""


def in_common(one: frozenset[str], other: frozenset[str]) -> int:
    """How many words of one topic another has; a Chinese word may stand within a longer one."""
    return sum(
        word in other or (not word.isascii() and any(word in each or each in word for each in other)) for word in one
    )


def said_bare(matter: Matter, talk: Talk) -> str:
    """The statement as it was said, without its person and the question it answers: 邬建平说二车间的负责人是老郝."""
    content = matter.finding.content
    return _bare_words(content, talk.names) if len(content) <= STATEMENT else _bare(content, talk.names)


def _bare(content: str, names: tuple[str, ...]) -> str:
    answer = _ANSWER.search(content)
    if answer is not None:
        return answer[1] or answer[2]
    for name in names:  # which may be words of any kind
        content = content.replace(name, "")
    return _SAYS.sub("", content.strip())


_bare_words = lru_cache(4_096)(_bare)


def is_reply(matter: Matter) -> bool:
    """Whether the statement tells what was answered to a question."""
    return matter.finding.kind == "answer" and _ANSWER.search(matter.finding.content) is not None


def question_of(matter: Matter) -> str:
    """The question that the statement answers, without its mark; empty where it answers none."""
    found = _QUESTION.match(matter.finding.content) if is_reply(matter) else None
    return "" if found is None else found[1] or found[2]


_QUESTION = re.compile(r'Asked "([^"]+?)\??",|被问到“([^”]+?)？?”，')


def own_words(matter: Matter) -> Span:
    """Where in the statement the person's own words stand: of an answer not in its question."""
    found = _ANSWER.search(matter.finding.content) if is_reply(matter) else None
    if found is None:
        return Span(0, len(matter.finding.content))
    return Span(*found.span(1 if found[1] else 2))


def values_in(text: str, matter: Matter, talk: Talk) -> list[TypedValue]:
    """The values of a statement, or of words of it, as of when it was said."""
    return typed_values(text, matter.at or talk.at)


_THEIRS = re.compile(
    rf"^(?:(?:my|our) )?(?:(?!(?:is|are|was|were|has|have|had|works|runs|leads) )\w+ )?(?P<en>{en.COLLEAGUES}|{en.HOUSEHOLD})s?\b(?P<has>'s?(?= ))?|^我?的?(?P<zh>{zh.RELATED})(?P<of>的)?"
    rf"|^(?:the )?[\w ]{{1,30}} of (?:the |my |our |their )(?P<whose>{en.COLLEAGUES}|{en.HOUSEHOLD})\b",
    _I,
)
"""Whom of those around one a statement is about, and whether it is about something of theirs."""
_OF_ONESELF = (Who.FIRST, Who.OWN)
_NAMES_SOMEBODY = re.compile(r"\b(?:his|hers?|him|their|them)\b|[他她它]", _I)


def is_of_another(matter: Matter, clause: Clause, talk: Talk) -> bool:
    """Whether the statement is about somebody around the person where the clause says something of the person himself:
    of what the other has, that is so where the clause speaks of what is the person's own."""
    if clause.subject.who not in _OF_ONESELF or _NAMES_SOMEBODY.search(clause.text):
        return False
    found, about = _THEIRS.match(said_bare(matter, talk)), matter.finding.about
    if found is None:
        return about is not None and about.casefold() not in clause.text.casefold()
    whose = found["en"] or found["zh"] or found["whose"]
    if whose.casefold() in clause.text.casefold():
        return False
    of_a_thing = found["has"] or found["of"] or found["whose"]
    return not of_a_thing or _MINE.match(clause.text) is not None


def is_of_somebody(matter: Matter, talk: Talk) -> bool:
    """Whether the statement is about somebody around the person, or about something of theirs."""
    return matter.finding.about is not None or _THEIRS.match(said_bare(matter, talk)) is not None


_MINE = re.compile(r"(?:(?:and|but|so|now) )?(?:my|our)\b|我们?(?:自己|现在)?的", _I)

_SAYS = re.compile(r"^(?:说|的|'s|says)\s*", _I)

_ANSWER = re.compile(r'answers "(.+)"$|回答“(.+)”$')


ONCE = re.compile(
    r"\b(?:just|only) (?:this|for|today|tomorrow|once|tonight)\b|(?<!from )\bthis (?:time|once|week)\b|\bfor (?:today|tonight|now)\b|\bas (?:usual|normal)\b"
    r"|就(?:今天|明天|这[次回一周])|仅此一|(?<![从自])[这本](?:次|回|周|个?星期)|今天这|临时|照旧|恢复正常",
    _I,
)
"""What is so this once."""
_RECURS = re.compile(
    r"\bevery\b|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day(?:s| mornings?| afternoons?| evenings?| nights?)\b|\b(?:usually|always|normally)\b|每|例会|平时|一般|一直",
    _I,
)


def is_exception(sentence: str, known: str) -> bool:
    """Whether a sentence says that something is so this once which a statement says is so again and again."""
    return ONCE.search(sentence) is not None and recurs(known)


JUST_SAID: Final = 2
"""Turns back to what may be meant without a name: the agent may have answered in between."""
AHEAD: Final = frozenset(("appointment", "plan", "deadline", "need"))
"""Kinds of statements that lie ahead."""


def needs_no_name(matter: Matter, talk: Talk) -> bool:
    """Whether a change that names nothing but a value may be about the statement: it was just said, or it is wanted,
    arranged or afforded, and does not come again and again; so is what somebody has on a day that lies ahead."""
    if matter.turn > HELD_BEFORE and talk.turn - matter.turn <= JUST_SAID:
        return True
    found, bare = matter.finding, said_bare(matter, talk)
    if recurs(bare) or is_of_somebody(matter, talk):
        return False
    kind = found.kind if found.kind != "fact" else kind_of(bare, "zh" if has_han(bare) else "en").name
    if kind in AHEAD or kind == "budget":
        return True
    today = talk.at.date().isoformat()
    return _HAS.match(bare) is not None and any(
        each.kind == DAY and each.value > today for each in values_in(found.content, matter, talk)
    )


_HAS = re.compile(r"(?:ha[sd]|have|got) |有", _I)


def recurs(known: str) -> bool:
    """Whether a statement says of something that it is so again and again."""
    return _RECURS.search(_NOTE.sub("", known)) is not None


class SpokenSentences:
    """The sentences of a turn, read once: a sentence may be as long as the turn, and have a thousand clauses."""

    def __init__(self, text: str) -> None:
        self._spans = list(sentences(text))
        self._once = [ONCE.search(text[span.start : span.end]) is not None for span in self._spans]

    def only_once(self, clause: Clause) -> bool:
        """Whether the sentence in which the clause begins says that something is so this once."""
        place = bisect_right(self._spans, clause.span.start, key=lambda span: span.start) - 1
        return place >= 0 and clause.span.start < self._spans[place].end and self._once[place]


def one_of(pool: Sequence[Matter]) -> Matter | None:
    """The only one, or of several the one of the latest turn where that has but one; None where nobody knows which."""
    return pool[-1] if pool and (len(pool) == 1 or pool[-1].turn != pool[-2].turn) else None


def sharing(pool: Sequence[Matter], topic: frozenset[str], talk: Talk) -> list[Matter]:
    """Those that share most words with the topic; none where none shares any."""
    shared = [in_common(topic, topic_of(matter.finding.content, talk, ())) for matter in pool]
    most = max(shared, default=0)
    return [matter for matter, count in zip(pool, shared, strict=True) if most and count == most]


def reworded_by(matter: Matter, content: str, span: Span, talk: Talk) -> Finding | None:
    """The statement in its new words, resting on those that changed it; None where a day of an earlier talk cannot be
    told from the day of this one."""
    old = matter.finding
    anew = _days_told_in(talk, content, matter.at) if matter.turn == HELD_BEFORE else content
    if anew is None:
        return None
    value = _value(old, anew)
    return replace(
        old,
        content=with_copula(anew),
        value=value,
        attribute=old.attribute if value else None,
        spans=(span,),
        cited=(),
        replaces=(old.content,),
        dated=matter.turn == HELD_BEFORE,
        closes=None,
    )


def _days_told_in(talk: Talk, content: str, said_at: datetime | None) -> str | None:
    """A statement of an earlier talk as it may be said in this one, whatever time the person's name may name."""
    names = tuple(dict.fromkeys(talk.names))
    for place, name in enumerate(names):
        content = content.replace(name, chr(_NAMED + place))
    told = _days_told_at(talk.at, content, said_at)
    for place, name in enumerate(names):
        told = told and told.replace(chr(_NAMED + place), name)
    return told


_NAMED = 0xE000
"""The first of the characters that stand for his names while times are read: H1 is no half of a year."""


def _days_told_at(at: datetime, content: str, said_at: datetime | None) -> str | None:
    """The statement as of this time: a day that was named from the day of the earlier talk is told by its date, and the
    day itself on which it was said is none of the new words."""
    content = _THAT_DAY.sub("", content)
    if said_at is not None:
        content = annotate(content, said_at)
    for mention in reversed(find_times(content, at)):
        note = _NOTE.search(mention.text)
        spoken = mention.text[: note.start()] if note else ""
        if note is None or annotate(spoken, at).endswith(note.group().lstrip()):
            continue
        told = _by_date(spoken, note.group().strip(" ()"), content[: mention.start])
        if told is None:
            return None
        content = f"{content[: mention.start]}{told}{mention.text[note.end() :]}{content[mention.end :]}"
    return content


def _by_date(spoken: str, date: str, before: str) -> str | None:
    """A day, or after a preposition a month, by its date; None of a stretch of days, and of what belongs to a day."""
    lead = _PREPOSITION.match(spoken)
    if "/" in date or _POSSESSIVE.search(spoken):
        return None
    if has_han(spoken) or lead or _PREPOSITION_BEFORE.search(before):
        return f"{lead.group() if lead else ''}{date}"
    return f"on {date}" if len(date) == len("2026-03-10") else None


_POSSESSIVE = re.compile(r"['’]s$")
_PREPOSITIONS = "(?:on|in|at|by|for|from|to|of|until|till|before|after|since|around|about|through|than|between)"
_PREPOSITION = re.compile(rf"{_PREPOSITIONS}\s+", re.IGNORECASE)
_PREPOSITION_BEFORE = re.compile(rf"\b{_PREPOSITIONS}\s+$", re.IGNORECASE)


def _value(old: Finding, content: str) -> str | None:
    """The value of its slot in the new words: what stands where the old value stood."""
    if old.value is None:
        return None
    plain, was = _NOTE.sub("", content), _NOTE.sub("", old.content)
    at = was.find(_NOTE.sub("", old.value))
    if at < 0:
        return None
    head = ROUGHLY_BEFORE.sub("", was[:at])
    tail = ROUGHLY_AFTER.sub("", was[at + len(_NOTE.sub("", old.value)) :])
    return plain[len(head) : len(plain) - len(tail)] or None


_THAT_DAY = re.compile(
    r"\s?(?:\b(?:today|tonight|this (?:morning|afternoon|evening))|今[天晚早日])\s?\(\d{4}-\d\d-\d\d\)", re.IGNORECASE
)
_NOTE = re.compile(r"\s?\(\d{4}-\d\d(?:-\d\d)?(?:/\d{4}-\d\d(?:-\d\d)?)?\)")
