"""What a person asks to have cancelled: `Please cancel my appointment on Tuesday`, 帮我把周二的预约取消.

The request is the end of the one appointment that it names, and no wish that is held beside it. It names it by its day, by
the words in it, or by its kind alone; where several may be meant, or the day is one of a row, nothing ends.
"""

# ruff: noqa: E501 - patterns read best unbroken

from collections.abc import Iterator, Sequence
from dataclasses import replace

from agentmem import patterns as re
from agentmem.adapters.cognition.rules.changes import refuses
from agentmem.adapters.cognition.rules.matters import (
    Matter,
    Talk,
    in_common,
    is_of_somebody,
    recurs,
    said_bare,
    topic_of,
    values_in,
)
from agentmem.adapters.cognition.rules.model import Act, Clause
from agentmem.language.tokens import terms
from agentmem.language.typed_values import CLOCK, DAY, typed_values

_I = re.IGNORECASE
_OCCASION_EN = r"(?:appointment|booking|reservation|viewing|table|delivery|pick-?up|lesson|class|session|meeting|visit|test drive|consultation|check-?up|haircut|fitting|inspection|interview|tour|slot|call)s?"
_DAY_EN = r"(?:(?:next |this )?(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|today)"
_OCCASION_ZH = "预约|预订|预定|约|订位|桌|餐位|看房|试驾|课|会议?|拜访|上门|送货|配送|面谈|咨询|体检|面试|参观"
_DAY_ZH = r"(?:[这下本]?个?(?:周|星期|礼拜)[一二三四五六日天]|明天|后天|今天|\d{1,2}[月号日]\d{0,2}[号日]?)(?:上午|下午|晚上|早上|中午)?"
_ASKED = re.compile(
    r"^(?:(?:please|kindly|just|so|and|then|sorry,?|hi,?|can you|could you|would you|will you|can we|could we|let'?s|i(?:'d| would) like(?: you)? to|i(?:'d| would) like|i (?:want|wish)(?: you)? to|i need you to|we want to|we(?:'d| would) like to|you to)[ ,]+)*(?:cancel|call off)(?: out)? (?P<en>[^,]{2,80}?)(?:[, ]+(?:please|for me|for us|thanks?|thank you|sorry))*$",
    _I,
)
_ASKED_ZH = re.compile(
    r"^(?:请|麻烦|帮忙|帮我们?|给我们?|你|您|替我们?|可以|可不可以|能不能|能|我们?|想要?|要|需要|得|先|就|还是)*(?:[把将](?P<put>[^,，]{1,24}?)(?:都|先|给)?取消(?:掉|了|一下)?|取消(?:掉|一下)?(?P<zh>[^,，]{1,24}?))(?:吧|好吗|可以吗|行吗|吗|谢谢|啊|了)*$"
)
_OF_AN_OCCASION = re.compile(
    rf"\b{_OCCASION_EN}\b(?! (?:fee|fees|charge|policy|note|notes))|^(?:(?:my|our|the|for|on) )*{_DAY_EN}(?:'s)?(?: (?:morning|afternoon|evening|night)| at [\d:apm ]+)?$|{_OCCASION_ZH}|^{_DAY_ZH}的?$",
    _I,
)
_EVERY = re.compile(r"\b(?:all|every|both)\b|都|所有|全部", _I)
_KINDS = (
    terms("appointment booking reservation slot meeting 预约 预订 预定 约 约好 订位")
    | frozenset(("appointment", "booking", "reservation", "slot", "预约", "预订", "预定", "约"))
)  # fmt: skip
"""What calls an appointment by its kind: the statement may tell of one without its kind."""
_APPOINTED = re.compile(r"\b(?:appointment|booking|reservation)s?\b|预约|预订|预定|约了", _I)
_GOES_ON = re.compile(r"\b(?:and|but|or|instead|until|unless|if)\b|[改换再]", _I)
"""What says more than that something is to be cancelled."""
_SAID_BY = (Act.REQUEST, Act.ASSERT, Act.IDLE, Act.POLITE, Act.QUESTION)
_CONFIRMED = re.compile(
    r"\b(?:i(?:'ve| have)|(?:is|'s|it's|been)) (?:now |already |just )*cancell?ed\b|取消(?:了|好了|掉了)|已(?:经)?.{0,6}取消",
    _I,
)


def cancelled_in(clause: Clause) -> str | None:
    """What the clause asks to have cancelled, where that is an appointment or the like; None where it asks for nothing of
    the sort."""
    if clause.act not in _SAID_BY:
        return None
    found = (_ASKED_ZH if clause.lang == "zh" else _ASKED).match(clause.text)
    if found is None:
        return None
    what = found["en"] if clause.lang == "en" else found["put"] or found["zh"]
    return what if _OF_AN_OCCASION.search(what) and not _GOES_ON.search(what) else None


def cancelled(clauses: Sequence[Clause], reply: str, talk: Talk) -> Iterator[tuple[Clause, Matter]]:
    """The appointments that the clauses of a turn ask to have cancelled, each with its clause, as one that states so;
    none where the agent turns it down."""
    if refuses(reply) and _CONFIRMED.search(reply) is None:
        return
    for clause in clauses:
        what = cancelled_in(clause)
        pool = (
            []
            if what is None or _EVERY.search(what)
            else [each for each in talk.current if _is_meant(each, what, talk)]
        )
        if len(pool) == 1:
            yield replace(clause, act=Act.ASSERT), pool[0]


def _is_meant(matter: Matter, what: str, talk: Talk) -> bool:
    """Whether the statement may tell of what is named: it has the day, the hour and the words that do."""
    bare = said_bare(matter, talk)
    appointed = matter.finding.kind == "appointment"
    if not (appointed or _OF_AN_OCCASION.search(bare)) or is_of_somebody(matter, talk) or matter.turn >= talk.turn:
        return False
    values = [each for each in typed_values(what, talk.at) if each.kind in (DAY, CLOCK)]
    named = topic_of(what, talk, values) - _KINDS
    if values and recurs(bare):
        return False
    known = values_in(matter.finding.content, matter, talk)
    if any(all(each.excludes(value) or each.kind != value.kind for each in known) for value in values):
        return False
    if in_common(named, topic_of(bare, talk, ())) < len(named):
        return False
    return bool(named or values) or appointed or _APPOINTED.search(bare) is not None
