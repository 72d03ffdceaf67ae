"""How much work Python's backtracking engine can be made to do by the worst text of a length.

An upper bound read off the tree, for any text whatever: how many ways a node can be gone through from one place, and
how many steps all of them cost together. A choice counts once where the next character decides it (a run of digits
before a comma), because going back into it fails at once.
"""

from collections.abc import Iterable, Iterator
from collections.abc import Sequence as Sized
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from agentmem.patterns.classes import Chars, a_class
from agentmem.patterns.syntax import (
    Branch,
    Edge,
    Group,
    Look,
    Node,
    Repeat,
    SameText,
    Sequence,
    Word,
    width,
)

_MANY = 10**12


@dataclass(frozen=True, slots=True)
class _Next:
    """What may follow: `chars` are the classes that the next character may be of. `sure` says that nothing need follow,
    so that a match is complete; `open` that it is not known what follows, but for the characters that `never` do."""

    chars: frozenset[Chars] = frozenset()
    sure: bool = False
    open: bool = False
    never: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class _Work:
    ways: int
    steps: int
    fixed: bool = True
    """Whether it is the same for all lengths."""


_COMPLETE = _Next(sure=True)
_UNKNOWN = _Next(open=True)
_BREAK = a_class(r"\n")


class Work:
    """The work of one pattern, by the length of the text; `whole` for matches that must reach the end of it."""

    def __init__(self, root: Sequence, *, whole: bool) -> None:
        self._root = root
        self._whole = whole
        self._groups: dict[int, list[tuple[int, ...]]] = {}
        self._fixed: dict[int, _Work] = {}
        self._known: dict[int, int] = {}

    @cached_property
    def anchored(self) -> bool:
        """Whether it matches at the beginning of a text only, so that all other places are refused at once."""
        return _anchored(self._root)

    def within(self, steps: int, length: int) -> bool:
        """Whether one try at one place of a text of `length` characters takes no more steps than that."""
        rough = _MANY if length in self._known else _rough(self._root, length)[1]
        return rough <= steps or self.steps(length) <= steps

    def steps(self, length: int) -> int:
        """Steps at most for one try at one place of a text of `length` characters."""
        if length not in self._known:
            bound = _Bound(length, self._groups, self._fixed)
            self._known[length] = bound.of(self._root, _Next() if self._whole else _COMPLETE).steps
        return self._known[length]


def _anchored(node: Node) -> bool:
    match node:
        case Sequence():
            return bool(node.items) and _anchored(node.items[0])
        case Branch():
            return all(map(_anchored, node.options))
        case Group():
            return _anchored(node.body)
        case _:
            return node is Edge.BEGIN


def _rough(node: Node, length: int) -> tuple[int, int]:
    """Ways and steps where every choice may be taken in every way: more than there are, and soon said."""
    match node:
        case Sequence():
            ways, steps = 1, 0
            for item in node.items:
                more, cost = _rough(item, length)
                ways, steps = min(ways * more, _MANY), min(steps + ways * cost, _MANY)
            return ways, steps
        case Branch():
            each = [_rough(option, length) for option in node.options]
            return sum(way for way, _ in each), sum(cost for _, cost in each) + len(each)
        case Repeat():
            return _rough_repeat(node, length)
        case Group():
            return _rough(node.body, length)
        case Look():
            return 1, 1 + _rough(node.body, length)[1]
        case SameText():
            return 1, min(node.most, length)
        case Chars() | Edge() | Word():
            return 1, len(node.letters) if isinstance(node, Word) else 1


def _rough_repeat(node: Repeat, length: int) -> tuple[int, int]:
    most = min(node.most, length)
    ways, steps = _rough(node.body, length)
    if ways == 1:
        return most - min(node.least, most) + 1, most * (steps + 1) + 1
    if most > 16:
        return _MANY, _MANY
    ways, turns = sum(ways**turn for turn in range(most + 1)), sum(ways**turn for turn in range(most))
    return min(ways, _MANY), min(turns * (steps + 1) + ways, _MANY)


@dataclass(frozen=True, slots=True)
class _Bound:
    length: int
    groups: dict[int, list[tuple[int, ...]]]
    """The options of each choice that one text can begin with, together, found once for all lengths."""
    fixed: dict[int, _Work]
    """The work of each choice that repeats nothing, which is the same for all lengths."""

    def of(self, node: Node, after: _Next) -> _Work:
        match node:
            case Sequence():
                return self._sequence(node.items, after)
            case Branch():
                return self._branch(node, after)
            case Repeat():
                return self._repeat(node, after)
            case Group():
                return self.of(node.body, after)
            case Look():
                seen = self.of(node.body, _COMPLETE)
                return _Work(1, 1 + seen.steps, seen.fixed)
            case SameText():
                return _Work(1, min(node.most, self.length), fixed=False)
            case Chars() | Edge():
                return _Work(1, 1)
            case Word():
                return _Work(1, len(node.letters))

    def _sequence(self, items: Sized[Node], after: _Next) -> _Work:
        ways, cost, fixed = 1, 0, True
        for place, item in enumerate(items):
            if isinstance(item, Chars | Word | Edge):
                cost = min(cost + ways * (len(item.letters) if isinstance(item, Word) else 1), _MANY)
                continue
            work = self.fixed.get(id(item)) or self.of(item, _before_all(items, place + 1, after))
            cost = min(cost + ways * work.steps, _MANY)
            ways = min(ways * work.ways, _MANY)
            fixed = fixed and work.fixed
        return _Work(ways, cost, fixed)

    def _branch(self, node: Branch, after: _Next) -> _Work:
        work = self.fixed.get(id(node)) or self._choice(node, after)
        if work.fixed:
            self.fixed[id(node)] = work
        return work

    def _choice(self, node: Branch, after: _Next) -> _Work:
        each = [self.of(option, after) for option in node.options]
        cost = min(sum(work.steps for work in each) + len(each), _MANY)
        fixed = all(work.fixed for work in each)
        if after.sure:
            return _Work(1, cost, fixed)
        if id(node) not in self.groups:
            self.groups[id(node)] = list(_together(node.options, after))
        ways = max(sum(each[option].ways for option in group) for group in self.groups[id(node)])
        return _Work(min(ways, _MANY), cost, fixed)

    def _repeat(self, node: Repeat, after: _Next) -> _Work:
        low = max(1, width(node.body)[0])
        most = min(node.most, self.length // low + 1)
        least = min(node.least, most)
        first = _before(node.body, _UNKNOWN)
        inner = replace(_joined([first, after]), sure=after.sure and least < 2)
        body = self.of(node.body, inner)
        turn = body.steps + 1 + len(after.chars)
        fixed = body.fixed and node.most == 1
        if body.ways == 1:
            decided = after.sure or _apart(first, after)
            return _Work(1 if decided else most - least + 1, min(most * turn + 1, _MANY), fixed)
        turns = min(most, 64)
        ways = min(sum(body.ways**count for count in range(min(least, turns), turns + 1)), _MANY)
        tries = min(sum(body.ways**count for count in range(turns)), _MANY)
        return _Work(1 if after.sure else ways, min(tries * turn + 1, _MANY), fixed)


def _before_all(items: Sized[Node], begin: int, after: _Next) -> _Next:
    """What may come next in front of the items of a sequence from one on."""
    end = begin
    while end < len(items) and not isinstance(items[end], Chars | Word):
        end += 1
    for item in reversed(items[begin : end + 1]):
        after = _before(item, after)
    return after


def _before(node: Node, after: _Next) -> _Next:
    """What may come next in front of a node that `after` follows."""
    match node:
        case Chars():
            return _Next(frozenset((node,)))
        case Word():
            return _Next(frozenset((node.at(0),)))
        case Sequence():
            return _before_all(node.items, 0, after)
        case Branch():
            return _joined([_before(option, after) for option in node.options])
        case Repeat():
            inside = _before(node.body, after)
            return inside if node.least else _joined([inside, after])
        case Group():
            return _before(node.body, after)
        case Look() | Edge():
            return _through(node, after)
        case SameText():
            return _Next(open=True)


def _through(node: Look | Edge, after: _Next) -> _Next:
    """What may come next at a place where something must hold."""
    never: frozenset[str] = frozenset()
    if isinstance(node, Look) and not node.back:
        seen = _before(node.body, _UNKNOWN)
        if not (node.negated or seen.open):
            return seen
        never = _single_letters(node.body) if node.negated else never
    if node in (Edge.END, Edge.LINE_END):
        return _Next(frozenset((_BREAK,)))
    if node in (Edge.VERY_END, Edge.NEVER):
        return _Next()
    return _Next(after.chars, sure=False, open=after.open or after.sure, never=after.never | never)


def _single_letters(node: Node) -> frozenset[str]:
    """The characters each of which is all that a node may say."""
    match node:
        case Chars():
            return node.listed or frozenset()
        case Sequence() if len(node.items) == 1:
            return _single_letters(node.items[0])
        case Branch():
            return frozenset[str]().union(*map(_single_letters, node.options))
        case Group():
            return _single_letters(node.body)
        case _:
            return frozenset()


def _joined(nexts: list[_Next]) -> _Next:
    return _Next(
        frozenset[Chars]().union(*(each.chars for each in nexts)),
        sure=any(each.sure for each in nexts),
        open=any(each.open for each in nexts),
        never=frozenset[str].intersection(*([each.never for each in nexts if each.open] or [frozenset()])),
    )


def _apart(one: _Next, other: _Next) -> bool:
    """Whether no text goes on in both ways, as far as the next character tells."""
    mine, its = _Letters.of(one.chars), _Letters.of(other.chars)
    if one.open or (other.open and (mine.classes or not mine.listed <= other.never)):
        return False
    if (mine.classes and its.classes) or not mine.listed.isdisjoint(its.listed):
        return False
    return not (mine.holds_any(its.listed) or its.holds_any(mine.listed))


def _together(options: Sized[Sequence], after: _Next) -> Iterator[tuple[int, ...]]:
    """The options of a choice that one text can begin with: all largest groups of them, and perhaps more.

    The options are told apart by how they begin: by a few letters, or by the class of the first.
    """
    heads = [_heads(option) for option in options]
    firsts = [_before(option, _UNKNOWN) for option in options]
    under: dict[str, dict[int, bool]] = {}
    for number, each in enumerate(heads):
        for head, whole in each:
            under.setdefault(head, {})[number] = whole
    follows = None if after.open else _Letters.of(after.chars)
    vague = [number for number, each in enumerate(heads) if not each]
    for one, each in enumerate(heads):
        beside = [other for other in vague if not _apart(firsts[one], firsts[other])]
        begun = [_begun(head, under, follows) for head, _ in each] or [
            {other for other, told in enumerate(heads) if told and not _apart(firsts[one], firsts[other])}
        ]
        yield from {(*sorted(chain), *beside) for chain in begun}


@dataclass(frozen=True, slots=True)
class _Letters:
    """The characters that may come next, quick to ask."""

    listed: frozenset[str]
    classes: tuple[Chars, ...]

    @staticmethod
    @lru_cache(maxsize=2_048)
    def of(chars: frozenset[Chars]) -> "_Letters":
        few = [char.listed for char in chars if char.listed is not None]
        return _Letters(frozenset[str]().union(*few), tuple(char for char in chars if char.listed is None))

    def holds_any(self, letters: Iterable[str]) -> bool:
        """Whether one of the classes that are not listed holds one of some letters."""
        return any(each.has(letter) for each in self.classes for letter in letters)

    def may_be(self, letter: str) -> bool:
        """Whether a letter may come next, in either case."""
        cases = (letter, letter.upper()[:1])
        return not self.listed.isdisjoint(cases) or self.holds_any(cases)


def _begun(head: str, under: dict[str, dict[int, bool]], follows: _Letters | None) -> set[int]:
    """The options that may lead on in a text that begins with a head. One that has ended must be followed by what comes
    after the choice."""
    found: set[int] = set()
    for end in range(len(head) + 1):
        there = under.get(head[:end])
        if there:
            ended = end < len(head) and follows is not None and not follows.may_be(head[end])
            found.update(number for number, whole in there.items() if not (whole and ended))
    return found


_HEAD = 6
_HEADS = 400


def _heads(option: Sequence) -> set[tuple[str, bool]]:
    """How an option can begin, each in some letters in lower case, and whether that is all of it; nothing where it
    begins in too many ways."""
    heads = {("", True)}
    for item in option.items:
        more = _said(item)
        if more is None or len(heads) * len(more) > _HEADS:
            heads = {(head, False) for head, _ in heads}
            break
        heads = {_longer(head, each) if whole else (head, False) for head, whole in heads for each in more}
    return set() if ("", False) in heads else heads


def _longer(head: str, more: str) -> tuple[str, bool]:
    return (head + more, True) if len(head + more) <= _HEAD else ((head + more)[:_HEAD], False)


def _said(item: Node) -> set[str] | None:
    """All that a node can say, where that is short and of few kinds."""
    match item:
        case Chars():
            return None if item.listed is None or len(item.listed) > 24 else {each.lower() for each in item.listed}
        case Word():
            return {item.letters.lower()}
        case Sequence():
            return _all_said(item.items)
        case Branch():
            each = [_said(option) for option in item.options]
            known = [said for said in each if said is not None]
            return set[str]().union(*known) if len(known) == len(each) else None
        case Repeat():
            inside = _said(item.body) if item.most == 1 else None
            return None if inside is None else inside | ({""} if not item.least else set())
        case Group():
            return _said(item.body)
        case Look() | Edge():
            return {""}
        case SameText():
            return None


def _all_said(items: Sized[Node]) -> set[str] | None:
    said = {""}
    for item in items:
        more = _said(item)
        if more is None or len(said) * len(more) > _HEADS:
            return None
        said = {head + each for head in said for each in more}
    return said
