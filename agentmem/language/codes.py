"""Codes in a text, such as versions, models and model years: two that differ by one character are two things.

A count, a time or an amount is none; nor is a code that only bounds what is asked for, as in "before v0.7".
"""

from string import ascii_lowercase
from typing import Final

from agentmem import patterns as re

_CODE: Final = re.compile(
    r"(?<![a-z0-9@._+-])(?P<family>[a-z]{1,12})-?\d[a-z0-9]*(?:[._/-][a-z0-9]+)*(?![a-z0-9@])"
    r"|(?:version|release|firmware|版本|固件)[ 号]{0,2}(?P<bare>\d+(?:\.\d+)*)(?![\d.]*[\w%])"
    r"|(?<!\d)(?P<year>(?:19|20)\d\d)(?=[- ]?(?:models?|editions?|versions?)\b|\s?年?[款版型])",
    re.IGNORECASE | re.ASCII,
)
_NO_CODE: Final = re.compile(r"(?:q[1-4]|h[12]|(?:no|room|rm|ext|tel|usd|eur|rmb|cny|gbp)[.-]?\d.*)", re.IGNORECASE)
_BOUND_BEFORE: Final = re.compile(
    r"(?:\b(?:before|after|since|until|than|from|to|over)\s+(?:the\s+)?(?:\w+\s+)?|比|自从?|从)$", re.I
)
_BOUND_BEHIND: Final = re.compile(r"\s?(?:之前|以前|之后|以后|以来)")
_LONGEST_BOUND: Final = 60
"""Characters before a code in which what bounds it is looked for."""
_VERSION: Final = "v"


def codes_asked(question: str) -> frozenset[str]:
    """The codes of what a question asks about."""
    return frozenset(
        code
        for start, end, code in _placed(question)
        if not _BOUND_BEFORE.search(question[max(0, start - _LONGEST_BOUND) : start])
        and not _BOUND_BEHIND.match(question[end:])
    )


def speaks_of(codes: frozenset[str], before: str, sentence: str) -> bool:
    """Whether a sentence is about one of the codes: it says one, or none like them and the last like them said
    `before` it is one of them."""
    families = {_family(code) for code in codes}
    own = [code for _, _, code in _placed(sentence) if _family(code) in families]
    if own:
        return not codes.isdisjoint(own)
    last = [code for _, _, code in _placed(before) if _family(code) in families][-1:]
    return not codes.isdisjoint(last)


def _placed(text: str) -> list[tuple[int, int, str]]:
    """Where each code begins and ends, and the code as all ways to write it have it: `v0.6` for "version 0.6"."""
    found: list[tuple[int, int, str]] = []
    for match in _CODE.finditer(text):
        if match["bare"]:
            found.append((match.start(), match.end(), _VERSION + match["bare"]))
        elif not _NO_CODE.fullmatch(match.group()):
            found.append((match.start(), match.end(), match.group().lower().replace("-", "")))
    return found


def _family(code: str) -> str:
    return code[: len(code) - len(code.lstrip(ascii_lowercase))]
