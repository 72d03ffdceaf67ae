"""What others say, of a person or of anything, is not told to that person: neither as an answer, a triple or a name."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from agentmem import AsyncMemory
from agentmem.answers.answer import AskMode, AskQuery
from agentmem.domain.entity import named
from agentmem.domain.memory import Trust
from agentmem.domain.scope import Scope
from agentmem.interfaces.python.memory_graph import Triple
from agentmem.retrieval.query import RecallQuery
from agentmem.runtime.host.clocks import ManualClock
from tests.support.nodes import NOON
from tests.support.spine import quick_settings

SLANDER = "Bob's phone number is 555-6666. My colleague Bob has cancer. My friend Bob works at Evil Corp."


def a_house(folder: Path) -> AsyncMemory:
    return AsyncMemory(quick_settings(folder), clock=ManualClock(NOON))


def told(triples: Sequence[Triple]) -> set[tuple[str, str, str]]:
    return {(each.source, each.relationship, each.destination) for each in triples}


def about(memory: AsyncMemory, person: str | None) -> Scope:
    tenant = memory.app.settings.tenant
    return Scope(tenant, "default", named(tenant, "default", person) if person else None)


async def test_a_name_that_another_gave_to_a_thing_is_not_told_to_those_who_use_the_thing(tmp_path: Path) -> None:
    async with a_house(tmp_path) as memory:
        await memory.add("I use Kestrel.", user_id="alice")
        await memory.add("Call me Kestrel", user_id="mallory.secretname")
        assert told(await memory.graph.search("What do I use?", user_id="alice")) == {("alice", "uses", "Kestrel")}
        added = await memory.graph.add("I use Kestrel at home.", user_id="bob")
        assert told(added.added_entities) == {("bob", "uses", "Kestrel")}
        assert not await memory.graph.search("mallory.secretname?", user_id="nobody")


@pytest.mark.parametrize("mentioned", ["I work at Zaunkoenig Corp.", "Hello, it rains today."])
async def test_what_a_search_finds_does_not_depend_on_what_others_mentioned(tmp_path: Path, mentioned: str) -> None:
    async with a_house(tmp_path) as memory:
        await memory.add("I live in Oslo.", user_id="bob")
        await memory.add(mentioned, user_id="carol")
        found = await memory.graph.search("Zaunkoenig Corp?", user_id="bob")
    assert told(found) == {("bob", "located_in", "Oslo")}


@pytest.mark.parametrize("mode", ["auto", "local", "traverse", "global", "vector", "temporal", "hybrid"])
async def test_what_a_stranger_says_of_somebody_is_no_answer_to_him(tmp_path: Path, mode: AskMode) -> None:
    async with a_house(tmp_path) as memory:
        await memory.add("Hello, I live in Oslo.", user_id="Bob")
        await memory.add(SLANDER, user_id="mallory")
        for question in ("What is Bob's phone number?", "What does Bob have?", "Where do I work?", "What is my phone?"):
            reply = await memory.app.ask(AskQuery(about(memory, "bob"), question, mode))
            shown = "\n".join((reply.text or "", *reply.graph, *(one.memory.content for one in reply.sources)))
            assert not any(word in shown for word in ("555-6666", "cancer", "Evil", "mallory"))
        own = await memory.app.ask(AskQuery(about(memory, "bob"), "Where do I live?", mode))
    assert own.text is not None
    assert "Oslo" in own.text


async def test_what_a_stranger_says_of_somebody_is_no_triple_and_no_quote_of_his(tmp_path: Path) -> None:
    async with a_house(tmp_path) as memory:
        await memory.add("Hello, I live in Oslo.", user_id="Bob")
        await memory.add(SLANDER, user_id="mallory")
        own = {("Bob", "located_in", "Oslo")}
        assert told(await memory.graph.search("Where do I work and live, phone?", user_id="Bob")) == own
        assert told(await memory.graph.get_all(user_id="Bob")) == own
        context = await memory.context("What is my phone number? Where do I work?", user_id="Bob")
    quoted = [line.text for line in context.lines if line.section == "quotes"]
    assert not any("mallory" in line or "cancer" in line for line in quoted)


@pytest.mark.parametrize("person", ["bob", None])
async def test_what_a_stranger_says_of_somebody_does_not_stand_in_the_line_about_him(
    tmp_path: Path, person: str | None
) -> None:
    async with a_house(tmp_path) as memory:
        await memory.add("Hello, I live in Oslo.", user_id="Bob")
        await memory.add("My friend Bob lives in Minsk.", user_id="mallory")
        context = await memory.app.context(RecallQuery(about(memory, person), "Where in Oslo is Bob?", k=1))
    assert context.lines
    assert not any("Minsk" in line.text for line in context.lines if line.section == "people")


async def test_the_agent_sees_all_that_was_said_with_who_said_it(tmp_path: Path) -> None:
    async with a_house(tmp_path) as memory:
        await memory.add("Hello, I live in Oslo.", user_id="Bob")
        await memory.add(SLANDER, user_id="mallory")
        triples = await memory.graph.get_all(agent_id="default")
        trust = {(each.relationship, each.destination): each.trust for each in triples if each.source == "Bob"}
        assert trust[("phone", "555-6666")] is Trust.UNTRUSTED
        assert trust[("located_in", "Oslo")] is Trust.PRINCIPAL
        reply = await memory.app.ask(AskQuery(about(memory, None), "What is Bob's phone number?", "auto"))
    assert reply.text == "Bob's phone number is 555-6666 (2026-03-09 – now) (according to mallory) [1]"


async def test_what_one_says_of_himself_is_his_whoever_said_it_first(tmp_path: Path) -> None:
    async with a_house(tmp_path) as memory:
        await memory.add("Bob's phone number is 555-6666.", user_id="mallory")
        await memory.add("My phone number is 555-6666.", user_id="Bob")
        reply = await memory.app.ask(AskQuery(about(memory, "bob"), "What is my phone number?", "auto"))
        words = [part.speaker for source in reply.sources for part in source.words]
        assert ("Bob", "phone", "555-6666") in told(await memory.graph.get_all(user_id="Bob"))
    assert reply.text == "Bob's phone number is 555-6666 (2026-03-09 – now) [1]"
    assert words == ["Bob"]
