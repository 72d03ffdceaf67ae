"""A question, read once: whom it names, which attributes and times it asks for, and what in it may be a name."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import Final, Self

from agentmem import patterns as re
from agentmem.characters import is_han
from agentmem.domain.naming import canonical_name
from agentmem.language.cues import READ_FOR_TIMES, topic_terms
from agentmem.language.synonyms import Kin, kin_in
from agentmem.language.time import TimeMention, time_terms
from agentmem.questions.called import named_among, places_of
from agentmem.questions.form import (
    asked_apart,
    asked_times_of,
    asks_of_the_past,
    is_the_moment,
    wanted_by,
)

_WANTS_TIME = re.compile(
    r"\bwhen\b|\bhow (?:long|old)\b|\b(?:what|which) (?:date|day|month|year|time|week|season)\b"
    r"|什么时候|什么时间|何时|哪天|哪一天|哪年|哪一年|几点|几号|几月|多久|多长时间|哪个月|星期几|周几",
    re.IGNORECASE,
)
_LOOKS_AHEAD: Final = re.compile(
    r"\b(?:will|shall|going to|gonna|upcoming|soon)\b|['’]ll\b|即?将(?![军士领就近])|接下来|今后|打算|以后",
    re.IGNORECASE,
)
_WHY_THEN: Final = re.compile(
    r"\bwhy (?:did|was|were|had|has|have)(?:n['’]t)?\b|(?:为什么|为何|为啥|怎么会?).{0,20}(?:了|没|过|不再|[改换]成)",
    re.IGNORECASE,
)
MAX_CHARS = 8_000
"""Characters of a question that are looked at."""

_POSSESSIVE: Final = re.compile(r"['’]s")


@dataclass(frozen=True)
class Question:
    """A question about memories. `text` as it was asked, `sought` without the names of those who speak in the scope:
    their turns are preferred instead, for hardly anybody says his own name. `named` are those the question names.
    `times` are those it speaks of, `topics` the search terms of what it is about."""

    text: str
    sought: str
    now: datetime
    speakers: frozenset[str] = frozenset()
    named: frozenset[str] = frozenset()
    asked: frozenset[str] = frozenset()
    wants_time: bool = False
    times: tuple[TimeMention, ...] = ()
    topics: tuple[str, ...] = ()

    @cached_property
    def beside(self) -> str:
        """What is sought beside the slots that it asks for."""
        return beside(self.sought)

    def means(self, name: str) -> bool:
        """Whether it may ask of the bearer of that name: of one who speaks in the scope, or one whom it speaks of."""
        if name in self.speakers or canonical_name(name) in canonical_name(self.text):
            return True
        return any(True for _ in places_of(name, self.text, person=True)) or not kin_in(name).isdisjoint(self.kin)

    def among(self, people: Collection[str]) -> Self:
        """The question, put to the memories of many people: with those of them whom it names."""
        named = named_among(people, self.text)
        return replace(self, named=named) if named else self

    def looks_to(self, begins: datetime) -> bool:
        """Whether it asks for a time to come at which what `begins` then holds; where it names no such time, for what
        is to come at all."""
        ahead = [each for each in self.times if each.begins is not None and each.begins > self.now]
        if ahead:
            return any(each.ends is None or begins < each.ends for each in ahead)
        return _LOOKS_AHEAD.search(self.text) is not None

    @cached_property
    def of_the_past(self) -> bool:
        """Whether it asks for what is over."""
        return asks_of_the_past(self.text)

    @cached_property
    def looks_back(self) -> bool:
        """Whether what is over may answer it: it asks for that, or why something came about."""
        return self.of_the_past or asks_why_then(self.text)

    @cached_property
    def kin(self) -> frozenset[Kin]:
        """The relations it speaks of."""
        return kin_in(self.text)

    @property
    def time_terms(self) -> list[str]:
        """The times it names, as search terms; open and recurring ones have none, nor has the moment of asking."""
        closed = ((each.begins, each.ends) for each in self.times if not is_the_moment(each, self.now))
        return [
            term for begins, ends in closed if begins and ends and begins < ends for term in time_terms(begins, ends)
        ]


def read_question(
    text: str, now: datetime, speakers: Collection[str] = (), *, agents: Collection[str] = ()
) -> Question:
    """The question as ranking reads it, asked at `now` in a scope where `speakers` speak; of a long one its ends. Those
    of them who are `agents` are called by their full names alone: theirs are made of common words."""
    if len(text) > MAX_CHARS:
        text = f"{text[: MAX_CHARS // 2]} {text[-MAX_CHARS // 2 :]}"
    places = {name: list(places_of(name, text, person=name not in agents)) for name in speakers}
    sought = _without(text, [place for found in places.values() for place in found])
    return Question(
        text=text,
        sought=sought,
        now=now,
        speakers=frozenset(speakers),
        named=named_among(speakers, text, agents),
        asked=asked_for(text[:READ_FOR_TIMES]),
        wants_time=bool(_WANTS_TIME.search(text)),
        times=tuple(asked_times_of(text, now)),
        topics=tuple(topic_terms(sought)),
    )


def asks_why_then(question: str) -> bool:
    """Whether it asks why something came about: the reason may be over."""
    return _WHY_THEN.search(question) is not None


def _without(text: str, places: Iterable[tuple[int, int]]) -> str:
    """The text without what stands at these places; whole, where nothing else would be left of it."""
    kept, at = "", 0
    for begin, end in sorted(places):
        mark = _POSSESSIVE.match(text, end)
        kept += f"{text[at:begin]} "
        at = max(at, mark.end() if mark else end)
    rest = kept + text[at:]
    return rest if any(map(str.isalnum, rest)) else text


CONTACT: Final = (
    "phone",
    "work_phone",
    "home_phone",
    "email",
    "work_email",
    "wechat",
    "qq",
    "whatsapp",
    "address",
    "work_address",
)

_ASKS: Mapping[str, tuple[str, ...]] = {
    r"怎么联系|如何联系|联系方式|联络|\bcontact|\breach\b|get in touch": CONTACT,
    r"电话|手机|号码|\bphone|\bcall\b|\bnumber\b|\bmobile\b": ("phone", "work_phone", "home_phone", "whatsapp"),
    r"邮箱|邮件|e-?mail": ("email", "work_email"),
    r"微信|wechat": ("wechat",),
    r"\bqq\b": ("qq",),
    r"地址|住在?哪|住址|\baddress|where .*\blive": ("address", "work_address", "city"),
    r"哪个城市|在哪里?工作|\bcity\b": ("city", "employer"),
    r"想要?做|想要|需要|需求|希望|想干|\bwants?\b|\bneeds?\b|\blooking for\b|\bwish": ("need", "plan"),
    r"不满|抱怨|顾虑|担心|烦恼|困扰|\bcomplain|\bbother|\bconcern|\bworr|\bunhappy": ("complaint", "constraint"),
    r"预算|多少钱|花多少|\bbudget|\bspend\b|\bafford": ("budget",),
    r"截止|期限|\bdeadline|\bdue\b": ("deadline",),
    r"预约|约在|\bappointment|\bmeeting\b": ("appointment",),
    r"喜欢|偏好|爱好|\blikes?\b|\bprefers?|\bfavou?rite": ("preference", "habit"),
    r"平时|平常|习惯|经常|常常|多久一次|\busually\b|\boften\b|\bhabits?\b|\broutine": ("habit",),
    r"做什么工作|职业|什么职位|\boccupation|\bjob\b|\bprofession|for a living": ("occupation", "employer"),
    r"什么公司|哪家公司|在哪上班|\bemployer|\bwork for\b|works? at\b|\bcompany\b": ("employer", "business", "industry"),
    r"做什么(业务|生意|行业)|什么(业务|生意|行业)|\bbusiness\b|\bindustry\b": ("business", "industry"),
    r"多少(名|个|位)?(人|员工|职员|同事)|几(个|位|名)(人|员工)|人数|规模|公司多大|\bheadcount|\bhow (big|large)\b"
    r"|\bhow many (people|employees|staff|workers|persons|colleagues)\b|\b(team|company|staff) size": (
        "headcount",
        "quantity",
    ),
    r"什么(系统|技术|软件|工具)|用的?什么|\b(what|which) (system|software|technology|tool|app|program)|\bcurrently us"
    r"|\bwhat (do|does|are|is) [\w ]{1,40}? us(e|es|ing)\b": (
        "current_system",
        "business",
    ),
    r"叫什么|名字|姓名|全名|\bname\b": ("name", "alias"),
    r"多大|年龄|几岁|\bhow old|\bage\b": ("age", "birthday"),
    r"生日|\bbirthday": ("birthday",),
    r"家人|孩子|结婚|家庭|\bfamily|\bkids?\b|\bchildren|\bmarried|\bwife|\bhusband": ("family",),
}

_WHEN: Final = re.compile(r"什么时候|几点|哪天|何时|\bwhen\b", re.IGNORECASE)
_DATED: Final = frozenset({"appointment", "deadline"})
"""What is asked for with "when" where no more is said of it."""

_COUNTED: Final = frozenset({"headcount", "quantity", "budget", "age", "birthday", *CONTACT})
"""Slots whose values are numbers, or have some."""

_NUMBERS: Final = frozenset({"number", "money", "age"})

_PATTERNS = [(re.compile(pattern, re.IGNORECASE), attributes) for pattern, attributes in _ASKS.items()]


def asked_for(question: str) -> frozenset[str]:
    """Attributes named or implied by the question, in Chinese or English; none where it asks for something else. Of
    each part that asks for a number only those that are numbers, where there are any: "how many people work at"."""
    if wanted_by(question) not in _NUMBERS:
        return _implied(question)
    return frozenset[str]().union(*map(_narrowed, asked_apart(question)))


def _narrowed(part: str) -> frozenset[str]:
    found = _implied(part)
    counted = found & _COUNTED
    return counted if counted and wanted_by(part) in _NUMBERS else found


def _implied(question: str) -> frozenset[str]:
    held = (attributes for pattern, attributes in _PATTERNS if pattern.search(question))
    found = frozenset(name for attributes in held for name in attributes)
    return found | {*_DATED, "plan"} if _WHEN.search(question) and found.isdisjoint(_DATED) else found


_REACHED: Final[Mapping[str, re.Pattern]] = {
    "phone": re.compile(r"\d[\d -]{5,18}\d"),
    "email": re.compile(r"[\w.+-]{1,64}@\w"),
    "wechat": re.compile(r"微信|\bwechat\b", re.IGNORECASE),
    "qq": re.compile(r"qq|[1-9]\d{5}", re.IGNORECASE),
}
"""What the value of a slot by which somebody is reached looks like."""


def reached_in(text: str, asked: Collection[str]) -> bool:
    """Whether a text has what looks like a value of one of these slots, as far as they are ways to reach somebody."""
    return any(name in asked and pattern.search(text) is not None for name, pattern in _REACHED.items())


def beside(question: str) -> str:
    """The question without the words that name or imply those attributes."""
    for pattern in (_WHEN, *(pattern for pattern, _ in _PATTERNS)):
        question = pattern.sub(" ", question)
    return question


MAX_NAMES: Final = 64
MAX_QUESTION_CHARS: Final = 2_000
"""Characters of a question that are looked through."""

_LONGEST_WORDS, _LONGEST_HAN = 3, 8
_WORD: Final = re.compile(r"[^\W_\u3400-\u9fff]+(?:[.+#'’-][^\W_\u3400-\u9fff]+)*[+#]*")
_FRAME_ZH: Final = re.compile(r"[的了吗呢吧啊嘛]|什么|怎么样?|如何|多少|哪里|哪些|为什么|请问|是不是|有没有")
_FRAME_EN: Final = re.compile(
    r"an?|the|and|or|of|to|in|on|at|for|from|by|with|about|not|is|are|was|were|be|do|does|did|has|have|had|can|could|"
    r"will|would|should|i|you|he|she|it|we|they|me|him|her|us|them|my|your|his|its|our|their|this|that|what|which|"
    r"who|whom|when|where|why|how",
    re.IGNORECASE,
)


def names_in(question: str) -> tuple[str, ...]:
    """Up to 64 possible names in canonical form, the shortest first: runs of up to three Latin words, of two to eight
    Han characters, and of both where nothing stands between them; words that only frame a question left out."""
    found = dict.fromkeys(canonical_name(name) for name in (*_latin(question), *_chinese(question)))
    likely = [name for name in found if len(name) > 1]
    return tuple(sorted(likely, key=len)[:MAX_NAMES])


def _latin(question: str) -> Iterator[str]:
    words = list(_WORD.finditer(question[:MAX_QUESTION_CHARS]))
    for first, begin in enumerate(words):
        last = begin.start()
        for word in words[first : first + _LONGEST_WORDS]:
            if question[last : word.start()].strip() or _FRAME_EN.fullmatch(word.group()):
                break
            last = word.end()
            yield question[begin.start() : last]


def _chinese(question: str) -> Iterator[str]:
    for piece in _FRAME_ZH.split(question[:MAX_QUESTION_CHARS]):
        for run in re.findall(r"[^\W_]+", piece):
            if not run.isascii() and len(run) <= 2 * _LONGEST_HAN:
                yield run
            yield from _pieces(run)


def _pieces(run: str) -> Iterator[str]:
    for size in range(2, min(_LONGEST_HAN, len(run)) + 1):
        for start in range(len(run) - size + 1):
            if all(map(is_han, run[start : start + size])):
                yield run[start : start + size]
