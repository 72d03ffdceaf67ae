"""Many conversations over HTTP while processes are killed, and hosts cut off for a while: nothing that was taken in is
lost, out of order or there twice."""

import json
import subprocess
import sys
from dataclasses import asdict
from typing import Any

from tests.support.cli import ROOT
from tests.support.hosts import not_permitted
from tests.support.postgres import unreachable
from tests.support.say import say
from tests.support.several import Trial


def soak(trial: Trial) -> bool:
    """Whether all was as it must be; where there is no PostgreSQL, or no host can be made, that is said."""
    what = "several hosts" if trial.apart else "several processes"
    if (reason := unreachable() or (not_permitted() if trial.apart else None)) is not None:
        say(f"{what}: LEFT OUT: {reason}")
        return True
    seen = tried_apart(trial)
    wrong = seen.pop("wrong")
    say("\n  ".join((f"{what}: {seen}, {len(wrong)} faults", *wrong[:50])))
    return not wrong


def tried_apart(trial: Trial) -> dict[str, Any]:
    """What was seen, by a process of its own: one that tests reaches no other address."""
    command = [sys.executable, "-m", "tests.support.several", json.dumps(asdict(trial))]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    if done.returncode:
        return {"wrong": [done.stderr.strip()[-2_000:]]}
    return json.loads(done.stdout)
