"""`python -m tests.soak [PART ...]`: kills, failing disks, power cuts, simulated lives, hostile texts, requests made up
from the OpenAPI document, several processes and hosts that are killed and cut off, and long tests.

Without a part, all of them, as many pieces at a time as there are processors. Each prints what it saw; the exit code is
0 where every piece came out as it must.
"""

import argparse
import multiprocessing
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from random import SystemRandom

from tests.soak import operations, pipeline, reading, schema, several, simulated
from tests.support.operations import NAMES
from tests.support.say import say
from tests.support.several import Trial

PARTS = ("pipeline", "operations", "simulated", "reading", "schema", "several", "properties")
LONGER = 15
PIECES = 4
"""Pieces that a part is cut into where its trials do not depend on each other."""

Piece = Callable[[], bool]


def main() -> int:
    """Run the parts that are asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}")
    parser.add_argument("--kills", type=int, default=2_000, help="half of the pipeline, half of operations")
    parser.add_argument(
        "--faults", type=int, default=1_000, help="calls to the disk that fail, with EIO and with ENOSPC"
    )
    parser.add_argument("--cuts", type=int, default=500, help="of the power")
    parser.add_argument("--lives", type=int, default=1_000, help="of the whole system, as seeds decide")
    parser.add_argument("--texts", type=int, default=20_000)
    parser.add_argument("--requests", type=int, default=10_000, help="made up from the OpenAPI document")
    parser.add_argument(
        "--conversations", type=int, default=1_000, help="with several processes, and a fifth with hosts"
    )
    parser.add_argument("--longer", type=int, default=LONGER, help="how many times as many examples per property")
    parser.add_argument("--seed", type=int, default=SystemRandom().randrange(1_000_000))
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="pieces at a time")
    parser.add_argument("--folder", type=Path, help="keep the data of places where something is wrong")
    options = parser.parse_args()
    if unknown := set(options.parts) - set(PARTS):
        parser.error(f"no part {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    parts = options.parts or PARTS
    say(f"seed {options.seed}")
    with tempfile.TemporaryDirectory() as scratch:
        pieces = [*_pieces(parts, options.folder or Path(scratch), options), *_several(parts, options)]
        with ProcessPoolExecutor(options.jobs, multiprocessing.get_context("spawn")) as pool:
            sound = [each.result() for each in [pool.submit(piece) for piece in pieces]]
    if "properties" in parts:
        sound.append(_properties(options.longer, options.jobs))
    return 0 if all(sound) else 1


def _pieces(parts: tuple[str, ...], root: Path, options: argparse.Namespace) -> Iterator[Piece]:
    half, seed = options.kills // 2, options.seed
    if "operations" in parts:
        kills, cuts = _share(half, len(NAMES)), _share(options.cuts, len(NAMES))
        for name in NAMES:
            yield partial(operations.soak, root, name, kills=kills, faults=options.faults, cuts=cuts, seed=seed)
        yield partial(operations.control, root)
    if "pipeline" in parts:
        for piece in range(PIECES):
            yield partial(pipeline.soak, root / f"pipeline-{piece}", _share(half, PIECES), seed + piece)
        yield from (partial(pipeline.control, root, name, seed) for name in pipeline.CONTROLS)
    if "simulated" in parts:
        lives = _share(options.lives, PIECES)
        for piece in range(PIECES):
            yield partial(simulated.soak, root / f"simulated-{piece}", lives, seed + piece * lives)
        yield partial(simulated.control, root)
    if "schema" in parts:
        requests = _share(options.requests, PIECES)
        yield from (partial(schema.soak, root, requests, seed + piece) for piece in range(PIECES))
    if "reading" in parts:
        for piece in range(PIECES):
            yield partial(reading.soak, _share(options.texts, PIECES), seed + piece)


def _several(parts: tuple[str, ...], options: argparse.Namespace) -> Iterator[Piece]:
    if "several" in parts:
        killed = Trial(options.conversations, kills=20, seed=options.seed, patience=3_600)
        apart = Trial(options.conversations // 5, apart=True, kills=4, seed=options.seed, patience=3_600)
        yield from (partial(several.soak, trial) for trial in (killed, apart))


def _share(whole: int, parts: int) -> int:
    return -(-whole // parts)


def _properties(longer: int, jobs: int) -> bool:
    """Every property test with so many times its examples, and the tests that try more when asked to."""
    chosen = ("-m", "hypothesis or longer", "--longer", str(longer), "--timeout", "0", "-n", str(jobs))
    return subprocess.run([sys.executable, "-m", "pytest", "-q", *chosen], check=False).returncode == 0


if __name__ == "__main__":
    sys.exit(main())
