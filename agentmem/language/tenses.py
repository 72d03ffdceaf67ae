"""Whether words speak of the past or of what is to come, as far as a date without its year needs to know."""

from agentmem import patterns as re
from agentmem.language.dates import Lean
from agentmem.language.inflections import BASE_OF

# Forms of the table that are no past: the present, and the plurals of nouns.
_NO_PAST = frozenset(("am", "is", "are", "being", "does", "goes", "has"))
_NOUNS = frozenset(
    (
        "child",
        "foot",
        "goose",
        "half",
        "knife",
        "loaf",
        "man",
        "mouse",
        "person",
        "shelf",
        "tooth",
        "wife",
        "wolf",
        "woman",
    )
)
_IRREGULAR = frozenset(
    (
        *(form for form, base in BASE_OF.items() if form not in _NO_PAST and base not in _NOUNS),
        *("ago", "didn", "wasn", "weren", "hadn"),
    )
)
_NO_PARTICIPLE = ("need", "speed", "seed", "feed", "indeed", "hundred", "exceed", "proceed")
_WORD = re.compile(r"\w+")
_PAST_ZH = re.compile(r"了(?!解|不起)|(?<![不通超])过(?![来去程年敏])|曾|刚|已")
_FUTURE = re.compile(
    r"将|(?<![主重需])要|(?<![开了过个次])会(?![议员话计上])|打算|准备|计划|预计"
    r"|\b(?:will|going|shall|plan|plans|planning|let's|can|could|would|please)\b|'ll\b",
    re.IGNORECASE,
)
_PLANNED = re.compile(
    r"(?:\b(?:is|are|am)|['’](?:s|re|m))\s(?:\w+\s){0,2}?(?:planned|scheduled|booked|expected|supposed|invited|meant)\b",
    re.IGNORECASE,
)
_ASKS_PAST = re.compile(
    r"的时候|当时|那时|那[天次年]|以前|来着|[去来买说做见识搬换婚生到学给送写看吃拍办参加]的(?=[是谁哪什几多怎]|[?？]|$)"
)
_ASKS_FUTURE = re.compile(r"有没有空|有空|有时间|方便吗")


def tense(words: str) -> Lean | None:
    """Whether a clause speaks of the past or the future; None if of neither or of both. What is planned lies ahead."""
    said = _PLANNED.sub(" will ", words)
    return _between(_is_past(said), _FUTURE.search(said) is not None)


def question_tense(question: str) -> Lean | None:
    """Whether a question asks what was or what will be; None if it does not say or asks for both.

    In Chinese also 的时候 and 是…的 ask for what was.
    """
    said = _PLANNED.sub(" will ", question)
    past = _is_past(said) or _ASKS_PAST.search(said) is not None
    return _between(past, (_FUTURE.search(said) or _ASKS_FUTURE.search(said)) is not None)


def _is_past(words: str) -> bool:
    return _PAST_ZH.search(words) is not None or any(map(_is_past_form, _WORD.findall(words.lower())))


def _is_past_form(word: str) -> bool:
    participle = len(word) >= len("used") and word.endswith("ed") and not word.startswith(_NO_PARTICIPLE)
    return participle or word in _IRREGULAR


def _between(past: bool, future: bool) -> Lean | None:
    if past == future:
        return None
    return "past" if past else "future"
