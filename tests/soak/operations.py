"""Every operation on a whole store, killed, refused by the disk and cut off from power: it happened whole, or not."""

from errno import EIO, ENOSPC
from pathlib import Path
from random import Random

from tests.support.operations import NAMES, Operator
from tests.support.say import say
from tests.support.syscalls import DIE, available
from tests.support.trials import Series, spread


def soak(root: Path, name: str, *, kills: int, faults: int, cuts: int, seed: int) -> bool:
    """So many kills and power cuts of one operation, each at a call of another part of it, and both faults of a disk at
    its share of the first `faults` calls, beginning again where it has fewer.

    Returns whether nothing was lost, doubled or half done.
    """
    if not available():
        say(f"{name}: left out, there is no C compiler or this is not Linux")
        return True
    dice = Random(f"{seed} {name}")
    with Operator() as operator:
        series = Series(root / name, operator)
        _, calls = series.whole(name)
        for nth in spread(calls, kills, dice):
            series.try_(name, nth, DIE)
        for nth in (0, *spread(calls, cuts, dice)):
            series.cut_power(name, nth)
        for nth in range(NAMES.index(name), faults, len(NAMES)):
            for outcome in (EIO, ENOSPC):
                series.try_(name, nth % calls + 1, outcome)
        say("\n  ".join((f"{name}: {calls} calls to the disk; {series.outcome}", *series.outcome.wrong[:50])))
        return not series.outcome.wrong


def control(root: Path) -> bool:
    """Whether an operation of two steps is seen half done."""
    if not available():
        return True
    with Operator() as operator:
        series = Series(root / "careless", operator)
        for nth in range(1, 12):
            series.try_("careless", nth, DIE, "fsync")
    seen = [wrong for wrong in series.outcome.wrong if "half applied" in wrong]
    say(f"control careless: {len(seen)} half applied" if seen else "control careless: NOTHING SEEN")
    return bool(seen)
