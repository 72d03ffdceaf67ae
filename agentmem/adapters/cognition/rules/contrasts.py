"""One thing in the place of another: values put into an older sentence, and what is said to be this and not that."""

# ruff: noqa: E501 - patterns and spoken lines read best unbroken

from collections.abc import Sequence
from datetime import date, datetime, timedelta

from agentmem import patterns as re
from agentmem.adapters.cognition.rules.kinds import kind_of
from agentmem.adapters.cognition.rules.matters import (
    BOUND_AFTER,
    BOUND_BEFORE,
    ROUGHLY_AFTER,
    ROUGHLY_BEFORE,
    Matter,
    Talk,
    in_common,
    is_of_somebody,
    one_of,
    topic_of,
    values_in,
)
from agentmem.adapters.cognition.rules.model import Finding, Span, has_han, language_of
from agentmem.language.normal import normalise
from agentmem.language.time import annotate
from agentmem.language.typed_values import CLOCK, DAY, NUMBER, TypedValue, is_one_type, typed_values, weekday_of

_I = re.IGNORECASE


def put_in(content: str, values: Sequence[TypedValue], text: str, at: datetime) -> str | None:
    """The content with these values of the text in place of its own; None where they do not go in."""
    for value in sorted(values, key=lambda each: each.kind == CLOCK):
        old = typed_values(content, at)
        spoken = text[value.start : value.end].strip()
        places = [each for each in old if each.kind == value.kind] or [
            each for each in old if is_one_type(each.kind, value.kind)
        ]
        if len(places) == 1:
            if value.kind == DAY and _is_no_day(spoken) != _is_no_day(content[places[0].start : places[0].end]):
                return None  # a month takes no place of a day of the week
            put = _spoken(value, spoken, content[places[0].start : places[0].end], places[0], at)
            rest = content[places[0].end :]
            again = re.match(rf"[^\W\d_]{{0,2}}{re.escape(put[-1:])}", rest) if has_han(put[-1:]) else None
            rest = rest[again.end() :] if again else rest
            content = _bounded(content[: places[0].start], put, rest, value, text)
        elif value.kind == CLOCK and (days := [each for each in old if each.kind == DAY]):
            gap = "" if has_han(spoken) else " at "
            content = f"{content[: days[0].end]}{gap}{spoken}{content[days[0].end :]}"
    return content


def _bounded(head: str, put: str, rest: str, value: TypedValue, text: str) -> str:
    """A new value between the words around the older one, with its own words of how sure it is and what bounds it."""
    before, after = BOUND_BEFORE.search(text[: value.start]), BOUND_AFTER.match(text[value.end :])
    bounds = before is not None or after is not None
    head = (BOUND_BEFORE if bounds else ROUGHLY_BEFORE).sub("", head)
    rest = (BOUND_AFTER if bounds else ROUGHLY_AFTER).sub("", rest)
    return f"{head}{before.group() if before else ''}{put}{after.group() if after else ''}{rest}"


def _is_no_day(spoken: str) -> bool:
    """Whether the words name a month or a year, and no day in it."""
    return _MONTH_OR_YEAR.fullmatch(_NOTE.sub("", spoken)) is not None


_NOTE = re.compile(r"\s?\(\d{4}(?:-\d\d)?(?:-\d\d)?(?:/\d{4}-\d\d(?:-\d\d)?)?\)")
_MONTH_OR_YEAR = re.compile(
    r"(?:今年|明年|后年|去年|(?:19|20)\d\d年?)?(?:(?:\d{1,2}|[一二三四五六七八九十]{1,3})月(?:份|初|底)?)?"
    r"|(?:early |mid |late |next |this )?(?:january|february|march|april|may|june|july|august|september|october|november"
    r"|december)(?: (?:19|20)\d\d)?",
    _I,
)


def _spoken(value: TypedValue, spoken: str, before: str, place: TypedValue, at: datetime) -> str:
    """The new value as it stands in the older sentence: a day with its date, a number with the unit of the older."""
    if value.kind == DAY:
        return _dated(spoken, before, at)
    if value.kind == NUMBER and place.kind != NUMBER:
        unit = _UNIT.search(before)
        return f"{spoken}{unit.group() if unit else ''}"
    if value.kind == CLOCK and (half := _HALF.match(before)) and _BARE_CLOCK.match(spoken):
        return f"{half.group()}{spoken}"
    return spoken


_HALF = re.compile("早上|上午|中午|下午|傍晚|晚上")
"""The part of the day that goes with an hour, and stays when another hour comes in its place."""
_BARE_CLOCK = re.compile(r"(?:[1-9]|1[0-2]|[一二两三四五六七八九十]{1,2})(?:点|:)")


_UNIT = re.compile(
    r"(?<=[\d一二两三四五六七八九十百千万亿kK多来几半])[^\d一二两三四五六七八九十百千万亿.,kK多来几半][^\d]*$"
)


def _dated(spoken: str, before: str, at: datetime) -> str:
    """A bare day of the week lies in the week of the day it takes the place of, one of the month in its month, where
    that lies ahead."""
    weekday, number, old = weekday_of(spoken), _OF_MONTH.fullmatch(spoken), _ISO.search(before)
    if old is not None and (weekday is not None or number is not None):
        then = date.fromisoformat(old[1])
        day = then + timedelta(days=weekday - then.weekday()) if weekday is not None else _of_month(then, number)
        if day is not None and day > at.date():
            return f"{spoken}{'' if has_han(spoken) else ' '}({day.isoformat()})"
    return annotate(spoken, at)


_OF_MONTH = re.compile(r"(?:the )?(\d{1,2})(?:st|nd|rd|th|[号日])", _I)


def _of_month(then: date, number: re.Match | None) -> date | None:
    try:
        return then.replace(day=int(number[1])) if number else None
    except ValueError:
        return None


_ISO = re.compile(r"\((\d{4}-\d\d-\d\d)\)")
_TERM_EN = r"(?:(?:the|a|an|my|our|some|any) )?(?P<{name}>[a-z\d][\w'&.:-]*(?: [a-z\d][\w'&-]*){{0,2}}?)"
_X, _Y = _TERM_EN.format(name="x"), _TERM_EN.format(name="y")
_TERM_ZH = r"(?P<{name}>[^\s,，。;；!！?？、的了是不把换改]{{1,10}}?)"
_XZ, _YZ = _TERM_ZH.format(name="x"), _TERM_ZH.format(name="y")
_END = r"(?=\s*(?:[,.;!?-]|$|\b(?:please|then|now|actually|this time|after all|for|in|on|at|and|from)\b))"
_END_ZH = r"(?=(?:吧|了|啊|哈|呢|的)*\s*(?:[,，。;；!！?？]|$))"
_PAIRS = tuple(
    re.compile(pattern, _I)
    for pattern in (
        rf"\bdid i say {_X}\W+(?:it'?s |i mean(?:t)? |that'?s |no,? )*(?:my |the |an? )?{_Y}{_END}",
        rf"(?:\b(?:is|was|are|were)n't|(?:'s|'re|\bis|\bare) not) {_X}(?:,|;| -+|\.) (?:but |it'?s |they'?re |that'?s |it was )+{_Y}(?=\s*(?:[,.;!?-]|$|\bthat\b|\bwho\b|\bwhich\b))",
        rf"\bnot {_X}(?:,|;| -+)? (?:but |it'?s |that'?s |i (?:meant|mean|said) )?{_Y}{_END}",
        rf"\b{_Y},? (?:not|instead of|rather than|and not|in place of) {_X}{_END}",
        rf"\b(?:swap(?:ped|ping)?|chang(?:e|ed|ing)|switch(?:ed|ing)?|replac(?:e|ed|ing)) {_X} (?:for|to|with|by|into|out for) {_Y}{_END}",
        rf"\bfrom {_X} (?:to|onto) {_Y}{_END}",
        rf"\binstead of {_X}, {_Y}{_END}",
        rf"不(?:是|要){_XZ}(?:了)?\s*[,，]?\s*(?:而是|是|要|改要|改成|换成|我?要的?是){_YZ}{_END_ZH}",
        rf"(?:是|要|换|改|用){_YZ}\s*[,，]?\s*(?:而)?不(?:是|要){_XZ}{_END_ZH}",
        rf"把?{_XZ}(?:就|都|也|给我|帮我)?(?:换|改|调|变)[成为做用]了?{_YZ}{_END_ZH}",
        rf"[从由]{_XZ}(?:换|改|转|变|搬|调|升|降)[到成为]了?{_YZ}{_END_ZH}",
    )
)
"""What is named as wrong or gone, `x`, and what comes in its place, `y`."""


def contrasted(text: str, talk: Talk) -> tuple[Matter, str, Span] | None:
    """What a text says is one thing and not another: the matter that says the other, its words with the one in the place
    of the other, and where in the text it stands."""
    for pattern in _PAIRS:
        for found in pattern.finditer(text):
            old, new = found["x"].strip(" ."), _MAKE_IT.sub("", found["y"]).strip(" .")
            if _NOT.search(found.group()):
                old, new = _things(old, new)
            if not old or not new or _SENTENCE.search(new):
                continue
            matter = _saying(old, new, talk)
            if matter and _says_itself(text, Span(*found.span()), matter):
                return None
            if matter and not _is_what_moved(matter, _STOPS.split(text[: found.start()])[-1], found.group(), talk):
                continue
            content = _in_place_of(old, new, matter, talk) if matter else None
            if matter and content and _FROM_TO.match(found.group()):
                content = _without_what_was_the_olds(old, new, matter.finding) or content
            if matter is not None and content is not None:
                return matter, content, Span(*found.span())
            valued = _of_value(old, new, talk)
            if valued is not None:
                return *valued, Span(*found.span())
    return None


_NOT = re.compile(r"\bnot\b|n't\b|\b(?:instead of|rather than|in place of)\b", _I)
_LINK = r"(?:in|at|on|to|from|by|into|near|for|with|of)"
_LEAD = re.compile(rf"(?P<link>{_LINK})(?: (?:the|an?|my|our)\b)?(?: |$)", _I)
_UP_TO_LINK = re.compile(rf"(?:[\w'-]+ ){{0,2}}?(?P<link>{_LINK})(?: (?:the|an?|my|our)\b)?(?: |$)", _I)


def _things(old: str, new: str) -> tuple[str, str]:
    """Two things without what links them to what is said of them: "live in Oslo, not in Bergen"; where both have the
    same link alone before them, with it."""
    lead, up_to = _LEAD.match(old), _UP_TO_LINK.match(new)
    if lead and up_to and new.lower().startswith(f"{lead['link'].lower()} "):
        return old, new
    linked = up_to is not None and (lead is None or lead["link"].lower() == up_to["link"].lower())
    return old[lead.end() :] if lead else old, new[up_to.end() :] if up_to and linked else new


_FROM_TO = re.compile(r"\W*(?:[从由]|from\b)", _I)


def _without_what_was_the_olds(old: str, new: str, told: Finding) -> str | None:
    """The statement with the new thing alone in the place of a value of which the old one is a part: who moves from
    杭州西湖区 to Shanghai lives in no 西湖区 there."""
    if told.value is None or told.value == old or old not in told.value or told.value not in told.content:
        return None
    return told.content.replace(told.value, new, 1)


def _says_itself(text: str, span: Span, matter: Matter) -> bool:
    """Whether the clause says by itself, and since when, what has come in the place of the matter's one value:
    上个月从用友换到金蝶了 of 用友的ERP."""
    clause = _STOPS.split(text[: span.start])[-1] + _STOPS.split(text[span.start :])[0]
    kind = kind_of(clause.strip(), language_of(clause))
    return bool(_FROM_TO.match(text[span.start :]) and kind.value) and kind.attribute == matter.finding.attribute


_MOVES = re.compile(r"搬(?!动)|\bmov(?:e|ed|es|ing)\b", _I)
_STOPS = re.compile("[,.;!?，。；！？]")


def _is_what_moved(matter: Matter, before: str, places: str, talk: Talk) -> bool:
    """Whether the statement is about what moves, if something does: what the clause names before the places, or else the
    person."""
    if not _MOVES.search(f"{before}{places}"):
        return True
    named = topic_of(before, talk, typed_values(before, talk.at))
    if named:
        return in_common(named, topic_of(matter.finding.content, talk, ())) > 0
    return not is_of_somebody(matter, talk)


_MAKE_IT = re.compile(r"^(?:(?:make|call) )?(?:it|that|them) (?=\S)", _I)
_SENTENCE = re.compile(
    r"(?:^|\s)(?:i|he|she|we|they|it|you|that|this|there|me|us)(?:'(?:m|s|re|d|ve|ll)|\s|$)|(?:^|\s)(?:am|is|are|was|were|do|does|did|has|had|will|would|can|could)(?:\s|$)",
    _I,
)
"""A person or a finite verb: `it turns out I'm not hungry` is no `turns out I'm` in the place of hunger."""


def _in_place_of(old: str, new: str, matter: Matter, talk: Talk) -> str | None:
    """The words of the matter with the new thing: in the place of the old, or of what the old is said to be."""
    content, named = matter.finding.content, _word(old).search(matter.finding.content)
    if named is None:
        return None
    said = _IS.match(content, named.end())
    if said is not None:
        return f"{content[: said.start('v')]}{annotate(new, talk.at)}{content[said.end('v') :]}"
    if typed_values(new, talk.at) and not typed_values(old, talk.at):
        return None
    return exchanged(content, old, new, talk.at)


_IS = re.compile(r"(?:(?:现在|目前)?(?:是|为|叫)|(?:'s| is| will be) )(?P<v>[^,，“”\"]{1,40})$", re.IGNORECASE)
"""What a thing is said to be, at the end of a statement."""


def _of_value(old: str, new: str, talk: Talk) -> tuple[Matter, str] | None:
    """The same of values that may be spoken in other words: `not the 13th` is said of 13 June."""
    gone, values = typed_values(old, talk.at), typed_values(new, talk.at)
    if len(gone) != 1 or not values:
        return None
    said = [matter for matter in talk.rewordable if _gives(matter, gone[0], talk)]
    matter = one_of(said)
    content = put_in(matter.finding.content, values, new, talk.at) if matter else None
    return (matter, content) if matter and content else None


def _gives(matter: Matter, value: TypedValue, talk: Talk) -> bool:
    """Whether the statement gives this value; of a day the one of the month may be named alone."""
    known = values_in(matter.finding.content, matter, talk)
    return any(
        each.kind == value.kind
        and each.value[-2 if value.kind == DAY else 0 :] == value.value[-2 if value.kind == DAY else 0 :]
        for each in known
    )


def _saying(old: str, new: str, talk: Talk) -> Matter | None:
    """The one current statement that says the old thing, and not the new one."""
    if normalise(old) in _NO_TERM or normalise(new) in _NO_TERM or normalise(old) == normalise(new):
        return None
    named = _word(old)
    said = [matter for matter in talk.rewordable if len(named.findall(matter.finding.content)) == 1]
    said = [matter for matter in said if normalise(new) not in normalise(matter.finding.content)]
    return one_of(said)


def exchanged(content: str, old: str, new: str, at: datetime) -> str | None:
    """The content with the new words in the place of the old, and of those before it that the new ones begin with; None
    where the old ones do not stand in it as words."""
    found = _word(old).search(content)
    if found is None or "“" in content:
        return None
    before = content[: found.start()]
    shared = max((size for size in range(len(new)) if before.endswith(new[:size])), default=0)
    before = before[: len(before) - shared]
    article = _ARTICLE.search(before)
    if article is not None:
        before = f"{before[: article.start()]}{'an' if new[:1].lower() in 'aeiou' else 'a'} "
    return f"{before}{annotate(new, at)}{content[found.end() :]}"


_ARTICLE = re.compile(r"\ban? $")


_NO_TERM = frozenset(
    [
        "it",
        "that",
        "this",
        "them",
        "those",
        "these",
        "him",
        "her",
        "me",
        "us",
        "you",
        "one",
        "ones",
        "all",
        "more",
        "any more",
        "anymore",
        "longer",
        "any longer",
        "yet",
        "the",
        "a",
        "an",
        "这个",
        "那个",
        "它",
        "他",
        "她",
        "我",
        "你",
        "这",
        "那",
        "什么",
        "一个",
    ]
)


def _word(term: str) -> re.Pattern:
    bound = (r"(?<![\w'])", r"(?![\w'])") if term[:1].isascii() else ("", "")
    note = r"(?:\s?\(\d{4}-\d\d(?:-\d\d)?(?:/\d{4}-\d\d(?:-\d\d)?)?\))?"
    return re.compile(f"{bound[0]}{re.escape(term)}{bound[1]}{note}", _I)
