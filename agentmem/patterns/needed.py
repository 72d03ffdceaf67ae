"""Characters of which every match of a pattern has one, so that a text without them need not be searched."""

from collections.abc import Iterable

from agentmem.patterns.classes import Chars
from agentmem.patterns.syntax import Branch, Group, Look, Node, Repeat, Sequence, Word

_MAX = 120
_COMMON = {
    " ": 60,
    **{letter: 24 - 2 * place for place, letter in enumerate("etaoinshrdlu")},
    **dict.fromkeys(",.的我是不在有了一个们你这那好", 9),
}
"""How often characters occur, beside 1 of all others."""


def needed(node: Node) -> frozenset[str]:
    """One character of these, at least, stands in every text in which a node matches; nothing where that is not known.

    Of all such sets it is the one whose characters are the rarest."""
    match node:
        case Chars():
            return _few(node.listed)
        case Word():
            return _rarest(_few(node.at(place).listed) for place in range(len(node.letters)))
        case Sequence():
            return _rarest(map(needed, node.items))
        case Branch():
            each = [needed(option) for option in node.options]
            return _few(frozenset[str]().union(*each)) if all(each) else frozenset()
        case Repeat():
            return needed(node.body) if node.least else frozenset()
        case Group():
            return needed(node.body)
        case Look():
            return frozenset() if node.negated else needed(node.body)
        case _:
            return frozenset()


def _few(letters: frozenset[str] | None) -> frozenset[str]:
    return letters if letters is not None and len(letters) <= _MAX else frozenset()


def _rarest(sets: Iterable[frozenset[str]]) -> frozenset[str]:
    return min((each for each in sets if each), key=_frequency, default=frozenset[str]())


def _frequency(letters: frozenset[str]) -> int:
    return sum(_COMMON.get(letter, 1) for letter in letters)
