"""Requests that are handed on: "Petra doesn't want her allergy stored, delete it", 王磊不想让你记他的身份证号,删了吧."""

# ruff: noqa: E501 - patterns read best unbroken

from typing import Final

from agentmem import patterns as re
from agentmem.characters import has_han

_WHO_EN: Final = r"(?P<who>(?:my |our )?[\w' .-]{2,40}?)"
_LATELY: Final = r"(?:(?: also| just| really| simply|,)*)"
_WANTS_NOT_EN: Final = r"(?:does not|doesn't|do not|don't|did not|didn't|would not|wouldn't|never|no longer)(?: really)? (?:want|wants|wanted|wish|like|agree|consent)(?: for| that| to)?"
_RATHER_NOT_EN: Final = r"(?:would|'d) (?:rather|prefer)(?: (?:that )?you (?:did not|didn't|do not|don't))?"
_ASKED_EN: Final = r"(?:has |have |just )?(?:asked|asks|begged|told|wants|wanted|would like|'d like|requested)(?: (?:me|you|us))?(?: that)?(?: (?:me|you|us))?(?: not)? to"
_KEEP_EN: Final = r"(?:you (?:to )?|to )?(?:not )?(?:keep|keeping|store|storing|remember|remembering|save|saving|record|recording|know|knowing|have|having|hold|forget|delete|erase|remove)"
_KEPT_EN: Final = r"(?: (?:to be |being |be |is |are )?(?:stored|kept|saved|remembered|recorded|known|on (?:file|record)|in (?:your|the) (?:memory|notes|records)|forgotten|deleted|erased|removed|here|anywhere))"
_FORMS_EN: Final = (
    re.compile(
        rf"{_WHO_EN} {_WANTS_NOT_EN} (?P<thing>(?:his|her|their|its) [\w' -]{{2,60}}?){_KEPT_EN}", re.IGNORECASE
    ),
    re.compile(
        rf"{_WHO_EN} (?:{_WANTS_NOT_EN}|{_ASKED_EN}|{_RATHER_NOT_EN}){_LATELY} {_KEEP_EN} (?P<thing>(?:his|her|their|its) [\w' -]{{2,60}}?)(?:{_KEPT_EN})?",
        re.IGNORECASE,
    ),
)
_FORM_ZH: Final = re.compile(
    r"(?P<who>[\u4e00-\u9fffA-Za-z]{1,10}?)(?:说(?:过)?(?:他|她)?)?(?:不想|不愿意?|不希望|不同意|不让|不许|要求|希望|想)(?:让|要|叫)?(?:你|我|我们|人)?(?:别|不要|不)?(?:再)?(?:记住|记着|记录|记|保存|存|保留|留|知道|忘掉|忘了|删掉|删除)(?:着|下)?(?:他|她)的?(?P<thing>[\u4e00-\u9fffA-Za-z]{1,15})"
)
_SELVES: Final = re.compile(
    r"(?:i|we|you|my|it|this|that|he|she|they|who|nobody|我|你|您|他|她|它|谁|大家|咱)", re.IGNORECASE
)
_POSSESSED: Final = re.compile(r"^(?:his|her|their|its) ", re.IGNORECASE)


def wished_by_another(said: str) -> str | None:
    """What somebody else wants not to be kept, as a wish has it; None where a text says nothing of the kind."""
    plain = said.strip(" \t,.;，。；")
    found = _FORM_ZH.fullmatch(plain) if has_han(plain) else _first(plain)
    if found is None or _SELVES.fullmatch(found["who"].strip()):
        return None
    who, thing = found["who"].strip(), _POSSESSED.sub("", found["thing"])
    return f"{who}的{thing}" if has_han(plain) else f"{who}'s {thing}"


def _first(said: str) -> re.Match | None:
    return next((match for form in _FORMS_EN if (match := form.fullmatch(said))), None)
