"""`Memory`, as a program that knows Mem0 uses it."""

import asyncio
import json
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from agentmem import AsyncMemory, Memory, MemoryNode, MemoryType, Persona
from agentmem.domain.change import Change
from agentmem.domain.ids import derived_id, entity_id
from agentmem.errors import BackendUnavailable, InvalidInput, NotFound
from agentmem.interfaces.python.blocking import BlockingGraph
from agentmem.interfaces.python.memory_graph import Graph
from agentmem.interfaces.python.messages import moment
from agentmem.ports.ledger import Commit
from agentmem.runtime.configuration.settings import WorkerSettings
from agentmem.runtime.host.clocks import ManualClock
from tests.support.nodes import NOON, a_memory
from tests.support.spine import Failing, quick_settings


def a_house(folder: Path, **given: Any) -> AsyncMemory:
    return AsyncMemory(quick_settings(folder), clock=given.pop("clock", ManualClock(NOON)), **given)


async def plant(memory: AsyncMemory, *nodes: MemoryNode) -> None:
    changes = tuple(Change(act="add", after=node) for node in nodes)
    await memory.app.journal.ledger.commit(Commit("acme", derived_id("w", len(nodes)), "observation", NOON, changes))


def about_tom(content: str, **fields: object) -> MemoryNode:
    given = {"agent_id": "default", "target_id": entity_id("acme", "default", "tom"), "target_name": "Tom", **fields}
    return a_memory(content, **given)


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({}, "at least one"),
    ({"user_id": ""}, "user_id ''"),
    ({"user_id": " tom"}, "user_id ' tom'"),
    ({"user_id": "*"}, "user_id"),
    ({"user_id": 7}, "user_id: must be text"),
    ({"agent_id": "\t"}, "agent_id"),
    ({"user_id": "tom", "run_id": " "}, "run_id"),
    ({"run_id": "(no run) 1"}, "no run at all"),
    ({"user_id": "tom", "agent_id": "an agent"}, "agent_id 'an agent'"),
    ({"user_id": "tom", "messages": ""}, "nobody says"),
    ({"user_id": "tom", "messages": []}, "nobody says"),
    ({"user_id": "tom", "messages": [{"role": "system", "content": "be kind"}]}, "nobody says"),
    ({"user_id": "tom", "messages": [{"role": "king", "content": "hi"}]}, r"messages\[0\].role: 'king'"),
    ({"user_id": "tom", "messages": ["hi"]}, r"messages\[0\]: must be a mapping"),
    ({"user_id": "tom", "messages": {"role": "user", "content": 7}}, r"messages\[0\].content"),
    ({"user_id": "tom", "metadata": {"user_id": "eve"}}, "metadata.user_id"),
    ({"user_id": "tom", "metadata": {"a.b": 1}}, "metadata"),
    ({"user_id": "tom", "metadata": {"when": object()}}, "metadata.when"),
    ({"user_id": "tom", "timestamp": "yesterday"}, "timestamp 'yesterday'"),
]


async def test_what_cannot_be_meant_is_refused_and_nothing_is_kept(tmp_path: Path) -> None:
    async with a_house(tmp_path) as memory:
        for given, reason in REFUSED:
            call: dict[str, Any] = {"messages": "I live in Oslo.", **given}
            with pytest.raises(InvalidInput, match=reason):
                await memory.add(**call)
        assert (await memory.list(agent_id="default", everything=True)).results == ()


async def test_from_love_to_hate_leaves_hate_alone(tmp_path: Path) -> None:
    async with a_house(tmp_path) as memory:
        loved = await memory.add("I love pizza.", user_id="Tom")
        hated = await memory.add("I hate pizza.", user_id="Tom")
        assert [event.event for event in loved.results] == ["ADD"]
        assert {(event.event, event.memory) for event in hated.results} == {
            ("DELETE", "Tom loves pizza"),
            ("ADD", "Tom hates pizza"),
        }
        assert [one.memory for one in (await memory.list(user_id="Tom")).results] == ["Tom hates pizza"]
        past = await memory.history(loved.results[0].id)
        assert [(step.event, step.old_memory, step.new_memory, step.actor) for step in past] == [
            ("ADD", None, "Tom loves pizza", "observation"),
            ("DELETE", "Tom loves pizza", None, "observation"),
        ]
        assert all(step.at == NOON for step in past)


async def test_said_again_it_is_confirmed_and_an_echo_is_not_a_second_memory(tmp_path: Path) -> None:
    echo = [
        {"role": "user", "content": "I work as a nurse"},
        {"role": "assistant", "content": "So you work as a nurse."},
    ]
    async with a_house(tmp_path) as memory:
        assert [event.event for event in (await memory.add(echo, user_id="Tom")).results] == ["ADD"]
        assert [event.event for event in (await memory.add("I work as a nurse.", user_id="Tom")).results] == ["NONE"]
        assert len((await memory.list(user_id="Tom")).results) == 1


async def test_a_call_repeated_under_its_key_adds_nothing_and_tells_the_same(tmp_path: Path) -> None:
    clock = ManualClock(NOON)
    async with a_house(tmp_path, clock=clock) as memory:
        first = await memory.add("My phone number is 555-0142.", user_id="Tom", key="hook/1")
        clock.advance(timedelta(days=2))
        assert await memory.add("My phone number is 555-0142.", user_id="Tom", key="hook/1") == first
        turns = await memory.list(user_id="Tom", layers=[MemoryType.CONVERSATION])
        assert len(turns.results) == 1
        with pytest.raises(InvalidInput, match="other content"):
            await memory.add("My phone number is 555-0143.", user_id="Tom", key="hook/1")


async def test_what_is_asked_to_be_forgotten_ends_before_what_is_new_is_read(tmp_path: Path) -> None:
    async with a_house(tmp_path) as memory:
        old = await memory.add("My phone number is 555-0142.", user_id="Tom", key="1")
        said = "Please forget my phone number. My new phone number is 555-0177."
        done = await memory.add(said, user_id="Tom", key="2")
        assert [(one.event, "0142" in one.memory) for one in done.results] == [("DELETE", True), ("ADD", False)]
        assert not (await memory.get(old.results[0].id)).valid
        assert [old.results[0].id in each.memory_ids for each in done.forgotten] == [True]
        later = await memory.add("Please forget my birthday.", user_id="Tom", wait=False)
        assert [(each.run, each.memory_ids) for each in later.forgotten] == [(None, ())]
        again = await memory.add(said, user_id="Tom", key="2")
        assert "DELETE" not in [event.event for event in again.results]
        assert [one.memory for one in (await memory.list(user_id="Tom")).results] == ["Tom's phone number is 555-0177"]


async def test_raw_turns_are_kept_as_they_are_with_their_speaker_and_found(tmp_path: Path) -> None:
    said = [
        {"role": "system", "content": "You are kind."},
        {"role": "user", "content": "I live in Oslo.", "name": "tom_h"},
        {"role": "assistant", "content": [{"type": "text", "text": "How nice."}, {"type": "image_url", "url": "x"}]},
    ]
    async with a_house(tmp_path) as memory:
        added = await memory.add(said, user_id="Tom", infer=False, metadata={"page": 3})
        assert [(event.event, event.memory) for event in added.results] == [
            ("ADD", "I live in Oslo."),
            ("ADD", "How nice."),
        ]
        first, second = [await memory.get(event.id) for event in added.results]
        assert (first.type, first.metadata["role"], first.metadata["actor"]) == ("conversation", "customer", "tom_h")
        assert (second.metadata["role"], second.metadata["page"]) == ("agent", 3)
        await memory.add("What a day.", user_id="Tom")
        assert len((await memory.list(user_id="Tom")).results) == 2
        found = await memory.search("Where does Tom live?", user_id="Tom")
        assert found.results[0].memory == "I live in Oslo."


async def test_what_is_made_of_turns_has_their_metadata_and_their_time(tmp_path: Path) -> None:
    async with a_house(tmp_path) as memory:
        await memory.add(
            "I live in Oslo.", user_id="Tom", metadata={"source": "mail"}, timestamp="2025-01-02T10:00:00+01:00"
        )
        await memory.add("I like tea.", user_id="Tom", metadata={"source": "chat"})
        (found,) = (await memory.search("home", user_id="Tom", filters={"source": "mail"})).results
        assert "Oslo" in found.memory
        assert found.valid_at == datetime(2025, 1, 2, 9, tzinfo=UTC)


async def test_filters_nest_and_ids_may_stand_in_them(tmp_path: Path) -> None:
    async with a_house(tmp_path) as memory:
        for number in range(6):
            meta = {"page": number, "colour": "red" if number % 2 else "blue"}
            await memory.add(f"Note {number} says something.", user_id="Tom", infer=False, metadata=meta)
        await memory.add("Note 9 says something.", user_id="Eve", infer=False, metadata={"page": 1, "colour": "red"})
        wanted: dict[str, object] = {
            "user_id": "Tom",
            "OR": [{"AND": [{"page": {"gte": 3}}, {"colour": "red"}]}, {"page": {"in": [0, 2]}, "NOT": [{"page": 2}]}],
        }
        found = await memory.search("note", filters=wanted)
        assert sorted(str(one.metadata["page"]) for one in found.results) == ["0", "3", "5"]
        listed = await memory.list(filters=wanted)
        assert [one.metadata["page"] for one in listed.results] == [5, 3, 0]
        with pytest.raises(InvalidInput, match="in the filters"):
            await memory.search("note", user_id="Eve", filters=wanted)
        with pytest.raises(InvalidInput, match=r"filters\.page"):
            await memory.search("note", user_id="Tom", filters={"page": {"near": 3}})


async def test_a_search_without_a_question_a_scope_or_a_sensible_limit_is_refused(tmp_path: Path) -> None:
    async with a_house(tmp_path) as memory:
        for query, limit in (("", 5), ("  ", 5), ("tea", 0), ("tea", 1_001)):
            with pytest.raises(InvalidInput):
                await memory.search(query, user_id="Tom", limit=limit)
        with pytest.raises(InvalidInput, match="at least one"):
            await memory.search("tea")
        with pytest.raises(InvalidInput, match="no reranker"):
            await memory.search("tea", user_id="Tom", rerank=True)


async def test_a_page_is_full_whatever_ended_and_a_threshold_shortens_it(tmp_path: Path) -> None:
    gone = {"store_status": "expired", "expired_at": NOON, "invalid_at": NOON}
    async with a_house(tmp_path, clock=ManualClock(NOON + timedelta(hours=1))) as memory:
        ended = [about_tom(f"Tom drinks green tea number {number}", **gone) for number in range(300)]
        held = [about_tom(f"Tom drinks black tea number {number}") for number in range(20)]
        await plant(memory, *ended, *held)
        found = await memory.search("tea", user_id="Tom", limit=20)
        assert len(found.results) == 20
        assert all("black" in one.memory for one in found.results)
        best = found.results[0].score
        assert best is not None
        assert (await memory.search("tea", user_id="Tom", threshold=best + 1)).results == ()
        assert len((await memory.list(user_id="Tom", limit=20)).results) == 20


async def test_pages_of_many_miss_and_repeat_nothing_while_others_write(tmp_path: Path) -> None:
    async with a_house(tmp_path) as memory:
        await plant(memory, *(about_tom(f"Tom said thing number {number}") for number in range(2_500)))
        seen: list[str] = []
        cursor = None
        for number in range(100):
            page = await memory.list(user_id="Tom", limit=100, cursor=cursor)
            seen += [one.id for one in page.results]
            if number % 10 == 0:
                await plant(memory, about_tom(f"Tom meanwhile said {number}", timestamp=2**51 + number))
            cursor = page.next
            if cursor is None:
                break
        assert len(seen) == len(set(seen)) == 2_500
        with pytest.raises(InvalidInput, match="no cursor"):
            await memory.list(user_id="Tom", cursor="x")


async def test_a_corrected_memory_keeps_its_id_and_its_slot_and_is_found_by_its_new_words(tmp_path: Path) -> None:
    clock = ManualClock(NOON)
    async with a_house(tmp_path, clock=clock) as memory:
        (event,) = (await memory.add("My phone number is 555-0142.", user_id="Tom")).results
        clock.advance(timedelta(hours=1))
        new = await memory.update(event.id, "Tom's phone number is 555-0199", metadata={"checked": True})
        assert (new.id, new.node.attribute, new.node.value) == (event.id, "phone", "555-0199")
        assert new.node.evidence == ()
        first = (await memory.search("555-0199", user_id="Tom")).results[0]
        assert (first.id, first.memory) == (event.id, "Tom's phone number is 555-0199")
        step = (await memory.history(event.id))[-1]
        assert (step.event, step.old_memory, step.new_memory, step.actor, step.at) == (
            "UPDATE",
            "Tom's phone number is 555-0142",
            "Tom's phone number is 555-0199",
            "edit",
            NOON + timedelta(hours=1),
        )
        clock.advance(timedelta(hours=1))
        said = await memory.add("My phone number is 555-0111 now.", user_id="Tom")
        assert {one.event for one in said.results} == {"ADD", "DELETE"}
        with pytest.raises(InvalidInput, match="no longer holds"):
            await memory.update(event.id, "Tom's phone number is 1")
        with pytest.raises(InvalidInput, match=r"metadata\.user_id"):
            await memory.update(said.results[0].id, "x", metadata={"user_id": "eve"})


async def test_what_changed_was_true_until_that_day_and_is_another_memory_from_then_on(
    tmp_path: Path,
) -> None:
    clock = ManualClock(NOON)
    async with a_house(tmp_path, clock=clock) as memory:
        (event,) = (await memory.add("My phone number is 555-0142.", user_id="Tom")).results
        clock.advance(timedelta(days=9))
        moved = NOON + timedelta(days=4)
        new = await memory.update(event.id, "Tom's phone number is 555-0199", since=moved)
        assert (new.id != event.id, new.node.attribute, new.node.value) == (True, "phone", "555-0199")
        assert (new.node.valid_at, new.node.created_at, new.node.supersedes) == (moved, clock.now(), (event.id,))
        old = (await memory.get(event.id)).node
        assert (old.content, old.invalid_at, old.superseded_by) == (event.memory, moved, new.id)
        for day, number in ((3, "0142"), (5, "0199")):
            then = await memory.search("Tom's phone number", user_id="Tom", as_of=NOON + timedelta(days=day))
            assert number in then.results[0].memory
        clock.advance(timedelta(days=1))
        await memory.add("My phone number is 555-0111 now.", user_id="Tom")
        held = {one.memory for one in (await memory.list(user_id="Tom")).results}
        assert held == {"Tom's phone number is 555-0111"}
        last = (await memory.get(new.id)).node
        assert (last.valid_at, last.invalid_at) == (moved, clock.now())


async def test_both_halves_of_a_change_by_hand_are_taken_back_together(tmp_path: Path) -> None:
    clock = ManualClock(NOON)
    async with a_house(tmp_path, clock=clock) as memory:
        (event,) = (await memory.add("I live in Oslo.", user_id="Tom")).results
        clock.advance(timedelta(days=1))
        await memory.update(event.id, "Tom lives in Bergen", since=clock.now())
        run = (await memory.app.records.history(event.id))[-1].run
        await memory.app.undo(run)
        assert [one.memory for one in (await memory.list(user_id="Tom")).results] == ["Tom lives in Oslo"]


@pytest.mark.parametrize(
    ("text", "days", "wrong"),
    [
        ("Tom lives in Bergen", 2, "since: lies in the future"),
        ("Tom lives in Bergen", 0, r"since: the memory holds only from 20\d\d-\d\d-\d\dT\S+ on; name a later time"),
        ("  \n", 1, "a memory needs some text, this one is empty"),
        ("x" * 2_001, 1, "content: must have at most 2000 characters"),
        ("Tom lives in Oslo", 1, "content: says what the memory says"),
    ],
)
async def test_a_change_by_hand_that_cannot_be_is_refused(tmp_path: Path, text: str, days: int, wrong: str) -> None:
    clock = ManualClock(NOON)
    async with a_house(tmp_path, clock=clock) as memory:
        (event,) = (await memory.add("I live in Oslo.", user_id="Tom")).results
        clock.advance(timedelta(days=1))
        with pytest.raises(InvalidInput, match=wrong):
            await memory.update(event.id, text, since=NOON + timedelta(days=days))
        assert (await memory.get(event.id)).node.content == "Tom lives in Oslo"


async def test_an_occupation_corrected_in_a_sentence_ends_when_another_is_told(tmp_path: Path) -> None:
    clock = ManualClock(NOON)
    async with a_house(tmp_path, clock=clock) as memory:
        (event,) = (await memory.add("I am a nurse.", user_id="Tom")).results
        clock.advance(timedelta(hours=1))
        await memory.update(event.id, "Tom is not a nurse but a midwife")
        clock.advance(timedelta(hours=1))
        said = await memory.add("I am a teacher now.", user_id="Tom")
        assert {one.event for one in said.results} == {"ADD", "DELETE"}
        assert [one.memory for one in (await memory.list(user_id="Tom")).results] == ["Tom is a teacher now"]


async def test_what_it_answers_prints_as_what_it_says(tmp_path: Path) -> None:
    async with a_house(tmp_path) as memory:
        added = await memory.add("I live in Oslo. My phone number is 555-0142.", user_id="Tom")
        assert sorted(str(added).splitlines()) == ["ADD Tom lives in Oslo", "ADD Tom's phone number is 555-0142"]
        assert str((await memory.search("Where does Tom live?", user_id="Tom"))[0]) == "Tom lives in Oslo"
        reply = await memory.ask("Where does Tom live?", user_id="Tom")
        assert reply.text
        assert str(reply) == f"{reply.text}\n[1] {reply.sources[0].memory.content}"
        assert len(repr(reply)) < 120
        unknown = await memory.ask("What is the name of his dog?", user_id="Tom")
        assert unknown.text is None
        assert str(unknown) == "(nothing that is remembered answers this)"


async def test_deleting_is_soft_and_scoped(tmp_path: Path) -> None:
    async with a_house(tmp_path) as memory:
        await memory.add("I live in Oslo.", user_id="Tom", run_id="one")
        two = await memory.add("I like tea.", user_id="Tom", run_id="two")
        await memory.add("I live in Rome.", user_id="Eve")
        with pytest.raises(InvalidInput, match="at least one"):
            await memory.delete_all()
        assert await memory.delete_all(user_id="Tom", run_id="one") == 2
        assert [one.memory for one in (await memory.list(user_id="Tom")).results] == ["Tom likes tea"]
        assert await memory.delete(two.results[0].id) == 2, "the turn said nothing else"
        assert (await memory.list(user_id="Tom")).results == ()
        assert not (await memory.get(two.results[0].id)).valid
        assert [step.event for step in await memory.history(two.results[0].id)] == ["ADD", "DELETE"]
        assert await memory.delete_all(user_id="Tom") == 0, "nothing is left of him"
        assert [one.memory for one in (await memory.list(agent_id="default")).results] == ["Eve lives in Rome"]
        assert await memory.delete_all(agent_id="default") == 2
        assert (await memory.list(agent_id="default")).results == ()


async def test_what_was_forgotten_after_it_had_ended_is_deleted_too(tmp_path: Path) -> None:
    clock = ManualClock(NOON)
    async with a_house(tmp_path, clock=clock) as memory:
        (old,) = (await memory.add("My phone number is 555-0142.", user_id="Tom")).results
        clock.advance(timedelta(hours=1))
        await memory.add("My phone number is 555-0111 now.", user_id="Tom")
        assert await memory.delete(old.id)
        assert [step.event for step in await memory.history(old.id)][-2:] == ["DELETE", "DELETE"]


async def test_ids_of_nothing_are_not_found(tmp_path: Path) -> None:
    async with a_house(tmp_path) as memory:
        for unknown in ("x", derived_id("nothing")):
            for call in (memory.get, memory.delete, memory.history):
                with pytest.raises(NotFound):
                    await call(unknown)
            with pytest.raises(NotFound):
                await memory.update(unknown, "Tom is here")


async def test_two_agents_know_the_same_person_apart(tmp_path: Path) -> None:
    async with a_house(tmp_path) as memory:
        await memory.add("I live in Oslo.", user_id="Tom", agent_id="ada")
        await memory.add("I like tea.", user_id="Tom", agent_id="bob")
        assert [one.memory for one in (await memory.list(user_id="Tom", agent_id="ada")).results] == [
            "Tom lives in Oslo"
        ]
        found = await memory.search("Where does Tom live?", user_id="Tom", agent_id="bob")
        assert [one.memory for one in found.results] == ["Tom likes tea"]
        await memory.delete_all(user_id="Tom", agent_id="ada")
        assert len((await memory.list(user_id="Tom", agent_id="bob")).results) == 1
        await memory.reset()
        assert (await memory.list(user_id="Tom", agent_id="bob", everything=True)).results == ()


async def test_a_run_sees_what_was_said_in_none_and_nothing_of_another(tmp_path: Path) -> None:
    async with a_house(tmp_path) as memory:
        await memory.add("I live in Oslo.", user_id="Tom")
        again = await memory.add("I live in Oslo.", user_id="Tom", run_id="one")
        assert [event.event for event in again.results] == ["NONE"]
        await memory.add("I like tea.", user_id="Tom", run_id="two")
        listed = await memory.list(user_id="Tom", run_id="one")
        assert [one.memory for one in listed.results] == ["Tom lives in Oslo"]
        found = await memory.search("Tom", user_id="Tom", run_id="one")
        assert [one.memory for one in found.results] == ["Tom lives in Oslo"]


async def test_what_he_told_of_others_is_found_with_him_and_not_with_a_stranger(tmp_path: Path) -> None:
    async with a_house(tmp_path) as memory:
        await memory.add("My sister Anna lives in Rome.", user_id="Tom")
        await memory.add("My boss Bert lives in Bonn.", user_id="Eve")
        found = await memory.search("Where does Anna live?", user_id="Tom")
        assert [one.memory for one in found.results] == ["Anna lives in Rome", "Anna is Tom's sister"]
        reply = await memory.ask("Where does Anna live?", user_id="Tom")
        assert reply.text is not None
        assert "Rome" in reply.text
        assert (await memory.ask("Where does Anna live?", user_id="Eve")).text is None


async def test_a_list_has_what_he_told_of_others_and_nothing_that_was_told_of_him(tmp_path: Path) -> None:
    async with a_house(tmp_path) as memory:
        await memory.add("My sister Ann lives in Bergen. I live in Oslo.", user_id="Tom")
        await memory.add("Tom is lazy. My brother Bob lives in Rome.", user_id="Eve")
        listed = [item.memory for item in await memory.get_all(user_id="Tom")]
        first = await memory.get_all(user_id="Tom", limit=2)
        rest = await memory.get_all(user_id="Tom", limit=2, cursor=first.next)
    assert set(listed) == {"Tom lives in Oslo", "Ann lives in Bergen", "Ann is Tom's sister"}
    assert [item.memory for item in (*first, *rest)] == listed


async def test_a_clone_finds_what_he_told_of_others_too(tmp_path: Path) -> None:
    async with a_house(tmp_path) as memory:
        await memory.add("My sister Anna lives in Rome.", user_id="Tom", agent_id="ada")
        await memory.app.copies.clone("ada", "bob")
        found = await memory.search("Where does Anna live?", user_id="Tom", agent_id="bob")
        assert [one.memory for one in found.results] == ["Anna lives in Rome", "Anna is Tom's sister"]


async def test_its_context_speaks_the_language_it_was_spoken_to_in(tmp_path: Path) -> None:
    async with a_house(tmp_path) as memory:
        assert "What was remembered" in (await memory.context("How do I reach Tom?", user_id="Tom")).text
        await memory.add("我住在杭州。", user_id="罗小东", agent_id="mei")
        assert "杭州" in (await memory.context("他住在哪里", user_id="罗小东", agent_id="mei")).text
        assert (await memory.app.journal.registry.agent("acme", "mei")) == Persona(id="mei", name="mei", language="zh")


async def test_its_context_is_framed_in_the_language_of_the_question(tmp_path: Path) -> None:
    async with a_house(tmp_path) as memory:
        await memory.add("我住在杭州。", user_id="罗小东")
        await memory.add("I live in Oslo.", user_id="Tom")
        assert "What was remembered" in (await memory.context("Where does Tom live?", user_id="Tom")).text
        assert "以下是" in (await memory.context("他住在哪里", user_id="罗小东")).text
        assert "以下是" in (await memory.context("Where does Tom live?", user_id="Tom", language="zh")).text


async def test_a_known_agent_keeps_its_persona(tmp_path: Path) -> None:
    async with a_house(tmp_path) as memory:
        ada = Persona(id="ada", name="Ada", role="a clerk", language="en")
        await memory.app.know_agent(ada)
        await memory.add("I live in Oslo.", user_id="Tom", agent_id="ada")
        assert await memory.app.journal.registry.agent("acme", "ada") == ada


async def test_without_waiting_it_is_safe_at_once_and_read_at_the_latest_on_closing(tmp_path: Path) -> None:
    async with a_house(tmp_path) as memory:
        assert (await memory.add("I live in Oslo.", user_id="Tom", wait=False)).waits
        assert "Oslo" in (await memory.context("Oslo", user_id="Tom")).text
    async with a_house(tmp_path) as memory:
        assert [one.memory for one in (await memory.list(user_id="Tom")).results] == ["Tom lives in Oslo"]


async def test_turns_of_others_that_wait_are_read_with_those_of_a_call_and_told_apart_from_later_ones(
    tmp_path: Path,
) -> None:
    async with a_house(tmp_path) as memory:
        await memory.add("I live in Oslo.", user_id="Tom", run_id="one", wait=False)
        both = await memory.add("I like tea.", user_id="Tom", run_id="one")
        assert {event.memory for event in both.results} == {"Tom lives in Oslo", "Tom likes tea"}
        later = await memory.add("I like jazz.", user_id="Tom", run_id="one")
        assert [event.memory for event in later.results] == ["Tom likes jazz"]
        many = await asyncio.gather(*(memory.add(f"I own {n} bikes.", user_id=f"P{n}") for n in range(2, 6)))
        assert [event.memory for one in many for event in one.results] == [f"P{n} owns {n} bikes" for n in range(2, 6)]


async def test_while_the_model_is_away_nothing_is_lost(tmp_path: Path) -> None:
    away = Failing([BackendUnavailable("the model is away")] * 2)
    slow = WorkerSettings(backoff_initial=0.3, backoff_max=0.4)
    async with AsyncMemory(quick_settings(tmp_path, workers=slow), cognition=away) as memory:
        added = await memory.add("I live in Oslo.", user_id="Tom")
        assert (added.results, added.waits) == ((), True)
        await memory.app.drain(patience=5)
        assert (await memory.app.journal.queue.depth()).dead == 0
        assert away.calls == 3


async def test_it_opens_itself_and_shares_the_store_with_others_of_its_process(tmp_path: Path) -> None:
    first, second = a_house(tmp_path, clock=(clock := ManualClock(NOON))), a_house(tmp_path, clock=clock)
    await first.add("I live in Oslo.", user_id="Tom")
    assert [one.memory for one in await second.get_all(user_id="Tom")] == ["Tom lives in Oslo"]
    assert first.app is second.app
    await first.close()
    await second.add("I like tea.", user_id="Tom")
    with pytest.raises(InvalidInput, match="another embedder"):
        await AsyncMemory(quick_settings(tmp_path).revised(embedder="hash-64"), clock=clock).open()
    await second.close()
    async with a_house(tmp_path) as memory:
        assert len(await memory.get_all(user_id="Tom")) == 2
    with pytest.raises(InvalidInput, match="not open"):
        assert memory.app


async def test_a_store_is_used_from_the_loop_of_another_thread(tmp_path: Path) -> None:
    async with a_house(tmp_path, clock=(clock := ManualClock(NOON))) as memory:

        async def elsewhere() -> str:
            async with a_house(tmp_path, clock=clock) as other:
                await other.add("I live in Oslo.", user_id="Tom", wait=False)
            return (await memory.search("Where does Tom live?", user_id="Tom"))[0].memory

        assert await asyncio.to_thread(lambda: asyncio.run(elsewhere())) == "Tom lives in Oslo"

        def blocking() -> int:
            with Memory(quick_settings(tmp_path), clock=clock) as other:
                return len(other.get_all(user_id="Tom"))

        assert await asyncio.to_thread(blocking) == 1
        with pytest.raises(InvalidInput, match="await the AsyncMemory"):
            blocking()


def test_a_store_whose_loop_has_ended_is_opened_again(tmp_path: Path) -> None:
    kept: list[AsyncMemory] = []

    async def left_open() -> None:
        kept.append(AsyncMemory(path=tmp_path / "data"))
        await kept[0].add("I live in Oslo.", user_id="Tom")

    asyncio.run(left_open())
    with Memory(path=tmp_path / "data") as memory:
        assert [one.memory for one in memory.get_all(user_id="Tom")] == ["Tom lives in Oslo"]


def test_synchronous_code_uses_the_same_memory(tmp_path: Path) -> None:
    memory = Memory(path=tmp_path / "data")
    added = memory.add("I live in Oslo.", user_id="Tom")
    assert memory.get(added.results[0].id).memory == "Tom lives in Oslo"
    with pytest.raises(InvalidInput, match="empty"):
        memory.search("", user_id="Tom")
    assert memory.run(lambda inner: run_verify(inner)) is not None
    with Memory(path=tmp_path / "data") as same:
        assert len(same.list(user_id="Tom")) == 1
    memory.close()
    memory.close()


async def run_verify(memory: AsyncMemory) -> object:
    return await memory.app.index.verify()


@pytest.mark.thorough
def test_a_program_that_closes_nothing_ends_with_everything_kept(tmp_path: Path) -> None:
    said = f"from agentmem import Memory; Memory(path={str(tmp_path / 'data')!r}).add('I live in Oslo.', user_id='Tom')"
    subprocess.run([sys.executable, "-c", said], check=True, timeout=60)
    with Memory(path=tmp_path / "data") as memory:
        assert [one["memory"] for one in memory.get_all(user_id="Tom")["results"]] == ["Tom lives in Oslo"]


async def test_it_works_inside_a_running_loop_and_many_threads_may_share_it(tmp_path: Path) -> None:
    with Memory(path=tmp_path / "data") as memory:
        memory.add("I live in Oslo.", user_id="Tom")
        said = [asyncio.to_thread(memory.add, f"I own {n} bikes.", user_id="Tom") for n in range(2, 6)]
        await asyncio.gather(*said)
        assert len(memory.list(user_id="Tom", everything=True)) >= 2

        async def from_within(inner: AsyncMemory) -> None:
            memory.list(user_id="Tom")
            assert inner

        with pytest.raises(InvalidInput, match="await the AsyncMemory"):
            memory.run(from_within)
        with pytest.raises(InvalidInput, match="AsyncMemory"):
            async with memory:
                pass


def test_what_cannot_be_opened_says_so_and_can_be_opened_later(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("in the way")
    memory = Memory(path=tmp_path / "data")
    with pytest.raises(BackendUnavailable):
        memory.open()
    (tmp_path / "data").unlink()
    with memory:
        assert len(memory.get_all(user_id="Tom")) == 0


def test_results_are_sequences_and_turn_into_json(tmp_path: Path) -> None:
    with Memory(path=tmp_path / "data") as memory:
        added = memory.add("I live in Oslo.", user_id="Tom", metadata={"page": 3})
        assert [event["event"] for event in added] == ["ADD"]
        assert added.to_dict()["results"] == [
            {"id": added[0].id, "memory": "Tom lives in Oslo", "event": "ADD", "previous_memory": None}
        ]
        found = memory.search("Where does Tom live?", user_id="Tom", top_k=3)
        assert (len(found), found[0], found["results"]) == (1, next(iter(found)), found.results)
        told = json.loads(found.to_json())
        assert (told["abstained"], told["results"][0]["memory"], "node" in told["results"][0]) == (
            False,
            "Tom lives in Oslo",
            False,
        )
        assert told["results"][0]["metadata"]["page"] == found[0]["metadata"]["page"] == 3
        assert found[0].get("hash", "none") == "none"
        assert json.loads(memory.get(added[0].id).to_json())["type"] == "observation"
        assert memory.history(added[0].id)[0]["event"] == "ADD"
        with pytest.raises(KeyError):
            found[0]["hash"]


FOREIGN: list[tuple[str, dict[str, Any], str]] = [
    ("add", {"messages": "hi", "user_id": "Tom", "async_mode": True}, r"add\(async_mode=\): write wait=False"),
    ("search", {"query": "tea", "user_id": "Tom", "page_size": 5}, r"search\(page_size=\): write limit="),
    ("search", {"query": "tea", "user_id": "Tom", "limit": 3, "top_k": 4}, "one of both"),
    ("search", {"query": "tea", "user_id": "Tom", "top_k": 0}, "top_k is 0, allowed: 1 to 1000"),
    (
        "search",
        {"query": "tea", "user_id": "Tom", "topk": 3},
        r"search\(topk=\): did you mean top_k=\? allowed: query,",
    ),
    ("get_all", {"user_id": "Tom", "order": "x"}, r"get_all\(order=\): allowed: user_id, .*limit"),
    ("update", {"memory_id": "x", "data": "hi"}, r"update\(data=\): write text="),
    (
        "add",
        {"messages": "hi", "user_id": "Tom", "timestamp": True},
        "timestamp: must be a datetime or text or .*, not a bool",
    ),
]


@pytest.mark.parametrize(("method", "given", "told"), FOREIGN)
def test_a_word_of_mem0_that_is_none_here_says_what_to_write(
    tmp_path: Path, method: str, given: dict[str, Any], told: str
) -> None:
    with pytest.raises(InvalidInput, match=told):
        getattr(Memory(path=tmp_path / "data"), method)(**given)


@pytest.mark.parametrize("given", [True, False])
def test_a_truth_value_is_no_moment(*, given: bool) -> None:
    with pytest.raises(InvalidInput, match=f"timestamp {given} is no time"):
        moment(given)


def test_it_is_made_from_a_configuration(tmp_path: Path) -> None:
    with Memory.from_config({"data": str(tmp_path / "data"), "embedder": "hash-64"}) as memory:
        assert memory.inner.app.settings.embedder == "hash-64"
    with pytest.raises(InvalidInput, match=r"from_config: llm: write .*cognition"):
        Memory.from_config({"llm": {"provider": "openai"}})
    with pytest.raises(InvalidInput, match="tenat"):
        AsyncMemory.from_config({"tenat": "acme"})


def test_every_operation_has_its_blocking_form() -> None:
    def operations(kind: type) -> set[str]:
        return {name for name, value in vars(kind).items() if not name.startswith("_") and callable(value)}

    assert operations(Graph) == operations(BlockingGraph) | {"run"}
    assert operations(AsyncMemory) == operations(Memory)


IDS_IN_FILTERS = (
    {"AND": [{"user_id": "Tom"}]},
    {"AND": [{"user_id": {"eq": "Tom"}}, {"agent_id": "default"}]},
    {"AND": [{"user_id": {"in": ["Tom"]}}, {"AND": [{"created_at": {"gte": "2020-01-01"}}]}]},
)


@pytest.mark.parametrize("filters", IDS_IN_FILTERS)
async def test_ids_that_every_part_of_a_filter_asks_for_are_enough(tmp_path: Path, filters: dict[str, Any]) -> None:
    async with a_house(tmp_path) as memory:
        await memory.add("I live in Oslo.", user_id="Tom")
        await memory.add("I live in Rome.", user_id="Eve")
        assert [item.memory for item in await memory.get_all(filters=filters)] == ["Tom lives in Oslo"]
        assert [item.memory for item in await memory.search("Where?", filters=filters)] == ["Tom lives in Oslo"]
        either = [{"user_id": "Tom"}, {"user_id": "Eve"}]
        for unclear in ({"OR": either}, {"AND": [{"user_id": {"in": ["Tom", "Eve"]}}]}):
            with pytest.raises(InvalidInput, match="at least one of user_id"):
                await memory.get_all(filters=unclear)
        with pytest.raises(InvalidInput, match="user_id is 'Tom'"):
            await memory.get_all(filters={"AND": either})


async def test_as_of_a_day_is_as_of_its_end_in_the_configured_zone(tmp_path: Path) -> None:
    settings = quick_settings(tmp_path).revised(timezone="America/New_York")
    async with AsyncMemory(settings, clock=ManualClock(NOON)) as memory:
        await memory.add("My phone number is 555-0101.", user_id="Tom", timestamp="2026-03-01T12:00:00-05:00")
        await memory.add("My new phone number is 555-0202.", user_id="Tom", timestamp="2026-03-05T22:00:00-05:00")
        for day, number in (("2026-03-04", "0101"), ("2026-03-05", "0202"), ("2026-03-05T20:00:00-05:00", "0101")):
            found = await memory.search("What is Tom's phone number?", user_id="Tom", as_of=day)
            assert number in found[0].memory, day
            answer = (await memory.ask("What is Tom's phone number?", user_id="Tom", as_of=day)).text or ""
            assert number in answer, day


TWO_NUMBERS = [
    (
        "Ruth",
        "My phone number is 555-0144. My husband's phone number is 555-0133.",
        "Ruth's phone number",
        "0144",
        "0133",
    ),
    ("Omar", "My brother's email is b@c.org, mine is o@c.org.", "What is Omar's email?", "o@c.org", "b@c.org"),
    (
        "何静",
        "我妈的手机号是13811112222，我的手机号是13933334444。",
        "何静的手机号是多少",
        "13933334444",
        "13811112222",
    ),
]


@pytest.mark.parametrize(("who", "said", "question", "own", "others"), TWO_NUMBERS)
async def test_ones_own_number_is_found_where_a_relatives_was_told_with_it(
    tmp_path: Path, who: str, said: str, question: str, own: str, others: str
) -> None:
    async with a_house(tmp_path) as memory:
        await memory.add(said, user_id=who)
        found = [item.memory for item in await memory.search(question, user_id=who)]
        assert own in found[0]
        assert others not in found[0]


async def test_a_time_and_a_layer_may_be_given_as_text(tmp_path: Path) -> None:
    async with a_house(tmp_path) as memory:
        await memory.add("I live in Oslo.", user_id="Tom", timestamp="2026-03-01T12:00:00+08:00")
        for at, known in (("2026-03-02", True), ("2026-03-01T05:00:00Z", True), ("2026-03-01T11:00+08:00", False)):
            assert bool(await memory.search("Where does Tom live?", user_id="Tom", as_of=at)) == known
            assert ((await memory.ask("Where does Tom live?", user_id="Tom", as_of=at)).text is not None) == known
        turns = await memory.get_all(user_id="Tom", layers=["conversation"])
        assert [turn.memory for turn in turns] == ["I live in Oslo."]
        with pytest.raises(InvalidInput, match="as_of 'yesterday' is no time such as"):
            await memory.search("x", user_id="Tom", as_of="yesterday")
        with pytest.raises(InvalidInput, match="no layer 'talk'; there are perceptual, conversation"):
            await memory.search("x", user_id="Tom", layers=["talk"])
