"""How long it takes until a turn is accepted: `python -m bench.say`."""

import asyncio
import tempfile
from itertools import islice
from pathlib import Path
from time import perf_counter

from agentmem.domain.event import Event
from agentmem.runtime.composition.opening import open_app
from agentmem.runtime.configuration.settings import Settings
from agentmem.runtime.facade.app import App
from bench.dialogue import TENANT, conversations
from bench.machine import command, describe, percentile

SINGLE, CALLERS, EACH = 1_000, 64, 150


async def measure() -> None:
    """One caller, then 64 at once; each turn is its own call."""
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(tenant=TENANT, data=Path(folder))
        async with open_app(settings, index=False) as app:
            events = (event for talk in conversations(20_000, 10) for event in talk)
            begun = perf_counter()
            _report(1, [await _timed(app, event) for event in islice(events, SINGLE)], begun)
            shares = [list(islice(events, EACH)) for _ in range(CALLERS)]
            begun = perf_counter()
            waits = await asyncio.gather(*(_caller(app, share) for share in shares))
            _report(CALLERS, [took for wait in waits for took in wait], begun)


def _report(callers: int, waits: list[float], begun: float) -> None:
    rate = len(waits) / (perf_counter() - begun)
    p50, p95 = (percentile(waits, share) * 1e3 for share in (0.5, 0.95))
    print(f"say, {callers:2} at once: p50 {p50:5.2f} ms   p95 {p95:5.2f} ms   {rate:7,.0f} turns/s")


async def _caller(app: App, events: list[Event]) -> list[float]:
    return [await _timed(app, event) for event in events]


async def _timed(app: App, event: Event) -> float:
    begun = perf_counter()
    await app.accept([event])
    return perf_counter() - begun


if __name__ == "__main__":
    print(command(), "·", describe())
    asyncio.run(measure())
