"""The values of a statement in the groups in which one may come in the place of another: amounts, days, counts."""

from collections.abc import Mapping, Sequence
from typing import Final

from agentmem import patterns as re
from agentmem.language.gists import ONE_AT_A_TIME, Gist
from agentmem.language.typed_values import CLOCK, DAY, TypedValue

_I = re.IGNORECASE
_CODE = re.compile(
    r"(?<![\w-])(?=[A-Za-z-]{0,8}\d)(?=[\d-]{0,8}[A-Za-z])(?!\d+(?:st|nd|rd|th|[a-z]{1,2})(?![\w-]))[A-Za-z\d][A-Za-z\d-]{2,15}(?![\w-])",
    _I,
)
_DIGITS = re.compile(r"(?<![\w-])(?!(?:19|20)\d\d(?![\w-]))\d[\d -]{2,14}\d(?![\w-])")
SETTLED: Final = frozenset(("weekday", *ONE_AT_A_TIME))
"""Groups of values that gists name: days of the week, and what one has one of at a time."""
_AMOUNTS: Final = frozenset(("money", "number"))
_FARTHEST: Final = 20
"""How many times as large a value may be that comes in the place of an amount."""

Values = Mapping[str, frozenset[str]]


def grouped(values: Sequence[TypedValue], text: str, gist: Gist) -> Values:
    """The values of a text, by their group, as they are compared."""
    found = {kind: set(gist.values[kind]) for kind in SETTLED & gist.values.keys()}
    for value in values:
        group = _group(value.kind)
        found.setdefault(group, set()).add(f"{value.kind}={value.value}" if group in ("count", "rank") else value.value)
    for group, pattern in (("code", _CODE), ("digits", _DIGITS)):
        for code in pattern.finditer(text):
            found.setdefault(group, set()).add(re.sub(r"[ -]", "", code.group()).lower())
    return {kind: frozenset(each) for kind, each in found.items()}


def _group(kind: str) -> str:
    if kind in _AMOUNTS:
        return "amount"
    return "day" if kind in (DAY, "rhythm") else CLOCK if kind == CLOCK else kind.split()[0]


def others(held: Values, said: Values) -> frozenset[str]:
    """The groups in which both give values that may come in each other's place, and none in common."""
    common = held.keys() & said.keys()
    return frozenset(
        each for each in common if held[each].isdisjoint(said[each]) and _of_a_kind(each, said[each], held[each])
    )


def _of_a_kind(group: str, said: frozenset[str], held: frozenset[str]) -> bool:
    """Whether values of a group are counts of one thing, or codes of one shape."""
    if group in ("count", "rank"):
        return any(_counted(one) & _counted(other) for one in said for other in held)
    if group == "amount":
        return any(_as_large(float(one), float(other)) for one in said for other in held)
    coded = group in ("code", "digits")
    return not coded or any(_shape(one) == _shape(other) for one in said for other in held)


def _as_large(one: float, other: float) -> bool:
    return max(one, other) <= _FARTHEST * max(1.0, min(one, other))


def _counted(count: str) -> frozenset[str]:
    return frozenset(count.split("=")[0].split()[1:])


def _shape(code: str) -> str:
    return re.sub(r"\d", "0", code)
