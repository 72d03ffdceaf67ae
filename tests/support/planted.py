"""A person remembered in every place a store has, with words in each that can be searched for."""

import os
import signal
from collections.abc import Iterator, Sequence
from pathlib import Path

from agentmem.adapters.journal.erasing import SqlEraser
from agentmem.adapters.memory_index.seal import data_blocks
from agentmem.domain.change import Change
from agentmem.domain.episode import episode_id
from agentmem.domain.event import PerceptSensed, TurnSpoken
from agentmem.domain.ids import entity_id
from agentmem.domain.memory import Evidence, MemoryNode, MemoryType, Modality
from agentmem.domain.packed import readable_in
from agentmem.domain.payload import CustomPayload
from agentmem.domain.scope import Scope
from agentmem.ledger.projection import Projector
from agentmem.memory.forget_plan import Meant
from agentmem.ports.embedder import text_key
from agentmem.ports.ledger import Commit
from agentmem.ports.work_queue import NewJob
from agentmem.runtime.facade.app import App
from tests.support.nodes import AGENT, LUO, NOON, TARGET, TENANT, a_memory, a_turn
from tests.support.spine import spine

CANARY = "zaunkoenig"
HERS = entity_id(TENANT, AGENT, "王芳")


async def plant(app: App, count: int) -> tuple[TurnSpoken, ...]:
    """Let 罗小东 say `count` things and make memories of them, changed once; 王芳 says a few of her own."""
    ours = tuple(
        a_turn(f"{CANARY}-said-{number}", number, run=f"{CANARY}-run", meta={"caption": f"{CANARY}-shown-{number}"})
        for number in range(count)
    )
    theirs = [a_turn(f"amsel-{number}", number, run="hers", target_id=HERS) for number in range(5)]
    sensed = [_reading(number) for number in range(3)]
    await app.accept([*ours, *theirs, *sensed])
    await app.drain()
    mine = [_about(number, turn) for number, turn in enumerate(ours)]
    await _write(app, f"{CANARY}-made", [Change(act="add", after=node) for node in mine])
    changed = [node.revised(content=f"{CANARY}-later-{node.value}", revision=2) for node in mine]
    pairs = zip(mine, changed, strict=True)
    await _write(app, f"{CANARY}-changed", [Change(act="refresh", before=old, after=new) for old, new in pairs])
    await _write(app, "hers", [Change(act="add", after=_of_hers(turn)) for turn in theirs])
    await _keep_vectors(app, [*mine, *changed])
    await _leave_work(app, ours)
    await app.searchable.projector.catch_up()
    return ours


def _reading(number: int) -> PerceptSensed:
    return PerceptSensed(
        event_id=f"{CANARY}-percept-{number}",
        tenant=TENANT,
        agent_id=AGENT,
        agent_name="小美",
        target_id=TARGET,
        at=NOON,
        person=LUO,
        sensor=f"{CANARY}-sensor",
        reading=f"{CANARY}-reading-{number}",
        unit=CANARY,
    )


def _about(number: int, turn: TurnSpoken) -> MemoryNode:
    return a_memory(
        f"{CANARY}-content-{number}",
        key=(f"{CANARY}-key-{number}",),
        kind=f"{CANARY}-kind",
        attribute=f"{CANARY}-attribute",
        value=f"{CANARY}-value-{number}",
        speaker=f"{CANARY}-speaker",
        run_id=f"{CANARY}-run",
        memory_type=MemoryType.INSIGHT if number % 3 else MemoryType.OBSERVATION,
        modality=Modality.INFERRED,
        meta_data={"caption": f"{CANARY}-caption-{number}", "history": [f"{CANARY}-history"], "deep": {"er": [CANARY]}},
        source_ids=(episode_id(turn),),
        evidence=(Evidence(memory_id=episode_id(turn), start=0, end=len(turn.text)),),
    )


def _of_hers(turn: TurnSpoken) -> MemoryNode:
    return a_memory(f"王芳说过:{turn.text}", target_id=HERS, target_name="王芳", source_ids=(episode_id(turn),))


async def _write(app: App, run: str, changes: Sequence[Change]) -> None:
    await app.journal.ledger.commit(Commit(TENANT, run, "observation", NOON, tuple(changes)))


async def _keep_vectors(app: App, nodes: Sequence[MemoryNode]) -> None:
    texts = {text for node in nodes for text in (node.content, *node.key)}
    await app.journal.vectors.put("another", {text_key(text): f"{CANARY}-vector-{text}".encode() for text in texts})


async def _leave_work(app: App, ours: Sequence[TurnSpoken]) -> None:
    """A job that is dead of its words, one with an outcome written down, one that was made of a reading."""
    queue, lane = app.journal.queue, ours[0].lane
    received = await app.journal.events.of_lane(lane, after=0, limit=9)
    seqs = tuple(item.seq for item in received[:2])
    payload = CustomPayload(data=f"{CANARY}-note")
    for number, fate in enumerate(("dies", "waits")):
        await queue.enqueue([NewJob(f"job-{number}", lane, "observation", number, seqs, payload)])
        claim = await queue.claim({"observation": 1})
        assert claim
        await queue.stage(claim, claim.jobs[0].job_id, f"{CANARY}-outcome")
        retry_in = None if fate == "dies" else 3_000.0
        await queue.fail(claim, claim.jobs[0].job_id, reason=f"{CANARY}-reason", retry_in=retry_in)


async def die_while_erasing(folder: Path, step: str) -> None:
    """Plant twenty memories, erase them, and be killed as soon as the erasure comes to `step`."""

    async def die(*_: object, **__: object) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    async with spine(folder) as app:
        await plant(app, 20)
        owner = Projector if hasattr(Projector, step) else SqlEraser
        setattr(owner, step, die)
        await app.forget(Meant(Scope(TENANT, AGENT, TARGET)), erase=True)


def places_with(folder: Path, text: str) -> list[str]:
    """The files below the folder that hold the text somewhere."""
    return [name for name, content in _contents(folder) if text.encode() in content]


def absent(folder: Path, texts: Sequence[str]) -> set[str]:
    """Those of the texts that no file below the folder holds."""
    missing = set(texts)
    for _, content in _contents(folder):
        missing -= {text for text in missing if text.encode() in content}
    return missing


def _contents(folder: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            yield path.relative_to(folder).as_posix(), legible(path)


def legible(path: Path) -> bytes:
    """The bytes of a file but for blocks of zeros, most of a small index, and what the packed texts in it say."""
    raw = b"".join(block for _, block in data_blocks(path))
    return b"\n".join((raw, *readable_in(raw)))
