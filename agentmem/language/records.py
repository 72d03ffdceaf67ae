"""A record, such as a row of a table, as one statement: the fields that a question asks for, beside what names it."""

from collections.abc import Sequence
from typing import Final

from agentmem import patterns as re
from agentmem.language.codes import codes_asked, speaks_of
from agentmem.language.tokens import terms

_FIELD: Final = re.compile(r"^(?P<label>[^:：\n]{1,60})(?:: |： ?)(?P<value>\S.*)$")
_NAME: Final = re.compile(
    r"^(?:(?:full|first|last|product|item|model)[ _-]?)?(?:name|model)$|名称$|姓名$|^名字|^型号$|^产品$", re.IGNORECASE
)
_PRICE_ASKED: Final = re.compile(
    r"多少钱|什么价|价[格钱位]|[单售定报]价|贵不贵|费用|收费|\b(?:prices?|costs?|fees?|expensive)\b"
    r"|\bhow much (?:is|are|was|were|for)\b(?! (?:there|left)\b)",
    re.IGNORECASE,
)
_PRICE: Final = re.compile(
    r"^(?:\w+ ){0,2}(?:prices?|costs?|fees?)(?: (?:per \w+|each|in \w+|[a-z]{3}))?(?: ?\([^)]*\))?$"
    r"|^[\u4e00-\u9fff]{0,4}(?<!代)(?:价格?|价钱|费用?)(?:\s?[(（][^)）]*[)）])?$",
    re.IGNORECASE,
)
FEWEST: Final = 2
"""Lines that make a record."""


def fields_of(text: str) -> list[tuple[str, str]]:
    """Labels with their values, where every line is one; none where the text is no record."""
    lines = [_FIELD.match(line) for line in text.splitlines() if line.strip()]
    if len(lines) < FEWEST or not all(lines):
        return []
    return [(found["label"].strip(), found["value"].strip()) for found in lines if found]


def named_by(fields: Sequence[tuple[str, str]]) -> str:
    """What a record is of: its first field, and any that is called a name."""
    return " ".join(value for place, (label, value) in enumerate(fields) if not place or _NAME.search(label))


def stated(fields: Sequence[tuple[str, str]], question: str) -> str:
    """`Ida Berg: extension 4411` where the question says what a field is called, and not what is in it; else all."""
    wanted = asked_of(fields, question)
    if not wanted:
        return "; ".join(f"{label}: {value}" for label, value in fields)
    head = [] if fields[0] in wanted else [fields[0][1]]
    return ": ".join((*head, ", ".join(f"{label} {value}" for label, value in wanted)))


def asked_of(fields: Sequence[tuple[str, str]], question: str) -> list[tuple[str, str]]:
    """The fields that a question asks for by what they are called; a price by any name for one."""
    asked = terms(question)
    wanted = [each for each in fields if terms(last_of(each[0])) <= asked and not terms(each[1]) <= asked]
    if wanted or not _PRICE_ASKED.search(question):
        return wanted
    return [each for each in fields if is_price(*each)]


def is_price(label: str, value: str) -> bool:
    """Whether a field is what something costs: its name says so, whatever currency the number is in."""
    return _PRICE.search(last_of(label)) is not None and re.search(r"\d", value) is not None


def prices(content: str, question: str) -> bool:
    """Whether a text is a record of the very thing whose price is asked for, and has the price."""
    if not _PRICE_ASKED.search(question) or not (fields := fields_of(content)):
        return False
    codes = codes_asked(question)
    named = speaks_of(codes, "", named_by(fields)) if codes else terms(fields[0][1]) <= terms(question)
    return named and any(is_price(*each) for each in asked_of(fields, question))


def last_of(label: str) -> str:
    """The end of a dotted name, as nested records have them, in words."""
    return label.rpartition(".")[2].replace("_", " ").replace("-", " ")
