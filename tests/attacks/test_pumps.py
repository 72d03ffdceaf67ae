"""Each pattern of the library against the texts that it is slowest on, which are found from the pattern itself."""

import re

import pytest

from agentmem import patterns
from tests.support.hostile import KNOWN
from tests.support.patterns import every_pattern
from tests.support.pumps import pumps
from tests.support.timing import MARGIN, allowed, seconds_of

pytestmark = pytest.mark.thorough

LENGTH = 2_000
SHARES = 8
"""Tests among which the patterns are shared out."""


@pytest.mark.parametrize("share", range(SHARES))
def test_no_pattern_is_slow_on_a_text_made_for_it(share: int) -> None:
    for pattern in every_pattern()[share::SHARES]:
        for calm in ("calm 话", "calm a"):  # a pattern is read, and its work proved, when it is first used
            _used(pattern, calm * (LENGTH // 6))
        for pump in pumps(pattern.pattern, pattern.flags):
            text = pump.text(LENGTH)
            seconds = seconds_of(lambda pattern=pattern, text=text: _used(pattern, text), MARGIN * allowed(text))
            assert seconds < MARGIN * allowed(text) / 3, f"{pattern.pattern[:200]!r} on {text[:60]!r}"


def _used(pattern: patterns.Pattern, text: str) -> None:
    pattern.match(text)
    pattern.fullmatch(text)
    pattern.findall(text)


SLOW_IN_PYTHON = (
    r"^(?:(?:please|(?:can|could) you(?: please)?)[,\s]+)*forget$",
    r"^(?:我|本人)?(?:刚|刚刚|现在)*(?P<v>单身)$",
    r"(\w+\s*)*!",
    r"(?:a|aa)+b(?!c)",
    r"\s*(?:\w+\s*)*\.$",
)
"""Patterns of the kinds that once hung, which Python's own engine takes years over."""


@pytest.mark.parametrize("source", SLOW_IN_PYTHON)
def test_the_pumps_find_what_hangs_a_backtracking_engine(source: str) -> None:
    texts = [pump.text(60) for pump in pumps(source)] + list(KNOWN.values())
    assert any(_hangs(source, text) for text in texts)
    pattern = patterns.compile(source)
    assert all(seconds_of(lambda text=text: _used(pattern, text), 1) < 1 for text in texts)


def _hangs(source: str, text: str) -> bool:
    """Whether Python's own engine needs more than a fifth of a second."""
    return seconds_of(lambda: re.compile(source).search(text), 0.2) >= 0.2
