"""`python -m tests.soak --kills 1000`: kill a working pipeline for minutes, and count what is missing.

No failure in 1,000 independent kills bounds the rate of failures at 0.3 %, with 95 % confidence.
"""

import argparse
import sys
import tempfile
from pathlib import Path
from random import Random, SystemRandom

from tests.support.faulty import FAULTS
from tests.support.kills import Campaign, Plan, campaign

CONTROL_KILLS = 20


def main() -> int:
    """Run the campaign, then the controls that must fail; 0 where both came out as they must."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--kills", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=SystemRandom().randrange(1_000_000))
    parser.add_argument("--folder", type=Path, help="keep the data of places where something is wrong")
    options = parser.parse_args()
    _say(f"seed {options.seed}")
    with tempfile.TemporaryDirectory() as scratch:
        root = options.folder or Path(scratch)
        result = campaign(root / "soak", Plan(options.kills), Random(options.seed), _progress)
        _say(f"\n{result}")
        _say("  " + ", ".join(f"{step} {count}" for step, count in sorted(result.at_steps.items())))
        for fault in [*result.broken, *(f"{kind}: {text}" for kind, text in result.faults)][:50]:
            _say(f"  {fault}")
        seen = [_control(root, name, options.seed) for name in FAULTS]
    return 0 if all(seen) and not result.broken and not result.faults.any else 1


def _control(root: Path, name: str, seed: int) -> bool:
    plan = Plan(CONTROL_KILLS, ("between:writes",), name, at_any_moment=False)
    counts = campaign(root / name, plan, Random(seed)).faults.counts
    found = {kind: count for kind, count in counts.items() if count}
    _say(f"control {name}, {CONTROL_KILLS} kills: {found or 'NOTHING SEEN: the soak proves nothing'}")
    return bool(found)


def _progress(result: Campaign) -> None:
    if sys.stdout.isatty() or result.kills % 50 == 0:
        end = "\r" if sys.stdout.isatty() else "\n"
        _say(f"{result.kills} kills, {result.seconds:.0f} s, {result.turns} turns, {result.faults.counts}", end=end)


def _say(text: str, *, end: str = "\n") -> None:
    sys.stdout.write(text + end)
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
