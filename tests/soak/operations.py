"""Every operation on a whole store, killed, refused by the disk and cut off from power: it happened whole, or not."""

from errno import EIO, ENOSPC
from itertools import cycle
from pathlib import Path
from random import Random

from tests.support.operations import NAMES, Operator, Series, spread
from tests.support.say import say
from tests.support.syscalls import DIE, available

TOLD = 100


def soak(root: Path, *, kills: int, faults: int, cuts: int, seed: int) -> bool:
    """So many kills and power cuts over all operations, and both faults of a disk at each of the first `faults` calls,
    the operations taking turns; whether nothing was lost, doubled or half done, and the control was seen."""
    if not available():
        say("operations: left out, there is no C compiler or this is not Linux")
        return True
    dice = Random(seed)
    with Operator() as operator:
        series = Series(root / "operations", operator)
        for name in NAMES:
            _, calls = series.whole(name)
            say(f"{name}: {calls} calls to the disk")
            for nth in spread(calls, kills // len(NAMES) + 1, dice):
                series.try_(name, nth, DIE)
            for nth in (0, *spread(calls, cuts // len(NAMES), dice)):
                series.cut_power(name, nth)
            _tell(series)
        for nth, name in zip(range(1, faults + 1), cycle(NAMES), strict=False):
            for outcome in (EIO, ENOSPC):
                series.try_(name, nth, outcome)
            if nth % TOLD == 0:
                _tell(series)
        sound = not series.outcome.wrong
        series.outcome.wrong.clear()
        for nth in range(1, 12):
            series.try_("careless", nth, DIE, "fsync")
        seen = [wrong for wrong in series.outcome.wrong if "half applied" in wrong]
        say(f"control careless: {len(seen)} half applied" if seen else "control careless: NOTHING SEEN")
    return sound and bool(seen)


def _tell(series: Series) -> None:
    say(f"  {series.outcome}")
    for wrong in series.outcome.wrong[:50]:
        say(f"  {wrong}")
