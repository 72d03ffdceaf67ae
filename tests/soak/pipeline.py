"""Kill a working pipeline, at named steps, at calls to the disk and at any moment, and count what is missing.

No failure in 1,000 independent kills bounds the rate of failures at 0.3 %, with 95 % confidence.
"""

from pathlib import Path
from random import Random

from tests.support.faulty import FAULTS
from tests.support.kills import Plan, Reaper, campaign
from tests.support.say import say

CONTROL_KILLS = 20


def soak(root: Path, kills: int, seed: int) -> bool:
    """Run a campaign; whether nothing was lost."""
    with Reaper() as reaper:
        result = campaign(root, Plan(kills), Random(seed), reaper)
    found = [*result.broken, *(f"{kind}: {text}" for kind, text in result.faults)]
    steps = ", ".join(f"{step} {count}" for step, count in sorted(result.at_steps.items()))
    say("\n  ".join((f"pipeline: {result}", steps, *found[:50])))
    return not found


def control(root: Path, name: str, seed: int) -> bool:
    """Run a campaign that must fail, because of a fault in what is killed; whether it did."""
    plan = Plan(CONTROL_KILLS, ("between:writes",), name, at_any_moment=False)
    with Reaper() as reaper:
        counts = campaign(root / name, plan, Random(seed), reaper).faults.counts
    found = {kind: count for kind, count in counts.items() if count}
    say(f"control {name}, {CONTROL_KILLS} kills: {found or 'NOTHING SEEN: the soak proves nothing'}")
    return bool(found)


CONTROLS = tuple(FAULTS)
