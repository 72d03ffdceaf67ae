"""What jobs carry is checked when it is read; what reading a window found is handed on, not found again."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from agentmem.domain.memory import MemoryType
from agentmem.domain.payload import CloseWindow, Payload
from agentmem.domain.statement import Reading, Statement, Window
from agentmem.ports.ledger import Selection
from agentmem.ports.work_queue import NewJob
from tests.support.cognition import ScriptedCognition
from tests.support.journals import said
from tests.support.nodes import NOON, TENANT
from tests.support.spine import quoted, spine, valid

LANE = said("Ada", 0).lane


@pytest.mark.parametrize(
    ("payload", "stored", "reason"),
    [
        (CloseWindow(), '{"kind": "no_such"}', "Unreadable: its payload cannot be read"),
        (CloseWindow(), '{"kind": "reflect", "trigger": "never"}', "Unreadable: its payload cannot be read"),
        (CloseWindow(), "no JSON", "Unreadable: its payload cannot be read"),
        (CloseWindow(), None, "Unreadable: a job of worker 'reflection' carries no Reflect"),
        (None, None, "Unreadable: a job of worker 'reflection' carries no Reflect"),
    ],
)
async def test_a_job_whose_payload_is_none_of_its_worker_is_parked_with_the_reason(
    tmp_path: Path, payload: Payload | None, stored: str | None, reason: str
) -> None:
    async with spine(tmp_path) as app:
        await app.journal.events.append([said("Ada", 0)], now=NOON)
        await app.drain()
        await app.journal.queue.enqueue([NewJob("bad", LANE, "reflection", 1, payload=payload)])
        if stored is not None:
            with closing(sqlite3.connect(tmp_path / "data" / "journal.db")) as connection, connection:
                connection.execute("UPDATE jobs SET payload = ? WHERE job_id = 'bad'", (stored,))
        await app.drain(patience=5)
        (letter,) = await app.journal.dead.dead(tenant=TENANT, limit=9)
        assert letter.job_id == "bad"
        assert letter.reason.startswith(reason)
        assert letter.attempts == 1


async def test_insights_are_kept_without_reading_the_window_or_an_observation_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def script(window: Window) -> Reading:
        return Reading(
            statements=tuple(
                Statement(content=content, layer=layer, quotes=(quoted(window, "Ada 0"),))
                for content, layer in (("Ada counts", "observation"), ("Ada likes numbers", "insight"))
            )
        )

    async with spine(tmp_path, ScriptedCognition(script)) as app:
        events, ledger = app.journal.events, app.journal.ledger
        windows, read = list[int](), list[MemoryType]()
        earlier, select = events.earlier_turns, ledger.select

        async def counted(*given: object, **named: object) -> object:
            windows.append(1)
            return await earlier(*given, **named)  # pyright: ignore[reportArgumentType] - passed on as it is

        async def noted(selection: Selection) -> object:
            read.extend(selection.types)
            return await select(selection)

        monkeypatch.setattr(events, "earlier_turns", counted)
        monkeypatch.setattr(ledger, "select", noted)
        await app.journal.events.append([said("Ada", 0)], now=NOON)
        await app.drain()
        assert len(windows) == 1
        # What he told of himself, and what he told of others; both by the observation worker.
        assert (read.count(MemoryType.OBSERVATION), read.count(MemoryType.INSIGHT)) == (2, 1)
        assert await valid(app, MemoryType.INSIGHT) == ["Ada likes numbers"]
