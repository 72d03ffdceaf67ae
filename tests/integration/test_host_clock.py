"""The computer's clock may jump, run ahead for years or show 1970: what is said later counts as later, windows are
read, and what is due once is done once."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from agentmem.domain.memory import MemoryType, StoreStatus
from agentmem.ports.ledger import Selection
from agentmem.runtime.composition.opening import open_app
from agentmem.runtime.facade.app import App
from agentmem.runtime.host.scheduler import ReflectionClock
from tests.support.nodes import AGENT, NOON
from tests.support.spine import SCOPE, quick_settings, quiet_persona, spine

JUMPS = {
    "an hour ahead": timedelta(hours=1),
    "an hour behind": timedelta(hours=-1),
    "a year ahead": timedelta(days=365),
    "ten years ahead": timedelta(days=3_652),
    "a year behind": timedelta(days=-365),
    "1970": datetime(1970, 1, 1, tzinfo=UTC) - NOON,
}


class Hands:
    """A clock that is set by hand, also back."""

    def __init__(self, at: datetime) -> None:
        self.at = at

    def now(self) -> datetime:
        """What it shows."""
        return self.at


async def numbers(app: App) -> dict[str | None, StoreStatus]:
    nodes = await app.memories(Selection(SCOPE, types=(MemoryType.OBSERVATION,)))
    return {node.value: node.store_status for node in nodes if node.attribute == "phone"}


@pytest.mark.parametrize("name", JUMPS)
async def test_what_is_said_last_counts_whatever_the_clock_showed(tmp_path: Path, name: str) -> None:
    clock = Hands(NOON)
    async with open_app(quick_settings(tmp_path), clock=clock) as app:
        await app.know_agent(quiet_persona())
        shown = (NOON, NOON + JUMPS[name], NOON + timedelta(minutes=30))
        for number, clock.at in zip(("13700137000", "13800138000", "13900139000"), shown, strict=True):
            await app.say(AGENT, "罗小东", f"我的电话换成了{number}", end=True)
            await app.drain()
        held = await numbers(app)
        assert held["13900139000"] is StoreStatus.VALID
        assert [status for number, status in held.items() if number != "13900139000"] == [StoreStatus.EXPIRED] * 2


@pytest.mark.parametrize("name", JUMPS)
async def test_a_conversation_that_fell_silent_under_a_wrong_clock_is_read_under_the_right_one(
    tmp_path: Path, name: str
) -> None:
    clock = Hands(NOON + JUMPS[name])
    async with spine(tmp_path, clock=clock) as app:
        await app.say(AGENT, "罗小东", "你好")
        clock.at = NOON + timedelta(minutes=10)
        await app.drain()
        assert await app.journal.events.silent_lanes(since=NOON + timedelta(days=5_000)) == []


class Ticks(ReflectionClock):
    """Notes what was due."""

    def __init__(self, app: App) -> None:
        super().__init__(app.services)
        self.due: list[datetime] = []

    async def tick(self, tenant: str, agent_id: str, due: datetime, now: datetime) -> int:
        """Tick, and note it."""
        self.due.append(due)
        return await super().tick(tenant, agent_id, due, now)


BERLIN = ZoneInfo("Europe/Berlin")
DAYS = (datetime(2026, 3, 27, tzinfo=BERLIN), 4), (datetime(2026, 10, 23, tzinfo=BERLIN), 4)
ALL_DAYS = ((datetime(2026, 1, 1, tzinfo=BERLIN), 365),)
"""From when on, and how many: around the nights in which clocks change; in `make soak` the whole year."""


@pytest.mark.longer
async def test_what_is_due_each_night_is_done_once_each_night_whatever_the_clock_does(
    tmp_path: Path, longer: int
) -> None:
    for begin, days in DAYS if longer == 1 else ALL_DAYS:
        clock, jumps = Hands(begin), list(JUMPS.values())
        async with spine(tmp_path / str(begin.month), clock=clock, persona=quiet_persona(cron="30 2 * * *")) as app:
            ticks = Ticks(app)
            await ticks.make_up()
            for hours in range(1, 24 * days):
                clock.at = (begin.astimezone(UTC) + timedelta(hours=hours)).astimezone(BERLIN)
                right = clock.at
                if hours % 5 == 0:  # a look at a wrong time, and one after it was put right
                    clock.at = right + jumps[hours % len(jumps)]
                    await ticks.make_up()
                    clock.at = right
                await ticks.make_up()
            due = {due.astimezone(UTC) for due in ticks.due if begin <= due <= clock.at}
            nights = [each.astimezone(BERLIN).date() for each in sorted(due)]
            assert nights == [(begin + timedelta(days=day)).date() for day in range(days)]
