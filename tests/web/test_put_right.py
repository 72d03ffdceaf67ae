"""What an owner can and cannot put right on the pages: turns stay as they were said, what ended wrongly comes back."""

from datetime import datetime, timedelta
from pathlib import Path

import pytest

from agentmem.adapters.cognition.rules.engine import RulesCognition
from agentmem.domain.change import Change
from agentmem.domain.memory import Ending, MemoryNode, MemoryType
from agentmem.domain.scope import Scope
from agentmem.errors import InvalidInput
from agentmem.interfaces.web.wording import PageLanguage, words_of
from agentmem.memory.relation import told_apart
from agentmem.ports.ledger import Commit, Selection
from agentmem.runtime.host.clocks import ManualClock
from tests.support.nodes import AGENT, NOON, TENANT
from tests.support.served import Served, served
from tests.support.site import sent, visitor

SCOPE = Scope(TENANT, AGENT)


async def the(server: Served, has: str, layer: MemoryType = MemoryType.OBSERVATION) -> MemoryNode:
    """The memory of that layer that says this."""
    nodes = (await server.app.memories(Selection(SCOPE, (layer,)))).memories
    return next(node for node in nodes if has in node.content)


async def test_a_turn_stays_as_it_was_said_whoever_tries_to_correct_it(tmp_path: Path) -> None:
    async with served(tmp_path, RulesCognition()) as server, visitor(server) as client:
        await server.app.add(AGENT, "Tom", "I live in Oslo.")
        turn = await the(server, "Oslo", MemoryType.CONVERSATION)
        path = f"/memories/{turn.memory_id}"
        page = (await client.get(path)).text
        assert 'id="edit"' not in page
        assert "A turn stays as it was said." in page
        refused = await sent(client, f"{path}/edit", {"content": "I live in Rome.", "revision": "1"}, on=path)
        assert refused.status_code == 422
        with pytest.raises(InvalidInput, match="is a turn, kept as it was said"):
            await server.app.editing.edit(turn.memory_id, "I live in Rome.")
        async with server.client() as api:
            answer = await api.patch(f"/v1/memories/{turn.memory_id}", json={"content": "I live in Rome."})
            assert (answer.status_code, answer.json()["code"]) == (422, "InvalidInput")
        assert (await server.app.records.get([turn.memory_id]))[turn.memory_id].content == "I live in Oslo."
        noted = await server.app.editing.edit(turn.memory_id, turn.content, {"checked": True})
        assert (noted.content, noted.meta_data["checked"]) == (turn.content, True)


@pytest.mark.parametrize("since", [None, NOON])
async def test_a_memory_is_never_left_without_words(tmp_path: Path, since: datetime | None) -> None:
    async with served(tmp_path, RulesCognition()) as server:
        await server.app.add(AGENT, "Tom", "I live in Oslo.")
        node = await the(server, "Oslo")
        with pytest.raises(InvalidInput, match=r"^content: must not be empty$"):
            await server.app.editing.edit(node.memory_id, " \n", since=since)
        async with server.client() as api:
            answer = await api.patch(f"/v1/memories/{node.memory_id}", json={"content": "   "})
            assert answer.status_code == 422
            assert "content: must not be empty" in answer.text
        assert (await the(server, "Oslo")).content == node.content


async def called_off(server: Served) -> MemoryNode:
    """What Tom said in one turn, and called off in another of a talk."""
    await server.app.add(AGENT, "Tom", "We meet on Friday at ten.", run_id="talk")
    await server.app.add(AGENT, "Tom", "The meeting is cancelled.", run_id="talk")
    return await the(server, "meets")


async def test_a_memory_that_ended_names_the_turn_that_ended_it_and_that_turn_names_the_memory(
    tmp_path: Path,
) -> None:
    async with served(tmp_path, RulesCognition()) as server, visitor(server) as client:
        ended = await called_off(server)
        assert (ended.ending, ended.superseded_by) == (Ending.ENDED, None)
        page = (await client.get(f"/memories/{ended.memory_id}")).text
        why = page.partition('id="ended"')[2].partition("</section>")[0]
        assert "The meeting is cancelled." in why
        turn = await the(server, "cancelled", MemoryType.CONVERSATION)
        assert f"#turn-{turn.memory_id}" in why
        record = (await client.get(f"/agents/{AGENT}/people/{ended.target_id}/talk?run=talk")).text
        first, second = record.split('<li id="turn-')[1:]
        assert "Ended by it:" in second
        assert f"/memories/{ended.memory_id}" in second
        assert "Nothing" not in second
        assert "Ended by it:" not in first


async def test_a_memory_that_was_replaced_names_the_words_of_what_replaced_it(tmp_path: Path) -> None:
    async with served(tmp_path, RulesCognition()) as server, visitor(server) as client:
        await server.app.add(AGENT, "Tom", "My phone number is 555-0142.")
        await server.app.add(AGENT, "Tom", "I have a new phone number: 555-0199.")
        old = await the(server, "0142")
        page = (await client.get(f"/memories/{old.memory_id}")).text
        why = page.partition('id="ended"')[2].partition("</section>")[0]
        assert "555-0199</mark>" in why


async def test_what_ended_wrongly_comes_back_alone_and_that_can_be_undone(tmp_path: Path) -> None:
    async with served(tmp_path, RulesCognition()) as server, visitor(server) as client:
        ended = await called_off(server)
        path = f"/memories/{ended.memory_id}"
        back = await sent(client, f"{path}/back", {}, on=path)
        assert back.headers["location"] == path
        page = (await client.get(path)).text
        assert "The memory holds again." in page
        assert "<strong>Brought back</strong>" in page
        held = await the(server, "meets")
        added = (await server.app.records.history(ended.memory_id))[0].change.after
        assert added is not None
        assert (held.ending, held.invalid_at, held.expired_at) == (None, added.invalid_at, None)
        assert "meets" in (await server.app.recall("When do we meet?", agent=AGENT)).hits[0].memory.content
        run = (await server.app.records.history(ended.memory_id))[-1].run
        await sent(client, "/undo", {"run": run, "back": path}, on=path)
        assert await the(server, "meets") == ended
        assert (await sent(client, f"{path}/back", {}, on=path)).status_code == 303
        assert (await sent(client, f"{path}/back", {}, on=path)).status_code == 422


async def replaced(server: Served) -> tuple[MemoryNode, MemoryNode]:
    """A number of Tom's, and the one that took its place."""
    await server.app.add(AGENT, "Tom", "My phone number is 555-0142.")
    await server.app.add(AGENT, "Tom", "I have a new phone number: 555-0199.")
    return await the(server, "0142"), await the(server, "0199")


async def test_another_value_of_a_slot_comes_back_beside_what_replaced_it_and_the_two_dispute_each_other(
    tmp_path: Path,
) -> None:
    async with served(tmp_path, RulesCognition()) as server:
        old, new = await replaced(server)
        assert new.supersedes == (old.memory_id,)
        await server.app.editing.bring_back(old.memory_id)
        old, new = await the(server, "0142"), await the(server, "0199")
        assert (old.superseded_by, old.ending, new.supersedes) == (None, None, ())
        assert (old.conflicts_with, new.conflicts_with) == ((new.memory_id,), (old.memory_id,))
        run = (await server.app.records.history(old.memory_id))[-1].run
        await server.app.undo(run)
        old, new = await the(server, "0142"), await the(server, "0199")
        assert (old.superseded_by, new.supersedes) == (new.memory_id, (old.memory_id,))
        assert (old.conflicts_with, new.conflicts_with) == ((), ())
        with pytest.raises(InvalidInput, match="has not ended"):
            await server.app.editing.bring_back(new.memory_id)


async def test_a_reflection_leaves_what_came_back_by_hand_to_the_owner(tmp_path: Path) -> None:
    async with served(tmp_path, RulesCognition()) as server:
        old, new = await replaced(server)
        await server.app.editing.bring_back(old.memory_id)
        await server.app.add(AGENT, "Tom", "I like tea. I play the violin.")
        await server.app.reflect(SCOPE)
        old, new = await the(server, "0142"), await the(server, "0199")
        assert (old.ending, old.conflicts_with, new.ending) == (None, (new.memory_id,), None)
        await server.app.add(AGENT, "Tom", "I have a new phone number: 555-0111.")
        old, new = await the(server, "0142"), await the(server, "0199")
        assert (old.ending, new.ending) == (Ending.SUPERSEDED, Ending.SUPERSEDED)


async def test_what_stands_beside_others_anyway_comes_back_without_a_dispute(tmp_path: Path) -> None:
    async with served(tmp_path, RulesCognition()) as server:
        ended = await called_off(server)
        back = await server.app.editing.bring_back(ended.memory_id)
        assert back.conflicts_with == ()


@pytest.mark.parametrize("locale", ["en", "zh"])
async def test_the_owner_says_that_a_memory_is_over_and_can_undo_that(tmp_path: Path, locale: PageLanguage) -> None:
    async with served(tmp_path, RulesCognition()) as server, visitor(server, language=locale) as client:
        one, other = await disputed(server)
        path, words = f"/memories/{one.memory_id}", words_of(locale)
        assert words("memory.end") in (await client.get(path)).text
        done = await sent(client, f"{path}/end", {"since": ""}, on=path)
        assert done.headers["location"] == path
        page = (await client.get(path)).text
        assert words("memory.is_over") in page
        assert words("engine.ended_by_hand") in page
        over, beside = await the(server, "Oslo"), await the(server, "violin")
        assert (over.ending, over.invalid_at, over.superseded_by) == (Ending.ENDED, server.app.clock.now(), None)
        assert (over.conflicts_with, beside.conflicts_with, beside.ending) == ((), (), None)
        run = (await server.app.records.history(one.memory_id))[-1].run
        await sent(client, "/undo", {"run": run, "back": path}, on=path)
        assert [await the(server, "Oslo"), await the(server, "violin")] == [one, other]


async def test_a_memory_is_over_since_a_day_on_which_it_held(tmp_path: Path) -> None:
    async with served(tmp_path, RulesCognition()) as server, visitor(server) as client:
        await server.app.add(AGENT, "Tom", "I live in Oslo.")
        node = await the(server, "Oslo")
        path = f"/memories/{node.memory_id}"
        clock = server.app.clock
        assert isinstance(clock, ManualClock)
        clock.advance(timedelta(days=9))
        day = (node.valid_at + timedelta(days=3)).date()
        before, ahead = (str(day + timedelta(days=days)) for days in (-30, 30))
        for wrong in (before, ahead, "soon"):
            assert (await sent(client, f"{path}/end", {"since": wrong}, on=path)).status_code == 422, wrong
        await sent(client, f"{path}/end", {"since": str(day)}, on=path)
        over = await the(server, "Oslo")
        zone = server.app.settings.zone
        assert over.invalid_at == datetime(day.year, day.month, day.day, tzinfo=zone)
        assert over.expired_at == clock.now()
        assert (await sent(client, f"{path}/end", {"since": ""}, on=path)).status_code == 422
        back = await server.app.editing.bring_back(node.memory_id)
        assert (back.ending, back.invalid_at) == (None, node.invalid_at)


async def test_a_memory_is_over_on_the_day_on_which_it_began(tmp_path: Path) -> None:
    async with served(tmp_path, RulesCognition()) as server, visitor(server) as client:
        await server.app.add(AGENT, "Tom", "I live in Oslo.")
        node = await the(server, "Oslo")
        clock, zone = server.app.clock, server.app.settings.zone
        assert isinstance(clock, ManualClock)
        clock.advance(timedelta(days=9))
        path, day = f"/memories/{node.memory_id}", node.valid_at.astimezone(zone).date()
        await sent(client, f"{path}/end", {"since": str(day)}, on=path)
        over = (await the(server, "Oslo")).invalid_at
        assert over is not None
        assert (over.astimezone(zone).date(), over > node.valid_at) == (day, True)


async def test_what_does_not_end_by_itself_is_not_ended(tmp_path: Path) -> None:
    async with served(tmp_path, RulesCognition()) as server, visitor(server) as client:
        await server.app.add(AGENT, "Tom", "I live in Oslo.")
        turn = await the(server, "Oslo", MemoryType.CONVERSATION)
        assert 'id="end"' not in (await client.get(f"/memories/{turn.memory_id}")).text
        with pytest.raises(InvalidInput, match="does not end by itself"):
            await server.app.editing.end(turn.memory_id)


async def test_over_http_a_memory_is_ended_brought_back_and_a_dispute_settled(tmp_path: Path) -> None:
    async with served(tmp_path, RulesCognition()) as server, server.client() as api:
        old, new = await replaced(server)
        path = f"/v1/memories/{old.memory_id}"
        refused = await api.post(f"{path}/end", json={})
        assert (refused.status_code, refused.json()["code"]) == (422, "InvalidInput")
        back = await api.post(f"{path}/bring-back")
        assert back.json()["memory"]["conflictsWith"] == [new.memory_id]
        stale = await api.post(f"{path}/settle", json={"other": new.memory_id}, headers={"If-Match": '"old"'})
        assert stale.status_code == 412
        decided = {"other": new.memory_id, "wrong": new.memory_id}
        held = await api.post(f"{path}/settle", json=decided, headers={"If-Match": back.headers["ETag"]})
        assert held.json()["memory"]["conflictsWith"] == []
        assert (await the(server, "0199")).ending is Ending.RETIRED
        assert isinstance(server.app.clock, ManualClock)
        server.app.clock.advance(timedelta(days=1))
        over = await api.post(f"{path}/end", json={"since": server.app.clock.now().isoformat()})
        assert over.json()["memory"]["ending"] == "ended"
        assert (await api.post("/v1/memories/00000000-0000-4000-8000-000000000000/end", json={})).status_code == 404


async def test_an_undo_says_how_many_memories_it_reaches_and_what_becomes_of_them(tmp_path: Path) -> None:
    async with served(tmp_path, RulesCognition()) as server, visitor(server) as client:
        await server.app.say(AGENT, "Tom", "I live in Oslo. My phone number is 555-0142.", end=True)
        await server.app.drain()
        phone = await the(server, "0142")
        path = f"/memories/{phone.memory_id}"
        assert "(memories changed then: 2)" in (await client.get(path)).text
        first = (await server.app.records.history(phone.memory_id))[0].run
        await server.app.add(AGENT, "Tom", "I have a new phone number: 555-0199.")
        blocked = await sent(client, "/undo", {"run": first, "back": path}, on=path)
        assert blocked.status_code == 409
        assert "It would be gone: the run made it." in blocked.text


async def disputed(server: Served) -> tuple[MemoryNode, MemoryNode]:
    """Two memories that are said to dispute each other."""
    await server.app.add(AGENT, "Tom", "I live in Oslo. I play the violin.")
    one, other = await the(server, "Oslo"), await the(server, "violin")
    linked = (one.revised(conflicts_with=(other.memory_id,)), other.revised(conflicts_with=(one.memory_id,)))
    links = tuple(
        Change(act="link", before=before, after=after.revised(revision=after.revision + 1))
        for before, after in zip((one, other), linked, strict=True)
    )
    await server.app.journal.ledger.commit(Commit(TENANT, "linked", "observation", server.app.clock.now(), links))
    return await the(server, "Oslo"), await the(server, "violin")


@pytest.mark.parametrize(
    ("how", "gone"), [("apart", ()), ("right", ("violin",)), ("wrong", ("Oslo",))], ids=["apart", "right", "wrong"]
)
async def test_the_owner_decides_a_dispute_and_can_undo_that(tmp_path: Path, how: str, gone: tuple[str, ...]) -> None:
    async with served(tmp_path, RulesCognition()) as server, visitor(server) as client:
        one, other = await disputed(server)
        path = f"/memories/{one.memory_id}"
        assert "They have nothing to do with each other" in (await client.get(path)).text
        done = await sent(client, f"{path}/settle", {"other": other.memory_id, "how": how}, on=path)
        assert done.headers["location"] == path
        now = [await the(server, "Oslo"), await the(server, "violin")]
        assert [node.conflicts_with for node in now] == [(), ()]
        assert tuple(word for word, node in zip(("Oslo", "violin"), now, strict=True) if node.ending) == gone
        assert told_apart(*now) == (how == "apart")
        run = (await server.app.records.history(one.memory_id))[-1].run
        await sent(client, "/undo", {"run": run, "back": path}, on=path)
        assert [await the(server, "Oslo"), await the(server, "violin")] == [one, other]


async def test_what_disputes_nothing_is_not_settled(tmp_path: Path) -> None:
    async with served(tmp_path, RulesCognition()) as server:
        one, other = await disputed(server)
        with pytest.raises(InvalidInput, match="neither of the two"):
            await server.app.editing.settle(one.memory_id, other.memory_id, wrong=TENANT)
        await server.app.editing.settle(one.memory_id, other.memory_id)
        with pytest.raises(InvalidInput, match="does not dispute"):
            await server.app.editing.settle(one.memory_id, other.memory_id)
