"""What is interrupted, refused by the disk or cut off from power has happened whole, or not at all.

`make soak` does the same thousands of times.
"""

import errno
from collections.abc import Iterator
from random import Random
from zlib import crc32

import pytest

from tests.support.index_kind import VARIABLE
from tests.support.operations import NAMES, Operator
from tests.support.syscalls import DIE, available
from tests.support.trials import Series, spread

pytestmark = [pytest.mark.thorough, pytest.mark.skipif(not available(), reason="no C compiler, or not Linux")]


WITH_FILES = ("rebuild", "migrate", "erase")
"""What is tried with the embedded index here; `make soak` tries everything with it."""


@pytest.fixture(scope="module")
def in_memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Series]:
    """Trials on copies of one place."""
    with Operator() as operator:
        yield Series(tmp_path_factory.mktemp("operations"), operator)


@pytest.fixture(scope="module")
def embedded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Series]:
    """The same with the embedded index."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv(VARIABLE)
        operator = Operator()
        with operator:
            series = Series(tmp_path_factory.mktemp("operations"), operator)
            patch.undo()
            yield series


@pytest.fixture
def series(request: pytest.FixtureRequest, operation: str) -> Series:
    """The trials that an operation belongs to; each test is told of what it found itself."""
    series: Series = request.getfixturevalue("embedded" if operation in WITH_FILES else "in_memory")
    series.outcome.wrong.clear()
    return series


@pytest.mark.parametrize("operation", NAMES)
def test_an_operation_that_is_interrupted_is_whole_or_not_begun(series: Series, operation: str) -> None:
    dice = Random(crc32(operation.encode()))
    _, calls = series.whole(operation)
    assert calls > 20, "the disk sees what it does"
    killed, failed, cut = (dice.choice(spread(calls, 9, dice)) for _ in range(3))
    series.try_(operation, killed, DIE)
    series.try_(operation, failed, dice.choice((errno.EIO, errno.ENOSPC)))
    series.cut_power(operation, cut)
    assert not series.outcome.wrong


@pytest.mark.parametrize("operation", ["forget", "erase", "export", "backup"])
def test_a_disk_that_fills_up_leaves_an_operation_whole_or_not_begun_and_says_so(
    series: Series, operation: str
) -> None:
    _, calls = series.whole(operation)
    for nth in spread(calls, 3, Random(crc32(operation.encode()))):
        series.try_(operation, nth, errno.ENOSPC, lasting=True)
    assert not series.outcome.wrong
    assert series.outcome.refused[operation]


@pytest.mark.parametrize("operation", ["careless"])
def test_an_operation_in_two_steps_would_be_seen_half_done(series: Series, operation: str) -> None:
    for nth in range(1, 12):
        series.try_(operation, nth, DIE, "fsync")
    assert any("half applied" in wrong for wrong in series.outcome.wrong)
