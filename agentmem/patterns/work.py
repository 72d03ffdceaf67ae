"""How much work Python's backtracking engine can be made to do by the worst text of a length.

An upper bound read off the tree, for any text whatever: how many ways a node can be gone through from one place, and
how many steps all of them cost together. A choice counts once where the next character decides it (a run of digits
before a comma), because going back into it fails at once.
"""

from collections.abc import Iterator
from collections.abc import Sequence as Sized
from dataclasses import dataclass
from typing import Self

from agentmem.patterns.syntax import (
    Branch,
    Chars,
    Edge,
    Group,
    Look,
    Node,
    Repeat,
    Same,
    Sequence,
    a_class,
    walk,
    width,
)

_MANY = 10**12


@dataclass(frozen=True, slots=True)
class _Next:
    """What may follow: `chars` are the classes that the next character may be of. `sure` says that nothing need follow,
    so that a match is complete; `open` that it is not known what follows."""

    chars: tuple[Chars, ...] = ()
    sure: bool = False
    open: bool = False


@dataclass(frozen=True, slots=True)
class _Work:
    ways: int
    steps: int


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

    def steps(self, length: int) -> int:
        """Steps at most for one try at one place of a text of `length` characters."""
        if length not in self._known:
            bound = _Bound(length, self._groups, self._fixed)
            self._known[length] = bound.of(self._root, _Next() if self._whole else _COMPLETE).steps
        return self._known[length]


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
                return _Work(1, 1 + self.of(node.body, _COMPLETE).steps)
            case Same():
                return _Work(1, self.length)
            case Chars() | Edge():
                return _Work(1, 1)

    def _sequence(self, items: Sized[Node], after: _Next) -> _Work:
        ways, cost = 1, 0
        for place, item in enumerate(items):
            if isinstance(item, Chars | Edge):
                cost = min(cost + ways, _MANY)
                continue
            work = self.of(item, _before_all(items, place + 1, after))
            cost = min(cost + ways * work.steps, _MANY)
            ways = min(ways * work.ways, _MANY)
        return _Work(ways, cost)

    def _branch(self, node: Branch, after: _Next) -> _Work:
        if id(node) in self.fixed:
            return self.fixed[id(node)]
        work = self._choice(node, after)
        if not any(isinstance(each, Same) or (isinstance(each, Repeat) and each.most > 1) for each in walk(node)):
            self.fixed[id(node)] = work
        return work

    def _choice(self, node: Branch, after: _Next) -> _Work:
        each = [self.of(option, after) for option in node.options]
        cost = min(sum(work.steps for work in each) + len(each), _MANY)
        if after.sure:
            return _Work(1, cost)
        if id(node) not in self.groups:
            self.groups[id(node)] = list(_together(node.options, after))
        ways = max(sum(each[option].ways for option in group) for group in self.groups[id(node)])
        return _Work(min(ways, _MANY), cost)

    def _repeat(self, node: Repeat, after: _Next) -> _Work:
        low = max(1, width(node.body)[0])
        most = min(node.most, self.length // low + 1)
        least = min(node.least, most)
        first = _before(node.body, _UNKNOWN)
        inner = _Next((*first.chars, *after.chars), sure=after.sure and least < 2, open=after.open or first.open)
        body = self.of(node.body, inner)
        turn = body.steps + 1 + len(after.chars)
        if body.ways == 1:
            decided = after.sure or (not after.open and not first.open and _apart(first.chars, after.chars))
            return _Work(1 if decided else most - least + 1, min(most * turn + 1, _MANY))
        turns = min(most, 64)
        ways = min(sum(body.ways**count for count in range(min(least, turns), turns + 1)), _MANY)
        tries = min(sum(body.ways**count for count in range(turns)), _MANY)
        return _Work(1 if after.sure else ways, min(tries * turn + 1, _MANY))


def _before_all(items: Sized[Node], begin: int, after: _Next) -> _Next:
    """What may come next in front of the items of a sequence from one on."""
    end = begin
    while end < len(items) and not isinstance(items[end], Chars):
        end += 1
    for item in reversed(items[begin : end + 1]):
        after = _before(item, after)
    return after


def _before(node: Node, after: _Next) -> _Next:
    """What may come next in front of a node that `after` follows."""
    match node:
        case Chars():
            return _Next((node,))
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
        case Same():
            return _Next(open=True)


def _through(node: Look | Edge, after: _Next) -> _Next:
    """What may come next at a place where something must hold."""
    if isinstance(node, Look):
        seen = _before(node.body, _UNKNOWN)
        if not (node.back or node.negated or seen.open):
            return seen
    if node in (Edge.END, Edge.LINE_END):
        return _Next((_BREAK,))
    if node in (Edge.VERY_END, Edge.NEVER):
        return _Next()
    return _Next(after.chars, sure=False, open=after.open or after.sure)


def _joined(nexts: list[_Next]) -> _Next:
    return _Next(
        tuple(char for each in nexts for char in each.chars),
        sure=any(each.sure for each in nexts),
        open=any(each.open for each in nexts),
    )


def _apart(ones: Sized[Chars], others: Sized[Chars]) -> bool:
    return all(one.apart_from(other) for one in ones for other in others)


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
    follows = _Letters.of(after)
    vague = [number for number, each in enumerate(heads) if not each]
    for one, each in enumerate(heads):
        beside = [other for other in vague if _may_both(firsts[one], firsts[other])]
        begun = [_begun(head, under, follows) for head, _ in each] or [
            {other for other, told in enumerate(heads) if told and _may_both(firsts[one], firsts[other])}
        ]
        yield from {(*sorted(chain), *beside) for chain in begun}


@dataclass(frozen=True, slots=True)
class _Letters:
    """The characters that may come next, quick to ask."""

    listed: frozenset[str]
    classes: tuple[Chars, ...]
    all: bool

    @classmethod
    def of(cls, what: _Next) -> Self:
        few = [char.listed for char in what.chars if char.listed is not None]
        many = tuple(dict.fromkeys(char for char in what.chars if char.listed is None))
        return cls(frozenset[str]().union(*few), many, what.open or what.sure)

    def may_be(self, letter: str) -> bool:
        """Whether a letter may come next, in either case."""
        if self.all or letter in self.listed or letter.upper() in self.listed:
            return True
        return any(each.has(letter) or each.has(letter.upper()[:1]) for each in self.classes)


def _begun(head: str, under: dict[str, dict[int, bool]], follows: _Letters) -> set[int]:
    """The options that may lead on in a text that begins with a head. One that has ended must be followed by what comes
    after the choice."""
    found: set[int] = set()
    for end in range(len(head) + 1):
        there = under.get(head[:end])
        if there:
            ended = end < len(head) and not follows.may_be(head[end])
            found.update(number for number, whole in there.items() if not (whole and ended))
    return found


def _may_both(one: _Next, other: _Next) -> bool:
    """Whether one text may begin as both do."""
    return one.open or other.open or not _apart(one.chars, other.chars)


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
        case Same():
            return None


def _all_said(items: Sized[Node]) -> set[str] | None:
    said = {""}
    for item in items:
        more = _said(item)
        if more is None or len(said) * len(more) > _HEADS:
            return None
        said = {head + each for head in said for each in more}
    return said
