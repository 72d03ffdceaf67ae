"""What is ended, replaced, brought back or decided by hand leaves no dispute with what is over."""

from datetime import timedelta
from pathlib import Path

import pytest

from agentmem.adapters.cognition.rules.engine import RulesCognition
from agentmem.domain.change import Change
from agentmem.domain.memory import Ending, MemoryNode, MemoryType
from agentmem.domain.scope import Scope
from agentmem.errors import InvalidInput
from agentmem.ports.ledger import Commit, Selection
from agentmem.runtime.facade.app import App
from agentmem.runtime.facade.editing import Editing
from agentmem.runtime.host.clocks import ManualClock
from tests.support.nodes import AGENT, TENANT
from tests.support.served import Served, served

SCOPE = Scope(TENANT, AGENT)


async def the(server: Served, has: str) -> MemoryNode:
    """The observation that says this."""
    nodes = (await server.app.memories(Selection(SCOPE, (MemoryType.OBSERVATION,)))).memories
    return next(node for node in nodes if has in node.content)


def later(server: Served, days: float = 1) -> None:
    clock = server.app.clock
    assert isinstance(clock, ManualClock)
    clock.advance(timedelta(days=days))


async def numbers(server: Served, *said: str) -> list[MemoryNode]:
    """Tom's numbers, each of which took the place of the one before until all were brought back."""
    for number in said:
        later(server)
        await server.app.add(AGENT, "Tom", f"I have a new phone number: 555-{number}.")
    for number in said[:-1]:
        await server.app.editing.bring_back((await the(server, number)).memory_id)
    return [await the(server, number) for number in said]


async def test_what_is_decided_to_be_wrong_disputes_nothing_any_more(tmp_path: Path) -> None:
    async with served(tmp_path, RulesCognition()) as server:
        one, other, third = await numbers(server, "0142", "0155", "0199")
        assert set(third.conflicts_with) == {one.memory_id, other.memory_id}
        await server.app.editing.settle(one.memory_id, other.memory_id, wrong=one.memory_id)
        wrong, right, beside = [await the(server, number) for number in ("0142", "0155", "0199")]
        assert (wrong.ending, wrong.conflicts_with) == (Ending.RETIRED, ())
        assert (right.conflicts_with, beside.conflicts_with) == ((third.memory_id,), (other.memory_id,))
        await server.app.undo((await server.app.records.history(one.memory_id))[-1].run)
        assert [await the(server, number) for number in ("0142", "0155", "0199")] == [one, other, third]


async def test_what_replaces_a_disputed_memory_has_its_dispute(tmp_path: Path) -> None:
    async with served(tmp_path, RulesCognition()) as server:
        one, rival = await numbers(server, "0142", "0199")
        later(server)
        since = server.app.clock.now() - timedelta(hours=1)
        after = await server.app.editing.edit(one.memory_id, one.content.replace("0142", "0177"), since=since)
        ended, rival = await the(server, "0142"), await the(server, "0199")
        assert (ended.ending, ended.conflicts_with) == (Ending.SUPERSEDED, ())
        assert (after.conflicts_with, rival.conflicts_with) == ((rival.memory_id,), (after.memory_id,))
        assert (await the(server, "0177")).supersedes == (ended.memory_id,)


async def test_what_replaces_a_memory_with_the_value_of_its_rival_disputes_nothing(tmp_path: Path) -> None:
    async with served(tmp_path, RulesCognition()) as server:
        one, rival = await numbers(server, "0142", "0199")
        later(server)
        since = server.app.clock.now() - timedelta(hours=1)
        after = await server.app.editing.edit(one.memory_id, one.content.replace("0142", "0199"), since=since)
        held = (await server.app.records.get([one.memory_id, rival.memory_id])).values()
        assert [after.conflicts_with, *(node.conflicts_with for node in held)] == [(), (), ()]


async def test_a_dispute_with_what_is_over_is_not_decided(tmp_path: Path) -> None:
    async with served(tmp_path, RulesCognition()) as server:
        old, new = await numbers(server, "0142", "0199")
        over = old.ended(at=server.app.clock.now(), now=server.app.clock.now())
        ending = Change(act="end", before=old, after=over)
        await server.app.journal.ledger.commit(Commit(TENANT, "over", "edit", server.app.clock.now(), (ending,)))
        for wrong in (old.memory_id, new.memory_id, None):
            with pytest.raises(InvalidInput, match=f"{old.memory_id} no longer holds"):
                await server.app.editing.settle(new.memory_id, old.memory_id, wrong=wrong)
        assert await the(server, "0142") == over


async def test_what_is_linked_while_a_memory_is_ended_is_unlinked_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with served(tmp_path, RulesCognition()) as server:
        await server.app.add(AGENT, "Tom", "I live in Oslo. I play the violin.")
        one, other = await the(server, "Oslo"), await the(server, "violin")
        commit, meanwhile = Editing._commit, [(one, other), (other, one)]  # pyright: ignore[reportPrivateUsage]

        async def first_linked(self: Editing, changes: tuple[Change, ...], cause: str) -> None:
            if meanwhile:
                links = tuple(_linked(node, beside) for node, beside in meanwhile)
                meanwhile.clear()
                await commit(self, links, "observation")
            await commit(self, changes, cause)

        monkeypatch.setattr(Editing, "_commit", first_linked)
        await server.app.editing.end(one.memory_id)
        one, other = await the(server, "Oslo"), await the(server, "violin")
        assert (one.ending, one.conflicts_with, other.conflicts_with) == (Ending.ENDED, (), ())


def _linked(node: MemoryNode, beside: MemoryNode) -> Change:
    after = node.revised(conflicts_with=(beside.memory_id,), revision=node.revision + 1)
    return Change(act="link", before=node, after=after)


async def test_what_was_bound_to_a_time_that_is_over_is_not_brought_back(tmp_path: Path) -> None:
    async with served(tmp_path, RulesCognition()) as server:
        await server.app.add(AGENT, "Tom", "I am on holiday until Friday.")
        node = await the(server, "holiday")
        assert node.invalid_at is not None
        later(server)
        await server.app.editing.end(node.memory_id)
        over = await the(server, "holiday")
        back = await server.app.editing.bring_back(node.memory_id)
        assert back.is_valid(server.app.clock.now())
        await server.app.undo((await server.app.records.history(node.memory_id))[-1].run)
        later(server, 30)
        with pytest.raises(InvalidInput, match=r"its time is over since 2026-03-14"):
            await server.app.editing.bring_back(node.memory_id)
        assert await the(server, "holiday") == over


async def test_a_memory_is_not_over_since_the_moment_from_which_it_holds(tmp_path: Path) -> None:
    async with served(tmp_path, RulesCognition()) as server:
        await server.app.add(AGENT, "Tom", "I live in Oslo.")
        node = await the(server, "Oslo")
        later(server)
        with pytest.raises(InvalidInput, match=r"holds only from 2026-03-\d\dT\S+ on"):
            await server.app.editing.end(node.memory_id, since=node.valid_at)
        over = await server.app.editing.end(node.memory_id, since=node.valid_at + timedelta(microseconds=1))
        assert over.invalid_at == node.valid_at + timedelta(microseconds=1)


async def test_of_two_in_dispute_the_one_that_is_said_again_stays(tmp_path: Path) -> None:
    async with served(tmp_path, RulesCognition()) as server:
        old, new = await numbers(server, "0142", "0199")
        later(server)
        await server.app.add(AGENT, "Tom", "My phone number is 555-0199.")
        assert await _endings(server.app, old, new) == [Ending.SUPERSEDED, None]


async def _endings(app: App, *nodes: MemoryNode) -> list[Ending | None]:
    held = await app.records.get([node.memory_id for node in nodes])
    return [held[node.memory_id].ending for node in nodes]


async def test_over_http_nothing_need_be_said_to_end_a_memory_and_nothing_can_be_to_bring_it_back(
    tmp_path: Path,
) -> None:
    async with served(tmp_path, RulesCognition()) as server, server.client() as api:
        await server.app.add(AGENT, "Tom", "I live in Oslo.")
        path = f"/v1/memories/{(await the(server, 'Oslo')).memory_id}"
        later(server)
        over = await api.post(f"{path}/end")
        assert (over.status_code, over.json()["memory"]["ending"]) == (200, "ended")
        refused = await api.post(f"{path}/bring-back", json={"since": "2026-03-01"})
        assert (refused.status_code, refused.json()["code"]) == (422, "InvalidInput")
        assert (await the(server, "Oslo")).ending is Ending.ENDED
        sent = {"Content-Type": "application/json"}
        for body in (b"", b"{}"):
            assert (await api.post(f"{path}/bring-back", content=body, headers=sent)).status_code == 200
            assert (await api.post(f"{path}/end", content=body, headers=sent)).status_code == 200
