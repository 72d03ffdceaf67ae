"""`python -m tests.soak [PART ...]`: kills, failing disks, power cuts, hostile texts and long property tests.

Without a part, all of them. Each prints what it saw; the exit code is 0 where every part came out as it must.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path
from random import SystemRandom

from tests.soak import operations, pipeline, reading
from tests.support.say import say

PARTS = ("pipeline", "operations", "reading", "properties")
LONGER = 15


def main() -> int:
    """Run the parts that are asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}")
    parser.add_argument("--kills", type=int, default=2_000, help="half of the pipeline, half of operations")
    parser.add_argument(
        "--faults", type=int, default=1_000, help="calls to the disk that fail, with EIO and with ENOSPC"
    )
    parser.add_argument("--cuts", type=int, default=500, help="of the power")
    parser.add_argument("--texts", type=int, default=20_000)
    parser.add_argument("--longer", type=int, default=LONGER, help="how many times as many examples per property")
    parser.add_argument("--seed", type=int, default=SystemRandom().randrange(1_000_000))
    parser.add_argument("--folder", type=Path, help="keep the data of places where something is wrong")
    options = parser.parse_args()
    if unknown := set(options.parts) - set(PARTS):
        parser.error(f"no part {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    say(f"seed {options.seed}")
    with tempfile.TemporaryDirectory() as scratch:
        root = options.folder or Path(scratch)
        sound = [_soak(part, root, options) for part in options.parts or PARTS]
    return 0 if all(sound) else 1


def _soak(part: str, root: Path, options: argparse.Namespace) -> bool:
    say(f"\n{part}")
    half = options.kills // 2
    match part:
        case "pipeline":
            return pipeline.soak(root, half, options.seed)
        case "operations":
            return operations.soak(root, kills=half, faults=options.faults, cuts=options.cuts, seed=options.seed)
        case "reading":
            return reading.soak(options.texts, options.seed)
        case _:
            return _properties(options.longer)


def _properties(longer: int) -> bool:
    """Every property test with so many times its examples."""
    command = [sys.executable, "-m", "pytest", "-q", "-m", "hypothesis", "--longer", str(longer), "--timeout", "0"]
    return subprocess.run([*command, "-n", "auto"], check=False).returncode == 0


if __name__ == "__main__":
    sys.exit(main())
