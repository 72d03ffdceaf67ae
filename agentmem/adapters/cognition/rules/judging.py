"""Pairs that a cheap test left open, decided by polarity and shared words."""

# ruff: noqa: E501 - patterns and spoken lines read best unbroken

from agentmem import patterns as re
from agentmem.domain.statement import Pair, Verdict
from agentmem.language.normal import digits, normalise, trigram_similarity

_NEGATION = re.compile(
    r"不希望|不想要?|不需要|不打算|不再|不要|没有|不喜欢|不能|讨厌|受不了|戒|取消|去掉|停止|别|不|没|无需|\b(?:no longer|not|never|don't|doesn't|didn't|isn't|aren't|won't|can't|cannot|without|stop(?:ped)?|quit|gave up|given up|hates?|dislikes?|can't stand|cancel\w*|remov\w*)\b",
    re.IGNORECASE,
)
_ADDING = re.compile(
    r"添加|加上|加入|加点|加|增加|新增|希望|想要?|需要|打算|喜欢|讨厌|受不了|爱(?=吃|喝|看|玩)|已经|早就|经常|每[天周月年]|戒|取消|去掉|停止|不|没有?|别|再|在|了|的|地|得|和|跟|与|、|点|上|一下|中|里|给|从|\b(?:to|the|a|an|of|in|is|are|wants?|needs?|would|like|add\w*|stopped|quit|gave up|given up|likes?|loves?|enjoys?|hates?|dislikes?|can't stand|(?:big )?fan of|fond of|keen on|into|any ?more|every (?:day|week|morning|evening|month)|often|really|usually|remov\w*|cancel\w*|not|no|longer|never|don't|doesn't|does|do|and|with|their|its?)\b",
    re.IGNORECASE,
)
_MOVED = re.compile(
    r"改到|改成|改为|换到|推迟到|提前到|\b(?:move|moved|reschedule\w*|push(?:ed)? back|instead|changed?) (?:it |the \w+ )?(?:to|for)\b",
    re.IGNORECASE,
)
_DATE = re.compile(
    r"\d{4}-\d\d-\d\d|[周期]([一二三四五六日天])|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b", re.IGNORECASE
)
_STEM = re.compile(r"(?<=[a-z]{2})(?:ing|es|ed|s|e)$")
_LIGHT = re.compile(
    r"提到|现在|一直|还是(?=每|在|住|很|不|用)|(?<![首成古京])都(?![市江城])|\b(?:says|also|still|usually|(?<!not )really)\b ?",
    re.IGNORECASE,
)
"""Words that weaken or stress a statement and leave its meaning."""


def judged(pair: Pair) -> Verdict:
    """The verdict on one pair, by words alone."""
    new, old = normalise(pair.new), normalise(pair.old)
    if (
        new == old
        or _unweighted(new) == _unweighted(old)
        or (trigram_similarity(new, old) >= 0.9 and digits(new) == digits(old) and _negations(new) == _negations(old))
    ):
        return Verdict(number=pair.number, relation="same")
    if _opposed(new, old):
        return Verdict(number=pair.number, relation="contradicts")
    if _moved(new, old):
        return Verdict(number=pair.number, relation="contradicts")
    if _negations(new) == _negations(old) and digits(new)[: len(digits(old))] == digits(old) and _covers(new, old):
        return Verdict(number=pair.number, relation="same" if len(new) <= len(old) else "contained")
    return Verdict(number=pair.number, relation="unrelated")


def _unweighted(text: str) -> str:
    return _LIGHT.sub("", text).strip()


def _negations(text: str) -> bool:
    return len(_NEGATION.findall(text)) % 2 == 1


def _opposed(new: str, old: str) -> bool:
    """Opposite polarity of the same core."""
    if _negations(new) == _negations(old):
        return False
    left, right = _core(new), _core(old)
    if not left or not right:
        return False
    return left == right or (_overlap(left, right) >= 0.75 and not _differ(left, right))


def _differ(left: str, right: str) -> bool:
    """Whether each names something that the other does not: to drop the tea says nothing of the wine."""
    a, b = ({_STEM.sub("", word) for word in _letters(text)} for text in (left, right))
    return bool(a - b) and bool(b - a)


def _core(text: str) -> str:
    return re.sub(r"\W+", " ", _ADDING.sub(" ", text)).strip()


def _bits(text: str) -> frozenset[str]:
    words = frozenset(re.findall(r"[a-z0-9]+", text))
    han = re.findall(r"[\u4e00-\u9fff]+", text)
    return words | {run[i : i + 2] for run in han for i in range(max(1, len(run) - 1))}


def _letters(text: str) -> frozenset[str]:
    """Latin words and single Han characters."""
    return frozenset(re.findall(r"[a-z0-9]+|[\u4e00-\u9fff]", text))


def _overlap(left: str, right: str) -> float:
    a, b = _bits(left), _bits(right)
    return len(a & b) / max(1, min(len(a), len(b)))


def _covers(new: str, old: str) -> bool:
    """Whether the new one holds all content of the old."""
    wanted, held = _letters(_core(old)), _letters(_core(new))
    return len(wanted) >= 3 and wanted <= held


def _moved(new: str, old: str) -> bool:
    """An appointment put to another day."""
    if not _MOVED.search(new):
        return False
    before, after = _DATE.search(old), _DATE.findall(new)
    return (
        before is not None
        and len(after) > 0
        and _overlap(_DATE.sub(" ", _core(new)), _DATE.sub(" ", _core(old))) >= 0.5
    )
