"""How much work Python's backtracking engine can be made to do by the worst text of a length.

An upper bound read off the tree, for any text whatever: how many ways a node can be gone through from one place, and
how many steps all of them cost together. A choice counts once where the next character decides it (a run of digits
before a comma), because going back into it fails at once.
"""

from collections.abc import Sequence as Sized
from dataclasses import dataclass

from agentmem.patterns.syntax import Branch, Chars, Edge, Group, Look, Node, Repeat, Same, Sequence, width

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
_AT_END = _Next(open=True)


def steps(root: Sequence, length: int, *, whole: bool) -> int:
    """Steps at most for one try at one place of a text of `length` characters; `whole` for a match that must reach the
    end of the text."""
    return _Bound(length).of(root, _AT_END if whole else _COMPLETE).steps


@dataclass(frozen=True, slots=True)
class _Bound:
    length: int

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
        nexts = [after]
        for item in reversed(items):
            nexts.append(_before(item, nexts[-1]))
        nexts.reverse()
        ways, cost = 1, 0
        for place, item in enumerate(items):
            work = self.of(item, nexts[place + 1])
            cost = min(cost + ways * work.steps, _MANY)
            ways = min(ways * work.ways, _MANY)
        return _Work(ways, cost)

    def _branch(self, node: Branch, after: _Next) -> _Work:
        each = [self.of(option, after) for option in node.options]
        cost = min(sum(work.steps for work in each) + len(each), _MANY)
        if after.sure:
            return _Work(1, cost)
        return _Work(min(_ways(node.options, [work.ways for work in each]), _MANY), cost)

    def _repeat(self, node: Repeat, after: _Next) -> _Work:
        low = max(1, width(node.body)[0])
        most = min(node.most, self.length // low + 1)
        least = min(node.least, most)
        first = _before(node.body, _AT_END)
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


def _before(node: Node, after: _Next) -> _Next:
    """What may come next in front of a node that `after` follows."""
    match node:
        case Chars():
            return _Next((node,))
        case Sequence():
            for item in reversed(node.items):
                after = _before(item, after)
            return after
        case Branch():
            return _joined([_before(option, after) for option in node.options])
        case Repeat():
            inside = _before(node.body, after)
            return inside if node.least else _joined([inside, after])
        case Group():
            return _before(node.body, after)
        case Look() | Edge():
            return _Next(after.chars, sure=False, open=after.open or after.sure)
        case Same():
            return _Next(open=True)


def _joined(nexts: list[_Next]) -> _Next:
    return _Next(
        tuple(char for each in nexts for char in each.chars),
        sure=any(each.sure for each in nexts),
        open=any(each.open for each in nexts),
    )


def _apart(ones: Sized[Chars], others: Sized[Chars]) -> bool:
    return all(one.apart_from(other) for one in ones for other in others)


def _ways(options: Sized[Sequence], ways: list[int]) -> int:
    """How many ways lead through a choice from one place: the options that one text can begin with, together."""
    heads = [_head(option) for option in options]
    firsts = [_before(option, _AT_END) for option in options]
    best = 1
    for one in range(len(options)):
        best = max(best, sum(ways[other] for other in range(len(options)) if _may_both(one, other, heads, firsts)))
    return best


def _may_both(one: int, other: int, heads: list[str], firsts: list[_Next]) -> bool:
    """Whether a text that begins with all of one option's head may begin with the other option."""
    if one == other:
        return True
    if heads[one] and heads[other]:
        return heads[one].startswith(heads[other])
    mine, its = firsts[one], firsts[other]
    return mine.open or its.open or not _apart(mine.chars, its.chars)


def _head(option: Sequence) -> str:
    """The letters that an option surely begins with, in lower case where case does not count."""
    letters: list[str] = []
    for item in option.items:
        if not isinstance(item, Chars) or item.letter is None:
            break
        letters.append(item.letter.lower() if item.fold else item.letter)
    return "".join(letters)
