"""Every scenario is played and must pass; every persona is valid."""

import asyncio
from datetime import datetime
from pathlib import Path

import pytest

from agentmem.domain.memory import MemoryNode, MemoryType
from agentmem.domain.scope import Scope
from agentmem.errors import InvalidInput
from agentmem.evals.scenarios.scenario_report import ScenarioReport
from agentmem.evals.scenarios.scenario_run import run_scenario
from agentmem.retrieval.query import RecallQuery
from agentmem.runtime.composition.opening import open_app
from agentmem.runtime.configuration.personas import read_persona
from agentmem.runtime.configuration.settings import Settings
from tests.support.cli import ROOT
from tests.support.index_kind import an_index

SCENARIOS = sorted((ROOT / "scenarios").glob("*.yaml"))
PERSONAS = sorted((ROOT / "personas").glob("*.yaml"))


def settings_in(folder: Path) -> Settings:
    return Settings(data=folder / "data", personas=ROOT / "personas", index=an_index())


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return settings_in(tmp_path)


@pytest.fixture(scope="module")
def aip_story(tmp_path_factory: pytest.TempPathFactory) -> tuple[Settings, ScenarioReport]:
    """A store in which the AIP story was played, to be asked only, and its report."""
    settings = settings_in(tmp_path_factory.mktemp("aip"))
    return settings, asyncio.run(run_scenario(ROOT / "scenarios" / "aip_sales.yaml", settings))


def failures(report: ScenarioReport) -> list[str]:
    return [f"{check.kind} {check.id}: {check.expected} {check.found}" for check in report.checks if not check.passed]


@pytest.mark.parametrize("path", PERSONAS, ids=lambda path: path.stem)
def test_persona_is_valid(path: Path) -> None:
    assert read_persona(path).id == path.stem


@pytest.mark.sweep
@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
async def test_scenario_holds_and_playing_it_again_adds_nothing(path: Path, settings: Settings) -> None:
    first = await run_scenario(path, settings)
    second = await run_scenario(path, settings)

    assert failures(first) == failures(second) == []
    assert second.memories == first.memories


async def test_a_fresh_playing_remembers_the_same_as_the_first(settings: Settings) -> None:
    path = ROOT / "scenarios" / "aip_sales.yaml"

    def told(nodes: list[MemoryNode]) -> list[tuple[str, str]]:
        return [(node.memory_id, node.content) for node in nodes]

    first = await run_scenario(path, settings)
    again = await run_scenario(path, settings, fresh=True)

    assert told(list(again.memories)) == told(list(first.memories))


def test_the_aip_story_is_told_in_thirteen_turns_without_a_model(aip_story: tuple[Settings, ScenarioReport]) -> None:
    _, report = aip_story
    assert report.turns == 13
    assert sum(node.memory_type == "conversation" for node in report.memories) == 13
    assert (report.usage.calls, report.usage.tokens_in) == (0, 0)


@pytest.mark.parametrize("asked", ["自动能力", "自动", "添加自动能力"])
async def test_part_of_what_he_said_finds_the_wish_of_the_aip_story(
    asked: str, aip_story: tuple[Settings, ScenarioReport]
) -> None:
    settings, report = aip_story
    scope = Scope(report.memories[0].tenant, report.memories[0].agent_id)
    async with open_app(settings) as app:
        found = await app.recall(RecallQuery(scope, asked, 1, types=(MemoryType.OBSERVATION,)))
        among_all = await app.recall(RecallQuery(scope, asked, 3))

    wish = "软件工程师罗小东希望在社保管理系统中添加自动能力和AI人工智能能力"
    assert [hit.memory.content for hit in found.hits] == [wish]
    assert wish in [hit.memory.content for hit in among_all.hits]


INLINE = """\
scenario: inline
persona: {id: clerk, name: Clerk}
customer: {name: 王芳}
sessions:
  - id: one
    at: 2026-03-09T10:00:00+08:00
    turns:
      - customer: 我的电话是13800138000
      - agent: TURN
expect:
  memories: [{id: phone, has: [13800138000]}]
"""


async def test_an_inline_persona_becomes_an_agent_of_its_own(tmp_path: Path, settings: Settings) -> None:
    path = tmp_path / "inline.yaml"
    path.write_text(INLINE.replace("TURN", "好的"), encoding="utf-8")

    report = await run_scenario(path, settings)

    assert failures(report) == []
    assert {(node.agent_id, node.user_name) for node in report.memories} == {("clerk", "Clerk")}


async def test_a_turn_for_the_chat_model_needs_one(tmp_path: Path, settings: Settings) -> None:
    path = tmp_path / "inline.yaml"
    path.write_text(INLINE.replace("TURN", "null"), encoding="utf-8")

    with pytest.raises(InvalidInput, match="no chat model is configured; set chat_model in config"):
        await run_scenario(path, settings)


async def test_a_silence_in_the_scenario_is_a_silence_for_its_windows(tmp_path: Path, settings: Settings) -> None:
    path = tmp_path / "inline.yaml"
    said = (("谢谢", "10:05"), ("再见", "11:00"))
    turns = [f"      - {{customer: {text}, at: 2026-03-09T{at}:00+08:00}}" for text, at in said]
    path.write_text(INLINE.replace("      - agent: TURN", "\n".join(turns)), encoding="utf-8")

    report = await run_scenario(path, settings)

    [phone] = [node for node in report.memories if node.memory_type == "observation" and "13800138000" in node.content]
    assert phone.created_at <= datetime.fromisoformat("2026-03-09T10:05:00+08:00")
