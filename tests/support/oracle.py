"""What is left after kills, drained in peace and compared with what was asked for and answered.

missing      accepted and not remembered, or remembered and never read
phantom      remembered and never said
duplicate    remembered twice, or read in two windows
half         part of an answer without the rest, or given up
mixed        memories of one window from two answers
disordered   turns of one lane written down in another order than they were accepted in
disagreeing  ledger, table of memories and index do not say the same
"""

import json
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime, timedelta
from pathlib import Path

from agentmem.domain.event import EVENTS, TurnSpoken
from agentmem.domain.ids import memory_id
from agentmem.domain.memory import MemoryNode, MemoryType, StoreStatus
from agentmem.domain.packed import unpacked
from agentmem.domain.scope import Scope
from agentmem.ports.ledger import Selection
from agentmem.runtime.composition.opening import open_app
from agentmem.runtime.configuration.settings import Settings
from agentmem.runtime.facade.app import App
from agentmem.runtime.host.clocks import ManualClock
from tests.support.killed import AGENT, TENANT, acknowledged_file, asked_file, settings
from tests.support.whims import Signature, Whims, signature


@dataclass(slots=True)
class Faults:
    """What is not as it was promised, in words; all empty where everything is."""

    missing: list[str] = field(default_factory=list[str])
    phantom: list[str] = field(default_factory=list[str])
    duplicate: list[str] = field(default_factory=list[str])
    half: list[str] = field(default_factory=list[str])
    mixed: list[str] = field(default_factory=list[str])
    disordered: list[str] = field(default_factory=list[str])
    disagreeing: list[str] = field(default_factory=list[str])

    def add(self, other: "Faults") -> None:
        """Take in those of another place."""
        for kind in fields(self):
            getattr(self, kind.name).extend(getattr(other, kind.name))

    def __iter__(self) -> Iterator[tuple[str, str]]:
        """Each fault with its kind."""
        return ((kind.name, text) for kind in fields(self) for text in getattr(self, kind.name))

    @property
    def counts(self) -> dict[str, int]:
        """How many of each kind."""
        return {kind.name: len(getattr(self, kind.name)) for kind in fields(self)}

    @property
    def any(self) -> bool:
        """Whether there is one at all."""
        return any(self.counts.values())


@dataclass(frozen=True, slots=True)
class Examined:
    """What was found in one place: accepted turns, memories, and faults."""

    turns: int
    memories: int
    faults: Faults


async def examine(data: Path, chosen: Settings | None = None) -> Examined:
    """Let what is left be worked off, then look. Opened with the settings of what is killed unless others are given."""
    faults = Faults()
    clock = ManualClock(datetime.now(UTC) + timedelta(hours=1))
    async with open_app(chosen or settings(data), clock=clock, cognition=Whims(moody=False, thinking=0)) as app:
        await app.drain(patience=300)
        nodes = await app.memories(Selection(Scope(TENANT, AGENT), limit=1_000_000))
        await _compare_stores(app, faults)
    asked = {event.event_id: event for event in map(EVENTS.validate_json, _lines(asked_file(data)))}
    turns = {key: event for key, event in asked.items() if isinstance(event, TurnSpoken)}
    accepted = turns.keys() & set(_lines(acknowledged_file(data)))
    spoken = [node for node in nodes if node.memory_type is MemoryType.CONVERSATION]
    derived = [node for node in nodes if node.memory_type is not MemoryType.CONVERSATION]
    _compare_turns(turns, accepted, spoken, faults)
    _compare_readings(spoken, [node for node in derived if node.kind != "reflected"], faults)
    _compare_answers([node for node in derived if node.kind == "reflected"], faults)
    _compare_slots(derived, faults)
    with sqlite3.connect(data / "journal.db") as connection:
        _compare_order(connection, faults)
        _compare_chains(connection, faults)
        broken_off = connection.execute("SELECT worker, reason FROM jobs").fetchall()
    connection.close()
    faults.half.extend(f"work left over: {row}" for row in broken_off)
    return Examined(len(accepted), len(nodes), faults)


def _lines(file: Path) -> Iterable[str]:
    return file.read_text().splitlines() if file.exists() else ()


async def _compare_stores(app: App, faults: Faults) -> None:
    report = await app.index.verify()
    if not report.ok:
        faults.disagreeing.append(f"index: {report}")


def _compare_turns(asked: dict[str, TurnSpoken], accepted: set[str], spoken: list[MemoryNode], faults: Faults) -> None:
    held = Counter(node.content.split(" ")[0] for node in spoken)
    faults.missing.extend(f"turn {event_id}" for event_id in sorted(accepted - held.keys()))
    faults.duplicate.extend(f"turn {event_id}, {count} times" for event_id, count in held.items() if count > 1)
    for node in spoken:
        event = asked.get(node.content.split(" ")[0])
        if event is None or (event.text, event.target_id) != (node.content, node.target_id):
            faults.phantom.append(f"turn {node.content[:40]!r}")


def _compare_readings(spoken: list[MemoryNode], derived: list[MemoryNode], faults: Faults) -> None:
    windows: dict[str, list[tuple[Signature, MemoryNode]]] = defaultdict(list)
    for node in derived:
        signed = signature(node)
        windows[signed.source].append((signed, node))
    readers: dict[str, set[str]] = {node.memory_id: set() for node in spoken}
    for window, members in windows.items():
        _compare_answer(f"window {window}", [signed for signed, _ in members], faults)
        for turn_id in {turn_id for signed, node in members if signed.place == 1 for turn_id in node.source_ids}:
            if turn_id in readers:
                readers[turn_id].add(window)
            else:
                faults.phantom.append(f"window {window} rests on a turn that is not there")
    for turn_id, windows_of in readers.items():
        if len(windows_of) != 1:
            kind = faults.duplicate if windows_of else faults.missing
            kind.append(f"turn {turn_id} is read in {len(windows_of)} windows")


def _compare_answers(reflected: list[MemoryNode], faults: Faults) -> None:
    answers: dict[str, list[Signature]] = defaultdict(list)
    for node in reflected:
        signed = signature(node)
        answers[signed.answer].append(signed)
    for answer, members in answers.items():
        _compare_answer(f"reflection {answer}", members, faults)


def _compare_answer(name: str, members: list[Signature], faults: Faults) -> None:
    answers = {signed.answer for signed in members}
    if len(answers) > 1:
        faults.mixed.append(f"{name}: {len(answers)} answers")
        return
    places = Counter(signed.place for signed in members)
    faults.duplicate.extend(f"{name}: place {place}, {count} times" for place, count in places.items() if count > 1)
    if len(places) != members[0].of:
        faults.half.append(f"{name}: {len(places)} of {members[0].of}")


def _compare_slots(derived: list[MemoryNode], faults: Faults) -> None:
    held = Counter(
        node.target_id for node in derived if node.attribute == "phone" and node.store_status is StoreStatus.VALID
    )
    faults.disagreeing.extend(f"{count} valid numbers of {target}" for target, count in held.items() if count > 1)


def _compare_order(connection: sqlite3.Connection, faults: Faults) -> None:
    written: dict[str, int] = dict(connection.execute("SELECT memory_id, min(seq) FROM ledger GROUP BY memory_id"))
    last: dict[int, int] = {}
    turns = connection.execute("SELECT lane_id, event_id FROM events WHERE kind = 'turn_spoken' ORDER BY seq")
    for lane, event_id in turns:
        place = written.get(memory_id(TENANT, AGENT, event_id, "conversation", 0))
        if place is None:
            continue
        if place < last.get(lane, 0):
            faults.disordered.append(f"turn {event_id}")
        last[lane] = place


def _compare_chains(connection: sqlite3.Connection, faults: Faults) -> None:
    """Each row of a memory names the one before it, and the table of memories points at the last."""
    last: dict[str, tuple[int, bytes | None]] = {}
    for seq, key, prev, after in connection.execute("SELECT seq, memory_id, prev, after FROM ledger ORDER BY seq"):
        if last.get(key, (None, None))[0] != prev:
            faults.disagreeing.append(f"row {seq} of the ledger does not follow {prev}")
        last[key] = (seq, after)
    for key, seq, status in connection.execute("SELECT memory_id, seq, status FROM memories"):
        at, after = last.pop(key, (None, None))
        stored = None if after is None else json.loads(unpacked(after)).get("storeStatus", "valid")
        if (at, stored) != (seq, status):
            faults.disagreeing.append(f"memory {key} is {status} at {seq} in the table, {stored} at {at} in the ledger")
    faults.disagreeing.extend(f"memory {key} is in the ledger only" for key in last)
