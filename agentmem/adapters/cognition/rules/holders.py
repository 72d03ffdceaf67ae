"""Whether a clause says something of the same holder as a statement: of the person, the relative or the thing that the
statement is about. What it says of anybody or anything else, or of a story, ends and replaces nothing.

A clause that names its subject is about a statement only where that has its words; and a name or a relative says of whom
something is told and never what, so that what is said of him must have something in common with the statement, too.
"""

# ruff: noqa: E501 - patterns read best unbroken

from typing import NamedTuple

from agentmem import patterns as re
from agentmem.adapters.cognition.rules.matters import (
    Matter,
    Talk,
    in_common,
    is_of_another,
    is_of_somebody,
    question_of,
    said_bare,
    topic_of,
)
from agentmem.adapters.cognition.rules.model import COMMA, Clause, Who
from agentmem.adapters.cognition.rules.standing import FICTION
from agentmem.bounded_cache import bounded_cache
from agentmem.language.cues import topics_of
from agentmem.language.synonyms import kin_in
from agentmem.language.tokens import terms
from agentmem.language.typed_values import typed_values

_I = re.IGNORECASE


class _Parts(NamedTuple):
    """What a clause is about, as a noun of its own, and what it says of that."""

    subject: str
    said: str


_AUXILIARY = r"is|are|was|were|isn't|aren't|wasn't|weren't|has|have|had|hasn't|haven't|will|won't|would|can|can't|could|does|do|did|doesn't|don't|didn't|no longer|never|just|also|finally|already|recently|sadly|now"
_PAST = r"left|quit|went|came|gave|sold|took|made|put|cut|ran|broke|lost|found|became|fell|got|began|grew|rose|bought|had|kept|met|moved|\w{2,}ed"
_PRESENT = r"\w{3,}s(?= (?:[\d£$€]|(?:to|in|at|on|for|from|with|the|an?|my|our|his|her|their|now|again|less|more|no|not|only|every|out|off|up|down)\b))"
_SUBJECT_EN = re.compile(
    rf"^(?:(?:and|but|so|now|then|well|yes|no|oh|actually|sadly|apparently),? )*(?:(?:one of )?(?:the|this|that|these|those|an?|my|our|his|her|their|some) )?(?P<who>(?!(?:the|an?|my|our|his|her|their|some|i|we|you|he|she|it|they|there|this|that|these|those|who|what|someone|somebody|nobody|everyone|everything|nothing|not|no|never)\b)[\w&.-]+(?:'s?)?(?: (?!(?:i|we|you|{_AUXILIARY}|{_PAST})\b)[\w&.'-]+){{0,5}}?)(?:'s| )(?={_AUXILIARY}|(?:{_PAST})\b|{_PRESENT}|(?:{_PAST})$)",
    _I,
)
_SUBJECT_ZH = re.compile(
    r"^(?:但是?|不过|现在|目前|最近|后来|所以|今天|昨天|上个?[周月]|[去今]年|那个?|这个?|听说|而且|其实|,)*(?P<who>[\u4e00-\u9fffA-Za-z]{1,12}?)(?:上个?[周月]|[去今]年|昨天|前天|最近|刚刚?|已经|突然|也|都|又|就|还|才|终于|现在|以后)*"
    r"(?=[不没别被把将给让]|[换改搬辞离退走卖停关涨降升加增减压砍缩死丢坏断好变推提延转调结取要是有在去来开做]|毕业|分手|分了|散|去世|过世|倒闭|怀孕|拆|生了|[\d一二两三四五六七八九十].*了$)"
)
_COMMA = re.compile(rf"{COMMA}|[，;；]")
_FIRST = re.compile(r"我|咱|本人")
_HEAD = re.compile(r"^.*(?:'s? |s' |的|[里中上](?=[\u4e00-\u9fff]{2}))")
DOES_FOR_US = re.compile(
    r"\b(?:mov|chang|cancel|postpon|push|rais|lower|resched|rearrang|switch|swap|delay|updat|brought|put|cut|bump|extend|shift|increas|reduc)\w*\b(?: up| down| back| forward| off)? (?:the|my|our|me|us|it|this|that)\b|\b(?:me|us)\b"
    r"|[把将给让叫帮替](?![他她自])|取消(?!了?$)|我",
    _I,
)
"""What somebody else does to what is the speaker's: `the dentist moved my appointment`."""
_OTHER = re.compile(
    r"\b(?:other|another|second|younger|older|elder|youngest|oldest|eldest)\b|另|别的|其他|[大小二老]的", _I
)
_BESIDE = re.compile(
    r"\b(?:near|behind|beside|next to|opposite|across from|close to|around the corner from|above|below|past)\b.*|[\u4e00-\u9fffA-Za-z]{1,8}(?:附近|旁边?|对面|后面|隔壁|楼上|楼下)",
    _I,
)
"""What says where something is by what it is not."""
_GENERAL = terms(
    "appointment booking plan meeting visit reservation order trip event session date lesson class price cost rate fee amount total number size hour shift time day deadline address job work shift 工作 活 活儿 班 预约 约 约好 会议 计划 预订 订单 安排 事 事情 价格 费用 时间 数量 地址"
)  # fmt: skip
"""What names a kind and leaves to the talk of which."""
_ENDS = re.compile(
    r"\b(?:stop\w*|quit|g[ai]ve(?:n)? up|finish\w*|clos\w+|shut\w*|gone|retir\w+|died|passed away|sold|dropped|dead|expired|ended|left|off|over|stolen|broke\w*|lost|cancel\w+|any ?more|longer|better|fine|again)\b|取消|关门|倒闭|去世|过世|结束|[卖停退走死丢坏拆好没]",
    _I,
)


def says_of_another(clause: Clause, beside: str, matter: Matter, talk: Talk) -> bool:
    """Whether the clause, or the words right beside it, say something of another than the statement does."""
    if FICTION.search(beside) is not None or is_of_another(matter, clause, talk) or _is_one_more(clause, matter, talk):
        return True
    parts = _parts(clause)
    if parts is None or DOES_FOR_US.search(parts.said) is not None:
        return False
    bare = f"{question_of(matter)} {said_bare(matter, talk)}".strip()
    kin = _kin(parts.subject)
    named = _named(parts.subject, talk) - kin
    if not (named or kin):
        return False
    if kin and matter.finding.about is None and not kin & _kin(bare):
        return True
    if _OTHER.search(parts.subject) is not None and _OTHER.search(bare) is None:
        return True
    about = _BESIDE.sub(" ", bare)
    if not (_has(about, parts.subject, named, talk) or kin & _kin(bare) or _of_one_topic(_core(parts.subject), about)):
        return True
    if not (kin or any(_tells_of_whom(word, bare, is_of_somebody(matter, talk)) for word in named)):
        return False
    said = _named(_ENDS.sub(" ", parts.said), talk)
    rest = topic_of(bare, talk, ()) - named - kin
    joined = in_common(said, rest) or _of_one_topic(parts.said, bare) or typed_values(parts.said, talk.at)
    return bool(said) and not joined


_OF_WHOM_ZH = re.compile(r"[\u4e00-\u9fff]{1,10}的|[那这另]一?[个位]")
_OWN = re.compile(r"\b(?:my|our)\b", _I)
_HIS_WORK = re.compile(
    r"^ (?:job|work|position|role|post|career|business|contract|gig|course|training|shift)s?\b"
    r"|^的?(?:工作|活|职|岗|班|生意)|[我咱]|[不没](?:再|想|能)?[当做干]",
    _I,
)
"""What stands behind a trade where not who plies it is spoken of but the work, or the speaker who leaves it."""


def _is_one_more(clause: Clause, matter: Matter, talk: Talk) -> bool:
    """Whether the clause is about somebody who is called by what the person of the statement is: `the nurse on my ward
    left`, of one who is a nurse; not about the work: `the nurse job ended`, 医院的护士我不做了."""
    trade = matter.finding.value if matter.finding.attribute == "occupation" else None
    if trade is None:
        return False
    before, found, behind = clause.text.partition(trade)
    if _HIS_WORK.search(behind) is not None:
        return False
    if not clause.text.isascii():
        return bool(found) and _OF_WHOM_ZH.fullmatch(before) is not None
    parts = _cut(clause.text)
    if parts is None or _OWN.search(clause.text.partition(parts.subject)[0]) is not None:
        return False
    return in_common(_named(parts.subject, talk), topic_of(trade, talk, ())) > 0


_DENIED = re.compile(
    r"(?:n't|\bnot|\bno longer|\bnever) (?P<en>[^,.;]{2,60}?)(?= any ?(?:more|longer)\b| now\b| since\b| because\b|$|[,.;])"
    r"|对(?P<to>[^,，不没]{1,8}?)(?:已经|现在|都|也|就)*[不没]|不(?P<zh>[^,，]{1,10})了",
    _I,
)


def last_denied(text: str, talk: Talk) -> frozenset[str]:
    """What a clause says is so no more, by the last that it names: dogs of `not allergic to dogs any more`."""
    found = _DENIED.search(text)
    if found is None:
        return frozenset()
    if (denied := found["to"] or found["zh"]) is not None:
        return frozenset(word for word in topic_of(denied, talk, ()) if denied.endswith(word))
    each = (topic_of(word, talk, ()) for word in reversed(found["en"].split()))
    return next((words for words in each if words), frozenset[str]())


def _tells_of_whom(word: str, bare: str, of_somebody: bool) -> bool:
    """Whether a word of the statement names him of whom it tells, or who is with him."""
    at = bare.casefold().find(word)
    before = bare[: max(at, 0)]
    begins = not before and bare[:1].isupper()
    return at >= 0 and (begins or _WITH.search(before) is not None or (of_somebody and at < _SHORT))


_WITH = re.compile(r"(?:\bwith (?:my |our |their )?|[和跟与同])$")
_SHORT = 16


def _has(about: str, subject: str, named: frozenset[str], talk: Talk) -> bool:
    """Whether the statement has the subject, in Chinese with its last character, which is of the thing itself."""
    if (
        not subject.isascii()
        and _core(subject)[-1:] not in about
        and in_common(named, topic_of(_head(subject), talk, ()))
    ):
        return False
    return in_common(named, topic_of(about, talk, ())) > 0


def _head(subject: str) -> str:
    """What it is that is of another: of the bar of the club the bar."""
    return _HEAD.sub("", subject)


def _parts(clause: Clause) -> _Parts | None:
    if clause.subject.who in (Who.FIRST, Who.SECOND, Who.NONE):
        return None
    return _cut(clause.text)


@bounded_cache(8_192, longest=400)  # every clause is compared with all that is held
def _cut(text: str) -> _Parts | None:
    if _COMMA.search(text) is not None:
        return None
    found = _SUBJECT_EN.match(text) or _SUBJECT_ZH.match(text)
    if found is None or _FIRST.search(found["who"]) is not None:
        return None
    return _Parts(found["who"], text[found.end("who") :])


def _core(subject: str) -> str:
    """The noun that says what it is: of the canteen of a building site (工地食堂) the canteen."""
    head = _head(subject)
    return head if head.isascii() else _KIND_ZH.sub("", head)[-2:]


_KIND_ZH = re.compile("(?:课程?|班|活儿?|活动|预约|会议?|训练|比赛|计划|时间|费用?|钱|价格?|量)$")
"""A kind of thing behind what it is of."""


def _named(text: str, talk: Talk) -> frozenset[str]:
    """What a text names: of the bar of the club the bar, but of the appointment at the dentist's the dentist."""
    head = _head(text)
    words = topic_of(head, talk, typed_values(head, talk.at)) - _GENERAL
    return words or topic_of(text, talk, typed_values(text, talk.at)) - _GENERAL


@bounded_cache(8_192, longest=400)
def _kin(text: str) -> frozenset[str]:
    return frozenset(kin_in(text))


def _of_one_topic(one: str, other: str) -> bool:
    return not topics_of(one).isdisjoint(topics_of(other))
