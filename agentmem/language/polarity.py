"""Whether a sentence affirms or denies, and what is left of it without the denial.

For comparing two short statements word by word: `Tom no longer likes pizza` and `Tom likes pizza` have one core.
"""

# ruff: noqa: E501 - word lists read best unbroken

from agentmem import patterns as re
from agentmem.bounded_cache import bounded_cache
from agentmem.language.normal import normalise

_DENIAL_ZH = re.compile(
    r"不再是?|已经不是?|再也不|并不是?|不是(?!很|太)|没有再|没再|不(?=在|住|用|做|喜欢|爱|吃|喝|想|需要|希望|打算|养|抽|玩|学|看|去|开|干|当)|没(?=在|住)"
)
_DENIAL_EN = re.compile(
    r"\b(?:no longer|not any ?more|does not|do not|did not|doesn't|don't|didn't|is not|isn't|are not|aren't|was not|wasn't|has stopped|have stopped|stopped|quit|gave up|given up|never|not)\b",
    re.IGNORECASE,
)
_AFTER = re.compile(r"(?:\s+(?:any ?more|any longer|at all|now|currently|still))+$|(?<=[\u4e00-\u9fff])了$")
_LIGHT = re.compile(
    r"现在|目前|已经|一直|还|仍然|依然|也|一[个台张份套只条名位款件]|\b(?:really|also|still|now|currently|actually|an?|the|any|some)\b ?",
    re.IGNORECASE,
)
_THIRD = re.compile(r"\b(is|are|was|were|am)\b")
_STEM = re.compile(r"\b([a-z]{2,}?)(?:ing|es|e|s)\b")


@bounded_cache(16_384, longest=400)
def parted(text: str) -> tuple[str, bool]:
    """The core of a statement, and whether it is denied. Two denials affirm."""
    plain = normalise(text)
    denials = len(_DENIAL_ZH.findall(plain)) + len(_DENIAL_EN.findall(plain))
    core = _DENIAL_EN.sub(" ", _DENIAL_ZH.sub("", plain)) if denials else plain
    core = _STEM.sub(r"\1", _THIRD.sub(" ", _LIGHT.sub("", _AFTER.sub("", core.strip()))))
    return re.sub(r"\s+", " ", core).strip(), denials % 2 == 1


def opposed(one: str, other: str) -> bool:
    """Whether one of the two statements denies just what the other says."""
    left, denied = parted(one)
    right, denied_too = parted(other)
    return denied != denied_too and left == right and len(left) > 2
