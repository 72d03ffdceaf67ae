"""How much work Python's backtracking engine can be made to do by the worst text of a length.

An upper bound read off the tree, for any text whatever: how many ways a node can be gone through from one place, and
how many steps all of them cost together. A choice counts once where the next character decides it (a run of digits
before a comma), because going back into it fails at once.
"""

from collections.abc import Sequence as Sized
from dataclasses import dataclass

from agentmem.patterns.syntax import Branch, Chars, Edge, Group, Look, Node, Repeat, Same, Sequence, a_class, width

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


def steps(root: Sequence, length: int, *, whole: bool) -> int:
    """Steps at most for one try at one place of a text of `length` characters; `whole` for a match that must reach the
    end of the text."""
    return _Bound(length).of(root, _Next() if whole else _COMPLETE).steps


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
        return _Work(min(_ways(node.options, [work.ways for work in each], after), _MANY), cost)

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
        case Look():
            seen = _before(node.body, _UNKNOWN)
            sees = not (node.back or node.negated or seen.open)
            return seen if sees else _Next(after.chars, sure=False, open=after.open or after.sure)
        case Edge.END | Edge.LINE_END:
            return _Next((_BREAK,))
        case Edge.VERY_END | Edge.NEVER:
            return _Next()
        case Edge():
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


def _ways(options: Sized[Sequence], ways: list[int], after: _Next) -> int:
    """How many ways lead through a choice from one place: those of the options that one text can begin with, together.

    The options are told apart by how they begin: by a few letters, or by the class of the first.
    """
    heads = [_heads(option) for option in options]
    firsts = [_before(option, _UNKNOWN) for option in options]
    under: dict[str, dict[int, bool]] = {}
    for number, each in enumerate(heads):
        for head, whole in each:
            under.setdefault(head, {})[number] = whole
    best = 1
    vague = [number for number, each in enumerate(heads) if not each]
    for one, each in enumerate(heads):
        beside = sum(ways[other] for other in vague if _may_both(firsts[one], firsts[other]))
        chain = max((sum(ways[other] for other in _begun(head, under, after)) for head, _ in each), default=0)
        if not each:
            chain = sum(
                ways[other] for other in range(len(ways)) if heads[other] and _may_both(firsts[one], firsts[other])
            )
        best = max(best, beside + chain)
    return best


def _begun(head: str, under: dict[str, dict[int, bool]], after: _Next) -> set[int]:
    """The options that may lead on in a text that begins with a head. One that has ended must be followed by what comes
    after the choice."""
    found: set[int] = set()
    for end in range(len(head) + 1):
        ended = end < len(head) and not after.open and not _may_follow(head[end], after.chars)
        found.update(number for number, whole in under.get(head[:end], {}).items() if not (whole and ended))
    return found


def _may_follow(letter: str, chars: Sized[Chars]) -> bool:
    return any(each.has(letter) or each.has(letter.upper()[:1]) for each in chars)


def _may_both(one: _Next, other: _Next) -> bool:
    """Whether one text may begin as both do."""
    return one.open or other.open or not _apart(one.chars, other.chars)


_HEAD = 6
_HEADS = 400


def _heads(option: Sequence) -> set[tuple[str, bool]]:
    """How an option can begin, each in some letters in lower case, and whether that is all of it; nothing where it begins
    in too many ways."""
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
