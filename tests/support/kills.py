"""Killing a working pipeline again and again, then asking the oracle what was lost or made up.

The process that is killed is in `killed`, what it is made to think in `whims`, the oracle in `oracle`.
"""

import asyncio
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Any, Self

from tests.support.killed import STEPS, Round, command
from tests.support.oracle import Faults, examine
from tests.support.syscalls import available, environment

LONGEST_LIFE = 0.2
"""Seconds after which a process that waits for no step is killed at the latest."""

PATIENCE = 5.0
"""Seconds to wait for a step that may not come, before killing all the same."""

LAST_CALL = 600
"""Calls to the disk within which a process that is to die at one does."""

LIVES_PER_PLACE = 50
"""Kills on one data directory before it is examined and another one begun."""

_KILLED = signal.SIGKILL.value


@dataclass(slots=True)
class Campaign:
    """What was done, and what came of it. `broken` are lives that ended otherwise than by being killed."""

    kills: int = 0
    at_steps: Counter[str] = field(default_factory=Counter[str])
    at_calls: int = 0
    beside: int = 0
    turns: int = 0
    memories: int = 0
    seconds: float = 0.0
    broken: list[str] = field(default_factory=list[str])
    faults: Faults = field(default_factory=Faults)

    def __str__(self) -> str:
        at_steps = (
            f"{self.at_steps.total()} of them at {len(self.at_steps)} named steps, {self.at_calls} at calls to the disk"
        )
        return (
            f"{self.kills} kills in {self.seconds:.1f} s, {at_steps}, {self.beside} of two processes at once; "
            f"{self.turns} turns accepted, {self.memories} memories; {len(self.broken)} broken, {self.faults.counts}"
        )


class Reaper:
    """Starts process groups from one process that has loaded everything, and kills them. A context manager."""

    def __init__(self) -> None:
        self._nursery: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self._nursery = subprocess.Popen(
            [sys.executable, "-m", "tests.support.killed"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            env={**os.environ, **environment(), "OPENBLAS_NUM_THREADS": "1", "PYTHONWARNINGS": "ignore"},
            cwd=Path(__file__).parents[2],
        )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._nursery is not None
        with self._nursery as nursery:
            assert nursery.stdin is not None
            nursery.stdin.close()

    def kill(self, life: Round, *, after: float) -> tuple[bool, list[int]]:
        """Let a life begin, and end it after so many seconds unless it ends before: whether it did, and how."""
        assert self._nursery is not None
        assert self._nursery.stdin is not None
        self._nursery.stdin.write(command(life).encode())
        group: int = self._heard(60)["group"]
        by_itself = self._speaks_within(after)
        if not by_itself:
            with suppress(ProcessLookupError):
                os.killpg(group, signal.SIGKILL)
        return by_itself, self._heard(10)["statuses"]

    def _speaks_within(self, seconds: float) -> bool:
        assert self._nursery is not None
        assert self._nursery.stdout is not None
        return bool(select.select([self._nursery.stdout], [], [], seconds)[0])

    def _heard(self, patience: float) -> dict[str, Any]:
        assert self._nursery is not None
        assert self._nursery.stdout is not None
        assert self._speaks_within(patience), "the process that is to be killed does not answer"
        return json.loads(self._nursery.stdout.readline())


@dataclass(frozen=True, slots=True)
class Plan:
    """How to kill: so many times, at these steps in turn and in between at any moment, with or without a fault."""

    kills: int
    steps: tuple[str, ...] = STEPS
    fault: str | None = None
    at_any_moment: bool = True


def campaign(
    root: Path, plan: Plan, dice: Random, reaper: Reaper, told: Callable[[Campaign], None] = lambda _: None
) -> Campaign:
    """Carry the plan out; each data directory is examined when its lives are over, and removed where it is sound."""
    result, began = Campaign(), time.monotonic()
    for first in range(0, plan.kills, LIVES_PER_PLACE):
        data = root / f"place-{first}"
        for number in range(first, min(plan.kills, first + LIVES_PER_PLACE)):
            _kill(reaper, data, number, plan, dice, result)
            result.seconds = time.monotonic() - began
            told(result)
        examined = asyncio.run(examine(data))
        result.turns += examined.turns
        result.memories += examined.memories
        result.faults.add(examined.faults)
        if not examined.faults.any:
            shutil.rmtree(data)
    result.seconds = time.monotonic() - began
    return result


def _kill(reaper: Reaper, data: Path, number: int, plan: Plan, dice: Random, result: Campaign) -> None:
    at_step = not plan.at_any_moment or number % 2 == 0
    every = 2 if plan.at_any_moment else 1
    step = plan.steps[number // every % len(plan.steps)] if at_step else None
    often = step is not None and step.partition(":")[2] in ("append", "claim", "stage", "finish", "writes")
    life = Round(
        data=str(data),
        number=number,
        step=step,
        at_time=dice.randint(1, 8) if often else 1,
        beside=number % 4 == 1,
        fault=plan.fault,
        call=dice.randint(1, LAST_CALL) if step is None and number % 4 == 3 and available() else 0,
    )
    waits = step is not None or life.call > 0
    by_itself, statuses = reaper.kill(life, after=PATIENCE if waits else dice.uniform(0.02, LONGEST_LIFE))
    result.kills += 1
    result.at_calls += by_itself and life.call > 0
    result.beside += life.beside
    if by_itself and step is not None:
        result.at_steps[step] += 1
    if any(status != _KILLED for status in statuses):
        result.broken.append(f"round {number}: {statuses}")
