"""What is forgotten is told by no operation, until it is undone: every operation that answers is asked, whatever time
it is asked about. One that is added and is neither asked here nor known to tell nothing fails."""

import gzip
import zipfile
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from agentmem.adapters.cognition.rules import RulesCognition
from agentmem.answers.answer import AskQuery
from agentmem.assets.document_record import documents_of
from agentmem.domain.event import Person
from agentmem.domain.memory import MemoryNode, MemoryType, StoreStatus
from agentmem.domain.scope import Grant, Principal, Scope
from agentmem.errors import NotFound
from agentmem.ledger.listing import ALL
from agentmem.memory.forget_plan import Meant
from agentmem.ports.ledger import Selection
from agentmem.retrieval.query import RecallQuery
from agentmem.runtime.facade.app import App
from agentmem.runtime.host.clocks import ManualClock
from tests.architecture.test_access import ruled
from tests.fixtures.talking_model import Says, Speaker
from tests.support.nodes import AGENT, TENANT
from tests.support.spine import LATER, SCOPE, quiet_persona, spine

TOM = Person(name="Tom")
OLD, NEW, UNREAD = "555-0142", "555-0177", "555-0199"
FIANCE = "Zephyrine"
PHONE = (OLD, NEW, UNREAD)
BUDGET = ("40 thousand", "60 thousand")
TOLD = (
    (f"My phone number is {OLD}. I live in Oslo.", False),
    (f"Noted, {OLD} it is.", True),
    ("My budget is 40 thousand dollars. I like green tea.", False),
    (f"My phone number is {NEW} now.", False),
    ("My budget is 60 thousand dollars now.", False),
    (f"I work at Acme with {FIANCE}.", False),
)

SILENT = """
    App.accept App.drain App.forget_agent App.know_agent App.revoke App.say App.serve App.undo Bundles.import_
    Copies.discard Copies.lineages Copies.made_from Copies.origin Copies.release Editing.read Editing.stamp
    Graphs.rebuild Indexing.optimise Indexing.rebuild Library.ingest Library.learn Library.admitted Library.introduced
    Records.agent Records.agents Records.asked_of Talks.end Talks.ready Upkeep.backup Upkeep.backups
    Upkeep.compact Upkeep.depth
    Upkeep.depth_of Upkeep.drop_dead Upkeep.index Upkeep.problems Upkeep.receipt Upkeep.remains Upkeep.retry_dead
    Upkeep.setback
    Records.check_granted Records.event Tokens.all Tokens.bearer Tokens.create Tokens.end_revoked Tokens.revoke
    Upkeep.give_up_debt Library.take_in Library.end Inspecting.overview Inspecting.talks Inspecting.unread
    Inspecting.why_nothing Inspecting.changed_by
"""
"""Operations that answer with nothing anybody said."""

OF_THE_OWNER = frozenset({"Upkeep.changes", "Records.history", "Inspecting.forgotten"})
"""What the owner alone is told."""

BY_HAND = frozenset(
    {"Editing.edit", "Editing.write", "Editing.end", "Editing.bring_back", "Editing.settle"}
    | {"Graphs.merge", "Graphs.split", "App.add", "Talks.forget"}
)
"""Operations that answer with what they are given, or with what they took away."""


def queries() -> list[RecallQuery]:
    times: list[dict[str, Any]] = [
        {},
        *({"as_of": LATER + timedelta(minutes=minutes)} for minutes in (2, 40, 90)),
        *({"known_at": LATER + timedelta(minutes=minutes)} for minutes in (2, 40, 90)),
        {"as_of": LATER + timedelta(minutes=2), "known_at": LATER + timedelta(minutes=90)},
    ]
    texts = ("What is Tom's phone number?", "What was Tom's budget before?", f"Who is {FIANCE}?", OLD)
    return [RecallQuery(SCOPE, text, 50, hops=2, **time) for text in texts for time in times]


async def asked(app: App) -> list[object]:
    modes = ("auto", "vector", "local", "global", "hybrid", "traverse", "temporal")
    texts = ("What is Tom's phone number?", "What was Tom's budget before?", "What is known about Tom?")
    found: list[object] = []
    for text in texts:
        for mode in modes:
            query = AskQuery(SCOPE, text, mode)
            reply = await app.ask(query)
            found += [reply, await app.library.replay(reply, query)]
        found.append(await app.ask(AskQuery(SCOPE, text, as_of=LATER + timedelta(minutes=2))))
        found.append(await app.ask(AskQuery(SCOPE, text, known_at=LATER + timedelta(minutes=90))))
    return found


async def graph(app: App) -> list[object]:
    memories = await app.memories(Selection(SCOPE))
    found: list[object] = [
        await app.graph.drawn(SCOPE),
        await app.graph.entities(SCOPE),
        await app.graph.communities(AGENT),
        await app.graph.edges(SCOPE, "phone number of Tom"),
        await app.graph.edges_of(SCOPE, memories),
    ]
    for entity in {key for node in memories.memories for key in node.entity_ids}:
        found.append(await app.graph.around(SCOPE, entity, hops=2))
        found.append(await app.graph.around(SCOPE, entity, hops=2, as_of=LATER))
    for name in ("Tom", FIANCE, "Acme"):
        try:
            found.append(await app.graph.show(SCOPE, name, hops=2))
            found.append(await app.graph.path(SCOPE, "Tom", name))
            found.append(await app.graph.neighbourhood(SCOPE, name, hops=2, as_of=LATER))
        except NotFound:
            continue
    return found


async def listed(app: App) -> list[object]:
    found: list[object] = []
    for statuses in ((), tuple(StoreStatus), (StoreStatus.DELETED,)):
        for at in (None, *(LATER + timedelta(minutes=minutes) for minutes in (2, 40, 90))):
            for wanted in (
                Selection(SCOPE, tuple(MemoryType), statuses, known_at=at),
                Selection(SCOPE, tuple(MemoryType), statuses, as_of=at),
            ):
                found += [await app.memories(wanted), await app.memories(wanted, valid=True)]
    return found


async def left(app: App, folder: Path) -> list[object]:
    """What is in files that leave."""
    bundle, markdown, card = folder / "a.zip", folder / "a.md", folder / "card.json"
    await app.bundles.export(AGENT, bundle, force=True)
    await app.bundles.export_markdown(AGENT, markdown, force=True)
    await app.bundles.export_card(AGENT, card, force=True)
    with zipfile.ZipFile(bundle) as archive:
        inside = [archive.read(name) for name in archive.namelist()]
    return [_unpacked(raw) for raw in (*inside, markdown.read_bytes(), card.read_bytes())]


def _unpacked(raw: bytes) -> str:
    return (gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw).decode(errors="replace")


async def cloned(app: App, _: Path) -> list[object]:
    number = len(await app.records.agents())
    twin = Scope(TENANT, f"twin-{number}")
    await app.copies.clone(AGENT, twin.agent)
    nodes = await app.memories(Selection(twin, tuple(MemoryType), tuple(StoreStatus)))
    return [nodes, *[await app.journal.ledger.history(TENANT, node.memory_id) for node in nodes]]


async def talked(app: App) -> list[object]:
    known = await app.talks.known(AGENT, TOM)
    reminded = await app.talks.remind(AGENT, TOM, "What is my phone number, and my budget?", run_id="r")
    return [known, reminded, await app.talks.turns(AGENT, TOM), await app.talks.title(AGENT, TOM)]


async def by_id(app: App) -> list[object]:
    known = await app.journal.ledger.since(0, limit=10_000)
    ids = [one.memory_id for one in known if one.node and one.node.agent_id == AGENT]
    times = (None, LATER + timedelta(minutes=2), LATER + timedelta(minutes=90))
    found: list[object] = [await app.records.get(ids, known_at=time) for time in times]
    found += [await app.records.beginning(key[:8]) for key in ids[:40]]
    nodes: Mapping[str, MemoryNode] = await app.records.get(ids)
    return [*found, await app.words(list(nodes.values())), await app.memories(Selection(SCOPE, limit=ALL))]


async def resting(app: App) -> object:
    known = await app.journal.ledger.since(0, limit=10_000)
    own = [one.memory_id for one in known if one.lane.agent == AGENT]  # as in `runs`
    return await app.records.inspecting.resting_on(own)


async def ends(app: App) -> list[object]:
    known = await app.journal.ledger.since(0, limit=10_000)
    own = [one.memory_id for one in known if one.lane.agent == AGENT]  # as in `runs`
    turns = await app.records.inspecting.turns(SCOPE, limit=500)
    by_talk = [[turn for turn in turns if turn.run_id == run] for run in dict.fromkeys(turn.run_id for turn in turns)]
    found: list[object] = [await app.records.inspecting.ended_in(talk) for talk in by_talk]
    entries = [entry for key in own for entry in await app.journal.ledger.history(TENANT, key)]
    return found + [await app.records.inspecting.ended_by(entry.memory_id, entry.run) for entry in entries]


async def runs(app: App) -> list[object]:
    known = await app.journal.ledger.since(0, limit=10_000)
    own = [one.memory_id for one in known if one.lane.agent == AGENT]  # copies that were made before are others'
    entries = [entry for key in own for entry in await app.journal.ledger.history(TENANT, key)]
    return [await app.records.of_run(run) for run in dict.fromkeys(entry.run for entry in entries)]


async def others(app: App) -> list[str]:
    return await app.records.told_of(Scope(TENANT, AGENT, await target(app)))


Reader = Callable[[App, Path], Awaitable[object]]


async def recalled(app: App, _: Path) -> object:
    return [(await app.recall(query), await app.context(query)) for query in queries()]


async def ending(app: App) -> object:
    return [await app.library.preview_end(record) for record in await app.memories(documents_of(Scope(TENANT, AGENT)))]


READERS: dict[str, Reader] = {
    "App.recall App.context": recalled,
    "App.memories": lambda app, _: listed(app),
    "App.targets": lambda app, _: app.targets(SCOPE, FIANCE),
    "App.preview_reflection App.reflect": lambda app, _: app.preview_reflection(SCOPE),
    "App.forget": lambda app, _: app.forget(Meant(SCOPE, query="phone and budget"), dry_run=True),
    "App.words Records.get Records.beginning Records.all_in": lambda app, _: by_id(app),
    "App.ask Library.replay": lambda app, _: asked(app),
    "Graphs.drawn Graphs.entities Graphs.communities Graphs.edges Graphs.edges_of Graphs.show Graphs.path "
    "Graphs.neighbourhood Graphs.around": (lambda app, _: graph(app)),
    "Bundles.export Bundles.export_markdown Bundles.export_card": left,
    "Library.preview_end": lambda app, _: ending(app),
    "Copies.clone Copies.hire Copies.preview_hire": cloned,
    "Talks.known Talks.remind Talks.reply Talks.reply_to_last Talks.title Talks.turns": lambda app, _: talked(app),
    "Records.told_of Records.reflections": lambda app, _: others(app),
    "Records.of_run": lambda app, _: runs(app),
    "Inspecting.resting_on": lambda app, _: resting(app),
    "Inspecting.ended_in Inspecting.ended_by": lambda app, _: ends(app),
    "Inspecting.turns": lambda app, _: app.records.inspecting.turns(SCOPE, limit=500),
    "Records.changes": lambda app, _: app.records.changes(SCOPE, after="0"),
    "Upkeep.dead": lambda app, _: app.upkeep.dead(),
    "Indexing.verify": lambda app, _: app.index.verify(),
}


def test_every_operation_is_asked_or_tells_nothing() -> None:
    named = {name for names in READERS for name in names.split()} | {*SILENT.split()} | OF_THE_OWNER | BY_HAND
    assert {name for name, _ in ruled()} - named == set()


@asynccontextmanager
async def remembered(folder: Path, chat: Speaker | None = None) -> AsyncGenerator[App]:
    """Tom has told all of it over an hour, and the last of it nobody has read yet."""
    clock = ManualClock(LATER)
    speaks = None if chat is None else chat.chat
    async with spine(folder, RulesCognition(), clock=clock, persona=quiet_persona(), speaks=speaks) as app:
        for text, by_agent in TOLD:
            clock.advance(timedelta(minutes=10))
            await app.say(AGENT, TOM, text, by_agent=by_agent, run_id="r")
        await app.talks.end(AGENT, TOM, run_id="r")
        await app.drain()
        await app.reflect(SCOPE)
        await app.drain()
        clock.advance(timedelta(minutes=10))
        await app.say(AGENT, TOM, f"You can also call {UNREAD}, that is my phone number at work.", run_id="s")
        clock.advance(timedelta(minutes=30))
        yield app


async def told(app: App, folder: Path) -> dict[str, str]:
    return {names: repr(await read(app, folder)) for names, read in READERS.items()}


WAYS: dict[str, tuple[str, ...]] = {"my phone number": PHONE, "forget my budget": BUDGET}


@pytest.mark.thorough
@pytest.mark.parametrize("query", WAYS)
async def test_what_a_wish_names_is_told_by_nobody(tmp_path: Path, query: str) -> None:
    async with remembered(tmp_path) as app:
        before = await told(app, tmp_path)
        assert all(any(word in text for text in before.values()) for word in WAYS[query])
        done = await app.forget(Meant(Scope(TENANT, AGENT, await target(app)), query=query))
        await nobody_tells(app, tmp_path, WAYS[query], "at once")
        await app.drain()
        await nobody_tells(app, tmp_path, WAYS[query], "when all was read")
        assert "Oslo" in repr(await recalled(app, tmp_path))
        assert done.run
        report = await app.undo(done.run)
        assert report.blocked == ()
        await app.drain()
        assert WAYS[query][0] in repr(await recalled(app, tmp_path))


async def test_a_person_is_told_by_nobody(tmp_path: Path) -> None:
    async with remembered(tmp_path) as app:
        words = (*PHONE, *BUDGET, "Oslo", "green tea", FIANCE, "Acme")
        await app.forget(Meant(Scope(TENANT, AGENT, await target(app))))
        await nobody_tells(app, tmp_path, words, "at once")
        await app.drain()
        await nobody_tells(app, tmp_path, words, "when all was read")


async def test_a_memory_goes_with_its_earlier_values_and_its_words(tmp_path: Path) -> None:
    async with remembered(tmp_path) as app:
        await app.drain()
        (now,) = [
            node
            for node in await app.memories(Selection(SCOPE, statuses=(StoreStatus.VALID,)))
            if node.attribute == "budget" and node.memory_type is MemoryType.OBSERVATION
        ]
        await app.forget(Meant(SCOPE, ids=(now.memory_id,)))
        await nobody_tells(app, tmp_path, BUDGET, "at once")


async def test_its_history_is_the_owners_alone(tmp_path: Path) -> None:
    reader = Principal("reader", TENANT, {AGENT: frozenset({Grant.READ, Grant.WRITE})})
    async with remembered(tmp_path) as app:
        gone = (await app.forget(Meant(Scope(TENANT, AGENT, await target(app)), query="my phone number"))).gone
        other = app.for_principal(reader)
        await nothing_by_id(app, other)
        await app.drain()  # which makes the communities anew
        await nothing_by_id(app, other)
        told_to_owner = [await app.records.history(node.memory_id) for node in gone]
        assert OLD in repr(told_to_owner)
        assert await app.records.get([gone[0].memory_id], forgotten=True)


async def nothing_by_id(app: App, other: App) -> None:
    for one in await app.journal.ledger.since(0, limit=10_000):
        told = repr([await other.records.history(one.memory_id)])
        told += repr(await other.records.get([one.memory_id], forgotten=True))
        told += repr(await other.records.beginning(one.memory_id[:8], forgotten=True))
        assert not [word for word in PHONE if word in told]


async def test_what_is_kept_is_as_it_was(tmp_path: Path) -> None:
    async with remembered(tmp_path) as app:
        await app.drain()
        kept = [node for node in await app.memories(Selection(SCOPE)) if "Oslo" in node.content and node.attribute]
        assert kept
        await app.forget(Meant(Scope(TENANT, AGENT, await target(app)), query="forget my phone but keep my address"))
        found = await app.records.get([node.memory_id for node in kept])
        assert [found.get(node.memory_id) for node in kept] == kept


async def nobody_tells(app: App, folder: Path, words: tuple[str, ...], when: str) -> None:
    answers = await told(app, folder)
    telling = {(names, word) for names, text in answers.items() for word in words if word in text}
    assert telling == set(), when


async def target(app: App) -> str:
    (found, *_) = await app.targets(SCOPE, "Tom")
    return found


async def test_no_prompt_of_a_talk_tells_it(tmp_path: Path) -> None:
    model = Speaker(lambda number, text: Says("Fine."))
    async with remembered(tmp_path, model) as app:
        for text in ("Please forget my phone number.", "What is my phone number?"):
            async with app.talks.reply(AGENT, TOM, text, run_id="s") as reply:
                async for _ in reply:
                    pass
        assert not [word for word in PHONE for seen in model.seen if word in seen]
