"""A record, such as a row of a table, as one statement: the fields that a question asks for, beside what names it."""

import re
from collections.abc import Sequence
from typing import Final

from agentmem.language.tokens import terms

_FIELD: Final = re.compile(r"^(?P<label>[^:：\n]{1,60})(?:: |： ?)(?P<value>\S.*)$")
_NAME: Final = re.compile(
    r"^(?:(?:full|first|last|product|item|model)[ _-]?)?(?:name|model)$|名称$|姓名$|^名字|^型号$|^产品$", re.IGNORECASE
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
    asked = terms(question)
    wanted = [each for each in fields if terms(_last(each[0])) <= asked and not terms(each[1]) <= asked]
    if not wanted:
        return "; ".join(f"{label}: {value}" for label, value in fields)
    head = [] if fields[0] in wanted else [fields[0][1]]
    return ": ".join((*head, ", ".join(f"{label} {value}" for label, value in wanted)))


def _last(label: str) -> str:
    """The end of a dotted name, as nested records have them, in words."""
    return label.rpartition(".")[2].replace("_", " ").replace("-", " ")
