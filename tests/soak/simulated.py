"""Seeded lives of the whole system in one thread; a seed that fails is lived again by `simulate(folder, seed)`."""

from pathlib import Path

from agentmem.runtime.composition.telemetry import configure_logging
from tests.support.say import say
from tests.support.simulated import examined, simulate

REPLAYED = 100
"""One life of so many is lived twice, and must be the same."""


def soak(root: Path, lives: int, seed: int) -> bool:
    """Live so many lives; whether nothing was lost and each replayed one was the same."""
    configure_logging("critical")
    wrong: list[str] = []
    for each in range(seed, seed + lives):
        wrong += [f"seed {each}, {kind}: {text}" for kind, text in examined(root, each)]
        if each % REPLAYED == 0 and simulate(root / f"{each}-once", each) != simulate(root / f"{each}-again", each):
            wrong.append(f"seed {each}: lived again, it is another life")
    say("\n  ".join((f"simulated: {lives} lives from seed {seed}; {len(wrong)} faults", *wrong[:50])))
    return not wrong


def control(root: Path) -> bool:
    """Whether a queue that ends jobs before their changes are written is seen to lose some."""
    configure_logging("critical")
    seen = [seed for seed in range(10) if examined(root / "careless", seed, fault="mark_first").any]
    say(f"control simulated mark_first: seen in {len(seen)} of 10" if seen else "control simulated: NOTHING SEEN")
    return bool(seen)
