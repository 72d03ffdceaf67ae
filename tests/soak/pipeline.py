"""Kill a working pipeline, at named steps, at calls to the disk and at any moment, and count what is missing.

No failure in 1,000 independent kills bounds the rate of failures at 0.3 %, with 95 % confidence.
"""

import sys
from pathlib import Path
from random import Random

from tests.support.faulty import FAULTS
from tests.support.kills import Campaign, Plan, campaign
from tests.support.say import say

CONTROL_KILLS = 20


def soak(root: Path, kills: int, seed: int) -> bool:
    """Run the campaign, then the controls that must fail; whether both came out as they must."""
    result = campaign(root / "pipeline", Plan(kills), Random(seed), _progress)
    say(f"\n{result}")
    say("  " + ", ".join(f"{step} {count}" for step, count in sorted(result.at_steps.items())))
    for fault in [*result.broken, *(f"{kind}: {text}" for kind, text in result.faults)][:50]:
        say(f"  {fault}")
    seen = [_control(root, name, seed) for name in FAULTS]
    return all(seen) and not result.broken and not result.faults.any


def _control(root: Path, name: str, seed: int) -> bool:
    plan = Plan(CONTROL_KILLS, ("between:writes",), name, at_any_moment=False)
    counts = campaign(root / name, plan, Random(seed)).faults.counts
    found = {kind: count for kind, count in counts.items() if count}
    say(f"control {name}, {CONTROL_KILLS} kills: {found or 'NOTHING SEEN: the soak proves nothing'}")
    return bool(found)


def _progress(result: Campaign) -> None:
    if sys.stdout.isatty() or result.kills % 50 == 0:
        end = "\r" if sys.stdout.isatty() else "\n"
        say(f"{result.kills} kills, {result.seconds:.0f} s, {result.turns} turns, {result.faults.counts}", end=end)
