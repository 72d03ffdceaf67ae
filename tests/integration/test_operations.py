"""What is interrupted, refused by the disk or cut off from power has happened whole, or not at all.

`make soak` does the same thousands of times.
"""

import errno
from collections.abc import Iterator
from random import Random
from zlib import crc32

import pytest

from tests.support.operations import NAMES, Operator, Series, spread
from tests.support.syscalls import DIE, available

pytestmark = [
    pytest.mark.skipif(not available(), reason="no C compiler, or not Linux"),
    pytest.mark.xdist_group("operations"),
]


@pytest.fixture(scope="module")
def series(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Series]:
    """Trials on copies of one place."""
    with Operator() as operator:
        yield Series(tmp_path_factory.mktemp("operations"), operator)


@pytest.fixture(autouse=True)
def fresh(series: Series) -> None:
    """Each test is told of what it found itself."""
    series.outcome.wrong.clear()


@pytest.mark.parametrize("operation", NAMES)
def test_an_operation_that_is_interrupted_is_whole_or_not_begun(series: Series, operation: str) -> None:
    dice = Random(crc32(operation.encode()))
    _, calls = series.whole(operation)
    assert calls > 100, "the disk sees what it does"
    killed, failed, cut = (dice.choice(spread(calls, 9, dice)) for _ in range(3))
    series.try_(operation, killed, DIE)
    series.try_(operation, failed, dice.choice((errno.EIO, errno.ENOSPC)))
    series.cut_power(operation, cut)
    assert not series.outcome.wrong


def test_an_operation_in_two_steps_would_be_seen_half_done(series: Series) -> None:
    for nth in range(1, 12):
        series.try_("careless", nth, DIE, "fsync")
    assert any("half applied" in wrong for wrong in series.outcome.wrong)
