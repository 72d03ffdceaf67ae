"""Scenarios in which the chat model answers: the same file, a model in the agent's place."""

from pathlib import Path

import pytest

from agentmem.errors import InvalidInput
from agentmem.evals.scenarios.scenario_run import run_scenario
from agentmem.runtime.configuration.settings import Settings
from tests.fixtures.talking_model import speaker

SCENARIO = """
scenario: answered
persona: {id: clerk, name: 小美}
customer: {name: 罗小东}
sessions:
  - id: first
    at: 2026-03-09T10:00:00+08:00
    turns:
      - agent: null
      - customer: 我的电话是13800138000
      - agent: null
  - id: second
    at: 2026-03-10T10:00:00+08:00
    turns:
      - customer: 我的电话是多少?
      - agent: null
expect:
  memories: [{id: phone, has: ["13800138000"]}]
  recalls: [{id: said, ask: 我的电话, has: ["13800138000"]}]
"""


def _settings(folder: Path, **changes: object) -> Settings:
    return Settings.model_validate({"data": folder / "data", "chat_model": "scripted:x", **changes})


async def test_the_model_answers_where_the_scenario_leaves_it_the_word(tmp_path: Path) -> None:
    path = tmp_path / "answered.yaml"
    path.write_text(SCENARIO)
    model = speaker("您好,请问怎么称呼?", "记下了", "您的电话是13800138000")

    report = await run_scenario(path, _settings(tmp_path), chat=model.chat)
    again = await run_scenario(path, _settings(tmp_path), chat=model.chat)

    assert report.passed
    assert [line.text for line in report.lines if line.by_agent] == [
        "您好,请问怎么称呼?",
        "记下了",
        "您的电话是13800138000",
    ]
    assert "13800138000" in model.seen[2].split("# 规则")[0], "recalled from the first session"
    assert report.usage.calls == 3
    assert [line.text for line in again.lines] == [line.text for line in report.lines]
    assert len(model.seen) == 3, "played again, it is not asked again"


async def test_without_a_model_the_file_is_refused_before_it_is_played(tmp_path: Path) -> None:
    path = tmp_path / "answered.yaml"
    path.write_text(SCENARIO)
    with pytest.raises(InvalidInput, match=r"session 'first', turn 1: agent: null .* set chat_model"):
        await run_scenario(path, _settings(tmp_path, chat_model=None))
