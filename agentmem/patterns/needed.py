"""Strings of which every match of a pattern holds one, so that a text without them need not be searched."""

from collections.abc import Iterable, Iterator
from collections.abc import Sequence as Sized
from itertools import product
from math import prod

from agentmem.patterns.classes import Chars
from agentmem.patterns.syntax import Branch, Edge, Group, Look, Node, Repeat, Sequence, Word
from agentmem.patterns.text import folded

_MAX = 120
"""Strings in a set at most."""
_COMMON = {
    " ": 60,
    **{letter: 24 - 2 * place for place, letter in enumerate("etaoinshrdlu")},
    **dict.fromkeys(",.的我是不在有了一个们你这那好", 9),
}
"""How often characters occur, beside 1 of all others."""
_ALL = 240
"""How often all occur together."""
_ONE_MORE = 1e-6
"""What it costs to look for a string, beside its share of all that stands anywhere."""

Said = frozenset[str]
"""Strings in one case, each of which is all that a part of a pattern says."""
_NOTHING: Said = frozenset(("",))


def needed(node: Node) -> frozenset[str]:
    """One of these, in one case, stands in every text in which a node matches; nothing where that is not known.

    Of all such sets it is the one whose strings are few and rare."""
    match node:
        case Chars():
            return _parts(_said(node))
        case Word():
            return _rarest(map(_parts, _runs([node.at(place) for place in range(len(node.letters))])))
        case Sequence():
            return _rarest((*map(needed, node.items), *map(_parts, _runs(node.items))))
        case Branch():
            each = [needed(option) for option in node.options]
            return _few(_parts(frozenset[str]().union(*each))) if all(each) else frozenset()
        case Repeat():
            return needed(node.body) if node.least else frozenset()
        case Group():
            return needed(node.body)
        case Look():
            return frozenset() if node.negated else needed(node.body)
        case _:
            return frozenset()


def _runs(items: Sized[Node]) -> Iterator[Said]:
    """All that each longest row of items can say, where that is little."""
    said = _NOTHING
    for item in items:
        own = _said(item)
        more = None if own is None else _after(said, own)
        if more is None:
            yield said
        said = _NOTHING if own is None else own if more is None else more
    yield said


def _said(node: Node) -> Said | None:
    """All that a node can say, in one case; None where that is much, or not known."""
    match node:
        case Chars():
            return None if node.listed is None else _few(frozenset(map(folded, node.listed))) or None
        case Word():
            return _word(node)
        case Sequence():
            return _in_a_row(node.items)
        case Branch():
            each = [_said(option) for option in node.options]
            known = [said for said in each if said is not None]
            return _few(frozenset[str]().union(*known)) or None if len(known) == len(each) else None
        case Repeat():
            inside = _said(node.body) if node.most == 1 else None
            return inside if inside is None or node.least else inside | _NOTHING
        case Group():
            return _said(node.body)
        case Look() | Edge():
            return _NOTHING
        case _:
            return None


def _word(word: Word) -> Said | None:
    """What a word says; None where a letter has forms in other cases that are not known."""
    if word.fold and any(word.at(place).listed is None for place in range(len(word.letters))):
        return None
    return frozenset((folded(word.letters),))


def _in_a_row(items: Sized[Node]) -> Said | None:
    said: Said | None = _NOTHING
    for item in items:
        own = None if said is None else _said(item)
        said = None if said is None or own is None else _after(said, own)
    return said


def _after(said: Said, more: Said) -> Said | None:
    if len(said) * len(more) > _MAX:
        return None
    return frozenset(map("".join, product(said, more)))


def _parts(said: Said | None) -> frozenset[str]:
    """Those that hold no other of them; nothing where one is empty."""
    if not said or "" in said:
        return frozenset()
    kept: list[str] = []
    for each in sorted(said, key=lambda text: (len(text), text)):
        if not any(part in each for part in kept):
            kept.append(each)
    return frozenset(kept)


def _few(strings: frozenset[str]) -> frozenset[str]:
    return strings if len(strings) <= _MAX else frozenset()


def _rarest(sets: Iterable[frozenset[str]]) -> frozenset[str]:
    return min((each for each in sets if each), key=lambda each: sum(map(_cost, each)), default=frozenset[str]())


def _cost(text: str) -> float:
    return _ONE_MORE + prod(_COMMON.get(letter, 1) / _ALL for letter in text)
