"""Asking: an answer in the words of its sources, a model's where there is one, or none."""

import re
from datetime import timedelta
from pathlib import Path

import pytest

from agentmem.answers.answer import AskQuery
from agentmem.domain.persona import Persona
from agentmem.domain.scope import Scope
from agentmem.errors import InvalidInput
from agentmem.runtime.composition.opening import open_app
from agentmem.runtime.configuration.settings import Settings
from agentmem.runtime.facade.app import App
from agentmem.runtime.host.clocks import ManualClock
from tests.support.cli import agentmem
from tests.support.index_kind import an_index
from tests.support.nodes import NOON

SCOPE = Scope("default", "clerk")


async def told(app: App) -> None:
    await app.know_agent(Persona(id="clerk", name="Clerk", language="en"))
    await app.say("clerk", "Tom", "My phone number is 555-0142. I work as a plumber.", end=True)
    await app.say("clerk", "Ann", "我的预算是三万元", end=True)
    await app.drain()


async def test_the_answer_is_the_sources_own_sentence_and_leads_back_to_the_words(tmp_path: Path) -> None:
    async with open_app(Settings(data=tmp_path, index=an_index())) as app:
        await told(app)
        reply = await app.ask(AskQuery(SCOPE, "What is Tom's phone number?"))
    assert reply.text is not None
    assert "555-0142" in reply.text
    assert "[1]" in reply.text
    assert reply.extractive
    assert reply.sources[0].number == 1
    assert any("555-0142" in part.text for part in reply.sources[0].words) or (
        reply.sources[0].memory.memory_type == "conversation"
    )
    assert [step.kind for step in reply.trace] == ["recall", "extract"]


async def test_what_was_never_talked_of_has_no_answer(tmp_path: Path) -> None:
    async with open_app(Settings(data=tmp_path, index=an_index())) as app:
        await told(app)
        reply = await app.ask(AskQuery(SCOPE, "Which submarine museum did the volcano sponsor?"))
    assert reply.text is None
    assert reply.sources == ()


async def test_the_value_that_holds_is_told_with_since_when_and_one_that_ended_is_not(tmp_path: Path) -> None:
    clock = ManualClock(NOON)
    async with open_app(Settings(data=tmp_path, index=an_index()), clock=clock) as app:
        await app.know_agent(Persona(id="clerk", name="Clerk", language="en"))
        await app.say("clerk", "Tom", "My phone number is 555-0142.", end=True)
        await app.drain()
        clock.advance(timedelta(days=9))
        await app.say("clerk", "Tom", "My new phone number is 555-0977.", end=True)
        await app.drain()
        now = await app.ask(AskQuery(SCOPE, "What is Tom's phone number?"))
        then = await app.ask(AskQuery(SCOPE, "What is Tom's phone number?", as_of=NOON + timedelta(days=1)))
    assert now.text is not None
    assert then.text is not None
    assert "555-0977 (2026-03-18 – now)" in now.text
    assert "555-0142" not in now.text
    assert "555-0142" in then.text
    assert "555-0977" not in then.text


def test_a_question_has_words() -> None:
    with pytest.raises(InvalidInput, match="needs a question"):
        AskQuery(SCOPE, " ")
    with pytest.raises(InvalidInput, match="allowed: 1 to 50"):
        AskQuery(SCOPE, "who?", k=51)
    with pytest.raises(InvalidInput, match="allowed: 1 to 3"):
        AskQuery(SCOPE, "who?", depth=4)


def test_on_the_command_line_the_sources_stand_below_the_answer(tmp_path: Path) -> None:
    common = ("--data", tmp_path)
    (tmp_path / "personas").mkdir()
    (tmp_path / "personas" / "clerk.yaml").write_text("id: clerk\nname: Clerk\nlanguage: en\n")
    set_personas = ("--set", f"personas={tmp_path / 'personas'}")
    said = agentmem("say", "clerk", "My phone number is 555-0142.", "--from", "Tom", "--end", *common, *set_personas)
    assert said.code == 0, said.err
    asked = agentmem("ask", "What is Tom's phone number?", "--agent", "clerk", "--explain", *common)
    assert asked.code == 0, asked.err
    assert "555-0142" in asked.out
    assert "in the words of its sources" in asked.out
    assert re.search(r"\[1\] +\w{8} \d{4}-\d\d-\d\d \d\d:\d\d Tom: My phone number is 555-0142", asked.out)
    assert "recall:" in asked.out
    walked = ("--mode", "traverse", "--depth", "1", "--json")
    data = agentmem("ask", "What is Tom's phone number?", "--agent", "clerk", *walked, *common).json
    assert (data["mode"], data["trace"][0]["kind"], data["trace"][-1]["numbers"]) == ("traverse", "split", [1])
    assert data["answer"].count("555-0142") >= 1
    assert data["sources"][0]["words"]
    numbers = ("--choice", "555-0199", "--choice", "555-0142", "--json")
    chosen = agentmem("ask", "What is Tom's phone number?", "--agent", "clerk", *numbers, *common).json
    assert chosen["choice"] == 2
    nothing = agentmem("ask", "Which submarine did the volcano sponsor?", "--agent", "clerk", *common)
    assert (nothing.code, "nothing that is remembered answers this" in nothing.out) == (0, True)
