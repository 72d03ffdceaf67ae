"""Recall while the store grows, drawn into a picture: `python -m bench.growth [PICTURE] [MOST]`.

The memories are those of customers with 1,000 each. The same questions are asked about one customer, whose memories
stay 1,000, and about all of them, which makes the whole store one scope. Whole path, the embedder not counted. Needs
the extra `plot`.
"""

import asyncio
import random
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from agentmem.runtime.composition.opening import open_app
from agentmem.runtime.configuration.settings import Settings
from agentmem.runtime.facade.app import App
from bench.dialogue import TENANT, memories, target
from bench.machine import command, describe, load, percentile
from bench.recall import fill, waits

PICTURE, MOST = Path("docs/growth.png"), 300_000
SIZES = (1_000, 3_000, 10_000, 30_000, 100_000, 300_000)
SCOPE, QUESTIONS, WARM = 1_000, 200, 20
NARROW, WIDE = "one scope of 1,000 among others", "one scope that holds all"
COLOURS = {NARROW: "tab:blue", WIDE: "tab:orange"}


@dataclass(frozen=True, slots=True)
class Point:
    """What was measured at one size, in milliseconds: by the clock, and of the processor, its median."""

    memories: int
    median: float
    slow: float
    processor: float


async def measure(most: int, picture: Path) -> None:
    """Grow to `most`; the picture is drawn after each size, so that nothing is lost where it is stopped."""
    curves: dict[str, list[Point]] = {NARROW: [], WIDE: []}
    sizes = [size for size in SIZES if size <= most]
    with tempfile.TemporaryDirectory() as folder:
        async with open_app(Settings(tenant=TENANT, data=Path(folder))) as app:
            for before, size in zip((0, *sizes), sizes, strict=False):
                people = size // SCOPE
                await fill(app, memories(size - before, people, seed=size, first=before, each=SCOPE))
                curves[NARROW].append(await _asked(app, size, people))
                curves[WIDE].append(await _asked(app, size, None))
                for name, points in curves.items():
                    print(
                        f"{size:>9,} {name:32} p50 {points[-1].median:6.1f} ms   p95 {points[-1].slow:6.1f} ms"
                        f"   processor p50 {points[-1].processor:6.1f} ms   load {load():.1f}",
                        flush=True,
                    )
                draw(curves, picture)
    print(f"drawn into {picture}")


async def _asked(app: App, size: int, people: int | None) -> Point:
    def whom(dice: random.Random) -> str | None:
        return None if people is None else target(dice.randrange(people))

    clock, processor = (samples[WARM:] for samples in await waits(app, whom, WARM + QUESTIONS))
    return Point(size, percentile(clock, 0.5), percentile(clock, 0.95), percentile(processor, 0.5))


def draw(curves: dict[str, list[Point]], picture: Path) -> None:
    """Both curves on logarithmic axes, from the median to the 95th percentile."""
    figure = Figure(figsize=(10, 5), layout="constrained")
    axes = figure.add_subplot()
    for name, points in curves.items():
        sizes = [point.memories for point in points]
        axes.plot(sizes, [point.median for point in points], "o-", color=COLOURS[name], label=f"{name}: p50")
        axes.plot(sizes, [point.slow for point in points], "^:", color=COLOURS[name], label="p95")
        axes.plot(
            sizes, [point.processor for point in points], "x--", color=COLOURS[name], label="p50 of the processor"
        )
    _label(axes, [point.memories for point in curves[NARROW]])
    figure.text(0.5, -0.04, f"{describe()}; load at the end {load():.0f}", ha="center", fontsize=7, color="dimgray")
    figure.savefig(picture, dpi=130, bbox_inches="tight")


def _label(axes: Axes, sizes: list[int]) -> None:
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xticks(sizes, [f"{size:,}" for size in sizes], minor=False)
    axes.set_xticks([], minor=True)
    heights = (2, 5, 10, 20, 50, 100, 200, 500)
    axes.set_yticks(heights, [str(height) for height in heights])
    axes.set_yticks([], minor=True)
    axes.set_ylim(2, None)
    axes.grid(alpha=0.3)
    axes.set_xlabel("memories in the store")
    axes.set_ylabel("milliseconds for one recall, embedder not counted")
    axes.set_title("Recall while the store grows")
    axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), fontsize=8)


if __name__ == "__main__":
    print(command(), "·", describe(), flush=True)
    numbers = [int(text) for text in sys.argv[1:] if text.isdigit()]
    paths = [Path(text) for text in sys.argv[1:] if not text.isdigit()]
    asyncio.run(measure((numbers or [MOST])[0], (paths or [PICTURE])[0]))
