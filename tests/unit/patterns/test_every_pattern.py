"""Every pattern that the library compiles is read in linear time, or its work is bounded for texts of any length."""

from functools import cache

import pytest

from agentmem.patterns import compile
from agentmem.patterns.classes import Chars
from agentmem.patterns.linear import Linear
from agentmem.patterns.positions import build
from agentmem.patterns.proved import STEPS_ALWAYS, STEPS_PER_CHARACTER
from agentmem.patterns.syntax import Parsed, Repeat, SameText, Sequence, parse, walk, width
from agentmem.patterns.work import Work
from tests.support.proofs import held

LONG = 1_000_000


REFUSED = (r"(a+)\1b", r"(?P<quote>['\"])\w*(?P=quote)x", r"(\d*)-\1")


@cache
def every_pattern() -> dict[str, Parsed]:
    """All patterns, as they are parsed; those of a test here may live on in a traceback."""
    return {pattern: parse(pattern, flags) for pattern, flags in held() if pattern not in REFUSED}


def bounded(parsed: Parsed) -> bool:
    """Whether Python's engine may read a text of any length, from any place."""
    return (LONG + 1) * Work(parsed.root, whole=False).steps(LONG) <= STEPS_ALWAYS + STEPS_PER_CHARACTER * LONG


@pytest.mark.thorough
def test_all_are_found() -> None:
    assert len(every_pattern()) > 900


@pytest.mark.thorough
def test_each_can_be_read_by_sets_of_places_or_is_bounded() -> None:
    for source, parsed in every_pattern().items():
        if any(isinstance(node, SameText) for node in walk(parsed.root)):
            assert bounded(parsed), source
        else:
            build(parsed.root)


@pytest.mark.thorough
def test_none_repeats_what_may_be_empty() -> None:
    """Python ends such a repeat where nothing was taken, which sets of places do not know."""
    for source, parsed in every_pattern().items():
        repeats = [node for node in walk(parsed.root) if isinstance(node, Repeat) and node.most > 1]
        assert all(width(node.body)[0] for node in repeats), source


@pytest.mark.thorough
def test_each_class_holds_the_same_characters_for_re2_as_for_python() -> None:
    classes = {node for parsed in every_pattern().values() for node in walk(parsed.root) if isinstance(node, Chars)}
    told = {(each.source, each.linear, each.fold): each for each in classes if not each.ascii}
    odd = "".join(map(chr, range(0x20, 0x250))) + "\u0378\u2028\u203f\u212a٣３一吗，\U0001f600"
    for (source, _, fold), chars in told.items():
        linear = Linear(Parsed(Sequence((chars,)), 0, {}))
        those = [each for each in odd if chars.has(each)]
        assert [odd[begin] for ((begin, _),) in linear.all(odd, 0)] == those, (source, fold)
        assert chars.listed is None or chars.listed.issuperset(those), (source, fold)


@pytest.mark.parametrize("source", REFUSED)
def test_a_pattern_that_nothing_bounds_is_refused_when_it_is_made(source: str) -> None:
    with pytest.raises(Exception, match="said again"):
        compile(source).search("a" * LONG)
